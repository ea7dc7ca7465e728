/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-streams.h"

/* c2gtensormux: streams of tensors that become one. */

/* Tensors keep their memory and their geometry. */
static void
test_mux (void)
{
  static const double matrix[6] = { 1, 0, 0, 0, 1, 0 };
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (7, 8, matrix);
  g_autoptr (C2gTensor) tensor = new_floats (3);
  g_autoptr (C2gTensor) joined = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "b", tensor, geometry, NULL));
  GST_BUFFER_PTS (buffer) = 0;
  push_frame (joint.streams[0], "a", 1, 0);
  g_assert_cmpint (gst_harness_push (joint.streams[1], buffer), ==, GST_FLOW_OK);

  buffer = gst_harness_pull (joint.streams[0]);
  assert_tensors (buffer, "a b");
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 0);
  g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, GST_SECOND);
  joined = c2g_gst_buffer_get_tensor (buffer, "b", NULL);
  g_assert_true (address_of (joined) == address_of (tensor));
  g_assert_cmpuint (c2g_gst_geometry_get_width (c2g_gst_buffer_get_geometry (buffer, "b")), ==, 7);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 4 * sizeof (float));
  gst_buffer_unref (buffer);
  joint_clear (&joint);
}

/* The memory of a buffer with more tensors than a buffer has memories is copied by nobody. */
static void
test_many (void)
{
  g_autoptr (GstBuffer) joined = NULL;
  GstBuffer *many = gst_buffer_new ();
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  add_many (many, 40);
  GST_BUFFER_PTS (many) = 0;
  push_frame (joint.streams[0], "a", 1, 0);
  g_assert_cmpint (gst_harness_push (joint.streams[1], gst_buffer_ref (many)), ==, GST_FLOW_OK);
  joined = gst_harness_pull (joint.streams[0]);
  g_assert_cmpuint (gst_buffer_n_memory (joined), ==, gst_buffer_get_max_memory ());
  for (guint i = 1; i < 40; i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor-%u", i);
      g_autoptr (C2gTensor) before = c2g_gst_buffer_get_tensor (many, name, NULL);
      g_autoptr (C2gTensor) behind = c2g_gst_buffer_get_tensor (joined, name, NULL);

      g_assert_true (address_of (before) == address_of (behind));
    }
  gst_buffer_unref (many);
  joint_clear (&joint);
}

