/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/db/c2g-db-reader.h>
#include <c2g/io/serializer/c2g-serializer-private.h>

G_BEGIN_DECLS

/* Caffe2's name of the blob type. */
#define C2G_BLOB_TYPE_DB_READER "DBReader"

extern const C2gSerializerFuncs c2g_db_reader_serializer_funcs;

/* Returns the key of the next record; NULL if there is none or the database cannot seek. */
gboolean     c2g_db_reader_dup_next_key (C2gDbReader   *self,
                                         GBytes       **key,
                                         GError       **error);

/* Returns a DBReaderProto as Caffe2 writes it: the path of the database and, if it can seek, the
 * key of the next record. */
GBytes      *c2g_db_reader_to_message   (C2gDbReader   *self,
                                         const char    *name,
                                         GError       **error);
/* Opens the database that the message names, if RULES allow it. RULES may be NULL. */
C2gDbReader *c2g_db_reader_from_message (GBytes              *message,
                                         const C2gFileRules  *rules,
                                         GError             **error);

G_END_DECLS
