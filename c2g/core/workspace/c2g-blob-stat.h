/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-blob.h>

G_BEGIN_DECLS

/**
 * C2gBlobStatFunc:
 * @blob: a blob that holds content of the type
 * @user_data: what was given with the function
 *
 * Tells how large the content of a blob is.
 *
 * Runs in the thread that asks for the size, with no lock held.
 *
 * Returns: the size in bytes
 */
typedef gsize (*C2gBlobStatFunc) (C2gBlob  *blob,
                                  gpointer  user_data);

C2G_AVAILABLE_IN_ALL
gboolean c2g_blob_register_stat (GType             content_type,
                                 C2gBlobStatFunc   func,
                                 gpointer          user_data,
                                 GDestroyNotify    destroy,
                                 GError          **error);

G_END_DECLS
