/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"
#include "tests/core/fake-device.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <pthread.h>
#include <string.h>

/* The second device is the fake one. Its memory is the processor's, so tests can read the bytes.
 * Tests that repeat a test of NVCaffe's test_syncedmem.cpp have its name in their path. */

#define N_BYTES 10

static C2gSyncedMemory *
new_memory (gsize n_bytes)
{
  fake_device_use ();

  return c2g_synced_memory_new (n_bytes, c2g_device_parse ("cuda:0", NULL));
}

static void
assert_bytes (gconstpointer bytes,
              int           expected)
{
  g_assert_nonnull (bytes);
  for (int i = 0; i < N_BYTES; i++)
    g_assert_cmpint (((const guint8 *) bytes)[i], ==, expected);
}

static void
assert_head (C2gSyncedMemory *memory,
             C2gSyncedHead    head)
{
  const gboolean is_synced = head == C2G_SYNCED_HEAD_SYNCED;

  g_assert_cmpint (c2g_synced_memory_get_head (memory), ==, head);
  g_assert_cmpint (c2g_synced_memory_is_cpu_head (memory), ==,
                   is_synced || head == C2G_SYNCED_HEAD_AT_CPU);
  g_assert_cmpint (c2g_synced_memory_is_gpu_head (memory), ==,
                   is_synced || head == C2G_SYNCED_HEAD_AT_GPU);
}

static gconstpointer
read_cpu (C2gSyncedMemory *memory)
{
  g_autoptr (GError) error = NULL;
  gconstpointer bytes = c2g_synced_memory_cpu_data (memory, &error);

  g_assert_no_error (error);
  return bytes;
}

static gconstpointer
read_gpu (C2gSyncedMemory *memory)
{
  g_autoptr (GError) error = NULL;
  gconstpointer bytes = c2g_synced_memory_gpu_data (memory, &error);

  g_assert_no_error (error);
  return bytes;
}

static gpointer
write_cpu (C2gSyncedMemory *memory,
           gboolean         keep)
{
  g_autoptr (GError) error = NULL;
  gpointer bytes = c2g_synced_memory_mutable_cpu_data (memory, keep, &error);

  g_assert_no_error (error);
  return bytes;
}

static gpointer
write_gpu (C2gSyncedMemory *memory,
           gboolean         keep)
{
  g_autoptr (GError) error = NULL;
  gpointer bytes = c2g_synced_memory_mutable_gpu_data (memory, keep, &error);

  g_assert_no_error (error);
  return bytes;
}

static void
test_initialization (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gSyncedMemory) bare = g_object_new (C2G_TYPE_SYNCED_MEMORY, NULL);

  assert_head (memory, C2G_SYNCED_HEAD_UNINITIALIZED);
  g_assert_cmpuint (c2g_synced_memory_get_n_bytes (memory), ==, N_BYTES);
  g_assert_false (c2g_synced_memory_is_valid (memory));
  g_assert_cmpuint (c2g_synced_memory_get_cpu_memory_use (memory, FALSE), ==, 0);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, FALSE), ==, 0);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);

  g_assert_cmpuint (c2g_synced_memory_get_n_bytes (bare), ==, 0);
  g_assert_cmpstr (c2g_device_to_string (c2g_synced_memory_get_device (bare)), ==, "cuda:0");
  g_assert_null (read_cpu (bare));
  g_assert_null (write_gpu (bare, TRUE));
}

static void
test_allocation (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);

  g_assert_nonnull (read_cpu (memory));
  g_assert_nonnull (read_gpu (memory));
  g_assert_nonnull (write_cpu (memory, TRUE));
  g_assert_nonnull (write_gpu (memory, TRUE));
  g_assert_cmpuint (c2g_synced_memory_get_cpu_memory_use (memory, TRUE), ==, N_BYTES);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, TRUE), ==, N_BYTES);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 2 * N_BYTES);
}

