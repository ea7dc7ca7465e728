/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <string.h>

/* c2ginference: what it makes of frames and properties. */

/* Every picture is recognized in every format of pixels. */
static void
test_formats (void)
{
  const char *const formats[] = { "GRAY8", "RGB", "BGRx", "RGBA", "I420", "NV12", "YUY2" };

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *before =
          g_strdup_printf ("pngdec ! videoconvert ! capsfilter caps=video/x-raw,format=%s !", formats[i]);
      GstHarness *harness = new_harness (before, "! c2gdecode");

      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      for (guint digit = 0; digit < c2g_test_count_rounds (10); digit++)
        {
          GstBuffer *frame;

          g_assert_cmpint (gst_harness_push (harness, read_picture (digit)), ==, GST_FLOW_OK);
          frame = gst_harness_pull (harness);
          assert_region (frame, digit_names[digit]);
          assert_tensors (frame, "softmax");
          gst_buffer_unref (frame);
        }
      gst_harness_teardown (harness);
    }
}

/* Rule 2: what is attached is sealed, and says where it comes from. */
static void
test_tensor (void)
{
  g_autoptr (GError) error = NULL;
  GstHarness *harness = new_gray_harness ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) next = NULL;
  GstBuffer *frame;
  double x, y;

  frame = gst_harness_push_and_pull (harness, new_gray (0));
  tensor = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 10);
  c2g_gst_geometry_map_point (c2g_gst_buffer_get_geometry (frame, "softmax"), 4, 8, &x, &y);
  g_assert_cmpfloat (x, ==, 16);
  g_assert_cmpfloat (y, ==, 32);
  gst_buffer_unref (frame);

  /* The next run leaves it as it is. */
  frame = gst_harness_push_and_pull (harness, new_gray (1));
  next = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  g_assert_true (address_of (next) != address_of (tensor));
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), >=, 0);
  g_assert_no_error (error);
}

