/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <gst/audio/audio.h>
#include <math.h>

/* c2gconvert, beside GstVideoConverter and plain formulas. */

/* Frames */

static GstVideoInfo
video_info (GstVideoFormat format,
            int            width,
            int            height)
{
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, format, width, height));
  GST_VIDEO_INFO_FPS_N (&info) = 30;

  return info;
}

static void
set_caps (GstHarness         *harness,
          const GstVideoInfo *info)
{
  gst_harness_set_src_caps (harness, gst_video_info_to_caps ((GstVideoInfo *) info));
}

/* A frame that ends where the memory does. */
static GstBuffer *
new_frame (const GstVideoInfo *info)
{
  return new_guarded (GST_VIDEO_INFO_SIZE (info));
}

/* Waves of each color, which are different for each. */
static GstBuffer *
new_waves (const GstVideoInfo *info)
{
  GstBuffer *buffer = new_frame (info);
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (int y = 0; y < info->height; y++)
    for (int x = 0; x < info->width; x++)
      for (int c = 0; c < 3; c++)
        ((guint8 *) frame.data[0])[y * info->stride[0] + 3 * x + c] =
          127.5 + 120 * sin (x * 0.11 + c) * cos (y * (0.07 + 0.05 * c));
  gst_video_frame_unmap (&frame);

  return buffer;
}

static GstBuffer *
new_noise (const GstVideoInfo *info)
{
  GstBuffer *buffer = new_frame (info);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_test_rand_int_range (0, 256);
  gst_buffer_unmap (buffer, &map);

  return buffer;
}

/* Converts a frame as GStreamer does, between the nearest pixels. */
static GstBuffer *
convert_by_gstreamer (GstBuffer          *buffer,
                      const GstVideoInfo *from,
                      const GstVideoInfo *to)
{
  GstStructure *options =
    gst_structure_new ("options", GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
                       GST_TYPE_VIDEO_RESAMPLER_METHOD, GST_VIDEO_RESAMPLER_METHOD_LINEAR,
                       GST_VIDEO_RESAMPLER_OPT_MAX_TAPS, G_TYPE_INT, 2,
                       GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
                       GST_VIDEO_DITHER_NONE, NULL);
  GstVideoConverter *converter = gst_video_converter_new (from, to, options);
  GstBuffer *converted = new_frame (to);
  GstVideoFrame source, target;

  g_assert_nonnull (converter);
  g_assert_true (gst_video_frame_map (&source, from, buffer, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&target, to, converted, GST_MAP_WRITE));
  gst_video_converter_frame (converter, &source, &target);
  gst_video_frame_unmap (&source);
  gst_video_frame_unmap (&target);
  gst_video_converter_free (converter);

  return converted;
}

static void
assert_dims (C2gTensor *tensor,
             gint64     d1,
             gint64     d2,
             gint64     d3)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  g_assert_cmpuint (n_dims, ==, 4);
  g_assert_cmpint (dims[0], ==, 1);
  g_assert_cmpint (dims[1], ==, d1);
  g_assert_cmpint (dims[2], ==, d2);
  g_assert_cmpint (dims[3], ==, d3);
}

/* Compares a tensor of [1, 3, height, width] with a frame of RGB. Returns the largest difference. */
static double
compare (C2gTensor          *tensor,
         GstBuffer          *buffer,
         const GstVideoInfo *info)
{
  const float *values = address_of (tensor);
  GstVideoFrame frame;
  double worst = 0;

  assert_dims (tensor, 3, info->height, info->width);
  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < info->height; y++)
      for (int x = 0; x < info->width; x++, values++)
        worst = MAX (worst, fabs (*values - ((guint8 *) frame.data[0])[y * info->stride[0] + 3 * x + c]));
  gst_video_frame_unmap (&frame);

  return worst;
}

/* Each format becomes what GStreamer makes of it. GStreamer rounds between its steps, its matrix for YUV has
 * few bits, and it makes chroma larger before it scales: colors differ by some levels. It scales RGB as c2g does; for other
 * formats it lays the corners of both pictures on each other, so they become RGB first. */
