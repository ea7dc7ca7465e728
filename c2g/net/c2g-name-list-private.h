/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A growable list of names; all zero is an empty list. */
typedef struct
{
  char **names;
  gsize  n_names;
  gsize  capacity;
} C2gNameList;

void               c2g_name_list_clear     (C2gNameList        *self);
/* Returns the names with NULL at the end; never NULL itself. */
const char *const *c2g_name_list_get       (const C2gNameList  *self);
void               c2g_name_list_add       (C2gNameList        *self,
                                            const char         *name);
/* Returns TRUE if the names changed. NULL means no names. */
gboolean           c2g_name_list_set       (C2gNameList        *self,
                                            const char *const  *names);
gboolean           c2g_name_list_equal     (const C2gNameList  *self,
                                            const C2gNameList  *other);
/* Adds names of a message, which may be any bytes: they are converted to UTF-8. */
void               c2g_name_list_add_all   (C2gNameList        *self,
                                            char *const        *names,
                                            gsize               n_names);

/* Converts a single name; NULL stays NULL. */
char              *c2g_name_from_message   (const char         *text);
/* Compares two names; NULL equals "". */
gboolean           c2g_name_equal          (const char         *name,
                                            const char         *other);

G_END_DECLS
