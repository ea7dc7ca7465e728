/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-rate.h"

/* The framerate of streams, which elements keep, or compute from those of their inputs. */

C2gGstRate
c2g_gst_rate_of (GstCaps *caps)
{
  C2gGstRate self;

  if (caps == NULL || gst_caps_is_empty (caps) ||
      !gst_structure_get_fraction (gst_caps_get_structure (caps, 0), "framerate", &self.n, &self.d))
    return C2G_GST_RATE_UNKNOWN;

  return self;
}

C2gGstRate
c2g_gst_rate_multiply (C2gGstRate self,
                       gint64     n,
                       gint64     d)
{
  if (self.d == 0 || n > G_MAXINT || d > G_MAXINT || !gst_util_fraction_multiply (self.n, self.d, n, d, &self.n, &self.d))
    return C2G_GST_RATE_UNKNOWN;

  return self;
}

C2gGstRate
c2g_gst_rate_min (C2gGstRate self,
                  C2gGstRate other)
{
  if (self.d == 0 || other.d == 0)
    return C2G_GST_RATE_UNKNOWN;

  return gst_util_fraction_compare (self.n, self.d, other.n, other.d) <= 0 ? self : other;
}

GstCaps *
c2g_gst_rate_add_to (C2gGstRate  self,
                     GstCaps    *caps)
{
  if (self.d == 0 || gst_caps_is_empty (caps))
    return caps;
  caps = gst_caps_make_writable (caps);
  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, self.n, self.d, NULL);

  return caps;
}
