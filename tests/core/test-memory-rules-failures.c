/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "floats.h"

#include <string.h>

/* The memory rules in memory.md from rule 10 on: failed calls, the ledger, zero fill, alignment, and the end
 * of the memory. */

/* Rule 10: a failed call changes nothing; sizes are tested in test-tensor.c */

typedef gboolean (*Fallible) (C2gTensor  *tensor,
                              GError    **error);

static gboolean
fail_allocating (C2gTensor  *tensor,
                 GError    **error)
{
  return c2g_tensor_allocate (tensor, C2G_DATA_TYPE_DOUBLE, error);
}

static gboolean
fail_extending (C2gTensor  *tensor,
                GError    **error)
{
  return c2g_tensor_extend (tensor, 3, 0, NULL, error);
}

static gboolean
fail_reserving (C2gTensor  *tensor,
                GError    **error)
{
  return c2g_tensor_reserve (tensor, C2G_TEST_DIMS (100), error);
}

static gboolean
fail_trimming (C2gTensor  *tensor,
               GError    **error)
{
  return c2g_tensor_trim (tensor, error);
}

static gboolean
fail_copying (C2gTensor  *tensor,
              GError    **error)
{
  static const char constants[256];
  g_autoptr (GBytes) bytes = g_bytes_new_static (constants, sizeof constants);
  g_autoptr (C2gTensor) source = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_INT8, C2G_TEST_DIMS (256),
                                                            bytes, NULL);

  return c2g_tensor_copy_from (tensor, source, NULL, error);
}

static gboolean
fail_cloning (C2gTensor  *tensor,
              GError    **error)
{
  g_autoptr (C2gTensor) clone = c2g_tensor_clone (tensor, NULL, error);

  return clone != NULL;
}

static gboolean
fail_writing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);

  return c2g_tensor_set_value (tensor, 0, 1, error);
}

static gboolean
fail_mapping_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, error);

  return mapping != NULL;
}

static gboolean
fail_slicing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gTensor) slice = c2g_tensor_slice (tensor, 0, 1, error);

  return slice != NULL;
}

static gboolean
fail_sharing_frozen (C2gTensor  *tensor,
                     GError    **error)
{
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);
  g_autoptr (C2gTensor) other = new_sized (6);

  return c2g_tensor_share_data (other, tensor, error);
}

static const Fallible fallibles[] = {
  fail_allocating,
  fail_extending,
  fail_reserving,
  fail_trimming,
  fail_copying,
  fail_cloning,
  fail_writing_frozen,
  fail_mapping_frozen,
  fail_slicing_frozen,
  fail_sharing_frozen,
};

static void
test_no_memory_changes_nothing (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (cpu, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (fallibles); i++)
    {
      g_autoptr (C2gAllocator) none = c2g_limiting_allocator_new (upstream, 0);
      g_autoptr (C2gTensor) tensor = new_floats (8);
      g_autoptr (GError) error = NULL;
      guint64 address = c2g_tensor_get_address (tensor);
      Watch watch;

      resize (tensor, 6);
      watch_tensor (tensor, &watch);
      g_assert_true (c2g_allocator_set_default (cpu, none, NULL));
      g_assert_false (fallibles[i] (tensor, &error));
      g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));

      g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
      g_assert_cmpuint (watch.n_reallocated, ==, 0);
      g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, address);
      g_assert_cmpuint (c2g_tensor_get_capacity (tensor), ==, 32);
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
      assert_floats (tensor, 6, 0);
    }
}

/* Rule 11: the ledger */

static void
test_ledger (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint64 n_bytes = c2g_test_ledger_bytes ();
  guint64 n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);
  g_autoptr (C2gTensor) tensor = new_floats (25);
  g_autoptr (C2gTensor) other = new_sized (25);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);

  g_assert_true (c2g_tensor_share_data (other, tensor, NULL));
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes + 100);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, n_blocks + 1);

  c2g_tensor_free_memory (tensor);
  c2g_tensor_free_memory (other);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes + 100);
  c2g_mapping_unmap (mapping);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
}

/* Rule 12: zero fill and alignment */

static void
test_zero_fill (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  c2g_settings_set_zero_fill (settings, TRUE);
  for (int round = 0; round < 20; round++)
    {
      g_autoptr (C2gTensor) tensor = new_sized (1000);
      float *data = floats_of (tensor);

      g_assert_cmpuint ((guintptr) data % 64, ==, 0);
      for (int i = 0; i < 1000; i++)
        g_assert_cmpfloat (data[i], ==, 0);
      memset (data, 0xff, 4000);
    }
  c2g_settings_set_zero_fill (settings, FALSE);
}

