/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-memory-reporter-private.h>

#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/types/c2g-i18n-private.h>

/**
 * C2gMemoryReporter:
 *
 * Reports the use of memory.
 *
 * The reporter knows every live block of all allocators: its size, its device, and the name of
 * the blob it was allocated for. There is one reporter in a process,
 * [func@MemoryReporter.get_default].
 *
 * The requested sizes are counted. Foreign memory that a tensor shares, such as NumPy arrays,
 * bytes and mapped files, is counted separately by [method@MemoryReporter.get_external_bytes],
 * once for each time that it was shared. Memory that pools cache is also counted separately,
 * by [method@MemoryReporter.get_cached_bytes]. The sum over
 * [method@MemoryReporter.list_blocks] equals [method@MemoryReporter.get_current_bytes]
 * whenever no other thread allocates.
 *
 * ```python
 * reporter = C2g.MemoryReporter.get_default()
 * print(reporter.get_current_bytes(None), reporter.dup_report())
 * ```
 *
 * The report is a line for each device, and one for each name:
 *
 * ```
 * cpu: 104 bytes now, 104 at the peak, 104 in total, 0 kept by pools
 *           80 bytes, blocks: 1, on cpu: weights
 *           24 bytes, blocks: 2, on cpu: (without a name)
 * ```
 *
 * It extends Caffe2's `MemoryAllocationReporter`, which could only log.
 *
 * ## Threads
 *
 * Everything can be called in any thread at any time.
 */
struct _C2gMemoryReporter
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gMemoryReporter, c2g_memory_reporter, G_TYPE_OBJECT)

/* The memory of one name on one device. */
typedef struct
{
  char      *name;
  C2gDevice *device;
  gsize      n_bytes;
  gsize      n_blocks;
} Holding;

/* A singleton: every construction returns the same object. */
static GObject *
c2g_memory_reporter_constructor (GType                  type,
                                 guint                  n_properties,
                                 GObjectConstructParam *properties)
{
  static GMutex lock;
  static GObject *only;

  g_mutex_lock (&lock);
  if (only == NULL)
    only = G_OBJECT_CLASS (c2g_memory_reporter_parent_class)->constructor (type, n_properties, properties);
  g_mutex_unlock (&lock);

  return g_object_ref (only);
}

static void
c2g_memory_reporter_class_init (C2gMemoryReporterClass *klass)
{
  G_OBJECT_CLASS (klass)->constructor = c2g_memory_reporter_constructor;
}

static void
c2g_memory_reporter_init (C2gMemoryReporter *self)
{
}

/**
 * c2g_memory_reporter_get_default:
 *
 * Gets the reporter of this process.
 *
 * Returns: (transfer full): the reporter
 */
C2gMemoryReporter *
c2g_memory_reporter_get_default (void)
{
  static C2gMemoryReporter *reporter;

  if (g_once_init_enter (&reporter))
    g_once_init_leave (&reporter, g_object_new (C2G_TYPE_MEMORY_REPORTER, NULL));

  return g_object_ref (reporter);
}

typedef struct
{
  gsize   field_offset;
  guint64 sum;
} Sum;

static void
add_field (C2gDevice *device,
           gpointer   user_data)
{
  Sum *sum = user_data;

  sum->sum += (gsize) g_atomic_pointer_get ((gsize *) G_STRUCT_MEMBER_P (device, sum->field_offset));
}

/* Sums one counter over one device or all. */
static guint64
sum_field (C2gDevice *device,
           gsize      field_offset)
{
  Sum sum = { field_offset, 0 };

  if (device != NULL)
    add_field (device, &sum);
  else
    c2g_device_foreach (add_field, &sum);

  return sum.sum;
}

/**
 * c2g_memory_reporter_get_current_bytes:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Gets how many bytes are allocated now.
 *
 * Returns: bytes
 */
guint64
c2g_memory_reporter_get_current_bytes (C2gMemoryReporter *self,
                                       C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  return sum_field (device, G_STRUCT_OFFSET (C2gDevice, current_bytes));
}

