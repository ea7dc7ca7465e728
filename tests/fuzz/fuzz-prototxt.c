/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

/* Blobs of a few layers that the texts name. */
static GFile *
put_weights (void)
{
  g_autofree char *path = g_build_filename (fuzz_get_folder (), "net.caffemodel", NULL);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  GFile *file = g_file_new_for_path (path);

  if (g_file_query_exists (file, NULL))
    return file;
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("l/%u", i);
      g_autoptr (C2gTensor) tensor = NULL;
      const gint64 dims[] = { 2, 2, 1, 1 };

      tensor = c2g_workspace_create_tensor (workspace, name, C2G_DATA_TYPE_FLOAT, dims, i == 0 ? 4 : 1, NULL);
      c2g_tensor_fill (tensor, 1, NULL);
    }
  g_assert_true (c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, NULL));
  return file;
}

/* Reads the text of a net of Caffe. */
void
fuzz_one (GBytes *bytes)
{
  g_autofree char *path = g_build_filename (fuzz_get_folder (), "net.prototxt", NULL);
  g_autoptr (GFile) weights = put_weights ();
  g_autoptr (GFile) text = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = NULL;
  g_autoptr (C2gNetDef) alone = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  g_assert_true (g_file_set_contents (path, data, n_bytes, NULL));
  def = c2g_caffe_net_load (text, weights, workspace, NULL, 0, NULL, &error);
  g_assert_true ((def != NULL) == (error == NULL));
  /* The net is the same without parameters. */
  alone = c2g_caffe_net_load (text, weights, NULL, NULL, 0, NULL, NULL);
  g_assert_true (alone == def || c2g_net_def_equal (alone, def));
  if (error == NULL)
    return;
  fuzz_check_error (error);
  names = c2g_workspace_list_blobs (workspace);
  g_assert_null (names[0]);
}
