/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* Pipelines with real sources, queues, branches and seeks, and every element in every state. */

static GstElement *
new_pipeline (const char *before,
              const char *behind)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("%s ! " DIGITS_LINE " ! %s", before, model, behind);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);

  return gst_object_ref_sink (pipeline);
}

/* As any program, it has the latency distributed again when an element says that its own has changed. */
static void
wait_for_end (GstElement *pipeline)
{
  const GstMessageType types = GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_LATENCY;
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, types);
  while (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY)
    {
      gst_bin_recalculate_latency (GST_BIN (pipeline));
      gst_message_unref (message);
      message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, types);
    }
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  g_assert_no_error (error);
}

static void
free_pipeline (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
count_cb (GstElement *sink,
          GstBuffer  *buffer,
          GstPad     *pad,
          gpointer    count)
{
  g_atomic_int_inc ((int *) count);
}

#define LIVE_FRAMES 15

/* A slow element behind the model, in a live stream, makes frames late. Late frames cost runs, and no frame is lost. */
static void
test_live (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc is-live=true num-buffers=15 ! " GRAY_CAPS " ! queue",
                                       "identity sleep-time=100000 ! fakesink name=sink sync=false signal-handoffs=true");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstElement) inference = gst_bin_get_by_name (GST_BIN (pipeline), "inference");
  g_autoptr (GstStructure) stats = NULL;
  guint64 n_frames, n_runs, n_skipped;
  int count = 0;

  g_signal_connect (sink, "handoff", G_CALLBACK (count_cb), &count);
  wait_for_end (pipeline);
  g_object_get (inference, "stats", &stats, NULL);
  g_assert_true (gst_structure_get (stats, "frames", G_TYPE_UINT64, &n_frames, "runs", G_TYPE_UINT64, &n_runs,
                                    "skipped", G_TYPE_UINT64, &n_skipped, NULL));
  g_assert_cmpint (count, ==, LIVE_FRAMES);
  g_assert_cmpuint (n_frames, ==, LIVE_FRAMES);
  g_assert_cmpuint (n_skipped, >, 0);
  g_assert_cmpuint (n_runs + n_skipped, ==, LIVE_FRAMES);
  free_pipeline (pipeline);
}

/* An operator that takes the time of several frames, on every machine. */

#define SLOW_TIME (200 * 1000)

typedef struct
{
  C2gOperator parent_instance;
} GstTestSlow;

typedef struct
{
  C2gOperatorClass parent_class;
} GstTestSlowClass;

GType gst_test_slow_get_type (void);

G_DEFINE_TYPE (GstTestSlow, gst_test_slow, C2G_TYPE_OPERATOR)

/* The element in which operators are cancelled, or NULL. */
static GstElement *cancelled;
static int n_started, n_cancelled;

/* Reads a property, for which the element is locked. */
static void
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  g_autoptr (GstStructure) stats = NULL;

  if (cancelled == NULL)
    return;
  g_object_get (cancelled, "stats", &stats, NULL);
  g_atomic_int_inc (&n_cancelled);
}

static gboolean
gst_test_slow_run (C2gOperator  *op,
                   GError      **error)
{
  C2gTensor *input = c2g_operator_get_input_tensor (op, 0, error);
  C2gTensor *output = c2g_operator_get_output_tensor (op, 0, error);
  GCancellable *cancellable = c2g_operator_get_cancellable (op);
  const gulong id = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), NULL, NULL);

  g_atomic_int_inc (&n_started);
  g_usleep (SLOW_TIME);
  g_cancellable_disconnect (cancellable, id);

  return input != NULL && output != NULL && c2g_tensor_copy_from (output, input, NULL, error);
}

static void
gst_test_slow_class_init (GstTestSlowClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = gst_test_slow_run;
}

static void
gst_test_slow_init (GstTestSlow *self)
{
}

static void
register_slow (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 1, 1, 1);
  g_autoptr (GError) error = NULL;

  c2g_operator_register ("GstTestSlow", C2G_DEVICE_TYPE_CPU, NULL, gst_test_slow_get_type (), schema, &error);
  g_assert_no_error (error);
}

/* The element as it would be if it did not answer for its own time. */
static GstPadProbeReturn
hide_latency_cb (GstPad          *pad,
                 GstPadProbeInfo *info,
                 gpointer         sink_pad)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY || !gst_pad_peer_query (sink_pad, query))
    return GST_PAD_PROBE_OK;

  return GST_PAD_PROBE_HANDLED;
}

