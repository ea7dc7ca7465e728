/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-rate.h"

#include <gst/base/gstaggregator.h>

G_BEGIN_DECLS

/* Base class of elements that read several streams in rounds, one buffer of each stream: see
 * c2g-gst-rounds.c. */

#define C2G_TYPE_ROUNDS_PAD (c2g_rounds_pad_get_type ())
#define C2G_TYPE_ROUNDS     (c2g_rounds_get_type ())

G_DECLARE_DERIVABLE_TYPE (C2gRounds, c2g_rounds, C2G, ROUNDS, GstAggregator)

/* A sink pad. The members belong to the thread of the source pad, unless stated. */
typedef struct
{
  GstAggregatorPad  parent_instance;

  /* Prefix for the names of tensors, or NULL. Protected by the object lock of the pad. */
  char             *prefix;
  GstCaps          *caps;
  /* The event with class names, or NULL. */
  GstEvent         *labels;
  /* Atomic. Set when the labels or the prefix change. */
  gboolean          has_new_labels;
  /* The buffer of this round. NULL if the stream is late or has ended. */
  GstBuffer        *buffer;
  /* Running times of the buffer; END is GST_CLOCK_TIME_NONE if it is unknown. */
  GstClockTime      begin;
  GstClockTime      end;
  /* Running time of the previous buffer, and the interval between buffers. Protected by the object
   * lock of the pad, because one pad can be flushed while the others go on. */
  GstClockTime      last;
  GstClockTime      step;
} C2gRoundsPad;

typedef struct
{
  GstAggregatorPadClass  parent_class;
} C2gRoundsPadClass;

GType c2g_rounds_pad_get_type (void);

typedef struct
{
  /* The pads (C2gRoundsPad), sorted by number. */
  GList        *pads;
  /* Running time of the latest buffer; GST_CLOCK_TIME_NONE if no buffer has a time. */
  GstClockTime  time;
  GstClockTime  duration;
} C2gRound;

struct _C2gRoundsClass
{
  GstAggregatorClass  parent_class;

  /* Processes the buffers of a round. */
  GstFlowReturn     (*take)  (C2gRounds      *self,
                              const C2gRound *round);
  /* Pushes what is left at the end of all streams; may be NULL. */
  GstFlowReturn     (*drain) (C2gRounds      *self);
};

/* Returns the pads (C2gRoundsPad), sorted by number. */
GList         *c2g_rounds_list_pads  (C2gRounds    *self);
/* Returns the rate of the slowest stream, which is that of the rounds. */
C2gGstRate     c2g_rounds_get_rate   (C2gRounds    *self);
/* Makes a buffer for the source pad. TIME and DURATION are those of a clock, as in a round. */
GstBuffer     *c2g_rounds_new_buffer (C2gRounds    *self,
                                      GstClockTime  time,
                                      GstClockTime  duration);
/* Returns the name for a tensor of this stream: its prefix and NAME. */
char          *c2g_rounds_pad_dup_name (C2gRoundsPad *self,
                                        const char   *name);

G_END_DECLS
