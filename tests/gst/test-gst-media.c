/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <string.h>

static GstBuffer *
new_frame (GstVideoInfo *info,
           GstVideoFormat format,
           guint width,
           guint height)
{
  g_assert_true (gst_video_info_set_format (info, format, width, height));

  return new_bytes (info->size);
}

static void
assert_dims (C2gTensor *tensor,
             const char *expected)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? "x" : "", (int) dims[i]);
  g_assert_cmpstr (text->str, ==, expected);
}

static const struct
{
  GstVideoFormat format;
  guint width;
  const char *dims;
  C2gDataType data_type;
  gboolean is_copy;
} frames[] = {
  { GST_VIDEO_FORMAT_RGB, 8, "6x8x3", C2G_DATA_TYPE_UINT8, FALSE },
  { GST_VIDEO_FORMAT_BGR, 5, "6x5x3", C2G_DATA_TYPE_UINT8, TRUE },
  { GST_VIDEO_FORMAT_BGRx, 5, "6x5x4", C2G_DATA_TYPE_UINT8, FALSE },
  { GST_VIDEO_FORMAT_RGBA, 5, "6x5x4", C2G_DATA_TYPE_UINT8, FALSE },
  { GST_VIDEO_FORMAT_GRAY8, 8, "6x8", C2G_DATA_TYPE_UINT8, FALSE },
  { GST_VIDEO_FORMAT_GRAY8, 6, "6x6", C2G_DATA_TYPE_UINT8, TRUE },
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  { GST_VIDEO_FORMAT_GRAY16_LE, 8, "6x8", C2G_DATA_TYPE_UINT16, FALSE },
#endif
  { GST_VIDEO_FORMAT_GBR, 8, "3x6x8", C2G_DATA_TYPE_UINT8, FALSE },
  { GST_VIDEO_FORMAT_RGBP, 6, "3x6x6", C2G_DATA_TYPE_UINT8, TRUE },
};

static void
test_video (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autoptr (GError) error = NULL;
      GstVideoInfo info;
      GstBuffer *buffer = new_frame (&info, frames[i].format, frames[i].width, 6);
      C2gTensor *tensor = c2g_gst_tensor_new_from_video_frame (buffer, &info, &error);
      gint64 last;

      g_assert_no_error (error);
      assert_dims (tensor, frames[i].dims);
      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, frames[i].data_type);
      g_assert_cmpint (address_of (tensor) != address_in (buffer), ==, frames[i].is_copy);
      g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, frames[i].is_copy ? 1 : 2);

      /* The last row of the last plane. */
      last = c2g_tensor_get_n_elements (tensor) - 1;
      if (frames[i].data_type == C2G_DATA_TYPE_UINT8)
        {
          guint plane = GST_VIDEO_INFO_N_PLANES (&info) - 1;
          gsize at = GST_VIDEO_INFO_PLANE_OFFSET (&info, plane) +
                     5 * GST_VIDEO_INFO_PLANE_STRIDE (&info, plane) +
                     frames[i].width * GST_VIDEO_INFO_COMP_PSTRIDE (&info, 0) - 1;

          g_assert_cmpfloat (c2g_tensor_get_value (tensor, last, &error), ==, (guint8) at);
        }
      gst_buffer_unref (buffer);
      g_assert_finalize_object (tensor);
    }
}

static void
count_cb (GstDebugCategory *category,
          GstDebugLevel     level,
          const char       *file,
          const char       *function,
          int               line,
          GObject          *object,
          GstDebugMessage  *message,
          gpointer          count)
{
  *(guint *) count += g_str_equal (gst_debug_category_get_name (category), "GST_PERFORMANCE") && level == GST_LEVEL_INFO;
}

/* The log tells of the frames that are copied, and only of these. */
static void
test_log (void)
{
  guint n_told = 0, n_copies = 0;

  gst_debug_set_active (TRUE);
  gst_debug_set_threshold_for_name ("GST_PERFORMANCE", GST_LEVEL_INFO);
  gst_debug_add_log_function (count_cb, &n_told, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      GstVideoInfo info;
      g_autoptr (GstBuffer) buffer = new_frame (&info, frames[i].format, frames[i].width, 6);
      g_autoptr (C2gTensor) tensor = c2g_gst_tensor_new_from_video_frame (buffer, &info, NULL);

      g_assert_nonnull (tensor);
      n_copies += frames[i].is_copy;
    }
  gst_debug_remove_log_function (count_cb);
  gst_debug_unset_threshold_for_name ("GST_PERFORMANCE");
  g_assert_cmpuint (n_copies, >, 0);
  g_assert_cmpuint (n_told, ==, n_copies);
}

