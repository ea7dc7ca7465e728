/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-db.h>

G_BEGIN_DECLS

/* The class that was registered under a name. */
GType    c2g_db_lookup_type            (const char        *db_type,
                                        GError           **error);

/* The name that list_types() has for it, where Caffe2 has another one as well. */
const char *c2g_db_get_canonical_type  (const char        *db_type);

/* An error, naming the file, if the database is closed or was never opened. */
gboolean c2g_db_check_open             (C2gDb             *self,
                                        GError           **error);
/* The file, as it is called in messages. */
char    *c2g_db_dup_name               (C2gDb             *self);

/* For a class whose cursors do not work while the database is written. */
gboolean c2g_db_fail_not_readable      (C2gDb             *self,
                                        GError           **error);

/* A key as it can stand in a message: as text, and not too long. */
char    *c2g_db_display_key            (GBytes            *key);
/* Refuses keys and values that are empty or have more bytes than an int32 can tell. */
gboolean c2g_db_check_record           (GBytes            *key,
                                        GBytes            *value,
                                        GError           **error);

/* Cursors and transactions keep their database, and end with its being closed. */
void     c2g_db_cursor_set_db          (C2gDbCursor       *self,
                                        C2gDb             *db);
void     c2g_db_transaction_set_db     (C2gDbTransaction  *self,
                                        C2gDb             *db);

G_END_DECLS
