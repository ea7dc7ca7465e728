/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-utils.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

/* The kind of an empty file follows from its name. */
static void
test_empty (void)
{
  g_autoptr (GByteArray) nothing = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = io_open_bytes (nothing, "empty.minidb", &error);
  g_auto (GStrv) names = NULL;

  g_assert_no_error (error);
  names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 0);

  g_assert_null (io_open_bytes (nothing, "empty.pb", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
}

static void
test_names (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (2);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  static const struct
  {
    const char *name;
    const char *expected;
  } cases[] = {
    { "in-file", "in-file" },
    { "", "test-file" },
    { "\xff", "\xef\xbf\xbd" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, cases[i].name, NULL);
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = io_load_bytes (bytes, workspace, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, cases[i].expected);
    }
}

/* A file saved on a device that does not exist here is valid; its tensor comes to the CPU. */
static void
test_device (void)
{
  static const char message[] = "\x0a\x01w\x12\x06Tensor\x1a\x14\x08\x02\x10\x01\x1a\x08"
                                "\0\0\0\x40\0\0\x40\x40\x42\x04\x08\x01\x10\x03";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (C2gFileEntry) entry = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_auto (GStrv) names = NULL;

  g_byte_array_append (bytes, (const guint8 *) message, sizeof message - 1);
  model_file = io_open_bytes (bytes, "w.pb", &error);
  g_assert_no_error (error);
  entry = c2g_model_file_lookup_entry (model_file, "w");
  g_assert_cmpstr (c2g_device_to_string (c2g_file_entry_get_device (entry)), ==, "cuda:3");
  c2g_model_file_verify (model_file, NULL, NULL, &error);
  g_assert_no_error (error);
  names = c2g_model_file_load (model_file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  tensor = c2g_workspace_get_tensor (workspace, "w", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, 3);
}

/* An entry with an unknown device has none, and one without a device has the CPU. */
static void
test_other_devices (void)
{
  static const char message[] = "\x0a\x01w\x12\x06Tensor\x1a\x14\x08\x02\x10\x01\x1a\x08"
                                "\0\0\0\x40\0\0\x40\x40\x42\x04\x08\x06\x10\x00";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) message, sizeof message - 1);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) model_file = NULL;
      g_autoptr (C2gFileEntry) entry = NULL;

      if (i == 1)
        {
          bytes->data[12] -= 6;
          g_byte_array_set_size (bytes, sizeof message - 1 - 6);
        }
      model_file = io_open_bytes (bytes, "w.pb", &error);
      g_assert_no_error (error);
      entry = c2g_model_file_lookup_entry (model_file, "w");
      g_assert_true (c2g_file_entry_get_device (entry) == (i == 0 ? NULL : c2g_device_cpu ()));
    }
}

static const char init_net[] =
    "name: \"init\"\n"
    "op { type: \"GivenTensorFill\" output: \"w\" arg { name: \"shape\" ints: 3 }"
    "  arg { name: \"values\" floats: [0, 1, 2] } device_option { device_type: CUDA } }\n"
    "op { type: \"GivenTensorDoubleFill\" output: \"d\" arg { name: \"values\" floats: 1.5 } }\n"
    "op { type: \"GivenTensorIntFill\" output: \"i\" arg { name: \"shape\" ints: [1, 2] }"
    "  arg { name: \"values\" ints: [-1, 7] } }\n"
    "op { type: \"GivenTensorInt64Fill\" output: \"l\" arg { name: \"shape\" ints: 1 }"
    "  arg { name: \"values\" ints: 9007199254740993 } }\n"
    "op { type: \"GivenTensorInt16Fill\" output: \"h\" arg { name: \"values\" ints: -3 } }\n"
    "op { type: \"GivenTensorBoolFill\" output: \"b\" arg { name: \"shape\" ints: 2 }"
    "  arg { name: \"values\" ints: [0, 1] } }\n"
    "op { type: \"GivenTensorStringFill\" output: \"s\" arg { name: \"shape\" ints: 2 }"
    "  arg { name: \"values\" strings: ['', 'a\\000b'] } }\n"
    "op { type: \"GivenTensorFill\" output: \"as_int\" arg { name: \"dtype\" i: 2 }"
    "  arg { name: \"values\" ints: 4 } }\n"
    "op { type: \"ConstantFill\" output: \"c\" arg { name: \"shape\" ints: [2, 2] }"
    "  arg { name: \"value\" f: 0.5 } }\n"
    "op { type: \"ConstantFill\" output: \"ci\" arg { name: \"shape\" ints: 2 }"
    "  arg { name: \"value\" i: 5 } }\n"
    "op { type: \"ConstantFill\" output: \"cb\" arg { name: \"dtype\" i: 6 }"
    "  arg { name: \"value\" i: 255 } }\n"
    "op { type: \"ConstantFill\" output: \"zero\" arg { name: \"shape\" ints: 1 } }\n"
    "op { type: \"XavierFill\" output: \"random\" arg { name: \"shape\" ints: 2 } }\n"
    "op { type: \"Relu\" input: \"w\" output: \"not made\" }\n"
    "external_input: \"data\" external_output: \"w\"\n";