static void
test_zeros (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gSyncedMemory) on_gpu = new_memory (N_BYTES);
  g_autoptr (C2gSyncedMemory) written = new_memory (N_BYTES);

  assert_bytes (read_cpu (memory), 0);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  assert_bytes (read_gpu (on_gpu), 0);
  assert_head (on_gpu, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpuint (c2g_synced_memory_get_cpu_memory_use (on_gpu, FALSE), ==, 0);
  assert_bytes (write_gpu (written, TRUE), 0);
  assert_head (written, C2G_SYNCED_HEAD_AT_GPU);
}

static void
test_cpu_write (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  gpointer bytes = write_cpu (memory, TRUE);

  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_true (c2g_synced_memory_is_valid (memory));
  memset (bytes, 1, N_BYTES);
  assert_bytes (read_cpu (memory), 1);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);

  /* A second write uses the same memory. */
  g_assert_true (write_cpu (memory, TRUE) == bytes);
  memset (bytes, 2, N_BYTES);
  assert_bytes (read_cpu (memory), 2);
  g_assert_cmpint (fake_device.n_copies, ==, 0);
}

static void
test_gpu_read (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  gconstpointer on_gpu;

  memset (write_cpu (memory, TRUE), 1, N_BYTES);
  on_gpu = read_gpu (memory);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  assert_bytes (on_gpu, 1);

  memset (write_cpu (memory, TRUE), 2, N_BYTES);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_true (read_gpu (memory) == on_gpu);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  assert_bytes (on_gpu, 2);

  /* Bytes that are current are not copied again. */
  g_assert_cmpint (fake_device.n_copies, ==, 2);
  read_gpu (memory);
  read_cpu (memory);
  g_assert_cmpint (fake_device.n_copies, ==, 2);
}

static void
test_gpu_write (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);

  memset (write_gpu (memory, TRUE), 1, N_BYTES);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_bytes (read_cpu (memory), 1);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);

  memset (write_gpu (memory, TRUE), 2, N_BYTES);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_bytes (read_cpu (memory), 2);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
}

static void
test_write_without_copy (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);

  memset (write_cpu (memory, TRUE), 1, N_BYTES);
  memset (write_gpu (memory, FALSE), 2, N_BYTES);
  g_assert_cmpint (fake_device.n_copies, ==, 0);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  assert_bytes (read_cpu (memory), 2);
}

static void
test_push (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gContext) context = fake_device_new_context (c2g_device_parse ("cuda:0", NULL), 7);
  g_autoptr (C2gContext) other = fake_device_new_context (c2g_device_parse ("cuda:0", NULL), 8);

  memset (write_cpu (memory, FALSE), 3, N_BYTES);
  g_assert_true (c2g_synced_memory_push (memory, context, NULL));
  g_assert_cmpint (fake_device.n_finished, ==, 0);
  g_assert_cmpint (fake_device.n_uses, ==, 1);
  /* Other holders may still use the block. */
  g_assert_cmpint (fake_device.n_waits_for_uses, ==, 1);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  /* Another context must wait for a copy that is still running. */
  g_assert_true (c2g_synced_memory_push (memory, other, NULL));
  g_assert_cmpint (fake_device.n_waits_for_uses, ==, 2);
  assert_bytes (read_gpu (memory), 3);

  write_cpu (memory, TRUE);
  g_assert_true (c2g_synced_memory_push (memory, NULL, NULL));
  g_assert_cmpint (fake_device.n_finished, >, 0);
}

