/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/ops/nn/c2g-pool-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-planes-private.h>
#include <c2g/ops/support/c2g-rows-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <math.h>
#include <string.h>

/* LRN: local response normalization over size neighboring channels (AlexNet, 2012).
 *
 * scale = bias + alpha / size · Σ x², over channels c - (size - 1) / 2 and the following
 * y = x / scale^beta
 *
 * With norm_region WITHIN_CHANNEL the sum is over the neighboring pixels of the same channel, size
 * along each of up to three axes, and alpha is divided by the number of pixels in such a window.
 *
 * X is float, NCHW or NHWC; Y and the optional output 1, scale, have its shape. Nothing is in
 * place. The rule is Caffe2's, norm_region is Caffe's; Caffe ignores its bias k there. On CUDA
 * kernels/lrn.cu computes it across channels; WITHIN_CHANNEL is for the CPU only. */

/* Least number of elements per thread. */
#define GRAIN (1 << 12)

typedef struct
{
  int        size;
  float      alpha;
  float      beta;
  float      bias;
  gboolean   is_within;
  gboolean   channels_last;
  C2gScratch scratch;
  /* WITHIN_CHANNEL: the squares, and the lines of the pooling that sums them. */
  C2gScratch squares;
  C2gScratch lines;
} LrnState;

typedef struct
{
  const LrnState *state;
  C2gPlanes       planes;
  /* Factor of the sums of squares. */
  float           alpha;
  const float    *x;
  float          *scale;
  float          *y;
} Lrn;

static gboolean
lrn_set_up (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return !((LrnState *) state)->is_within || c2g_operator_get_compute (op) == NULL ||
         c2g_operator_fail_on_device (op, error);
}

C2G_HOT static void
divide_three_quarters (const float *restrict x,
                       const float *restrict scale,
                       float *restrict       y,
                       gsize                 n)
{
  for (gsize i = 0; i < n; i++)
    {
      const float root = sqrtf (scale[i]);

      y[i] = x[i] / (root * sqrtf (root));
    }
}

C2G_HOT static void
divide_half (const float *restrict x,
             const float *restrict scale,
             float *restrict       y,
             gsize                 n)
{
  for (gsize i = 0; i < n; i++)
    y[i] = x[i] / sqrtf (scale[i]);
}

static void
divide (const float *x,
        const float *scale,
        float        beta,
        float       *y,
        gsize        n)
{
  /* The usual values of beta need no powf(). */
  if (beta == 0.75f)
    divide_three_quarters (x, scale, y, n);
  else if (beta == 0.5f)
    divide_half (x, scale, y, n);
  else
    for (gsize i = 0; i < n; i++)
      y[i] = x[i] * powf (scale[i], -beta);
}

/* Turns n sums of squares into scales and computes y. */
static void
finish (const Lrn *self,
        gsize      offset,
        gsize      n)
{
  const LrnState *state = self->state;
  float *scale = self->scale + offset;

  c2g_row_scale (scale, self->alpha, state->bias, scale, n);
  divide (self->x + offset, scale, state->beta, self->y + offset, n);
}

static void
run_planes_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Lrn *self = data;
  const gint64 n_channels = self->planes.n_channels;
  const gsize n = self->planes.n_places;
  const gint64 before = (self->state->size - 1) / 2;

  for (gsize plane = begin; plane < end; plane++)
    {
      const gint64 channel = plane % n_channels;
      const gint64 first = MAX (channel - before, 0);
      const gint64 last = MIN (channel - before + self->state->size, n_channels);
      const float *x = self->x + (plane - channel) * n;

      memset (self->scale + plane * n, 0, n * sizeof (float));
      for (gint64 i = first; i < last; i++)
        c2g_row_add_products (x + i * n, x + i * n, self->scale + plane * n, n);
      finish (self, plane * n, n);
    }
}

