/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-utils.h"

#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <math.h>
#include <string.h>

/* The elements of the plugin, with the model of examples. */

#define DIGITS_LINE "c2ginference name=inference preset=digits model=%s"

static char *
digits (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models", "digits", NULL);
}

static GstBuffer *
read_picture (int digit)
{
  g_autofree char *model = digits ();
  g_autofree char *path = g_strdup_printf ("%s/pictures/%d.png", model, digit);
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  char *data;
  gsize n;

  g_assert_true (g_file_get_contents (path, &data, &n, &error));
  g_assert_no_error (error);
  buffer = gst_buffer_new_wrapped (data, n);
  GST_BUFFER_PTS (buffer) = digit * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

/* Elements before and behind the model. */
static GstHarness *
new_harness (const char *before,
             const char *behind)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("%s " DIGITS_LINE " %s", before, model, behind);

  return gst_harness_new_parse (line);
}

/* The model alone, and frames of gray. */
static GstHarness *
new_gray_harness (void)
{
  GstHarness *harness = new_harness ("", "");

  gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, "
                                         "framerate=30/1");
  return harness;
}

static GstBuffer *
new_gray (GstClockTime time)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 32 * 32, NULL);

  gst_buffer_memset (buffer, 0, 0, 32 * 32);
  GST_BUFFER_PTS (buffer) = time;

  return buffer;
}

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

static void
assert_tensors (GstBuffer *buffer,
                const char *expected)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  g_autofree char *all = g_strjoinv (" ", names);

  g_assert_cmpstr (all, ==, expected);
}

static const char *const names[] = { "zero", "one", "two", "three", "four",
                                     "five", "six", "seven", "eight", "nine" };

static void
assert_region (GstBuffer *buffer,
               const char *expected)
{
  GstVideoRegionOfInterestMeta *region = gst_buffer_get_video_region_of_interest_meta (buffer);
  GstStructure *found = gst_video_region_of_interest_meta_get_param (region, "c2g-classification");
  double score;

  g_assert_cmpuint (region->w, ==, 32);
  g_assert_cmpstr (gst_structure_get_string (found, "label"), ==, expected);
  g_assert_true (gst_structure_get_double (found, "score", &score));
  g_assert_cmpfloat (score, >, 0.5);
}

/* Every picture is recognized in every format of pixels. */
static void
test_formats (void)
{
  const char *const formats[] = { "GRAY8", "RGB", "BGRx", "RGBA", "I420", "NV12", "YUY2" };

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *before =
          g_strdup_printf ("pngdec ! videoconvert ! capsfilter caps=video/x-raw,format=%s !", formats[i]);
      GstHarness *harness = new_harness (before, "! c2gdecode");

      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      for (int digit = 0; digit < 10; digit++)
        {
          GstBuffer *frame;

          g_assert_cmpint (gst_harness_push (harness, read_picture (digit)), ==, GST_FLOW_OK);
          frame = gst_harness_pull (harness);
          assert_region (frame, names[digit]);
          assert_tensors (frame, "softmax");
          gst_buffer_unref (frame);
        }
      gst_harness_teardown (harness);
    }
}

/* Rule 2: what is attached is sealed, and says where it comes from. */
static void
test_tensor (void)
{
  g_autoptr (GError) error = NULL;
  GstHarness *harness = new_gray_harness ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) next = NULL;
  GstBuffer *frame;
  double x, y;

  frame = gst_harness_push_and_pull (harness, new_gray (0));
  tensor = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 10);
  c2g_gst_geometry_map_point (c2g_gst_buffer_get_geometry (frame, "softmax"), 4, 8, &x, &y);
  g_assert_cmpfloat (x, ==, 16);
  g_assert_cmpfloat (y, ==, 32);
  gst_buffer_unref (frame);

  /* The next run leaves it as it is. */
  frame = gst_harness_push_and_pull (harness, new_gray (1));
  next = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  g_assert_true (address_of (next) != address_of (tensor));
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), >=, 0);
  g_assert_no_error (error);
}

