/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffemodel-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/io/wire/c2g-wire-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

/* Recognizes Caffe's files. Their messages have no magic bytes, and share field numbers with those
 * of Caffe2:
 *
 *        NetParameter      NetDef            BlobProto           TensorProto
 *    1   name              name              num, a number       dims, a number
 *    2   layers, V1        operators         channels, a number  type, a number
 *    3   input             type              height, a number    floats
 *    7   debug             external input    shape, a message    name
 *  100   layers            -                 -                   -
 *
 * A version 1 layer has its type, a number, in the field where an operator has arguments; or a
 * message of version 0 in the field where an operator has its name. */

/* Limit on the fields to look at. The fields that decide come early, but the elements of a blob may
 * be single fields. */
#define MAX_FIELDS 64

/* Returns the first byte of a length-delimited field; G_MAXUINT if it is empty or of another kind. */
static guint
get_first_byte (C2gScanner        *scanner,
                const C2gWireItem *item)
{
  const guint8 *data;
  gsize n_bytes;

  if (item->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED || item->n_bytes == 0)
    return G_MAXUINT;
  data = c2g_scanner_look (scanner, item->value_offset, 1, &n_bytes, NULL);
  return data != NULL && n_bytes > 0 ? *data : G_MAXUINT;
}

/* Tells a message from a name: a message begins with the tag of a field, which is not a printable
 * character. */
static gboolean
is_message (C2gScanner        *scanner,
            const C2gWireItem *item)
{
  return get_first_byte (scanner, item) < 0x20;
}

/* A shape has one field, the dims, packed or not. */
static gboolean
begins_with_dim (C2gScanner        *scanner,
                 const C2gWireItem *item)
{
  return get_first_byte (scanner, item) >> 3 == C2G_CAFFE_SHAPE_DIM;
}

static gboolean
is_old_layer (C2gScanner        *scanner,
              const C2gWireItem *layer)
{
  C2gWireItem item;
  C2gWireScan scan;

  if (layer->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
    return FALSE;

  c2g_wire_scan_enter (&scan, scanner, layer);
  for (guint i = 0; i < MAX_FIELDS && c2g_wire_scan_next (&scan, &item, NULL); i++)
    if (item.number == C2G_CAFFE_V1_LAYER_V0)
      return is_message (scanner, &item);
    else if (item.number == C2G_CAFFE_V1_LAYER_TYPE)
      return item.wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;

  return FALSE;
}

static C2gContentKind
kind_of_field (C2gScanner        *scanner,
               const C2gWireItem *item)
{
  const gboolean is_number = item->wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;

  switch (item->number)
    {
    case C2G_CAFFE_NET_LAYERS:
      return item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED ? C2G_CONTENT_CAFFEMODEL
                                                                     : C2G_CONTENT_UNKNOWN;

    case C2G_CAFFE_NET_LAYERS_V1:
      return is_old_layer (scanner, item) ? C2G_CONTENT_CAFFEMODEL : C2G_CONTENT_UNKNOWN;

    case C2G_CAFFE_BLOB_HEIGHT:
      return is_number ? C2G_CONTENT_CAFFE_MEAN : C2G_CONTENT_UNKNOWN;

    case C2G_CAFFE_BLOB_SHAPE:
      return begins_with_dim (scanner, item) ? C2G_CONTENT_CAFFE_MEAN : C2G_CONTENT_UNKNOWN;

    default:
      return C2G_CONTENT_UNKNOWN;
    }
}

void
c2g_caffe_explain_text (const char  *name,
                        GError     **error)
{
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *message = NULL;

  if (error == NULL || !g_str_has_suffix (name, ".prototxt") ||
      !g_error_matches (*error, C2G_ERROR, C2G_ERROR_CORRUPT))
    return;

  message = g_steal_pointer (&(*error)->message);
  (*error)->message =
    g_strdup_printf (_("%s; a net of Caffe is opened together with its .caffemodel, as in net.caffemodel,%s"),
                     message, base);
}

C2gContentKind
c2g_caffe_guess (C2gScanner *scanner,
                 guint64     n_bytes)
{
  C2gContentKind kind = C2G_CONTENT_UNKNOWN;
  gboolean has_num = FALSE;
  C2gWireItem item;
  C2gWireScan scan;

  if (!c2g_wire_scan_init (&scan, scanner, 0, n_bytes, NULL))
    return C2G_CONTENT_UNKNOWN;
  for (guint i = 0; i < MAX_FIELDS && kind == C2G_CONTENT_UNKNOWN && c2g_wire_scan_next (&scan, &item, NULL); i++)
    {
      kind = kind_of_field (scanner, &item);
      has_num |= item.number == C2G_CAFFE_BLOB_NUM && item.wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;
    }
  return kind == C2G_CONTENT_CAFFEMODEL && has_num ? C2G_CONTENT_UNKNOWN : kind;
}