/* Rule 6: in place, not passthrough: a frame that somebody else holds is not changed, nor copied. */
static void
test_shared_frame (void)
{
  GstHarness *harness = new_gray_harness ();
  GstBuffer *mine = new_gray (0);
  GstBuffer *alone = new_gray (1);
  GstBuffer *frame = gst_harness_push_and_pull (harness, gst_buffer_ref (mine));

  g_assert_true (frame != mine);
  assert_tensors (mine, "");
  assert_tensors (frame, "softmax");
  g_assert_true (gst_buffer_peek_memory (frame, 0) == gst_buffer_peek_memory (mine, 0));
  gst_buffer_unref (frame);
  gst_buffer_unref (mine);

  frame = gst_harness_push_and_pull (harness, alone);
  g_assert_true (frame == alone);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Caps that change at every frame. */
static void
test_renegotiation (void)
{
  const char *const formats[] = { "GRAY8", "RGB", "I420" };
  GstHarness *harness = new_harness ("", "");

  for (int i = 0; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("video/x-raw, format=%s, width=%d, height=%d, "
                                               "framerate=%d/1",
                                               formats[i % 3], 16 + i, 40 - i, 1 + i % 4);
      g_autoptr (GstCaps) caps = gst_caps_from_string (text);
      GstVideoInfo info;
      GstBuffer *frame;

      g_assert_true (gst_video_info_from_caps (&info, caps));
      gst_harness_set_src_caps (harness, g_steal_pointer (&caps));
      frame = gst_buffer_new_allocate (NULL, info.size, NULL);
      gst_buffer_memset (frame, 0, 128, info.size);
      frame = gst_harness_push_and_pull (harness, frame);
      assert_tensors (frame, "softmax");
      g_assert_cmpuint (c2g_gst_geometry_get_width (c2g_gst_buffer_get_geometry (frame, "softmax")),
                        ==, 16 + i);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

static const struct
{
  const char *property;
  const char *value;
  const char *message;
} faults[] = {
  { "model", NULL, "*no model*" },
  { "model", "/nowhere", "*/nowhere*" },
  { "device", "nowhere", "*nowhere*" },
  { "device", "cuda:first", "*cuda:first*" },
  { "device", "cpu:1", "*cpu*1*" },
  { "device", "", "*“”*" },
  { "labels", "/nowhere/labels.txt", "*/nowhere*" },
  { "preset", "other", "*other*" },
  { "size", "0x0", "*0x0*" },
  { "size", "3x5", "*operator*" },
};

/* Wrong properties fail when the element starts, with a message that names them. */
static void
test_bad_properties (void)
{
  g_autofree char *model = digits ();

  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      GstElement *element = new_element ("c2ginference");
      g_autofree char *message = NULL;

      g_object_set (element, "model", model, NULL);
      g_object_set (element, faults[i].property, faults[i].value, NULL);
      g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==,
                       GST_STATE_CHANGE_FAILURE);
      message = pop_error (element);
      g_assert_true (g_pattern_match_simple (faults[i].message, message));
      free_element (element);
    }
}

/* A model that fails while it runs ends the stream with what it says: without a preset, it gets frames
 * of whatever size. */
static void
test_bad_run (void)
{
  char *model = make_silent_model ();
  g_autofree char *line = g_strdup_printf ("c2ginference channels=GRAY model=%s", model);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autofree char *message = NULL;

  watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*operator*", message));
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
  remove_model (model);
}

/* GStreamer reads beyond its own frames of some formats. */
static gboolean
is_read_beyond (GstVideoFormat format)
{
  return format == GST_VIDEO_FORMAT_UYVP || format == GST_VIDEO_FORMAT_NV12_10LE32 ||
         format == GST_VIDEO_FORMAT_NV16_10LE32;
}

/* Returns how many warnings come of a model that is used as the options say. */
static guint
count_warnings (const char *options)
{
  char *model = make_silent_model ();
  g_autofree char *line = g_strdup_printf ("c2ginference model=%s %s", model, options);
  GstHarness *harness = gst_harness_new_parse (line);
  GstBus *bus = watch_element (harness->element);
  guint n;

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  n = count_messages (bus, GST_MESSAGE_WARNING, "*: mean=0 scale=1. Properties*");
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
  remove_model (model);

  return n;
}

/* One warning tells what is guessed about pictures. */
static void
test_guess (void)
{
  g_assert_cmpuint (count_warnings ("preset=digits"), ==, 0);
  g_assert_cmpuint (count_warnings ("channels=GRAY size=8x8"), ==, 1);
}

/* GStreamer's own memory, and how often it was asked for. */
typedef struct
{
  GstAllocator parent_instance;
} CountingAllocator;

typedef GstAllocatorClass CountingAllocatorClass;

static int n_memories;

static GType counting_allocator_get_type (void);
G_DEFINE_TYPE (CountingAllocator, counting_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *
counting_allocator_alloc (GstAllocator        *allocator,
                          gsize                size,
                          GstAllocationParams *params)
{
  g_autoptr (GstAllocator) plain = gst_allocator_find (GST_ALLOCATOR_SYSMEM);

  g_atomic_int_inc (&n_memories);

  return gst_allocator_alloc (plain, size, params);
}

static void
counting_allocator_class_init (CountingAllocatorClass *klass)
{
  klass->alloc = counting_allocator_alloc;
}

static void
counting_allocator_init (CountingAllocator *self)
{
}

/* How many bytes are allocated for tensors while frames go through, and how many their tensors have. */
static guint64
count_allocated (GstHarness *harness,
                 GstBuffer  *frame,
                 guint       n_frames,
                 guint64    *n_bytes)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  const guint64 before = c2g_memory_reporter_get_total_bytes (reporter, NULL);

  *n_bytes = 0;
  for (guint i = 0; i < n_frames; i++)
    {
      GstBuffer *output = gst_harness_push_and_pull (harness, gst_buffer_ref (frame));
      g_auto (GStrv) names = c2g_gst_buffer_list_tensors (output);

      for (char **name = names; *name != NULL; name++)
        {
          g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (output, *name, NULL);

          *n_bytes += c2g_storage_get_n_bytes (c2g_tensor_get_storage (tensor));
        }
      gst_buffer_unref (output);
    }

  return c2g_memory_reporter_get_total_bytes (reporter, NULL) - before;
}

/* After the first frame, nothing is allocated but the tensors that go on with the frames: no other bytes
 * of c2g's, and no memory of GStreamer's. Takes harness and frame. */
static void
assert_allocations (GstHarness *harness,
                    GstBuffer  *frame,
                    gboolean    has_tensors)
{
  GstAllocator *counting = gst_object_ref_sink (g_object_new (counting_allocator_get_type (), NULL));
  guint64 n_bytes;

  gst_buffer_unref (gst_harness_push_and_pull (harness, gst_buffer_ref (frame)));
  gst_allocator_set_default (counting);
  /* The counter counts. */
  n_memories = 0;
  gst_memory_unref (gst_allocator_alloc (NULL, 1, NULL));
  g_assert_cmpint (n_memories, ==, 1);

  g_assert_cmpuint (count_allocated (harness, frame, 20, &n_bytes), ==, n_bytes);
  g_assert_cmpint (n_bytes > 0, ==, has_tensors);
  g_assert_cmpint (n_memories, ==, 1);

  gst_allocator_set_default (gst_allocator_find (GST_ALLOCATOR_SYSMEM));
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Takes harness. Frames are black, in a format of 32 × 32 pixels. */
static void
assert_format_allocations (GstHarness *harness,
                           const char *format)
{
  g_autofree char *caps =
    g_strdup_printf ("video/x-raw, format=%s, width=32, height=32, framerate=30/1", format);
  GstVideoInfo info;

  gst_video_info_set_format (&info, gst_video_format_from_string (format), 32, 32);
  gst_harness_set_src_caps_str (harness, caps);
  assert_allocations (harness, new_bytes (GST_VIDEO_INFO_SIZE (&info)), TRUE);
}

static void
test_allocations (void)
{
  const char *const formats[] = { "GRAY8", "RGB", "BGRx", "I420", "NV12" };

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      assert_format_allocations (gst_harness_new_parse ("c2gconvert size=4x4"), formats[i]);
      assert_format_allocations (new_harness ("", ""), formats[i]);
    }
}

/* Painted frames come from a pool. */
static void
test_paint_allocations (void)
{
  const char *const modes[] = { "segment", "picture" };

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *line = g_strdup_printf ("c2gdecode mode=%s", modes[i]);
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (1, 3, 8, 8), NULL, NULL);
      GstHarness *harness = gst_harness_new_parse (line);
      GstBuffer *frame = new_gray (0);

      memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), 0, 3 * 64 * sizeof (float));
      add_tensor (frame, "map", tensor);
      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      assert_allocations (harness, frame, FALSE);
    }
}

