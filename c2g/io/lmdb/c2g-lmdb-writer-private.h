/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GBytes *key;
  GBytes *value;
} C2gLmdbRecord;

/* Options for liblmdb. */
typedef enum
{
  /* The path is the data file itself, not a folder with data.mdb (MDB_NOSUBDIR). */
  C2G_LMDB_WRITE_FILE = 1 << 0,
  /* No other process knows the file: no lock, and no flush yet. */
  C2G_LMDB_WRITE_PRIVATE = 1 << 1,
} C2gLmdbWriteFlags;

/* Returns FALSE with C2G_ERROR_NOT_SUPPORTED if c2g was built without liblmdb, which does all
 * writing. */
gboolean c2g_lmdb_check_writer (GError              **error);

/* Writes all records or, after an error, none. Creates the database if it does not exist. */
gboolean c2g_lmdb_write        (const char           *path,
                                C2gLmdbWriteFlags     flags,
                                const C2gLmdbRecord  *records,
                                gsize                 n_records,
                                GError              **error);

G_END_DECLS
