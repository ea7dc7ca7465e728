/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-demux.h"

#include "support/c2g-gst-append.h"
#include "support/c2g-gst-follow.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"

#include <c2g-gst/c2g-gst.h>
#include <gst/base/gstflowcombiner.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_tensor_demux_debug);
#define GST_CAT_DEFAULT c2g_tensor_demux_debug

/**
 * SECTION:element-c2gtensordemux
 * @title: c2gtensordemux
 *
 * c2gtensordemux gives each tensor that is attached to buffers a stream of its own.
 *
 * A pad is added when the first tensor of its name arrives; if the property lists the names, all
 * pads are added at once. If a buffer lacks the tensor of a pad, the pad gets a gap event.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2ginference model=digits preset=digits ! c2gtensordemux \
 * tensors=softmax name=outputs outputs.src_0 ! c2gdecode ! text/x-raw ! fdsink
 * ]|
 */
struct _C2gTensorDemux
{
  GstElement       parent_instance;

  /* Properties. */
  char            *tensors;
  gboolean         splits;

  GstPad          *sink;
  /* Atomic: TRUE until the end of a flush has come through. The flag of the pad is reset before that. */
  int              is_flushing;
  /* The members below are used in the streaming thread. The rate of the buffers that come in. */
  C2gGstRate       rate;
  /* Array of Outlet, and their last flow returns. */
  GPtrArray       *outlets;
  GstFlowCombiner *combiner;
};

/* A source pad, and the names of its tensors. The element owns the pad. */
typedef struct
{
  GstPad      *pad;
  char       **names;
  /* Rows of the first buffer of this rate, each in a buffer of its own; 0 before. */
  gint64       n_rows;
  C2gGstFollow follow;
  /* TRUE once a tensor for it has arrived. */
  gboolean     is_used;
} Outlet;

/* Limit on the number of pads, because the names may come from a stranger. */
#define MAX_OUTLETS 64

