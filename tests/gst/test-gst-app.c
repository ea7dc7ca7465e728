/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <gst/video/video.h>
#include <stdlib.h>
#include <string.h>

/* Tensors between programs and pipelines: c2gsink and c2gsrc. */

#define GRAY "video/x-raw, format=GRAY8, width=4, height=2, framerate=30/1"

/* A frame that carries the tensor “scores”. */
static GstBuffer *
new_frame_with (float score)
{
  g_autoptr (C2gTensor) tensor = new_floats (3);
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = new_bytes (8);

  g_assert_true (c2g_tensor_set_value (tensor, 0, score, &error));
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "scores", tensor, NULL, &error));
  g_assert_no_error (error);

  return buffer;
}

/* A frame and what is attached to it become blobs, without a copy, at whatever time the program
 * pulls; after the end there is nothing. */
static void
test_sink (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gWorkspace) none = NULL;

  g_object_set (sink, "sync", FALSE, NULL);
  gst_harness_set_src_caps_str (harness, GRAY);
  g_assert_cmpint (gst_harness_push (harness, new_frame_with (7)), ==, GST_FLOW_OK);

  workspace = pull_tensors (sink);
  g_assert_cmpfloat (sealed_value_of (workspace, "scores", 0), ==, 7);
  g_assert_cmpfloat (sealed_value_of (workspace, C2G_GST_FRAME, 7), ==, 7);

  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  g_signal_emit_by_name (sink, "pull-tensors", &none);
  g_assert_null (none);
}

/* A pipeline that fails ends pulling, also where the end of the stream does not come; frames before that are pulled. */
static void
test_sink_failing (void)
{
  static const struct
  {
    const char *line;
    guint       n_frames;
  } rows[] = {
    { "videotestsrc ! queue ! identity error-after=3 ! c2gsink name=sink sync=false", 2 },
    { "videotestsrc ! queue ! c2ginference model=/nowhere ! c2gsink name=sink sync=false", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GstElement) pipeline = gst_parse_launch (rows[i].line, NULL);
      g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
      g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
      C2gWorkspace *workspace;
      guint n_frames = 0;

      gst_element_set_state (pipeline, GST_STATE_PLAYING);
      for (; g_signal_emit_by_name (sink, "pull-tensors", &workspace), workspace != NULL; n_frames++)
        g_object_unref (workspace);
      g_assert_cmpuint (n_frames, ==, rows[i].n_frames);
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*"), >, 0);
      gst_element_set_state (pipeline, GST_STATE_NULL);
    }
}

/* The tensors of a workspace are the last ones of their names. The workspace comes by a context or the property. */
static void
check_sink_workspace (gboolean has_context)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GstContext) context = c2g_gst_context_new (workspace, FALSE);
  g_autoptr (C2gWorkspace) first = NULL;
  g_autoptr (C2gWorkspace) second = NULL;
  g_autoptr (C2gTensor) kept = NULL;
  g_autoptr (GError) error = NULL;

  if (has_context)
    gst_element_set_context (sink, context);
  else
    g_object_set (sink, "workspace", workspace, NULL);
  g_object_set (sink, "sync", FALSE, NULL);
  gst_harness_set_src_caps_str (harness, GRAY);
  gst_harness_push (harness, new_frame_with (1));
  gst_harness_push (harness, new_frame_with (2));
  gst_harness_push (harness, new_bytes (8));

  first = pull_tensors (sink);
  g_assert_true (first == workspace);
  kept = c2g_workspace_get_tensor (workspace, "scores", &error);
  second = pull_tensors (sink);
  g_clear_object (&second);
  second = pull_tensors (sink);
  g_assert_cmpfloat (sealed_value_of (workspace, "scores", 0), ==, 2);
  g_assert_cmpfloat (c2g_tensor_get_value (kept, 0, &error), ==, 1);
}

static void
test_sink_workspace (void)
{
  check_sink_workspace (TRUE);
  check_sink_workspace (FALSE);
}

