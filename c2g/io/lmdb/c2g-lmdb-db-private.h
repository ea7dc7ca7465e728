/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db.h>

G_BEGIN_DECLS

#define C2G_TYPE_LMDB_DB (c2g_lmdb_db_get_type ())

/* Reading needs no lock: it is of the state that the database was in when it was opened,
 * and every page says whether it is still of that.  In a database opened for writing a
 * cursor sees what was committed before it was made.
 */
G_DECLARE_FINAL_TYPE (C2gLmdbDb, c2g_lmdb_db, C2G, LMDB_DB, C2gDb)

G_END_DECLS
