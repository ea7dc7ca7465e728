/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <malloc.h>

/* Pipelines that are started, stopped, flushed and broken again and again. With -m thorough there are
 * 10 000 changes of state, and C2G_TEST_SECONDS=3600 makes an hour of them. */

#define CAPS "video/x-raw, format=GRAY8, width=%d, height=%d, framerate=30/1"

/* The pipelines. MODEL is a model of examples, and FOLDER a folder with a model and with tensors. */
typedef struct
{
  const char *name;
  const char *line;
  /* An element that some builds do not have. */
  const char *optional;
} Soak;

#define VIDEO   "videotestsrc ! video/x-raw, width=32, height=32 "
#define TENSORS VIDEO "! c2gconvert tensor=a "
#define DIGITS  VIDEO "! c2ginference model=MODEL preset=digits "

static const Soak soaks[] = {
  { "inference", DIGITS "! tee name=tee ! queue ! c2gdecode ! text/x-raw ! fakesink tee. ! queue ! c2gdecode ! fakesink" },
  { "paint", VIDEO "! c2ginference model=FOLDER channels=RGB ! c2gdecode mode=picture ! queue ! fakesink" },
  { "overlay", DIGITS "! c2gdecode ! c2goverlay ! queue ! fakesink", "c2goverlay" },
  { "wire", TENSORS "! c2gpay ! queue ! c2gdepay ! queue ! fakesink" },
  { "bridge", TENSORS "! c2gbridge ! queue ! c2gbridge ! queue ! fakesink" },
  { "mux", TENSORS "! queue ! c2gtensormux name=mux ! queue ! fakesink "
    "videotestsrc ! video/x-raw, width=16, height=16 ! c2gconvert tensor=b ! queue ! mux." },
  { "demux", TENSORS "! queue ! c2gtensordemux name=demux tensors=a queue name=late ! fakesink" },
  { "batch", TENSORS "! queue ! c2gtensorbatch size=2 ! queue ! fakesink" },
  /* If the end comes in PAUSED and nobody pulls, appsink of GStreamer 1.22 waits with the lock that a change to PLAYING
   * takes; it does not with this property. */
  { "program", TENSORS "! queue ! c2gsink drop=true wait-on-eos=false" },
  { "store", TENSORS "! queue ! c2gstore location=FOLDER/stored.minidb" },
  { "load", "c2gload location=FOLDER/tensors.minidb ! queue ! fakesink" },
};

/* A net that takes pictures of every size, and 30 buffers of tensors. */
static char *
make_folder (void)
{
  char *folder = make_model ("name: \"init\"",
                             "name: \"open\" external_input: \"data\" external_output: \"y\" "
                             "op { type: \"Relu\" input: \"data\" output: \"y\" }");
  g_autofree char *line =
    g_strdup_printf ("videotestsrc num-buffers=30 ! video/x-raw, width=32, height=32 ! c2gconvert "
                     "! c2gstore location=%s/tensors.minidb",
                     folder);
  GstElement *pipeline = gst_object_ref_sink (gst_parse_launch (line, NULL));
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);

  return folder;
}

static void
remove_folder (char *folder)
{
  static const char *const names[] = { "tensors.minidb", "stored.minidb" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_remove (path);
    }
  remove_model (folder);
}

/* Pads of c2gtensordemux go when it stops, and a program links the new ones. */
static void
pad_added_cb (GstElement *demux,
              GstPad     *pad,
              gpointer    late)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (late, "sink");

  g_assert_cmpint (gst_pad_link (pad, sink), ==, GST_PAD_LINK_OK);
}

static GstElement *
new_pipeline (const Soak *soak,
              const char *folder)
{
  g_autoptr (GString) line = g_string_new (soak->line);
  g_autoptr (GstElement) demux = NULL;
  g_autoptr (GstElement) late = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *model = digits ();
  GstElement *pipeline;

  g_string_replace (line, "MODEL", model, 0);
  g_string_replace (line, "FOLDER", folder, 0);
  pipeline = gst_parse_launch (line->str, &error);
  g_assert_no_error (error);
  demux = gst_bin_get_by_name (GST_BIN (pipeline), "demux");
  late = gst_bin_get_by_name (GST_BIN (pipeline), "late");
  if (demux != NULL)
    g_signal_connect_object (demux, "pad-added", G_CALLBACK (pad_added_cb), late, 0);

  return gst_object_ref_sink (pipeline);
}

/* A pipeline that goes down deactivates pads in the middle of an event, and GStreamer's sources and queues call
 * that an error. So only those of c2g's elements count. */
static void
assert_no_error_message (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL)
    {
      g_autoptr (GError) error = NULL;

      gst_message_parse_error (message, &error, NULL);
      if (g_str_has_prefix (G_OBJECT_TYPE_NAME (GST_MESSAGE_SRC (message)), "C2g"))
        g_assert_no_error (error);
      gst_message_unref (message);
    }
}

