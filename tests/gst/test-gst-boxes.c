/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <math.h>
#include <string.h>

/* c2gdecode with boxes: mode=ssd and mode=yolo. */

static C2gTensor *
new_tensor (const gint64 *dims,
            gsize         n_dims,
            const float  *values)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    data[i] = values[i];

  return tensor;
}

/* Frames of 200 × 100 pixels. */
#define CAPS "video/x-raw, format=GRAY8, width=200, height=100, framerate=30/1"

static GstBuffer *
new_frame (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 200 * 100, NULL);

  gst_buffer_memset (frame, 0, 0, -1);

  return frame;
}

static void
attach (GstBuffer      *frame,
        const char     *name,
        C2gGstGeometry *geometry,
        const gint64   *dims,
        gsize           n_dims,
        const float    *values)
{
  g_autoptr (C2gTensor) tensor = new_tensor (dims, n_dims, values);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_gst_buffer_add_tensor (frame, name, tensor, geometry, &error));
  g_assert_no_error (error);
}

/* The regions of a frame: "class score x y width height; …", in the order of their classes. */
static char *
describe_regions (GstBuffer *frame)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (frame, &state,
                                                   GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    {
      GstVideoRegionOfInterestMeta *region = (GstVideoRegionOfInterestMeta *) meta;
      GstStructure *found = gst_video_region_of_interest_meta_get_param (region, "c2g-detection");
      double score;
      guint index;

      g_assert_true (gst_structure_get (found, "index", G_TYPE_UINT, &index, "score", G_TYPE_DOUBLE,
                                        &score, NULL));
      g_string_append_printf (text, "%u %.2f %u %u %u %u; ", index, score, region->x, region->y,
                              region->w, region->h);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Takes frame. */
static void
assert_regions (const char *line,
                GstBuffer  *frame,
                const char *expected)
{
  GstHarness *harness = gst_harness_new_parse (line);
  g_autofree char *regions = NULL;

  gst_harness_set_src_caps_str (harness, CAPS);
  frame = gst_harness_push_and_pull (harness, frame);
  regions = describe_regions (frame);
  g_assert_cmpstr (regions, ==, expected);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Rows that NMS has chosen: boxes are parts of the frame, and end at its border. A row of -1 says that there
 * is nothing. */
static void
test_ssd_rows (void)
{
  const float rows[] = { 0, 2, 0.5f, 0.8f, 0.9f, 1.5f, 1.5f, 0,  1,  0.2f, 0,  0,  1,  1,
                         0, 3, 0.9f, 0.1f, 0.2f, 0.5f, 0.6f, -1, -1, -1,   -1, -1, -1, -1 };
  GstBuffer *frame = new_frame ();
  GstBuffer *none = new_frame ();

  attach (frame, "detections", NULL, C2G_TEST_DIMS (1, 1, 4, 7), rows);
  assert_regions ("c2gdecode mode=ssd", gst_buffer_ref (frame), "3 0.90 20 20 80 40; 2 0.50 160 90 40 10; ");
  assert_regions ("c2gdecode mode=ssd max-boxes=1", gst_buffer_ref (frame), "3 0.90 20 20 80 40; ");
  assert_regions ("c2gdecode mode=ssd max-boxes=0", frame, "3 0.90 20 20 80 40; 2 0.50 160 90 40 10; ");
  attach (none, "detections", NULL, C2G_TEST_DIMS (1, 1, 1, 7), rows + 21);
  assert_regions ("c2gdecode mode=ssd", none, "");
}

/* Boxes and scores apart: the first class is the background, and boxes of a class that overlap become one. */
static void
test_ssd_pairs (void)
{
  const float boxes[] = { 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.48f, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f, 1, 1 };
  const float scores[] = { 0, 0.8f, 0, 0, 0.9f, 0, 0.2f, 0, 0.7f, 0.9f, 0.1f, 0.05f };
  GstBuffer *frame = new_frame ();

  attach (frame, "boxes", NULL, C2G_TEST_DIMS (1, 4, 4), boxes);
  attach (frame, "scores", NULL, C2G_TEST_DIMS (1, 4, 3), scores);
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores", gst_buffer_ref (frame),
                  "0 0.90 0 0 100 48; 1 0.70 0 0 100 50; ");
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores overlap=1", gst_buffer_ref (frame),
                  "0 0.90 0 0 100 48; 0 0.80 0 0 100 50; 1 0.70 0 0 100 50; ");
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores threshold=0.75", gst_buffer_ref (frame),
                  "0 0.90 0 0 100 48; ");
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores max-boxes=1", gst_buffer_ref (frame),
                  "0 0.90 0 0 100 48; ");
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores max-boxes=0", frame,
                  "0 0.90 0 0 100 48; 1 0.70 0 0 100 50; ");
}

