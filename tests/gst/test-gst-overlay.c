/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <gst/video/video.h>

/* c2goverlay: boxes and labels on frames. */

#define WIDTH  64
#define HEIGHT 48
#define RGB    "video/x-raw, format=RGB, width=64, height=48, framerate=30/1"

static GstHarness *
new_overlay (const char *line,
             const char *caps)
{
  GstHarness *harness = gst_harness_new_parse (line);

  watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, caps);

  return harness;
}

static GstBuffer *
new_black (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 3, NULL);

  gst_buffer_memset (buffer, 0, 0, -1);
  return buffer;
}

/* A region as c2gdecode attaches it. */
static GstVideoRegionOfInterestMeta *
add_region (GstBuffer  *buffer,
            const char *label,
            guint       x,
            guint       y,
            guint       width,
            guint       height)
{
  GstVideoRegionOfInterestMeta *region =
    gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-detection", x, y, width, height);

  gst_video_region_of_interest_meta_add_param (
    region, gst_structure_new ("c2g-detection", "index", G_TYPE_UINT, 0, "label", G_TYPE_STRING, label,
                               "score", G_TYPE_DOUBLE, 0.5, NULL));
  return region;
}

static void
add_class (GstBuffer  *buffer,
           const char *label)
{
  GstVideoRegionOfInterestMeta *region =
    gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-classification", 0, 0, WIDTH, HEIGHT);

  gst_video_region_of_interest_meta_add_param (
    region, gst_structure_new ("c2g-classification", "index", G_TYPE_UINT, 3, "label", G_TYPE_STRING, label, NULL));
}

/* How many pixels of a rectangle of an RGB frame are not black. */
static guint
count_pixels (GstBuffer *buffer,
              int        x,
              int        y,
              int        width,
              int        height)
{
  guint n = 0;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (int j = y; j < y + height; j++)
    for (int i = x; i < x + width; i++)
      {
        const guint8 *pixel = map.data + 3 * (j * WIDTH + i);

        n += pixel[0] != 0 || pixel[1] != 0 || pixel[2] != 0;
      }
  gst_buffer_unmap (buffer, &map);

  return n;
}

/* The lines are inside the box, the label is on top of it, and the rest is as it was. */
static void
test_box (void)
{
  GstHarness *harness = new_overlay ("c2goverlay line-width=3", RGB);
  GstBuffer *buffer = new_black ();

  add_region (buffer, "cat", 10, 20, 24, 20);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 10, 20, 24, 3), ==, 24 * 3);
  g_assert_cmpuint (count_pixels (buffer, 10, 37, 24, 3), ==, 24 * 3);
  g_assert_cmpuint (count_pixels (buffer, 10, 20, 3, 20), ==, 3 * 20);
  g_assert_cmpuint (count_pixels (buffer, 31, 20, 3, 20), ==, 3 * 20);
  g_assert_cmpuint (count_pixels (buffer, 13, 23, 18, 14), ==, 0);
  g_assert_cmpuint (count_pixels (buffer, 0, 41, WIDTH, 7), ==, 0);
  g_assert_cmpuint (count_pixels (buffer, 10, 10, 20, 10), >, 100);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* A class of the frame is a line of text at its bottom, and a second one stands on the first. */
static void
test_class (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  GstBuffer *buffer = new_black ();
  guint n;

  add_class (buffer, "one");
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT / 2), ==, 0);
  n = count_pixels (buffer, 0, HEIGHT / 2, WIDTH, HEIGHT / 2);
  g_assert_cmpuint (n, >, 50);
  gst_buffer_unref (buffer);

  buffer = new_black ();
  add_class (buffer, "one");
  add_class (buffer, "one");
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), ==, 2 * n);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* A scaler of GStreamer 1.22 takes the structure away: there is a box without a label, and no class. */
static void
test_lost_class (void)
{
  GstHarness *harness = new_overlay ("c2goverlay line-width=1", RGB);
  GstBuffer *buffer = new_black ();

  gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-detection", 10, 20, 4, 4);
  gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-classification", 0, 0, WIDTH, HEIGHT);
  /* Others may give no name at all. */
  gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 40, 20, 4, 4);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), ==, 12 + 12);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* Without a region a frame is not copied, even if others hold it. */
