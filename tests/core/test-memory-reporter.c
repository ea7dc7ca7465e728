/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "exchange.h"
#include "test-utils.h"

#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/memory/c2g-memory-reporter-private.h>

#include <string.h>

static C2gStorage *
allocate (gsize n_bytes)
{
  C2gStorage *storage = c2g_storage_new (c2g_device_cpu (), n_bytes, NULL, NULL);

  g_assert_nonnull (storage);

  return storage;
}

static void
set_label (C2gStorage *storage,
           const char *name)
{
  C2gLabel *label = name != NULL ? c2g_label_new (name) : NULL;

  c2g_ledger_set_label (storage, label);
  g_clear_pointer (&label, c2g_label_unref);
}

static void
free_blocks (C2gMemoryBlock **blocks)
{
  gsize i;

  for (i = 0; blocks[i] != NULL; i++)
    c2g_memory_block_unref (blocks[i]);
  g_free (blocks);
}

static void
test_default (void)
{
  g_autoptr (C2gMemoryReporter) first = c2g_memory_reporter_get_default ();
  g_autoptr (C2gMemoryReporter) second = c2g_memory_reporter_get_default ();

  g_assert_true (first == second);
}

static void
test_counts (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *devices[] = { c2g_device_cpu (), NULL };
  guint64 total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL);
  C2gStorage *first, *second;
  guint i;

  c2g_memory_reporter_reset_peak (reporter);
  first = allocate (1000);
  second = allocate (500);
  for (i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, devices[i]), ==, 1500);
      g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, devices[i]), ==, 1500);
      g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, devices[i]), ==,
                        total_bytes + 1500);
      g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, devices[i]), ==, 2);
    }

  c2g_storage_unref (first);
  for (i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, devices[i]), ==, 500);
      g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, devices[i]), ==, 1500);
      g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, devices[i]), ==,
                        total_bytes + 1500);
      g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, devices[i]), ==, 1);
    }

  c2g_memory_reporter_reset_peak (reporter);
  for (i = 0; i < G_N_ELEMENTS (devices); i++)
    g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, devices[i]), ==, 500);

  c2g_storage_unref (second);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), ==, 500);
}

/* An allocator that reports a device that does not exist; its memory is an array. */
static char distant_memory[4096] __attribute__ ((aligned (64)));

#define TYPE_DISTANT_ALLOCATOR (distant_allocator_get_type ())
G_DECLARE_FINAL_TYPE (DistantAllocator, distant_allocator, DISTANT, ALLOCATOR, C2gAllocator)

struct _DistantAllocator
{
  C2gAllocator parent_instance;

  gsize        n_used;
};

G_DEFINE_FINAL_TYPE (DistantAllocator, distant_allocator, C2G_TYPE_ALLOCATOR)

static gpointer
distant_allocator_alloc_block (C2gAllocator  *allocator,
                               gsize          n_bytes,
                               C2gContext    *context,
                               GError       **error)
{
  DistantAllocator *self = DISTANT_ALLOCATOR (allocator);
  gpointer block = distant_memory + self->n_used;

  if (n_bytes > sizeof distant_memory - self->n_used)
    return NULL;
  self->n_used += (n_bytes + 63) / 64 * 64;

  return block;
}

static void
distant_allocator_free_block (C2gAllocator *allocator,
                              gpointer      block,
                              gsize         n_bytes,
                              C2gContext   *context)
{
}

static C2gDevice *
distant_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_device_parse ("cuda:3", NULL);
}

static void
distant_allocator_class_init (DistantAllocatorClass *klass)
{
  static const C2gBlockFuncs funcs = {
    .alloc_block = distant_allocator_alloc_block,
    .free_block = distant_allocator_free_block,
  };

  C2G_ALLOCATOR_CLASS (klass)->get_device = distant_allocator_get_device;
  C2G_ALLOCATOR_CLASS (klass)->block_funcs = &funcs;
}

static void
distant_allocator_init (DistantAllocator *self)
{
}

