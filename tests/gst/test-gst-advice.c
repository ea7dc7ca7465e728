/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <string.h>

/* Errors and warnings about wrong properties: each names the property, the file or the mode that helps. */

/* The error of c2ginference when it starts with the model of digits and one property. */
static char *
start_digits (const char *property,
              const char *value)
{
  g_autofree char *model = digits ();
  GstElement *element = new_element ("c2ginference");
  char *message;

  g_object_set (element, "model", model, property, value, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  message = pop_error (element);
  free_element (element);

  return message;
}

static void
assert_fits (const char *message,
             const char *pattern)
{
  if (!g_pattern_match_simple (pattern, message))
    g_error ("“%s” does not fit “%s”", message, pattern);
}

/* Pictures that a model does not take are the fault of properties, not of its weights. */
static void
test_misfit (void)
{
  g_autofree char *preset = start_digits ("preset", "caffe2");
  g_autofree char *size = start_digits ("size", "3x5");

  assert_fits (preset, "*models/digits: The model does not take pictures as preset=caffe2 makes them, "
                       "float [N, 3, 227, 227]; other channels, size or preset may fit: *");
  assert_fits (size, "*as size=3x5 makes them, float [N, 1, 5, 3]; *");
  /* A single group of filters is not worth a word. */
  g_assert_null (strstr (preset, "multiple of 1"));
}

/* A net that has no name is not “”. */
static void
test_nameless (void)
{
  char *model = make_model ("op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 ints: 64 } } "
                            "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } }",
                            "external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y' "
                            "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }");
  g_autofree char *line = g_strdup_printf ("c2ginference channels=GRAY size=4x4 model=%s", model);
  g_autofree char *pattern = g_strdup_printf ("*%s: The model does not take*: Operator 0: FC: *", model);
  g_autoptr (GstElement) element = gst_object_ref_sink (gst_parse_launch (line, NULL));
  g_autofree char *message = NULL;

  watch_element (element);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  message = pop_error (element);
  assert_fits (message, pattern);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  remove_model (model);
}

/* A size beside that of the model's own file, or of its net, is used, with one warning. */
static guint
count_conflicts (const char *properties,
                 const char *init_net,
                 const char *file,
                 const char *content,
                 const char *pattern)
{
  char *model = make_model (init_net, "external_input: 'x' external_output: 'y' op { type: 'Copy' input: 'x' output: 'y' }");
  g_autofree char *form = g_build_filename (model, file, NULL);
  g_autofree char *line = g_strdup_printf ("c2ginference model=%s %s", model, properties);
  GstHarness *harness;
  GstBus *bus;
  guint n;

  g_assert_true (g_file_set_contents (form, content, -1, NULL));
  harness = gst_harness_new_parse (line);
  bus = watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, framerate=20/1");
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (1)));
  n = count_messages (bus, GST_MESSAGE_WARNING, pattern);
  free_harness (harness);
  g_assert_cmpint (g_remove (form), ==, 0);
  remove_model (model);

  return n;
}

static void
test_size (void)
{
  static const char *const files[][2] = {
    { "model.ini", "[picture]\npreset=digits\n" },
    { "value_info.json", "{\"x\": [1, [1, 1, 8, 8]]}" },
    { "predict_net.modelinfo", "[modelinfo]\nversion=1.0\n[x]\ndims=1,1,8,8\n" },
  };
  const char *const init = "op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 ints: 1 ints: 8 ints: 8 } }";

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *size = g_strdup_printf ("The size is 16x16, and %s beside the model says 8x8", files[i][0]);
      g_autofree char *preset = g_strdup_printf ("The size is 28x28, and %s beside the model says 8x8", files[i][0]);

      g_assert_cmpuint (count_conflicts ("size=16x16 channels=GRAY scale=1", "", files[i][0], files[i][1], size), ==, 1);
      g_assert_cmpuint (count_conflicts ("preset=mnist", "", files[i][0], files[i][1], preset), ==, 1);
      g_assert_cmpuint (count_conflicts ("preset=mnist size=8x8", "", files[i][0], files[i][1], ""), ==, 0);
    }
  g_assert_cmpuint (count_conflicts ("preset=mnist", init, "other", "", "The size is 28x28, and the net says 8x8"), ==, 1);
  /* A mistake in the file that a preset replaces is none. */
  g_assert_cmpuint (count_conflicts ("preset=mnist", "", "model.ini", "[picture]\nsize=8\n", ""), ==, 0);
}

/* A model of styles needs its preset: the error says so, and not only that an operator got floats. */
static void
test_style (void)
{
  char *model = make_model ("op { type: 'ConstantFill' output: 'mean' arg { name: 'shape' ints: 3 } }",
                            "external_input: 'x' external_input: 'mean' external_output: 'y' "
                            "op { type: 'PackedInt8BGRANHWCToNCHWCStylizerPreprocess' input: 'x' input: 'mean' output: 'y' }");
  g_autofree char *line = g_strdup_printf ("c2ginference model=%s", model);
  GstHarness *harness = gst_harness_new_parse (line);
  GstBus *bus = watch_element (harness->element);

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_ERROR);
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR,
                                    "*The model does not take pictures float*; the property “preset” may be missing: a style model "
                                    "needs “stylizer”: *Operator 0: *"),
                    ==, 1);
  free_harness (harness);
  remove_model (model);
}

