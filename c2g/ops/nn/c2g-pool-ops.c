/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/nn/c2g-pool-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-rows-private.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* MaxPool, AveragePool and their 1D to 3D names: X (N, C, in) or NHWC, of float, gives Y (N, C,
 * out), the maximum or the average of each channel under the window. Padding is never read; with
 * count_include_pad the average divides by the number of pixels in the padded image, otherwise by
 * that of pixels inside of the image.  global_pooling uses one window as large as the image. The
 * output's size is in c2g-window.c. Nothing is in place. The rules are Caffe2's.
 *
 * ceil_mode is PyTorch's and ONNX's: sizes are rounded up, and the part of the last window behind
 * the padding is not counted. With count_include_pad that is the average of Caffe with padding.
 *
 * A window that sees nothing has the maximum -FLT_MAX, as in Caffe, and the average 0. Caffe2
 * reads memory behind the image for it. */

/* Least number of inputs to read per thread. */
#define GRAIN (1 << 14)

typedef struct
{
  C2gWindow  window;
  gboolean   counts_pads;
  C2gScratch scratch;
} State;

/* Accumulates n inputs, stride floats apart, into n results. */
typedef void (*Fold) (const float *x,
                      float       *y,
                      gsize        n,
                      gsize        stride);

/* NHWC: all channels of one output. */
typedef struct
{
  const float *x;
  /* Number of pixels under the window along each dimension, and how many floats they are apart. */
  gint64       n[C2G_WINDOW_MAX_DIMS];
  gint64       step[C2G_WINDOW_MAX_DIMS];
  gint64       n_channels;
  float        start;
  float       *y;
} Patch;

typedef struct
{
  Fold    fold;
  void  (*reduce) (const Patch *patch);
  float (*fold_all) (const float *x,
                     gsize        n);
  float   start;
} Kind;

typedef struct
{
  C2gPool  pool;
  Kind     kind;
  gboolean is_average;
  /* NCHW: a buffer for one line of an image, for each worker. */
  float   *lines;
} Plan;

C2G_HOT static void
fold_max (const float *restrict x,
          float *restrict       y,
          gsize                 n,
          gsize                 stride)
{
  if (stride == 1)
    {
      for (gsize i = 0; i < n; i++)
        y[i] = x[i] > y[i] ? x[i] : y[i];
    }
  else
    {
      for (gsize i = 0; i < n; i++)
        y[i] = x[i * stride] > y[i] ? x[i * stride] : y[i];
    }
}

C2G_HOT static void
fold_sum (const float *restrict x,
          float *restrict       y,
          gsize                 n,
          gsize                 stride)
{
  if (stride == 1)
    {
      for (gsize i = 0; i < n; i++)
        y[i] += x[i];
    }
  else
    {
      for (gsize i = 0; i < n; i++)
        y[i] += x[i * stride];
    }
}

static void
fill (float *y,
      float  value,
      gsize  n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = value;
}

/* Range of pixels of an output's window along one dimension, inside of the image. */
typedef struct
{
  gint64 begin;
  gint64 end;
} Span;

static Span
find_span (const C2gWindowPlace *place,
           guint                 dim,
           gint64                out)
{
  const gint64 begin = out * place->stride[dim] - place->head[dim];
  const gint64 end = MIN (begin + place->kernel[dim], place->in[dim]);

  return (Span){ MAX (begin, 0), MAX (end, MAX (begin, 0)) };
}

/* Returns how many pixels of a dimension an average divides by. */
static gint64
count_span (const Plan *self,
            guint       dim,
            gint64      out)
{
  const C2gWindowPlace *place = &self->pool.place;
  const Span span = find_span (place, dim, out);
  const gint64 begin = out * place->stride[dim] - place->head[dim];

  if (!self->pool.counts_pads)
    return span.end - span.begin;
  return MIN (place->kernel[dim], place->in[dim] + place->tail[dim] - begin);
}

static float
find_scale (gint64 n)
{
  return n > 0 ? 1 / (float) n : 0;
}

/* NCHW: reduces the lines under the window to one line, then the pixels of that line. */

static void
fold_lines (const Plan  *self,
            const float *x,
            Span         depths,
            Span         heights,
            float       *line)
{
  const gsize n = self->pool.place.in[2];

  fill (line, self->kind.start, n);
  for (gint64 d = depths.begin; d < depths.end; d++)
    for (gint64 h = heights.begin; h < heights.end; h++)
      self->kind.fold (x + (d * self->pool.place.in[1] + h) * n, line, n, 1);
}

