/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-message-field-private.h>

/* Reads fields of any message through its descriptor. Comparison, printing and copying of messages
 * use it. */

gsize
c2g_message_field_get_size (const ProtobufCFieldDescriptor *field)
{
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
      return 8;

    case PROTOBUF_C_TYPE_BOOL:
      return sizeof (protobuf_c_boolean);

    case PROTOBUF_C_TYPE_BYTES:
      return sizeof (ProtobufCBinaryData);

    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_MESSAGE:
      return sizeof (gpointer);

    default:
      return 4;
    }
}

/* The struct is correctly aligned for each member; the cast avoids a warning about alignment. */
static gconstpointer
get_member (const ProtobufCMessage *message,
            guint                   offset)
{
  return (const guint8 *) message + offset;
}

static gboolean
is_there (const ProtobufCFieldDescriptor *field,
          const ProtobufCMessage         *message)
{
  const protobuf_c_boolean *has;
  gconstpointer const *pointer;

  if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_MESSAGE)
    {
      pointer = get_member (message, field->offset);
      return *pointer != NULL;
    }
  if (field->label == PROTOBUF_C_LABEL_REQUIRED)
    return TRUE;

  has = get_member (message, field->quantifier_offset);
  return *has;
}

gsize
c2g_message_field_get_values (const ProtobufCFieldDescriptor  *field,
                              const ProtobufCMessage          *message,
                              const guint8                   **values)
{
  const size_t *n_values;
  const guint8 *const *array;

  if (field->label != PROTOBUF_C_LABEL_REPEATED)
    {
      *values = get_member (message, field->offset);
      return is_there (field, message) ? 1 : 0;
    }

  n_values = get_member (message, field->quantifier_offset);
  array = get_member (message, field->offset);
  *values = *array;
  return *n_values;
}

const ProtobufCMessage *
c2g_message_field_get_message (const guint8 *values,
                               gsize         i)
{
  const ProtobufCMessage *const *messages = (gconstpointer) values;

  return messages[i];
}
