/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-text-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/io/c2g-wire-private.h>

#include <errno.h>
#include <string.h>

/* Converts the text to the binary form of the message and parses that, so that there is only one
 * set of checks. The depth is bounded: unknown names are errors, and the nesting of messages is
 * limited. */

/* Number of bytes that are checked to tell text from binary. */
#define LOOK_BYTES 4096

/* The binary form is at most three times as long, and must fit into a message. */
#define MAX_TEXT_BYTES (G_MAXINT / 8)

typedef struct
{
  const char *begin;
  const char *end;
  const char *position;
  /* Number of open submessages. */
  guint       depth;
} TextReader;

static gboolean
set_wrong (TextReader  *self,
           const char  *position,
           const char  *what,
           GError     **error)
{
  const char *line = self->begin;
  guint number = 1;

  for (const char *c = self->begin; c < position; c++)
    if (*c == '\n')
      {
        number++;
        line = c + 1;
      }

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("Line %u, column %d: %s"),
               number, (int) (position - line) + 1, what);
  return FALSE;
}

static gboolean
set_wrong_name (TextReader  *self,
                const char  *position,
                const char  *name,
                const char  *message_name,
                GError     **error)
{
  g_autofree char *what = g_strdup_printf (_("%s has no field “%s”"), message_name, name);

  return set_wrong (self, position, what, error);
}

static gboolean
at_end (TextReader *self)
{
  return self->position == self->end;
}

/* Skips white space and comments. */
static void
skip_blank (TextReader *self)
{
  while (!at_end (self) && (g_ascii_isspace (*self->position) || *self->position == '#'))
    {
      if (*self->position == '#')
        while (!at_end (self) && *self->position != '\n')
          self->position++;
      else
        self->position++;
    }
}

static gboolean
accept (TextReader *self,
        char        c)
{
  skip_blank (self);
  if (at_end (self) || *self->position != c)
    return FALSE;
  self->position++;
  return TRUE;
}

static gboolean
is_word_char (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '+' || c == '-';
}

/* Returns the next name or number; NULL if there is none. */
static char *
take_word (TextReader *self)
{
  const char *begin;

  skip_blank (self);
  begin = self->position;
  while (!at_end (self) && is_word_char (*self->position))
    self->position++;
  return self->position == begin ? NULL : g_strndup (begin, self->position - begin);
}

static gboolean
is_octal (char c)
{
  return c >= '0' && c <= '7';
}

/* Parses an octal or hexadecimal escape. */
static gboolean
take_number_escape (TextReader *self,
                    GByteArray *bytes)
{
  guint value = 0;
  guint n = 0;
  guint8 byte;

  if (is_octal (*self->position))
    while (n < 3 && self->position < self->end && is_octal (*self->position))
      {
        value = 8 * value + g_ascii_digit_value (*self->position++);
        n++;
      }
  else
    {
      self->position++;
      while (n < 2 && self->position < self->end && g_ascii_isxdigit (*self->position))
        {
          value = 16 * value + g_ascii_xdigit_value (*self->position++);
          n++;
        }
    }

  byte = value;
  g_byte_array_append (bytes, &byte, 1);
  return n > 0 && value <= G_MAXUINT8;
}

static gboolean
take_escape (TextReader *self,
             GByteArray *bytes)
{
  static const char letters[] = "abfnrtv\\'\"?";
  static const char meanings[] = "\a\b\f\n\r\t\v\\'\"?";
  const char *letter;

  if (at_end (self))
    return FALSE;
  if (is_octal (*self->position) || *self->position == 'x' || *self->position == 'X')
    return take_number_escape (self, bytes);

  letter = *self->position == '\0' ? NULL : strchr (letters, *self->position);
  if (letter == NULL)
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *) &meanings[letter - letters], 1);
  self->position++;
  return TRUE;
}

/* Parses one quoted string. The next character is the opening quote. */
static gboolean
take_quoted (TextReader  *self,
             GByteArray  *bytes,
             GError     **error)
{
  const char *begin = self->position;
  char quote = *self->position++;

  while (!at_end (self) && *self->position != quote && *self->position != '\n')
    if (*self->position != '\\')
      g_byte_array_append (bytes, (const guint8 *) self->position++, 1);
    else
      {
        self->position++;
        if (!take_escape (self, bytes))
          return set_wrong (self, self->position, _("an unknown escape"), error);
      }

  if (at_end (self) || *self->position != quote)
    return set_wrong (self, begin, _("a string does not end"), error);
  self->position++;
  return TRUE;
}

