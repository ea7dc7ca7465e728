/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names in order; all zero is an empty list. */
typedef struct
{
  char **names;
  gsize  n_names;
  gsize  capacity;
} C2gNameList;

void               c2g_name_list_clear     (C2gNameList        *self);
/* Never NULL. */
const char *const *c2g_name_list_get       (const C2gNameList  *self);
void               c2g_name_list_add       (C2gNameList        *self,
                                            const char         *name);
/* Whether it is a change; NULL is for none. */
gboolean           c2g_name_list_set       (C2gNameList        *self,
                                            const char *const  *names);
gboolean           c2g_name_list_equal     (const C2gNameList  *self,
                                            const C2gNameList  *other);
/* Of a message, where names may be any bytes. */
void               c2g_name_list_add_all   (C2gNameList        *self,
                                            char *const        *names,
                                            gsize               n_names);

/* The same for a single name; NULL stays NULL. */
char              *c2g_name_from_message   (const char         *text);
/* NULL is the same as "". */
gboolean           c2g_name_equal          (const char         *name,
                                            const char         *other);

G_END_DECLS
