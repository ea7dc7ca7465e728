/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <math.h>

/* PriorBox: the boxes that SSD (Single Shot MultiBox Detector, 2016) in Caffe starts from.
 *
 * Inputs: a map of features and the images, NCHW or NHWC, of which only the sizes matter. Output
 * (1, 2, H · W · P · 4): for each pixel of the map P boxes (x1, y1, x2, y2) in parts of the image,
 * and as many variances. Pixel (i, j) has its boxes at ((j + offset) step_w, (i + offset) step_h);
 * steps are as large as the pixel by default. For each min_size there are, in this order,
 *
 * a square of min_size,
 * a square of sqrt (min_size · max_size), if there is max_size,
 * boxes of min_size · sqrt (ratio) by min_size / sqrt (ratio), for each ratio other than 1,
 *
 * where the ratios are those of aspect_ratio, without repetitions, and with flip each is followed
 * by its inverse. As in Caffe, the fraction of min_size and of max_size is cut off.
 *
 * clip limits boxes to the image.  variance is one number for all (0.1 by default), or one for each
 * of the four.  img_size, or img_h and img_w, take the place of the images' size. The rules are
 * those of SSD's Caffe. The operator runs on the CPU only. */

/* Limit on the number of ratios, which are compared with each other. */
#define MAX_RATIOS 256

typedef struct
{
  gint64 height;
  gint64 width;
} Size;

typedef struct
{
  const float *min_sizes;
  gsize        n_sizes;
  /* NULL, or as many. */
  const float *max_sizes;
  gsize        n_max_sizes;
  const float *given_ratios;
  gsize        n_given_ratios;
  gboolean     flip;
  const float *given_variances;
  gsize        n_given_variances;
  float        ratios[MAX_RATIOS];
  guint        n_ratios;
  float        variances[4];
  gboolean     clip;
  gboolean     channels_last;
  /* 0 for that of the images. */
  Size         image;
  /* 0 for the size of a pixel. */
  float        step_h;
  float        step_w;
  float        offset;
} PriorState;

static gboolean
has_ratio (const PriorState *self,
           float             ratio)
{
  for (guint i = 0; i < self->n_ratios; i++)
    if (fabs ((double) ratio - self->ratios[i]) < 1e-6)
      return TRUE;
  return fabs (ratio - 1.0) < 1e-6;
}

static gboolean
set_ratios (PriorState  *self,
            GError     **error)
{
  for (gsize i = 0; i < self->n_given_ratios; i++)
    {
      const float ratio = self->given_ratios[i];

      if (has_ratio (self, ratio))
        continue;
      if (self->n_ratios + 2 > MAX_RATIOS)
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("The argument “%s” has %zu numbers, expected %d"), "aspect_ratio",
                         self->n_given_ratios, MAX_RATIOS);
      self->ratios[self->n_ratios++] = ratio;
      if (self->flip)
        self->ratios[self->n_ratios++] = (float) (1.0 / ratio);
    }

  return TRUE;
}

/* Checks that there are as many numbers as expected. */
static gboolean
check_number (const char  *name,
              gsize        n,
              gsize        expected,
              GError     **error)
{
  if (n == expected)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “%s” has %zu numbers, expected %d"), name, n, (int) expected);
}

static gboolean
check_sizes (PriorState  *self,
             GError     **error)
{
  if (self->n_sizes == 0)
    return c2g_fail (error, C2G_ERROR_RANGE, _("The argument “%s” has %zu numbers, expected %d"),
                     "min_size", self->n_sizes, 1);
  if (self->n_max_sizes == 0)
    self->max_sizes = NULL;
  if (self->max_sizes != NULL &&
      !check_number ("max_size", self->n_max_sizes, self->n_sizes, error))
    return FALSE;
  for (gsize i = 0; i < self->n_max_sizes; i++)
    if (self->max_sizes[i] <= self->min_sizes[i])
      return c2g_fail (error, C2G_ERROR_RANGE, _("The argument “%s” is %g, which is out of range"),
                       "max_size", self->max_sizes[i]);

  return TRUE;
}

static gboolean
set_variances (PriorState  *self,
               GError     **error)
{
  const gsize n = self->n_given_variances;

  if (n > 1 && !check_number ("variance", n, 4, error))
    return FALSE;
  for (gsize i = 0; i < 4; i++)
    self->variances[i] = n == 0 ? 0.1f : self->given_variances[n == 4 ? i : 0];
  return TRUE;
}

/* Checks that one is given, or two others, or none. */
static gboolean
check_spelling (C2gOperator  *op,
                const char   *one,
                const char   *height,
                const char   *width,
                GError      **error)
{
  const gboolean has_height = c2g_operator_has_argument (op, height);
  const gboolean has_width = c2g_operator_has_argument (op, width);

  if (has_height == has_width && !(has_height && c2g_operator_has_argument (op, one)))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("There must be an argument “%s”, or “%s” and “%s”, or none of them"), one,
                   height, width);
}

static gboolean
check_image (C2gOperator       *op,
             const PriorState  *self,
             GError           **error)
{
  const gboolean is_size = c2g_operator_has_argument (op, "img_size");
  const char *side = self->image.height > 0 ? "img_w" : "img_h";

  if ((self->image.height > 0 && self->image.width > 0) ||
      !(is_size || c2g_operator_has_argument (op, "img_h")))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("The argument “%s” is %" PRId64 ", which is out of range"),
                   is_size ? "img_size" : side, (gint64) 0);
}

static gboolean
prior_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  PriorState *self = state;

  return check_spelling (op, "img_size", "img_h", "img_w", error) &&
         check_spelling (op, "step", "step_h", "step_w", error) &&
         check_image (op, self, error) && check_sizes (self, error) &&
         set_ratios (self, error) && set_variances (self, error);
}

