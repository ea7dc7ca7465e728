/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-utils.h"

#include <gst/check/gstharness.h>

/* Rule 3: each getter makes a tensor of its own, over sealed memory. */
static void
test_add (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) first = NULL;
  g_autoptr (C2gTensor) second = NULL;

  assert_tensors (buffer, "");
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "a", tensor, NULL, &error));
  add_floats (buffer, "b", 0);
  assert_tensors (buffer, "a b");
  g_assert_null (c2g_gst_buffer_get_geometry (buffer, "a"));

  /* The program goes on with its tensor. */
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2), &error));
  g_assert_true (c2g_tensor_set_value (tensor, 0, 7, &error));

  first = c2g_gst_buffer_get_tensor (buffer, "a", &error);
  second = c2g_gst_buffer_get_tensor (buffer, "a", &error);
  g_assert_no_error (error);
  g_assert_true (first != second && address_of (first) == address_of (second));
  g_assert_cmpint (c2g_tensor_get_n_elements (first), ==, 6);
  g_assert_cmpfloat (c2g_tensor_get_value (first, 0, &error), ==, 0);
  gst_buffer_unref (buffer);
  g_assert_cmpfloat (c2g_tensor_get_value (first, 5, &error), ==, 5);
}

static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gTensor) sharer = new_floats (6);
  g_autoptr (C2gTensor) none = c2g_tensor_new ();
  g_autoptr (C2gTensor) texts = c2g_tensor_new_sized (C2G_TEST_DIMS (1), NULL, &error);
  g_autoptr (C2gTensor) untyped = c2g_tensor_new_sized (C2G_TEST_DIMS (0, 2), NULL, &error);
  g_autoptr (C2gTensor) empty = NULL;

  g_assert_null (c2g_gst_buffer_get_tensor (buffer, "a", &error));
  g_assert_cmpstr (error->message, ==, "There is no tensor “a”, and no other");
  assert_fails (&error, C2G_ERROR_NOT_FOUND);
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "a", none, NULL, &error));
  assert_fails (&error, C2G_ERROR_SHAPE);
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "a", untyped, NULL, &error));
  assert_fails (&error, C2G_ERROR_TYPE);
  g_assert_true (c2g_tensor_allocate (texts, C2G_DATA_TYPE_STRING, &error));
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "a", texts, NULL, &error));
  assert_fails (&error, C2G_ERROR_TYPE);
  g_assert_true (c2g_tensor_share_data (sharer, tensor, &error));
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "a", tensor, NULL, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "\xff", none, NULL, &error));
  assert_fails (&error, C2G_ERROR_INVALID_ARGUMENT);
  assert_tensors (buffer, "");

  add_floats (buffer, "a", 0);
  empty = c2g_gst_buffer_get_tensor (buffer, "a", &error);
  g_assert_cmpint (c2g_tensor_get_data_type (empty), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "a", none, NULL, &error));
  assert_fails (&error, C2G_ERROR_EXISTS);
  gst_buffer_ref (buffer);
  g_assert_false (c2g_gst_buffer_add_tensor (buffer, "b", none, NULL, &error));
  assert_fails (&error, C2G_ERROR_READ_ONLY);
  gst_buffer_unref (buffer);
  gst_buffer_unref (buffer);
}

/* Rule 3: copies have the same records, and what is added to one is not in the other. */
static void
test_copy (void)
{
  GstBuffer *buffer = new_bytes (4);
  GstBuffer *copy, *part, *third;

  add_floats (buffer, "a", 2);
  copy = gst_buffer_copy (buffer);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 1, 2);
  add_floats (copy, "b", 3);
  add_floats (buffer, "c", 3);
  assert_tensors (buffer, "a c");
  assert_tensors (copy, "a b");
  assert_tensors (part, "a");

  third = gst_buffer_make_writable (gst_buffer_ref (copy));
  g_assert_true (gst_buffer_copy_into (third, buffer, GST_BUFFER_COPY_META, 0, -1));
  assert_tensors (third, "a b c");
  gst_buffer_unref (third);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  gst_buffer_unref (part);
}