static void
test_devices (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *cpu = c2g_device_cpu ();
  C2gDevice *cuda = c2g_device_parse ("cuda:3", NULL);
  C2gDevice *unused = c2g_device_parse ("cuda:4", NULL);
  g_autoptr (C2gAllocator) distant = g_object_new (TYPE_DISTANT_ALLOCATOR, NULL);
  g_autoptr (C2gStorage) here = NULL;
  g_autoptr (C2gStorage) there = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *report = NULL;
  C2gMemoryBlock **blocks;
  guint n_blocks;

  c2g_memory_reporter_reset_peak (reporter);
  here = allocate (100);
  there = c2g_allocator_allocate (distant, 1000, NULL, NULL);

  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, cpu), ==, 100);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, cuda), ==, 1000);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, unused), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, 1100);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, cuda), ==, 1);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, unused), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, 2);

  blocks = c2g_memory_reporter_list_blocks (reporter, cuda, &n_blocks);
  g_assert_cmpuint (n_blocks, ==, 1);
  g_assert_true (c2g_memory_block_get_device (blocks[0]) == cuda);
  g_assert_cmpuint (c2g_memory_block_get_address (blocks[0]), ==, c2g_storage_get_address (there));
  free_blocks (blocks);

  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "cuda:3: 1000 bytes now"));
  g_assert_null (strstr (report, "cuda:4"));

  /* The total peak is the highest sum at one time, not the sum of the peaks. */
  g_clear_pointer (&here, c2g_storage_unref);
  g_clear_pointer (&there, c2g_storage_unref);
  here = allocate (600);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, cpu), ==, 600);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, cuda), ==, 1000);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), ==, 1100);

  /* A block function that gives no reason gets one, which names the device. */
  g_assert_null (c2g_allocator_allocate (distant, 5000, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "cuda:3"));
}

static void
test_list_blocks (void)
{
  static const gsize sizes[] = { 10, 3000, 200, 0 };
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gMemoryBlock) largest = NULL;
  C2gStorage *storages[G_N_ELEMENTS (sizes)];
  C2gMemoryBlock **blocks;
  guint n_blocks, i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    storages[i] = allocate (sizes[i]);
  set_label (storages[1], "fc1_w");

  /* Blocks are listed by size, the largest first. */
  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, &n_blocks);
  g_assert_cmpuint (n_blocks, ==, 4);
  g_assert_null (blocks[4]);
  g_assert_cmpuint (c2g_memory_block_get_n_bytes (blocks[0]), ==, 3000);
  g_assert_cmpstr (c2g_memory_block_get_name (blocks[0]), ==, "fc1_w");
  g_assert_true (c2g_memory_block_get_device (blocks[0]) == c2g_device_cpu ());
  g_assert_cmpuint (c2g_memory_block_get_address (blocks[0]), ==,
                    c2g_storage_get_address (storages[1]));
  g_assert_cmpuint (c2g_memory_block_get_n_bytes (blocks[1]), ==, 200);
  g_assert_null (c2g_memory_block_get_name (blocks[1]));
  g_assert_cmpuint (c2g_memory_block_get_n_bytes (blocks[2]), ==, 10);
  g_assert_cmpuint (c2g_memory_block_get_n_bytes (blocks[3]), ==, 0);
  largest = c2g_memory_block_ref (blocks[0]);
  g_assert_true (largest == blocks[0]);
  free_blocks (blocks);

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    c2g_storage_unref (storages[i]);

  /* A list is a copy: it can be read after its blocks were freed. */
  g_assert_cmpuint (c2g_memory_block_get_n_bytes (largest), ==, 3000);
  g_assert_cmpstr (c2g_memory_block_get_name (largest), ==, "fc1_w");
  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, NULL);
  g_assert_null (blocks[0]);
  free_blocks (blocks);
}

