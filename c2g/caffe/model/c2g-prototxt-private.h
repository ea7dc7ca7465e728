/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include <c2g/io/wire/c2g-text-reader-private.h>

G_BEGIN_DECLS

/* A field in a text of Caffe: a word, or a message of fields. */
typedef struct _C2gPrototxtField C2gPrototxtField;

struct _C2gPrototxtField
{
  const char       *name;
  /* In the text. */
  const char       *position;
  /* NULL for a message. */
  const char       *word;
  /* The first field of a message, or NULL. */
  C2gPrototxtField *fields;
  /* The next field of the message that this one is in, or NULL. */
  C2gPrototxtField *next;
  gboolean          is_string;
  /* The line of the position, from 1. */
  guint             line;
};

/* A text, and the first of the errors that reading its values gave: after it, they are defaults. */
typedef struct
{
  C2gTextReader     reader;
  C2gPrototxtField *root;
  /* Names and words of the fields. */
  GStringChunk     *strings;
  gsize             n_fields;
  /* How far lines were counted, and the line there. */
  const char       *counted;
  guint             line;
  /* Borrowed. */
  GCancellable     *cancellable;
  GError           *error;
} C2gPrototxt;

/* The text is borrowed. Fields may have any names; errors name line and column. */
gboolean          c2g_prototxt_parse      (C2gPrototxt        *self,
                                           const char         *text,
                                           gsize               n_bytes,
                                           GCancellable       *cancellable,
                                           GError            **error);
void              c2g_prototxt_clear      (C2gPrototxt        *self);
/* Keeps C2G_ERROR_CORRUPT with the place of the field, if there is no error yet. */
void              c2g_prototxt_fail       (C2gPrototxt        *self,
                                           C2gPrototxtField   *field,
                                           const char         *what);
/* Moves the error that was kept, in place of one that is there. Returns FALSE if there is one. */
gboolean          c2g_prototxt_check      (C2gPrototxt        *self,
                                           GError            **error);

/* In all of these the message may be NULL, which has no fields. */

/* The last field of the name, or NULL. */
C2gPrototxtField *c2g_prototxt_find       (C2gPrototxtField   *message,
                                           const char         *name);
/* The same for a field that is a message; a word is an error. */
C2gPrototxtField *c2g_prototxt_find_message (C2gPrototxt      *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);
/* All fields of the name, borrowed. */
GPtrArray        *c2g_prototxt_list       (C2gPrototxtField   *message,
                                           const char         *name);
/* The same for fields that are messages; a word is an error. */
GPtrArray        *c2g_prototxt_list_messages (C2gPrototxt     *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);
/* The words of all fields of the name, borrowed and NULL-terminated. */
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
/* Arrays of gint64 and float. */
GArray           *c2g_prototxt_list_ints  (C2gPrototxt        *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);
GArray           *c2g_prototxt_list_floats (C2gPrototxt       *self,
                                           C2gPrototxtField   *message,
                                           const char         *name);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gPrototxt, c2g_prototxt_clear)

G_END_DECLS
