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

#define C2G_TYPE_LIMITING_ALLOCATOR (c2g_limiting_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gLimitingAllocator, c2g_limiting_allocator, C2G, LIMITING_ALLOCATOR, C2gAdaptorAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_limiting_allocator_new            (C2gAllocator          *upstream,
                                                     guint64                max_bytes) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64       c2g_limiting_allocator_get_max_bytes  (C2gLimitingAllocator  *self);
C2G_AVAILABLE_IN_ALL
void          c2g_limiting_allocator_set_max_bytes  (C2gLimitingAllocator  *self,
                                                     guint64                max_bytes);
C2G_AVAILABLE_IN_ALL
guint64       c2g_limiting_allocator_get_used_bytes (C2gLimitingAllocator  *self);

G_END_DECLS
