/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include <c2g/io/wire/c2g-text-reader-private.h>

G_BEGIN_DECLS

/* A field in a text file of Caffe: a value, or a message with fields. */
typedef struct _C2gPrototxtField C2gPrototxtField;

struct _C2gPrototxtField
{
  const char       *name;
  /* Position of the value in the text. */
  const char       *position;
  /* The value as text; NULL for a message. */
  const char       *word;
  /* The first field of a message, or NULL. */
  C2gPrototxtField *fields;
  /* The next field of the same message, or NULL. */
  C2gPrototxtField *next;
  gboolean          is_string;
  /* Line number of the position, from 1. */
  guint             line;
};

/* A parsed text. The getters return defaults after an error; the first error is kept for
 * c2g_prototxt_check(). */
typedef struct
{
  C2gTextReader     reader;
  C2gPrototxtField *root;
  /* Holds the names and values of all fields. */
  GStringChunk     *strings;
  gsize             n_fields;
  /* Position up to which lines were counted, and its line number. */
  const char       *counted;
  guint             line;
  /* Borrowed. */
  GCancellable     *cancellable;
  GError           *error;
} C2gPrototxt;

/* Parses a text, which must live as long as SELF. Fields may have any names; errors name line and
 * column. */
gboolean          c2g_prototxt_parse      (C2gPrototxt        *self,
                                           const char         *text,
                                           gsize               n_bytes,
                                           GCancellable       *cancellable,
                                           GError            **error);
void              c2g_prototxt_clear      (C2gPrototxt        *self);
/* Sets C2G_ERROR_CORRUPT with the position of the field, unless there is an error already. */
void              c2g_prototxt_fail       (C2gPrototxt        *self,
                                           C2gPrototxtField   *field,
                                           const char         *what);
/* Returns FALSE if an error was kept, and moves it to *ERROR; it replaces an error that is already
 * there. */
gboolean          c2g_prototxt_check      (C2gPrototxt        *self,
                                           GError            **error);

/* In the functions below MESSAGE may be NULL, meaning a message without fields. */

/* Returns the last field of that name, or NULL. */
C2gPrototxtField *c2g_prototxt_find       (C2gPrototxtField   *message,
                                           const char         *name);
/* The same for messages; a plain value is an error. */
C2gPrototxtField *c2g_prototxt_find_message (C2gPrototxt      *self,
                                             C2gPrototxtField   *message,
                                             const char         *name);
/* Returns all fields of that name, borrowed. */
GPtrArray        *c2g_prototxt_list       (C2gPrototxtField   *message,
                                           const char         *name);
/* The same for messages; a plain value is an error. */
GPtrArray        *c2g_prototxt_list_messages (C2gPrototxt     *self,
                                              C2gPrototxtField   *message,
                                              const char         *name);
/* Returns the values of all fields of that name, borrowed and terminated by NULL. */
GPtrArray        *c2g_prototxt_list_words (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);
const char       *c2g_prototxt_get_word   (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name,
                                           const char         *otherwise);
gint64            c2g_prototxt_get_int    (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name,
                                           gint64              otherwise);
double            c2g_prototxt_get_double (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name,
                                           double              otherwise);
gboolean          c2g_prototxt_get_bool   (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name,
                                           gboolean            otherwise);
/* NAMES: NULL-terminated, by their numbers; an empty one has no name. */
gint64            c2g_prototxt_get_enum   (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name,
                                           const char *const  *names,
                                           gint64              otherwise);
/* Return arrays of gint64 and of float. */
GArray           *c2g_prototxt_list_ints  (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);
GArray           *c2g_prototxt_list_floats (C2gPrototxt       *self,
                                            C2gPrototxtField   *message,
                                            const char         *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gPrototxt, c2g_prototxt_clear)

G_END_DECLS