/**
 * c2g_memory_reporter_get_peak_bytes:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Gets the maximum number of bytes that were allocated at the same time.
 *
 * It counts from the start, or from the last [method@MemoryReporter.reset_peak].
 *
 * Returns: bytes
 */
guint64
c2g_memory_reporter_get_peak_bytes (C2gMemoryReporter *self,
                                    C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  if (device == NULL)
    return c2g_ledger_get_all_peak ();

  return sum_field (device, G_STRUCT_OFFSET (C2gDevice, peak_bytes));
}

/**
 * c2g_memory_reporter_get_total_bytes:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Gets how many bytes were ever allocated, freed ones included.
 *
 * Returns: bytes
 */
guint64
c2g_memory_reporter_get_total_bytes (C2gMemoryReporter *self,
                                     C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  return c2g_ledger_get_total (device);
}

/**
 * c2g_memory_reporter_get_cached_bytes:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Gets how many bytes pools cache for reuse.
 *
 * [method@Allocator.trim] frees them.
 *
 * Returns: bytes
 */
guint64
c2g_memory_reporter_get_cached_bytes (C2gMemoryReporter *self,
                                      C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  return c2g_ledger_count_cached (device);
}

/**
 * c2g_memory_reporter_get_n_blocks:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Counts the live blocks.
 *
 * Returns: a number of blocks
 */
guint64
c2g_memory_reporter_get_n_blocks (C2gMemoryReporter *self,
                                  C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  return c2g_ledger_count_blocks (device);
}

static int
compare_records (gconstpointer a,
                 gconstpointer b)
{
  const C2gLedgerRecord *left = a;
  const C2gLedgerRecord *right = b;

  if (left->n_bytes != right->n_bytes)
    return left->n_bytes > right->n_bytes ? -1 : 1;

  return left->address < right->address ? -1 : left->address > right->address;
}

/* Takes ownership of the records. */
static C2gMemoryBlock **
list_records (GArray *records,
              guint  *n_blocks)
{
  C2gMemoryBlock **blocks = g_new (C2gMemoryBlock *, records->len + 1);

  g_array_sort (records, compare_records);
  for (guint i = 0; i < records->len; i++)
    {
      C2gLedgerRecord *record = &g_array_index (records, C2gLedgerRecord, i);
      char *name = record->label != NULL ? c2g_label_dup_name (record->label) : NULL;

      blocks[i] = c2g_memory_block_new (name, record->device, record->address, record->n_bytes);
    }
  blocks[records->len] = NULL;

  if (n_blocks != NULL)
    *n_blocks = records->len;
  g_array_unref (records);

  return blocks;
}

/**
 * c2g_memory_reporter_list_blocks:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 * @n_blocks: (out) (optional): how many blocks
 *
 * Lists the live blocks, the largest first.
 *
 * Returns: (transfer full) (array length=n_blocks zero-terminated=1): the blocks
 */
C2gMemoryBlock **
c2g_memory_reporter_list_blocks (C2gMemoryReporter *self,
                                 C2gDevice         *device,
                                 guint             *n_blocks)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), NULL);

  return list_records (c2g_ledger_snapshot (device), n_blocks);
}

/**
 * c2g_memory_reporter_get_external_bytes:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 *
 * Gets the number of bytes of foreign memory that storages share now.
 *
 * The other numbers do not count them. Memory that is shared twice counts twice.
 *
 * Returns: bytes
 */
guint64
c2g_memory_reporter_get_external_bytes (C2gMemoryReporter *self,
                                        C2gDevice         *device)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), 0);

  return sum_field (device, G_STRUCT_OFFSET (C2gDevice, external_bytes));
}

/**
 * c2g_memory_reporter_list_external_blocks:
 * @self: the reporter
 * @device: (nullable): a device, or `NULL` for all
 * @n_blocks: (out) (optional): how many blocks
 *
 * Lists the foreign memory that storages share, the largest first.
 *
 * A block has the name of the first blob that it was in. Their sum is
 * [method@MemoryReporter.get_external_bytes] if no other thread shares memory meanwhile.
 *
 * Returns: (transfer full) (array length=n_blocks zero-terminated=1): the blocks
 */
