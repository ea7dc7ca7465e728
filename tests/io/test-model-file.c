/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/io-utils.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

static C2gModelFile *
open_bytes (GByteArray  *array,
            const char  *file_name,
            GError     **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (array->data, array->len);

  return c2g_model_file_new_from_bytes (bytes, file_name, error);
}

static char **
load_bytes (GBytes        *bytes,
            C2gWorkspace  *workspace,
            GError       **error)
{
  g_autoptr (C2gModelFile) model_file = c2g_model_file_new_from_bytes (bytes, "test-file", error);

  return model_file == NULL ? NULL : c2g_model_file_load (model_file, workspace, error);
}

static char **
load_text (const char    *text,
           C2gWorkspace  *workspace,
           GError       **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return load_bytes (bytes, workspace, error);
}

static GBytes *
new_string (const char *name,
            const char *content)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_set_string (g_value_init (&value, G_TYPE_STRING), content);
  c2g_blob_set_value (blob, &value);
  return c2g_blob_serialize (blob, name, NULL);
}

static void
assert_floats (C2gWorkspace *workspace,
               const char   *name,
               gint64        n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);
  C2gTensor *tensor;

  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, n);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, i);
}

/* A small checkpoint: a tensor in chunks, out of order and with others between. */
static GByteArray *
new_checkpoint (void)
{
  GByteArray *database = g_byte_array_new ();

  io_put_record (database, "big#%2", io_new_chunk ("big", 10, 8, 10));
  io_put_record (database, "note", new_string ("note", "text"));
  io_put_record (database, "big#%0", io_new_chunk ("big", 10, 0, 4));
  io_put_record (database, "one#%0", io_new_chunk ("one", 3, 0, 3));
  io_put_record (database, "none#%0", io_new_chunk ("none", 0, 0, 0));
  io_put_record (database, "big#%1", io_new_chunk ("another name", 10, 4, 8));
  return database;
}

static void
test_checkpoint (void)
{
  g_autoptr (GByteArray) database = new_checkpoint ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = open_bytes (database, "x", &error);
  g_auto (GStrv) names = NULL;
  g_autofree char *joined = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_MINIDB);
  names = c2g_model_file_load (model_file, workspace, &error);
  g_assert_no_error (error);

  /* A tensor's place is where it became complete. */
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "note one none big");
  assert_floats (workspace, "big", 10);
  assert_floats (workspace, "one", 3);
  assert_floats (workspace, "none", 0);
}

typedef struct
{
  const char *key;
  gint64      n;
  gint64      begin;
  gint64      end;
} Record;

static void
test_chunks (void)
{
  static const struct
  {
    const char *name;
    Record      records[4];
    const char *message;
  } cases[] = {
    { "whole", { { "x#%0", 4, 0, 4 } }, NULL },
    { "without a number", { { "x", 4, 0, 4 } }, NULL },
    { "cut at the first mark", { { "x#%0#%1", 4, 0, 4 } }, NULL },
    { "wrong numbers", { { "x#%7", 4, 0, 2 }, { "x#%7", 4, 2, 4 } }, NULL },
    { "empty chunk between",
      { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 2, 2 }, { "x#%2", 4, 2, 4 } },
      NULL },
    { "missing", { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 2, 3 } }, "1 of 4 elements are missing" },
    { "twice", { { "x#%0", 4, 0, 4 }, { "x#%1", 4, 0, 4 } }, "second blob" },
    { "surplus", { { "x#%0", 4, 0, 4 }, { "x#%1", 4, 3, 4 } }, "second blob" },
    { "too many", { { "x#%0", 4, 0, 3 }, { "x#%1", 4, 2, 4 } }, "More chunks" },
    { "overlap", { { "x#%0", 4, 0, 2 }, { "x#%1", 4, 1, 3 } }, "overlap at element 1" },
    { "the same twice", { { "x#%0", 4, 0, 2 }, { "x#%0", 4, 0, 2 } }, "overlap at element 0" },
    { "other dimensions", { { "x#%0", 4, 0, 2 }, { "x#%1", 5, 2, 4 } }, "differ" },
    { "segment too long", { { "x#%0", 4, 0, 5 } }, "Elements 0 to 5" },
    { "no name", { { "#%0", 4, 0, 4 } }, "name is empty" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) database = g_byte_array_new ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      g_test_message ("%s", cases[i].name);
      for (const Record *record = cases[i].records; record->key != NULL; record++)
        io_put_record (database, record->key,
                       io_new_chunk ("x", record->n, record->begin, record->end));
      bytes = g_bytes_new (database->data, database->len);

      names = load_bytes (bytes, workspace, &error);
      if (cases[i].message == NULL)
        {
          g_assert_no_error (error);
          assert_floats (workspace, "x", 4);
        }
      else
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
          g_assert_nonnull (strstr (error->message, "test-file: "));
          g_assert_nonnull (strstr (error->message, cases[i].message));
          g_assert_false (c2g_workspace_has_blob (workspace, "x"));
        }
    }
}

