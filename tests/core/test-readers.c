/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <string.h>

/* These tests follow the table of threads in the manual for tensors, blobs, storages, mappings and
 * the reporter: any number of concurrent readers, and references in any thread. They are most
 * useful under ThreadSanitizer. */

#define N_ROUNDS 2000
#define N_THREADS 4

typedef struct
{
  C2gBlob    *blob;
  C2gTensor  *tensor;
  C2gQTensor *quantized;
} Things;

typedef void (*ReadFunc) (Things *things);

static Things shared;

static void
read_tensor (Things *things)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) copy = c2g_tensor_clone (things->tensor, NULL, &error);
  g_autoptr (GBytes) bytes = c2g_tensor_dup_bytes (things->tensor, &error);
  g_autofree char *text = c2g_tensor_to_string (things->tensor, 3);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 24);
  g_assert_cmpfloat (c2g_tensor_get_value (things->tensor, 5, &error), ==, 5);
  g_assert_cmpint (c2g_tensor_get_n_elements (copy), ==, 6);
  g_assert_nonnull (c2g_tensor_data (things->tensor, C2G_DATA_TYPE_FLOAT, &error));
}

static void
read_blob (Things *things)
{
  g_autofree char *name = c2g_blob_dup_name (things->blob);
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_get_value (things->blob, &value);
  g_assert_true (g_value_get_object (&value) == things->tensor);
  g_assert_true (c2g_blob_get_tensor (things->blob, NULL) == things->tensor);
  g_assert_cmpuint (c2g_blob_get_n_bytes (things->blob), ==, 24);
  g_assert_cmpstr (name, ==, "shared");
}

static void
read_quantized (Things *things)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gQTensor) quantized = g_object_ref (things->quantized);
  g_autoptr (GBytes) bytes = c2g_q_tensor_dup_bytes (quantized, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, c2g_q_tensor_get_n_bytes (quantized));
  g_assert_cmpint (c2g_q_tensor_get_bit (quantized, 2, 7, &error), ==, 1);
}

static void
pin_storage (Things *things)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (things->tensor, C2G_MAP_READ, &error);
  g_autoptr (C2gStorage) storage = c2g_storage_ref (c2g_tensor_get_storage (things->tensor));

  g_assert_no_error (error);
  g_assert_cmpuint (c2g_storage_get_n_views (storage), >, 0);
  c2g_mapping_unmap (mapping);
}

/* Shares foreign memory, counts it, and releases it. */
static void
report_memory (Things *things)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GBytes) bytes = g_bytes_new_static ("0123", 4);
  g_autoptr (C2gStorage) storage = c2g_storage_new_from_bytes (bytes);
  g_autofree char *report = c2g_memory_reporter_dup_report (reporter);

  g_assert_nonnull (strstr (report, "shared"));
  g_assert_cmpuint (c2g_memory_reporter_get_external_bytes (reporter, NULL), >=, 4);
}

static gpointer
worker_run (gpointer data)
{
  ReadFunc func = *(ReadFunc *) data;

  for (guint i = 0; i < N_ROUNDS; i++)
    func (&shared);

  return NULL;
}

static void
test_readers (void)
{
  static ReadFunc funcs[] = { read_tensor, read_blob, read_quantized, pin_storage, report_memory };
  GThread *threads[N_THREADS * G_N_ELEMENTS (funcs) / 2];
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  shared.tensor = c2g_workspace_create_tensor (workspace, "shared", C2G_DATA_TYPE_FLOAT,
                                               C2G_TEST_DIMS (6), NULL);
  for (gint64 i = 0; i < 6; i++)
    g_assert_true (c2g_tensor_set_int64 (shared.tensor, i, i, NULL));
  shared.blob = c2g_workspace_get_blob (workspace, "shared", NULL);
  shared.quantized = c2g_q_tensor_new (C2G_TEST_DIMS (20), 3, TRUE, NULL);
  g_assert_true (c2g_q_tensor_set_bit (shared.quantized, 2, 7, TRUE, NULL));

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", worker_run, &funcs[i % G_N_ELEMENTS (funcs)]);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_object_unref (workspace);
  workspace = NULL;
  g_assert_finalize_object (shared.quantized);
  g_assert_finalize_object (shared.blob);
  g_assert_finalize_object (shared.tensor);
}

/* One thread takes bytes of a mapping. Another thread ends the mapping, and seals the memory or
 * drops it. */
#define N_MAPPINGS 5000

typedef struct
{
  C2gMapping *mappings[N_MAPPINGS];
  int         n_begun;
} Turns;

static gpointer
take_bytes (gpointer data)
{
  Turns *turns = data;

  for (int i = 0; i < N_MAPPINGS; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;

      g_atomic_int_set (&turns->n_begun, i + 1);
      bytes = c2g_mapping_ref_bytes (turns->mappings[i], &error);
      if (bytes != NULL)
        g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\7\7\7\7", 4);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
    }

  return NULL;
}

static C2gTensor *
new_mapped (C2gMapping **mapping)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (4), NULL, &error);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, &error));
  g_assert_true (c2g_tensor_fill (tensor, 7, &error));
  *mapping = c2g_tensor_map (tensor, C2G_MAP_READ_WRITE, &error);
  g_assert_no_error (error);

  return tensor;
}

static void
test_unmap (void)
{
  g_autofree Turns *turns = g_new0 (Turns, 1);
  g_autofree C2gTensor **tensors = g_new0 (C2gTensor *, N_MAPPINGS);
  GThread *thread;

  for (int i = 0; i < N_MAPPINGS; i++)
    tensors[i] = new_mapped (&turns->mappings[i]);
  /* Odd mappings are the last ones that hold the memory. */
  for (int i = 1; i < N_MAPPINGS; i += 2)
    g_clear_object (&tensors[i]);

  thread = g_thread_new ("taker", take_bytes, turns);
  for (int i = 0; i < N_MAPPINGS; i++)
    {
      while (g_atomic_int_get (&turns->n_begun) <= i)
        g_thread_yield ();
      c2g_mapping_unmap (turns->mappings[i]);
      if (tensors[i] != NULL)
        c2g_tensor_seal (tensors[i], NULL);
    }
  g_thread_join (thread);

  for (int i = 0; i < N_MAPPINGS; i++)
    {
      c2g_mapping_unref (turns->mappings[i]);
      g_clear_object (&tensors[i]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/readers/all", test_readers);
  c2g_test_add_func ("/readers/unmap", test_unmap);

  return c2g_test_run ();
}
