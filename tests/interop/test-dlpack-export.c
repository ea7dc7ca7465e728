/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "dlpack-utils.h"

/* Tensors that go out by DLPack. */

static void
test_export (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (2, 1, 3));
  g_autoptr (GError) error = NULL;

  for (C2gDlpackFlags flags = 0; flags <= C2G_DLPACK_VERSIONED; flags++)
    {
      guint64 managed = c2g_tensor_to_dlpack (tensor, flags, NULL, 0, &error);
      const C2gDlTensor *exported;
      guint64 dl_flags;

      g_assert_no_error (error);
      exported = get_exported (managed, flags, &dl_flags);
      g_assert_cmpuint (dl_flags, ==, 0);
      g_assert_cmpuint (address_of (exported->data), ==, c2g_tensor_get_address (tensor));
      g_assert_cmpint (exported->device.type, ==, C2G_DL_DEVICE_CPU);
      g_assert_cmpint (exported->n_dims, ==, 3);
      g_assert_cmpint (exported->shape[2], ==, 3);
      g_assert_cmpint (exported->strides[0], ==, 3);
      g_assert_cmpint (exported->strides[1], ==, 3);
      g_assert_cmpint (exported->strides[2], ==, 1);
      g_assert_cmpuint (exported->byte_offset, ==, 0);
      g_assert_cmpuint (exported->type.bits, ==, 32);
      g_assert_cmpuint (exported->type.lanes, ==, 1);
      c2g_dlpack_release (managed, flags);
    }
}

/* The memory stays, and is written through, whatever becomes of the tensor. */
static void
test_export_pins (void)
{
  C2gTensor *tensor = new_floats (C2G_TEST_DIMS (4));
  g_autoptr (GError) error = NULL;
  guint64 managed = c2g_tensor_to_dlpack (tensor, 0, NULL, -1, &error);
  const C2gDlTensor *exported;
  guint64 dl_flags;

  g_assert_no_error (error);
  exported = get_exported (managed, 0, &dl_flags);
  g_assert_cmpuint (c2g_storage_get_n_views (c2g_tensor_get_storage (tensor)), ==, 1);
  g_assert_false (c2g_tensor_shares_data (tensor));

  ((float *) exported->data)[1] = 42;
  g_assert_cmpfloat (floats_of (tensor)[1], ==, 42);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1000), &error));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (address_of (exported->data), !=, c2g_tensor_get_address (tensor));
  g_assert_cmpfloat (((float *) exported->data)[1], ==, 42);

  g_object_unref (tensor);
  g_assert_cmpfloat (((float *) exported->data)[3], ==, 3);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 16);
  c2g_dlpack_release (managed, 0);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
}

static void
test_export_shapes (void)
{
  static const struct
  {
    gint64 dims[3];
    gsize  n_dims;
  } cases[] = {
    { { 0 }, 0 },
    { { 0 }, 1 },
    { { 0, G_MAXINT64, G_MAXINT64 }, 3 },
    { { 1, 1, 1 }, 3 },
    { { 7, 5, 3 }, 3 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor =
        c2g_tensor_new_sized (cases[i].dims, cases[i].n_dims, NULL, &error);
      g_autoptr (C2gTensor) back = NULL;
      gsize n_dims;
      guint64 managed;

      if (tensor == NULL)
        continue;
      g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT16, &error));
      managed = c2g_tensor_to_dlpack (tensor, C2G_DLPACK_VERSIONED, NULL, 0, &error);
      g_assert_no_error (error);

      back = c2g_tensor_new_from_dlpack (managed, C2G_DLPACK_VERSIONED, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_data_type (back), ==, C2G_DATA_TYPE_INT16);
      g_assert_cmpuint (c2g_tensor_get_address (back), ==, c2g_tensor_get_address (tensor));
      g_assert_cmpmem (c2g_tensor_get_dims (back, &n_dims), n_dims * sizeof (gint64),
                       cases[i].dims, cases[i].n_dims * sizeof (gint64));
    }
}

static void
test_types (void)
{
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_FLOAT,
    C2G_DATA_TYPE_DOUBLE,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_BFLOAT16,
    C2G_DATA_TYPE_BOOL,
    C2G_DATA_TYPE_INT8,
    C2G_DATA_TYPE_INT16,
    C2G_DATA_TYPE_INT32,
    C2G_DATA_TYPE_INT64,
    C2G_DATA_TYPE_UINT8,
    C2G_DATA_TYPE_UINT16,
    C2G_DATA_TYPE_UINT32,
    C2G_DATA_TYPE_UINT64,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
      g_autoptr (C2gTensor) back = NULL;
      g_autoptr (GError) error = NULL;
      guint64 managed, dl_flags;

      g_assert_true (c2g_tensor_allocate (tensor, types[i], &error));
      managed = c2g_tensor_to_dlpack (tensor, 0, NULL, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (get_exported (managed, 0, &dl_flags)->type.bits, ==,
                        8 * c2g_data_type_get_item_size (types[i]));

      back = c2g_tensor_new_from_dlpack (managed, C2G_DLPACK_NO_COPY, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_data_type (back), ==, types[i]);
    }
}