/* A model that saw the middle of the frame, 50 × 50 pixels of it for 100: its boxes lie in the frame. */
static C2gGstGeometry *
new_crop (void)
{
  return c2g_gst_geometry_new (200, 100, (const double[]) { 2, 0, 50, 0, 2, 0 });
}

/* Centers and sizes in pixels of the picture. The score of a class is that of there being anything, times its
 * own. */
static const float v5[] = { 10, 10, 4, 8, 0.9f, 0.1f, 0.8f,  10.2f, 10, 4, 8, 0.8f, 0, 0.8f,
                            10, 10, 4, 8, 0.5f, 0.9f, 0.1f,  40, 40, 4, 4, 0.1f, 1,   1,
                            48, 48, 10, 10, 1, 0, 0.5f,       0, 0, 0, 0, 0, 0, 0,
                            0, 0, 0, 0, 0, 0, 0,              0, 0, 0, 0, 0, 0, 0 };
#define REGIONS "0 0.45 66 12 8 16; 1 0.72 66 12 8 16; 1 0.50 136 86 20 14; "

static void
test_yolo_rows (void)
{
  g_autoptr (C2gGstGeometry) geometry = new_crop ();
  GstBuffer *frame = new_frame ();
  GstBuffer *plain = new_frame ();

  attach (frame, "output", geometry, C2G_TEST_DIMS (1, 8, 7), v5);
  assert_regions ("c2gdecode mode=yolo", frame, REGIONS);
  attach (plain, "output", NULL, C2G_TEST_DIMS (8, 7), v5);
  assert_regions ("c2gdecode mode=yolo threshold=0.7", plain, "1 0.72 8 6 4 8; ");
}

/* The same numbers in columns, where classes have their scores alone. */
static void
test_yolo_columns (void)
{
  g_autoptr (C2gGstGeometry) geometry = new_crop ();
  GstBuffer *frame = new_frame ();
  float columns[6 * 8];

  for (guint box = 0; box < 8; box++)
    for (guint i = 0; i < 6; i++)
      columns[8 * i + box] = i < 4 ? v5[7 * box + i] : v5[7 * box + 4] * v5[7 * box + i + 1];
  attach (frame, "output", geometry, C2G_TEST_DIMS (1, 6, 8), columns);
  assert_regions ("c2gdecode mode=yolo", frame, REGIONS);
}

/* Boxes that are parts of the picture become what they are in pixels of it. */
static void
test_yolo_relative (void)
{
  g_autoptr (C2gGstGeometry) geometry = new_crop ();
  GstBuffer *frame = new_frame ();
  float parts[G_N_ELEMENTS (v5)];

  for (guint i = 0; i < G_N_ELEMENTS (v5); i++)
    parts[i] = i % 7 < 4 ? v5[i] / 50 : v5[i];
  attach (frame, "output", geometry, C2G_TEST_DIMS (1, 8, 7), parts);
  assert_regions ("c2gdecode mode=yolo relative=true", gst_buffer_ref (frame), REGIONS);
  assert_regions ("c2gdecode mode=yolo relative=true size=25x25 threshold=0.7", frame, "1 0.72 58 6 4 8; ");
}

