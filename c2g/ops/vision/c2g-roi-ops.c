/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
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
 * The rules are those of Caffe2's operators of the same names. On CUDA kernels/roi.cu computes the
 * bins; where they lie is computed on the CPU, which must check the regions anyway. */

/* MAX_RATIO bounds the work per bin. MAX_SAMPLE is 2^52: above it a double has no fraction. */
#define MAX_RATIO 65536

#define MAX_SAMPLE 4503599627370496.0

typedef struct
{
  gint64     n_rows;
  gint64     n_columns;
  float      scale;
  int        ratio;
  gboolean   is_aligned;
  gboolean   is_test;
  gboolean   channels_last;

  /* C2gComputeSpan for each region: its rows of bins, then its columns. Those of RoIPool are ranges of
   * pixels, those of RoIAlign ranges of taps. */
  C2gScratch bins;
  gsize      n_bins;
  /* C2gComputeTap. */
  C2gScratch taps;
  gsize      n_taps;
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

  c2g_scratch_clear (&self->bins);
  c2g_scratch_clear (&self->taps);
}

/* The images X and the rows of regions. */
typedef struct
{
  C2gOperator *op;
  gboolean     is_max;
  const float *x;
  gint64       n_images;
  gint64       n_channels;
  gint64       height;
  gint64       width;

  const float *regions;
  /* The same on the operator's device. */
  const float *far_regions;
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
  C2gTensor *near = regions != NULL ? c2g_operator_bring_near (op, 1, regions, error) : NULL;

  if (near == NULL)
    return FALSE;
  if (regions->n_elements > 0 &&
      (regions->n_dims != 2 || (regions->dims[1] != 4 && regions->dims[1] != 5)))
    return c2g_operator_set_shape_error (op, 1, error, _("rows of %u or %u numbers"), 4, 5);
  self->op = op;
  self->regions = c2g_tensor_address (near);
  self->far_regions = c2g_tensor_address (regions);
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

static gboolean
add_bin (RoiState  *self,
         gint64     begin,
         gint64     end,
         GError   **error)
{
  if (!c2g_scratch_extend (&self->bins, self->n_bins + 1, sizeof (C2gComputeSpan), error))
    return FALSE;
  ((C2gComputeSpan *) self->bins.items)[self->n_bins++] = (C2gComputeSpan) { begin, end };
  return TRUE;
}

/* RoIAlign */

/* Adds weight to the tap of this index, or appends a new tap. Indices never decrease, so only the
 * last two taps can match. */
static C2gComputeTap *
add_tap (const C2gComputeTap *begin,
         C2gComputeTap       *end,
         gint64               index,
         float                weight)
{
  for (C2gComputeTap *tap = end; tap > begin && tap > end - 2; tap--)
    if (tap[-1].index == index)
      {
        tap[-1].weight += weight;
        return end;
      }
  *end = (C2gComputeTap) { index, weight };
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

/* Computes the taps of one bin, and returns the end of them. Samples outside of [-1, size] count as
 * 0; others are clamped to the image. */
static C2gComputeTap *
find_taps (const Samples *samples,
           gint64         size,
           C2gComputeTap *taps)
{
  const float weight = (float) (1 / fmax (samples->n, 1));
  double begin = 0, end = samples->n;
  C2gComputeTap *tap = taps;

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
  return tap;
}

/* Adds all bins along one axis. */
static gboolean
find_axis (RoiState  *self,
           float      start,
           float      length,
           gint64     n_bins,
           gint64     size,
           GError   **error)
{
  const float bin = length / (float) n_bins;
  const double n_samples = self->ratio > 0 ? self->ratio : ceil (bin);
  /* The most taps that a bin can have. */
  const gint64 n_most = 2 * n_samples < (double) size ? (gint64) (2 * n_samples) : size;
  Samples samples = { start, n_samples > 0 ? bin / (float) n_samples : 0, n_samples };

  for (gint64 i = 0; i < n_bins; i++)
    {
      const gsize begin = self->n_taps;
      C2gComputeTap *taps;

      if (!c2g_scratch_extend (&self->taps, begin + n_most, sizeof *taps, error))
        return FALSE;
      taps = self->taps.items;
      samples.first = start + (float) i * bin;
      self->n_taps = find_taps (&samples, size, taps + begin) - taps;
      if (!add_bin (self, begin, self->n_taps, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
plan_align (RoiState         *self,
            const RoiInputs  *x,
            gint64            i,
            const Region     *region,
            GError          **error)
{
  const float offset = self->is_aligned ? 0.5f : 0;
  const float least = self->is_aligned ? 0 : 1;

  if (self->is_aligned && (region->x2 < region->x1 || region->y2 < region->y1))
    return fail_region (x, i, _("a last corner that is not before the first"), error);
  return find_axis (self, region->y1 - offset, fmaxf (region->y2 - region->y1, least), self->n_rows, x->height,
                    error) &&
         find_axis (self, region->x1 - offset, fmaxf (region->x2 - region->x1, least), self->n_columns,
                    x->width, error);
}

static float
sample_plane (const RoiState       *self,
              const float          *plane,
              gint64                width,
              const C2gComputeSpan *row,
              const C2gComputeSpan *column)
{
  const C2gComputeTap *taps = self->taps.items;
  float sum = 0;

  for (gint64 i = row->begin; i < row->end; i++)
    {
      const float *line = plane + taps[i].index * width;
      float part = 0;

      for (gint64 k = column->begin; k < column->end; k++)
        part += taps[k].weight * line[taps[k].index];
      sum += taps[i].weight * part;
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
sample_pixels (const RoiState       *self,
               const RoiInputs      *x,
               const float          *image,
               const C2gComputeSpan *row,
               const C2gComputeSpan *column,
               float                *y)
{
  const C2gComputeTap *taps = self->taps.items;

  memset (y, 0, x->n_channels * sizeof (float));
  for (gint64 i = row->begin; i < row->end; i++)
    for (gint64 k = column->begin; k < column->end; k++)
      add_pixel (image + (taps[i].index * x->width + taps[k].index) * x->n_channels,
                 taps[i].weight * taps[k].weight, y, x->n_channels);
}

static void
align_region (const RoiState  *self,
              const RoiInputs *x,
              const float     *image,
              float           *y)
{
  const C2gComputeSpan *rows = self->bins.items, *columns = rows + self->n_rows;
  const gint64 size = x->height * x->width;

  for (gint64 channel = 0; channel < (self->channels_last ? 1 : x->n_channels); channel++)
    for (gint64 row = 0; row < self->n_rows; row++)
      for (gint64 column = 0; column < self->n_columns; column++)
        {
          if (self->channels_last)
            {
              sample_pixels (self, x, image, &rows[row], &columns[column], y);
              y += x->n_channels;
            }
          else
            *y++ = sample_plane (self, image + channel * size, x->width, &rows[row], &columns[column]);
        }
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

/* RoIPool */

/* Adds the ranges of pixels of all bins along an axis, clipped to the image. */
static gboolean
find_ranges (RoiState  *self,
             float      start,
             float      end,
             gint64     n_bins,
             gint64     size,
             GError   **error)
{
  const double begin = round (start);
  const float length = (float) fmax (round (end) - begin + 1, 1) / (float) n_bins;

  for (gint64 i = 0; i < n_bins; i++)
    {
      const double first = floorf ((float) i * length) + begin;
      const double last = ceilf ((float) (i + 1) * length) + begin;

      if (!add_bin (self, (gint64) CLAMP (first, 0, (double) size), (gint64) CLAMP (last, 0, (double) size), error))
        return FALSE;
    }
  return TRUE;
}

/* Returns the index of the largest pixel, or -1 if the bin is empty or has only NaN or -FLT_MAX. */
static gint64
find_largest (const float          *plane,
              gint64                width,
              const C2gComputeSpan *row,
              const C2gComputeSpan *column)
{
  float largest = -FLT_MAX;
  gint64 found = -1;

  for (gint64 i = row->begin; i < row->end; i++)
    for (gint64 j = column->begin; j < column->end; j++)
      if (plane[i * width + j] > largest)
        {
          found = i * width + j;
          largest = plane[found];
        }
  return found;
}

static void
pool_region (const RoiState  *self,
             const RoiInputs *x,
             const float     *image,
             float           *y,
             gint32          *places)
{
  const C2gComputeSpan *rows = self->bins.items, *columns = rows + self->n_rows;

  for (gint64 channel = 0; channel < x->n_channels; channel++)
    for (gint64 i = 0; i < self->n_rows; i++)
      for (gint64 j = 0; j < self->n_columns; j++)
        {
          const float *plane = image + channel * x->height * x->width;
          const gint64 found = find_largest (plane, x->width, &rows[i], &columns[j]);

          if (found >= 0)
            *y++ = plane[found];
          else
            *y++ = rows[i].begin < rows[i].end && columns[j].begin < columns[j].end ? -FLT_MAX : 0;
          if (places != NULL)
            *places++ = (gint32) found;
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

/* Both */

static gboolean
plan_region (RoiState         *self,
             const RoiInputs  *x,
             gint64            i,
             Region           *region,
             GError          **error)
{
  if (!get_region (x, i, region, error))
    return FALSE;
  if (!x->is_max)
    return plan_align (self, x, i, region, error);
  return find_ranges (self, region->y1, region->y2, self->n_rows, x->height, error) &&
         find_ranges (self, region->x1, region->x2, self->n_columns, x->width, error);
}

static gboolean
run_on_device (RoiState         *self,
               const RoiInputs  *x,
               float            *y,
               gint32           *places,
               GError          **error)
{
  C2gComputeRegions regions = {
    .function = x->is_max ? C2G_COMPUTE_REDUCE_MAX : C2G_COMPUTE_REDUCE_SUM,
    .x = x->x,
    .n_channels = x->n_channels,
    .height = x->height,
    .width = x->width,
    .channels_last = self->channels_last,
    .images = x->n_numbers == 5 ? x->far_regions : NULL,
    .image_step = x->n_numbers,
    .n_regions = x->n,
    .n_rows = self->n_rows,
    .n_columns = self->n_columns,
    .y = y,
    .places = places,
  };
  g_autoptr (C2gStorage) bins = NULL, taps = NULL;

  bins = c2g_on_device_upload (x->op, self->bins.items, self->n_bins, sizeof *regions.bins, &regions.bins, error);
  if (bins == NULL)
    return FALSE;
  taps = c2g_on_device_upload (x->op, self->taps.items, self->n_taps, sizeof *regions.taps, &regions.taps, error);
  return taps != NULL && C2G_COMPUTE (x->op, error, C2G_COMPUTE_KIND_REGIONS, .regions = &regions);
}

/* Y has n_each elements for each region. */
static gboolean
run_regions (RoiState         *self,
             const RoiInputs  *x,
             gint64            n_each,
             float            *y,
             gint32           *places,
             GError          **error)
{
  const gboolean is_far = c2g_operator_get_compute (x->op) != NULL;

  self->n_bins = self->n_taps = 0;
  for (gint64 i = 0; i < x->n; i++)
    {
      const float *image;
      Region region;

      if (c2g_interrupt_is_wanted ())
        return TRUE;
      if (!plan_region (self, x, i, &region, error))
        return FALSE;
      if (is_far)
        continue;

      image = x->x + region.image * x->n_channels * x->height * x->width;
      if (x->is_max)
        pool_region (self, x, image, y + i * n_each, places != NULL ? places + i * n_each : NULL);
      else
        align_region (self, x, image, y + i * n_each);
      self->n_bins = self->n_taps = 0;
    }
  return !is_far || run_on_device (self, x, y, places, error);
}

static gboolean
run (C2gOperator  *op,
     RoiState     *self,
     gboolean      is_max,
     GError      **error)
{
  RoiInputs x = { .is_max = is_max, .scale = self->scale };
  C2gTensor *output;
  gint32 *places = NULL;

  if (!read_images (&x, op, self->channels_last, error) || !read_regions (&x, op, error))
    return FALSE;
  if (is_max && x.n > 0 && x.n_numbers != 5)
    return c2g_operator_set_shape_error (op, 1, error, _("rows of %d numbers"), 5);
  output = make_output (self, &x, 0, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL || !make_places (self, &x, &places, error))
    return FALSE;

  return output->n_elements == 0 ||
         run_regions (self, &x, output->n_elements / x.n, c2g_tensor_address (output), places, error);
}

static gboolean
align_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  return run (op, state, FALSE, error);
}

static gboolean
pool_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  return run (op, state, TRUE, error);
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
    .is_for_devices = TRUE,
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
    .is_for_devices = TRUE,
    .clear = roi_clear,
    .summary = "Regions of images in bins, the largest of the pixels",
  },
};

C2G_OPS_FAMILY (roi);
