/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-prototxt-private.h>

#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Parses Caffe's text format without knowing the messages, because forks have their own fields and
 * old texts have others. Values are converted only when they are requested. */

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Limits on memory: a field takes more memory than its text. A net of a hundred thousand layers has
 * about two million fields. */
#define MAX_TEXT_BYTES (64 << 20)
#define MAX_FIELDS     (4 << 20)

/* Number of fields between two checks for cancellation. */
#define FIELDS_PER_LOOK 1024

#define CHUNK_BYTES 4096

static void
field_free (C2gPrototxtField *self)
{
  C2gPrototxtField *next;

  for (C2gPrototxtField *field = self->fields; field != NULL; field = next)
    {
      next = field->next;
      field_free (field);
    }
  g_free (self);
}

/* Returns a copy of a name or value in the string chunk. */
static const char *
keep (C2gPrototxt *self,
      char        *text)
{
  const char *kept = g_string_chunk_insert (self->strings, text);

  g_free (text);
  return kept;
}

static gboolean
fail_here (C2gPrototxt  *self,
           const char   *what,
           GError      **error)
{
  return c2g_text_reader_fail (&self->reader, self->reader.position, what, error);
}

static gboolean
read_string (C2gPrototxt       *self,
             C2gPrototxtField  *field,
             GError           **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!c2g_text_reader_take_string (&self->reader, bytes, error))
    return FALSE;
  field->is_string = TRUE;
  field->word = bytes->len > 0 ? keep (self, g_utf8_make_valid ((const char *) bytes->data, bytes->len)) : "";
  return bytes->len == 0 || memchr (bytes->data, 0, bytes->len) == NULL ||
         c2g_text_reader_fail (&self->reader, field->position, _("a null byte in a text"), error);
}

static gboolean read_fields (C2gPrototxt       *self,
                             C2gPrototxtField  *message,
                             char               close,
                             GError           **error);

static gboolean
read_message (C2gPrototxt       *self,
              C2gPrototxtField  *field,
              char               close,
              GError           **error)
{
  if (self->reader.depth == C2G_WIRE_MAX_DEPTH)
    return fail_here (self, _("too many messages inside each other"), error);

  self->reader.depth++;
  if (!read_fields (self, field, close, error))
    return FALSE;
  self->reader.depth--;
  return TRUE;
}

/* Sets position and line. Values come in the order of the text, so lines are counted from the last
 * position. */
static void
set_place (C2gPrototxt      *self,
           C2gPrototxtField *field)
{
  field->position = self->reader.position;
  for (; self->counted < field->position; self->counted++)
    self->line += *self->counted == '\n';
  field->line = self->line;
}

static gboolean
read_value (C2gPrototxt       *self,
            C2gPrototxtField  *field,
            gboolean           is_message,
            GError           **error)
{
  C2gTextReader *reader = &self->reader;
  char *word;

  c2g_text_reader_skip_blank (reader);
  set_place (self, field);
  if (c2g_text_reader_accept (reader, '{'))
    return read_message (self, field, '}', error);
  if (c2g_text_reader_accept (reader, '<'))
    return read_message (self, field, '>', error);
  if (is_message)
    return fail_here (self, _("expected ':' or '{'"), error);

  word = c2g_text_reader_take_word (reader);
  if (word == NULL)
    return read_string (self, field, error);
  field->word = keep (self, word);
  return TRUE;
}

