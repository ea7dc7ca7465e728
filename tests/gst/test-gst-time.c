/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* c2ginference: what time does to frames, and how long runs are told of. */

static guint64
get_stat (GstHarness *harness,
          const char *name)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (harness->element), "inference");
  g_autoptr (GstStructure) stats = NULL;
  guint64 value;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));

  return value;
}

/* Rule 6: a run takes time, which live pipelines have to know. */
static void
test_latency (void)
{
  GstHarness *harness = new_gray_harness ();
  GstClockTime latency;

  gst_harness_set_upstream_latency (harness, GST_MSECOND);
  g_assert_cmpuint (gst_harness_query_latency (harness), >, GST_MSECOND);
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  latency = get_stat (harness, "latency");
  g_assert_cmpuint (latency, >, 0);
  g_assert_cmpuint (latency, >=, get_stat (harness, "run-time"));
  g_assert_cmpuint (gst_harness_query_latency (harness), ==, GST_MSECOND + latency);
  gst_harness_teardown (harness);
}

/* Rule 6: the run of a frame that is late is left out; the frame goes on. */
static void
test_late (void)
{
  GstHarness *harness = new_gray_harness ();
  GstSegment segment;
  GstBuffer *frame;

  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, 50, 0));
  frame = gst_harness_push_and_pull (harness, new_gray (99));
  assert_tensors (frame, "");
  gst_buffer_unref (frame);
  frame = gst_harness_push_and_pull (harness, new_gray (100));
  assert_tensors (frame, "softmax");
  gst_buffer_unref (frame);
  g_assert_cmpuint (get_stat (harness, "skipped"), ==, 1);
  g_assert_cmpuint (get_stat (harness, "runs"), ==, 2);

  /* In time again, and after a flush nothing is late. */
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, 500, 0));
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, -50, 100));
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (60)));
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, 500, 0));
  gst_harness_push_event (harness, gst_event_new_flush_start ());
  gst_harness_push_event (harness, gst_event_new_flush_stop (FALSE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (70)));
  g_assert_cmpuint (get_stat (harness, "skipped"), ==, 1);

  /* The longest times do not overflow. */
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, G_MAXINT64, 0));
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (80)));
  g_assert_cmpuint (get_stat (harness, "skipped"), ==, 2);
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, -1, G_MAXUINT64 - 1));
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (90)));
  g_assert_cmpuint (get_stat (harness, "skipped"), ==, 3);
  gst_harness_teardown (harness);
}

/* The model sees a part of the frames only, whose times say which. */
static void
test_throttle (void)
{
  const struct
  {
    GstClockTime time;
    const char *tensors;
  } frames[] = {
    { 0, "softmax" },
    { 40, "" },
    { 99, "" },
    { 100, "softmax" },
    { 150, "" },
    { 250, "softmax" },
    { 10, "softmax" },
    { 60, "" },
    { GST_CLOCK_TIME_NONE, "softmax" },
  };
  GstHarness *harness = new_gray_harness ();
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (harness->element), "inference");

  g_object_set (element, "throttle", (guint64) 100, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      GstBuffer *frame = gst_harness_push_and_pull (harness, new_gray (frames[i].time));

      assert_tensors (frame, frames[i].tensors);
      gst_buffer_unref (frame);
    }
  g_assert_cmpuint (get_stat (harness, "frames"), ==, 9);
  g_assert_cmpuint (get_stat (harness, "runs"), ==, 5);
  g_assert_cmpuint (get_stat (harness, "throttled"), ==, 4);
  g_assert_cmpuint (get_stat (harness, "skipped"), ==, 0);
  gst_harness_teardown (harness);
}

