/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/memory/c2g-memory-block.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_MEMORY_REPORTER (c2g_memory_reporter_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gMemoryReporter, c2g_memory_reporter, C2G, MEMORY_REPORTER, GObject)

C2G_AVAILABLE_IN_ALL
C2gMemoryReporter  *c2g_memory_reporter_get_default       (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_current_bytes (C2gMemoryReporter  *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_peak_bytes    (C2gMemoryReporter  *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_total_bytes   (C2gMemoryReporter  *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_cached_bytes  (C2gMemoryReporter  *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_n_blocks      (C2gMemoryReporter  *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
C2gMemoryBlock    **c2g_memory_reporter_list_blocks       (C2gMemoryReporter  *self,
                                                           C2gDevice          *device,
                                                           guint              *n_blocks) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64             c2g_memory_reporter_get_external_bytes   (C2gMemoryReporter  *self,
                                                              C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
C2gMemoryBlock    **c2g_memory_reporter_list_external_blocks (C2gMemoryReporter  *self,
                                                              C2gDevice          *device,
                                                              guint              *n_blocks) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
void                c2g_memory_reporter_reset_peak        (C2gMemoryReporter  *self);
C2G_AVAILABLE_IN_ALL
char               *c2g_memory_reporter_dup_report        (C2gMemoryReporter  *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
