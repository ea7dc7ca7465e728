/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-columns-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <string.h>

/* The im2col matrix of convolutions; see c2g-columns-private.h for its layout. */

/* Least number of floats to fill per thread. */
#define GRAIN (1 << 14)

/* Range of outputs, along the innermost dimension, whose input is inside of the image. Output i
 * reads input offset + i stride. */
typedef struct
{
  gint64 offset;
  gint64 begin;
  gint64 end;
} Reach;

/* A position in the three spatial dimensions. */
typedef struct
{
  gint64 d;
  gint64 h;
  gint64 w;
} Spot;

static Spot
find_spot (const gint64 *size,
           gint64        index)
{
  const gint64 plane = index / size[2];

  return (Spot){ plane / size[1], plane % size[1], index % size[2] };
}

/* Returns the input position that an output reads at one kernel position, in one dimension. */
static inline gint64
input_at (const C2gWindowPlace *place,
          guint                 dim,
          gint64                out,
          gint64                kernel)
{
  return out * place->stride[dim] - place->head[dim] + kernel * place->dilation[dim];
}

static inline gboolean
is_inside (const C2gWindowPlace *place,
           guint                 dim,
           gint64                in)
{
  return in >= 0 && in < place->in[dim];
}

static Reach
find_reach (const C2gWindowPlace *place,
            gint64                kernel)
{
  const gint64 stride = place->stride[2];
  const gint64 offset = input_at (place, 2, 0, kernel);
  const gint64 begin = offset < 0 ? (-offset + stride - 1) / stride : 0;
  const gint64 end = offset < place->in[2] ? (place->in[2] - offset + stride - 1) / stride : 0;

  return (Reach){ offset, MIN (begin, place->out[2]), CLAMP (end, 0, place->out[2]) };
}

/* The functions from here to fill_rows_cb() are for NCHW. */

/* Copies the inputs of the outputs from begin up to end of one line. */
static void
copy_line (const float *restrict line,
           float *restrict       target,
           const Reach          *reach,
           gint64                stride,
           gint64                begin,
           gint64                end)
{
  const gint64 first = CLAMP (reach->begin, begin, end);
  const gint64 last = CLAMP (reach->end, first, end);
  const gint64 n = last - first;

  memset (target, 0, (first - begin) * sizeof (float));
  target += first - begin;
  if (stride == 1)
    memcpy (target, line + first + reach->offset, n * sizeof (float));
  else
    {
      line += first * stride + reach->offset;
      for (gint64 i = 0; i < n; i++)
        target[i] = line[i * stride];
    }
  memset (target + n, 0, (end - last) * sizeof (float));
}

/* Fills one row of the matrix: one channel at one kernel position. */
static void
fill_row (const C2gColumns *self,
          const float      *channel,
          Spot              kernel,
          float            *target)
{
  const C2gWindowPlace *place = self->place;
  const Reach reach = find_reach (place, kernel.w);
  Spot out = find_spot (place->out, self->begin);

  for (gint64 i = self->begin; i < self->end;)
    {
      const gint64 end = MIN (place->out[2], out.w + self->end - i);
      const gint64 d = input_at (place, 0, out.d, kernel.d);
      const gint64 h = input_at (place, 1, out.h, kernel.h);

      if (is_inside (place, 0, d) && is_inside (place, 1, h))
        copy_line (channel + (d * place->in[1] + h) * place->in[2], target, &reach,
                   place->stride[2], out.w, end);
      else
        memset (target, 0, (end - out.w) * sizeof (float));

      target += end - out.w;
      i += end - out.w;
      out.w = 0;
      if (++out.h == place->out[1])
        {
          out.h = 0;
          out.d++;
        }
    }
}

static void
fill_rows_cb (gsize    begin,
              gsize    end,
              guint    worker,
              gpointer data)
{
  const C2gColumns *self = data;
  const C2gWindowPlace *place = self->place;

  for (gsize row = begin; row < end; row++)
    fill_row (self, self->image + row / place->n_kernel * place->n_in,
              find_spot (place->kernel, row % place->n_kernel),
              self->columns + row * (self->end - self->begin));
}