/* Tensors, outputs and text that are made of a frame keep its time code and reference timestamps. */
static void
test_metas (void)
{
  GstHarness *harness = new_harness ("c2gconvert !", "! c2gdecode ! capsfilter caps=text/x-raw");
  GstBuffer *frame = new_gray (0);
  g_autoptr (GstCaps) clock = gst_caps_from_string ("timestamp/x-ntp");
  g_autoptr (GstBuffer) text = NULL;

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  gst_buffer_add_video_time_code_meta_full (frame, 30, 1, NULL, GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 2, 3, 4, 0);
  gst_buffer_add_reference_timestamp_meta (frame, clock, 5, GST_CLOCK_TIME_NONE);
  gst_buffer_add_video_region_of_interest_meta (frame, "region", 0, 0, 1, 1);
  text = gst_harness_push_and_pull (harness, frame);
  g_assert_cmpuint (gst_buffer_get_video_time_code_meta (text)->tc.minutes, ==, 2);
  g_assert_cmpuint (gst_buffer_get_reference_timestamp_meta (text, clock)->timestamp, ==, 5);
  g_assert_null (gst_buffer_get_video_region_of_interest_meta (text));
  gst_harness_teardown (harness);
}

/* A sink may throttle, too: it says for how long it wants nothing. */
static void
test_throttled_by_sink (void)
{
  GstHarness *harness = new_gray_harness ();
  GstBuffer *frame;

  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_THROTTLE, 0.5, 50, 0));
  frame = gst_harness_push_and_pull (harness, new_gray (49));
  assert_tensors (frame, "");
  gst_buffer_unref (frame);
  frame = gst_harness_push_and_pull (harness, new_gray (50));
  assert_tensors (frame, "softmax");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Each frame has a message, if they are wanted. */
static void
test_messages (void)
{
  GstHarness *harness = new_gray_harness ();
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (harness->element), "inference");
  GstBus *bus;

  bus = watch_element (harness->element);
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT));
  g_object_set (element, "post-messages", TRUE, "throttle", (guint64) 10, NULL);
  for (guint i = 1; i < 4; i++)
    {
      g_autoptr (GstMessage) message = NULL;
      guint64 n_frames, n_runs, n_throttled, last, latency, memory, time;

      gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (6 * i)));
      message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
      g_assert_true (gst_message_has_name (message, "c2ginference-stats"));
      g_assert_true (gst_structure_get (gst_message_get_structure (message), "frames", G_TYPE_UINT64,
                                        &n_frames, "runs", G_TYPE_UINT64, &n_runs, "throttled",
                                        G_TYPE_UINT64, &n_throttled, "last-run-time", G_TYPE_UINT64,
                                        &last, "latency", G_TYPE_UINT64, &latency, "memory",
                                        G_TYPE_UINT64, &memory, "timestamp", G_TYPE_UINT64, &time,
                                        NULL));
      g_assert_cmpuint (n_frames, ==, i + 1);
      g_assert_cmpuint (n_runs + n_throttled, ==, n_frames);
      g_assert_cmpuint (last, >, 0);
      g_assert_cmpuint (latency, >=, last);
      g_assert_cmpuint (memory, >, 0);
      g_assert_cmpuint (time, ==, 6 * i);
    }
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

