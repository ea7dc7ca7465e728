/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-view.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Gives decoders the floats of a tensor, and the map from the model's picture to the frame. */

const float *
c2g_gst_view_read (C2gTensor *tensor,
                   gint64    *dims,
                   gsize      n_dims)
{
  gsize n;
  const gint64 *all = c2g_tensor_get_dims (tensor, &n);

  for (gsize i = 0; i + n_dims < n; i++)
    if (all[i] != 1)
      return NULL;
  if (n < n_dims || c2g_tensor_get_n_elements (tensor) == 0)
    return NULL;
  memcpy (dims, all + n - n_dims, n_dims * sizeof *dims);

  return c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
}

char *
c2g_gst_view_describe (C2gTensor *tensor)
{
  C2gTensor *given = g_object_get_data (G_OBJECT (tensor), C2G_GST_VIEW_GIVEN);

  return c2g_tensor_to_string (given != NULL ? given : tensor, 0);
}

void
c2g_gst_view_set_error (C2gTensor   *tensor,
                        const char  *expected,
                        GError     **error)
{
  g_autofree char *text = c2g_gst_view_describe (tensor);

  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("Expected a tensor %s, got %s"), expected, text);
}

gboolean
c2g_gst_view_fits (const C2gGstView *view,
                   C2gGstGeometry   *geometry)
{
  return geometry == NULL || view->width == 0 ||
         (c2g_gst_geometry_get_width (geometry) == (guint) view->width &&
          c2g_gst_geometry_get_height (geometry) == (guint) view->height);
}

/* The picture is the middle of the frame, or contains the frame in its middle. */
static double
measure (double frame,
         double first,
         double step)
{
  const double size = (frame - 2 * first) / step;

  return size > 0 && size <= G_MAXINT ? size : MAX (frame, 1);
}

void
c2g_gst_view_get_size (const C2gGstView *view,
                       double           *width,
                       double           *height)
{
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;

  c2g_gst_view_map (view, 0, 0, &x0, &y0);
  c2g_gst_view_map (view, 1, 1, &x1, &y1);
  *width = view->form.width > 0 ? view->form.width : measure (view->width, x0, x1 - x0);
  *height = view->form.height > 0 ? view->form.height : measure (view->height, y0, y1 - y0);
}

void
c2g_gst_view_map (const C2gGstView *view,
                  double            x,
                  double            y,
                  double           *frame_x,
                  double           *frame_y)
{
  /* Without a geometry, assumes that the picture is the whole frame. */
  *frame_x = view->form.width > 0 && view->width > 0 ? x * view->width / view->form.width : x;
  *frame_y = view->form.height > 0 && view->height > 0 ? y * view->height / view->form.height : y;
  if (view->geometry != NULL)
    c2g_gst_geometry_map_point (view->geometry, x, y, frame_x, frame_y);
}
