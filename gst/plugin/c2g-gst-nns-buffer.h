/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-nns-shape.h"

G_BEGIN_DECLS

/* Reads the shapes from the headers of a flexible stream, which are behind each other, each with its tensor. */
GArray    *c2g_gst_nns_read_headers   (GstBuffer          *buffer,
                                       GError            **error);
/* Lays tensors over a buffer of NNStreamer.  Shapes are those that the caps say or, if it is flexible, that the
 * headers of this buffer do. */
GstBuffer *c2g_gst_nns_read           (GstBuffer          *buffer,
                                       GArray             *shapes,
                                       gboolean            is_flexible,
                                       const char *const  *names,
                                       GError            **error);

/* Makes a buffer of NNStreamer: a memory for each tensor, or the first 15 and one for the others. */
GstBuffer *c2g_gst_nns_write_static   (GPtrArray          *tensors,
                                       GArray             *shapes,
                                       GError            **error);
/* Makes a buffer with a memory for each header and a copy of its tensor. */
GstBuffer *c2g_gst_nns_write_flexible (GPtrArray          *tensors,
                                       GArray             *shapes,
                                       GError            **error);

G_END_DECLS
