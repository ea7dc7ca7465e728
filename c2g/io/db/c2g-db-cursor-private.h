/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-cursor.h>
#include <c2g/io/stream/c2g-scanner-private.h>

G_BEGIN_DECLS

/* The location of a value that has not been read. It holds a reference to the source and stays
 * valid when the cursor moves; clear it with c2g_db_value_clear(). */
typedef struct
{
  C2gSource *source;
  guint64    offset;
  gsize      n_bytes;
} C2gDbValue;

/* Functions of cursors that know where values are in the file. */
typedef struct _C2gDbCursorFuncs C2gDbCursorFuncs;

struct _C2gDbCursorFuncs
{
  gboolean    (*locate_value) (C2gDbCursor  *self,
                               C2gDbValue   *value,
                               GError      **error);
  /* Returns the scanner that the cursor uses on the source of its values, or NULL. */
  C2gScanner *(*peek_scanner) (C2gDbCursor  *self);
};

/* Locates the value: in the file if the database stores it contiguously, else in memory from
 * dup_value(). Initializes VALUE, also on failure. */
gboolean    c2g_db_cursor_locate_value (C2gDbCursor  *self,
                                        C2gDbValue   *value,
                                        GError      **error);
/* Returns a scanner over the source of the values, for the thread that moves the cursor, or NULL.
 * The cursor has used it just before and behind the value, so that its buffer is reused. */
C2gScanner *c2g_db_cursor_peek_scanner (C2gDbCursor  *self);
void        c2g_db_value_clear         (C2gDbValue   *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gDbValue, c2g_db_value_clear)

G_END_DECLS