/* The caps list the tensors of all streams, and change with those of one. */
static void
test_mux_caps (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  gst_harness_set_src_caps_str (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  gst_harness_set_src_caps_str (joint.streams[1], TENSORS ", format=static, tensor0=" DESCRIBE ("b", "2"));
  push_both (&joint, 0);
  pull_frame (joint.streams[0], "a b", 0);
  assert_caps_are (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("b", "2"));

  gst_harness_set_src_caps_str (joint.streams[1], TENSORS ", format=static, tensor0=" DESCRIBE ("c", "3"));
  push_frame (joint.streams[0], "a", 1, 1);
  push_frame (joint.streams[1], "c", 3, 1);
  pull_frame (joint.streams[0], "a c", 1);
  assert_caps_are (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("c", "3"));

  gst_harness_set_src_caps_str (joint.streams[0], TENSORS ", format=flexible");
  push_frame (joint.streams[0], "d", 1, 2);
  push_frame (joint.streams[1], "c", 3, 2);
  pull_frame (joint.streams[0], "d c", 2);
  assert_caps_are (joint.streams[0], TENSORS ", format=flexible");
  joint_clear (&joint);
}

/* Rounds come at the rate of the slowest stream, if all streams have one. */
static void
test_mux_rate (void)
{
  static const struct
  {
    const char *first;
    const char *second;
    const char *both;
  } rows[] = {
    { ", framerate=30/1", ", framerate=25/2", ", framerate=25/2" },
    { ", framerate=5/1", ", framerate=5/1", ", framerate=5/1" },
    { ", framerate=30/1", ", framerate=0/1", ", framerate=0/1" },
    { ", framerate=30/1", "", "" },
    { "", ", framerate=30/1", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *first = g_strconcat (TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"), rows[i].first, NULL);
      g_autofree char *second = g_strconcat (TENSORS ", format=static, tensor0=" DESCRIBE ("b", "2"), rows[i].second, NULL);
      g_autofree char *both = g_strconcat (TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("b", "2"),
                                           rows[i].both, NULL);
      Joint joint;

      joint_init (&joint, "c2gtensormux", NULL);
      gst_harness_set_src_caps_str (joint.streams[0], first);
      gst_harness_set_src_caps_str (joint.streams[1], second);
      push_both (&joint, 0);
      pull_frame (joint.streams[0], "a b", 0);
      assert_caps_are (joint.streams[0], both);
      joint_clear (&joint);
    }
}

/* A stream that is played twice as fast has rounds of the times and durations that its buffers have. */
static void
test_mux_fast (void)
{
  Joint joint;
  GstSegment segment;
  g_autoptr (GstBuffer) buffer = NULL;

  joint_init (&joint, "c2gtensormux", TENSORS);
  g_assert_true (gst_harness_push_upstream_event (joint.streams[0], gst_event_new_seek (2, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                                                                                       GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0)));
  flush (&joint);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.rate = 2;
  for (int i = 0; i < N_STREAMS; i++)
    g_assert_true (gst_harness_push_event (joint.streams[i], gst_event_new_segment (&segment)));
  push_both (&joint, 4);
  buffer = gst_harness_pull (joint.streams[0]);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 4 * GST_SECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, GST_SECOND);
  joint_clear (&joint);
}

/* A pad's prefix tells tensors apart that have the same names; without one, they are an error. */
static void
test_names (void)
{
  for (int has_prefix = 0; has_prefix < 2; has_prefix++)
    {
      GstBus *bus;
      Joint joint;

      joint_init (&joint, "c2gtensormux", NULL);
      bus = watch_element (joint.streams[0]->element);
      if (has_prefix)
        gst_child_proxy_set (GST_CHILD_PROXY (joint.streams[0]->element), "sink_1::prefix", "second/", NULL);
      for (int i = 0; i < N_STREAMS; i++)
        {
          gst_harness_set_src_caps_str (joint.streams[i], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
          push_frame (joint.streams[i], "a", 1, 0);
        }
      if (has_prefix)
        {
          pull_frame (joint.streams[0], "a second/a", 0);
          assert_caps_are (joint.streams[0],
                           TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("second/a", "1"));
        }
      else
        wait_for_error (bus, "prefix");
      joint_clear (&joint);
    }
}

/* Buffers that ended before the latest one began have no partner. */
static void
test_times (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  for (int second = 0; second < 4; second++)
    {
      if (second % 3 == 0)
        push_frame (joint.streams[1], "b", 1, second);
      push_frame (joint.streams[0], "a", 1, second);
      if (second % 3 == 0)
        pull_frame (joint.streams[0], "a b", second);
    }
  end_both (&joint);
  wait_for_end (joint.streams[0]);
  joint_clear (&joint);
}

/* Buffers of a stream that does not say how long they last, and whose times are never those of the other one. */
static void
test_no_durations (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  for (int second = 0; second < 8; second += 2)
    for (int i = 0; i < N_STREAMS; i++)
      {
        GstBuffer *buffer = new_frame (i == 0 ? "a" : "b", 1, second + i);

        GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
        g_assert_cmpint (gst_harness_push (joint.streams[i], buffer), ==, GST_FLOW_OK);
        if (i == 1)
          pull_frame (joint.streams[0], "a b", second + 1);
      }
  joint_clear (&joint);
}

/* Without times, streams are joined in the order of their buffers. */
static void
test_no_times (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  for (int n = 1; n < 4; n++)
    {
      g_autoptr (GstBuffer) joined = NULL;

      for (int i = 0; i < N_STREAMS; i++)
        {
          GstBuffer *buffer = gst_buffer_new ();

          add_floats (buffer, i == 0 ? "a" : "b", n);
          g_assert_cmpint (gst_harness_push (joint.streams[i], buffer), ==, GST_FLOW_OK);
        }
      joined = gst_harness_pull (joint.streams[0]);
      g_assert_cmpuint (gst_buffer_get_size (joined), ==, 2 * n * sizeof (float));
      g_assert_false (GST_BUFFER_PTS_IS_VALID (joined));
    }
  joint_clear (&joint);
}

/* A stream that has ended, and a gap, have no tensors; the others go on. */
static void
test_ends (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  push_frame (joint.streams[0], "a", 1, 0);
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_gap (0, GST_SECOND)));
  pull_frame (joint.streams[0], "a", 0);
  push_both (&joint, 1);
  pull_frame (joint.streams[0], "a b", 1);

  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_eos ()));
  push_frame (joint.streams[0], "a", 1, 2);
  pull_frame (joint.streams[0], "a", 2);
  g_assert_true (gst_harness_push_event (joint.streams[0], gst_event_new_eos ()));
  wait_for_end (joint.streams[0]);
  joint_clear (&joint);
}

