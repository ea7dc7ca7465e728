/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/core/memory/c2g-storage-private.h>

#include <string.h>

static void
count_destroyed (gpointer data)
{
  g_atomic_int_inc ((int *) data);
}

static C2gStorage *
new_storage (gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = c2g_storage_new (c2g_device_cpu (), n_bytes, NULL, &error);

  g_assert_no_error (error);

  return storage;
}

static void
test_new (void)
{
  g_autoptr (C2gStorage) storage = new_storage (100);
  g_autoptr (C2gStorage) empty = new_storage (0);
  gsize n_items = 9;

  g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 100);
  g_assert_true (c2g_storage_get_device (storage) == c2g_device_cpu ());
  g_assert_true (C2G_IS_CPU_ALLOCATOR (c2g_storage_get_allocator (storage)));
  g_assert_cmpuint (c2g_storage_get_address (storage) % 64, ==, 0);
  g_assert_null (c2g_storage_get_constructed_type (storage, &n_items));
  g_assert_cmpuint (n_items, ==, 0);
  g_assert_false (c2g_storage_is_read_only (storage));

  g_assert_cmpuint (c2g_storage_get_n_bytes (empty), ==, 0);
  g_assert_cmpuint (c2g_storage_get_address (empty), ==, 0);
}

static void
test_no_memory (void)
{
  g_autoptr (GError) error = NULL;
  static const gsize sizes[] = { G_MAXSIZE, G_MAXSIZE - 63, G_MAXSIZE / 2, (gsize) 1 << 60 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_assert_null (c2g_storage_new (c2g_device_cpu (), sizes[i], NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_clear_error (&error);
    }
}

static void
test_counts (void)
{
  g_autoptr (C2gStorage) storage = new_storage (16);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);
  g_assert_true (c2g_storage_is_unique (storage));

  mapping = c2g_storage_map (storage, C2G_MAP_READ_WRITE, NULL);
  bytes = c2g_mapping_ref_bytes (mapping, NULL);
  g_assert_cmpuint (c2g_storage_get_n_views (storage), ==, 2);
  g_assert_true (c2g_storage_is_unique (storage));

  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (4), storage, 0, NULL);
  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 2);
  g_assert_false (c2g_storage_is_unique (storage));
  g_assert_true (c2g_tensor_shares_data (tensor));

  g_clear_object (&tensor);
  g_clear_pointer (&mapping, c2g_mapping_unref);
  g_assert_cmpuint (c2g_storage_get_n_views (storage), ==, 1);
  g_clear_pointer (&bytes, g_bytes_unref);
  g_assert_cmpuint (c2g_storage_get_n_views (storage), ==, 0);
  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);
}

/* Creates a storage, puts it into a tensor, and takes it out again. */
static void
test_through_tensor (void)
{
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = new_storage (32);
  guint64 address = c2g_storage_get_address (storage);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 2), storage, 16, &error);
  g_autoptr (C2gStorage) out = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 16);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address + 16);
  c2g_storage_unref (storage);
  g_assert_false (c2g_tensor_shares_data (tensor));

  out = c2g_storage_ref (c2g_tensor_get_storage (tensor));
  g_assert_true (c2g_tensor_shares_data (tensor));
  c2g_tensor_free_memory (tensor);
  g_assert_cmpuint (c2g_storage_get_address (out), ==, address);
  g_assert_cmpuint (c2g_storage_use_count (out), ==, 1);
}

static const struct
{
  C2gDataType data_type;
  gint64      n;
  gsize       offset;
  C2gError    code;
} bad_tensors[] = {
  { C2G_DATA_TYPE_FLOAT, 9, 0, C2G_ERROR_RANGE },
  { C2G_DATA_TYPE_FLOAT, 8, 4, C2G_ERROR_RANGE },
  { C2G_DATA_TYPE_FLOAT, 0, 33, C2G_ERROR_RANGE },
  { C2G_DATA_TYPE_FLOAT, 1, G_MAXSIZE, C2G_ERROR_RANGE },
  { C2G_DATA_TYPE_FLOAT, -1, 0, C2G_ERROR_SHAPE },
  { C2G_DATA_TYPE_DOUBLE, G_MAXINT64, 0, C2G_ERROR_RANGE },
  { C2G_DATA_TYPE_FLOAT, 1, 2, C2G_ERROR_INVALID_ARGUMENT },
  { C2G_DATA_TYPE_FLOAT, 0, 2, C2G_ERROR_INVALID_ARGUMENT },
  { C2G_DATA_TYPE_STRING, 1, 0, C2G_ERROR_TYPE },
  { C2G_DATA_TYPE_UNDEFINED, 1, 0, C2G_ERROR_TYPE },
};

static void
test_bad_tensors (void)
{
  g_autoptr (C2gStorage) storage = new_storage (32);

  for (gsize i = 0; i < G_N_ELEMENTS (bad_tensors); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor =
        c2g_tensor_new_from_storage (bad_tensors[i].data_type, C2G_TEST_DIMS (bad_tensors[i].n),
                                     storage, bad_tensors[i].offset, &error);

      g_assert_null (tensor);
      g_assert_error (error, C2G_ERROR, (int) bad_tensors[i].code);
    }
  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);
}