static void
test_trailing (void)
{
  for (guint n = 0; n < 12; n++)
    {
      g_autoptr (GByteArray) database = new_checkpoint ();
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      g_byte_array_append (database, (const guint8 *) "\1\0\0\0\1\0\0\0\0\0\0\0", n);
      bytes = g_bytes_new (database->data, database->len);
      names = load_bytes (bytes, workspace, &error);
      g_assert_cmpint (names != NULL, ==, n <= 3);
      if (n > 3)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* Nothing but the name says what an empty file is. */
static void
test_empty (void)
{
  g_autoptr (GByteArray) nothing = g_byte_array_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gModelFile) model_file = open_bytes (nothing, "empty.minidb", &error);
  g_auto (GStrv) names = NULL;

  g_assert_no_error (error);
  names = c2g_model_file_load (model_file, workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 0);

  g_assert_null (open_bytes (nothing, "empty.pb", &error));
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
      g_auto (GStrv) names = load_bytes (bytes, workspace, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, cases[i].expected);
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
  g_auto (GStrv) names = load_text (init_net, workspace, &error);
  g_autoptr (C2gBlob) random = NULL;
  g_autoptr (C2gBlob) strings = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "w d i l h b s as_int c ci cb zero random");
  assert_floats (workspace, "w", 3);
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
      "Operator 1, GivenTensorFill: Blob 'w': Expected 3 values of type float, got 0" },
    { "type: 'GivenTensorIntFill' output: 'w' arg { name: 'values' ints: 2147483648 }",
      C2G_ERROR_CORRUPT, "2147483648 is no value of type int32" },
    { "type: 'GivenTensorBoolFill' output: 'w' arg { name: 'values' ints: 2 }", C2G_ERROR_CORRUPT,
      "2 is no value of type bool" },
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
      "'value' is not of type float" },
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
      g_assert_null (load_text (text, workspace, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_false (c2g_workspace_has_blob (workspace, "first"));
    }
}

/* The last of several fills of a blob counts; what is there already is replaced in
 * place, and a blob that is only declared stays as it is. */
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
  names = load_text ("op { type: 'ConstantFill' output: 'x' arg { name: 'value' f: 1 } }"
                     "op { type: 'ConstantFill' output: 'x' arg { name: 'value' f: 2 } }"
                     "op { type: 'XavierFill' output: 'y' }",
                     workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 2);
  g_assert_true (c2g_blob_is_tensor (declared, NULL));
}

/* Memory that ends at any point: an error, and nothing half loaded. */
static void
test_no_memory (void)
{
  g_autoptr (GByteArray) database = new_checkpoint ();
  g_autoptr (GBytes) bytes = g_bytes_new (database->data, database->len);
  g_autoptr (C2gAllocator) usual = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  guint n_failures = 0;

  for (guint64 max_bytes = 0; max_bytes < 80; max_bytes += 4)
    {
      g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (usual, max_bytes);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;
      g_auto (GStrv) blobs = NULL;

      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
      names = load_bytes (bytes, workspace, &error);
      g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
      blobs = c2g_workspace_list_blobs (workspace);

      g_assert_cmpuint (g_strv_length (blobs), ==, names == NULL ? 0 : 4);
      if (names == NULL)
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
          n_failures++;
        }
    }

  g_assert_cmpuint (n_failures, ==, (10 + 3) * sizeof (float) / 4);
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) kept = c2g_workspace_create_blob (workspace, "kept", NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  names = load_bytes (damaged, workspace, &error);
  g_assert_cmpint (names == NULL, ==, error != NULL);
  if (names == NULL)
    {
      g_auto (GStrv) left = c2g_workspace_list_blobs (workspace);

      g_assert_cmpuint (g_strv_length (left), ==, 1);
    }
}