/* Returns the error of a model with a property that is wrong. */
static char *
fail_to_start (const char *property,
               const char *value)
{
  GstElement *element = new_element ("c2ginference");
  char *message;

  g_object_set (element, "model", "/nowhere/digits", property, value, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  message = pop_error (element);
  free_element (element);
  return message;
}

/* A model that is not there is the fault of its property, and so is a device. */
static void
test_model_path (void)
{
  g_autofree char *of_model = fail_to_start ("labels", NULL);
  g_autofree char *of_device = fail_to_start ("device", "gpu");

  assert_fits (of_model, "The property “model”: */nowhere/digits*");
  assert_fits (of_device, "The property “device”: Expected the device “cpu”, “cuda” or “cuda:INDEX”, got “gpu”*");
}

/* The error about a tensor has the type that it has in the buffer, not that to which decoders convert it. */
static void
test_type (void)
{
  static const char *const modes[] = { "classify", "ssd", "yolo", "yolo anchors=1x1", "segment", "picture" };

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2gdecode mode=%s", modes[i]);
      GstHarness *harness = gst_harness_new_parse (line);
      GstBus *bus = watch_element (harness->element);
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 7, 5, 6), NULL, NULL);
      GstBuffer *frame = new_gray (0);

      g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL));
      add_tensor (frame, "output", tensor);
      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*uint8 [2, 7, 5, 6]*"), ==, 1);
      free_harness (harness);
    }
}

/* A decoder without a model before it: a warning at the end, or after some time. */
static void
test_no_tensors (void)
{
  for (guint n = 2; n <= 110; n += 108)
    {
      GstHarness *harness = gst_harness_new_parse ("c2gdecode");
      GstBus *bus = watch_element (harness->element);
      g_autofree char *pattern = g_strdup_printf ("There are no tensors on the first %u buffers; c2ginference *", MIN (n, 100));

      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      for (guint i = 0; i < n; i++)
        gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (i)));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, pattern), ==, n > 100);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, pattern), ==, n <= 100);
      free_harness (harness);
    }
}

/* Frames with so many scores, and a file of so many labels: the warnings must fit the pattern. */
static guint
count_label_warnings (guint       n_scores,
                      const char *labels,
                      const char *pattern)
{
  g_autofree char *path = g_test_build_filename (G_TEST_BUILT, "labels-of-test-advice.txt", NULL);
  g_autofree char *line = g_strdup_printf ("c2gdecode labels=%s", path);
  GstHarness *harness;
  GstBus *bus;
  guint n;

  if (labels != NULL)
    g_assert_true (g_file_set_contents (path, labels, -1, NULL));
  harness = gst_harness_new_parse (labels != NULL ? line : "c2gdecode");
  bus = watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  for (int i = 0; i < 3; i++)
    {
      GstBuffer *frame = new_gray (i);

      add_floats (frame, "scores", n_scores);
      gst_buffer_unref (gst_harness_push_and_pull (harness, frame));
    }
  n = count_messages (bus, GST_MESSAGE_WARNING, pattern);
  free_harness (harness);
  g_remove (path);

  return n;
}

/* Labels that are too few, too many or none are told of, once. */
static void
test_labels (void)
{
  const char *const none = "Classes are shown as numbers: there is no labels.txt beside the model*“labels”*";

  g_assert_cmpuint (count_label_warnings (3, "a\nb\nc\n", "*"), ==, 0);
  g_assert_cmpuint (count_label_warnings (3, "a\nb\n", "There are 2 labels, but “scores” has 3 classes"), ==, 1);
  g_assert_cmpuint (count_label_warnings (2, "a\nb\nc\n", "There are 3 labels, but “scores” has 2 classes"), ==, 1);
  g_assert_cmpuint (count_label_warnings (3, NULL, none), ==, 1);
}