static double
value_of (C2gWorkspace *workspace,
          const char   *name,
          C2gDataType   data_type,
          gint64        index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;
  double value;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, data_type);
  value = c2g_tensor_get_value (tensor, index, &error);
  g_assert_no_error (error);
  return value;
}

static void
test_init_net (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = io_load_text (init_net, workspace, &error);
  g_autoptr (C2gBlob) random = NULL;
  g_autoptr (C2gBlob) strings = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "w d i l h b s as_int c ci cb zero random");
  io_assert_floats (workspace, "w", 3);
  g_assert_cmpfloat (value_of (workspace, "d", C2G_DATA_TYPE_DOUBLE, 0), ==, 1.5);
  g_assert_cmpfloat (value_of (workspace, "i", C2G_DATA_TYPE_INT32, 1), ==, 7);
  g_assert_cmpfloat (value_of (workspace, "h", C2G_DATA_TYPE_INT16, 0), ==, -3);
  g_assert_cmpfloat (value_of (workspace, "b", C2G_DATA_TYPE_BOOL, 1), ==, 1);
  g_assert_cmpfloat (value_of (workspace, "as_int", C2G_DATA_TYPE_INT32, 0), ==, 4);
  g_assert_cmpfloat (value_of (workspace, "c", C2G_DATA_TYPE_FLOAT, 3), ==, 0.5);
  g_assert_cmpfloat (value_of (workspace, "ci", C2G_DATA_TYPE_INT64, 1), ==, 5);
  g_assert_cmpfloat (value_of (workspace, "cb", C2G_DATA_TYPE_UINT8, 0), ==, 255);
  g_assert_cmpfloat (value_of (workspace, "zero", C2G_DATA_TYPE_FLOAT, 0), ==, 0);

  random = c2g_workspace_get_blob (workspace, "random", NULL);
  g_assert_true (c2g_blob_is_empty (random));
  strings = c2g_workspace_get_blob (workspace, "s", NULL);
  text = c2g_tensor_to_string (c2g_blob_get_tensor (strings, NULL), 2);
  g_assert_nonnull (strstr (text, "b\""));
}

static void
test_net_summary (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (init_net, sizeof init_net - 1);
  g_autoptr (C2gModelFile) model_file = c2g_model_file_new_from_bytes (bytes, "x", NULL);
  g_auto (GStrv) types = c2g_model_file_list_operator_types (model_file);
  g_auto (GStrv) inputs = c2g_model_file_list_external_inputs (model_file);
  g_auto (GStrv) outputs = c2g_model_file_list_external_outputs (model_file);

  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_NET_TEXT);
  g_assert_cmpstr (c2g_model_file_get_net_name (model_file), ==, "init");
  g_assert_cmpuint (c2g_model_file_get_n_operators (model_file, NULL), ==, 14);
  g_assert_cmpuint (c2g_model_file_get_n_operators (model_file, "ConstantFill"), ==, 4);
  g_assert_cmpuint (c2g_model_file_get_n_operators (model_file, "Conv"), ==, 0);
  g_assert_cmpuint (g_strv_length (types), ==, 10);
  g_assert_cmpstr (types[0], ==, "GivenTensorFill");
  g_assert_cmpstr (inputs[0], ==, "data");
  g_assert_cmpstr (outputs[0], ==, "w");
}

