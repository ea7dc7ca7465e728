/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What json-glib cannot do for a file that nobody has vouched for: it takes each value
 * where it is expected and nothing else, so that nothing nests, no key is lost because it
 * comes twice, and no memory is used but for what is taken.  The text is valid UTF-8.
 */
typedef struct
{
  const char *begin;
  const char *position;
  const char *end;
} C2gJsonReader;

void     c2g_json_reader_init         (C2gJsonReader  *self,
                                       const char     *text,
                                       gsize           n_bytes);
/* C2G_ERROR_CORRUPT that says where; returns false. */
gboolean c2g_json_reader_fail         (C2gJsonReader  *self,
                                       const char     *what,
                                       GError        **error);

gboolean c2g_json_reader_begin_object (C2gJsonReader  *self,
                                       GError        **error);
/* The key of the next member, whose value is to be read next; NULL behind the last, and
 * the object with it. */
gboolean c2g_json_reader_next_member  (C2gJsonReader  *self,
                                       char          **key,
                                       GError        **error);
gboolean c2g_json_reader_begin_array  (C2gJsonReader  *self,
                                       GError        **error);
gboolean c2g_json_reader_next_element (C2gJsonReader  *self,
                                       gboolean       *is_end,
                                       GError        **error);

/* Without null bytes. */
gboolean c2g_json_reader_read_string  (C2gJsonReader  *self,
                                       char          **string,
                                       GError        **error);
/* An integer that is not negative. */
gboolean c2g_json_reader_read_integer (C2gJsonReader  *self,
                                       gint64         *value,
                                       GError        **error);
/* Nothing but blanks may follow. */
gboolean c2g_json_reader_finish       (C2gJsonReader  *self,
                                       GError        **error);

G_END_DECLS