/* Rule 6: in place, not passthrough: a frame that somebody else holds is not changed, nor copied. */
static void
test_shared_frame (void)
{
  GstHarness *harness = new_gray_harness ();
  GstBuffer *mine = new_gray (0);
  GstBuffer *alone = new_gray (1);
  GstBuffer *frame = gst_harness_push_and_pull (harness, gst_buffer_ref (mine));

  g_assert_true (frame != mine);
  assert_tensors (mine, "");
  assert_tensors (frame, "softmax");
  g_assert_true (gst_buffer_peek_memory (frame, 0) == gst_buffer_peek_memory (mine, 0));
  gst_buffer_unref (frame);
  gst_buffer_unref (mine);

  frame = gst_harness_push_and_pull (harness, alone);
  g_assert_true (frame == alone);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
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
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (harness->element, bus);
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

/* Rule 6: in a live stream, the frames that waited for a run go on without one, before a sink finds
 * them too late. */
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
    { 1000 * GST_SECOND, 2 * GST_SECOND, "" },
    { 1000 * GST_SECOND, 1000 * GST_SECOND, "softmax" },
    { 1000 * GST_SECOND + GST_MSECOND, 1000 * GST_SECOND, "softmax" },
  };
  GstHarness *harness = new_gray_harness ();

  gst_harness_use_testclock (harness);
  g_assert_cmpuint (gst_harness_query_latency (harness), >, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      GstBuffer *frame;

      gst_harness_set_time (harness, frames[i].now);
      frame = gst_harness_push_and_pull (harness, new_gray (frames[i].time));
      assert_tensors (frame, frames[i].tensors);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

/* Caps that change at every frame. */
static void
test_renegotiation (void)
{
  const char *const formats[] = { "GRAY8", "RGB", "I420" };
  GstHarness *harness = new_harness ("", "");

  for (int i = 0; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("video/x-raw, format=%s, width=%d, height=%d, "
                                               "framerate=%d/1",
                                               formats[i % 3], 16 + i, 40 - i, 1 + i % 4);
      g_autoptr (GstCaps) caps = gst_caps_from_string (text);
      GstVideoInfo info;
      GstBuffer *frame;

      g_assert_true (gst_video_info_from_caps (&info, caps));
      gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
      frame = gst_buffer_new_allocate (NULL, info.size, NULL);
      gst_buffer_memset (frame, 0, 128, info.size);
      frame = gst_harness_push_and_pull (harness, frame);
      assert_tensors (frame, "softmax");
      g_assert_cmpuint (c2g_gst_geometry_get_width (c2g_gst_buffer_get_geometry (frame, "softmax")),
                        ==, 16 + i);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

/* The message of the first error on the bus; NULL if there is none. */
static char *
pop_error (GstElement *element)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    return NULL;
  gst_message_parse_error (message, &error, NULL);

  return g_strdup (error->message);
}

static GstElement *
new_element (const char *factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);

  return element;
}

/* Messages on its bus hold the element. */
static void
free_element (GstElement *element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

static const struct
{
  const char *property;
  const char *value;
  const char *message;
} faults[] = {
  { "model", NULL, "*no model*" },
  { "model", "/nowhere", "*/nowhere*" },
  { "device", "nowhere", "*nowhere*" },
  { "labels", "/nowhere/labels.txt", "*/nowhere*" },
  { "preset", "other", "*other*" },
  { "size", "0x0", "*0x0*" },
  { "size", "3x5", "*operator*" },
};

/* Wrong properties fail when the element starts, with a message that names them. */
static void
test_bad_properties (void)
{
  g_autofree char *model = digits ();

  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      GstElement *element = new_element ("c2ginference");
      g_autofree char *message = NULL;

      g_object_set (element, "model", model, NULL);
      g_object_set (element, faults[i].property, faults[i].value, NULL);
      g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==,
                       GST_STATE_CHANGE_FAILURE);
      message = pop_error (element);
      g_assert_true (g_pattern_match_simple (faults[i].message, message));
      free_element (element);
    }
}

/* A model that fails while it runs ends the stream with what it says: without a preset, it gets frames
 * of whatever size. */
