/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-db-cursor.h>
#include <c2g/io/c2g-scanner-private.h>

G_BEGIN_DECLS

/* A value that has not been read: so many bytes of a source.  It holds the source, and
 * does not change when the cursor moves on; clear with c2g_db_value_clear(). */
typedef struct
{
  C2gSource *source;
  guint64    offset;
  gsize      n_bytes;
} C2gDbValue;

/* For cursors that know where the values lie in a file. */
typedef struct _C2gDbCursorFuncs C2gDbCursorFuncs;

struct _C2gDbCursorFuncs
{
  gboolean    (*locate_value) (C2gDbCursor  *self,
                               C2gDbValue   *value,
                               GError      **error);
  /* What the cursor looks at the source of its values with; NULL for none. */
  C2gScanner *(*peek_scanner) (C2gDbCursor  *self);
};

/* Where the value lies: in the file where the database has it in one piece, else in
 * memory, from dup_value().  Initializes value, also when it fails. */
gboolean    c2g_db_cursor_locate_value (C2gDbCursor  *self,
                                        C2gDbValue   *value,
                                        GError      **error);
/* A scanner over the source of such values, for the thread that moves the cursor: what is
 * at the beginning and behind the end of a value the cursor has looked at anyway, so that
 * reading goes on where it was.  NULL if there is none. */
C2gScanner *c2g_db_cursor_peek_scanner (C2gDbCursor  *self);
void        c2g_db_value_clear         (C2gDbValue   *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gDbValue, c2g_db_value_clear)

G_END_DECLS
