/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace-private.h>
#include <c2g/io/c2g-db-reader.h>
#include <c2g/io/c2g-serializer.h>

G_BEGIN_DECLS

/* What Caffe2 calls blobs with one. */
#define C2G_BLOB_TYPE_DB_READER "DBReader"

C2gSerializer *c2g_db_reader_serializer_new (void);

/* The key of the record that comes next; NULL if there is none, or if the database cannot
 * be searched. */
gboolean     c2g_db_reader_dup_next_key (C2gDbReader   *self,
                                         GBytes       **key,
                                         GError       **error);

/* What Caffe2 keeps of a reader, a DBReaderProto: where the database is and, if it can be
 * searched, which record comes next. */
GBytes      *c2g_db_reader_to_message   (C2gDbReader   *self,
                                         const char    *name,
                                         GError       **error);
/* Opens the database that the message names, if the rules, which may be NULL, allow it. */
C2gDbReader *c2g_db_reader_from_message (GBytes              *message,
                                         const C2gFileRules  *rules,
                                         GError             **error);

G_END_DECLS