static void
test_bad_run (void)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("c2ginference channels=GRAY model=%s", model);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree char *message = NULL;

  gst_element_set_bus (harness->element, bus);
  gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, "
                                         "framerate=30/1");
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*operator*", message));
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* GStreamer reads beyond its own frames of some formats. */
static gboolean
is_read_beyond (GstVideoFormat format)
{
  return format == GST_VIDEO_FORMAT_UYVP || format == GST_VIDEO_FORMAT_NV12_10LE32 ||
         format == GST_VIDEO_FORMAT_NV16_10LE32;
}

/* Frames of all formats whose metas lie are refused at most. */
static void
test_bad_meta (void)
{
  GstHarness *harness = new_harness ("", "");
  guint n_runs = 0;

  for (guint i = c2g_test_count_rounds (400); i > 0; i--)
    {
      GstVideoFormat format = g_test_rand_int_range (GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_BGR10A2_LE);
      const char *mode = g_test_rand_int_range (0, 2) == 0 ? "progressive" : "interleaved";
      g_autofree char *caps = NULL;
      GstVideoInfo info;

      if (is_read_beyond (format))
        continue;
      gst_video_info_set_interlaced_format (&info, format, gst_video_interlace_mode_from_string (mode),
                                            g_test_rand_int_range (1, 70),
                                            g_test_rand_int_range (1, 70));
      caps = g_strdup_printf ("video/x-raw, format=%s, width=%d, height=%d, framerate=30/1, "
                              "interlace-mode=%s",
                              GST_VIDEO_INFO_NAME (&info), info.width, info.height, mode);
      gst_harness_set_src_caps_str (harness, caps);
      if (gst_harness_push (harness, new_hostile_frame (&info)) != GST_FLOW_OK)
        continue;
      gst_buffer_unref (gst_harness_pull (harness));
      n_runs++;
    }
  g_assert_cmpuint (n_runs, >, 0);
  gst_harness_teardown (harness);
}

/* Two models on one frame. */
static GstHarness *
new_pair (const char *property)
{
  g_autofree char *model = digits ();
  g_autofree char *behind = g_strdup_printf ("! c2ginference preset=digits model=%s %s", model, property);
  GstHarness *harness = new_harness ("", behind);

  gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, "
                                         "framerate=30/1");
  return harness;
}

