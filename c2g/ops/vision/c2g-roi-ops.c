/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Pooling of regions of interest (RoI). Regions are rows [image, x1, y1, x2, y2] in pixels of the
 * original picture; spatial_scale converts them to the feature map. The output has n regions × C
 * channels × pooled_h × pooled_w bins, in the order of X.  Nothing is in place.
 *
 * RoIAlign: X (N, C, H, W) or NHWC; a row may lack the image, which is then 0. Bin = mean of
 * sampling_ratio² samples, ceil (bin size) per axis by default, each interpolated bilinearly.
 * With aligned, coordinates are shifted by -0.5 and regions have no minimum size of 1.
 *
 * RoIPool: X is NCHW.  Bin i of n covers pixels floor (i size / n) to ceil ((i + 1) size / n) of
 * the rounded region along an axis; the result is their maximum, 0 for an empty bin. Output 1, if
 * present, is the index of the maximum in its plane, -1 for none.
 *
 * The rules are those of Caffe2's operators of the same names. Both operators run on the CPU
 * only. */

/* MAX_RATIO bounds the work per bin. MAX_SAMPLE is 2^52: above it a double has no fraction. */
#define MAX_RATIO 65536

#define MAX_SAMPLE 4503599627370496.0

/* A pixel index along one axis with its interpolation weight. A list of taps ends with index
 * -1. */
typedef struct
{
  gint64 index;
  float  weight;
} Tap;

typedef struct
{
  gint64     n_rows;
  gint64     n_columns;
  float      scale;
  int        ratio;
  gboolean   is_aligned;
  gboolean   is_test;
  gboolean   channels_last;

  /* Arrays of Tap for the bins of the current region, per axis. */
  C2gScratch rows;
  C2gScratch columns;
} RoiState;

static gboolean
pool_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  if (!((RoiState *) state)->is_test || c2g_operator_get_n_outputs (op) == 1)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("There are %u outputs, expected %u when “is_test” is %d"),
                   c2g_operator_get_n_outputs (op), 1, 1);
}

static void
roi_clear (gpointer state)
{
  RoiState *self = state;

  c2g_scratch_clear (&self->rows);
  c2g_scratch_clear (&self->columns);
}

/* The images X and the rows of regions. */
typedef struct
{
  C2gOperator *op;
  const float *x;
  gint64       n_images;
  gint64       n_channels;
  gint64       height;
  gint64       width;

  const float *regions;
  gint64       n;
  gint64       n_numbers;
  float        scale;
} RoiInputs;

/* A region in pixels of the feature map, that is, after spatial_scale. */
typedef struct
{
  gint64 image;
  float  x1;
  float  y1;
  float  x2;
  float  y2;
} Region;

static gboolean
read_images (RoiInputs    *self,
             C2gOperator  *op,
             gboolean      channels_last,
             GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  gsize first;

  if (x == NULL)
    return FALSE;
  first = channels_last ? 1 : 2;
  if (x->n_dims != 4 || x->dims[first] < 1 || x->dims[first + 1] < 1)
    return c2g_operator_set_shape_error (op, 0, error,
                                         _("four dimensions, the height and the width not 0"));
  self->x = c2g_tensor_address (x);
  self->n_images = x->dims[0];
  self->n_channels = x->dims[channels_last ? 3 : 1];
  self->height = x->dims[first];
  self->width = x->dims[first + 1];
  return TRUE;
}

static gboolean
read_regions (RoiInputs    *self,
              C2gOperator  *op,
              GError      **error)
{
  C2gTensor *regions = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);

  if (regions == NULL)
    return FALSE;
  if (regions->n_elements > 0 &&
      (regions->n_dims != 2 || (regions->dims[1] != 4 && regions->dims[1] != 5)))
    return c2g_operator_set_shape_error (op, 1, error, _("rows of %u or %u numbers"), 4, 5);
  self->op = op;
  self->regions = c2g_tensor_address (regions);
  self->n = regions->n_elements > 0 ? regions->dims[0] : 0;
  self->n_numbers = regions->n_elements > 0 ? regions->dims[1] : 0;
  return TRUE;
}

static gboolean
fail_region (const RoiInputs  *self,
             gint64            i,
             const char       *expected,
             GError          **error)
{
  const float *corners = self->regions + (i + 1) * self->n_numbers - 4;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has the box [%g, %g, %g, %g] at %" PRId64 ", expected %s"), 1,
                   c2g_operator_input_name (self->op, 1), corners[0], corners[1], corners[2],
                   corners[3], i, expected);
}

