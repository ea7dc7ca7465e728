/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-mux.h"

#include "support/c2g-gst-append.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-shape.h"

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_tensor_mux_debug);
#define GST_CAT_DEFAULT c2g_tensor_mux_debug

/**
 * SECTION:element-c2gtensormux
 * @title: c2gtensormux
 *
 * c2gtensormux joins the tensors of several streams: one buffer for each round of buffers.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2gconvert ! tee name=frames frames. ! queue ! \
 * c2ginference model=digits preset=digits ! both.sink_0 frames. ! queue ! c2ginference \
 * model=letters ! both.sink_1 c2gtensormux name=both ! fakesink
 * ]|
 */
struct _C2gTensorMux
{
  C2gRounds  parent_instance;
};

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

/* Pads */

typedef C2gRoundsPad C2gTensorMuxPad;
typedef C2gRoundsPadClass C2gTensorMuxPadClass;

static const C2gGstProperty pad_properties[] = {
  { "prefix", "Text before the names of the tensors, where several streams have the same names",
    G_STRUCT_OFFSET (C2gTensorMuxPad, prefix), G_TYPE_STRING, .when = GST_PARAM_MUTABLE_PLAYING },
  { NULL },
};

static GType c2g_tensor_mux_pad_get_type (void);

G_DEFINE_TYPE (C2gTensorMuxPad, c2g_tensor_mux_pad, C2G_TYPE_ROUNDS_PAD)

/* Both the caps and the labels contain names of tensors, so both must be sent again. */
static void
c2g_tensor_mux_pad_set_property (GObject      *object,
                                 guint         prop_id,
                                 const GValue *value,
                                 GParamSpec   *pspec)
{
  GstElement *element = gst_pad_get_parent_element (GST_PAD (object));

  c2g_gst_properties_set_value (object, prop_id, value, pspec);
  g_atomic_int_set (&((C2gTensorMuxPad *) object)->has_new_labels, TRUE);
  if (element == NULL)
    return;
  gst_pad_mark_reconfigure (GST_AGGREGATOR_SRC_PAD (element));
  gst_object_unref (element);
}

static void
c2g_tensor_mux_pad_class_init (C2gTensorMuxPadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_tensor_mux_pad_set_property;
  c2g_gst_properties_install (object_class, pad_properties);
}

static void
c2g_tensor_mux_pad_init (C2gTensorMuxPad *self)
{
}

/* Pads are children of the element, so that gst-launch-1.0 can set their properties. */

static GObject *
get_child (GstChildProxy *proxy,
           guint          index)
{
  GObject *child;

  GST_OBJECT_LOCK (proxy);
  child = g_list_nth_data (GST_ELEMENT (proxy)->sinkpads, index);
  if (child != NULL)
    g_object_ref (child);
  GST_OBJECT_UNLOCK (proxy);

  return child;
}

static guint
count_children (GstChildProxy *proxy)
{
  guint n;

  GST_OBJECT_LOCK (proxy);
  n = GST_ELEMENT (proxy)->numsinkpads;
  GST_OBJECT_UNLOCK (proxy);

  return n;
}

static void
child_proxy_init (gpointer interface,
                  gpointer data)
{
  GstChildProxyInterface *proxy = interface;

  proxy->get_child_by_index = get_child;
  proxy->get_children_count = count_children;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (C2gTensorMux, c2g_tensor_mux, C2G_TYPE_ROUNDS,
                               G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY, child_proxy_init))
GST_ELEMENT_REGISTER_DEFINE (c2gtensormux, "c2gtensormux", GST_RANK_NONE, C2G_TYPE_TENSOR_MUX)

static GstPad *
c2g_tensor_mux_request_new_pad (GstElement     *element,
                                GstPadTemplate *template,
                                const char     *name,
                                const GstCaps  *caps)
{
  GstPad *pad =
    GST_ELEMENT_CLASS (c2g_tensor_mux_parent_class)->request_new_pad (element, template, name, caps);

  if (pad != NULL)
    gst_child_proxy_child_added (GST_CHILD_PROXY (element), G_OBJECT (pad), GST_PAD_NAME (pad));

  return pad;
}

static void
c2g_tensor_mux_release_pad (GstElement *element,
                            GstPad     *pad)
{
  gst_child_proxy_child_removed (GST_CHILD_PROXY (element), G_OBJECT (pad), GST_PAD_NAME (pad));
  GST_ELEMENT_CLASS (c2g_tensor_mux_parent_class)->release_pad (element, pad);
}

/* Caps */

/* Appends the description of a stream's tensors to the caps. Returns FALSE if the stream is
 * flexible, so that only its buffers describe them. */