static void
test_formats (void)
{
  static const struct
  {
    GstVideoFormat format;
    double         tolerance;
  } rows[] = {
    { GST_VIDEO_FORMAT_RGB, 1 },
    { GST_VIDEO_FORMAT_BGR, 1 },
    { GST_VIDEO_FORMAT_RGBx, 1 },
    { GST_VIDEO_FORMAT_BGRx, 1 },
    { GST_VIDEO_FORMAT_xRGB, 1 },
    { GST_VIDEO_FORMAT_xBGR, 1 },
    { GST_VIDEO_FORMAT_RGBA, 1 },
    { GST_VIDEO_FORMAT_ABGR, 1 },
    { GST_VIDEO_FORMAT_RGBP, 1 },
    { GST_VIDEO_FORMAT_GBR, 1 },
    { GST_VIDEO_FORMAT_GRAY8, 1 },
    { GST_VIDEO_FORMAT_Y444, 8 },
    { GST_VIDEO_FORMAT_AYUV, 8 },
    { GST_VIDEO_FORMAT_I420, 16 },
    { GST_VIDEO_FORMAT_YV12, 16 },
    { GST_VIDEO_FORMAT_NV12, 9 },
    { GST_VIDEO_FORMAT_NV21, 9 },
    { GST_VIDEO_FORMAT_Y42B, 9 },
    { GST_VIDEO_FORMAT_YUY2, 9 },
    { GST_VIDEO_FORMAT_UYVY, 9 },
    { GST_VIDEO_FORMAT_I420_10LE, 1 },
    { GST_VIDEO_FORMAT_RGB16, 1 },
    { GST_VIDEO_FORMAT_GRAY16_LE, 1 },
  };
  const int sizes[][2] = { { 37, 29 }, { 64, 48 }, { 150, 131 } };
  const GstVideoInfo to = video_info (GST_VIDEO_FORMAT_RGB, 31, 23);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        const GstVideoInfo rgb = video_info (GST_VIDEO_FORMAT_RGB, sizes[k][0], sizes[k][1]);
        const GstVideoInfo info = video_info (rows[i].format, sizes[k][0], sizes[k][1]);
        GstBuffer *waves = new_waves (&rgb);
        GstBuffer *frame = convert_by_gstreamer (waves, &rgb, &info);
        GstBuffer *converted = convert_by_gstreamer (frame, &info, &rgb);
        GstBuffer *expected = convert_by_gstreamer (converted, &rgb, &to);
        GstHarness *harness = gst_harness_new_parse ("c2gconvert size=31x23");
        g_autoptr (C2gTensor) tensor = NULL;
        double worst;

        set_caps (harness, &info);
        tensor = push_for_tensor (harness, frame);
        worst = compare (tensor, expected, &to);
        g_test_message ("%s %d: %g", GST_VIDEO_INFO_NAME (&info), sizes[k][0], worst);
        g_assert_cmpfloat (worst, <=, rows[i].tolerance);
        gst_buffer_unref (expected);
        gst_buffer_unref (converted);
        gst_buffer_unref (waves);
        gst_harness_teardown (harness);
      }
}

static void
assert_color (const char *colorimetry,
              guint8      y,
              guint8      u,
              guint8      v,
              double      r,
              double      g,
              double      b)
{
  const guint8 bytes[] = { y, 0, 0, 0, u, 0, 0, 0, v, 0, 0, 0 };
  g_autofree char *caps = g_strdup_printf ("video/x-raw, format=Y444, width=1, height=1, framerate=1/1, "
                                           "colorimetry=%s",
                                           colorimetry);
  GstHarness *harness = gst_harness_new_parse ("c2gconvert");
  g_autoptr (C2gTensor) tensor = NULL;
  const float *found;

  gst_harness_set_src_caps_str (harness, caps);
  tensor = push_for_tensor (harness, gst_buffer_new_memdup (bytes, sizeof bytes));
  found = address_of (tensor);
  g_assert_cmpfloat_with_epsilon (found[0], r, 1.5);
  g_assert_cmpfloat_with_epsilon (found[1], g, 1.5);
  g_assert_cmpfloat_with_epsilon (found[2], b, 1.5);
  gst_harness_teardown (harness);
}

/* The bars of the standards. */
static void
test_colors (void)
{
  assert_color ("bt601", 235, 128, 128, 255, 255, 255);
  assert_color ("bt601", 16, 128, 128, 0, 0, 0);
  assert_color ("bt601", 0, 128, 128, 0, 0, 0);
  assert_color ("bt601", 81, 90, 240, 255, 0, 0);
  assert_color ("bt601", 145, 54, 34, 0, 255, 0);
  assert_color ("bt601", 41, 240, 110, 0, 0, 255);
  assert_color ("bt709", 63, 102, 240, 255, 0, 0);
  assert_color ("bt709", 173, 42, 26, 0, 255, 0);
  assert_color ("bt709", 32, 240, 118, 0, 0, 255);
  assert_color ("1:4:0:0", 76, 85, 255, 254, 0, 0);
  assert_color ("1:4:0:0", 77, 128, 128, 77, 77, 77);
}

