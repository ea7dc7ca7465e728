/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/io/db/c2g-db.h>

G_BEGIN_DECLS

#define C2G_TYPE_DB_READER (c2g_db_reader_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gDbReader, c2g_db_reader, C2G, DB_READER, GObject)

C2G_AVAILABLE_IN_ALL
C2gDbReader *c2g_db_reader_open          (const char    *db_type,
                                          GFile         *file,
                                          guint          n_shards,
                                          guint          shard,
                                          GCancellable  *cancellable,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gDbReader *c2g_db_reader_for_db        (C2gDb         *db,
                                          guint          n_shards,
                                          guint          shard,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDb       *c2g_db_reader_get_db        (C2gDbReader   *self);
C2G_AVAILABLE_IN_ALL
guint        c2g_db_reader_get_n_shards  (C2gDbReader   *self);
C2G_AVAILABLE_IN_ALL
guint        c2g_db_reader_get_shard     (C2gDbReader   *self);

C2G_AVAILABLE_IN_ALL
gboolean     c2g_db_reader_read          (C2gDbReader   *self,
                                          GBytes       **key,
                                          GBytes       **value,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_db_reader_seek          (C2gDbReader   *self,
                                          GBytes        *key,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_db_reader_seek_to_first (C2gDbReader   *self,
                                          GError       **error);

G_END_DECLS
