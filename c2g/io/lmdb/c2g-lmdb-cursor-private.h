/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-cursor.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

#define C2G_TYPE_LMDB_CURSOR (c2g_lmdb_cursor_get_type ())

/* In the order of the keys' bytes. */
G_DECLARE_FINAL_TYPE (C2gLmdbCursor, c2g_lmdb_cursor, C2G, LMDB_CURSOR, C2gDbCursor)

/* Stands on the first record.  Without a file it is of a database that has none yet. */
C2gDbCursor *c2g_lmdb_cursor_new (C2gLmdbFile  *file,
                                  GError      **error);

G_END_DECLS
