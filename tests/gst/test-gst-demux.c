/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-streams.h"

/* c2gtensordemux: a stream of tensors that becomes several. */

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
  gst_element_set_bus (self->source->element, NULL);
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
  assert_caps_are (get_outlet (&split, 0), TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  assert_caps_are (get_outlet (&split, 1), TENSORS ", format=static, tensor0=" DESCRIBE ("b", "3"));
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

  bus = watch_element (split.source->element);
  buffer = gst_buffer_new ();
  add_tensor (buffer, "x", tensor);
  add_floats (buffer, "a", 2);
  g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_ERROR);
  wait_for_error (bus, "slice");
  split_clear (&split);
}

/* Streams have the rate of the buffers. Rows come as much faster as the first batch has rows, also where a later one has fewer. */
static void
test_demux_rate (void)
{
  Split split;

  split_init (&split, NULL, FALSE);
  gst_harness_set_src_caps_str (split.source, TENSORS ", framerate=25/2");
  g_assert_cmpint (split_frame (&split, "ab", 0), ==, GST_FLOW_OK);
  assert_caps_are (get_outlet (&split, 0), TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1") ", framerate=25/2");
  assert_caps_are (get_outlet (&split, 1), TENSORS ", format=static, tensor0=" DESCRIBE ("b", "2") ", framerate=25/2");
  gst_harness_set_src_caps_str (split.source, TENSORS);
  g_assert_cmpint (split_frame (&split, "ab", 1), ==, GST_FLOW_OK);
  assert_caps_are (get_outlet (&split, 0), TENSORS ", format=static, tensor0=" DESCRIBE ("a", "1"));
  split_clear (&split);

  split_init (&split, NULL, TRUE);
  gst_harness_set_src_caps_str (split.source, TENSORS ", framerate=25/2");
  for (int n = 4; n > 2; n--)
    {
      GstBuffer *buffer = gst_buffer_new ();

      add_floats (buffer, "x", n);
      g_assert_cmpint (gst_harness_push (split.source, buffer), ==, GST_FLOW_OK);
      assert_caps_are (get_outlet (&split, 0), TENSORS ", format=static, tensor0=" DESCRIBE ("x", "1") ", framerate=50/1");
    }
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

  gst_event_unref (wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP));
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
  bus = watch_element (split.source->element);
  g_assert_cmpint (split_frame (&split, "a", 1), ==, GST_FLOW_OK);
  pull_frame (get_outlet (&split, 1), "a", 1);
  assert_caps_are (get_outlet (&split, 0), TENSORS ", format=flexible");
  gst_event_unref (wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  g_assert_true (gst_harness_push_event (split.source, gst_event_new_eos ()));
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_assert_nonnull (warning);
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
  gst_event_unref (wait_for_event (get_outlet (&split, 0), GST_EVENT_GAP));
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

/* A flush begins in another thread than that of the buffers. It reaches all pads. */
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
  gst_event_unref (wait_for_event (get_outlet (&split, 0), GST_EVENT_FLUSH_START));
  split_clear (&split);
}

/* Begins a flush while the second pad is still to come. */
static void
flush_cb (GstElement *element,
          GstPad     *pad,
          gpointer    data)
{
  const Split *split = data;

  if (split->outlets->len == 1)
    gst_harness_push_event (split->source, gst_event_new_flush_start ());
}

/* The end of a flush comes to no pad without its beginning: sinks would wait for ever. */
static void
test_demux_flush_late (void)
{
  Split split;

  split_init (&split, NULL, FALSE);
  g_signal_connect (split.source->element, "pad-added", G_CALLBACK (flush_cb), &split);
  g_assert_cmpint (split_frame (&split, "ab", 0), ==, GST_FLOW_FLUSHING);
  gst_harness_push_event (split.source, gst_event_new_flush_stop (TRUE));
  g_assert_cmpuint (split.outlets->len, ==, 2);
  for (guint i = 0; i < split.outlets->len; i++)
    {
      GstHarness *outlet = get_outlet (&split, i);
      gboolean is_flushing = FALSE;
      guint n_flushes = 0;

      while (gst_harness_events_in_queue (outlet) > 0)
        {
          g_autoptr (GstEvent) event = gst_harness_pull_event (outlet);

          if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
            is_flushing = TRUE;
          if (GST_EVENT_TYPE (event) != GST_EVENT_FLUSH_STOP)
            continue;
          g_assert_true (is_flushing);
          n_flushes++;
        }
      g_assert_cmpuint (n_flushes, ==, 1);
    }
  split_clear (&split);
}

static gpointer
stop_flush (gpointer pad)
{
  gst_pad_send_event (pad, gst_event_new_flush_stop (TRUE));

  return NULL;
}

/* Begins a flush while a buffer is on its way into the element. The end of the flush comes, too, and waits for the buffer. */
static GstPadProbeReturn
flush_before_cb (GstPad          *pad,
                 GstPadProbeInfo *info,
                 gpointer         data)
{
  GThread **thread = data;

  gst_pad_send_event (pad, gst_event_new_flush_start ());
  *thread = g_thread_new ("flush", stop_flush, pad);
  while (GST_PAD_IS_FLUSHING (pad))
    g_thread_yield ();

  return GST_PAD_PROBE_REMOVE;
}

/* No buffer passes through a pad that is added during a flush: a sink behind it would wait in its preroll, and the end of the
 * flush for the sink. */
static void
test_demux_flush_first (void)
{
  g_autoptr (GstPad) sink = NULL;
  GThread *thread = NULL;
  Split split;

  split_init (&split, NULL, FALSE);
  sink = gst_element_get_static_pad (split.source->element, "sink");
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, flush_before_cb, &thread, NULL);
  g_assert_cmpint (split_frame (&split, "ab", 0), ==, GST_FLOW_FLUSHING);
  g_thread_join (thread);
  for (guint i = 0; i < split.outlets->len; i++)
    g_assert_cmpuint (gst_harness_buffers_in_queue (get_outlet (&split, i)), ==, 0);
  gst_harness_set_src_caps_str (split.source, TENSORS);
  g_assert_cmpint (split_frame (&split, "ab", 1), ==, GST_FLOW_OK);
  pull_frame (get_outlet (&split, 0), "a", 1);
  pull_frame (get_outlet (&split, 1), "b", 1);
  split_clear (&split);
}

