/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffemodel-private.h>

#include <c2g/caffe/memory/c2g-caffe-type.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Writes .caffemodel files. If the metadata contains the net that was read, its layers keep all
 * their fields, and get the blobs with their names. Other blobs get new layers, which Caffe finds
 * by name. */

/* Name of the format, for messages. */
#define FORMAT "caffemodel"

/* A blob as it is written: the bytes before the elements, the elements, and the bytes after them. */
typedef struct
{
  const char *item_name;
  /* Index of the blob in its layer. */
  guint64     place;
  C2gTensor  *tensor;
  GByteArray *head;
  GByteArray *tail;
  /* The elements of the diff, written after the tail; or NULL. */
  C2gTensor  *diff;
} Row;

/* A layer as it is written: its fields, with the blobs inserted after split_at bytes. */
typedef struct
{
  const C2gCaffeLayerVersion *version;
  const guint8               *fields;
  gsize                       n_bytes;
  gsize                       split_at;
  /* TRUE if the blobs belong to a layer of version 0 inside this one. */
  gboolean                    is_inner;
  /* May be NULL. */
  GPtrArray                  *rows;
} Plan;

static void
row_free (gpointer data)
{
  Row *self = data;

  g_byte_array_unref (self->head);
  g_byte_array_unref (self->tail);
  g_free (self);
}

/* Matches the suffixes that Caffe2's converter uses, such as "_w". */
static gboolean
has_caffe2_ending (const char *name,
                   gsize      *length,
                   guint64    *place)
{
  const gsize n = strlen (name);

  if (n < 2 || (!g_str_has_suffix (name, "_w") && !g_str_has_suffix (name, "_b")))
    return FALSE;

  *length = n - 2;
  *place = name[n - 1] == 'b';
  return TRUE;
}

/* Splits LAYER/INDEX at the last slash, because names of layers may contain slashes. */
static gboolean
split_name (const char  *name,
            char       **layer,
            guint64     *place,
            GError     **error)
{
  const char *slash = strrchr (name, '/');
  gsize length = slash != NULL ? slash - name : 0;

  if ((slash != NULL && g_ascii_string_to_unsigned (slash + 1, 10, 0, G_MAXUINT16, place, NULL)) ||
      has_caffe2_ending (name, &length, place))
    {
      *layer = g_strndup (name, length);
      return TRUE;
    }

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("A caffemodel has blobs of layers, “layer/0”, “layer/1” and so on, or “layer_w” and "
                     "“layer_b”; blob “%s” has no such name"),
                   name);
}

static void
put_shape (GByteArray *array,
           C2gTensor  *tensor)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autoptr (GByteArray) shape = g_byte_array_new ();
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  for (gsize i = 0; i < n_dims; i++)
    c2g_wire_put_varint (packed, dims[i]);
  if (n_dims > 0)
    c2g_wire_put_bytes (shape, C2G_CAFFE_SHAPE_DIM, packed->data, packed->len);
  c2g_wire_put_bytes (array, C2G_CAFFE_BLOB_SHAPE, shape->data, shape->len);
}

/* The field numbers of a diff are those of the data plus 1. */
#define DIFF 1

/* Writes the fields before the elements of the data or the diff. NUMBER is the number of the
 * element type. */
static void
put_elements (GByteArray *array,
              C2gTensor  *tensor,
              guint       number,
              guint       part)
{
  const C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  const gsize n_bytes = c2g_tensor_get_n_bytes (tensor);

  if (data_type == C2G_DATA_TYPE_FLOAT && n_bytes > 0)
    c2g_wire_put_length (array, C2G_CAFFE_BLOB_DATA + part, n_bytes);
  else if (data_type == C2G_DATA_TYPE_DOUBLE && n_bytes > 0)
    c2g_wire_put_length (array, C2G_CAFFE_BLOB_DOUBLE_DATA + part, n_bytes);
  else if (data_type != C2G_DATA_TYPE_FLOAT)
    {
      c2g_wire_put_number (array, C2G_CAFFE_BLOB_RAW_TYPE + part, number);
      c2g_wire_put_length (array, C2G_CAFFE_BLOB_RAW_DATA + part, n_bytes);
    }
}

