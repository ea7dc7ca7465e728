/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-writer-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Compiled instead of c2g-lmdb-writer.c if there is no liblmdb: writing fails. */

gboolean
c2g_lmdb_check_writer (GError **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("c2g was built without liblmdb: LMDB databases can be read, not written"));
}

gboolean
c2g_lmdb_write (const char           *path,
                C2gLmdbWriteFlags     flags,
                const C2gLmdbRecord  *records,
                gsize                 n_records,
                GError              **error)
{
  return c2g_lmdb_check_writer (error);
}