static const C2gGstProperty properties[] = {
  { "tensors", "Names of tensors with commas between pads, and + between tensors of one pad; all if unset",
    G_STRUCT_OFFSET (C2gTensorDemux, tensors), G_TYPE_STRING },
  { "rows", "Push each row of the first dimension in a buffer of its own", G_STRUCT_OFFSET (C2gTensorDemux, splits),
    G_TYPE_BOOLEAN },
  { NULL },
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

G_DEFINE_FINAL_TYPE (C2gTensorDemux, c2g_tensor_demux, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (c2gtensordemux, "c2gtensordemux", GST_RANK_NONE, C2G_TYPE_TENSOR_DEMUX)

/* Outlets */

static void
outlet_free (gpointer data)
{
  Outlet *self = data;

  g_strfreev (self->names);
  c2g_gst_follow_clear (&self->follow);
  g_free (self);
}

/* The streams get the same group as the input stream. */
static GstEvent *
make_stream_start (C2gTensorDemux *self,
                   GstPad         *pad,
                   GstEvent       *from)
{
  g_autofree char *id = gst_pad_create_stream_id (pad, GST_ELEMENT (self), GST_PAD_NAME (pad));
  GstEvent *event = gst_event_new_stream_start (id);
  GstStreamFlags flags;
  guint group;

  if (from == NULL)
    return event;
  gst_event_parse_stream_flags (from, &flags);
  gst_event_set_stream_flags (event, flags);
  if (gst_event_parse_group_id (from, &group))
    gst_event_set_group_id (event, group);
  gst_event_set_seqnum (event, gst_event_get_seqnum (from));

  return event;
}

static gboolean
check_groups (C2gTensorDemux *self)
{
  g_auto (GStrv) names = NULL;

  if (self->tensors == NULL)
    return TRUE;
  names = g_strsplit_set (self->tensors, ",+", 0);
  if (names[0] != NULL && !g_strv_contains ((const char *const *) names, ""))
    return TRUE;

  GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, (_("A name is empty in tensors=“%s”"), self->tensors), (NULL));
  return FALSE;
}

/* Takes ownership of NAMES. */
static void
add_outlet (C2gTensorDemux  *self,
            char           **names)
{
  Outlet *outlet = g_new0 (Outlet, 1);
  g_autofree char *name = g_strdup_printf ("src_%u", self->outlets->len);
  g_autoptr (GstEvent) start = gst_pad_get_sticky_event (self->sink, GST_EVENT_STREAM_START, 0);

  outlet->pad = gst_pad_new_from_static_template (&src_template, name);
  outlet->names = names;
  g_ptr_array_add (self->outlets, outlet);
  GST_DEBUG_OBJECT (outlet->pad, "The pad is for the tensor “%s”", names[0]);
  gst_pad_use_fixed_caps (outlet->pad);
  gst_pad_set_active (outlet->pad, TRUE);
  gst_pad_push_event (outlet->pad, make_stream_start (self, outlet->pad, start));
  gst_flow_combiner_add_pad (self->combiner, outlet->pad);
  gst_element_add_pad (GST_ELEMENT (self), outlet->pad);
  /* A flush that began before may have missed the pad. A sink behind it would wait in its preroll, and with it the thread
   * that must leave before the flush can end. */
  if (g_atomic_int_get (&self->is_flushing))
    gst_pad_push_event (outlet->pad, gst_event_new_flush_start ());
}

static void
add_named_outlets (C2gTensorDemux *self)
{
  g_auto (GStrv) groups = g_strsplit (self->tensors, ",", 0);

  for (char **group = groups; *group != NULL; group++)
    add_outlet (self, g_strsplit (*group, "+", 0));
  gst_element_no_more_pads (GST_ELEMENT (self));
}

static gboolean
has_outlet (C2gTensorDemux *self,
            const char     *name)
{
  for (guint i = 0; i < self->outlets->len; i++)
    {
      const Outlet *outlet = g_ptr_array_index (self->outlets, i);

      if (g_strv_contains ((const char *const *) outlet->names, name))
        return TRUE;
    }

  return FALSE;
}

/* Adds the missing pads for the tensors of a buffer. */
static gboolean
add_outlets (C2gTensorDemux  *self,
             char           **names)
{
  if (self->tensors != NULL)
    {
      if (self->outlets->len == 0)
        add_named_outlets (self);
      return TRUE;
    }

  for (char **name = names; *name != NULL; name++)
    {
      if (has_outlet (self, *name))
        continue;
      if (self->outlets->len == MAX_OUTLETS)
        {
          GST_ELEMENT_ERROR (self, STREAM, DEMUX, (_("The tensors have more than %d names"), MAX_OUTLETS), (NULL));
          return FALSE;
        }
      add_outlet (self, g_strdupv ((char *[]) { *name, NULL }));
    }

  return TRUE;
}

/* Buffers */

/* Copies a sticky event, except stream-start and caps, which each pad has of its own. */
static gboolean
copy_event (GstPad    *sink,
            GstEvent **event,
            gpointer   data)
{
  if (GST_EVENT_TYPE (*event) != GST_EVENT_STREAM_START && GST_EVENT_TYPE (*event) != GST_EVENT_CAPS)
    gst_pad_push_event (data, gst_event_ref (*event));

  return TRUE;
}

/* Sets the caps of all pads first, because caps must precede other sticky events. */
static void
set_caps (C2gTensorDemux *self,
          GstPad         *pad,
          GstCaps        *caps)
{
  const gboolean is_first = !gst_pad_has_current_caps (pad);

  gst_pad_push_event (pad, gst_event_new_caps (caps));
  if (is_first)
    gst_pad_sticky_events_foreach (self->sink, copy_event, pad);
}

/* The rows of the first batch tell how much faster they come. The last batch may be smaller. */
static void
follow (C2gTensorDemux *self,
        Outlet         *outlet,
        GstBuffer      *buffer,
        gint64          n_rows)
{
  C2gGstRate rate = self->rate;

  if (outlet->n_rows == 0)
    outlet->n_rows = n_rows;
  if (self->splits)
    rate = c2g_gst_rate_multiply (rate, outlet->n_rows, 1);
  if (c2g_gst_follow_update (&outlet->follow, buffer, rate))
    set_caps (self, outlet->pad, outlet->follow.caps);
}

/* Pushes a gap. A sink waits until it has caps, even if no tensor ever arrives. */
static GstFlowReturn
push_gap (C2gTensorDemux *self,
          GstPad         *pad,
          GstBuffer      *buffer)
{
  if (!gst_pad_has_current_caps (pad))
    {
      g_autoptr (GstCaps) caps = gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS);

      set_caps (self, pad, caps);
    }
  GST_LOG_OBJECT (pad, "No tensor: %" GST_PTR_FORMAT, buffer);
  c2g_gst_push_gap (pad, buffer);

  return GST_FLOW_OK;
}

/* The part of a buffer that goes to a pad. */
typedef struct
{
  GstBuffer         *source;
  const char *const *names;
  /* Index of a row of each tensor, or -1 for all rows. */
  gint64             row;
  gint64             n_rows;
} Part;