/* The functions from here to fill_pixels_cb() are for NHWC. */

/* Copies one line of the kernel for one output in a single piece, with zeros for the padding.
 * Needs one group and no dilation. */
static void
copy_kernel_line (const C2gWindowPlace *place,
                  const float          *line,
                  gint64                w,
                  float                *target)
{
  const gint64 n = place->n_channels;
  const gint64 begin = CLAMP (-w, 0, place->kernel[2]);
  const gint64 end = CLAMP (place->in[2] - w, begin, place->kernel[2]);

  if (begin > 0)
    memset (target, 0, begin * n * sizeof (float));
  memcpy (target + begin * n, line + (w + begin) * n, (end - begin) * n * sizeof (float));
  if (end < place->kernel[2])
    memset (target + end * n, 0, (place->kernel[2] - end) * n * sizeof (float));
}

/* Writes one line of the kernel for one output to target. The channels of the next group are
 * n_part floats further on. */
static void
fill_kernel_line (const C2gColumns *self,
                  const float      *line,
                  gint64            w,
                  gint64            n_part,
                  float            *target)
{
  const C2gWindowPlace *place = self->place;
  const gint64 n_group = self->n_channels / self->n_groups;

  if (line != NULL && self->n_groups == 1 && place->dilation[2] == 1)
    {
      copy_kernel_line (place, line, w, target);
      return;
    }

  for (gint64 i = 0; i < place->kernel[2]; i++, w += place->dilation[2], target += n_group)
    for (gint64 group = 0; group < self->n_groups; group++)
      {
        if (line != NULL && is_inside (place, 2, w))
          memcpy (target + group * n_part, line + w * place->n_channels + group * n_group,
                  n_group * sizeof (float));
        else
          memset (target + group * n_part, 0, n_group * sizeof (float));
      }
}

static void
fill_pixel (const C2gColumns *self,
            Spot              out,
            float            *target)
{
  const C2gWindowPlace *place = self->place;
  const gint64 n_group = self->n_channels / self->n_groups;
  const gint64 n_line = place->in[2] * place->n_channels;

  for (gint64 i = 0; i < place->kernel[0]; i++)
    for (gint64 j = 0; j < place->kernel[1]; j++, target += place->kernel[2] * n_group)
      {
        const gint64 d = input_at (place, 0, out.d, i);
        const gint64 h = input_at (place, 1, out.h, j);
        const gboolean inside = is_inside (place, 0, d) && is_inside (place, 1, h);

        fill_kernel_line (self, inside ? self->image + (d * place->in[1] + h) * n_line : NULL,
                          input_at (place, 2, out.w, 0), place->n_kernel * n_group, target);
      }
}

static void
fill_pixels_cb (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  const C2gColumns *self = data;
  const gint64 n_row = self->place->n_kernel * self->n_channels;

  for (gsize i = begin; i < end; i++)
    fill_pixel (self, find_spot (self->place->out, self->begin + i), self->columns + i * n_row);
}

static void
fill (const C2gColumns *self,
      guint             n_workers)
{
  const C2gWindowPlace *place = self->place;
  const gint64 n_rows = self->n_channels * place->n_kernel;
  const gint64 n_outputs = self->end - self->begin;

  if (place->channels_last)
    c2g_parallel_for_workers (n_outputs, GRAIN / n_rows, n_workers, fill_pixels_cb,
                              (gpointer) self);
  else
    c2g_parallel_for_workers (n_rows, GRAIN / MAX (n_outputs, 1), n_workers, fill_rows_cb,
                              (gpointer) self);
}

void
c2g_columns_fill (const C2gColumns *self)
{
  fill (self, c2g_parallel_get_n_workers ());
}

void
c2g_columns_fill_alone (const C2gColumns *self)
{
  fill (self, 1);
}