C2gMemoryBlock **
c2g_memory_reporter_list_external_blocks (C2gMemoryReporter *self,
                                          C2gDevice         *device,
                                          guint             *n_blocks)
{
  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), NULL);

  return list_records (c2g_ledger_snapshot_external (device), n_blocks);
}

/**
 * c2g_memory_reporter_reset_peak:
 * @self: the reporter
 *
 * Sets the peaks of all devices to the bytes that are allocated now.
 */
void
c2g_memory_reporter_reset_peak (C2gMemoryReporter *self)
{
  g_return_if_fail (C2G_IS_MEMORY_REPORTER (self));

  c2g_ledger_reset_peaks ();
}

static int
compare_holdings (gconstpointer a,
                  gconstpointer b)
{
  const Holding *left = a;
  const Holding *right = b;

  if (left->n_bytes != right->n_bytes)
    return left->n_bytes > right->n_bytes ? -1 : 1;

  return g_strcmp0 (left->name, right->name);
}

static void
clear_holding (gpointer data)
{
  Holding *holding = data;

  g_free (holding->name);
}

static void
add_to_holdings (GArray          *holdings,
                 GHashTable      *indices,
                 C2gLedgerRecord *record)
{
  g_autofree char *name = record->label != NULL ? c2g_label_dup_name (record->label) : NULL;
  g_autofree char *key = g_strconcat (c2g_device_to_string (record->device), name != NULL ? "/" : "",
                                      name, NULL);
  gpointer index;
  Holding *holding;

  if (!g_hash_table_lookup_extended (indices, key, NULL, &index))
    {
      Holding empty = { g_steal_pointer (&name), record->device, 0, 0 };

      index = GUINT_TO_POINTER (holdings->len);
      g_hash_table_insert (indices, g_steal_pointer (&key), index);
      g_array_append_val (holdings, empty);
    }

  holding = &g_array_index (holdings, Holding, GPOINTER_TO_UINT (index));
  holding->n_bytes += record->n_bytes;
  holding->n_blocks++;
}

/* Groups the blocks by name and device, the largest first. Takes ownership of the records. */
static GArray *
collect_holdings (GArray *taken)
{
  g_autoptr (GArray) records = taken;
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *holdings = g_array_new (FALSE, FALSE, sizeof (Holding));

  g_array_set_clear_func (holdings, clear_holding);
  for (guint i = 0; i < records->len; i++)
    add_to_holdings (holdings, indices, &g_array_index (records, C2gLedgerRecord, i));
  g_array_sort (holdings, compare_holdings);

  return holdings;
}

char *
c2g_memory_reporter_dup_largest (C2gDevice *device,
                                 guint      n_names)
{
  g_autoptr (GArray) holdings = collect_holdings (c2g_ledger_snapshot (device));
  GString *text;

  if (holdings->len == 0)
    return NULL;

  text = g_string_new (NULL);
  for (guint i = 0; i < MIN (holdings->len, n_names); i++)
    {
      Holding *holding = &g_array_index (holdings, Holding, i);

      if (i > 0)
        g_string_append (text, _(", "));
      if (holding->name != NULL)
        g_string_append_printf (text, "“%s” ", holding->name);
      else
        g_string_append_printf (text, "%s ", _("without a name"));
      g_string_append_printf (text, _("%zu bytes"), holding->n_bytes);
    }

  return g_string_free (text, FALSE);
}

static void
append_device (C2gDevice *device,
               gpointer   user_data)
{
  GString *text = user_data;
  gsize external_bytes = (gsize) g_atomic_pointer_get (&device->external_bytes);

  if (external_bytes > 0)
    g_string_append_printf (text, _("%s: %zu external bytes, memory of others\n"), device->name,
                            external_bytes);
  if (c2g_ledger_get_total (device) == 0)
    return;

  g_string_append_printf (text,
                          _("%s: %zu bytes now, %zu at the peak, %zu in total, %zu"
                            " kept by pools\n"),
                          device->name, (gsize) g_atomic_pointer_get (&device->current_bytes),
                          (gsize) g_atomic_pointer_get (&device->peak_bytes),
                          c2g_ledger_get_total (device),
                          c2g_ledger_count_cached (device));
}

