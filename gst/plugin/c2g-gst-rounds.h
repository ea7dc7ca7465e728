/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstaggregator.h>

G_BEGIN_DECLS

/* The base of elements that take the buffers of several streams in rounds, one buffer of each stream. */

#define C2G_TYPE_ROUNDS_PAD (c2g_rounds_pad_get_type ())
#define C2G_TYPE_ROUNDS     (c2g_rounds_get_type ())

G_DECLARE_DERIVABLE_TYPE (C2gRounds, c2g_rounds, C2G, ROUNDS, GstAggregator)

/* A sink pad.  The fields belong to the thread of the source pad. */
typedef struct
{
  GstAggregatorPad  parent_instance;

  /* Put before the names of tensors; NULL for nothing.  Under the lock of the pad. */
  char             *prefix;
  GstCaps          *caps;
  /* Names of classes; NULL if there are none. */
  GstEvent         *labels;
  /* Set atomically where the labels or the prefix change. */
  gboolean          has_new_labels;
  /* The buffer of this round, or NULL if the stream has none: it is late, or has ended. */
  GstBuffer        *buffer;
  /* Running times of that buffer.  The end is GST_CLOCK_TIME_NONE if it is not known. */
  GstClockTime      begin;
  GstClockTime      end;
  /* The running time of the buffer before, and the time from one buffer to the next.  Under the lock of the pad,
   * since one pad may be flushed while the others go on. */
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
  /* The C2gRoundsPads in the order of their numbers. */
  GList        *pads;
  /* The running time of the latest buffer; GST_CLOCK_TIME_NONE if no stream has times. */
  GstClockTime  time;
  GstClockTime  duration;
} C2gRound;

struct _C2gRoundsClass
{
  GstAggregatorClass  parent_class;

  /* Takes the buffers of a round. */
  GstFlowReturn     (*take)  (C2gRounds      *self,
                              const C2gRound *round);
  /* Pushes what is left when all streams have ended; may be NULL. */
  GstFlowReturn     (*drain) (C2gRounds      *self);
};

/* Lists the C2gRoundsPads in the order of their numbers. */
GList         *c2g_rounds_list_pads  (C2gRounds    *self);
/* Makes a buffer for the source pad. */
GstBuffer     *c2g_rounds_new_buffer (C2gRounds    *self,
                                      GstClockTime  time,
                                      GstClockTime  duration);
/* Pushes a buffer behind the caps and the names of classes.  Takes buffer. */
GstFlowReturn  c2g_rounds_push       (C2gRounds    *self,
                                      GstBuffer    *buffer);
/* Returns the name that a tensor of a stream gets. */
char          *c2g_rounds_pad_dup_name (C2gRoundsPad *self,
                                        const char   *name);

G_END_DECLS
