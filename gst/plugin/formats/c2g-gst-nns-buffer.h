/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-nns-shape.h"

G_BEGIN_DECLS

/* Reads the shapes in a flexible stream, where each tensor follows its header. */
GArray    *c2g_gst_nns_read_headers   (GstBuffer          *buffer,
                                       GError            **error);
/* Makes tensors over the memory of a NNStreamer buffer. SHAPES come from the caps or, in a flexible
 * stream, from the headers of this buffer. */
GstBuffer *c2g_gst_nns_read           (GstBuffer          *buffer,
                                       GArray             *shapes,
                                       gboolean            is_flexible,
                                       const char *const  *names,
                                       GError            **error);

/* Makes a NNStreamer buffer with one memory for each tensor. With more than 16 tensors, the last
 * memory has all from the 16th on. */
GstBuffer *c2g_gst_nns_write_static   (GPtrArray          *tensors,
                                       GArray             *shapes,
                                       GError            **error);
/* Makes a flexible buffer, with one memory for each header and a copy of its tensor. */
GstBuffer *c2g_gst_nns_write_flexible (GPtrArray          *tensors,
                                       GArray             *shapes,
                                       GError            **error);

G_END_DECLS