/* Offsets and strides come from the meta of the buffer, if it has one. */
static void
test_video_meta (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  GstVideoInfo info;
  GstBuffer *buffer = new_bytes (200);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 20 };
  int stride[GST_VIDEO_MAX_PLANES] = { 32 };

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 8, 4);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_RGB, 8, 4, 1,
                                  offset, stride);
  tensor = c2g_gst_tensor_new_from_video_frame (buffer, &info, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), ==, 20);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 24, &error), ==, 52);
  gst_buffer_unref (buffer);
}

static const struct
{
  GstVideoFormat format;
  guint width;
  gsize offset;
  int stride;
} outside[] = {
  { GST_VIDEO_FORMAT_RGB, 8, 105, 24 },
  { GST_VIDEO_FORMAT_RGB, 8, 4096, 24 },
  { GST_VIDEO_FORMAT_RGB, 8, 0, 59 },
  { GST_VIDEO_FORMAT_RGB, 8, 0, G_MAXINT },
  { GST_VIDEO_FORMAT_RGB, 8, 0, -24 },
  { GST_VIDEO_FORMAT_RGB, 8, 71, -24 },
  { GST_VIDEO_FORMAT_RGB, 7, 0, 24 },
  { GST_VIDEO_FORMAT_BGR, 8, 0, 24 },
};

/* A meta that lies is not believed. */
static void
test_video_meta_outside (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (outside); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GstBuffer) buffer = new_guarded (200);
      gsize offset[GST_VIDEO_MAX_PLANES] = { outside[i].offset };
      int stride[GST_VIDEO_MAX_PLANES] = { outside[i].stride };
      GstVideoInfo info;

      gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 8, 4);
      gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, outside[i].format,
                                      outside[i].width, 4, 1, offset, stride);
      g_assert_null (c2g_gst_tensor_new_from_video_frame (buffer, &info, &error));
      g_assert_true (error->code == C2G_ERROR_RANGE || error->code == C2G_ERROR_BUSY);
      g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
    }
}

/* Pictures that are stored bottom-up, and rows that end where the buffer does. */
static void
test_video_meta_inside (void)
{
  const struct
  {
    gsize offset;
    int stride;
    int second;
  } metas[] = { { 73, 15, 88 }, { 105, -20, 85 } };

  for (gsize i = 0; i < G_N_ELEMENTS (metas); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GstBuffer) buffer = new_bytes (120);
      gsize offset[GST_VIDEO_MAX_PLANES] = { metas[i].offset };
      int stride[GST_VIDEO_MAX_PLANES] = { metas[i].stride };
      GstVideoInfo info;

      gst_buffer_set_size (buffer, i == 0 ? 118 : 120);
      gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 5, 3);
      gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_RGB, 5, 3, 1,
                                      offset, stride);
      tensor = c2g_gst_tensor_new_from_video_frame (buffer, &info, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 15, &error), ==, metas[i].second);
    }
}

/* What is in a tensor can be read. */
static void
test_video_meta_random (void)
{
  guint n_tensors = 0;

  for (guint i = c2g_test_count_rounds (1000); i > 0; i--)
    {
      const GstVideoFormat format = frames[g_test_rand_int_range (0, G_N_ELEMENTS (frames))].format;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;
      GstBuffer *buffer;
      GstVideoInfo info;

      gst_video_info_set_format (&info, format, g_test_rand_int_range (1, 40),
                                 g_test_rand_int_range (1, 40));
      buffer = new_hostile_frame (&info);
      tensor = c2g_gst_tensor_new_from_video_frame (buffer, &info, &error);
      gst_buffer_unref (buffer);
      g_assert_true ((tensor != NULL) == (error == NULL));
      if (tensor == NULL)
        continue;
      bytes = c2g_tensor_dup_bytes (tensor, &error);
      g_assert_no_error (error);
      n_tensors++;
    }
  g_assert_cmpuint (n_tensors, >, 0);
}

