/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/io/db/c2g-db-cursor.h>
#include <c2g/io/db/c2g-db-transaction.h>

G_BEGIN_DECLS

#define C2G_TYPE_DB      (c2g_db_get_type ())
#define C2G_TYPE_DB_MODE (c2g_db_mode_get_type ())

/**
 * C2gDbMode:
 * @C2G_DB_MODE_READ: reads an existing database
 * @C2G_DB_MODE_WRITE: appends to an existing or a new database
 * @C2G_DB_MODE_NEW: makes a new database
 *
 * The purpose for which a database is opened.
 */
typedef enum
{
  C2G_DB_MODE_READ,
  C2G_DB_MODE_WRITE,
  C2G_DB_MODE_NEW,
} C2gDbMode;

C2G_AVAILABLE_IN_ALL
GType c2g_db_mode_get_type (void);

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gDb, c2g_db, C2G, DB, GObject)

/**
 * C2gDbClass:
 * @open_file: opens what is at @file; called once, by [func@Db.open]
 * @new_cursor: makes a cursor at the first record
 * @new_transaction: makes a transaction
 * @close: (nullable): discards uncommitted records and closes the file; called at most once,
 *   by [method@Db.close], and not when the object is disposed of
 *
 * The class of databases.
 */
struct _C2gDbClass
{
  GObjectClass parent_class;

  gboolean          (*open_file)       (C2gDb         *self,
                                        GFile         *file,
                                        C2gDbMode      mode,
                                        GCancellable  *cancellable,
                                        GError       **error);
  C2gDbCursor      *(*new_cursor)      (C2gDb         *self,
                                        GError       **error);
  C2gDbTransaction *(*new_transaction) (C2gDb         *self,
                                        GError       **error);
  gboolean          (*close)           (C2gDb         *self,
                                        GError       **error);

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
gboolean          c2g_db_register        (const char    *db_type,
                                          GType          gtype,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
char            **c2g_db_list_types      (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean          c2g_db_exists          (const char    *db_type,
                                          GFile         *file);

C2G_AVAILABLE_IN_ALL
C2gDb            *c2g_db_open            (const char    *db_type,
                                          GFile         *file,
                                          C2gDbMode      mode,
                                          GCancellable  *cancellable,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char       *c2g_db_get_db_type     (C2gDb         *self);
C2G_AVAILABLE_IN_ALL
GFile            *c2g_db_get_file        (C2gDb         *self);
C2G_AVAILABLE_IN_ALL
C2gDbMode         c2g_db_get_mode        (C2gDb         *self);

C2G_AVAILABLE_IN_ALL
C2gDbCursor      *c2g_db_new_cursor      (C2gDb         *self,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gDbTransaction *c2g_db_new_transaction (C2gDb         *self,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean          c2g_db_close           (C2gDb         *self,
                                          GError       **error);

G_END_DECLS
