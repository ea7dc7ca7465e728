/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-rounds.h"

#include "c2g-gst-copy.h"
#include "c2g-gst-labels.h"
#include "c2g-gst-time.h"

#include <c2g-gst/c2g-gst.h>

#include <math.h>

GST_DEBUG_CATEGORY_STATIC (c2g_rounds_debug);
#define GST_CAT_DEFAULT c2g_rounds_debug

/* Base class of elements that read several streams in rounds.
 *
 * A round has one buffer of each stream, and the time of the latest one. Buffers that end before
 * that time are dropped. So a round contains the buffers of one moment, and there are as many
 * rounds as buffers in the slowest stream. Buffers without a time are taken in order.
 *
 * A live stream whose buffer is later than the latency of the pipeline is missing in the round, as
 * is a stream that has ended. A buffer that arrives after its round is dropped. */

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

typedef struct
{
  /* Time of the last round; GST_CLOCK_TIME_NONE before the first one. */
  GstClockTime  last;
} C2gRoundsPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gRounds, c2g_rounds, GST_TYPE_AGGREGATOR)

/* Pads */

G_DEFINE_TYPE (C2gRoundsPad, c2g_rounds_pad, GST_TYPE_AGGREGATOR_PAD)

/* Forgets the times of the stream, which may start again at any time. */
static GstFlowReturn
c2g_rounds_pad_flush (GstAggregatorPad *pad,
                      GstAggregator    *aggregator)
{
  C2gRoundsPad *self = (C2gRoundsPad *) pad;

  GST_OBJECT_LOCK (self);
  self->last = self->step = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);

  return GST_FLOW_OK;
}

static void
c2g_rounds_pad_finalize (GObject *object)
{
  C2gRoundsPad *self = (C2gRoundsPad *) object;

  gst_clear_caps (&self->caps);
  gst_clear_event (&self->labels);
  g_free (self->prefix);

  G_OBJECT_CLASS (c2g_rounds_pad_parent_class)->finalize (object);
}

static void
c2g_rounds_pad_class_init (C2gRoundsPadClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_rounds_pad_finalize;
  GST_AGGREGATOR_PAD_CLASS (klass)->flush = c2g_rounds_pad_flush;
}

static void
c2g_rounds_pad_init (C2gRoundsPad *self)
{
  self->last = self->step = GST_CLOCK_TIME_NONE;
}

char *
c2g_rounds_pad_dup_name (C2gRoundsPad *self,
                         const char   *name)
{
  char *full;

  GST_OBJECT_LOCK (self);
  full = g_strconcat (self->prefix != NULL ? self->prefix : "", name, NULL);
  GST_OBJECT_UNLOCK (self);

  return full;
}

/* Computes begin and end of the buffer. Without a duration, assumes the interval to the buffer
 * before. */
static void
measure (C2gRoundsPad *self)
{
  const GstSegment *segment = &self->parent_instance.segment;
  GstClockTime length = GST_BUFFER_DURATION (self->buffer);

  GST_OBJECT_LOCK (self);
  self->begin = c2g_gst_time_in (segment, self->buffer);
  if (GST_CLOCK_TIME_IS_VALID (length) && length > 0)
    length /= fabs (segment->rate);
  else
    length = self->step;
  GST_OBJECT_UNLOCK (self);

  if (!GST_CLOCK_TIME_IS_VALID (self->begin) || !GST_CLOCK_TIME_IS_VALID (length) ||
      !g_uint64_checked_add (&self->end, self->begin, length))
    self->end = GST_CLOCK_TIME_NONE;
}

/* Looks at the first buffer in the queue of the pad. */
static void
look (C2gRoundsPad *self)
{
  self->buffer = gst_aggregator_pad_peek_buffer (GST_AGGREGATOR_PAD (self));
  if (self->buffer != NULL)
    measure (self);
}

static void
look_away (C2gRoundsPad *self)
{
  gst_clear_buffer (&self->buffer);
}

/* Removes that buffer from the queue. */
static void
leave_queue (C2gRoundsPad *self)
{
  GST_OBJECT_LOCK (self);
  if (GST_CLOCK_TIME_IS_VALID (self->begin))
    {
      if (GST_CLOCK_TIME_IS_VALID (self->last) && self->begin > self->last)
        self->step = self->begin - self->last;
      self->last = self->begin;
    }
  GST_OBJECT_UNLOCK (self);
  gst_aggregator_pad_drop_buffer (GST_AGGREGATOR_PAD (self));
}

