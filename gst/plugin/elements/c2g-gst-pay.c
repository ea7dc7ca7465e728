/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-pay.h"

#include "formats/c2g-gst-wire.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_pay_debug);
#define GST_CAT_DEFAULT c2g_pay_debug

/**
 * SECTION:element-c2gpay
 * @title: c2gpay
 *
 * c2gpay writes the tensors that are attached to buffers as bytes.
 *
 * Each buffer becomes an independent frame, so a receiver may start with any of them. Buffers
 * without tensors are dropped.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2ginference model=squeezenet preset=caffe2 ! c2gpay ! \
 * tcpserversink port=5000
 * ]|
 */
struct _C2gPay
{
  GstBaseTransform  parent_instance;

  /* Since the start: whether buffers came, and whether one of them had tensors. */
  gboolean          has_buffers;
  gboolean          has_tensors;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_WIRE));

G_DEFINE_FINAL_TYPE (C2gPay, c2g_pay, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (c2gpay, "c2gpay", GST_RANK_NONE, C2G_TYPE_PAY)

static gboolean
c2g_pay_start (GstBaseTransform *transform)
{
  C2gPay *self = C2G_PAY (transform);

  self->has_buffers = self->has_tensors = FALSE;

  return TRUE;
}

static gboolean
c2g_pay_sink_event (GstBaseTransform *transform,
                    GstEvent         *event)
{
  C2gPay *self = C2G_PAY (transform);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && self->has_buffers && !self->has_tensors)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, (_("The stream has ended without a tensor")), (NULL));

  return GST_BASE_TRANSFORM_CLASS (c2g_pay_parent_class)->sink_event (transform, event);
}

static GstCaps *
c2g_pay_transform_caps (GstBaseTransform *transform,
                        GstPadDirection   direction,
                        GstCaps          *caps,
                        GstCaps          *filter)
{
  return c2g_gst_caps_filter (direction == GST_PAD_SINK ? gst_caps_new_empty_simple (C2G_GST_CAPS_WIRE) : gst_caps_new_any (),
                              filter);
}

/* Makes the frame; the buffer stays empty if there are no tensors. */
static GstFlowReturn
c2g_pay_prepare_output_buffer (GstBaseTransform  *transform,
                               GstBuffer         *input,
                               GstBuffer        **output)
{
  C2gPay *self = C2G_PAY (transform);
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (input);
  g_autoptr (GError) error = NULL;

  self->has_buffers = TRUE;
  self->has_tensors |= names[0] != NULL;
  *output = names[0] != NULL ? c2g_gst_wire_write (input, c2g_gst_time_of (transform, input), &error)
                             : gst_buffer_new ();
  if (*output != NULL)
    return GST_FLOW_OK;

  GST_ELEMENT_ERROR (transform, STREAM, ENCODE, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

static GstFlowReturn
c2g_pay_transform (GstBaseTransform *transform,
                   GstBuffer        *input,
                   GstBuffer        *output)
{
  if (gst_buffer_n_memory (output) > 0)
    return GST_FLOW_OK;

  GST_LOG_OBJECT (transform, "No tensors: %" GST_PTR_FORMAT, input);
  c2g_gst_push_gap (GST_BASE_TRANSFORM_SRC_PAD (transform), input);
  return GST_BASE_TRANSFORM_FLOW_DROPPED;
}

static void
c2g_pay_class_init (C2gPayClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_pay_debug, "c2gpay", 0, "bytes of tensors");

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor payloader", "Codec/Payloader",
                                         "Writes tensors as bytes, for a network, shared memory or a file",
                                         "The c2g authors");

  transform_class->start = c2g_pay_start;
  transform_class->sink_event = c2g_pay_sink_event;
  transform_class->transform_caps = c2g_pay_transform_caps;
  transform_class->prepare_output_buffer = c2g_pay_prepare_output_buffer;
  transform_class->transform = c2g_pay_transform;
}

static void
c2g_pay_init (C2gPay *self)
{
}