static void
run_places_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Lrn *self = data;
  const gint64 n = self->planes.n_channels;
  const gint64 before = (self->state->size - 1) / 2;
  const gint64 first = MAX (-before, -n);
  const gint64 last = MIN (self->state->size - before, n);

  for (gsize place = begin; place < end; place++)
    {
      const float *x = self->x + place * n;
      float *scale = self->scale + place * n;

      memset (scale, 0, n * sizeof (float));
      for (gint64 i = first; i < last; i++)
        {
          const gint64 from = MAX (i, 0);

          c2g_row_add_products (x + from, x + from, scale + (from - i), n - ABS (i));
        }
      finish (self, place * n, n);
    }
}

static void
compute (Lrn *self)
{
  const C2gPlanes *planes = &self->planes;

  self->alpha = self->state->alpha / (float) self->state->size;
  if (planes->channels_last)
    c2g_parallel_for (planes->n_images * planes->n_places, GRAIN / planes->n_channels + 1,
                      run_places_cb, self);
  else
    c2g_parallel_for (planes->n_images * planes->n_channels, GRAIN / planes->n_places + 1,
                      run_planes_cb, self);
}

/* WITHIN_CHANNEL */

/* Plans the average of each window, and returns the pixels of a window over those of a whole one.
 * A window is at most so large that it covers all pixels from each of them. */
static double
place_windows (const LrnState  *self,
               C2gTensor       *x,
               const C2gPlanes *planes,
               C2gWindowPlace  *place)
{
  const gint64 before = (self->size - 1) / 2;
  double share = 1;

  *place = (C2gWindowPlace) {
    .n_dims = x->n_dims - 2,
    .channels_last = planes->channels_last,
    .n_images = planes->n_images,
    .n_channels = planes->n_channels,
    .n_in = planes->n_places,
    .n_out = planes->n_places,
    .n_kernel = 1,
  };
  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    {
      const guint first = C2G_WINDOW_MAX_DIMS - place->n_dims;
      const gboolean is_there = i >= first;
      const gint64 n = is_there ? x->dims[i - first + (planes->channels_last ? 1 : 2)] : 1;

      place->in[i] = place->out[i] = n;
      place->stride[i] = place->dilation[i] = 1;
      place->head[i] = is_there ? MIN (before, n - 1) : 0;
      place->tail[i] = is_there ? MIN (self->size - 1 - before, n - 1) : 0;
      place->kernel[i] = place->head[i] + 1 + place->tail[i];
      place->n_kernel *= place->kernel[i];
      share *= is_there ? (double) place->kernel[i] / self->size : 1;
    }
  return share;
}

static void
square_cb (gsize    begin,
           gsize    end,
           guint    worker,
           gpointer data)
{
  const Lrn *self = data;
  float *squares = self->state->squares.data;

  for (gsize i = begin; i < end; i++)
    squares[i] = self->x[i] * self->x[i];
}

static void
finish_cb (gsize    begin,
           gsize    end,
           guint    worker,
           gpointer data)
{
  finish (data, begin, end - begin);
}

/* Sums the squares by a pooling that counts its pads, so all windows have the same divisor. */
static gboolean
compute_within (LrnState   *self,
                C2gTensor  *x,
                Lrn        *lrn,
                GError    **error)
{
  C2gPool pool = { .counts_pads = TRUE, .y = lrn->scale };

  if (!c2g_scratch_reserve (&self->squares, 1, x->n_elements, error))
    return FALSE;
  pool.x = self->squares.data;
  lrn->alpha = (float) (self->alpha * place_windows (self, x, &lrn->planes, &pool.place));
  c2g_parallel_for (x->n_elements, GRAIN, square_cb, lrn);
  if (!c2g_pool_compute (&pool, TRUE, &self->lines, error))
    return FALSE;
  c2g_parallel_for (x->n_elements, GRAIN, finish_cb, lrn);
  return TRUE;
}