/* Computes a pixel in double, by the formula of the manual. */
static double
expect (const GstVideoFrame *frame,
        double               x,
        double               y,
        int                  c,
        gboolean             is_nearest)
{
  const int width = frame->info.width, height = frame->info.height;
  const guint8 *data = frame->data[0];
  int x0, y0, x1, y1;
  double dx, dy;

#define AT(x, y) ((double) data[(y) * frame->info.stride[0] + 3 * (x) + c])
  if (is_nearest)
    return AT (MIN ((int) x, width - 1), MIN ((int) y, height - 1));
  x = CLAMP (x - 0.5, 0, width - 1);
  y = CLAMP (y - 0.5, 0, height - 1);
  x0 = x, y0 = y;
  x1 = MIN (x0 + 1, width - 1), y1 = MIN (y0 + 1, height - 1);
  dx = x - x0, dy = y - y0;

  return (1 - dy) * ((1 - dx) * AT (x0, y0) + dx * AT (x1, y0)) +
         dy * ((1 - dx) * AT (x0, y1) + dx * AT (x1, y1));
#undef AT
}

/* Noise of every size becomes the formula, rounded to the nearest whole number. */
static void
test_exact (void)
{
  for (guint i = c2g_test_count_rounds (60); i > 0; i--)
    {
      const int width = g_test_rand_int_range (1, 90), height = g_test_rand_int_range (1, 70);
      const int new_width = g_test_rand_int_range (1, 90), new_height = g_test_rand_int_range (1, 70);
      const gboolean is_nearest = i % 3 == 0;
      const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, width, height);
      GstBuffer *noise = new_noise (&info);
      g_autofree char *line = g_strdup_printf ("c2gconvert size=%dx%d nearest=%d", new_width,
                                               new_height, is_nearest);
      GstHarness *harness = gst_harness_new_parse (line);
      g_autoptr (C2gTensor) tensor = NULL;
      const float *values;
      GstVideoFrame frame;

      set_caps (harness, &info);
      tensor = push_for_tensor (harness, gst_buffer_ref (noise));
      assert_dims (tensor, 3, new_height, new_width);
      values = address_of (tensor);
      g_assert_true (gst_video_frame_map (&frame, &info, noise, GST_MAP_READ));
      for (int c = 0; c < 3; c++)
        for (int y = 0; y < new_height; y++)
          for (int x = 0; x < new_width; x++, values++)
            {
              double wanted = expect (&frame, (x + 0.5) * width / new_width,
                                      (y + 0.5) * height / new_height, c, is_nearest);

              g_assert_cmpfloat (*values, ==, rintf (*values));
              g_assert_cmpfloat (fabs (*values - wanted), <=, is_nearest ? 0 : 0.5001);
            }
      gst_video_frame_unmap (&frame);
      gst_buffer_unref (noise);
      gst_harness_teardown (harness);
    }
}

/* Two pixels of RGB, 10 20 30 and 40 50 60. */
static C2gTensor *
push_two (const char *line)
{
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 2, 1);
  static const guint8 pixels[] = { 10, 20, 30, 40, 50, 60, 0, 0 };
  GstHarness *harness = gst_harness_new_parse (line);
  C2gTensor *tensor;

  set_caps (harness, &info);
  tensor = push_for_tensor (harness, gst_buffer_new_memdup (pixels, sizeof pixels));
  gst_harness_teardown (harness);

  return tensor;
}

static void
assert_values (const char   *line,
               C2gDataType   data_type,
               const double *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = push_two (line);

  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, data_type);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (tensor, i, &error), wanted[i], 1e-5);
  g_assert_no_error (error);
}

#define VALUES(...) ((double[]) { __VA_ARGS__ })

