/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Buffers that tensors hold.
 *
 * A pool takes a buffer back that nobody holds, and gives its memory to the next writer.  So a tensor
 * holds the buffer, not only its memory.  Sinks tell pools of so many buffers.  Where a pool can make
 * no more buffers, a tensor beyond that number has a copy, or the stream would stand still. */
#define C2G_GST_MAX_HELD 2

typedef struct
{
  GstBuffer *buffer;
  /* How many buffers of its pool are held; NULL without a pool. */
  int       *n_held;
} C2gGstHold;

void     c2g_gst_hold_init   (C2gGstHold       *self,
                              GstBuffer        *buffer);
void     c2g_gst_hold_clear  (C2gGstHold       *self);
/* Returns TRUE if the pool runs out of buffers unless this one is copied and let go. */
gboolean c2g_gst_hold_starves (const C2gGstHold *self);

G_END_DECLS
