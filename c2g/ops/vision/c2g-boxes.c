/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/vision/c2g-boxes-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <math.h>

/* Geometry of boxes: regression deltas, clipping, and overlap, also of rotated ones. */

/* log (1000 / 16): bound on the logarithm of the factor that deltas scale a box by. */
#define MAX_LOG_STRETCH 4.135166556742356f

const C2gKernelArgument c2g_box_transform_arguments[] = {
  C2G_ARG_FLOATS (C2gBoxTransform, given_weights, n_weights, "weights"),
  C2G_ARG_BOOLEAN (C2gBoxTransform, rotated, "rotated", FALSE),
  C2G_ARG_BOOLEAN (C2gBoxTransform, has_plus_one, "legacy_plus_one", TRUE),
  /* The last version of Caffe2 always corrects coordinates. Older nets ask for it by this
   * argument. */
  C2G_ARG_BOOLEAN (C2gBoxTransform, corrects, "correct_transform_coords", TRUE),
  C2G_ARG_BOOLEAN (C2gBoxTransform, angle_bound_on, "angle_bound_on", TRUE),
  C2G_ARG_INT (C2gBoxTransform, angle_bound_lo, "angle_bound_lo", -90),
  C2G_ARG_INT (C2gBoxTransform, angle_bound_hi, "angle_bound_hi", 90),
  C2G_ARG_FLOAT (C2gBoxTransform, clip_angle_thresh, "clip_angle_thresh", 1),
  { 0 },
};

gboolean
c2g_box_transform_set_up (C2gBoxTransform  *self,
                          GError          **error)
{
  const gint64 period = (gint64) self->angle_bound_hi - self->angle_bound_lo;

  for (gsize i = 0; i < 4; i++)
    self->weights[i] = self->n_weights == 4 ? self->given_weights[i] : 1;
  self->plus_one = self->has_plus_one ? 1 : 0;
  self->offset = self->corrects ? self->plus_one : 0;

  if (self->n_weights != 0 && self->n_weights != 4)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” has %zu numbers, expected %d"), "weights", self->n_weights, 4);
  else if (self->angle_bound_on && (period <= 0 || period % 180 != 0))
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The argument “%s” is %d, which is out of range"), "angle_bound_hi",
                 self->angle_bound_hi);
  else
    return TRUE;
  return FALSE;
}

static float
bound_angle (const C2gBoxTransform *self,
             float                  angle)
{
  const float period = (float) self->angle_bound_hi - (float) self->angle_bound_lo;

  if (!self->angle_bound_on)
    return angle;
  if (angle < (float) self->angle_bound_lo)
    return angle + period;
  return angle > (float) self->angle_bound_hi ? angle - period : angle;
}

void
c2g_box_transform (const C2gBoxTransform *self,
                   const float           *box,
                   const float           *deltas,
                   float                 *result)
{
  const float dx = deltas[0] / self->weights[0], dy = deltas[1] / self->weights[1];
  const float stretch_x = expf (fminf (deltas[2] / self->weights[2], MAX_LOG_STRETCH));
  const float stretch_y = expf (fminf (deltas[3] / self->weights[3], MAX_LOG_STRETCH));
  float width, height, x, y;

  if (self->rotated)
    {
      result[0] = dx * box[2] + box[0];
      result[1] = dy * box[3] + box[1];
      result[2] = stretch_x * box[2];
      result[3] = stretch_y * box[3];
      result[4] = bound_angle (self, deltas[4] * 180 / (float) G_PI + box[4]);
      return;
    }

  width = box[2] - box[0] + self->plus_one;
  height = box[3] - box[1] + self->plus_one;
  x = dx * width + box[0] + 0.5f * width;
  y = dy * height + box[1] + 0.5f * height;
  width *= stretch_x;
  height *= stretch_y;
  result[0] = x - 0.5f * width;
  result[1] = y - 0.5f * height;
  result[2] = x + 0.5f * width - self->offset;
  result[3] = y + 0.5f * height - self->offset;
}

static void
clip_corners (const C2gBoxTransform *self,
              float                  height,
              float                  width,
              float                 *box)
{
  for (guint i = 0; i < 4; i++)
    box[i] = fmaxf (fminf (box[i], (i % 2 == 0 ? width : height) - self->plus_one), 0);
}

