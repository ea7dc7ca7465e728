/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/memory/c2g-cpu-allocator.h>
#include <c2g/core/memory/c2g-pool-allocator.h>

G_BEGIN_DECLS

/* The CPU allocator of the process. It is never freed, so that its blocks can be freed at any
 * time. */
C2gAllocator *c2g_allocator_builtin_cpu      (void);

/* This CPU allocator, for comparisons in hot paths. Atomic; NULL before it was first needed. */
extern C2gAllocator *c2g_allocator_builtin;

/* Allocates from the default allocator of the device. */
C2gStorage   *c2g_allocator_allocate_default (C2gDevice     *device,
                                              gsize          n_bytes,
                                              C2gContext    *context,
                                              GError       **error);

/* Keep the allocator alive while it has live blocks. */
void          c2g_allocator_hold_block       (C2gAllocator  *self);
void          c2g_allocator_drop_block       (C2gAllocator  *self);

/* Returns the address of the property, for hot paths. Atomic; valid as long as the allocator
 * lives. */
const int *c2g_cpu_allocator_peek_zero_fill (C2gCpuAllocator *self);

/* Fails if the pool cannot allocate, because its upstream gives memory that devices use. */
gboolean c2g_pool_allocator_check_upstream (C2gPoolAllocator  *self,
                                            GError           **error);

G_END_DECLS
