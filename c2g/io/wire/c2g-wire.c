/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-message-field-private.h>
#include <c2g/io/wire/c2g-varint-private.h>

#include <stdlib.h>
#include <string.h>

/* Parses binary messages safely, and writes single fields.
 *
 * protobuf-c does not say why bytes cannot be parsed. So the bytes are checked before, to report
 * what is wrong and where. The check also verifies each length, so that parsing cannot allocate
 * for bytes that do not exist. */

/* Limit on the memory of a parsed message: 64 times its size, but at least 64 MiB. A submessage takes
 * two bytes in a hostile file, and a whole struct in memory. Real files stay below the limit. */
#define PARSE_BYTES_MINIMUM (64u << 20)
#define PARSE_BYTES_FACTOR  64

typedef struct
{
  gsize left;
} ParseBudget;

gsize
c2g_wire_scan_varint (const guint8 *data,
                      gsize         n_bytes,
                      guint64      *value)
{
  guint64 result = 0;

  for (gsize i = 0; i < MIN (n_bytes, C2G_VARINT_MAX_BYTES); i++)
    {
      result |= (guint64) (data[i] & 0x7f) << (7 * i);
      if ((data[i] & 0x80) == 0)
        {
          *value = result;
          return i + 1;
        }
    }

  return 0;
}

gboolean
c2g_wire_set_damaged (guint64      offset,
                      const char  *what,
                      GError     **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("Damaged at offset %" PRIu64 ": %s"), offset, what);
}

gboolean
c2g_wire_set_short (guint64   offset,
                    guint32   number,
                    guint64   n_bytes,
                    guint64   n_left,
                    GError  **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Damaged at offset %" PRIu64 ": field %u should have %" PRIu64
                     " bytes, %" PRIu64 " are left"),
                   offset, number, n_bytes, n_left);
}

void
c2g_wire_reader_init (C2gWireReader *self,
                      const guint8  *data,
                      gsize          n_bytes,
                      gsize          base)
{
  *self = (C2gWireReader) {
    .data = data,
    .n_bytes = n_bytes,
    .base = base,
  };
}

/* Reads the size of the value, after its length if it has one. */
static gboolean
read_value (C2gWireReader  *self,
            C2gWireField   *field,
            GError        **error)
{
  gsize left = self->n_bytes - self->position;
  guint64 value = 0;
  gsize n;

  switch (field->wire_type)
    {
    case PROTOBUF_C_WIRE_TYPE_VARINT:
      n = c2g_wire_scan_varint (self->data + self->position, left, &value);
      if (n == 0)
        return c2g_wire_set_damaged (field->offset, _("a number does not end"), error);
      value = n;
      break;

    case PROTOBUF_C_WIRE_TYPE_64BIT:
      value = 8;
      break;

    case PROTOBUF_C_WIRE_TYPE_32BIT:
      value = 4;
      break;

    case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED:
      n = c2g_wire_scan_varint (self->data + self->position, left, &value);
      if (n == 0 || n > 5)
        return c2g_wire_set_damaged (field->offset, _("a length does not end"), error);
      self->position += n;
      left -= n;
      break;

    default:
      return c2g_wire_set_damaged (field->offset, _("no kind of field that Caffe2 writes"), error);
    }

  if (value > left)
    return c2g_wire_set_short (field->offset, field->number, value, left, error);

  field->data = self->data + self->position;
  field->n_bytes = value;
  self->position += value;
  return TRUE;
}

gboolean
c2g_wire_reader_next (C2gWireReader  *self,
                      C2gWireField   *field,
                      GError        **error)
{
  guint64 tag;
  gsize n;

  if (self->position == self->n_bytes)
    return FALSE;

  field->offset = self->base + self->position;
  n = c2g_wire_scan_varint (self->data + self->position, self->n_bytes - self->position, &tag);
  if (n == 0 || n > 5 || tag > G_MAXUINT32 || tag >> 3 == 0)
    return c2g_wire_set_damaged (field->offset, _("not the beginning of a field"), error);

  self->position += n;
  field->number = tag >> 3;
  field->wire_type = tag & 7;
  return read_value (self, field, error);
}

static guint8
wire_type_of (ProtobufCType type)
{
  switch (type)
    {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT:
      return PROTOBUF_C_WIRE_TYPE_32BIT;

    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE:
      return PROTOBUF_C_WIRE_TYPE_64BIT;

    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
      return PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;

    default:
      return PROTOBUF_C_WIRE_TYPE_VARINT;
    }
}

