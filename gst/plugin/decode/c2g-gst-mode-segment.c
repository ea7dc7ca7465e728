/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-pixels.h"
#include "c2g-gst-view.h"

/* mode=segment: shows a class for each pixel. The tensor is either scores (1, classes, height,
 * width), of which the highest one determines the class, or one plane with the classes. GRAY8
 * frames contain the class, up to 255; RGB frames a color for each class. NaN scores are ignored. */

static guint8
find_class (const float *scores,
            gint64       n_classes,
            gint64       n_pixels)
{
  gint64 best = 0;

  if (n_classes == 1)
    return scores[0] > 0 ? MIN (scores[0], 255) : 0;
  for (gint64 i = 1; i < MIN (n_classes, 256); i++)
    if (!(scores[i * n_pixels] <= scores[best * n_pixels]) && scores[i * n_pixels] == scores[i * n_pixels])
      best = i;

  return best;
}

gboolean
c2g_gst_segment_paint (const C2gGstView  *view,
                       GstVideoFrame     *frame,
                       GError           **error)
{
  gint64 dims[3];
  const float *scores = c2g_gst_view_read (view->tensor, dims, G_N_ELEMENTS (dims));
  C2gGstPixels picture;
  gint64 n;

  if (scores == NULL)
    {
      c2g_gst_view_set_error (view->tensor, "[1, C, H, W]", error);
      return FALSE;
    }
  if (!c2g_gst_pixels_init (&picture, view, dims[2], dims[1], GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 0), error))
    return FALSE;

  n = dims[1] * dims[2];
  for (gint64 i = 0; i < n; i++)
    {
      const guint8 class = find_class (scores + i, dims[0], n);

      if (picture.n_channels == 3)
        c2g_gst_pixels_set_color (class, picture.pixels + 3 * i);
      else
        picture.pixels[i] = class;
    }

  return c2g_gst_pixels_paint (&picture, view, FALSE, frame, error);
}
