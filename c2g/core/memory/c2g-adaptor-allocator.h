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

#define C2G_TYPE_ADAPTOR_ALLOCATOR (c2g_adaptor_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gAdaptorAllocator, c2g_adaptor_allocator, C2G, ADAPTOR_ALLOCATOR, C2gAllocator)

/**
 * C2gAdaptorAllocatorClass:
 *
 * The class of allocators that take their memory from another one.
 */
struct _C2gAdaptorAllocatorClass
{
  C2gAllocatorClass parent_class;

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_adaptor_allocator_get_upstream (C2gAdaptorAllocator *self);

G_END_DECLS
