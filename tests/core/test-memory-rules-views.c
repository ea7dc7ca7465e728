/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "counted.h"
#include "floats.h"

#include <string.h>

/* The memory rules 7 to 9 in memory.md: foreign memory, copies, and views. */

/* Rule 7: external memory */

static void
count_destroyed (gpointer data)
{
  g_atomic_int_inc ((int *) data);
}

static void
test_external (void)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = new_sized (4);
  C2gTensor *other = new_sized (4);
  float memory[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  int n_destroyed = 0;

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, count_destroyed,
                                            &n_destroyed, &error));
  g_assert_true (c2g_tensor_data (tensor, FLOAT, &error) == memory);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 32);
  resize (tensor, 8);
  g_assert_true (floats_of (tensor) == memory);
  assert_floats (tensor, 8, 0);

  resize (other, 8);
  g_assert_true (c2g_tensor_share_data (other, tensor, &error));
  resize (tensor, 9);
  g_assert_cmpint (n_destroyed, ==, 0);
  g_assert_finalize_object (tensor);
  g_assert_cmpint (n_destroyed, ==, 0);
  g_assert_finalize_object (other);
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_no_error (error);
}

/* The owner of foreign memory constructs and destroys its elements; the tensor does so only for its
 * own copies. */
static void
test_external_meta (void)
{
  g_autoptr (GError) error = NULL;
  C2gTypeMeta *meta = counted_meta ();
  C2gTensor *tensor = new_sized (2);
  gint64 memory[6];
  int n_destroyed = 0;

  memset (memory, 5, sizeof memory);
  g_assert_false (c2g_tensor_share_external_meta (tensor, meta, memory, 31, count_destroyed,
                                                  &n_destroyed, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_share_external_meta (tensor, meta, memory, sizeof memory,
                                                 count_destroyed, &n_destroyed, &error));
  g_assert_true (c2g_tensor_get_type_meta (tensor) == meta);
  g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 48);
  resize (tensor, 3);
  g_assert_true (c2g_tensor_raw_mutable_data (tensor, meta, &error) == memory);
  g_assert_cmpint (n_alive, ==, 0);

  g_assert_true (c2g_tensor_extend (tensor, 1, 0, NULL, &error));
  g_assert_cmpint (n_alive, ==, 4);
  g_assert_cmpint (n_destroyed, ==, 1);
  g_assert_cmpmem (c2g_tensor_raw_data (tensor, &error), 48, memory, 48);
  g_assert_no_error (error);

  g_assert_finalize_object (tensor);
  g_assert_cmpint (n_alive, ==, 0);
  g_assert_cmpint (n_destroyed, ==, 1);
}

static void
test_external_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  float memory[4];
  int n_destroyed = 0;

  g_assert_false (c2g_tensor_share_external (tensor, FLOAT, memory, 15, count_destroyed, &n_destroyed,
                                             &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_external (empty, FLOAT, memory, 16, count_destroyed, &n_destroyed,
                                             &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  resize (tensor, 1);
  g_assert_false (c2g_tensor_share_external (tensor, FLOAT, (char *) memory + 1, 8, count_destroyed,
                                             &n_destroyed, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (n_destroyed, ==, 0);
  assert_floats (tensor, 1, 0);
}

static void
test_read_only (void)
{
  static const float constants[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static (constants, sizeof constants);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) slice = NULL;
  Watch watch;

  tensor = c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (8), bytes, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_data (tensor, FLOAT, NULL) == constants);
  g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
  slice = c2g_tensor_slice (tensor, 2, 4, &error);
  watch_tensor (tensor, &watch);

  floats_of (slice)[0] = 50;
  g_assert_cmpfloat (c2g_tensor_get_value (slice, 1, NULL), ==, 3);
  assert_floats (tensor, 8, 0);

  floats_of (tensor)[0] = 60;
  assert_watched (&watch, 1, 32, 32);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 7, NULL), ==, 7);
  g_assert_cmpfloat (constants[0], ==, 0);

  g_assert_true (c2g_tensor_share_bytes (tensor, FLOAT, bytes, &error));
  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, &error));
  g_assert_false (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
  g_assert_no_error (error);
}

/* Sealed memory is read-only for everyone who holds it. A tensor that writes moves to another
 * block. */
