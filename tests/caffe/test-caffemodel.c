/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define HALF   C2G_DATA_TYPE_FLOAT16
#define UNDEFINED C2G_DATA_TYPE_UNDEFINED

/* Writes a message. The field numbers of the layers are below 16, or 50 and 100. */
typedef struct
{
  const char *data;
  gsize       n_bytes;
} Part;

#define PART(text)          \
  {                         \
    text, sizeof (text) - 1 \
  }

static GByteArray *
wrap (guint32     number,
      GByteArray *content)
{
  GByteArray *message = g_byte_array_new ();

  c2g_wire_put_bytes (message, number, content->data, content->len);
  g_byte_array_unref (content);
  return message;
}

static GByteArray *
put (GByteArray *message,
     const Part *part)
{
  g_byte_array_append (message, (const guint8 *) part->data, part->n_bytes);
  return message;
}

static C2gModelFile *
open_bytes (GBytes     *bytes,
            const char *name,
            GError    **error)
{
  return c2g_model_file_new_from_bytes (bytes, name, error);
}

/* Writes a net with one layer “l” of version 2 that has this blob. */
static GBytes *
make_net (const Part *blob)
{
  const Part name = PART ("\n\1l");
  g_autoptr (GByteArray) blobs = wrap (7, put (g_byte_array_new (), blob));
  GByteArray *layer = put (g_byte_array_new (), &name);

  g_byte_array_append (layer, blobs->data, blobs->len);
  return g_byte_array_free_to_bytes (wrap (100, layer));
}

#define TWO_FLOATS "\0\0\x80\x3f\0\0\0\x40"

/* Tests every form of the elements, in any order of fields. */
static void
test_forms (void)
{
  static const struct
  {
    Part        blob;
    C2gDataType data_type;
    gint64      dims[4];
    gsize       n_dims;
  } rows[] = {
    { PART ("\x2a\10" TWO_FLOATS "\x3a\3\n\1\2"), FLOAT, { 2 }, 1 },
    { PART ("\x3a\4\10\1\10\2\x2a\10" TWO_FLOATS), FLOAT, { 1, 2 }, 2 },
    { PART ("\x2d\0\0\x80\x3f\x2d\0\0\0\x40\x3a\3\n\1\2"), FLOAT, { 2 }, 1 },
    { PART ("\x2a\4\0\0\x80\x3f\x3a\3\n\1\2\x2a\4\0\0\0\x40"), FLOAT, { 2 }, 1 },
    { PART ("\x2a\6\0\0\x80\x3f\0\0\x2a\2\0\x40\x3a\3\n\1\2"), FLOAT, { 2 }, 1 },
    { PART ("\10\1\20\1\30\2\40\1\x2a\10" TWO_FLOATS), FLOAT, { 1, 1, 2, 1 }, 4 },
    { PART ("\10\1\20\1\30\2\40\1\x2a\10" TWO_FLOATS "\x3a\3\n\1\2"), FLOAT, { 1, 1, 2, 1 }, 4 },
    { PART ("\x3a\3\n\1\2\x42\20\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40"), DOUBLE, { 2 }, 1 },
    { PART ("\x3a\3\n\1\2\x50\2\x62\4\0\x3c\0\x40"), HALF, { 2 }, 1 },
    { PART ("\x62\10\1\0\0\0\2\0\0\0\x50\3\x3a\3\n\1\2"), C2G_DATA_TYPE_INT32, { 2 }, 1 },
    { PART ("\x62\2\1\2\x50\5\x3a\3\n\1\2"), C2G_DATA_TYPE_BOOL, { 2 }, 1 },
    { PART ("\x3a\0\x2a\4\0\0\x80\x3f"), FLOAT, { 0 }, 0 },
    { PART ("\x3a\4\n\2\0\3"), FLOAT, { 0, 3 }, 2 },
    { PART ("\x2a\10" TWO_FLOATS "\x32\10" TWO_FLOATS "\x3a\3\n\1\2\xf8\1\1"), FLOAT, { 2 }, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GBytes) bytes = make_net (&rows[i].blob);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = open_bytes (bytes, "x.caffemodel", &error);
      g_autoptr (C2gBlob) blob = NULL;
      g_autoptr (C2gTensor) wide = NULL;
      C2gTensor *tensor;
      gsize n_dims;

      g_assert_no_error (error);
      g_assert_cmpint (c2g_model_file_get_kind (file), ==, C2G_MODEL_FILE_KIND_CAFFEMODEL);
      blob = c2g_model_file_load_blob (file, "l/0", NULL, &error);
      g_assert_no_error (error);
      tensor = c2g_blob_get_tensor (blob, NULL);
      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, rows[i].data_type);
      g_assert_cmpmem (c2g_tensor_get_dims (tensor, &n_dims), n_dims * sizeof (gint64), rows[i].dims,
                       rows[i].n_dims * sizeof (gint64));
      wide = c2g_tensor_convert (tensor, DOUBLE, C2G_CONVERT_SATURATE, &error);
      g_assert_no_error (error);
      for (gint64 k = 0; k < c2g_tensor_get_n_elements (wide); k++)
        g_assert_cmpfloat (((const double *) c2g_tensor_data (wide, DOUBLE, NULL))[k], ==,
                           rows[i].data_type == C2G_DATA_TYPE_BOOL ? 1 : k + 1);
    }
}