/* The name belongs to the blob: renaming it renames all memory that was allocated for it. */
static void
test_labels (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gStorage) first = allocate (300);
  g_autoptr (C2gStorage) second = allocate (200);
  C2gLabel *label = c2g_label_new ("before");
  g_autofree char *report = NULL;
  C2gMemoryBlock **blocks;

  c2g_ledger_set_label (first, label);
  c2g_ledger_set_label (second, label);
  c2g_label_set_name (label, "after");
  c2g_label_unref (label);

  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, NULL);
  g_assert_cmpstr (c2g_memory_block_get_name (blocks[0]), ==, "after");
  g_assert_cmpstr (c2g_memory_block_get_name (blocks[1]), ==, "after");
  free_blocks (blocks);

  /* All blocks of one name are in one line. */
  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "after"));
  g_assert_null (strstr (report, "before"));
  g_assert_nonnull (strstr (report, "500 bytes, blocks: 2, on cpu: after"));

  set_label (first, "other");
  set_label (second, NULL);
  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, NULL);
  g_assert_cmpstr (c2g_memory_block_get_name (blocks[0]), ==, "other");
  g_assert_null (c2g_memory_block_get_name (blocks[1]));
  free_blocks (blocks);
}

static void
test_report (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gStorage) small = allocate (100);
  g_autoptr (C2gStorage) large = allocate (4000);
  g_autoptr (C2gStorage) nameless = allocate (700);
  g_autofree char *report = NULL;
  g_autofree char *largest = NULL;
  g_auto (GStrv) lines = NULL;

  set_label (small, "small one");
  set_label (large, "large one");

  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_true (g_utf8_validate (report, -1, NULL));
  lines = g_strsplit (report, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "cpu: 4800 bytes now, "));
  g_assert_nonnull (strstr (report, "4000 bytes, blocks: 1, on cpu: large one"));
  g_assert_cmpint (strstr (report, "large one") < strstr (report, "(without a name)"), ==, TRUE);
  g_assert_cmpint (strstr (report, "(without a name)") < strstr (report, "small one"), ==, TRUE);

  largest = c2g_memory_reporter_dup_largest (c2g_device_cpu (), 2);
  g_assert_cmpstr (largest, ==, "“large one” 4000 bytes, without a name 700 bytes");
}

static void
test_nothing_in_use (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autofree char *report = NULL;

  g_assert_null (c2g_memory_reporter_dup_largest (c2g_device_cpu (), 5));
  c2g_storage_unref (allocate (10));
  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "cpu: 0 bytes now"));
}

static void
test_foreign_memory (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GBytes) bytes = g_bytes_new ("abcd", 4);
  g_autoptr (C2gStorage) storage = c2g_storage_new_from_bytes (bytes);

  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, 0);
}

/* Resetting a storage removes it from the ledger. */
static void
test_reset_storage (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gStorage) storage = allocate (100);

  g_assert_true (c2g_storage_reset (storage, NULL));
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, 0);
}

static void
test_cached (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (NULL);
  g_autoptr (C2gStorage) storage = c2g_allocator_allocate (pool, 1000, NULL, NULL);
  C2gDevice *cuda = c2g_device_parse ("cuda:3", NULL);
  guint64 total_bytes = c2g_memory_reporter_get_total_bytes (reporter, NULL);
  g_autofree char *report = NULL;

  /* A block counts as live or as cached, never as both. */
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, 1000);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, 0);
  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, 1024 + 64);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, cuda), ==, 0);
  report = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (report, "1088 kept by pools"));

  storage = c2g_allocator_allocate (pool, 1010, NULL, NULL);
  g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, NULL), ==, total_bytes + 1010);
  g_clear_pointer (&storage, c2g_storage_unref);

  g_clear_object (&pool);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, 0);
}

static int n_debug_lines;

static GLogWriterOutput
count_debug_lines (GLogLevelFlags   level,
                   const GLogField *fields,
                   gsize            n_fields,
                   gpointer         user_data)
{
  gsize i;

  for (i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0 && strstr (fields[i].value, "4321 bytes") != NULL)
      g_atomic_int_inc (&n_debug_lines);

  return G_LOG_WRITER_HANDLED;
}

/* The only report that Caffe2 had. Runs in its own process, because a log writer cannot be
 * removed. */
static void
test_log_memory (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }

  g_log_set_writer_func (count_debug_lines, NULL, NULL);
  c2g_storage_unref (allocate (4321));
  g_assert_cmpint (n_debug_lines, ==, 0);
  c2g_settings_set_log_memory (settings, TRUE);
  c2g_storage_unref (allocate (4321));
  g_assert_cmpint (n_debug_lines, ==, 2);
  c2g_settings_set_log_memory (settings, FALSE);
}

