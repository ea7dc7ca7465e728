/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-streams.h"

/* The seven rules of tensors in GStreamer, in their order. The late frames and cancelled runs of rule 6 are in
 * test-gst-time.c, the caps of NNStreamer in rule 5 in test-gst-bridge.c; other files test the details. */

#define UINT8 C2G_DATA_TYPE_UINT8

/* Rule 1: a tensor over a buffer keeps the buffer, so that no pool gives its memory to others. Of a bounded pool only
 * as many buffers are kept as it can spare. */
static void
test_reading (void)
{
  GstBufferPool *pool = new_pool (4, 3);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensors[4];

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GstBuffer) buffer = acquire (pool, i);

      tensors[i] = c2g_gst_tensor_new_from_buffer (buffer, UINT8, C2G_TEST_DIMS (4), &error);
      g_assert_no_error (error);
      g_assert_true ((address_of (tensors[i]) == address_in (buffer)) == (i == 0));
    }
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_assert_cmpfloat (c2g_tensor_get_value (tensors[i], 3, &error), ==, i);
      g_object_unref (tensors[i]);
    }
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

/* Rule 1: a tensor writes into a buffer only between two calls, and only if nobody else has the buffer. */
static void
test_writing (void)
{
  GstBuffer *buffer = new_bytes (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  gst_buffer_ref (buffer);
  g_assert_null (c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (4), &error));
  assert_fails (&error, C2G_ERROR_READ_ONLY);
  gst_buffer_unref (buffer);

  tensor = c2g_gst_tensor_begin_write (buffer, UINT8, C2G_TEST_DIMS (4), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_set_value (tensor, 3, 77, &error));
  g_assert_true (c2g_gst_tensor_end_write (tensor, &error));
  g_assert_cmpint (((const guint8 *) address_in (buffer))[3], ==, 77);
  g_assert_false (c2g_tensor_set_value (tensor, 3, 78, NULL));
  g_assert_cmpint (((const guint8 *) address_in (buffer))[3], ==, 77);
  gst_buffer_unref (buffer);
}

/* Rule 2: memory that elements get is sealed without a copy; what is written then goes elsewhere. Memory that another
 * tensor may write is refused. */
static void
test_sealing (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (4);
  g_autoptr (C2gTensor) sharer = c2g_tensor_new_sized (C2G_TEST_DIMS (4), NULL, NULL);
  g_autoptr (C2gTensor) shared = new_floats (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = c2g_gst_buffer_new_from_tensor (tensor, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  g_assert_true (address_in (buffer) == address_of (tensor));
  c2g_tensor_set_value (tensor, 0, 7, NULL);
  g_assert_cmpfloat (*(const float *) address_in (buffer), ==, 0);

  g_assert_true (c2g_tensor_share_data (sharer, shared, &error));
  g_assert_null (c2g_gst_buffer_new_from_tensor (shared, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  g_assert_false (c2g_tensor_is_sealed (shared));
}

/* Rule 3: any number of records stay on a frame, and no branch behind a tee sees what another one does to its tensors
 * or records. */
static void
test_meta (void)
{
  GstBuffer *first = new_bytes (4);
  GstBuffer *second;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) mine = NULL;
  g_autoptr (C2gTensor) theirs = NULL;
  g_auto (GStrv) names = NULL;

  add_many (first, 40);
  second = gst_buffer_copy (first);
  mine = c2g_gst_buffer_get_tensor (first, "tensor-6", &error);
  g_assert_true (c2g_tensor_reshape (mine, C2G_TEST_DIMS (2, 3), &error));
  g_assert_true (c2g_tensor_resize (mine, C2G_TEST_DIMS (1), &error));
  add_floats (first, "new", 1);

  theirs = c2g_gst_buffer_get_tensor (second, "tensor-6", &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (theirs), ==, 6);
  names = c2g_gst_buffer_list_tensors (second);
  g_assert_cmpuint (g_strv_length (names), ==, 40);
  g_assert_cmpuint (gst_buffer_n_memory (second), ==, 1);
  gst_buffer_unref (first);
  gst_buffer_unref (second);
}

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
new_video_frame (void)
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

/* Boxes and classes have no names here, which is another warning. */
static char *
pop_warning (GstBus *bus)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    return NULL;
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);

  return g_str_has_prefix (error->message, "Classes are shown as numbers") ? pop_warning (bus) : g_strdup (error->message);
}

/* Sends two frames through elements and the decoder. Expected is NULL if there must be no result, but one warning that
 * names the tensor and says why. */
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

      g_assert_cmpint (gst_harness_push (harness, new_video_frame ()), ==, GST_FLOW_OK);
      found = describe (gst_harness_try_pull (harness), is_text);
      g_assert_cmpstr (found, ==, expected);
    }
  warning = pop_warning (bus);
  g_assert_true ((warning == NULL) == (expected != NULL));
  g_assert_true (warning == NULL || (strstr (warning, mode) != NULL && strstr (warning, "c2gdecode must be before") != NULL));
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
  /* The second borders give the frame its first size again, but not the picture. */
  { SCALE ("width=100,height=100,pixel-aspect-ratio=1/1") " ! " SCALE ("width=200,height=100,pixel-aspect-ratio=1/1"), NULL },
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
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i += c2g_test_is_quick () ? 3 : 1)
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

