/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/memory/c2g-memory-block.h>
#include <c2g/core/memory/c2g-memory-reporter.h>

G_BEGIN_DECLS

/* Returns the names that hold most memory on a device, like "“fc1_w” 512 B, “data” 96 B", or NULL
 * if there are none. */
char *c2g_memory_reporter_dup_largest (C2gDevice *device,
                                       guint      n_names);

/* Takes ownership of NAME. */
C2gMemoryBlock *c2g_memory_block_new (char      *name,
                                      C2gDevice *device,
                                      guint64    address,
                                      gsize      n_bytes);

G_END_DECLS