/* Attaches a grid of one anchor and two classes that finds nothing but in one cell. */
static void
attach_grid (GstBuffer  *frame,
             const char *name,
             gint64      n_rows,
             gint64      n_columns,
             gint64      cell,
             const float numbers[7])
{
  const gint64 n = n_rows * n_columns;
  g_autofree float *values = g_new0 (float, 7 * n);

  for (gint64 i = 0; i < n; i++)
    values[4 * n + i] = -20;
  for (gint64 i = 0; i < 7; i++)
    values[i * n + cell] = numbers[i];
  attach (frame, name, NULL, C2G_TEST_DIMS (1, 7, n_rows, n_columns), values);
}

/* Cells of grids move and stretch anchors, and boxes of all grids are chosen from together. */
static void
test_yolo_grids (void)
{
  GstBuffer *frame = new_frame ();
  GstBuffer *again = new_frame ();

  attach_grid (frame, "fine", 2, 4, 6, (const float[]) { 0, 0, logf (2), 0, 20, logf (4), -20 });
  attach_grid (frame, "coarse", 1, 2, 0, (const float[]) { 0, 0, 0, 0, 20, -20, logf (9) });
  assert_regions ("c2gdecode mode=yolo anchors=20x10,30x60", gst_buffer_ref (frame),
                  "0 0.80 105 70 40 10; 1 0.90 35 20 30 60; ");
  assert_regions ("c2gdecode mode=yolo anchors=30x60,20x10 tensor=coarse,fine", gst_buffer_ref (frame),
                  "0 0.80 105 70 40 10; 1 0.90 35 20 30 60; ");
  assert_regions ("c2gdecode mode=yolo anchors=30x60 tensor=coarse", frame, "1 0.90 35 20 30 60; ");

  attach_grid (again, "fine", 2, 4, 6, (const float[]) { 0, 0, 0, 0, 20, logf (4), -20 });
  attach_grid (again, "coarse", 1, 2, 1, (const float[]) { -1.0986f, logf (3), 0, 0, 20, logf (9), -20 });
  assert_regions ("c2gdecode mode=yolo anchors=20x10,20x10", again, "0 0.90 115 70 20 10; ");
}

/* All tensors that are decoded must belong to this frame, not the first one alone. */
static void
test_other_frames (void)
{
  const float boxes[] = { 0, 0, 0.5f, 0.5f }, scores[] = { 0, 0.8f }, nothing[7] = { 0 };
  const double pixels[] = { 1, 0, 0, 0, 1, 0 };
  g_autoptr (C2gGstGeometry) other = c2g_gst_geometry_new (100, 100, pixels);
  GstBuffer *pair = new_frame ();
  GstBuffer *grids = new_frame ();

  attach (pair, "boxes", NULL, C2G_TEST_DIMS (1, 1, 4), boxes);
  attach (pair, "scores", other, C2G_TEST_DIMS (1, 1, 2), scores);
  assert_regions ("c2gdecode mode=ssd tensor=boxes scores=scores", pair, "");

  attach_grid (grids, "coarse", 1, 2, 0, (const float[]) { 0, 0, 0, 0, 20, -20, logf (9) });
  attach (grids, "fine", other, C2G_TEST_DIMS (1, 7, 1, 1), nothing);
  assert_regions ("c2gdecode mode=yolo anchors=30x60 tensor=coarse", gst_buffer_ref (grids), "1 0.90 35 20 30 60; ");
  assert_regions ("c2gdecode mode=yolo anchors=30x60,20x10", grids, "");
}

/* The names of classes tell rows from columns where there are fewer boxes than numbers, and name what is
 * found. */
