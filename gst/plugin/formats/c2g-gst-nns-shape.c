/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-nns-shape.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Types and shapes of tensors in NNStreamer's caps, for c2gbridge. */

/* Old versions of NNStreamer always write four dimensions. So up to four are kept, even if the
 * outermost ones are 1. */
#define OLD_DIMS 4

/* The index is NNStreamer's number of the type. */
static const struct
{
  const char *name;
  C2gDataType data_type;
} types[] = {
  { "int32", C2G_DATA_TYPE_INT32 },
  { "uint32", C2G_DATA_TYPE_UINT32 },
  { "int16", C2G_DATA_TYPE_INT16 },
  { "uint16", C2G_DATA_TYPE_UINT16 },
  { "int8", C2G_DATA_TYPE_INT8 },
  { "uint8", C2G_DATA_TYPE_UINT8 },
  { "float64", C2G_DATA_TYPE_DOUBLE },
  { "float32", C2G_DATA_TYPE_FLOAT },
  { "int64", C2G_DATA_TYPE_INT64 },
  { "uint64", C2G_DATA_TYPE_UINT64 },
  { "float16", C2G_DATA_TYPE_FLOAT16 },
};

gboolean
c2g_gst_nns_is_stream (const GstStructure *structure)
{
  return gst_structure_has_name (structure, "other/tensors") ||
         gst_structure_has_name (structure, "other/tensor");
}

gboolean
c2g_gst_nns_is_flexible (const GstStructure *structure)
{
  return gst_structure_has_name (structure, "other/tensors") &&
         g_strcmp0 (gst_structure_get_string (structure, "format"), "flexible") == 0;
}

/* Shapes */

gsize
c2g_gst_nns_shape_n_bytes (const C2gGstNnsShape *self)
{
  gsize n = c2g_data_type_get_item_size (self->data_type);

  for (guint i = 0; i < self->n_dims; i++)
    if (!g_size_checked_mul (&n, n, self->dims[i]))
      return G_MAXSIZE;

  return n;
}

guint32
c2g_gst_nns_shape_type (const C2gGstNnsShape *self)
{
  guint32 i = 0;

  while (i < G_N_ELEMENTS (types) && types[i].data_type != self->data_type)
    i++;

  return i;
}

void
c2g_gst_nns_shape_get_dims (const C2gGstNnsShape *self,
                            guint32              *dims)
{
  for (guint i = 0; i < C2G_GST_NNS_MAX_DIMS; i++)
    dims[i] = i < self->n_dims ? self->dims[self->n_dims - 1 - i] : 0;
}

gboolean
c2g_gst_nns_shape_set (C2gGstNnsShape *self,
                       guint32         type,
                       const guint32  *dims)
{
  guint n = 0;

  while (n < C2G_GST_NNS_MAX_DIMS && dims[n] > 0)
    n++;
  for (guint i = n; i < C2G_GST_NNS_MAX_DIMS; i++)
    if (dims[i] > 0)
      return FALSE;
  if (n == 0 || type >= G_N_ELEMENTS (types))
    return FALSE;

  while (n > OLD_DIMS && dims[n - 1] == 1)
    n--;
  *self = (C2gGstNnsShape) { types[type].data_type, n, { 0 } };
  for (guint i = 0; i < n; i++)
    self->dims[i] = dims[n - 1 - i];

  return TRUE;
}

/* A tensor without dimensions is described as one with a single element. */
static gboolean
describe (C2gGstNnsShape *self,
          C2gTensor      *tensor)
{
  gsize n;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n);

  *self = (C2gGstNnsShape) { c2g_tensor_get_data_type (tensor), MAX (n, 1), { 1 } };
  if (n > C2G_GST_NNS_MAX_DIMS || c2g_gst_nns_shape_type (self) == G_N_ELEMENTS (types))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      if (dims[i] == 0 || dims[i] > G_MAXUINT32)
        return FALSE;
      self->dims[i] = dims[i];
    }

  return TRUE;
}

GArray *
c2g_gst_nns_shapes_of (GstBuffer  *buffer,
                       GPtrArray  *tensors,
                       GError    **error)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (C2gGstNnsShape));
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);

  for (guint i = 0; names[i] != NULL; i++)
    {
      C2gTensor *tensor = c2g_gst_buffer_get_tensor (buffer, names[i], error);
      g_autofree char *text = NULL;
      C2gGstNnsShape shape;

      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
      if (describe (&shape, tensor))
        {
          g_array_append_val (shapes, shape);
          continue;
        }
      text = c2g_tensor_to_string (tensor, 0);
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("NNStreamer has no tensors such as “%s”: %s"), names[i], text);
      return NULL;
    }

  return g_steal_pointer (&shapes);
}

gboolean
c2g_gst_nns_shapes_equal (GArray *self,
                          GArray *other)
{
  return self->len == other->len &&
         memcmp (self->data, other->data, self->len * sizeof (C2gGstNnsShape)) == 0;
}

/* Reading caps */

/* Parses numbers separated by colons. */
static gboolean
parse_dims (const char *text,
            guint32    *dims)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", C2G_GST_NNS_MAX_DIMS + 1);
  guint n = g_strv_length (parts);

  if (n > C2G_GST_NNS_MAX_DIMS)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint64 number;

      if (!g_ascii_string_to_unsigned (g_strstrip (parts[i]), 10, 0, G_MAXUINT32, &number, NULL))
        return FALSE;
      dims[i] = number;
    }

  return TRUE;
}