static void
test_prefix (void)
{
  GstHarness *harness = new_pair ("prefix=second/");
  GstBuffer *frame = gst_harness_push_and_pull (harness, new_gray (0));

  assert_tensors (frame, "softmax second/softmax");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

static const char *
get_label (GstBus *bus)
{
  static char label[32];
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  const char *text = gst_structure_get_string (gst_message_get_structure (message), "label");

  g_strlcpy (label, text != NULL ? text : "none", sizeof label);

  return label;
}

/* A file with the names of ten classes, all of which begin with text. */
static char *
write_labels (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  char *path;
  int fd = g_file_open_tmp ("c2g-labels-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  for (int i = 0; i < 10; i++)
    g_string_append_printf (lines, "%s%d\n", text, i);
  g_assert_true (g_file_set_contents (path, lines->str, -1, &error));

  return path;
}

/* Behind several models, each tensor has the labels of its own model. */
static void
test_labels_of_models (void)
{
  const struct
  {
    const char *tensor;
    const char *label;
  } decoders[] = { { "softmax", "zero" }, { "second/softmax", "other-0" }, { "third/softmax", "zero" } };
  g_autofree char *labels = write_labels ("other-");
  g_autofree char *model = digits ();

  for (gsize i = 0; i < G_N_ELEMENTS (decoders); i++)
    {
      g_autofree char *behind =
        g_strdup_printf ("! c2ginference preset=digits model=%s prefix=second/ labels=%s "
                         "! c2ginference preset=digits model=%s prefix=third/ "
                         "! c2gdecode tensor=%s",
                         model, labels, model, decoders[i].tensor);
      GstHarness *harness = new_harness ("pngdec !", behind);
      g_autoptr (GstBus) bus = gst_bus_new ();

      gst_element_set_bus (harness->element, bus);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_buffer_unref (gst_harness_push_and_pull (harness, read_picture (0)));
      g_assert_cmpstr (get_label (bus), ==, decoders[i].label);
      gst_element_set_bus (harness->element, NULL);
      gst_harness_teardown (harness);
    }
  g_assert_cmpint (g_remove (labels), ==, 0);
}

/* A pipeline that starts again has them again. */
static void
test_labels_again (void)
{
  for (int i = 0; i < 2; i++)
    {
      GstHarness *harness = new_harness ("pngdec !", "! c2gdecode name=decode");
      g_autoptr (GstBus) bus = gst_bus_new ();

      gst_element_set_bus (harness->element, bus);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_element_set_state (harness->element, GST_STATE_READY);
      gst_element_set_state (harness->element, GST_STATE_PLAYING);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_buffer_unref (gst_harness_push_and_pull (harness, read_picture (3)));
      g_assert_cmpstr (get_label (bus), ==, "three");
      gst_element_set_bus (harness->element, NULL);
      gst_harness_teardown (harness);
    }
}

static void
test_same_names (void)
{
  GstHarness *harness = new_pair ("");
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree char *message = NULL;

  gst_element_set_bus (harness->element, bus);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*“prefix”*“softmax”*", message));
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* A net that takes a minute: products of large matrices. */
static char *
make_slow_model (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("c2g-XXXXXX", &error);
  g_autofree char *init = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict = g_build_filename (folder, "predict_net.pbtxt", NULL);
  g_autoptr (GString) text = g_string_new ("name: \"slow\" external_input: \"data\" external_input: \"w\" "
                                           "external_output: \"y0\" external_output: \"copy\" "
                                           "op { type: \"Copy\" input: \"data\" output: \"copy\" } "
                                           "op { type: \"Copy\" input: \"w\" output: \"y0\" } ");

  g_assert_true (g_file_set_contents (init,
                                      "name: \"init\" op { type: \"ConstantFill\" output: \"w\" "
                                      "arg { name: \"shape\" ints: 2000 ints: 2000 } "
                                      "arg { name: \"value\" f: 0.0005 } }",
                                      -1, &error));
  for (int i = 0; i < 200; i++)
    g_string_append_printf (text,
                            "op { type: \"MatMul\" input: \"y%d\" input: \"w\" output: \"y%d\" } ",
                            i % 2, (i + 1) % 2);
  g_assert_true (g_file_set_contents (predict, text->str, -1, &error));
  g_assert_no_error (error);

  return folder;
}

static void
remove_model (char *folder)
{
  g_autofree char *init = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict = g_build_filename (folder, "predict_net.pbtxt", NULL);

  g_assert_cmpint (g_remove (init) | g_remove (predict) | g_rmdir (folder), ==, 0);
  g_free (folder);
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

      gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, "
                                             "framerate=30/1");
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

static void
test_states (void)
{
  g_autofree char *model = digits ();
  GstElement *element = new_element ("c2ginference");
  const GstState states[] = { GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PLAYING, GST_STATE_NULL };

  g_object_set (element, "model", model, "preset", "digits", NULL);
  for (guint i = c2g_test_count_rounds (400); i > 0; i--)
    g_assert_cmpint (gst_element_set_state (element, states[i % 4]), !=, GST_STATE_CHANGE_FAILURE);
  free_element (element);
}

/* Text, the labels that the model sends, and messages. */
static void
test_text (void)
{
  GstHarness *harness = new_harness ("pngdec !", "! c2gdecode ! capsfilter caps=text/x-raw");

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  for (int digit = 0; digit < 10; digit++)
    {
      GstBuffer *line = gst_harness_push_and_pull (harness, read_picture (digit));
      g_autofree char *text = NULL;
      gsize n;

      gst_buffer_extract_dup (line, 0, -1, (gpointer *) &text, &n);
      g_assert_true (g_str_has_prefix (text, names[digit]) && text[n - 1] == '\n');
      g_assert_cmpuint (GST_BUFFER_PTS (line), ==, digit * GST_SECOND);
      gst_buffer_unref (line);
    }
  gst_harness_teardown (harness);
}

/* A decoder alone, with scores of the test's own. */
static GstHarness *
new_decoder (const char *line,
             const char *caps)
{
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (harness->element, bus);
  gst_harness_set_src_caps_str (harness, caps);

  return harness;
}

static void
free_decoder (GstHarness *harness)
{
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

static GstBuffer *
new_scores (float first,
            float second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (2);
  GstBuffer *buffer = gst_buffer_new ();

  g_assert_true (c2g_tensor_set_value (tensor, 0, first, &error));
  g_assert_true (c2g_tensor_set_value (tensor, 1, second, &error));
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "scores", tensor, NULL, &error));
  g_assert_no_error (error);
  GST_BUFFER_PTS (buffer) = 5;

  return buffer;
}

/* Any media may have tensors; without labels there are numbers. */
static void
test_decode_message (void)
{
  GstHarness *harness = new_decoder ("c2gdecode mode=classify", "application/x-other");
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  const GstStructure *structure;
  guint64 time;
  guint index;

  gst_buffer_unref (gst_harness_push_and_pull (harness, new_scores (-2, -1)));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  structure = gst_message_get_structure (message);
  g_assert_true (gst_structure_has_name (structure, "c2g-classification"));
  g_assert_true (gst_structure_get (structure, "index", G_TYPE_UINT, &index, "timestamp",
                                    G_TYPE_UINT64, &time, NULL));
  g_assert_cmpuint (index, ==, 1);
  g_assert_cmpuint (time, ==, 5);
  g_assert_false (gst_structure_has_field (structure, "label"));

  /* Buffers without tensors pass. */
  gst_buffer_unref (gst_harness_push_and_pull (harness, gst_buffer_new ()));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT));
  free_decoder (harness);
}