/* Frames that no tensor can lie over bring what is attached to them. */
static void
test_sink_planes (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw, format=I420, width=4, height=2, framerate=30/1");
  g_autoptr (GstBuffer) buffer = new_frame_with (3);
  g_autoptr (GstSample) sample = gst_sample_new (buffer, caps, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_auto (GStrv) names = NULL;

  g_assert_null (c2g_gst_sample_get_tensor (sample, C2G_GST_FRAME, &error));
  assert_fails (&error, C2G_ERROR_NOT_SUPPORTED);
  g_assert_null (c2g_gst_sample_get_tensor (sample, "other", &error));
  g_assert_cmpstr (error->message, ==, "There is no tensor “other”, but “scores”");
  assert_fails (&error, C2G_ERROR_NOT_FOUND);
  names = c2g_gst_sample_list_tensors (sample);
  g_assert_cmpstrv (names, ((const char *[]) { "scores", NULL }));

  g_object_set (sink, "sync", FALSE, NULL);
  gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
  gst_harness_push (harness, g_steal_pointer (&buffer));
  workspace = pull_tensors (sink);
  g_assert_cmpfloat (sealed_value_of (workspace, "scores", 0), ==, 3);
  g_assert_false (c2g_workspace_has_blob (workspace, C2G_GST_FRAME));
}

static void
count_cb (GstElement *sink,
          gpointer    count)
{
  g_autoptr (C2gWorkspace) workspace = NULL;

  do
    {
      g_clear_object (&workspace);
      g_signal_emit_by_name (sink, "try-pull-tensors", (guint64) 0, &workspace);
      *(guint *) count += workspace != NULL;
    }
  while (workspace != NULL);
}

/* The program hears of frames in its own main context, and not in the streaming thread. */
static void
test_sink_signal (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (Harness) harness = NULL;
  g_autoptr (GstElement) sink = NULL;
  guint n_pulled = 0;

  g_main_context_push_thread_default (context);
  harness = gst_harness_new ("c2gsink");
  g_main_context_pop_thread_default (context);
  sink = gst_harness_find_element (harness, "c2gsink");
  g_object_set (sink, "sync", FALSE, NULL);
  g_signal_connect (sink, "new-tensors", G_CALLBACK (count_cb), &n_pulled);

  gst_harness_set_src_caps_str (harness, GRAY);
  for (int i = 0; i < 3; i++)
    gst_harness_push (harness, new_frame_with (i));
  g_assert_cmpuint (n_pulled, ==, 0);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (n_pulled, ==, 3);

  /* An element that goes before its context runs is not held by it. */
  gst_harness_push (harness, new_frame_with (3));
  g_object_add_weak_pointer (G_OBJECT (sink), (gpointer *) &sink);
  gst_harness_teardown (g_steal_pointer (&harness));
  gst_object_unref (sink);
  g_assert_null (sink);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (n_pulled, ==, 3);
}

static gpointer
push_frames (gpointer harness)
{
  for (int i = 0; i < 10; i++)
    gst_harness_push (harness, new_frame_with (i));

  return NULL;
}

/* No more than max-buffers frames wait, and none is lost; with drop, the newest stay. */
static void
test_sink_pressure (void)
{
  for (int drop = 0; drop < 2; drop++)
    {
      g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
      g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
      GThread *thread;
      guint max_buffers;

      g_object_get (sink, "max-buffers", &max_buffers, NULL);
      g_assert_cmpuint (max_buffers, ==, 4);
      g_object_set (sink, "sync", FALSE, "drop", drop, NULL);
      gst_harness_set_src_caps_str (harness, GRAY);
      thread = g_thread_new (NULL, push_frames, harness);
      if (drop)
        g_thread_join (g_steal_pointer (&thread));
      for (int i = drop ? 6 : 0; i < 10; i++)
        {
          g_autoptr (C2gWorkspace) workspace = pull_tensors (sink);

          g_assert_cmpfloat (sealed_value_of (workspace, "scores", 0), ==, i);
        }
      g_clear_pointer (&thread, g_thread_join);
    }
}

/* No frame of a list is lost, whatever the property of appsink says. */
static void
test_sink_lists (void)
{
  for (int takes = 0; takes < 2; takes++)
    {
      g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
      g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
      GstBufferList *list = gst_buffer_list_new ();

      g_object_set (sink, "sync", FALSE, "buffer-list", takes, NULL);
      gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
      for (int i = 1; i < 4; i++)
        {
          GstBuffer *buffer = gst_buffer_new ();

          add_floats (buffer, "x", i);
          gst_buffer_list_add (list, buffer);
        }
      g_assert_cmpint (gst_pad_push_list (harness->srcpad, list), ==, GST_FLOW_OK);
      for (int i = 1; i < 4; i++)
        {
          g_autoptr (C2gWorkspace) workspace = pull_tensors (sink);

          g_assert_cmpfloat (sealed_value_of (workspace, "x", i - 1), ==, i - 1);
        }
    }
}

static void
seek_cb (C2gWorkspace *workspace,
         guint         position,
         guint         n_removed,
         guint         n_added,
         GstElement   *pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (C2gWorkspace) next = NULL;

  g_signal_handlers_disconnect_by_func (workspace, seek_cb, pipeline);
  g_assert_true (gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0));
  next = pull_tensors (sink);
}

