/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-memory-block.h>

G_BEGIN_DECLS

/* Takes ownership of NAME. */
C2gMemoryBlock *c2g_memory_block_new (char      *name,
                                      C2gDevice *device,
                                      guint64    address,
                                      gsize      n_bytes);

G_END_DECLS
