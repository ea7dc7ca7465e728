/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <gst/base/gstbasesink.h>

/* Pools and the memory of frames. Elements that pass frames through: a source before them sees the pool, the allocator and the metas of the element behind
 * them, and puts its frames there at once. */

#define RGB   "video/x-raw, format=RGB, width=32, height=32, framerate=30/1"
#define GRAY  "video/x-raw, format=GRAY8, width=4, height=2, framerate=30/1"
#define ALIGN 63

static GstPadProbeReturn
propose_cb (GstPad          *pad,
            GstPadProbeInfo *info,
            gpointer         pool)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  g_autoptr (C2gGstAllocator) allocator = c2g_gst_allocator_get_default ();
  const GstAllocationParams params = { 0, ALIGN, 0, 0 };

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;

  gst_query_add_allocation_pool (query, pool, 32 * 32 * 3, 2, 4);
  gst_query_add_allocation_param (query, GST_ALLOCATOR (allocator), &params);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static void
assert_proposed (GstHarness    *harness,
                 GstBufferPool *pool)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->srcpad);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  g_autoptr (GstBufferPool) found_pool = NULL;
  g_autoptr (GstAllocator) found_allocator = NULL;
  GstAllocationParams params;
  guint size, least, most;

  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &found_pool, &size, &least, &most);
  g_assert_true (found_pool == pool);
  g_assert_cmpuint (size, ==, 32 * 32 * 3);
  g_assert_cmpuint (least, ==, 2);
  g_assert_cmpuint (most, ==, 4);
  g_assert_cmpuint (gst_query_get_n_allocation_params (query), ==, 1);
  gst_query_parse_nth_allocation_param (query, 0, &found_allocator, &params);
  g_assert_true (C2G_GST_IS_ALLOCATOR (found_allocator));
  g_assert_cmpuint (params.align, ==, ALIGN);
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL));
}

/* Takes the harness. A source asks when it has sent caps, and again when the element behind it wants it to. */
static void
check_through (GstHarness *harness)
{
  g_autoptr (GstBufferPool) pool = gst_buffer_pool_new ();

  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, propose_cb, gst_object_ref (pool),
                     (GDestroyNotify) gst_object_unref);
  gst_harness_set_src_caps_str (harness, RGB);
  assert_proposed (harness, pool);
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_bytes (32 * 32 * 3)));
  assert_proposed (harness, pool);
  gst_harness_push_upstream_event (harness, gst_event_new_reconfigure ());
  gst_buffer_unref (gst_harness_push_and_pull (harness, new_bytes (32 * 32 * 3)));
  assert_proposed (harness, pool);
  gst_harness_teardown (harness);
}

static void
test_inference (void)
{
  check_through (new_harness ("", ""));
}

static void
test_decode (void)
{
  check_through (gst_harness_new ("c2gdecode"));
}

#ifdef HAVE_PANGOCAIRO
static void
test_overlay (void)
{
  check_through (gst_harness_new ("c2goverlay"));
}
#endif

/* All of them together. */
static void
test_chain (void)
{
  check_through (new_harness ("c2gdecode !", "! c2gdecode"));
}

/* c2gsink holds frames. */

/* Pools are told how many buffers wait in the sink, and frames come with any strides. */
static void
test_sink_allocation (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstCaps) caps = gst_caps_from_string (GRAY);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  guint size, min, max;

  gst_harness_set_src_caps_str (harness, GRAY);
  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &size, &min, &max);
  g_assert_cmpuint (size, ==, 8);
  g_assert_cmpuint (min, ==, 7);
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
}

static gboolean
propose_first (GstBaseSink *sink,
               GstQuery    *query)
{
  gst_query_add_allocation_pool (query, NULL, 99, 2, 3);

  return FALSE;
}

