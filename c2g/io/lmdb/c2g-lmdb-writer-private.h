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

/* How liblmdb is to take the path that it is given. */
typedef enum
{
  /* Not a folder with a data.mdb, but the file. */
  C2G_LMDB_WRITE_FILE = 1 << 0,
  /* Nobody else knows of it: no lock, and it need not be on the disk yet. */
  C2G_LMDB_WRITE_PRIVATE = 1 << 1,
} C2gLmdbWriteFlags;

/* C2G_ERROR_NOT_SUPPORTED if c2g was built without liblmdb; all that is written goes
 * through it. */
gboolean c2g_lmdb_check_writer (GError              **error);

/* All of them or, with an error, none.  A database that is not there is made. */
gboolean c2g_lmdb_write        (const char           *path,
                                C2gLmdbWriteFlags     flags,
                                const C2gLmdbRecord  *records,
                                gsize                 n_records,
                                GError              **error);

G_END_DECLS
