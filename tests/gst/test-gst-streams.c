/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* c2gtensormux, c2gtensordemux and c2gtensorbatch: streams of tensors that become one, one that becomes several,
 * and buffers that become one. */

#define TENSORS "application/x-c2g-tensors"

/* A buffer of a pipeline that counts in seconds. */
static GstBuffer *
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

static void
push_frame (GstHarness *harness,
            const char *name,
            gint64      n,
            int         second)
{
  g_assert_cmpint (gst_harness_push (harness, new_frame (name, n, second)), ==, GST_FLOW_OK);
}

/* Takes the next buffer, which has such tensors and such a time. */
static void
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

static void
joint_init (Joint      *self,
            const char *factory,
            const char *caps)
{
  self->streams[0] = gst_harness_new_with_padnames (factory, "sink_0", "src");
  self->streams[1] = gst_harness_new_with_element (self->streams[0]->element, "sink_1", NULL);
  for (int i = 0; i < N_STREAMS && caps != NULL; i++)
    gst_harness_set_src_caps_str (self->streams[i], caps);
}

static void
joint_clear (Joint *self)
{
  for (int i = N_STREAMS - 1; i >= 0; i--)
    g_clear_pointer (&self->streams[i], gst_harness_teardown);
}

static void
push_both (Joint *self,
           int    second)
{
  push_frame (self->streams[0], "a", 1, second);
  push_frame (self->streams[1], "b", 2, second);
}

static void
end_both (Joint *self)
{
  for (int i = 0; i < N_STREAMS; i++)
    g_assert_true (gst_harness_push_event (self->streams[i], gst_event_new_eos ()));
}

/* Takes events up to one of a type. */
static void
wait_for_event (GstHarness   *harness,
                GstEventType  type)
{
  GstEventType found;

  do
    {
      g_autoptr (GstEvent) event = gst_harness_pull_event (harness);

      g_assert_nonnull (event);
      found = GST_EVENT_TYPE (event);
    }
  while (found != type);
}

static void
wait_for_end (GstHarness *harness)
{
  wait_for_event (harness, GST_EVENT_EOS);
  g_assert_null (gst_harness_try_pull (harness));
}

/* Waits for the error that an element posts. */
static void
assert_error (GstBus     *bus,
              const char *expected)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  gst_message_parse_error (message, &error, NULL);
  if (strstr (error->message, expected) == NULL)
    g_error ("“%s” does not say “%s”", error->message, expected);
}

static GstBus *
watch (GstHarness *harness)
{
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (harness->element, bus);

  return bus;
}

static void
unwatch (GstHarness *harness,
         GstBus     *bus)
{
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
}

/* c2gtensormux */

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

#define DESCRIBE(name, n)                                                                  \
  "(structure)[tensor, name=(string)" name ", type=(string)float, rank=(int)1, d0=(int)" n \
  "]"

static void
assert_caps (GstHarness *harness,
             const char *expected)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  g_autoptr (GstCaps) wanted = gst_caps_from_string (expected);

  g_assert_cmpint (gst_caps_is_equal (caps, wanted), ==, TRUE);
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
  assert_caps (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("b", "2"));

  gst_harness_set_src_caps_str (joint.streams[1], TENSORS ", format=static, tensor0=" DESCRIBE ("c", "3"));
  push_frame (joint.streams[0], "a", 1, 1);
  push_frame (joint.streams[1], "c", 3, 1);
  pull_frame (joint.streams[0], "a c", 1);
  assert_caps (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("c", "3"));

  gst_harness_set_src_caps_str (joint.streams[0], TENSORS ", format=flexible");
  push_frame (joint.streams[0], "d", 1, 2);
  push_frame (joint.streams[1], "c", 3, 2);
  pull_frame (joint.streams[0], "d c", 2);
  assert_caps (joint.streams[0], TENSORS ", format=flexible");
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
      bus = watch (joint.streams[0]);
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
          assert_caps (joint.streams[0],
                       TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", tensor1=" DESCRIBE ("second/a", "1"));
        }
      else
        assert_error (bus, "prefix");
      unwatch (joint.streams[0], bus);
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
  assert_caps (joint.streams[0], TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  joint_clear (&joint);
}