static void
test_seal (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (8);
  g_autoptr (C2gTensor) sharer = new_sized (8);
  g_autoptr (C2gTensor) slice = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  guint64 address = c2g_tensor_get_address (tensor);

  g_assert_true (c2g_tensor_share_data (sharer, tensor, &error));
  slice = c2g_tensor_slice (tensor, 2, 4, &error);
  g_assert_false (c2g_tensor_is_sealed (tensor));
  g_assert_true (c2g_tensor_seal (slice, &error));
  g_assert_true (c2g_tensor_seal (slice, &error));
  g_assert_no_error (error);

  g_assert_true (c2g_tensor_is_sealed (tensor) && c2g_tensor_is_sealed (sharer));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
  g_assert_null (c2g_storage_map (c2g_tensor_get_storage (tensor), C2G_MAP_WRITE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY);
  g_clear_error (&error);

  floats_of (sharer)[3] = 50;
  g_assert_false (c2g_tensor_is_sealed (sharer));
  mapping = c2g_tensor_map (slice, C2G_MAP_READ_WRITE, &error);
  g_assert_no_error (error);
  g_assert_false (c2g_tensor_is_sealed (slice));
  assert_floats (tensor, 8, 0);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
}

/* Memory cannot be sealed while somebody may still write to it. */
static void
test_seal_busy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (8);
  g_autoptr (C2gMapping) reader = c2g_tensor_map (tensor, C2G_MAP_READ, &error);
  C2gMapping *writer = c2g_tensor_map (tensor, C2G_MAP_WRITE, &error);
  GBytes *bytes = c2g_mapping_ref_bytes (writer, &error);

  g_assert_no_error (error);
  c2g_mapping_unmap (writer);
  g_assert_false (c2g_tensor_seal (tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_is_sealed (tensor));

  g_bytes_unref (bytes);
  g_assert_true (c2g_tensor_seal (tensor, &error));
  g_assert_no_error (error);
  c2g_mapping_unref (writer);
}

/* The owner of foreign memory may write to it at any time, so data that must not change is
 * copied. */
static void
test_seal_foreign (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_sized (2);
  g_autoptr (C2gTensor) sharer = new_sized (2);
  g_autoptr (GBytes) bytes = NULL;
  float memory[] = { 1, 2 };
  int n_destroyed = 0;

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, count_destroyed,
                                            &n_destroyed, &error));
  bytes = c2g_tensor_ref_bytes (tensor, &error);
  memory[0] = 3;
  g_assert_cmpfloat (*(const float *) g_bytes_get_data (bytes, NULL), ==, 1);
  g_assert_true (c2g_tensor_data (tensor, FLOAT, &error) == memory);

  g_assert_true (c2g_tensor_share_data (sharer, tensor, &error));
  g_assert_true (c2g_tensor_seal (tensor, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor) && !c2g_tensor_is_sealed (sharer));
  memory[0] = 4;
  g_assert_cmpfloat (((const float *) c2g_tensor_data (tensor, FLOAT, NULL))[0], ==, 3);
  g_assert_true (c2g_tensor_data (sharer, FLOAT, &error) == memory);

  g_assert_cmpint (n_destroyed, ==, 0);
  g_assert_true (c2g_tensor_seal (sharer, &error));
  g_assert_cmpint (n_destroyed, ==, 1);
}

/* A tensor must not take over pointers that their owner will free. */
static void
test_seal_foreign_strings (void)
{
  g_autoptr (C2gTensor) tensor = new_sized (1);
  g_autoptr (GError) error = NULL;
  GBytes *memory[] = { g_bytes_new_static ("mine", 4) };

  g_assert_true (c2g_tensor_share_external (tensor, C2G_DATA_TYPE_STRING, memory, sizeof memory, NULL,
                                            NULL, &error));
  g_assert_true (c2g_tensor_seal (tensor, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (memory[0]), ==, 4);
  g_bytes_unref (memory[0]);
}

static void
test_seal_nothing (void)
{
  g_autoptr (GError) error = NULL;
  static const float one = 1;
  g_autoptr (GBytes) bytes = g_bytes_new_static (&one, sizeof one);
  g_autoptr (C2gTensor) none = c2g_tensor_new ();
  g_autoptr (C2gTensor) empty = new_floats (0);
  g_autoptr (C2gTensor) constant = NULL;

  g_assert_false (c2g_tensor_seal (none, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_seal (empty, &error));
  g_assert_false (c2g_tensor_is_sealed (empty));

  constant = c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (1), bytes, &error);
  g_assert_true (c2g_tensor_is_sealed (constant));
  g_assert_true (c2g_tensor_seal (constant, &error));
  g_assert_no_error (error);
}

static void
test_bytes_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789abcdef", 16);
  g_autoptr (GBytes) odd = g_bytes_new_from_bytes (bytes, 1, 8);
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_null (c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (5), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UNDEFINED, C2G_TEST_DIMS (2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_null (c2g_tensor_new_from_bytes (FLOAT, C2G_TEST_DIMS (-2), bytes, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);

  /* Bytes that are not aligned are copied. */
  tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (1), odd, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_tensor_get_address (tensor) % 8, ==, 0);
  g_assert_cmpmem (c2g_tensor_raw_data (tensor, NULL), 8, "12345678", 8);
}

/* Empty bytes may have any address. */
static void
test_no_bytes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123456789abcdef", 16);

  for (gsize offset = 0; offset < 16; offset++)
    {
      g_autoptr (GBytes) none = g_bytes_new_from_bytes (bytes, offset, 0);
      g_autoptr (C2gTensor) empty =
        c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT64, C2G_TEST_DIMS (0, 3), none, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (c2g_tensor_get_address (empty), ==, 0);
      g_assert_cmpuint (c2g_tensor_get_capacity (empty), ==, 0);
      g_assert_null (c2g_tensor_mutable_data (empty, C2G_DATA_TYPE_INT64, &error));
      g_assert_no_error (error);
    }
}

static gpointer
unref_thread (gpointer data)
{
  g_object_unref (data);
  return NULL;
}

static void
test_external_other_thread (void)
{
  int n_destroyed = 0;
  float memory[2] = { 0, 1 };
  C2gTensor *tensor = new_sized (2);

  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, memory, sizeof memory, count_destroyed,
                                            &n_destroyed, NULL));
  g_thread_join (g_thread_new ("unref", unref_thread, tensor));
  g_assert_cmpint (n_destroyed, ==, 1);
}

