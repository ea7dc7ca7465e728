/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-bridge.h"

/* c2gbridge: tensors of NNStreamer's streams, whose bytes are made by hand here, and the way back. */

/* Tensors lie over the memories, without a copy, and go back as the same memories. */
static void
test_static (void)
{
  static const gsize sizes[] = { 12, 16 };
  g_autofree char *caps = static_caps (2, "uint8,float32", "3:2:2:1,4");
  GstHarness *harness = new_bridge (caps);
  GstHarness *back = new_bridge (C2G_CAPS ", framerate=(fraction)30/1");
  GstBuffer *buffer = new_memories (sizes, 2);
  gconstpointer addresses[] = { address_of_memory (buffer, 0), address_of_memory (buffer, 1) };

  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 3 * GST_SECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, GST_SECOND);
  assert_tensors (buffer, "tensor0 tensor1");
  assert_tensor (buffer, "tensor0", C2G_DATA_TYPE_UINT8, "1 2 2 3");
  assert_tensor (buffer, "tensor1", C2G_DATA_TYPE_FLOAT, "4");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor%u", i);
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, NULL);

      g_assert_true (address_of (tensor) == addresses[i]);
    }
  assert_caps_are (harness, C2G_CAPS ", format=static, framerate=(fraction)30/1, "
                                     "tensor0=(structure)[tensor, name=tensor0, type=uint8, rank=4, d0=1, d1=2, d2=2, d3=3], "
                                     "tensor1=(structure)[tensor, name=tensor1, type=float, rank=1, d0=4]");

  buffer = gst_harness_push_and_pull (back, buffer);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 3 * GST_SECOND);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 2);
  g_assert_true (address_of_memory (buffer, 0) == addresses[0]);
  g_assert_true (address_of_memory (buffer, 1) == addresses[1]);
  gst_buffer_unref (buffer);
  g_free (caps);
  caps = static_caps (2, "uint8,float32", "3:2:2:1,4:1:1:1");
  assert_caps_are (back, caps);
  gst_harness_teardown (back);
  gst_harness_teardown (harness);
}

/* Every type comes and goes, also in the old form for one tensor. */
static void
test_types (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (nns_types); i++)
    {
      g_autofree char *caps =
        g_strdup_printf ("other/tensor, type=(string)%s, dimension=(string)\"2:1:3\"", nns_types[i].name);
      g_autofree char *expected = static_caps (1, nns_types[i].name, "2:1:3:1");
      GstHarness *harness = new_bridge (caps);
      const gsize size = 6 * nns_types[i].item_size;
      GstBuffer *buffer = gst_harness_push_and_pull (harness, new_memories (&size, 1));
      GstHarness *back = new_bridge (C2G_CAPS ", framerate=(fraction)30/1");

      assert_tensor (buffer, "tensor", nns_types[i].data_type, "3 1 2");
      buffer = gst_harness_push_and_pull (back, buffer);
      g_assert_cmpuint (gst_buffer_get_size (buffer), ==, size);
      assert_caps_are (back, expected);
      gst_buffer_unref (buffer);
      gst_harness_teardown (back);
      gst_harness_teardown (harness);
    }
}

