/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* Users miss these things in other tensor plugins; each complaint has a test. Memory of CUDA, u17, is tested with the
 * devices. Arrays of NumPy over buffers, and tensors of C elements in Python, are cases 26.8 to 26.12 of the bindings. */

/* A buffer carries more than 16 tensors, and they may have more than 16 dimensions. */
static void
test_many_tensors (void)
{
  const gint64 dims[20] = { 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3 };
  GstHarness *harness = gst_harness_new_parse ("queue ! identity");
  g_autoptr (C2gTensor) deep = new_floats (6);
  g_autoptr (C2gTensor) found = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  GstBuffer *buffer = new_bytes (4);
  gsize n_dims;

  gst_harness_set_src_caps_str (harness, "application/x-other");
  g_assert_true (c2g_tensor_reshape (deep, dims, G_N_ELEMENTS (dims), &error));
  add_many (buffer, 100);
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "deep", deep, NULL, &error));
  buffer = gst_harness_push_and_pull (harness, buffer);
  names = c2g_gst_buffer_list_tensors (buffer);
  g_assert_cmpuint (g_strv_length (names), ==, 101);
  found = c2g_gst_buffer_get_tensor (buffer, "deep", &error);
  c2g_tensor_get_dims (found, &n_dims);
  g_assert_cmpuint (n_dims, ==, 20);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* From a tensor through elements into a tensor nothing is copied, and rows stay aligned. */
static void
test_no_copy (void)
{
  GstHarness *harness = gst_harness_new_parse ("queue ! tee ! identity ! queue");
  g_autoptr (C2gTensor) tensor = new_floats (1000);
  g_autoptr (C2gTensor) found = NULL;
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = c2g_gst_buffer_new_from_tensor (tensor, &error);

  gst_harness_set_src_caps_str (harness, "application/x-other");
  buffer = gst_harness_push_and_pull (harness, buffer);
  found = c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (10, 100), &error);
  g_assert_no_error (error);
  g_assert_true (address_of (found) == address_of (tensor));
  g_assert_cmpuint ((gsize) address_of (found) % 64, ==, 0);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* A net that takes pictures of every size. */
static char *
make_open_model (void)
{
  return make_model ("name: \"init\"",
                     "name: \"open\" external_input: \"data\" external_output: \"y\" "
                     "op { type: \"Relu\" input: \"data\" output: \"y\" }");
}

/* The shape of the outputs follows the caps. */
static void
test_dynamic_sizes (void)
{
  char *folder = make_open_model ();
  g_autofree char *line = g_strdup_printf ("c2ginference channels=RGB model=%s", folder);
  GstHarness *harness = gst_harness_new_parse (line);

  for (int i = 1; i < 20; i++)
    {
      g_autofree char *caps = g_strdup_printf ("video/x-raw, format=RGBA, width=%d, height=%d, "
                                               "framerate=30/1",
                                               i, 40 - i);
      GstBuffer *frame = gst_buffer_new_allocate (NULL, 4 * i * (40 - i), NULL);
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;
      const gint64 *dims;
      gsize n_dims;

      gst_buffer_memset (frame, 0, 1, -1);
      gst_harness_set_src_caps_str (harness, caps);
      frame = gst_harness_push_and_pull (harness, frame);
      tensor = c2g_gst_buffer_get_tensor (frame, "y", &error);
      g_assert_no_error (error);
      dims = c2g_tensor_get_dims (tensor, &n_dims);
      g_assert_cmpuint (n_dims, ==, 4);
      g_assert_true (dims[0] == 1 && dims[1] == 3 && dims[2] == 40 - i && dims[3] == i);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
  remove_model (folder);
}

/* Frames leave nothing behind: the memory after many is that after a few. */
static void
test_no_leaks (void)
{
  char *folder = make_open_model ();
  g_autofree char *line = g_strdup_printf ("c2ginference channels=RGB model=%s", folder);
  GstHarness *harness = gst_harness_new_parse (line);
  guint64 n_bytes = 0;

  gst_harness_set_src_caps_str (harness, "video/x-raw, format=RGB, width=8, height=8, framerate=30/1");
  for (guint i = 0; i < 100; i++)
    {
      gst_buffer_unref (gst_harness_push_and_pull (harness, new_bytes (8 * 8 * 3)));
      if (i == 9)
        n_bytes = c2g_test_ledger_bytes ();
    }
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, n_bytes);
  gst_harness_teardown (harness);
  remove_model (folder);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
}

/* Elements that know nothing of tensors keep them on the frame. */
static void
test_kept_by_others (void)
{
  GstHarness *harness = gst_harness_new_parse ("videoconvert ! video/x-raw, format=I420 ! videoscale "
                                               "! video/x-raw, width=16, height=16 ! videoflip "
                                               "method=vertical-flip ! queue");
  g_autoptr (C2gTensor) found = NULL;
  g_autoptr (GError) error = NULL;
  GstBuffer *frame = new_bytes (8 * 8 * 3);

  gst_harness_set_src_caps_str (harness, "video/x-raw, format=RGB, width=8, height=8, framerate=30/1");
  add_many (frame, 20);
  frame = gst_harness_push_and_pull (harness, frame);
  g_assert_cmpuint (gst_buffer_get_size (frame), ==, 16 * 16 * 3 / 2);
  found = c2g_gst_buffer_get_tensor (frame, "tensor-19", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (found, 18, &error), ==, 18);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Frames of other elements are read and written as tensors in place; the bindings make their arrays of these tensors. */
static void
test_frame_views (void)
{
  GstBuffer *frame = new_bytes (2 * 16);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) written = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 4, 2);
  tensor = c2g_gst_tensor_new_from_video_frame (frame, &info, &error);
  g_assert_no_error (error);
  g_assert_true (address_of (tensor) == address_in (frame));
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 31, &error), ==, 31);
  g_clear_object (&tensor);

  written = c2g_gst_tensor_begin_write (frame, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (2, 4, 4), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_set_value (written, 31, 7, &error));
  g_assert_true (c2g_gst_tensor_end_write (written, &error));
  g_assert_cmpint (((const guint8 *) address_in (frame))[31], ==, 7);
  gst_buffer_unref (frame);
}