/* The proposal of appsink, which programs can make from GStreamer 1.24 on, comes before that of c2gsink. */
static void
test_sink_chains_up (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  GstBaseSinkClass *parent_class = g_type_class_peek_parent (G_OBJECT_GET_CLASS (sink));
  gboolean (*propose) (GstBaseSink *, GstQuery *) = parent_class->propose_allocation;
  g_autoptr (GstCaps) caps = gst_caps_from_string (GRAY);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  guint first_size, second_size;

  parent_class->propose_allocation = propose_first;
  gst_harness_set_src_caps_str (harness, GRAY);
  g_assert_true (gst_pad_peer_query (harness->srcpad, query));
  parent_class->propose_allocation = propose;
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 2);
  gst_query_parse_nth_allocation_pool (query, 0, NULL, &first_size, NULL, NULL);
  gst_query_parse_nth_allocation_pool (query, 1, NULL, &second_size, NULL, NULL);
  g_assert_cmpuint (first_size, ==, 99);
  g_assert_cmpuint (second_size, ==, 8);
}

/* Rule 1: a program that keeps all frames does not stop a stream whose pool is bounded, and keeps the
 * right bytes. */
static void
test_sink_pool (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gsink");
  g_autoptr (GstElement) sink = gst_harness_find_element (harness, "c2gsink");
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  GstBufferPool *pool = new_pool (8, 4);

  g_object_set (sink, "sync", FALSE, NULL);
  gst_harness_set_src_caps_str (harness, GRAY);
  for (int i = 0; i < 100; i++)
    {
      g_assert_cmpint (gst_harness_push (harness, acquire (pool, i)), ==, GST_FLOW_OK);
      g_ptr_array_add (kept, pull_tensors (sink));
    }
  for (int i = 0; i < 100; i++)
    g_assert_cmpfloat (sealed_value_of (g_ptr_array_index (kept, i), C2G_GST_FRAME, 7), ==, i);

  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
}

/* A pool of a single frame: a program that keeps the tensors of all frames has copies, and the source its frame. */
static void
test_single (void)
{
  g_autoptr (Harness) harness = gst_harness_new ("c2gdecode");
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  GstBufferPool *pool = new_pool (8, 1);

  gst_harness_set_src_caps_str (harness, GRAY);
  for (int i = 0; i < 20; i++)
    {
      GstBuffer *frame = gst_harness_push_and_pull (harness, acquire (pool, i));

      g_ptr_array_add (kept, c2g_gst_tensor_new_from_buffer (frame, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (2, 4), &error));
      gst_buffer_unref (frame);
    }
  for (int i = 0; i < 20; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (g_ptr_array_index (kept, i), 7, &error), ==, i);
  g_assert_no_error (error);

  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
}

static GstBuffer *
new_child (GstBuffer *parent)
{
  GstBuffer *child = gst_buffer_new ();

  gst_buffer_append_memory (child, gst_buffer_get_memory (parent, 0));
  gst_buffer_add_parent_buffer_meta (child, parent);

  return child;
}

/* Buffers over the memory of other buffers keep these from their pool, at any distance. */
static void
test_parents (void)
{
  GstBufferPool *pool = new_pool (8, 1);
  GstBuffer *buffer = acquire (pool, 7);
  g_autoptr (GstBuffer) child = new_child (buffer);
  g_autoptr (GstBuffer) grandchild = new_child (child);
  GstBuffer *const all[] = { buffer, child, grandchild };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (C2gTensor) tensor =
        c2g_gst_tensor_new_from_buffer (all[i], C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (8), &error);

      g_assert_no_error (error);
      g_assert_true (address_of (tensor) != address_in (all[i]));
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 7, &error), ==, 7);
    }
  gst_clear_buffer (&grandchild);
  gst_clear_buffer (&child);
  gst_buffer_unref (buffer);
  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
}

/* c2gdecode paints into the frames of the element behind it. */

static GstPadProbeReturn
propose_single_cb (GstPad          *pad,
                   GstPadProbeInfo *info,
                   gpointer         pool)
{
  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (info)) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (GST_PAD_PROBE_INFO_QUERY (info), pool, 32 * 32 * 3, 1, 1);

  return GST_PAD_PROBE_HANDLED;
}