static void
test_damaged_checkpoint (void)
{
  g_autoptr (GByteArray) database = new_checkpoint ();
  g_autoptr (GBytes) bytes = g_bytes_new (database->data, database->len);

  io_damage (bytes, check_damaged, NULL);
}

static void
test_damaged_text (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (init_net, sizeof init_net - 1);

  io_damage (bytes, check_damaged, NULL);
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

  /* The length of the operator, whatever it is. */
  copy[4] = sizeof net - 1 - 5;
  bytes = g_bytes_new (copy, sizeof net - 1);
  names = load_bytes (bytes, workspace, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (value_of (workspace, "w", C2G_DATA_TYPE_FLOAT, 1), ==, 2);

  io_damage (bytes, check_damaged, NULL);
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "w.pb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder_file = g_file_new_for_path (folder);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = io_new_floats (100000);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (GStrv) names = NULL;
  GError *error = NULL;

  g_assert_null (c2g_workspace_load_file (workspace, file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_null (c2g_workspace_load_file (workspace, folder_file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  names = c2g_workspace_load_file (workspace, file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (names[0], ==, "w");
  assert_floats (workspace, "w", 100000);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_workspace_load_file (workspace, file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  g_file_delete (file, NULL, NULL);
  g_file_delete (folder_file, NULL, NULL);
}

/* What looks like none of the kinds, and what a bare constructor makes. */
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

  g_assert_null (c2g_model_file_open (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  model_file = c2g_model_file_open (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_model_file_get_kind (model_file), ==, C2G_MODEL_FILE_KIND_BLOB);
  g_assert_cmpstr (c2g_model_file_get_file_name (model_file), ==, path);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_model_file_open (file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  g_file_delete (file, NULL, NULL);
  g_file_delete (folder_file, NULL, NULL);
}

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
  GError *error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      g_assert_null (load_text (contents[i], workspace, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, "Neither"));
      g_clear_error (&error);
    }

  g_assert_null (c2g_model_file_load (bare, workspace, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);
}

/* Files of others are named; a model of Caffe by its ending, where nothing else fits. */
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
    { "PK\3\4\x14", 5, "x.pb", "a ZIP archive" },
    { "PK\5\6", 4, "x.caffemodel", "a ZIP archive" },
    { "\0\0\0\0\0\0\0\0\0\0\10\0\0\0\0\0\xde\xc0\xef\xbe", 20, "x.pb", "an LMDB database" },
    { "\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0\0\xbe\xef\xc0\xde", 20, "x.pb", "an LMDB database" },
    { "\n\1n\xa2\6\3\n\1l", 9, "x.caffemodel", "a model of Caffe," },
    { "\n\1n\x12\4\x28\1\x22\0", 9, "x.caffemodel", "a model of Caffe," },
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

static void
test_lmdb_folder (void)
{
  g_autofree char *path = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *data = g_build_filename (path, "data.mdb", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GError *error = NULL;

  g_assert_null (c2g_model_file_open (folder, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (data, "", 0, NULL));
  g_assert_null (c2g_model_file_open (folder, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, "LMDB"));
  g_clear_error (&error);
  g_assert_null (c2g_model_file_open (folder, NULL, NULL));

  g_assert_cmpint (g_unlink (data), ==, 0);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* A chunk alone tells which elements it has; whole tensors and what is none, nothing. */
static void
test_segment (void)
{
  static const struct
  {
    gint64 begin;
    gint64 end;
  } cases[] = { { 5, 7 }, { 0, 2 }, { 4, 4 }, { 0, 7 } };
  g_autoptr (GBytes) net = g_bytes_new_static ("op { type: 'A' }\n", 17);
  g_autoptr (GBytes) damaged = g_bytes_new_static ("\n\1h\22\6Tensor\32\1", 13);
  GBytes *others[] = { net, damaged };
  gint64 begin, end;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_part = cases[i].end - cases[i].begin < 7;
      g_autoptr (GBytes) chunk = io_new_chunk ("x", 7, cases[i].begin, cases[i].end);
      g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (chunk, "x.pb", NULL);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = c2g_model_file_load (file, workspace, &error);
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

/* A tensor that was saved on another device is refused alone, and comes to the CPU
 * from a checkpoint, whose reader says where it wants it. */
static void
test_device (void)
{
  static const char message[] = "\x0a\x01x\x12\x06Tensor\x1a\x0e\x08\x01\x10\x01"
                                "\x1a\x04\0\0\0\0\x42\x02\x08\x01";
  g_autoptr (GBytes) bytes = g_bytes_new_static (message, sizeof message - 1);
  g_autoptr (GByteArray) database = g_byte_array_new ();
  g_autoptr (GBytes) database_bytes = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_auto (GStrv) names = NULL;
  GError *error = NULL;

  g_assert_null (load_bytes (bytes, workspace, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);

  io_put_record (database, "x#%0", g_bytes_ref (bytes));
  database_bytes = g_bytes_new (database->data, database->len);
  names = load_bytes (database_bytes, workspace, &error);
  g_assert_no_error (error);
  assert_floats (workspace, "x", 1);
}

/* A million elements refer to one string. */
static void
test_constant_string (void)
{
  const char *net = "op { type: 'ConstantFill' output: 'w' arg { name: 'dtype' i: 4 }"
                    "  arg { name: 'shape' ints: 3 } arg { name: 'value' s: 'abc' } }\n";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = load_text (net, workspace, &error);
  g_autoptr (C2gBlob) blob = NULL;
  GBytes *const *strings;

  g_assert_no_error (error);
  blob = c2g_workspace_get_blob (workspace, "w", &error);
  strings = c2g_tensor_data (c2g_blob_get_tensor (blob, &error), C2G_DATA_TYPE_STRING, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (strings[2], NULL), g_bytes_get_size (strings[2]), "abc", 3);
  g_assert_true (strings[0] == strings[2]);
}

/* Names that are no UTF-8 get in no string of the API, messages included. */
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
  g_assert_null (c2g_model_file_load (blob_file, workspace, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/model-file/checkpoint", test_checkpoint);
  c2g_test_add_func ("/model-file/chunks", test_chunks);
  c2g_test_add_func ("/model-file/trailing", test_trailing);
  c2g_test_add_func ("/model-file/empty", test_empty);
  c2g_test_add_func ("/model-file/names", test_names);
  c2g_test_add_func ("/model-file/init-net", test_init_net);
  c2g_test_add_func ("/model-file/net-summary", test_net_summary);
  c2g_test_add_func ("/model-file/bad-fills", test_bad_fills);
  c2g_test_add_func ("/model-file/constant-string", test_constant_string);
  c2g_test_add_func ("/model-file/not-utf8", test_not_utf8);
  c2g_test_add_func ("/model-file/existing", test_existing);
  c2g_test_add_func ("/model-file/no-memory", test_no_memory);
  c2g_test_add_func ("/model-file/damaged-checkpoint", test_damaged_checkpoint);
  c2g_test_add_func ("/model-file/damaged-text", test_damaged_text);
  c2g_test_add_func ("/model-file/damaged-net", test_damaged_net);
  c2g_test_add_func ("/model-file/files", test_files);
  c2g_test_add_func ("/model-file/open", test_open);
  c2g_test_add_func ("/model-file/unknown", test_unknown);
  c2g_test_add_func ("/model-file/foreign", test_foreign);
  c2g_test_add_func ("/model-file/lmdb-folder", test_lmdb_folder);
  c2g_test_add_func ("/model-file/segment", test_segment);
  c2g_test_add_func ("/model-file/device", test_device);

  return c2g_test_run ();
}