/* A shape may be written in several ways. */
static void
test_dims (void)
{
  static const struct
  {
    const char *text;
    const char *dims;
  } cases[] = {
    { "6", "6" },
    { " 3 : 2 ", "2 3" },
    { "3:2:1:1", "1 1 2 3" },
    { "3:2:1:1:1:1:1:1", "1 1 2 3" },
    { "3:2:1:1:1:1:1:1:1:1:1:1:1:1:1:1", "1 1 2 3" },
    { "3:1:1:1:2:1:1", "2 1 1 1 3" },
    { "3:2:0:0", "2 3" },
    { "1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:6", "6 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const gsize size = 6;
      g_autofree char *caps = static_caps (1, "uint8", cases[i].text);
      GstHarness *harness = new_bridge (caps);
      GstBuffer *buffer = gst_harness_push_and_pull (harness, new_memories (&size, 1));

      assert_tensor (buffer, "tensor", C2G_DATA_TYPE_UINT8, cases[i].dims);
      gst_buffer_unref (buffer);
      gst_harness_teardown (harness);
    }
}

/* Elements behind the bridge write the same shape in their own way. */
static void
test_wanted (void)
{
  static const char *const wanted[] = {
    "other/tensors, dimensions=(string)\"3\"",
    "other/tensors, dimensions=(string)\"3:1\"",
    "other/tensors, dimensions=(string)\"3:1:1:1\"",
    "other/tensors, dimensions=(string)\"3:1:1:1:1:1:1:1\"",
    "other/tensors, dimensions=(string)\"3:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1\"",
    "other/tensor, dimension=(string)\"3:1:1\"",
    "other/tensor, framerate=(fraction)[0/1, max]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      GstHarness *harness = gst_harness_new ("c2gbridge");
      GstBuffer *buffer = gst_buffer_new ();
      g_autoptr (GstCaps) caps = NULL;
      g_autoptr (GstCaps) expected = gst_caps_from_string (wanted[i]);

      add_floats (buffer, "x", 3);
      gst_harness_set_caps_str (harness, C2G_CAPS, wanted[i]);
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      caps = gst_pad_get_current_caps (harness->sinkpad);
      g_assert_true (gst_caps_is_subset (caps, expected));
      g_assert_true (gst_structure_has_field (gst_caps_get_structure (caps, 0), "framerate"));
      gst_harness_teardown (harness);
    }
}

/* A stream that nobody wants is not sent. */
static void
test_not_wanted (void)
{
  g_autoptr (GstElement) bridge = new_element ("c2gbridge");
  GstHarness *harness = gst_harness_new_with_element (bridge, "sink", "src");
  GstBuffer *buffer = gst_buffer_new ();
  GstBus *bus;

  gst_harness_set_caps_str (harness, C2G_CAPS, "other/tensors, format=static, dimensions=(string)\"4\"");
  for (guint i = 0; i < 2; i++)
    {
      GstBuffer *refused = gst_buffer_new ();
      g_autofree char *message = NULL;

      add_floats (refused, "x", 3);
      g_assert_cmpint (gst_harness_push (harness, refused), ==, GST_FLOW_NOT_NEGOTIATED);
      message = pop_error (bridge);
      g_assert_true (g_pattern_match_simple ("*dimensions=(string)3:1:1:1*dimensions=(string)4*", message));
    }
  free_harness (harness);

  /* The error lists the wanted streams of this kind only. */
  harness = gst_harness_new_with_element (bridge, "sink", "src");
  bus = watch_element (bridge);
  gst_harness_set_caps_str (harness, C2G_CAPS, "video/x-raw; audio/x-raw; other/tensors, format=static, types=(string)int8; "
                                               "video/x-raw(memory:GLMemory)");
  add_floats (buffer, "x", 3);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_NOT_NEGOTIATED);
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*The tensors are *, and the next element takes "
                                                            "“other/tensors, *types=(string)int8;”"),
                    ==, 1);
  free_harness (harness);
}

/* One memory may have all tensors, as behind a file or a socket, and a memory may end within one. */
static void
test_other_memories (void)
{
  static const gsize sizes[][3] = { { 22, 0, 0 }, { 5, 13, 4 }, { 6, 8, 8 } };
  g_autofree char *caps = static_caps (2, "uint8,float32", "6,4");

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      GstHarness *harness = new_bridge (caps);
      GstBuffer *buffer = gst_harness_push_and_pull (harness, new_memories (sizes[i], i == 0 ? 1 : 3));
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, "tensor1", NULL);
      const guint8 *bytes = address_of (tensor);

      for (guint k = 0; k < 16; k++)
        g_assert_cmpuint (bytes[k], ==, 6 + k);
      gst_buffer_unref (buffer);
      gst_harness_teardown (harness);
    }
}