static gboolean
find_scale (C2gOperator  *op,
            LrnState     *self,
            C2gTensor    *x,
            float       **scale,
            GError      **error)
{
  C2gTensor *tensor;

  if (c2g_operator_get_n_outputs (op) == 1)
    {
      if (!c2g_scratch_reserve (&self->scratch, 1, x->n_elements, error))
        return FALSE;
      *scale = self->scratch.data;
      return TRUE;
    }

  tensor = c2g_operator_output_like (op, 1, x, C2G_DATA_TYPE_FLOAT, error);
  if (tensor == NULL)
    return FALSE;
  *scale = c2g_tensor_address (tensor);
  return TRUE;
}

static gboolean
run_on_device (C2gOperator     *op,
               const LrnState  *self,
               const Lrn       *lrn,
               C2gTensor       *y,
               GError         **error)
{
  const C2gPlanes *planes = &lrn->planes;
  const gboolean is_last = planes->channels_last;
  C2gTensor *scale = NULL;

  if (c2g_operator_get_n_outputs (op) > 1)
    {
      scale = c2g_operator_output_like (op, 1, y, C2G_DATA_TYPE_FLOAT, error);
      if (scale == NULL)
        return FALSE;
    }

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_LRN, .type = c2g_tensor_get_data_type (y), .x = lrn->x,
                      .n_outer = is_last ? planes->n_images * planes->n_places : planes->n_images,
                      .n = planes->n_channels, .n_inner = is_last ? 1 : planes->n_places,
                      .size = self->size, .alpha = self->alpha, .beta = self->beta,
                      .base = self->bias, .y = c2g_tensor_address (y),
                      .scales = scale != NULL ? c2g_tensor_address (scale) : NULL);
}

static gboolean
lrn_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  LrnState *self = state;
  Lrn lrn = { .state = self };
  C2gTensor *x = c2g_operator_input (op, 0, c2g_on_device_real_type (op), error);
  C2gTensor *y;

  if (x == NULL || !c2g_planes_read (&lrn.planes, op, 0, x, 3, self->channels_last, error))
    return FALSE;
  if (self->is_within && x->n_dims > C2G_WINDOW_MAX_DIMS + 2)
    return c2g_operator_set_shape_error (op, 0, error, _("%d to %d dimensions"), 3,
                                         C2G_WINDOW_MAX_DIMS + 2);
  y = c2g_operator_output_like (op, 0, x, c2g_tensor_get_data_type (x), error);
  if (y == NULL)
    return FALSE;
  lrn.x = c2g_tensor_address (x);
  if (c2g_operator_get_compute (op) != NULL && !c2g_operator_is_inferring (op))
    return run_on_device (op, self, &lrn, y, error);
  if (!find_scale (op, self, x, &lrn.scale, error))
    return FALSE;

  lrn.y = c2g_tensor_address (y);
  if (y->n_elements > 0 && self->is_within)
    return compute_within (self, x, &lrn, error);
  if (y->n_elements > 0)
    compute (&lrn);
  return TRUE;
}

static void
lrn_clear (gpointer state)
{
  LrnState *self = state;

  c2g_scratch_clear (&self->scratch);
  c2g_scratch_clear (&self->squares);
  c2g_scratch_clear (&self->lines);
}

static const C2gKernel kernels[] = {
  {
    .type = "LRN",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 2,
    .arguments = C2G_ARGS (C2G_ARG_ORDER (LrnState, channels_last),
                           C2G_ARG_CHOICE (LrnState, is_within, "norm_region",
                                           "ACROSS_CHANNELS WITHIN_CHANNEL"),
                           C2G_ARG_INT (LrnState, size, "size", 0, C2G_AT_LEAST (1)),
                           C2G_ARG_FLOAT (LrnState, alpha, "alpha", 0),
                           C2G_ARG_FLOAT (LrnState, beta, "beta", 0),
                           C2G_ARG_FLOAT (LrnState, bias, "bias", 1)),
    .state_size = sizeof (LrnState),
    .set_up = lrn_set_up,
    .run = lrn_run,
    .infer = lrn_run,
    .clear = lrn_clear,
    .is_for_devices = TRUE,
    .summary = "Local response normalization across channels, or within them",
    .traits = C2G_TRAITS_IMAGES | C2G_TRAIT_HALF,
  },
};

C2G_OPS_FAMILY (lrn);
