/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/ops/nn/c2g-conv-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <string.h>

/* Computes depthwise convolutions directly: each filter sees a single channel. */

/* Least number of multiplications per thread. */
#define GRAIN (1 << 15)

typedef struct
{
  const C2gConv *conv;
  /* Number of output channels per input channel. */
  gint64         n_each;
  /* NHWC only: the filters transposed to [kernel, channels]. */
  const float   *taps;
} Depthwise;

/* Range of outputs, along one dimension and for one kernel position, whose input is inside of the
 * image. Output i reads input offset + i stride. */
typedef struct
{
  gint64 offset;
  gint64 begin;
  gint64 end;
} Reach;

static Reach
find_reach (const C2gWindowPlace *place,
            guint                 dim,
            gint64                kernel)
{
  const gint64 stride = place->stride[dim];
  const gint64 in = place->in[dim];
  const gint64 offset = kernel * place->dilation[dim] - place->head[dim];
  const gint64 begin = offset < 0 ? (-offset + stride - 1) / stride : 0;
  const gint64 end = offset < in ? (in - offset + stride - 1) / stride : 0;

  return (Reach){ offset, begin, MIN (end, place->out[dim]) };
}

/* NCHW: an output plane is the sum of shifted input planes, one per kernel position. */

C2G_HOT static void
add_line (const float *restrict x,
          float *restrict       y,
          gint64                n,
          gint64                stride,
          float                 tap)
{
  if (stride == 1)
    {
      for (gint64 i = 0; i < n; i++)
        y[i] += tap * x[i];
    }
  else
    {
      for (gint64 i = 0; i < n; i++)
        y[i] += tap * x[i * stride];
    }
}

/* Adds all kernel positions to one line of outputs.  out is the line's depth and height. */
static void
add_kernel (const C2gWindowPlace *place,
            const float          *x,
            const gint64         *out,
            const float          *taps,
            float                *y)
{
  for (gint64 k = 0; k < place->n_kernel; k++)
    {
      const gint64 line = k / place->kernel[2];
      const Reach reach = find_reach (place, 2, k % place->kernel[2]);
      const gint64 d = out[0] * place->stride[0] - place->head[0] +
                       line / place->kernel[1] * place->dilation[0];
      const gint64 h = out[1] * place->stride[1] - place->head[1] +
                       line % place->kernel[1] * place->dilation[1];

      if (d >= 0 && d < place->in[0] && h >= 0 && h < place->in[1] && reach.begin < reach.end)
        add_line (x + (d * place->in[1] + h) * place->in[2] + reach.offset +
                    reach.begin * place->stride[2],
                  y + reach.begin, reach.end - reach.begin, place->stride[2], taps[k]);
    }
}

static void
run_planes_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Depthwise *self = data;
  const C2gConv *conv = self->conv;
  const C2gWindowPlace *place = &conv->place;

  for (gsize plane = begin; plane < end; plane++)
    {
      const gint64 channel = plane % conv->n_channels;
      const float *x = conv->x + plane / self->n_each * place->n_in;
      float *y = conv->y + plane * place->n_out;
      const C2gConvTile tile = {
        .offset = plane * place->n_out,
        .n_rows = 1,
        .n = place->n_out,
        .row_biases = conv->bias != NULL ? conv->bias + channel : NULL,
      };
      gint64 out[2];

      if (!c2g_conv_tile_start (&tile, conv))
        memset (y, 0, place->n_out * sizeof (float));
      for (out[0] = 0; out[0] < place->out[0]; out[0]++)
        for (out[1] = 0; out[1] < place->out[1]; out[1]++, y += place->out[2])
          add_kernel (place, x, out, conv->filters + channel * place->n_kernel, y);
      c2g_conv_tile_finish (&tile, conv);
    }
}

/* NHWC: adds one kernel position to all channels of an output. */

C2G_HOT static void
add_channels (const float *restrict x,
              const float *restrict taps,
              float *restrict       y,
              gint64                n)
{
  for (gint64 i = 0; i < n; i++)
    y[i] += x[i] * taps[i];
}

static void
add_pixel (const Depthwise *self,
           const float     *x,
           gint64           k,
           float           *y)
{
  const C2gConv *conv = self->conv;
  const float *taps = self->taps + k * conv->n_channels;

  if (self->n_each == 1)
    add_channels (x, taps, y, conv->n_channels);
  else
    for (gint64 i = 0; i < conv->n_channels; i++)
      y[i] += x[i / self->n_each] * taps[i];
}

/* Computes one output pixel.  output is its index over all images. */
static void
run_pixel (const Depthwise *self,
           gint64           output)
{
  const C2gConv *conv = self->conv;
  const C2gWindowPlace *place = &conv->place;
  const gint64 at = output % place->n_out;
  const gint64 out[] = { at / place->out[2] / place->out[1], at / place->out[2] % place->out[1],
                         at % place->out[2] };
  const float *x = conv->x + output / place->n_out * place->n_in * place->n_channels;
  float *y = conv->y + output * conv->n_channels;
  const C2gConvTile tile = {
    .offset = output * conv->n_channels,
    .n_rows = 1,
    .n = conv->n_channels,
    .biases = conv->bias,
  };

  if (!c2g_conv_tile_start (&tile, conv))
    memset (y, 0, conv->n_channels * sizeof (float));

  for (gint64 k = 0; k < place->n_kernel; k++)
    {
      const gint64 line = k / place->kernel[2];
      const gint64 kernel[] = { line / place->kernel[1], line % place->kernel[1],
                                k % place->kernel[2] };
      gint64 index = 0;
      gboolean inside = TRUE;

      for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
        {
          const gint64 in =
            out[i] * place->stride[i] - place->head[i] + kernel[i] * place->dilation[i];

          inside &= in >= 0 && in < place->in[i];
          index = inside ? index * place->in[i] + in : 0;
        }
      if (inside)
        add_pixel (self, x + index * place->n_channels, k, y);
    }
  c2g_conv_tile_finish (&tile, conv);
}

static void
run_pixels_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  for (gsize i = begin; i < end; i++)
    run_pixel (data, i);
}

static void
transpose_filters (const C2gConv *conv,
                   float         *taps)
{
  const gint64 n_kernel = conv->place.n_kernel;

  for (gint64 i = 0; i < conv->n_channels; i++)
    for (gint64 k = 0; k < n_kernel; k++)
      taps[k * conv->n_channels + i] = conv->filters[i * n_kernel + k];
}

gboolean
c2g_conv_depthwise (const C2gConv  *self,
                    C2gScratch     *scratch,
                    GError        **error)
{
  const C2gWindowPlace *place = &self->place;
  Depthwise depthwise = { self, self->n_channels / self->n_groups };

  if (!place->channels_last)
    {
      c2g_parallel_for (place->n_images * self->n_channels,
                        GRAIN / place->n_out / place->n_kernel, run_planes_cb, &depthwise);
      return TRUE;
    }

  if (!c2g_scratch_reserve (scratch, place->n_kernel, self->n_channels, error))
    return FALSE;
  transpose_filters (self, scratch->data);
  depthwise.taps = scratch->data;
  c2g_parallel_for (place->n_images * place->n_out,
                    GRAIN / self->n_channels / place->n_kernel, run_pixels_cb, &depthwise);
  return TRUE;
}