/* Tensors get names; those that are left are counted. */
static void
test_names (void)
{
  static const gsize sizes[] = { 1, 1, 1 };
  g_autofree char *caps = static_caps (3, "uint8,uint8,uint8", "1,1,1");
  GstHarness *harness = gst_harness_new_parse ("c2gbridge names=boxes,scores");
  GstBuffer *buffer;

  gst_harness_set_src_caps_str (harness, caps);
  buffer = gst_harness_push_and_pull (harness, new_memories (sizes, 3));
  assert_tensors (buffer, "boxes scores tensor2");
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* Caps change in the middle of a stream, in both directions. */
static void
test_change (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gbridge ! c2gbridge");

  for (guint i = 1; i < 4; i++)
    {
      const gsize size = i;
      g_autofree char *text = g_strdup_printf ("%u", i);
      g_autofree char *dims = g_strdup_printf ("%u:1:1:1", i);
      g_autofree char *caps = static_caps (1, "uint8", text);
      g_autofree char *expected = static_caps (1, "uint8", dims);

      gst_harness_set_src_caps_str (harness, caps);
      for (guint k = 0; k < 2; k++)
        {
          GstBuffer *buffer = gst_harness_push_and_pull (harness, new_memories (&size, 1));

          g_assert_cmpuint (gst_buffer_get_size (buffer), ==, i);
          gst_buffer_unref (buffer);
        }
      assert_caps_are (harness, expected);
    }
  gst_harness_teardown (harness);
}

/* Shapes of tensors change without new caps, and buffers without tensors are left out. */
static void
test_shapes (void)
{
  GstHarness *harness = new_bridge ("video/x-raw, format=GRAY8, width=4, height=4, framerate=5/1");

  for (guint i = 0; i < 4; i++)
    {
      GstBuffer *buffer = gst_buffer_new_allocate (NULL, 16, NULL);

      if (i != 2)
        {
          add_floats (buffer, "x", i + 1);
          buffer = gst_harness_push_and_pull (harness, buffer);
          g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 4 * (i + 1));
          gst_buffer_unref (buffer);
        }
      else
        g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
    }
  assert_caps_are (harness, "other/tensors, format=static, num_tensors=1, types=(string)float32, "
                            "dimensions=(string)\"4:1:1:1\", framerate=(fraction)5/1");
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
  gst_harness_teardown (harness);
}

static void
assert_events (GstHarness         *harness,
               const GstEventType *expected,
               guint               n_expected)
{
  for (guint i = 0; i < n_expected; i++)
    {
      GstEvent *event = gst_harness_try_pull_event (harness);

      while (event != NULL && GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
        {
          gst_event_unref (event);
          event = gst_harness_try_pull_event (harness);
        }
      g_assert_nonnull (event);
      g_assert_cmpstr (GST_EVENT_TYPE_NAME (event), ==, gst_event_type_get_name (expected[i]));
      gst_event_unref (event);
    }
}

/* The order of events: caps before the segment, although they are known later. */
static void
test_events (void)
{
  static const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_TAG,
                                           GST_EVENT_EOS };
  GstHarness *harness = new_bridge (C2G_CAPS);
  GstBuffer *buffer = gst_buffer_new ();

  g_assert_true (gst_harness_push_event (harness, gst_event_new_tag (gst_tag_list_new_empty ())));
  add_floats (buffer, "x", 3);
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_events (harness, expected, G_N_ELEMENTS (expected));
  gst_harness_teardown (harness);
}

/* Sinks need not wait for a buffer that is left out. Gaps that come before the caps are dropped. */
static void
test_gap (void)
{
  static const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_GAP,
                                           GST_EVENT_GAP, GST_EVENT_CAPS, GST_EVENT_GAP };
  GstHarness *harness = new_bridge (C2G_CAPS);
  g_autoptr (GstEvent) last = NULL;
  GstClockTime time, duration;

  g_assert_true (gst_harness_push_event (harness, gst_event_new_gap (0, 1)));
  for (guint i = 0; i < 4; i++)
    {
      GstBuffer *buffer = gst_buffer_new ();

      GST_BUFFER_PTS (buffer) = i * GST_SECOND;
      GST_BUFFER_DURATION (buffer) = GST_SECOND;
      if (i == 1)
        add_floats (buffer, "x", 3);
      g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
    }
  assert_events (harness, expected, G_N_ELEMENTS (expected));
  last = gst_harness_try_pull_event (harness);
  g_assert_nonnull (last);
  gst_event_parse_gap (last, &time, &duration);
  g_assert_cmpuint (time, ==, 3 * GST_SECOND);
  g_assert_cmpuint (duration, ==, GST_SECOND);
  g_assert_null (gst_harness_try_pull_event (harness));
  g_assert_cmpuint (gst_harness_buffers_received (harness), ==, 1);
  gst_harness_teardown (harness);
}

