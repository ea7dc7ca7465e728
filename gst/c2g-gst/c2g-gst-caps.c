/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-caps.h>

#include <c2g-gst/c2g-gst-meta.h>

/* Caps of tensor streams: fields tensor0, tensor1 … are structures with the name, type, rank and
 * dimensions d0, d1 … of a tensor. The names are values and not names of fields, because GStreamer
 * never frees names of fields. */

/* Limit on the tensors, and on the dimensions of one, that are described in caps: GStreamer never
 * frees names of fields, and the data may come from a stranger. */
#define MAX_DESCRIBED 64

/* Returns NULL if there are too many dimensions, or if one does not fit into an int. */
static GstStructure *
describe (const char *name,
          C2gTensor  *tensor)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_autoptr (GstStructure) structure =
    gst_structure_new ("tensor", "name", G_TYPE_STRING, name, "type", G_TYPE_STRING,
                       c2g_data_type_get_name (c2g_tensor_get_data_type (tensor)), "rank",
                       G_TYPE_INT, (int) n_dims, NULL);

  if (n_dims > MAX_DESCRIBED)
    return NULL;
  for (gsize i = 0; i < n_dims; i++)
    {
      g_autofree char *field = g_strdup_printf ("d%zu", i);

      if (dims[i] > G_MAXINT)
        return NULL;
      gst_structure_set (structure, field, G_TYPE_INT, (int) dims[i], NULL);
    }

  return g_steal_pointer (&structure);
}

static GstCaps *
flexible (void)
{
  return gst_caps_new_simple (C2G_GST_CAPS_TENSORS, "format", G_TYPE_STRING, "flexible", NULL);
}

/**
 * c2g_gst_caps_new_for_buffer:
 * @buffer: a buffer with tensors
 *
 * Describes a stream whose buffers have tensors like those of a buffer.
 *
 * The caps `application/x-c2g-tensors` have a structure `tensor0`, `tensor1` … for each tensor,
 * with its `name`, `type`, `rank`, and `d0`, `d1` …. More than 64 tensors, and tensors of more than
 * 64 dimensions or with more than `G_MAXINT` rows in one, are not described; such caps say
 * `format=flexible`.
 *
 * Returns: (transfer full): caps
 */
GstCaps *
c2g_gst_caps_new_for_buffer (GstBuffer *buffer)
{
  g_autoptr (GstCaps) caps = NULL;
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  caps = gst_caps_new_simple (C2G_GST_CAPS_TENSORS, "format", G_TYPE_STRING, "static", NULL);
  names = c2g_gst_buffer_list_tensors (buffer);
  if (g_strv_length (names) > MAX_DESCRIBED)
    return flexible ();
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, names[i], NULL);
      g_autoptr (GstStructure) structure = tensor != NULL ? describe (names[i], tensor) : NULL;
      g_autofree char *field = g_strdup_printf ("tensor%u", i);

      if (structure == NULL)
        return flexible ();
      gst_caps_set_simple (caps, field, GST_TYPE_STRUCTURE, structure, NULL);
    }

  return g_steal_pointer (&caps);
}