static guint
count_warnings (GstBus *bus)
{
  guint n = 0;

  for (GstMessage *message; (message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL; n++)
    gst_message_unref (message);

  return n;
}

/* Rule 6: in a live stream, the frames that waited for a run go on without one, before a sink finds
 * them too late. Where no other frames come for a second or more, one warning tells. */
static void
test_live (void)
{
  const struct
  {
    GstClockTime now;
    GstClockTime time;
    const char  *tensors;
  } frames[] = {
    { 0, 0, "softmax" },
    { 1000 * GST_SECOND, 1 * GST_SECOND, "" },
    { 1001 * GST_SECOND, 2 * GST_SECOND, "" },
    { 1006 * GST_SECOND, 3 * GST_SECOND, "" },
    { 1020 * GST_SECOND, 4 * GST_SECOND, "" },
    { 1020 * GST_SECOND, 1020 * GST_SECOND, "softmax" },
    { 1020 * GST_SECOND + GST_MSECOND, 1020 * GST_SECOND, "softmax" },
  };
  GstHarness *harness = new_gray_harness ();
  GstBus *bus = watch_element (harness->element);

  gst_harness_use_testclock (harness);
  g_assert_cmpuint (gst_harness_query_latency (harness), >, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      GstBuffer *frame;

      gst_harness_set_time (harness, frames[i].now);
      frame = gst_harness_push_and_pull (harness, new_gray (frames[i].time));
      assert_tensors (frame, frames[i].tensors);
      gst_buffer_unref (frame);
      g_assert_cmpuint (count_warnings (bus), ==, frames[i].now == 1006 * GST_SECOND);
    }
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* The end of a stream tells of late frames, too, where nothing has told of them before. */
static void
test_late_at_end (void)
{
  for (int n_late = 0; n_late < 2; n_late++)
    {
      GstHarness *harness = new_gray_harness ();
      GstBus *bus = watch_element (harness->element);

      gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
      if (n_late > 0)
        gst_harness_push_upstream_event (harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, 50, 0));
      gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (99)));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "*"), ==, 0);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "1 of 2 frames came too late for the model, *"), ==, n_late);
      free_harness (harness);
    }
}

/* A net that takes a minute: products of large matrices. */
static char *
make_slow_model (void)
{
  g_autoptr (GString) text = g_string_new ("name: \"slow\" external_input: \"data\" external_input: \"w\" "
                                           "external_output: \"y0\" external_output: \"copy\" "
                                           "op { type: \"Copy\" input: \"data\" output: \"copy\" } "
                                           "op { type: \"Copy\" input: \"w\" output: \"y0\" } ");

  for (int i = 0; i < 200; i++)
    g_string_append_printf (text,
                            "op { type: \"MatMul\" input: \"y%d\" input: \"w\" output: \"y%d\" } ",
                            i % 2, (i + 1) % 2);

  return make_model ("name: \"init\" op { type: \"ConstantFill\" output: \"w\" "
                     "arg { name: \"shape\" ints: 2000 ints: 2000 } arg { name: \"value\" f: 0.0005 } }",
                     text->str);
}

static gpointer
push_thread (gpointer data)
{
  return GINT_TO_POINTER (gst_harness_push (data, new_gray (0)));
}

static void
flush (GstHarness *harness)
{
  gst_harness_push_event (harness, gst_event_new_flush_start ());
}

static void
stop (GstHarness *harness)
{
  gst_element_set_state (harness->element, GST_STATE_NULL);
}

/* Rule 6: a flush, and the way to READY, end a run that goes on. */
static void
test_cancel (void)
{
  void (*const ends[]) (GstHarness *) = { flush, stop };
  g_autofree char *line = NULL;
  char *folder;

  if (g_getenv ("C2G_TEST_QUICK") != NULL)
    {
      g_test_skip ("Large products take too long under valgrind");
      return;
    }

  folder = make_slow_model ();
  line = g_strdup_printf ("c2ginference model=%s channels=GRAY optimize=none", folder);

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      GstHarness *harness = gst_harness_new_parse (line);
      gint64 begin;
      GThread *thread;

      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      thread = g_thread_new ("push", push_thread, harness);
      g_usleep (G_USEC_PER_SEC / 2);
      begin = g_get_monotonic_time ();
      ends[i](harness);
      g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, GST_FLOW_FLUSHING);
      g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
      gst_harness_teardown (harness);
    }
  remove_model (folder);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/rules/6-latency", test_latency);
  add_gst_func ("/gst/rules/6-late", test_late);
  add_gst_func ("/gst/time/throttle", test_throttle);
  add_gst_func ("/gst/time/throttled-by-sink", test_throttled_by_sink);
  add_gst_func ("/gst/time/metas", test_metas);
  add_gst_func ("/gst/time/messages", test_messages);
  add_gst_func ("/gst/time/live", test_live);
  add_gst_func ("/gst/time/late-at-end", test_late_at_end);
  add_gst_func ("/gst/rules/6-cancel", test_cancel);

  return run_gst_tests ();
}