static void
fold_places (const Plan  *self,
             const float *line,
             float       *y)
{
  const C2gWindowPlace *place = &self->pool.place;
  const gint64 stride = place->stride[2];

  fill (y, self->kind.start, place->out[2]);
  for (gint64 k = 0; k < place->kernel[2]; k++)
    {
      const gint64 offset = k - place->head[2];
      const gint64 begin = offset < 0 ? (-offset + stride - 1) / stride : 0;
      const gint64 end = offset < place->in[2] ? (place->in[2] - offset + stride - 1) / stride : 0;
      const gint64 last = MIN (end, place->out[2]);

      if (begin < last)
        self->kind.fold (line + offset + begin * stride, y + begin, last - begin, stride);
    }
}

static void
scale_line (const Plan *self,
            gint64      n_lines,
            float      *y)
{
  for (gint64 i = 0; i < self->pool.place.out[2]; i++)
    y[i] *= find_scale (n_lines * count_span (self, 2, i));
}

static void
run_planes_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Plan *self = data;
  const C2gWindowPlace *place = &self->pool.place;
  float *line = self->lines + worker * place->in[2];

  for (gsize plane = begin; plane < end; plane++)
    {
      const float *x = self->pool.x + plane * place->n_in;
      float *y = self->pool.y + plane * place->n_out;

      for (gint64 d = 0; d < place->out[0]; d++)
        for (gint64 h = 0; h < place->out[1]; h++, y += place->out[2])
          {
            const Span depths = find_span (place, 0, d);
            const Span heights = find_span (place, 1, h);

            fold_lines (self, x, depths, heights, line);
            fold_places (self, line, y);
            if (self->is_average)
              scale_line (self, count_span (self, 0, d) * count_span (self, 1, h), y);
          }
    }
}

/* Global pooling in NCHW. */
static void
run_global_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Plan *self = data;
  const gint64 n = self->pool.place.n_in;
  const float scale = self->is_average ? 1 / (float) n : 1;

  for (gsize plane = begin; plane < end; plane++)
    self->pool.y[plane] = scale * self->kind.fold_all (self->pool.x + plane * n, n);
}

/* NHWC: reduces the pixels under the window, for some channels at a time, whose results stay in
 * registers until all pixels are seen. The vectors need not be aligned. GCC makes one instruction
 * of the loop over the lanes of a vector where the processor has such vectors: so the wide ones
 * have the width of AVX2. */

#ifdef __x86_64__
typedef float Wide __attribute__ ((vector_size (32), aligned (4), may_alias));
#else
typedef float Wide __attribute__ ((vector_size (16), aligned (4), may_alias));
#endif
typedef float Four __attribute__ ((vector_size (16), aligned (4), may_alias));
typedef float One __attribute__ ((vector_size (4), aligned (4), may_alias));

#define LARGER(a, b) ((b) > (a) ? (b) : (a))
#define PLUS(a, b) ((a) + (b))

#define REDUCE(Vector, n_vectors, join)                                                            \
  for (const gint64 width = n_vectors * sizeof (Vector) / sizeof (float);                          \
       done + width <= self->n_channels; done += width)                                            \
    {                                                                                              \
      Vector all[n_vectors];                                                                       \
                                                                                                   \
      for (gsize i = 0; i < n_vectors; i++)                                                        \
        all[i] = (Vector){ 0 } + self->start;                                                      \
      for (gint64 d = 0; d < self->n[0]; d++)                                                      \
        for (gint64 h = 0; h < self->n[1]; h++)                                                    \
          for (gint64 w = 0; w < self->n[2]; w++)                                                  \
            {                                                                                      \
              const Vector *x =                                                                    \
                (const Vector *) (self->x + d * self->step[0] + h * self->step[1] +                \
                                  w * self->step[2] + done);                                       \
                                                                                                   \
              for (gsize i = 0; i < n_vectors; i++)                                                \
                {                                                                                  \
                  const Vector b = x[i];                                                           \
                  Vector a = all[i];                                                               \
                                                                                                   \
                  for (gsize lane = 0; lane < sizeof (Vector) / sizeof (float); lane++)            \
                    a[lane] = join (a[lane], b[lane]);                                             \
                  all[i] = a;                                                                      \
                }                                                                                  \
            }                                                                                      \
      for (gsize i = 0; i < n_vectors; i++)                                                        \
        ((Vector *) (self->y + done))[i] = all[i];                                                 \
    }

