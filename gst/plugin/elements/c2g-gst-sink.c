/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-sink.h"

#include <c2g-gst/c2g-gst-hold-private.h>
#include <c2g-gst/c2g-gst.h>

GST_DEBUG_CATEGORY_STATIC (c2g_sink_debug);
#define GST_CAT_DEFAULT c2g_sink_debug

/**
 * SECTION:element-c2gsink
 * @title: c2gsink
 *
 * c2gsink delivers the tensors of a pipeline to a program.
 *
 * It derives from appsink, with all its properties and signals. It adds actions that pull tensors
 * instead of samples, a signal in the program's main context, and a limit on waiting frames.
 *
 * ## Example, of which a program finds the element by its name
 * |[
 * videotestsrc ! c2ginference model=squeezenet preset=caffe2 ! c2gsink name=sink sync=false
 * ]|
 */
struct _C2gSink
{
  GstAppSink      parent_instance;

  /* Properties, protected by the object's lock. The workspace is for pulled tensors; NULL for a new one each time. */
  GstVideoFormat  video_format;
  C2gWorkspace   *workspace;

  /* Main context of the thread that created the element. */
  GMainContext   *context;
  /* 1 while an emission of new-tensors is scheduled in the context. */
  int             is_announced;

  /* The bus of the pipeline, from READY to PAUSED and back; and 1 once it had an error. That is a box of its own,
   * because a thread may still post an error when the element is gone. */
  GstBus         *bus;
  gulong          error_handler;
  int            *has_failed;
};

enum
{
  PROP_0,
  PROP_VIDEO_FORMAT,
  PROP_WORKSPACE,
};

static guint new_tensors;

/* How often pulling looks whether the pipeline has failed. */
#define PATIENCE (50 * GST_MSECOND)

/* Limit on waiting frames: a slow program makes the pipeline wait instead of filling memory. */
#define MAX_BUFFERS 4

G_DEFINE_FINAL_TYPE (C2gSink, c2g_sink, GST_TYPE_APP_SINK)
GST_ELEMENT_REGISTER_DEFINE (c2gsink, "c2gsink", GST_RANK_NONE, C2G_TYPE_SINK)

/* Properties */

static void
set_video_format (C2gSink        *self,
                  GstVideoFormat  format)
{
  g_autoptr (GstCaps) caps = NULL;

  GST_OBJECT_LOCK (self);
  self->video_format = format;
  GST_OBJECT_UNLOCK (self);
  if (format != GST_VIDEO_FORMAT_UNKNOWN)
    caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
                                gst_video_format_to_string (format), NULL);
  gst_app_sink_set_caps (GST_APP_SINK (self), caps);
}

static C2gWorkspace *
ref_workspace (C2gSink *self)
{
  C2gWorkspace *workspace;

  GST_OBJECT_LOCK (self);
  workspace = self->workspace != NULL ? g_object_ref (self->workspace) : NULL;
  GST_OBJECT_UNLOCK (self);

  return workspace;
}

/* Takes ownership of WORKSPACE. */
static void
take_workspace (C2gSink      *self,
                C2gWorkspace *workspace)
{
  g_autoptr (C2gWorkspace) former = NULL;

  GST_OBJECT_LOCK (self);
  former = g_steal_pointer (&self->workspace);
  self->workspace = workspace;
  GST_OBJECT_UNLOCK (self);
}

