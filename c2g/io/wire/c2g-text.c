/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-text-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-reader-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Parses protobuf's text format.
 *
 * Converts the text to the binary form of the message and parses that, so that there is only one
 * set of checks. The recursion is bounded: the nesting of messages is limited, and an unknown name
 * is an error, so that no unknown message is entered. */

/* The binary form must fit into a message. It is less than eight times as long: the worst are short
 * numbers in a list, such as "0," for a double, which takes nine bytes. */
#define MAX_TEXT_BYTES (G_MAXINT / 8)

static gboolean
set_wrong_name (C2gTextReader  *self,
                const char  *position,
                const char  *name,
                const char  *message_name,
                GError     **error)
{
  g_autofree char *what = g_strdup_printf (_("%s has no field “%s”"), message_name, name);

  return c2g_text_reader_fail (self, position, what, error);
}

static gboolean
put_string (C2gTextReader  *self,
            guint32         number,
            GByteArray     *output,
            GError        **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!c2g_text_reader_take_string (self, bytes, error))
    return FALSE;
  c2g_wire_put_bytes (output, number, bytes->data, bytes->len);
  return TRUE;
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
      return c2g_text_parse_bool (word, value);

    case PROTOBUF_C_TYPE_ENUM:
      named = protobuf_c_enum_descriptor_get_value_by_name (field->descriptor, word);
      if (named != NULL)
        {
          *value = (guint64) (gint64) named->value;
          return TRUE;
        }
      return c2g_text_parse_integer (word, G_MININT32, G_MAXINT32, value);

    case PROTOBUF_C_TYPE_INT32:
      return c2g_text_parse_integer (word, G_MININT32, G_MAXINT32, value);

    case PROTOBUF_C_TYPE_UINT32:
      return c2g_text_parse_integer (word, 0, G_MAXUINT32, value);

    case PROTOBUF_C_TYPE_INT64:
      return c2g_text_parse_integer (word, G_MININT64, G_MAXINT64, value);

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
put_word (C2gTextReader                      *self,
          const ProtobufCFieldDescriptor  *field,
          GByteArray                      *output,
          GError                         **error)
{
  g_autofree char *word = NULL;
  const char *begin;
  guint64 varint;
  double number;

  c2g_text_reader_skip_blank (self);
  begin = self->position;
  word = c2g_text_reader_take_word (self);
  if (word == NULL)
    return c2g_text_reader_fail (self, begin, _("expected a value"), error);

  if (field->type == PROTOBUF_C_TYPE_FLOAT || field->type == PROTOBUF_C_TYPE_DOUBLE)
    {
      if (!c2g_text_parse_double (word, &number))
        return c2g_text_reader_fail (self, begin, _("expected a number"), error);
      put_floating (field, number, output);
      return TRUE;
    }

  if (!parse_varint (field, word, &varint))
    return c2g_text_reader_fail (self, begin, _("expected another kind of value, or one that fits"), error);
  c2g_wire_put_number (output, field->id, varint);
  return TRUE;
}

static gboolean put_fields (C2gTextReader                        *self,
                            const ProtobufCMessageDescriptor  *descriptor,
                            char                               close,
                            GByteArray                        *output,
                            GError                           **error);

static gboolean
put_message (C2gTextReader                      *self,
             const ProtobufCFieldDescriptor  *field,
             GByteArray                      *output,
             GError                         **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char close;

  if (c2g_text_reader_accept (self, '{'))
    close = '}';
  else if (c2g_text_reader_accept (self, '<'))
    close = '>';
  else
    return c2g_text_reader_fail (self, self->position, _("expected '{'"), error);

  if (++self->depth > C2G_WIRE_MAX_DEPTH)
    return c2g_text_reader_fail (self, self->position, _("too many messages inside each other"), error);
  if (!put_fields (self, field->descriptor, close, bytes, error))
    return FALSE;
  self->depth--;
  c2g_wire_put_bytes (output, field->id, bytes->data, bytes->len);
  return TRUE;
}