/* Parses a string, which may consist of several quoted parts. */
static gboolean
put_string (TextReader  *self,
            guint32      number,
            GByteArray  *output,
            GError     **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean any = FALSE;

  for (;;)
    {
      skip_blank (self);
      if (at_end (self) || (*self->position != '"' && *self->position != '\''))
        break;
      if (!take_quoted (self, bytes, error))
        return FALSE;
      any = TRUE;
    }

  if (!any)
    return set_wrong (self, self->position, _("expected a string"), error);
  c2g_wire_put_bytes (output, number, bytes->data, bytes->len);
  return TRUE;
}

static gboolean
parse_double (const char *word,
              double     *value)
{
  g_autofree char *trimmed = g_ascii_strdown (word, -1);
  gsize length = strlen (trimmed);
  char *end;

  /* A C suffix "f" is allowed. Check for a digit before it, because "inf" ends with f too. */
  if (length > 1 && trimmed[length - 1] == 'f' && g_ascii_isdigit (trimmed[length - 2]))
    trimmed[length - 1] = '\0';
  if (g_str_has_prefix (trimmed, "0x") || g_str_has_prefix (trimmed, "-0x"))
    return FALSE;

  *value = g_ascii_strtod (trimmed, &end);
  return end != trimmed && *end == '\0';
}

static gboolean
parse_integer (const char *word,
               gint64      minimum,
               guint64     maximum,
               guint64    *value)
{
  gboolean negative = *word == '-';
  const char *digits = negative ? word + 1 : word;
  guint64 limit = negative ? (guint64) -(minimum + 1) + 1 : maximum;
  char *end;

  if (!g_ascii_isdigit (*digits) || (negative && minimum == 0))
    return FALSE;

  errno = 0;
  *value = g_ascii_strtoull (digits, &end, 0);
  if (errno != 0 || *end != '\0' || *value > limit)
    return FALSE;
  if (negative)
    *value = -*value;
  return TRUE;
}

static gboolean
parse_bool (const char *word,
            guint64    *value)
{
  *value = g_str_equal (word, "true") || g_str_equal (word, "True") ||
           g_str_equal (word, "t") || g_str_equal (word, "1");
  return *value != 0 || g_str_equal (word, "false") || g_str_equal (word, "False") ||
         g_str_equal (word, "f") || g_str_equal (word, "0");
}

static gboolean
parse_varint (const ProtobufCFieldDescriptor *field,
              const char                     *word,
              guint64                        *value)
{
  const ProtobufCEnumValue *named;

  switch (field->type)
    {
    case PROTOBUF_C_TYPE_BOOL:
      return parse_bool (word, value);

    case PROTOBUF_C_TYPE_ENUM:
      named = protobuf_c_enum_descriptor_get_value_by_name (field->descriptor, word);
      if (named != NULL)
        {
          *value = (guint64) (gint64) named->value;
          return TRUE;
        }
      return parse_integer (word, G_MININT32, G_MAXINT32, value);

    case PROTOBUF_C_TYPE_INT32:
      return parse_integer (word, G_MININT32, G_MAXINT32, value);

    case PROTOBUF_C_TYPE_UINT32:
      return parse_integer (word, 0, G_MAXUINT32, value);

    case PROTOBUF_C_TYPE_INT64:
      return parse_integer (word, G_MININT64, G_MAXINT64, value);

    default:
      g_assert_not_reached ();
    }
}

/* Writes a float or a double. */
static void
put_floating (const ProtobufCFieldDescriptor *field,
              double                          value,
              GByteArray                     *output)
{
  float single = value;
  guint32 single_bits;
  guint64 bits;

  if (field->type == PROTOBUF_C_TYPE_FLOAT)
    {
      memcpy (&single_bits, &single, sizeof single);
      single_bits = GUINT32_TO_LE (single_bits);
      c2g_wire_put_tag (output, field->id, PROTOBUF_C_WIRE_TYPE_32BIT);
      g_byte_array_append (output, (const guint8 *) &single_bits, sizeof single_bits);
    }
  else
    {
      memcpy (&bits, &value, sizeof value);
      bits = GUINT64_TO_LE (bits);
      c2g_wire_put_tag (output, field->id, PROTOBUF_C_WIRE_TYPE_64BIT);
      g_byte_array_append (output, (const guint8 *) &bits, sizeof bits);
    }
}

