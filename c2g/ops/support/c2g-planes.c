/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-planes-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-rows-private.h>

#include <string.h>

/* Sums and moments over the pixels of each channel, for operators that normalize. */

/* Least number of elements per thread. */
#define GRAIN (1 << 15)

gboolean
c2g_planes_read (C2gPlanes    *self,
                 C2gOperator  *op,
                 guint         input,
                 C2gTensor    *tensor,
                 gsize         min_dims,
                 gboolean      channels_last,
                 GError      **error)
{
  const gsize n_dims = tensor->n_dims;

  if (n_dims < min_dims)
    return c2g_operator_set_shape_error (op, input, error, _("at least %zu dimensions"),
                                         min_dims);

  self->channels_last = channels_last;
  self->n_images = tensor->dims[0];
  self->n_channels = tensor->dims[channels_last ? n_dims - 1 : 1];
  if (self->n_channels < 1)
    return c2g_operator_set_shape_error (op, input, error, _("at least one channel"));

  return c2g_shape_count (tensor->dims + (channels_last ? 1 : 2), n_dims - 2, &self->n_places,
                          error);
}

gboolean
c2g_planes_input (C2gOperator  *op,
                  guint         input,
                  gint64        n,
                  const float **numbers,
                  GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_FLOAT, error);

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_elements != n)
    return c2g_operator_set_shape_error (op, input, error, "[%" PRId64 "]", n);
  *numbers = c2g_tensor_address (tensor);
  return TRUE;
}

typedef struct
{
  const C2gPlanes *planes;
  const float     *x;
  /* If NULL, x is summed; otherwise (x - center)². */
  const float     *centers;
  double           scale;
  float           *results;
} Sums;

static void
sum_planes_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Sums *self = data;
  const C2gPlanes *planes = self->planes;
  const gsize n = planes->n_places;

  for (gsize channel = begin; channel < end; channel++)
    {
      double sum = 0;

      for (gint64 image = 0; image < planes->n_images; image++)
        {
          const float *x = self->x + (image * planes->n_channels + channel) * n;

          sum += self->centers != NULL ? c2g_row_square_sum (x, self->centers[channel], n)
                                       : c2g_row_sum (x, n);
        }
      self->results[channel] = (float) (self->scale * sum);
    }
}

/* N_TOGETHER channels are summed side by side. N_ROWS rows are added in float before the sum is
 * added in double: few enough that rounding errors stay small. */
#define N_TOGETHER 64
#define N_ROWS 16

static void
sum_columns (const Sums *self,
             gsize       begin,
             gsize       n)
{
  const C2gPlanes *planes = self->planes;
  const gint64 n_rows = planes->n_images * planes->n_places;
  double sums[N_TOGETHER] = { 0 };
  float parts[N_TOGETHER];

  for (gint64 row = 0; row < n_rows; row += N_ROWS)
    {
      memset (parts, 0, sizeof parts);
      for (gint64 i = row; i < MIN (row + N_ROWS, n_rows); i++)
        {
          const float *x = self->x + i * planes->n_channels + begin;

          if (self->centers != NULL)
            c2g_row_add_squares (x, self->centers + begin, parts, n);
          else
            c2g_row_add (x, parts, n);
        }
      for (gsize i = 0; i < n; i++)
        sums[i] += parts[i];
    }
  for (gsize i = 0; i < n; i++)
    self->results[begin + i] = (float) (self->scale * sums[i]);
}

static void
sum_columns_cb (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  for (; begin < end; begin += N_TOGETHER)
    sum_columns (data, begin, MIN (end - begin, N_TOGETHER));
}

void
c2g_planes_sum (const C2gPlanes *self,
                const float     *x,
                const float     *centers,
                double           scale,
                float           *results)
{
  Sums sums = { self, x, centers, scale, results };
  const gint64 n_each = self->n_images * self->n_places;
  const gsize grain = GRAIN / MAX (n_each, 1) + 1;

  /* If one of them is 0, the other may be huge. */
  if (n_each == 0)
    {
      memset (results, 0, self->n_channels * sizeof (float));
      return;
    }
  if (self->channels_last)
    c2g_parallel_for (self->n_channels, MAX (grain, N_TOGETHER), sum_columns_cb, &sums);
  else
    c2g_parallel_for (self->n_channels, grain, sum_planes_cb, &sums);
}

void
c2g_planes_moments (const C2gPlanes *self,
                    const float     *x,
                    float           *means,
                    float           *variances)
{
  const gint64 n = self->n_images * self->n_places;
  const double scale = n > 0 ? 1.0 / (double) n : 0;

  c2g_planes_sum (self, x, NULL, scale, means);
  c2g_planes_sum (self, x, means, scale, variances);
}

typedef struct
{
  const C2gPlanes *planes;
  const float     *x;
  const float     *centers;
  const float     *scales;
  const float     *shifts;
  float           *y;
} Scaling;

static void
scale_planes_cb (gsize    begin,
                 gsize    end,
                 guint    worker,
                 gpointer data)
{
  const Scaling *self = data;
  const gsize n = self->planes->n_places;

  for (gsize plane = begin; plane < end; plane++)
    {
      const gsize channel = plane % self->planes->n_channels;

      c2g_row_normalize (self->x + plane * n, self->centers[channel], self->scales[channel],
                         self->shifts[channel], self->y + plane * n, n);
    }
}

static void
scale_columns_cb (gsize    begin,
                  gsize    end,
                  guint    worker,
                  gpointer data)
{
  const Scaling *self = data;
  const gsize n = self->planes->n_channels;

  for (gsize row = begin; row < end; row++)
    c2g_row_normalize_each (self->x + row * n, self->centers, self->scales, self->shifts,
                            self->y + row * n, n);
}

void
c2g_planes_scale (const C2gPlanes *self,
                  const float     *x,
                  const float     *centers,
                  const float     *scales,
                  const float     *shifts,
                  float           *y)
{
  Scaling scaling = { self, x, centers, scales, shifts, y };
  const gsize n_planes = self->n_images * self->n_channels;

  if (self->channels_last)
    c2g_parallel_for (self->n_images * self->n_places, GRAIN / self->n_channels + 1,
                      scale_columns_cb, &scaling);
  else if (self->n_places > 0)
    c2g_parallel_for (n_planes, GRAIN / self->n_places + 1, scale_planes_cb, &scaling);
}