static void
test_video_errors (void)
{
  const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
                                     GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_RGB16,
                                     GST_VIDEO_FORMAT_GRAY16_BE };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) small = new_bytes (10);
  GstVideoInfo info;

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      GstBuffer *buffer = new_frame (&info, formats[i], 8, 6);

      g_assert_null (c2g_gst_tensor_new_from_video_frame (buffer, &info, &error));
      assert_fails (&error, C2G_ERROR_NOT_SUPPORTED);
      gst_buffer_unref (buffer);
    }

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 8, 6);
  g_assert_null (c2g_gst_tensor_new_from_video_frame (small, &info, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
}

static const struct
{
  GstAudioFormat format;
  C2gDataType data_type;
} samples[] = {
  { GST_AUDIO_FORMAT_S8, C2G_DATA_TYPE_INT8 },
  { GST_AUDIO_FORMAT_U8, C2G_DATA_TYPE_UINT8 },
  { GST_AUDIO_FORMAT_S16, C2G_DATA_TYPE_INT16 },
  { GST_AUDIO_FORMAT_U16, C2G_DATA_TYPE_UINT16 },
  { GST_AUDIO_FORMAT_S32, C2G_DATA_TYPE_INT32 },
  { GST_AUDIO_FORMAT_U32, C2G_DATA_TYPE_UINT32 },
  { GST_AUDIO_FORMAT_F32, C2G_DATA_TYPE_FLOAT },
  { GST_AUDIO_FORMAT_F64, C2G_DATA_TYPE_DOUBLE },
};

static void
test_audio (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    for (int layout = 0; layout < 2; layout++)
      {
        g_autoptr (GError) error = NULL;
        GstAudioInfo info;
        GstBuffer *buffer;
        C2gTensor *tensor;

        gst_audio_info_set_format (&info, samples[i].format, 16000, 2, NULL);
        info.layout = layout == 0 ? GST_AUDIO_LAYOUT_INTERLEAVED : GST_AUDIO_LAYOUT_NON_INTERLEAVED;
        buffer = new_bytes (10 * info.bpf);
        if (layout != 0)
          gst_buffer_add_audio_meta (buffer, &info, 10, NULL);
        tensor = c2g_gst_tensor_new_from_audio_buffer (buffer, &info, &error);
        g_assert_no_error (error);
        assert_dims (tensor, layout == 0 ? "10x2" : "2x10");
        g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, samples[i].data_type);
        g_assert_true (address_of (tensor) == address_in (buffer));
        gst_buffer_unref (buffer);
        g_assert_finalize_object (tensor);
      }
}

/* Channels that do not follow each other. */
static void
test_audio_gaps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  gsize offsets[] = { 40, 8 };
  GstAudioInfo info;
  GstBuffer *buffer = new_bytes (100);

  gst_audio_info_set_format (&info, GST_AUDIO_FORMAT_U8, 16000, 2, NULL);
  info.layout = GST_AUDIO_LAYOUT_NON_INTERLEAVED;
  gst_buffer_add_audio_meta (buffer, &info, 10, offsets);
  tensor = c2g_gst_tensor_new_from_audio_buffer (buffer, &info, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 9, &error), ==, 49);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 10, &error), ==, 8);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  gst_buffer_unref (buffer);
}

/* Metas that promise more samples than there are, or others. */
static void
test_audio_meta_outside (void)
{
  const GstAudioFormat formats[] = { GST_AUDIO_FORMAT_S16, GST_AUDIO_FORMAT_S16, GST_AUDIO_FORMAT_U8 };
  const GstAudioLayout layouts[] = { GST_AUDIO_LAYOUT_INTERLEAVED, GST_AUDIO_LAYOUT_NON_INTERLEAVED };

  for (gsize i = 0; i < G_N_ELEMENTS (formats) * G_N_ELEMENTS (layouts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GstBuffer) buffer = new_guarded (400);
      GstAudioInfo info, other;
      GstAudioMeta *meta;

      gst_audio_info_set_format (&info, GST_AUDIO_FORMAT_S16, 16000, 2, NULL);
      gst_audio_info_set_format (&other, formats[i / 2], 16000, 2, NULL);
      info.layout = layouts[i % 2];
      other.layout = layouts[i / 2 == 1 ? 1 - i % 2 : i % 2];
      meta = gst_buffer_add_audio_meta (buffer, &other, 50, NULL);
      meta->samples = 101;
      g_assert_null (c2g_gst_tensor_new_from_audio_buffer (buffer, &info, &error));
      g_assert_true (error->code == C2G_ERROR_RANGE || error->code == C2G_ERROR_BUSY);
      g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
    }
}

/* Planes of samples need a meta that says where they are. */
static void
test_audio_without_meta (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = new_bytes (40);
  GstAudioInfo info;

  gst_audio_info_set_format (&info, GST_AUDIO_FORMAT_S16, 16000, 2, NULL);
  info.layout = GST_AUDIO_LAYOUT_NON_INTERLEAVED;
  g_assert_null (c2g_gst_tensor_new_from_audio_buffer (buffer, &info, &error));
  assert_fails (&error, C2G_ERROR_RANGE);
}

static void
test_audio_errors (void)
{
  const GstAudioFormat formats[] = { GST_AUDIO_FORMAT_S24LE, GST_AUDIO_FORMAT_S24_32LE,
                                     GST_AUDIO_FORMAT_S16BE };
  g_autoptr (GError) error = NULL;
  GstAudioInfo info;

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GstBuffer) buffer = new_bytes (24);

      gst_audio_info_set_format (&info, formats[i], 16000, 2, NULL);
      g_assert_null (c2g_gst_tensor_new_from_audio_buffer (buffer, &info, &error));
      assert_fails (&error, C2G_ERROR_NOT_SUPPORTED);
    }
}

