/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-bridge.h"

#include "formats/c2g-gst-nns-buffer.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-rate.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"
#ifdef HAVE_TENSOR_META
# include "formats/c2g-gst-tensor-meta.h"
# include "support/c2g-gst-copy.h"
#endif

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_bridge_debug);
#define GST_CAT_DEFAULT c2g_bridge_debug

/**
 * SECTION:element-c2gbridge
 * @title: c2gbridge
 *
 * c2gbridge makes tensors of NNStreamer's streams, and NNStreamer's streams of tensors. Frames of GStreamer 1.28 that
 * carry tensors get c2g's attached, and the other way round.
 *
 * Caps follow from buffers: tensors that are attached to frames are in no caps. So they are sent before the
 * first buffer and when its shapes change, and what follows caps waits for them.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! tensor_converter ! c2gbridge ! c2ginference model=digits ! \
 * c2gbridge ! tensor_sink
 * ]|
 */
typedef GstFlowReturn (*Chain) (C2gBridge *self,
                                GstBuffer *input);

struct _C2gBridge
{
  GstElement    parent_instance;

  GstPad       *sink;
  GstPad       *src;

  /* The names for tensors of NNStreamer and of GStreamer, with commas between them. */
  char         *names;

  /* Used by the streaming thread. */
  GstCaps      *input;
  /* Handles a buffer and takes ownership of it. */
  Chain         chain;
  /* Shapes from NNStreamer's caps; empty for a flexible stream, NULL for tensors of c2g. */
  GArray       *described;
  GStrv         name_list;
  /* The shapes of the last buffer that caps were sent for; NULL before the first one. */
  GArray       *shapes;
  /* The group of tensors of the last frame that caps were sent for; NULL before the first one. */
  GstStructure *groups;
  /* Set if the output is a flexible stream. */
  gboolean      is_flexible;
  /* Set once a buffer had tensors, or a warning has said that there are none. */
  gboolean      is_settled;
  /* Events that wait for caps. */
  GQueue        events;
};

static const C2gGstProperty properties[] = {
  { "names", "Names for tensors of NNStreamer and GStreamer, with commas between them", G_STRUCT_OFFSET (C2gBridge, names),
    G_TYPE_STRING },
  { NULL },
};

#define STATIC_CAPS "other/tensors, format=static; other/tensor"
#define NNS_CAPS    STATIC_CAPS "; " C2G_GST_NNS_FLEXIBLE_CAPS
#ifdef HAVE_TENSOR_META
# define FRAME_CAPS "; video/x-raw"
#else
# define FRAME_CAPS
#endif

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
                           GST_STATIC_CAPS (NNS_CAPS "; " C2G_GST_CAPS_TENSORS FRAME_CAPS));