static void
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
  gst_harness_use_testclock (joint.streams[0]);
  for (int i = 0; i < N_STREAMS; i++)
    {
      gst_harness_set_live (joint.streams[i], TRUE);
      gst_harness_set_upstream_latency (joint.streams[i], GST_SECOND / 2);
      gst_harness_set_src_caps_str (joint.streams[i], TENSORS);
    }

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

/* c2gtensordemux */

/* A stream, and harnesses for those that it becomes. */
typedef struct
{
  GstHarness *source;
  GPtrArray  *outlets;
} Split;

static void
pad_added_cb (GstElement *element,
              GstPad     *pad,
              gpointer    data)
{
  Split *self = data;
  GstHarness *outlet = gst_harness_new_empty ();

  gst_harness_add_element_src_pad (outlet, pad);
  g_ptr_array_add (self->outlets, outlet);
}

static void
split_init (Split      *self,
            const char *tensors,
            gboolean    rows)
{
  GstElement *element = gst_element_factory_make ("c2gtensordemux", NULL);

  self->outlets = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_harness_teardown);
  g_object_set (element, "tensors", tensors, "rows", rows, NULL);
  g_signal_connect (element, "pad-added", G_CALLBACK (pad_added_cb), self);
  self->source = gst_harness_new_with_element (element, "sink", NULL);
  gst_object_unref (element);
  gst_harness_set_src_caps_str (self->source, TENSORS);
}

static void
split_clear (Split *self)
{
  g_ptr_array_unref (self->outlets);
  gst_harness_teardown (self->source);
}

static GstHarness *
get_outlet (Split *self,
            guint  i)
{
  g_assert_cmpuint (i, <, self->outlets->len);

  return g_ptr_array_index (self->outlets, i);
}

/* Pushes a buffer with tensors a and b, or with one of them. */
static GstFlowReturn
split_frame (Split      *self,
             const char *names,
             int         second)
{
  GstBuffer *buffer = gst_buffer_new ();

  for (const char *name = names; *name != '\0'; name++)
    add_floats (buffer, (char[]) { *name, '\0' }, *name - 'a' + 1);
  GST_BUFFER_PTS (buffer) = second * GST_SECOND;

  return gst_harness_push (self->source, buffer);
}

/* Each tensor has its stream, with its own memory, geometry and caps. */
static void
test_demux (void)
{
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (7, 8, (const double[]) { 1, 0, 0, 0, 1, 0 });
  g_autoptr (C2gTensor) tensor = new_floats (3);
  g_autoptr (C2gTensor) behind = NULL;
  g_autoptr (GstBuffer) second = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  Split split;

  split_init (&split, NULL, FALSE);
  add_floats (buffer, "a", 1);
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "b", tensor, geometry, NULL));
  GST_BUFFER_PTS (buffer) = 5;
  GST_BUFFER_DURATION (buffer) = 6;
  g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_OK);
  g_assert_cmpuint (split.outlets->len, ==, 2);

  second = gst_harness_pull (get_outlet (&split, 1));
  assert_tensors (second, "b");
  g_assert_cmpuint (GST_BUFFER_PTS (second), ==, 5);
  g_assert_cmpuint (GST_BUFFER_DURATION (second), ==, 6);
  g_assert_cmpuint (gst_buffer_get_size (second), ==, 3 * sizeof (float));
  behind = c2g_gst_buffer_get_tensor (second, "b", NULL);
  g_assert_true (address_of (behind) == address_of (tensor));
  g_assert_cmpuint (c2g_gst_geometry_get_width (c2g_gst_buffer_get_geometry (second, "b")), ==, 7);
  assert_caps (get_outlet (&split, 0), TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  assert_caps (get_outlet (&split, 1), TENSORS ", format=static, tensor0=" DESCRIBE ("b", "3"));
  split_clear (&split);
}

