/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Boxes in pictures: the corners (x1, y1, x2, y2), or where they are rotated the center, the
 * size and the angle in degrees (x, y, width, height, angle). */

#define C2G_BOX_MAX 5

static inline guint
c2g_box_n_numbers (gboolean rotated)
{
  return rotated ? 5 : 4;
}

/* How boxes are changed by deltas. */
typedef struct
{
  float    weights[4];
  gboolean rotated;
  /* Whether the last pixel belongs to a box: 1 or 0. */
  float    plus_one;
  /* What is taken from the last corner again. */
  float    offset;
  gboolean angle_bound_on;
  float    angle_bound_lo;
  float    angle_bound_hi;
  float    clip_angle_thresh;
} C2gBoxTransform;

/* Reads all but plus_one from arguments, which legacy_plus_one is. */
void c2g_box_transform_read (C2gBoxTransform       *self,
                             C2gArguments          *arguments);
void c2g_box_transform      (const C2gBoxTransform *self,
                             const float           *box,
                             const float           *deltas,
                             float                 *result);
/* Puts it into an image; rotated ones only if they are almost upright. */
void c2g_box_clip           (const C2gBoxTransform *self,
                             float                  height,
                             float                  width,
                             float                 *box);

float c2g_box_area          (const float *box,
                             gboolean     rotated,
                             float        plus_one);
/* How much of two boxes together both have. */
float c2g_box_overlap       (const float *a,
                             const float *b,
                             gboolean     rotated,
                             float        plus_one);

G_END_DECLS