typedef struct
{
  Exchange exchange;
  int      stop;
} Shared;

static gpointer
churn (gpointer data)
{
  Shared *shared = data;
  guint i;

  for (i = 0; i < 5000; i++)
    {
      C2gStorage *storage = allocate (i % 1000);
      C2gStorage *other;

      if (i % 3 == 0)
        set_label (storage, i % 2 == 0 ? "even" : "odd");
      exchange_push (&shared->exchange, storage);
      other = exchange_try_pop (&shared->exchange);
      g_clear_pointer (&other, c2g_storage_unref);
    }

  return NULL;
}

/* Lists taken while other threads allocate are consistent. */
static gpointer
read_all (gpointer data)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  Shared *shared = data;

  while (g_atomic_int_get (&shared->stop) == 0)
    {
      g_autofree char *report = c2g_memory_reporter_dup_report (reporter);
      C2gMemoryBlock **blocks;
      guint n_blocks, i;

      blocks = c2g_memory_reporter_list_blocks (reporter, NULL, &n_blocks);
      for (i = 0; i < n_blocks; i++)
        {
          const char *name = c2g_memory_block_get_name (blocks[i]);

          g_assert_true (name == NULL || g_str_equal (name, "even") || g_str_equal (name, "odd"));
          g_assert_cmpuint (c2g_memory_block_get_n_bytes (blocks[i]), <, 1000);
        }
      free_blocks (blocks);
      g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), >, 0);
    }

  return NULL;
}

static void
test_threads (void)
{
  Shared shared = { 0 };
  GThread *reader = g_thread_new ("read", read_all, &shared);
  GThread *threads[4];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("churn", churn, &shared);
  for (i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_atomic_int_set (&shared.stop, 1);
  g_thread_join (reader);

  exchange_clear (&shared.exchange);
}

static char cache_name[] = "cache";
static guint n_freed;

static void
free_cache (gpointer cache)
{
  g_assert_true (cache == cache_name);
  n_freed++;
}

/* Removes the cache while it is counted, as when a driver waits for a thread that removes it. */
static gsize
count_while_it_goes (gpointer cache)
{
  c2g_memory_reporter_remove_cache (cache);
  g_assert_cmpuint (n_freed, ==, 0);

  return 7;
}

static gsize
count_cache (gpointer cache)
{
  return *(gsize *) cache;
}

/* A cache is counted with its present size, on its own device, until it is removed. */
static void
test_added_cache (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *cuda = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  guint64 n_bytes = c2g_memory_reporter_get_cached_bytes (reporter, NULL);
  gsize near = 7, far = 100;

  c2g_memory_reporter_add_cache (c2g_device_cpu (), count_cache, &near);
  c2g_memory_reporter_add_cache (cuda, count_cache, &far);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, n_bytes + 107);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, cuda), ==, 100);
  far = 50;
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, cuda), ==, 50);

  c2g_memory_reporter_remove_cache (&far);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, cuda), ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, n_bytes + 7);
  c2g_memory_reporter_remove_cache (&near);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, n_bytes);
}

/* A cache with a free function is counted without a lock, and is freed only when it is not being
 * counted. */
static void
test_taken_cache (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  guint64 n_bytes = c2g_memory_reporter_get_cached_bytes (reporter, NULL);

  n_freed = 0;
  c2g_memory_reporter_take_cache (c2g_device_cpu (), count_while_it_goes, cache_name,
                                  free_cache);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, n_bytes + 7);
  g_assert_cmpuint (n_freed, ==, 1);
  g_assert_cmpuint (c2g_memory_reporter_get_cached_bytes (reporter, NULL), ==, n_bytes);
}

/* Returns the external bytes of a name, and checks that the sum over all names is the reported
 * total. */
