/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The words of protobuf's text format. */
typedef struct
{
  const char *begin;
  const char *end;
  const char *position;
  /* Number of open submessages. */
  guint       depth;
} C2gTextReader;

/* Sets C2G_ERROR_CORRUPT with line and column of the position; returns FALSE. */
gboolean c2g_text_reader_fail        (C2gTextReader  *self,
                                      const char     *position,
                                      const char     *what,
                                      GError        **error);
gboolean c2g_text_reader_at_end      (C2gTextReader  *self);
/* Skips white space and comments. */
void     c2g_text_reader_skip_blank  (C2gTextReader  *self);
/* Skips the character if it comes next. */
gboolean c2g_text_reader_accept      (C2gTextReader  *self,
                                      char            c);
/* Returns the next name or number, to be freed; NULL if there is none. */
char    *c2g_text_reader_take_word   (C2gTextReader  *self);
/* Appends a string, which may consist of several quoted parts. */
gboolean c2g_text_reader_take_string (C2gTextReader  *self,
                                      GByteArray     *bytes,
                                      GError        **error);

/* Parse a whole word; FALSE if it is something else, or outside of the range. An integer may be
 * octal or hexadecimal. A negative one is returned as its two's complement. */
gboolean c2g_text_parse_double       (const char     *word,
                                      double         *value);
gboolean c2g_text_parse_integer      (const char     *word,
                                      gint64          minimum,
                                      guint64         maximum,
                                      guint64        *value);
gboolean c2g_text_parse_bool         (const char     *word,
                                      guint64        *value);

/* Returns TRUE if there are no control characters, which tells text from binary. */
gboolean c2g_text_is_printable       (const guint8   *data,
                                      gsize           n_bytes);
/* The same, and it is UTF-8. */
gboolean c2g_text_is_readable        (const guint8   *data,
                                      gsize           n_bytes);

G_END_DECLS