/* A workspace comes through a context. */
static void
test_context (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) found = NULL;
  GstContext *context = c2g_gst_context_new (workspace, TRUE);
  GstContext *other = gst_context_new ("other", FALSE);

  g_assert_true (gst_context_has_context_type (context, C2G_GST_CONTEXT_TYPE_WORKSPACE));
  g_assert_true (gst_context_is_persistent (context));
  found = c2g_gst_context_get_workspace (context);
  g_assert_true (found == workspace);
  g_assert_null (c2g_gst_context_get_workspace (other));
  gst_context_unref (context);
  gst_context_unref (other);
}

/* Rows that must be copied need memory: without it there is an error, and the buffer is let go. */
static void
test_no_memory (void)
{
  C2gDevice *cpu = c2g_device_cpu ();
  g_autoptr (C2gAllocator) upstream = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (upstream, 1);
  g_autoptr (GstBuffer) buffer = new_bytes (2 * 12);
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 3, 2);
  g_assert_true (c2g_allocator_set_default (cpu, limiting, NULL));
  g_assert_null (c2g_gst_tensor_new_from_video_frame (buffer, &info, &error));
  assert_fails (&error, C2G_ERROR_NO_MEMORY);
  g_assert_true (c2g_allocator_set_default (cpu, NULL, NULL));
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
}

/* A frame of a format whose pixels are not whole bytes may end where its memory does. */
static void
test_partial_pixels (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_UYVP, GST_VIDEO_FORMAT_NV12_10LE32, GST_VIDEO_FORMAT_NV16_10LE32,
                                            GST_VIDEO_FORMAT_v210, GST_VIDEO_FORMAT_v216, GST_VIDEO_FORMAT_IYU1 };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (int width = 1; width < 40; width++)
      {
        GstVideoInfo info;
        g_autoptr (Harness) harness = gst_harness_new ("c2gconvert");
        g_autoptr (GstBuffer) frame = NULL;
        g_autoptr (GstCaps) caps = NULL;
        g_autoptr (GstSample) sample = NULL;
        g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
        g_autoptr (GError) error = NULL;

        g_assert_true (gst_video_info_set_format (&info, formats[i], width, 6));
        caps = gst_video_info_to_caps (&info);
        frame = new_guarded (info.size);
        sample = gst_sample_new (frame, caps, NULL, NULL);
        gst_harness_set_src_caps (harness, gst_caps_ref (caps));
        g_assert_cmpint (gst_harness_push (harness, new_guarded (info.size)), ==, GST_FLOW_OK);
        c2g_gst_sample_fill_workspace (sample, workspace, &error);
        g_assert_no_error (error);
      }
}

/* A frame that is stored bottom-up is converted the right way up: this one has white above black. */
static void
test_bottom_up (void)
{
  static const guint8 pixels[] = { 16, 128, 16, 128, 235, 128, 235, 128 };
  GstVideoInfo info;
  g_autoptr (GstBuffer) frame = gst_buffer_new_memdup (pixels, sizeof pixels);
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstSample) sample = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_YUY2, 2, 2));
  gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_FORMAT_YUY2, 2, 2, 1, (gsize[GST_VIDEO_MAX_PLANES]) { 4 },
                                  (int[GST_VIDEO_MAX_PLANES]) { -4 });
  caps = gst_video_info_to_caps (&info);
  sample = gst_sample_new (frame, caps, NULL, NULL);
  c2g_gst_sample_fill_workspace (sample, workspace, &error);
  g_assert_no_error (error);
  tensor = c2g_workspace_get_tensor (workspace, C2G_GST_FRAME, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), >, 200);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 11, NULL), <, 50);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/media/video", test_video);
  add_gst_func ("/gst/media/log", test_log);
  add_gst_func ("/gst/media/video-meta", test_video_meta);
  add_gst_func ("/gst/media/video-meta-outside", test_video_meta_outside);
  add_gst_func ("/gst/media/video-meta-inside", test_video_meta_inside);
  add_gst_func ("/gst/media/video-meta-random", test_video_meta_random);
  add_gst_func ("/gst/media/partial-pixels", test_partial_pixels);
  add_gst_func ("/gst/media/bottom-up", test_bottom_up);
  add_gst_func ("/gst/media/video-errors", test_video_errors);
  add_gst_func ("/gst/media/audio", test_audio);
  add_gst_func ("/gst/media/audio-gaps", test_audio_gaps);
  add_gst_func ("/gst/media/audio-meta-outside", test_audio_meta_outside);
  add_gst_func ("/gst/media/audio-without-meta", test_audio_without_meta);
  add_gst_func ("/gst/media/audio-errors", test_audio_errors);
  add_gst_func ("/gst/media/context", test_context);
  add_gst_func ("/gst/media/no-memory", test_no_memory);

  return run_gst_tests ();
}