static void
test_yolo_labels (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *line = NULL;
  g_autofree char *text = NULL;
  GstBuffer *frame = new_frame ();
  GstHarness *harness;
  gsize n;

  g_close (g_file_open_tmp ("c2g-labels-XXXXXX", &path, &error), NULL);
  g_assert_true (g_file_set_contents (path, "cat\nsmall dog\n", -1, &error));
  line = g_strdup_printf ("c2gdecode mode=yolo labels=%s ! capsfilter caps=text/x-raw", path);
  harness = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (harness, CAPS);
  attach (frame, "output", NULL, C2G_TEST_DIMS (1, 3, 7), v5);
  frame = gst_harness_push_and_pull (harness, frame);
  gst_buffer_extract_dup (frame, 0, -1, (gpointer *) &text, &n);
  g_assert_cmpmem (text, n, "cat 45.0 % 8 6 4 8\nsmall dog 72.0 % 8 6 4 8\n", 44);

  /* A frame without boxes is no line, and no warning. */
  gst_buffer_unref (frame);
  frame = new_frame ();
  attach (frame, "output", NULL, C2G_TEST_DIMS (1, 3, 7), v5 + 35);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  gst_harness_teardown (harness);
  g_assert_cmpint (g_remove (path), ==, 0);
}

static float
strange_value (void)
{
  const float values[] = { NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 0, -1, 0.5f, 1, 1e10f };

  return values[g_test_rand_int_range (0, G_N_ELEMENTS (values))];
}

static const char *const hostile_lines[] = {
  "c2gdecode name=decode mode=ssd",
  "c2gdecode name=decode mode=ssd tensor=t0 scores=t1",
  "c2gdecode name=decode mode=yolo threshold=0",
  "c2gdecode name=decode mode=yolo threshold=0 tensor=t0 anchors=10x13",
  "c2gdecode name=decode mode=yolo threshold=0 anchors=10x13,infx1e300",
  "c2gdecode name=decode mode=yolo tensor=, anchors=10x13",
  "c2gdecode name=decode mode=segment",
  "c2gdecode name=decode mode=picture",
  "c2gdecode name=decode mode=picture order=NHWC channels=BGRA",
  "c2gdecode name=decode mode=classify",
};

static void
attach_hostile (GstBuffer  *frame,
                const char *name)
{
  const gint64 sizes[] = { 0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 9 };
  const double matrix[] = { strange_value (), 0, 0, strange_value (), 1, strange_value () };
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (200, 100, matrix);
  gint64 dims[5];
  float values[9 * 9 * 9 * 9];
  gsize n_dims = g_test_rand_int_range (0, 5);

  for (gsize i = 0; i < n_dims; i++)
    dims[i] = i + 2 < n_dims ? 1 : sizes[g_test_rand_int_range (0, G_N_ELEMENTS (sizes))];
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = strange_value ();
  attach (frame, name, g_test_rand_int_range (0, 2) == 0 ? geometry : NULL, dims, n_dims, values);
}

/* Whatever the tensors are, frames go on, or the stream ends with an error. */
static void
test_hostile (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (hostile_lines); i++)
    {
      GstHarness *harness = gst_harness_new_parse (hostile_lines[i]);

      gst_harness_set_src_caps_str (harness, CAPS);
      for (guint j = c2g_test_count_rounds (200); j > 0; j--)
        {
          GstBuffer *frame = new_frame ();
          GstFlowReturn flow;

          attach_hostile (frame, "t0");
          attach_hostile (frame, "t1");
          flow = gst_harness_push (harness, frame);
          g_assert_true (flow == GST_FLOW_OK || flow == GST_FLOW_ERROR);
          while ((frame = gst_harness_try_pull (harness)) != NULL)
            gst_buffer_unref (frame);
        }
      gst_harness_teardown (harness);
    }
}

static const float zeros[16];

static const struct
{
  const char *line;
  const char *message;
} faults[] = {
  { "c2gdecode mode=ssd", "*[1, 1, N, 7]*[2, 3]*" },
  { "c2gdecode mode=ssd scores=t", "*[1, N, 4]*[2, 3]*" },
  { "c2gdecode mode=yolo", "*[1, N, 5 + C]*[2, 3]*" },
  { "c2gdecode mode=segment", "*[1, C, H, W]*[2, 3]*" },
  { "c2gdecode mode=picture", "*[1, 3, H, W]*[2, 3]*" },
  { "c2gdecode mode=yolo scores=other", "*other*" },
  { "c2gdecode mode=yolo anchors=1x1,2x2", "*[1, 2 · (5 + C), H, W]*[2, 3]*" },
};