static gsize
sum_external (C2gMemoryReporter *reporter,
              const char        *name)
{
  gsize sum = 0, n_bytes = 0;
  guint n_blocks;
  C2gMemoryBlock **blocks = c2g_memory_reporter_list_external_blocks (reporter, NULL, &n_blocks);

  for (gsize i = 0; i < n_blocks; i++)
    {
      sum += c2g_memory_block_get_n_bytes (blocks[i]);
      if (g_strcmp0 (c2g_memory_block_get_name (blocks[i]), name) == 0)
        n_bytes += c2g_memory_block_get_n_bytes (blocks[i]);
    }
  g_assert_cmpuint (sum, ==, c2g_memory_reporter_get_external_bytes (reporter, NULL));
  free_blocks (blocks);

  return n_bytes;
}

static void
test_external (void)
{
  static float numbers[1000];
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) frame = c2g_workspace_create_blob (workspace, "frame", NULL);
  g_autoptr (C2gBlob) array = c2g_workspace_create_blob (workspace, "array", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, 800);
  g_autoptr (C2gStorage) storage = c2g_storage_new_from_bytes (bytes);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autofree char *report = NULL;
  g_autofree char *all = NULL;
  guint64 current = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  guint64 n_blocks = c2g_memory_reporter_get_n_blocks (reporter, NULL);

  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (200), storage, 0, NULL);
  c2g_blob_set_object (frame, G_OBJECT (tensor));
  g_assert_true (c2g_tensor_resize (c2g_blob_ensure_tensor (array, NULL, NULL),
                                    C2G_TEST_DIMS (1000), NULL));
  g_assert_true (c2g_tensor_share_external (c2g_blob_get_tensor (array, NULL),
                                            C2G_DATA_TYPE_FLOAT, numbers, sizeof numbers, NULL,
                                            NULL, NULL));
  g_assert_cmpuint (sum_external (reporter, "frame"), ==, 800);
  g_assert_cmpuint (sum_external (reporter, "array"), ==, sizeof numbers);

  /* External memory does not count as allocated. */
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, current);
  g_assert_cmpuint (c2g_memory_reporter_get_n_blocks (reporter, NULL), ==, n_blocks);

  report = c2g_workspace_dup_report (workspace);
  g_test_message ("%s", report);
  g_assert_nonnull (strstr (report, "          4000   83.3%  external  array\n"));
  g_assert_nonnull (strstr (report, "           800   16.7%  external  frame\n"));
  g_assert_nonnull (strstr (report, "          4800  100.0%  external  total\n"));
  all = c2g_memory_reporter_dup_report (reporter);
  g_assert_nonnull (strstr (all, "cpu: 4800 external bytes"));
  g_assert_nonnull (strstr (all, "800 external bytes, blocks: 1, on cpu: frame\n"));

  /* A write moves the tensor to its own block; `storage` still holds the bytes. */
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, NULL), ==, current + 800);
  c2g_blob_reset (array);
  g_assert_cmpuint (c2g_memory_reporter_get_external_bytes (reporter, NULL), ==, 800);
  g_assert_true (c2g_storage_reset (storage, NULL));
  g_assert_cmpuint (c2g_memory_reporter_get_external_bytes (reporter, NULL), ==, 0);
  g_assert_cmpuint (sum_external (reporter, "frame"), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/memory-reporter/default", test_default);
  c2g_test_add_func ("/memory-reporter/counts", test_counts);
  c2g_test_add_func ("/memory-reporter/devices", test_devices);
  c2g_test_add_func ("/memory-reporter/list-blocks", test_list_blocks);
  c2g_test_add_func ("/memory-reporter/external", test_external);
  c2g_test_add_func ("/memory-reporter/labels", test_labels);
  c2g_test_add_func ("/memory-reporter/report", test_report);
  c2g_test_add_func ("/memory-reporter/nothing-in-use", test_nothing_in_use);
  c2g_test_add_func ("/memory-reporter/foreign-memory", test_foreign_memory);
  c2g_test_add_func ("/memory-reporter/reset-storage", test_reset_storage);
  c2g_test_add_func ("/memory-reporter/cached", test_cached);
  c2g_test_add_func ("/memory-reporter/added-cache", test_added_cache);
  c2g_test_add_func ("/memory-reporter/taken-cache", test_taken_cache);
  c2g_test_add_func ("/memory-reporter/log-memory", test_log_memory);
  c2g_test_add_func ("/memory-reporter/threads", test_threads);

  return c2g_test_run ();
}
