/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-geometry.h>

#include <c2g-gst/c2g-gst-private.h>

#include <math.h>
#include <string.h>

/**
 * C2gGstGeometry:
 *
 * Maps points of a tensor to a video frame.
 *
 * It is an affine map from pixels of the tensor to pixels of the frame, with the size of that frame.
 * At first this is the frame that the tensor was made from. A geometry is immutable.
 *
 * When `videoscale` scales a frame, the scaled frame has a new geometry, in its own pixels. If the
 * scaled frame has another display aspect ratio, it may have borders, and where the picture lies is
 * not known. Its geometry then has a size of 0 × 0, and maps all points to 0, 0.
 *
 * Elements that crop, pad or rotate a frame do not change the geometry. So before you draw into a
 * frame, compare its size with that of the geometry.
 */
struct _C2gGstGeometry
{
  int    ref_count;
  guint  width;
  guint  height;
  /* Two rows of an affine transformation: point in the frame = matrix × (x, y, 1). */
  double matrix[6];
};

G_DEFINE_BOXED_TYPE (C2gGstGeometry, c2g_gst_geometry, c2g_gst_geometry_ref, c2g_gst_geometry_unref)

/**
 * c2g_gst_geometry_new:
 * @width: width of the frame in pixels
 * @height: its height
 * @matrix: (array fixed-size=6): xx, xy, x0, yx, yy, y0: a point (x, y) of the tensor is
 *   (xx·x + xy·y + x0, yx·x + yy·y + y0) in the frame
 *
 * Creates a geometry.
 *
 * Returns: (transfer full): a geometry
 */
C2gGstGeometry *
c2g_gst_geometry_new (guint         width,
                      guint         height,
                      const double *matrix)
{
  C2gGstGeometry *self;

  g_return_val_if_fail (matrix != NULL, NULL);

  self = g_new (C2gGstGeometry, 1);
  self->ref_count = 1;
  self->width = width;
  self->height = height;
  memcpy (self->matrix, matrix, sizeof self->matrix);

  return self;
}

/* Rounds to pixels. Sizes that no frame has become the largest number, as a cast alone would be undefined. */
static guint
round_size (double size)
{
  return MIN (rint (size), G_MAXUINT);
}

C2gGstGeometry *
c2g_gst_geometry_scale (C2gGstGeometry *self,
                        double          x,
                        double          y)
{
  const double *m = self->matrix;
  const double matrix[] = { x * m[0], x * m[1], x * m[2], y * m[3], y * m[4], y * m[5] };

  return c2g_gst_geometry_new (round_size (x * self->width), round_size (y * self->height), matrix);
}

/**
 * c2g_gst_geometry_ref:
 * @self: a geometry
 *
 * Takes a reference. Thread-safe.
 *
 * Returns: (transfer full): the same geometry
 */
C2gGstGeometry *
c2g_gst_geometry_ref (C2gGstGeometry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->ref_count);

  return self;
}

/**
 * c2g_gst_geometry_unref:
 * @self: (transfer full): a geometry
 *
 * Drops a reference. Thread-safe.
 */
void
c2g_gst_geometry_unref (C2gGstGeometry *self)
{
  g_return_if_fail (self != NULL);

  if (g_atomic_int_dec_and_test (&self->ref_count))
    g_free (self);
}

/**
 * c2g_gst_geometry_get_width:
 * @self: a geometry
 *
 * Gets the width of the frame.
 *
 * Returns: pixels, or 0 if the place of the tensor in the frame is not known
 */
guint
c2g_gst_geometry_get_width (C2gGstGeometry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->width;
}

/**
 * c2g_gst_geometry_get_height:
 * @self: a geometry
 *
 * Gets the height of the frame.
 *
 * Returns: pixels, or 0 if the place of the tensor in the frame is not known
 */
guint
c2g_gst_geometry_get_height (C2gGstGeometry *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->height;
}

/**
 * c2g_gst_geometry_map_point:
 * @self: a geometry
 * @x: x coordinate in the tensor, from the left
 * @y: y coordinate, from the top
 * @source_x: (out): x coordinate in the frame
 * @source_y: (out): y coordinate in the frame
 *
 * Maps a point of the tensor to the frame.
 */
void
c2g_gst_geometry_map_point (C2gGstGeometry *self,
                            double          x,
                            double          y,
                            double         *source_x,
                            double         *source_y)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (source_x != NULL && source_y != NULL);

  *source_x = self->matrix[0] * x + self->matrix[1] * y + self->matrix[2];
  *source_y = self->matrix[3] * x + self->matrix[4] * y + self->matrix[5];
}