static gboolean
check_size (C2gPrototxt  *self,
            GError      **error)
{
  if (self->n_fields++ == MAX_FIELDS)
    return fail_here (self, _("a text of more than 4 million fields"), error);
  return self->n_fields % FIELDS_PER_LOOK != 0 ||
         !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

/* Adds a field to the open message, at the front: add_values() reverses the list at the end. */
static gboolean
add_value (C2gPrototxt       *self,
           C2gPrototxtField  *message,
           const char        *name,
           gboolean           is_message,
           GError           **error)
{
  C2gPrototxtField *field;

  if (!check_size (self, error))
    return FALSE;
  field = g_new (C2gPrototxtField, 1);
  *field = (C2gPrototxtField) { .name = name, .position = self->reader.position, .next = message->fields };
  message->fields = field;
  return read_value (self, field, is_message, error);
}

/* Reads the value after a name: a single one, or a list in brackets. */
static gboolean
add_values (C2gPrototxt       *self,
            C2gPrototxtField  *message,
            const char        *name,
            GError           **error)
{
  C2gTextReader *reader = &self->reader;
  const gboolean has_colon = c2g_text_reader_accept (reader, ':');

  if (!has_colon || !c2g_text_reader_accept (reader, '['))
    return add_value (self, message, name, !has_colon, error);
  if (c2g_text_reader_accept (reader, ']'))
    return TRUE;

  do
    {
      if (!add_value (self, message, name, FALSE, error))
        return FALSE;
    }
  while (c2g_text_reader_accept (reader, ','));
  return c2g_text_reader_accept (reader, ']') || fail_here (self, _("expected ']'"), error);
}

static gboolean
read_field (C2gPrototxt       *self,
            C2gPrototxtField  *message,
            GError           **error)
{
  char *name = c2g_text_reader_take_word (&self->reader);

  if (name == NULL)
    return fail_here (self, _("expected the name of a field"), error);
  if (!add_values (self, message, keep (self, name), error))
    return FALSE;
  if (!c2g_text_reader_accept (&self->reader, ';'))
    c2g_text_reader_accept (&self->reader, ',');
  return TRUE;
}

static gboolean
at_close (C2gPrototxt *self,
          char         close)
{
  c2g_text_reader_skip_blank (&self->reader);
  return close == '\0' ? c2g_text_reader_at_end (&self->reader) : c2g_text_reader_accept (&self->reader, close);
}

static void
reverse (C2gPrototxtField *message)
{
  C2gPrototxtField *field = g_steal_pointer (&message->fields);

  while (field != NULL)
    {
      C2gPrototxtField *next = field->next;

      field->next = message->fields;
      message->fields = field;
      field = next;
    }
}

/* Reads fields up to the closing bracket; '\0' means the end of the text. */
static gboolean
read_fields (C2gPrototxt       *self,
             C2gPrototxtField  *message,
             char               close,
             GError           **error)
{
  while (!at_close (self, close))
    {
      if (c2g_text_reader_at_end (&self->reader))
        return c2g_text_reader_fail (&self->reader, message->position, _("a bracket is not closed"), error);
      if (!read_field (self, message, error))
        return FALSE;
    }
  reverse (message);
  return TRUE;
}

gboolean
c2g_prototxt_parse (C2gPrototxt   *self,
                    const char    *text,
                    gsize          n_bytes,
                    GCancellable  *cancellable,
                    GError       **error)
{
  const gsize n_mark = strlen (BYTE_ORDER_MARK);

  *self = (C2gPrototxt) { .reader = { text, text + n_bytes, text }, .counted = text, .line = 1, .cancellable = cancellable };
  self->root = g_new0 (C2gPrototxtField, 1);
  self->root->name = "";
  self->root->position = text;
  self->strings = g_string_chunk_new (CHUNK_BYTES);
  if (n_bytes > MAX_TEXT_BYTES)
    return fail_here (self, _("a text of more than 64 megabytes"), error);
  if (n_bytes >= n_mark && memcmp (text, BYTE_ORDER_MARK, n_mark) == 0)
    self->reader.position += n_mark;
  return read_fields (self, self->root, '\0', error);
}

void
c2g_prototxt_clear (C2gPrototxt *self)
{
  g_clear_pointer (&self->root, field_free);
  g_clear_pointer (&self->strings, g_string_chunk_free);
  g_clear_error (&self->error);
}

void
c2g_prototxt_fail (C2gPrototxt      *self,
                   C2gPrototxtField *field,
                   const char       *what)
{
  if (self->error == NULL)
    c2g_text_reader_fail (&self->reader, field->position, what, &self->error);
}

gboolean
c2g_prototxt_check (C2gPrototxt  *self,
                    GError      **error)
{
  if (self->error == NULL)
    return TRUE;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* Returns the next field of that name, from FIELD on, or NULL. */
static C2gPrototxtField *
seek (C2gPrototxtField *field,
      const char       *name)
{
  while (field != NULL && !g_str_equal (field->name, name))
    field = field->next;
  return field;
}

C2gPrototxtField *
c2g_prototxt_find (C2gPrototxtField *message,
                   const char       *name)
{
  C2gPrototxtField *field = message != NULL ? message->fields : NULL;
  C2gPrototxtField *found = NULL;

  for (; (field = seek (field, name)) != NULL; field = field->next)
    found = field;
  return found;
}

static void
check_message (C2gPrototxt      *self,
               C2gPrototxtField *field)
{
  if (field != NULL && field->word != NULL)
    c2g_prototxt_fail (self, field, _("expected '{'"));
}

C2gPrototxtField *
c2g_prototxt_find_message (C2gPrototxt      *self,
                           C2gPrototxtField *message,
                           const char       *name)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);

  check_message (self, field);
  return field;
}

