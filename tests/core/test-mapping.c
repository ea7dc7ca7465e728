/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <string.h>

static C2gTensor *
new_tensor (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789abcdef", 16);
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (16), NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL));
  g_assert_true (c2g_tensor_set_bytes (tensor, bytes, NULL));

  return tensor;
}

static void
test_read (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  const guint8 *data;
  gsize n_bytes;

  data = c2g_mapping_get_data (mapping, &n_bytes);
  g_assert_cmpmem (data, n_bytes, "0123456789abcdef", 16);
  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 16);
  g_assert_cmpuint (c2g_mapping_get_flags (mapping), ==, C2G_MAP_READ);
  g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, c2g_tensor_get_address (tensor));
}

static void
test_write (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("xyz", 3);
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  g_autoptr (GBytes) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_mapping_write (mapping, 0, bytes, &error));
  g_assert_true (c2g_mapping_write (mapping, 13, bytes, &error));
  g_assert_true (c2g_mapping_write (mapping, 16, nothing, &error));
  g_assert_no_error (error);

  g_assert_false (c2g_mapping_write (mapping, 14, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_mapping_write (mapping, G_MAXSIZE, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);

  result = c2g_tensor_dup_bytes (tensor, NULL);
  g_assert_cmpmem (g_bytes_get_data (result, NULL), 16, "xyz3456789abcxyz", 16);
}

static void
test_write_read_only (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("xyz", 3);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_mapping_write (mapping, 0, bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY);
}

static void
test_unmap (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, NULL);
  g_autoptr (GBytes) live = c2g_mapping_ref_bytes (mapping, NULL);
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 9;

  c2g_mapping_unmap (mapping);
  c2g_mapping_unmap (mapping);
  g_assert_null (c2g_mapping_get_data (mapping, &n_bytes));
  g_assert_cmpuint (n_bytes, ==, 0);
  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 0);
  g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, 0);
  g_assert_null (c2g_mapping_ref_bytes (mapping, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (c2g_mapping_write (mapping, 0, live, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);

  /* The bytes outlive the mapping, and show later writes. */
  g_assert_true (c2g_tensor_set_value (tensor, 0, 'Z', NULL));
  g_assert_cmpmem (g_bytes_get_data (live, NULL), 4, "Z123", 4);
}

/* A mapping counts as one view with any number of references, and ends with the last one. */
static void
test_ref (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  C2gMapping *mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  guint64 n_listed = c2g_test_ledger_bytes ();
  gconstpointer data;
  gsize n_bytes;

  g_assert_true (c2g_mapping_ref (mapping) == mapping);
  c2g_tensor_free_memory (tensor);
  c2g_mapping_unref (mapping);
  data = c2g_mapping_get_data (mapping, &n_bytes);
  g_assert_cmpmem (data, n_bytes, "0123456789abcdef", 16);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_listed);

  c2g_mapping_unref (mapping);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_listed - 16);
}

static void
test_partial (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (C2gTensor) slice = c2g_tensor_slice (tensor, 10, 12, NULL);
  g_autoptr (C2gTensor) nothing = c2g_tensor_slice (tensor, 3, 3, NULL);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (slice, C2G_MAP_READ, NULL);
  g_autoptr (C2gMapping) empty = c2g_tensor_map (nothing, C2G_MAP_READ_WRITE, NULL);
  const guint8 *data;
  gsize n_bytes;

  data = c2g_mapping_get_data (mapping, &n_bytes);
  g_assert_cmpmem (data, n_bytes, "ab", 2);
  g_assert_null (c2g_mapping_get_data (empty, &n_bytes));
  g_assert_cmpuint (n_bytes, ==, 0);
}

static void
test_unallocated_zero_size (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (0), NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, &error);
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 0);
  bytes = c2g_mapping_ref_bytes (mapping, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 0);
}

static void
test_no_flags (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor ();
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_tensor_map (tensor, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/mapping/read", test_read);
  c2g_test_add_func ("/mapping/write", test_write);
  c2g_test_add_func ("/mapping/no-flags", test_no_flags);
  c2g_test_add_func ("/mapping/write-read-only", test_write_read_only);
  c2g_test_add_func ("/mapping/unmap", test_unmap);
  c2g_test_add_func ("/mapping/ref", test_ref);
  c2g_test_add_func ("/mapping/partial", test_partial);
  c2g_test_add_func ("/mapping/unallocated-zero-size", test_unallocated_zero_size);

  return c2g_test_run ();
}
