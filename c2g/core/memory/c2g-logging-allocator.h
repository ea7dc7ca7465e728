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

#define C2G_TYPE_LOGGING_ALLOCATOR (c2g_logging_allocator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gLoggingAllocator, c2g_logging_allocator, C2G, LOGGING_ALLOCATOR, C2gAdaptorAllocator)

C2G_AVAILABLE_IN_ALL
C2gAllocator  *c2g_logging_allocator_new               (C2gAllocator         *upstream,
                                                        GOutputStream        *output_stream) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
GOutputStream *c2g_logging_allocator_get_output_stream (C2gLoggingAllocator  *self);

C2G_AVAILABLE_IN_ALL
gboolean       c2g_logging_allocator_check             (C2gLoggingAllocator  *self,
                                                        GError              **error);

G_END_DECLS
