/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-tensor-meta.h"

#include "support/c2g-gst-append.h"

#include <glib/gi18n-lib.h>
#include <gst/analytics/analytics.h>

/* Converts between c2g's tensors and GstTensorMeta of GStreamer 1.28. The id of a GstTensor says
 * what it means and is a quark. Quarks are never freed, so ids come only from the user, never from
 * names of tensors. */

static const struct
{
  GstTensorDataType type;
  C2gDataType       data_type;
} types[] = {
  { GST_TENSOR_DATA_TYPE_INT8, C2G_DATA_TYPE_INT8 },
  { GST_TENSOR_DATA_TYPE_INT16, C2G_DATA_TYPE_INT16 },
  { GST_TENSOR_DATA_TYPE_INT32, C2G_DATA_TYPE_INT32 },
  { GST_TENSOR_DATA_TYPE_INT64, C2G_DATA_TYPE_INT64 },
  { GST_TENSOR_DATA_TYPE_UINT8, C2G_DATA_TYPE_UINT8 },
  { GST_TENSOR_DATA_TYPE_UINT16, C2G_DATA_TYPE_UINT16 },
  { GST_TENSOR_DATA_TYPE_UINT32, C2G_DATA_TYPE_UINT32 },
  { GST_TENSOR_DATA_TYPE_UINT64, C2G_DATA_TYPE_UINT64 },
  { GST_TENSOR_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT16 },
  { GST_TENSOR_DATA_TYPE_FLOAT32, C2G_DATA_TYPE_FLOAT },
  { GST_TENSOR_DATA_TYPE_FLOAT64, C2G_DATA_TYPE_DOUBLE },
  { GST_TENSOR_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_BFLOAT16 },
  { GST_TENSOR_DATA_TYPE_BOOL, C2G_DATA_TYPE_BOOL },
};

gboolean
c2g_gst_tensor_meta_is_stream (const GstStructure *structure)
{
  return gst_structure_has_name (structure, "video/x-raw") &&
         gst_structure_has_field_typed (structure, "tensors", GST_TYPE_STRUCTURE);
}

/* Reading */

static C2gDataType
find_data_type (GstTensorDataType type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].type == type)
      return types[i].data_type;

  return C2G_DATA_TYPE_UNDEFINED;
}

/* In both orders the last dimension is the innermost one: GStreamer's elements never transpose the
 * output of a model, and its decoders use “col-major” for outputs whose columns are the objects. */
static C2gTensor *
read_tensor (const GstTensor  *tensor,
             const char       *name,
             GError          **error)
{
  const C2gDataType data_type = find_data_type (tensor->data_type);
  g_autofree gint64 *dims = g_new (gint64, tensor->num_dims);

  for (gsize i = 0; i < tensor->num_dims; i++)
    dims[i] = MIN (tensor->dims[i], G_MAXINT64);
  if (data_type != C2G_DATA_TYPE_UNDEFINED && tensor->layout == GST_TENSOR_LAYOUT_CONTIGUOUS && tensor->data != NULL)
    return c2g_gst_tensor_new_from_buffer (tensor->data, data_type, dims, tensor->num_dims, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("GStreamer's tensor “%s” has a type or a layout that c2g does not have"), name);
  return NULL;
}

static gboolean
add_tensor (GstBuffer        *buffer,
            const GstTensor  *tensor,
            const char       *name,
            GError          **error)
{
  /* 0 and numbers that are not quarks have no string. */
  const char *id = g_quark_to_string (tensor->id);
  const char *known_id = id != NULL ? id : C2G_GST_LONE_NAME;
  const char *own_name = name != NULL ? name : known_id;
  g_autoptr (C2gTensor) laid = read_tensor (tensor, own_name, error);

  return laid != NULL && c2g_gst_buffer_add_tensor (buffer, own_name, laid, NULL, error);
}

gboolean
c2g_gst_tensor_meta_read (GstBuffer          *buffer,
                          const char *const  *names,
                          GError            **error)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_TENSOR_META_API_TYPE)) != NULL)
    {
      const GstTensorMeta *self = (GstTensorMeta *) meta;

      for (gsize i = 0; i < self->num_tensors; i++)
        {
          if (!add_tensor (buffer, self->tensors[i], names != NULL ? *names : NULL, error))
            return FALSE;
          if (names != NULL && *names != NULL)
            names++;
        }
    }

  return TRUE;
}

