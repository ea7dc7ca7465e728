/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-cpu-allocator.h>

G_BEGIN_DECLS

/* Returns the address of the property, for hot paths. Atomic; valid as long as the allocator
 * lives. */
const int *c2g_cpu_allocator_peek_zero_fill (C2gCpuAllocator *self);

G_END_DECLS
