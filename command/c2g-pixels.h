/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture.h"

G_BEGIN_DECLS

#define C2G_PIXELS_MAX_COMPONENTS 4

/* Where a component of a picture lies, such as green or luma.  It has a byte for each pixel. */
typedef struct
{
  guint    plane;
  /* Bytes from one pixel to the next, at most 4, and from the start of a pixel to the component. */
  gsize    step;
  gsize    offset;
  /* A component of half the width has the shift 1. */
  guint    x_shift;
  guint    y_shift;
  /* The first pixel of such a component lies on the first one of the picture, not between two. */
  gboolean is_x_cosited;
  gboolean is_y_cosited;
} C2gComponent;

enum
{
  C2G_PIXELS_R,
  C2G_PIXELS_G,
  C2G_PIXELS_B,
  C2G_PIXELS_A,
  C2G_PIXELS_GRAY,
  C2G_PIXELS_N_COLORS,
};

/* How the pixels of a picture lie in memory.  Each color is a sum of components, times the numbers of
 * its row, and of the last number of the row; it goes from 0 to 255. */
typedef struct
{
  int          width;
  int          height;
  C2gComponent components[C2G_PIXELS_MAX_COMPONENTS];
  float        colors[C2G_PIXELS_N_COLORS][C2G_PIXELS_MAX_COMPONENTS + 1];
} C2gPixels;

/* Makes tensors of pictures of one size, in one pass over the result. */
typedef struct _C2gPixelScaler C2gPixelScaler;

/* The form must have a size. */
C2gPixelScaler *c2g_pixel_scaler_new  (const C2gPixels       *pixels,
                                       const C2gPictureForm  *form,
                                       const C2gPictureFit   *fit);
void            c2g_pixel_scaler_free (C2gPixelScaler        *self);

/* Fills the elements of a tensor, which are bytes or float as the form says. */
void            c2g_pixel_scaler_run  (C2gPixelScaler        *self,
                                       const guint8 *const   *planes,
                                       const int             *strides,
                                       gpointer               elements);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gPixelScaler, c2g_pixel_scaler_free)

G_END_DECLS