/* Rule 5: caps say the type and the dimensions of each tensor. */
static void
test_caps (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gconvert ! capsfilter caps=" TENSORS ",format=static");
  g_autoptr (GstBuffer) many = gst_buffer_new ();
  g_autoptr (GstCaps) flexible = gst_caps_from_string (TENSORS ", format=flexible");
  g_autoptr (GstCaps) caps = NULL;

  gst_harness_set_src_caps_str (harness, FRAME_CAPS);
  gst_buffer_unref (gst_harness_push_and_pull (harness, gst_buffer_new_wrapped (g_malloc0 (200 * 100), 200 * 100)));
  assert_caps_are (harness, TENSORS ", format=static, framerate=(fraction)30/1, tensor0=(structure)[tensor, name=tensor, "
                                    "type=float, rank=4, d0=1, d1=3, d2=100, d3=200, layout=nchw, "
                                    "channels=RGB, mean=(string)0, scale=(string)1]");
  gst_harness_teardown (harness);

  add_floats (many, "a", 3);
  caps = c2g_gst_caps_new_for_buffer (many);
  g_assert_true (gst_caps_is_fixed (caps) && !gst_caps_can_intersect (caps, flexible));
}

#define OPEN_CAPS \
  TENSORS ", format=static, tensor0=(structure)[tensor, type=float, rank=4, d0=1, d1=1, d2=[1,640], d3=[1,480]]"

/* Returns the last two dimensions that c2ginference takes of those that an element before it offers, or their types if
 * they are open. */
static char *
query_inputs (const char *options,
              const char *model)
{
  g_autofree char *line = g_strdup_printf ("c2ginference name=inference %s model=%s", options, model);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (harness->element), "inference");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) offered = gst_caps_from_string (OPEN_CAPS);
  g_autoptr (GstCaps) taken = gst_pad_query_caps (pad, offered);
  const GstStructure *tensor;
  int height, width;
  char *text;

  g_assert_false (gst_caps_is_empty (taken));
  tensor = gst_value_get_structure (gst_structure_get_value (gst_caps_get_structure (taken, 0), "tensor0"));
  if (gst_structure_get (tensor, "d2", G_TYPE_INT, &height, "d3", G_TYPE_INT, &width, NULL))
    text = g_strdup_printf ("%d %d", height, width);
  else
    text = g_strdup_printf ("%s %s", g_type_name (gst_structure_get_field_type (tensor, "d2")),
                            g_type_name (gst_structure_get_field_type (tensor, "d3")));
  gst_harness_teardown (harness);

  return text;
}

/* Returns the name of the output for a frame that becomes a tensor behind an element that leaves the dimensions open,
 * and how many elements the output has. */