/* Whoever watches the workspace may seek while a frame is put into it. */
static void
test_sink_seek (void)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! video/x-raw,format=RGB,width=4,height=4 "
                                                      "! c2gsink name=sink sync=false",
                                                      NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) pulled = NULL;

  g_object_set (sink, "workspace", workspace, NULL);
  g_signal_connect (workspace, "items-changed", G_CALLBACK (seek_cb), pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pulled = pull_tensors (sink);
  g_assert_true (pulled == workspace);
  g_assert_cmpuint (g_signal_handler_find (workspace, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, pipeline), ==, 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* One property in place of caps makes a converter give frames that are tensors. */
static void
test_video_format (void)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gTensor) frame = NULL;
  g_autoptr (GError) error = NULL;

  pipeline = gst_parse_launch ("videotestsrc num-buffers=1 pattern=red ! video/x-raw,format=I420,width=30,height=20 "
                               "! videoconvert ! c2gsink name=sink video-format=rgb",
                               &error);
  g_assert_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  workspace = pull_tensors (sink);
  frame = c2g_workspace_get_tensor (workspace, C2G_GST_FRAME, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (frame, 0, NULL), ==, 20);
  g_assert_cmpint (c2g_tensor_get_n_bytes (frame), ==, 20 * 30 * 3);
  g_assert_cmpfloat (c2g_tensor_get_value (frame, 0, &error), >, 240);
  g_assert_cmpfloat (c2g_tensor_get_value (frame, 1, &error), <, 15);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static GstHarness *
new_src (GstElement **src)
{
  GstHarness *harness = gst_harness_new ("c2gsrc");

  *src = gst_harness_find_element (harness, "c2gsrc");
  gst_harness_play (harness);

  return harness;
}

static GstFlowReturn
push_tensor (GstElement *src,
             C2gTensor  *tensor)
{
  GstFlowReturn flow;

  g_signal_emit_by_name (src, "push-tensor", tensor, &flow);

  return flow;
}

static void
assert_caps (GstHarness *harness,
             const char *pattern)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  g_autofree char *text = gst_caps_to_string (caps);

  g_assert_true (g_pattern_match_simple (pattern, text));
}

/* A pushed tensor arrives without a copy; the caps say what it is, and follow when its shape changes. */
static void
test_src_tensor (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) other = new_floats (5);
  g_autoptr (C2gTensor) arrived = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstBuffer) next = NULL;
  g_autoptr (GError) error = NULL;

  g_object_set (src, "framerate", 25, 1, NULL);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
  g_assert_true (c2g_tensor_is_sealed (tensor));

  buffer = gst_harness_pull (harness);
  assert_caps (harness, "application/x-c2g-tensors, format=(string)static, tensor0=(structure)"
                        "[tensor, name=(string)tensor, type=(string)float, rank=(int)1, d0=(int)6;], framerate=(fraction)25/1");
  arrived = c2g_gst_buffer_get_tensor (buffer, "tensor", &error);
  g_assert_no_error (error);
  g_assert_true (address_of (arrived) == address_of (tensor));
  g_assert_true (address_in (buffer) == address_of (tensor));

  g_assert_cmpint (push_tensor (src, other), ==, GST_FLOW_OK);
  next = gst_harness_pull (harness);
  assert_caps (harness, "application/x-c2g-tensors, format=(string)static, tensor0=(structure)"
                        "[tensor, name=(string)tensor, type=(string)float, rank=(int)1, d0=(int)5;], framerate=(fraction)25/1");
  g_assert_cmpuint (GST_BUFFER_PTS (next), ==, 40 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (next), ==, 40 * GST_MSECOND);
  gst_object_unref (src);
}