static void
hide_latency (GstElement *pipeline)
{
  g_autoptr (GstElement) inference = gst_bin_get_by_name (GST_BIN (pipeline), "inference");
  g_autoptr (GstPad) src_pad = gst_element_get_static_pad (inference, "src");
  GstPad *sink_pad = gst_element_get_static_pad (inference, "sink");

  gst_pad_add_probe (src_pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PUSH, hide_latency_cb, sink_pad,
                     (GDestroyNotify) gst_object_unref);
}

/* Runs a live stream through a model that is slower than its frames, into a sink that drops what is late. */
static guint64
count_lost (const char *folder,
            gboolean    hides_latency)
{
  g_autofree char *line =
    g_strdup_printf ("videotestsrc is-live=true num-buffers=30 ! " GRAY_CAPS " ! queue "
                     "! c2ginference name=inference model=%s channels=GRAY size=32x32 ! queue "
                     "! fakesink name=sink sync=true qos=true max-lateness=50000000",
                     folder);
  GstElement *pipeline = gst_object_ref_sink (gst_parse_launch (line, NULL));
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstElement) inference = gst_bin_get_by_name (GST_BIN (pipeline), "inference");
  g_autoptr (GstStructure) shown = NULL;
  g_autoptr (GstStructure) stats = NULL;
  guint64 n_rendered, n_dropped, n_runs;

  if (hides_latency)
    hide_latency (pipeline);
  wait_for_end (pipeline);
  g_object_get (sink, "stats", &shown, NULL);
  g_object_get (inference, "stats", &stats, NULL);
  g_assert_true (gst_structure_get (shown, "rendered", G_TYPE_UINT64, &n_rendered, "dropped", G_TYPE_UINT64,
                                    &n_dropped, NULL));
  g_assert_true (gst_structure_get_uint64 (stats, "runs", &n_runs));
  g_test_message ("%" G_GUINT64_FORMAT " rendered, %" G_GUINT64_FORMAT " dropped, %" G_GUINT64_FORMAT " runs", n_rendered,
                  n_dropped, n_runs);
  g_assert_cmpuint (n_rendered + n_dropped, ==, 30);
  g_assert_cmpuint (n_runs, >=, 2);
  g_assert_cmpuint (n_runs, <, 30);
  free_pipeline (pipeline);

  return n_dropped;
}

static char *
make_slow_model (void)
{
  return make_model ("name: \"init\"",
                     "name: \"slow\" external_input: \"data\" external_output: \"copy\" "
                     "op { type: \"GstTestSlow\" input: \"data\" output: \"copy\" }");
}

/* The latency that the element answers with is what keeps a sink from dropping frames. */
static void
test_lossless (void)
{
  guint n_lost = 1;
  char *folder;

  if (g_getenv ("C2G_TEST_QUICK") != NULL)
    {
      g_test_skip ("Frames are late under another tool");
      return;
    }
  folder = make_slow_model ();
  /* A busy machine may lose frames by itself: one try in three without a loss is enough. */
  for (guint i = 0; i < 3 && n_lost > 0; i++)
    n_lost = count_lost (folder, FALSE);
  g_assert_cmpuint (n_lost, ==, 0);
  g_assert_cmpuint (count_lost (folder, TRUE), >, 0);
  remove_model (folder);
}

/* An operator that hears of the end may ask the element for something then. */
static void
test_cancelled (void)
{
  char *folder = make_slow_model ();
  g_autofree char *line =
    g_strdup_printf ("videotestsrc ! " GRAY_CAPS " ! c2ginference name=inference model=%s channels=GRAY ! fakesink",
                     folder);
  GstElement *pipeline = gst_object_ref_sink (gst_parse_launch (line, NULL));

  cancelled = gst_bin_get_by_name (GST_BIN (pipeline), "inference");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  /* The runs before are over. */
  g_atomic_int_set (&n_started, 0);
  while (g_atomic_int_get (&n_started) == 0)
    g_usleep (1000);
  free_pipeline (pipeline);
  g_assert_cmpint (n_cancelled, ==, 1);
  gst_clear_object (&cancelled);
  remove_model (folder);
}

typedef struct
{
  GMutex mutex;
  GCond  cond;
  guint  n_overruns;
  guint  n_frames;
  guint  n_tensors;
} Overrun;

