/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_MEMORY_BLOCK (c2g_memory_block_get_type ())

typedef struct _C2gMemoryBlock C2gMemoryBlock;

C2G_AVAILABLE_IN_ALL
GType           c2g_memory_block_get_type    (void);

C2G_AVAILABLE_IN_ALL
C2gMemoryBlock *c2g_memory_block_ref         (C2gMemoryBlock *self);
C2G_AVAILABLE_IN_ALL
void            c2g_memory_block_unref       (C2gMemoryBlock *self);

C2G_AVAILABLE_IN_ALL
const char     *c2g_memory_block_get_name    (C2gMemoryBlock *self);
C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_memory_block_get_device  (C2gMemoryBlock *self);
C2G_AVAILABLE_IN_ALL
guint64         c2g_memory_block_get_address (C2gMemoryBlock *self);
C2G_AVAILABLE_IN_ALL
gsize           c2g_memory_block_get_n_bytes (C2gMemoryBlock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gMemoryBlock, c2g_memory_block_unref)

G_END_DECLS