/* Memory that others may write is copied, so that nothing changes in the pipeline. */
static void
test_src_shared (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gTensor) tensor = new_floats (2);
  g_autoptr (C2gTensor) sharer = new_floats (2);
  g_autoptr (C2gTensor) arrived = NULL;
  g_autoptr (C2gMapping) mapping = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_share_data (sharer, tensor, &error);
  g_assert_no_error (error);
  mapping = c2g_tensor_map (sharer, C2G_MAP_READ_WRITE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
  g_assert_false (c2g_tensor_is_sealed (tensor));
  g_assert_true (c2g_tensor_set_value (sharer, 1, 9, &error));

  /* The mapping alone, too, may write. */
  c2g_tensor_free_memory (sharer);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (harness);
  arrived = c2g_gst_buffer_get_tensor (buffer, "tensor", &error);
  g_assert_cmpfloat (c2g_tensor_get_value (arrived, 1, &error), ==, 1);
  gst_object_unref (src);
}

/* All tensors of a workspace travel in one buffer. One that has all the memories that a buffer may have gets no
 * more bytes, since these would be a copy. */
static void
test_src_workspace (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) text = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  GstFlowReturn flow;

  text = c2g_workspace_create_blob (workspace, "empty", &error);
  for (int i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("blob%d", i);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
      g_autoptr (C2gTensor) tensor = new_floats (i + 1);

      c2g_blob_set_object (blob, G_OBJECT (tensor));
    }
  g_signal_emit_by_name (src, "push-workspace", workspace, &flow);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);

  buffer = gst_harness_pull (harness);
  names = c2g_gst_buffer_list_tensors (buffer);
  g_assert_cmpuint (g_strv_length (names), ==, 20);
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, *name, &error);

      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, atoi (*name + strlen ("blob")) + 1);
    }
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, (1 + 16) * 16 / 2 * sizeof (float));
  gst_object_unref (src);
}

/* Returns the pushed frame as its bytes arrive in the pipeline. */
static GstBuffer *
push_frame (GstHarness     *harness,
            GstElement     *src,
            GstVideoFormat  format,
            C2gTensor      *tensor)
{
  g_object_set (src, "video-format", format, "framerate", 30, 1, NULL);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);

  return gst_harness_pull (harness);
}

static C2gTensor *
new_pixels (const gint64 *dims,
            gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  guint8 *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < c2g_tensor_get_n_bytes (tensor); i++)
    data[i] = i;

  return tensor;
}

/* Frames of video need no caps: the size follows from the shape. Rows are padded where GStreamer wants
 * that, and otherwise nothing is copied. */
static void
test_src_video (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gTensor) rgb = new_pixels (C2G_TEST_DIMS (2, 4, 3));
  g_autoptr (C2gTensor) narrow = new_pixels (C2G_TEST_DIMS (2, 3, 3));
  g_autoptr (C2gTensor) planes = new_pixels (C2G_TEST_DIMS (3, 2, 5));
  g_autoptr (GstBuffer) buffer = push_frame (harness, src, GST_VIDEO_FORMAT_RGB, rgb);
  guint8 bytes[5];

  g_assert_true (address_in (buffer) == address_of (rgb));
  assert_caps (harness, "video/x-raw, format=(string)RGB, width=(int)4, height=(int)2, *"
                        "framerate=(fraction)30/1*");

  gst_clear_buffer (&buffer);
  buffer = push_frame (harness, src, GST_VIDEO_FORMAT_RGB, narrow);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 24);
  gst_buffer_extract (buffer, 12, bytes, 3);
  g_assert_cmpmem (bytes, 3, ((guint8[]) { 9, 10, 11 }), 3);

  gst_clear_buffer (&buffer);
  buffer = push_frame (harness, src, GST_VIDEO_FORMAT_RGBP, planes);
  gst_buffer_extract (buffer, 32, bytes, 5);
  g_assert_cmpmem (bytes, 5, ((guint8[]) { 20, 21, 22, 23, 24 }), 5);
  gst_object_unref (src);
}