static gboolean
check_packed (const C2gWireField  *field,
              guint8               wire_type,
              GError             **error)
{
  gsize item_size = wire_type == PROTOBUF_C_WIRE_TYPE_64BIT ? 8 : 4;
  gsize position = 0;
  guint64 value;
  gsize n;

  if (wire_type != PROTOBUF_C_WIRE_TYPE_VARINT)
    return field->n_bytes % item_size == 0 ||
           c2g_wire_set_damaged (field->offset, _("packed numbers of a broken length"), error);

  while (position < field->n_bytes)
    {
      n = c2g_wire_scan_varint (field->data + position, field->n_bytes - position, &value);
      if (n == 0)
        return c2g_wire_set_damaged (field->offset, _("a packed number does not end"), error);
      position += n;
    }

  return TRUE;
}

static gboolean check_message (const ProtobufCMessageDescriptor  *descriptor,
                               const guint8                      *data,
                               gsize                              n_bytes,
                               gsize                              base,
                               guint                              depth,
                               GError                           **error);

static gboolean
check_field (const ProtobufCFieldDescriptor  *descriptor,
             const C2gWireField              *field,
             gsize                            base,
             guint                            depth,
             GError                         **error)
{
  guint8 wire_type = wire_type_of (descriptor->type);

  if (field->wire_type != wire_type)
    {
      if (descriptor->label == PROTOBUF_C_LABEL_REPEATED &&
          field->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
        return check_packed (field, wire_type, error);
      return c2g_wire_set_damaged (field->offset, _("a value of a wrong kind"), error);
    }

  if (descriptor->type == PROTOBUF_C_TYPE_MESSAGE)
    return check_message (descriptor->descriptor, field->data, field->n_bytes, base, depth + 1,
                          error);
  if (descriptor->type == PROTOBUF_C_TYPE_STRING && memchr (field->data, 0, field->n_bytes) != NULL)
    return c2g_wire_set_damaged (field->offset, _("a name with a null byte in it"), error);
  return TRUE;
}

static gboolean
check_required (const ProtobufCMessageDescriptor  *descriptor,
                guint64                            seen,
                gsize                              base,
                GError                           **error)
{
  for (guint i = 0; i < descriptor->n_fields; i++)
    if (descriptor->fields[i].label == PROTOBUF_C_LABEL_REQUIRED && (seen >> i & 1) == 0)
      return c2g_fail (error, C2G_ERROR_CORRUPT, _("Damaged at offset %zu: %s without “%s”"), base,
                       descriptor->short_name, descriptor->fields[i].name);

  return TRUE;
}

/* Recursive: nets can be in arguments of nets, and steps in steps. */
static gboolean
check_message (const ProtobufCMessageDescriptor  *descriptor,
               const guint8                      *data,
               gsize                              n_bytes,
               gsize                              base,
               guint                              depth,
               GError                           **error)
{
  g_autoptr (GError) local_error = NULL;
  C2gWireReader reader;
  C2gWireField field;
  guint64 seen = 0;

  g_assert (descriptor->n_fields <= 64);

  if (depth > C2G_WIRE_MAX_DEPTH)
    return c2g_wire_set_damaged (base, _("too many messages inside each other"), error);

  c2g_wire_reader_init (&reader, data, n_bytes, base);
  while (c2g_wire_reader_next (&reader, &field, &local_error))
    {
      const ProtobufCFieldDescriptor *known;

      known = protobuf_c_message_descriptor_get_field (descriptor, field.number);
      if (known == NULL)
        continue;
      if (!check_field (known, &field, base + (field.data - data), depth, &local_error))
        break;
      seen |= G_GUINT64_CONSTANT (1) << (known - descriptor->fields);
    }

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return check_required (descriptor, seen, base, error);
}

static void *
parse_alloc (void   *data,
             size_t  size)
{
  ParseBudget *budget = data;

  /* c2g-argument.c keeps fields of its own behind the struct. If the block had to grow and move for
   * them, it would leave a hole in the heap. */
  if (size == sizeof (Caffe2__Argument))
    size += C2G_WIRE_ARGUMENT_ROOM;
  if (size > budget->left)
    return NULL;
  budget->left -= size;
  return malloc (size);
}

static void
parse_free (void *data,
            void *pointer)
{
  free (pointer);
}

ProtobufCMessage *
c2g_wire_parse (const ProtobufCMessageDescriptor  *descriptor,
                const guint8                      *data,
                gsize                              n_bytes,
                gsize                              base,
                GError                           **error)
{
  return c2g_wire_parse_inside (descriptor, data, n_bytes, base, 0, error);
}

ProtobufCMessage *
c2g_wire_parse_inside (const ProtobufCMessageDescriptor  *descriptor,
                       const guint8                      *data,
                       gsize                              n_bytes,
                       gsize                              base,
                       guint                              depth,
                       GError                           **error)
{
  ParseBudget budget = { MAX (n_bytes * PARSE_BYTES_FACTOR, PARSE_BYTES_MINIMUM) };
  ProtobufCAllocator allocator = { parse_alloc, parse_free, &budget };
  ProtobufCMessage *message;

  if (n_bytes > C2G_WIRE_MAX_BYTES)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("A message of %zu bytes, the format allows %d"),
                          n_bytes, C2G_WIRE_MAX_BYTES);
  if (!check_message (descriptor, data, n_bytes, base, depth, error))
    return NULL;

  message = protobuf_c_message_unpack (descriptor, &allocator, n_bytes, data);
  if (message == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("No memory to parse %zu bytes"), n_bytes);
  return message;
}