/* Caffe writes the fields in ascending order. */
static Row *
new_row (C2gTensor *tensor,
         guint      number)
{
  const gboolean is_float = c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_FLOAT;
  Row *self = g_new (Row, 1);

  *self = (Row) { .tensor = tensor, .head = g_byte_array_new (), .tail = g_byte_array_new () };
  if (!is_float)
    put_shape (self->head, tensor);
  put_elements (self->head, tensor, number, 0);
  if (is_float)
    put_shape (self->tail, tensor);
  return self;
}

/* Returns NVCaffe's number of the type. */
static gboolean
find_number (const C2gSaveItem  *item,
             C2gTensor          *tensor,
             guint              *number,
             GError            **error)
{
  const int found = c2g_data_type_to_caffe (c2g_tensor_get_data_type (tensor));

  *number = (guint) found;
  if (found >= 0)
    return TRUE;

  c2g_raw_tensor_refuse (tensor, FORMAT, error);
  g_prefix_error (error, _("Blob “%s”: "), item->name);
  return FALSE;
}

/* Returns the tensor to write, and the type numbers of data and diff. */
static C2gTensor *
get_tensor (const C2gSaveItem  *item,
            guint              *number,
            guint              *diff_number,
            GError            **error)
{
  C2gTensor *tensor = c2g_raw_tensor_of_item (item, FORMAT, error);

  if (tensor == NULL || !find_number (item, tensor, number, error) ||
      (item->diff != NULL && !find_number (item, item->diff, diff_number, error)))
    return NULL;
  return tensor;
}

gboolean
c2g_caffemodel_check (const C2gSaveItem  *item,
                      GError            **error)
{
  g_autofree char *layer = NULL;
  guint64 place;
  guint number, diff_number;

  return split_name (item->name, &layer, &place, error) &&
         get_tensor (item, &number, &diff_number, error) != NULL;
}

gboolean
c2g_caffe_mean_check (const C2gSaveItem  *item,
                      GError            **error)
{
  guint number, diff_number;

  return get_tensor (item, &number, &diff_number, error) != NULL;
}

static gboolean
add_item (GHashTable         *layers,
          GPtrArray          *order,
          const C2gSaveItem  *item,
          GError            **error)
{
  g_autofree char *name = NULL;
  guint64 place;
  GPtrArray *rows;
  Row *row;
  guint number, diff_number;
  C2gTensor *tensor = get_tensor (item, &number, &diff_number, error);

  if (tensor == NULL || !split_name (item->name, &name, &place, error))
    return FALSE;

  rows = g_hash_table_lookup (layers, name);
  if (rows == NULL)
    {
      rows = g_ptr_array_new_with_free_func (row_free);
      g_ptr_array_add (order, name);
      g_hash_table_insert (layers, g_steal_pointer (&name), rows);
    }
  row = new_row (tensor, number);
  row->item_name = item->name;
  row->place = place;
  row->diff = item->diff;
  if (item->diff != NULL)
    put_elements (row->tail, item->diff, diff_number, DIFF);
  g_ptr_array_add (rows, row);
  return TRUE;
}

static int
compare_places (gconstpointer a,
                gconstpointer b)
{
  const Row *first = *(Row *const *) a;
  const Row *second = *(Row *const *) b;

  return first->place < second->place ? -1 : first->place > second->place;
}

/* Sorts the blobs of a layer by index. Every index must occur once. */
static gboolean
check_places (const char  *name,
              GPtrArray   *rows,
              GError     **error)
{
  const Row *last = NULL;

  g_ptr_array_sort (rows, compare_places);
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = rows->pdata[i];

      if (last != NULL && row->place == last->place)
        return c2g_fail (error, C2G_ERROR_EXISTS,
                         _("Blobs “%s” and “%s” would both be blob %u of their layer"),
                         last->item_name, row->item_name, (guint) row->place);
      if (row->place != i)
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                         _("Layer “%s” has blob %u, but no blob %u"), name, (guint) row->place, i);
      last = row;
    }
  return TRUE;
}

static guint64
row_size (const Row *row)
{
  const guint64 n_diff_bytes = row->diff != NULL ? c2g_tensor_get_n_bytes (row->diff) : 0;

  return row->head->len + c2g_tensor_get_n_bytes (row->tensor) + row->tail->len + n_diff_bytes;
}

static guint64
rows_size (GPtrArray *rows,
           guint32    number)
{
  guint64 n_bytes = 0;

  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      guint64 n = row_size (rows->pdata[i]);

      n_bytes += c2g_varint_size ((guint64) number << 3) + c2g_varint_size (n) + n;
    }
  return n_bytes;
}

