/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-prototxt-private.h>

#include <c2g/core/c2g-i18n-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <string.h>

/* A text of Caffe is read without its messages being known: forks have fields of their own, and old
 * texts have others. What a field holds is judged when somebody asks for it. */

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A field takes more memory than text. */
#define MAX_TEXT_BYTES (64 << 20)

static void
field_free (gpointer data)
{
  C2gPrototxtField *self = data;

  g_free (self->name);
  g_free (self->word);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  g_free (self);
}

static C2gPrototxtField *
field_new (const char *name,
           const char *position)
{
  C2gPrototxtField *self = g_new0 (C2gPrototxtField, 1);

  self->name = g_strdup (name);
  self->position = position;
  return self;
}

static gboolean
read_string (C2gTextReader     *reader,
             C2gPrototxtField  *field,
             GError           **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!c2g_text_reader_take_string (reader, bytes, error))
    return FALSE;
  field->is_string = TRUE;
  field->word = bytes->len > 0 ? g_utf8_make_valid ((const char *) bytes->data, bytes->len) : g_strdup ("");
  return bytes->len == 0 || memchr (bytes->data, 0, bytes->len) == NULL ||
         c2g_text_reader_fail (reader, field->position, _("a null byte in a text"), error);
}

static gboolean read_fields (C2gTextReader     *reader,
                             C2gPrototxtField  *message,
                             char               close,
                             GError           **error);

static gboolean
read_message (C2gTextReader     *reader,
              C2gPrototxtField  *field,
              char               close,
              GError           **error)
{
  if (reader->depth == C2G_WIRE_MAX_DEPTH)
    return c2g_text_reader_fail (reader, reader->position, _("too many messages inside each other"), error);

  reader->depth++;
  if (!read_fields (reader, field, close, error))
    return FALSE;
  reader->depth--;
  return TRUE;
}

static gboolean
read_value (C2gTextReader     *reader,
            C2gPrototxtField  *field,
            gboolean           is_message,
            GError           **error)
{
  c2g_text_reader_skip_blank (reader);
  field->position = reader->position;
  if (c2g_text_reader_accept (reader, '{'))
    return read_message (reader, field, '}', error);
  if (c2g_text_reader_accept (reader, '<'))
    return read_message (reader, field, '>', error);
  if (is_message)
    return c2g_text_reader_fail (reader, reader->position, _("expected ':' or '{'"), error);

  field->word = c2g_text_reader_take_word (reader);
  return field->word != NULL || read_string (reader, field, error);
}

static gboolean
add_value (C2gTextReader     *reader,
           C2gPrototxtField  *message,
           const char        *name,
           gboolean           is_message,
           GError           **error)
{
  C2gPrototxtField *field = field_new (name, reader->position);

  g_ptr_array_add (message->fields, field);
  return read_value (reader, field, is_message, error);
}

/* Reads the value after a name: a single one, or a list in brackets. */
static gboolean
add_values (C2gTextReader     *reader,
            C2gPrototxtField  *message,
            const char        *name,
            GError           **error)
{
  const gboolean has_colon = c2g_text_reader_accept (reader, ':');

  if (!has_colon || !c2g_text_reader_accept (reader, '['))
    return add_value (reader, message, name, !has_colon, error);
  if (c2g_text_reader_accept (reader, ']'))
    return TRUE;

  do
    {
      if (!add_value (reader, message, name, FALSE, error))
        return FALSE;
    }
  while (c2g_text_reader_accept (reader, ','));
  return c2g_text_reader_accept (reader, ']') ||
         c2g_text_reader_fail (reader, reader->position, _("expected ']'"), error);
}

static gboolean
read_field (C2gTextReader     *reader,
            C2gPrototxtField  *message,
            GError           **error)
{
  const char *begin = reader->position;
  g_autofree char *name = c2g_text_reader_take_word (reader);

  if (name == NULL)
    return c2g_text_reader_fail (reader, begin, _("expected the name of a field"), error);
  if (!add_values (reader, message, name, error))
    return FALSE;
  if (!c2g_text_reader_accept (reader, ';'))
    c2g_text_reader_accept (reader, ',');
  return TRUE;
}

/* Up to the closing bracket, or to the end of the text for '\0'. */
static gboolean
read_fields (C2gTextReader     *reader,
             C2gPrototxtField  *message,
             char               close,
             GError           **error)
{
  message->fields = g_ptr_array_new_with_free_func (field_free);
  for (;;)
    {
      c2g_text_reader_skip_blank (reader);
      if (c2g_text_reader_at_end (reader))
        return close == '\0' ||
               c2g_text_reader_fail (reader, message->position, _("a bracket is not closed"), error);
      if (close != '\0' && c2g_text_reader_accept (reader, close))
        return TRUE;
      if (!read_field (reader, message, error))
        return FALSE;
    }
}

gboolean
c2g_prototxt_parse (C2gPrototxt  *self,
                    const char   *text,
                    gsize         n_bytes,
                    GError      **error)
{
  const gsize n_mark = strlen (BYTE_ORDER_MARK);

  *self = (C2gPrototxt) { { text, text + n_bytes, text } };
  self->root = field_new ("", text);
  if (n_bytes > MAX_TEXT_BYTES)
    return c2g_text_reader_fail (&self->reader, text, _("a text of more than 64 megabytes"), error);
  if (n_bytes >= n_mark && memcmp (text, BYTE_ORDER_MARK, n_mark) == 0)
    self->reader.position += n_mark;
  return read_fields (&self->reader, self->root, '\0', error);
}

void
c2g_prototxt_clear (C2gPrototxt *self)
{
  g_clear_pointer (&self->root, field_free);
  g_clear_error (&self->error);
}

guint
c2g_prototxt_get_line (C2gPrototxt      *self,
                       C2gPrototxtField *field)
{
  guint line = 1;

  for (const char *c = self->reader.begin; c < field->position; c++)
    line += *c == '\n';
  return line;
}

void
c2g_prototxt_fail (C2gPrototxt      *self,
                   C2gPrototxtField *field,
                   const char       *what)
{
  if (self->error == NULL)
    c2g_text_reader_fail (&self->reader, field->position, what, &self->error);
}

C2gPrototxtField *
c2g_prototxt_find (C2gPrototxtField *message,
                   const char       *name)
{
  C2gPrototxtField *found = NULL;

  for (guint i = 0; message != NULL && message->fields != NULL && i < message->fields->len; i++)
    {
      C2gPrototxtField *field = message->fields->pdata[i];

      if (!g_str_equal (field->name, name))
        continue;
      field->is_known = TRUE;
      found = field;
    }
  return found;
}

C2gPrototxtField *
c2g_prototxt_find_message (C2gPrototxt      *self,
                           C2gPrototxtField *message,
                           const char       *name)
{
  C2gPrototxtField *field = c2g_prototxt_find (message, name);

  if (field != NULL && field->fields == NULL)
    c2g_prototxt_fail (self, field, _("expected '{'"));
  return field;
}

GPtrArray *
c2g_prototxt_list (C2gPrototxtField *message,
                   const char       *name)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; message != NULL && message->fields != NULL && i < message->fields->len; i++)
    {
      C2gPrototxtField *field = message->fields->pdata[i];

      if (!g_str_equal (field->name, name))
        continue;
      field->is_known = TRUE;
      g_ptr_array_add (list, field);
    }
  return list;
}

/* The word of a field; an empty one, with an error, for a message. */
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