G_DEFINE_FINAL_TYPE (C2gBridge, c2g_bridge, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (c2gbridge, "c2gbridge", GST_RANK_NONE, C2G_TYPE_BRIDGE)

static GstFlowReturn
fail (C2gBridge    *self,
      const GError *error)
{
  GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

/* Negotiation */

/* Streams of NNStreamer always have a rate, which may be 0/1; those of c2g have one if that which came in
 * had. Takes ownership of CAPS. */
static GstCaps *
add_rate (C2gBridge *self,
          GstCaps   *caps)
{
  C2gGstRate rate = c2g_gst_rate_of (self->input);

  if (rate.d == 0 && self->described == NULL)
    rate = (C2gGstRate) { 0, 1 };

  return c2g_gst_rate_add_to (rate, caps);
}

/* Tells why there are no caps for the tensors: NAME is that of the stream that is offered. */
static void
fail_to_choose (C2gBridge  *self,
                const char *name,
                const char *offered,
                GstCaps    *wanted)
{
  g_autofree char *text = c2g_gst_caps_describe (wanted, name);

  /* A pad that flushes, as in a shutdown, takes no caps, and that is no error. */
  if (GST_PAD_IS_FLUSHING (self->src))
    return;
  GST_ELEMENT_ERROR (self, STREAM, WRONG_TYPE, (_("The tensors are “%s”, and the next element takes “%s”"), offered, text),
                     (NULL));
}

/* Gives the first of the caps that are wanted downstream, or NULL after an error. Takes caps. */
static GstCaps *
choose_caps (C2gBridge *self,
             GstCaps   *caps)
{
  g_autoptr (GstCaps) offered = add_rate (self, caps);
  g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (self->src, NULL);
  g_autoptr (GstCaps) common = NULL;
  g_autofree char *text = NULL;
  const char *name;

  common = gst_caps_intersect_full (offered, wanted, GST_CAPS_INTERSECT_FIRST);
  if (!gst_caps_is_empty (common))
    return gst_caps_fixate (gst_caps_truncate (g_steal_pointer (&common)));

  name = gst_structure_get_name (gst_caps_get_structure (offered, 0));
  text = c2g_gst_caps_describe (offered, name);
  fail_to_choose (self, name, text, wanted);
  return NULL;
}

static gboolean
send_caps (C2gBridge *self,
           GstCaps   *caps)
{
  g_autoptr (GstCaps) current = gst_pad_get_current_caps (self->src);

  return (current != NULL && gst_caps_is_equal (caps, current)) ||
         gst_pad_push_event (self->src, gst_event_new_caps (caps));
}

static void
send_events (C2gBridge *self)
{
  GstEvent *event;

  while ((event = g_queue_pop_head (&self->events)) != NULL)
    gst_pad_push_event (self->src, event);
}

static gboolean
needs_caps (C2gBridge *self,
            GArray    *shapes)
{
  return gst_pad_check_reconfigure (self->src) || self->shapes == NULL ||
         !c2g_gst_nns_shapes_equal (shapes, self->shapes);
}

/* A pad that is flushing takes no caps: the first buffer behind the flush sends them again. */
static GstFlowReturn
refuse (C2gBridge *self)
{
  if (!GST_PAD_IS_FLUSHING (self->src))
    return GST_FLOW_NOT_NEGOTIATED;

  gst_pad_mark_reconfigure (self->src);
  return GST_FLOW_FLUSHING;
}

/* Takes caps, which are NULL if none are wanted. */
static gboolean
send_chosen (C2gBridge *self,
             GstCaps   *chosen)
{
  g_autoptr (GstCaps) caps = chosen;

  if (caps == NULL || !send_caps (self, caps))
    return FALSE;

  GST_DEBUG_OBJECT (self, "Output: %" GST_PTR_FORMAT, caps);
  self->is_flexible = c2g_gst_nns_is_flexible (gst_caps_get_structure (caps, 0));
  send_events (self);

  return TRUE;
}

/* Negotiates for the shapes of a buffer. Takes the caps that describe them. */
static gboolean
negotiate (C2gBridge *self,
           GArray    *shapes,
           GstCaps   *offered)
{
  g_clear_pointer (&self->shapes, g_array_unref);
  if (!send_chosen (self, choose_caps (self, offered)))
    return FALSE;

  self->shapes = g_array_ref (shapes);

  return TRUE;
}

/* Buffers */

/* Takes output. */
static GstFlowReturn
push (C2gBridge *self,
      GstBuffer *input,
      GstBuffer *output)
{
  gst_buffer_copy_into (output, input, GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_FLAGS, 0, -1);

  return gst_pad_push (self->src, output);
}

static GstFlowReturn
read_buffer (C2gBridge *self,
             GstBuffer *buffer)
{
  g_autoptr (GstBuffer) input = buffer;
  const gboolean is_flexible = self->described->len == 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) shapes =
    is_flexible ? c2g_gst_nns_read_headers (input, &error) : g_array_ref (self->described);
  g_autoptr (GstBuffer) output = NULL;

  if (shapes != NULL)
    output = c2g_gst_nns_read (input, shapes, is_flexible, (const char *const *) self->name_list, &error);
  if (output == NULL)
    return fail (self, error);
  if (needs_caps (self, shapes) && !negotiate (self, shapes, c2g_gst_caps_new_for_buffer (output)))
    return refuse (self);

  return push (self, input, g_steal_pointer (&output));
}

/* A stream may begin with a few buffers without tensors, so this is no error. */
static void
warn_of_none (C2gBridge *self)
{
  if (!self->is_settled)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
                         (_("There is nothing to bridge: the first buffer has neither tensors of c2g, such as c2ginference and "
                            "c2gconvert attach, nor tensors of NNStreamer or GStreamer")),
                         (NULL));
  self->is_settled = TRUE;
}

/* Sends caps, if there are none, for a stream that begins without tensors: a gap cannot come before caps. Such a stream is
 * flexible at first. Where the next element takes static streams only, and says which tensors, it has those caps. Returns
 * FALSE if there are still none. */
static gboolean
send_first_caps (C2gBridge *self)
{
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GArray) shapes = NULL;

  if (gst_pad_has_current_caps (self->src))
    return TRUE;
  caps = c2g_gst_caps_choose_first (self->src,
                                    add_rate (self, gst_caps_from_string (C2G_GST_NNS_FLEXIBLE_CAPS "; " STATIC_CAPS)));
  shapes = caps != NULL ? c2g_gst_nns_shapes_parse (caps, NULL) : NULL;

  return shapes != NULL && send_chosen (self, g_steal_pointer (&caps));
}