/* A gap counts as one buffer, however long it is: buffers that end within it are left out. */
static void
test_long_gap (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_gap (0, 4 * GST_SECOND)));
  push_frame (joint.streams[0], "a", 1, 0);
  pull_frame (joint.streams[0], "a", 0);
  push_frame (joint.streams[1], "b", 1, 4);
  for (int second = 1; second < 5; second++)
    push_frame (joint.streams[0], "a", 1, second);
  pull_frame (joint.streams[0], "a b", 4);
  joint_clear (&joint);
}

/* A pad that was released is not waited for. */
static void
test_release (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  gst_harness_set_src_caps_str (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  gst_harness_set_src_caps_str (joint.streams[1], TENSORS ", format=static, tensor0=" DESCRIBE ("b", "2"));
  push_both (&joint, 0);
  pull_frame (joint.streams[0], "a b", 0);
  push_frame (joint.streams[0], "a", 1, 1);
  gst_harness_teardown (g_steal_pointer (&joint.streams[1]));
  pull_frame (joint.streams[0], "a", 1);
  push_frame (joint.streams[0], "a", 1, 2);
  pull_frame (joint.streams[0], "a", 2);
  assert_caps_are (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  joint_clear (&joint);
}

/* A flush drops what waits, and the times begin anew. */
static void
test_flush (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  push_both (&joint, 5);
  pull_frame (joint.streams[0], "a b", 5);
  push_frame (joint.streams[0], "a", 1, 6);
  flush (&joint);
  push_both (&joint, 1);
  pull_frame (joint.streams[0], "a b", 1);
  joint_clear (&joint);
}

/* Frames before the beginning of a segment are dropped, and running times are those of the segment. */
static void
test_segment (void)
{
  GstSegment segment;
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = 10 * GST_SECOND;
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_segment (&segment)));
  push_frame (joint.streams[1], "early", 1, 8);
  push_frame (joint.streams[1], "b", 1, 12);
  push_frame (joint.streams[0], "a", 1, 2);
  pull_frame (joint.streams[0], "a b", 2);
  joint_clear (&joint);
}

/* A stream in bytes has no gaps of time. */
static void
test_gap_in_bytes (void)
{
  GstSegment segment;
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_segment (&segment)));
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_gap (0, GST_SECOND)));
  push_frame (joint.streams[1], "b", 1, 3);
  push_frame (joint.streams[0], "a", 1, 2);
  pull_frame (joint.streams[0], "a b", 2);
  joint_clear (&joint);
}

/* A frame across the beginning or the end of a segment has a part of its time. */
static void
test_clip (void)
{
  GstHarness *harness = gst_harness_new_with_padnames ("c2gtensormux", "sink_0", "src");
  GstSegment segment;

  gst_harness_set_src_caps_str (harness, TENSORS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = 5 * GST_SECOND / 2;
  segment.stop = 9 * GST_SECOND / 2;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  for (int second = 2; second < 5; second++)
    {
      g_autoptr (GstBuffer) buffer = NULL;

      push_frame (harness, "a", 1, second);
      buffer = gst_harness_pull (harness);
      g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, second == 2 ? 0 : second * GST_SECOND - segment.start);
      g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, second == 3 ? GST_SECOND : GST_SECOND / 2);
    }
  gst_harness_teardown (harness);
}

