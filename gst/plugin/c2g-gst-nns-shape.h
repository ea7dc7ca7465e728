/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Types and shapes of tensors as NNStreamer writes them in caps: numbers of NNStreamer, texts of anybody. */

#define C2G_GST_NNS_MAX_DIMS    16
#define C2G_GST_NNS_MAX_TENSORS 256
/* A buffer has no more memories. */
#define C2G_GST_NNS_MAX_MEMORIES 16

/* Dimensions of NNStreamer are the innermost first, and more than zero; these here are the outermost
 * first.  Shapes can be compared as bytes. */
typedef struct
{
  C2gDataType data_type;
  guint       n_dims;
  gint64      dims[C2G_GST_NNS_MAX_DIMS];
} C2gGstNnsShape;

/* A stream whose buffers say what they have. */
#define C2G_GST_NNS_FLEXIBLE_CAPS "other/tensors, format=flexible"

gboolean  c2g_gst_nns_is_stream       (const GstStructure    *structure);
gboolean  c2g_gst_nns_is_flexible     (const GstStructure    *structure);

/* Reads the shapes from fixed caps; those of a flexible stream have none. */
GArray   *c2g_gst_nns_shapes_parse    (GstCaps               *caps,
                                       GError               **error);
/* Describes the tensors of a buffer.  The tensors themselves are appended to tensors. */
GArray   *c2g_gst_nns_shapes_of       (GstBuffer             *buffer,
                                       GPtrArray             *tensors,
                                       GError               **error);
gboolean  c2g_gst_nns_shapes_equal    (GArray                *self,
                                       GArray                *other);

/* Lists caps for the shapes, which may be written in several ways. */
GstCaps  *c2g_gst_nns_shapes_to_caps  (GArray                *self);

/* How many bytes the elements have, or G_MAXSIZE if they are too many. */
gsize     c2g_gst_nns_shape_n_bytes   (const C2gGstNnsShape  *self);
/* The number that NNStreamer has for the type. */
guint32   c2g_gst_nns_shape_type      (const C2gGstNnsShape  *self);
/* Fills the dimensions as NNStreamer has them; those that are not used are zero. */
void      c2g_gst_nns_shape_get_dims  (const C2gGstNnsShape  *self,
                                       guint32               *dims);
/* The inverse; FALSE if there is no such type, or dimensions are wrong. */
gboolean  c2g_gst_nns_shape_set       (C2gGstNnsShape        *self,
                                       guint32                type,
                                       const guint32         *dims);

G_END_DECLS