/* Rows are samples, columns channels; times follow from the rate. The sink gives them back. */
static void
test_audio (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gTensor) mono = new_floats (800);
  g_autoptr (C2gTensor) stereo = new_floats (12);
  g_autoptr (C2gTensor) frame = NULL;
  g_autoptr (GstBuffer) first = NULL;
  g_autoptr (GstBuffer) second = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstSample) sample = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_dims;

  g_object_set (src, "audio-rate", 8000, NULL);
  g_assert_cmpint (push_tensor (src, mono), ==, GST_FLOW_OK);
  first = gst_harness_pull (harness);
  assert_caps (harness, "audio/x-raw, format=(string)F32*, layout=(string)interleaved, rate=(int)8000, "
                        "channels=(int)1*");
  g_assert_true (address_in (first) == address_of (mono));
  g_assert_cmpuint (GST_BUFFER_DURATION (first), ==, 100 * GST_MSECOND);

  g_assert_true (c2g_tensor_reshape (stereo, C2G_TEST_DIMS (6, 2), &error));
  g_assert_cmpint (push_tensor (src, stereo), ==, GST_FLOW_OK);
  second = gst_harness_pull (harness);
  g_assert_cmpuint (GST_BUFFER_PTS (second), ==, 100 * GST_MSECOND);
  caps = gst_pad_get_current_caps (harness->sinkpad);
  sample = gst_sample_new (second, caps, NULL, NULL);
  frame = c2g_gst_sample_get_tensor (sample, C2G_GST_FRAME, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (c2g_tensor_get_dims (frame, &n_dims), 16, ((gint64[]) { 6, 2 }), 16);
  g_assert_cmpfloat (c2g_tensor_get_value (frame, 11, &error), ==, 11);
  gst_object_unref (src);
}

