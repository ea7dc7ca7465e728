/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Converts the name of a blob in a file, which may be any bytes, to valid UTF-8. Empty names and
 * names with NUL bytes are an error. */
char *c2g_name_from_bytes (const guint8  *data,
                           gsize          n_bytes,
                           GError       **error);

/* Puts the name of a file before the message, unless the message begins with it. */
void  c2g_name_prefix_error (const char  *file_name,
                             GError     **error);

/* Takes ownership of the array and its names. */
char **c2g_names_to_sorted_strv (GPtrArray *names);
/* Fails if a name is there twice. NAMES may be NULL. */
gboolean c2g_names_check_different (const char *const  *names,
                                    GError            **error);

G_END_DECLS
