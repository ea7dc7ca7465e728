/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A pull parser for untrusted JSON, which json-glib does not fit: it accepts only the expected
 * kind of value at each place. So nesting is bounded, a repeated key is not lost, and only
 * accepted values use memory. The text must be valid UTF-8. */
typedef struct
{
  const char *begin;
  const char *position;
  const char *end;
} C2gJsonReader;

void     c2g_json_reader_init         (C2gJsonReader  *self,
                                       const char     *text,
                                       gsize           n_bytes);
/* Sets C2G_ERROR_CORRUPT with the position; returns FALSE. */
gboolean c2g_json_reader_fail         (C2gJsonReader  *self,
                                       const char     *what,
                                       GError        **error);

gboolean c2g_json_reader_begin_object (C2gJsonReader  *self,
                                       GError        **error);
/* Returns the key of the next member, whose value must be read next. At the end of the object it
 * is NULL. */
gboolean c2g_json_reader_next_member  (C2gJsonReader  *self,
                                       char          **key,
                                       GError        **error);
gboolean c2g_json_reader_begin_array  (C2gJsonReader  *self,
                                       GError        **error);
gboolean c2g_json_reader_next_element (C2gJsonReader  *self,
                                       gboolean       *is_end,
                                       GError        **error);

/* Strings with NUL characters are refused. */
gboolean c2g_json_reader_read_string  (C2gJsonReader  *self,
                                       char          **string,
                                       GError        **error);
/* Reads a non-negative integer. */
gboolean c2g_json_reader_read_integer (C2gJsonReader  *self,
                                       gint64         *value,
                                       GError        **error);
/* Fails if anything but white space follows. */
gboolean c2g_json_reader_finish       (C2gJsonReader  *self,
                                       GError        **error);

G_END_DECLS
