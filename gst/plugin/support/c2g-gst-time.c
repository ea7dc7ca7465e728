/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-time.h"

#include <gst/video/video.h>

/* The running time of a buffer, gaps in its place, and the longest run of a model. */

#define MAX_SHORTER 500

GstClockTime
c2g_gst_time_in (const GstSegment *segment,
                 GstBuffer        *buffer)
{
  return segment->format == GST_FORMAT_TIME
           ? gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer))
           : GST_CLOCK_TIME_NONE;
}

GstClockTime
c2g_gst_time_of (GstBaseTransform *transform,
                 GstBuffer        *buffer)
{
  return c2g_gst_time_in (&transform->segment, buffer);
}

gboolean
c2g_gst_time_is_meta (const GstMeta *meta)
{
  return meta->info->api == GST_VIDEO_TIME_CODE_META_API_TYPE ||
         meta->info->api == GST_REFERENCE_TIMESTAMP_META_API_TYPE;
}

static gboolean
copy_meta (GstBuffer  *source,
           GstMeta   **meta,
           gpointer    buffer)
{
  GstMetaTransformCopy copy = { FALSE, 0, -1 };

  if (c2g_gst_time_is_meta (*meta))
    (*meta)->info->transform_func (buffer, *meta, source, _gst_meta_transform_copy, &copy);

  return TRUE;
}

GstBuffer *
c2g_gst_time_new_buffer (GstBuffer *source)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_copy_into (buffer, source, GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_FLAGS, 0, -1);
  gst_buffer_foreach_meta (source, copy_meta, buffer);

  return buffer;
}

void
c2g_gst_push_gap (GstPad    *src,
                  GstBuffer *buffer)
{
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    gst_pad_push_event (src, gst_event_new_gap (GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer)));
}

gboolean
c2g_gst_longest_note (C2gGstLongest *self,
                      GstClockTime   duration)
{
  const GstClockTime before = self->duration;

  if (duration > before / 2)
    {
      self->duration = MAX (before, duration);
      self->n_shorter = self->shorter = 0;
    }
  else
    {
      self->shorter = MAX (self->shorter, duration);
      if (++self->n_shorter == MAX_SHORTER)
        *self = (C2gGstLongest) { .duration = self->shorter };
    }

  return self->duration != before;
}