static void
seek (GstElement *pipeline)
{
  gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SECOND);
}

static void
flush_all (GstElement *pipeline)
{
  gst_element_send_event (pipeline, gst_event_new_flush_start ());
  gst_element_send_event (pipeline, gst_event_new_flush_stop (TRUE));
}

static void
wait_a_moment (GstElement *pipeline)
{
  g_usleep (g_test_rand_int_range (0, 2000));
}

static void
wait_for_end_of (const GValue *value,
                 gpointer      data)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (g_value_get_object (value), "src");

  for (guint i = 0; i < 100 && !GST_PAD_IS_EOS (pad); i++)
    g_usleep (1000);
}

/* GstBaseSrc sends the event in a thread of its own. If a flush or a change of state comes between two of its
 * lines, GStreamer 1.22 sends NULL, which is a critical. So this waits until the event is on its way. */
static void
wait_for_sources (GstElement *pipeline)
{
  GstIterator *sources = gst_bin_iterate_sources (GST_BIN (pipeline));

  gst_iterator_foreach (sources, wait_for_end_of, NULL);
  gst_iterator_free (sources);
}

/* An event for the end waits for the source, and the source for queues that are full until the pipeline
 * plays: in PAUSED, GStreamer would wait for ever, whatever the elements are. */
static void
end (GstElement *pipeline)
{
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE &&
      gst_element_get_state (pipeline, NULL, NULL, GST_SECOND / 10) == GST_STATE_CHANGE_SUCCESS &&
      gst_element_send_event (pipeline, gst_event_new_eos ()))
    wait_for_sources (pipeline);
}

static void (*const acts[]) (GstElement *) = { seek, flush_all, end, wait_a_moment, wait_a_moment };

/* No change may take longer than this; a program that hangs is ended by the alarm. */
#define MAX_SECONDS 60

/* Some changes are waited for, and others overtaken by the next one. */
static void
change (GstElement *pipeline)
{
  GstState state = g_test_rand_int_range (GST_STATE_NULL, GST_STATE_PLAYING + 1);

  alarm (MAX_SECONDS);
  g_assert_cmpint (gst_element_set_state (pipeline, state), !=, GST_STATE_CHANGE_FAILURE);
  if (g_test_rand_int_range (0, 2) == 0)
    gst_element_get_state (pipeline, NULL, NULL, GST_SECOND / 10);
  acts[g_test_rand_int_range (0, G_N_ELEMENTS (acts))](pipeline);
  assert_no_error_message (pipeline);
  alarm (0);
}

static void
change_often (const Soak *soak)
{
  char *folder = make_folder ();
  GstElement *pipeline = new_pipeline (soak, folder);

  for (guint i = g_test_thorough () ? 10000 : c2g_test_count_rounds (100); i > 0; i--)
    change (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  remove_folder (folder);
}

static void
test_states (gconstpointer data)
{
  const guint64 n_bytes = c2g_test_ledger_bytes ();

  change_often (data);
  wait_for_ledger (n_bytes);
}

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

/* The growth that is allowed is for threads started since then, and for tables that are as long as the
 * largest number of frames in flight. */
#define MAX_GROWTH (128 << 10)

/* The memory, threads and files of a process while its pipeline is stopped. */
typedef struct
{
  gsize n_bytes;
  guint n_threads;
  guint n_files;
} Usage;

static Usage
measure (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);

  return (Usage) { mallinfo2 ().uordblks, count_entries ("/proc/self/task"),
                   count_entries ("/proc/self/fd") };
}

static void
change_for (GstElement *pipeline,
            double      seconds)
{
  const gint64 end_time = g_get_monotonic_time () + (gint64) (seconds * G_USEC_PER_SEC);

  while (g_get_monotonic_time () < end_time)
    change (pipeline);
}

/* Memory, threads and files stay what they are after a while. Pools of threads keep a few that are idle.
 *
 * glibc counts what the cache of each thread keeps as memory in use, and GLib 2.74 keeps slices. These grow with every
 * change of state, more slowly each minute: "batch" used 0.5 MB more after ten minutes, and a pipeline of videotestsrc,
 * queues and fakesink 64 KB more after one. So the test runs without both, see meson.build: then 80 seconds of "batch"
 * leave nothing behind. */
