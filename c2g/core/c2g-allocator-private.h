/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-backend.h>

G_BEGIN_DECLS

/* The process-wide CPU allocator: never released, so that what it made can be
 * given back at any time. */
C2gAllocator *c2g_allocator_builtin_cpu      (void);

/* The same for hot paths, to compare with: atomic, NULL before it was first needed. */
extern C2gAllocator *c2g_allocator_builtin;

/* What a device's tensors take their memory from. */
C2gStorage   *c2g_allocator_allocate_default (C2gDevice     *device,
                                              gsize          n_bytes,
                                              C2gContext    *context,
                                              GError       **error);

/* Keeps an allocator alive while blocks of it are out. */
void          c2g_allocator_hold_block       (C2gAllocator  *self);
void          c2g_allocator_drop_block       (C2gAllocator  *self);

G_END_DECLS