/* Each type of samples has its elements, and comes back as a tensor of them. */
static void
test_audio_types (void)
{
  static const struct
  {
    C2gDataType    data_type;
    GstAudioFormat format;
  } rows[] = {
    { C2G_DATA_TYPE_INT8, GST_AUDIO_FORMAT_S8 },
    { C2G_DATA_TYPE_UINT8, GST_AUDIO_FORMAT_U8 },
    { C2G_DATA_TYPE_INT16, GST_AUDIO_FORMAT_S16 },
    { C2G_DATA_TYPE_UINT16, GST_AUDIO_FORMAT_U16 },
    { C2G_DATA_TYPE_INT32, GST_AUDIO_FORMAT_S32 },
    { C2G_DATA_TYPE_UINT32, GST_AUDIO_FORMAT_U32 },
    { C2G_DATA_TYPE_FLOAT, GST_AUDIO_FORMAT_F32 },
    { C2G_DATA_TYPE_DOUBLE, GST_AUDIO_FORMAT_F64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GstElement *src;
      g_autoptr (Harness) harness = new_src (&src);
      g_autoptr (C2gTensor) floats = new_floats (4);
      g_autoptr (C2gTensor) tensor = c2g_tensor_convert (floats, rows[i].data_type, C2G_CONVERT_NONE, NULL);
      g_autoptr (C2gTensor) again = NULL;
      g_autoptr (GstBuffer) buffer = NULL;
      g_autoptr (GstCaps) caps = NULL;
      GstAudioInfo info;

      g_object_set (src, "audio-rate", 8000, NULL);
      g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
      buffer = gst_harness_pull (harness);
      caps = gst_pad_get_current_caps (harness->sinkpad);
      g_assert_true (gst_audio_info_from_caps (&info, caps));
      g_assert_cmpint (GST_AUDIO_INFO_FORMAT (&info), ==, rows[i].format);
      again = c2g_gst_tensor_new_from_audio_buffer (buffer, &info, NULL);
      g_assert_cmpint (c2g_tensor_get_data_type (again), ==, rows[i].data_type);
      g_assert_cmpfloat (c2g_tensor_get_value (again, 3, NULL), ==, 3);
      gst_object_unref (src);
    }
}

/* A tensor that does not fit, or has no data, ends the pipeline with an error that says so. */
static void
test_src_errors (void)
{
  GstElement *src;
  g_autoptr (Harness) harness = new_src (&src);
  g_autoptr (C2gTensor) floats = new_floats (6);
  g_autoptr (C2gTensor) pixels = new_pixels (C2G_TEST_DIMS (2, 4, 3));
  g_autoptr (C2gTensor) planes = new_pixels (C2G_TEST_DIMS (3, 480, 640));
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = NULL;
  g_autofree char *named = NULL;
  g_autofree char *nothing = NULL;
  GstFlowReturn flow;
  const struct
  {
    GstVideoFormat  format;
    int             rate;
    C2gTensor      *tensor;
    const char     *text;
  } cases[] = {
    { GST_VIDEO_FORMAT_RGB, 0, floats, "float [6] on cpu*no frame of the format RGB*" },
    { GST_VIDEO_FORMAT_BGRA, 0, pixels, "uint8 [2, 4, 3]*no frame of the format BGRA*" },
    { GST_VIDEO_FORMAT_I420, 0, pixels, "*no frame of the format I420*" },
    { GST_VIDEO_FORMAT_I420, 0, planes, "*no frame of the format I420*" },
    { GST_VIDEO_FORMAT_NV12, 0, planes, "*no frame of the format NV12*" },
    { GST_VIDEO_FORMAT_UNKNOWN, 8000, pixels, "uint8 [2, 4, 3]*no samples of audio*" },
    { GST_VIDEO_FORMAT_UNKNOWN, 0, empty, "*" },
    { GST_VIDEO_FORMAT_UNKNOWN, 0, NULL, "push-tensor got nothing*" },
    { GST_VIDEO_FORMAT_RGB, 0, NULL, "push-tensor got nothing*" },
  };

  watch_element (src);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *message = NULL;

      gst_element_set_state (src, GST_STATE_READY);
      gst_element_set_state (src, GST_STATE_PLAYING);
      g_object_set (src, "video-format", cases[i].format, "audio-rate", cases[i].rate, NULL);
      g_assert_cmpint (push_tensor (src, cases[i].tensor), ==, GST_FLOW_ERROR);
      message = pop_error (src);
      g_assert_nonnull (message);
      g_assert_true (g_pattern_match_simple (cases[i].text, message));
    }

  gst_element_set_state (src, GST_STATE_READY);
  gst_element_set_state (src, GST_STATE_PLAYING);
  blob = c2g_workspace_create_blob (workspace, "hollow", NULL);
  c2g_blob_set_object (blob, G_OBJECT (empty));
  g_signal_emit_by_name (src, "push-workspace", workspace, &flow);
  g_assert_cmpint (flow, ==, GST_FLOW_ERROR);
  named = pop_error (src);
  g_assert_true (g_pattern_match_simple ("*hollow*", named));

  gst_element_set_state (src, GST_STATE_READY);
  gst_element_set_state (src, GST_STATE_PLAYING);
  g_signal_emit_by_name (src, "push-workspace", NULL, &flow);
  g_assert_cmpint (flow, ==, GST_FLOW_ERROR);
  nothing = pop_error (src);
  g_assert_true (g_pattern_match_simple ("push-workspace got nothing*", nothing));
  gst_element_set_bus (src, NULL);
  gst_object_unref (src);
}

typedef struct
{
  GstElement *src;
  int         n_pushed;
} Pusher;

#define N_PUSHED 20