static gboolean
read_size (C2gOperator       *op,
           const PriorState  *self,
           guint              input,
           Size              *size,
           GError           **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_UNDEFINED, error);

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_dims != 4)
    return c2g_operator_set_shape_error (op, input, error, _("%d dimensions"), 4);

  size->height = tensor->dims[self->channels_last ? 1 : 2];
  size->width = tensor->dims[self->channels_last ? 2 : 3];
  return TRUE;
}

/* The boxes of a pixel: where their center is, what they are divided by, and the next one. */
typedef struct
{
  Size   image;
  float  x;
  float  y;
  float *box;
} Place;

static void
put_box (Place  *place,
         double  width,
         double  height)
{
  place->box[0] = (float) ((place->x - width / 2) / (double) place->image.width);
  place->box[1] = (float) ((place->y - height / 2) / (double) place->image.height);
  place->box[2] = (float) ((place->x + width / 2) / (double) place->image.width);
  place->box[3] = (float) ((place->y + height / 2) / (double) place->image.height);
  place->box += 4;
}

static void
put_pixel (const PriorState *self,
           Place            *place)
{
  for (gsize i = 0; i < self->n_sizes; i++)
    {
      const double size = truncf (self->min_sizes[i]);

      put_box (place, size, size);
      if (self->max_sizes != NULL)
        {
          const double mean = sqrt (size * truncf (self->max_sizes[i]));

          put_box (place, mean, mean);
        }
      for (guint k = 0; k < self->n_ratios; k++)
        put_box (place, size * sqrt (self->ratios[k]), size / sqrt (self->ratios[k]));
    }
}

static void
put_priors (const PriorState *self,
            Size              map,
            Size              image,
            float            *boxes,
            gint64            n)
{
  const gboolean has_steps = self->step_h > 0 && self->step_w > 0;
  const float step_h = has_steps ? self->step_h : (float) image.height / (float) map.height;
  const float step_w = has_steps ? self->step_w : (float) image.width / (float) map.width;
  Place place = { .image = image, .box = boxes };

  for (gint64 i = 0; i < map.height; i++)
    for (gint64 j = 0; j < map.width; j++)
      {
        place.x = ((float) j + self->offset) * step_w;
        place.y = ((float) i + self->offset) * step_h;
        put_pixel (self, &place);
      }
  for (gint64 i = 0; self->clip && i < n; i++)
    boxes[i] = CLAMP (boxes[i], 0, 1);
  for (gint64 i = 0; i < n; i++)
    boxes[n + i] = self->variances[i % 4];
}

static gboolean
prior_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  const PriorState *self = state;
  const gint64 n_each = 1 + (self->max_sizes != NULL) + self->n_ratios;
  Size map = { 0 }, image = { 0 };
  gint64 dims[] = { 1, 2, 0 };
  C2gTensor *y;

  if (!read_size (op, self, 0, &map, error) || !read_size (op, self, 1, &image, error) ||
      !c2g_shape_count ((gint64[]) { map.height, map.width, (gint64) self->n_sizes, n_each, 4 }, 5,
                        &dims[2], error))
    return FALSE;
  if (self->image.height > 0)
    image = self->image;
  if (map.height > 0 && map.width > 0 && (image.height == 0 || image.width == 0))
    return c2g_operator_set_shape_error (op, 1, error, _("a height and a width that are not 0"));
  y = c2g_operator_output (op, 0, dims, G_N_ELEMENTS (dims), C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;

  if (y->n_elements > 0)
    put_priors (self, map, image, c2g_tensor_address (y), dims[2]);
  return TRUE;
}

#define POSITIVE C2G_RANGE (C2G_ABOVE_0, (float) G_MAXINT32)

static const C2gKernel kernels[] = {
  {
    .type = "PriorBox",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (
      C2G_ARG_FLOATS (PriorState, min_sizes, n_sizes, "min_size", POSITIVE, C2G_REQUIRED),
      C2G_ARG_FLOATS (PriorState, max_sizes, n_max_sizes, "max_size", POSITIVE),
      C2G_ARG_FLOATS (PriorState, given_ratios, n_given_ratios, "aspect_ratio", POSITIVE),
      C2G_ARG_BOOLEAN (PriorState, flip, "flip", TRUE),
      C2G_ARG_FLOATS (PriorState, given_variances, n_given_variances, "variance", POSITIVE),
      C2G_ARG_INT (PriorState, image.height, "img_h", 0, C2G_RANGE (0, G_MAXINT32),
                   C2G_ELSE ("img_size")),
      C2G_ARG_INT (PriorState, image.width, "img_w", 0, C2G_RANGE (0, G_MAXINT32),
                   C2G_ELSE ("img_size")),
      C2G_ARG_FLOAT (PriorState, step_h, "step_h", 0, C2G_RANGE (0, FLT_MAX), C2G_ELSE ("step")),
      C2G_ARG_FLOAT (PriorState, step_w, "step_w", 0, C2G_RANGE (0, FLT_MAX), C2G_ELSE ("step")),
      C2G_ARG_READ ("img_size step"),
      C2G_ARG_BOOLEAN (PriorState, clip, "clip", FALSE),
      C2G_ARG_FLOAT (PriorState, offset, "offset", 0.5, C2G_RANGE (-FLT_MAX, FLT_MAX)),
      C2G_ARG_ORDER (PriorState, channels_last)),
    .state_size = sizeof (PriorState),
    .set_up = prior_set_up,
    .run = prior_run,
    .infer = prior_run,
    .summary = "Boxes of several sizes and proportions around each pixel of a map, as in SSD",
  },
};

C2G_OPS_FAMILY (prior_box);