/* Any number of tensors, where memories of a buffer are merged at the 17th. */
static void
test_many (void)
{
  GstBuffer *buffer = new_bytes (4);
  g_auto (GStrv) names = NULL;

  add_many (buffer, 100);
  names = c2g_gst_buffer_list_tensors (buffer);
  g_assert_cmpuint (g_strv_length (names), ==, 100);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
  gst_buffer_unref (buffer);
}

/* Rule 4: a record says where its points are in the frame that it was made from. */
static void
test_geometry (void)
{
  const double matrix[] = { 2, 0, 10, 0, 4, -1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (640, 480, matrix);
  GstBuffer *buffer = gst_buffer_new ();
  C2gGstGeometry *found;
  double x, y;

  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "a", tensor, geometry, &error));
  found = c2g_gst_buffer_get_geometry (buffer, "a");
  g_assert_cmpuint (c2g_gst_geometry_get_width (found), ==, 640);
  g_assert_cmpuint (c2g_gst_geometry_get_height (found), ==, 480);
  c2g_gst_geometry_map_point (found, 3, 5, &x, &y);
  g_assert_cmpfloat (x, ==, 16);
  g_assert_cmpfloat (y, ==, 19);
  g_assert_null (c2g_gst_buffer_get_geometry (buffer, "b"));
  gst_buffer_unref (buffer);
}

/* Returns what videoscale makes of the metas of a buffer, in their order or in the opposite one. It tells the scale to
 * metas with tags, and copies the others. */
static GstBuffer *
scale_metas (GstBuffer             *buffer,
             GstVideoMetaTransform *scale,
             gboolean               is_reversed)
{
  GstBuffer *scaled = gst_buffer_new ();
  GstMetaTransformCopy copy = { FALSE, 0, (gsize) -1 };
  g_autoptr (GPtrArray) metas = g_ptr_array_new ();
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (buffer, &state)) != NULL)
    g_ptr_array_insert (metas, is_reversed ? 0 : -1, meta);
  g_assert_cmpuint (metas->len, ==, 2);
  for (guint i = 0; i < metas->len; i++)
    {
      const GstMetaInfo *info;

      meta = g_ptr_array_index (metas, i);
      info = meta->info;
      if (gst_meta_api_type_get_tags (info->api) != NULL)
        g_assert_true (info->transform_func (scaled, meta, buffer, gst_video_meta_transform_scale_get_quark (), scale));
      else
        g_assert_true (info->transform_func (scaled, meta, buffer, _gst_meta_transform_copy, &copy));
    }

  return scaled;
}

/* Rule 4: a scaled frame has geometries in its own pixels, and the first frame keeps those that it has. */
static void
test_geometry_scaled (void)
{
  const double matrix[] = { 2, 0, 10, 0, 4, -1 };
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (640, 480, matrix);
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstVideoInfo input, output;
  GstVideoMetaTransform scale = { &input, &output };

  gst_video_info_set_format (&input, GST_VIDEO_FORMAT_RGB, 640, 480);
  gst_video_info_set_format (&output, GST_VIDEO_FORMAT_RGB, 320, 240);
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "a", tensor, geometry, NULL));
  add_floats (buffer, "b", 3);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GstBuffer) scaled = scale_metas (buffer, &scale, i == 1);
      g_autoptr (GstBuffer) again = scale_metas (scaled, &scale, i == 1);
      C2gGstGeometry *found = c2g_gst_buffer_get_geometry (again, "a");
      double x, y;

      assert_tensors (again, "a b");
      g_assert_null (c2g_gst_buffer_get_geometry (again, "b"));
      g_assert_cmpuint (c2g_gst_geometry_get_width (found), ==, 160);
      g_assert_cmpuint (c2g_gst_geometry_get_height (found), ==, 120);
      c2g_gst_geometry_map_point (found, 3, 5, &x, &y);
      g_assert_cmpfloat (x, ==, 4);
      g_assert_cmpfloat (y, ==, 4.75);
      g_assert_true (c2g_gst_buffer_get_geometry (buffer, "a") == geometry);
    }
}