static void
test_bytes (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (GBytes) bytes = g_bytes_new ("0123456789", N_BYTES);
  g_autoptr (GBytes) few = g_bytes_new ("012", 3);
  g_autoptr (GBytes) back = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_synced_memory_set_bytes (memory, bytes, &error));
  g_assert_no_error (error);
  g_assert_false (c2g_synced_memory_set_bytes (memory, few, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  memcpy (write_gpu (memory, TRUE), "abc", 3);
  back = c2g_synced_memory_dup_bytes (memory, NULL);
  g_assert_cmpmem (g_bytes_get_data (back, NULL), g_bytes_get_size (back), "abc3456789", N_BYTES);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
}

static void
count_cb (gpointer data)
{
  ++*(int *) data;
}

static void
test_set_data (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  char mine[N_BYTES], theirs[N_BYTES];
  int n_mine = 0, n_theirs = 0;
  C2gStorage *reader;

  memset (mine, 1, N_BYTES);
  memset (theirs, 2, N_BYTES);
  g_assert_true (c2g_synced_memory_set_cpu_data (memory, mine, count_cb, &n_mine, NULL));
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_true (read_cpu (memory) == mine);
  assert_bytes (read_gpu (memory), 1);
  /* The owner may write to it at any time. */
  memset (mine, 3, N_BYTES);
  assert_bytes (read_gpu (memory), 3);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_cmpuint (c2g_synced_memory_get_cpu_memory_use (memory, FALSE), ==, N_BYTES);
  g_assert_cmpuint (c2g_synced_memory_get_cpu_memory_use (memory, TRUE), ==, 0);

  /* Readers keep the bytes that they have read. */
  reader = c2g_synced_memory_ref_reader (memory, C2G_SYNCED_CPU, NULL);
  g_assert_true (c2g_synced_memory_set_gpu_data (memory, theirs, count_cb, &n_theirs, NULL));
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, TRUE), ==, 0);
  g_assert_cmpint (n_mine, ==, 0);
  /* A read does not write into memory that others hold. */
  assert_bytes (read_cpu (memory), 2);
  assert_bytes (mine, 3);
  assert_bytes (reader->address, 3);
  c2g_storage_unref (reader);
  g_assert_cmpint (n_mine, ==, 1);

  g_clear_object (&memory);
  g_assert_cmpint (n_theirs, ==, 1);
  g_assert_cmpint (n_mine, ==, 1);
}

static void
test_marks (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);

  read_cpu (memory);
  g_assert_false (c2g_synced_memory_is_valid (memory));
  c2g_synced_memory_validate (memory);
  g_assert_true (c2g_synced_memory_is_valid (memory));
  c2g_synced_memory_invalidate (memory);
  g_assert_false (c2g_synced_memory_is_valid (memory));
  write_gpu (memory, FALSE);
  g_assert_true (c2g_synced_memory_is_valid (memory));
}

static void
test_resize (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (2 * N_BYTES);
  g_autoptr (GError) error = NULL;
  gpointer bytes = write_cpu (memory, FALSE);

  memset (bytes, 1, 2 * N_BYTES);
  g_assert_true (c2g_synced_memory_resize (memory, N_BYTES, NULL));
  g_assert_true (read_cpu (memory) == bytes);
  assert_bytes (read_gpu (memory), 1);

  /* The device's block is too small for the new size, so it is dropped. */
  g_assert_true (c2g_synced_memory_resize (memory, 2 * N_BYTES, NULL));
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, FALSE), ==, 0);
  g_assert_true (read_cpu (memory) == bytes);
  assert_bytes ((const char *) read_gpu (memory) + N_BYTES, 1);

  g_assert_true (c2g_synced_memory_resize (memory, 3 * N_BYTES, NULL));
  assert_head (memory, C2G_SYNCED_HEAD_UNINITIALIZED);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
  assert_bytes ((const char *) read_gpu (memory) + 2 * N_BYTES, 0);

  g_assert_true (c2g_synced_memory_resize (memory, G_MAXSIZE, NULL));
  g_assert_null (c2g_synced_memory_cpu_data (memory, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* The copy has the size that the memory had at that time. */
static void
test_resize_synced (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (2 * N_BYTES);

  memset (write_cpu (memory, FALSE), 1, 2 * N_BYTES);
  read_gpu (memory);
  memset (write_cpu (memory, FALSE), 2, 2 * N_BYTES);
  g_assert_true (c2g_synced_memory_resize (memory, N_BYTES, NULL));
  read_gpu (memory);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
  g_assert_true (c2g_synced_memory_resize (memory, 2 * N_BYTES, NULL));
  assert_bytes ((const char *) read_cpu (memory) + N_BYTES, 2);
  assert_bytes ((const char *) read_gpu (memory) + N_BYTES, 2);
}

static void
test_names (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gSyncedMemory) memory = NULL;
  g_autofree char *report = NULL;
  g_autofree char *text = NULL;

  fake_device_use ();
  memory = g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) N_BYTES, "name", "conv1/diff",
                         "device", c2g_device_parse ("cuda:1", NULL), NULL);
  g_assert_cmpstr (c2g_synced_memory_get_name (memory), ==, "conv1/diff");
  read_cpu (memory);
  read_gpu (memory);
  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "conv1/diff@cpu"));
  g_assert_nonnull (strstr (report, "conv1/diff@cuda:1"));
  text = c2g_synced_memory_to_string (memory);
  g_assert_cmpstr (text, ==, "conv1/diff: 10 bytes, synced, invalid; cpu 10, cuda:1 10");
}

