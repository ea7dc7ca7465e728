/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Buffers in a second, as the field “framerate” of caps has it: 0/1 if the rate varies. D is 0 if the
 * rate is not known. */
typedef struct
{
  int n;
  int d;
} C2gGstRate;

#define C2G_GST_RATE_UNKNOWN ((C2gGstRate) { 0, 0 })

/* Returns the rate of caps, which may be NULL. */
C2gGstRate  c2g_gst_rate_of       (GstCaps    *caps);
/* Returns the rate of which N make D buffers. */
C2gGstRate  c2g_gst_rate_multiply (C2gGstRate  self,
                                   gint64      n,
                                   gint64      d);
/* Returns the slower rate; an unknown one if one of them is unknown. */
C2gGstRate  c2g_gst_rate_min      (C2gGstRate  self,
                                   C2gGstRate  other);
/* Adds a rate to caps, unless it is unknown. Takes ownership of CAPS. */
GstCaps    *c2g_gst_rate_add_to   (C2gGstRate  self,
                                   GstCaps    *caps);

G_END_DECLS
