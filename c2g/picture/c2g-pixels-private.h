/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

G_BEGIN_DECLS

#define C2G_PIXELS_MAX_COMPONENTS 4

/* The location of one component of a picture, such as green or luma. It has one byte for each
 * pixel. */
typedef struct
{
  guint    plane;
  /* Distance between pixels in bytes, at most 4, and offset of the component in a pixel. */
  gsize    step;
  gsize    offset;
  /* Subsampling: a component of half the width has x_shift 1. */
  guint    x_shift;
  guint    y_shift;
  /* TRUE if subsampled pixels are at every other pixel of the picture, FALSE if they are in
   * between. */
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

/* The layout of a picture in memory. Each color, from 0 to 255, is the sum of the components times
 * the factors in its row, plus the last number of the row. */
typedef struct
{
  int          width;
  int          height;
  C2gComponent components[C2G_PIXELS_MAX_COMPONENTS];
  float        colors[C2G_PIXELS_N_COLORS][C2G_PIXELS_MAX_COMPONENTS + 1];
} C2gPixels;

/* Converts pictures of one size to tensors, in one pass over the result. */
typedef struct _C2gPixelScaler C2gPixelScaler;

/* FORM must have a size. */
C2gPixelScaler *c2g_pixel_scaler_new  (const C2gPixels       *pixels,
                                       const C2gPictureForm  *form,
                                       const C2gPictureFit   *fit);
void            c2g_pixel_scaler_free (C2gPixelScaler        *self);

/* Fills the elements of a tensor, which are bytes or floats as FORM says. */
void            c2g_pixel_scaler_run  (C2gPixelScaler        *self,
                                       const guint8 *const   *planes,
                                       const int             *strides,
                                       gpointer               elements);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gPixelScaler, c2g_pixel_scaler_free)

G_END_DECLS
