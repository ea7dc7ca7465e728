/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-found.h"

/* c2gbridge: tensors on frames of GStreamer's own elements, and the way back. */

#define FRAME "video/x-raw, format=(string)GRAY8, width=(int)4, height=(int)4, framerate=(fraction)5/1"

/* Caps of a group with one tensor. */
#define GROUP(group, id, type, dims, order)                                                                   \
  "tensors=(structure)[tensorgroups, " group "=(/uniquelist){ (GstCaps)[tensor/strided, tensor-id=(string)" id \
  ", dims=(int)<" dims ">, dims-order=(string)" order ", type=(string)" type "] }]"

static GstBuffer *
new_frame (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 16, NULL);

  GST_BUFFER_PTS (frame) = 3 * GST_SECOND;
  return frame;
}

/* A bridge between frames of gray and an element that takes certain caps. */
static GstHarness *
new_writer (const char *names,
            const char *wanted)
{
  g_autofree char *line = g_strdup_printf ("c2gbridge %s%s", names != NULL ? "names=" : "", names != NULL ? names : "");
  GstHarness *harness = gst_harness_new_parse (line);

  gst_harness_set_sink_caps_str (harness, wanted);
  gst_harness_set_src_caps_str (harness, FRAME);

  return harness;
}

static const GstTensor *
get_tensor (GstBuffer  *buffer,
            const char *id)
{
  GstTensorMeta *meta = gst_buffer_get_tensor_meta (buffer);

  g_assert_nonnull (meta);
  return gst_tensor_meta_get_by_id (meta, g_quark_from_string (id));
}

/* The frame stays, and its tensor lies in the same memory under the id that decoders know. */
static void
test_write (void)
{
  GstHarness *harness = new_writer ("scores-out", "video/x-raw, " GROUP ("classes", "scores-out", "float32", "[0, 1], [1, max]", "row-major"));
  GstBuffer *frame = new_frame ();
  gconstpointer pixels = address_in (frame);
  g_autoptr (C2gTensor) scores = new_floats (10);
  const GstTensor *tensor;

  g_assert_true (c2g_tensor_reshape (scores, C2G_TEST_DIMS (1, 10), NULL));
  add_tensor (frame, "softmax", scores);
  add_floats (frame, "not named", 3);
  frame = gst_harness_push_and_pull (harness, frame);
  g_assert_true (address_in (frame) == pixels);
  g_assert_cmpuint (GST_BUFFER_PTS (frame), ==, 3 * GST_SECOND);
  assert_tensors (frame, "softmax not named");
  g_assert_cmpuint (gst_buffer_get_tensor_meta (frame)->num_tensors, ==, 1);

  tensor = get_tensor (frame, "scores-out");
  g_assert_nonnull (tensor);
  g_assert_true (gst_tensor_check_type (tensor, GST_TENSOR_DATA_TYPE_FLOAT32, GST_TENSOR_DIM_ORDER_ROW_MAJOR, 2,
                                        (gsize[]) { 1, 10 }));
  g_assert_true (address_in (tensor->data) == address_of (scores));
  assert_caps_are (harness, FRAME ", " GROUP ("classes", "scores-out", "float32", "1, 10", "row-major"));
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

#define SEVERAL                                                       \
  GROUP ("y", "y", "float32", "[1, max], [1, max]", "row-major")      \
  "; video/x-raw, " GROUP ("z", "x", "float32", "[1, max], [1, max]", "row-major")

/* Decoders say which dimensions are open, and which of two names the order has. */
static void
test_wanted (void)
{
  static const struct
  {
    const char *wanted;
    const char *got;
    GstTensorDimOrder order;
  } cases[] = {
    { GROUP ("x", "x", "float32", "2, 3", "row-major"), GROUP ("x", "x", "float32", "2, 3", "row-major"), 0 },
    { GROUP ("x", "x", "float32", "[0, max], 0", "row-major"), GROUP ("x", "x", "float32", "2, 0", "row-major"), 0 },
    { GROUP ("y", "x", "float32", "[1, max], [1, max]", "col-major"), GROUP ("y", "x", "float32", "2, 3", "col-major"), 1 },
    /* Several decoders, as in tensordecodebin. */
    { SEVERAL, GROUP ("z", "x", "float32", "2, 3", "row-major"), 0 },
    /* An element that takes all frames, and says nothing of tensors. */
    { "width=(int)4", GROUP ("x", "x", "float32", "2, 3", "row-major"), 0 },
  };

  if (!is_apart ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *wanted = g_strdup_printf ("video/x-raw, %s", cases[i].wanted);
      g_autofree char *got = g_strdup_printf ("%s, %s", FRAME, cases[i].got);
      GstHarness *harness = new_writer ("x", wanted);
      GstBuffer *frame = new_frame ();
      g_autoptr (C2gTensor) tensor = new_floats (6);

      g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (2, 3), NULL));
      add_tensor (frame, "any", tensor);
      frame = gst_harness_push_and_pull (harness, frame);
      assert_caps_are (harness, got);
      g_assert_cmpint (get_tensor (frame, "x")->dims_order, ==, cases[i].order);
      g_assert_cmpuint (get_tensor (frame, "x")->dims[1], ==, 3);
      gst_buffer_unref (frame);
      gst_harness_teardown (harness);
    }
}