static void
test_damaged (void)
{
  static const struct
  {
    Part     blob;
    C2gError code;
  } rows[] = {
    { PART ("\x2a\10" TWO_FLOATS "\x3a\3\n\1\3"), C2G_ERROR_CORRUPT },
    { PART ("\x2a\10" TWO_FLOATS), C2G_ERROR_CORRUPT },
    { PART ("\x2a\7\0\0\x80\x3f\0\0\0\x3a\3\n\1\2"), C2G_ERROR_CORRUPT },
    { PART ("\x62\2\1\2\x3a\3\n\1\2"), C2G_ERROR_CORRUPT },
    { PART ("\x62\2\1\2\x50\6\x3a\3\n\1\2"), C2G_ERROR_CORRUPT },
    { PART ("\x28\1\x3a\3\n\1\2"), C2G_ERROR_CORRUPT },
    { PART ("\x3a\xff\n"), C2G_ERROR_CORRUPT },
    { PART ("\10\1\20\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\30\2\40\1"), C2G_ERROR_SHAPE },
    { PART ("\x3a\x16\n\x14\xff\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\xff\x7f\1\1"),
      C2G_ERROR_RANGE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GBytes) bytes = make_net (&rows[i].blob);
      g_autoptr (GError) error = NULL;

      g_test_message ("row %zu", i);
      g_assert_null (open_bytes (bytes, "x.caffemodel", &error));
      g_assert_error (error, C2G_ERROR, (int) rows[i].code);
      g_assert_true (g_str_has_prefix (error->message, "x.caffemodel: "));
    }
}