static GstBuffer *
new_painted (void)
{
  g_autoptr (C2gTensor) picture = new_floats (3 * 8 * 8);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 32 * 32 * 3, NULL);

  gst_buffer_memset (frame, 0, 0, 32 * 32 * 3);
  g_assert_true (c2g_tensor_reshape (picture, C2G_TEST_DIMS (1, 3, 8, 8), NULL));
  add_tensor (frame, "picture", picture);

  return frame;
}

static gpointer
push_two (gpointer harness)
{
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (harness, new_painted ()), ==, GST_FLOW_OK);

  return NULL;
}

/* If that element has a single frame and holds it, painting waits until it comes back, and nothing is painted over. */
static void
test_paint_single (void)
{
  g_autoptr (Harness) harness = gst_harness_new_parse ("c2gdecode mode=picture");
  g_autoptr (GstBufferPool) pool = gst_video_buffer_pool_new ();
  GstBuffer *first, *second;
  gconstpointer address;
  GThread *thread;

  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, propose_single_cb, pool, NULL);
  gst_harness_set_src_caps_str (harness, RGB);
  thread = g_thread_new ("push", push_two, harness);
  first = gst_harness_pull (harness);
  address = address_in (first);
  g_usleep (20000);
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
  gst_buffer_unref (first);
  second = gst_harness_pull (harness);
  g_assert_true (address_in (second) == address);
  gst_buffer_unref (second);
  g_thread_join (thread);
}

/* c2gconvert has a pool of its own. */

static GstBuffer *
new_frame (guint8 value)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 32 * 32 * 3, NULL);

  gst_buffer_memset (frame, 0, value, 32 * 32 * 3);

  return frame;
}

static gconstpointer
push_for_address (GstHarness *harness,
                  guint8      value)
{
  g_autoptr (C2gTensor) tensor = push_for_tensor (harness, new_frame (value));

  return address_of (tensor);
}

/* The memory of a tensor that nobody holds becomes that of a later one; one that is held stays. */
static void
test_convert (void)
{
  const char *const lines[] = { "c2gconvert size=8x8", "c2gconvert size=8x8 type=float16" };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (Harness) harness = gst_harness_new_parse (lines[i]);
      g_autoptr (C2gTensor) held = NULL;
      g_autoptr (GError) error = NULL;
      gconstpointer first, second;
      double value;

      gst_harness_set_src_caps_str (harness, RGB);
      first = push_for_address (harness, 0);
      for (int frame = 1; frame < 10; frame++)
        g_assert_true (push_for_address (harness, frame) == first);

      held = push_for_tensor (harness, new_frame (99));
      value = c2g_tensor_get_value (held, 5, &error);
      second = push_for_address (harness, 0);
      g_assert_true (second != first);
      for (int frame = 1; frame < 10; frame++)
        g_assert_true (push_for_address (harness, frame) == second);
      g_assert_cmpfloat (c2g_tensor_get_value (held, 5, &error), ==, value);
      g_assert_no_error (error);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/allocation/inference", test_inference);
  add_gst_func ("/gst/allocation/decode", test_decode);
#ifdef HAVE_PANGOCAIRO
  add_gst_func ("/gst/allocation/overlay", test_overlay);
#endif
  add_gst_func ("/gst/allocation/chain", test_chain);
  add_gst_func ("/gst/allocation/sink", test_sink_allocation);
  add_gst_func ("/gst/allocation/sink-chains-up", test_sink_chains_up);
  add_gst_func ("/gst/allocation/sink-pool", test_sink_pool);
  add_gst_func ("/gst/allocation/single", test_single);
  add_gst_func ("/gst/allocation/parents", test_parents);
  add_gst_func ("/gst/allocation/paint-single", test_paint_single);
  add_gst_func ("/gst/allocation/convert", test_convert);

  return run_gst_tests ();
}
