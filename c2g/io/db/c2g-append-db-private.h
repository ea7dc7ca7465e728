/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-append-file-private.h>
#include <c2g/io/db/c2g-db.h>
#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

#define C2G_TYPE_APPEND_DB (c2g_append_db_get_type ())

/* A database that is one file with records one after the other. It is opened either for reading
 * or for appending. */
G_DECLARE_DERIVABLE_TYPE (C2gAppendDb, c2g_append_db, C2G, APPEND_DB, C2gDb)

struct _C2gAppendDbClass
{
  C2gDbClass parent_class;

  /* Checks, before records are appended, that the existing content is valid. */
  gboolean          (*check_records)   (C2gAppendDb    *self,
                                        C2gSource      *source,
                                        GError        **error);
  C2gDbCursor      *(*new_cursor)      (C2gAppendDb    *self,
                                        C2gSource      *source,
                                        GError        **error);
  C2gDbTransaction *(*new_transaction) (C2gAppendDb    *self,
                                        C2gAppendFile  *file);
};

G_END_DECLS
