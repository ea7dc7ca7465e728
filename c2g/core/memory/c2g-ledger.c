/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-ledger-private.h>

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-settings-private.h>

#include <stdlib.h>

/* The ledger of live blocks.
 *
 * Each storage is its own record, a link in the list of a shard. A thread adds to one shard, so
 * that threads rarely contend. Totals for each device are atomic additions made under the shard's
 * lock: with every shard locked they equal the sum over the records. A record costs two
 * uncontended locks and two atomic additions in its whole life. Under the same locks its memory
 * comes from, and returns to, a list of spare records, because malloc() and free() took as long as
 * all of that.
 *
 * Storages over foreign memory are in separate lists with a sum for each device, since they were
 * not allocated. */

#define N_SHARDS 32

/* Number of spare records in each shard. None with sanitizers, so that they detect uses after
 * free. */
#define N_SPARE 16
#ifdef C2G_SANITIZED
# define KEEPS_RECORDS 0
#else
# define KEEPS_RECORDS 1
#endif

typedef struct
{
  int         lock;
  guint       n_blocks;
  guint       n_spare;
  C2gStorage *spare;
  C2gStorage *first;
  /* List of storages over foreign memory. */
  C2gStorage *first_external;
  /* Bytes ever allocated on the CPU by threads of this shard. */
  gsize       total_bytes;
} __attribute__ ((aligned (64))) Shard;

static Shard shards[N_SHARDS];

/* Current bytes of all devices except the CPU, and the highest sum of all devices. */
static gsize other_bytes;
static gsize all_peak_bytes;

typedef struct
{
  gatomicrefcount  ref_count;
  C2gDevice       *device;
  C2gCachedFunc    count;
  gpointer         pool;
  GDestroyNotify   free;
} Pool;

static GMutex pools_lock;
static GSList *pools;

/* A spin lock: it is held for a few instructions, nearly always by its own thread. A GMutex took
 * a fifth of the time of an allocation. After some tries a waiter sleeps, so that a thread of
 * high priority cannot starve the holder. */
static void
wait_for_shard (Shard *shard)
{
  guint n_tries;

  for (n_tries = 1; !g_atomic_int_compare_and_exchange (&shard->lock, 0, 1); n_tries++)
    if (n_tries > 100)
      g_usleep (20);
}

static inline void
lock_shard (Shard *shard)
{
  if (G_UNLIKELY (!g_atomic_int_compare_and_exchange (&shard->lock, 0, 1)))
    wait_for_shard (shard);
}

/* A release store. g_atomic_int_set() is sequentially consistent, which is slower and not
 * needed. */
static inline void
unlock_shard (Shard *shard)
{
  __atomic_store_n (&shard->lock, 0, __ATOMIC_RELEASE);
}

/* Returns the shard of this thread. Threads get the shards in turn. */
static guint
own_shard (void)
{
  static guint n_threads;
  static C2G_HOT_THREAD guint shard_plus_one;

  if (G_UNLIKELY (shard_plus_one == 0))
    shard_plus_one = (guint) g_atomic_int_add (&n_threads, 1) % N_SHARDS + 1;

  return shard_plus_one - 1;
}

/* Locks the shard and takes a spare record or a new one. Returns NULL, and locks nothing, if there
 * is no memory. */
static inline C2gStorage *
lock_with_record (Shard *shard)
{
  C2gStorage *record;

  lock_shard (shard);
  record = shard->spare;
  if (G_LIKELY (record != NULL))
    {
      shard->spare = record->next;
      shard->n_spare--;
      return record;
    }
  unlock_shard (shard);

  record = malloc (sizeof *record);
  if (record != NULL)
    lock_shard (shard);

  return record;
}

/* Unlocks the shard and frees the record, or keeps it as a spare one. */
static inline void
unlock_without_record (Shard      *shard,
                       C2gStorage *record)
{
  const gboolean keeps = KEEPS_RECORDS && shard->n_spare < N_SPARE;

  if (G_LIKELY (keeps))
    {
      record->next = shard->spare;
      shard->spare = record;
      shard->n_spare++;
    }
  unlock_shard (shard);

  if (G_UNLIKELY (!keeps))
    free (record);
}

