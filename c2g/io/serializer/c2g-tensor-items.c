/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/serializer/c2g-builtin-serializers-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <string.h>

/* Elements of registered types. As in Caffe2, each is a BlobProto in the TensorProto, written by
 * the serializer of its content. Caffe2 leaves its name empty; here the name is the element type
 * if the content does not determine it. An element of a plain registered type is written as its
 * bytes, in a blob of that type. An empty element has only the name. */

/* Limit on the nesting of tensors in tensors. A tensor may even contain itself. */
#define MAX_DEPTH 32

/* Nesting level in this thread. */
static GPrivate depth;

static gboolean
enter (GError **error)
{
  gsize n = GPOINTER_TO_SIZE (g_private_get (&depth));

  if (n == MAX_DEPTH)
    return c2g_fail (error, C2G_ERROR_RANGE, _("Tensors of tensors go more than %d deep"),
                     MAX_DEPTH);

  g_private_set (&depth, GSIZE_TO_POINTER (n + 1));
  return TRUE;
}

static void
leave (void)
{
  g_private_set (&depth, GSIZE_TO_POINTER (GPOINTER_TO_SIZE (g_private_get (&depth)) - 1));
}

/* Returns TRUE for element types of which only the size is known. */
static gboolean
is_raw (const C2gTypeMeta *meta)
{
  return meta->is_plain && meta->data_type == C2G_DATA_TYPE_UNDEFINED && meta->funcs.get == NULL;
}

/* Returns TRUE for an empty blob and for a NULL boxed value or string. */
static gboolean
is_nothing (C2gBlob *element)
{
  GType fundamental;

  if (c2g_blob_is_empty (element))
    return TRUE;

  fundamental = G_TYPE_FUNDAMENTAL (c2g_blob_get_content_type (element));
  return (fundamental == G_TYPE_BOXED || fundamental == G_TYPE_STRING) &&
         c2g_blob_get_raw (element) == NULL;
}

/* Returns the name for an element: the element type, or "" if the content determines it. */
static const char *
name_of_element (const C2gTypeMeta *meta,
                 C2gBlob           *element)
{
  return c2g_blob_get_content_type (element) == meta->gtype ? "" : meta->name;
}

static gboolean
write_blob (const C2gTypeMeta         *meta,
            C2gBlob                   *element,
            const C2gSerializeFormat  *format,
            C2gSink                   *sink,
            GError                   **error)
{
  g_autoptr (C2gSerializer) serializer = c2g_serializer_for_blob (element, error);

  return serializer != NULL &&
         c2g_serializer_write_message (serializer, element, name_of_element (meta, element), format,
                                       sink, NULL, error);
}

static gboolean
write_raw (const C2gTypeMeta  *meta,
           C2gBlob            *element,
           C2gSink            *sink,
           GError            **error)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_get_value (element, &value);
  return c2g_content_write (meta->name, "", g_value_get_boxed (&value), 0, 1, sink, NULL, error);
}

static gboolean
write_nothing (const C2gTypeMeta  *meta,
               C2gSink            *sink,
               GError            **error)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static (NULL, 0);

  return c2g_content_write (NULL, meta->name, nothing, 0, 1, sink, NULL, error);
}

static GBytes *
serialize_item (C2gTensor                 *tensor,
                gint64                     index,
                const C2gSerializeFormat  *format,
                GError                   **error)
{
  const C2gTypeMeta *meta = c2g_tensor_get_type_meta (tensor);
  g_autoptr (C2gBlob) element = c2g_tensor_dup_element (tensor, index, error);
  g_autoptr (C2gSink) sink = NULL;
  gboolean done;

  if (element == NULL)
    return NULL;

  sink = c2g_sink_new_for_memory (0);
  if (is_nothing (element))
    done = write_nothing (meta, sink, error);
  else if (is_raw (meta))
    done = write_raw (meta, element, sink, error);
  else
    done = write_blob (meta, element, format, sink, error);
  return done ? c2g_sink_steal_bytes (sink) : NULL;
}

static void
free_item (gpointer item)
{
  g_bytes_unref (item);
}

GPtrArray *
c2g_tensor_items_serialize (C2gTensor                 *tensor,
                            gint64                     begin,
                            gint64                     end,
                            const C2gSerializeFormat  *format,
                            GError                   **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (free_item);

  if (!enter (error))
    return NULL;

  for (gint64 i = begin; i < end; i++)
    {
      GBytes *item = serialize_item (tensor, i, format, error);

      if (item == NULL)
        {
          g_prefix_error (error, _("Element %" PRId64 ": "), i);
          break;
        }
      g_ptr_array_add (items, item);
    }

  leave ();
  return items->len == (guint64) (end - begin) ? g_steal_pointer (&items) : NULL;
}

/* State of reading. */
typedef struct
{
  C2gTensor    *tensor;
  C2gSource    *source;
  const C2gJob *job;
} Items;