static void
test_options (void)
{
  assert_values ("c2gconvert", C2G_DATA_TYPE_FLOAT, VALUES (10, 40, 20, 50, 30, 60));
  assert_values ("c2gconvert order=nhwc", C2G_DATA_TYPE_FLOAT, VALUES (10, 20, 30, 40, 50, 60));
  assert_values ("c2gconvert channels=BGR", C2G_DATA_TYPE_FLOAT, VALUES (30, 60, 20, 50, 10, 40));
  assert_values ("c2gconvert channels=GRAY", C2G_DATA_TYPE_FLOAT, VALUES (18, 48));
  assert_values ("c2gconvert channels=RGBA order=NHWC", C2G_DATA_TYPE_FLOAT,
                 VALUES (10, 20, 30, 255, 40, 50, 60, 255));
  assert_values ("c2gconvert mean=10,20,30 scale=1,2,-1/10", C2G_DATA_TYPE_FLOAT,
                 VALUES (0, 30, 0, 60, 0, -3));
  assert_values ("c2gconvert type=uint8 mean=10", C2G_DATA_TYPE_UINT8, VALUES (10, 40, 20, 50, 30, 60));
  assert_values ("c2gconvert type=float16 scale=1/8", C2G_DATA_TYPE_FLOAT16,
                 VALUES (1.25, 5, 2.5, 6.25, 3.75, 7.5));
  assert_values ("c2gconvert type=int8 mean=128", C2G_DATA_TYPE_INT8, VALUES (-118, -88, -108, -78, -98, -68));
  assert_values ("c2gconvert type=double channels=GRAY size=4x1 nearest=true", C2G_DATA_TYPE_DOUBLE,
                 VALUES (18, 18, 48, 48));
  assert_values ("c2gconvert size=1x1 crop=true", C2G_DATA_TYPE_FLOAT, VALUES (10, 20, 30));
  assert_values ("c2gconvert size=1x1 smooth=true", C2G_DATA_TYPE_FLOAT, VALUES (25, 35, 45));
  assert_values ("c2gconvert size=4x1 smooth=true channels=BGR", C2G_DATA_TYPE_FLOAT,
                 VALUES (30, 38, 52, 60, 20, 28, 42, 50, 10, 18, 32, 40));
  assert_values ("c2gconvert size=2x3 letterbox=true channels=GRAY", C2G_DATA_TYPE_FLOAT,
                 VALUES (114, 114, 18, 48, 114, 114));
  assert_values ("c2gconvert preset=stylizer", C2G_DATA_TYPE_UINT8, VALUES (30, 20, 10, 255, 60, 50, 40, 255));
}

static void
assert_point (const char *line,
              double      x,
              double      y,
              double      wanted_x,
              double      wanted_y)
{
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_NV12, 640, 480);
  GstHarness *harness = gst_harness_new_parse (line);
  C2gGstGeometry *geometry;
  GstBuffer *buffer;
  double found_x, found_y;

  set_caps (harness, &info);
  buffer = gst_harness_push_and_pull (harness, new_noise (&info));
  geometry = c2g_gst_buffer_get_geometry (buffer, "picture");
  g_assert_cmpuint (c2g_gst_geometry_get_width (geometry), ==, 640);
  g_assert_cmpuint (c2g_gst_geometry_get_height (geometry), ==, 480);
  c2g_gst_geometry_map_point (geometry, x, y, &found_x, &found_y);
  g_assert_cmpfloat_with_epsilon (found_x, wanted_x, 1e-9);
  g_assert_cmpfloat_with_epsilon (found_y, wanted_y, 1e-9);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* Rule 4: a point of the tensor is found in the frame, whatever became of the size. */
static void
test_geometry (void)
{
  assert_point ("c2gconvert tensor=picture size=320x320", 160, 80, 320, 120);
  assert_point ("c2gconvert tensor=picture size=320x320 crop=true", 0, 320, 80, 480);
  assert_point ("c2gconvert tensor=picture size=320x320 letterbox=true", 0, 40, 0, 0);
  assert_point ("c2gconvert tensor=picture size=320x320 letterbox=true smooth=true", 320, 280, 640, 480);
  /* 75 rows would leave 25 for the borders: there are 74, and 13 on either side. */
  assert_point ("c2gconvert tensor=picture size=100x100 letterbox=true", 0, 13, 0, 0);
  assert_point ("c2gconvert tensor=picture size=100x100 letterbox=true", 100, 87, 640, 480);
  assert_point ("c2gconvert tensor=picture", 3, 4, 3, 4);
}

/* Negotiation */

static char *
get_tensor_caps (GstHarness *harness)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  const GValue *value = gst_structure_get_value (gst_caps_get_structure (caps, 0), "tensor0");

  return value != NULL ? gst_structure_to_string (gst_value_get_structure (value)) : NULL;
}

static void
assert_caps (GstHarness *harness,
             const char *layout,
             const char *type,
             int         d1,
             int         d2,
             int         d3)
{
  g_autofree char *text = get_tensor_caps (harness);
  g_autoptr (GstStructure) tensor = gst_structure_from_string (text, NULL);
  int found[4], rank;

  g_assert_cmpstr (gst_structure_get_string (tensor, "name"), ==, "tensor");
  g_assert_cmpstr (gst_structure_get_string (tensor, "layout"), ==, layout);
  g_assert_cmpstr (gst_structure_get_string (tensor, "type"), ==, type);
  g_assert_true (gst_structure_get (tensor, "rank", G_TYPE_INT, &rank, "d0", G_TYPE_INT, &found[0],
                                    "d1", G_TYPE_INT, &found[1], "d2", G_TYPE_INT, &found[2], "d3",
                                    G_TYPE_INT, &found[3], NULL));
  g_assert_cmpint (rank, ==, 4);
  g_assert_cmpint (found[0], ==, 1);
  g_assert_cmpint (found[1], ==, d1);
  g_assert_cmpint (found[2], ==, d2);
  g_assert_cmpint (found[3], ==, d3);
}