/* Elements before the bridge hear of the formats that those behind it take. */
static void
test_formats (void)
{
  static const struct
  {
    const char *wanted;
    const char *taken;
  } cases[] = {
    { "video/x-raw, format=(string)RGBA, " GROUP ("x", "x", "float32", "3", "row-major"), "video/x-raw, format=(string)RGBA" },
    { "video/x-raw, format=(string)RGBA; other/tensors", "ANY" },
    { "video/x-raw, format=(string)RGBA; application/x-c2g-tensors", "ANY" },
    { "ANY", "ANY" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GstHarness *harness = gst_harness_new ("c2gbridge");
      g_autoptr (GstCaps) expected = gst_caps_from_string (cases[i].taken);
      g_autoptr (GstCaps) gray = gst_caps_from_string (FRAME);
      g_autoptr (GstCaps) taken = NULL;
      g_autoptr (GstCaps) filtered = NULL;

      gst_harness_set_sink_caps_str (harness, cases[i].wanted);
      taken = gst_pad_peer_query_caps (harness->srcpad, NULL);
      filtered = gst_pad_peer_query_caps (harness->srcpad, gray);
      g_assert_true (gst_caps_is_equal (taken, expected));
      g_assert_true (gst_caps_is_empty (filtered) == (i == 0));
      gst_harness_teardown (harness);
    }
}

static void
test_not_wanted (void)
{
  static const char *const wanted[] = {
    GROUP ("x", "x", "float32", "4", "row-major"),
    GROUP ("x", "x", "uint8", "3", "row-major"),
    GROUP ("x", "y", "float32", "3", "row-major"),
    GROUP ("x", "x", "float32", "3, 1", "row-major"),
  };

  if (!is_apart ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *caps = g_strdup_printf ("video/x-raw, %s", wanted[i]);
      GstHarness *harness = new_writer ("x", caps);
      GstBuffer *frame = new_frame ();

      add_floats (frame, "x", 3);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_NOT_NEGOTIATED);
      gst_harness_teardown (harness);
    }
}