/* Parses a number, or the name of an enum value or boolean. */
static gboolean
put_word (TextReader                      *self,
          const ProtobufCFieldDescriptor  *field,
          GByteArray                      *output,
          GError                         **error)
{
  g_autofree char *word = NULL;
  const char *begin;
  guint64 varint;
  double number;

  skip_blank (self);
  begin = self->position;
  word = take_word (self);
  if (word == NULL)
    return set_wrong (self, begin, _("expected a value"), error);

  if (field->type == PROTOBUF_C_TYPE_FLOAT || field->type == PROTOBUF_C_TYPE_DOUBLE)
    {
      if (!parse_double (word, &number))
        return set_wrong (self, begin, _("expected a number"), error);
      put_floating (field, number, output);
      return TRUE;
    }

  if (!parse_varint (field, word, &varint))
    return set_wrong (self, begin, _("expected another kind of value, or one that fits"), error);
  c2g_wire_put_tag (output, field->id, PROTOBUF_C_WIRE_TYPE_VARINT);
  c2g_wire_put_varint (output, varint);
  return TRUE;
}

static gboolean put_fields (TextReader                        *self,
                            const ProtobufCMessageDescriptor  *descriptor,
                            char                               close,
                            GByteArray                        *output,
                            GError                           **error);

static gboolean
put_message (TextReader                      *self,
             const ProtobufCFieldDescriptor  *field,
             GByteArray                      *output,
             GError                         **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char close;

  if (accept (self, '{'))
    close = '}';
  else if (accept (self, '<'))
    close = '>';
  else
    return set_wrong (self, self->position, _("expected '{'"), error);

  if (++self->depth > C2G_WIRE_MAX_DEPTH)
    return set_wrong (self, self->position, _("too many messages inside each other"), error);
  if (!put_fields (self, field->descriptor, close, bytes, error))
    return FALSE;
  self->depth--;
  c2g_wire_put_bytes (output, field->id, bytes->data, bytes->len);
  return TRUE;
}

static gboolean
put_value (TextReader                      *self,
           const ProtobufCFieldDescriptor  *field,
           GByteArray                      *output,
           GError                         **error)
{
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_MESSAGE:
      return put_message (self, field, output, error);

    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
      return put_string (self, field->id, output, error);

    default:
      return put_word (self, field, output, error);
    }
}

/* Parses what follows the name of a field: one value, or a list in brackets. */
static gboolean
put_values (TextReader                      *self,
            const ProtobufCFieldDescriptor  *field,
            GByteArray                      *output,
            GError                         **error)
{
  gboolean has_colon = accept (self, ':');

  if (!has_colon && field->type != PROTOBUF_C_TYPE_MESSAGE)
    return set_wrong (self, self->position, _("expected ':'"), error);
  if (field->label != PROTOBUF_C_LABEL_REPEATED || !accept (self, '['))
    return put_value (self, field, output, error);

  if (accept (self, ']'))
    return TRUE;
  do
    {
      if (!put_value (self, field, output, error))
        return FALSE;
    }
  while (accept (self, ','));
  return accept (self, ']') || set_wrong (self, self->position, _("expected ']'"), error);
}

/* Parses an unknown field in the form of c2g_text_print(): 8 or 16 hexadecimal digits are fixed32
 * or fixed64. */
static gboolean
put_unknown (TextReader  *self,
             guint32      number,
             GByteArray  *output,
             GError     **error)
{
  g_autofree char *word = NULL;
  const char *begin;
  gboolean is_fixed;
  guint64 value;
  gsize length;

  if (!accept (self, ':'))
    return set_wrong (self, self->position, _("expected ':'"), error);

  skip_blank (self);
  begin = self->position;
  word = take_word (self);
  if (word == NULL)
    return put_string (self, number, output, error);
  if (!parse_integer (word, 0, G_MAXUINT64, &value))
    return set_wrong (self, begin, _("expected a number"), error);

  length = strlen (word);
  is_fixed = g_str_has_prefix (word, "0x") && (length == 10 || length == 18);
  if (!is_fixed)
    {
      c2g_wire_put_tag (output, number, PROTOBUF_C_WIRE_TYPE_VARINT);
      c2g_wire_put_varint (output, value);
      return TRUE;
    }

  c2g_wire_put_tag (output, number,
                    length == 10 ? PROTOBUF_C_WIRE_TYPE_32BIT : PROTOBUF_C_WIRE_TYPE_64BIT);
  value = GUINT64_TO_LE (value);
  g_byte_array_append (output, (const guint8 *) &value, length == 10 ? 4 : 8);
  return TRUE;
}

