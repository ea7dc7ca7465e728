/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-streams.h"

#include <gst/base/gstaggregator.h>

/* c2gtensorbatch: buffers that become one. */

/* An element with one stream, and one property. */
static GstHarness *
new_batch (const char *property,
           guint       value)
{
  GstElement *element = gst_element_factory_make ("c2gtensorbatch", NULL);
  GstHarness *harness;

  g_object_set (element, property, value, NULL);
  harness = gst_harness_new_with_element (element, "sink_0", "src");
  gst_object_unref (element);

  return harness;
}

/* A tensor of some rows, which begin with a value. */
static GstBuffer *
new_rows (float       first,
          C2gDataType data_type,
          gint64      n_rows,
          gint64      n_columns,
          int         second)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n_rows, n_columns), NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  for (gint64 i = 0; i < n_rows * n_columns; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, first + i, NULL));
  add_tensor (buffer, "x", tensor);
  GST_BUFFER_PTS (buffer) = second * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

static void
push_rows (GstHarness *harness,
           float       first,
           gint64      n_rows,
           int         second)
{
  g_assert_cmpint (gst_harness_push (harness, new_rows (first, C2G_DATA_TYPE_FLOAT, n_rows, 2, second)), ==, GST_FLOW_OK);
}

/* Takes a batch, which has such numbers in rows of two. */
static void
pull_rows (GstHarness *harness,
           const char *expected,
           int         second,
           int         n_seconds)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (harness);
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, "x", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n_dims;
  const gint64 n = c2g_tensor_get_n_elements (tensor);
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  for (gint64 i = 0; i < n; i++)
    g_string_append_printf (text, "%s%g", i > 0 ? " " : "", c2g_tensor_get_value (tensor, i, NULL));
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpuint (n_dims, ==, 2);
  g_assert_cmpint (dims[0], ==, n / 2);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, second * GST_SECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, n_seconds * GST_SECOND);
}

/* Buffers of one stream. The last batch has what is left; buffers without tensors do not count. */
static void
test_batch (void)
{
  GstHarness *harness = new_batch ("size", 2);
  GstBuffer *empty = gst_buffer_new ();

  gst_harness_set_src_caps_str (harness, TENSORS);
  push_rows (harness, 1, 1, 0);
  GST_BUFFER_PTS (empty) = GST_SECOND;
  g_assert_cmpint (gst_harness_push (harness, empty), ==, GST_FLOW_OK);
  push_rows (harness, 5, 2, 2);
  pull_rows (harness, "1 2 5 6 7 8", 0, 3);
  push_rows (harness, 9, 1, 3);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  pull_rows (harness, "9 10", 3, 1);
  wait_for_end (harness);
  gst_harness_teardown (harness);
}

/* A stream that begins without tensors has caps and a gap, so that sinks need not wait; the first tensors tell their caps. */
static void
test_batch_gap (void)
{
  GstHarness *harness = new_batch ("size", 2);
  GstBuffer *empty = gst_buffer_new ();
  g_autoptr (GstEvent) event = NULL;
  GstClockTime time, duration;

  gst_harness_set_src_caps_str (harness, TENSORS);
  GST_BUFFER_PTS (empty) = GST_SECOND;
  GST_BUFFER_DURATION (empty) = GST_SECOND;
  g_assert_cmpint (gst_harness_push (harness, empty), ==, GST_FLOW_OK);
  do
    {
      gst_clear_event (&event);
      event = gst_harness_pull_event (harness);
      g_assert_nonnull (event);
    }
  while (GST_EVENT_TYPE (event) != GST_EVENT_GAP);
  gst_event_parse_gap (event, &time, &duration);
  g_assert_cmpuint (time, ==, GST_SECOND);
  g_assert_cmpuint (duration, ==, GST_SECOND);
  assert_caps_are (harness, TENSORS ", format=flexible");
  push_rows (harness, 1, 1, 2);
  push_rows (harness, 3, 1, 3);
  pull_rows (harness, "1 2 3 4", 2, 2);
  assert_caps_are (harness, TENSORS ", format=static, tensor0=(structure)[tensor, name=(string)x, type=(string)float, "
                                    "rank=(int)2, d0=(int)2, d1=(int)2]");
  gst_harness_teardown (harness);
}

