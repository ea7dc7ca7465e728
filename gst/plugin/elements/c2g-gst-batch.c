/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-batch.h"

#include "support/c2g-gst-follow.h"
#include "support/c2g-gst-join.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"

GST_DEBUG_CATEGORY_STATIC (c2g_tensor_batch_debug);
#define GST_CAT_DEFAULT c2g_tensor_batch_debug

/**
 * SECTION:element-c2gtensorbatch
 * @title: c2gtensorbatch
 *
 * c2gtensorbatch joins several buffers into one: those of consecutive rounds, and of the streams in
 * each round. The rows of their tensors become the rows of one tensor.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 multifilesrc location=pictures/%d.png caps=image/png,framerate=1/1 ! \
 * pngdec ! c2gconvert ! c2gtensorbatch size=2 ! c2ginference model=digits preset=digits ! \
 * c2gtensordemux rows=true ! c2gdecode ! text/x-raw ! fdsink
 * ]|
 */
struct _C2gTensorBatch
{
  C2gRounds     parent_instance;

  /* Properties. */
  guint         size;
  gboolean      stacks;

  /* Used in the thread of the source pad. The buffers collected for the next batch, and its times. */
  GPtrArray    *sources;
  guint         n_rounds;
  GstClockTime  begin;
  GstClockTime  end;
  /* Time and duration of its last round, and the sum of the durations before. */
  GstClockTime  last;
  GstClockTime  length;
  GstClockTime  wait;
  /* TRUE if the tensors or the segment of later buffers differ, so that the batch must be pushed
   * first. */
  gboolean      is_changing;
  C2gGstFollow  follow;
  GstClockTime  latency;
};

static const C2gGstProperty properties[] = {
  { "size", "Buffers of each stream in a batch", G_STRUCT_OFFSET (C2gTensorBatch, size), G_TYPE_UINT, 1, .least = 1 },
  { "stack", "Count buffers by a new first dimension, in place of adding up the rows that they have",
    G_STRUCT_OFFSET (C2gTensorBatch, stacks), G_TYPE_BOOLEAN },
  { NULL },
};

G_DEFINE_FINAL_TYPE (C2gTensorBatch, c2g_tensor_batch, C2G_TYPE_ROUNDS)
GST_ELEMENT_REGISTER_DEFINE (c2gtensorbatch, "c2gtensorbatch", GST_RANK_NONE, C2G_TYPE_TENSOR_BATCH)

/* Batches */

static void
clear (C2gTensorBatch *self)
{
  g_ptr_array_set_size (self->sources, 0);
  self->n_rounds = 0;
  self->is_changing = FALSE;
}

/* Returns FALSE if a time is missing or not later. */
static gboolean
is_after (GstClockTime second,
          GstClockTime first)
{
  return GST_CLOCK_TIME_IS_VALID (first) && GST_CLOCK_TIME_IS_VALID (second) && second > first;
}

/* Updates the latency: the first buffer of a batch waits for the last one. A pause of the stream
 * does not count. */
static void
note_latency (C2gTensorBatch *self)
{
  const GstClockTime wait = MIN (self->wait, self->last - self->begin);

  if (!is_after (self->last, self->begin) || wait <= self->latency)
    return;

  GST_DEBUG_OBJECT (self, "The latency becomes %" GST_TIME_FORMAT, GST_TIME_ARGS (wait));
  self->latency = wait;
  gst_aggregator_set_latency (GST_AGGREGATOR (self), wait, wait);
}

static GstFlowReturn
push_batch (C2gTensorBatch *self)
{
  const C2gGstRate rate = c2g_gst_rate_multiply (c2g_rounds_get_rate (C2G_ROUNDS (self)), 1, self->size);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = NULL;

  if (self->sources->len == 0)
    return GST_FLOW_OK;
  buffer = c2g_rounds_new_buffer (C2G_ROUNDS (self), self->begin,
                                  is_after (self->end, self->begin) ? self->end - self->begin : GST_CLOCK_TIME_NONE);
  if (!c2g_gst_join_buffers (self->sources, self->stacks, buffer, &error))
    {
      GST_ELEMENT_ERROR (self, STREAM, MUX, ("%s", error->message), (NULL));
      return GST_FLOW_ERROR;
    }
  GST_LOG_OBJECT (self, "A batch of %u buffers: %" GST_PTR_FORMAT, self->sources->len, buffer);
  clear (self);
  note_latency (self);
  if (c2g_gst_follow_update (&self->follow, buffer, rate))
    {
      GST_DEBUG_OBJECT (self, "Output: %" GST_PTR_FORMAT, self->follow.caps);
      gst_aggregator_set_src_caps (GST_AGGREGATOR (self), self->follow.caps);
    }

  return gst_aggregator_finish_buffer (GST_AGGREGATOR (self), g_steal_pointer (&buffer));
}