static gboolean
append_part (GstBuffer   *buffer,
             const Part  *part,
             const char  *name,
             GError     **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) row = NULL;

  if (part->row < 0)
    return c2g_gst_append_from (buffer, name, part->source, name, error);
  tensor = c2g_gst_buffer_get_tensor (part->source, name, error);
  row = tensor != NULL ? c2g_tensor_slice (tensor, part->row, part->row + 1, error) : NULL;

  return row != NULL &&
         c2g_gst_append_tensor (buffer, name, row, c2g_gst_buffer_get_geometry (part->source, name), error);
}

/* The time of the buffer is divided among its rows. */
static GstBuffer *
new_buffer (const Part *part)
{
  GstBuffer *buffer = c2g_gst_time_new_buffer (part->source);

  if (part->row < 0 || !GST_BUFFER_DURATION_IS_VALID (buffer))
    return buffer;

  GST_BUFFER_DURATION (buffer) /= part->n_rows;
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    GST_BUFFER_PTS (buffer) += part->row * GST_BUFFER_DURATION (buffer);

  return buffer;
}

static GstFlowReturn
push_part (C2gTensorDemux *self,
           Outlet         *outlet,
           const Part     *part)
{
  g_autoptr (GstBuffer) buffer = new_buffer (part);
  g_autoptr (GError) error = NULL;

  for (char **name = outlet->names; *name != NULL; name++)
    if (g_strv_contains (part->names, *name) && !append_part (buffer, part, *name, &error))
      {
        GST_ELEMENT_ERROR (self, STREAM, DEMUX, ("%s", error->message), (NULL));
        return GST_FLOW_ERROR;
      }
  GST_LOG_OBJECT (outlet->pad, "%" GST_PTR_FORMAT, buffer);
  follow (self, outlet, buffer, part->n_rows);
  outlet->is_used = TRUE;

  return gst_pad_push (outlet->pad, g_steal_pointer (&buffer));
}

/* Returns the number of buffers to make: the largest number of rows. A tensor with fewer rows is an
 * error. A tensor without elements has no rows, even if its first dimension is not 0. */
static gint64
count_parts (C2gTensorDemux *self,
             const Outlet   *outlet,
             const Part     *part)
{
  gint64 n = 0;

  for (char **name = outlet->names; *name != NULL; name++)
    {
      g_autoptr (C2gTensor) tensor = NULL;
      const gint64 *dims;
      gsize n_dims;

      if (!g_strv_contains (part->names, *name))
        continue;
      tensor = self->splits ? c2g_gst_buffer_get_tensor (part->source, *name, NULL) : NULL;
      dims = tensor != NULL ? c2g_tensor_get_dims (tensor, &n_dims) : NULL;
      if (tensor != NULL && c2g_tensor_get_n_elements (tensor) == 0)
        continue;
      n = MAX (n, dims != NULL && n_dims > 0 ? dims[0] : 1);
    }

  return n;
}

static GstFlowReturn
push (C2gTensorDemux    *self,
      Outlet            *outlet,
      GstBuffer         *source,
      const char *const *names)
{
  Part part = { source, names, -1, 0 };
  GstFlowReturn flow = GST_FLOW_OK;

  part.n_rows = count_parts (self, outlet, &part);
  if (part.n_rows == 0)
    return push_gap (self, outlet->pad, source);
  if (!self->splits)
    return push_part (self, outlet, &part);

  for (part.row = 0; part.row < part.n_rows && flow == GST_FLOW_OK; part.row++)
    flow = push_part (self, outlet, &part);

  return flow;
}

static GstFlowReturn
c2g_tensor_demux_chain (GstPad    *pad,
                        GstObject *parent,
                        GstBuffer *buffer)
{
  C2gTensorDemux *self = C2G_TENSOR_DEMUX (parent);
  g_autoptr (GstBuffer) source = buffer;
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  GstFlowReturn flow = GST_FLOW_OK;

  if (!add_outlets (self, names))
    return GST_FLOW_ERROR;
  for (guint i = 0; i < self->outlets->len && flow == GST_FLOW_OK; i++)
    {
      Outlet *outlet = g_ptr_array_index (self->outlets, i);

      flow = push (self, outlet, source, (const char *const *) names);
      flow = gst_flow_combiner_update_pad_flow (self->combiner, outlet->pad, flow);
    }

  return flow;
}

/* Events */

/* Forwards an event to all pads. Pads without caps get sticky events together with their caps. */
static gboolean
forward (C2gTensorDemux *self,
         GstEvent       *event)
{
  for (guint i = 0; i < self->outlets->len; i++)
    {
      const Outlet *outlet = g_ptr_array_index (self->outlets, i);

      if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
        gst_pad_push_event (outlet->pad, make_stream_start (self, outlet->pad, event));
      else if (!GST_EVENT_IS_STICKY (event) || GST_EVENT_TYPE (event) == GST_EVENT_EOS ||
               gst_pad_has_current_caps (outlet->pad))
        gst_pad_push_event (outlet->pad, gst_event_ref (event));
    }
  gst_event_unref (event);

  return TRUE;
}