static gboolean
add_stream (GstCaps      *caps,
            C2gRoundsPad *pad)
{
  const GstStructure *from = gst_caps_get_structure (pad->caps, 0);
  GstStructure *to = gst_caps_get_structure (caps, 0);

  if (g_strcmp0 (gst_structure_get_string (from, "format"), "static") != 0)
    return FALSE;

  for (guint i = 0;; i++)
    {
      g_autofree char *field = g_strdup_printf ("tensor%u", i);
      g_autofree char *next = g_strdup_printf ("tensor%d", gst_structure_n_fields (to) - 1);
      g_autofree char *name = NULL;
      g_autoptr (GstStructure) tensor = NULL;

      if (!gst_structure_get (from, field, GST_TYPE_STRUCTURE, &tensor, NULL))
        return TRUE;
      if (gst_structure_has_field_typed (tensor, "name", G_TYPE_STRING))
        {
          name = c2g_rounds_pad_dup_name (pad, gst_structure_get_string (tensor, "name"));
          gst_structure_set (tensor, "name", G_TYPE_STRING, name, NULL);
        }
      gst_structure_set (to, next, GST_TYPE_STRUCTURE, tensor, NULL);
    }
}

static GstCaps *
join_caps (C2gRounds *self)
{
  g_autolist (GstObject) pads = c2g_rounds_list_pads (self);
  g_autoptr (GstCaps) caps =
    gst_caps_new_simple (C2G_GST_CAPS_TENSORS, "format", G_TYPE_STRING, "static", NULL);

  for (GList *item = pads; item != NULL; item = item->next)
    if (((C2gRoundsPad *) item->data)->caps != NULL && !add_stream (caps, item->data))
      return gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS);

  return g_steal_pointer (&caps);
}

static GstFlowReturn
c2g_tensor_mux_update_src_caps (GstAggregator  *aggregator,
                                GstCaps        *downstream,
                                GstCaps       **result)
{
  *result = c2g_gst_rate_add_to (c2g_rounds_get_rate (C2G_ROUNDS (aggregator)), join_caps (C2G_ROUNDS (aggregator)));
  GST_DEBUG_OBJECT (aggregator, "Output: %" GST_PTR_FORMAT, *result);

  return GST_FLOW_OK;
}

/* Buffers */

static gboolean
add_tensors (GstBuffer     *buffer,
             C2gRoundsPad  *pad,
             GError       **error)
{
  GstBuffer *source = pad->buffer;
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (source);

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *full = c2g_rounds_pad_dup_name (pad, *name);

      if (!c2g_gst_append_from (buffer, full, source, *name, error))
        {
          if (g_error_matches (*error, C2G_ERROR, C2G_ERROR_EXISTS))
            g_prefix_error (error, _("The property “prefix” of a pad tells tensors of several streams apart: "));
          return FALSE;
        }
    }

  return TRUE;
}

static GstFlowReturn
c2g_tensor_mux_take (C2gRounds      *rounds,
                     const C2gRound *round)
{
  g_autoptr (GstBuffer) buffer = c2g_rounds_new_buffer (rounds, round->time, round->duration);
  g_autoptr (GError) error = NULL;

  for (GList *item = round->pads; item != NULL; item = item->next)
    if (((C2gRoundsPad *) item->data)->buffer != NULL && !add_tensors (buffer, item->data, &error))
      {
        GST_ELEMENT_ERROR (rounds, STREAM, MUX, ("%s", error->message), (NULL));
        return GST_FLOW_ERROR;
      }

  GST_LOG_OBJECT (rounds, "A round: %" GST_PTR_FORMAT, buffer);

  return gst_aggregator_finish_buffer (GST_AGGREGATOR (rounds), g_steal_pointer (&buffer));
}

static void
c2g_tensor_mux_class_init (C2gTensorMuxClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_tensor_mux_debug, "c2gtensormux", 0, "tensors of several streams");

  gst_type_mark_as_plugin_api (c2g_tensor_mux_pad_get_type (), 0);

  element_class->request_new_pad = c2g_tensor_mux_request_new_pad;
  element_class->release_pad = c2g_tensor_mux_release_pad;
  gst_element_class_add_static_pad_template_with_gtype (element_class, &sink_template, c2g_tensor_mux_pad_get_type ());
  gst_element_class_set_static_metadata (element_class, "Tensor muxer", "Muxer",
                                         "Joins the tensors of several streams",
                                         "The c2g authors");

  GST_AGGREGATOR_CLASS (klass)->update_src_caps = c2g_tensor_mux_update_src_caps;
  C2G_ROUNDS_CLASS (klass)->take = c2g_tensor_mux_take;
}

static void
c2g_tensor_mux_init (C2gTensorMux *self)
{
}