/* The first caps are static where the next element takes no others, with the dimensions that it asks for. */
static void
test_batch_gap_static (void)
{
  static const char *const caps[] = {
    TENSORS ", format=static",
    TENSORS ", format=static, tensor0=(structure)[tensor, name=(string)x, type=(string)float, rank=(int)2, d0=(int)2, "
            "d1=(int)2]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++)
    {
      g_autoptr (Harness) harness = new_batch ("size", 2);
      g_autoptr (GstEvent) event = NULL;

      gst_harness_set_sink_caps_str (harness, caps[i]);
      gst_harness_set_src_caps_str (harness, caps[i]);
      g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_OK);
      event = wait_for_event (harness, GST_EVENT_GAP);
      assert_caps_are (harness, caps[i]);
      push_rows (harness, 1, 1, 2);
      push_rows (harness, 3, 1, 3);
      pull_rows (harness, "1 2 3 4", 2, 2);
      assert_caps_are (harness, caps[1]);
    }
}

/* A batch of one buffer has the memory of that. */
static void
test_batch_of_one (void)
{
  GstHarness *harness = new_batch ("size", 1);
  GstBuffer *buffer = new_rows (1, C2G_DATA_TYPE_FLOAT, 1, 2, 0);
  g_autoptr (C2gTensor) before = c2g_gst_buffer_get_tensor (buffer, "x", NULL);
  g_autoptr (C2gTensor) behind = NULL;
  g_autoptr (GstBuffer) batch = NULL;

  gst_harness_set_src_caps_str (harness, TENSORS);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  batch = gst_harness_pull (harness);
  behind = c2g_gst_buffer_get_tensor (batch, "x", NULL);
  g_assert_true (address_of (before) == address_of (behind));
  gst_harness_teardown (harness);
}

/* There is no batch of nothing. The largest one has the whole stream. */
static void
test_batch_of_all (void)
{
  GstHarness *harness = new_batch ("size", G_MAXUINT);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (harness->element), "size");

  g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->minimum, ==, 1);
  gst_harness_set_src_caps_str (harness, TENSORS);
  push_rows (harness, 1, 1, 0);
  push_rows (harness, 3, 1, 1);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  pull_rows (harness, "1 2 3 4", 0, 2);
  wait_for_end (harness);
  gst_harness_teardown (harness);
}

/* One buffer of each stream, in the order of the pads. */
static void
test_batch_streams (void)
{
  Joint joint;

  joint_init (&joint, "c2gtensorbatch", TENSORS);
  push_rows (joint.streams[1], 3, 1, 0);
  push_rows (joint.streams[0], 1, 1, 0);
  pull_rows (joint.streams[0], "1 2 3 4", 0, 1);
  g_assert_true (gst_harness_push_event (joint.streams[0], gst_event_new_eos ()));
  push_rows (joint.streams[1], 5, 1, 1);
  pull_rows (joint.streams[0], "5 6", 1, 1);
  joint_clear (&joint);
}

/* A new dimension counts buffers. */
static void
test_stack (void)
{
  GstHarness *harness = new_batch ("stack", TRUE);

  gst_harness_set_src_caps_str (harness, TENSORS);
  push_frame (harness, "a", 3, 0);
  pull_frame (harness, "a", 0);
  assert_caps_are (harness, TENSORS ", format=static, tensor0=(structure)[tensor, name=(string)a, type=(string)float, "
                                    "rank=(int)2, d0=(int)1, d1=(int)3]");
  gst_harness_teardown (harness);
}

/* Caps of other tensors end a batch; other numbers of rows belong in it. */
static void
test_batch_caps (void)
{
  GstHarness *harness = new_batch ("size", 2);

  gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("x", "1"));
  push_rows (harness, 1, 1, 0);
  gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("x", "2"));
  push_rows (harness, 3, 2, 1);
  pull_rows (harness, "1 2 3 4 5 6", 0, 2);
  push_rows (harness, 1, 1, 0);
  gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("y", "3"));
  push_frame (harness, "y", 3, 1);
  pull_rows (harness, "1 2", 0, 1);
  push_frame (harness, "y", 3, 2);
  pull_frame (harness, "y", 1);
  assert_caps_are (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("y", "6"));
  gst_harness_teardown (harness);
}

/* Batches are so much slower than the streams as they have rounds; what is behind them asks for no rate before them. */
static void
test_batch_rate (void)
{
  GstHarness *harness = new_batch ("size", 4);
  g_autoptr (GstCaps) query = NULL;
  g_autofree char *text = NULL;

  gst_harness_set_sink_caps_str (harness, TENSORS ", framerate=25/4");
  query = gst_pad_peer_query_caps (harness->srcpad, NULL);
  text = gst_caps_to_string (query);
  g_assert_null (strstr (text, "framerate"));
  gst_harness_set_src_caps_str (harness, TENSORS ", framerate=25/1");
  for (int i = 0; i < 4; i++)
    push_frame (harness, "a", 3, i);
  pull_frame (harness, "a", 0);
  assert_caps_are (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("a", "12") ", framerate=25/4");
  gst_harness_teardown (harness);
}

