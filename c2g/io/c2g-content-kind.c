/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-content-kind-private.h>

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/io/c2g-minidb-private.h>
#include <c2g/io/c2g-text-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <string.h>

/* None of Caffe2's own formats has a mark at its beginning.  The messages are told
 * apart by the first field whose number and kind only one of them has:
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

/* A message begins with the tag of a field, which is no letter. */
static gboolean
is_word (const C2gWireField *field)
{
  for (gsize i = 0; i < field->n_bytes; i++)
    if (field->data[i] < 0x20)
      return FALSE;

  return TRUE;
}

static C2gContentKind
kind_of_field (const C2gWireField *field)
{
  gboolean is_number = field->wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;
  gboolean is_bytes = field->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;

  switch (field->number)
    {
    case 1:
      return is_number ? C2G_CONTENT_TENSOR : C2G_CONTENT_UNKNOWN;

    case 2:
      if (is_bytes)
        return is_word (field) ? C2G_CONTENT_BLOB : C2G_CONTENT_NET;
      return is_number ? C2G_CONTENT_TENSOR : C2G_CONTENT_UNKNOWN;

    case 6:
    case 7:
      return is_number ? C2G_CONTENT_BLOB : C2G_CONTENT_UNKNOWN;

    default:
      return C2G_CONTENT_UNKNOWN;
    }
}

/* A message with none of those fields: values without a type, or a net that has
 * nothing but a declaration.  Anything may begin like that, so all of it counts. */
static C2gContentKind
guess_from_all (const guint8 *data,
                gsize         n_bytes)
{
  gboolean has_name = FALSE;
  gboolean has_values = FALSE;
  gboolean has_externals = FALSE;
  C2gWireReader reader;
  C2gWireField field;

  c2g_wire_reader_init (&reader, data, n_bytes, 0);
  while (c2g_wire_reader_next (&reader, &field, NULL))
    {
      has_name |= field.number == 1;
      has_values |= (field.number >= 3 && field.number <= 6) || field.number > 8;
      has_externals |= field.number == 7 || field.number == 8;
    }

  if (reader.position < n_bytes)
    return C2G_CONTENT_UNKNOWN;
  if (has_values && !has_name)
    return C2G_CONTENT_TENSOR;
  return has_externals ? C2G_CONTENT_NET : C2G_CONTENT_UNKNOWN;
}

static C2gContentKind
guess_message (const guint8 *data,
               gsize         n_bytes)
{
  C2gContentKind kind = C2G_CONTENT_UNKNOWN;
  C2gWireReader reader;
  C2gWireField field;

  c2g_wire_reader_init (&reader, data, n_bytes, 0);
  while (kind == C2G_CONTENT_UNKNOWN && c2g_wire_reader_next (&reader, &field, NULL))
    kind = kind_of_field (&field);

  return kind != C2G_CONTENT_UNKNOWN ? kind : guess_from_all (data, n_bytes);
}

/* The first page of LMDB has number 0, and its mark in the byte order of the machine
 * that wrote it. */
static gboolean
looks_like_lmdb (const guint8 *data,
                 gsize         n_bytes)
{
  static const guint8 zeros[8];

  return n_bytes >= 20 && memcmp (data, zeros, sizeof zeros) == 0 &&
         (memcmp (data + 16, "\xde\xc0\xef\xbe", 4) == 0 ||
          memcmp (data + 16, "\xbe\xef\xc0\xde", 4) == 0);
}

/* Formats of others that have such a mark. */
static C2gContentKind
guess_foreign (const guint8 *data,
               gsize         n_bytes)
{
  static const struct
  {
    const char    *mark;
    gsize          n_bytes;
    C2gContentKind kind;
  } marks[] = {
    { "\x89PNG\r\n\x1a\n", 8, C2G_CONTENT_PNG },
    { "PK\3\4", 4, C2G_CONTENT_ZIP },
    { "PK\5\6", 4, C2G_CONTENT_ZIP },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (n_bytes >= marks[i].n_bytes && memcmp (data, marks[i].mark, marks[i].n_bytes) == 0)
      return marks[i].kind;

  return looks_like_lmdb (data, n_bytes) ? C2G_CONTENT_LMDB : C2G_CONTENT_UNKNOWN;
}

C2gContentKind
c2g_content_kind_guess (const guint8 *data,
                        gsize         n_bytes)
{
  C2gContentKind kind = guess_foreign (data, n_bytes);

  if (kind != C2G_CONTENT_UNKNOWN)
    return kind;
  if (c2g_minidb_looks_like (data, n_bytes))
    return C2G_CONTENT_MINIDB;
  if (c2g_text_looks_like (&caffe2__net_def__descriptor, data, n_bytes))
    return C2G_CONTENT_NET_TEXT;

  return guess_message (data, n_bytes);
}
