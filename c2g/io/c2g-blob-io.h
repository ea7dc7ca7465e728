/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/c2g-blob.h>
#include <c2g/core/c2g-version-macros.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
GBytes   *c2g_blob_serialize   (C2gBlob     *self,
                                const char  *name,
                                GError     **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean  c2g_blob_deserialize (C2gBlob     *self,
                                GBytes      *bytes,
                                GError     **error);

G_END_DECLS