static void
add_value (GstBuffer  *buffer,
           const char *name,
           double      value)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, value, NULL);

  add_tensor (buffer, name, tensor);
}

/* Several inputs get the tensors of their names. */
static void
test_inputs (void)
{
  char *folder = make_model ("", "name: 'n' op { type: 'Sub' input: 'x' input: 'y' output: 'z' } external_input: 'x' "
                                 "external_input: 'y' external_output: 'z'");
  g_autofree char *line = g_strdup_printf ("c2ginference model=%s", folder);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autofree char *message = NULL;
  g_autoptr (C2gTensor) difference = NULL;
  GstBuffer *buffer = gst_buffer_new ();

  watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors, format=flexible");
  add_value (buffer, "y", 2);
  add_value (buffer, "x", 5);
  buffer = gst_harness_push_and_pull (harness, buffer);
  assert_tensors (buffer, "z");
  difference = c2g_gst_buffer_get_tensor (buffer, "z", NULL);
  g_assert_cmpfloat (c2g_tensor_get_value (difference, 0, NULL), ==, 3);
  gst_buffer_unref (buffer);

  buffer = gst_buffer_new ();
  add_value (buffer, "x", 5);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_nonnull (strstr (message, "“y”"));
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
  remove_model (folder);
}

/* The file of GStreamer 1.28 beside a model tells the size, the channels and the range of pixels. */
static void
test_model_info (void)
{
  char *folder = make_model ("op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 } }",
                             "name: 'n' op { type: 'Relu' input: 'x' output: 'y' } external_input: 'x' "
                             "external_output: 'y'");
  g_autofree char *info = g_build_filename (folder, "predict_net.modelinfo", NULL);
  g_autofree char *line = g_strdup_printf ("c2ginference model=%s", folder);
  g_autoptr (C2gTensor) tensor = NULL;
  GstHarness *harness;
  GstBuffer *buffer;

  g_assert_true (g_file_set_contents (info,
                                      "[modelinfo]\nversion=1.0\n[x]\ntype=float32\ndims=-1,1,4,6\n"
                                      "dir=input\nranges=-1.0,3.0\n[y]\ndims=1\ndir=output\n",
                                      -1, NULL));
  harness = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  buffer = new_gray (0);
  gst_buffer_memset (buffer, 0, 255, -1);
  buffer = gst_harness_push_and_pull (harness, buffer);
  tensor = c2g_gst_buffer_get_tensor (buffer, "y", NULL);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 2, NULL), ==, 4);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 3, NULL), ==, 6);
  g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (tensor, 0, NULL), 3, 1e-5);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);

  g_assert_cmpint (g_remove (info), ==, 0);
  remove_model (folder);
}