/* A truncated file gives an error, or fewer layers. */
static void
test_truncated (void)
{
  const Part blob = PART ("\x2a\10" TWO_FLOATS "\x3a\3\n\1\2");
  g_autoptr (GBytes) bytes = make_net (&blob);

  for (gsize n = 1; n < g_bytes_get_size (bytes); n++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, n);
      g_autoptr (GError) error = NULL;

      g_assert_null (open_bytes (cut, "x.caffemodel", &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

#define BLOB "\x2a\4\0\0\x80\x3f\x3a\3\n\1\1"

/* Each version of a layer is read with its unknown fields, and saved as an equal one. */
static void
test_versions (void)
{
  static const struct
  {
    Part        net;
    const char *name;
  } rows[] = {
    { PART ("\n\3net\xa2\6\x17\n\3a/b\x12\1T\x3a\13" BLOB "\x50\1"), "a/b/0" },
    { PART ("\n\3net\xa2\6\x1e\n\3a/b\x12\1T\x3a\13" BLOB "\x50\1\xfa\x3e\1x\xf8\x3f\7"), "a/b/0" },
    { PART ("\n\3net\x12\x15\x12\1d\x22\1c\x28\4\x32\13" BLOB), "c/0" },
    { PART ("\n\3net\x12\x1c\n\7\n\1v\x12\2ip\n\x0e\x92\3\13" BLOB "\x12\1d"), "v/0" },
    { PART ("\n\3net\x12\x19\n\x17\n\1v\x12\4conv\x92\3\13" BLOB), "v/0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (rows[i].net.data, rows[i].net.n_bytes);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = open_bytes (bytes, "x", &error);
      g_autoptr (C2gModelFile) again = NULL;
      g_autoptr (GBytes) saved = NULL;
      g_auto (GStrv) names = NULL;

      g_test_message ("row %zu", i);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_model_file_get_kind (file), ==, C2G_MODEL_FILE_KIND_CAFFEMODEL);
      names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, rows[i].name);

      c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
      c2g_save_options_set_metadata (options, "caffe.net", c2g_model_file_get_metadata (file, "caffe.net"));
      saved = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
      g_assert_no_error (error);
      /* The blob of version 0 moves to the end of its layer. */
      g_assert_cmpuint (g_bytes_get_size (saved), >=, g_bytes_get_size (bytes));
      if (i < 3)
        g_assert_true (g_bytes_equal (saved, bytes));
      again = open_bytes (saved, "x", &error);
      g_assert_no_error (error);
      g_clear_pointer (&names, g_strfreev);
      names = c2g_model_file_load (again, workspace, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, rows[i].name);
    }
}

/* Converts a file to another kind, with the metadata of the file. */
static GBytes *
convert (GBytes           *bytes,
         C2gModelFileKind  kind)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = open_bytes (bytes, "x", &error);
  g_auto (GStrv) names = NULL;
  GBytes *saved;

  g_assert_no_error (error);
  names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  c2g_save_options_set_kind (options, kind);
  c2g_save_options_set_metadata (options, "caffe.net", c2g_model_file_get_metadata (file, "caffe.net"));
  saved = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
  g_assert_no_error (error);
  return saved;
}

/* A net with unknown fields and elements of several types is saved as the same bytes. */
static void
test_through_safetensors (void)
{
  static const char net[] =
    "\n\3net\xa2\6\x28\n\3a/b\x12\1T\x3a\13" BLOB "\x3a\13\x3a\3\n\1\1\x50\2\x62\2\0\x3c\x50\1\xfa\x3e\1x"
    "\x12\x15\x12\1d\x22\1c\x28\4\x32\13" BLOB "\xf8\x3f\7";
  g_autoptr (GBytes) bytes = g_bytes_new_static (net, sizeof net - 1);
  g_autoptr (GBytes) safetensors = convert (bytes, C2G_MODEL_FILE_KIND_SAFETENSORS);
  g_autoptr (GBytes) again = convert (safetensors, C2G_MODEL_FILE_KIND_CAFFEMODEL);
  g_autoptr (C2gModelFile) file = open_bytes (bytes, "x", NULL);
  g_autoptr (C2gFileEntry) half = c2g_model_file_lookup_entry (file, "a/b/1");

  g_assert_cmpint (c2g_file_entry_get_data_type (half), ==, HALF);
  g_assert_true (g_bytes_equal (again, bytes));
}

/* Blobs that belong to no layer can be left out, such as the inputs of a loaded net. */
static void
test_skip_unsupported (void)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) weights = formats_new_tensor (FLOAT, C2G_TEST_DIMS (2, 3), 1);
  g_autoptr (C2gTensor) input = c2g_tensor_new_sized (C2G_TEST_DIMS (1, 3), NULL, NULL);
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *const tensors[] = { weights, weights, input };
  const char *const names[] = { "ip/0", "ip/bias", "data" };
  C2gFileEntry **entries;
  guint n_entries;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, names[i], NULL);

      c2g_blob_set_object (blob, G_OBJECT (tensors[i]));
    }
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
  g_assert_null (c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  c2g_save_options_set_skip_unsupported (options, TRUE);
  bytes = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
  g_assert_no_error (error);
  file = open_bytes (bytes, "x", &error);
  g_assert_no_error (error);
  entries = c2g_model_file_list_entries (file, &n_entries);
  g_assert_cmpuint (n_entries, ==, 1);
  g_assert_cmpstr (c2g_file_entry_get_name (entries[0]), ==, "ip/0");
  c2g_file_entry_unref (entries[0]);
  g_free (entries);
}