static void
test_nothing (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  GstBuffer *buffer = new_black ();
  GstBuffer *output = gst_harness_push_and_pull (harness, gst_buffer_ref (buffer));

  g_assert_true (output == buffer);
  gst_buffer_unref (output);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* A branch behind a tee sees nothing of what is drawn in the other one. */
static void
test_shared (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  GstBuffer *buffer = new_black ();
  GstBuffer *output;

  add_region (buffer, "cat", 10, 20, 24, 20);
  output = gst_harness_push_and_pull (harness, gst_buffer_ref (buffer));
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), ==, 0);
  g_assert_cmpuint (count_pixels (output, 0, 0, WIDTH, HEIGHT), >, 0);
  gst_buffer_unref (output);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* Where downstream takes compositions, the frame stays as it is; what is attached is added to what an element before
 * has attached. */
static void
test_attached (void)
{
  GstHarness *harness = new_overlay ("c2goverlay name=first ! c2goverlay", RGB);
  GstVideoOverlayCompositionMeta *meta;
  GstBuffer *buffer = new_black ();

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  gst_harness_set_src_caps_str (harness, RGB ", pixel-aspect-ratio=1/1");
  add_region (buffer, "cat", 10, 20, 24, 20);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), ==, 0);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  g_assert_nonnull (meta);
  /* One from each of the two. */
  g_assert_cmpuint (gst_video_overlay_composition_n_rectangles (meta->overlay), ==, 2);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* Regions of every size and place: what is not in the frame is not drawn. */
static void
test_regions_outside (void)
{
  static const guint edges[] = { 0, 1, 40, 47, 48, 63, 64, 65, G_MAXINT, G_MAXUINT };
  const guint n_edges = G_N_ELEMENTS (edges);
  GstHarness *harness = new_overlay ("c2goverlay line-width=4", RGB);

  for (guint i = c2g_test_count_rounds (200); i > 0; i--)
    {
      const guint x = edges[g_test_rand_int_range (0, n_edges)];
      const guint y = edges[g_test_rand_int_range (0, n_edges)];
      const guint width = edges[g_test_rand_int_range (0, n_edges)];
      const guint height = edges[g_test_rand_int_range (0, n_edges)];
      GstBuffer *buffer = new_guarded (WIDTH * HEIGHT * 3);

      add_region (buffer, "cat", x, y, width, height);
      buffer = gst_harness_push_and_pull (harness, buffer);
      g_assert_true ((count_pixels (buffer, 0, 0, WIDTH, HEIGHT) > 0) ==
                     (x < WIDTH && y < HEIGHT && width > 0 && height > 0));
      gst_buffer_unref (buffer);
    }
  free_harness (harness);
}

/* Lines that are as wide as anything are no wider than their box. */
static void
test_wide_lines (void)
{
  GstHarness *harness = new_overlay ("c2goverlay line-width=4294967295", RGB);
  GstBuffer *buffer = new_black ();

  gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-detection", 10, 20, 6, 5);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), ==, 30);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

/* Labels are text, whatever is in them; those of other elements are not even UTF-8. */
static void
test_hostile_text (void)
{
  static const char *const texts[] = {
    "", "<b>bold", "</span>&amp;&", "a\nb\tc\r\n", "%s%n", "\xe2\x80\xae\xd7\x90\xd7\x91", "\x01\x1b[2J",
    "\xf0\x9f\x90\x88", "\xff\xfe", "\xe2\x82", "\xc3\x28 c2g-", "c2g-"
  };
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  g_autofree char *text = g_strnfill (100000, 'W');

  for (gsize i = 0; i <= G_N_ELEMENTS (texts); i++)
    {
      const char *label = i < G_N_ELEMENTS (texts) ? texts[i] : text;
      GstBuffer *buffer = new_black ();

      gst_buffer_add_video_region_of_interest_meta (buffer, label, 10, 20, 24, 20);
      if (g_utf8_validate (label, -1, NULL))
        add_region (buffer, label, 5, 5, 30, 30);
      buffer = gst_harness_push_and_pull (harness, buffer);
      g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), >, 0);
      gst_buffer_unref (buffer);
    }
  free_harness (harness);
}

/* A font that is none, or that is larger than any surface, ends nothing. */
static void
test_fonts (void)
{
  static const char *const fonts[] = { "''", "nothing-at-all", "Sans 0", "Sans 100000", "Sans -5", "1e30", "Sans 1e9px" };

  for (gsize i = 0; i < G_N_ELEMENTS (fonts); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2goverlay font=\"%s\"", fonts[i]);
      GstHarness *harness = new_overlay (line, RGB);
      GstBuffer *buffer = new_black ();

      add_region (buffer, "cat", 10, 20, 24, 20);
      buffer = gst_harness_push_and_pull (harness, buffer);
      g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT), >, 0);
      gst_buffer_unref (buffer);
      free_harness (harness);
    }
}