/* A flush drops events that wait for caps, as pads do: tags stay. */
static void
test_flush (void)
{
  static const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_FLUSH_START, GST_EVENT_FLUSH_STOP,
                                           GST_EVENT_CAPS, GST_EVENT_TAG, GST_EVENT_SEGMENT, GST_EVENT_EOS };
  GstHarness *harness = new_bridge (C2G_CAPS);
  GstBuffer *buffer = gst_buffer_new ();
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  add_floats (buffer, "x", 3);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_tag (gst_tag_list_new_empty ())));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
                                                                        gst_structure_new_empty ("lost"))));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_events (harness, expected, G_N_ELEMENTS (expected));
  gst_harness_teardown (harness);
}

/* A buffer that meets a flush at the source pad is dropped without an error, and the next one sends caps. */
static void
test_flush_at_caps (void)
{
  static const gsize size = 12;
  g_autofree char *nns = static_caps (1, "float32", "3");
  const char *const caps[] = { C2G_CAPS, nns };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++)
    {
      GstHarness *harness = new_bridge (caps[i]);
      g_autoptr (GstPad) src = gst_element_get_static_pad (harness->element, "src");
      GstBuffer *buffer = new_memories (&size, 1);
      GstSegment segment;

      watch_element (harness->element);
      if (i == 0)
        add_floats (buffer, "x", 3);
      g_assert_true (gst_pad_push_event (src, gst_event_new_flush_start ()));
      g_assert_cmpint (gst_harness_push (harness, gst_buffer_ref (buffer)), ==, GST_FLOW_FLUSHING);
      g_assert_true (gst_pad_push_event (src, gst_event_new_flush_stop (TRUE)));
      gst_segment_init (&segment, GST_FORMAT_TIME);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      g_assert_true (gst_pad_has_current_caps (src));
      free_harness (harness);
    }
}

/* A stream may end, or stop, before there was anything. */
static void
test_nothing (void)
{
  GstHarness *harness = new_bridge (C2G_CAPS);

  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  gst_harness_teardown (harness);
  gst_harness_teardown (new_bridge (C2G_CAPS));
  gst_harness_teardown (new_bridge ("other/tensor, type=uint8, dimension=(string)\"1\""));
}

static guint
count_warnings (GstBus *bus)
{
  guint n = 0;
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL)
    {
      g_autoptr (GError) error = NULL;

      gst_message_parse_warning (message, &error, NULL);
      g_assert_nonnull (strstr (error->message, "c2ginference"));
      gst_message_unref (message);
      n++;
    }

  return n;
}

/* A stream of other buffers brings a warning, once. Buffers behind those with tensors may be empty. */
static void
test_no_tensors (void)
{
  static const char *const caps[] = { C2G_CAPS, "video/x-raw, format=GRAY8, width=4, height=4" };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++)
    for (guint n_before = 0; n_before < 2; n_before++)
      {
        g_autoptr (GstElement) bridge = new_element ("c2gbridge");
        GstBus *bus = GST_ELEMENT_BUS (bridge);
        GstHarness *harness = gst_harness_new_with_element (bridge, "sink", "src");

        gst_harness_set_src_caps_str (harness, caps[i]);
        for (guint k = 0; k < n_before; k++)
          {
            GstBuffer *buffer = new_bytes (16);

            add_floats (buffer, "x", 3);
            g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
          }
        for (guint k = 0; k < 3; k++)
          g_assert_cmpint (gst_harness_push (harness, new_bytes (16)), ==, GST_FLOW_OK);
        g_assert_cmpuint (gst_harness_buffers_received (harness), ==, n_before);
        g_assert_cmpuint (count_warnings (bus), ==, n_before == 0);
        free_harness (harness);
      }
}

/* A pipeline with a branch that has no tensors plays all the same: its sink gets gaps. */
static void
test_preroll (void)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! c2gbridge ! fakesink", NULL);

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Where the next element takes static streams only and says of which tensors, a stream that begins without tensors has these
 * caps, also behind a batch. */