/* Returns the field number if the word is the number of an unknown field, else 0. */
static guint32
parse_number (const ProtobufCMessageDescriptor *descriptor,
              const char                       *word)
{
  guint64 number;

  if (!parse_integer (word, 0, C2G_WIRE_MAX_NUMBER, &number) ||
      protobuf_c_message_descriptor_get_field (descriptor, number) != NULL)
    return 0;
  return number;
}

/* Maps old names of fields. */
static const char *
resolve_alias (const ProtobufCMessageDescriptor *descriptor,
               const char                       *name)
{
  if (descriptor == &caffe2__device_option__descriptor && g_str_equal (name, "cuda_gpu_id"))
    return "device_id";
  return name;
}

static gboolean
put_field (TextReader                        *self,
           const ProtobufCMessageDescriptor  *descriptor,
           guint64                           *seen,
           GByteArray                        *output,
           GError                           **error)
{
  const ProtobufCFieldDescriptor *field;
  g_autofree char *name = NULL;
  const char *begin;
  guint32 number;
  guint64 bit;

  skip_blank (self);
  begin = self->position;
  name = take_word (self);
  if (name == NULL)
    return set_wrong (self, begin, _("expected the name of a field"), error);

  number = parse_number (descriptor, name);
  if (number != 0)
    return put_unknown (self, number, output, error);

  field = protobuf_c_message_descriptor_get_field_by_name (descriptor,
                                                           resolve_alias (descriptor, name));
  if (field == NULL)
    return set_wrong_name (self, begin, name, descriptor->short_name, error);

  bit = G_GUINT64_CONSTANT (1) << (field - descriptor->fields);
  if (field->label != PROTOBUF_C_LABEL_REPEATED && (*seen & bit) != 0)
    return set_wrong (self, begin, _("a field that may stand once only"), error);
  *seen |= bit;

  if (!put_values (self, field, output, error))
    return FALSE;
  if (!accept (self, ';'))
    accept (self, ',');
  return TRUE;
}

/* Parses fields up to the closing bracket; '\0' means up to the end of the text. */
static gboolean
put_fields (TextReader                        *self,
            const ProtobufCMessageDescriptor  *descriptor,
            char                               close,
            GByteArray                        *output,
            GError                           **error)
{
  guint64 seen = 0;

  for (;;)
    {
      skip_blank (self);
      if (at_end (self))
        return close == '\0' ||
               set_wrong (self, self->position, _("a bracket is not closed"), error);
      if (close != '\0' && accept (self, close))
        return TRUE;
      if (!put_field (self, descriptor, &seen, output, error))
        return FALSE;
    }
}

ProtobufCMessage *
c2g_text_parse (const ProtobufCMessageDescriptor  *descriptor,
                const char                        *text,
                gsize                              n_bytes,
                GError                           **error)
{
  TextReader reader = { text, text + n_bytes, text };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (n_bytes > MAX_TEXT_BYTES)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("A text of %zu bytes, at most %d can be read"),
                   n_bytes, MAX_TEXT_BYTES);
      return NULL;
    }
  if (!put_fields (&reader, descriptor, '\0', bytes, error))
    return NULL;
  return c2g_wire_parse (descriptor, bytes->data, bytes->len, 0, error);
}

/* Returns TRUE if there are no control characters and the first word is the name of a field. */
gboolean
c2g_text_looks_like (const ProtobufCMessageDescriptor *descriptor,
                     const guint8                     *data,
                     gsize                             n_bytes)
{
  TextReader reader = { (const char *) data, (const char *) data + n_bytes, (const char *) data };
  g_autofree char *word = NULL;

  for (gsize i = 0; i < MIN (n_bytes, LOOK_BYTES); i++)
    if (data[i] < 0x20 && !g_ascii_isspace (data[i]))
      return FALSE;

  word = take_word (&reader);
  return word != NULL && protobuf_c_message_descriptor_get_field_by_name (descriptor, word) != NULL;
}
