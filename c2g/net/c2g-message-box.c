/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-message-box-private.h>

#include <c2g/io/c2g-message-field-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <string.h>

struct _C2gMessageBox
{
  gatomicrefcount   ref_count;
  ProtobufCMessage *message;
};

C2gMessageBox *
c2g_message_box_new (gpointer message)
{
  C2gMessageBox *self = g_new (C2gMessageBox, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->message = message;
  return self;
}

C2gMessageBox *
c2g_message_box_ref (C2gMessageBox *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_message_box_unref (C2gMessageBox *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;

  c2g_wire_free (self->message);
  g_free (self);
}

gconstpointer
c2g_message_box_peek (C2gMessageBox *self)
{
  return self == NULL ? NULL : self->message;
}

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
              gconstpointer                   other)
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
      return c2g_message_equal (*pointer, *other_pointer);

    default:
      return bytes->len == other_bytes->len &&
             bytes_equal (bytes->data, other_bytes->data, bytes->len);
    }
}

/* Returns TRUE for fields of a fixed size, which are compared with memcmp(). */
static gboolean
is_number (const ProtobufCFieldDescriptor *field)
{
  return field->type != PROTOBUF_C_TYPE_STRING && field->type != PROTOBUF_C_TYPE_MESSAGE &&
         field->type != PROTOBUF_C_TYPE_BYTES;
}

static gboolean
field_equal (const ProtobufCFieldDescriptor *field,
             const ProtobufCMessage         *message,
             const ProtobufCMessage         *other)
{
  gsize size = c2g_message_field_get_size (field);
  const guint8 *values;
  const guint8 *others;
  gsize n = c2g_message_field_get_values (field, message, &values);

  if (n != c2g_message_field_get_values (field, other, &others))
    return FALSE;
  if (is_number (field))
    return bytes_equal (values, others, n * size);

  for (gsize i = 0; i < n; i++)
    if (!values_equal (field, values + i * size, others + i * size))
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

gboolean
c2g_message_equal (const ProtobufCMessage *message,
                   const ProtobufCMessage *other)
{
  if (message == other)
    return TRUE;
  if (message == NULL || other == NULL || message->descriptor != other->descriptor)
    return FALSE;

  for (guint i = 0; i < message->descriptor->n_fields; i++)
    if (!field_equal (&message->descriptor->fields[i], message, other))
      return FALSE;

  return unknown_equal (message, other);
}
