/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Types and shapes of tensors in NNStreamer's caps. The caps may come from a stranger. */

#define C2G_GST_NNS_MAX_DIMS    16
#define C2G_GST_NNS_MAX_TENSORS 256
/* Limit on the memories of a buffer. */
#define C2G_GST_NNS_MAX_MEMORIES 16

/* Dimensions in NNStreamer are innermost first and greater than zero; here they are outermost
 * first. Unused ones are zero, so shapes can be compared with memcmp(). */
typedef struct
{
  C2gDataType data_type;
  guint       n_dims;
  gint64      dims[C2G_GST_NNS_MAX_DIMS];
} C2gGstNnsShape;

/* Caps of a flexible stream, whose buffers contain their shapes. */
#define C2G_GST_NNS_FLEXIBLE_CAPS "other/tensors, format=flexible"

gboolean  c2g_gst_nns_is_stream       (const GstStructure    *structure);
gboolean  c2g_gst_nns_is_flexible     (const GstStructure    *structure);

/* Parses the shapes in fixed caps. The array is empty for a flexible stream. */
GArray   *c2g_gst_nns_shapes_parse    (GstCaps               *caps,
                                       GError               **error);
/* Returns the shapes of the tensors of a buffer, and appends the tensors to TENSORS. */
GArray   *c2g_gst_nns_shapes_of       (GstBuffer             *buffer,
                                       GPtrArray             *tensors,
                                       GError               **error);
gboolean  c2g_gst_nns_shapes_equal    (GArray                *self,
                                       GArray                *other);

/* Returns caps for the shapes, in all ways that they may be written. */
GstCaps  *c2g_gst_nns_shapes_to_caps  (GArray                *self);

/* Returns the size of the elements, or G_MAXSIZE if it overflows. */
gsize     c2g_gst_nns_shape_n_bytes   (const C2gGstNnsShape  *self);
/* Returns NNStreamer's number of the type. */
guint32   c2g_gst_nns_shape_type      (const C2gGstNnsShape  *self);
/* Fills in the dimensions in NNStreamer's order; unused ones are zero. */
void      c2g_gst_nns_shape_get_dims  (const C2gGstNnsShape  *self,
                                       guint32               *dims);
/* Sets a shape from NNStreamer's numbers. Returns FALSE for an unknown type or invalid dimensions. */
gboolean  c2g_gst_nns_shape_set       (C2gGstNnsShape        *self,
                                       guint32                type,
                                       const guint32         *dims);

G_END_DECLS