static gpointer
push_many (gpointer data)
{
  Pusher *pusher = data;

  for (int i = 0; i < N_PUSHED; i++)
    {
      g_autoptr (C2gTensor) tensor = new_floats (1);

      if (push_tensor (pusher->src, tensor) != GST_FLOW_OK)
        break;
      g_atomic_int_inc (&pusher->n_pushed);
    }

  return NULL;
}

/* A program that is faster than the pipeline waits, and is let go when the pipeline stops. */
static void
test_src_pressure (void)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GError) error = NULL;
  Pusher pusher = { 0 };
  GThread *thread;

  pipeline = gst_parse_launch ("c2gsrc name=src ! c2gsink sync=false", &error);
  g_assert_no_error (error);
  pusher.src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  thread = g_thread_new (NULL, push_many, &pusher);
  g_usleep (G_USEC_PER_SEC / 5);
  /* Four frames wait in each of the two elements, and one each is between their queues and the pad. */
  g_assert_cmpint (g_atomic_int_get (&pusher.n_pushed), >=, 4);
  g_assert_cmpint (g_atomic_int_get (&pusher.n_pushed), <=, 10);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_thread_join (thread);
  g_assert_cmpint (pusher.n_pushed, <=, 10);
  gst_object_unref (pusher.src);
}

/* A pipeline that fails lets a program go that waits, and takes nothing from then on. */
static void
test_src_fails (void)
{
  g_autoptr (GstElement) pipeline =
    gst_parse_launch ("c2gsrc name=src ! identity sleep-time=10000 error-after=2 ! fakesink sync=false", NULL);
  Pusher pusher = { gst_bin_get_by_name (GST_BIN (pipeline), "src") };
  g_autoptr (C2gTensor) tensor = new_floats (1);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  push_many (&pusher);
  g_assert_cmpint (pusher.n_pushed, <, N_PUSHED);
  g_assert_cmpint (push_tensor (pusher.src, tensor), ==, GST_FLOW_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pusher.src);
}

/* A tensor that cannot be pushed ends the stream: later ones are refused, and a sink gets the end. */
static void
test_src_refused (void)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("c2gsrc name=src ! c2gsink name=sink sync=false", NULL);
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) tensor = new_floats (1);
  C2gWorkspace *workspace;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_cmpint (push_tensor (src, empty), ==, GST_FLOW_ERROR);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_ERROR);
  g_signal_emit_by_name (sink, "pull-tensors", &workspace);
  g_assert_null (workspace);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
  workspace = pull_tensors (sink);
  g_assert_nonnull (workspace);
  g_object_unref (workspace);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* With block=false it does not wait: all tensors are taken, although no frame has gone on. */
static void
test_src_no_block (void)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("c2gsrc name=src block=false ! c2gsink", NULL);
  Pusher pusher = { gst_bin_get_by_name (GST_BIN (pipeline), "src") };

  gst_element_set_state (pipeline, GST_STATE_READY);
  push_many (&pusher);
  g_assert_cmpint (pusher.n_pushed, ==, N_PUSHED);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pusher.src);
}

/* Tensors go through a pipeline and back, and the end comes after the last of them. */
static void
test_round_trip (void)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) src = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (C2gWorkspace) none = NULL;
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;

  pipeline = gst_parse_launch ("c2gsrc name=src ! tee ! queue ! c2gsink name=sink sync=false", &error);
  g_assert_no_error (error);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (int i = 1; i <= 3; i++)
    {
      g_autoptr (C2gTensor) tensor = new_floats (i);

      g_assert_cmpint (push_tensor (src, tensor), ==, GST_FLOW_OK);
    }
  g_signal_emit_by_name (src, "end-of-stream", &flow);
  for (int i = 1; i <= 3; i++)
    {
      g_autoptr (C2gWorkspace) workspace = pull_tensors (sink);

      g_assert_cmpfloat (sealed_value_of (workspace, "tensor", i - 1), ==, i - 1);
    }
  g_signal_emit_by_name (sink, "pull-tensors", &none);
  g_assert_null (none);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Frames that wait in both elements go with a flush and when the pipeline stops; nothing stays, and each
 * start is a new one. */
