/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-q-tensor-writer-private.h>

#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Writes a BlobProto with a QTensorProto, for the serializers of QTensor and Int8Tensor. */

/* Size of the block for encoded values. */
#define BLOCK_BYTES (64u << 10)

static void
put_double (GByteArray *array,
            guint32     field,
            double      value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT64_TO_LE (bits);
  c2g_wire_put_tag (array, field, PROTOBUF_C_WIRE_TYPE_64BIT);
  g_byte_array_append (array, (const guint8 *) &bits, sizeof bits);
}

static void
put_string (GByteArray *array,
            guint32     field,
            const char *string)
{
  c2g_wire_put_bytes (array, field, string, strlen (string));
}

/* Makes the fields of the QTensorProto before the values. */
static GByteArray *
new_head (const C2gQTensorPiece *self,
          gsize                  n_value_bytes)
{
  GByteArray *head = g_byte_array_new ();

  for (gsize i = 0; i < self->n_dims; i++)
    c2g_wire_put_number (head, 1, (guint64) self->dims[i]);
  c2g_wire_put_number (head, 2, self->precision);
  put_double (head, 3, self->scale);
  put_double (head, 4, self->bias);
  c2g_wire_put_number (head, 5, self->is_signed != FALSE);
  if (n_value_bytes > 0)
    c2g_wire_put_length (head, 6, n_value_bytes);
  return head;
}

/* Makes the fields behind the values. */
static GByteArray *
new_tail (const C2gQTensorPiece *self)
{
  GByteArray *tail = g_byte_array_new ();

  put_string (tail, 7, self->name);
  if (self->has_data_type)
    c2g_wire_put_number (tail, 8, self->data_type);
  return tail;
}

/* Writes the announced number of bytes. If the values have changed meanwhile so that the size
 * differs, this fails. */
static gboolean
write_values (const C2gQTensorPiece  *self,
              gsize                   n_value_bytes,
              C2gSink                *sink,
              const C2gJob           *job,
              GError                **error)
{
  gsize item_size = c2g_data_type_get_item_size (self->data_type);
  g_autofree guint8 *block = g_malloc (BLOCK_BYTES);
  gsize n_done = 0;
  gsize n_bytes = 0;

  while (n_done < self->n_items)
    {
      const guint8 *items = (const guint8 *) self->items + n_done * item_size;
      gsize n_written;

      n_done += c2g_varint_encode (self->data_type, items, self->n_items - n_done,
                                   block, BLOCK_BYTES, &n_written);
      n_bytes += n_written;
      if (!c2g_sink_write (sink, block, n_written, job, error))
        return FALSE;
    }

  if (n_bytes == n_value_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY, _("The tensor was changed while it was written"));
}

gboolean
c2g_q_tensor_piece_write (const C2gQTensorPiece  *self,
                          C2gSink                *sink,
                          const C2gJob           *job,
                          GError                **error)
{
  gsize n_value_bytes = c2g_varint_measure (self->data_type, self->items, self->n_items);
  g_autoptr (GByteArray) head = new_head (self, n_value_bytes);
  g_autoptr (GByteArray) tail = new_tail (self);
  g_autoptr (GByteArray) blob = g_byte_array_new ();
  guint64 n_bytes = (guint64) head->len + n_value_bytes + tail->len;

  if (!c2g_dims_check (self->n_dims, error))
    return FALSE;
  put_string (blob, 1, self->name);
  put_string (blob, 2, self->type);
  c2g_wire_put_length (blob, 5, n_bytes);
  if (n_bytes + blob->len > C2G_WIRE_MAX_BYTES)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A message of %" PRIu64 " bytes, the format allows %d"), n_bytes + blob->len,
                     C2G_WIRE_MAX_BYTES);

  return c2g_sink_write (sink, blob->data, blob->len, job, error) &&
         c2g_sink_write (sink, head->data, head->len, job, error) &&
         write_values (self, n_value_bytes, sink, job, error) &&
         c2g_sink_write (sink, tail->data, tail->len, job, error);
}