/* A tensor that does not fit is named, with what would. */
static void
test_errors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      GstHarness *harness = gst_harness_new_parse (faults[i].line);
      g_autofree char *message = NULL;
      GstBuffer *frame = new_frame ();

      watch_element (harness->element);
      gst_harness_set_src_caps_str (harness, CAPS);
      attach (frame, "t", NULL, C2G_TEST_DIMS (2, 3), v5);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      message = pop_error (harness->element);
      g_assert_true (g_pattern_match_simple (faults[i].message, message));
      gst_element_set_bus (harness->element, NULL);
      gst_harness_teardown (harness);
    }
}

/* An error tells the mode that a tensor looks like, and the other tensors of the buffer. */
static void
test_advice (void)
{
  static const struct
  {
    const char *mode;
    gint64      dims[4];
    gsize       n_dims;
    const char *advice;
  } rows[] = {
    { "classify", { 1, 1, 2, 7 }, 4, "*mode=ssd*" },
    { "classify", { 1, 2, 6 }, 3, "*mode=yolo*" },
    { "classify", { 1, 2, 3, 2 }, 4, "*mode=segment*" },
    { "classify", { 1, 3, 2, 2 }, 4, "*mode=picture*" },
    { "classify", { 1, 1, 2, 3 }, 4, "*mode=segment*" },
    { "yolo", { 1, 4 }, 2, "*mode=classify*" },
    { "picture", { 1, 5, 1, 2 }, 4, "*mode=segment*" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2gdecode mode=%s", rows[i].mode);
      GstHarness *harness = gst_harness_new_parse (line);
      g_autofree char *message = NULL;
      GstBuffer *frame = new_frame ();

      watch_element (harness->element);
      gst_harness_set_src_caps_str (harness, CAPS);
      attach (frame, "t", NULL, rows[i].dims, rows[i].n_dims, zeros);
      attach (frame, "other", NULL, C2G_TEST_DIMS (1), zeros);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      message = pop_error (harness->element);
      g_assert_true (g_pattern_match_simple (rows[i].advice, message));
      g_assert_nonnull (strstr (message, "tensors “t”, “other”;"));
      free_harness (harness);
    }
}

/* Anchors that are no sizes fail when the element starts. */
static void
test_bad_anchors (void)
{
  const char *const anchors[] = { "10", "10x", "x10", "10x13,,16x30", "10x13;16x30", "0x1", "-1x1", "nanx1", "10x13x3" };

  for (gsize i = 0; i < G_N_ELEMENTS (anchors); i++)
    {
      GstElement *element = new_element ("c2gdecode");
      g_autofree char *message = NULL;

      g_object_set (element, "anchors", anchors[i], NULL);
      g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
      message = pop_error (element);
      g_assert_nonnull (strstr (message, anchors[i]));
      free_element (element);
    }
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/boxes/ssd-rows", test_ssd_rows);
  add_gst_func ("/gst/boxes/ssd-pairs", test_ssd_pairs);
  add_gst_func ("/gst/boxes/yolo-rows", test_yolo_rows);
  add_gst_func ("/gst/boxes/yolo-columns", test_yolo_columns);
  add_gst_func ("/gst/boxes/yolo-relative", test_yolo_relative);
  add_gst_func ("/gst/boxes/yolo-grids", test_yolo_grids);
  add_gst_func ("/gst/boxes/other-frames", test_other_frames);
  add_gst_func ("/gst/boxes/yolo-labels", test_yolo_labels);
  add_gst_func ("/gst/boxes/hostile", test_hostile);
  add_gst_func ("/gst/boxes/errors", test_errors);
  add_gst_func ("/gst/boxes/advice", test_advice);
  add_gst_func ("/gst/boxes/bad-anchors", test_bad_anchors);

  return run_gst_tests ();
}