C2gStorage *
c2g_ledger_new_record (void)
{
  const guint number = own_shard ();
  C2gStorage *record = lock_with_record (&shards[number]);

  if (G_UNLIKELY (record == NULL))
    return NULL;

  unlock_shard (&shards[number]);
  record->shard = number;

  return record;
}

static void
raise_peak (gsize *peak,
            gsize  n_bytes)
{
  gsize old = g_atomic_pointer_get (peak);

  while (G_UNLIKELY (n_bytes > old) &&
         !g_atomic_pointer_compare_and_exchange (peak, old, n_bytes))
    old = g_atomic_pointer_get (peak);
}

/* Called with the lock of the shard held, as count_out() is. */
static void
count_in (Shard     *shard,
          C2gDevice *device,
          gsize      n_bytes)
{
  C2gDevice *cpu = c2g_device_cpu ();
  gsize current, all;

  current = (gsize) g_atomic_pointer_add (&device->current_bytes, n_bytes) + n_bytes;
  raise_peak (&device->peak_bytes, current);

  if (G_LIKELY (device == cpu))
    {
      shard->total_bytes += n_bytes;
      raise_peak (&all_peak_bytes, current + (gsize) g_atomic_pointer_get (&other_bytes));
      return;
    }

  g_atomic_pointer_add (&device->total_bytes, n_bytes);
  all = (gsize) g_atomic_pointer_add (&other_bytes, n_bytes) + n_bytes +
          (gsize) g_atomic_pointer_get (&cpu->current_bytes);
  raise_peak (&all_peak_bytes, all);
}

static void
count_out (C2gDevice *device,
           gsize      n_bytes)
{
  g_atomic_pointer_add (&device->current_bytes, -(gssize) n_bytes);
  if (G_UNLIKELY (device != c2g_device_cpu ()))
    g_atomic_pointer_add (&other_bytes, -(gssize) n_bytes);
}

static void
log_change (C2gStorage *storage,
            const char *what)
{
  g_debug ("%s %" G_GSIZE_FORMAT " bytes at %p on %s, %" G_GSIZE_FORMAT " in use", what,
           storage->n_bytes, storage->address, c2g_device_to_string (storage->device),
           (gsize) g_atomic_pointer_get (&storage->device->current_bytes));
}

static inline void
link_record (C2gStorage **first,
             C2gStorage  *storage)
{
  storage->next = *first;
  if (*first != NULL)
    (*first)->previous = storage;
  *first = storage;
}

static inline void
unlink_record (C2gStorage **first,
               C2gStorage  *storage)
{
  if (storage->previous != NULL)
    storage->previous->next = storage->next;
  else
    *first = storage->next;
  if (storage->next != NULL)
    storage->next->previous = storage->previous;
}

C2gStorage *
c2g_ledger_add (C2gAllocator *allocator,
                C2gDevice    *device,
                gpointer      block,
                gsize         n_bytes)
{
  const guint number = own_shard ();
  Shard *shard = &shards[number];
  C2gStorage *storage = lock_with_record (shard);

  if (G_UNLIKELY (storage == NULL))
    return NULL;

  c2g_storage_init (storage, device, block, n_bytes);
  storage->allocator = allocator;
  storage->listed = TRUE;
  storage->shard = number;
  link_record (&shard->first, storage);
  shard->n_blocks++;
  count_in (shard, device, n_bytes);
  unlock_shard (shard);

  if (G_UNLIKELY (g_atomic_int_get (&c2g_settings_log_memory)))
    log_change (storage, "Allocated");

  return storage;
}

void
c2g_ledger_add_external (C2gStorage *storage)
{
  Shard *shard = &shards[storage->shard];

  lock_shard (shard);
  link_record (&shard->first_external, storage);
  g_atomic_pointer_add (&storage->device->external_bytes, storage->n_bytes);
  unlock_shard (shard);
}

