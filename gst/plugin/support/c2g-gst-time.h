/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

/* Return the running time of a buffer; GST_CLOCK_TIME_NONE in streams that do not count time. */
GstClockTime c2g_gst_time_in (const GstSegment *segment,
                              GstBuffer        *buffer);
GstClockTime c2g_gst_time_of (GstBaseTransform *transform,
                              GstBuffer        *buffer);

/* Returns TRUE if the meta tells when a frame was taken, in which case it is true of what is made of the frame, too. */
gboolean     c2g_gst_time_is_meta (const GstMeta     *meta);

/* Makes an empty buffer with the times, their metas and the flags of another one. */
GstBuffer   *c2g_gst_time_new_buffer (GstBuffer        *source);

/* Tells downstream that a buffer is left out, so that sinks do not wait for it. Buffers without a time cannot be told of. */
void         c2g_gst_push_gap (GstPad           *src,
                               GstBuffer        *buffer);

G_END_DECLS
