/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <c2g/core/memory/c2g-allocator.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CPU_ALLOCATOR (c2g_cpu_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCpuAllocator, c2g_cpu_allocator, C2G, CPU_ALLOCATOR, C2gAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cpu_allocator_new           (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_cpu_allocator_new_aligned   (gsize             alignment,
                                               GError          **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean      c2g_cpu_allocator_get_zero_fill (C2gCpuAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_cpu_allocator_set_zero_fill (C2gCpuAllocator  *self,
                                               gboolean          zero_fill);

G_END_DECLS