/* The caps change with the shapes. Frames without tensors go on, but nobody can say caps for the first ones. */
static void
test_change (void)
{
  GstHarness *harness = new_writer ("x", "video/x-raw");

  g_assert_cmpint (gst_harness_push (harness, new_frame ()), ==, GST_FLOW_OK);
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
  for (guint i = 1; i < 4; i++)
    {
      g_autofree char *dims = g_strdup_printf (GROUP ("x", "x", "float32", "%u", "row-major"), i);
      g_autofree char *expected = g_strdup_printf ("%s, %s", FRAME, dims);
      GstBuffer *frame = new_frame ();
      GstBuffer *empty;

      add_floats (frame, "x", i);
      frame = gst_harness_push_and_pull (harness, frame);
      assert_caps_are (harness, expected);
      g_assert_cmpuint (get_tensor (frame, "x")->dims[0], ==, i);
      empty = gst_harness_push_and_pull (harness, new_frame ());
      g_assert_null (gst_buffer_get_tensor_meta (empty));
      gst_buffer_unref (empty);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

static GstHarness *
watch (GstHarness *harness)
{
  watch_element (harness->element);
  return harness;
}

static void
assert_error (GstHarness *harness,
              const char *expected)
{
  g_autofree char *message = pop_error (harness->element);

  g_assert_nonnull (message);
  if (strstr (message, expected) == NULL)
    g_error ("“%s” does not say “%s”", message, expected);
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* Frames go on in their own memory: a source puts them where the element behind the bridge wants them. */
static void
test_allocation (void)
{
  GstHarness *harness = new_writer ("x", "video/x-raw");
  g_autoptr (GstCaps) caps = gst_caps_from_string (FRAME);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

  gst_harness_add_propose_allocation_meta (harness, GST_VIDEO_META_API_TYPE, NULL);
  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  gst_harness_teardown (harness);
}

/* Ids stay in memory forever: the names of tensors, which strangers may send, are none. */
static void
test_no_names (void)
{
  GstHarness *harness = watch (gst_harness_new ("c2gbridge"));
  GstBuffer *frame = new_frame ();

  gst_harness_set_sink_caps_str (harness, "video/x-raw");
  gst_harness_set_src_caps_str (harness, FRAME);
  add_floats (frame, "a stranger's name", 3);
  gst_harness_push (harness, frame);
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
  g_assert_cmpuint (g_quark_try_string ("a stranger's name"), ==, 0);
  assert_error (harness, "names");
}

static const struct
{
  GstTensorDataType type;
  C2gDataType data_type;
} types[] = {
  { GST_TENSOR_DATA_TYPE_INT8, C2G_DATA_TYPE_INT8 },
  { GST_TENSOR_DATA_TYPE_INT16, C2G_DATA_TYPE_INT16 },
  { GST_TENSOR_DATA_TYPE_INT32, C2G_DATA_TYPE_INT32 },
  { GST_TENSOR_DATA_TYPE_INT64, C2G_DATA_TYPE_INT64 },
  { GST_TENSOR_DATA_TYPE_UINT8, C2G_DATA_TYPE_UINT8 },
  { GST_TENSOR_DATA_TYPE_UINT16, C2G_DATA_TYPE_UINT16 },
  { GST_TENSOR_DATA_TYPE_UINT32, C2G_DATA_TYPE_UINT32 },
  { GST_TENSOR_DATA_TYPE_UINT64, C2G_DATA_TYPE_UINT64 },
  { GST_TENSOR_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT16 },
  { GST_TENSOR_DATA_TYPE_FLOAT32, C2G_DATA_TYPE_FLOAT },
  { GST_TENSOR_DATA_TYPE_FLOAT64, C2G_DATA_TYPE_DOUBLE },
  { GST_TENSOR_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_BFLOAT16 },
};

static void
add_dims (GstBuffer    *buffer,
          C2gDataType   data_type,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  add_tensor (buffer, "x", tensor);
}

/* Every type goes and comes back, in the same memory. */
static void
test_types (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      GstHarness *harness = new_writer ("x", "video/x-raw");
      GstHarness *back = gst_harness_new_parse ("c2gbridge names=y");
      GstBuffer *frame = new_frame ();
      gconstpointer bytes;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GstCaps) caps = NULL;

      add_dims (frame, types[i].data_type, C2G_TEST_DIMS (3, 1, 2));
      frame = gst_harness_push_and_pull (harness, frame);
      g_assert_true (gst_tensor_check_type (get_tensor (frame, "x"), types[i].type, GST_TENSOR_DIM_ORDER_ROW_MAJOR, 3,
                                            (gsize[]) { 3, 1, 2 }));
      bytes = address_in (get_tensor (frame, "x")->data);

      caps = gst_pad_get_current_caps (harness->sinkpad);
      gst_harness_set_src_caps (back, g_steal_pointer (&caps));
      frame = gst_harness_push_and_pull (back, frame);
      assert_caps_are (back, FRAME);
      assert_tensors (frame, "x y");
      tensor = c2g_gst_buffer_get_tensor (frame, "y", NULL);
      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, types[i].data_type);
      g_assert_true (address_of (tensor) == bytes);
      gst_buffer_unref (frame);
      gst_harness_teardown (back);
      gst_harness_teardown (harness);
    }
}