/* Describing */

/* GStreamer 1.28 has no name for bool that caps could have, so such tensors can only be read. */
static gboolean
find_type (C2gTensor         *tensor,
           GstTensorDataType *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].data_type == c2g_tensor_get_data_type (tensor) && gst_tensor_data_type_get_name (types[i].type) != NULL)
      {
        *type = types[i].type;
        return TRUE;
      }

  return FALSE;
}

static void
append_number (GValue *list,
               int     number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT);
  g_value_set_int (&value, number);
  gst_value_list_append_and_take_value (list, &value);
}

/* Appends a dimension both as its number and as 0 (any), because decoders ask for either. */
static void
append_dim (GValue *dims,
            gint64  dim)
{
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, 2);
  if (dim > 0 && dim <= G_MAXINT)
    append_number (&list, dim);
  append_number (&list, 0);
  gst_value_array_append_and_take_value (dims, &list);
}

/* Lists both names of the order, because decoders use either for the same order. */
static void
set_orders (GstStructure *structure)
{
  static const char *const orders[] = { "row-major", "col-major" };
  GValue list = G_VALUE_INIT;

  gst_value_list_init (&list, G_N_ELEMENTS (orders));
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      GValue value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_STRING);
      g_value_set_static_string (&value, orders[i]);
      gst_value_list_append_and_take_value (&list, &value);
    }
  gst_structure_take_value (structure, "dims-order", &list);
}

/* GStreamer has no tensors without dimensions, so a scalar gets one. */
static const gint64 *
get_dims (C2gTensor *tensor,
          gsize     *n)
{
  static const gint64 one[] = { 1 };
  const gint64 *dims = c2g_tensor_get_dims (tensor, n);

  if (*n > 0)
    return dims;
  *n = 1;
  return one;
}

static void
describe (C2gTensor         *tensor,
          GstTensorDataType  type,
          const char        *id,
          GValue            *caps)
{
  GstStructure *structure = gst_structure_new ("tensor/strided", "tensor-id", G_TYPE_STRING, id, "type", G_TYPE_STRING,
                                               gst_tensor_data_type_get_name (type), NULL);
  GValue array = G_VALUE_INIT;
  gsize n;
  const gint64 *dims = get_dims (tensor, &n);

  gst_value_array_init (&array, n);
  for (gsize i = 0; i < n; i++)
    append_dim (&array, dims[i]);
  gst_structure_take_value (structure, "dims", &array);
  set_orders (structure);
  g_value_init (caps, GST_TYPE_CAPS);
  g_value_take_boxed (caps, gst_caps_new_full (structure, NULL));
}

GstStructure *
c2g_gst_tensor_meta_describe (GPtrArray          *tensors,
                              const char *const  *ids,
                              GError            **error)
{
  g_autoptr (GstStructure) groups = gst_structure_new_empty ("tensorgroups");
  g_auto (GValue) group = G_VALUE_INIT;

  g_value_init (&group, GST_TYPE_UNIQUE_LIST);
  for (guint i = 0; i < tensors->len; i++)
    {
      GValue caps = G_VALUE_INIT;
      GstTensorDataType type;

      if (!find_type (tensors->pdata[i], &type))
        {
          g_autofree char *text = c2g_tensor_to_string (tensors->pdata[i], 0);

          g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("GStreamer has no tensors such as “%s”: %s"),
                       ids[i], text);
          return NULL;
        }
      describe (tensors->pdata[i], type, ids[i], &caps);
      gst_value_unique_list_append_and_take_value (&group, &caps);
    }
  gst_structure_set_value (groups, ids[0], &group);

  return g_steal_pointer (&groups);
}

/* Caps */

static GstCaps *
offer_caps (GstCaps      *frames,
            const char   *name,
            const GValue *group)
{
  g_autoptr (GstStructure) groups = gst_structure_new_empty ("tensorgroups");
  GstCaps *caps = gst_caps_copy (frames);

  gst_structure_set_value (groups, name, group);
  gst_caps_set_simple (caps, "tensors", GST_TYPE_STRUCTURE, groups, NULL);

  return caps;
}