/* Rule 5: what properties leave open is chosen downstream, or is that of the frame. */
static void
test_negotiation (void)
{
  static const struct
  {
    const char *line;
    const char *layout;
    const char *type;
    int         d1;
    int         d2;
    int         d3;
  } rows[] = {
    { "c2gconvert", "nchw", "float", 3, 24, 32 },
    { "c2gconvert order=nhwc size=8x6", "nhwc", "float", 6, 8, 3 },
    { "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,type=uint8,d1=1]\"", "nchw",
      "uint8", 1, 24, 32 },
    { "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,type={float16,float},d3=4]\"",
      "nchw", "float", 3, 24, 4 },
    { "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,layout=nhwc,d1=7,d2=5]\"",
      "nhwc", "float", 7, 5, 3 },
    { "c2gconvert size=5x7 ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,d1=7,d2=5]\"",
      "nhwc", "float", 7, 5, 3 },
  };
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 32, 24);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GstHarness *harness = gst_harness_new_parse (rows[i].line);
      g_autoptr (C2gTensor) tensor = NULL;

      set_caps (harness, &info);
      tensor = push_for_tensor (harness, new_noise (&info));
      assert_dims (tensor, rows[i].d1, rows[i].d2, rows[i].d3);
      g_assert_cmpstr (c2g_data_type_get_name (c2g_tensor_get_data_type (tensor)), ==, rows[i].type);
      assert_caps (harness, rows[i].layout, rows[i].type, rows[i].d1, rows[i].d2, rows[i].d3);
      gst_harness_teardown (harness);
    }
}

/* The order of the channels, the mean and the scale are chosen downstream, too, unless the element has its own. */
static void
test_pixels (void)
{
  static const struct
  {
    const char *options;
    float       first;
    float       last;
  } rows[] = {
    { "", (30 - 1) * 2, (10 - 3) * 2 },
    { "mean=1,2,3 scale=2 channels=BGR", (30 - 1) * 2, (10 - 3) * 2 },
  };
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 1, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2gconvert %s ! capsfilter caps=\"application/x-c2g-tensors, tensor0=(structure)"
                                               "[tensor, channels=BGR, mean=(string)\\\"1,2,3\\\", scale=(string)2]\"",
                                               rows[i].options);
      GstHarness *harness = gst_harness_new_parse (line);
      g_autoptr (C2gTensor) tensor = NULL;
      const float *values;

      set_caps (harness, &info);
      tensor = push_for_tensor (harness, gst_buffer_new_memdup ("\012\024\036\0", 4));
      values = address_of (tensor);
      g_assert_cmpfloat (values[0], ==, rows[i].first);
      g_assert_cmpfloat (values[2], ==, rows[i].last);
      gst_harness_teardown (harness);
    }
}

static void
test_refusals (void)
{
  const char *const lines[] = {
    "c2gconvert size=8x8 ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,d3=9]\"",
    "c2gconvert channels=RGB ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,d1=1,d3=9]\"",
    "c2gconvert type=float ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,type=uint8]\"",
    "c2gconvert type=int64 ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,type=int32]\"",
    "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,rank=3]\"",
    "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,format=flexible\"",
    "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,d2=40000]\"",
    "c2gconvert scale=2 ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,scale=(string)1]\"",
    "c2gconvert ! capsfilter caps=\"application/x-c2g-tensors,tensor0=(structure)[tensor,channels=BGR,d1=1,d3=9]\"",
  };
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 32, 24);

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      GstHarness *harness = gst_harness_new_parse (lines[i]);

      set_caps (harness, &info);
      g_assert_cmpint (gst_harness_push (harness, new_noise (&info)), ==, GST_FLOW_NOT_NEGOTIATED);
      gst_harness_teardown (harness);
    }
}