static void
test_constructed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) strings = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
  g_autoptr (C2gTensor) others = NULL;
  GBytes *const *read;
  GBytes **written;
  C2gStorage *storage;
  gsize n_items;

  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  storage = c2g_tensor_get_storage (strings);
  g_assert_true (c2g_storage_get_constructed_type (storage, &n_items) ==
                 c2g_tensor_get_type_meta (strings));
  g_assert_cmpuint (n_items, ==, 3);

  g_assert_null (c2g_storage_map (storage, C2G_MAP_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_storage (C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (3), storage, 0,
                                              &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  others = c2g_tensor_new_from_storage (C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (2), storage, 8, &error);
  g_assert_no_error (error);
  written = c2g_tensor_mutable_data (others, C2G_DATA_TYPE_STRING, &error);
  written[0] = g_bytes_new_static ("two", 3);
  read = c2g_tensor_data (strings, C2G_DATA_TYPE_STRING, &error);
  g_assert_true (read[1] == written[0]);
}

static void
test_from_bytes (void)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_bytes_new ("0123456789abcdef", 16);
  gconstpointer data = g_bytes_get_data (bytes, NULL);
  C2gStorage *storage = c2g_storage_new_from_bytes (bytes);
  C2gMapping *mapping;

  g_bytes_unref (bytes);
  g_assert_true (c2g_storage_is_read_only (storage));
  g_assert_null (c2g_storage_get_allocator (storage));
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, (guintptr) data);
  g_assert_null (c2g_storage_map (storage, C2G_MAP_WRITE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY);
  g_clear_error (&error);

  mapping = c2g_storage_map (storage, C2G_MAP_READ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_mapping_get_n_bytes (mapping), ==, 16);
  c2g_storage_unref (storage);
  c2g_mapping_unref (mapping);
}

static void
test_external (void)
{
  char memory[64];
  int n_destroyed = 0;
  C2gStorage *storage =
    c2g_storage_new_external (c2g_device_cpu (), memory, sizeof memory, FALSE, count_destroyed,
                              &n_destroyed);
  C2gMapping *mapping = c2g_storage_map (storage, C2G_MAP_WRITE, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("written", 7);

  g_assert_true (c2g_mapping_write (mapping, 8, bytes, NULL));
  g_assert_cmpmem (memory + 8, 7, "written", 7);
  c2g_storage_unref (storage);
  g_assert_cmpint (n_destroyed, ==, 0);
  c2g_mapping_unref (mapping);
  g_assert_cmpint (n_destroyed, ==, 1);
}

/* Repeats Caffe2's UniqueStorageShareExternalPointer, with the error for a shared storage. */
static void
test_share_external (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gStorage) storage = new_storage (16);
  g_autoptr (C2gMapping) mapping = c2g_storage_map (storage, C2G_MAP_READ, NULL);
  char memory[8] = { 0 };
  int n_destroyed = 0;

  g_assert_false (c2g_storage_share_external (storage, memory, 8, count_destroyed, &n_destroyed,
                                              &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_cmpint (n_destroyed, ==, 0);

  c2g_mapping_unmap (mapping);
  g_assert_true (c2g_storage_share_external (storage, memory, 8, count_destroyed, &n_destroyed,
                                             &error));
  g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 8);
  g_assert_true (c2g_storage_reset (storage, &error));
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_cmpuint (c2g_storage_get_address (storage), ==, 0);
  g_assert_no_error (error);
}

static void
test_reset (void)
{
  g_autoptr (GError) error = NULL;
  guint64 n_bytes = c2g_test_ledger_bytes ();
  g_autoptr (C2gStorage) storage = new_storage (64);
  C2gTensor *tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_INT8, C2G_TEST_DIMS (64), storage, 0, NULL);

  g_assert_false (c2g_storage_reset (storage, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 64);
  g_clear_error (&error);
  g_object_unref (tensor);

  g_assert_true (c2g_storage_reset (storage, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
  g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 0);
  g_assert_null (c2g_storage_get_allocator (storage));
}

static void
use_again (gpointer data)
{
  C2gStorage *storage = data;
  g_autoptr (C2gMapping) mapping = c2g_storage_map (storage, C2G_MAP_READ, NULL);

  g_assert_cmpuint (c2g_storage_get_n_bytes (storage), ==, 0);
  g_assert_true (mapping != NULL);
  g_assert_false (c2g_storage_reset (storage, NULL));
  c2g_mapping_unmap (mapping);
  g_assert_true (c2g_storage_reset (storage, NULL));
}

/* The destroy function is called after the storage was reset completely. */
static void
test_reset_in_destroy (void)
{
  g_autoptr (C2gStorage) storage = new_storage (16);
  char memory[8] = { 0 };

  g_assert_true (c2g_storage_share_external (storage, memory, 8, use_again, storage, NULL));
  g_assert_true (c2g_storage_reset (storage, NULL));
  g_assert_cmpuint (c2g_storage_get_n_views (storage), ==, 0);
  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);
}

/* Storages over each other's bytes are freed one after the other, not one within the other. */
static void
test_chain (void)
{
  static const float numbers[] = { 1, 2 };
  const guint n_rounds = c2g_test_count_rounds (400000);
  g_autoptr (GBytes) first = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), first, &error);

  for (guint i = 0; i < n_rounds; i++)
    {
      g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, &error);

      g_assert_no_error (error);
      g_object_unref (tensor);
      tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2), bytes, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 1);
}