/* A number gets a dimension, and there may be no elements. Types that GStreamer does not have are refused. */
static void
test_strange_tensors (void)
{
  static const struct
  {
    C2gDataType data_type;
    gint64 dims[2];
    gsize n_dims;
    gboolean is_refused;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, { 0 }, 0, FALSE },
    { C2G_DATA_TYPE_FLOAT, { 2, 0 }, 2, FALSE },
    { C2G_DATA_TYPE_BOOL, { 1 }, 1, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GstHarness *harness = watch (new_writer ("x", "video/x-raw"));
      GstBuffer *frame = new_frame ();

      add_dims (frame, cases[i].data_type, cases[i].dims, cases[i].n_dims);
      if (cases[i].is_refused)
        {
          g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
          assert_error (harness, "bool");
          continue;
        }
      frame = gst_harness_push_and_pull (harness, frame);
      g_assert_cmpuint (get_tensor (frame, "x")->num_dims, ==, MAX (cases[i].n_dims, 1));
      gst_buffer_unref (frame);
      free_harness (harness);
    }
}

/* Attaches tensors of so many bytes each as elements of GStreamer do. */
static void
add_metas (GstBuffer *frame,
           guint      n_metas,
           gsize      n_bytes)
{
  for (guint i = 0; i < n_metas; i++)
    {
      g_autofree char *id = g_strdup_printf ("test-id-%u", i);
      GstTensor **tensors = g_new (GstTensor *, 1);

      tensors[0] = gst_tensor_new_simple (g_quark_from_string (id), GST_TENSOR_DATA_TYPE_UINT8, new_bytes (n_bytes),
                                          GST_TENSOR_DIM_ORDER_COL_MAJOR, 2, (gsize[]) { 2, n_bytes / 2 });
      gst_tensor_meta_set (gst_buffer_add_tensor_meta (frame), 1, tensors);
    }
}

#define ANY_GROUP GROUP ("any", "any", "uint8", "2, 0", "col-major")

/* A buffer may have several metas. Ids are names where none are given. */
static void
test_read (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gbridge names=boxes");
  GstBuffer *frame = new_frame ();
  gconstpointer pixels = address_in (frame);
  gconstpointer bytes;
  g_autoptr (C2gTensor) boxes = NULL;

  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_metas (frame, 3, 6);
  bytes = address_in (get_tensor (frame, "test-id-0")->data);
  frame = gst_harness_push_and_pull (harness, frame);
  g_assert_true (address_in (frame) == pixels);
  assert_caps_are (harness, FRAME);
  assert_tensors (frame, "boxes test-id-1 test-id-2");
  boxes = c2g_gst_buffer_get_tensor (frame, "boxes", NULL);
  gst_buffer_unref (frame);
  g_assert_true (address_of (boxes) == bytes);
  g_assert_cmpint (c2g_tensor_get_dim (boxes, 0, NULL), ==, 2);
  g_assert_cmpint (c2g_tensor_get_dim (boxes, 1, NULL), ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (boxes, 5, NULL), ==, 5);

  frame = gst_harness_push_and_pull (harness, new_frame ());
  assert_tensors (frame, "");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* GStreamer has tensors of bool, but no name for them in caps. */
static void
test_read_bool (void)
{
  GstHarness *harness = gst_harness_new ("c2gbridge");
  GstBuffer *frame = new_frame ();
  g_autoptr (C2gTensor) tensor = NULL;

  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_metas (frame, 1, 6);
  ((GstTensor *) get_tensor (frame, "test-id-0"))->data_type = GST_TENSOR_DATA_TYPE_BOOL;
  frame = gst_harness_push_and_pull (harness, frame);
  tensor = c2g_gst_buffer_get_tensor (frame, "test-id-0", NULL);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_BOOL);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, 1);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Frames that others hold are not changed. */