/* Frames that change their size and format in between. */
static void
test_renegotiation (void)
{
  const char *const lines[] = { "c2gconvert", "c2gconvert size=9x7" };
  const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_I420_10LE };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      GstHarness *harness = gst_harness_new_parse (lines[i]);

      for (int frame = 0; frame < 20; frame++)
        {
          const GstVideoInfo info = video_info (formats[frame % G_N_ELEMENTS (formats)], 4 + 3 * frame, 30 - frame);
          g_autoptr (C2gTensor) tensor = NULL;

          set_caps (harness, &info);
          tensor = push_for_tensor (harness, new_noise (&info));
          assert_dims (tensor, 3, i == 0 ? info.height : 7, i == 0 ? info.width : 9);
        }
      gst_harness_teardown (harness);
    }
}

static void
assert_settings_fail (const char *line,
                      const char *message)
{
  g_autofree char *whole = g_strdup_printf ("%s ! fakesink", line);
  g_autoptr (GstElement) pipeline = gst_parse_launch (whole, NULL);
  g_autofree char *found = NULL;

  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  found = pop_error (pipeline);
  g_assert_nonnull (found);
  g_assert_nonnull (strstr (found, message));
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
test_settings (void)
{
  assert_settings_fail ("c2gconvert mean=x", "mean");
  assert_settings_fail ("c2gconvert size=0x4", "size");
  assert_settings_fail ("c2gconvert size=40000x4", "size");
  assert_settings_fail ("c2gconvert preset=none", "preset");
  assert_settings_fail ("c2gconvert channels=CMYK", "channels");
  assert_settings_fail ("c2gconvert crop=true letterbox=true", "crop and letterbox");
  assert_settings_fail ("c2gconvert smooth=true nearest=true", "smooth and nearest");
  assert_settings_fail ("c2gconvert mean=none.binaryproto", "none.binaryproto");
}

/* Hostile caps and frames */

static void
test_caps (void)
{
  static const struct
  {
    const char *line;
    const char *caps;
    gboolean    is_good;
  } rows[] = {
    { "c2gconvert", "video/x-raw, format=RGB, width=0, height=0, framerate=1/1", FALSE },
    { "c2gconvert size=8x8", "video/x-raw, format=RGB, width=0, height=4, framerate=1/1", FALSE },
    { "c2gconvert", "video/x-raw, format=RGB, width=2147483647, height=2147483647, framerate=1/1", FALSE },
    { "c2gconvert size=8x8", "video/x-raw, format=RGB, width=2147483647, height=3, framerate=1/1", FALSE },
    { "c2gconvert", "video/x-raw, format=RGB, width=40000, height=2, framerate=1/1", FALSE },
    { "c2gconvert size=8x8", "video/x-raw, format=RGB, width=40000, height=2, framerate=1/1", TRUE },
    { "c2gconvert", "video/x-raw, format=RGB, width=5, height=-3, framerate=1/1", FALSE },
    { "c2gconvert", "video/x-raw, format=ENCODED, width=5, height=3, framerate=1/1", FALSE },
    { "c2gconvert", "audio/x-raw, format=S16LE, layout=interleaved, rate=0, channels=0", FALSE },
    { "c2gconvert", "audio/x-raw, format=S16LE, layout=non-interleaved, rate=8000, channels=2", FALSE },
    { "c2gconvert", "image/png, framerate=1/1", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GstHarness *harness = gst_harness_new_parse (rows[i].line);
      g_autoptr (GstCaps) caps = gst_caps_from_string (rows[i].caps);
      GstSegment segment;

      g_test_message ("%s", rows[i].caps);
      gst_harness_push_event (harness, gst_event_new_stream_start ("stream"));
      gst_harness_push_event (harness, gst_event_new_caps (caps));
      gst_segment_init (&segment, GST_FORMAT_TIME);
      gst_harness_push_event (harness, gst_event_new_segment (&segment));
      g_assert_cmpint (gst_harness_push (harness, new_guarded (40000 * 2 * 3)), ==,
                       rows[i].is_good ? GST_FLOW_OK : GST_FLOW_NOT_NEGOTIATED);
      gst_harness_teardown (harness);
    }
}

/* Nothing outside of the memory of a frame is read, whatever its meta says. */
static void
test_hostile_frames (void)
{
  const GstVideoFormat formats[] = {
    GST_VIDEO_FORMAT_RGB,
    GST_VIDEO_FORMAT_BGRx,
    GST_VIDEO_FORMAT_I420,
    GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_YUY2,
    GST_VIDEO_FORMAT_RGBP,
    GST_VIDEO_FORMAT_GRAY8,
    GST_VIDEO_FORMAT_A420,
  };
  const char *const lines[] = { "c2gconvert", "c2gconvert size=7x5", "c2gconvert size=33x50 nearest=true channels=RGBA" };
  const guint n = c2g_test_count_rounds (600);
  guint n_good = 0;

  for (guint i = 0; i < n; i++)
    {
      const GstVideoInfo info = video_info (formats[i % G_N_ELEMENTS (formats)], g_test_rand_int_range (1, 40),
                                            g_test_rand_int_range (1, 40));
      GstHarness *harness = gst_harness_new_parse (lines[i % G_N_ELEMENTS (lines)]);
      GstFlowReturn flow;

      set_caps (harness, &info);
      flow = gst_harness_push (harness, new_hostile_frame (&info));
      g_assert_true (flow == GST_FLOW_OK || flow == GST_FLOW_ERROR);
      n_good += flow == GST_FLOW_OK;
      gst_harness_teardown (harness);
    }

  g_assert_cmpuint (n_good, >, n / 12);
}

/* Rows may be stored bottom-up. */
static void
test_flipped (void)
{
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_GRAY8, 2, 3);
  static const guint8 bytes[] = { 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0 };
  GstHarness *harness = gst_harness_new_parse ("c2gconvert channels=GRAY");
  GstBuffer *frame = gst_buffer_new_memdup (bytes, sizeof bytes);
  g_autoptr (C2gTensor) tensor = NULL;
  const float *values;

  gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_FORMAT_GRAY8, 2, 3, 1,
                                  (gsize[GST_VIDEO_MAX_PLANES]) { 8 }, (int[GST_VIDEO_MAX_PLANES]) { -4 });
  set_caps (harness, &info);
  tensor = push_for_tensor (harness, frame);
  values = address_of (tensor);
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (values[i], ==, VALUES (5, 6, 3, 4, 1, 2)[i]);
  gst_harness_teardown (harness);
}

