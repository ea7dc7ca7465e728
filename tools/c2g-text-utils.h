/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The text with everything escaped that a terminal would not show as it is, so
 * that a name in a file cannot pretend to be something else. */
char *c2g_text_escape       (const char *text);
/* The same of any bytes; what is no UTF-8 is escaped byte by byte, nothing is lost. */
void  c2g_text_append_bytes (GString    *string,
                             const char *data,
                             gsize       n_bytes);

/* A text of at most 16 MiB: the file need not end, as a device does not. */
char *c2g_text_load (GFile         *file,
                     GCancellable  *cancellable,
                     GError       **error);

/* "2.0 KiB": all of the command counts in powers of 1024. */
char  *c2g_text_format_size (guint64 n_bytes);

/* Columns that escaped text takes on a terminal. */
gsize  c2g_text_width   (const char *text);
/* The text in at most as many columns, an ellipsis for what is left out. */
char  *c2g_text_shorten (const char *text,
                         gsize       max_width);

G_END_DECLS
