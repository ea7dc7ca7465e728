/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What bytes look like they are. */
typedef enum
{
  C2G_CONTENT_UNKNOWN,
  C2G_CONTENT_BLOB,
  C2G_CONTENT_TENSOR,
  C2G_CONTENT_NET,
  C2G_CONTENT_NET_TEXT,
  C2G_CONTENT_MINIDB,
  /* What c2g does not read, but knows. */
  C2G_CONTENT_LMDB,
  C2G_CONTENT_PNG,
  C2G_CONTENT_ZIP,
} C2gContentKind;

C2gContentKind c2g_content_kind_guess (const guint8 *data,
                                       gsize         n_bytes);

G_END_DECLS