static void
c2g_sink_get_property (GObject    *object,
                       guint       prop_id,
                       GValue     *value,
                       GParamSpec *pspec)
{
  C2gSink *self = C2G_SINK (object);

  if (prop_id == PROP_VIDEO_FORMAT)
    {
      GST_OBJECT_LOCK (self);
      g_value_set_enum (value, self->video_format);
      GST_OBJECT_UNLOCK (self);
    }
  else if (prop_id == PROP_WORKSPACE)
    g_value_take_object (value, ref_workspace (self));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
c2g_sink_set_property (GObject      *object,
                       guint         prop_id,
                       const GValue *value,
                       GParamSpec   *pspec)
{
  C2gSink *self = C2G_SINK (object);

  if (prop_id == PROP_VIDEO_FORMAT)
    set_video_format (self, g_value_get_enum (value));
  else if (prop_id == PROP_WORKSPACE)
    take_workspace (self, g_value_dup_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
c2g_sink_set_context (GstElement *element,
                      GstContext *context)
{
  C2gWorkspace *workspace = c2g_gst_context_get_workspace (context);

  if (workspace != NULL)
    take_workspace (C2G_SINK (element), workspace);

  GST_ELEMENT_CLASS (c2g_sink_parent_class)->set_context (element, context);
}

/* Errors of the pipeline, in threads that post them */

static void
error_cb (GstBus     *bus,
          GstMessage *message,
          gpointer    has_failed)
{
  g_atomic_int_set ((int *) has_failed, 1);
}

static void
release_cb (gpointer  has_failed,
            GClosure *closure)
{
  g_atomic_rc_box_release (has_failed);
}

static void
forget_bus (C2gSink *self)
{
  if (self->bus == NULL)
    return;
  g_signal_handler_disconnect (self->bus, self->error_handler);
  gst_bus_disable_sync_message_emission (self->bus);
  gst_clear_object (&self->bus);
}

/* Elements see only the bus of their bin, and messages of other elements do not go there. */
static void
watch_bus (C2gSink *self)
{
  g_autoptr (GstObject) top = gst_object_ref (self);
  GstObject *parent;

  while ((parent = gst_object_get_parent (top)) != NULL)
    {
      gst_object_unref (top);
      top = parent;
    }
  forget_bus (self);
  g_atomic_int_set (self->has_failed, 0);
  self->bus = gst_element_get_bus (GST_ELEMENT (top));
  if (self->bus == NULL)
    return;
  gst_bus_enable_sync_message_emission (self->bus);
  self->error_handler = g_signal_connect_data (self->bus, "sync-message::error", G_CALLBACK (error_cb),
                                               g_atomic_rc_box_acquire (self->has_failed), release_cb, 0);
}

static GstStateChangeReturn
c2g_sink_change_state (GstElement     *element,
                       GstStateChange  transition)
{
  C2gSink *self = C2G_SINK (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    watch_bus (self);
  result = GST_ELEMENT_CLASS (c2g_sink_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    forget_bus (self);

  return result;
}

/* Pulling, in threads of the program */

/* Takes ownership of PULLED; returns NULL for NULL. */
static C2gWorkspace *
open_sample (C2gSink   *self,
             GstSample *pulled)
{
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (GstSample) sample = NULL;
  g_autoptr (GError) error = NULL;

  if (pulled == NULL)
    return NULL;

  /* appsink keeps one sample for all frames, and writes to it behind a flush. Nobody may hold that one then, and the workspace
   * may have handlers that take long, or seek. */
  sample = gst_sample_copy (pulled);
  gst_sample_unref (pulled);
  workspace = ref_workspace (self);
  if (workspace == NULL)
    workspace = c2g_workspace_new ();
  if (!c2g_gst_sample_fill_workspace (sample, workspace, &error))
    {
      GST_ELEMENT_ERROR (self, STREAM, FAILED, ("%s", error->message), (NULL));
      return NULL;
    }
  GST_LOG_OBJECT (self, "The program gets %" GST_PTR_FORMAT, gst_sample_get_buffer (sample));

  return g_steal_pointer (&workspace);
}

/* appsink would wait for ever where an element has failed and the end of the stream does not come, as behind a queue. The
 * frames that came before the error are still pulled, and those that come soon after it. */
static C2gWorkspace *
pull_tensors (C2gSink *self)
{
  GstAppSink *sink = GST_APP_SINK (self);
  GstSample *sample;
  gboolean has_failed;

  do
    {
      has_failed = g_atomic_int_get (self->has_failed);
      sample = gst_app_sink_try_pull_sample (sink, PATIENCE);
    }
  while (sample == NULL && !has_failed && !gst_app_sink_is_eos (sink));

  return open_sample (self, sample);
}

static C2gWorkspace *
try_pull_tensors (C2gSink *self,
                  guint64     timeout)
{
  return open_sample (self, gst_app_sink_try_pull_sample (GST_APP_SINK (self), timeout));
}

/* Frames, in the streaming thread */

static gboolean
emit_cb (gpointer data)
{
  g_autoptr (C2gSink) self = g_weak_ref_get (data);

  if (self != NULL)
    {
      g_atomic_int_set (&self->is_announced, 0);
      g_signal_emit (self, new_tensors, 0);
    }

  return G_SOURCE_REMOVE;
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* Schedules the signal in the program's main context, once for all frames until it runs: JavaScript
 * and user interfaces cannot work in a streaming thread. The source has no strong reference, so
 * that a context that never runs does not keep the element alive. */
static void
announce (C2gSink *self)
{
  g_autoptr (GSource) source = NULL;
  GWeakRef *weak;

  if (!g_signal_has_handler_pending (self, new_tensors, 0, FALSE) ||
      !g_atomic_int_compare_and_exchange (&self->is_announced, 0, 1))
    return;

  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, emit_cb, weak, free_weak_ref);
  g_source_attach (source, self->context);
}

static GstFlowReturn
c2g_sink_render (GstBaseSink *sink,
                 GstBuffer   *buffer)
{
  GstFlowReturn flow = GST_BASE_SINK_CLASS (c2g_sink_parent_class)->render (sink, buffer);

  if (flow == GST_FLOW_OK)
    announce (C2G_SINK (sink));

  return flow;
}

/* Takes lists apart: a workspace has the tensors of one buffer. */
static GstFlowReturn
c2g_sink_render_list (GstBaseSink   *sink,
                      GstBufferList *list)
{
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < gst_buffer_list_length (list) && flow == GST_FLOW_OK; i++)
    flow = c2g_sink_render (sink, gst_buffer_list_get (list, i));

  return flow;
}

/* Asks pools for more buffers: those waiting here, the last one kept by the sink, and those held by
 * tensors. Accepts frames with any strides. From GStreamer 1.24 on, appsink lets the program propose
 * something too: that comes first. */
static gboolean
c2g_sink_propose_allocation (GstBaseSink *sink,
                             GstQuery    *query)
{
  const GstBaseSinkClass *parent_class = GST_BASE_SINK_CLASS (c2g_sink_parent_class);
  guint n_waiting = gst_app_sink_get_max_buffers (GST_APP_SINK (sink));
  GstVideoInfo info;
  GstCaps *caps;

  if (parent_class->propose_allocation != NULL)
    parent_class->propose_allocation (sink, query);
  gst_query_parse_allocation (query, &caps, NULL);
  if (caps != NULL && gst_video_info_from_caps (&info, caps))
    gst_query_add_allocation_pool (query, NULL, GST_VIDEO_INFO_SIZE (&info), n_waiting + 1 + C2G_GST_MAX_HELD, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  GST_DEBUG_OBJECT (sink, "%u frames can wait, for %" GST_PTR_FORMAT, n_waiting, caps);

  return TRUE;
}

static void
c2g_sink_finalize (GObject *object)
{
  C2gSink *self = C2G_SINK (object);

  forget_bus (self);
  g_atomic_rc_box_release (self->has_failed);
  g_clear_object (&self->workspace);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (c2g_sink_parent_class)->finalize (object);
}

static void
install_signals (GType type)
{
  new_tensors = g_signal_new ("new-tensors", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                              G_TYPE_NONE, 0);
  g_signal_new_class_handler ("pull-tensors", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                              G_CALLBACK (pull_tensors), NULL, NULL, NULL, C2G_TYPE_WORKSPACE, 0);
  g_signal_new_class_handler ("try-pull-tensors", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                              G_CALLBACK (try_pull_tensors), NULL, NULL, NULL, C2G_TYPE_WORKSPACE, 1,
                              G_TYPE_UINT64);
}

static void
c2g_sink_class_init (C2gSinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_sink_debug, "c2gsink", 0, "tensors for a program");

  object_class->get_property = c2g_sink_get_property;
  object_class->set_property = c2g_sink_set_property;
  object_class->finalize = c2g_sink_finalize;
  g_object_class_install_property (
    object_class, PROP_VIDEO_FORMAT,
    g_param_spec_enum ("video-format", NULL,
                       "The only format of video that is taken, such as rgb; sets the caps",
                       GST_TYPE_VIDEO_FORMAT, GST_VIDEO_FORMAT_UNKNOWN,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
    object_class, PROP_WORKSPACE,
    g_param_spec_object ("workspace", NULL,
                         "The workspace that pulling fills; a new one for each frame if unset",
                         C2G_TYPE_WORKSPACE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  install_signals (G_TYPE_FROM_CLASS (klass));

  element_class->change_state = c2g_sink_change_state;
  element_class->set_context = c2g_sink_set_context;
  gst_element_class_set_static_metadata (element_class, "Tensor sink", "Generic/Sink",
                                         "Gives tensors of a pipeline to a program",
                                         "The c2g authors");

  sink_class->render = c2g_sink_render;
  sink_class->render_list = c2g_sink_render_list;
  sink_class->propose_allocation = c2g_sink_propose_allocation;
}

static void
c2g_sink_init (C2gSink *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->has_failed = g_atomic_rc_box_new0 (int);
  gst_app_sink_set_max_buffers (GST_APP_SINK (self), MAX_BUFFERS);
}