/* Makes all pads send caps again. */
static void
forget_caps (C2gTensorDemux *self)
{
  for (guint i = 0; i < self->outlets->len; i++)
    {
      Outlet *outlet = g_ptr_array_index (self->outlets, i);

      outlet->n_rows = 0;
      c2g_gst_follow_clear (&outlet->follow);
    }
}

/* Warns about names for which no tensor came: they may be mistyped. */
static void
check_names (C2gTensorDemux *self)
{
  /* Without a source pad, end-of-stream would reach no sink, so this is an error. */
  if (self->outlets->len == 0)
    GST_ELEMENT_ERROR (self, STREAM, DEMUX, (_("The stream has ended without a tensor")), (NULL));
  for (guint i = 0; i < self->outlets->len; i++)
    {
      const Outlet *outlet = g_ptr_array_index (self->outlets, i);
      g_autofree char *names = g_strjoinv ("+", outlet->names);

      if (!outlet->is_used)
        GST_ELEMENT_WARNING (self, STREAM, DEMUX, (_("The stream has ended without the tensor “%s”"), names), (NULL));
    }
}

static gboolean
c2g_tensor_demux_event (GstPad    *pad,
                        GstObject *parent,
                        GstEvent  *event)
{
  C2gTensorDemux *self = C2G_TENSOR_DEMUX (parent);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    g_atomic_int_set (&self->is_flushing, TRUE);
  /* Other events can arrive while the streaming thread adds a pad, so use the default handler. */
  if (!GST_EVENT_IS_SERIALIZED (event))
    return gst_pad_event_default (pad, parent, event);

  switch (GST_EVENT_TYPE (event))
    {
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      self->rate = c2g_gst_rate_of (caps);
      forget_caps (self);
      gst_event_unref (event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      g_atomic_int_set (&self->is_flushing, FALSE);
      /* A pad that was flushing has taken no caps. */
      forget_caps (self);
      gst_flow_combiner_reset (self->combiner);
      break;
    case GST_EVENT_EOS:
      check_names (self);
      break;
    default:
      break;
    }

  return forward (self, event);
}

static void
remove_outlets (C2gTensorDemux *self)
{
  for (guint i = 0; i < self->outlets->len; i++)
    {
      const Outlet *outlet = g_ptr_array_index (self->outlets, i);

      gst_flow_combiner_remove_pad (self->combiner, outlet->pad);
      gst_element_remove_pad (GST_ELEMENT (self), outlet->pad);
    }
  g_ptr_array_set_size (self->outlets, 0);
  self->rate = C2G_GST_RATE_UNKNOWN;
  g_atomic_int_set (&self->is_flushing, FALSE);
}

static GstStateChangeReturn
c2g_tensor_demux_change_state (GstElement     *element,
                               GstStateChange  transition)
{
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !check_groups (C2G_TENSOR_DEMUX (element)))
    return GST_STATE_CHANGE_FAILURE;
  result = GST_ELEMENT_CLASS (c2g_tensor_demux_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    remove_outlets (C2G_TENSOR_DEMUX (element));

  return result;
}

static void
c2g_tensor_demux_finalize (GObject *object)
{
  C2gTensorDemux *self = C2G_TENSOR_DEMUX (object);

  g_ptr_array_unref (self->outlets);
  gst_flow_combiner_free (self->combiner);
  c2g_gst_properties_clear (self, properties);

  G_OBJECT_CLASS (c2g_tensor_demux_parent_class)->finalize (object);
}

static void
c2g_tensor_demux_class_init (C2gTensorDemuxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_tensor_demux_debug, "c2gtensordemux", 0, "a stream for each tensor");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_tensor_demux_finalize;
  c2g_gst_properties_install (object_class, properties);

  element_class->change_state = c2g_tensor_demux_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor demuxer", "Demuxer",
                                         "Gives each tensor of a stream its own stream",
                                         "The c2g authors");
}

static void
c2g_tensor_demux_init (C2gTensorDemux *self)
{
  self->outlets = g_ptr_array_new_with_free_func (outlet_free);
  self->combiner = gst_flow_combiner_new ();
  self->sink = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink, c2g_tensor_demux_chain);
  gst_pad_set_event_function (self->sink, c2g_tensor_demux_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sink);
}