/* Returns the size of the geometry of a frame that was scaled once: "WIDTHxHEIGHT". */
static char *
scale_size (C2gGstGeometry *geometry,
            GstVideoInfo   *input,
            GstVideoInfo   *output)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (C2gTensor) tensor = new_floats (6);
  GstVideoMetaTransform scale = { input, output };
  g_autoptr (GstBuffer) scaled = NULL;
  C2gGstGeometry *found;

  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "a", tensor, geometry, NULL));
  scaled = scale_metas (buffer, &scale, FALSE);
  found = c2g_gst_buffer_get_geometry (scaled, "a");

  return g_strdup_printf ("%ux%u", c2g_gst_geometry_get_width (found), c2g_gst_geometry_get_height (found));
}

/* Rule 4: no frame has the size of a geometry with borders, or of one that no number can hold. */
static void
test_geometry_unknown (void)
{
  const double matrix[] = { 1, 0, 0, 0, 1, 0 };
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (640, 480, matrix);
  g_autoptr (C2gGstGeometry) huge = c2g_gst_geometry_new (G_MAXUINT - 1, 480, matrix);
  g_autofree char *bordered = NULL;
  g_autofree char *limited = NULL;
  GstVideoInfo input, wide, large;

  gst_video_info_set_format (&input, GST_VIDEO_FORMAT_RGB, 640, 480);
  gst_video_info_set_format (&wide, GST_VIDEO_FORMAT_RGB, 1280, 480);
  gst_video_info_set_format (&large, GST_VIDEO_FORMAT_RGB, 1280, 960);
  bordered = scale_size (geometry, &input, &wide);
  limited = scale_size (huge, &input, &large);
  g_assert_cmpstr (bordered, ==, "0x0");
  g_assert_cmpstr (limited, ==, "4294967295x960");
}

/* Rule 3: elements that convert, scale, crop or queue a frame, or give it to several, keep what is
 * attached. */
static void
test_elements (void)
{
  const char *const lines[] = {
    "videoconvert ! capsfilter caps=video/x-raw,format=RGB",
    "videoscale ! capsfilter caps=video/x-raw,width=8,height=8",
    "videoflip method=clockwise ! videocrop left=4",
    "queue ! tee ! queue",
    "videobox top=-4 ! videorate ! identity",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      GstHarness *harness = gst_harness_new_parse (lines[i]);
      GstBuffer *buffer = new_bytes (16 * 16 * 4);
      GstBuffer *frame;

      gst_harness_set_src_caps_str (harness, "video/x-raw, format=BGRx, width=16, height=16, "
                                             "framerate=30/1");
      GST_BUFFER_PTS (buffer) = 0;
      GST_BUFFER_DURATION (buffer) = GST_SECOND / 30;
      add_floats (buffer, "a", 6);
      add_floats (buffer, "b", 3);
      g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
      gst_harness_push_event (harness, gst_event_new_eos ());
      frame = gst_harness_pull (harness);
      assert_tensors (frame, "a b");
      gst_buffer_unref (frame);
      gst_harness_teardown (harness);
    }
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/meta/add", test_add);
  add_gst_func ("/gst/meta/errors", test_errors);
  add_gst_func ("/gst/meta/copy", test_copy);
  add_gst_func ("/gst/meta/many", test_many);
  add_gst_func ("/gst/meta/geometry", test_geometry);
  add_gst_func ("/gst/meta/geometry-scaled", test_geometry_scaled);
  add_gst_func ("/gst/meta/geometry-unknown", test_geometry_unknown);
  add_gst_func ("/gst/meta/elements", test_elements);

  return run_gst_tests ();
}
