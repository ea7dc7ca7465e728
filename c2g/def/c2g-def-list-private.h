/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The lists of texts and messages inside definitions: arrays of pointers with NULL behind the
 * last, or NULL for an empty list. An array has room up to the next power of two, so that adding
 * many items takes linear time. LIST below is the address of the array's pointer in a message. */

/* Gives an array, which may come from a parser, room for N items and ends it there. */
gpointer           c2g_list_reserve     (gpointer            items,
                                         gsize               n);

/* Lists of messages that belong to definitions. */

/* Returns NULL if there is no such position. */
gpointer           c2g_def_list_get     (gpointer            items,
                                         gsize               n,
                                         gsize               position);
/* Takes a reference to the definition. */
void               c2g_def_list_insert  (gpointer            list,
                                         gsize              *n,
                                         gsize               position,
                                         gpointer            def);
/* Returns FALSE if there is no such position. */
gboolean           c2g_def_list_remove  (gpointer            list,
                                         gsize              *n,
                                         gsize               position);

/* Lists of names. */

/* Returns the names; never NULL. */
const char *const *c2g_names_get        (char               *names[]);
/* Adds a name, and notifies of the property. */
void               c2g_names_add        (gpointer            self,
                                         char             ***names,
                                         gsize              *n_names,
                                         const char         *name,
                                         GParamSpec         *pspec);
/* Sets the names, NULL meaning none, and notifies of the property, if there is one, when they
 * changed. */
void               c2g_names_set        (gpointer            self,
                                         char             ***names,
                                         gsize              *n_names,
                                         const char *const  *value,
                                         GParamSpec         *pspec);

/* Lists of messages whose first field is a name: arguments, and the entries of maps. A file may
 * repeat a name; the first counts. */

/* Returns the first message of that name, or NULL. */
gpointer           c2g_keyed_list_find     (gpointer         items,
                                            gsize            n,
                                            const char      *key);
/* Removes the messages of that name. Returns TRUE if there were any. */
gboolean           c2g_keyed_list_remove   (gpointer         list,
                                            gsize           *n,
                                            const char      *key);
/* Returns the place of the first message of that name and removes the others; if there is none,
 * adds a place with NULL. */
gpointer          *c2g_keyed_list_ensure   (gpointer         list,
                                            gsize           *n,
                                            const char      *key);
/* Returns the names, each once. */
char             **c2g_keyed_list_dup_keys (gpointer         items,
                                            gsize            n);

G_END_DECLS
