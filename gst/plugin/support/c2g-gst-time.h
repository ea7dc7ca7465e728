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

/* The longest run that the latency has to cover. */
typedef struct
{
  GstClockTime duration;
  /* How many runs in a row were shorter than half of it, and the longest of these. */
  guint        n_shorter;
  GstClockTime shorter;
} C2gGstLongest;

/* Takes a run into account. A single slow one counts until 500 runs in a row took no more than half of its time. Returns TRUE
 * if the longest one has changed. */
gboolean     c2g_gst_longest_note    (C2gGstLongest    *self,
                                      GstClockTime      duration);

G_END_DECLS
