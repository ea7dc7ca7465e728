/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-message-box-private.h>

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

static gsize
size_of (const ProtobufCFieldDescriptor *field)
{
  switch (field->type)
    {
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_SINT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_SFIXED64:
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
      return g_strcmp0 (*pointer, *other_pointer) == 0;

    case PROTOBUF_C_TYPE_MESSAGE:
      return c2g_message_equal (*pointer, *other_pointer);

    case PROTOBUF_C_TYPE_BYTES:
      return bytes->len == other_bytes->len &&
             bytes_equal (bytes->data, other_bytes->data, bytes->len);

    default:
      return memcmp (value, other, size_of (field)) == 0;
    }
}

static gboolean
has_items (ProtobufCType type)
{
  return type == PROTOBUF_C_TYPE_STRING || type == PROTOBUF_C_TYPE_MESSAGE ||
         type == PROTOBUF_C_TYPE_BYTES;
}

static gboolean
repeated_equal (const ProtobufCFieldDescriptor *field,
                gconstpointer                   values,
                gconstpointer                   others,
                gsize                           n)
{
  gsize size = size_of (field);

  if (!has_items (field->type))
    return bytes_equal (values, others, n * size);

  for (gsize i = 0; i < n; i++)
    if (!values_equal (field, (const guint8 *) values + i * size,
                       (const guint8 *) others + i * size))
      return FALSE;

  return TRUE;
}

static gboolean
field_equal (const ProtobufCFieldDescriptor *field,
             const guint8                   *message,
             const guint8                   *other)
{
  gconstpointer value = message + field->offset;
  gconstpointer other_value = other + field->offset;
  gsize n;

  if (field->label == PROTOBUF_C_LABEL_REPEATED)
    {
      n = *(const size_t *) (message + field->quantifier_offset);
      return n == *(const size_t *) (other + field->quantifier_offset) &&
             repeated_equal (field, *(gconstpointer const *) value,
                             *(gconstpointer const *) other_value, n);
    }

  if (field->quantifier_offset != 0)
    {
      protobuf_c_boolean has = *(const protobuf_c_boolean *) (message + field->quantifier_offset);

      if (has != *(const protobuf_c_boolean *) (other + field->quantifier_offset))
        return FALSE;
      if (!has)
        return TRUE;
    }
  return values_equal (field, value, other_value);
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
    if (!field_equal (&message->descriptor->fields[i], (const guint8 *) message,
                      (const guint8 *) other))
      return FALSE;

  return unknown_equal (message, other);
}