/* Sinks need not wait for a buffer that is left out. */
static GstFlowReturn
leave_out (C2gBridge *self,
           GstBuffer *buffer)
{
  warn_of_none (self);
  GST_LOG_OBJECT (self, "Left out, because it has no tensors: %" GST_PTR_FORMAT, buffer);
  if (send_first_caps (self))
    c2g_gst_push_gap (self->src, buffer);

  return GST_FLOW_OK;
}

static GstFlowReturn
write_buffer (C2gBridge *self,
              GstBuffer *buffer)
{
  g_autoptr (GstBuffer) input = buffer;
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) shapes = c2g_gst_nns_shapes_of (input, tensors, &error);
  g_autoptr (GstBuffer) output = NULL;

  if (shapes == NULL)
    return fail (self, error);
  if (shapes->len == 0)
    return leave_out (self, input);
  self->is_settled = TRUE;
  if (needs_caps (self, shapes) && !negotiate (self, shapes, c2g_gst_nns_shapes_to_caps (shapes)))
    return refuse (self);
  output = (self->is_flexible ? c2g_gst_nns_write_flexible : c2g_gst_nns_write_static) (tensors, shapes, &error);
  if (output == NULL)
    return fail (self, error);

  return push (self, input, g_steal_pointer (&output));
}

/* Without caps, a stream can have tensors of c2g only. */
static GstFlowReturn
c2g_bridge_chain (GstPad    *pad,
                  GstObject *parent,
                  GstBuffer *buffer)
{
  C2gBridge *self = C2G_BRIDGE (parent);

  return (self->chain != NULL ? self->chain : write_buffer) (self, buffer);
}

#ifdef HAVE_TENSOR_META
/* Frames that carry tensors */

/* The frame stays as it is. */
static GstFlowReturn
read_frame (C2gBridge *self,
            GstBuffer *buffer)
{
  g_autoptr (GstBuffer) frame = c2g_gst_copy_make_writable (GST_ELEMENT (self), buffer);
  g_autoptr (GError) error = NULL;

  if (frame == NULL)
    return GST_FLOW_ERROR;
  if (!c2g_gst_tensor_meta_read (frame, (const char *const *) self->name_list, &error))
    return fail (self, error);
  if (!self->is_settled)
    {
      g_auto (GStrv) names = c2g_gst_buffer_list_tensors (frame);

      if (names[0] == NULL)
        warn_of_none (self);
      self->is_settled = TRUE;
    }

  return gst_pad_push (self->src, g_steal_pointer (&frame));
}

/* Gets as many tensors as there are names. */
static GPtrArray *
get_tensors (C2gBridge  *self,
             GstBuffer  *frame,
             GError    **error)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (frame);

  for (guint i = 0; names[i] != NULL && self->name_list[i] != NULL; i++)
    {
      C2gTensor *tensor = c2g_gst_buffer_get_tensor (frame, names[i], error);

      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (tensors, tensor);
    }

  return g_steal_pointer (&tensors);
}

static gboolean
negotiate_frames (C2gBridge    *self,
                  GstStructure *groups)
{
  g_autoptr (GstCaps) wanted = NULL;
  g_autofree char *text = NULL;
  GstCaps *chosen;

  if (!gst_pad_check_reconfigure (self->src) && self->groups != NULL && gst_structure_is_equal (groups, self->groups))
    return TRUE;
  g_clear_pointer (&self->groups, gst_structure_free);
  wanted = gst_pad_peer_query_caps (self->src, NULL);
  chosen = c2g_gst_tensor_meta_choose_caps (self->input, groups, wanted);
  if (chosen == NULL)
    {
      text = gst_structure_to_string (groups);
      fail_to_choose (self, "video/x-raw", text, wanted);
    }
  if (!send_chosen (self, chosen))
    return FALSE;

  self->groups = gst_structure_copy (groups);

  return TRUE;
}

/* Frames without tensors are passed on. They are dropped before the first frame with tensors, because
 * the caps follow from that one. */