/* Frames of all formats whose metas lie are refused at most. */
static void
test_bad_meta (void)
{
  GstHarness *harness = new_harness ("", "");
  guint n_runs = 0;

  for (guint i = c2g_test_count_rounds (60); i > 0; i--)
    {
      GstVideoFormat format = g_test_rand_int_range (GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_BGR10A2_LE);
      const char *mode = g_test_rand_int_range (0, 2) == 0 ? "progressive" : "interleaved";
      g_autofree char *caps = NULL;
      GstVideoInfo info;

      if (is_read_beyond (format))
        continue;
      gst_video_info_set_interlaced_format (&info, format, gst_video_interlace_mode_from_string (mode),
                                            g_test_rand_int_range (1, 70),
                                            g_test_rand_int_range (1, 70));
      caps = g_strdup_printf ("video/x-raw, format=%s, width=%d, height=%d, framerate=30/1, "
                              "interlace-mode=%s",
                              GST_VIDEO_INFO_NAME (&info), info.width, info.height, mode);
      gst_harness_set_src_caps_str (harness, caps);
      if (gst_harness_push (harness, new_hostile_frame (&info)) != GST_FLOW_OK)
        continue;
      gst_buffer_unref (gst_harness_pull (harness));
      n_runs++;
    }
  g_assert_cmpuint (n_runs, >, 0);
  gst_harness_teardown (harness);
}

static const struct
{
  GstVideoFormat format;
  guint n_rows;
  int stride;
} odd_planes[] = {
  /* The palette of 1024 bytes would end behind the buffer. */
  { GST_VIDEO_FORMAT_RGB8P, 1, 4 },
  { GST_VIDEO_FORMAT_RGB8P, 47, -13 },
  /* Pixels that are no number of bytes, in rows that go upwards. */
  { GST_VIDEO_FORMAT_NV12_10LE40, 23, -60 },
  { GST_VIDEO_FORMAT_v210, 47, -128 },
};

/* The last plane begins some rows later than usual, and its rows are as far apart as the table says. */
static void
test_odd_planes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (odd_planes); i++)
    {
      GstHarness *harness = new_harness ("", "");
      GstBuffer *frame;
      GstVideoInfo info;
      guint last;

      gst_video_info_set_format (&info, odd_planes[i].format, 48, 48);
      gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
      last = GST_VIDEO_INFO_N_PLANES (&info) - 1;
      info.offset[last] += odd_planes[i].n_rows * info.stride[last];
      info.stride[last] = odd_planes[i].stride;
      frame = new_guarded (info.size);
      gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE, odd_planes[i].format, 48, 48, last + 1,
                                      info.offset, info.stride);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      gst_harness_teardown (harness);
    }
}

/* Two models on one frame. */
static GstHarness *
new_pair (const char *property)
{
  g_autofree char *model = digits ();
  g_autofree char *behind = g_strdup_printf ("! c2ginference preset=digits model=%s %s", model, property);
  GstHarness *harness = new_harness ("", behind);

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  return harness;
}