/* The property chooses tensors, and puts several on one pad. */
static void
test_groups (void)
{
  Split split;

  split_init (&split, "c,b+a", FALSE);
  g_assert_cmpint (split_frame (&split, "abcd", 1), ==, GST_FLOW_OK);
  g_assert_cmpuint (split.outlets->len, ==, 2);
  pull_frame (get_outlet (&split, 0), "c", 1);
  pull_frame (get_outlet (&split, 1), "b a", 1);
  split_clear (&split);
}

/* Rows become buffers over the same memory, which share the time. Tensors with other rows are an error. */
static void
test_rows (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3, 2), NULL, NULL);
  Split split;
  GstBus *bus;
  GstBuffer *buffer = gst_buffer_new ();

  split_init (&split, "x+a", TRUE);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  add_tensor (buffer, "x", tensor);
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  GST_BUFFER_DURATION (buffer) = 3 * GST_SECOND;
  g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_OK);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (GstBuffer) behind = gst_harness_pull (get_outlet (&split, 0));
      g_autoptr (C2gTensor) row = c2g_gst_buffer_get_tensor (behind, "x", NULL);

      g_assert_true (address_of (row) == (const float *) address_of (tensor) + 2 * i);
      g_assert_cmpint (c2g_tensor_get_n_elements (row), ==, 2);
      g_assert_cmpuint (GST_BUFFER_PTS (behind), ==, (i + 1) * GST_SECOND);
      g_assert_cmpuint (GST_BUFFER_DURATION (behind), ==, GST_SECOND);
    }

  bus = watch (split.source);
  buffer = gst_buffer_new ();
  add_tensor (buffer, "x", tensor);
  add_floats (buffer, "a", 2);
  g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_ERROR);
  assert_error (bus, "slice");
  unwatch (split.source, bus);
  split_clear (&split);
}

/* A tensor may come later than the others, and leave out buffers, where its stream has a gap. */
static void
test_demux_gaps (void)
{
  Split split;

  split_init (&split, NULL, FALSE);
  g_assert_cmpint (split_frame (&split, "", 0), ==, GST_FLOW_OK);
  g_assert_cmpint (split_frame (&split, "a", 1), ==, GST_FLOW_OK);
  g_assert_cmpint (split_frame (&split, "ab", 2), ==, GST_FLOW_OK);
  g_assert_cmpint (split_frame (&split, "b", 3), ==, GST_FLOW_OK);
  pull_frame (get_outlet (&split, 0), "a", 1);
  pull_frame (get_outlet (&split, 0), "a", 2);
  pull_frame (get_outlet (&split, 1), "b", 2);
  pull_frame (get_outlet (&split, 1), "b", 3);

  wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP);
  g_assert_true (gst_harness_push_event (split.source, gst_event_new_eos ()));
  wait_for_end (get_outlet (&split, 0));
  wait_for_end (get_outlet (&split, 1));
  split_clear (&split);
}

/* The sink of a tensor that never comes knows all the same what comes, and a warning tells of it at the end. */
static void
test_demux_never (void)
{
  g_autoptr (GstMessage) warning = NULL;
  Split split;
  GstBus *bus;

  split_init (&split, "none,a", FALSE);
  bus = watch (split.source);
  g_assert_cmpint (split_frame (&split, "a", 1), ==, GST_FLOW_OK);
  pull_frame (get_outlet (&split, 1), "a", 1);
  assert_caps (get_outlet (&split, 0), TENSORS ", format=flexible");
  wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  g_assert_true (gst_harness_push_event (split.source, gst_event_new_eos ()));
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_assert_nonnull (warning);
  unwatch (split.source, bus);
  split_clear (&split);
}

/* A tensor of no elements has no rows, even if its first dimension is huge. */
static void
test_no_rows (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (G_GINT64_CONSTANT (1) << 60, 0), NULL, NULL);
  GstBuffer *buffer = gst_buffer_new ();
  Split split;

  split_init (&split, "x", TRUE);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL));
  add_tensor (buffer, "x", tensor);
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_OK);
  wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP);
  g_assert_cmpuint (gst_harness_buffers_received (get_outlet (&split, 0)), ==, 0);
  split_clear (&split);
}