static void
test_preroll_static (void)
{
  static const char *const lines[] = { "c2gbridge", "identity ! c2gtensorbatch size=1 ! c2gbridge" };
  static const char wanted[] = "other/tensors,format=static,num_tensors=1,types=(string)float32,dimensions=(string)3:1:1:1";
  static const char caps[] = "other/tensors, format=static, num_tensors=1, types=(string)float32, "
                             "dimensions=(string)\"3:1:1:1\", framerate=(fraction)0/1";

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s ! capsfilter caps=\"%s\"", lines[i], wanted);
      g_autoptr (Harness) harness = gst_harness_new_parse (line);
      GstBuffer *buffer = gst_buffer_new ();
      GstEventType type;

      gst_harness_set_src_caps_str (harness, C2G_CAPS);
      GST_BUFFER_PTS (buffer) = GST_SECOND;
      GST_BUFFER_DURATION (buffer) = GST_SECOND;
      g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
      do
        {
          g_autoptr (GstEvent) event = gst_harness_pull_event (harness);

          g_assert_nonnull (event);
          type = GST_EVENT_TYPE (event);
        }
      while (type != GST_EVENT_GAP);
      assert_caps_are (harness, caps);
      buffer = gst_buffer_new ();
      GST_BUFFER_PTS (buffer) = 2 * GST_SECOND;
      add_floats (buffer, "x", 3);
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      assert_caps_are (harness, caps);
    }
}

/* The first tensors change the caps from flexible ones to their own. */
static void
test_late_tensors (void)
{
  GstHarness *harness = new_bridge (C2G_CAPS);
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = 0;
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  assert_caps_are (harness, "other/tensors, format=flexible, framerate=(fraction)0/1");
  buffer = gst_buffer_new ();
  add_floats (buffer, "x", 3);
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
  assert_caps_are (harness, "other/tensors, format=static, num_tensors=1, types=(string)float32, "
                            "dimensions=(string)\"3:1:1:1\", framerate=(fraction)0/1");
  gst_harness_teardown (harness);
}

/* Elements start again. */
static void
test_again (void)
{
  GstHarness *harness = new_bridge (C2G_CAPS);

  for (guint i = 0; i < 3; i++)
    {
      GstBuffer *buffer = gst_buffer_new ();

      add_floats (buffer, "x", 3);
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      gst_element_set_state (harness->element, GST_STATE_READY);
      gst_element_set_state (harness->element, GST_STATE_PLAYING);
      gst_harness_push_event (harness, gst_event_new_stream_start ("again"));
      gst_harness_set_src_caps_str (harness, C2G_CAPS);
    }
  gst_harness_teardown (harness);
}

#define N_MEMORIES 16
#define TABLE      (24 + 240 * 80)

/* Makes so many uint8 tensors of 1, 2, 3 … elements. */
static char *
many_caps (guint n)
{
  g_autoptr (GString) type_text = g_string_new (NULL);
  g_autoptr (GString) dims_text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (type_text, "%suint8", i > 0 ? "," : "");
      g_string_append_printf (dims_text, "%s%u:1:1:1", i > 0 ? "." : "", i + 1);
    }

  return static_caps (n, type_text->str, dims_text->str);
}

/* A table as that of NNStreamer where pointers have 8 bytes. */
static void
fill_table (guint8 *data,
            guint   n)
{
  const guint32 head[] = { 0xf00dc0de, 0, n - N_MEMORIES, 0, N_MEMORIES, 0 };

  memcpy (data, head, sizeof head);
  for (guint i = 0; i < n - N_MEMORIES; i++)
    {
      const guint32 info[] = { 0, 0, 5, N_MEMORIES + i + 1, 1, 1, 1 };

      memcpy (data + sizeof head + i * 80, info, sizeof info);
    }
}

/* A buffer of NNStreamer with more tensors than memories: all bytes of a tensor are its number. */
static GstBuffer *
new_many (guint n)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize n_last = TABLE;
  guint8 *data;

  for (guint i = 0; i < N_MEMORIES - 1; i++)
    {
      GstBuffer *one = gst_buffer_new_allocate (NULL, i + 1, NULL);

      gst_buffer_memset (one, 0, i, -1);
      buffer = gst_buffer_append (buffer, one);
    }
  for (guint i = N_MEMORIES - 1; i < n; i++)
    n_last += i + 1;
  data = g_malloc0 (n_last);
  fill_table (data, n);
  n_last = TABLE;
  for (guint i = N_MEMORIES - 1; i < n; i++)
    {
      memset (data + n_last, i, i + 1);
      n_last += i + 1;
    }
  gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, data, n_last, 0, n_last, data, g_free));

  return buffer;
}