static void
overrun_cb (GstElement *queue,
            gpointer    data)
{
  Overrun *self = data;

  g_mutex_lock (&self->mutex);
  self->n_overruns++;
  g_cond_signal (&self->cond);
  g_mutex_unlock (&self->mutex);
}

/* The first frame waits until the queue behind the model has overrun. The limit only ends a test that hangs. */
static void
hold_cb (GstElement *sink,
         GstBuffer  *buffer,
         GstPad     *pad,
         gpointer    data)
{
  Overrun *self = data;
  const gint64 end_time = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);

  g_mutex_lock (&self->mutex);
  while (self->n_overruns < 10)
    g_assert_true (g_cond_wait_until (&self->cond, &self->mutex, end_time));
  self->n_frames++;
  self->n_tensors += g_strv_length (names);
  g_mutex_unlock (&self->mutex);
}

/* A queue that loses frames loses their tensors with them: the ledger has none at the end. */
static void
test_overrun (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc num-buffers=40 ! " GRAY_CAPS,
                                       "queue name=queue leaky=downstream max-size-buffers=3 "
                                       "! fakesink name=sink sync=false signal-handoffs=true");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstElement) queue = gst_bin_get_by_name (GST_BIN (pipeline), "queue");
  Overrun self = { 0 };

  g_mutex_init (&self.mutex);
  g_cond_init (&self.cond);
  g_signal_connect (queue, "overrun", G_CALLBACK (overrun_cb), &self);
  g_signal_connect (sink, "handoff", G_CALLBACK (hold_cb), &self);
  wait_for_end (pipeline);
  g_assert_cmpuint (self.n_overruns, >=, 10);
  g_assert_cmpuint (self.n_frames, >, 0);
  g_assert_cmpuint (self.n_frames, <=, 31);
  g_assert_cmpuint (self.n_tensors, ==, self.n_frames);
  free_pipeline (pipeline);
  g_cond_clear (&self.cond);
  g_mutex_clear (&self.mutex);
}

#define RGB_CAPS "video/x-raw, format=RGB, width=32, height=32, framerate=30/1"

static char *
sum_bytes (gconstpointer data,
           gsize         n)
{
  return g_compute_checksum_for_data (G_CHECKSUM_MD5, data, n);
}

static GstPadProbeReturn
note_cb (GstPad          *pad,
         GstPadProbeInfo *info,
         gpointer         sums)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ));
  g_ptr_array_add (sums, sum_bytes (map.data, map.size));
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);

  return GST_PAD_PROBE_OK;
}

static void
written_cb (GstElement *sink,
            GstBuffer  *buffer,
            GstPad     *pad,
            gpointer    sums)
{
  note_cb (pad, &(GstPadProbeInfo) { .type = GST_PAD_PROBE_TYPE_BUFFER, .data = buffer }, sums);
}

static void
keep_frames (GstElement *sink,
             GPtrArray  *kept)
{
  for (;;)
    {
      g_autoptr (C2gWorkspace) workspace = NULL;
      g_autoptr (GError) error = NULL;

      g_signal_emit_by_name (sink, "pull-tensors", &workspace);
      if (workspace == NULL)
        return;
      g_ptr_array_add (kept, c2g_workspace_get_tensor (workspace, C2G_GST_FRAME, &error));
      g_assert_no_error (error);
    }
}

/* One branch holds tensors over all frames, and the other one writes into the same frames: both have what is theirs. */
static void
test_branches (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc pattern=snow num-buffers=12 ! " RGB_CAPS,
                                       "tee name=tee ! queue ! c2gsink name=hold sync=false "
                                       "tee. ! queue ! videobalance brightness=1 "
                                       "! fakesink name=sink sync=false signal-handoffs=true");
  g_autoptr (GstElement) tee = gst_bin_get_by_name (GST_BIN (pipeline), "tee");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstElement) hold = gst_bin_get_by_name (GST_BIN (pipeline), "hold");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (tee, "sink");
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, note_cb, before, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (written_cb), written);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
  keep_frames (hold, kept);
  wait_for_end (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  g_assert_cmpuint (kept->len, ==, 12);
  g_assert_cmpuint (before->len, ==, 12);
  g_assert_cmpuint (written->len, ==, 12);
  for (guint i = 0; i < kept->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *sum = sum_bytes (c2g_tensor_data (kept->pdata[i], C2G_DATA_TYPE_UINT8, &error), 32 * 32 * 3);

      g_assert_no_error (error);
      g_assert_cmpstr (sum, ==, before->pdata[i]);
      g_assert_cmpstr (sum, !=, written->pdata[i]);
    }
  free_pipeline (pipeline);
}

