/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/wire/c2g-dims-scan-private.h>

#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Reads the dims of a tensor message from a file. */

/* Limit against hostile files: the array in memory is larger than the packed dims in the file. */
#define MAX_DIMS 1024

gboolean
c2g_dims_check (gsize    n_dims,
                GError **error)
{
  if (n_dims <= MAX_DIMS)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("A tensor of %zu dimensions; files have at most %d"),
                   n_dims, MAX_DIMS);
}

static gboolean
add_dim (GArray             *dims,
         const C2gWireItem  *item,
         guint64             value,
         GError            **error)
{
  gint64 dim = (gint64) value;

  if (dims->len == MAX_DIMS)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A tensor of more than %d dimensions at offset %" PRIu64), MAX_DIMS,
                     item->offset);

  g_array_append_val (dims, dim);
  return TRUE;
}

/* MAX_DIMS packed dims fit into the window of the scanner. Of a longer field only one byte more is
 * looked at, which is enough to refuse it. */
static gboolean
add_packed_dims (GArray             *dims,
                 C2gScanner         *scanner,
                 const C2gWireItem  *item,
                 GError            **error)
{
  gsize n_bytes = MIN (item->n_bytes, MAX_DIMS * C2G_VARINT_MAX_BYTES + 1);
  gsize position = 0;
  const guint8 *data;
  gsize n_there;

  data = c2g_scanner_look (scanner, item->value_offset, n_bytes, &n_there, error);
  if (data == NULL)
    return FALSE;

  while (position < n_bytes)
    {
      guint64 value;
      gsize n = c2g_wire_scan_varint (data + position, n_bytes - position, &value);

      if (n == 0)
        return c2g_wire_set_damaged (item->offset, _("a packed number does not end"), error);
      if (!add_dim (dims, item, value, error))
        return FALSE;
      position += n;
    }

  return TRUE;
}

gboolean
c2g_dims_scan (GArray             *dims,
               C2gScanner         *scanner,
               const C2gWireItem  *item,
               GError            **error)
{
  if (item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
    return add_packed_dims (dims, scanner, item, error);

  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error) &&
         add_dim (dims, item, item->value, error);
}