static GstFlowReturn
write_frame (C2gBridge *self,
             GstBuffer *buffer)
{
  const char *const *ids = (const char *const *) self->name_list;
  g_autoptr (GstBuffer) frame = c2g_gst_copy_make_writable (GST_ELEMENT (self), buffer);
  g_autoptr (GPtrArray) tensors = NULL;
  g_autoptr (GstStructure) groups = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GError) error = NULL;

  if (frame == NULL)
    return GST_FLOW_ERROR;
  tensors = get_tensors (self, frame, &error);
  if (tensors != NULL && tensors->len == 0)
    warn_of_none (self);
  else if (tensors != NULL)
    groups = c2g_gst_tensor_meta_describe (tensors, ids, &error);
  if (error != NULL)
    return fail (self, error);
  self->is_settled = TRUE;
  if (groups != NULL && !negotiate_frames (self, groups))
    return refuse (self);
  caps = gst_pad_get_current_caps (self->src);
  if (caps == NULL)
    {
      GST_LOG_OBJECT (self, "A frame is dropped, because none with tensors has come");
      return GST_FLOW_OK;
    }
  if (groups != NULL && !c2g_gst_tensor_meta_write (frame, tensors, ids, caps, &error))
    return fail (self, error);

  return gst_pad_push (self->src, g_steal_pointer (&frame));
}

static gboolean
is_any_of (GstCaps    *caps,
           const char *text)
{
  g_autoptr (GstCaps) others = gst_caps_from_string (text);

  return gst_caps_can_intersect (caps, others);
}

/* Writes NNStreamer's streams if downstream accepts them, or accepts anything. */
static gboolean
wants_frames (C2gBridge *self)
{
  g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (self->src, NULL);

  return gst_structure_has_name (gst_caps_get_structure (self->input, 0), "video/x-raw") &&
         !is_any_of (wanted, NNS_CAPS);
}

static gboolean
remove_tensors (GstCapsFeatures *features,
                GstStructure    *structure,
                gpointer         data)
{
  gst_structure_remove_field (structure, "tensors");

  return TRUE;
}

/* If downstream accepts only video frames, the sink accepts the same caps, with or without the field
 * “tensors”. */
static gboolean
query_caps (C2gBridge *self,
            GstQuery  *query)
{
  g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (self->src, NULL);
  g_autoptr (GstCaps) taken = NULL;
  GstCaps *filter;

  if (is_any_of (wanted, NNS_CAPS "; " C2G_GST_CAPS_TENSORS))
    return FALSE;
  wanted = gst_caps_make_writable (wanted);
  gst_caps_map_in_place (wanted, remove_tensors, NULL);
  gst_query_parse_caps (query, &filter);
  taken = c2g_gst_caps_filter (g_steal_pointer (&wanted), filter);
  gst_query_set_caps_result (query, taken);

  return TRUE;
}

/* Frames go on in their own memory, so elements before this one may use what is behind it. */
static gboolean
query_allocation (C2gBridge *self,
                  GstQuery  *query)
{
  return (self->chain == read_frame || self->chain == write_frame) && gst_pad_peer_query (self->src, query);
}

static gboolean
c2g_bridge_sink_query (GstPad    *pad,
                       GstObject *parent,
                       GstQuery  *query)
{
  C2gBridge *self = C2G_BRIDGE (parent);

  return (GST_QUERY_TYPE (query) == GST_QUERY_CAPS && query_caps (self, query)) ||
         (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION && query_allocation (self, query)) ||
         gst_pad_query_default (pad, parent, query);
}

/* The caps of frames that are read are known before the first one. */
static gboolean
start_reading_frames (C2gBridge *self)
{
  GstCaps *caps = gst_caps_copy (self->input);

  gst_structure_remove_field (gst_caps_get_structure (caps, 0), "tensors");
  self->chain = read_frame;

  return send_chosen (self, choose_caps (self, caps));
}

static gboolean
start_writing_frames (C2gBridge *self)
{
  if (self->name_list != NULL && self->name_list[0] != NULL)
    {
      self->chain = write_frame;
      return TRUE;
    }

  GST_ELEMENT_ERROR (self, STREAM, FORMAT, (_("The tensors of GStreamer have ids: the property “names” must say them")),
                     (NULL));
  return FALSE;
}
#endif

/* Events */

static void
forget_stream (C2gBridge *self)
{
  self->chain = NULL;
  g_clear_pointer (&self->described, g_array_unref);
  g_clear_pointer (&self->shapes, g_array_unref);
  g_clear_pointer (&self->groups, gst_structure_free);
  g_clear_pointer (&self->name_list, g_strfreev);
}