/* Draws on a frame of zeros, and sees that some of them have changed. */
static void
draw_on_zeros (GstHarness         *harness,
               const GstVideoInfo *info)
{
  g_autofree guint8 *before = g_malloc0 (info->size);
  GstBuffer *buffer = new_guarded (info->size);

  add_region (buffer, "cat", 0, 0, info->width, info->height);
  add_region (buffer, "dog", info->width / 2, info->height / 2, 100, 100);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, info->size);
  g_assert_cmpint (gst_buffer_memcmp (buffer, 0, before, info->size), !=, 0);
  gst_buffer_unref (buffer);
}

/* Frames of all formats and sizes, behind which nobody can write, while the caps change with each of them. */
static void
test_formats (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element, "sink");
  guint n_formats, n_taken = 0;
  const GstVideoFormat *formats = gst_video_formats_raw (&n_formats);

  for (guint i = 0; i < n_formats * 2; i++)
    {
      GstVideoInfo info;
      g_autoptr (GstCaps) caps = NULL;

      gst_video_info_set_format (&info, formats[i % n_formats], g_test_rand_int_range (1, 20), g_test_rand_int_range (1, 20));
      caps = gst_video_info_to_caps (&info);
      if (!gst_pad_query_accept_caps (pad, caps))
        continue;
      n_taken++;
      gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
      draw_on_zeros (harness, &info);
    }
  g_assert_cmpuint (n_taken, >, 150);
  free_harness (harness);
}

/* A GstVideoMeta that lies about a frame is an error, and nothing else. */
static void
test_hostile_frames (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_ARGB64,
                                            GST_VIDEO_FORMAT_RGBA };
  GstHarness *harness = new_overlay ("c2goverlay", RGB);
  guint n_errors = 0;

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *message = NULL;
      GstBuffer *buffer;
      GstVideoInfo info;
      GstFlowReturn result;

      gst_video_info_set_format (&info, formats[i % G_N_ELEMENTS (formats)], 20, 14);
      gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
      buffer = new_hostile_frame (&info);
      add_region (buffer, "cat", 0, 0, 20, 14);
      result = gst_harness_push (harness, buffer);
      message = pop_error (harness->element);
      g_assert_true ((result == GST_FLOW_OK) == (message == NULL));
      n_errors += result != GST_FLOW_OK;
    }
  g_assert_cmpuint (n_errors, >, 0);
  free_harness (harness);
}

/* GStreamer writes only aligned pixels. */
static void
test_unaligned (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", "video/x-raw, format=RGBA, width=64, height=48, framerate=30/1");
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 1 + WIDTH * HEIGHT * 4, NULL);

  gst_buffer_resize (buffer, 1, -1);
  add_region (buffer, "cat", 10, 20, 24, 20);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  wait_for_error (bus, "The pixels of the frame are not aligned");
  free_harness (harness);
}

/* A stream that stops, is flushed, ends and begins again. */
static void
test_states (void)
{
  GstHarness *harness = new_overlay ("c2goverlay", RGB);

  for (int i = 0; i < 3; i++)
    {
      GstBuffer *buffer = new_black ();

      add_region (buffer, "cat", 10, 20, 24, 20);
      gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
      gst_element_set_state (harness->element, GST_STATE_NULL);
      gst_element_set_state (harness->element, GST_STATE_PLAYING);
      gst_harness_set_src_caps_str (harness, RGB);
    }
  free_harness (harness);
}

/* The end of a stream tells that nothing was drawn, and only then. */
static void
test_no_regions (void)
{
  for (guint i = 0; i < 3; i++)
    {
      GstHarness *harness = new_overlay ("c2goverlay", RGB);
      g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);

      /* The first stream has no frames, the second one without regions, the third one with and without. */
      if (i >= 1)
        gst_buffer_unref (gst_harness_push_and_pull (harness, new_black ()));
      if (i == 2)
        {
          GstBuffer *buffer = new_black ();

          add_region (buffer, "cat", 10, 20, 24, 20);
          gst_buffer_unref (gst_harness_push_and_pull (harness, buffer));
        }
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "Nothing was drawn*"), ==, i == 1 ? 1 : 0);
      free_harness (harness);
    }
}