/* Every type that has a number in NVCaffe, and a name in Caffe2; other types and names give
 * errors. */
static void
test_save (void)
{
  static const struct
  {
    const char *names[3];
    C2gDataType data_type;
    int         code;
    const char *read;
  } rows[] = {
    { { "a/0", "a/b/1/0" }, FLOAT, -1, "a/b/1/0" },
    { { "a/1", "a/0" }, DOUBLE, -1, "a/1" },
    { { "conv_b", "conv_w" }, HALF, -1, "conv/1" },
    { { "a/0" }, C2G_DATA_TYPE_INT32, -1, "a/0" },
    { { "a/0" }, C2G_DATA_TYPE_UINT32, -1, "a/0" },
    { { "a/0" }, C2G_DATA_TYPE_BOOL, -1, "a/0" },
    { { "a/0" }, C2G_DATA_TYPE_INT8, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "a/0" }, C2G_DATA_TYPE_INT64, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "a/0" }, C2G_DATA_TYPE_BFLOAT16, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "plain" }, FLOAT, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "a/x" }, FLOAT, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "a/1" }, FLOAT, C2G_ERROR_INVALID_ARGUMENT, NULL },
    { { "a/99999" }, FLOAT, C2G_ERROR_NOT_SUPPORTED, NULL },
    { { "a/0", "a_w" }, FLOAT, C2G_ERROR_EXISTS, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = NULL;
      g_autoptr (C2gBlob) read = NULL;
      g_autoptr (C2gTensor) tensor = formats_new_tensor (rows[i].data_type, C2G_TEST_DIMS (2, 3), 1);
      g_autoptr (GBytes) bytes = NULL;

      g_test_message ("row %zu", i);
      for (gsize k = 0; rows[i].names[k] != NULL; k++)
        {
          g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, rows[i].names[k], NULL);

          c2g_blob_set_object (blob, G_OBJECT (tensor));
        }
      c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
      bytes = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
      if (rows[i].code >= 0)
        {
          g_assert_error (error, C2G_ERROR, rows[i].code);
          continue;
        }
      g_assert_no_error (error);
      file = open_bytes (bytes, "x", &error);
      g_assert_no_error (error);
      read = c2g_model_file_load_blob (file, rows[i].read, NULL, &error);
      g_assert_no_error (error);
      formats_assert_equal (c2g_blob_get_tensor (read, NULL), tensor);
    }
}

/* Saves a blob into a file that is there already. */
static void
save_with_net (GFile       *file,
               const char  *net,
               GError     **error)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "l/0", NULL);
  g_autoptr (C2gTensor) tensor = formats_new_tensor (FLOAT, C2G_TEST_DIMS (2), 1);

  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
  c2g_save_options_set_metadata (options, "caffe.net", net);
  c2g_workspace_save_checkpoint (workspace, file, options, NULL, error);
}

/* A net in the metadata that cannot be read again gives an error, and the file does not change. */
static void
test_damaged_metadata (void)
{
  static const Part nets[] = {
    PART ("\n\7net"),
    PART ("\xa2\6\2\n\5"),
    PART ("\xa2\6\2\10\1"),
    PART ("\x12\4\n\2\x22\5"),
    PART ("\x10\1"),
    PART ("\xa2\6\x10\n\1l\x3a\13" BLOB),
    { NULL, 0 },
  };
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.caffemodel", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, "as it was", -1, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autofree char *net = nets[i].data != NULL ? g_base64_encode ((const guint8 *) nets[i].data, nets[i].n_bytes)
                                                  : g_strdup ("CgNu*ZXQ=");
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("row %zu", i);
      save_with_net (file, net, &error);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, "caffe.net"));
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, "as it was");
    }
  g_remove (path);
  g_rmdir (folder);
}

