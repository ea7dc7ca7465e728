/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-pool-allocator.h>

G_BEGIN_DECLS

/* Fails if the pool cannot allocate, because its upstream gives memory that devices use. */
gboolean c2g_pool_allocator_check_upstream (C2gPoolAllocator  *self,
                                            GError           **error);

G_END_DECLS
