/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "gst-harness.h"

#include <gst/check/gsttestclock.h>

/* Streams of tensors, some of which go into one element. */

#define TENSORS "application/x-c2g-tensors"

#define DESCRIBE(name, n)                                                                  \
  "(structure)[tensor, name=(string)" name ", type=(string)float, rank=(int)1, d0=(int)" n \
  "]"

/* A buffer of a pipeline that counts in seconds. */
static inline GstBuffer *
new_frame (const char *name,
           gint64      n,
           int         second)
{
  GstBuffer *buffer = gst_buffer_new ();

  add_floats (buffer, name, n);
  GST_BUFFER_PTS (buffer) = second * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

static inline void
push_frame (GstHarness *harness,
            const char *name,
            gint64      n,
            int         second)
{
  g_assert_cmpint (gst_harness_push (harness, new_frame (name, n, second)), ==, GST_FLOW_OK);
}

/* Takes the next buffer, which has such tensors and such a time. */
static inline void
pull_frame (GstHarness *harness,
            const char *names,
            int         second)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (harness);

  g_assert_nonnull (buffer);
  assert_tensors (buffer, names);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, second * GST_SECOND);
}

/* Streams that go into one element, which gives one to the first harness. */
#define N_STREAMS 2

typedef struct
{
  GstHarness *streams[N_STREAMS];
} Joint;

static inline void
joint_init (Joint      *self,
            const char *line,
            const char *caps)
{
  g_autoptr (GstElement) element = gst_object_ref_sink (gst_parse_launch (line, NULL));

  self->streams[0] = gst_harness_new_with_element (element, "sink_0", "src");
  self->streams[1] = gst_harness_new_with_element (element, "sink_1", NULL);
  for (int i = 0; i < N_STREAMS && caps != NULL; i++)
    gst_harness_set_src_caps_str (self->streams[i], caps);
}

static inline void
joint_clear (Joint *self)
{
  gst_element_set_bus (self->streams[0]->element, NULL);
  for (int i = N_STREAMS - 1; i >= 0; i--)
    g_clear_pointer (&self->streams[i], gst_harness_teardown);
}

/* Gives the streams a clock that only the test moves. */
static inline void
joint_make_live (Joint        *self,
                 GstClockTime  latency)
{
  gst_harness_use_testclock (self->streams[0]);
  for (int i = 0; i < N_STREAMS; i++)
    {
      gst_harness_set_live (self->streams[i], TRUE);
      gst_harness_set_upstream_latency (self->streams[i], latency);
      gst_harness_set_src_caps_str (self->streams[i], TENSORS);
    }
}

static inline void
push_both (Joint *self,
           int    second)
{
  push_frame (self->streams[0], "a", 1, second);
  push_frame (self->streams[1], "b", 2, second);
}

static inline void
end_both (Joint *self)
{
  for (int i = 0; i < N_STREAMS; i++)
    g_assert_true (gst_harness_push_event (self->streams[i], gst_event_new_eos ()));
}

/* Takes events up to one of a type. */
static inline GstEvent *
wait_for_event (GstHarness   *harness,
                GstEventType  type)
{
  for (;;)
    {
      GstEvent *event = gst_harness_pull_event (harness);

      g_assert_nonnull (event);
      if (GST_EVENT_TYPE (event) == type)
        return event;
      gst_event_unref (event);
    }
}

static inline void
wait_for_end (GstHarness *harness)
{
  gst_event_unref (wait_for_event (harness, GST_EVENT_EOS));
  g_assert_null (gst_harness_try_pull (harness));
}

/* Flushes all streams, which begin anew. */
static inline void
flush (Joint *self)
{
  g_autoptr (GstEvent) start = gst_event_new_flush_start ();
  g_autoptr (GstEvent) stop = gst_event_new_flush_stop (TRUE);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_event_set_seqnum (stop, gst_event_get_seqnum (start));
  for (int i = 0; i < N_STREAMS && self->streams[i] != NULL; i++)
    g_assert_true (gst_harness_push_event (self->streams[i], gst_event_ref (start)));
  for (int i = 0; i < N_STREAMS && self->streams[i] != NULL; i++)
    {
      g_assert_true (gst_harness_push_event (self->streams[i], gst_event_ref (stop)));
      g_assert_true (gst_harness_push_event (self->streams[i], gst_event_new_segment (&segment)));
    }
}
