/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-found.h"

/* c2gdecode writes its findings as GStreamer's analytics, and c2goverlay draws them. */

static void
test_decode_class (void)
{
  GstHarness *harness = new_harness ("pngdec !", "! c2gdecode");

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  for (guint i = 0; i < G_N_ELEMENTS (digit_names); i++)
    {
      GstBuffer *frame = gst_harness_push_and_pull (harness, read_picture (i));

      assert_class (frame, digit_names[i]);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

/* Rows of DetectionOutput: image, class, score, corners. */
static GstBuffer *
new_detection (float index)
{
  const float row[] = { 0, index, 0.75, 0.1, 0.2, 0.5, 0.6 };
  GstBuffer *frame = new_rgba ();

  add_values (frame, "x", row, C2G_TEST_DIMS (1, 1, 1, 7));
  return frame;
}

/* Boxes are in pixels of the frame. Classes without names are called by their number, unless it is too large to stay in
 * memory forever. */
static void
test_decode_boxes (void)
{
  static const struct
  {
    float index;
    const char *label;
  } cases[] = {
    { 3, "3" },
    { 65535, "65535" },
    { 65536, NULL },
    { 16777215, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=ssd");
      GstBuffer *frame;

      gst_harness_set_src_caps_str (harness, RGBA);
      frame = gst_harness_push_and_pull (harness, new_detection (cases[i].index));
      assert_object (frame, cases[i].label, 10, 10, 40, 20);
      gst_buffer_unref (frame);
      gst_harness_teardown (harness);
    }
}

/* Two decoders of one frame share the meta. */
static void
test_decode_twice (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=ssd ! c2gdecode mode=ssd tensor=y");
  GstBuffer *frame = new_detection (3);
  const float row[] = { 0, 4, 0.75, 0.1, 0.2, 0.5, 0.6 };

  gst_harness_set_src_caps_str (harness, RGBA);
  add_values (frame, "y", row, C2G_TEST_DIMS (1, 1, 1, 7));
  frame = gst_harness_push_and_pull (harness, frame);
  g_assert_cmpuint (gst_analytics_relation_get_length (gst_buffer_get_analytics_relation_meta (frame)), ==, 2);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Runs a box through elements, of which a meta may be gone, and returns the frame as bytes. */
static GBytes *
draw (const char *line,
      GType       gone)
{
  GstHarness *decoder = gst_harness_new_parse ("c2gdecode mode=ssd");
  GstHarness *harness = gst_harness_new_parse (line);
  GstBuffer *frame;
  gpointer pixels;
  gsize n;

  gst_harness_set_src_caps_str (decoder, RGBA);
  gst_harness_set_src_caps_str (harness, RGBA);
  frame = gst_harness_push_and_pull (decoder, new_detection (3));
  if (gone != 0)
    gst_buffer_remove_meta (frame, gst_buffer_get_meta (frame, gone));
  frame = gst_harness_push_and_pull (harness, frame);
  gst_buffer_extract_dup (frame, 0, -1, &pixels, &n);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  gst_harness_teardown (decoder);

  return g_bytes_new_take (pixels, n);
}

static gboolean
is_black (GBytes *pixels,
          int     x,
          int     y)
{
  const guint8 *rgb = (const guint8 *) g_bytes_get_data (pixels, NULL) + 4 * (100 * y + x);

  return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0;
}

/* GStreamer's element draws the box of c2gdecode. */
static void
test_overlay (void)
{
  g_autoptr (GBytes) pixels = NULL;

  if (!has_element ("objectdetectionoverlay") || !is_apart ())
    return;
  pixels = draw ("objectdetectionoverlay", 0);
  g_assert_false (is_black (pixels, 30, 10));
  g_assert_true (is_black (pixels, 90, 45));
}

/* c2goverlay draws what GStreamer's elements found, and what c2gdecode found only once. */
static void
test_own_overlay (void)
{
  g_autoptr (GBytes) both = NULL;
  g_autoptr (GBytes) region = NULL;
  g_autoptr (GBytes) object = NULL;

  if (!has_element ("c2goverlay"))
    return;
  both = draw ("c2goverlay", 0);
  region = draw ("c2goverlay", GST_ANALYTICS_RELATION_META_API_TYPE);
  object = draw ("c2goverlay", GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  g_assert_true (g_bytes_equal (both, region));
  g_assert_false (is_black (object, 10, 20));
  g_assert_false (is_black (object, 49, 29));
  g_assert_true (is_black (object, 90, 45));
}

/* Objects may end beyond the largest integer, and have types that GStreamer has no text for. */
static void
test_far_object (void)
{
  static const struct
  {
    GQuark type;
    int place[4];
  } cases[] = {
    { 0, { 90, 40, G_MAXINT, G_MAXINT } },
    { G_MAXUINT32, { 90, 40, 5, 5 } },
    { 0, { G_MININT, G_MININT, -1, -1 } },
    { 0, { G_MININT, G_MAXINT, G_MAXINT, G_MAXINT } },
  };

  if (!has_element ("c2goverlay"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GstHarness *harness = gst_harness_new ("c2goverlay");
      GstBuffer *frame = new_rgba ();
      const int *place = cases[i].place;
      GstAnalyticsODMtd added;

      gst_analytics_relation_meta_add_od_mtd (gst_buffer_add_analytics_relation_meta (frame), cases[i].type, place[0],
                                              place[1], place[2], place[3], 0.5, &added);
      gst_harness_set_src_caps_str (harness, RGBA);
      gst_buffer_unref (gst_harness_push_and_pull (harness, frame));
      gst_harness_teardown (harness);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst-analytics/decode-class", test_decode_class);
  add_gst_func ("/gst-analytics/decode-boxes", test_decode_boxes);
  add_gst_func ("/gst-analytics/decode-twice", test_decode_twice);
  add_gst_func ("/gst-analytics/overlay", test_overlay);
  add_gst_func ("/gst-analytics/own-overlay", test_own_overlay);
  add_gst_func ("/gst-analytics/far-object", test_far_object);

  return run_gst_tests ();
}
