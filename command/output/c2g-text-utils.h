/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Escapes all characters that a terminal does not show as they are, so that a name in a file cannot
 * be disguised. */
char *c2g_text_escape       (const char *text);
/* Appends any bytes escaped; bytes that are not UTF-8 are escaped one by one. */
void  c2g_text_append_bytes (GString    *string,
                             const char *data,
                             gsize       n_bytes);

/* Formats a size, such as "2.0 KiB". All commands use powers of 1024. */
char  *c2g_text_format_size (guint64 n_bytes);

/* Returns the columns of escaped text on a terminal. */
gsize  c2g_text_width   (const char *text);
/* Shortens the text to at most max_width columns, with an ellipsis. */
char  *c2g_text_shorten (const char *text,
                         gsize       max_width);

G_END_DECLS
