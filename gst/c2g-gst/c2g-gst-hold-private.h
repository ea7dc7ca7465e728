/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Keeps buffers while tensors use them.
 *
 * A pool reuses a buffer as soon as nobody holds it. So a tensor holds the buffer and not only its
 * memory. Sinks announce C2G_GST_MAX_HELD buffers to pools. If a pool cannot make more buffers,
 * tensors beyond that number get a copy; otherwise the stream would stop. */
#define C2G_GST_MAX_HELD 2

typedef struct
{
  GstBuffer *buffer;
  /* Counts the held buffers of the pool; NULL if the buffer has no pool. */
  int       *n_held;
} C2gGstHold;

void     c2g_gst_hold_init   (C2gGstHold       *self,
                              GstBuffer        *buffer);
void     c2g_gst_hold_clear  (C2gGstHold       *self);
/* Returns TRUE if the pool would have no free buffers left, so that this one must be copied and
 * released. */
gboolean c2g_gst_hold_starves (const C2gGstHold *self);

G_END_DECLS