static void
append_holdings (GString *text,
                 GArray  *holdings,
                 gboolean is_external)
{
  for (guint i = 0; i < holdings->len; i++)
    {
      Holding *holding = &g_array_index (holdings, Holding, i);
      const char *name = holding->name != NULL ? holding->name : _("(without a name)");

      if (is_external)
        g_string_append_printf (text, _("%12zu external bytes, blocks: %zu, on %s: %s\n"),
                                holding->n_bytes, holding->n_blocks, holding->device->name, name);
      else
        g_string_append_printf (text, _("%12zu bytes, blocks: %zu, on %s: %s\n"),
                                holding->n_bytes, holding->n_blocks, holding->device->name, name);
    }
}

/**
 * c2g_memory_reporter_dup_report:
 * @self: the reporter
 *
 * Describes all live memory as text.
 *
 * There is a line for every device that was used, then a line for every name, the largest
 * first; and the same for foreign memory, if there is any, as external bytes.
 *
 * Returns: (transfer full): lines of text
 */
char *
c2g_memory_reporter_dup_report (C2gMemoryReporter *self)
{
  g_autoptr (GArray) holdings = NULL;
  g_autoptr (GArray) external = NULL;
  GString *text;

  g_return_val_if_fail (C2G_IS_MEMORY_REPORTER (self), NULL);

  holdings = collect_holdings (c2g_ledger_snapshot (NULL));
  external = collect_holdings (c2g_ledger_snapshot_external (NULL));
  text = g_string_new (NULL);
  c2g_device_foreach (append_device, text);
  if (text->len == 0)
    g_string_append (text, _("No memory was allocated yet\n"));

  append_holdings (text, holdings, FALSE);
  append_holdings (text, external, TRUE);

  return g_string_free (text, FALSE);
}

/**
 * c2g_memory_reporter_add_cache: (skip)
 * @device: the device of the memory
 * @count: tells how many bytes the cache holds
 * @cache: the argument of @count
 *
 * Makes the reporter count the cached bytes of an allocator; for implementations of
 * allocators.
 */
void
c2g_memory_reporter_add_cache (C2gDevice          *device,
                               C2gCachedBytesFunc  count,
                               gpointer            cache)
{
  g_return_if_fail (device != NULL);
  g_return_if_fail (count != NULL);

  c2g_ledger_add_pool (device, count, cache, NULL);
}

/**
 * c2g_memory_reporter_take_cache: (skip)
 * @device: the device of the memory
 * @count: tells how many bytes the cache holds
 * @cache: the argument of @count
 * @free: releases @cache
 *
 * Makes the reporter count a cache whose size is known only to others, such as a driver.
 *
 * No lock is held while @count runs, because a driver may wait for a thread that removes a
 * cache. So the cache may still be in use by @count when c2g_memory_reporter_remove_cache()
 * returns; it is freed after that.
 */
void
c2g_memory_reporter_take_cache (C2gDevice          *device,
                                C2gCachedBytesFunc  count,
                                gpointer            cache,
                                GDestroyNotify      free)
{
  g_return_if_fail (device != NULL);
  g_return_if_fail (count != NULL);
  g_return_if_fail (free != NULL);

  c2g_ledger_add_pool (device, count, cache, free);
}

/**
 * c2g_memory_reporter_remove_cache: (skip)
 * @cache: the argument of `c2g_memory_reporter_add_cache()`
 *
 * Removes a cache from the reporter.
 *
 * When it returns, no thread counts the cache any more, unless the reporter owns it.
 */
void
c2g_memory_reporter_remove_cache (gpointer cache)
{
  c2g_ledger_remove_pool (cache);
}