static void
test_same_name (void)
{
  static const char net[] = "\xa2\6\x10\n\1l\x3a\13" BLOB "\xa2\6\x10\n\1l\x3a\13" BLOB;
  g_autoptr (GBytes) bytes = g_bytes_new_static (net, sizeof net - 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (open_bytes (bytes, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

/* Mean images in the old and the new form are read, and saved as equal ones. */
static void
test_mean (void)
{
  static const Part files[] = {
    PART ("\10\1\20\1\30\2\40\1\x2a\10" TWO_FLOATS),
    PART ("\x2a\10" TWO_FLOATS "\x3a\3\n\1\2"),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (files[i].data, files[i].n_bytes);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = open_bytes (bytes, "mean.binaryproto", &error);
      g_autoptr (GBytes) saved = NULL;
      g_auto (GStrv) names = NULL;

      g_assert_no_error (error);
      g_assert_cmpint (c2g_model_file_get_kind (file), ==, C2G_MODEL_FILE_KIND_BINARYPROTO);
      names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, "mean");
      c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_BINARYPROTO);
      saved = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
      g_assert_no_error (error);
      if (i == 1)
        g_assert_true (g_bytes_equal (saved, bytes));
    }
}

/* Returns the number of bytes that this process has read from files. */
static guint64
count_read (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL))
    return 0;
  line = strstr (text, "rchar: ");
  return g_ascii_strtoull (line + strlen ("rchar: "), NULL, 10);
}

/* The net in the file has the name; a net whose text has no name gets it. */
static void
test_net_name (void)
{
  static const char net[] = "\n\3net\xa2\6\x10\n\1l\x3a\13" BLOB;
  static const char *const texts[][2] = {
    { "input: 'x' layer { name: 'l' type: 'Bias' bottom: 'x' top: 'y' }", "net" },
    { "name: 'own' input: 'x' layer { name: 'l' type: 'Bias' bottom: 'x' top: 'y' }", "own" },
  };
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.caffemodel", NULL);
  g_autofree char *text_path = g_build_filename (folder, "deploy.prototxt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) text = g_file_new_for_path (text_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model = NULL;

  g_assert_true (g_file_set_contents (path, net, sizeof net - 1, NULL));
  model = c2g_model_file_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_model_file_get_net_name (model), ==, "net");
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (C2gNetDef) def = NULL;

      g_assert_true (g_file_set_contents (text_path, texts[i][0], -1, NULL));
      def = c2g_caffe_net_load (text, file, NULL, NULL, 0, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (c2g_net_def_get_name (def), ==, texts[i][1]);
    }
  g_remove (text_path);
  g_remove (path);
  g_rmdir (folder);
}