static gboolean
is_old (const C2gRoundsPad *self,
        GstClockTime        time)
{
  return GST_CLOCK_TIME_IS_VALID (self->begin) && self->begin < time && self->end <= time;
}

static int
compare_pads (gconstpointer a,
              gconstpointer b)
{
  const guint64 first = g_ascii_strtoull (GST_PAD_NAME (a) + strlen ("sink_"), NULL, 10);
  const guint64 second = g_ascii_strtoull (GST_PAD_NAME (b) + strlen ("sink_"), NULL, 10);

  return first < second ? -1 : first > second;
}

GList *
c2g_rounds_list_pads (C2gRounds *self)
{
  GList *pads;

  GST_OBJECT_LOCK (self);
  pads = g_list_copy_deep (GST_ELEMENT (self)->sinkpads, (GCopyFunc) gst_object_ref, NULL);
  GST_OBJECT_UNLOCK (self);

  return g_list_sort (pads, compare_pads);
}

/* Rounds */

C2gGstRate
c2g_rounds_get_rate (C2gRounds *self)
{
  g_autolist (GstObject) pads = c2g_rounds_list_pads (self);
  C2gGstRate rate = C2G_GST_RATE_UNKNOWN;

  for (GList *item = pads; item != NULL; item = item->next)
    {
      const C2gGstRate other = c2g_gst_rate_of (((C2gRoundsPad *) item->data)->caps);

      rate = item == pads ? other : c2g_gst_rate_min (rate, other);
    }

  return rate;
}

GstBuffer *
c2g_rounds_new_buffer (C2gRounds    *self,
                       GstClockTime  time,
                       GstClockTime  duration)
{
  const GstSegment *segment = &GST_AGGREGATOR_PAD (GST_AGGREGATOR_SRC_PAD (self))->segment;
  GstBuffer *buffer = gst_buffer_new ();

  GST_OBJECT_LOCK (self);
  if (GST_CLOCK_TIME_IS_VALID (time))
    GST_BUFFER_PTS (buffer) = gst_segment_position_from_running_time (segment, GST_FORMAT_TIME, time);
  if (GST_CLOCK_TIME_IS_VALID (duration))
    GST_BUFFER_DURATION (buffer) = duration * fabs (segment->rate);
  GST_OBJECT_UNLOCK (self);

  return buffer;
}

/* Sends the class names of all streams in one event. */
static void
push_labels (C2gRounds *self)
{
  g_autolist (GstObject) pads = c2g_rounds_list_pads (self);
  GstEvent *all = NULL;
  gboolean are_new = FALSE;

  for (GList *item = pads; item != NULL; item = item->next)
    {
      C2gRoundsPad *pad = item->data;
      /* Reset the flag before reading the prefix: if the prefix changes after that, the flag is set
       * again. */
      const gboolean is_new = g_atomic_int_compare_and_exchange (&pad->has_new_labels, TRUE, FALSE);
      g_autofree char *prefix = c2g_rounds_pad_dup_name (pad, "");

      if (pad->labels != NULL)
        c2g_gst_labels_join (&all, pad->labels, prefix);
      are_new |= is_new;
    }

  if (are_new && all != NULL)
    gst_pad_push_event (GST_AGGREGATOR_SRC_PAD (self), g_steal_pointer (&all));
  gst_clear_event (&all);
}

/* Class names come behind the segment, which GstAggregator sends just before its first buffer. */
static GstPadProbeReturn
buffer_cb (GstPad          *pad,
           GstPadProbeInfo *info,
           gpointer         data)
{
  push_labels (data);

  return GST_PAD_PROBE_OK;
}

/* Returns the time to wait for: that of the first buffer in a queue. */
static GstClockTime
c2g_rounds_get_next_time (GstAggregator *aggregator)
{
  g_autolist (GstObject) pads = c2g_rounds_list_pads (C2G_ROUNDS (aggregator));
  GstClockTime first = GST_CLOCK_TIME_NONE;

  for (GList *item = pads; item != NULL; item = item->next)
    {
      C2gRoundsPad *pad = item->data;

      look (pad);
      if (pad->buffer != NULL)
        first = MIN (first, pad->begin);
      look_away (pad);
    }

  return first;
}