static gboolean
put (C2gSink     *sink,
     GByteArray  *bytes,
     GError     **error)
{
  return bytes->len == 0 || c2g_sink_write (sink, bytes->data, bytes->len, NULL, error);
}

static gboolean
write_elements (C2gTensor     *tensor,
                C2gSink       *sink,
                const C2gJob  *job,
                GError       **error)
{
  return c2g_raw_tensor_write (tensor, G_BYTE_ORDER == G_BIG_ENDIAN, sink, job, error);
}

static gboolean
put_head (C2gSink  *sink,
          guint32   number,
          guint64   n_bytes,
          GError  **error)
{
  g_autoptr (GByteArray) head = g_byte_array_new ();

  c2g_wire_put_length (head, number, n_bytes);
  return put (sink, head, error);
}

static gboolean
put_rows (GPtrArray     *rows,
          guint32        number,
          C2gSink       *sink,
          const C2gJob  *job,
          GError       **error)
{
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const Row *row = rows->pdata[i];

      if (!put_head (sink, number, row_size (row), error) || !put (sink, row->head, error) ||
          !write_elements (row->tensor, sink, job, error) || !put (sink, row->tail, error) ||
          (row->diff != NULL && !write_elements (row->diff, sink, job, error)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
put_layer (const Plan    *plan,
           C2gSink       *sink,
           const C2gJob  *job,
           GError       **error)
{
  const C2gCaffeLayerVersion *zero = c2g_caffe_layer_version_zero ();
  const guint32 number = plan->is_inner ? zero->blobs : plan->version->blobs;
  const guint64 n_inner = rows_size (plan->rows, number);
  const guint64 n_blobs = plan->is_inner && n_inner > 0 ? 1 + c2g_varint_size (n_inner) + n_inner : n_inner;

  if (plan->n_bytes + n_blobs > C2G_WIRE_MAX_BYTES)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A message of %" PRIu64 " bytes, the format allows %d"),
                     plan->n_bytes + n_blobs, C2G_WIRE_MAX_BYTES);
  return put_head (sink, plan->version->layer, plan->n_bytes + n_blobs, error) &&
         c2g_sink_write (sink, plan->fields, plan->split_at, NULL, error) &&
         (n_blobs == n_inner || put_head (sink, zero->layer, n_inner, error)) &&
         put_rows (plan->rows, number, sink, job, error) &&
         c2g_sink_write (sink, plan->fields + plan->split_at, plan->n_bytes - plan->split_at, NULL, error);
}

/* Reads a layer of the old net. Returns its name, or NULL. PLAN gets the place of its blobs, which
 * is before the first field of a higher number, and is_inner if the layer is of version 0. */
static char *
read_layer (Plan               *plan,
            const C2gWireField *layer)
{
  const C2gCaffeLayerVersion *version = plan->version;
  g_autofree char *name = NULL;
  C2gWireReader reader;
  C2gWireField field;

  plan->split_at = layer->n_bytes;
  c2g_wire_reader_init (&reader, layer->data, layer->n_bytes, 0);
  while (c2g_wire_reader_next (&reader, &field, NULL))
    {
      if (field.number > plan->version->blobs)
        plan->split_at = MIN (plan->split_at, field.offset);
      if (plan->version->layer == C2G_CAFFE_NET_LAYERS_V1 && field.number == C2G_CAFFE_V1_LAYER_V0)
        {
          Plan inner = { .version = c2g_caffe_layer_version_zero () };

          g_free (name);
          name = read_layer (&inner, &field);
          plan->is_inner = TRUE;
        }
      else if (field.number == version->name && !plan->is_inner)
        {
          g_free (name);
          name = g_utf8_make_valid ((const char *) field.data, field.n_bytes);
        }
    }
  return g_steal_pointer (&name);
}

static gboolean
put_old_layer (GHashTable          *layers,
               const C2gWireField  *field,
               C2gSink             *sink,
               const C2gJob        *job,
               GError             **error)
{
  Plan plan = { c2g_caffe_layer_version (field->number), field->data, field->n_bytes };
  g_autofree char *name = read_layer (&plan, field);
  gboolean is_written;

  plan.rows = name != NULL ? g_hash_table_lookup (layers, name) : NULL;
  is_written = put_layer (&plan, sink, job, error);
  if (plan.rows != NULL)
    g_hash_table_remove (layers, name);
  return is_written;
}

/* Decodes the net from the metadata. g_base64_decode() skips invalid characters, so the text is
 * compared with its canonical form: it may have been changed. */
static GBytes *
decode_net (const char  *text,
            GError     **error)
{
  gsize n_bytes;
  guint8 *data = g_base64_decode (text, &n_bytes);
  g_autoptr (GBytes) net = g_bytes_new_take (data, n_bytes);
  g_autofree char *again = g_base64_encode (data, n_bytes);

  if (g_str_equal (again, text))
    return g_steal_pointer (&net);
  return c2g_fail_null (error, C2G_ERROR_CORRUPT, _("It is not in base64"));
}

/* Checks that the old net is valid and has no blobs, because the blobs come from the workspace. */
static gboolean
check_old_net (GBytes  *net,
               GError **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (net, C2G_CAFFEMODEL_METADATA);
  g_autoptr (GPtrArray) entries = c2g_caffemodel_read_entries (source, NULL, NULL, error);

  if (entries == NULL || entries->len == 0)
    return entries != NULL;
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("It has blobs of its own"));
}

/* Returns the net in TEXT; an empty one if that is NULL. */
static GBytes *
get_old_net (const char  *text,
             GError     **error)
{
  g_autoptr (GBytes) net = decode_net (text != NULL ? text : "", error);

  if (net != NULL && check_old_net (net, error))
    return g_steal_pointer (&net);
  g_prefix_error (error, _("The metadata “%s”: "), C2G_CAFFEMODEL_METADATA);
  return NULL;
}

/* Writes the old net. Removes the layers that got their blobs from LAYERS. */
static gboolean
put_old_net (GBytes        *bytes,
             GHashTable    *layers,
             C2gSink       *sink,
             const C2gJob  *job,
             GError       **error)
{
  gsize n_bytes;
  const guint8 *net = g_bytes_get_data (bytes, &n_bytes);
  C2gWireReader reader;
  C2gWireField field;

  c2g_wire_reader_init (&reader, net, n_bytes, 0);
  while (c2g_wire_reader_next (&reader, &field, NULL))
    if (c2g_caffe_layer_version (field.number) != NULL
          ? !put_old_layer (layers, &field, sink, job, error)
          : !c2g_sink_write (sink, net + field.offset, reader.position - field.offset, NULL, error))
      return FALSE;

  return TRUE;
}

static gboolean
put_new_layers (GPtrArray     *order,
                GHashTable    *layers,
                C2gSink       *sink,
                const C2gJob  *job,
                GError       **error)
{
  for (guint i = 0; i < order->len; i++)
    {
      const char *name = order->pdata[i];
      g_autoptr (GByteArray) fields = g_byte_array_new ();
      Plan plan = { .version = c2g_caffe_layer_version (C2G_CAFFE_NET_LAYERS) };

      plan.rows = g_hash_table_lookup (layers, name);
      if (plan.rows == NULL)
        continue;
      c2g_wire_put_bytes (fields, plan.version->name, name, strlen (name));
      plan.fields = fields->data;
      plan.n_bytes = plan.split_at = fields->len;
      if (!put_layer (&plan, sink, job, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
c2g_caffemodel_write (GPtrArray     *items,
                      GHashTable    *metadata,
                      C2gSink       *sink,
                      const C2gJob  *job,
                      GError       **error)
{
  g_autoptr (GHashTable) layers =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  const char *text = metadata != NULL ? g_hash_table_lookup (metadata, C2G_CAFFEMODEL_METADATA) : NULL;
  g_autoptr (GBytes) net = get_old_net (text, error);

  if (net == NULL)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    if (!add_item (layers, order, items->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < order->len; i++)
    if (!check_places (order->pdata[i], g_hash_table_lookup (layers, order->pdata[i]), error))
      return FALSE;

  return put_old_net (net, layers, sink, job, error) &&
         put_new_layers (order, layers, sink, job, error);
}

gboolean
c2g_caffe_mean_write (C2gTensor     *tensor,
                      C2gSink       *sink,
                      const C2gJob  *job,
                      GError       **error)
{
  Row *row = new_row (tensor, (guint) c2g_data_type_to_caffe (c2g_tensor_get_data_type (tensor)));
  const gboolean is_written = put (sink, row->head, error) && write_elements (row->tensor, sink, job, error) &&
                              put (sink, row->tail, error);

  row_free (row);
  return is_written;
}