/* Labels that cannot be read: the property is named, and the file once. */
static void
test_labels_file (void)
{
  g_autofree char *of_model = start_digits ("labels", "/nowhere/labels.txt");
  GstElement *decode = new_element ("c2gdecode");
  g_autofree char *of_decoder = NULL;

  g_object_set (decode, "labels", "/nowhere/labels.txt", NULL);
  g_assert_cmpint (gst_element_set_state (decode, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  of_decoder = pop_error (decode);
  free_element (decode);
  assert_fits (of_model, "The property “labels”: *");
  g_assert_cmpstr (of_model, ==, of_decoder);
  g_assert_true (strstr (of_model, "/nowhere/labels.txt") == g_strrstr (of_model, "/nowhere/labels.txt"));
}

/* A picture whose order nobody has told is not taken for classes of pixels. */
static void
test_picture_order (void)
{
  static const struct
  {
    const char *mode;
    gint64      dims[4];
    const char *pattern;
  } rows[] = {
    { "picture", { 1, 8, 8, 4 }, "*It looks like a picture of order=NHWC; a preset says that, too" },
    { "picture", { 1, 8, 8, 1 }, "*It looks like a picture of order=NHWC; a preset says that, too" },
    { "picture order=NHWC", { 1, 3, 8, 8 }, "*It looks like a picture of order=NCHW; a preset says that, too" },
    { "picture", { 1, 21, 8, 8 }, "*It looks like one for mode=segment" },
    { "classify", { 1, 8, 8, 4 }, "*It looks like one for mode=picture" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2gdecode mode=%s", rows[i].mode);
      GstHarness *harness = gst_harness_new_parse (line);
      GstBus *bus = watch_element (harness->element);
      g_autoptr (C2gTensor) tensor = new_floats (rows[i].dims[1] * rows[i].dims[2] * rows[i].dims[3]);
      GstBuffer *frame = new_gray (0);

      g_assert_true (c2g_tensor_reshape (tensor, rows[i].dims, 4, NULL));
      add_tensor (frame, "output", tensor);
      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, rows[i].pattern), ==, 1);
      free_harness (harness);
    }
}

/* An error about a missing GPU says how to do without. */
static void
test_device (void)
{
  g_autoptr (C2gContext) context = c2g_context_for_device (c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL), NULL);
  g_autofree char *message = NULL;

  if (context != NULL)
    {
      g_test_skip ("There is a GPU");
      return;
    }
  message = start_digits ("device", "cuda");
  assert_fits (message, "*; with the device “cpu” it runs on the processor");
}

/* A frame over which no tensor can lie comes as RGB, unless tensors are attached; sound of such a format is refused. */
static void
test_sink_formats (void)
{
  static const char *const formats[] = { "I420", "NV12", "YUY2", "I420_10LE" };

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *line = g_strdup_printf ("videotestsrc num-buffers=1 pattern=red ! video/x-raw,format=%s,width=34,height=20 "
                                               "! c2gsink name=sink sync=false",
                                               formats[i]);
      g_autoptr (GstElement) pipeline = gst_parse_launch (line, NULL);
      g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
      g_autoptr (C2gWorkspace) workspace = NULL;
      g_autoptr (C2gTensor) frame = NULL;

      gst_element_set_state (pipeline, GST_STATE_PLAYING);
      workspace = pull_tensors (sink);
      frame = c2g_workspace_get_tensor (workspace, C2G_GST_FRAME, NULL);
      g_assert_cmpint (c2g_tensor_get_n_elements (frame), ==, 20 * 34 * 3);
      g_assert_cmpfloat (sealed_value_of (workspace, C2G_GST_FRAME, 34 * 3 * 19), >, 240);
      g_assert_cmpfloat (sealed_value_of (workspace, C2G_GST_FRAME, 34 * 3 * 19 + 1), <, 15);
      gst_element_set_state (pipeline, GST_STATE_NULL);
    }
}

/* A buffer with a single field is no frame. */
static void
test_sink_fields (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  GstBus *bus = watch_element (harness->element);

  g_object_set (sink, "sync", FALSE, NULL);
  gst_harness_set_src_caps_str (harness, "video/x-raw(format:Interlaced), format=GRAY8, width=8, height=16, framerate=30/1, "
                                         "interlace-mode=alternate");
  g_assert_cmpint (gst_harness_push (harness, new_bytes (8 * 8)), ==, GST_FLOW_OK);
  g_assert_null (pull_tensors (sink));
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "A buffer has one field only*"), ==, 1);
  gst_element_set_bus (harness->element, NULL);
}

static void
test_sink_audio (void)
{
  g_autoptr (GstElement) pipeline =
    gst_parse_launch ("audiotestsrc num-buffers=1 ! audio/x-raw,format=S24LE ! c2gsink name=sink sync=false", NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_assert_null (pull_tensors (sink));
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "Samples of the format S24LE are no tensor*"), ==, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/advice/misfit", test_misfit);
  add_gst_func ("/gst/advice/nameless", test_nameless);
  add_gst_func ("/gst/advice/size", test_size);
  add_gst_func ("/gst/advice/style", test_style);
  add_gst_func ("/gst/advice/model-path", test_model_path);
  add_gst_func ("/gst/advice/type", test_type);
  add_gst_func ("/gst/advice/no-tensors", test_no_tensors);
  add_gst_func ("/gst/advice/labels", test_labels);
  add_gst_func ("/gst/advice/labels-file", test_labels_file);
  add_gst_func ("/gst/advice/picture-order", test_picture_order);
  add_gst_func ("/gst/advice/device", test_device);
  add_gst_func ("/gst/advice/sink-formats", test_sink_formats);
  add_gst_func ("/gst/advice/sink-fields", test_sink_fields);
  add_gst_func ("/gst/advice/sink-audio", test_sink_audio);

  return run_gst_tests ();
}