static void
test_export_errors (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (C2gTensor) strings = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  g_autoptr (C2gTensor) floats = new_floats (C2G_TEST_DIMS (2));
  const struct
  {
    C2gTensor      *tensor;
    C2gDlpackFlags  flags;
    gint64          stream;
    C2gError        code;
    const char     *message;
  } cases[] = {
    { tensor, 0, 0, C2G_ERROR_SHAPE, "shape" },
    { strings, 0, 0, C2G_ERROR_TYPE, "“string”" },
    { floats, 0, 1, C2G_ERROR_INVALID_ARGUMENT, "got 1" },
    { floats, 0, -2, C2G_ERROR_INVALID_ARGUMENT, "got -2" },
    { floats, C2G_DLPACK_COPY | C2G_DLPACK_NO_COPY, 0, C2G_ERROR_INVALID_ARGUMENT, "exclude" },
  };
  C2gDevice *cuda = c2g_device_parse ("cuda:3", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpuint (c2g_tensor_to_dlpack (cases[i].tensor, cases[i].flags, NULL,
                                              cases[i].stream, &error),
                        ==, 0);
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_clear_error (&error);
    }

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2), NULL));
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, 0, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);

  g_assert_cmpuint (c2g_tensor_to_dlpack (floats, C2G_DLPACK_NO_COPY, cuda, 0, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "cuda:3"));
}

static void
test_export_copy (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (3));
  g_autoptr (GError) error = NULL;
  C2gDlpackFlags flags = C2G_DLPACK_VERSIONED | C2G_DLPACK_COPY;
  guint64 managed = c2g_tensor_to_dlpack (tensor, flags, c2g_device_cpu (), 0, &error);
  const C2gDlTensor *exported;
  guint64 dl_flags;

  g_assert_no_error (error);
  exported = get_exported (managed, flags, &dl_flags);
  g_assert_cmpuint (dl_flags, ==, C2G_DL_FLAG_IS_COPIED);
  g_assert_cmpuint (address_of (exported->data), !=, c2g_tensor_get_address (tensor));
  g_assert_cmpfloat (((float *) exported->data)[2], ==, 2);
  c2g_dlpack_release (managed, flags);
}

static void
test_export_read_only (void)
{
  static const float numbers[] = { 1, 2 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), bytes, &error);
  const C2gDlTensor *exported;
  guint64 managed, dl_flags;

  g_assert_no_error (error);
  managed = c2g_tensor_to_dlpack (tensor, C2G_DLPACK_VERSIONED, NULL, 0, &error);
  g_assert_no_error (error);
  exported = get_exported (managed, C2G_DLPACK_VERSIONED, &dl_flags);
  g_assert_cmpuint (dl_flags, ==, C2G_DL_FLAG_READ_ONLY);
  g_assert_true (exported->data == numbers);
  c2g_dlpack_release (managed, C2G_DLPACK_VERSIONED);

  /* A consumer of the old DLPack, which has no flag for read-only memory, gets a copy or an error. */
  managed = c2g_tensor_to_dlpack (tensor, 0, NULL, 0, &error);
  g_assert_no_error (error);
  exported = get_exported (managed, 0, &dl_flags);
  g_assert_true (exported->data != numbers);
  g_assert_cmpfloat (((float *) exported->data)[1], ==, 2);
  c2g_dlpack_release (managed, 0);
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, C2G_DLPACK_NO_COPY, NULL, 0, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY);
}

/* Bytes that were promised not to change do not. */
static void
test_export_frozen (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (2));
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (GError) error = NULL;
  guint64 managed = c2g_tensor_to_dlpack (tensor, 0, NULL, 0, &error);
  const C2gDlTensor *exported;
  guint64 dl_flags;

  g_assert_no_error (error);
  exported = get_exported (managed, 0, &dl_flags);
  ((float *) exported->data)[1] = 42;
  g_assert_cmpfloat (floats_of (tensor)[1], ==, 42);
  g_assert_cmpfloat (((const float *) g_bytes_get_data (bytes, NULL))[1], ==, 1);
  c2g_dlpack_release (managed, 0);
}

static void
resize_meanwhile (C2gTensor *tensor)
{
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (100, 100), NULL));
}

static void
test_export_changed (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (2));
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (GError) error = NULL;

  g_signal_connect (tensor, "reallocated", G_CALLBACK (resize_meanwhile), NULL);
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, 0, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
}

static gpointer
release_exports (gpointer data)
{
  guint64 *exports = data;

  for (int i = 0; i < 1000; i++)
    c2g_dlpack_release (exports[i], C2G_DLPACK_VERSIONED);

  return NULL;
}

static void
test_export_threads (void)
{
  static guint64 exports[8][1000];
  GThread *threads[8];
  C2gTensor *tensor = new_floats (C2G_TEST_DIMS (5));

  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 1000; j++)
      exports[i][j] = c2g_tensor_to_dlpack (tensor, C2G_DLPACK_VERSIONED, NULL, 0, NULL);
  g_object_unref (tensor);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 20);

  for (int i = 0; i < 8; i++)
    threads[i] = g_thread_new ("release", release_exports, exports[i]);
  for (int i = 0; i < 8; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/dlpack/export/fields", test_export);
  c2g_test_add_func ("/dlpack/export/pins", test_export_pins);
  c2g_test_add_func ("/dlpack/export/shapes", test_export_shapes);
  c2g_test_add_func ("/dlpack/export/errors", test_export_errors);
  c2g_test_add_func ("/dlpack/export/copy", test_export_copy);
  c2g_test_add_func ("/dlpack/export/read-only", test_export_read_only);
  c2g_test_add_func ("/dlpack/export/frozen", test_export_frozen);
  c2g_test_add_func ("/dlpack/export/changed", test_export_changed);
  c2g_test_add_func ("/dlpack/export/threads", test_export_threads);
  c2g_test_add_func ("/dlpack/types", test_types);

  return c2g_test_run ();
}