static void
assert_time (GstElement  *sink,
             const char  *signal,
             GstClockTime time)
{
  GstSample *sample = NULL;

  g_signal_emit_by_name (sink, signal, &sample);
  g_assert_nonnull (sample);
  g_assert_cmpuint (GST_BUFFER_PTS (gst_sample_get_buffer (sample)), ==, time);
  assert_tensors (gst_sample_get_buffer (sample), "softmax");
  gst_sample_unref (sample);
}

/* After a seek that flushes, the first frame is that of the new place, with its tensors; no older one comes. */
static void
test_seek (void)
{
  GstElement *pipeline = new_pipeline ("videotestsrc ! " GRAY_CAPS, "queue ! c2gsink name=sink");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  static const guint places[] = { 5, 2, 7 };

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  assert_time (sink, "pull-preroll", 0);
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_assert_true (gst_element_seek_simple (pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE,
                                              places[i] * GST_SECOND));
      g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE), ==,
                       GST_STATE_CHANGE_SUCCESS);
      assert_time (sink, "pull-preroll", places[i] * GST_SECOND);
    }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  assert_time (sink, "pull-sample", places[G_N_ELEMENTS (places) - 1] * GST_SECOND);
  free_pipeline (pipeline);
}

static GstElement *
make_element (GstElementFactory *factory)
{
  GstElement *element = gst_object_ref_sink (gst_element_factory_create (factory, NULL));
  g_autofree char *model = digits ();

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "model") != NULL)
    g_object_set (element, "model", model, NULL);

  return element;
}

static GstPad *
get_sink_pad (GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  return pad != NULL ? pad : gst_element_request_pad_simple (element, "sink_%u");
}

static const char *const streams[] = {
  GRAY_CAPS,
  "video/x-raw, format=RGB, width=16, height=8, framerate=30/1",
  "application/x-c2g-tensors, format=flexible",
};

/* Sends what begins a stream, changes of caps and its end. */
static gpointer
send_stream (gpointer pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("stream"));
  for (gsize i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr (GstCaps) caps = gst_caps_from_string (streams[i]);

      gst_pad_send_event (pad, gst_event_new_caps (caps));
    }
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  gst_pad_send_event (pad, gst_event_new_eos ());

  return NULL;
}

/* An element that runs takes a new stream after a flush, and one that does not refuses it. */
static void
try_state (GstElementFactory *factory,
           GstState           state)
{
  GstElement *element = make_element (factory);
  g_autoptr (GstPad) pad = get_sink_pad (element);
  gboolean is_up = gst_element_set_state (element, state) != GST_STATE_CHANGE_FAILURE && state >= GST_STATE_PAUSED;

  if (pad != NULL)
    {
      /* A sink in PAUSED keeps whoever sends the end, until the flush. */
      const gboolean waits = GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK);
      GThread *thread = waits ? g_thread_new (NULL, send_stream, pad) : NULL;

      if (!waits)
        send_stream (pad);
      gst_pad_send_event (pad, gst_event_new_flush_start ());
      g_clear_pointer (&thread, g_thread_join);
      gst_pad_send_event (pad, gst_event_new_flush_stop (TRUE));
      g_assert_cmpint (gst_pad_send_event (pad, gst_event_new_stream_start ("next")), ==, is_up);
    }
  else if (is_up)
    /* GstBaseSrc leaks an event for the end that comes before it runs. */
    g_assert_true (gst_element_send_event (element, gst_event_new_eos ()));

  g_assert_cmpint (gst_element_set_state (element, GST_STATE_NULL), ==, GST_STATE_CHANGE_SUCCESS);
  g_clear_pointer (&pad, gst_object_unref);
  g_object_add_weak_pointer (G_OBJECT (element), (gpointer *) &element);
  gst_object_unref (element);
  g_assert_null (element);
}

/* The end of a stream, a change of caps and a flush, for each element in each state. */
static void
test_elements (void)
{
  GList *features = gst_registry_get_feature_list_by_plugin (gst_registry_get (), "c2g");

  g_assert_cmpuint (g_list_length (features), >=, 13);
  for (GList *each = features; each != NULL; each = each->next)
    {
      g_autoptr (GstElementFactory) factory = GST_ELEMENT_FACTORY (gst_plugin_feature_load (each->data));

      for (GstState state = GST_STATE_NULL; state <= GST_STATE_PLAYING; state++)
        {
          g_test_message ("%s in %s", GST_OBJECT_NAME (factory), gst_element_state_get_name (state));
          try_state (factory, state);
        }
    }
  gst_plugin_feature_list_free (features);
}

