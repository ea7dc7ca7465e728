/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffe-blob-scan-private.h>

#include <c2g/caffe/files/c2g-caffe-blob-proto.h>
#include <c2g/caffe/memory/c2g-caffe-type.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/wire/c2g-dims-scan-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Scans a BlobProto in a file and locates its elements without reading them. Caffe has only floats
 * and doubles, packed or as single fields. NVCaffe writes the bytes of any type. In all cases the
 * file contains the elements as in memory, in one piece or several. The shape may come after the
 * elements, so the message is checked after the last field. */

/* In old files the shape is num, channels, height and width. */
#define N_LEGACY_DIMS 4

typedef struct
{
  guint64 offset;
  guint64 n_bytes;
} Piece;

/* An array of elements in a message. */
typedef struct
{
  C2gDataType  data_type;
  guint64      n_bytes;
  /* The pieces after the first one, or NULL. */
  Piece        first;
  GArray      *rest;
} Elements;

/* The arrays that a message may have. The first one that is present is used. */
enum
{
  RAW,
  DOUBLES,
  FLOATS,
  N_ROWS,
};

typedef struct
{
  C2gScanner *scanner;
  Elements    rows[N_ROWS];
  gboolean    has_raw_type;
  guint64     raw_type;
  gint64      legacy_dims[N_LEGACY_DIMS];
  gboolean    is_legacy;
  GArray     *dims;
} Reader;

/* Data of an entry, for loading it. */
typedef struct
{
  C2gSource *source;
  Elements   elements;
  /* The whole message. */
  Piece      message;
} Content;