/* More tensors than a buffer has memories, both ways. */
static void
test_many (void)
{
  static const guint counts[] = { 17, 30, 256 };

  if (sizeof (gpointer) != 8)
    {
      g_test_skip ("Pointers have another size");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_autofree char *caps = many_caps (counts[i]);
      GstHarness *harness = new_bridge (caps);
      GstHarness *back = new_bridge (C2G_CAPS);
      g_autoptr (GstBuffer) many = new_many (counts[i]);
      GstBuffer *buffer = gst_harness_push_and_pull (harness, gst_buffer_ref (many));

      for (guint k = 0; k < counts[i]; k++)
        {
          g_autofree char *name = g_strdup_printf ("tensor%u", k);
          g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, NULL);

          g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, k + 1);
          g_assert_cmpfloat (c2g_tensor_get_value (tensor, k, NULL), ==, k);
        }
      buffer = gst_harness_push_and_pull (back, buffer);
      g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, N_MEMORIES);
      assert_same_bytes (buffer, many);
      gst_buffer_unref (buffer);
      gst_harness_teardown (back);
      gst_harness_teardown (harness);
    }
}

/* Buffers that have other bytes than their caps say, up to sizes that no number can hold. */
static void
test_sizes (void)
{
  static const struct
  {
    const char *dims;
    gsize size;
  } cases[] = {
    { "4", 15 },
    { "4", 17 },
    { "4", 0 },
    { "4294967295", 16 },
    { "4294967295:4294967295:4294967295", 16 },
    { "65536:65536:65536:16384", 16 },
    { "65536:65536:65536:16385", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *caps = static_caps (1, "float32", cases[i].dims);

      assert_refused (new_bridge (caps), new_guarded (cases[i].size));
    }
}

/* A table may lie about the tensors behind it, and bytes may be missing anywhere. */
static void
test_hostile_table (void)
{
  g_autofree char *caps = many_caps (20);
  g_autoptr (GstBuffer) many = new_many (20);

  for (guint i = c2g_test_count_rounds (300); i > 0; i--)
    {
      const gsize n_bytes = gst_buffer_get_size (many);
      const gsize n_left = i % 2 == 0 ? n_bytes : (gsize) g_test_rand_int_range (0, n_bytes);
      GstBuffer *buffer = new_guarded (n_left);
      GstHarness *harness = new_bridge (caps);
      GstMapInfo map;

      g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
      gst_buffer_extract (many, 0, map.data, n_left);
      if (i % 2 == 0)
        map.data[120 + 4 * (i % 3)] ^= 1 << g_test_rand_int_range (0, 8);
      gst_buffer_unmap (buffer, &map);
      if (i % 6 != 4)
        assert_refused (harness, buffer);
      else
        {
          gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
          gst_harness_teardown (harness);
        }
    }
}

/* Caps that describe nothing that can be. */
static void
test_hostile_caps (void)
{
  static const char *const all[] = {
    "other/tensor",
    "other/tensor, type=uint8",
    "other/tensor, type=uint8, dimension=(string)\"\"",
    "other/tensor, type=uint8, dimension=(string)\"0\"",
    "other/tensor, type=uint8, dimension=(string)\"2:0:2\"",
    "other/tensor, type=uint8, dimension=(string)\"-1\"",
    "other/tensor, type=uint8, dimension=(string)\"4294967296\"",
    "other/tensor, type=uint8, dimension=(string)\"2:2x\"",
    "other/tensor, type=uint8, dimension=(string)\"1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1\"",
    "other/tensor, type=uint8, dimension=(string)\"1,1\"",
    "other/tensor, type=string, dimension=(string)\"1\"",
    "other/tensor, type=(int)8, dimension=(int)1",
    "other/tensors, format=static",
    "other/tensors, format=sparse",
    "other/tensor, format=flexible",
    "other/tensors, format=static, num_tensors=0, types=(string)\"\", dimensions=(string)\"\"",
    "other/tensors, format=static, num_tensors=-1, types=uint8, dimensions=(string)\"1\"",
    "other/tensors, format=static, num_tensors=2, types=uint8, dimensions=(string)\"1\"",
    "other/tensors, format=static, num_tensors=2, types=(string)\"uint8,uint8\", dimensions=(string)\"1\"",
    "other/tensors, format=static, num_tensors=2, types=(string)\"uint8,uint8,uint8\", dimensions=(string)\"1,1,1\"",
    "other/tensors, format=static, num_tensors=257, types=uint8, dimensions=(string)\"1\"",
  };
  g_autofree char *many = many_caps (257);

  for (guint i = 0; i <= G_N_ELEMENTS (all); i++)
    {
      GstHarness *harness = new_bridge (i < G_N_ELEMENTS (all) ? all[i] : many);

      g_assert_cmpint (gst_harness_push (harness, new_guarded (1)), ==, GST_FLOW_NOT_NEGOTIATED);
      gst_harness_teardown (harness);
    }
}

static void
add_dims (GstBuffer    *buffer,
          C2gDataType   data_type,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  add_tensor (buffer, "x", tensor);
}

/* A single number gets a dimension; tensors that NNStreamer does not have are refused. */
static void
test_strange_tensors (void)
{
  static const gint64 ones[17] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
  static const gint64 none[] = { 2, 0 };
  static const struct
  {
    C2gDataType data_type;
    const gint64 *dims;
    gsize n_dims;
  } refused[] = {
    { C2G_DATA_TYPE_FLOAT, ones, 17 },
    { C2G_DATA_TYPE_FLOAT, none, 2 },
    { C2G_DATA_TYPE_BOOL, ones, 1 },
    { C2G_DATA_TYPE_BFLOAT16, ones, 1 },
  };
  GstHarness *harness = new_bridge (C2G_CAPS);
  GstBuffer *buffer = gst_buffer_new ();

  add_dims (buffer, C2G_DATA_TYPE_FLOAT, ones, 0);
  gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
  assert_caps_are (harness, "other/tensors, format=static, num_tensors=1, types=(string)float32, "
                            "dimensions=(string)\"1:1:1:1\", framerate=(fraction)0/1");
  gst_harness_teardown (harness);

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      buffer = gst_buffer_new ();
      add_dims (buffer, refused[i].data_type, refused[i].dims, refused[i].n_dims);
      assert_refused (new_bridge (C2G_CAPS), buffer);
    }
}

