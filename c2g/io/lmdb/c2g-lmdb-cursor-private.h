/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-cursor.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

#define C2G_TYPE_LMDB_CURSOR (c2g_lmdb_cursor_get_type ())

/* A cursor over the records of an LMDB database, sorted by the bytes of their keys. */
G_DECLARE_FINAL_TYPE (C2gLmdbCursor, c2g_lmdb_cursor, C2G, LMDB_CURSOR, C2gDbCursor)

/* The new cursor is at the first record. NULL means a database that has no file yet. */
C2gDbCursor *c2g_lmdb_cursor_new (C2gLmdbFile  *file,
                                  GError      **error);

G_END_DECLS
