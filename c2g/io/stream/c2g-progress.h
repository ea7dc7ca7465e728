/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_PROGRESS (c2g_progress_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gProgress, c2g_progress, C2G, PROGRESS, GObject)

C2G_AVAILABLE_IN_ALL
C2gProgress *c2g_progress_new               (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64      c2g_progress_get_n_bytes_done  (C2gProgress *self);
C2G_AVAILABLE_IN_ALL
guint64      c2g_progress_get_n_bytes_total (C2gProgress *self);

G_END_DECLS