static void
reader_clear (Reader *self)
{
  for (gsize i = 0; i < N_ROWS; i++)
    g_clear_pointer (&self->rows[i].rest, g_array_unref);
  g_clear_pointer (&self->dims, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
content_free (gpointer data)
{
  Content *self = data;

  g_clear_pointer (&self->elements.rest, g_array_unref);
  c2g_source_unref (self->source);
  g_free (self);
}

static gboolean
read_pieces (const Content  *self,
             C2gTensor      *tensor,
             const C2gJob   *job,
             GError        **error)
{
  guint8 *target = c2g_tensor_address (tensor);
  const Piece *piece = &self->elements.first;

  for (guint i = 0;; i++)
    {
      if (!c2g_source_read (self->source, piece->offset, target, piece->n_bytes, job, error))
        return FALSE;
      if (i == self->elements.rest->len)
        break;
      target += piece->n_bytes;
      piece = &g_array_index (self->elements.rest, Piece, i);
    }

  c2g_wire_settle (c2g_tensor_address (tensor), c2g_tensor_get_n_elements (tensor),
                   self->elements.data_type, G_BYTE_ORDER == G_BIG_ENDIAN);
  return TRUE;
}

static C2gBlob *
load_tensor (C2gFileEntry  *entry,
             const C2gJob  *job,
             GError       **error)
{
  const Content *content = entry->data;
  g_autoptr (C2gTensor) tensor = NULL;

  if (content->elements.rest == NULL)
    return c2g_raw_tensor_to_blob (
      c2g_raw_tensor_read (content->source, entry->offset, entry->data_type, entry->dims,
                           entry->n_dims, G_BYTE_ORDER == G_BIG_ENDIAN, job, error));

  tensor = c2g_raw_tensor_new (entry->data_type, entry->dims, entry->n_dims, error);
  if (tensor == NULL || !read_pieces (content, tensor, job, error))
    return NULL;
  return c2g_raw_tensor_to_blob (g_steal_pointer (&tensor));
}

/* Reads the message again, because the entry describes only the data and not the diff. */
static C2gBlob *
load_caffe_blob (C2gFileEntry  *entry,
                 const C2gJob  *job,
                 GError       **error)
{
  const Content *content = entry->data;
  g_autoptr (C2gCaffeBlob) caffe_blob = NULL;
  g_autoptr (GBytes) message = NULL;
  C2gBlob *blob;

  message = c2g_source_ref_bytes (content->source, content->message.offset, content->message.n_bytes, job, error);
  if (message == NULL)
    return NULL;
  caffe_blob = c2g_caffe_blob_new (entry->data_type, entry->data_type, entry->dims, entry->n_dims, NULL, error);
  if (caffe_blob == NULL || !c2g_caffe_blob_from_proto (caffe_blob, message, TRUE, error))
    return NULL;

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (caffe_blob));
  return blob;
}

void
c2g_caffe_make_blobs (GPtrArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    ((C2gFileEntry *) entries->pdata[i])->load = load_caffe_blob;
}

/* Adds a packed field, or a single element. */
static gboolean
add_elements (Elements           *self,
              C2gDataType         data_type,
              const C2gWireItem  *item,
              guint8              single_type,
              GError            **error)
{
  const Piece piece = { item->value_offset, item->n_bytes };

  if (item->wire_type != single_type &&
      !c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  self->data_type = data_type;
  self->n_bytes += piece.n_bytes;
  if (self->first.n_bytes == 0)
    self->first = piece;
  else if (piece.n_bytes > 0)
    {
      if (self->rest == NULL)
        self->rest = g_array_new (FALSE, FALSE, sizeof (Piece));
      g_array_append_val (self->rest, piece);
    }
  return TRUE;
}

/* As in protobuf, the last one of repeated bytes fields counts. */
static gboolean
set_bytes (Elements           *self,
           const C2gWireItem  *item,
           GError            **error)
{
  *self = (Elements) { 0 };
  return add_elements (self, C2G_DATA_TYPE_UINT8, item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error);
}

static gboolean
read_shape (Reader             *self,
            const C2gWireItem  *item,
            GError            **error)
{
  GError *local_error = NULL;
  C2gWireItem field;
  C2gWireScan scan;

  if (!c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED, error))
    return FALSE;

  c2g_wire_scan_enter (&scan, self->scanner, item);
  while (c2g_wire_scan_next (&scan, &field, &local_error))
    if (field.number == C2G_CAFFE_SHAPE_DIM &&
        !c2g_dims_scan (self->dims, self->scanner, &field, error))
      return FALSE;

  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

static gboolean
read_number (const C2gWireItem  *item,
             guint64            *value,
             GError            **error)
{
  *value = item->value;
  return c2g_wire_item_check (item, PROTOBUF_C_WIRE_TYPE_VARINT, error);
}

static gboolean
read_field (Reader             *self,
            const C2gWireItem  *item,
            GError            **error)
{
  guint64 value;

  switch (item->number)
    {
    case C2G_CAFFE_BLOB_NUM:
    case C2G_CAFFE_BLOB_CHANNELS:
    case C2G_CAFFE_BLOB_HEIGHT:
    case C2G_CAFFE_BLOB_WIDTH:
      self->is_legacy = TRUE;
      if (!read_number (item, &value, error))
        return FALSE;
      self->legacy_dims[item->number - C2G_CAFFE_BLOB_NUM] = (gint32) value;
      return TRUE;

    case C2G_CAFFE_BLOB_DATA:
      return add_elements (&self->rows[FLOATS], C2G_DATA_TYPE_FLOAT, item,
                           PROTOBUF_C_WIRE_TYPE_32BIT, error);

    case C2G_CAFFE_BLOB_SHAPE:
      return read_shape (self, item, error);

    case C2G_CAFFE_BLOB_DOUBLE_DATA:
      return add_elements (&self->rows[DOUBLES], C2G_DATA_TYPE_DOUBLE, item,
                           PROTOBUF_C_WIRE_TYPE_64BIT, error);

    case C2G_CAFFE_BLOB_RAW_TYPE:
      self->has_raw_type = TRUE;
      return read_number (item, &self->raw_type, error);

    case C2G_CAFFE_BLOB_RAW_DATA:
      return set_bytes (&self->rows[RAW], item, error);

    default:
      return TRUE;
    }
}

static gboolean
read_fields (Reader       *self,
             C2gWireScan  *scan,
             GError      **error)
{
  GError *local_error = NULL;
  C2gWireItem item;

  while (c2g_wire_scan_next (scan, &item, &local_error))
    if (!read_field (self, &item, error))
      return FALSE;

  if (local_error != NULL)
    g_propagate_error (error, local_error);
  return local_error == NULL;
}

/* Finds the type of the raw bytes. The field has the default DOUBLE, so a missing type says nothing
 * about the bytes and is an error. */
static gboolean
find_raw_type (Reader  *self,
               GError **error)
{
  if (!self->has_raw_type)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Bytes of elements without a type"));

  self->rows[RAW].data_type = c2g_data_type_from_caffe ((int) MIN (self->raw_type, G_MAXINT), NULL);
  return self->rows[RAW].data_type != C2G_DATA_TYPE_UNDEFINED ||
         c2g_fail (error, C2G_ERROR_CORRUPT, _("Type %" PRIu64 " of elements, which NVCaffe does not have"),
                   self->raw_type);
}

static gboolean
set_content (Reader             *self,
             const C2gWireItem  *item,
             C2gFileEntry       *entry,
             GError            **error)
{
  gsize row = self->rows[RAW].data_type != C2G_DATA_TYPE_UNDEFINED ? RAW
              : self->rows[DOUBLES].n_bytes > 0                    ? DOUBLES
                                                                   : FLOATS;
  Elements *elements = &self->rows[row];
  Content *content;

  if (row == RAW && !find_raw_type (self, error))
    return FALSE;
  if (row == FLOATS)
    elements->data_type = C2G_DATA_TYPE_FLOAT;
  if (!c2g_file_entry_set_tensor (entry, elements->data_type, (const gint64 *) self->dims->data,
                                  self->dims->len, error))
    return FALSE;
  if (entry->n_bytes != elements->n_bytes)
    return c2g_fail (error, C2G_ERROR_CORRUPT,
                     _("Expected %" PRIu64 " bytes of values, got %" PRIu64), entry->n_bytes,
                     elements->n_bytes);

  content = g_new (Content, 1);
  *content = (Content) { c2g_source_ref (self->scanner->source), *elements, { item->value_offset, item->n_bytes } };
  elements->rest = NULL;
  if (content->elements.n_bytes > 0)
    entry->offset = content->elements.first.offset;
  entry->load = load_tensor;
  entry->data = content;
  entry->destroy_data = content_free;
  return TRUE;
}

C2gFileEntry *
c2g_caffe_blob_scan (C2gScanner         *scanner,
                     const C2gWireItem  *item,
                     const char         *name,
                     GError            **error)
{
  g_auto (Reader) reader = { .scanner = scanner };
  g_autoptr (C2gFileEntry) entry = c2g_file_entry_new (name, C2G_BLOB_TYPE_TENSOR, item->offset);
  C2gWireScan scan;
  gboolean is_read;

  reader.dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  c2g_wire_scan_enter (&scan, scanner, item);
  is_read = read_fields (&reader, &scan, error);

  /* As in Caffe, the old dimensions take precedence over the shape. */
  if (is_read && reader.is_legacy)
    {
      g_array_set_size (reader.dims, 0);
      g_array_append_vals (reader.dims, reader.legacy_dims, N_LEGACY_DIMS);
    }
  if (is_read && set_content (&reader, item, entry, error))
    return g_steal_pointer (&entry);

  g_prefix_error (error, _("Blob “%s” at offset %" PRIu64 ": "), name, item->offset);
  return NULL;
}