static void
test_read_shared (void)
{
  GstHarness *harness = gst_harness_new ("c2gbridge");
  GstBuffer *frame = new_frame ();
  GstBuffer *read;

  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_metas (frame, 1, 6);
  read = gst_harness_push_and_pull (harness, gst_buffer_ref (frame));
  assert_tensors (frame, "");
  assert_tensors (read, "test-id-0");
  g_assert_true (address_in (frame) == address_in (read));
  gst_buffer_unref (read);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

static void
spoil (GstTensor *tensor,
       guint      i)
{
  if (i == 0)
    gst_clear_buffer (&tensor->data);
  else if (i == 1)
    tensor->data_type = GST_TENSOR_DATA_TYPE_INT4;
  else if (i == 2)
    tensor->data_type = 1000;
  else if (i == 3)
    tensor->layout = 7;
  else if (i == 4)
    tensor->dims[0] = G_MAXSIZE;
  else if (i == 5)
    tensor->dims[0] = 1 + (gsize) G_MAXSIZE / 2;
  else if (i == 6)
    tensor->dims[0] = 3;
  else
    tensor->data_type = GST_TENSOR_DATA_TYPE_FLOAT32;
}

/* Tensors that are not as they say end the pipeline. */
static void
test_hostile (void)
{
  static const char *const errors[] = {
    "“test-id-0” has a type or a layout",
    "“test-id-0” has a type or a layout",
    "“test-id-0” has a type or a layout",
    "“test-id-0” has a type or a layout",
    "The shape",
    "The shape",
    "Expected 9 bytes",
    "Expected 24 bytes",
  };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      GstHarness *harness = watch (gst_harness_new ("c2gbridge"));
      GstBuffer *frame = new_frame ();

      gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
      add_metas (frame, 1, 6);
      spoil ((GstTensor *) get_tensor (frame, "test-id-0"), i);
      g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
      assert_error (harness, errors[i]);
    }
}

