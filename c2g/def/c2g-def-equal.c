/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-private.h>

#include <c2g/io/wire/c2g-message-field-private.h>

#include <string.h>

/* Compares messages, bit by bit or as definitions. As definitions a field that is not set equals
 * one with the default value; messages that are kept verbatim are compared bit by bit in any
 * case. */

static gboolean messages_equal (const ProtobufCMessage *message,
                                const ProtobufCMessage *other,
                                gboolean                is_exact);

static gboolean
bytes_equal (gconstpointer data,
             gconstpointer other,
             gsize         n_bytes)
{
  return n_bytes == 0 || memcmp (data, other, n_bytes) == 0;
}

static gboolean
values_equal (const ProtobufCFieldDescriptor *field,
              gconstpointer                   value,
              gconstpointer                   other,
              gboolean                        is_exact)
{
  const ProtobufCBinaryData *bytes = value;
  const ProtobufCBinaryData *other_bytes = other;
  gconstpointer const *pointer = value;
  gconstpointer const *other_pointer = other;

  switch (field->type)
    {
    case PROTOBUF_C_TYPE_STRING:
      return g_str_equal (*pointer, *other_pointer);

    case PROTOBUF_C_TYPE_MESSAGE:
      return messages_equal (*pointer, *other_pointer, is_exact);

    case PROTOBUF_C_TYPE_BYTES:
      return bytes->len == other_bytes->len &&
             bytes_equal (bytes->data, other_bytes->data, bytes->len);

    default:
      return bytes_equal (value, other, c2g_message_field_get_size (field));
    }
}

/* Returns TRUE if the value is the one that a field has while it is not set. The only exception
 * is the number of iterations: a step without it runs, and one with 0 does not. */
static gboolean
is_default (const ProtobufCFieldDescriptor *field,
            gconstpointer                   value)
{
  static const guint8 zero[8];
  const char *const *text = value;

  switch (field->type)
    {
    case PROTOBUF_C_TYPE_STRING:
      return (*text)[0] == '\0';

    case PROTOBUF_C_TYPE_MESSAGE:
    case PROTOBUF_C_TYPE_BYTES:
      return FALSE;

    default:
      return bytes_equal (value, zero, c2g_message_field_get_size (field)) &&
             !g_str_equal (field->name, "num_iter");
    }
}

static gboolean
fields_equal (const ProtobufCFieldDescriptor *field,
              const ProtobufCMessage         *message,
              const ProtobufCMessage         *other,
              gboolean                        is_exact)
{
  gsize size = c2g_message_field_get_size (field);
  const guint8 *values;
  const guint8 *others;
  gsize n = c2g_message_field_get_values (field, message, &values);
  gsize n_others = c2g_message_field_get_values (field, other, &others);

  if (n != n_others)
    return !is_exact && field->label != PROTOBUF_C_LABEL_REPEATED &&
           is_default (field, n > 0 ? values : others);

  for (gsize i = 0; i < n; i++)
    if (!values_equal (field, values + i * size, others + i * size, is_exact))
      return FALSE;

  return TRUE;
}

static gboolean
unknown_equal (const ProtobufCMessage *message,
               const ProtobufCMessage *other)
{
  if (message->n_unknown_fields != other->n_unknown_fields)
    return FALSE;

  for (guint i = 0; i < message->n_unknown_fields; i++)
    {
      const ProtobufCMessageUnknownField *field = &message->unknown_fields[i];
      const ProtobufCMessageUnknownField *other_field = &other->unknown_fields[i];

      if (field->tag != other_field->tag || field->wire_type != other_field->wire_type ||
          field->len != other_field->len ||
          !bytes_equal (field->data, other_field->data, field->len))
        return FALSE;
    }

  return TRUE;
}

static gboolean
messages_equal (const ProtobufCMessage *message,
                const ProtobufCMessage *other,
                gboolean                is_exact)
{
  if (message == other)
    return TRUE;
  if (message == NULL || other == NULL || message->descriptor != other->descriptor)
    return FALSE;

  is_exact = is_exact || c2g_def_is_verbatim (message);
  for (guint i = 0; i < message->descriptor->n_fields; i++)
    if (!fields_equal (&message->descriptor->fields[i], message, other, is_exact))
      return FALSE;

  return unknown_equal (message, other);
}

gboolean
c2g_message_equal (const ProtobufCMessage *message,
                   const ProtobufCMessage *other)
{
  return messages_equal (message, other, TRUE);
}

gboolean
c2g_def_equal (gpointer self,
               gpointer other)
{
  return messages_equal (&((C2gDef *) self)->message, &((C2gDef *) other)->message, FALSE);
}