static gboolean
get_region (const RoiInputs  *self,
            gint64            i,
            Region           *region,
            GError          **error)
{
  const float *row = self->regions + i * self->n_numbers;
  const float image = self->n_numbers == 5 ? *row++ : 0;

  if (!(image >= 0 && image < (float) self->n_images))
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Input %u, “%s”, has the image %g at %" PRId64
                       ", expected at least %" PRId64 " and less than %" PRId64),
                     1,
                     c2g_operator_input_name (self->op, 1), image, i, (gint64) 0, self->n_images);

  *region = (Region) { (gint64) image, row[0] * self->scale, row[1] * self->scale,
                       row[2] * self->scale, row[3] * self->scale };
  return (isfinite (region->x1) && isfinite (region->y1) &&
          isfinite (region->x2 - region->x1) && isfinite (region->y2 - region->y1)) ||
         fail_region (self, i, _("finite numbers that are not too large"), error);
}

/* RoIAlign */

static gboolean
reserve_taps (C2gScratch *self,
              gint64      n_bins,
              gint64      n_each,
              GError    **error)
{
  gsize n;

  if (!g_size_checked_mul (&n, n_bins, n_each + 1))
    n = G_MAXSIZE;
  return c2g_scratch_extend (self, n, sizeof (Tap), error);
}

/* Adds weight to the tap of this index, or appends a new tap. Indices never decrease, so only the
 * last two taps can match. */
static Tap *
add_tap (const Tap *begin,
         Tap       *end,
         gint64     index,
         float      weight)
{
  for (Tap *tap = end; tap > begin && tap > end - 2; tap--)
    if (tap[-1].index == index)
      {
        tap[-1].weight += weight;
        return end;
      }
  *end = (Tap) { index, weight };
  return end + 1;
}

/* Sample i of a bin is at first + (i + 0.5) step. */
typedef struct
{
  float  first;
  float  step;
  /* Number of samples. A double, because ceil (bin size) can exceed every integer type. */
  double n;
} Samples;

/* Computes the taps of one bin. Samples outside of [-1, size] count as 0; others are clamped to
 * the image. */
static void
find_taps (const Samples *samples,
           gint64         size,
           Tap           *taps)
{
  const float weight = (float) (1 / fmax (samples->n, 1));
  double begin = 0, end = samples->n;
  Tap *tap = taps;

  if (samples->step > 0)
    {
      begin = CLAMP (floor ((-1 - samples->first) / samples->step) - 1, 0, samples->n);
      end = CLAMP (ceil (((double) size - samples->first) / samples->step) + 1, 0, samples->n);
    }
  /* The index would not be exact, and the region is far outside of the image. */
  if (begin > MAX_SAMPLE)
    end = begin = 0;
  for (gint64 i = (gint64) begin; (double) i < end; i++)
    {
      const float at = samples->first + ((float) i + 0.5f) * samples->step;
      const float inside = fmaxf (fminf (at, (float) (size - 1)), 0);
      const gint64 low = MIN ((gint64) inside, size - 1);
      const float part = inside - (float) low;

      if (!(at >= -1 && at <= (float) size))
        continue;
      tap = add_tap (taps, tap, low, weight * (1 - part));
      tap = add_tap (taps, tap, MIN (low + 1, size - 1), weight * part);
    }
  tap->index = -1;
}

/* Computes the taps of all bins along one axis.  *n_each is the most taps that a bin can have. */
static gboolean
find_axis (const RoiState  *state,
           C2gScratch      *self,
           float            start,
           float            length,
           gint64           n_bins,
           gint64           size,
           gint64          *n_each,
           GError         **error)
{
  const float bin = length / (float) n_bins;
  const double n_samples = state->ratio > 0 ? state->ratio : ceil (bin);
  Samples samples = { start, n_samples > 0 ? bin / (float) n_samples : 0, n_samples };

  *n_each = 2 * n_samples < (double) size ? (gint64) (2 * n_samples) : size;
  if (!reserve_taps (self, n_bins, *n_each, error))
    return FALSE;
  for (gint64 i = 0; i < n_bins; i++)
    {
      samples.first = start + (float) i * bin;
      find_taps (&samples, size, (Tap *) self->items + i * (*n_each + 1));
    }
  return TRUE;
}

static float
sample_plane (const float *plane,
              gint64       width,
              const Tap   *rows,
              const Tap   *columns)
{
  float sum = 0;

  for (; rows->index >= 0; rows++)
    {
      const float *line = plane + rows->index * width;
      float part = 0;

      for (const Tap *column = columns; column->index >= 0; column++)
        part += column->weight * line[column->index];
      sum += rows->weight * part;
    }
  return sum;
}