/* A frame that is stored bottom-up: 0 in its lower half and 255 in its upper one. */
static GstBuffer *
new_flipped (const GstVideoInfo *info)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, info->size, NULL);

  gst_buffer_memset (frame, 0, 0, info->size / 2);
  gst_buffer_memset (frame, info->size / 2, 255, info->size / 2);
  gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_INFO_FORMAT (info), info->width, info->height, 1,
                                  (gsize[GST_VIDEO_MAX_PLANES]) { (info->height - 1) * info->stride[0] },
                                  (int[GST_VIDEO_MAX_PLANES]) { -info->stride[0] });

  return frame;
}

#define SMOOTH_LINE "c2gconvert smooth=true size=4x4"

/* GStreamer's converter, which makes smooth pictures, gets a copy of such frames. */
static void
test_flipped_smooth (void)
{
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 16, 16);
  GstHarness *harness = gst_harness_new_parse (SMOOTH_LINE);
  g_autoptr (C2gTensor) tensor = NULL;
  const float *values;

  set_caps (harness, &info);
  tensor = push_for_tensor (harness, new_flipped (&info));
  values = address_of (tensor);
  g_assert_cmpfloat (values[0], >, 200);
  g_assert_cmpfloat (values[15], <, 50);
  gst_harness_teardown (harness);
}

/* An allocator without memory. */

typedef struct
{
  GstAllocator parent_instance;
} EmptyAllocator;

typedef struct
{
  GstAllocatorClass parent_class;
} EmptyAllocatorClass;

