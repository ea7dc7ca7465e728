/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <c2g/core/memory/c2g-adaptor-allocator.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_TRACKING_ALLOCATOR (c2g_tracking_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gTrackingAllocator, c2g_tracking_allocator, C2G, TRACKING_ALLOCATOR, C2gAdaptorAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_tracking_allocator_new               (C2gAllocator          *upstream) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_current_bytes (C2gTrackingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_peak_bytes    (C2gTrackingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_total_bytes   (C2gTrackingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_n_blocks      (C2gTrackingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_n_allocations (C2gTrackingAllocator  *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tracking_allocator_get_n_failures    (C2gTrackingAllocator  *self);

C2G_AVAILABLE_IN_ALL
void          c2g_tracking_allocator_reset_peak        (C2gTrackingAllocator  *self);

G_END_DECLS