static void
test_states (void)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) src = NULL;
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GError) error = NULL;

  pipeline = gst_parse_launch ("c2gsrc name=src framerate=1/1 ! c2gsink name=sink sync=false", &error);
  g_assert_no_error (error);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  for (int i = 0; i < 200; i++)
    {
      g_autoptr (C2gTensor) first = new_floats (1);
      g_autoptr (C2gTensor) second = new_floats (2);
      g_autoptr (GstSample) sample = NULL;

      gst_element_set_state (pipeline, i % 2 == 0 ? GST_STATE_PLAYING : GST_STATE_PAUSED);
      g_assert_cmpint (push_tensor (src, first), ==, GST_FLOW_OK);
      g_assert_cmpint (push_tensor (src, second), ==, GST_FLOW_OK);
      if (i % 3 == 0)
        {
          gst_element_send_event (src, gst_event_new_flush_start ());
          gst_element_send_event (src, gst_event_new_flush_stop (TRUE));
        }
      else if (i % 2 == 0)
        {
          g_signal_emit_by_name (sink, "pull-sample", &sample);
          g_assert_cmpuint (GST_BUFFER_PTS (gst_sample_get_buffer (sample)), ==, 0);
        }
      gst_element_set_state (pipeline, i % 5 == 0 ? GST_STATE_NULL : GST_STATE_READY);
      g_assert_cmpint (push_tensor (src, first), ==, GST_FLOW_FLUSHING);
    }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Caps with open dimensions meet those of a stream. */
static void
test_caps (void)
{
  g_autoptr (GstBuffer) buffer = new_frame_with (1);
  g_autoptr (GstCaps) caps = c2g_gst_caps_new_for_buffer (buffer);
  g_autoptr (GstCaps) open = gst_caps_from_string (
    "application/x-c2g-tensors, format=static, tensor0=(structure)\"tensor, type=(string)float, rank=1, d0=[1,max];\"");
  g_autoptr (GstCaps) other = gst_caps_from_string (
    "application/x-c2g-tensors, format=static, tensor0=(structure)\"tensor, type=(string)int32, rank=1, d0=[1,max];\"");

  g_assert_true (gst_caps_is_fixed (caps));
  g_assert_true (gst_caps_can_intersect (caps, open));
  g_assert_true (gst_caps_is_subset (caps, open));
  g_assert_false (gst_caps_can_intersect (caps, other));
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/app/sink", test_sink);
  add_gst_func ("/gst/app/sink-failing", test_sink_failing);
  add_gst_func ("/gst/app/sink-workspace", test_sink_workspace);
  add_gst_func ("/gst/app/sink-planes", test_sink_planes);
  add_gst_func ("/gst/app/sink-signal", test_sink_signal);
  add_gst_func ("/gst/app/sink-pressure", test_sink_pressure);
  add_gst_func ("/gst/app/sink-lists", test_sink_lists);
  add_gst_func ("/gst/app/sink-seek", test_sink_seek);
  add_gst_func ("/gst/app/video-format", test_video_format);
  add_gst_func ("/gst/app/src-tensor", test_src_tensor);
  add_gst_func ("/gst/app/src-shared", test_src_shared);
  add_gst_func ("/gst/app/src-workspace", test_src_workspace);
  add_gst_func ("/gst/app/src-video", test_src_video);
  add_gst_func ("/gst/app/audio", test_audio);
  add_gst_func ("/gst/app/audio-types", test_audio_types);
  add_gst_func ("/gst/app/src-errors", test_src_errors);
  add_gst_func ("/gst/app/src-pressure", test_src_pressure);
  add_gst_func ("/gst/app/src-no-block", test_src_no_block);
  add_gst_func ("/gst/app/src-fails", test_src_fails);
  add_gst_func ("/gst/app/src-refused", test_src_refused);
  add_gst_func ("/gst/app/round-trip", test_round_trip);
  add_gst_func ("/gst/app/states", test_states);
  add_gst_func ("/gst/app/caps", test_caps);

  return run_gst_tests ();
}