GPtrArray *
c2g_prototxt_list (C2gPrototxtField *message,
                   const char       *name)
{
  C2gPrototxtField *field = message != NULL ? message->fields : NULL;
  GPtrArray *list = g_ptr_array_new ();

  for (; (field = seek (field, name)) != NULL; field = field->next)
    g_ptr_array_add (list, field);
  return list;
}

GPtrArray *
c2g_prototxt_list_messages (C2gPrototxt      *self,
                            C2gPrototxtField *message,
                            const char       *name)
{
  GPtrArray *list = c2g_prototxt_list (message, name);

  for (guint i = 0; i < list->len; i++)
    check_message (self, list->pdata[i]);
  return list;
}

/* Returns the value of a field. For a message sets an error and returns "". */
static const char *
get_word (C2gPrototxt      *self,
          C2gPrototxtField *field)
{
  if (field->word == NULL)
    c2g_prototxt_fail (self, field, _("expected a value"));
  return field->word != NULL ? field->word : "";
}

GPtrArray *
c2g_prototxt_list_words (C2gPrototxt      *self,
                         C2gPrototxtField *message,
                         const char       *name)
{
  GPtrArray *list = c2g_prototxt_list (message, name);

  for (guint i = 0; i < list->len; i++)
    list->pdata[i] = (char *) get_word (self, list->pdata[i]);
  g_ptr_array_add (list, NULL);
  return list;
}

const char *
c2g_prototxt_get_word (C2gPrototxt      *self,
                       C2gPrototxtField *message,
                       const char       *name,
                       const char       *otherwise)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);

  return field != NULL ? get_word (self, field) : otherwise;
}

static gint64
parse_int (C2gPrototxt      *self,
           C2gPrototxtField *field)
{
  const char *word = get_word (self, field);
  guint64 value = 0;

  if (field->is_string || !c2g_text_parse_integer (word, G_MININT64, G_MAXINT64, &value))
    c2g_prototxt_fail (self, field, _("expected an integer"));
  return (gint64) value;
}

static double
parse_double (C2gPrototxt      *self,
              C2gPrototxtField *field)
{
  double value = 0;

  if (field->is_string || !c2g_text_parse_double (get_word (self, field), &value))
    c2g_prototxt_fail (self, field, _("expected a number"));
  return value;
}

gint64
c2g_prototxt_get_int (C2gPrototxt      *self,
                      C2gPrototxtField *message,
                      const char       *name,
                      gint64            otherwise)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);

  return field != NULL ? parse_int (self, field) : otherwise;
}

double
c2g_prototxt_get_double (C2gPrototxt      *self,
                         C2gPrototxtField *message,
                         const char       *name,
                         double            otherwise)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);

  return field != NULL ? parse_double (self, field) : otherwise;
}

gboolean
c2g_prototxt_get_bool (C2gPrototxt      *self,
                       C2gPrototxtField *message,
                       const char       *name,
                       gboolean          otherwise)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);
  guint64 value = 0;

  if (field == NULL)
    return otherwise;
  if (field->is_string || !c2g_text_parse_bool (get_word (self, field), &value))
    c2g_prototxt_fail (self, field, _("expected true or false"));
  return value != 0;
}

gint64
c2g_prototxt_get_enum (C2gPrototxt       *self,
                       C2gPrototxtField  *message,
                       const char        *name,
                       const char *const *names,
                       gint64             otherwise)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);
  const char *word = field != NULL ? get_word (self, field) : NULL;
  guint64 number;

  if (field == NULL)
    return otherwise;
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (word, names[i]) && *word != '\0')
      return i;
  if (c2g_text_parse_integer (word, 0, g_strv_length ((char **) names) - 1, &number) &&
      *names[number] != '\0')
    return number;

  c2g_prototxt_fail (self, field, _("a value that the field does not have"));
  return otherwise;
}

GArray *
c2g_prototxt_list_ints (C2gPrototxt      *self,
                        C2gPrototxtField *message,
                        const char       *name)
{
  g_autoptr (GPtrArray) fields = c2g_prototxt_list (message, name);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < fields->len; i++)
    {
      const gint64 value = parse_int (self, fields->pdata[i]);

      g_array_append_val (list, value);
    }
  return list;
}

GArray *
c2g_prototxt_list_floats (C2gPrototxt      *self,
                          C2gPrototxtField *message,
                          const char       *name)
{
  g_autoptr (GPtrArray) fields = c2g_prototxt_list (message, name);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (float));

  for (guint i = 0; i < fields->len; i++)
    {
      const float value = parse_double (self, fields->pdata[i]);

      g_array_append_val (list, value);
    }
  return list;
}