/* A flush drops a batch that is not whole. */
static void
test_batch_flush (void)
{
  GstHarness *harness = new_batch ("size", 2);
  Joint joint = { .streams = { harness } };

  gst_harness_set_src_caps_str (harness, TENSORS);
  push_rows (harness, 1, 1, 5);
  push_rows (harness, 1, 1, 6);
  push_rows (harness, 1, 1, 7);
  pull_rows (harness, "1 2 1 2", 5, 2);
  flush (&joint);
  push_rows (harness, 3, 1, 0);
  push_rows (harness, 5, 1, 1);
  pull_rows (harness, "3 4 5 6", 0, 2);
  gst_harness_teardown (harness);
}

/* A gap comes behind a segment, also after a flush. */
static void
test_batch_gap_segment (void)
{
  GstHarness *harness = new_batch ("size", 2);
  Joint joint = { .streams = { harness } };
  gboolean has_segment = FALSE;
  guint n_gaps = 0;
  GstEvent *event;

  gst_harness_set_src_caps_str (harness, TENSORS);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_OK);
  push_rows (harness, 1, 1, 5);
  push_rows (harness, 1, 1, 6);
  pull_rows (harness, "1 2 1 2", 5, 2);
  flush (&joint);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_OK);
  push_rows (harness, 3, 1, 1);
  push_rows (harness, 5, 1, 2);
  pull_rows (harness, "3 4 5 6", 1, 2);
  while ((event = gst_harness_try_pull_event (harness)) != NULL)
    {
      if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
        has_segment = FALSE;
      else if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
        has_segment = TRUE;
      else if (GST_EVENT_TYPE (event) == GST_EVENT_GAP)
        {
          g_assert_true (has_segment);
          n_gaps++;
        }
      gst_event_unref (event);
    }
  g_assert_cmpuint (n_gaps, ==, 2);
  gst_harness_teardown (harness);
}

/* Tensors that have no rows of one kind end the pipeline with an error. */
static void
test_batch_errors (void)
{
  static const struct
  {
    C2gDataType data_type;
    gint64      n_rows;
    gint64      n_columns;
  } cases[] = { { C2G_DATA_TYPE_DOUBLE, 1, 2 }, { C2G_DATA_TYPE_FLOAT, 1, 3 }, { C2G_DATA_TYPE_FLOAT, 2, 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases) + 3; i++)
    {
      GstHarness *harness = new_batch ("size", 2);
      GstBus *bus = watch_element (harness->element);
      GstBuffer *buffer = NULL;

      gst_harness_set_src_caps_str (harness, TENSORS ", format=flexible");
      push_rows (harness, 1, 1, 0);
      if (i < G_N_ELEMENTS (cases))
        buffer = new_rows (1, cases[i].data_type, cases[i].n_rows, cases[i].n_columns, 1);
      else if (i == G_N_ELEMENTS (cases))
        buffer = new_frame ("x", 2, 1);
      else
        buffer = new_frame ("y", 2, 1);
      if (i > G_N_ELEMENTS (cases) + 1)
        add_floats (buffer, "x", 2);
      gst_harness_push (harness, buffer);
      wait_for_error (bus, i == G_N_ELEMENTS (cases) + 1 ? "“x”" : "batch");
      free_harness (harness);
    }
}

/* Empty tensors whose rows are too many to be counted, and a number, which has no rows. */
static void
test_batch_sizes (void)
{
  for (int i = 0; i < 2; i++)
    {
      GstHarness *harness = new_batch ("size", 2);
      GstBus *bus = watch_element (harness->element);

      gst_harness_set_src_caps_str (harness, TENSORS);
      for (int k = 0; k < 2; k++)
        {
          g_autoptr (C2gTensor) tensor = i == 0 ? c2g_tensor_new_sized (C2G_TEST_DIMS (G_MAXINT64, 0), NULL, NULL)
                                                : c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 1, NULL);
          GstBuffer *buffer = gst_buffer_new ();

          g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
          add_tensor (buffer, "x", tensor);
          gst_harness_push (harness, buffer);
        }
      wait_for_error (bus, "batch");
      free_harness (harness);
    }
}