static GType empty_allocator_get_type (void);
G_DEFINE_TYPE (EmptyAllocator, empty_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *
empty_allocator_alloc (GstAllocator        *allocator,
                       gsize                size,
                       GstAllocationParams *params)
{
  return NULL;
}

static void
empty_allocator_class_init (EmptyAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->alloc = empty_allocator_alloc;
}

static void
empty_allocator_init (EmptyAllocator *self)
{
}

/* Without memory for the copy, the stream ends with an error, not with the picture of an earlier frame. */
static void
test_no_memory (void)
{
  const GstVideoInfo info = video_info (GST_VIDEO_FORMAT_RGB, 16, 16);
  GstHarness *harness = gst_harness_new_parse (SMOOTH_LINE);
  GstBuffer *frame = new_flipped (&info);
  GstBus *bus = watch_element (harness->element);

  set_caps (harness, &info);
  g_object_unref (push_for_tensor (harness, gst_buffer_ref (frame)));
  gst_allocator_set_default (gst_object_ref_sink (g_object_new (empty_allocator_get_type (), NULL)));
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
  gst_allocator_set_default (gst_allocator_find (GST_ALLOCATOR_SYSMEM));
  wait_for_error (bus, "There is no memory for a copy of the frame");
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* Audio */

#define AUDIO_CAPS                                                                                 \
  "audio/x-raw, format=%s, layout=interleaved, rate=8000, channels=2, channel-mask=(bitmask)3"

static void
assert_samples (const char    *line,
                const char    *format,
                gconstpointer  bytes,
                gsize          n_bytes,
                gint64         d0,
                gint64         d1,
                const double  *wanted)
{
  g_autofree char *caps = g_strdup_printf (AUDIO_CAPS, format);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_dims;

  gst_harness_set_src_caps_str (harness, caps);
  tensor = push_for_tensor (harness, n_bytes > 0 ? gst_buffer_new_memdup (bytes, n_bytes) : gst_buffer_new ());
  g_assert_cmpint (c2g_tensor_get_dims (tensor, &n_dims)[0], ==, d0);
  g_assert_cmpint (c2g_tensor_get_dims (tensor, &n_dims)[1], ==, d1);
  g_assert_cmpuint (n_dims, ==, 2);
  for (gint64 i = 0; i < d0 * d1; i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (tensor, i, &error), wanted[i], 1e-6);
  g_assert_no_error (error);
  gst_harness_teardown (harness);
}

static void
test_audio (void)
{
  const gint16 shorts[] = { 16384, -16384, 0, 8192, -32768, 32767 };
  const float floats[] = { 0.5, -0.5, 0, 0.25, -1, 1 };
  const double last = 32767 / 32768.0;

  assert_samples ("c2gconvert", "S16LE", shorts, sizeof shorts, 2, 3,
                  VALUES (0.5, 0, -1, -0.5, 0.25, last));
  assert_samples ("c2gconvert order=nhwc", "S16LE", shorts, sizeof shorts, 3, 2,
                  VALUES (0.5, -0.5, 0, 0.25, -1, last));
  assert_samples ("c2gconvert mean=1 scale=2", "F32LE", floats, sizeof floats, 2, 3,
                  VALUES (-1, -2, -4, -3, -1.5, 0));
  assert_samples ("c2gconvert type=float16", "F32LE", floats, sizeof floats, 2, 3,
                  VALUES (0.5, 0, -1, -0.5, 0.25, 1));
  assert_samples ("c2gconvert", "S16LE", shorts, 0, 2, 0, NULL);
  /* A part of a sample at the end is left out. */
  assert_samples ("c2gconvert", "S16LE", shorts, 7, 2, 1, VALUES (0.5, -0.5));
}

/* The rate of frames stays, so that of a stream of NNStreamer is the true one. */
static void
test_rate (void)
{
  static const char *const rates[] = { "25/1", "0/1" };

  for (gsize i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      GstHarness *harness = gst_harness_new_parse ("c2gconvert ! c2gbridge");
      g_autofree char *caps = g_strconcat ("video/x-raw, format=RGB, width=4, height=2, framerate=", rates[i], NULL);
      g_autofree char *tensors = g_strconcat ("other/tensors, framerate=", rates[i], NULL);
      g_autoptr (GstCaps) expected = gst_caps_from_string (tensors);
      g_autoptr (GstCaps) found = NULL;

      gst_harness_set_sink_caps_str (harness, "other/tensors");
      gst_harness_set_src_caps_str (harness, caps);
      gst_buffer_unref (gst_harness_push_and_pull (harness, new_bytes (2 * 12)));
      found = gst_pad_get_current_caps (harness->sinkpad);
      g_assert_true (gst_caps_is_subset (found, expected));
      gst_harness_teardown (harness);
    }
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/convert/formats", test_formats);
  add_gst_func ("/gst/convert/colors", test_colors);
  add_gst_func ("/gst/convert/exact", test_exact);
  add_gst_func ("/gst/convert/options", test_options);
  add_gst_func ("/gst/convert/geometry", test_geometry);
  add_gst_func ("/gst/convert/negotiation", test_negotiation);
  add_gst_func ("/gst/convert/pixels", test_pixels);
  add_gst_func ("/gst/convert/refusals", test_refusals);
  add_gst_func ("/gst/convert/renegotiation", test_renegotiation);
  add_gst_func ("/gst/convert/settings", test_settings);
  add_gst_func ("/gst/convert/rate", test_rate);
  add_gst_func ("/gst/convert/caps", test_caps);
  add_gst_func ("/gst/convert/hostile-frames", test_hostile_frames);
  add_gst_func ("/gst/convert/flipped", test_flipped);
  add_gst_func ("/gst/convert/flipped-smooth", test_flipped_smooth);
  add_gst_func ("/gst/convert/no-memory", test_no_memory);
  add_gst_func ("/gst/convert/audio", test_audio);

  return run_gst_tests ();
}