/* What an element attaches is a tensor with a shape and elements, not a pointer, and outlives its frame. */
static void
test_same_tensor (void)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("pngdec ! c2ginference preset=digits model=%s", model);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (C2gTensor) scores = NULL;
  g_autoptr (GError) error = NULL;
  GstBuffer *frame;
  gsize n_dims;

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  frame = gst_harness_push_and_pull (harness, read_picture (7));
  scores = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  g_assert_no_error (error);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  g_assert_cmpint (c2g_tensor_get_data_type (scores), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpint (c2g_tensor_get_dims (scores, &n_dims)[1], ==, 10);
  g_assert_cmpfloat (c2g_tensor_get_value (scores, 7, &error), >, 0.5);
}

/* Each element has a debug category of its name, and the documentation of the plugin has all of its types. */
static void
test_documented (void)
{
  GList *elements = gst_registry_get_feature_list_by_plugin (gst_registry_get (), "c2g");

  g_assert_nonnull (elements);
  for (GList *item = elements; item != NULL; item = item->next)
    {
      g_autoptr (GstElement) element = gst_element_factory_create (item->data, NULL);

      gst_object_ref_sink (element);
      g_assert_nonnull (_gst_debug_get_category (GST_OBJECT_NAME (item->data)));
      for (GType type = g_type_parent (G_OBJECT_TYPE (element)); g_str_has_prefix (g_type_name (type), "C2g");
           type = g_type_parent (type))
        g_assert_true (gst_type_is_plugin_api (type, NULL));
    }
  g_assert_true (gst_type_is_plugin_api (g_type_from_name ("C2gRoundsPad"), NULL));
  g_assert_true (gst_type_is_plugin_api (g_type_from_name ("C2gTensorMuxPad"), NULL));
  gst_plugin_feature_list_free (elements);
}

static void
log_cb (GstDebugCategory *category,
        GstDebugLevel     level,
        const char       *file,
        const char       *function,
        int               line,
        GObject          *object,
        GstDebugMessage  *message,
        gpointer          data)
{
  if (g_str_equal (gst_debug_category_get_name (category), "c2gdecode"))
    g_string_append_printf (data, "%s\n", gst_debug_message_get (message));
}

/* The log says why a frame does not go on. */
static void
test_log (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=picture");
  g_autoptr (GString) text = g_string_new (NULL);

  gst_debug_add_log_function (log_cb, text, NULL);
  gst_debug_set_threshold_for_name ("c2gdecode", GST_LEVEL_LOG);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  gst_harness_push (harness, new_gray (0));
  gst_debug_unset_threshold_for_name ("c2gdecode");
  gst_debug_remove_log_function (log_cb);
  g_assert_nonnull (strstr (text->str, "format=(string)GRAY8"));
  g_assert_nonnull (strstr (text->str, "nothing is found"));
  gst_harness_teardown (harness);
}

/* A branch whose elements leave out all buffers does not keep the pipeline from playing. */
static void
test_gaps (void)
{
  const char *const lines[] = { "c2gdecode ! text/x-raw", "c2gdecode mode=segment", "c2gpay" };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *line = g_strdup_printf ("videotestsrc ! tee name=tee ! queue ! fakesink tee. ! queue ! %s ! fakesink",
                                               lines[i]);
      GstElement *pipeline = gst_object_ref_sink (gst_parse_launch (line, NULL));

      gst_element_set_state (pipeline, GST_STATE_PAUSED);
      g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), ==, GST_STATE_CHANGE_SUCCESS);
      gst_element_set_state (pipeline, GST_STATE_NULL);
      gst_object_unref (pipeline);
    }
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/acceptance/u15-many-tensors", test_many_tensors);
  add_gst_func ("/gst/acceptance/u16-no-copy", test_no_copy);
  add_gst_func ("/gst/acceptance/u18-dynamic-sizes", test_dynamic_sizes);
  add_gst_func ("/gst/acceptance/u19-no-leaks", test_no_leaks);
  add_gst_func ("/gst/acceptance/u20-kept-by-others", test_kept_by_others);
  add_gst_func ("/gst/acceptance/u21-frame-views", test_frame_views);
  add_gst_func ("/gst/acceptance/u22-same-tensor", test_same_tensor);
  add_gst_func ("/gst/acceptance/gaps", test_gaps);
  add_gst_func ("/gst/acceptance/documented", test_documented);
  add_gst_func ("/gst/acceptance/log", test_log);

  return run_gst_tests ();
}
