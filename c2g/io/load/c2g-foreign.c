/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-foreign-private.h>

#include <c2g/io/numpy/c2g-zip-reader-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* Names the formats of other programs in error messages. Such files are not read.
 *
 * Protobuf messages have no magic bytes and are recognized by their fields:
 *
 *        ONNX ModelProto     SavedModel       GraphDef
 *    1   version, a number   version          node, a message
 *    2   producer, a word    graph, a message library, a message
 *    4   domain, a word                       versions, a message
 *    7   graph, a message
 *    8   operator set, a message
 */

/* Limit on the number of fields to look at. */
#define MAX_FIELDS 100000

static const struct
{
  gsize offset;
  const char *mark;
  gsize n_bytes;
  const char *description;
} marks[] = {
  { 0, "\x89PNG\r\n\x1a\n", 8, N_("a PNG image") },
  { 0, "\x89HDF\r\n\x1a\n", 8, N_("an HDF5 file, as Keras writes it") },
  { 0, "GGUF", 4, N_("a GGUF file of llama.cpp") },
  { 4, "TFL3", 4, N_("a model of TensorFlow Lite") },
  { 0, "\x80\2\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.", 15, N_("a file of PyTorch") },
};

static const char *
describe_mark (const guint8 *data,
               gsize         n_bytes)
{
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (n_bytes >= marks[i].offset + marks[i].n_bytes &&
        memcmp (data + marks[i].offset, marks[i].mark, marks[i].n_bytes) == 0)
      return marks[i].description;

  return NULL;
}

gboolean
c2g_foreign_has_mark (const guint8 *data,
                      gsize         n_bytes)
{
  return describe_mark (data, n_bytes) != NULL;
}

/* torch.save() and TorchScript both put a file data.pkl into a folder of the archive. */
static const char *
describe_archive (C2gSource *source)
{
  g_autoptr (GPtrArray) members = c2g_zip_read_members (source, NULL);

  for (guint i = 0; members != NULL && i < members->len; i++)
    {
      const C2gZipMember *member = members->pdata[i];

      if (g_str_has_suffix (member->name, "/data.pkl"))
        return N_("a file of PyTorch");
      if (g_str_equal (member->name, "model.weights.h5"))
        return N_("a model of Keras");
    }
  return NULL;
}

/* A pickle of protocol 2 to 5 begins with 0x80 and the protocol number, and ends with '.'. */
static gboolean
is_pickle (C2gSource    *source,
           const guint8 *data)
{
  guint8 last;

  return data[0] == 0x80 && data[1] >= 2 && data[1] <= 5 &&
         c2g_source_read (source, c2g_source_get_n_bytes (source) - 1, &last, 1, NULL, NULL) &&
         last == '.';
}

/* The index of a TensorFlow checkpoint is a LevelDB table, with its magic bytes at the end. */
static gboolean
is_tensorflow_index (C2gSource *source)
{
  static const guint8 mark[] = { 0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb };
  guint8 end[sizeof mark];
  guint64 n_bytes = c2g_source_get_n_bytes (source);

  return n_bytes >= sizeof mark &&
         c2g_source_read (source, n_bytes - sizeof mark, end, sizeof mark, NULL, NULL) &&
         memcmp (end, mark, sizeof mark) == 0;
}

/* Sets of field numbers in a message, as bits: varint fields, and length-prefixed fields. */
typedef struct
{
  guint32 numbers;
  guint32 lengths;
  /* First content byte of the last length-prefixed field of each number; in a submessage this is
   * a tag. */
  guint8 firsts[32];
} Fields;

static guint8
look_at_byte (C2gScanner *scanner,
              guint64     offset)
{
  gsize n_seen;
  const guint8 *data = c2g_scanner_look (scanner, offset, 1, &n_seen, NULL);

  return data != NULL && n_seen > 0 ? data[0] : 0;
}

static gboolean
scan_fields (C2gScanner *scanner,
             guint64     n_bytes,
             Fields     *fields)
{
  g_autoptr (GError) error = NULL;
  C2gWireScan scan;
  C2gWireItem item;

  *fields = (Fields) { 0 };
  if (!c2g_wire_scan_init (&scan, scanner, 0, n_bytes, NULL))
    return FALSE;
  for (guint i = 0; i < MAX_FIELDS && c2g_wire_scan_next (&scan, &item, &error); i++)
    {
      gboolean is_number = item.wire_type == PROTOBUF_C_WIRE_TYPE_VARINT;

      if (item.number >= 32 || (!is_number && item.wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED))
        return FALSE;
      if (!is_number)
        fields->firsts[item.number] = look_at_byte (scanner, item.value_offset);
      *(is_number ? &fields->numbers : &fields->lengths) |= 1u << item.number;
    }
  return error == NULL;
}

#define BIT(n) (1u << (n))

static const char *
describe_message (C2gScanner *scanner,
                  guint64     n_bytes)
{
  Fields fields;

  if (!scan_fields (scanner, n_bytes, &fields))
    return NULL;
  if ((fields.numbers & (BIT (1) | BIT (2))) == BIT (1) &&
      (fields.lengths & (BIT (1) | BIT (7) | BIT (8))) == (BIT (7) | BIT (8)))
    return N_("an ONNX model");
  if (fields.numbers == BIT (1) && fields.lengths == BIT (2))
    return N_("a saved model of TensorFlow");
  /* A node begins with its name (tag '\n') and versions with a number (tag '\b'); a MetaNetDef
   * has names there. */
  if ((fields.numbers & ~BIT (3)) == 0 && fields.firsts[1] == '\n' && fields.firsts[4] == '\b' &&
      (fields.lengths == (BIT (1) | BIT (4)) || fields.lengths == (BIT (1) | BIT (2) | BIT (4))))
    return N_("a graph of TensorFlow");
  return NULL;
}

static const char *
describe (C2gSource *source)
{
  guint64 n_bytes = c2g_source_get_n_bytes (source);
  g_auto (C2gScanner) scanner = { 0 };
  const char *description;
  const guint8 *data;
  gsize n_seen;

  c2g_scanner_init (&scanner, source);
  data = c2g_scanner_look (&scanner, 0, C2G_SCANNER_WINDOW, &n_seen, NULL);
  if (data == NULL || n_seen < 4)
    return NULL;
  description = describe_mark (data, n_seen);
  if (description != NULL)
    return description;
  if (memcmp (data, "PK\3\4", 4) == 0)
    return describe_archive (source);
  if (is_pickle (source, data))
    return N_("a pickle of Python");
  if (is_tensorflow_index (source))
    return N_("the index of a checkpoint of TensorFlow");
  return describe_message (&scanner, n_bytes);
}

const char *
c2g_foreign_describe (C2gSource *source)
{
  const char *description = describe (source);

  return description != NULL ? _(description) : NULL;
}
