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

#define C2G_TYPE_PICTURE_OPTIONS (c2g_picture_options_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gPictureOptions, c2g_picture_options, C2G, PICTURE_OPTIONS, GObject)

C2G_AVAILABLE_IN_ALL
C2gPictureOptions *c2g_picture_options_new   (const char         *preset) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean           c2g_picture_options_check (C2gPictureOptions  *self,
                                              GError            **error);

G_END_DECLS
