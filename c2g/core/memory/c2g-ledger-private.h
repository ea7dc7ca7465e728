/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-storage-private.h>

G_BEGIN_DECLS

/* A copy of the data of a block, for a snapshot. */
typedef struct
{
  C2gLabel  *label;
  C2gDevice *device;
  guint64    address;
  gsize      n_bytes;
} C2gLedgerRecord;

/* Every storage with an allocated block is a record in the ledger. Storages over foreign memory
 * are in separate lists, which totals and peaks do not count. */

/* Makes a storage for a block and adds it. Returns NULL if there is no memory for it. */
C2gStorage *c2g_ledger_add         (C2gAllocator *allocator,
                                    C2gDevice    *device,
                                    gpointer      block,
                                    gsize         n_bytes);
/* Allocates memory for a storage that is not in the ledger yet, and assigns it to a shard. Returns
 * NULL if there is no memory. */
C2gStorage *c2g_ledger_new_record  (void);
/* Removes the storage if it is in the ledger, copies it to former, and frees it. */
void        c2g_ledger_free_record (C2gStorage   *storage,
                                    C2gStorage   *former);

/* Adds a storage over foreign memory, which c2g_ledger_new_record() has made. */
void    c2g_ledger_add_external  (C2gStorage *storage);
void    c2g_ledger_remove        (C2gStorage *storage);
/* Removes a block that was never given to anyone: it is also subtracted from the total. */
void    c2g_ledger_forget        (C2gStorage *storage);
/* The ledger takes its own reference to the label, which may be NULL. */
void    c2g_ledger_set_label     (C2gStorage *storage,
                                  C2gLabel   *label);
/* Replaces the label only if there is none or it is old_label, because two tensors over one block
 * may both set it. */
void    c2g_ledger_replace_label (C2gStorage *storage,
                                  C2gLabel   *old_label,
                                  C2gLabel   *new_label);

/* Bytes that pools cache. They are counted on demand, because counting each block would take
 * longer than handing it out. count() runs in any thread, with a lock held, and may only count.
 * If FREE is given, no lock is held, and FREE is called when the pool is removed and not being
 * counted. */
typedef gsize (*C2gCachedFunc) (gpointer pool);

void    c2g_ledger_add_pool      (C2gDevice      *device,
                                  C2gCachedFunc   count,
                                  gpointer        pool,
                                  GDestroyNotify  free);
void    c2g_ledger_remove_pool   (gpointer       pool);
gsize   c2g_ledger_count_cached  (C2gDevice     *device);

/* Arrays of C2gLedgerRecord, taken at one moment. A NULL device means all. */
GArray *c2g_ledger_snapshot      (C2gDevice  *device);
GArray *c2g_ledger_snapshot_external (C2gDevice *device);
gsize   c2g_ledger_count_blocks  (C2gDevice  *device);
gsize   c2g_ledger_get_total     (C2gDevice  *device);
gsize   c2g_ledger_get_all_peak  (void);
void    c2g_ledger_reset_peaks   (void);

G_END_DECLS