C2G_HOT static void
add_pixel (const float *x,
           float        weight,
           float       *y,
           gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    y[i] += weight * x[i];
}

/* Computes one bin for all channels of an NHWC image. */
static void
sample_pixels (const RoiInputs *x,
               const float     *image,
               const Tap       *rows,
               const Tap       *columns,
               float           *y)
{
  memset (y, 0, x->n_channels * sizeof (float));
  for (; rows->index >= 0; rows++)
    for (const Tap *column = columns; column->index >= 0; column++)
      add_pixel (image + (rows->index * x->width + column->index) * x->n_channels,
                 rows->weight * column->weight, y, x->n_channels);
}

static gboolean
align_region (RoiState         *self,
              const RoiInputs  *x,
              gint64            i,
              float            *y,
              GError          **error)
{
  const float offset = self->is_aligned ? 0.5f : 0;
  const float least = self->is_aligned ? 0 : 1;
  const gint64 size = x->height * x->width;
  gint64 n_row_taps, n_column_taps;
  const float *image;
  Region region;

  if (!get_region (x, i, &region, error))
    return FALSE;
  if (self->is_aligned && (region.x2 < region.x1 || region.y2 < region.y1))
    return fail_region (x, i, _("a last corner that is not before the first"), error);
  if (!find_axis (self, &self->rows, region.y1 - offset, fmaxf (region.y2 - region.y1, least),
                  self->n_rows, x->height, &n_row_taps, error) ||
      !find_axis (self, &self->columns, region.x1 - offset, fmaxf (region.x2 - region.x1, least),
                  self->n_columns, x->width, &n_column_taps, error))
    return FALSE;

  image = x->x + region.image * x->n_channels * size;
  for (gint64 channel = 0; channel < (self->channels_last ? 1 : x->n_channels); channel++)
    for (gint64 row = 0; row < self->n_rows; row++)
      for (gint64 column = 0; column < self->n_columns; column++)
        {
          const Tap *rows = (const Tap *) self->rows.items + row * (n_row_taps + 1);
          const Tap *columns = (const Tap *) self->columns.items + column * (n_column_taps + 1);

          if (self->channels_last)
            {
              sample_pixels (x, image, rows, columns, y);
              y += x->n_channels;
            }
          else
            *y++ = sample_plane (image + channel * size, x->width, rows, columns);
        }
  return TRUE;
}

static C2gTensor *
make_output (const RoiState   *self,
             const RoiInputs  *x,
             guint             output,
             C2gDataType       data_type,
             GError          **error)
{
  const gint64 planes[] = { x->n, x->n_channels, self->n_rows, self->n_columns };
  const gint64 pixels[] = { x->n, self->n_rows, self->n_columns, x->n_channels };

  return c2g_operator_output (x->op, output, self->channels_last ? pixels : planes, 4, data_type,
                              error);
}

static gboolean
align_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  RoiState *self = state;
  RoiInputs x = { .scale = self->scale };
  C2gTensor *output;

  if (!read_images (&x, op, self->channels_last, error) || !read_regions (&x, op, error))
    return FALSE;
  output = make_output (self, &x, 0, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;

  for (gint64 i = 0; i < x.n && !c2g_interrupt_is_wanted (); i++)
    if (!align_region (self, &x, i,
                       (float *) c2g_tensor_address (output) + i * (output->n_elements / x.n),
                       error))
      return FALSE;
  return TRUE;
}

/* RoIPool */

/* Computes the range of pixels of a bin along an axis, clipped to the image. */
static void
find_range (float   start,
            float   end,
            gint64  n_bins,
            gint64  bin,
            gint64  size,
            gint64 *first,
            gint64 *last)
{
  const double begin = round (start);
  const float length = (float) fmax (round (end) - begin + 1, 1) / (float) n_bins;

  *first = (gint64) CLAMP (floorf ((float) bin * length) + begin, 0, (double) size);
  *last = (gint64) CLAMP (ceilf ((float) (bin + 1) * length) + begin, 0, (double) size);
}

/* Returns the index of the largest pixel, or -1 if the bin is empty or has only NaN or -FLT_MAX. */
static gint64
find_largest (const RoiInputs *x,
              const float     *plane,
              const gint64    *rows,
              const gint64    *columns)
{
  float largest = -FLT_MAX;
  gint64 found = -1;

  for (gint64 i = rows[0]; i < rows[1]; i++)
    for (gint64 j = columns[0]; j < columns[1]; j++)
      if (plane[i * x->width + j] > largest)
        {
          found = i * x->width + j;
          largest = plane[found];
        }
  return found;
}

