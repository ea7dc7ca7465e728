/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-streams.h"

/* The elements for several streams in one pipeline, and what all elements have in common. */

static void
link_cb (GstElement *element,
         GstPad     *pad,
         gpointer    sink)
{
  g_autoptr (GstPad) peer = gst_element_get_static_pad (sink, "sink");

  if (!gst_pad_is_linked (peer))
    g_assert_cmpint (gst_pad_link (pad, peer), ==, GST_PAD_LINK_OK);
}

static GstPadProbeReturn
count_cb (GstPad          *pad,
          GstPadProbeInfo *info,
          gpointer         data)
{
  assert_tensors (GST_PAD_PROBE_INFO_BUFFER (info), "tensor");
  g_atomic_int_inc ((int *) data);

  return GST_PAD_PROBE_OK;
}

/* A pipeline with all elements goes through states in any order, then plays, and ends without a thread that waits. No
 * branch is left out for being late, however busy the machine is. */
static void
test_states (void)
{
  static const GstState states[] = { GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING };
  g_autoptr (GstElement) pipeline =
    gst_parse_launch ("audiotestsrc is-live=true samplesperbuffer=64 ! audio/x-raw,format=F32LE,channels=1,rate=8000 "
                      "! c2gconvert ! tee name=tee ! queue ! mux.sink_0  tee. ! queue ! mux.sink_1 "
                      "c2gtensormux name=mux latency=60000000000 sink_1::prefix=b/ ! c2gtensorbatch size=3 ! c2gtensordemux name=demux rows=true "
                      "fakesink name=sink sync=false async=false",
                      NULL);
  g_autoptr (GstElement) demux = gst_bin_get_by_name (GST_BIN (pipeline), "demux");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  const guint n = c2g_test_count_rounds (100);
  int n_buffers = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_cb, &n_buffers, NULL);
  g_signal_connect (demux, "pad-added", G_CALLBACK (link_cb), sink);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (gst_element_set_state (pipeline, states[g_test_rand_int_range (0, G_N_ELEMENTS (states))]), !=,
                     GST_STATE_CHANGE_FAILURE);
  g_atomic_int_set (&n_buffers, 0);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
  while (g_atomic_int_get (&n_buffers) < 5)
    {
      g_autofree char *message = pop_error (pipeline);

      g_assert_cmpstr (message, ==, NULL);
      g_usleep (1000);
    }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Elements have the names by which they were asked for, with a number, so that messages can be understood. */
static void
test_names (void)
{
  GList *features = gst_registry_get_feature_list_by_plugin (gst_registry_get (), "c2g");

  g_assert_nonnull (features);
  for (GList *item = features; item != NULL; item = item->next)
    {
      g_autoptr (GstElement) element = gst_object_ref_sink (gst_element_factory_create (item->data, NULL));

      g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (element), GST_OBJECT_NAME (item->data)));
    }
  gst_plugin_feature_list_free (features);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/streams/names", test_names);
  add_gst_func ("/gst/streams/states", test_states);

  return run_gst_tests ();
}