static void
test_bad_fills (void)
{
  static const struct
  {
    const char *op;
    C2gError    code;
    const char *message;
  } cases[] = {
    { "type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 3 }", C2G_ERROR_CORRUPT,
      "Blob “w”: Operator 1, GivenTensorFill: Expected 3 values of type float, got 0" },
    { "type: 'GivenTensorIntFill' output: 'w' arg { name: 'values' ints: 2147483648 }",
      C2G_ERROR_CORRUPT, "2147483648 is no value of type int32" },
    { "type: 'GivenTensorBoolFill' output: 'w' arg { name: 'values' ints: 2 }", C2G_ERROR_CORRUPT,
      "2 is no value of type bool" },
    { "type: 'GivenTensorFill' output: 'w' arg { name: 'dtype' i: 11 }", C2G_ERROR_CORRUPT,
      "No data type" },
    { "type: 'GivenTensorFill' output: 'w' arg { name: 'dtype' i: 12 }", C2G_ERROR_CORRUPT,
      "No data type" },
    { "type: 'GivenTensorFill' output: 'w' arg { name: 'dtype' i: 99 }", C2G_ERROR_CORRUPT,
      "No data type" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'shape' i: 3 }", C2G_ERROR_CORRUPT, "no list" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: -3 }", C2G_ERROR_SHAPE, "" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: [4294967296, 4294967296] }",
      C2G_ERROR_RANGE, "" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1099511627776 }", C2G_ERROR_RANGE,
      "4398046511104 bytes" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'value' s: 'x' }", C2G_ERROR_CORRUPT,
      "“value” is not of type float" },
    { "type: 'ConstantFill' output: 'w' arg { name: 'dtype' i: 7 } arg { name: 'value' i: 128 }",
      C2G_ERROR_CORRUPT, "128 is no value of type int8" },
    { "type: 'ConstantFill' output: ''", C2G_ERROR_CORRUPT, "name is empty" },
    { "type: 'Load' output: 'a' output: ''", C2G_ERROR_CORRUPT, "name is empty" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = NULL;
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].op);
      text = g_strdup_printf ("op { type: 'ConstantFill' output: 'first' } op { %s }", cases[i].op);
      g_assert_null (io_load_text (text, workspace, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_false (c2g_workspace_has_blob (workspace, "first"));
    }
}

