/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/peak-utils.h"
#include "tests/test-utils.h"

#include <c2g/c2g.h>
#include <c2g/caffe/model/c2g-prototxt-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <glib/gstdio.h>

/* Small files of Caffe that request much memory. None of them may allocate more than this. */
#define MAX_BYTES ((guint64) 64 << 20)

/* Many empty blobs of a layer with a long name. */
static void
open_long_names (void)
{
  g_autoptr (GByteArray) layer = g_byte_array_new ();
  g_autoptr (GByteArray) net = g_byte_array_new ();
  g_autofree char *name = g_strnfill (65000, 'n');
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  c2g_wire_put_bytes (layer, 1, name, strlen (name));
  for (guint i = 0; i < 20000; i++)
    c2g_wire_put_bytes (layer, 7, "\10\0", 2);
  c2g_wire_put_bytes (net, 100, layer->data, layer->len);
  bytes = g_bytes_new (net->data, net->len);
  file = c2g_model_file_new_from_bytes (bytes, "names.caffemodel", &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "more memory than the file"));
}

/* Layers of unknown fields, each of which might be kept. */
static void
open_large_fields (void)
{
  g_autoptr (GByteArray) layer = g_byte_array_new ();
  g_autoptr (GByteArray) net = g_byte_array_new ();
  g_autofree guint8 *field = g_malloc0 (9 << 20);
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  c2g_wire_put_bytes (layer, 2000, field, 9 << 20);
  for (guint i = 0; i < 2; i++)
    c2g_wire_put_bytes (net, 100, layer->data, layer->len);
  bytes = g_bytes_new_static (net->data, net->len);
  file = c2g_model_file_new_from_bytes (bytes, "fields.caffemodel", &error);
  g_assert_no_error (error);
  g_assert_null (c2g_model_file_get_metadata (file, "caffe.net"));
}

/* One blob of each layer, in a late place. */
static void
save_late_places (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *name = g_strdup_printf ("l%u/65534", i);
      g_autoptr (C2gTensor) tensor = c2g_workspace_create_tensor (workspace, name, C2G_DATA_TYPE_FLOAT, NULL, 0, NULL);

      c2g_tensor_fill (tensor, 1, NULL);
    }
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
  bytes = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

static void
put_small_fields (char  *text,
                  gsize  n_fields)
{
  for (gsize i = 0; i < n_fields; i++)
    memcpy (text + 3 * i, "a{}", 3);
}

/* Memory grows in proportion to the text: this one has half a million messages in 1.5 megabytes. */
static void
read_small_fields (void)
{
  const guint n_fields = 500000;
  g_autofree char *text = g_malloc (3 * n_fields);
  g_autoptr (GError) error = NULL;
  C2gPrototxt prototxt;

  put_small_fields (text, n_fields);
  g_assert_true (c2g_prototxt_parse (&prototxt, text, 3 * n_fields, NULL, &error));
  g_assert_no_error (error);
  c2g_prototxt_clear (&prototxt);
}

/* The text has many more outputs than the blob of weights. */
/* Opens the text with the weights of a layer “l”, of which 3 outputs have 2 inputs. */
static void
load_text (const char *text,
           int         code)
{
  const gint64 dims[] = { 3, 2 };
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *text_path = g_build_filename (folder, "deploy.prototxt", NULL);
  g_autofree char *path = g_build_filename (folder, "x.caffemodel", NULL);
  g_autoptr (GFile) prototxt = g_file_new_for_path (text_path);
  g_autoptr (GFile) weights = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) tensor = c2g_workspace_create_tensor (workspace, "l/0", C2G_DATA_TYPE_FLOAT, dims, 2, NULL);
  g_autoptr (GError) error = NULL;

  c2g_tensor_fill (tensor, 1, NULL);
  c2g_workspace_save_checkpoint (workspace, weights, NULL, NULL, &error);
  g_assert_no_error (error);
  g_file_set_contents (text_path, text, -1, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_caffe_net_load (prototxt, weights, workspace, NULL, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_remove (text_path);
  g_remove (path);
  g_rmdir (folder);
}

static void
load_many_outputs (void)
{
  load_text ("input: 'x' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 1\n"
             "layer { name: 'l' type: 'InnerProduct' bottom: 'x' top: 'y'\n"
             "  inner_product_param { num_output: 500000000 bias_term: false } }\n",
             C2G_ERROR_SHAPE);
}

/* A layer with a long name is converted to many operators. */
static void
load_long_name (void)
{
  g_autoptr (GString) text = g_string_new ("input: 'x' input_dim: 4 input_dim: 1 input_dim: 1 input_dim: 1\n"
                                           "layer { type: 'Filter' name: '");
  g_autofree char *name = g_strnfill (100000, 'n');

  g_string_append_printf (text, "%s'", name);
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, " bottom: 'x' top: 't%u'", i);
  g_string_append (text, " bottom: 'x' }\n");
  load_text (text->str, C2G_ERROR_CORRUPT);
}

static void
test_peak (gconstpointer data)
{
  void (*run) (void) = data;
  guint64 n_before;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  n_before = peak_reset () ? peak_read ("VmRSS:") : 0;
  run ();
  if (n_before > 0)
    g_assert_cmpuint (peak_read ("VmHWM:"), <=, n_before + MAX_BYTES);
}

static void
test_too_many_fields (void)
{
  const gsize n_bytes = 3 * ((4 << 20) + 1);
  g_autofree char *text = g_malloc (n_bytes);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  C2gPrototxt prototxt;

  if (c2g_test_skip_if_quick ())
    return;

  put_small_fields (text, n_bytes / 3);
  g_assert_false (c2g_prototxt_parse (&prototxt, text, n_bytes, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_clear_error (&error);
  c2g_prototxt_clear (&prototxt);

  g_cancellable_cancel (cancellable);
  g_assert_false (c2g_prototxt_parse (&prototxt, text, n_bytes, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  c2g_prototxt_clear (&prototxt);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/caffe-peak/long-names", open_long_names, test_peak);
  g_test_add_func ("/caffe-peak/large-fields", open_large_fields);
  g_test_add_data_func ("/caffe-peak/late-places", save_late_places, test_peak);
  g_test_add_data_func ("/caffe-peak/small-fields", read_small_fields, test_peak);
  g_test_add_data_func ("/caffe-peak/many-outputs", load_many_outputs, test_peak);
  g_test_add_data_func ("/caffe-peak/long-name", load_long_name, test_peak);
  c2g_test_add_func ("/caffe-peak/too-many-fields", test_too_many_fields);

  return c2g_test_run ();
}