static void
pool_plane (const RoiState  *self,
            const RoiInputs *x,
            const Region    *region,
            const float     *plane,
            float           *y,
            gint32          *places)
{
  gint64 rows[2], columns[2];

  for (gint64 i = 0; i < self->n_rows; i++)
    {
      find_range (region->y1, region->y2, self->n_rows, i, x->height, &rows[0], &rows[1]);
      for (gint64 j = 0; j < self->n_columns; j++)
        {
          const gint64 at = i * self->n_columns + j;
          gint64 found;

          find_range (region->x1, region->x2, self->n_columns, j, x->width, &columns[0],
                      &columns[1]);
          found = find_largest (x, plane, rows, columns);
          if (found >= 0)
            y[at] = plane[found];
          else
            y[at] = rows[0] < rows[1] && columns[0] < columns[1] ? -FLT_MAX : 0;
          if (places != NULL)
            places[at] = (gint32) found;
        }
    }
}

static gboolean
make_places (const RoiState   *self,
             const RoiInputs  *x,
             gint32          **places,
             GError          **error)
{
  C2gTensor *output;

  *places = NULL;
  if (c2g_operator_get_n_outputs (x->op) < 2)
    return TRUE;
  if (x->height > G_MAXINT32 / x->width)
    return c2g_operator_set_shape_error (x->op, 0, error, _("fewer elements"));
  output = make_output (self, x, 1, C2G_DATA_TYPE_INT32, error);
  if (output == NULL)
    return FALSE;
  *places = c2g_tensor_address (output);
  return TRUE;
}

static gboolean
pool_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  RoiState *self = state;
  RoiInputs x = { .scale = self->scale };
  const gint64 n_bins = self->n_rows * self->n_columns;
  C2gTensor *output;
  gint32 *places;

  if (!read_images (&x, op, FALSE, error) || !read_regions (&x, op, error))
    return FALSE;
  if (x.n > 0 && x.n_numbers != 5)
    return c2g_operator_set_shape_error (op, 1, error, _("rows of %d numbers"), 5);
  output = make_output (self, &x, 0, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL || !make_places (self, &x, &places, error))
    return FALSE;

  for (gint64 i = 0; output->n_elements > 0 && i < x.n && !c2g_interrupt_is_wanted (); i++)
    {
      Region region;

      if (!get_region (&x, i, &region, error))
        return FALSE;
      for (gint64 channel = 0; channel < x.n_channels; channel++)
        {
          const gint64 at = (i * x.n_channels + channel) * n_bins;

          pool_plane (self, &x, &region,
                      x.x + (region.image * x.n_channels + channel) * x.height * x.width,
                      (float *) c2g_tensor_address (output) + at,
                      places != NULL ? places + at : NULL);
        }
    }
  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_INT (RoiState, n_rows, "pooled_h", 1, C2G_RANGE (1, G_MAXINT32)),
  C2G_ARG_INT (RoiState, n_columns, "pooled_w", 1, C2G_RANGE (1, G_MAXINT32)),
  C2G_ARG_FLOAT (RoiState, scale, "spatial_scale", 1, C2G_RANGE (C2G_ABOVE_0, FLT_MAX)),
  { 0 },
};

static const C2gKernel kernels[] = {
  {
    .type = "RoIAlign",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (C2G_ARG_BASE (arguments), C2G_ARG_ORDER (RoiState, channels_last),
                           C2G_ARG_INT (RoiState, ratio, "sampling_ratio", -1,
                                        C2G_RANGE (G_MININT32, MAX_RATIO)),
                           C2G_ARG_BOOLEAN (RoiState, is_aligned, "aligned", FALSE)),
    .state_size = sizeof (RoiState),
    .run = align_run,
    .infer = align_run,
    .clear = roi_clear,
    .summary = "Regions of images in bins, means of samples between the pixels",
  },
  {
    .type = "RoIPool",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 2,
    .arguments = C2G_ARGS (C2G_ARG_BASE (arguments), C2G_ARG_NCHW,
                           C2G_ARG_BOOLEAN (RoiState, is_test, "is_test", FALSE)),
    .state_size = sizeof (RoiState),
    .set_up = pool_set_up,
    .run = pool_run,
    .infer = pool_run,
    .clear = roi_clear,
    .summary = "Regions of images in bins, the largest of the pixels",
  },
};

C2G_OPS_FAMILY (roi);
