/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-rate.h"

G_BEGIN_DECLS

/* Caps that follow from the buffers of a stream. Zeros are a stream without buffers. */
typedef struct
{
  GstCaps *caps;
  /* Identifies the tensors that CAPS describe, by their rate and the name, type and dimensions of each. */
  GString *key;
} C2gGstFollow;

/* Makes caps for a buffer. Returns TRUE if they differ from those of the buffer before. */
gboolean c2g_gst_follow_update (C2gGstFollow *self,
                                GstBuffer    *buffer,
                                C2gGstRate    rate);
/* Forgets the caps, so that the next buffer has new ones. */
void     c2g_gst_follow_clear  (C2gGstFollow *self);

G_END_DECLS
