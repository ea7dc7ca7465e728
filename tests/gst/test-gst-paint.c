/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <math.h>

/* c2gdecode that paints frames: mode=segment and mode=picture. */

#define CAPS "video/x-raw, format=I420, width=8, height=4, framerate=30/1"

/* A frame of 8 × 4 pixels with the tensor “map”. */
static GstBuffer *
new_frame (C2gGstGeometry *geometry,
           const gint64   *dims,
           gsize           n_dims,
           const float    *values)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 8 * 4 * 3 / 2, NULL);

  g_assert_no_error (error);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    data[i] = values[i];
  gst_buffer_memset (frame, 0, 77, -1);
  GST_BUFFER_PTS (frame) = 5;
  g_assert_true (c2g_gst_buffer_add_tensor (frame, "map", tensor, geometry, &error));
  g_assert_no_error (error);

  return frame;
}

/* Takes frame. Bytes are those of the first n pixels of each row. */
static void
assert_painted (const char   *line,
                GstBuffer    *frame,
                const guint8 *bytes,
                gsize         n)
{
  GstHarness *harness = gst_harness_new_parse (line);

  gst_harness_set_src_caps_str (harness, CAPS);
  frame = gst_harness_push_and_pull (harness, frame);
  g_assert_cmpuint (GST_BUFFER_PTS (frame), ==, 5);
  g_assert_cmpuint (gst_buffer_get_size (frame) % (8 * 4), ==, 0);
  for (gsize row = 0; row < 4; row++)
    {
      guint8 painted[24];

      gst_buffer_extract (frame, row * gst_buffer_get_size (frame) / 4, painted, n);
      g_assert_cmpmem (painted, n, bytes + row * n, n);
    }
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* The plane with the highest score says the class; each pixel of a map is two by two of the frame. */
static void
test_segment (void)
{
  const float planes[] = { 0, 0, 0, 0, 0, 0, 0, 0,
                           1, 0, NAN, 1, 1, 0, 0, 0,
                           0, 2, -1, 2, 0, 0, INFINITY, -INFINITY };
  const float classes[] = { 1, 2, 0, 2, 1, 0, 2.4f, 300 };
  const guint8 gray[] = { 1, 1, 2, 2, 0, 0, 2, 2, 1, 1, 2, 2, 0, 0, 2, 2,
                          1, 1, 0, 0, 2, 2, 0, 0, 1, 1, 0, 0, 2, 2, 0, 0 };
  const guint8 colors[] = { 128, 0, 0, 128, 0, 0, 0, 128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 128, 0,
                            128, 0, 0, 128, 0, 0, 0, 128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 128, 0,
                            128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0,
                            128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0 };
  const guint8 given[] = { 1, 1, 2, 2, 0, 0, 2, 2, 1, 1, 2, 2, 0, 0, 2, 2,
                           1, 1, 0, 0, 2, 2, 255, 255, 1, 1, 0, 0, 2, 2, 255, 255 };

  assert_painted ("c2gdecode mode=segment ! capsfilter caps=video/x-raw,format=GRAY8",
                  new_frame (NULL, C2G_TEST_DIMS (1, 3, 2, 4), planes), gray, 8);
  assert_painted ("c2gdecode mode=segment", new_frame (NULL, C2G_TEST_DIMS (1, 3, 2, 4), planes), colors,
                  24);
  assert_painted ("c2gdecode mode=segment ! capsfilter caps=video/x-raw,format=GRAY8",
                  new_frame (NULL, C2G_TEST_DIMS (1, 1, 2, 4), classes), given, 8);
}

/* A painted frame has the metas of its time, and none of other pixels. */
static void
test_metas (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=segment");
  GstBuffer *frame = new_frame (NULL, C2G_TEST_DIMS (1, 2, 2, 4), (float[16]) { 0 });
  g_autoptr (GstCaps) clock = gst_caps_from_string ("timestamp/x-ntp");
  g_autoptr (GstBuffer) painted = NULL;

  gst_harness_set_src_caps_str (harness, CAPS);
  gst_buffer_add_video_time_code_meta_full (frame, 30, 1, NULL, GST_VIDEO_TIME_CODE_FLAGS_NONE, 1, 2, 3, 4, 0);
  gst_buffer_add_reference_timestamp_meta (frame, clock, 5, GST_CLOCK_TIME_NONE);
  gst_buffer_add_video_region_of_interest_meta (frame, "region", 0, 0, 1, 1);
  painted = gst_harness_push_and_pull (harness, frame);
  g_assert_cmpuint (gst_buffer_get_video_time_code_meta (painted)->tc.minutes, ==, 2);
  g_assert_cmpuint (gst_buffer_get_reference_timestamp_meta (painted, clock)->timestamp, ==, 5);
  g_assert_null (gst_buffer_get_video_region_of_interest_meta (painted));
  assert_tensors (painted, "");
  gst_harness_teardown (harness);
}

/* A model that saw the middle of the frame, of which its map has half as many pixels, leaves the rest of the
 * frame black. */
static void
test_crop (void)
{
  g_autoptr (C2gGstGeometry) geometry =
    c2g_gst_geometry_new (8, 4, (const double[]) { 1, 0, 2, 0, 1, 0 });
  const float classes[] = { 1, 2, 3, 4 };
  const guint8 gray[] = { 0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0,
                          0, 0, 3, 3, 4, 4, 0, 0, 0, 0, 3, 3, 4, 4, 0, 0 };

  assert_painted ("c2gdecode mode=segment ! capsfilter caps=video/x-raw,format=GRAY8",
                  new_frame (geometry, C2G_TEST_DIMS (1, 1, 2, 2), classes), gray, 8);
  assert_painted ("c2gdecode mode=segment size=4x4 ! capsfilter caps=video/x-raw,format=GRAY8",
                  new_frame (geometry, C2G_TEST_DIMS (1, 2, 2), classes), gray, 8);
}

/* Values become pixels by the inverse of what made values of pixels. */
static void
test_picture (void)
{
  float planes[3 * 4 * 8], nhwc[3 * 4 * 8];
  guint8 bytes[4 * 24];

  for (guint c = 0; c < 3; c++)
    for (guint i = 0; i < 32; i++)
      {
        bytes[3 * i + c] = 10 * c + i;
        planes[32 * c + i] = (10.0f * c + i - 5) / 2;
        nhwc[3 * i + 2 - c] = 10.0f * c + i;
      }
  planes[0] = NAN;
  bytes[0] = 0;
  assert_painted ("c2gdecode mode=picture mean=5 scale=0.5",
                  new_frame (NULL, C2G_TEST_DIMS (1, 3, 4, 8), planes), bytes, 24);
  bytes[0] = 255;
  nhwc[2] = 1000;
  assert_painted ("c2gdecode mode=picture channels=BGR order=NHWC",
                  new_frame (NULL, C2G_TEST_DIMS (1, 4, 8, 3), nhwc), bytes, 24);
}

/* Pixels of a smaller picture are mixed; one of gray is gray. */
static void
test_picture_scaled (void)
{
  const float planes[] = { 0, 100 };
  const guint8 row[] = { 0, 0, 0, 0, 0, 0, 12, 12, 12, 38, 38, 38, 62, 62, 62, 88, 88, 88, 100, 100, 100,
                         100, 100, 100 };
  guint8 bytes[4 * 24];

  for (guint i = 0; i < 4; i++)
    memcpy (bytes + 24 * i, row, 24);
  assert_painted ("c2gdecode mode=picture", new_frame (NULL, C2G_TEST_DIMS (1, 1, 1, 2), planes), bytes, 24);
}

/* Downstream offers a pool whose frames have rows of 16 pixels. */
static GstPadProbeReturn
propose_cb (GstPad          *pad,
            GstPadProbeInfo *info,
            gpointer         pool)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;

  gst_query_add_allocation_pool (query, pool, 0, 0, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static GstBufferPool *
new_wide_pool (void)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps =
    gst_caps_from_string ("video/x-raw, format=RGB, width=8, height=4, framerate=30/1");
  GstVideoAlignment alignment;

  gst_video_alignment_reset (&alignment);
  alignment.padding_right = 8;
  gst_buffer_pool_config_set_params (config, caps, 4 * 24, 0, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &alignment);
  g_assert_true (gst_buffer_pool_set_config (pool, config));

  return pool;
}

/* Frames come from the pool of downstream, and keep its strides. */
static void
test_pool (void)
{
  const float classes[] = { 1, 2, 0, 2, 1, 0, 2, 1 };
  const guint8 first[] = { 128, 0, 0, 128, 0, 0, 0, 128, 0, 0, 128, 0 };
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=segment");
  g_autoptr (GstBufferPool) pool = new_wide_pool ();

  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, propose_cb,
                     gst_object_ref (pool), (GDestroyNotify) gst_object_unref);
  gst_harness_set_src_caps_str (harness, CAPS);
  for (int i = 0; i < 3; i++)
    {
      GstBuffer *frame =
        gst_harness_push_and_pull (harness, new_frame (NULL, C2G_TEST_DIMS (1, 1, 2, 4), classes));
      GstVideoMeta *meta = gst_buffer_get_video_meta (frame);
      guint8 bytes[12];

      g_assert_true (frame->pool == pool);
      g_assert_cmpint (meta->stride[0], ==, 48);
      gst_buffer_extract (frame, 0, bytes, 12);
      g_assert_cmpmem (bytes, 12, first, 12);
      gst_buffer_extract (frame, 48, bytes, 12);
      g_assert_cmpmem (bytes, 12, first, 12);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

/* Frames without tensors have nothing to paint; other media are refused. */
static void
test_nothing (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=picture");
  GstElement *decode = gst_harness_find_element (harness, "c2gdecode");
  GstPad *pad = gst_element_get_static_pad (decode, "sink");
  g_autoptr (GstCaps) text = gst_caps_from_string ("text/x-raw, format=utf8");
  g_autoptr (GstCaps) video = gst_caps_from_string (CAPS);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 48, NULL);

  gst_harness_set_src_caps_str (harness, CAPS);
  gst_buffer_memset (frame, 0, 0, -1);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  g_assert_true (gst_pad_query_accept_caps (pad, video));
  g_assert_false (gst_pad_query_accept_caps (pad, text));
  gst_object_unref (pad);
  gst_object_unref (decode);
  gst_harness_teardown (harness);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/paint/segment", test_segment);
  add_gst_func ("/gst/paint/metas", test_metas);
  add_gst_func ("/gst/paint/crop", test_crop);
  add_gst_func ("/gst/paint/picture", test_picture);
  add_gst_func ("/gst/paint/picture-scaled", test_picture_scaled);
  add_gst_func ("/gst/paint/pool", test_pool);
  add_gst_func ("/gst/paint/nothing", test_nothing);

  return run_gst_tests ();
}