static void
test_prefix (void)
{
  GstHarness *harness = new_pair ("prefix=second/");
  GstBuffer *frame = gst_harness_push_and_pull (harness, new_gray (0));

  assert_tensors (frame, "softmax second/softmax");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

static void
test_same_names (void)
{
  GstHarness *harness = new_pair ("");
  g_autofree char *message = NULL;

  watch_element (harness->element);
  g_assert_cmpint (gst_harness_push (harness, new_gray (0)), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*“prefix”*“softmax”*", message));
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

static void
test_states (void)
{
  g_autofree char *model = digits ();
  GstElement *element = new_element ("c2ginference");
  const GstState states[] = { GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PLAYING, GST_STATE_NULL };

  g_object_set (element, "model", model, "preset", "digits", NULL);
  for (guint i = c2g_test_count_rounds (60); i > 0; i--)
    g_assert_cmpint (gst_element_set_state (element, states[i % 4]), !=, GST_STATE_CHANGE_FAILURE);
  free_element (element);
}

/* Elements have the names that gst-launch-1.0 and logs would lead one to expect. */
static void
test_element_names (void)
{
  const char *const factories[] = { "c2ginference", "c2gdecode" };

  for (gsize i = 0; i < G_N_ELEMENTS (factories); i++)
    {
      GstElement *element = new_element (factories[i]);

      g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (element), factories[i]));
      free_element (element);
    }
}

/* Every property has the value that it was given, and those of the table their defaults. */
static void
test_properties (void)
{
  GstElement *element = new_element ("c2ginference");
  g_autofree char *model = NULL;
  gboolean is_crop;
  guint n_threads, optimize;
  int access;

  g_object_get (element, "model", &model, "crop", &is_crop, "threads", &n_threads, "optimize",
                &optimize, "file-access", &access, NULL);
  g_assert_null (model);
  g_assert_false (is_crop);
  g_assert_cmpuint (n_threads, ==, 0);
  g_assert_cmpuint (optimize, ==, C2G_OPTIMIZE_ALL);
  g_assert_cmpint (access, ==, C2G_FILE_ACCESS_MODEL);

  gst_util_set_object_arg (G_OBJECT (element), "optimize", "none");
  g_object_set (element, "model", "first", "crop", TRUE, "threads", 3, "file-access",
                C2G_FILE_ACCESS_NONE, NULL);
  g_object_set (element, "model", "second", NULL);
  g_object_get (element, "model", &model, "crop", &is_crop, "threads", &n_threads, "optimize",
                &optimize, "file-access", &access, NULL);
  g_assert_cmpstr (model, ==, "second");
  g_assert_true (is_crop);
  g_assert_cmpuint (n_threads, ==, 3);
  g_assert_cmpuint (optimize, ==, C2G_OPTIMIZE_NONE);
  g_assert_cmpint (access, ==, C2G_FILE_ACCESS_NONE);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "threads"))->maximum, ==,
                    1024);
  free_element (element);
}

/* The outputs have the rate of the tensors that came in. */
static void
test_rate (void)
{
  GstHarness *harness = new_harness ("c2gconvert scale=1/255 !", "");

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_gray (0)));
  assert_caps_are (harness, "application/x-c2g-tensors, format=flexible, framerate=30/1");
  gst_harness_teardown (harness);
}

/* The scores of the digit 7. */
static C2gTensor *
score_seven (const char *before)
{
  g_autofree char *line = g_strdup_printf ("pngdec ! %s", before);
  GstHarness *harness = new_harness (line, "! c2gdecode");
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;
  GstBuffer *buffer;

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  buffer = gst_harness_push_and_pull (harness, read_picture (7));
  tensor = c2g_gst_buffer_get_tensor (buffer, "softmax", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_gst_geometry_get_width (c2g_gst_buffer_get_geometry (buffer, "softmax")), ==, 32);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);

  return tensor;
}

/* A model gets from c2gconvert what it makes of frames itself, with the size that it wants. */
static void
test_converted (void)
{
  g_autoptr (C2gTensor) direct = score_seven ("");
  const gsize n_bytes = c2g_tensor_get_n_bytes (direct);
  static const char *const lines[] = { "c2gconvert preset=digits !", "c2gconvert scale=1/255 !", "c2gconvert !",
                                       "c2gconvert ! queue ! c2gtensorbatch size=1 !" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (C2gTensor) converted = score_seven (lines[i]);

      g_assert_cmpmem (address_of (converted), c2g_tensor_get_n_bytes (converted), address_of (direct), n_bytes);
    }
}

