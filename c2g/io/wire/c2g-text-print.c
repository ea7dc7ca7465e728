/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-text-private.h>

#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-message-field-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Prints messages in protobuf's text format.
 *
 * The output is identical to that of protobuf's printer in Python: fields in the order of their
 * numbers, one on a line, indented by two spaces for each level. */

typedef struct
{
  GString *text;
  guint    depth;
} TextPrinter;

static void
put_indent (TextPrinter *self)
{
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->text, "  ");
}

static void
put_quoted (TextPrinter  *self,
            const guint8 *data,
            gsize         n_bytes)
{
  static const char special[] = "\n\r\t\"'\\";
  static const char letters[] = "nrt\"'\\";

  g_string_append_c (self->text, '"');
  for (gsize i = 0; i < n_bytes; i++)
    {
      const char *found = data[i] == 0 ? NULL : strchr (special, data[i]);

      if (found != NULL)
        g_string_append_printf (self->text, "\\%c", letters[found - special]);
      else if (data[i] < 0x20 || data[i] >= 0x7f)
        g_string_append_printf (self->text, "\\%03o", data[i]);
      else
        g_string_append_c (self->text, data[i]);
    }
  g_string_append_c (self->text, '"');
}

/* Formats with the fewest digits that are read back as the same number; at least six for a
 * float. */
static void
format_shortest (char     *buffer,
                 gsize     size,
                 double    value,
                 gboolean  is_single)
{
  int max_digits = is_single ? 9 : 17;

  for (int n = is_single ? 6 : 1; n <= max_digits; n++)
    {
      char format[8];
      double back;

      g_snprintf (format, sizeof format, "%%.%dg", n);
      g_ascii_formatd (buffer, size, format, value);
      back = g_ascii_strtod (buffer, NULL);
      if (is_single ? (float) back == (float) value : back == value)
        return;
    }
}

/* Only the sign of a NaN is kept. */
static void
put_floating (TextPrinter *self,
              double       value,
              gboolean     is_single)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    {
      g_string_append (self->text, signbit (value) ? "-nan" : "nan");
      return;
    }
  if (isinf (value))
    {
      g_string_append (self->text, value < 0 ? "-inf" : "inf");
      return;
    }

  /* Like Python, uses an exponent from 1e16 on only, and otherwise always a decimal point. */
  format_shortest (buffer, sizeof buffer, value, is_single);
  if (strchr (buffer, 'e') != NULL && fabs (value) >= 1 && fabs (value) < 1e16)
    g_ascii_formatd (buffer, sizeof buffer, "%.1f", g_ascii_strtod (buffer, NULL));
  g_string_append (self->text, buffer);
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (self->text, ".0");
}

/* Caffe2 stores the device type as an int32, so it is printed as a number. */
static void
put_enum (TextPrinter                  *self,
          const ProtobufCEnumDescriptor *descriptor,
          int                            number)
{
  const ProtobufCEnumValue *value = NULL;

  if (descriptor != &caffe2__device_type__descriptor)
    value = protobuf_c_enum_descriptor_get_value (descriptor, number);
  if (value != NULL)
    g_string_append (self->text, value->name);
  else
    g_string_append_printf (self->text, "%d", number);
}

static void put_fields (TextPrinter            *self,
                        const ProtobufCMessage *message);

static void
put_message (TextPrinter            *self,
             const ProtobufCMessage *message)
{
  g_string_append (self->text, " {\n");
  self->depth++;
  put_fields (self, message);
  self->depth--;
  put_indent (self);
  g_string_append_c (self->text, '}');
}

static void
put_bytes (TextPrinter                    *self,
           const ProtobufCFieldDescriptor *field,
           gconstpointer                   value)
{
  const ProtobufCBinaryData *bytes = value;
  const char *text;

  if (field->type == PROTOBUF_C_TYPE_BYTES)
    put_quoted (self, bytes->data, bytes->len);
  else
    {
      text = *(const char *const *) value;
      put_quoted (self, (const guint8 *) text, strlen (text));
    }
}