static guint32
find_type (const char *name)
{
  guint32 i = 0;

  while (i < G_N_ELEMENTS (types) && g_ascii_strcasecmp (name, types[i].name) != 0)
    i++;

  return i;
}

static gboolean
parse_shapes (GArray *shapes,
              char  **type_texts,
              char  **dims_texts)
{
  for (guint i = 0; type_texts[i] != NULL && dims_texts[i] != NULL; i++)
    {
      guint32 dims[C2G_GST_NNS_MAX_DIMS] = { 0 };
      C2gGstNnsShape shape;

      if (!parse_dims (dims_texts[i], dims) ||
          !c2g_gst_nns_shape_set (&shape, find_type (g_strstrip (type_texts[i])), dims))
        return FALSE;
      g_array_append_val (shapes, shape);
    }

  return TRUE;
}

/* Also accepts dots as separators, because commas are hard to write in gst-launch-1.0. */
static char **
get_list (const GstStructure *structure,
          const char         *field)
{
  const char *text = gst_structure_get_string (structure, field);

  return text != NULL ? g_strsplit_set (text, ",.", C2G_GST_NNS_MAX_TENSORS + 1) : NULL;
}

/* Returns the number of tensors in the caps; 0 for a flexible stream. */
static int
count_tensors (const GstStructure *structure)
{
  const char *format = gst_structure_get_string (structure, "format");
  int n = 1;

  if (gst_structure_has_name (structure, "other/tensor"))
    return n;

  return (format == NULL || g_str_equal (format, "static")) &&
                 gst_structure_get_int (structure, "num_tensors", &n) && n <= C2G_GST_NNS_MAX_TENSORS
           ? n
           : 0;
}

GArray *
c2g_gst_nns_shapes_parse (GstCaps  *caps,
                          GError  **error)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gboolean is_one = gst_structure_has_name (structure, "other/tensor");
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (C2gGstNnsShape));
  g_auto (GStrv) type_texts = get_list (structure, is_one ? "type" : "types");
  g_auto (GStrv) dims_texts = get_list (structure, is_one ? "dimension" : "dimensions");
  const int n = count_tensors (structure);
  g_autofree char *text = NULL;

  if (c2g_gst_nns_is_flexible (structure))
    return g_steal_pointer (&shapes);
  if (n > 0 && type_texts != NULL && dims_texts != NULL && (int) g_strv_length (type_texts) == n &&
      (int) g_strv_length (dims_texts) == n && parse_shapes (shapes, type_texts, dims_texts))
    return g_steal_pointer (&shapes);

  text = gst_caps_to_string (caps);
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("These caps describe no tensors of NNStreamer: %s"), text);
  return NULL;
}

/* Writing caps */

/* Appends the dimensions as text, padded with ones to at least n_min. */
static void
append_dims (GString              *text,
             const C2gGstNnsShape *shape,
             guint                 n_dims)
{
  guint first = 0;

  while (first + MAX (n_dims, 1) < shape->n_dims && shape->dims[first] == 1)
    first++;
  for (guint i = shape->n_dims; i-- > first;)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i + 1 < shape->n_dims ? ":" : "", shape->dims[i]);
  for (guint i = shape->n_dims; i < n_dims; i++)
    g_string_append (text, ":1");
}

/* Appends caps for each way to write the shapes: GStreamer compares strings exactly, but trailing
 * ones may be written or not. */
static void
append_caps (GstCaps *caps,
             GArray  *shapes,
             guint    n_dims)
{
  g_autoptr (GString) type_text = g_string_new (NULL);
  g_autoptr (GString) dims_text = g_string_new (NULL);

  for (guint i = 0; i < shapes->len; i++)
    {
      const C2gGstNnsShape *shape = &g_array_index (shapes, C2gGstNnsShape, i);

      g_string_append_printf (type_text, "%s%s", i > 0 ? "," : "", types[c2g_gst_nns_shape_type (shape)].name);
      g_string_append (dims_text, i > 0 ? "," : "");
      append_dims (dims_text, shape, n_dims);
    }
  gst_caps_append_structure (caps, gst_structure_new ("other/tensors",
                                                      "format", G_TYPE_STRING, "static",
                                                      "num_tensors", G_TYPE_INT, (int) shapes->len,
                                                      "types", G_TYPE_STRING, type_text->str,
                                                      "dimensions", G_TYPE_STRING, dims_text->str, NULL));
  if (shapes->len == 1)
    gst_caps_append_structure (caps, gst_structure_new ("other/tensor",
                                                        "type", G_TYPE_STRING, type_text->str,
                                                        "dimension", G_TYPE_STRING, dims_text->str, NULL));
}

GstCaps *
c2g_gst_nns_shapes_to_caps (GArray *self)
{
  static const guint least[] = { OLD_DIMS, 1, 2, 3, 8, C2G_GST_NNS_MAX_DIMS };
  GstCaps *caps = gst_caps_new_empty ();

  for (guint i = 0; i < G_N_ELEMENTS (least) && self->len <= C2G_GST_NNS_MAX_TENSORS; i++)
    append_caps (caps, self, least[i]);
  if (self->len <= C2G_GST_NNS_MAX_MEMORIES)
    gst_caps_append (caps, gst_caps_from_string (C2G_GST_NNS_FLEXIBLE_CAPS));

  return caps;
}