/* Called with the lock held. */
static inline void
remove_locked (Shard      *shard,
               C2gStorage *storage)
{
  if (G_UNLIKELY (storage->allocator == NULL))
    {
      unlink_record (&shard->first_external, storage);
      g_atomic_pointer_add (&storage->device->external_bytes, -(gssize) storage->n_bytes);
      return;
    }

  unlink_record (&shard->first, storage);
  shard->n_blocks--;
  count_out (storage->device, storage->n_bytes);
}

static inline void
log_removal (C2gStorage *storage)
{
  if (G_UNLIKELY (g_atomic_int_get (&c2g_settings_log_memory)) && storage->allocator != NULL)
    log_change (storage, "Freed");
}

void
c2g_ledger_remove (C2gStorage *storage)
{
  Shard *shard = &shards[storage->shard];

  lock_shard (shard);
  remove_locked (shard, storage);
  unlock_shard (shard);

  log_removal (storage);
}

void
c2g_ledger_free_record (C2gStorage *storage,
                        C2gStorage *former)
{
  Shard *shard = &shards[storage->shard];

  lock_shard (shard);
  *former = *storage;
  if (G_LIKELY (storage->listed))
    remove_locked (shard, storage);
  unlock_without_record (shard, storage);

  if (former->listed)
    log_removal (former);
}

void
c2g_ledger_forget (C2gStorage *storage)
{
  Shard *shard = &shards[storage->shard];

  c2g_ledger_remove (storage);

  if (storage->device != c2g_device_cpu ())
    {
      g_atomic_pointer_add (&storage->device->total_bytes, -(gssize) storage->n_bytes);
      return;
    }

  lock_shard (shard);
  shard->total_bytes -= storage->n_bytes;
  unlock_shard (shard);
}

void
c2g_ledger_set_label (C2gStorage *storage,
                      C2gLabel   *label)
{
  Shard *shard = &shards[storage->shard];
  C2gLabel *old;

  if (label != NULL)
    c2g_label_ref (label);

  lock_shard (shard);
  old = storage->label;
  storage->label = label;
  unlock_shard (shard);

  if (old != NULL)
    c2g_label_unref (old);
}

void
c2g_ledger_replace_label (C2gStorage *storage,
                          C2gLabel   *old_label,
                          C2gLabel   *new_label)
{
  Shard *shard = &shards[storage->shard];
  C2gLabel *unneeded = new_label;

  if (new_label != NULL)
    c2g_label_ref (new_label);

  lock_shard (shard);
  if (storage->label == NULL || storage->label == old_label || !c2g_label_has_name (storage->label))
    {
      unneeded = storage->label;
      storage->label = new_label;
    }
  unlock_shard (shard);

  if (unneeded != NULL)
    c2g_label_unref (unneeded);
}

void
c2g_ledger_add_pool (C2gDevice      *device,
                     C2gCachedFunc   count,
                     gpointer        pool,
                     GDestroyNotify  free)
{
  Pool *self = g_new (Pool, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->device = device;
  self->count = count;
  self->pool = pool;
  self->free = free;

  g_mutex_lock (&pools_lock);
  pools = g_slist_prepend (pools, self);
  g_mutex_unlock (&pools_lock);
}

static void
pool_unref (gpointer data)
{
  Pool *self = data;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->free != NULL)
    self->free (self->pool);
  g_free (self);
}

static int
compare_pool (gconstpointer pool,
              gconstpointer wanted)
{
  return ((const Pool *) pool)->pool != wanted;
}

void
c2g_ledger_remove_pool (gpointer pool)
{
  GSList *link;

  g_mutex_lock (&pools_lock);
  link = g_slist_find_custom (pools, pool, compare_pool);
  pools = g_slist_remove_link (pools, link);
  g_mutex_unlock (&pools_lock);

  g_slist_free_full (link, pool_unref);
}

/* Counts the pools without free(). Returns references to the others, which are counted without
 * the lock. */
static gsize
count_simple_pools (C2gDevice *device,
                    GSList   **others)
{
  gsize n_bytes = 0;

  g_mutex_lock (&pools_lock);
  for (GSList *link = pools; link != NULL; link = link->next)
    {
      Pool *pool = link->data;

      if (device != NULL && pool->device != device)
        continue;
      if (pool->free == NULL)
        n_bytes += pool->count (pool->pool);
      else
        {
          g_atomic_ref_count_inc (&pool->ref_count);
          *others = g_slist_prepend (*others, pool);
        }
    }
  g_mutex_unlock (&pools_lock);

  return n_bytes;
}

