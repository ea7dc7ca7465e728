/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* The seven rules of tensors in GStreamer, in their order. Other files test the details. */

/* Rule 4: boxes and painted frames are in pixels of the frame that arrives, or there are none. */

#define FRAME_CAPS "video/x-raw, format=GRAY8, width=200, height=100, framerate=30/1"

/* Attaches a tensor whose points are those of the middle half of the frame, 100 pixels wide. */
static void
attach (GstBuffer    *frame,
        const char   *name,
        const double *matrix,
        const gint64 *dims,
        gsize         n_dims,
        const float  *values)
{
  g_autoptr (C2gGstGeometry) geometry = c2g_gst_geometry_new (200, 100, matrix);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  g_autoptr (GError) error = NULL;

  memcpy (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), values,
          c2g_tensor_get_n_elements (tensor) * sizeof *values);
  g_assert_true (c2g_gst_buffer_add_tensor (frame, name, tensor, geometry, &error));
  g_assert_no_error (error);
}

/* A frame with a tensor for each mode, which find or paint the same part of it: 20 × 10 pixels at 80, 40, where the
 * mode knows places, and otherwise the values 7 and 9 to the left and to the right of the middle. */
static GstBuffer *
new_frame (void)
{
  static const double pixels[] = { 1, 0, 0, 0, 1, 0 }, halves[] = { 50, 0, 50, 0, 100, 0 };
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 200 * 100, NULL);

  gst_buffer_memset (frame, 0, 0, -1);
  GST_BUFFER_PTS (frame) = 0;
  attach (frame, "classify", pixels, C2G_TEST_DIMS (1, 2), (const float[]) { 0.25f, 0.75f });
  attach (frame, "ssd", pixels, C2G_TEST_DIMS (1, 1, 1, 7), (const float[]) { 0, 1, 0.75f, 0.4f, 0.4f, 0.5f, 0.5f });
  attach (frame, "yolo", pixels, C2G_TEST_DIMS (1, 7, 7), (const float[49]) { 90, 45, 20, 10, 1, 0, 0.75f });
  attach (frame, "segment", halves, C2G_TEST_DIMS (1, 1, 1, 2), (const float[]) { 7, 9 });
  attach (frame, "picture", halves, C2G_TEST_DIMS (1, 1, 1, 2), (const float[]) { 7, 9 });

  return frame;
}

/* Returns the text of a frame, or the values of its first row; NULL if there is none. Takes frame. */
static char *
describe (GstBuffer *frame,
          gboolean   is_text)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree guint8 *bytes = NULL;
  gsize n;

  if (frame == NULL)
    return NULL;
  gst_buffer_extract_dup (frame, 0, -1, (gpointer *) &bytes, &n);
  gst_buffer_unref (frame);
  if (is_text)
    return g_strndup ((char *) bytes, n - 1);
  /* Painted frames are 100 pixels wide here, in RGB. */
  g_assert_cmpuint (n % 300, ==, 0);
  for (guint i = 12; i < 100; i += 25)
    g_string_append_printf (text, "%u ", bytes[3 * i]);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
pop_warning (GstBus *bus)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    return NULL;
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);

  return g_strdup (error->message);
}

/* Sends two frames through elements and the decoder. Expected is NULL if there must be no result, but one warning that
 * names the tensor. */
static void
assert_decoded (const char *elements,
                const char *mode,
                const char *expected)
{
  const gboolean is_text = !g_str_equal (mode, "segment") && !g_str_equal (mode, "picture");
  g_autofree char *line = g_strdup_printf ("%s ! c2gdecode mode=%s tensor=%s ! capsfilter caps=%s", elements, mode, mode,
                                           is_text ? "text/x-raw" : "video/x-raw,format=RGB");
  GstHarness *harness = gst_harness_new_parse (line);
  GstBus *bus = watch_element (harness->element);
  g_autofree char *warning = NULL;

  g_test_message ("%s", line);
  gst_harness_set_src_caps_str (harness, FRAME_CAPS);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *found = NULL;

      g_assert_cmpint (gst_harness_push (harness, new_frame ()), ==, GST_FLOW_OK);
      found = describe (gst_harness_try_pull (harness), is_text);
      g_assert_cmpstr (found, ==, expected);
    }
  warning = pop_warning (bus);
  g_assert_true ((warning == NULL) == (expected != NULL));
  g_assert_true (warning == NULL || (strstr (warning, mode) != NULL && strstr (warning, "belongs to a frame of") != NULL));
  g_assert_null (pop_warning (bus));
  free_harness (harness);
}

#define SCALE(caps) "videoscale ! capsfilter caps=video/x-raw," caps

static const struct
{
  const char *elements;
  /* NULL if boxes cannot be placed in the frame. */
  const char *box;
} moves[] = {
  { "videoconvert ! capsfilter caps=video/x-raw,format=I420", "1 75.0 % 80 40 20 10" },
  { SCALE ("width=100,height=50"), "1 75.0 % 40 20 10 5" },
  { SCALE ("width=400,height=200") " ! " SCALE ("width=100,height=50"), "1 75.0 % 40 20 10 5" },
  /* The pixels are not square then, and the picture still fills the frame. */
  { SCALE ("width=100,height=20"), "1 75.0 % 40 8 10 2" },
  { SCALE ("width=101,height=50,pixel-aspect-ratio=1/1"), "1 75.0 % 40 20 10 5" },
  /* The picture has borders above and below it. */
  { SCALE ("width=100,height=100,pixel-aspect-ratio=1/1"), NULL },
  { "videocrop left=80", NULL },
  { "videocrop left=100 top=50", NULL },
  { "videocrop left=100 ! " SCALE ("width=200,height=200"), NULL },
  { SCALE ("width=100,height=50") " ! videocrop left=10", NULL },
  { "videobox left=-50", NULL },
  { "videobox left=50", NULL },
  { "videoflip video-direction=90r", NULL },
};

static void
test_geometry_boxes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      /* A class has no place. */
      assert_decoded (moves[i].elements, "classify", "1 75.0 %");
      assert_decoded (moves[i].elements, "ssd", moves[i].box);
      assert_decoded (moves[i].elements, "yolo", moves[i].box);
    }
}

static void
test_geometry_pictures (void)
{
  static const char *const refused[] = { "videocrop left=100", "videobox left=100",
                                         SCALE ("width=100,height=100,pixel-aspect-ratio=1/1") };

  assert_decoded (SCALE ("width=100,height=50"), "picture", "0 7 9 0 ");
  /* The colors of the classes 7 and 9. */
  assert_decoded (SCALE ("width=100,height=50"), "segment", "0 128 192 0 ");
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      assert_decoded (refused[i], "picture", NULL);
      assert_decoded (refused[i], "segment", NULL);
    }
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/rules/4-geometry-boxes", test_geometry_boxes);
  add_gst_func ("/gst/rules/4-geometry-pictures", test_geometry_pictures);

  return run_gst_tests ();
}