static gboolean
has_tensors (GstBuffer *buffer)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);

  return names[0] != NULL;
}

/* Adds the buffers of a round that have tensors. A round without tensors does not count. */
static void
add_round (C2gTensorBatch *self,
           const C2gRound *round)
{
  const guint n_before = self->sources->len;

  for (GList *item = round->pads; item != NULL; item = item->next)
    {
      const C2gRoundsPad *pad = item->data;

      if (pad->buffer != NULL && has_tensors (pad->buffer))
        g_ptr_array_add (self->sources, gst_buffer_ref (pad->buffer));
    }
  if (self->sources->len == n_before)
    return;

  if (self->n_rounds++ == 0)
    {
      self->begin = round->time;
      self->wait = 0;
    }
  else if (GST_CLOCK_TIME_IS_VALID (self->length))
    self->wait += self->length;
  self->last = round->time;
  self->length = round->duration;
  self->end = GST_CLOCK_TIME_IS_VALID (round->time) && GST_CLOCK_TIME_IS_VALID (round->duration)
                ? round->time + round->duration
                : GST_CLOCK_TIME_NONE;
}

/* Sinks need not wait for rounds without tensors. A gap cannot come before caps, so a stream that begins so is flexible at
 * first or, where the next element takes static streams only, has the caps that this one asks for. */
static void
push_gap (C2gTensorBatch *self,
          const C2gRound *round)
{
  GstPad *src = GST_AGGREGATOR_SRC_PAD (self);
  g_autoptr (GstBuffer) buffer = c2g_rounds_new_buffer (C2G_ROUNDS (self), round->time, round->duration);
  g_autoptr (GstEvent) segment = NULL;

  if (self->follow.caps == NULL)
    {
      self->follow.caps = c2g_gst_caps_choose_first (src, gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS "; " C2G_GST_STATIC_CAPS));
      if (self->follow.caps == NULL)
        return;
      gst_aggregator_set_src_caps (GST_AGGREGATOR (self), self->follow.caps);
    }
  /* The base class sends the segment with the first batch only, and a gap needs one. */
  segment = gst_pad_get_sticky_event (src, GST_EVENT_SEGMENT, 0);
  if (segment == NULL)
    gst_pad_push_event (src, gst_event_new_segment (&GST_AGGREGATOR_PAD (src)->segment));
  c2g_gst_push_gap (src, buffer);
}

static GstFlowReturn
c2g_tensor_batch_take (C2gRounds      *rounds,
                       const C2gRound *round)
{
  C2gTensorBatch *self = C2G_TENSOR_BATCH (rounds);
  GstFlowReturn flow = self->is_changing ? push_batch (self) : GST_FLOW_OK;

  self->is_changing = FALSE;
  if (flow == GST_FLOW_OK)
    add_round (self, round);
  if (flow == GST_FLOW_OK && self->n_rounds == 0)
    push_gap (self, round);

  return flow == GST_FLOW_OK && self->n_rounds >= self->size ? push_batch (self) : flow;
}

static GstFlowReturn
c2g_tensor_batch_drain (C2gRounds *rounds)
{
  return push_batch (C2G_TENSOR_BATCH (rounds));
}

/* GstAggregator waits for a late stream until this time plus the whole latency. The latency of the
 * batch itself must not delay a round, because it would add up over the rounds; so it is
 * subtracted. */
static GstClockTime
c2g_tensor_batch_get_next_time (GstAggregator *aggregator)
{
  const GstClockTime first = GST_AGGREGATOR_CLASS (c2g_tensor_batch_parent_class)->get_next_time (aggregator);

  return GST_CLOCK_TIME_IS_VALID (first) ? first - MIN (first, C2G_TENSOR_BATCH (aggregator)->latency) : first;
}

static GstFlowReturn
c2g_tensor_batch_flush (GstAggregator *aggregator)
{
  clear (C2G_TENSOR_BATCH (aggregator));

  return GST_AGGREGATOR_CLASS (c2g_tensor_batch_parent_class)->flush (aggregator);
}

static gboolean
c2g_tensor_batch_stop (GstAggregator *aggregator)
{
  C2gTensorBatch *self = C2G_TENSOR_BATCH (aggregator);

  c2g_gst_follow_clear (&self->follow);
  self->latency = 0;
  gst_aggregator_set_latency (aggregator, 0, 0);

  return GST_AGGREGATOR_CLASS (c2g_tensor_batch_parent_class)->stop (aggregator);
}

/* Caps */

