/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-pixels.h"

#include "c2g-gst-view.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* Draws a picture that a model made, such as a map of classes, over a video frame. Each pixel of the
 * frame is mapped to a point of the picture, because the model may have seen only a part of the frame,
 * scaled. */

gboolean
c2g_gst_pixels_init (C2gGstPixels      *self,
                     const C2gGstView  *view,
                     gint64             width,
                     gint64             height,
                     guint              n_channels,
                     GError           **error)
{
  const gint64 dims[] = { height, width, n_channels };

  if (!c2g_tensor_resize (view->scratch, dims, G_N_ELEMENTS (dims), error))
    return FALSE;
  *self = (C2gGstPixels) { c2g_tensor_mutable_data (view->scratch, C2G_DATA_TYPE_UINT8, error),
                           width, height, n_channels };

  return self->pixels != NULL;
}

/* The affine map from points of the frame to points of the picture: two rows of three numbers. */
typedef double Matrix[6];

/* Inverts the map from the picture that the model made into the frame. Returns FALSE if it has no
 * inverse. */
static gboolean
invert (const C2gGstPixels *self,
        const C2gGstView   *view,
        Matrix              matrix)
{
  double width, height, x0, y0, xx, yx, xy, yy, area;

  c2g_gst_view_get_size (view, &width, &height);
  c2g_gst_view_map (view, 0, 0, &x0, &y0);
  c2g_gst_view_map (view, width / self->width, 0, &xx, &yx);
  c2g_gst_view_map (view, 0, height / self->height, &xy, &yy);
  xx -= x0;
  yx -= y0;
  xy -= x0;
  yy -= y0;
  area = xx * yy - xy * yx;

  matrix[0] = yy / area;
  matrix[1] = -xy / area;
  matrix[2] = (xy * y0 - yy * x0) / area;
  matrix[3] = -yx / area;
  matrix[4] = xx / area;
  matrix[5] = (yx * x0 - xx * y0) / area;
  for (guint i = 0; i < 6; i++)
    if (!isfinite (matrix[i]))
      return FALSE;

  return TRUE;
}

static const guint8 *
pixel_at (const C2gGstPixels *self,
          double              x,
          double              y)
{
  const gint64 column = CLAMP (x, 0, self->width - 1), row = CLAMP (y, 0, self->height - 1);

  return self->pixels + (row * self->width + column) * self->n_channels;
}

/* Mixes the four pixels around a point. */
static void
mix (const C2gGstPixels *self,
     double              x,
     double              y,
     guint8             *to)
{
  const double left = floor (x - 0.5), top = floor (y - 0.5);
  const double right_part = x - 0.5 - left, bottom_part = y - 0.5 - top;
  const guint8 *pixels[] = { pixel_at (self, left, top), pixel_at (self, left + 1, top),
                             pixel_at (self, left, top + 1), pixel_at (self, left + 1, top + 1) };

  for (guint c = 0; c < self->n_channels; c++)
    {
      const double above = pixels[0][c] + right_part * (pixels[1][c] - pixels[0][c]);
      const double below = pixels[2][c] + right_part * (pixels[3][c] - pixels[2][c]);

      to[c] = rint (above + bottom_part * (below - above));
    }
}

static void
paint_pixel (const C2gGstPixels *self,
             double              x,
             double              y,
             gboolean            is_smooth,
             guint8             *to)
{
  const gboolean is_inside = x >= 0 && y >= 0 && x < self->width && y < self->height;

  if (is_inside && is_smooth)
    mix (self, x, y, to);
  else
    for (guint c = 0; c < self->n_channels; c++)
      to[c] = is_inside ? pixel_at (self, x, y)[c] : 0;
}

gboolean
c2g_gst_pixels_paint (const C2gGstPixels  *self,
                      const C2gGstView    *view,
                      gboolean             is_smooth,
                      GstVideoFrame       *frame,
                      GError             **error)
{
  Matrix m;

  if (!invert (self, view, m))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                           _("The picture of the model cannot be laid over the frame"));
      return FALSE;
    }
  for (int y = 0; y < view->height; y++)
    {
      guint8 *to = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0) +
                   (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

      for (int x = 0; x < view->width; x++, to += self->n_channels)
        paint_pixel (self, m[0] * (x + 0.5) + m[1] * (y + 0.5) + m[2],
                     m[3] * (x + 0.5) + m[4] * (y + 0.5) + m[5], is_smooth, to);
    }

  return TRUE;
}

/* The colors of Pascal VOC: the bits of a class are spread over the high bits of three bytes. */
void
c2g_gst_pixels_set_color (guint8  class,
                          guint8 *rgb)
{
  memset (rgb, 0, 3);
  for (guint i = 0; class != 0; i++, class >>= 3)
    for (guint c = 0; c < 3; c++)
      rgb[c] |= (class >> c & 1) << (7 - i);
}