static char *
run_open (const char *options,
          const char *model)
{
  g_autofree char *line =
    g_strdup_printf ("c2gconvert ! capsfilter name=filter ! c2ginference %s model=%s", options, model);
  GstHarness *harness = gst_harness_new_parse (line);
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (harness->element), "filter");
  g_autoptr (GstCaps) caps = gst_caps_from_string (OPEN_CAPS);
  g_autoptr (C2gTensor) output = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_auto (GStrv) names = NULL;

  g_object_set (filter, "caps", caps, NULL);
  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  buffer = gst_harness_push_and_pull (harness, new_gray (0));
  names = c2g_gst_buffer_list_tensors (buffer);
  output = c2g_gst_buffer_get_tensor (buffer, names[0], NULL);
  gst_harness_teardown (harness);

  return g_strdup_printf ("%s %" G_GINT64_FORMAT, names[0], c2g_tensor_get_n_elements (output));
}

/* Rule 5: dimensions that an element leaves open become those of the model. A model for every size leaves them open, and they become
 * those of the frame. */
static void
test_open_caps (void)
{
  g_autofree char *model = digits ();
  g_autofree char *fixed = query_inputs ("preset=digits", model);
  char *folder = make_model ("name: \"init\"", "name: \"open\" external_input: \"data\" external_output: \"y\" "
                                               "op { type: \"Relu\" input: \"data\" output: \"y\" }");
  g_autofree char *open = query_inputs ("channels=GRAY", folder);
  g_autofree char *scores = run_open ("preset=digits", model);
  g_autofree char *picture = run_open ("channels=GRAY", folder);

  g_assert_cmpstr (fixed, ==, "8 8");
  g_assert_cmpstr (open, ==, "GstIntRange GstIntRange");
  g_assert_cmpstr (scores, ==, "softmax 10");
  g_assert_cmpstr (picture, ==, "y 1024");
  remove_model (folder);
}

/* Notes what comes out of an element, in its order. */
static GstPadProbeReturn
note_cb (GstPad          *pad,
         GstPadProbeInfo *info,
         gpointer         order)
{
  static const GstEventType noted[] = { GST_EVENT_CAPS, GST_EVENT_SEGMENT, GST_EVENT_EOS };
  const gboolean is_frame = (info->type & GST_PAD_PROBE_TYPE_BUFFER) != 0;

  if (is_frame)
    g_string_append (order, "frame ");
  for (gsize i = 0; !is_frame && i < G_N_ELEMENTS (noted); i++)
    if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == noted[i])
      g_string_append_printf (order, "%s ", gst_event_type_get_name (noted[i]));

  return GST_PAD_PROBE_OK;
}

static void
assert_received (GstHarness *harness,
                 guint       n)
{
  GstBuffer *frame;

  g_assert_cmpuint (gst_harness_buffers_received (harness), ==, n);
  frame = gst_harness_pull (harness);
  assert_tensors (frame, "softmax");
  gst_buffer_unref (frame);
}

/* Rule 6: c2ginference tells its latency, changes no frame that others have, and keeps no frame back: new caps, a new
 * segment and the end come behind all frames before them. */
static void
test_inference (void)
{
  GstHarness *harness = new_gray_harness ();
  g_autoptr (GString) order = g_string_new (NULL);
  g_autoptr (GstBuffer) held = new_gray (0);
  GstSegment segment;

  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note_cb, order, NULL);
  gst_harness_set_upstream_latency (harness, GST_SECOND);
  g_assert_cmpint (gst_harness_push (harness, gst_buffer_ref (held)), ==, GST_FLOW_OK);
  assert_tensors (held, "");
  assert_received (harness, 1);
  g_assert_cmpuint (gst_harness_query_latency (harness), >, GST_SECOND);

  g_assert_cmpint (gst_harness_push (harness, new_gray (1)), ==, GST_FLOW_OK);
  gst_harness_set_src_caps_str (harness, "video/x-raw, format=GRAY8, width=32, height=32, framerate=25/1");
  assert_received (harness, 2);
  g_assert_cmpint (gst_harness_push (harness, new_gray (2)), ==, GST_FLOW_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  assert_received (harness, 3);
  g_assert_cmpint (gst_harness_push (harness, new_gray (3)), ==, GST_FLOW_OK);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  assert_received (harness, 4);
  wait_for_end (harness);
  gst_harness_teardown (harness);
  g_assert_cmpstr (order->str, ==, "frame frame caps segment frame segment frame eos ");
}