/* Returns the element type of a message, or NULL with an error. */
static C2gTypeMeta *
find_meta (const C2gBlobRecord  *record,
           C2gBlob              *element,
           GError              **error)
{
  gboolean has_name = record->name != NULL && *record->name != '\0';
  C2gTypeMeta *meta = has_name ? c2g_type_meta_lookup (record->name, NULL) : NULL;
  GType gtype = has_name ? g_type_from_name (record->name) : G_TYPE_INVALID;

  if (meta == NULL && gtype != G_TYPE_INVALID)
    meta = c2g_type_meta_for_gtype (gtype, NULL);
  if (meta != NULL)
    return meta;

  if (element == NULL || c2g_blob_is_empty (element))
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED, _("There is no element type “%s”"),
                          has_name ? record->name : "");
  return c2g_type_meta_for_gtype (c2g_blob_get_content_type (element), error);
}

/* Allocates the tensor with the type of the first element. NULL for META means that the error is set. */
static gboolean
prepare (Items        *self,
         C2gTypeMeta  *meta,
         GError      **error)
{
  C2gTypeMeta *own = c2g_tensor_get_type_meta (self->tensor);

  if (meta == NULL)
    return FALSE;
  if (own == NULL)
    return c2g_tensor_allocate_meta (self->tensor, meta, error);
  return TRUE;
}

/* Refuses partial tensors as elements: they could ask for much more memory than their size in the
 * file. */
static gboolean
check_whole (const C2gBlobRecord  *record,
             GError              **error)
{
  if (!record->has_tensor ||
      (record->tensor.begin == 0 && record->tensor.end == record->tensor.n_elements))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The tensor is only a part of one"));
}

static gboolean
read_blob (Items                *self,
           gint64                index,
           C2gSerializer        *serializer,
           const C2gBlobRecord  *record,
           GError              **error)
{
  g_autoptr (C2gBlob) element = c2g_blob_new ();
  g_auto (GValue) value = G_VALUE_INIT;

  if (!check_whole (record, error) || !c2g_tensor_record_check_cpu (&record->tensor, error) ||
      !c2g_serializer_read_message (serializer, element, record, self->source, NULL, error) ||
      !prepare (self, find_meta (record, element, error), error))
    return FALSE;

  c2g_blob_get_value (element, &value);
  return c2g_tensor_set_element (self->tensor, index, &value, error);
}

static gboolean
read_raw (Items                *self,
          gint64                index,
          C2gTypeMeta          *meta,
          const C2gBlobRecord  *record,
          GError              **error)
{
  gsize item_size = meta->item_size;
  guint8 *items;

  if (!record->has_content || record->n_content_bytes != item_size)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Expected %zu bytes, got %zu"), item_size,
                     record->n_content_bytes);
  if (!prepare (self, meta, error))
    return FALSE;
  if (c2g_tensor_get_type_meta (self->tensor) != meta)
    return c2g_fail (error, C2G_ERROR_TYPE, _("Expected %s, got %s"),
                     c2g_tensor_get_type_meta (self->tensor)->name, meta->name);

  items = c2g_tensor_raw_mutable_data (self->tensor, meta, error);
  return items != NULL && c2g_source_read (self->source, record->content_offset,
                                           items + index * item_size, item_size, NULL, error);
}

/* Reads one element. A serializer takes precedence over a plain type of the same name. */
static gboolean
read_record (Items                *self,
             gint64                index,
             const C2gBlobRecord  *record,
             GError              **error)
{
  g_autoptr (C2gSerializer) serializer = NULL;
  g_autoptr (GError) local_error = NULL;
  C2gTypeMeta *meta;

  if (record->type == NULL)
    return prepare (self, find_meta (record, NULL, error), error);

  serializer = c2g_serializer_lookup_for_blob_type (record->type, &local_error);
  if (serializer != NULL)
    return read_blob (self, index, serializer, record, error);

  meta = c2g_type_meta_lookup (record->type, NULL);
  if (meta != NULL && is_raw (meta))
    return read_raw (self, index, meta, record, error);

  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
read_item (gint64     element,
           guint64    offset,
           gsize      n_bytes,
           gpointer   user_data,
           GError   **error)
{
  Items *self = user_data;
  g_auto (C2gScanner) scanner = { NULL };
  g_auto (C2gBlobRecord) record = { NULL };

  c2g_scanner_init (&scanner, self->source);
  if (c2g_blob_record_scan (&record, &scanner, offset, n_bytes, error) &&
      read_record (self, element, &record, error))
    return c2g_job_advance (self->job, n_bytes, error);

  g_prefix_error (error, _("Element %" PRId64 " at offset %" PRIu64 ": "), element, offset);
  return FALSE;
}

gboolean
c2g_tensor_items_read (C2gTensor              *tensor,
                       const C2gTensorRecord  *record,
                       C2gSource              *source,
                       const C2gJob           *job,
                       GError                **error)
{
  Items items = { tensor, source, job };
  gboolean done;

  if (!enter (error))
    return FALSE;

  done = c2g_tensor_record_foreach (record, source, read_item, &items, error);
  leave ();
  return done;
}