/* Finds the latest of the waiting buffers. Returns FALSE if no stream has one. */
static gboolean
find_latest (C2gRound *round)
{
  gboolean has_buffers = FALSE;

  for (GList *item = round->pads; item != NULL; item = item->next)
    {
      const C2gRoundsPad *pad = item->data;

      if (pad->buffer == NULL)
        continue;
      if (!has_buffers || (GST_CLOCK_TIME_IS_VALID (pad->begin) &&
                           (!GST_CLOCK_TIME_IS_VALID (round->time) || pad->begin > round->time)))
        {
          round->time = pad->begin;
          round->duration =
            GST_CLOCK_TIME_IS_VALID (pad->end) ? pad->end - pad->begin : GST_BUFFER_DURATION (pad->buffer);
        }
      has_buffers = TRUE;
    }

  return has_buffers;
}

/* Drops buffers that ended before the round. Returns TRUE if there were any: then a later one may
 * arrive. */
static gboolean
drop_old (const C2gRound *round,
          gboolean        is_missed)
{
  gboolean is_dropped = FALSE;

  for (GList *item = round->pads; GST_CLOCK_TIME_IS_VALID (round->time) && item != NULL; item = item->next)
    {
      C2gRoundsPad *pad = item->data;

      if (pad->buffer == NULL || !(is_missed || is_old (pad, round->time)))
        continue;
      GST_DEBUG_OBJECT (pad, "Dropped, for the round is at %" GST_TIME_FORMAT ": %" GST_PTR_FORMAT,
                        GST_TIME_ARGS (round->time), pad->buffer);
      leave_queue (pad);
      is_dropped = TRUE;
    }

  return is_dropped;
}

static GstFlowReturn
take (C2gRounds      *self,
      const C2gRound *round)
{
  C2gRoundsPrivate *priv = c2g_rounds_get_instance_private (self);

  for (GList *item = round->pads; item != NULL; item = item->next)
    if (((C2gRoundsPad *) item->data)->buffer != NULL)
      leave_queue (item->data);
  priv->last = round->time;

  return C2G_ROUNDS_GET_CLASS (self)->take (self, round);
}

static GstFlowReturn
end (C2gRounds      *self,
     const C2gRound *round)
{
  GstFlowReturn flow = GST_FLOW_OK;

  for (GList *item = round->pads; item != NULL; item = item->next)
    if (!gst_aggregator_pad_is_eos (item->data))
      return GST_AGGREGATOR_FLOW_NEED_DATA;
  if (C2G_ROUNDS_GET_CLASS (self)->drain != NULL)
    flow = C2G_ROUNDS_GET_CLASS (self)->drain (self);

  return flow == GST_FLOW_OK ? GST_FLOW_EOS : flow;
}

static GstFlowReturn
c2g_rounds_aggregate (GstAggregator *aggregator,
                      gboolean       is_late)
{
  C2gRounds *self = C2G_ROUNDS (aggregator);
  C2gRoundsPrivate *priv = c2g_rounds_get_instance_private (self);
  C2gRound round = { c2g_rounds_list_pads (self), GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE };
  GstFlowReturn flow;

  g_list_foreach (round.pads, (GFunc) look, NULL);
  if (!find_latest (&round))
    flow = end (self, &round);
  else if (drop_old (&round, is_late && GST_CLOCK_TIME_IS_VALID (priv->last) && round.time <= priv->last))
    flow = GST_AGGREGATOR_FLOW_NEED_DATA;
  else
    flow = take (self, &round);
  g_list_foreach (round.pads, (GFunc) look_away, NULL);
  g_list_free_full (round.pads, gst_object_unref);

  return flow;
}

/* Called in the thread of the source pad, after the buffers that came before the event. */
static gboolean
c2g_rounds_sink_event (GstAggregator    *aggregator,
                       GstAggregatorPad *pad,
                       GstEvent         *event)
{
  C2gRoundsPad *self = (C2gRoundsPad *) pad;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS)
    {
      gst_event_parse_caps (event, &caps);
      gst_caps_replace (&self->caps, caps);
      gst_pad_mark_reconfigure (GST_AGGREGATOR_SRC_PAD (aggregator));
    }
  else if (c2g_gst_labels_is_event (event))
    {
      gst_event_replace (&self->labels, event);
      g_atomic_int_set (&self->has_new_labels, TRUE);
    }
  /* GstAggregator takes a gap of time in a stream without time for a programming error. */
  else if (GST_EVENT_TYPE (event) != GST_EVENT_GAP || pad->segment.format == GST_FORMAT_TIME)
    return GST_AGGREGATOR_CLASS (c2g_rounds_parent_class)->sink_event (aggregator, pad, event);
  gst_event_unref (event);

  return TRUE;
}

