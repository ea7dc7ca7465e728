/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Most names that one error lists: models of strangers can have any number of them. */
#define C2G_MAX_NAMES_TOLD 20

/* Joins the first names for an error, and says how many there are if that is not all of them. */
char *c2g_names_join (const char *const *names,
                      gsize              n_names);

/* Returns TRUE if the names are one slip apart: one letter is too much, missing, another one, or
 * changed places with the next. Capitals do not count. */
gboolean c2g_names_are_near (const char *a,
                             const char *b);

/* Adds a suggestion to the error about NAME: the first of NAMES, an array that ends with NULL, that
 * differs in capitals only, or else the first that is one slip away. A name of up to three letters is
 * near others by chance, so only its capitals may differ. Adds nothing if no name is similar. */
void c2g_names_suggest (const char *const  *names,
                        const char         *name,
                        GError            **error);

G_END_DECLS
