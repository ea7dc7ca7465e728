/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-wire-scan-private.h>

#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Iterates over the fields of a message in a file, without reading their values. */

/* Maximum size of a tag and the number or length behind it. */
#define MAX_HEADER_BYTES 15
#define MAX_TAG_BYTES    5
#define MAX_LENGTH_BYTES 5

gboolean
c2g_wire_scan_init (C2gWireScan  *self,
                    C2gScanner   *scanner,
                    guint64       offset,
                    guint64       n_bytes,
                    GError      **error)
{
  guint64 n_source = c2g_source_get_n_bytes (scanner->source);

  *self = (C2gWireScan) { scanner, offset, offset + n_bytes, FALSE };
  if (offset <= n_source && n_bytes <= n_source - offset)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("A message of %" PRIu64 " bytes at offset %" PRIu64 " of a file of %" PRIu64),
                   n_bytes, offset, n_source);
}

void
c2g_wire_scan_enter (C2gWireScan        *self,
                     C2gScanner         *scanner,
                     const C2gWireItem  *item)
{
  *self = (C2gWireScan) {
    .scanner = scanner,
    .position = item->value_offset,
    .end = item->value_offset + item->n_bytes,
  };
}

static guint64
load_fixed (const guint8 *data,
            gsize         n_bytes)
{
  guint64 value = 0;

  for (gsize i = 0; i < n_bytes; i++)
    value |= (guint64) data[i] << (8 * i);
  return value;
}

/* Reads the value behind the tag. n_header bytes of it are in memory. */
static gboolean
scan_value (C2gWireScan   *self,
            C2gWireItem   *item,
            const guint8  *data,
            gsize          n_header,
            GError       **error)
{
  guint64 n_left;
  gsize n;

  item->value_offset = self->position;
  item->value = 0;
  switch (item->wire_type)
    {
    case PROTOBUF_C_WIRE_TYPE_VARINT:
      n = c2g_wire_scan_varint (data, n_header, &item->value);
      if (n == 0)
        return c2g_wire_set_damaged (item->offset, _("a number does not end"), error);
      item->n_bytes = n;
      break;

    case PROTOBUF_C_WIRE_TYPE_64BIT:
      item->n_bytes = 8;
      break;

    case PROTOBUF_C_WIRE_TYPE_32BIT:
      item->n_bytes = 4;
      break;

    case PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED:
      n = c2g_wire_scan_varint (data, n_header, &item->n_bytes);
      if (n == 0 || n > MAX_LENGTH_BYTES)
        return c2g_wire_set_damaged (item->offset, _("a length does not end"), error);
      item->value_offset += n;
      break;

    default:
      return c2g_wire_set_damaged (item->offset, _("no kind of field that Caffe2 writes"), error);
    }

  n_left = self->end - item->value_offset;
  if (item->n_bytes > n_left)
    return c2g_wire_set_short (item->offset, item->number, item->n_bytes, n_left, error);

  if (item->wire_type == PROTOBUF_C_WIRE_TYPE_64BIT ||
      item->wire_type == PROTOBUF_C_WIRE_TYPE_32BIT)
    item->value = load_fixed (data, item->n_bytes);
  self->position = item->value_offset + item->n_bytes;
  return TRUE;
}

static gboolean
scan_field (C2gWireScan  *self,
            C2gWireItem  *item,
            GError      **error)
{
  const guint8 *data;
  gsize n_header;
  guint64 tag;
  gsize n;

  data = c2g_scanner_look (self->scanner, self->position, MAX_HEADER_BYTES, &n_header, error);
  if (data == NULL)
    return FALSE;

  n_header = MIN (n_header, self->end - self->position);
  item->offset = self->position;
  n = c2g_wire_scan_varint (data, n_header, &tag);
  if (n == 0 || n > MAX_TAG_BYTES || tag > G_MAXUINT32 || tag >> 3 == 0)
    return c2g_wire_set_damaged (item->offset, _("not the beginning of a field"), error);

  self->position += n;
  item->number = tag >> 3;
  item->wire_type = tag & 7;
  return scan_value (self, item, data + n, n_header - n, error);
}

gboolean
c2g_wire_scan_next (C2gWireScan  *self,
                    C2gWireItem  *item,
                    GError      **error)
{
  if (self->position == self->end || self->has_failed)
    return FALSE;

  self->has_failed = !scan_field (self, item, error);
  return !self->has_failed;
}

gboolean
c2g_wire_item_check (const C2gWireItem  *self,
                     guint8              wire_type,
                     GError            **error)
{
  return self->wire_type == wire_type ||
         c2g_wire_set_damaged (self->offset, _("a value of a wrong kind"), error);
}

gboolean
c2g_wire_scan_name (C2gScanner         *scanner,
                    const C2gWireItem  *item,
                    char              **name,
                    GError            **error)
{
  const guint8 *data;
  gsize n_bytes;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;
  if (item->n_bytes > C2G_SCANNER_WINDOW)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A name of %" PRIu64 " bytes at offset %" PRIu64 ", %u are allowed"),
                     item->n_bytes, item->offset, C2G_SCANNER_WINDOW);

  data = c2g_scanner_look (scanner, item->value_offset, item->n_bytes, &n_bytes, error);
  if (data == NULL)
    return FALSE;
  if (memchr (data, 0, item->n_bytes) != NULL)
    return c2g_wire_set_damaged (item->offset, _("a name with a null byte in it"), error);

  g_free (*name);
  *name = g_utf8_make_valid ((const char *) data, item->n_bytes);
  return TRUE;
}
