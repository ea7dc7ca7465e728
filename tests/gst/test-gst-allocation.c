/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* Elements that pass frames through: a source before them sees the pool, the allocator and the metas of the element behind
 * them, and puts its frames there at once. */

#define RGB   "video/x-raw, format=RGB, width=32, height=32, framerate=30/1"
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

  return run_gst_tests ();
}