/* A file of 200 megabytes, with a hole for the elements. The shape comes after them. */
static void
put_large (const char *path)
{
  const guint32 n_values = 50 << 20;
  const Part tail = PART ("\x3a\6\n\4\x80\x80\x80\x19");
  g_autoptr (GByteArray) head = g_byte_array_new ();
  g_autoptr (GByteArray) start = g_byte_array_new ();
  g_autoptr (GByteArray) layer = g_byte_array_new ();
  FILE *file = fopen (path, "w");

  c2g_wire_put_tag (start, 5, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
  c2g_wire_put_varint (start, 4 * (guint64) n_values);
  c2g_wire_put_bytes (layer, 1, "l", 1);
  c2g_wire_put_tag (layer, 7, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
  c2g_wire_put_varint (layer, start->len + 4 * (guint64) n_values + tail.n_bytes);
  c2g_wire_put_tag (head, 100, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
  c2g_wire_put_varint (head, layer->len + start->len + 4 * (guint64) n_values + tail.n_bytes);
  fwrite (head->data, 1, head->len, file);
  fwrite (layer->data, 1, layer->len, file);
  fwrite (start->data, 1, start->len, file);
  g_assert_cmpint (fseek (file, 4 * (glong) n_values, SEEK_CUR), ==, 0);
  fwrite (tail.data, 1, tail.n_bytes, file);
  fclose (file);
}

static void
test_list_reads_no_values (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "large.caffemodel", NULL);
  g_autoptr (GFile) gfile = g_file_new_for_path (path);
  g_autofree char *text_path = g_build_filename (folder, "deploy.prototxt", NULL);
  g_autoptr (GFile) text = g_file_new_for_path (text_path);
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (C2gFileEntry) entry = NULL;
  g_autoptr (C2gNetDef) net = NULL;
  g_autoptr (GError) error = NULL;
  guint64 n_before;

  put_large (path);
  g_assert_true (g_file_set_contents (text_path,
                                      "input: 'x' layer { name: 'l' type: 'Bias' bottom: 'x' top: 'y' }\n", -1, NULL));
  n_before = count_read ();
  file = c2g_model_file_open (gfile, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_read () - n_before, <, 1 << 20);
  entry = c2g_model_file_lookup_entry (file, "l/0");
  g_assert_cmpint (c2g_file_entry_get_n_elements (entry), ==, 50 << 20);

  /* Loading only the net does not read the elements either. */
  n_before = count_read ();
  net = c2g_caffe_net_load (text, gfile, NULL, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_read () - n_before, <, 1 << 20);
  g_assert_cmpstr (c2g_net_def_get_external_inputs (net)[1], ==, "l/0");
  g_remove (text_path);
  g_remove (path);
  g_rmdir (folder);
}

static C2gCaffeBlob *
new_caffe_blob (void)
{
  const gint64 dims[] = { 2, 3 };
  C2gCaffeBlob *blob = c2g_caffe_blob_new (FLOAT, HALF, dims, 2, NULL, NULL);
  g_autoptr (C2gTensor) data = c2g_caffe_blob_ref_mutable_data_tensor (blob, FLOAT, NULL, NULL);
  g_autoptr (C2gTensor) diff = c2g_caffe_blob_ref_mutable_diff_tensor (blob, HALF, NULL, NULL);

  for (guint i = 0; i < 6; i++)
    {
      c2g_tensor_set_value (data, i, 10 + i, NULL);
      c2g_tensor_set_value (diff, i, 20 + i, NULL);
    }
  return blob;
}

static void
assert_values (C2gTensor   *tensor,
               C2gDataType  data_type,
               double       first)
{
  g_assert_nonnull (tensor);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, data_type);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, first + (first != 0 ? i : 0));
}

static C2gBlob *
save_and_load (GFile          *file,
               C2gSaveOptions *save_options,
               gboolean        caffe_blobs)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (C2gCaffeBlob) caffe_blob = new_caffe_blob ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "ip/0", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  c2g_blob_set_object (blob, G_OBJECT (caffe_blob));
  c2g_workspace_save_checkpoint (workspace, file, save_options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_blob_get_object (blob) == G_OBJECT (caffe_blob));

  g_clear_object (&workspace);
  workspace = c2g_workspace_new ();
  c2g_load_options_set_load_all (options, TRUE);
  g_assert_false (c2g_load_options_get_caffe2_names (options));
  c2g_load_options_set_caffe2_names (options, TRUE);
  g_assert_true (c2g_load_options_get_caffe2_names (options));
  c2g_load_options_set_caffe2_names (options, FALSE);
  c2g_load_options_set_caffe_blobs (options, caffe_blobs);
  g_assert_cmpint (c2g_load_options_get_caffe_blobs (options), ==, caffe_blobs);
  names = c2g_workspace_load_checkpoint (workspace, file, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_delete (file, NULL, NULL));
  return c2g_workspace_get_blob (workspace, names[0], NULL);
}