/* A live stream that is later than the latency does not hold up the others. */
static void
test_late (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  joint_make_live (&joint, GST_SECOND / 2);
  push_both (&joint, 0);
  pull_frame (joint.streams[0], "a b", 0);
  push_frame (joint.streams[0], "a", 1, 1);
  g_assert_true (gst_harness_crank_single_clock_wait (joint.streams[0]));
  pull_frame (joint.streams[0], "a", 1);

  /* A buffer that comes too late has missed its round. */
  push_frame (joint.streams[1], "b", 1, 1);
  push_frame (joint.streams[0], "a", 1, 2);
  push_frame (joint.streams[1], "b", 1, 2);
  pull_frame (joint.streams[0], "a b", 2);
  joint_clear (&joint);
}

/* Live streams without times wait for each other, however late one is: nobody knows when a buffer is due. */
static void
test_live_without_times (void)
{
  g_autoptr (GstBuffer) joined = NULL;
  g_autoptr (GstTestClock) clock = NULL;
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  joint_make_live (&joint, GST_SECOND / 2);
  clock = gst_harness_get_testclock (joint.streams[0]);
  for (int i = 0; i < N_STREAMS; i++)
    {
      GstBuffer *buffer = gst_buffer_new ();

      add_floats (buffer, i == 0 ? "a" : "b", 1);
      g_assert_cmpint (gst_harness_push (joint.streams[i], buffer), ==, GST_FLOW_OK);
      if (i > 0)
        break;
      /* Only this time shows that nothing comes. */
      gst_test_clock_advance_time (clock, 3600 * GST_SECOND);
      g_usleep (G_USEC_PER_SEC / 20);
      g_assert_cmpuint (gst_harness_buffers_received (joint.streams[0]), ==, 0);
    }
  joined = gst_harness_pull (joint.streams[0]);
  assert_tensors (joined, "a b");
  joint_clear (&joint);
}

/* The property adds to the time that a late stream is waited for. */
static void
test_latency (void)
{
  g_autoptr (GstTestClock) clock = NULL;
  GstClockID wait;
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  joint_make_live (&joint, GST_SECOND / 2);
  g_object_set (joint.streams[0]->element, "latency", (guint64) GST_SECOND / 4, NULL);
  g_assert_cmpuint (gst_harness_query_latency (joint.streams[0]), ==, 3 * GST_SECOND / 4);
  push_frame (joint.streams[0], "a", 1, 1);
  clock = gst_harness_get_testclock (joint.streams[0]);
  gst_test_clock_wait_for_next_pending_id (clock, &wait);
  g_assert_cmpuint (gst_clock_id_get_time (wait), ==, 7 * GST_SECOND / 4);
  gst_clock_id_unref (wait);
  joint_clear (&joint);
}

/* Names of the classes of a tensor, as c2ginference sends them. */
static void
push_labels (GstHarness *harness,
             const char *tensor,
             const char *label)
{
  const char *const tensors[] = { tensor, NULL };
  const char *const labels[] = { label, NULL };
  g_autoptr (GstStructure) model = gst_structure_new ("model", "tensors", G_TYPE_STRV, tensors,
                                                      "labels", G_TYPE_STRV, labels, NULL);
  GstStructure *all = gst_structure_new ("c2g-labels", "model0", GST_TYPE_STRUCTURE, model, NULL);

  g_assert_true (gst_harness_push_event (harness, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, all)));
}

/* The next names of classes are those of such tensors. */
static void
assert_labels (GstHarness *harness,
               const char *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GstEvent) event = wait_for_event (harness, GST_EVENT_CUSTOM_DOWNSTREAM_STICKY);
  const GstStructure *all = gst_event_get_structure (event);

  for (int i = 0; i < gst_structure_n_fields (all); i++)
    {
      g_autofree char *field = g_strdup_printf ("model%d", i);
      const GstStructure *model = gst_value_get_structure (gst_structure_get_value (all, field));
      g_autofree char *names = g_strjoinv (" ", g_value_get_boxed (gst_structure_get_value (model, "tensors")));

      g_string_append_printf (found, "%s%s", i > 0 ? " " : "", names);
    }
  g_assert_cmpstr (found->str, ==, expected);
}