#define REDUCE_ALL(join)                                                                           \
  do                                                                                               \
    {                                                                                              \
      gint64 done = 0;                                                                             \
                                                                                                   \
      REDUCE (Wide, 4, join)                                                                       \
      REDUCE (Wide, 1, join)                                                                       \
      REDUCE (Four, 1, join)                                                                       \
      REDUCE (One, 1, join)                                                                        \
    }                                                                                              \
  while (0)

C2G_HOT static void
reduce_max (const Patch *self)
{
  REDUCE_ALL (LARGER);
}

C2G_HOT static void
reduce_sum (const Patch *self)
{
  REDUCE_ALL (PLUS);
}

static void
run_place (const Plan  *self,
           const float *x,
           gint64       out,
           float       *y)
{
  const C2gWindowPlace *place = &self->pool.place;
  const gint64 at[] = { out / place->out[2] / place->out[1], out / place->out[2] % place->out[1],
                        out % place->out[2] };
  Patch patch = { x, .n_channels = place->n_channels, .start = self->kind.start, .y = y };
  gint64 step = place->n_channels;
  gint64 n_pixels = 1;

  for (int i = C2G_WINDOW_MAX_DIMS - 1; i >= 0; i--)
    {
      const Span span = find_span (place, i, at[i]);

      patch.n[i] = span.end - span.begin;
      /* A window that sees nothing may begin far behind the image. */
      patch.x += patch.n[i] > 0 ? span.begin * step : 0;
      patch.step[i] = step;
      step *= place->in[i];
      n_pixels *= count_span (self, i, at[i]);
    }

  self->kind.reduce (&patch);
  if (self->is_average)
    c2g_row_scale (y, find_scale (n_pixels), 0, y, place->n_channels);
}

static void
run_places_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Plan *self = data;
  const C2gWindowPlace *place = &self->pool.place;

  for (gsize out = begin; out < end; out++)
    run_place (self, self->pool.x + out / place->n_out * place->n_in * place->n_channels,
               out % place->n_out, self->pool.y + out * place->n_channels);
}

static void
compute (Plan  *self,
         guint  n_workers)
{
  const C2gWindowPlace *place = &self->pool.place;
  const double n_planes = (double) place->n_images * (double) place->n_channels;
  const double each = (double) place->n_kernel * (double) place->n_out;

  if (place->channels_last)
    c2g_parallel_for (place->n_images * place->n_out,
                      (gsize) (GRAIN / ((double) place->n_kernel * (double) place->n_channels)) +
                        1,
                      run_places_cb, self);
  else if (self->pool.is_global)
    c2g_parallel_for ((gsize) n_planes, (gsize) (GRAIN / each) + 1, run_global_cb, self);
  else
    c2g_parallel_for_workers ((gsize) n_planes, (gsize) (GRAIN / each) + 1, n_workers,
                              run_planes_cb, self);
}

static gboolean
check_window (const C2gWindow  *window,
              GError          **error)
{
  for (guint i = 0; i < window->n_dims; i++)
    {
      const int pad = MAX (window->head[i], window->tail[i]);

      if (window->dilation[i] != 1)
        g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                     _("The argument “%s” is %d, expected %d for pooling"), "dilation",
                     window->dilation[i], 1);
      else if (!window->is_global && pad >= window->kernel[i])
        g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                     _("The argument “%s” is %d, expected less than the kernel, %d"), "pad", pad,
                     window->kernel[i]);
      else
        continue;
      return FALSE;
    }

  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_PART (State, window, c2g_window_arguments),
  C2G_ARG_BOOLEAN (State, window.is_global, "global_pooling", FALSE),
  C2G_ARG_BOOLEAN (State, window.rounds_up, "ceil_mode", FALSE),
  C2G_ARG_BOOLEAN (State, counts_pads, "count_include_pad", FALSE),
  C2G_ARG_IGNORED ("float16_compute group shared_buffer"),
  { 0 },
};

static gboolean
pool_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  State *self = state;

  return c2g_window_set_up (&self->window, op, C2G_WINDOW_GLOBAL, error) &&
         check_window (&self->window, error);
}