/* Makes unspecified in caps what a batch changes: the first dimension of each tensor, and the rate. */
static gboolean
open_rows (GstCapsFeatures *features,
           GstStructure    *structure,
           gpointer         data)
{
  gst_structure_remove_field (structure, "framerate");
  for (guint i = 0;; i++)
    {
      g_autofree char *field = g_strdup_printf ("tensor%u", i);
      g_autoptr (GstStructure) tensor = NULL;

      if (!gst_structure_get (structure, field, GST_TYPE_STRUCTURE, &tensor, NULL))
        return TRUE;
      gst_structure_set (tensor, "d0", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
      gst_structure_set (structure, field, GST_TYPE_STRUCTURE, tensor, NULL);
    }
}

/* Returns TRUE if buffers with these caps fit into the present batch; the number of rows may
 * differ. */
static gboolean
fit (C2gTensorBatch *self,
     GstCaps        *before,
     GstCaps        *behind)
{
  g_autoptr (GstCaps) first = gst_caps_copy (before);
  g_autoptr (GstCaps) second = gst_caps_copy (behind);

  if (!self->stacks)
    {
      gst_caps_map_in_place (first, open_rows, NULL);
      gst_caps_map_in_place (second, open_rows, NULL);
    }

  return gst_caps_is_equal (first, second);
}

static gboolean
c2g_tensor_batch_sink_event (GstAggregator    *aggregator,
                             GstAggregatorPad *pad,
                             GstEvent         *event)
{
  C2gTensorBatch *self = C2G_TENSOR_BATCH (aggregator);
  GstCaps *current = ((C2gRoundsPad *) pad)->caps;
  const GstSegment *segment;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    {
      gst_event_parse_caps (event, &caps);
      self->is_changing |= current != NULL && !fit (self, current, caps);
    }
  else if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    {
      gst_event_parse_segment (event, &segment);
      self->is_changing |= !gst_segment_is_equal (&pad->segment, segment);
    }

  return GST_AGGREGATOR_CLASS (c2g_tensor_batch_parent_class)->sink_event (aggregator, pad, event);
}

/* The caps are set from the first buffer of each batch, not here. */
static GstFlowReturn
c2g_tensor_batch_update_src_caps (GstAggregator  *aggregator,
                                  GstCaps        *downstream,
                                  GstCaps       **result)
{
  C2gTensorBatch *self = C2G_TENSOR_BATCH (aggregator);

  if (self->follow.caps == NULL)
    return GST_AGGREGATOR_FLOW_NEED_DATA;
  *result = gst_caps_ref (self->follow.caps);

  return GST_FLOW_OK;
}

/* Answers caps queries of upstream elements with what downstream accepts. */
static gboolean
answer_caps (C2gTensorBatch *self,
             GstPad         *pad,
             GstQuery       *query)
{
  g_autoptr (GstCaps) template = gst_pad_get_pad_template_caps (pad);
  GstCaps *caps = gst_pad_peer_query_caps (GST_AGGREGATOR_SRC_PAD (self), template);
  GstCaps *filter;

  gst_query_parse_caps (query, &filter);
  caps = gst_caps_make_writable (caps);
  gst_caps_map_in_place (caps, open_rows, NULL);
  caps = c2g_gst_caps_filter (caps, filter);
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);

  return TRUE;
}

static gboolean
c2g_tensor_batch_sink_query (GstAggregator    *aggregator,
                             GstAggregatorPad *pad,
                             GstQuery         *query)
{
  C2gTensorBatch *self = C2G_TENSOR_BATCH (aggregator);

  return GST_QUERY_TYPE (query) == GST_QUERY_CAPS && !self->stacks
           ? answer_caps (self, GST_PAD (pad), query)
           : GST_AGGREGATOR_CLASS (c2g_tensor_batch_parent_class)->sink_query (aggregator, pad, query);
}

static void
c2g_tensor_batch_finalize (GObject *object)
{
  g_ptr_array_unref (C2G_TENSOR_BATCH (object)->sources);

  G_OBJECT_CLASS (c2g_tensor_batch_parent_class)->finalize (object);
}

static void
c2g_tensor_batch_class_init (C2gTensorBatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstAggregatorClass *aggregator_class = GST_AGGREGATOR_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_tensor_batch_debug, "c2gtensorbatch", 0, "batches of tensors");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_tensor_batch_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Tensor batcher", "Muxer",
                                         "Joins the rows of tensors that follow each other, and of several streams",
                                         "The c2g authors");

  aggregator_class->get_next_time = c2g_tensor_batch_get_next_time;
  aggregator_class->flush = c2g_tensor_batch_flush;
  aggregator_class->stop = c2g_tensor_batch_stop;
  aggregator_class->sink_event = c2g_tensor_batch_sink_event;
  aggregator_class->sink_query = c2g_tensor_batch_sink_query;
  aggregator_class->update_src_caps = c2g_tensor_batch_update_src_caps;
  C2G_ROUNDS_CLASS (klass)->take = c2g_tensor_batch_take;
  C2G_ROUNDS_CLASS (klass)->drain = c2g_tensor_batch_drain;
}

static void
c2g_tensor_batch_init (C2gTensorBatch *self)
{
  c2g_gst_properties_init (self, properties);
  self->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
}