/* Rule 8: copies */

static void
test_copy (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (6);
  g_autoptr (C2gTensor) copy = c2g_tensor_new ();
  g_autoptr (C2gTensor) lazy = new_sized (3);
  guint64 address;

  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  assert_floats (copy, 6, 0);
  address = c2g_tensor_get_address (copy);
  g_assert_cmpuint (address, !=, c2g_tensor_get_address (source));
  resize (source, 3);
  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_address (copy), ==, address);
  g_assert_cmpint (c2g_tensor_get_n_elements (copy), ==, 3);
  g_assert_true (c2g_tensor_copy_from (copy, copy, NULL, &error));
  assert_floats (copy, 3, 0);
  g_assert_no_error (error);

  g_assert_false (c2g_tensor_copy_from (copy, lazy, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  assert_floats (copy, 3, 0);
}

/* Caffe2 checked the capacity for the old type, and wrote 32 bytes into 16. */
static void
test_copy_larger_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_sized (4);
  g_autoptr (C2gTensor) copy = new_floats (4);

  g_assert_true (c2g_tensor_allocate (source, C2G_DATA_TYPE_DOUBLE, &error));
  for (int i = 0; i < 4; i++)
    g_assert_true (c2g_tensor_set_value (source, i, i + 0.5, &error));
  g_assert_true (c2g_tensor_copy_from (copy, source, NULL, &error));
  g_assert_cmpuint (c2g_tensor_get_capacity (copy), ==, 32);
  g_assert_cmpfloat (c2g_tensor_get_value (copy, 3, &error), ==, 3.5);
  g_assert_no_error (error);
}

static void
test_copy_overlapping (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (8);
  g_autoptr (C2gTensor) low = c2g_tensor_slice (tensor, 0, 6, NULL);
  g_autoptr (C2gTensor) high = c2g_tensor_slice (tensor, 2, 8, NULL);

  g_assert_true (c2g_tensor_copy_from (high, low, NULL, NULL));
  assert_floats (high, 6, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, 1);
  g_assert_true (c2g_tensor_copy_from (low, high, NULL, NULL));
  assert_floats (low, 6, 0);
}

static void
test_clone (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (6);
  g_autoptr (C2gTensor) clone = c2g_tensor_clone (source, NULL, &error);
  g_autoptr (C2gTensor) same_place = c2g_tensor_to_device (source, c2g_device_cpu (), &error);
  g_autoptr (C2gTensor) lazy = new_sized (6);
  g_autoptr (C2gTensor) lazy_clone = c2g_tensor_clone (lazy, NULL, &error);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) empty_clone = c2g_tensor_clone (empty, NULL, &error);

  g_assert_no_error (error);
  assert_floats (clone, 6, 0);
  assert_floats (same_place, 6, 0);
  g_assert_false (c2g_tensor_shares_data (clone));
  g_assert_cmpuint (c2g_tensor_get_address (same_place), !=, c2g_tensor_get_address (source));
  g_assert_cmpint (c2g_tensor_get_n_elements (lazy_clone), ==, 6);
  g_assert_false (c2g_tensor_is_allocated (lazy_clone));
  g_assert_false (c2g_tensor_is_defined (empty_clone));
}