typedef enum
{
  END,
  OTHER_CAPS,
  OTHER_SEGMENT,
} Drain;

static void
begin_segment (GstHarness *harness,
               int         second)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.base = second * GST_SECOND;
  g_assert_true (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
}

/* Sends two buffers of a batch of three, and then the end, other caps or another segment, and expects a batch of the
 * two. */
static void
assert_drained (Drain drain)
{
  GstElement *element = gst_element_factory_make ("c2gtensorbatch", NULL);
  g_autoptr (GstBuffer) batch = NULL;
  g_autoptr (C2gTensor) rows = NULL;
  GstHarness *harness;

  g_object_set (element, "size", 3, NULL);
  harness = gst_harness_new_with_element (element, "sink_0", "src");
  gst_object_unref (element);
  gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("x", "2"));
  push_frame (harness, "x", 2, 0);
  push_frame (harness, "x", 2, 1);
  if (drain == END)
    g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  else if (drain == OTHER_SEGMENT)
    {
      begin_segment (harness, 2);
      push_frame (harness, "x", 2, 2);
    }
  else
    {
      gst_harness_set_src_caps_str (harness, TENSORS ", format=static, tensor0=" DESCRIBE ("y", "2"));
      push_frame (harness, "y", 2, 2);
    }
  batch = gst_harness_pull (harness);
  rows = c2g_gst_buffer_get_tensor (batch, "x", NULL);
  g_assert_cmpint (c2g_tensor_get_n_elements (rows), ==, 4);
  gst_harness_teardown (harness);
}

/* Rule 6: a batch that is not whole is not lost. */
static void
test_drain (void)
{
  assert_drained (END);
  assert_drained (OTHER_CAPS);
  assert_drained (OTHER_SEGMENT);
}

/* Rule 7: languages that collect garbage free buffer, mapping and tensor in any order, and a workspace goes into a
 * context without a writable structure. The bindings have cases for their parts of it. */
static void
test_languages (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) found = NULL;
  GstContext *context = c2g_gst_context_new (workspace, TRUE);
  GstBuffer *buffer = new_bytes (4);
  g_autoptr (C2gTensor) tensor = c2g_gst_tensor_new_from_buffer (buffer, UINT8, C2G_TEST_DIMS (4), NULL);
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, NULL);
  gsize n_bytes;
  const guint8 *bytes = c2g_mapping_get_data (mapping, &n_bytes);

  gst_buffer_unref (buffer);
  g_clear_object (&tensor);
  g_assert_cmpuint (n_bytes, ==, 4);
  g_assert_cmpint (bytes[3], ==, 3);

  gst_context_ref (context);
  g_assert_false (gst_context_is_writable (context));
  found = c2g_gst_context_get_workspace (context);
  g_assert_true (found == workspace);
  gst_context_unref (context);
  gst_context_unref (context);
}

int
main (int   argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/rules/1-reading", test_reading);
  add_gst_func ("/gst/rules/1-writing", test_writing);
  add_gst_func ("/gst/rules/2-sealing", test_sealing);
  add_gst_func ("/gst/rules/3-meta", test_meta);
  add_gst_func ("/gst/rules/4-geometry-boxes", test_geometry_boxes);
  add_gst_func ("/gst/rules/4-geometry-pictures", test_geometry_pictures);
  add_gst_func ("/gst/rules/5-caps", test_caps);
  add_gst_func ("/gst/rules/5-open-caps", test_open_caps);
  add_gst_func ("/gst/rules/6-inference", test_inference);
  add_gst_func ("/gst/rules/6-drain", test_drain);
  add_gst_func ("/gst/rules/7-languages", test_languages);

  return run_gst_tests ();
}