void
c2g_wire_free (gpointer message)
{
  ProtobufCAllocator allocator = { parse_alloc, parse_free, NULL };

  if (message != NULL)
    protobuf_c_message_free_unpacked (message, &allocator);
}

/* Checks that the message is not nested deeper than the parser allows. */
static gboolean
fits (const ProtobufCMessage *message,
      guint                   depth)
{
  if (depth > C2G_WIRE_MAX_DEPTH)
    return FALSE;

  for (guint i = 0; i < message->descriptor->n_fields; i++)
    {
      const ProtobufCFieldDescriptor *field = &message->descriptor->fields[i];
      const guint8 *values;
      gsize n = c2g_message_field_get_values (field, message, &values);

      for (gsize j = 0; field->type == PROTOBUF_C_TYPE_MESSAGE && j < n; j++)
        if (!fits (c2g_message_field_get_message (values, j), depth + 1))
          return FALSE;
    }

  return TRUE;
}

GBytes *
c2g_wire_serialize (const ProtobufCMessage  *message,
                    GError                 **error)
{
  gsize n_bytes;
  guint8 *data;

  if (!fits (message, 0))
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("More than %d messages inside each other"),
                          C2G_WIRE_MAX_DEPTH);

  n_bytes = protobuf_c_message_get_packed_size (message);
  if (n_bytes > C2G_WIRE_MAX_BYTES)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("A message of %zu bytes, the format allows %d"),
                          n_bytes, C2G_WIRE_MAX_BYTES);

  data = g_try_malloc (MAX (n_bytes, 1));
  if (data == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory for a message of %zu bytes"),
                          n_bytes);

  protobuf_c_message_pack (message, data);
  return g_bytes_new_take (data, n_bytes);
}

void
c2g_wire_put_varint (GByteArray *array,
                     guint64     value)
{
  guint8 bytes[C2G_VARINT_MAX_BYTES];

  g_byte_array_append (array, bytes, c2g_varint_put (bytes, value));
}

void
c2g_wire_put_tag (GByteArray *array,
                  guint32     number,
                  guint8      wire_type)
{
  c2g_wire_put_varint (array, number << 3 | wire_type);
}

void
c2g_wire_put_number (GByteArray *array,
                     guint32     number,
                     guint64     value)
{
  c2g_wire_put_tag (array, number, PROTOBUF_C_WIRE_TYPE_VARINT);
  c2g_wire_put_varint (array, value);
}

void
c2g_wire_put_length (GByteArray *array,
                     guint32     number,
                     guint64     n_bytes)
{
  c2g_wire_put_tag (array, number, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
  c2g_wire_put_varint (array, n_bytes);
}

void
c2g_wire_put_bytes (GByteArray    *array,
                    guint32        number,
                    gconstpointer  data,
                    gsize          n_bytes)
{
  c2g_wire_put_length (array, number, n_bytes);
  if (n_bytes > 0)
    g_byte_array_append (array, data, n_bytes);
}

static void
swap_items (gpointer items,
            gsize    n_items,
            gsize    item_size)
{
  switch (item_size)
    {
    case 2:
      for (gsize i = 0; i < n_items; i++)
        ((guint16 *) items)[i] = GUINT16_SWAP_LE_BE (((guint16 *) items)[i]);
      break;

    case 4:
      for (gsize i = 0; i < n_items; i++)
        ((guint32 *) items)[i] = GUINT32_SWAP_LE_BE (((guint32 *) items)[i]);
      break;

    case 8:
      for (gsize i = 0; i < n_items; i++)
        ((guint64 *) items)[i] = GUINT64_SWAP_LE_BE (((guint64 *) items)[i]);
      break;

    default:
      break;
    }
}

/* There is no early exit, so that the compiler can vectorize the loop. */
gboolean
c2g_wire_are_bools (const guint8 *items,
                    gsize         n_items)
{
  guint8 bits = 0;

  for (gsize i = 0; i < n_items; i++)
    bits |= items[i];
  return bits <= 1;
}

void
c2g_wire_settle (gpointer    items,
                 gsize       n_items,
                 C2gDataType data_type,
                 gboolean    is_swapped)
{
  guint8 *bytes = items;

  if (is_swapped)
    swap_items (items, n_items, c2g_data_type_get_item_size (data_type));
  if (data_type == C2G_DATA_TYPE_BOOL && !c2g_wire_are_bools (bytes, n_items))
    for (gsize i = 0; i < n_items; i++)
      bytes[i] = bytes[i] != 0;
}
