/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db.h>

G_BEGIN_DECLS

#define C2G_TYPE_LMDB_DB (c2g_lmdb_db_get_type ())

/* An LMDB database. Reading needs no lock: it sees the state at the time of opening, and each page
 * read is checked to belong to that state. If the database was opened for writing, a cursor sees
 * everything that was committed before the cursor was made. */
G_DECLARE_FINAL_TYPE (C2gLmdbDb, c2g_lmdb_db, C2G, LMDB_DB, C2gDb)

G_END_DECLS