/* A pad that an event is on its way to, in another thread than that of the states. */
typedef struct
{
  GWeakRef pad;
  GCond    cond;
  GMutex   mutex;
  gboolean has_come;
  gboolean is_stopped;
} Passage;

static GstPadProbeReturn
hold_cb (GstPad          *pad,
         GstPadProbeInfo *info,
         gpointer         data)
{
  Passage *self = data;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_CUSTOM_DOWNSTREAM_OOB)
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&self->mutex);
  self->has_come = TRUE;
  g_cond_broadcast (&self->cond);
  while (!self->is_stopped)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);

  return GST_PAD_PROBE_OK;
}

static void
passage_cb (GstElement *element,
            GstPad     *pad,
            gpointer    data)
{
  Passage *self = data;

  g_weak_ref_init (&self->pad, pad);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, hold_cb, self, NULL);
}

static gpointer
push_oob (gpointer data)
{
  gst_harness_push_event (data, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty ("x")));

  return NULL;
}

/* A pad stays as long as an event that overtakes buffers is on its way, though the element has stopped. */
static void
test_demux_stop (void)
{
  GstHarness *harness = gst_harness_new_with_padnames ("c2gtensordemux", "sink", NULL);
  Passage passage = { 0 };
  g_autoptr (GstPad) pad = NULL;
  GThread *thread;

  g_signal_connect (harness->element, "pad-added", G_CALLBACK (passage_cb), &passage);
  gst_harness_set_src_caps_str (harness, TENSORS);
  g_assert_cmpint (gst_harness_push (harness, new_frame ("a", 1, 0)), ==, GST_FLOW_NOT_LINKED);
  thread = g_thread_new ("event", push_oob, harness);
  g_mutex_lock (&passage.mutex);
  while (!passage.has_come)
    g_cond_wait (&passage.cond, &passage.mutex);
  gst_element_set_state (harness->element, GST_STATE_READY);
  pad = g_weak_ref_get (&passage.pad);
  g_assert_nonnull (pad);
  passage.is_stopped = TRUE;
  g_cond_broadcast (&passage.cond);
  g_mutex_unlock (&passage.mutex);
  g_thread_join (thread);
  g_weak_ref_clear (&passage.pad);
  gst_harness_teardown (harness);
}

/* An end without tensors, of which no pad could tell, and too many names are errors. */
static void
test_demux_errors (void)
{
  GstBuffer *many = gst_buffer_new ();
  GstBus *bus;
  Split split;

  split_init (&split, NULL, FALSE);
  bus = watch_element (split.source->element);
  add_many (many, 70);
  g_assert_cmpint (gst_harness_push (split.source, many), ==, GST_FLOW_ERROR);
  wait_for_error (bus, "64");
  split_clear (&split);

  split_init (&split, NULL, FALSE);
  bus = watch_element (split.source->element);
  gst_harness_push_event (split.source, gst_event_new_eos ());
  wait_for_error (bus, "without a tensor");
  split_clear (&split);
}

/* Empty names would make pads that never get anything. */
static void
test_empty_names (void)
{
  const char *const tensors[] = { "", "a,,b", "a+", ",a" };

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      GstElement *demux = gst_object_ref_sink (gst_element_factory_make ("c2gtensordemux", NULL));
      g_autofree char *message = NULL;

      watch_element (demux);
      g_object_set (demux, "tensors", tensors[i], NULL);
      g_assert_cmpint (gst_element_set_state (demux, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
      message = pop_error (demux);
      g_assert_nonnull (strstr (message, tensors[i]));
      gst_element_set_bus (demux, NULL);
      gst_element_set_state (demux, GST_STATE_NULL);
      gst_object_unref (demux);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/demux", test_demux);
  add_gst_func ("/gst/demux/groups", test_groups);
  add_gst_func ("/gst/demux/rows", test_rows);
  add_gst_func ("/gst/demux/rate", test_demux_rate);
  add_gst_func ("/gst/demux/gaps", test_demux_gaps);
  add_gst_func ("/gst/demux/never", test_demux_never);
  add_gst_func ("/gst/demux/no-rows", test_no_rows);
  add_gst_func ("/gst/demux/flows", test_demux_flows);
  add_gst_func ("/gst/demux/group", test_demux_group);
  add_gst_func ("/gst/demux/flush", test_demux_flush);
  add_gst_func ("/gst/demux/flush-late", test_demux_flush_late);
  add_gst_func ("/gst/demux/flush-first", test_demux_flush_first);
  add_gst_func ("/gst/demux/stop", test_demux_stop);
  add_gst_func ("/gst/demux/errors", test_demux_errors);
  add_gst_func ("/gst/demux/empty-names", test_empty_names);

  return run_gst_tests ();
}