/* Tensors over the buffers of a small pool do not stop it. */
static void
test_pool (void)
{
  GstHarness *harness = new_bridge ("other/tensor, type=uint8, dimension=(string)\"64\"");
  GstBufferPool *pool = new_pool (64, 4);
  GQueue held = G_QUEUE_INIT;

  for (guint i = 0; i < 12; i++)
    {
      GstBuffer *buffer = gst_harness_push_and_pull (harness, acquire (pool, i));

      g_queue_push_tail (&held, c2g_gst_buffer_get_tensor (buffer, "tensor", NULL));
      gst_buffer_unref (buffer);
    }
  for (guint i = 0; i < 12; i++)
    {
      g_autoptr (C2gTensor) tensor = g_queue_pop_head (&held);

      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 63, NULL), ==, i);
    }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_harness_teardown (harness);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/rules/5-nnstreamer", test_static);
  add_gst_func ("/gst/bridge/types", test_types);
  add_gst_func ("/gst/bridge/dims", test_dims);
  add_gst_func ("/gst/bridge/wanted", test_wanted);
  add_gst_func ("/gst/bridge/not-wanted", test_not_wanted);
  add_gst_func ("/gst/bridge/other-memories", test_other_memories);
  add_gst_func ("/gst/bridge/names", test_names);
  add_gst_func ("/gst/bridge/change", test_change);
  add_gst_func ("/gst/bridge/shapes", test_shapes);
  add_gst_func ("/gst/bridge/events", test_events);
  add_gst_func ("/gst/bridge/gap", test_gap);
  add_gst_func ("/gst/bridge/flush", test_flush);
  add_gst_func ("/gst/bridge/flush-at-caps", test_flush_at_caps);
  add_gst_func ("/gst/bridge/nothing", test_nothing);
  add_gst_func ("/gst/bridge/no-tensors", test_no_tensors);
  add_gst_func ("/gst/bridge/preroll", test_preroll);
  add_gst_func ("/gst/bridge/preroll-static", test_preroll_static);
  add_gst_func ("/gst/bridge/late-tensors", test_late_tensors);
  add_gst_func ("/gst/bridge/again", test_again);
  add_gst_func ("/gst/bridge/many", test_many);
  add_gst_func ("/gst/bridge/sizes", test_sizes);
  add_gst_func ("/gst/bridge/hostile-table", test_hostile_table);
  add_gst_func ("/gst/bridge/hostile-caps", test_hostile_caps);
  add_gst_func ("/gst/bridge/strange-tensors", test_strange_tensors);
  add_gst_func ("/gst/bridge/pool", test_pool);

  return run_gst_tests ();
}