/* Drops buffers outside of the segment: they have no running time. */
static GstBuffer *
c2g_rounds_clip (GstAggregator    *aggregator,
                 GstAggregatorPad *pad,
                 GstBuffer        *buffer)
{
  const GstClockTime begin = GST_BUFFER_PTS (buffer);
  const GstClockTime length = GST_BUFFER_DURATION (buffer);
  const GstClockTime end = GST_CLOCK_TIME_IS_VALID (length) ? begin + length : GST_CLOCK_TIME_NONE;
  guint64 from, to;

  if (pad->segment.format != GST_FORMAT_TIME || !GST_CLOCK_TIME_IS_VALID (begin))
    return buffer;
  if (!gst_segment_clip (&pad->segment, GST_FORMAT_TIME, begin, end, &from, &to))
    {
      GST_DEBUG_OBJECT (pad, "Dropped, for it is not in the segment: %" GST_PTR_FORMAT, buffer);
      gst_buffer_unref (buffer);
      return NULL;
    }
  if (from == begin && (to == end || !GST_CLOCK_TIME_IS_VALID (end)))
    return buffer;

  buffer = c2g_gst_copy_make_writable (GST_ELEMENT (aggregator), buffer);
  if (buffer == NULL)
    return NULL;
  GST_BUFFER_PTS (buffer) = from;
  if (GST_CLOCK_TIME_IS_VALID (end))
    GST_BUFFER_DURATION (buffer) = to - from;

  return buffer;
}

static GstFlowReturn
c2g_rounds_flush (GstAggregator *aggregator)
{
  C2gRoundsPrivate *priv = c2g_rounds_get_instance_private (C2G_ROUNDS (aggregator));

  priv->last = GST_CLOCK_TIME_NONE;

  return GST_FLOW_OK;
}

/* A new stream begins with caps and class names of its own. */
static void
forget (C2gRoundsPad *self)
{
  gst_clear_caps (&self->caps);
  gst_clear_event (&self->labels);
  g_atomic_int_set (&self->has_new_labels, FALSE);
}

static gboolean
c2g_rounds_stop (GstAggregator *aggregator)
{
  g_autolist (GstObject) pads = c2g_rounds_list_pads (C2G_ROUNDS (aggregator));

  g_list_foreach (pads, (GFunc) forget, NULL);

  return GST_AGGREGATOR_GET_CLASS (aggregator)->flush (aggregator) == GST_FLOW_OK;
}

static void
c2g_rounds_release_pad (GstElement *element,
                        GstPad     *pad)
{
  GST_ELEMENT_CLASS (c2g_rounds_parent_class)->release_pad (element, pad);
  gst_pad_mark_reconfigure (GST_AGGREGATOR_SRC_PAD (element));
}

static void
c2g_rounds_class_init (C2gRoundsClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstAggregatorClass *aggregator_class = GST_AGGREGATOR_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_rounds_debug, "c2grounds", 0, "moments of several streams");
  gst_type_mark_as_plugin_api (C2G_TYPE_ROUNDS, 0);
  gst_type_mark_as_plugin_api (C2G_TYPE_ROUNDS_PAD, 0);

  element_class->release_pad = c2g_rounds_release_pad;
  gst_element_class_add_static_pad_template_with_gtype (element_class, &sink_template, C2G_TYPE_ROUNDS_PAD);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  aggregator_class->aggregate = c2g_rounds_aggregate;
  aggregator_class->get_next_time = c2g_rounds_get_next_time;
  aggregator_class->sink_event = c2g_rounds_sink_event;
  aggregator_class->clip = c2g_rounds_clip;
  aggregator_class->flush = c2g_rounds_flush;
  aggregator_class->stop = c2g_rounds_stop;
}

static void
c2g_rounds_init (C2gRounds *self)
{
  C2gRoundsPrivate *priv = c2g_rounds_get_instance_private (self);

  priv->last = GST_CLOCK_TIME_NONE;
  gst_pad_add_probe (GST_AGGREGATOR_SRC_PAD (self), GST_PAD_PROBE_TYPE_BUFFER, buffer_cb, self, NULL);
}
