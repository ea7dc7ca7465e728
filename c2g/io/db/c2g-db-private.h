/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db.h>

G_BEGIN_DECLS

/* Returns the class that is registered under the name. */
GType    c2g_db_lookup_type            (const char        *db_type,
                                        GError           **error);

/* Returns the name used by c2g_db_list_types() if DB_TYPE is an alias of Caffe2. */
const char *c2g_db_get_canonical_type  (const char        *db_type);

/* Fails with the name of the file if the database is closed or was never opened. */
gboolean c2g_db_check_open             (C2gDb             *self,
                                        GError           **error);
/* Returns the name of the file for messages. */
char    *c2g_db_dup_name               (C2gDb             *self);

/* Sets the error for cursors of a database that is open for writing. */
gboolean c2g_db_fail_not_readable      (C2gDb             *self,
                                        GError           **error);

/* Returns the key as text for messages, shortened if it is long. */
char    *c2g_db_display_key            (GBytes            *key);
/* Refuses empty keys and values, and those larger than an int32 can count. */
gboolean c2g_db_check_record           (GBytes            *key,
                                        GBytes            *value,
                                        GError           **error);

G_END_DECLS
