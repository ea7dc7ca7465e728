/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Boxes in images: the corners (x1, y1, x2, y2). Rotated boxes have the center, the size and the
 * angle in degrees: (x, y, width, height, angle). */

#define C2G_BOX_MAX 5

static inline guint
c2g_box_n_numbers (gboolean rotated)
{
  return rotated ? 5 : 4;
}

/* Parameters for applying regression deltas to boxes. */
typedef struct
{
  float        weights[4];
  const float *given_weights;
  gsize        n_weights;
  gboolean     rotated;
  gboolean     has_plus_one;
  gboolean     corrects;
  /* 1 if the pixel at (x2, y2) belongs to the box (width = x2 - x1 + 1), otherwise 0. */
  float        plus_one;
  /* Subtracted from x2 and y2 of the result, so that they name the last pixel again. */
  float        offset;
  gboolean     angle_bound_on;
  int          angle_bound_lo;
  int          angle_bound_hi;
  float        clip_angle_thresh;
} C2gBoxTransform;

extern const C2gKernelArgument c2g_box_transform_arguments[];

/* Makes the rest of the transform from the arguments. */
gboolean c2g_box_transform_set_up (C2gBoxTransform *self,
                                   GError         **error);
/* Applies the deltas to a box. */
void c2g_box_transform      (const C2gBoxTransform *self,
                             const float           *box,
                             const float           *deltas,
                             float                 *result);
/* Clips the box to the image. A rotated box is clipped only if its angle is at most
 * clip_angle_thresh. */
void c2g_box_clip           (const C2gBoxTransform *self,
                             float                  height,
                             float                  width,
                             float                 *box);

/* Returns intersection over union (IoU). */
float c2g_box_overlap       (const float *a,
                             const float *b,
                             gboolean     rotated,
                             float        plus_one);

G_END_DECLS