/* A font that is not there, and one that is too large for frames, are told of. */
static void
test_font_warnings (void)
{
  static const struct
  {
    const char *font;
    guint       n_missing;
    guint       n_high;
  } rows[] = {
    { NULL, 0, 0 },
    { "Sans 8", 0, 0 },
    { "No Such Family, sans 8", 0, 0 },
    { "No Such Family 8", 1, 0 },
    { "999", 0, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GstElement *overlay = new_element ("c2goverlay");
      g_autoptr (GstBus) bus = gst_element_get_bus (overlay);
      g_autoptr (GstPad) pad = gst_element_get_static_pad (overlay, "sink");
      g_autoptr (GstCaps) caps = gst_caps_from_string (RGB);

      g_object_set (overlay, "font", rows[i].font, NULL);
      gst_element_set_state (overlay, GST_STATE_PAUSED);
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "There is no font “No Such Family 8”*"), ==, rows[i].n_missing);
      gst_pad_send_event (pad, gst_event_new_stream_start ("frames"));
      gst_pad_send_event (pad, gst_event_new_caps (caps));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "A line in the font “999” is higher*"), ==, rows[i].n_high);
      free_element (overlay);
    }
}

/* The line of the manual: no tee, and the frames go on with what is drawn. */
static void
test_model (void)
{
  GstHarness *harness = new_harness ("pngdec ! videoconvert ! videoscale method=nearest-neighbour "
                                     "! capsfilter caps=video/x-raw,format=RGB,width=64,height=48 !",
                                     "! c2gdecode ! c2goverlay");
  GstBuffer *buffer;

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  buffer = gst_harness_push_and_pull (harness, read_picture (1));
  g_assert_nonnull (gst_buffer_get_video_region_of_interest_meta_id (buffer, 0));
  /* The digit leaves the left side black, where the label begins. */
  g_assert_cmpuint (count_pixels (buffer, 0, 0, 4, HEIGHT / 2), ==, 0);
  g_assert_cmpuint (count_pixels (buffer, 0, HEIGHT / 2, 4, HEIGHT / 2), >, 0);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* videocrop drops the regions, or, from GStreamer 1.28 on, moves them. */
static void
test_cropped (void)
{
  const gboolean moves = gst_registry_check_feature_version (gst_registry_get (), "videocrop", 1, 28, 0);
  GstHarness *harness = new_overlay ("videocrop top=8 ! c2goverlay line-width=3", RGB);
  GstBuffer *buffer = new_black ();

  add_region (buffer, "cat", 10, 20, 24, 20);
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, WIDTH * (HEIGHT - 8) * 3);
  if (moves)
    {
      g_assert_cmpuint (count_pixels (buffer, 10, 12, 24, 3), ==, 24 * 3);
      g_assert_cmpuint (count_pixels (buffer, 10, 29, 24, 3), ==, 24 * 3);
      g_assert_cmpuint (count_pixels (buffer, 13, 15, 18, 14), ==, 0);
    }
  else
    g_assert_cmpuint (count_pixels (buffer, 0, 0, WIDTH, HEIGHT - 8), ==, 0);
  gst_buffer_unref (buffer);
  free_harness (harness);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/overlay/box", test_box);
  add_gst_func ("/gst/overlay/class", test_class);
  add_gst_func ("/gst/overlay/lost-class", test_lost_class);
  add_gst_func ("/gst/overlay/nothing", test_nothing);
  add_gst_func ("/gst/overlay/shared", test_shared);
  add_gst_func ("/gst/overlay/attached", test_attached);
  add_gst_func ("/gst/overlay/cropped", test_cropped);
  add_gst_func ("/gst/overlay/regions-outside", test_regions_outside);
  add_gst_func ("/gst/overlay/wide-lines", test_wide_lines);
  add_gst_func ("/gst/overlay/hostile-text", test_hostile_text);
  add_gst_func ("/gst/overlay/fonts", test_fonts);
  add_gst_func ("/gst/overlay/font-warnings", test_font_warnings);
  add_gst_func ("/gst/overlay/formats", test_formats);
  add_gst_func ("/gst/overlay/hostile-frames", test_hostile_frames);
  add_gst_func ("/gst/overlay/unaligned", test_unaligned);
  add_gst_func ("/gst/overlay/states", test_states);
  add_gst_func ("/gst/overlay/no-regions", test_no_regions);
  add_gst_func ("/gst/overlay/model", test_model);

  return run_gst_tests ();
}
