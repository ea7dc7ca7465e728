/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* Maximum size of one look. */
#define C2G_SCANNER_WINDOW (64u << 10)

/* A buffered window on a source, for reading small pieces that are close to each other. Not
 * thread-safe. */
typedef struct
{
  C2gSource    *source;
  guint8       *buffer;

  /* The range that the window shows. */
  guint64       offset;
  gsize         n_bytes;
  const guint8 *data;
} C2gScanner;

void          c2g_scanner_init  (C2gScanner  *self,
                                 C2gSource   *source);
void          c2g_scanner_clear (C2gScanner  *self);

/* Returns the bytes at OFFSET: at least n_wanted (up to C2G_SCANNER_WINDOW), fewer only at the
 * end of the source, where there may be none. They are valid until the next call. */
const guint8 *c2g_scanner_look  (C2gScanner  *self,
                                 guint64      offset,
                                 gsize        n_wanted,
                                 gsize       *n_bytes,
                                 GError     **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gScanner, c2g_scanner_clear)

G_END_DECLS