static void
test_blob (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "data", NULL);
  g_autofree char *report = NULL;

  c2g_blob_set_object (blob, G_OBJECT (memory));
  read_cpu (memory);
  g_assert_cmpuint (c2g_blob_get_n_bytes (blob), ==, N_BYTES);
  report = c2g_workspace_dup_report (workspace);
  g_assert_nonnull (strstr (report, "10  100.0%  cpu       data@cpu\n"));
}

static void
head_changed_cb (C2gSyncedMemory *memory,
                 C2gSyncedHead    old_head,
                 C2gSyncedHead    new_head,
                 gpointer         user_data)
{
  GString *heard = user_data;

  /* The memory is complete, and can be used. */
  g_assert_cmpint (c2g_synced_memory_get_head (memory), ==, new_head);
  if (new_head == C2G_SYNCED_HEAD_AT_CPU)
    g_assert_nonnull (write_cpu (memory, TRUE));
  g_string_append_printf (heard, "%d%d ", (int) old_head, (int) new_head);
}

static void
test_signal (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (GString) heard = g_string_new (NULL);

  g_signal_connect (memory, "head-changed", G_CALLBACK (head_changed_cb), heard);
  write_cpu (memory, TRUE);
  read_cpu (memory);
  read_gpu (memory);
  write_gpu (memory, FALSE);
  c2g_synced_memory_resize (memory, 2 * N_BYTES, NULL);
  g_assert_cmpstr (heard->str, ==, "01 13 32 20 ");
}