/* A blob of Caffe is saved as the tensor of its data, with the diff if it is wanted. */
static void
test_caffe_blobs (void)
{
  static const char *const names[] = { "a.caffemodel", "a.binaryproto", "a.minidb", "a.safetensors", "a.npz", "a.pb" };
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gBlob) with = NULL;
  g_autoptr (C2gBlob) without = NULL;
  g_autoptr (GFile) model = g_file_new_build_filename (folder, names[0], NULL);
  g_autoptr (C2gTensor) data = NULL;
  g_autoptr (C2gTensor) diff = NULL;
  g_autoptr (C2gTensor) no_diff = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = g_file_new_build_filename (folder, names[i], NULL);
      g_autoptr (C2gBlob) blob = save_and_load (file, NULL, FALSE);

      assert_values (c2g_blob_get_tensor (blob, NULL), FLOAT, 10);
    }

  without = save_and_load (model, NULL, TRUE);
  no_diff = c2g_caffe_blob_ref_diff_tensor (C2G_CAFFE_BLOB (c2g_blob_get_object (without)), FLOAT, NULL, NULL);
  assert_values (no_diff, FLOAT, 0);
  g_assert_false (c2g_save_options_get_caffe_diff (options));
  c2g_save_options_set_caffe_diff (options, TRUE);
  g_assert_true (c2g_save_options_get_caffe_diff (options));
  with = save_and_load (model, options, TRUE);
  data = c2g_caffe_blob_ref_data_tensor (C2G_CAFFE_BLOB (c2g_blob_get_object (with)), FLOAT, NULL, NULL);
  diff = c2g_caffe_blob_ref_diff_tensor (C2G_CAFFE_BLOB (c2g_blob_get_object (with)), HALF, NULL, NULL);
  assert_values (data, FLOAT, 10);
  assert_values (diff, HALF, 20);
  g_rmdir (folder);
}

/* If two files could be meant, it is an error, which names each file once. */
static void
test_folder (void)
{
  static const char *const names[] = { "b.caffemodel", "a.caffemodel", "deploy.prototxt" };
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autoptr (GFile) gfile = g_file_new_for_path (folder);
  g_autoptr (GFile) none = g_file_get_child (gfile, "none.pb");
  g_autoptr (GError) error = NULL;
  const char *place;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "", 0, NULL));
    }
  g_assert_null (c2g_predictor_load (gfile, NULL, NULL, C2G_OPTIMIZE_NONE, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“a.caffemodel”, “b.caffemodel”"));
  g_clear_error (&error);

  g_assert_null (c2g_predictor_load_nets (none, none, NULL, NULL, C2G_OPTIMIZE_NONE, NULL, &error));
  place = strstr (error->message, "none.pb");
  g_assert_nonnull (place);
  g_assert_null (strstr (place + 1, "none.pb"));

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffemodel/forms", test_forms);
  c2g_test_add_func ("/caffemodel/damaged", test_damaged);
  c2g_test_add_func ("/caffemodel/truncated", test_truncated);
  c2g_test_add_func ("/caffemodel/versions", test_versions);
  c2g_test_add_func ("/caffemodel/through-safetensors", test_through_safetensors);
  c2g_test_add_func ("/caffemodel/save", test_save);
  c2g_test_add_func ("/caffemodel/damaged-metadata", test_damaged_metadata);
  c2g_test_add_func ("/caffemodel/skip-unsupported", test_skip_unsupported);
  c2g_test_add_func ("/caffemodel/same-name", test_same_name);
  c2g_test_add_func ("/caffemodel/mean", test_mean);
  c2g_test_add_func ("/caffemodel/caffe-blobs", test_caffe_blobs);
  c2g_test_add_func ("/caffemodel/folder", test_folder);
  c2g_test_add_func ("/caffemodel/net-name", test_net_name);
  c2g_test_add_func ("/caffemodel/list-reads-no-values", test_list_reads_no_values);

  return c2g_test_run ();
}
