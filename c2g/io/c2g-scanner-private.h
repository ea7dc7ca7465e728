/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-source-private.h>

G_BEGIN_DECLS

/* The most that can be looked at in one piece. */
#define C2G_SCANNER_WINDOW (64u << 10)

/* A window on a source, for those who look at a few bytes here and a few bytes behind
 * them: it spares them most of the reading.  Of one thread.
 */
typedef struct
{
  C2gSource    *source;
  guint8       *buffer;

  /* What the window shows. */
  guint64       offset;
  gsize         n_bytes;
  const guint8 *data;
} C2gScanner;

void          c2g_scanner_init  (C2gScanner  *self,
                                 C2gSource   *source);
void          c2g_scanner_clear (C2gScanner  *self);

/* The bytes at offset: n_wanted of them (up to C2G_SCANNER_WINDOW) or more, fewer only at
 * the end of the source, where it may be none.  They are there until the next call. */
const guint8 *c2g_scanner_look  (C2gScanner  *self,
                                 guint64      offset,
                                 gsize        n_wanted,
                                 gsize       *n_bytes,
                                 GError     **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gScanner, c2g_scanner_clear)

G_END_DECLS
