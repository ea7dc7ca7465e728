/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/core/c2g-hot-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-argument-range-private.h>
#include <c2g/ops/c2g-parallel-private.h>
#include <c2g/ops/c2g-planes-private.h>
#include <c2g/ops/c2g-rows-private.h>
#include <c2g/ops/c2g-scratch-private.h>

#include <math.h>
#include <string.h>

/* LRN: local response normalization over size neighboring channels (AlexNet, 2012).
 *
 * scale = bias + alpha / size · Σ x², over channels c - (size - 1) / 2 and the following
 * y = x / scale^beta
 *
 * X is float, NCHW or NHWC; Y and the optional output 1, scale, have its shape.  Nothing is in
 * place.  The rule is Caffe2's. */

/* Least number of elements per thread. */
#define GRAIN (1 << 12)

typedef struct
{
  int        size;
  float      alpha;
  float      beta;
  float      bias;
  gboolean   channels_last;
  C2gScratch scratch;
} LrnState;

typedef struct
{
  const LrnState *state;
  C2gPlanes       planes;
  const float    *x;
  float          *scale;
  float          *y;
} Lrn;

static gboolean
lrn_set_up (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  LrnState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->size = c2g_arguments_int32 (&arguments, "size", 0);
  self->alpha = c2g_arguments_float (&arguments, "alpha", 0);
  self->beta = c2g_arguments_float (&arguments, "beta", 0);
  self->bias = c2g_arguments_float (&arguments, "bias", 1);
  self->channels_last = c2g_arguments_order (&arguments);
  c2g_arguments_check_count (&arguments, "size", self->size, self->size >= 1);
  return c2g_arguments_finish (&arguments, error);
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

  c2g_row_scale (scale, state->alpha / (float) state->size, state->bias, scale, n);
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

  if (planes->channels_last)
    c2g_parallel_for (planes->n_images * planes->n_places, GRAIN / planes->n_channels + 1,
                      run_places_cb, self);
  else
    c2g_parallel_for (planes->n_images * planes->n_channels, GRAIN / planes->n_places + 1,
                      run_planes_cb, self);
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

  return c2g_operator_get_compute (op)->lrn (
      c2g_operator_get_context (op), lrn->x,
      is_last ? planes->n_images * planes->n_places : planes->n_images, planes->n_channels,
      is_last ? 1 : planes->n_places, self->size, self->alpha, self->beta, self->bias,
      c2g_tensor_address (y), scale != NULL ? c2g_tensor_address (scale) : NULL, error);
}

static gboolean
lrn_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  LrnState *self = state;
  Lrn lrn = { .state = self };
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;

  if (x == NULL || !c2g_planes_read (&lrn.planes, op, 0, x, 3, self->channels_last, error))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  lrn.x = c2g_tensor_address (x);
  if (c2g_operator_get_compute (op) != NULL && !c2g_operator_is_inferring (op))
    return run_on_device (op, self, &lrn, y, error);
  if (!find_scale (op, self, x, &lrn.scale, error))
    return FALSE;

  lrn.y = c2g_tensor_address (y);
  if (y->n_elements > 0)
    compute (&lrn);
  return TRUE;
}

static void
lrn_clear (gpointer state)
{
  LrnState *self = state;

  c2g_scratch_clear (&self->scratch);
}

static const C2gKernel kernels[] = {
  {
    .type = "LRN",
    .min_inputs = 1,
    .max_inputs = 1,
    .min_outputs = 1,
    .max_outputs = 2,
    .state_size = sizeof (LrnState),
    .set_up = lrn_set_up,
    .run = lrn_run,
    .infer = lrn_run,
    .clear = lrn_clear,
    .is_for_devices = TRUE,
    .summary = "Local response normalization across channels",
  },
};

void
c2g_ops_register_lrn (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