static void
test_absent_device (void)
{
  g_autoptr (GError) error = NULL;
  C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1000, NULL);
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) absent = c2g_tensor_new_for_device (device);

  g_assert_null (c2g_tensor_to_device (tensor, device, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  resize (absent, 6);
  g_assert_false (c2g_tensor_allocate (absent, FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_share_data (absent, tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

/* Rule 9: views never lock, they pin */

static const Leave replaces[] = { leave_by_growing, leave_by_type, leave_by_freeing };

static void
test_mapping_pins (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (replaces); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = new_floats (6);
      g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, &error);
      guint64 address = c2g_tensor_get_address (tensor);
      const float *data;
      gsize n_bytes;

      g_assert_no_error (error);
      floats_of (tensor)[0] = 70;
      data = (const float *) (gconstpointer) c2g_mapping_get_data (mapping, &n_bytes);
      g_assert_cmpfloat (data[0], ==, 70);

      replaces[i] (tensor);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
      g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, address);
      g_assert_cmpuint (n_bytes, ==, 24);
      g_assert_cmpfloat (data[0], ==, 70);
      g_assert_cmpfloat (data[5], ==, 5);
    }
}

static void
test_mapping_outlives_tensor (void)
{
  C2gTensor *tensor = new_floats (6);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  const float *data;
  gsize n_bytes;

  g_assert_finalize_object (tensor);
  data = (const float *) (gconstpointer) c2g_mapping_get_data (mapping, &n_bytes);
  g_assert_cmpfloat (data[5], ==, 5);
}

static void
test_ref_bytes_is_immutable (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, &error);
  g_autoptr (GBytes) again = c2g_tensor_ref_bytes (tensor, &error);
  const float *frozen = g_bytes_get_data (bytes, NULL);
  Watch watch;

  g_assert_no_error (error);
  g_assert_cmpuint ((guintptr) frozen, ==, address);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (again, NULL), ==, address);
  g_assert_false (c2g_tensor_shares_data (tensor));

  watch_tensor (tensor, &watch);
  floats_of (tensor)[0] = 80;
  assert_watched (&watch, 1, 24, 24);
  g_assert_cmpfloat (frozen[0], ==, 0);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 5, NULL), ==, 5);

  floats_of (tensor)[1] = 81;
  assert_watched (&watch, 1, 24, 24);
}

static void
test_ref_bytes_released (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  GBytes *bytes = c2g_tensor_ref_bytes (tensor, NULL);

  g_bytes_unref (bytes);
  floats_of (tensor)[0] = 80;
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
}

static void
test_ref_bytes_thaw (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (6);
  guint64 address = c2g_tensor_get_address (tensor);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (C2gTensor) other = new_sized (6);

  mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  g_assert_cmpuint (c2g_mapping_get_address (mapping), ==, c2g_tensor_get_address (tensor));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);

  /* While the tensor is mapped, ref_bytes() returns a copy. */
  copy = c2g_tensor_ref_bytes (tensor, NULL);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (copy, NULL), !=, c2g_tensor_get_address (tensor));
  g_clear_pointer (&mapping, c2g_mapping_unref);

  g_clear_pointer (&copy, g_bytes_unref);
  copy = c2g_tensor_ref_bytes (tensor, NULL);
  address = c2g_tensor_get_address (tensor);
  g_assert_cmpuint ((guintptr) g_bytes_get_data (copy, NULL), ==, address);
  g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
  g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, address);
  g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, c2g_tensor_get_address (other));
  floats_of (other)[0] = 90;
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 90);
  g_assert_cmpfloat (((const float *) g_bytes_get_data (copy, NULL))[0], ==, 0);
}

#define RULE(number, name, func) c2g_test_add_func ("/memory-rules/" #number "/" name, func)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  RULE (7, "tensor-share-data-raw-pointer", test_external);
  RULE (7, "tensor-share-data-raw-pointer-with-meta", test_external_meta);
  RULE (7, "external-errors", test_external_errors);
  RULE (7, "read-only", test_read_only);
  RULE (7, "seal", test_seal);
  RULE (7, "seal-busy", test_seal_busy);
  RULE (7, "seal-foreign", test_seal_foreign);
  RULE (7, "seal-foreign-strings", test_seal_foreign_strings);
  RULE (7, "seal-nothing", test_seal_nothing);
  RULE (7, "bytes-errors", test_bytes_errors);
  RULE (7, "no-bytes", test_no_bytes);
  RULE (7, "other-thread", test_external_other_thread);
  RULE (8, "copy", test_copy);
  RULE (8, "copy-larger-type", test_copy_larger_type);
  RULE (8, "copy-overlapping", test_copy_overlapping);
  RULE (8, "clone", test_clone);
  RULE (8, "absent-device", test_absent_device);
  RULE (9, "mapping-pins", test_mapping_pins);
  RULE (9, "mapping-outlives-tensor", test_mapping_outlives_tensor);
  RULE (9, "ref-bytes-is-immutable", test_ref_bytes_is_immutable);
  RULE (9, "ref-bytes-released", test_ref_bytes_released);
  RULE (9, "ref-bytes-thaw", test_ref_bytes_thaw);

  return c2g_test_run ();
}