static void
put_scalar (TextPrinter                    *self,
            const ProtobufCFieldDescriptor *field,
            gconstpointer                   value)
{
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_FLOAT:
      put_floating (self, *(const float *) value, TRUE);
      break;

    case PROTOBUF_C_TYPE_DOUBLE:
      put_floating (self, *(const double *) value, FALSE);
      break;

    case PROTOBUF_C_TYPE_BOOL:
      g_string_append (self->text, *(const protobuf_c_boolean *) value ? "true" : "false");
      break;

    case PROTOBUF_C_TYPE_ENUM:
      put_enum (self, field->descriptor, *(const int *) value);
      break;

    case PROTOBUF_C_TYPE_INT32:
      g_string_append_printf (self->text, "%" PRId32, *(const gint32 *) value);
      break;

    case PROTOBUF_C_TYPE_UINT32:
      g_string_append_printf (self->text, "%" PRIu32, *(const guint32 *) value);
      break;

    case PROTOBUF_C_TYPE_INT64:
      g_string_append_printf (self->text, "%" PRId64, *(const gint64 *) value);
      break;

    default:
      /* Other types do not occur in c2g-caffe2.proto. */
      g_assert_not_reached ();
    }
}

static void
put_field (TextPrinter                    *self,
           const ProtobufCFieldDescriptor *field,
           gconstpointer                   value)
{
  put_indent (self);
  g_string_append (self->text, field->name);
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_MESSAGE:
      put_message (self, *(const ProtobufCMessage *const *) value);
      break;

    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
      g_string_append (self->text, ": ");
      put_bytes (self, field, value);
      break;

    default:
      g_string_append (self->text, ": ");
      put_scalar (self, field, value);
    }
  g_string_append_c (self->text, '\n');
}

static void
put_known (TextPrinter                    *self,
           const ProtobufCFieldDescriptor *field,
           const ProtobufCMessage         *message)
{
  gsize size = c2g_message_field_get_size (field);
  const guint8 *values;
  gsize n = c2g_message_field_get_values (field, message, &values);

  for (gsize i = 0; i < n; i++)
    put_field (self, field, values + i * size);
}

static guint64
read_fixed (const ProtobufCMessageUnknownField *field)
{
  guint64 bits = 0;

  for (gsize i = 0; i < field->len; i++)
    bits |= (guint64) field->data[i] << (8 * i);
  return bits;
}

/* Prints an unknown field by its number; the form of the value shows its wire type. */
static void
put_unknown (TextPrinter                        *self,
             const ProtobufCMessageUnknownField *field)
{
  guint64 value = 0;
  gsize n;

  put_indent (self);
  g_string_append_printf (self->text, "%u: ", field->tag);
  switch (field->wire_type)
    {
    case PROTOBUF_C_WIRE_TYPE_VARINT:
      c2g_wire_scan_varint (field->data, field->len, &value);
      g_string_append_printf (self->text, "%" PRIu64, value);
      break;

    case PROTOBUF_C_WIRE_TYPE_32BIT:
      g_string_append_printf (self->text, "0x%08" PRIx64, read_fixed (field));
      break;

    case PROTOBUF_C_WIRE_TYPE_64BIT:
      g_string_append_printf (self->text, "0x%016" PRIx64, read_fixed (field));
      break;

    default:
      n = c2g_wire_scan_varint (field->data, field->len, &value);
      put_quoted (self, field->data + n, field->len - n);
    }
  g_string_append_c (self->text, '\n');
}

static void
put_fields (TextPrinter            *self,
            const ProtobufCMessage *message)
{
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    put_known (self, &message->descriptor->fields[i], message);
  for (guint i = 0; i < message->n_unknown_fields; i++)
    put_unknown (self, &message->unknown_fields[i]);
}

char *
c2g_text_print (const ProtobufCMessage *message)
{
  TextPrinter printer = { g_string_new (NULL), 0 };

  put_fields (&printer, message);
  return g_string_free (printer.text, FALSE);
}