/* A branch that nobody has linked, or that wants no more, does not end the others. */
static void
test_demux_flows (void)
{
  Split split;

  split_init (&split, NULL, FALSE);
  g_assert_cmpint (split_frame (&split, "ab", 0), ==, GST_FLOW_OK);
  g_ptr_array_set_size (split.outlets, 1);
  g_assert_cmpint (split_frame (&split, "ab", 1), ==, GST_FLOW_OK);
  pull_frame (get_outlet (&split, 0), "a", 0);
  pull_frame (get_outlet (&split, 0), "a", 1);
  g_ptr_array_set_size (split.outlets, 0);
  g_assert_cmpint (split_frame (&split, "ab", 2), ==, GST_FLOW_NOT_LINKED);
  split_clear (&split);
}

/* Streams say to which group they belong, those of new pads and of old ones. */
static void
test_demux_group (void)
{
  Split split;

  split_init (&split, NULL, FALSE);
  for (guint group = 7; group < 9; group++)
    {
      g_autoptr (GstEvent) behind = NULL;
      GstEvent *event = gst_event_new_stream_start ("stream");
      guint found = 0;

      gst_event_set_group_id (event, group);
      g_assert_true (gst_harness_push_event (split.source, event));
      g_assert_cmpint (split_frame (&split, "a", group), ==, GST_FLOW_OK);
      behind = gst_pad_get_sticky_event (get_outlet (&split, 0)->sinkpad, GST_EVENT_STREAM_START, 0);
      g_assert_true (gst_event_parse_group_id (behind, &found));
      g_assert_cmpuint (found, ==, group);
    }
  split_clear (&split);
}

/* Flushes the stream of each pad, while buffers with other tensors may come. */
static gpointer
flush_often (gpointer data)
{
  for (guint i = 0; i < 100; i++)
    gst_harness_push_event (data, gst_event_new_flush_start ());

  return NULL;
}

/* A flush begins in another thread than that of the buffers.  It reaches all pads. */
static void
test_demux_flush (void)
{
  GThread *thread;
  Split split;

  split_init (&split, NULL, FALSE);
  g_assert_cmpint (split_frame (&split, "a", 0), ==, GST_FLOW_OK);
  thread = g_thread_new ("flush", flush_often, split.source);
  for (int i = 0; i < 20; i++)
    split_frame (&split, (char[]) { 'a' + i, '\0' }, i);
  g_thread_join (thread);
  wait_for_event (get_outlet (&split, 0), GST_EVENT_FLUSH_START);
  split_clear (&split);
}

/* An end without tensors, of which no pad could tell, and too many names are errors. */
static void
test_demux_errors (void)
{
  GstBuffer *many = gst_buffer_new ();
  GstBus *bus;
  Split split;

  split_init (&split, NULL, FALSE);
  bus = watch (split.source);
  add_many (many, 70);
  g_assert_cmpint (gst_harness_push (split.source, many), ==, GST_FLOW_ERROR);
  assert_error (bus, "64");
  unwatch (split.source, bus);
  split_clear (&split);

  split_init (&split, NULL, FALSE);
  bus = watch (split.source);
  gst_harness_push_event (split.source, gst_event_new_eos ());
  assert_error (bus, "without a tensor");
  unwatch (split.source, bus);
  split_clear (&split);
}

/* c2gtensorbatch */

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

/* Buffers of one stream.  The last batch has what is left; buffers without tensors do not count. */
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

/* A batch of one buffer has the memory of that. */
static void
test_batch_of_one (void)
{
  GstHarness *harness = new_batch ("size", 0);
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
  assert_caps (harness, TENSORS ", format=static, tensor0=(structure)[tensor, name=(string)a, type=(string)float, "
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
  assert_caps (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("y", "6"));
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
      GstBus *bus = watch (harness);
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
      assert_error (bus, i == G_N_ELEMENTS (cases) + 1 ? "“x”" : "batch");
      unwatch (harness, bus);
      gst_harness_teardown (harness);
    }
}