static gboolean
put_value (C2gTextReader                      *self,
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
put_values (C2gTextReader                      *self,
            const ProtobufCFieldDescriptor  *field,
            GByteArray                      *output,
            GError                         **error)
{
  gboolean has_colon = c2g_text_reader_accept (self, ':');

  if (!has_colon && field->type != PROTOBUF_C_TYPE_MESSAGE)
    return c2g_text_reader_fail (self, self->position, _("expected ':'"), error);
  if (field->label != PROTOBUF_C_LABEL_REPEATED || !c2g_text_reader_accept (self, '['))
    return put_value (self, field, output, error);

  if (c2g_text_reader_accept (self, ']'))
    return TRUE;
  do
    {
      if (!put_value (self, field, output, error))
        return FALSE;
    }
  while (c2g_text_reader_accept (self, ','));
  return c2g_text_reader_accept (self, ']') || c2g_text_reader_fail (self, self->position, _("expected ']'"), error);
}

/* Parses an unknown field in the form of c2g_text_print(): 8 or 16 hexadecimal digits are fixed32
 * or fixed64. */
static gboolean
put_unknown (C2gTextReader  *self,
             guint32      number,
             GByteArray  *output,
             GError     **error)
{
  g_autofree char *word = NULL;
  const char *begin;
  gboolean is_fixed;
  guint64 value;
  gsize length;

  if (!c2g_text_reader_accept (self, ':'))
    return c2g_text_reader_fail (self, self->position, _("expected ':'"), error);

  c2g_text_reader_skip_blank (self);
  begin = self->position;
  word = c2g_text_reader_take_word (self);
  if (word == NULL)
    return put_string (self, number, output, error);
  if (!c2g_text_parse_integer (word, 0, G_MAXUINT64, &value))
    return c2g_text_reader_fail (self, begin, _("expected a number"), error);

  length = strlen (word);
  is_fixed = g_str_has_prefix (word, "0x") && (length == 10 || length == 18);
  if (!is_fixed)
    {
      c2g_wire_put_number (output, number, value);
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

  if (!c2g_text_parse_integer (word, 0, C2G_WIRE_MAX_NUMBER, &number) ||
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
put_field (C2gTextReader                        *self,
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

  c2g_text_reader_skip_blank (self);
  begin = self->position;
  name = c2g_text_reader_take_word (self);
  if (name == NULL)
    return c2g_text_reader_fail (self, begin, _("expected the name of a field"), error);

  number = parse_number (descriptor, name);
  if (number != 0)
    return put_unknown (self, number, output, error);

  field = protobuf_c_message_descriptor_get_field_by_name (descriptor,
                                                           resolve_alias (descriptor, name));
  if (field == NULL)
    return set_wrong_name (self, begin, name, descriptor->short_name, error);

  bit = G_GUINT64_CONSTANT (1) << (field - descriptor->fields);
  if (field->label != PROTOBUF_C_LABEL_REPEATED && (*seen & bit) != 0)
    return c2g_text_reader_fail (self, begin, _("a field that may stand once only"), error);
  *seen |= bit;

  if (!put_values (self, field, output, error))
    return FALSE;
  if (!c2g_text_reader_accept (self, ';'))
    c2g_text_reader_accept (self, ',');
  return TRUE;
}

/* Parses fields up to the closing bracket; '\0' means up to the end of the text. */
static gboolean
put_fields (C2gTextReader                        *self,
            const ProtobufCMessageDescriptor  *descriptor,
            char                               close,
            GByteArray                        *output,
            GError                           **error)
{
  guint64 seen = 0;

  for (;;)
    {
      c2g_text_reader_skip_blank (self);
      if (c2g_text_reader_at_end (self))
        return close == '\0' ||
               c2g_text_reader_fail (self, self->position, _("a bracket is not closed"), error);
      if (close != '\0' && c2g_text_reader_accept (self, close))
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
  C2gTextReader reader = { text, text + n_bytes, text };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (n_bytes > MAX_TEXT_BYTES)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("A text of %zu bytes, at most %d can be read"),
                          n_bytes, MAX_TEXT_BYTES);
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
  C2gTextReader reader = { (const char *) data, (const char *) data + n_bytes, (const char *) data };
  g_autofree char *word = NULL;

  if (!c2g_text_is_printable (data, n_bytes))
    return FALSE;

  word = c2g_text_reader_take_word (&reader);
  return word != NULL && protobuf_c_message_descriptor_get_field_by_name (descriptor, word) != NULL;
}