/* Checks the input, makes the output and fills pool in. */
static gboolean
prepare (State        *self,
         C2gOperator  *op,
         C2gPool      *pool,
         GError      **error)
{
  const C2gDataType type = c2g_on_device_real_type (op);
  C2gTensor *x = c2g_operator_input (op, 0, type, error);
  C2gTensor *y;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  gsize n_dims;

  if (x == NULL || !c2g_window_place (&self->window, op, 0, x, &pool->place, error))
    return FALSE;
  n_dims = c2g_window_place_dims (&pool->place, pool->place.out, pool->place.n_channels, dims);
  y = c2g_operator_output (op, 0, dims, n_dims, type, error);
  if (y == NULL)
    return FALSE;

  pool->x = c2g_tensor_address (x);
  pool->y = c2g_tensor_address (y);
  pool->counts_pads = self->counts_pads;
  pool->is_global = self->window.is_global;
  c2g_operator_set_flops (op, (double) y->n_elements * (double) pool->place.n_kernel);
  return TRUE;
}

static const Kind max_kind = {
  .fold = fold_max, .reduce = reduce_max, .fold_all = c2g_row_max, .start = -INFINITY
};
static const Kind average_kind = {
  .fold = fold_sum, .reduce = reduce_sum, .fold_all = c2g_row_sum
};

gboolean
c2g_pool_compute (const C2gPool  *self,
                  gboolean        is_average,
                  C2gScratch     *scratch,
                  GError        **error)
{
  const guint n_workers = c2g_parallel_get_n_workers ();
  Plan plan = { *self, is_average ? average_kind : max_kind, is_average };

  if (!c2g_scratch_reserve (scratch, n_workers, self->place.in[2], error))
    return FALSE;
  if (!is_average && !c2g_window_place_sees_pixels (&self->place))
    plan.kind.start = -FLT_MAX;
  plan.lines = scratch->data;
  compute (&plan, n_workers);
  return TRUE;
}

/* Returns TRUE if the last window of a dimension ends behind the padding, as with ceil_mode. */
static gboolean
has_overhang (const C2gWindowPlace *place)
{
  gboolean has = FALSE;

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    has |= (place->out[i] - 1) * place->stride[i] - place->head[i] + place->kernel[i] >
           place->in[i] + place->tail[i];
  return has;
}

static gboolean
run_on_device (C2gOperator    *op,
               const C2gPool  *pool,
               gboolean        is_average,
               GError        **error)
{
  C2gComputeWindow window = c2g_on_device_window (&pool->place);

  /* Devices divide by the whole kernel. */
  if (is_average && pool->counts_pads && has_overhang (&pool->place))
    return c2g_operator_fail_on_device (op, error);

  window.counts_pads = pool->counts_pads;
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_POOL, .type = c2g_on_device_real_type (op),
                      .is_average = is_average, .window = &window, .x = pool->x, .y = pool->y);
}

static gboolean
run (C2gOperator  *op,
     State        *self,
     gboolean      is_average,
     GError      **error)
{
  C2gPool pool;

  if (!prepare (self, op, &pool, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return run_on_device (op, &pool, is_average, error);
  return pool.place.n_images == 0 || c2g_pool_compute (&pool, is_average, &self->scratch, error);
}

static gboolean
max_pool_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  return run (op, state, FALSE, error);
}

static gboolean
average_pool_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return run (op, state, TRUE, error);
}

C2G_SCRATCH_DEFINE_CLEAR (pool_clear, State, scratch)

#define POOL(name, function, text)                                                                 \
  {                                                                                                \
    .type = name, .min_inputs = 1, .max_inputs = 1, .min_outputs = 1, .max_outputs = 1,            \
    .arguments = arguments, .state_size = sizeof (State), .set_up = pool_set_up, .run = function,  \
    .infer = function, .clear = pool_clear, .count_flops = c2g_operator_count_flops,               \
    .summary = text, .is_for_devices = TRUE, .device_engine = "CUDNN", .traits = C2G_TRAITS_POOL   \
  }
#define MAX_POOL(name) POOL (name, max_pool_run, "Max pooling: the largest element of each window")
#define AVERAGE_POOL(name) \
  POOL (name, average_pool_run, "Average pooling: the mean of each window")

static const C2gKernel kernels[] = {
  MAX_POOL ("MaxPool"),
  MAX_POOL ("MaxPool1D"),
  MAX_POOL ("MaxPool2D"),
  MAX_POOL ("MaxPool3D"),
  AVERAGE_POOL ("AveragePool"),
  AVERAGE_POOL ("AveragePool1D"),
  AVERAGE_POOL ("AveragePool2D"),
  AVERAGE_POOL ("AveragePool3D"),
};

C2G_OPS_FAMILY (pool);