void
c2g_box_clip (const C2gBoxTransform *self,
              float                  height,
              float                  width,
              float                 *box)
{
  float corners[4];

  if (!self->rotated)
    {
      clip_corners (self, height, width, box);
      return;
    }
  if (!(fabsf (box[4]) <= self->clip_angle_thresh))
    return;

  for (guint i = 0; i < 2; i++)
    {
      corners[i] = box[i] - (box[2 + i] - self->plus_one) / 2;
      corners[2 + i] = box[i] + (box[2 + i] - self->plus_one) / 2;
    }
  clip_corners (self, height, width, corners);
  for (guint i = 0; i < 2; i++)
    {
      box[i] = (corners[i] + corners[2 + i]) / 2;
      box[2 + i] = corners[2 + i] - corners[i] + self->plus_one;
    }
}

static float
get_area (const float *box,
          gboolean     rotated,
          float        plus_one)
{
  if (rotated)
    return box[2] * box[3];
  return (box[2] - box[0] + plus_one) * (box[3] - box[1] + plus_one);
}

/* The intersection has at most 4 corners of one box and 4 intersections with the other. */

#define MAX_CORNERS 8

typedef struct
{
  double x;
  double y;
} Point;

typedef struct
{
  Point points[MAX_CORNERS];
  guint n;
} Polygon;

static void
find_corners (const float *box,
              Polygon     *polygon)
{
  static const double signs[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  /* Angles are counter-clockwise, but y points down. */
  const double angle = -box[4] * G_PI / 180;
  const double c = cos (angle) / 2, s = sin (angle) / 2;

  polygon->n = 4;
  for (guint i = 0; i < 4; i++)
    {
      const double x = signs[i][0] * fabsf (box[2]), y = signs[i][1] * fabsf (box[3]);

      polygon->points[i] = (Point) { box[0] + c * x - s * y, box[1] + s * x + c * y };
    }
}

/* Cross product of b - a and point - a. Its sign is the side of the line from a to b. */
static double
side (Point a,
      Point b,
      Point point)
{
  return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

/* Clips the polygon by the half-plane at the line from a to b (Sutherland-Hodgman). */
static void
cut (Polygon *polygon,
     Point    a,
     Point    b)
{
  const Polygon old = *polygon;

  polygon->n = 0;
  for (guint i = 0; i < old.n; i++)
    {
      const Point from = old.points[i], to = old.points[(i + 1) % old.n];
      const double from_side = side (a, b, from), to_side = side (a, b, to);

      if (from_side >= 0 && polygon->n < MAX_CORNERS)
        polygon->points[polygon->n++] = from;
      if ((from_side < 0) != (to_side < 0) && polygon->n < MAX_CORNERS)
        {
          const double t = from_side / (from_side - to_side);

          polygon->points[polygon->n++] =
            (Point) { from.x + t * (to.x - from.x), from.y + t * (to.y - from.y) };
        }
    }
}

static float
intersect_rotated (const float *a,
                   const float *b)
{
  Polygon left, right;
  double area = 0;

  find_corners (a, &left);
  find_corners (b, &right);
  for (guint i = 0; i < 4; i++)
    cut (&left, right.points[i], right.points[(i + 1) % 4]);

  for (guint i = 2; i < left.n; i++)
    area += side (left.points[0], left.points[i - 1], left.points[i]);
  return (float) (fabs (area) / 2);
}

static float
intersect_upright (const float *a,
                   const float *b,
                   float        plus_one)
{
  const float width = fminf (a[2], b[2]) - fmaxf (a[0], b[0]) + plus_one;
  const float height = fminf (a[3], b[3]) - fmaxf (a[1], b[1]) + plus_one;

  return fmaxf (width, 0) * fmaxf (height, 0);
}

float
c2g_box_overlap (const float *a,
                 const float *b,
                 gboolean     rotated,
                 float        plus_one)
{
  const float both = rotated ? intersect_rotated (a, b) : intersect_upright (a, b, plus_one);

  return both / (get_area (a, rotated, plus_one) + get_area (b, rotated, plus_one) - both);
}