static void
test_frozen (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 3, NULL);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gStorage) storage = c2g_storage_ref (c2g_tensor_get_storage (tensor));
  g_autoptr (C2gMapping) mapping = NULL;

  g_assert_null (c2g_storage_map (storage, C2G_MAP_READ_WRITE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  mapping = c2g_storage_map (storage, C2G_MAP_READ, &error);
  g_assert_no_error (error);
}

/* A watch ends when somebody gets the block for writing, and never says that the block is held. */
static void
test_watch (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 3, NULL);
  C2gStorage *storage = c2g_tensor_get_storage (tensor);
  gpointer address = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  const guint first = c2g_storage_watch (storage);
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_cmpuint (first, !=, 0);
  g_assert_cmpuint (c2g_storage_watch (storage), ==, first);
  bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_assert_true (g_bytes_get_data (bytes, NULL) == address);
  g_clear_pointer (&bytes, g_bytes_unref);
  g_assert_nonnull (c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_cmpuint (storage->watch, ==, first);

  g_assert_true (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL) == address);
  g_assert_cmpuint (storage->watch, ==, 0);
  g_assert_cmpuint (c2g_storage_watch (storage), >, first);
  mapping = c2g_storage_map (storage, C2G_MAP_WRITE, NULL);
  g_assert_cmpuint (storage->watch, ==, 0);
  g_assert_cmpuint (c2g_storage_watch (storage), ==, 0);
  c2g_mapping_unmap (mapping);
  g_assert_cmpuint (c2g_storage_watch (storage), !=, 0);
  g_assert_true (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL) == address);
}

static void
test_record_use (void)
{
  g_autoptr (C2gStorage) storage = new_storage (64);
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  c2g_storage_record_use (storage, context);
  g_assert_cmpuint (c2g_storage_use_count (storage), ==, 1);
}

static gpointer
ref_thread (gpointer data)
{
  for (int i = 0; i < 20000; i++)
    {
      C2gMapping *mapping;

      c2g_storage_ref (data);
      mapping = c2g_storage_map (data, C2G_MAP_READ, NULL);
      c2g_storage_unref (data);
      c2g_mapping_unref (mapping);
    }
  c2g_storage_unref (data);

  return NULL;
}

static void
test_threads (void)
{
  C2gStorage *storage = new_storage (64);
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("ref", ref_thread, c2g_storage_ref (storage));
  c2g_storage_unref (storage);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
}

/* Either a mapping may write, or the memory is sealed: never both. */
static gpointer
map_thread (gpointer data)
{
  C2gTensor *tensor = data;
  C2gStorage *storage = c2g_tensor_get_storage (tensor);
  g_autoptr (C2gMapping) mapping = c2g_storage_map (storage, C2G_MAP_WRITE, NULL);

  if (mapping != NULL)
    g_assert_false (c2g_storage_is_read_only (storage));
  return NULL;
}

static void
test_seal_threads (void)
{
  for (guint i = c2g_test_count_rounds (200); i > 0; i--)
    {
      g_autoptr (C2gStorage) storage = new_storage (64);
      g_autoptr (C2gTensor) tensor =
        c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (64), storage, 0, NULL);
      GThread *thread = g_thread_new ("map", map_thread, tensor);
      gboolean is_sealed = c2g_tensor_seal (tensor, NULL);

      g_assert_cmpint (c2g_tensor_is_sealed (tensor), ==, is_sealed);
      g_thread_join (thread);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/storage/new", test_new);
  c2g_test_add_func ("/storage/no-memory", test_no_memory);
  c2g_test_add_func ("/storage/counts", test_counts);
  c2g_test_add_func ("/storage/through-tensor", test_through_tensor);
  c2g_test_add_func ("/storage/bad-tensors", test_bad_tensors);
  c2g_test_add_func ("/storage/constructed", test_constructed);
  c2g_test_add_func ("/storage/from-bytes", test_from_bytes);
  c2g_test_add_func ("/storage/external", test_external);
  c2g_test_add_func ("/storage/share-external", test_share_external);
  c2g_test_add_func ("/storage/reset", test_reset);
  c2g_test_add_func ("/storage/reset-in-destroy", test_reset_in_destroy);
  c2g_test_add_func ("/storage/chain", test_chain);
  c2g_test_add_func ("/storage/frozen", test_frozen);
  c2g_test_add_func ("/storage/watch", test_watch);
  c2g_test_add_func ("/storage/record-use", test_record_use);
  c2g_test_add_func ("/storage/threads", test_threads);
  c2g_test_add_func ("/storage/seal-threads", test_seal_threads);

  return c2g_test_run ();
}
