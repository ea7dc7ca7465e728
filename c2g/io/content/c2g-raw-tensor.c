/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-raw-tensor-private.h>

#include <c2g/core/memory/c2g-huge-pages-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/io/stream/c2g-upload-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Reads and writes tensors whose elements are stored as in memory: the formats of NumPy,
 * safetensors and Caffe. */

/* Maximum size of one copy from or to another device. */
#define PART_BYTES (4 << 20)

C2gTensor *
c2g_raw_tensor_new (C2gDataType    data_type,
                    const gint64  *dims,
                    gsize          n_dims,
                    GError       **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;

  c2g_huge_pages_prepare (c2g_tensor_address (tensor), c2g_tensor_byte_size (tensor));
  return g_steal_pointer (&tensor);
}

/* Returns TRUE if a tensor can use the bytes in the source as they are. */
static gboolean
can_view (C2gSource   *source,
          guint64      offset,
          C2gTypeMeta *meta,
          gsize        n_bytes,
          gboolean     is_swapped)
{
  const guint8 *data = c2g_source_peek (source);

  if (data == NULL || n_bytes == 0 || (is_swapped && meta->item_size > 1))
    return FALSE;

  return c2g_type_meta_is_aligned (meta, data + offset) &&
         (meta->data_type != C2G_DATA_TYPE_BOOL || c2g_wire_are_bools (data + offset, n_bytes));
}

static C2gTensor *
new_view (C2gSource     *source,
          guint64        offset,
          gsize          n_bytes,
          C2gDataType    data_type,
          const gint64  *dims,
          gsize          n_dims,
          const C2gJob  *job,
          GError       **error)
{
  g_autoptr (GBytes) bytes = c2g_source_ref_bytes (source, offset, n_bytes, job, error);

  return bytes != NULL ? c2g_tensor_new_from_bytes (data_type, dims, n_dims, bytes, error) : NULL;
}

/* Copies in parts, so that only a few megabytes of CPU memory are needed. */
static gboolean
upload (C2gTensor     *tensor,
        C2gSource     *source,
        guint64        offset,
        gboolean       is_swapped,
        const C2gJob  *job,
        GError       **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  gsize item_size = c2g_data_type_get_item_size (data_type);
  gsize n_bytes = c2g_tensor_get_n_bytes (tensor);
  g_auto (C2gUpload) way;

  if (!c2g_upload_init (&way, tensor, error))
    return FALSE;

  for (gsize n_done = 0; n_done < n_bytes;)
    {
      gsize n = MIN (n_bytes - n_done, PART_BYTES);
      gpointer items = c2g_upload_begin (&way, n, error);

      if (items == NULL || !c2g_source_read (source, offset + n_done, items, n, job, error))
        return FALSE;
      c2g_wire_settle (items, n / item_size, data_type, is_swapped);
      if (!c2g_upload_send (&way, n_done, error))
        return FALSE;
      n_done += n;
    }

  return c2g_upload_finish (tensor, error);
}

/* Reads to another device without a copy of the whole tensor on the CPU. */
static C2gTensor *
read_far (C2gSource     *source,
          guint64        offset,
          C2gDataType    data_type,
          const gint64  *dims,
          gsize          n_dims,
          gboolean       is_swapped,
          const C2gJob  *job,
          GError       **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = c2g_upload_new_tensor (c2g_job_get_far_device (job), data_type, dims, n_dims, error);
  if (tensor == NULL || !upload (tensor, source, offset, is_swapped, job, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

C2gTensor *
c2g_raw_tensor_read (C2gSource     *source,
                     guint64        offset,
                     C2gDataType    data_type,
                     const gint64  *dims,
                     gsize          n_dims,
                     gboolean       is_swapped,
                     const C2gJob  *job,
                     GError       **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_type, error);
  gsize n_bytes;
  gint64 n_items;

  if (meta == NULL || !c2g_shape_count (dims, n_dims, &n_items, error) ||
      !c2g_shape_bytes (n_items, meta->item_size, &n_bytes, error))
    return NULL;
  if (can_view (source, offset, meta, n_bytes, is_swapped))
    return new_view (source, offset, n_bytes, data_type, dims, n_dims, job, error);

  if (c2g_job_get_far_device (job) != NULL && meta->is_plain)
    return read_far (source, offset, data_type, dims, n_dims, is_swapped, job, error);

  tensor = c2g_raw_tensor_new (data_type, dims, n_dims, error);
  if (tensor == NULL ||
      !c2g_source_read (source, offset, c2g_tensor_address (tensor), n_bytes, job, error))
    return NULL;
  c2g_wire_settle (c2g_tensor_address (tensor), n_items, data_type, is_swapped);
  return g_steal_pointer (&tensor);
}

C2gBlob *
c2g_raw_tensor_to_blob (C2gTensor *tensor)
{
  C2gBlob *blob;

  if (tensor == NULL)
    return NULL;

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_object_unref (tensor);
  return blob;
}

C2gTensor *
c2g_raw_tensor_of_item (const C2gSaveItem  *item,
                        const char         *format,
                        GError            **error)
{
  const char *held = c2g_blob_content_get_type_name (&item->blob->content);
  C2gTensor *tensor;

  if (!c2g_blob_is_tensor (item->blob, NULL))
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("%s cannot hold blob “%s”: it is no tensor, but %s"), format,
                          item->name, held != NULL ? held : _("empty"));

  tensor = c2g_blob_get_tensor (item->blob, error);
  if (tensor == NULL || !c2g_tensor_check_data (tensor, error))
    {
      g_prefix_error (error, _("Blob “%s”: "), item->name);
      return NULL;
    }

  return tensor;
}

gboolean
c2g_raw_tensor_refuse (C2gTensor   *tensor,
                       const char  *format,
                       GError     **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("%s cannot hold elements of type “%s”"),
                   format,
                   meta != NULL ? c2g_type_meta_get_name (meta)
                                                          : c2g_data_type_get_name (C2G_DATA_TYPE_UNDEFINED));
}

static gboolean
write_items (C2gTensor     *tensor,
             C2gSink       *sink,
             const C2gJob  *job,
             GError       **error)
{
  return c2g_storage_finish_uses (tensor->storage, error) &&
         c2g_sink_write (sink, c2g_tensor_address (tensor), c2g_tensor_byte_size (tensor),
                         job, error);
}

gboolean
c2g_raw_tensor_write (C2gTensor     *tensor,
                      gboolean       is_swapped,
                      C2gSink       *sink,
                      const C2gJob  *job,
                      GError       **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  gint64 n_items = c2g_tensor_get_n_elements (tensor);
  gint64 n_part;

  is_swapped = is_swapped && meta->item_size > 1;
  if ((c2g_tensor_get_device (tensor) == c2g_device_cpu () && !is_swapped) || n_items == 0)
    return write_items (tensor, sink, job, error);

  n_part = PART_BYTES / meta->item_size;
  for (gint64 i = 0; i < n_items; i += n_part)
    {
      g_autoptr (C2gTensor) part = c2g_tensor_dup_range (tensor, i, MIN (n_items, i + n_part),
                                                         c2g_device_cpu (), error);

      if (part == NULL)
        return FALSE;
      if (is_swapped)
        c2g_wire_settle (c2g_tensor_address (part), c2g_tensor_get_n_elements (part), meta->data_type, TRUE);
      if (!write_items (part, sink, job, error))
        return FALSE;
    }

  return TRUE;
}