/* Empty tensors whose rows are too many to be counted, and a number, which has no rows. */
static void
test_batch_sizes (void)
{
  for (int i = 0; i < 2; i++)
    {
      GstHarness *harness = new_batch ("size", 2);
      GstBus *bus = watch (harness);

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
      assert_error (bus, "batch");
      unwatch (harness, bus);
      gst_harness_teardown (harness);
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

/* States */

static void
link_cb (GstElement *element,
         GstPad     *pad,
         gpointer    sink)
{
  g_autoptr (GstPad) peer = gst_element_get_static_pad (sink, "sink");

  if (!gst_pad_is_linked (peer))
    g_assert_cmpint (gst_pad_link (pad, peer), ==, GST_PAD_LINK_OK);
}

/* A pipeline with all elements goes through states in any order, and ends without a thread that waits. */
static void
test_states (void)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING };
  g_autoptr (GstElement) pipeline =
    gst_parse_launch ("audiotestsrc is-live=true samplesperbuffer=64 ! audio/x-raw,format=F32LE,channels=1,rate=8000 "
                      "! c2gconvert ! tee name=tee ! queue ! mux.sink_0  tee. ! queue ! mux.sink_1 "
                      "c2gtensormux name=mux sink_1::prefix=b/ ! c2gtensorbatch size=3 ! c2gtensordemux name=demux rows=true "
                      "fakesink name=sink sync=false async=false",
                      NULL);
  g_autoptr (GstElement) demux = gst_bin_get_by_name (GST_BIN (pipeline), "demux");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  const guint n = c2g_test_count_rounds (100);

  g_signal_connect (demux, "pad-added", G_CALLBACK (link_cb), sink);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (gst_element_set_state (pipeline, states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]), !=,
                     GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst-streams/mux", test_mux);
  add_gst_func ("/gst-streams/mux/many", test_many);
  add_gst_func ("/gst-streams/mux/caps", test_mux_caps);
  add_gst_func ("/gst-streams/mux/names", test_names);
  add_gst_func ("/gst-streams/mux/times", test_times);
  add_gst_func ("/gst-streams/mux/no-durations", test_no_durations);
  add_gst_func ("/gst-streams/mux/no-times", test_no_times);
  add_gst_func ("/gst-streams/mux/ends", test_ends);
  add_gst_func ("/gst-streams/mux/release", test_release);
  add_gst_func ("/gst-streams/mux/flush", test_flush);
  add_gst_func ("/gst-streams/mux/segment", test_segment);
  add_gst_func ("/gst-streams/mux/clip", test_clip);
  add_gst_func ("/gst-streams/mux/late", test_late);
  add_gst_func ("/gst-streams/mux/no-labels", test_no_labels);
  add_gst_func ("/gst-streams/demux", test_demux);
  add_gst_func ("/gst-streams/demux/groups", test_groups);
  add_gst_func ("/gst-streams/demux/rows", test_rows);
  add_gst_func ("/gst-streams/demux/gaps", test_demux_gaps);
  add_gst_func ("/gst-streams/demux/never", test_demux_never);
  add_gst_func ("/gst-streams/demux/no-rows", test_no_rows);
  add_gst_func ("/gst-streams/demux/flows", test_demux_flows);
  add_gst_func ("/gst-streams/demux/group", test_demux_group);
  add_gst_func ("/gst-streams/demux/flush", test_demux_flush);
  add_gst_func ("/gst-streams/demux/errors", test_demux_errors);
  add_gst_func ("/gst-streams/batch", test_batch);
  add_gst_func ("/gst-streams/batch/of-one", test_batch_of_one);
  add_gst_func ("/gst-streams/batch/streams", test_batch_streams);
  add_gst_func ("/gst-streams/batch/stack", test_stack);
  add_gst_func ("/gst-streams/batch/caps", test_batch_caps);
  add_gst_func ("/gst-streams/batch/flush", test_batch_flush);
  add_gst_func ("/gst-streams/batch/errors", test_batch_errors);
  add_gst_func ("/gst-streams/batch/sizes", test_batch_sizes);
  add_gst_func ("/gst-streams/batch/latency", test_batch_latency);
  add_gst_func ("/gst-streams/batch/no-durations", test_batch_no_durations);
  add_gst_func ("/gst-streams/batch/model", test_batch_model);
  add_gst_func ("/gst-streams/states", test_states);

  return run_gst_tests ();
}
