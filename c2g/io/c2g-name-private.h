/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The name of a blob from a file, where it may be any bytes: made valid UTF-8, and
 * an error if it is empty or holds a null byte. */
char *c2g_name_from_bytes (const guint8  *data,
                           gsize          n_bytes,
                           GError       **error);

/* Puts the name of a file before the message, unless it begins with it. */
void  c2g_name_prefix_error (const char  *file_name,
                             GError     **error);

/* Takes the array and the names in it. */
char **c2g_names_to_sorted_strv (GPtrArray *names);

G_END_DECLS
