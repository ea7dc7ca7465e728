/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Choices among implementations that were measured, for all of the process. A key names an operator,
 * its shapes and the version of a library; the choice is the name of the fastest implementation.
 * Both are of letters, digits and - . _ / alone. All functions can be called from any thread. */

/* Returns TRUE if operators shall look for choices: if some are known, or shall be measured. */
gboolean    c2g_tuning_is_active (void);
/* Returns TRUE if operators shall measure what is not known. With as many choices as are kept, rules
 * choose for everything else. */
gboolean    c2g_tuning_is_wanted (void);

/* Returns the choice for the key, an interned string, or NULL. */
const char *c2g_tuning_find      (const char   *key);
/* Adds a choice, in place of a former one. There is a limit, beyond which it is forgotten. */
void        c2g_tuning_add       (const char   *key,
                                  const char   *choice);

/* Reads the choices of a file for the processor into the table, from strings to interned ones. */
gboolean    c2g_tuning_parse     (const char   *text,
                                  gsize         n_bytes,
                                  const char   *processor,
                                  GHashTable   *choices,
                                  GError      **error);
/* Returns the words that Linux has for the first processor in its text /proc/cpuinfo, and the version of
 * c2g. */
char       *c2g_tuning_describe_processor (const char *cpuinfo);
/* Returns the name of this processor and of the version of c2g, a static string. */
const char *c2g_tuning_get_processor (void);

G_END_DECLS