/* The next buffer sends caps, in most cases. */
static gboolean
set_caps (C2gBridge *self,
          GstCaps   *caps)
{
  g_autoptr (GError) error = NULL;

  GST_DEBUG_OBJECT (self, "Input: %" GST_PTR_FORMAT, caps);
  forget_stream (self);
  self->name_list = self->names != NULL ? g_strsplit (self->names, ",", -1) : NULL;
  gst_caps_replace (&self->input, caps);
#ifdef HAVE_TENSOR_META
  if (c2g_gst_tensor_meta_is_stream (gst_caps_get_structure (caps, 0)))
    return start_reading_frames (self);
  if (wants_frames (self))
    return start_writing_frames (self);
#endif
  if (!c2g_gst_nns_is_stream (gst_caps_get_structure (caps, 0)))
    return TRUE;

  self->described = c2g_gst_nns_shapes_parse (caps, &error);
  if (self->described == NULL)
    return fail (self, error), FALSE;
  self->chain = read_buffer;

  return TRUE;
}

/* Keeps an event until there are caps. Gaps are dropped where send_first_caps () finds none: they would be old by then, and a
 * stream may have any number of them before its first tensor. */
static void
keep_event (C2gBridge *self,
            GstEvent  *event)
{
  if (GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    g_queue_push_tail (&self->events, event);
  else
    gst_event_unref (event);
}

/* On a flush, keeps the sticky events that pads keep and drops all others. */
static void
flush_events (C2gBridge *self)
{
  for (guint i = self->events.length; i > 0; i--)
    {
      GstEvent *event = g_queue_pop_head (&self->events);
      const GstEventType type = GST_EVENT_TYPE (event);

      if (GST_EVENT_IS_STICKY (event) && type != GST_EVENT_SEGMENT && type != GST_EVENT_STREAM_GROUP_DONE)
        g_queue_push_tail (&self->events, event);
      else
        gst_event_unref (event);
    }
}

static gboolean
c2g_bridge_sink_event (GstPad    *pad,
                       GstObject *parent,
                       GstEvent  *event)
{
  C2gBridge *self = C2G_BRIDGE (parent);
  const GstEventType type = GST_EVENT_TYPE (event);
  GstCaps *caps;
  gboolean is_set;

  if (type == GST_EVENT_CAPS)
    {
      gst_event_parse_caps (event, &caps);
      is_set = set_caps (self, caps);
      gst_event_unref (event);
      return is_set;
    }
  /* Only streams of c2g may begin with buffers that have no tensors. */
  if (type == GST_EVENT_GAP && self->chain == NULL && self->input != NULL)
    send_first_caps (self);
  if (type == GST_EVENT_FLUSH_STOP)
    flush_events (self);
  else if (type == GST_EVENT_EOS)
    send_events (self);
  else if (type > GST_EVENT_CAPS && GST_EVENT_IS_SERIALIZED (event) &&
           !gst_pad_has_current_caps (self->src))
    {
      keep_event (self, event);
      return TRUE;
    }

  return gst_pad_event_default (pad, parent, event);
}

static void
forget (C2gBridge *self)
{
  gst_clear_caps (&self->input);
  forget_stream (self);
  self->is_settled = FALSE;
  g_queue_clear_full (&self->events, (GDestroyNotify) gst_event_unref);
}

static GstStateChangeReturn
c2g_bridge_change_state (GstElement     *element,
                         GstStateChange  transition)
{
  GstStateChangeReturn result =
    GST_ELEMENT_CLASS (c2g_bridge_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    forget (C2G_BRIDGE (element));

  return result;
}

static void
c2g_bridge_finalize (GObject *object)
{
  forget (C2G_BRIDGE (object));
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_bridge_parent_class)->finalize (object);
}

static void
c2g_bridge_class_init (C2gBridgeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_bridge_debug, "c2gbridge", 0, "tensors of NNStreamer and GStreamer");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_bridge_finalize;
  c2g_gst_properties_install (object_class, properties);

  element_class->change_state = c2g_bridge_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor bridge", "Filter/Converter",
                                         "Converts between tensors and those of NNStreamer and GStreamer",
                                         "The c2g authors");
}

static void
c2g_bridge_init (C2gBridge *self)
{
  c2g_gst_properties_init (self, properties);
  g_queue_init (&self->events);
  self->sink = gst_pad_new_from_static_template (&sink_template, "sink");
  self->src = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_chain_function (self->sink, c2g_bridge_chain);
  gst_pad_set_event_function (self->sink, c2g_bridge_sink_event);
#ifdef HAVE_TENSOR_META
  gst_pad_set_query_function (self->sink, c2g_bridge_sink_query);
#endif
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
  gst_element_add_pad (GST_ELEMENT (self), self->src);
}
