/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-memory-reporter.h>
#include <c2g/core/c2g-storage-private.h>

G_BEGIN_DECLS

/* The ledger: every storage whose block was allocated is a record in it. */
void  c2g_ledger_add              (C2gStorage *storage);
void  c2g_ledger_remove           (C2gStorage *storage);
void  c2g_ledger_set_label        (C2gStorage *storage,
                                   C2gLabel   *label);

/* What pools hold beyond the blocks they gave out. */
void  c2g_ledger_add_cached       (C2gDevice  *device,
                                   gsize       n_bytes);
void  c2g_ledger_remove_cached    (C2gDevice  *device,
                                   gsize       n_bytes);

/* "'fc1_w' 512 B, 'data' 96 B" of the largest blocks on a device. */
char *c2g_ledger_dup_largest      (C2gDevice  *device,
                                   guint       n_blocks);

G_END_DECLS
