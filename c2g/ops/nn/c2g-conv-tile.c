/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/ops/nn/c2g-conv-private.h>

#include <string.h>

/* Adds bias and sum to a tile of a convolution's output, and applies Relu. */

/* sum and y may be the same row. */

C2G_HOT static void
add_bias (const float *sum,
          float        bias,
          float       *y,
          gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    y[i] = sum[i] + bias;
}

C2G_HOT static void
add_biases (const float *sum,
            const float *biases,
            float       *y,
            gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    y[i] = sum[i] + biases[i];
}

C2G_HOT static void
fill (float  bias,
      float *y,
      gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    y[i] = bias;
}

/* Relu, with a limit; NaN stays NaN. */
C2G_HOT static void
rectify (float *y,
         float  max,
         gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      const float least = y[i] < 0 ? 0 : y[i];

      y[i] = least > max ? max : least;
    }
}

static void
start_row (const C2gConvTile *self,
           gint64             row,
           const float       *sum,
           float             *y)
{
  const float bias = self->row_biases != NULL ? self->row_biases[row] : 0;

  if (self->biases != NULL && sum != NULL)
    add_biases (sum, self->biases, y, self->n);
  else if (self->biases != NULL)
    memcpy (y, self->biases, self->n * sizeof (float));
  else if (sum != NULL && (sum != y || self->row_biases != NULL))
    add_bias (sum, bias, y, self->n);
  else if (sum == NULL)
    fill (bias, y, self->n);
}

gboolean
c2g_conv_tile_start (const C2gConvTile *self,
                     const C2gConv     *conv)
{
  if (conv->sum == NULL && conv->bias == NULL)
    return FALSE;

  for (gint64 i = 0; i < self->n_rows; i++)
    {
      const gint64 at = self->offset + i * self->distance;

      start_row (self, i, conv->sum != NULL ? conv->sum + at : NULL, conv->y + at);
    }
  return TRUE;
}

void
c2g_conv_tile_finish (const C2gConvTile *self,
                      const C2gConv     *conv)
{
  for (gint64 i = 0; i < self->n_rows && conv->has_relu; i++)
    rectify (conv->y + self->offset + i * self->distance, conv->max, self->n);
}