static void
check_flat (const Soak *soak)
{
  const char *option = g_getenv ("C2G_TEST_SECONDS");
  const double seconds = option != NULL ? g_ascii_strtod (option, NULL) / G_N_ELEMENTS (soaks) : 0.3;
  char *folder = make_folder ();
  GstElement *pipeline = new_pipeline (soak, folder);
  Usage first, last;

  change_for (pipeline, MIN (seconds / 2, 30));
  first = measure (pipeline);
  change_for (pipeline, seconds);
  last = measure (pipeline);
  g_test_message ("%zu and %zu bytes, %u and %u threads, %u and %u files", first.n_bytes, last.n_bytes,
                  first.n_threads, last.n_threads, first.n_files, last.n_files);
  g_assert_cmpuint (last.n_bytes, <, first.n_bytes + MAX_GROWTH);
  g_assert_cmpuint (last.n_threads, <=, first.n_threads + 4);
  g_assert_cmpuint (last.n_files, <=, first.n_files);
  gst_object_unref (pipeline);
  remove_folder (folder);
}

static void
test_flat (gconstpointer data)
{
  const guint64 n_bytes = c2g_test_ledger_bytes ();

  check_flat (data);
  wait_for_ledger (n_bytes);
}

static GstFlowReturn
push (GstHarness *harness,
      int         size)
{
  g_autofree char *caps = g_strdup_printf (CAPS, size, size);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, GST_ROUND_UP_4 (size) * size, NULL);

  gst_buffer_memset (frame, 0, 0, -1);
  gst_harness_set_src_caps_str (harness, caps);

  return gst_harness_push (harness, frame);
}

static void
flush (GstHarness *harness)
{
  gst_harness_push_event (harness, gst_event_new_flush_start ());
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
}

static void
begin (GstHarness *harness)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
}

/* The end of a stream, and a flush, in every state leave elements that run. */
static void
test_events (void)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("c2ginference preset=digits model=%s ! c2gdecode", model);

  for (GstState state = GST_STATE_NULL; state <= GST_STATE_PLAYING; state++)
    for (int set = 0; set < 4; set++)
      {
        GstHarness *harness = gst_harness_new_parse (line);

        g_assert_cmpint (push (harness, 8), ==, GST_FLOW_OK);
        gst_element_set_state (harness->element, state);
        if ((set & 1) != 0)
          gst_harness_push_event (harness, gst_event_new_eos ());
        if ((set & 2) != 0)
          flush (harness);

        gst_element_set_state (harness->element, GST_STATE_PLAYING);
        flush (harness);
        begin (harness);
        g_assert_cmpint (push (harness, 12), ==, GST_FLOW_OK);
        gst_harness_teardown (harness);
      }
}

/* A model that fails in the middle of a stream, for frames that do not fit, runs those that do. */
static void
test_failures (void)
{
  char *model = make_silent_model ();
  g_autofree char *line = g_strdup_printf ("c2ginference channels=GRAY model=%s", model);
  GstHarness *harness = gst_harness_new_parse (line);
  guint n_runs = 0;

  for (guint i = c2g_test_count_rounds (200); i > 0; i--)
    {
      const gboolean fits = g_test_rand_int_range (0, 2) == 0;

      g_assert_cmpint (push (harness, fits ? 8 : 32 + i % 20), ==,
                       fits ? GST_FLOW_OK : GST_FLOW_ERROR);
      n_runs += fits;
      if (fits)
        gst_buffer_unref (gst_harness_pull (harness));
    }
  g_assert_cmpuint (n_runs, >, 0);
  gst_harness_teardown (harness);
  remove_model (model);
}

/* A consumer that holds frames for ever starves nobody, and gives all back at the end. */
static void
test_held (void)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("c2ginference preset=digits model=%s", model);
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func (g_object_unref);
  GstHarness *harness = gst_harness_new_parse (line);

  for (guint i = c2g_test_count_rounds (200); i > 0; i--)
    {
      g_autoptr (GError) error = NULL;
      GstBuffer *frame;

      g_assert_cmpint (push (harness, 16), ==, GST_FLOW_OK);
      frame = gst_harness_pull (harness);
      g_ptr_array_add (held, c2g_gst_tensor_new_from_buffer (frame, C2G_DATA_TYPE_UINT8,
                                                             C2G_TEST_DIMS (16, 16), &error));
      g_ptr_array_add (held, c2g_gst_buffer_get_tensor (frame, "softmax", &error));
      g_assert_no_error (error);
      gst_buffer_unref (frame);
    }
  gst_harness_teardown (harness);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (soaks); i++)
    if (soaks[i].optional == NULL || gst_registry_check_feature_version (gst_registry_get (), soaks[i].optional, 0, 0, 0))
      {
        g_autofree char *states = g_strconcat ("/gst/soak/states/", soaks[i].name, NULL);
        g_autofree char *flat = g_strconcat ("/gst/soak/flat/", soaks[i].name, NULL);

        g_test_add_data_func (states, &soaks[i], test_states);
        g_test_add_data_func (flat, &soaks[i], test_flat);
      }
  add_gst_func ("/gst/soak/events", test_events);
  add_gst_func ("/gst/soak/failures", test_failures);
  add_gst_func ("/gst/soak/held", test_held);

  return run_gst_tests ();
}
