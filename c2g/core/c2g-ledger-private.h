/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-storage-private.h>

G_BEGIN_DECLS

/* What a block was when a snapshot was taken. */
typedef struct
{
  C2gLabel  *label;
  C2gDevice *device;
  guint64    address;
  gsize      n_bytes;
} C2gLedgerRecord;

/* Memory for a storage, and the shard that it is of; NULL if there is none. */
C2gStorage *c2g_ledger_new_record  (void);
void        c2g_ledger_free_record (C2gStorage *record);

/* Every storage whose block was allocated is a record in the ledger, and one over foreign memory is
 * one apart, which the totals and the peaks do not count. */
void    c2g_ledger_add           (C2gStorage *storage);
void    c2g_ledger_add_external  (C2gStorage *storage);
void    c2g_ledger_remove        (C2gStorage *storage);
/* Removes what never was anybody's memory: it does not stay in the total. */
void    c2g_ledger_forget        (C2gStorage *storage);
void    c2g_ledger_set_label     (C2gStorage *storage,
                                  C2gLabel   *label);
/* Only where there is no name, or old_label: two tensors over one block may each want it. */
void    c2g_ledger_replace_label (C2gStorage *storage,
                                  C2gLabel   *old_label,
                                  C2gLabel   *new_label);

/* What pools hold beyond the blocks they gave out.  They are asked when somebody
 * wants to know: to count every block that comes and goes would take longer than
 * to hand it out.  count() runs in any thread, under a lock: it only counts. With free(), which
 * is called when the pool is removed and nobody counts it, there is no lock. */
typedef gsize (*C2gCachedFunc) (gpointer pool);

void    c2g_ledger_add_pool      (C2gDevice      *device,
                                  C2gCachedFunc   count,
                                  gpointer        pool,
                                  GDestroyNotify  free);
void    c2g_ledger_remove_pool   (gpointer       pool);
gsize   c2g_ledger_count_cached  (C2gDevice     *device);

/* Arrays of C2gLedgerRecord, taken at one moment; device is NULL for all. */
GArray *c2g_ledger_snapshot      (C2gDevice  *device);
GArray *c2g_ledger_snapshot_external (C2gDevice *device);
gsize   c2g_ledger_count_blocks  (C2gDevice  *device);
gsize   c2g_ledger_get_total     (C2gDevice  *device);
gsize   c2g_ledger_get_all_peak  (void);
void    c2g_ledger_reset_peaks   (void);

G_END_DECLS