/* The first buffer of a batch waits for the others, and the pipeline is told so. */
static void
test_batch_latency (void)
{
  GstHarness *harness = new_batch ("size", 3);

  gst_harness_set_live (harness, TRUE);
  gst_harness_set_upstream_latency (harness, GST_SECOND);
  gst_harness_set_src_caps_str (harness, TENSORS);
  for (int second = 0; second < 3; second++)
    push_rows (harness, 1, 1, second);
  pull_rows (harness, "1 2 1 2 1 2", 0, 3);
  g_assert_cmpuint (gst_harness_query_latency (harness), ==, 3 * GST_SECOND);

  /* A pause of the stream, and times that go back, change nothing. */
  for (int second = 0; second < 3; second++)
    push_rows (harness, 1, 1, 100 * second);
  pull_rows (harness, "1 2 1 2 1 2", 0, 201);
  for (int second = 3; second > 0; second--)
    push_rows (harness, 1, 1, second);
  gst_buffer_unref (gst_harness_pull (harness));
  g_assert_cmpuint (gst_harness_query_latency (harness), ==, 3 * GST_SECOND);
  gst_harness_teardown (harness);
}

static void
consumed_cb (GstAggregatorPad *pad,
             GstBuffer        *buffer,
             gpointer          data)
{
  g_atomic_int_inc ((int *) data);
}

/* Where one stream is late in each round, the batch is no later than the latency that was announced. */
static void
test_batch_late (void)
{
  int n_consumed = 0;
  g_autoptr (GstPad) pad = NULL;
  g_autoptr (GstTestClock) clock = NULL;
  Joint joint;

  joint_init (&joint, "c2gtensorbatch size=3", NULL);
  joint_make_live (&joint, GST_SECOND / 2);
  clock = gst_harness_get_testclock (joint.streams[0]);
  pad = gst_element_get_static_pad (joint.streams[0]->element, "sink_0");
  g_object_set (pad, "emit-signals", TRUE, NULL);
  g_signal_connect (pad, "buffer-consumed", G_CALLBACK (consumed_cb), &n_consumed);
  for (int second = 0; second < 3; second++)
    for (int i = 0; i < N_STREAMS; i++)
      push_rows (joint.streams[i], 1, 1, second);
  pull_rows (joint.streams[0], "1 2 1 2 1 2 1 2 1 2 1 2", 0, 3);
  g_assert_cmpuint (gst_harness_query_latency (joint.streams[0]), ==, 2 * GST_SECOND + GST_SECOND / 2);

  for (int second = 3; second < 6; second++)
    {
      push_rows (joint.streams[0], 1, 1, second);
      g_assert_true (gst_test_clock_crank (clock));
      g_assert_cmpuint (gst_clock_get_time (GST_CLOCK (clock)), ==, second * GST_SECOND + GST_SECOND / 2);
      /* A buffer that came before the element has seen the time would begin the wait anew. */
      while (g_atomic_int_get (&n_consumed) <= second)
        g_usleep (100);
    }
  pull_rows (joint.streams[0], "1 2 1 2 1 2", 3, 3);
  joint_clear (&joint);
}

/* Frames of several streams have no common geometry, those of one stream keep it. */
static void
test_batch_geometry (void)
{
  for (int n_geometries = 1; n_geometries <= N_STREAMS; n_geometries++)
    {
      g_autoptr (GstBuffer) batch = NULL;
      C2gGstGeometry *geometries[N_STREAMS];
      Joint joint;

      joint_init (&joint, "c2gtensorbatch", TENSORS);
      for (int i = 0; i < N_STREAMS; i++)
        {
          g_autoptr (C2gTensor) tensor = new_floats (1);
          GstBuffer *buffer = gst_buffer_new ();

          geometries[i] = i < n_geometries ? c2g_gst_geometry_new (7, 8, (const double[]) { 1, 0, 0, 0, 1, 0 })
                                           : c2g_gst_geometry_ref (geometries[0]);
          g_assert_true (c2g_gst_buffer_add_tensor (buffer, "x", tensor, geometries[i], NULL));
          g_assert_cmpint (gst_harness_push (joint.streams[i], buffer), ==, GST_FLOW_OK);
        }
      batch = gst_harness_pull (joint.streams[0]);
      g_assert_true (c2g_gst_buffer_get_geometry (batch, "x") == (n_geometries == 1 ? geometries[0] : NULL));
      for (int i = 0; i < N_STREAMS; i++)
        c2g_gst_geometry_unref (geometries[i]);
      joint_clear (&joint);
    }
}

