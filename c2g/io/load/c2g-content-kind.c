/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-content-kind-private.h>

#include <c2g/io/db/c2g-minidb-private.h>
#include <c2g/io/db/c2g-protodb-private.h>
#include <c2g/io/lmdb/c2g-lmdb-file-private.h>
#include <c2g/io/load/c2g-caffe-files-private.h>
#include <c2g/io/load/c2g-foreign-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/safetensors/c2g-safetensors-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

#include <string.h>

/* Guesses the kind of content of a file, from magic bytes and from the beginning.
 *
 * Caffe2's own formats have no magic bytes. Messages are distinguished by the first field whose
 * number and wire type only one of them has. Fields 4, 8 and 9 count only where no other decides:
 *
 *        BlobProto        TensorProto         NetDef
 *    1   name             dims, a number      name
 *    2   type, a word     data_type, a number operator, a message
 *    4   content          int32_data          num_workers, a number
 *    6   chunks, a number string_data         arguments
 *    7   chunk, a number  name                external input
 *    8                    device              external output
 *    9 …                  more values
 */

/* Limit on the number of fields to look at. */
#define MAX_FIELDS (1u << 20)

/* Tells the type of a blob from an operator: a message has bytes below 0x20, the tags of its first
 * fields and the lengths of short names, and a word has none. */
static gboolean
is_word (const guint8 *data,
         gsize         n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    if (data[i] < 0x20)
      return FALSE;

  return TRUE;
}

static C2gContentKind
kind_of_bytes (C2gScanner        *scanner,
               const C2gWireItem *item)
{
  const guint8 *data;
  gsize n_bytes;

  data = c2g_scanner_look (scanner, item->value_offset, item->n_bytes, &n_bytes, NULL);
  if (data == NULL)
    return C2G_CONTENT_UNKNOWN;
  return is_word (data, MIN (n_bytes, item->n_bytes)) ? C2G_CONTENT_BLOB : C2G_CONTENT_NET;
}

static C2gContentKind
kind_of_field (C2gScanner        *scanner,
               const C2gWireItem *item)
{
  gboolean is_number = item->wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;
  gboolean is_bytes = item->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;

  switch (item->number)
    {
    case 1:
      return is_number ? C2G_CONTENT_TENSOR : C2G_CONTENT_UNKNOWN;

    case 2:
      if (is_bytes)
        return kind_of_bytes (scanner, item);
      return is_number ? C2G_CONTENT_TENSOR : C2G_CONTENT_UNKNOWN;

    case 6:
    case 7:
      return is_number ? C2G_CONTENT_BLOB : C2G_CONTENT_UNKNOWN;

    default:
      return C2G_CONTENT_UNKNOWN;
    }
}

/* Guesses the kind of a message from its fields. If no field decides, it may still be a tensor without a
 * type, or a net with declarations only. Almost any bytes begin like a message, so then all of them must
 * parse. */
static C2gContentKind
guess_message (C2gScanner *scanner,
               guint64     n_bytes)
{
  C2gContentKind kind = C2G_CONTENT_UNKNOWN;
  gboolean has_name = FALSE;
  gboolean has_values = FALSE;
  gboolean has_externals = FALSE;
  g_autoptr (GError) error = NULL;
  C2gWireScan scan;
  C2gWireItem item;

  if (!c2g_wire_scan_init (&scan, scanner, 0, n_bytes, NULL))
    return C2G_CONTENT_UNKNOWN;

  for (guint i = 0; i < MAX_FIELDS && c2g_wire_scan_next (&scan, &item, &error); i++)
    {
      kind = kind_of_field (scanner, &item);
      if (kind != C2G_CONTENT_UNKNOWN)
        return kind;
      has_name |= item.number == 1;
      has_values |= (item.number >= 3 && item.number <= 6) || item.number > 8;
      has_externals |= item.number == 7 || item.number == 8;
    }

  if (error != NULL || scan.position < n_bytes)
    return C2G_CONTENT_UNKNOWN;
  if (has_values && !has_name)
    return C2G_CONTENT_TENSOR;
  return has_externals ? C2G_CONTENT_NET : C2G_CONTENT_UNKNOWN;
}

/* Formats with magic bytes. */
static C2gContentKind
guess_marked (const guint8 *data,
              gsize         n_bytes,
              guint64       n_bytes_file)
{
  static const struct
  {
    const char    *mark;
    gsize          n_bytes;
    C2gContentKind kind;
  } marks[] = {
    { "PK\3\4", 4, C2G_CONTENT_NPZ },
    { "PK\5\6", 4, C2G_CONTENT_NPZ },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (n_bytes >= marks[i].n_bytes && memcmp (data, marks[i].mark, marks[i].n_bytes) == 0)
      return marks[i].kind;

  if (c2g_foreign_has_mark (data, n_bytes))
    return C2G_CONTENT_FOREIGN;
  if (c2g_npy_looks_like (data, n_bytes))
    return C2G_CONTENT_NPY;
  if (c2g_lmdb_file_looks_like (data, n_bytes))
    return C2G_CONTENT_LMDB;
  return c2g_safetensors_looks_like (data, n_bytes, n_bytes_file) ? C2G_CONTENT_SAFETENSORS
                                                                  : C2G_CONTENT_UNKNOWN;
}

gboolean
c2g_content_kind_guess (C2gSource       *source,
                        C2gContentKind  *kind,
                        GError         **error)
{
  guint64 n_bytes_file = c2g_source_get_n_bytes (source);
  g_auto (C2gScanner) scanner = { 0 };
  const guint8 *data;
  gsize n_bytes;

  c2g_scanner_init (&scanner, source);
  data = c2g_scanner_look (&scanner, 0, C2G_SCANNER_WINDOW, &n_bytes, error);
  if (data == NULL)
    return FALSE;

  *kind = guess_marked (data, n_bytes, n_bytes_file);
  if (*kind != C2G_CONTENT_UNKNOWN)
    return TRUE;

  if (c2g_minidb_looks_like (data, n_bytes))
    *kind = C2G_CONTENT_MINIDB;
  else if (c2g_text_looks_like (&caffe2__net_def__descriptor, data, n_bytes))
    *kind = C2G_CONTENT_NET_TEXT;
  else if (c2g_protodb_looks_like (data, n_bytes, n_bytes_file))
    *kind = C2G_CONTENT_PROTODB;
  else
    *kind = c2g_caffe_guess (&scanner, n_bytes_file);
  if (*kind == C2G_CONTENT_UNKNOWN)
    *kind = guess_message (&scanner, n_bytes_file);
  return TRUE;
}