/* Pixels that c2gconvert makes otherwise than the model wants them are told of. */
static void
test_other_pixels (void)
{
  static const struct
  {
    const char *line;
    guint       n_warnings;
  } rows[] = {
    { "c2gconvert !", 0 },
    { "c2gconvert scale=0.00392 mean=0 !", 0 },
    { "c2gconvert scale=2 !", 1 },
    { "c2gconvert mean=128 scale=1/255 !", 1 },
    { "c2gconvert size=8x8 channels=GRAY ! c2gtensormux !", 1 },
    { "c2gconvert type=float scale=1/255 size=8x8 channels=GRAY ! c2gtensormux !", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      GstHarness *harness = new_harness (rows[i].line, "");
      GstBus *bus = watch_element (harness->element);

      gst_harness_set_src_caps_str (harness, GRAY_CAPS);
      gst_harness_push (harness, new_gray (0));
      gst_harness_push_event (harness, gst_event_new_eos ());
      gst_buffer_unref (gst_harness_pull (harness));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "*scale=*wants channels=GRAY mean=0 scale=0.0039*"), ==,
                        rows[i].n_warnings);
      free_harness (harness);
    }
}

/* Shapes that do not fit are an error with both of them, from whatever element the tensors are. */
static void
test_converted_refused (void)
{
  GstHarness *harness = new_harness ("c2gconvert size=9x9 !", "");
  GstBus *bus = watch_element (harness->element);

  gst_harness_set_src_caps_str (harness, "video/x-raw, format=RGB, width=32, height=24, framerate=30/1");
  g_assert_cmpint (gst_harness_push (harness, new_bytes (32 * 24 * 3)), ==, GST_FLOW_NOT_NEGOTIATED);
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*can be [1, 3, 9, 9] or *takes float [N, 1, 8, 8]"), ==, 1);
  free_harness (harness);

  harness = new_harness ("", "");
  bus = watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors, format=static, "
                                         "tensor0=(structure)[tensor, type=float, rank=2, d0=5, d1=9]");
  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new ()), ==, GST_FLOW_NOT_NEGOTIATED);
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*are float [5, 9], *takes float [N, 1, 8, 8]"), ==, 1);
  free_harness (harness);
}

/* Behind c2gtensormux, the tensor of the model need not be the first one. */
static void
test_among_others (void)
{
  GstHarness *harness = new_harness ("", "");
  g_autoptr (C2gTensor) picture = new_floats (64);
  GstBuffer *buffer = gst_buffer_new ();

  g_assert_true (c2g_tensor_reshape (picture, C2G_TEST_DIMS (1, 1, 8, 8), NULL));
  add_floats (buffer, "sound", 5);
  add_tensor (buffer, "data", picture);
  watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors, format=static, "
                                         "tensor0=(structure)[tensor, name=sound, type=float, rank=1, d0=5], "
                                         "tensor1=(structure)[tensor, name=data, type=float, rank=4, d0=1, d1=1, d2=8, d3=8]");
  buffer = gst_harness_push_and_pull (harness, buffer);
  g_assert_nonnull (buffer);
  assert_tensors (buffer, "softmax");
  gst_buffer_unref (buffer);
  free_harness (harness);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/inference/formats", test_formats);
  add_gst_func ("/gst/inference/tensor", test_tensor);
  add_gst_func ("/gst/inference/shared-frame", test_shared_frame);
  add_gst_func ("/gst/inference/renegotiation", test_renegotiation);
  add_gst_func ("/gst/inference/bad-properties", test_bad_properties);
  add_gst_func ("/gst/inference/bad-run", test_bad_run);
  add_gst_func ("/gst/inference/guess", test_guess);
  add_gst_func ("/gst/inference/model-info", test_model_info);
  add_gst_func ("/gst/inference/bad-meta", test_bad_meta);
  add_gst_func ("/gst/inference/allocations", test_allocations);
  add_gst_func ("/gst/inference/paint-allocations", test_paint_allocations);
  add_gst_func ("/gst/inference/inputs", test_inputs);
  add_gst_func ("/gst/inference/odd-planes", test_odd_planes);
  add_gst_func ("/gst/inference/prefix", test_prefix);
  add_gst_func ("/gst/inference/same-names", test_same_names);
  add_gst_func ("/gst/inference/names", test_element_names);
  add_gst_func ("/gst/inference/properties", test_properties);
  add_gst_func ("/gst/inference/states", test_states);
  add_gst_func ("/gst/inference/rate", test_rate);
  add_gst_func ("/gst/inference/converted", test_converted);
  add_gst_func ("/gst/inference/other-pixels", test_other_pixels);
  add_gst_func ("/gst/inference/converted-refused", test_converted_refused);
  add_gst_func ("/gst/inference/among-others", test_among_others);

  return run_gst_tests ();
}