gsize
c2g_ledger_count_cached (C2gDevice *device)
{
  GSList *others = NULL;
  gsize n_bytes = count_simple_pools (device, &others);

  for (GSList *link = others; link != NULL; link = link->next)
    {
      Pool *pool = link->data;

      n_bytes += pool->count (pool->pool);
    }
  g_slist_free_full (others, pool_unref);

  return n_bytes;
}

static void
add_total (C2gDevice *device,
           gpointer   user_data)
{
  gsize *total = user_data;

  *total += (gsize) g_atomic_pointer_get (&device->total_bytes);
}

gsize
c2g_ledger_get_total (C2gDevice *device)
{
  gsize total = 0;
  guint i;

  if (device != NULL)
    add_total (device, &total);
  else
    c2g_device_foreach (add_total, &total);

  if (device == NULL || device == c2g_device_cpu ())
    for (i = 0; i < N_SHARDS; i++)
      {
        lock_shard (&shards[i]);
        total += shards[i].total_bytes;
        unlock_shard (&shards[i]);
      }

  return total;
}

gsize
c2g_ledger_get_all_peak (void)
{
  return (gsize) g_atomic_pointer_get (&all_peak_bytes);
}

static void
reset_device_peak (C2gDevice *device,
                   gpointer   user_data)
{
  gsize *all = user_data;
  gsize current = (gsize) g_atomic_pointer_get (&device->current_bytes);

  g_atomic_pointer_set (&device->peak_bytes, current);
  *all += current;
}

/* All other code holds at most one shard, and this takes them in order: so there is no deadlock. */
static void
lock_all (void)
{
  for (guint i = 0; i < N_SHARDS; i++)
    lock_shard (&shards[i]);
}

static void
unlock_all (void)
{
  for (guint i = N_SHARDS; i > 0; i--)
    unlock_shard (&shards[i - 1]);
}

void
c2g_ledger_reset_peaks (void)
{
  gsize all = 0;

  lock_all ();
  c2g_device_foreach (reset_device_peak, &all);
  g_atomic_pointer_set (&all_peak_bytes, all);
  unlock_all ();
}

static void
snapshot_storage (GArray     *records,
                  C2gStorage *storage)
{
  C2gLedgerRecord record;

  record.label = storage->label != NULL ? c2g_label_ref (storage->label) : NULL;
  record.device = storage->device;
  record.address = (guint64) (guintptr) storage->address;
  record.n_bytes = storage->n_bytes;
  g_array_append_val (records, record);
}

static void
clear_record (gpointer data)
{
  C2gLedgerRecord *record = data;

  g_clear_pointer (&record->label, c2g_label_unref);
}

static GArray *
take_snapshot (C2gDevice *device,
               gboolean   is_external)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (C2gLedgerRecord));

  g_array_set_clear_func (records, clear_record);

  lock_all ();
  for (guint i = 0; i < N_SHARDS; i++)
    for (C2gStorage *storage = is_external ? shards[i].first_external : shards[i].first;
         storage != NULL; storage = storage->next)
      if (device == NULL || storage->device == device)
        snapshot_storage (records, storage);
  unlock_all ();

  return records;
}

GArray *
c2g_ledger_snapshot (C2gDevice *device)
{
  return take_snapshot (device, FALSE);
}

GArray *
c2g_ledger_snapshot_external (C2gDevice *device)
{
  return take_snapshot (device, TRUE);
}

gsize
c2g_ledger_count_blocks (C2gDevice *device)
{
  gsize n_blocks = 0;

  lock_all ();
  for (guint i = 0; i < N_SHARDS; i++)
    {
      if (device == NULL)
        n_blocks += shards[i].n_blocks;
      else
        for (C2gStorage *storage = shards[i].first; storage != NULL; storage = storage->next)
          n_blocks += storage->device == device;
    }
  unlock_all ();

  return n_blocks;
}