/* c2g_file_entry_load_constant() returns one element of a constant, and NULL for other entries. */
static void
test_constant (void)
{
  static const char text[] =
    "op { type: 'ConstantFill' output: 'huge' arg { name: 'shape' ints: 1000000000 }"
    "  arg { name: 'value' f: 1.5 } }"
    "op { type: 'ConstantFill' output: 'none' arg { name: 'shape' ints: [3, 0] } }"
    "op { type: 'GivenTensorFill' output: 'given' arg { name: 'shape' ints: 1 }"
    "  arg { name: 'values' floats: 1 } }"
    "op { type: 'ConstantFill' output: 'wrong' arg { name: 'shape' ints: -3 } }";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = NULL;
  g_autoptr (C2gFileEntry) huge = NULL;
  g_autoptr (C2gFileEntry) none = NULL;
  g_autoptr (C2gFileEntry) given = NULL;
  g_autoptr (C2gFileEntry) wrong = NULL;
  g_autoptr (C2gTensor) value = NULL;
  g_autoptr (C2gTensor) nothing = NULL;

  model_file = c2g_model_file_new_from_bytes (bytes, "net.pbtxt", &error);
  g_assert_no_error (error);
  huge = c2g_model_file_lookup_entry (model_file, "huge");
  none = c2g_model_file_lookup_entry (model_file, "none");
  given = c2g_model_file_lookup_entry (model_file, "given");
  wrong = c2g_model_file_lookup_entry (model_file, "wrong");

  c2g_memory_reporter_reset_peak (reporter);
  g_assert_true (c2g_file_entry_is_constant (huge));
  g_assert_cmpuint (c2g_file_entry_get_n_load_bytes (huge), ==, 4000000000);
  value = c2g_file_entry_load_constant (huge, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (value), ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (value, 0, NULL), ==, 1.5);
  nothing = c2g_file_entry_load_constant (none, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (nothing), ==, 0);

  g_assert_false (c2g_file_entry_is_constant (given));
  g_assert_null (c2g_file_entry_load_constant (given, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (c2g_file_entry_load_constant (wrong, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);

  g_assert_false (c2g_model_file_verify (model_file, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), <, 1000);
}

/* If a blob is filled several times, the last fill counts. Existing blobs are replaced in place,
 * and declared ones do not change. */
static void
test_existing (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);
  g_autoptr (C2gBlob) declared = c2g_workspace_create_blob (workspace, "y", NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  c2g_blob_ensure_tensor (declared, NULL, NULL);
  names = io_load_text ("op { type: 'ConstantFill' output: 'x' arg { name: 'value' f: 1 } }"
                     "op { type: 'ConstantFill' output: 'x' arg { name: 'value' f: 2 } }"
                     "op { type: 'XavierFill' output: 'y' }",
                     workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 2);
  g_assert_true (c2g_blob_is_tensor (declared, NULL));
}

static void
test_damaged_text (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (init_net, sizeof init_net - 1);

  io_damage (bytes, io_check_damaged, NULL);
}

/* A binary net: { name: "n" op { output: "w" type: "GivenTensorFill" … } } */
static void
test_damaged_net (void)
{
  static const char net[] =
      "\x0a\x01n\x12\x3b\x12\x01w\x22\x0fGivenTensorFill"
      "\x2a\x0b\x0a\x05shape\x30\x01\x30\x02"
      "\x2a\x12\x0a\x06values\x2d\x00\x00\x80\x3f\x2d\x00\x00\x00\x40";
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_memdup2 (net, sizeof net - 1);
  g_auto (GStrv) names = NULL;

  /* The length of the operator. */
  copy[4] = sizeof net - 1 - 5;
  bytes = g_bytes_new (copy, sizeof net - 1);
  names = io_load_bytes (bytes, workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (value_of (workspace, "w", C2G_DATA_TYPE_FLOAT, 1), ==, 2);

  io_damage (bytes, io_check_damaged, NULL);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.pb", NULL);
  g_autofree char *only_path = g_build_filename (folder, "w.npz", NULL);
  g_autofree char *other_path = g_build_filename (folder, "w2.npz", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder_file = g_file_new_for_path (folder);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = io_new_floats (100000);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (GStrv) names = NULL;
  GError *error = NULL;

  g_assert_null (c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_null (c2g_workspace_load_checkpoint (workspace, folder_file, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (names[0], ==, "w");
  io_assert_floats (workspace, "w", 100000);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_workspace_load_checkpoint (workspace, file, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The folder has one file, whose name is not that of blobs. */
  g_assert_null (c2g_workspace_load_checkpoint (workspace, folder_file, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_assert_nonnull (strstr (error->message, "; its files are “w.pb”"));
  g_clear_error (&error);

  /* The only file with blobs stands for its folder; several are named. */
  g_clear_pointer (&names, g_strfreev);
  g_assert_cmpint (g_rename (path, only_path), ==, 0);
  names = c2g_workspace_load_checkpoint (workspace, folder_file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (names[0], ==, "w");
  g_assert_true (g_file_set_contents (other_path, "", 0, NULL));
  g_assert_null (c2g_workspace_load_checkpoint (workspace, folder_file, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“w.npz”, “w2.npz”: name one, as in "));
  g_clear_error (&error);

  g_unlink (only_path);
  g_unlink (other_path);
  g_file_delete (folder_file, NULL, NULL);
}

/* A minidb may be empty, also a file of 0 bytes; other kinds may not. */
static void
test_empty_files (void)
{
  static const char *const names[] = { "x.npz", "x.npy", "x.safetensors", "x.pb", "x" };
  g_autoptr (GBytes) bytes = g_bytes_new_static ("", 0);
  g_autoptr (C2gModelFile) minidb = NULL;
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *message = g_strdup_printf ("%s: The file is empty", names[i]);

      g_assert_null (c2g_model_file_new_from_bytes (bytes, names[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_cmpstr (error->message, ==, message);
      g_clear_error (&error);
    }

  minidb = c2g_model_file_new_from_bytes (bytes, "x.minidb", &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (minidb), ==, C2G_MODEL_FILE_KIND_MINIDB);
}

static void
test_open (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.pb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder_file = g_file_new_for_path (folder);
  g_autoptr (C2gBlob) blob = io_new_floats (10);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "w", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gModelFile) model_file = NULL;
  GError *error = NULL;

  g_assert_null (c2g_model_file_open (file, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  model_file = c2g_model_file_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_BLOB);
  g_assert_cmpstr (c2g_model_file_get_file_name (model_file), ==, path);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_model_file_open (file, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  g_file_delete (file, NULL, NULL);
  g_file_delete (folder_file, NULL, NULL);
}

/* A file of no known kind is refused. */
static void
test_unknown (void)
{
  static const char *const contents[] = {
    "MIT License\n",
    "{\"a\": 1}",
    "\n\001h",
    "\001",
  };
  g_autoptr (C2gModelFile) bare = g_object_new (C2G_TYPE_MODEL_FILE, NULL);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      g_assert_null (io_load_text (contents[i], workspace, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, g_ascii_isgraph (*contents[i]) ? "This is text" : "Neither"));
      g_clear_error (&error);
    }

  names = c2g_model_file_load (bare, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 0);
}

/* Files of other programs are named in the error. */
static void
test_foreign (void)
{
  static const struct
  {
    const char *content;
    gsize       n_bytes;
    const char *file_name;
    const char *word;
  } cases[] = {
    { "\x89PNG\r\n\x1a\n", 8, "x.pb", "a PNG image" },
    { "\x89HDF\r\n\x1a\n1234", 12, "x.pb", "an HDF5 file, as Keras" },
    { "GGUF\3\0\0\0", 8, "x.pb", "a GGUF file" },
    { "\x1c\0\0\0TFL3\0\0\0\0", 12, "x.pb", "TensorFlow Lite" },
    { "\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\2M", 18, "x.pb", "a file of PyTorch" },
    { "\x80\4}\x94.", 5, "x.pb", "a pickle of Python" },
    { "\0\0\0\0\x57\xfb\x80\x8b\x24\x75\x47\xdb", 12, "x.pb", "the index of a checkpoint of TensorFlow" },
    { "\10\10\22\2pt\72\3\22\1g\102\2\20\15", 15, "x.pb", "an ONNX model" },
    { "\10\10\72\3\22\1g\102\2\20\15", 11, "x.pb", "an ONNX model" },
    { "\10\1\22\4\n\2\n\0", 8, "x.pb", "a saved model of TensorFlow" },
    { "\n\6\n\1x\22\1A\n\3\n\1y\42\2\10\26", 17, "x.pb", "a graph of TensorFlow" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].content, cases[i].n_bytes);
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_model_file_new_from_bytes (bytes, cases[i].file_name, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_true (g_str_has_prefix (error->message, cases[i].file_name));
      g_assert_nonnull (strstr (error->message, cases[i].word));
      g_assert_null (c2g_model_file_new_from_bytes (bytes, cases[i].file_name, NULL));
    }
}

/* A file with only magic bytes is reported as that kind; one without them by its name. */
static void
test_damaged_marked (void)
{
  static const struct
  {
    const char *content;
    gsize       n_bytes;
    const char *file_name;
    gboolean    may_be_unsupported;
  } cases[] = {
    { "PK\3\4\x14", 5, "x.pb", TRUE },
    { "PK\5\6", 4, "x.caffemodel", TRUE },
    { "\0\0\0\0\0\0\0\0\0\0\10\0\0\0\0\0\xde\xc0\xef\xbe", 20, "x.pb", FALSE },
    { "\x93NUMPY\1\0\xff\xff{", 11, "x.pb", FALSE },
    { "\xff\0\0\0\0\0\0\0{", 9, "x.safetensors", FALSE },
    { "\4", 1, "x.safetensors", FALSE },
    { "\x93NUM", 4, "x.npy", FALSE },
    { "P", 1, "x.npz", TRUE },
    { "x", 1, "x.minidb", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].content, cases[i].n_bytes);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = NULL;

      g_test_message ("%s of %zu bytes", cases[i].file_name, cases[i].n_bytes);
      file = c2g_model_file_new_from_bytes (bytes, cases[i].file_name, &error);
      /* Up to three bytes after the last record are accepted in a minidb. */
      if (g_str_equal (cases[i].file_name, "x.minidb"))
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_null (file);
      if (!cases[i].may_be_unsupported || error->code != C2G_ERROR_NOT_SUPPORTED)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_true (g_str_has_prefix (error->message, cases[i].file_name));
    }
}

static void
test_folder (void)
{
  g_autofree char *path = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *data = g_build_filename (path, "data.mdb", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GError *error = NULL;

  g_assert_null (c2g_model_file_open (folder, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_clear_error (&error);

  /* A file that is named like an LMDB database but is not one. */
  g_assert_true (g_file_set_contents (data, "not a database", -1, NULL));
  g_assert_null (c2g_model_file_open (folder, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_clear_error (&error);
  g_assert_null (c2g_model_file_open (folder, NULL, NULL, NULL));

  g_assert_cmpint (g_unlink (data), ==, 0);
  g_assert_cmpint (g_mkdir (data, 0700), ==, 0);
  g_assert_null (c2g_model_file_open (folder, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  g_assert_cmpint (g_rmdir (data), ==, 0);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* The pipe has no writer: opening it must not wait. */
static void
test_special (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe.minidb", NULL);
  const char *const paths[] = { pipe, "/dev/zero", "/dev/null" };

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (paths[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
      g_assert_true (g_str_has_prefix (error->message, paths[i]));
    }

  g_assert_cmpint (g_unlink (pipe), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The entries of a net describe its blobs without making them. */
static void
test_net_entries (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (init_net, sizeof init_net - 1);
  g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (bytes, "x", NULL);
  g_autoptr (C2gFileEntry) ints = c2g_model_file_lookup_entry (file, "i");
  g_autoptr (C2gFileEntry) again = c2g_file_entry_ref (ints);
  g_autoptr (C2gFileEntry) random = c2g_model_file_lookup_entry (file, "random");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_model_file_load_blob (file, "i", NULL, &error);
  gsize n_dims;
  const gint64 *dims;

  g_assert_no_error (error);
  g_assert_true (again == ints);
  dims = c2g_file_entry_get_dims (ints, &n_dims);
  g_assert_cmpint (c2g_file_entry_get_data_type (ints), ==, C2G_DATA_TYPE_INT32);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpint (dims[1], ==, 2);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (ints), ==, 8);
  g_assert_cmpstr (c2g_file_entry_get_blob_type (ints), ==, "Tensor");
  g_assert_cmpstr (c2g_file_entry_get_blob_type (random), ==, "");
  g_assert_cmpfloat (c2g_tensor_get_value (c2g_blob_get_tensor (blob, NULL), 1, NULL), ==, 7);
  g_assert_null (c2g_model_file_lookup_entry (file, "not made"));
}

/* Errors contain the offset of an operator in a binary net. */
static void
test_operator_offset (void)
{
  static const char net[] = "\x0a\x01n\x12\x14\x12\x01w\x22\x0fGivenTensorFill"
                            "\x12\x14\x12\x01v\x22\x0fGivenTensorFill";
  g_autoptr (GBytes) bytes = g_bytes_new_static (net, sizeof net - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (bytes, "n.pb", &error);
  g_autoptr (C2gFileEntry) entry = NULL;

  g_assert_no_error (error);
  entry = c2g_model_file_lookup_entry (file, "v");
  g_assert_cmpuint (c2g_file_entry_get_offset (entry), ==, 25);
  g_assert_null (c2g_model_file_load_blob (file, "v", NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_true (g_str_has_prefix (error->message, "n.pb: Blob “v” at offset 25: Operator 1, "));
}

/* Only the entry of a single chunk has a range of elements. */
static void
test_segment (void)
{
  static const struct
  {
    gint64 begin;
    gint64 end;
  } cases[] = { { 5, 7 }, { 0, 2 }, { 4, 4 }, { 0, 7 } };
  g_autoptr (GBytes) net = g_bytes_new_static ("op { type: 'A' }\n", 17);
  g_autoptr (GByteArray) database = io_new_checkpoint ();
  g_autoptr (GBytes) checkpoint = g_bytes_new (database->data, database->len);
  GBytes *others[] = { net, checkpoint };
  gint64 begin, end;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_part = cases[i].end - cases[i].begin < 7;
      g_autoptr (GBytes) chunk = io_new_chunk ("x", 7, cases[i].begin, cases[i].end);
      g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (chunk, "x.pb", NULL);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
      g_autoptr (C2gBlob) blob = NULL;

      g_assert_no_error (error);
      g_assert_cmpint (c2g_model_file_get_segment (file, &begin, &end), ==, is_part);
      g_assert_cmpint (begin, ==, is_part ? cases[i].begin : 0);
      g_assert_cmpint (end, ==, is_part ? cases[i].end : 0);

      blob = c2g_workspace_get_blob (workspace, "x", NULL);
      for (gint64 j = 0; j < 7; j++)
        g_assert_cmpfloat (c2g_tensor_get_value (c2g_blob_get_tensor (blob, NULL), j, NULL), ==,
                           j >= cases[i].begin && j < cases[i].end ? j : 0);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (others[i], "x", NULL);

      begin = end = 1;
      g_assert_false (c2g_model_file_get_segment (file, &begin, &end));
      g_assert_cmpint (begin, ==, 0);
      g_assert_cmpint (end, ==, 0);
      g_assert_false (c2g_model_file_get_segment (file, NULL, NULL));
    }
}

/* A million elements share one string. */
static void
test_constant_string (void)
{
  const char *net = "op { type: 'ConstantFill' output: 'w' arg { name: 'dtype' i: 4 }"
                    "  arg { name: 'shape' ints: 3 } arg { name: 'value' s: 'abc' } }\n";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = io_load_text (net, workspace, &error);
  g_autoptr (C2gBlob) blob = NULL;
  GBytes *const *strings;

  g_assert_no_error (error);
  blob = c2g_workspace_get_blob (workspace, "w", &error);
  strings = c2g_tensor_data (c2g_blob_get_tensor (blob, &error), C2G_DATA_TYPE_STRING, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (strings[2], NULL), g_bytes_get_size (strings[2]), "abc", 3);
  g_assert_true (strings[0] == strings[2]);
}

/* Names that are not UTF-8 never get into strings of the API, including messages. */
static void
test_not_utf8 (void)
{
  g_autoptr (GBytes) net = g_bytes_new_static ("name: '\377x' op { type: 'A' }\n", 28);
  g_autoptr (GBytes) blob = g_bytes_new_static ("\n\1h\22\2\377T", 7);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = c2g_model_file_new_from_bytes (net, "n.pbtxt", &error);
  g_autoptr (C2gModelFile) blob_file = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (c2g_model_file_get_net_name (model_file), ==, "\357\277\275x");

  blob_file = c2g_model_file_new_from_bytes (blob, "b.pb", &error);
  g_assert_no_error (error);
  g_assert_null (c2g_model_file_load (blob_file, workspace, NULL, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/model-file/empty", test_empty);
  c2g_test_add_func ("/model-file/names", test_names);
  c2g_test_add_func ("/model-file/device", test_device);
  c2g_test_add_func ("/model-file/other-devices", test_other_devices);
  c2g_test_add_func ("/model-file/init-net", test_init_net);
  c2g_test_add_func ("/model-file/net-summary", test_net_summary);
  c2g_test_add_func ("/model-file/bad-fills", test_bad_fills);
  c2g_test_add_func ("/model-file/constant-string", test_constant_string);
  c2g_test_add_func ("/model-file/not-utf8", test_not_utf8);
  c2g_test_add_func ("/model-file/existing", test_existing);
  c2g_test_add_func ("/model-file/damaged-text", test_damaged_text);
  c2g_test_add_func ("/model-file/damaged-net", test_damaged_net);
  c2g_test_add_func ("/model-file/files", test_files);
  c2g_test_add_func ("/model-file/open", test_open);
  c2g_test_add_func ("/model-file/empty-files", test_empty_files);
  c2g_test_add_func ("/model-file/unknown", test_unknown);
  c2g_test_add_func ("/model-file/foreign", test_foreign);
  c2g_test_add_func ("/model-file/damaged-marked", test_damaged_marked);
  c2g_test_add_func ("/model-file/constant", test_constant);
  c2g_test_add_func ("/model-file/folder", test_folder);
  c2g_test_add_func ("/model-file/special", test_special);
  c2g_test_add_func ("/model-file/net-entries", test_net_entries);
  c2g_test_add_func ("/model-file/operator-offset", test_operator_offset);
  c2g_test_add_func ("/model-file/segment", test_segment);

  return c2g_test_run ();
}