/* Returns the name of the group that the caps request. */
static const char *
get_group_name (const GstCaps *caps)
{
  const GValue *value = gst_structure_get_value (gst_caps_get_structure (caps, 0), "tensors");
  const GstStructure *groups =
    value != NULL && GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;

  return groups != NULL && gst_structure_n_fields (groups) > 0 ? gst_structure_nth_field_name (groups, 0) : NULL;
}

/* Compares the requested caps one by one, because GStreamer's intersection of two different groups
 * contains both. */
GstCaps *
c2g_gst_tensor_meta_choose_caps (GstCaps            *frames,
                                 const GstStructure *described,
                                 GstCaps            *wanted)
{
  const char *name = gst_structure_nth_field_name (described, 0);
  const GValue *group = gst_structure_get_value (described, name);

  for (guint i = 0; i < gst_caps_get_size (wanted); i++)
    {
      g_autoptr (GstCaps) one = gst_caps_copy_nth (wanted, i);
      const char *asked = get_group_name (one);
      g_autoptr (GstCaps) offered = offer_caps (frames, asked != NULL ? asked : name, group);
      g_autoptr (GstCaps) common = gst_caps_intersect (offered, one);

      if (!gst_caps_is_empty (common))
        return gst_caps_fixate (g_steal_pointer (&common));
    }

  return gst_caps_is_any (wanted) ? gst_caps_fixate (offer_caps (frames, name, group)) : NULL;
}

/* Writing */

static gboolean
is_column_major (GstCaps    *caps,
                 const char *id)
{
  g_autoptr (GstStructure) groups = NULL;
  const GValue *group;

  gst_structure_get (gst_caps_get_structure (caps, 0), "tensors", GST_TYPE_STRUCTURE, &groups, NULL);
  group = gst_structure_get_value (groups, gst_structure_nth_field_name (groups, 0));
  for (guint i = 0; i < gst_value_unique_list_get_size (group); i++)
    {
      const GstCaps *described = gst_value_get_caps (gst_value_unique_list_get_value (group, i));
      const GstStructure *structure = gst_caps_get_structure (described, 0);

      if (g_strcmp0 (gst_structure_get_string (structure, "tensor-id"), id) == 0)
        return g_strcmp0 (gst_structure_get_string (structure, "dims-order"), "col-major") == 0;
    }

  return FALSE;
}

static GstTensor *
make_tensor (C2gTensor   *tensor,
             const char  *id,
             gboolean     is_turned,
             GError     **error)
{
  GstBuffer *bytes = c2g_gst_buffer_new_from_tensor (tensor, error);
  GstTensor *made;
  gsize n;
  const gint64 *dims = get_dims (tensor, &n);

  if (bytes == NULL)
    return NULL;
  made = gst_tensor_alloc (n);
  made->id = g_quark_from_string (id);
  made->layout = GST_TENSOR_LAYOUT_CONTIGUOUS;
  made->data = bytes;
  made->dims_order = is_turned ? GST_TENSOR_DIM_ORDER_COL_MAJOR : GST_TENSOR_DIM_ORDER_ROW_MAJOR;
  find_type (tensor, &made->data_type);
  for (gsize i = 0; i < n; i++)
    made->dims[i] = dims[i];

  return made;
}

gboolean
c2g_gst_tensor_meta_write (GstBuffer          *buffer,
                           GPtrArray          *tensors,
                           const char *const  *ids,
                           GstCaps            *caps,
                           GError            **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_tensor_free);
  gsize n;

  for (guint i = 0; i < tensors->len; i++)
    {
      GstTensor *tensor = make_tensor (tensors->pdata[i], ids[i], is_column_major (caps, ids[i]), error);

      if (tensor == NULL)
        return FALSE;
      g_ptr_array_add (made, tensor);
    }
  gst_tensor_meta_set (gst_buffer_add_tensor_meta (buffer), tensors->len, (GstTensor **) g_ptr_array_steal (made, &n));

  return TRUE;
}