/* The property of a single allocator; the global setting is off. */
static void
test_zero_fill_allocator (void)
{
  g_autoptr (C2gAllocator) allocator = c2g_cpu_allocator_new ();
  C2gCpuAllocator *cpu_allocator = C2G_CPU_ALLOCATOR (allocator);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_cpu_allocator_get_zero_fill (cpu_allocator));
  c2g_cpu_allocator_set_zero_fill (cpu_allocator, TRUE);
  g_assert_true (c2g_cpu_allocator_get_zero_fill (cpu_allocator));

  for (int round = 0; round < 20; round++)
    {
      g_autoptr (C2gStorage) storage = c2g_allocator_allocate (allocator, 1000, NULL, &error);
      guint8 *data = (gpointer) (guintptr) c2g_storage_get_address (storage);

      g_assert_no_error (error);
      for (int i = 0; i < 1000; i++)
        g_assert_cmpuint (data[i], ==, 0);
      memset (data, 0xff, 1000);
    }

  c2g_cpu_allocator_set_zero_fill (cpu_allocator, FALSE);
  g_assert_false (c2g_cpu_allocator_get_zero_fill (cpu_allocator));
}

static void
test_alignment (void)
{
  static const gsize bad[] = { 0, 3, 48, 65, (gsize) 1 << 40 };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (c2g_cpu_allocator_new_aligned (bad[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
    }

  for (gsize alignment = 1; alignment <= 1 << 16; alignment *= 2)
    {
      g_autoptr (C2gAllocator) allocator = c2g_cpu_allocator_new_aligned (alignment, &error);
      g_autoptr (C2gStorage) storage = c2g_allocator_allocate (allocator, 100, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (c2g_storage_get_address (storage) % alignment, ==, 0);
    }
}

/* GObject refuses an alignment that is out of range, with a warning: the default is used. */
static void
test_alignment_refused (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (C2gAllocator) allocator = NULL;
      g_autoptr (C2gStorage) storage = NULL;

      g_log_set_always_fatal (G_LOG_FATAL_MASK);
      allocator = g_object_new (C2G_TYPE_CPU_ALLOCATOR, "alignment", 0, NULL);
      storage = c2g_allocator_allocate (allocator, 100, NULL, NULL);
      g_assert_nonnull (storage);
      g_assert_cmpuint (c2g_storage_get_address (storage) % 64, ==, 0);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*out of range*alignment*");
}

/* Rule 13: out of memory is an error */

static void
test_out_of_memory (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "fc1_w", NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  g_autoptr (C2gTensor) large = new_sized ((gint64) 1 << 58);
  g_autoptr (GError) error = NULL;

  resize (tensor, 100);
  floats_of (tensor);

  g_assert_false (c2g_tensor_allocate (large, FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "fc1_w"));
  g_assert_nonnull (strstr (error->message, "400 bytes"));
  g_assert_false (c2g_tensor_is_allocated (large));
}

typedef struct
{
  C2gTensor    *tensor;
  C2gAllocator *limited;
} Room;

/* Frees the tensor that is allocating, and raises the limit. */
static gboolean
free_tensor_cb (C2gAllocator *allocator,
                guint64       n_bytes,
                guint         n_tries,
                gpointer      user_data)
{
  Room *room = user_data;

  c2g_tensor_free_memory (room->tensor);
  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (room->limited), 1000);

  return TRUE;
}

/* A failure callback may free even the tensor that is allocating: the call then fails with BUSY. */
static void
test_free_while_allocating (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gTensor) tensor = new_floats (20);
  g_autoptr (C2gTensor) copy = c2g_tensor_new ();
  g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (NULL, 10);
  g_autoptr (C2gAllocator) retrying = NULL;
  g_autoptr (GError) error = NULL;
  Room room = { tensor, limited };

  retrying = c2g_failure_callback_allocator_new (limited, free_tensor_cb, &room, NULL);
  g_assert_true (c2g_allocator_set_default (cpu, retrying, NULL));

  g_assert_false (c2g_tensor_extend (tensor, 1, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_is_allocated (tensor));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 20);

  g_assert_true (c2g_tensor_allocate (tensor, FLOAT, &error));
  g_assert_no_error (error);
  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (limited), 90);
  g_assert_false (c2g_tensor_copy_from (copy, tensor, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_false (c2g_tensor_is_defined (copy));
  g_assert_false (c2g_tensor_is_allocated (copy));

  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));
}

#define RULE(number, name, func) c2g_test_add_func ("/memory-rules/" #number "/" name, func)

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  RULE (10, "no-memory-changes-nothing", test_no_memory_changes_nothing);
  RULE (11, "ledger", test_ledger);
  RULE (12, "zero-fill", test_zero_fill);
  RULE (12, "zero-fill-allocator", test_zero_fill_allocator);
  RULE (12, "alignment", test_alignment);
  RULE (12, "alignment-refused", test_alignment_refused);
  RULE (13, "free-while-allocating", test_free_while_allocating);
  RULE (13, "out-of-memory", test_out_of_memory);

  return c2g_test_run ();
}