/* Buffers that do not say how long they last have the same latency, as soon as their times tell. */
static void
test_batch_no_durations (void)
{
  GstHarness *harness = new_batch ("size", 3);

  gst_harness_set_live (harness, TRUE);
  gst_harness_set_upstream_latency (harness, GST_SECOND);
  gst_harness_set_src_caps_str (harness, TENSORS);
  for (int second = 0; second < 6; second++)
    {
      GstBuffer *buffer = new_frame ("a", 1, second);

      GST_BUFFER_DURATION (buffer) = GST_CLOCK_TIME_NONE;
      g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
      if (second % 3 == 2)
        pull_frame (harness, "a", second - 2);
    }
  g_assert_cmpuint (gst_harness_query_latency (harness), ==, 3 * GST_SECOND);
  gst_harness_teardown (harness);
}

/* The rows of a batch are what the model says of single frames. */
static void
test_batch_model (void)
{
  g_autofree char *model = digits ();
  g_autofree char *batched =
    g_strdup_printf ("pngdec ! c2gconvert scale=1/255 ! c2gtensorbatch size=4 ! c2ginference preset=digits model=%s", model);
  g_autofree char *single =
    g_strdup_printf ("pngdec ! c2gconvert scale=1/255 ! c2ginference preset=digits model=%s", model);
  GstHarness *batches = gst_harness_new_parse (batched);
  GstHarness *singles = gst_harness_new_parse (single);

  for (int i = 0; i < 2; i++)
    gst_harness_set_src_caps_str (i == 0 ? batches : singles, "image/png, framerate=1/1");
  for (int digit = 0; digit < 10; digit++)
    {
      g_assert_cmpint (gst_harness_push (batches, read_picture (digit)), ==, GST_FLOW_OK);
      g_assert_cmpint (gst_harness_push (singles, read_picture (digit)), ==, GST_FLOW_OK);
    }
  g_assert_true (gst_harness_push_event (batches, gst_event_new_eos ()));

  for (int digit = 0; digit < 10; digit += 4)
    {
      g_autoptr (GstBuffer) batch = gst_harness_pull (batches);
      g_autoptr (C2gTensor) rows = c2g_gst_buffer_get_tensor (batch, "softmax", NULL);

      g_assert_cmpint (c2g_tensor_get_n_elements (rows), ==, 10 * MIN (4, 10 - digit));
      g_assert_nonnull (c2g_gst_buffer_get_geometry (batch, "softmax"));
      for (int i = 0; i < MIN (4, 10 - digit); i++)
        {
          g_autoptr (GstBuffer) frame = gst_harness_pull (singles);
          g_autoptr (C2gTensor) expected = c2g_gst_buffer_get_tensor (frame, "softmax", NULL);
          g_autoptr (C2gTensor) row = c2g_tensor_slice (rows, i, i + 1, NULL);
          gboolean is_close;

          g_assert_true (c2g_tensor_allclose (row, expected, 1e-5, 1e-5, FALSE, &is_close, NULL));
          g_assert_true (is_close);
        }
    }
  gst_harness_teardown (batches);
  gst_harness_teardown (singles);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/batch", test_batch);
  add_gst_func ("/gst/batch/gap", test_batch_gap);
  add_gst_func ("/gst/batch/gap-static", test_batch_gap_static);
  add_gst_func ("/gst/batch/gap-segment", test_batch_gap_segment);
  add_gst_func ("/gst/batch/of-one", test_batch_of_one);
  add_gst_func ("/gst/batch/of-all", test_batch_of_all);
  add_gst_func ("/gst/batch/streams", test_batch_streams);
  add_gst_func ("/gst/batch/stack", test_stack);
  add_gst_func ("/gst/batch/caps", test_batch_caps);
  add_gst_func ("/gst/batch/rate", test_batch_rate);
  add_gst_func ("/gst/batch/flush", test_batch_flush);
  add_gst_func ("/gst/batch/errors", test_batch_errors);
  add_gst_func ("/gst/batch/sizes", test_batch_sizes);
  add_gst_func ("/gst/batch/latency", test_batch_latency);
  add_gst_func ("/gst/batch/late", test_batch_late);
  add_gst_func ("/gst/batch/geometry", test_batch_geometry);
  add_gst_func ("/gst/batch/no-durations", test_batch_no_durations);
  add_gst_func ("/gst/batch/model", test_batch_model);

  return run_gst_tests ();
}