static void
test_decode_text (void)
{
  GstHarness *harness = new_decoder ("c2gdecode ! capsfilter caps=text/x-raw", "application/x-other");
  g_autofree char *text = NULL;
  GstBuffer *line;
  gsize n;

  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new ()), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  line = gst_harness_push_and_pull (harness, new_scores (0.25, NAN));
  gst_buffer_extract_dup (line, 0, -1, (gpointer *) &text, &n);
  g_assert_cmpmem (text, n, "0 25.0 %\n", 9);
  gst_buffer_unref (line);
  free_decoder (harness);
}

static const struct
{
  float first;
  float second;
  const char *text;
} strange[] = {
  { NAN, 0.5f, "1 50.0 %\n" },
  { 0.25f, NAN, "0 25.0 %\n" },
  { INFINITY, 0.5f, "1 50.0 %\n" },
  { -INFINITY, -2, "1 -200.0 %\n" },
  { NAN, NAN, NULL },
  { -INFINITY, NAN, NULL },
  { 0.5f, 0.25f, "0 50.0 %\n" },
};

/* Scores that are not finite are left out, and a stream goes on without any. */
static void
test_decode_not_finite (void)
{
  GstHarness *harness = new_decoder ("c2gdecode ! capsfilter caps=text/x-raw", "application/x-other");
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  g_autoptr (GstMessage) warning = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *text = NULL;
      GstBuffer *line;

      g_assert_cmpint (gst_harness_push (harness, new_scores (strange[i].first, strange[i].second)),
                       ==, GST_FLOW_OK);
      line = gst_harness_try_pull (harness);
      g_assert_true ((line != NULL) == (strange[i].text != NULL));
      if (line == NULL)
        continue;
      text = g_malloc0 (gst_buffer_get_size (line) + 1);
      gst_buffer_extract (line, 0, text, gst_buffer_get_size (line));
      g_assert_cmpstr (text, ==, strange[i].text);
      gst_buffer_unref (line);
    }

  /* One warning is enough. */
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_assert_nonnull (warning);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  free_decoder (harness);
}

/* Elements have the names that gst-launch-1.0 and logs would lead one to expect. */
static void
test_element_names (void)
{
  const char *const factories[] = { "c2ginference", "c2gdecode" };

  for (gsize i = 0; i < G_N_ELEMENTS (factories); i++)
    {
      GstElement *element = new_element (factories[i]);

      g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (element), factories[i]));
      free_element (element);
    }
}