/* Memory that cannot be shared, and of which there is no copy. */
typedef struct
{
  GstAllocator parent_instance;
} LoneAllocator;

typedef GstAllocatorClass LoneAllocatorClass;

typedef struct
{
  GstMemory memory;
  guint8    bytes[32 * 32];
} LoneMemory;

static GType lone_allocator_get_type (void);
G_DEFINE_TYPE (LoneAllocator, lone_allocator, GST_TYPE_ALLOCATOR)

static GstMemory *
lone_allocator_alloc (GstAllocator        *allocator,
                      gsize                size,
                      GstAllocationParams *params)
{
  LoneMemory *self = g_new0 (LoneMemory, 1);

  gst_memory_init (&self->memory, GST_MEMORY_FLAG_NO_SHARE, allocator, NULL, sizeof self->bytes, 0, 0, size);

  return &self->memory;
}

static void
lone_allocator_free (GstAllocator *allocator,
                     GstMemory    *memory)
{
  g_free (memory);
}

static gpointer
lone_memory_map (GstMemory   *memory,
                 gsize        size,
                 GstMapFlags  flags)
{
  return ((LoneMemory *) memory)->bytes;
}

static void
lone_memory_unmap (GstMemory *memory)
{
}

static GstMemory *
lone_memory_copy (GstMemory *memory,
                  gssize     offset,
                  gssize     size)
{
  return NULL;
}

static void
lone_allocator_class_init (LoneAllocatorClass *klass)
{
  klass->alloc = lone_allocator_alloc;
  klass->free = lone_allocator_free;
}

static void
lone_allocator_init (LoneAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  allocator->mem_type = "LoneMemory";
  allocator->mem_map = lone_memory_map;
  allocator->mem_unmap = lone_memory_unmap;
  allocator->mem_copy = lone_memory_copy;
  allocator->mem_share = lone_memory_copy;
}

/* Sends a buffer that others hold and that begins before the segment. Asserts that this is an error. */
static void
assert_no_copy (GstHarness *harness,
                const char *caps,
                GstBuffer  *buffer)
{
  GstBus *bus = watch_element (harness->element);
  GstSegment segment;

  gst_harness_set_src_caps_str (harness, caps);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = GST_SECOND / 2;
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  gst_harness_push (harness, gst_buffer_ref (buffer));
  wait_for_error (bus, "no memory");
  free_harness (harness);
}

/* Buffers that cannot be copied are errors for elements that need a copy. */
static void
test_no_copies (void)
{
  GstAllocator *allocator = gst_object_ref_sink (g_object_new (lone_allocator_get_type (), NULL));
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, gst_allocator_alloc (allocator, 32 * 32, NULL));
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;
  add_floats (buffer, "x", 3);
  gst_buffer_add_video_region_of_interest_meta (buffer, "c2g-detection", 0, 0, 32, 32);
  assert_no_copy (gst_harness_new_with_padnames ("c2gtensormux", "sink_0", "src"),
                  "application/x-c2g-tensors, format=flexible", buffer);
  assert_no_copy (gst_harness_new ("c2gbridge"), "other/tensor, type=uint8, dimension=(string)32:32:1:1", buffer);
  assert_no_copy (new_harness ("", ""), GRAY_CAPS, buffer);
  assert_no_copy (gst_harness_new ("c2gdecode"), GRAY_CAPS, buffer);
#ifdef HAVE_PANGOCAIRO
  assert_no_copy (gst_harness_new ("c2goverlay"), GRAY_CAPS, buffer);
#endif
  gst_buffer_unref (buffer);
  gst_object_unref (allocator);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  register_slow ();

  add_gst_func ("/gst/faults/live", test_live);
  add_gst_func ("/gst/faults/lossless", test_lossless);
  add_gst_func ("/gst/faults/cancelled", test_cancelled);
  add_gst_func ("/gst/faults/overrun", test_overrun);
  add_gst_func ("/gst/faults/branches", test_branches);
  add_gst_func ("/gst/faults/seek", test_seek);
  add_gst_func ("/gst/faults/elements", test_elements);
  add_gst_func ("/gst/faults/no-copies", test_no_copies);

  return run_gst_tests ();
}