/* A failed call changes nothing. */
static void
test_failure (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (GError) error = NULL;

  memset (write_cpu (memory, FALSE), 1, N_BYTES);
  fake_device.mood = FAKE_NO_WORK;
  g_assert_null (c2g_synced_memory_gpu_data (memory, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);
  g_assert_cmpuint (c2g_synced_memory_get_gpu_memory_use (memory, FALSE), ==, 0);
  assert_bytes (read_cpu (memory), 1);

  fake_device.mood = FAKE_FINE;
  memset (write_gpu (memory, TRUE), 2, N_BYTES);
  fake_device.mood = FAKE_NO_WORK;
  g_clear_error (&error);
  g_assert_null (c2g_synced_memory_mutable_cpu_data (memory, TRUE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
  fake_device.mood = FAKE_FINE;
  assert_bytes (read_cpu (memory), 2);
}

static void
test_no_memory (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (G_MAXSIZE);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_synced_memory_cpu_data (memory, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  assert_head (memory, C2G_SYNCED_HEAD_UNINITIALIZED);
}

/* An allocator that calls the memory for which it is allocating. */

typedef struct
{
  C2gSyncedMemory *memory;
  guint            n_busy;
} Reentry;

static gboolean
reenter_cb (C2gAllocator *allocator,
            guint64       n_bytes,
            guint         n_tries,
            gpointer      user_data)
{
  Reentry *reentry = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_synced_memory_cpu_data (reentry->memory, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  reentry->n_busy++;
  return FALSE;
}

static void
test_reentry (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 1);
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (GError) error = NULL;
  Reentry reentry = { memory, 0 };

  allocator = c2g_failure_callback_allocator_new (limiting, reenter_cb, &reentry, NULL);
  g_assert_true (c2g_allocator_set_default (cpu, allocator, NULL));
  g_assert_null (c2g_synced_memory_cpu_data (memory, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_cmpuint (reentry.n_busy, ==, 1);
  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));

  assert_bytes (read_cpu (memory), 0);
}

/* Readers keep the bytes that they have. */
static void
test_readers (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  C2gStorage *before, *on_gpu;
  gpointer bytes = write_cpu (memory, FALSE);

  memset (bytes, 1, N_BYTES);
  before = c2g_synced_memory_ref_reader (memory, C2G_SYNCED_CPU, NULL);
  g_assert_true (c2g_storage_is_read_only (before));
  g_assert_true ((gpointer) (gsize) c2g_storage_get_address (before) == bytes);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, N_BYTES);

  /* The contents are copied to the new block if the caller wants them. */
  g_assert_true (write_cpu (memory, TRUE) != bytes);
  assert_bytes (read_cpu (memory), 1);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 2 * N_BYTES);
  memset (write_cpu (memory, TRUE), 2, N_BYTES);
  assert_bytes (bytes, 1);
  c2g_storage_unref (before);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, N_BYTES);

  /* A stale block is not overwritten while somebody holds it. */
  on_gpu = c2g_synced_memory_ref_reader (memory, C2G_SYNCED_GPU, NULL);
  memset (write_cpu (memory, FALSE), 3, N_BYTES);
  assert_bytes (read_gpu (memory), 3);
  assert_bytes ((gconstpointer) (gsize) c2g_storage_get_address (on_gpu), 2);
  c2g_storage_unref (on_gpu);
}

static void
test_writer (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  gsize offset;
  C2gStorage *writer = c2g_synced_memory_ref_writer (memory, C2G_SYNCED_CPU, &offset, NULL);
  gpointer bytes = (gpointer) (gsize) c2g_storage_get_address (writer);
  C2gStorage *reader;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_synced_memory_is_held (memory));
  memset (bytes, 1, N_BYTES);
  assert_bytes (read_gpu (memory), 1);
  assert_head (memory, C2G_SYNCED_HEAD_AT_CPU);

  /* Nothing announces this write. */
  memset (bytes, 2, N_BYTES);
  assert_bytes (read_gpu (memory), 2);
  reader = c2g_synced_memory_ref_reader (memory, C2G_SYNCED_CPU, NULL);
  memset (bytes, 3, N_BYTES);
  assert_bytes ((gconstpointer) (gsize) c2g_storage_get_address (reader), 2);
  c2g_storage_unref (reader);

  g_assert_null (c2g_synced_memory_mutable_gpu_data (memory, FALSE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_assert_false (c2g_synced_memory_set_cpu_data (memory, bytes, NULL, NULL, NULL));
  g_assert_true (write_cpu (memory, TRUE) == bytes);

  c2g_storage_unref (writer);
  g_assert_false (c2g_synced_memory_is_held (memory));
  assert_bytes (read_gpu (memory), 3);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
}

/* Readers do not know the work that still uses the block, so the memory waits for it first. */
static void
test_reader_of_pushed (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gContext) context = fake_device_new_context (c2g_device_parse ("cuda:0", NULL), 7);
  g_autoptr (C2gStorage) reader = NULL;
  g_autoptr (GError) error = NULL;
  int n_waits;

  memset (write_cpu (memory, FALSE), 3, N_BYTES);
  g_assert_true (c2g_synced_memory_push (memory, context, NULL));
  g_assert_cmpint (fake_device.n_finished, ==, 0);
  n_waits = fake_device.n_waits_for_uses;
  reader = c2g_synced_memory_ref_reader (memory, C2G_SYNCED_GPU, NULL);
  g_assert_cmpint (fake_device.n_waits_for_uses, ==, n_waits + 1);
  g_assert_cmpint (fake_device.n_finished, ==, 1);
  assert_bytes ((gconstpointer) (gsize) c2g_storage_get_address (reader), 3);

  fake_device.mood = FAKE_NO_WORK;
  g_assert_null (c2g_synced_memory_ref_reader (memory, C2G_SYNCED_GPU, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_head (memory, C2G_SYNCED_HEAD_SYNCED);
}

/* A device still uses memory of the processor, and waiting for the device fails. */
static void
test_failed_wait (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  g_autoptr (C2gContext) context = fake_device_new_context (c2g_device_parse ("cuda:0", NULL), 7);
  g_autoptr (GError) error = NULL;
  char pinned[N_BYTES];
  C2gStorage *storage = c2g_storage_new_external (c2g_device_cpu (), pinned, N_BYTES, FALSE, NULL, NULL);

  storage->is_pinned = TRUE;
  g_assert_true (c2g_synced_memory_take (memory, C2G_SYNCED_CPU, storage, 0, NULL));
  c2g_storage_record_use (storage, context);
  c2g_storage_unref (storage);
  memset (write_gpu (memory, FALSE), 2, N_BYTES);

  for (int keep = FALSE; keep <= TRUE; keep++)
    {
      fake_device.mood = FAKE_NO_WORK;
      g_assert_null (c2g_synced_memory_mutable_cpu_data (memory, keep, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_clear_error (&error);
      assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);
      fake_device.mood = FAKE_FINE;
    }
  g_assert_true (c2g_synced_memory_mutable_cpu_data (memory, TRUE, NULL) == pinned);
  assert_bytes (pinned, 2);
}

static gpointer
look_at_ledger (gpointer data)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  const gboolean *is_over = data;

  while (!g_atomic_int_get (is_over))
    g_assert_cmpuint (c2g_memory_reporter_get_external_bytes (reporter, c2g_device_cpu ()), ==, 0);

  return NULL;
}

/* Lent memory is already in the ledger of its owner, and must not be counted twice. */
static void
test_reader_unlisted (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  const guint n_rounds = c2g_test_count_rounds (20000);
  gboolean is_over = FALSE;
  GThread *thread;

  write_cpu (memory, FALSE);
  thread = g_thread_new ("ledger", look_at_ledger, &is_over);
  for (guint i = 0; i < n_rounds; i++)
    c2g_storage_unref (c2g_synced_memory_ref_reader (memory, C2G_SYNCED_CPU, NULL));
  g_atomic_int_set (&is_over, TRUE);
  g_thread_join (thread);
}

static void
test_math (void)
{
  static const float floats[] = { 3, -4, 0 };
  g_autoptr (C2gSyncedMemory) memory = new_memory (sizeof floats + 1);
  g_autoptr (GError) error = NULL;

  memcpy (write_gpu (memory, FALSE), floats, sizeof floats);
  g_assert_cmpfloat (c2g_synced_memory_asum (memory, C2G_DATA_TYPE_FLOAT, 3, NULL), ==, 7);
  g_assert_cmpfloat (c2g_synced_memory_sumsq (memory, C2G_DATA_TYPE_FLOAT, 3, NULL), ==, 25);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, C2G_DATA_TYPE_FLOAT, 3, NULL), ==, 4);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, C2G_DATA_TYPE_FLOAT, 1, NULL), ==, 3);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, C2G_DATA_TYPE_FLOAT, 0, NULL), ==, 0);
  assert_head (memory, C2G_SYNCED_HEAD_AT_GPU);

  memset (write_cpu (memory, FALSE), 0xff, sizeof floats + 1);
  g_assert_cmpfloat (c2g_synced_memory_asum (memory, C2G_DATA_TYPE_INT16, 6, NULL), ==, 6);
  g_assert_cmpfloat (c2g_synced_memory_asum (memory, C2G_DATA_TYPE_UINT8, 13, NULL), ==, 13 * 255);
  g_assert_cmpfloat (c2g_synced_memory_asum (memory, C2G_DATA_TYPE_FLOAT, 4, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_cmpfloat (c2g_synced_memory_sumsq (memory, C2G_DATA_TYPE_DOUBLE, G_MAXSIZE, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_cmpfloat (c2g_synced_memory_amax (memory, C2G_DATA_TYPE_STRING, 1, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

/* Two threads read at the same time what a third one wrote. */

typedef struct
{
  C2gSyncedMemory   *memory;
  pthread_barrier_t  barrier;
  guint              n_rounds;
} Race;

static gpointer
read_thread (gpointer data)
{
  Race *race = data;

  for (guint i = 0; i < race->n_rounds; i++)
    {
      pthread_barrier_wait (&race->barrier);
      g_assert_cmpint (*(const guint8 *) read_cpu (race->memory), ==, i % 251);
      pthread_barrier_wait (&race->barrier);
    }

  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (C2gSyncedMemory) memory = new_memory (N_BYTES);
  Race race = { .memory = memory, .n_rounds = c2g_test_count_rounds (100000) };
  GThread *threads[2];

  pthread_barrier_init (&race.barrier, NULL, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_thread, &race);

  for (guint i = 0; i < race.n_rounds; i++)
    {
      memset (write_gpu (memory, FALSE), (int) (i % 251), N_BYTES);
      pthread_barrier_wait (&race.barrier);
      pthread_barrier_wait (&race.barrier);
      g_assert_cmpint (fake_device.n_copies, ==, (int) i + 1);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  pthread_barrier_destroy (&race.barrier);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/caffe/synced-memory/initialization", test_initialization);
  c2g_test_add_func ("/caffe/synced-memory/allocation-cpu-gpu", test_allocation);
  c2g_test_add_func ("/caffe/synced-memory/zeros", test_zeros);
  c2g_test_add_func ("/caffe/synced-memory/cpu-write", test_cpu_write);
  c2g_test_add_func ("/caffe/synced-memory/gpu-read", test_gpu_read);
  c2g_test_add_func ("/caffe/synced-memory/gpu-write", test_gpu_write);
  c2g_test_add_func ("/caffe/synced-memory/write-without-copy", test_write_without_copy);
  c2g_test_add_func ("/caffe/synced-memory/push", test_push);
  c2g_test_add_func ("/caffe/synced-memory/bytes", test_bytes);
  c2g_test_add_func ("/caffe/synced-memory/set-data", test_set_data);
  c2g_test_add_func ("/caffe/synced-memory/marks", test_marks);
  c2g_test_add_func ("/caffe/synced-memory/resize", test_resize);
  c2g_test_add_func ("/caffe/synced-memory/resize-synced", test_resize_synced);
  c2g_test_add_func ("/caffe/synced-memory/names", test_names);
  c2g_test_add_func ("/caffe/synced-memory/blob", test_blob);
  c2g_test_add_func ("/caffe/synced-memory/signal", test_signal);
  c2g_test_add_func ("/caffe/synced-memory/failure", test_failure);
  c2g_test_add_func ("/caffe/synced-memory/no-memory", test_no_memory);
  c2g_test_add_func ("/caffe/synced-memory/reentry", test_reentry);
  c2g_test_add_func ("/caffe/synced-memory/readers", test_readers);
  c2g_test_add_func ("/caffe/synced-memory/writer", test_writer);
  c2g_test_add_func ("/caffe/synced-memory/reader-of-pushed", test_reader_of_pushed);
  c2g_test_add_func ("/caffe/synced-memory/failed-wait", test_failed_wait);
  c2g_test_add_func ("/caffe/synced-memory/reader-unlisted", test_reader_unlisted);
  c2g_test_add_func ("/caffe/synced-memory/math", test_math);
  c2g_test_add_func ("/caffe/synced-memory/threads", test_threads);

  return c2g_test_run ();
}
