/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-pixels.h"
#include "c2g-gst-view.h"

#include <math.h>

/* mode=picture: shows a picture made by the model, for example in another style. It has one (gray),
 * three or four channels (the fourth is ignored), in the order given by the element's properties.
 * Values are converted back to bytes, value / scale + mean, rounded and clamped. NaN becomes black. */

static guint8
get_value (const C2gGstView *view,
           const float      *values,
           gint64            n_pixels,
           gint64            n_channels,
           gint64            pixel,
           guint             c)
{
  const C2gPictureForm *form = &view->form;
  const guint place = form->channels[0] == 'B' ? 2 - c : c;
  const guint channel = n_channels == 1 ? 0 : place;
  const guint parameter = MIN (channel, form->n_channels - 1);
  const double value = values[form->is_nhwc ? pixel * n_channels + channel : channel * n_pixels + pixel];
  const double byte = form->data_type == C2G_DATA_TYPE_UINT8 ? value : value / form->scale[parameter] + form->mean[parameter];

  return byte > 0 ? rint (MIN (byte, 255)) : 0;
}

gboolean
c2g_gst_picture_paint (const C2gGstView  *view,
                       GstVideoFrame     *frame,
                       GError           **error)
{
  gint64 dims[3];
  const float *values = c2g_gst_view_read (view->tensor, dims, G_N_ELEMENTS (dims));
  const guint shift = view->form.is_nhwc ? 0 : 1;
  const gint64 n_channels = values != NULL ? dims[view->form.is_nhwc ? 2 : 0] : 0;
  C2gGstPixels picture;
  gint64 n;

  if (n_channels != 1 && n_channels != 3 && n_channels != 4)
    {
      c2g_gst_view_set_error (view->tensor, view->form.is_nhwc ? "[1, H, W, 3]" : "[1, 3, H, W]", error);
      return FALSE;
    }
  if (!c2g_gst_pixels_init (&picture, view, dims[shift + 1], dims[shift], 3, error))
    return FALSE;

  n = dims[shift] * dims[shift + 1];
  for (gint64 i = 0; i < n; i++)
    for (guint c = 0; c < 3; c++)
      picture.pixels[3 * i + c] = get_value (view, values, n, n_channels, i, c);

  return c2g_gst_pixels_paint (&picture, view, TRUE, frame, error);
}
