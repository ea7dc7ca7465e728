/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-shape.h"

/* Caps of streams with one picture tensor, which c2gconvert outputs and c2ginference accepts:
 * makes, fixates and parses them. */

#define FIELD "tensor0"

/* The fields for height, width and channels of each layout. */
static const struct
{
  const char *name;
  const char *height;
  const char *width;
  const char *channels;
} layouts[] = {
  { "nchw", "d2", "d3", "d1" },
  { "nhwc", "d1", "d2", "d3" },
};

static void
set_length (GstStructure *structure,
            const char   *field,
            int           length)
{
  if (length > 0)
    gst_structure_set (structure, field, G_TYPE_INT, length, NULL);
  else
    gst_structure_set (structure, field, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}

static void
set_types (GstStructure      *structure,
           const C2gDataType *types)
{
  g_auto (GValue) list = G_VALUE_INIT;

  if (types[1] == C2G_DATA_TYPE_UNDEFINED)
    {
      gst_structure_set (structure, "type", G_TYPE_STRING, c2g_data_type_get_name (types[0]), NULL);
      return;
    }
  g_value_init (&list, GST_TYPE_LIST);
  for (; *types != C2G_DATA_TYPE_UNDEFINED; types++)
    {
      GValue name = G_VALUE_INIT;

      g_value_init (&name, G_TYPE_STRING);
      g_value_set_string (&name, c2g_data_type_get_name (*types));
      gst_value_list_append_and_take_value (&list, &name);
    }
  gst_structure_set_value (structure, "type", &list);
}

GstCaps *
c2g_gst_shape_new (const C2gPictureForm *form,
                   const C2gDataType    *types,
                   const char           *name)
{
  const guint layout = form->is_nhwc ? 1 : 0;
  g_autoptr (GstStructure) structure =
    gst_structure_new ("tensor", "rank", G_TYPE_INT, C2G_PICTURE_N_DIMS, NULL);

  set_types (structure, types);
  set_length (structure, "d0", name != NULL ? 1 : 0);
  set_length (structure, layouts[layout].height, form->height);
  set_length (structure, layouts[layout].width, form->width);
  set_length (structure, layouts[layout].channels, form->n_channels);
  if (name != NULL)
    gst_structure_set (structure, "name", G_TYPE_STRING, name, "layout", G_TYPE_STRING,
                       layouts[layout].name, NULL);

  return gst_caps_new_simple (C2G_GST_CAPS_TENSORS, "format", G_TYPE_STRING, "static", FIELD,
                              GST_TYPE_STRUCTURE, structure, NULL);
}

static const GstStructure *
get_tensor (GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return gst_structure_has_field_typed (structure, FIELD, GST_TYPE_STRUCTURE)
           ? gst_value_get_structure (gst_structure_get_value (structure, FIELD))
           : NULL;
}

/* Returns an index into layouts, or -1. */
static int
find_layout (const GstStructure *tensor)
{
  const char *name = gst_structure_get_string (tensor, "layout");

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (g_strcmp0 (name, layouts[i].name) == 0)
      return i;

  return -1;
}

GstCaps *
c2g_gst_shape_fix (GstCaps *caps,
                   int      width,
                   int      height)
{
  GstCaps *first = gst_caps_truncate (gst_caps_make_writable (caps));
  const GstStructure *offered = gst_caps_is_empty (first) ? NULL : get_tensor (first);
  const int layout = offered != NULL ? find_layout (offered) : -1;

  if (layout >= 0)
    {
      g_autoptr (GstStructure) tensor = gst_structure_copy (offered);

      gst_structure_fixate_field_nearest_int (tensor, layouts[layout].width, width);
      gst_structure_fixate_field_nearest_int (tensor, layouts[layout].height, height);
      gst_caps_set_simple (first, FIELD, GST_TYPE_STRUCTURE, tensor, NULL);
    }

  return gst_caps_fixate (first);
}

GstCaps *
c2g_gst_shape_add_rate (GstCaps *caps,
                        GstCaps *input)
{
  const GValue *rate = gst_structure_get_value (gst_caps_get_structure (input, 0), "framerate");

  if (rate == NULL || gst_caps_is_empty (caps))
    return caps;
  caps = gst_caps_make_writable (caps);
  gst_caps_set_value (caps, "framerate", rate);

  return caps;
}

C2gDataType
c2g_gst_shape_parse (GstCaps             *caps,
                     C2gPictureArguments *arguments)
{
  static const char *const channels[] = { NULL, "GRAY", NULL, "RGB", "RGBA" };
  const GstStructure *tensor = get_tensor (caps);
  const int layout = tensor != NULL ? find_layout (tensor) : -1;
  const char *type = layout >= 0 ? gst_structure_get_string (tensor, "type") : NULL;
  int width, height, n_channels;

  if (type == NULL || !gst_structure_get_int (tensor, layouts[layout].width, &width) ||
      !gst_structure_get_int (tensor, layouts[layout].height, &height) ||
      !gst_structure_get_int (tensor, layouts[layout].channels, &n_channels) ||
      n_channels >= (int) G_N_ELEMENTS (channels))
    return C2G_DATA_TYPE_UNDEFINED;

  arguments->size = g_strdup_printf ("%dx%d", width, height);
  arguments->order = g_strdup (layouts[layout].name);
  arguments->channels = g_strdup (channels[n_channels]);

  return c2g_data_type_from_name (type, NULL);
}

gboolean
c2g_gst_caps_follow (GstCaps   **caps,
                     GstBuffer  *buffer)
{
  g_autoptr (GstCaps) now = c2g_gst_caps_new_for_buffer (buffer);

  if (*caps != NULL && gst_caps_is_equal (now, *caps))
    return FALSE;

  return gst_caps_replace (caps, now);
}