/* An id may be a number that GStreamer has no text for. */
static void
test_unknown_id (void)
{
  GstHarness *harness = gst_harness_new ("c2gbridge");
  GstBuffer *frame = new_frame ();

  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_metas (frame, 1, 6);
  ((GstTensor *) get_tensor (frame, "test-id-0"))->id = G_MAXUINT32;
  frame = gst_harness_push_and_pull (harness, frame);
  assert_tensors (frame, "tensor");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Two tensors of one name, as where two models follow each other. */
static void
test_read_twice (void)
{
  GstHarness *harness = watch (gst_harness_new_parse ("c2gbridge names=x"));
  GstBuffer *frame = new_frame ();

  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_floats (frame, "x", 3);
  add_metas (frame, 1, 6);
  g_assert_cmpint (gst_harness_push (harness, frame), ==, GST_FLOW_ERROR);
  assert_error (harness, "x");
}

/* A painted frame is another one, which has no tensors. */
static void
test_painted (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gdecode mode=picture");
  GstBuffer *frame = new_frame ();
  g_autoptr (C2gTensor) picture = new_floats (48);
  g_autoptr (GstCaps) caps = NULL;

  g_assert_true (c2g_tensor_reshape (picture, C2G_TEST_DIMS (1, 3, 4, 4), NULL));
  gst_harness_set_src_caps_str (harness, FRAME ", " ANY_GROUP);
  add_tensor (frame, "picture", picture);
  gst_buffer_unref (gst_harness_push_and_pull (harness, frame));
  caps = gst_pad_get_current_caps (harness->sinkpad);
  g_assert_false (gst_structure_has_field (gst_caps_get_structure (caps, 0), "tensors"));
  gst_harness_teardown (harness);
}

/* GStreamer's decoders */

/* A model of c2g, and a decoder of GStreamer. */
static void
test_classifier (void)
{
  g_autofree char *model = digits ();
  g_autofree char *behind = NULL;
  GstHarness *harness;

  if (!has_element ("classifiertensordecoder") || !is_apart ())
    return;
  behind = g_strdup_printf ("! c2gbridge names=classification-generic-softmaxed-out "
                            "! classifiertensordecoder labels-file=%s/labels.txt",
                            model);
  harness = new_harness ("pngdec !", behind);
  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  for (guint i = 0; i < G_N_ELEMENTS (digit_names); i++)
    {
      GstBuffer *frame = gst_harness_push_and_pull (harness, read_picture (i));

      assert_class (frame, digit_names[i]);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

/* A bin that chooses the decoder. */
static void
test_decode_bin (void)
{
  GstHarness *harness;
  GstBuffer *frame;

  if (!has_element ("tensordecodebin") || !has_element ("classifiertensordecoder") || !is_apart ())
    return;
  harness = new_harness ("pngdec !", "! c2gbridge names=classification-generic-softmaxed-out ! tensordecodebin");
  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  frame = gst_harness_push_and_pull (harness, read_picture (3));
  assert_class (frame, "3");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

#define SSD_ID "ssd-mobilenet-v1-variant-1-out"

/* Four tensors of a group, of which most dimensions are open. */
static void
test_ssd (void)
{
  static const float scores[] = { 0.75, 0.1 };
  static const float boxes[] = { 0.2, 0.1, 0.6, 0.5, 0, 0, 1, 1 };
  static const float classes[] = { 1, 2 };
  static const float n_found[] = { 2 };
  GstHarness *harness;
  GstBuffer *frame;

  if (!has_element ("ssdtensordec"))
    return;
  harness = gst_harness_new_parse ("c2gbridge names=" SSD_ID "-scores," SSD_ID "-boxes," SSD_ID "-classes,"
                                   "generic-variant-1-out-count ! ssdtensordec");
  gst_harness_set_src_caps_str (harness, RGBA);
  frame = new_rgba ();
  add_values (frame, "scores", scores, C2G_TEST_DIMS (1, 2));
  add_values (frame, "boxes", boxes, C2G_TEST_DIMS (1, 2, 4));
  add_values (frame, "classes", classes, C2G_TEST_DIMS (1, 2));
  add_values (frame, "n", n_found, C2G_TEST_DIMS (1));
  frame = gst_harness_push_and_pull (harness, frame);
  assert_object (frame, NULL, 10, 10, 40, 20);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

/* Columns of middle, width and height in pixels of the frame, and of scores of two classes. */
static void
test_yolo (void)
{
  static const float columns[] = { 30, 60, 20, 20, 40, 20, 20, 10, 0.75, 0.1, 0.2, 0.1 };
  GstHarness *harness;
  GstBuffer *frame;

  if (!has_element ("yolov8tensordec"))
    return;
  harness = gst_harness_new_parse ("c2gbridge names=yolo-v8-out ! yolov8tensordec");
  gst_harness_set_src_caps_str (harness, RGBA);
  frame = new_rgba ();
  add_values (frame, "output0", columns, C2G_TEST_DIMS (1, 6, 2));
  frame = gst_harness_push_and_pull (harness, frame);
  assert_object (frame, "Yolo-None", 10, 10, 40, 20);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst-tensor-meta/write", test_write);
  add_gst_func ("/gst-tensor-meta/wanted", test_wanted);
  add_gst_func ("/gst-tensor-meta/formats", test_formats);
  add_gst_func ("/gst-tensor-meta/not-wanted", test_not_wanted);
  add_gst_func ("/gst-tensor-meta/change", test_change);
  add_gst_func ("/gst-tensor-meta/no-names", test_no_names);
  add_gst_func ("/gst-tensor-meta/allocation", test_allocation);
  add_gst_func ("/gst-tensor-meta/types", test_types);
  add_gst_func ("/gst-tensor-meta/strange-tensors", test_strange_tensors);
  add_gst_func ("/gst-tensor-meta/read", test_read);
  add_gst_func ("/gst-tensor-meta/read-bool", test_read_bool);
  add_gst_func ("/gst-tensor-meta/read-shared", test_read_shared);
  add_gst_func ("/gst-tensor-meta/hostile", test_hostile);
  add_gst_func ("/gst-tensor-meta/unknown-id", test_unknown_id);
  add_gst_func ("/gst-tensor-meta/read-twice", test_read_twice);
  add_gst_func ("/gst-tensor-meta/painted", test_painted);
  add_gst_func ("/gst-tensor-meta/classifier", test_classifier);
  add_gst_func ("/gst-tensor-meta/decode-bin", test_decode_bin);
  add_gst_func ("/gst-tensor-meta/ssd", test_ssd);
  add_gst_func ("/gst-tensor-meta/yolo", test_yolo);

  return run_gst_tests ();
}