/* Every property has the value that it was given, and those of the table their defaults. */
static void
test_properties (void)
{
  GstElement *element = new_element ("c2ginference");
  g_autofree char *model = NULL;
  gboolean is_crop;
  guint n_threads, optimize;
  int access;

  g_object_get (element, "model", &model, "crop", &is_crop, "threads", &n_threads, "optimize",
                &optimize, "file-access", &access, NULL);
  g_assert_null (model);
  g_assert_false (is_crop);
  g_assert_cmpuint (n_threads, ==, 0);
  g_assert_cmpuint (optimize, ==, C2G_OPTIMIZE_ALL);
  g_assert_cmpint (access, ==, C2G_FILE_ACCESS_MODEL);

  gst_util_set_object_arg (G_OBJECT (element), "optimize", "none");
  g_object_set (element, "model", "first", "crop", TRUE, "threads", 3, "file-access",
                C2G_FILE_ACCESS_NONE, NULL);
  g_object_set (element, "model", "second", NULL);
  g_object_get (element, "model", &model, "crop", &is_crop, "threads", &n_threads, "optimize",
                &optimize, "file-access", &access, NULL);
  g_assert_cmpstr (model, ==, "second");
  g_assert_true (is_crop);
  g_assert_cmpuint (n_threads, ==, 3);
  g_assert_cmpuint (optimize, ==, C2G_OPTIMIZE_NONE);
  g_assert_cmpint (access, ==, C2G_FILE_ACCESS_NONE);
  free_element (element);
}

static void
test_decode_errors (void)
{
  GstHarness *harness = new_decoder ("c2gdecode tensor=other", "application/x-other");
  g_autofree char *unknown = NULL;
  g_autofree char *labels = NULL;
  GstElement *element = new_element ("c2gdecode");

  g_assert_cmpint (gst_harness_push (harness, new_scores (1, 2)), ==, GST_FLOW_ERROR);
  unknown = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*other*", unknown));
  free_decoder (harness);

  g_object_set (element, "labels", "/nowhere/labels.txt", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  labels = pop_error (element);
  g_assert_true (g_pattern_match_simple ("*/nowhere*", labels));
  free_element (element);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/gst/inference/formats", test_formats);
  c2g_test_add_func ("/gst/inference/tensor", test_tensor);
  c2g_test_add_func ("/gst/inference/shared-frame", test_shared_frame);
  c2g_test_add_func ("/gst/inference/latency", test_latency);
  c2g_test_add_func ("/gst/inference/late", test_late);
  c2g_test_add_func ("/gst/inference/throttle", test_throttle);
  c2g_test_add_func ("/gst/inference/throttled-by-sink", test_throttled_by_sink);
  c2g_test_add_func ("/gst/inference/messages", test_messages);
  c2g_test_add_func ("/gst/inference/live", test_live);
  c2g_test_add_func ("/gst/inference/renegotiation", test_renegotiation);
  c2g_test_add_func ("/gst/inference/bad-properties", test_bad_properties);
  c2g_test_add_func ("/gst/inference/bad-run", test_bad_run);
  c2g_test_add_func ("/gst/inference/bad-meta", test_bad_meta);
  c2g_test_add_func ("/gst/inference/prefix", test_prefix);
  c2g_test_add_func ("/gst/inference/same-names", test_same_names);
  c2g_test_add_func ("/gst/inference/names", test_element_names);
  c2g_test_add_func ("/gst/inference/properties", test_properties);
  c2g_test_add_func ("/gst/inference/labels-of-models", test_labels_of_models);
  c2g_test_add_func ("/gst/inference/labels-again", test_labels_again);
  c2g_test_add_func ("/gst/inference/cancel", test_cancel);
  c2g_test_add_func ("/gst/inference/states", test_states);
  c2g_test_add_func ("/gst/decode/text-of-model", test_text);
  c2g_test_add_func ("/gst/decode/message", test_decode_message);
  c2g_test_add_func ("/gst/decode/text", test_decode_text);
  c2g_test_add_func ("/gst/decode/not-finite", test_decode_not_finite);
  c2g_test_add_func ("/gst/decode/errors", test_decode_errors);

  return run_gst_tests ();
}