/* A prefix that changes while frames flow changes the names of tensors, in the caps and for the labels, too. */
static void
test_prefix (void)
{
  GstHarness *harness = gst_harness_new_with_padnames ("c2gtensormux", "sink_0", "src");

  gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  push_labels (harness, "a", "cat");
  push_frame (harness, "a", 1, 0);
  pull_frame (harness, "a", 0);
  /* Labels come behind the segment. */
  gst_event_unref (wait_for_event (harness, GST_EVENT_SEGMENT));
  assert_labels (harness, "a");
  gst_child_proxy_set (GST_CHILD_PROXY (harness->element), "sink_0::prefix", "b/", NULL);
  push_frame (harness, "a", 1, 1);
  pull_frame (harness, "b/a", 1);
  assert_caps_are (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("b/a", "1"));
  assert_labels (harness, "b/a");
  gst_harness_teardown (harness);
}

/* A stream that begins anew, without the events that stay on a pad. */
static void
restart (GstHarness *harness,
         const char *caps)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_pad_set_active (harness->srcpad, FALSE));
  g_assert_true (gst_pad_set_active (harness->srcpad, TRUE));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_stream_start ("again")));
  if (caps != NULL)
    gst_harness_set_src_caps_str (harness, caps);
  else
    g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
}

/* Streams that begin anew have neither the caps nor the labels from before, even if they end without any. */
static void
test_restart (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensormux", NULL);
  gst_harness_set_src_caps_str (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  gst_harness_set_src_caps_str (joint.streams[1], TENSORS ", format=static, tensor0=" DESCRIBE ("b", "2"));
  push_labels (joint.streams[0], "a", "cat");
  push_labels (joint.streams[1], "b", "dog");
  push_both (&joint, 0);
  pull_frame (joint.streams[0], "a b", 0);
  assert_labels (joint.streams[0], "a b");

  g_assert_cmpint (gst_element_set_state (joint.streams[0]->element, GST_STATE_READY), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpint (gst_element_set_state (joint.streams[0]->element, GST_STATE_PLAYING), ==, GST_STATE_CHANGE_SUCCESS);
  restart (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("c", "1"));
  restart (joint.streams[1], NULL);
  g_assert_true (gst_harness_push_event (joint.streams[1], gst_event_new_eos ()));
  push_labels (joint.streams[0], "c", "cat");
  push_frame (joint.streams[0], "c", 1, 0);
  pull_frame (joint.streams[0], "c", 0);
  assert_caps_are (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("c", "1"));
  assert_labels (joint.streams[0], "c");
  joint_clear (&joint);
}

/* Names of classes that name none are no event. */
static void
test_no_labels (void)
{
  GstEvent *event = gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY, gst_structure_new_empty ("c2g-labels"));
  Joint joint;

  joint_init (&joint, "c2gtensormux", TENSORS);
  g_assert_true (gst_harness_push_event (joint.streams[0], event));
  push_both (&joint, 0);
  pull_frame (joint.streams[0], "a b", 0);
  joint_clear (&joint);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/mux", test_mux);
  add_gst_func ("/gst/mux/many", test_many);
  add_gst_func ("/gst/mux/caps", test_mux_caps);
  add_gst_func ("/gst/mux/rate", test_mux_rate);
  add_gst_func ("/gst/mux/fast", test_mux_fast);
  add_gst_func ("/gst/mux/names", test_names);
  add_gst_func ("/gst/mux/times", test_times);
  add_gst_func ("/gst/mux/no-durations", test_no_durations);
  add_gst_func ("/gst/mux/no-times", test_no_times);
  add_gst_func ("/gst/mux/ends", test_ends);
  add_gst_func ("/gst/mux/long-gap", test_long_gap);
  add_gst_func ("/gst/mux/live-without-times", test_live_without_times);
  add_gst_func ("/gst/mux/release", test_release);
  add_gst_func ("/gst/mux/flush", test_flush);
  add_gst_func ("/gst/mux/segment", test_segment);
  add_gst_func ("/gst/mux/gap-in-bytes", test_gap_in_bytes);
  add_gst_func ("/gst/mux/clip", test_clip);
  add_gst_func ("/gst/mux/late", test_late);
  add_gst_func ("/gst/mux/latency", test_latency);
  add_gst_func ("/gst/mux/prefix", test_prefix);
  add_gst_func ("/gst/mux/restart", test_restart);
  add_gst_func ("/gst/mux/no-labels", test_no_labels);

  return run_gst_tests ();
}
