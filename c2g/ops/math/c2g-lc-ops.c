/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-columns-private.h>
#include <c2g/ops/support/c2g-group-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>

#include <string.h>

/* LC, locally connected: a convolution with its own filters and biases for each output position.
 *
 * X is (N, C, in) or NHWC.  Filters are (out, M, C / group, kernel), or (out, M, kernel, C /
 * group) for NHWC, where out are the spatial dimensions of Y; the optional bias is (out, M). Y is
 * (N, M, out) or NHWC.  All tensors are float, nothing is in place. The rule is Caffe2's.
 *
 * For each output position one product per group computes all images. The operator runs on the CPU
 * only. */

#define MAX_FILTER_DIMS (2 * C2G_WINDOW_MAX_DIMS + 2)

typedef struct
{
  C2gWindow  window;
  int        n_groups;
  C2gScratch scratch;
} LcState;

typedef struct
{
  C2gWindowPlace place;
  gint64         n_groups;
  /* Number of output channels. */
  gint64         n_channels;
  /* Number of elements of one filter. */
  gint64         n_filter;

  const float   *x;
  const float   *filters;
  const float   *bias;
  float         *y;

  /* A buffer for each worker: the inputs of all images under the window at one position, and the
   * outputs there. */
  float         *scratch;
  gsize          n_scratch;
} Lc;

static gboolean
lc_set_up (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  return c2g_window_set_up (&((LcState *) state)->window, op, C2G_WINDOW_DEFAULT, error);
}

static void
fill_patches (const Lc *self,
              gint64    at,
              float    *patches)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n = place->n_channels * place->n_kernel;
  C2gColumns columns = {
    .place = place,
    .image = self->x,
    .n_channels = place->n_channels,
    .n_groups = self->n_groups,
    .begin = at,
    .end = at + 1,
    .columns = patches,
  };

  for (gint64 i = 0; i < place->n_images; i++)
    {
      c2g_columns_fill_alone (&columns);
      columns.image += place->n_in * place->n_channels;
      columns.columns += n;
    }
}

/* Writes the outputs of all images at one position, and adds the bias. */
static void
put_values (const Lc    *self,
            gint64       at,
            const float *values)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n = self->n_channels;
  const gint64 n_image = n * place->n_out;
  const gint64 distance = place->channels_last ? 1 : place->n_out;
  float *y = self->y + (place->channels_last ? at * n : at);

  for (gint64 i = 0; i < place->n_images; i++)
    for (gint64 j = 0; j < n; j++)
      y[i * n_image + j * distance] =
        values[i * n + j] + (self->bias != NULL ? self->bias[at * n + j] : 0);
}

static void
run_places_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const Lc *self = data;
  const C2gWindowPlace *place = &self->place;
  const gint64 n_out = self->n_channels / self->n_groups;
  float *patches = self->scratch + worker * self->n_scratch;
  float *values = patches + place->n_images * place->n_channels * place->n_kernel;

  for (gsize at = begin; at < end; at++)
    {
      C2gGemm gemm = {
        .trans_b = TRUE,
        .m = place->n_images,
        .n = n_out,
        .k = self->n_filter,
        .a = patches,
        .lda = self->n_groups * self->n_filter,
        .b = self->filters + (gint64) at * self->n_channels * self->n_filter,
        .ldb = self->n_filter,
        .c = values,
        .ldc = self->n_channels,
        .is_alone = TRUE,
      };

      fill_patches (self, at, patches);
      for (gint64 group = 0; group < self->n_groups; group++)
        {
          c2g_gemm_run (&gemm);
          gemm.a += self->n_filter;
          gemm.b += n_out * self->n_filter;
          gemm.c += n_out;
        }
      put_values (self, at, values);
    }
}

static gboolean
compute (Lc          *self,
         C2gScratch  *scratch,
         GError     **error)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n_patch = place->n_channels * place->n_kernel;
  const guint n_workers = c2g_parallel_get_n_workers ();
  const C2gGemm gemm = {
    .m = place->n_images, .n = self->n_channels, .k = self->n_groups * self->n_filter
  };
  gint64 n_scratch;

  if (!c2g_gemm_check (&gemm, error))
    return FALSE;
  /* Cannot overflow: c2g_gemm_check() checked that the sizes fit in 32 bits. */
  n_scratch = place->n_images * (n_patch + self->n_channels);
  if (!c2g_scratch_reserve (scratch, n_workers, n_scratch, error))
    return FALSE;

  self->scratch = scratch->data;
  self->n_scratch = n_scratch;
  c2g_parallel_for_workers (place->n_out, 1, n_workers, run_places_cb, self);
  return TRUE;
}

/* Checks of the inputs */

static gboolean
check_filters (C2gOperator  *op,
               Lc           *self,
               C2gTensor    *filters,
               GError      **error)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 *out = place->out + C2G_WINDOW_MAX_DIMS - place->n_dims;
  C2gWindowPlace shape = *place;
  gint64 dims[MAX_FILTER_DIMS];
  g_autofree char *text = NULL;
  gsize n_dims;

  /* The shape of the filters is the output positions, followed by the shape for Conv. */
  memcpy (dims, out, place->n_dims * sizeof (gint64));
  shape.n_images = filters->n_dims > place->n_dims ? filters->dims[place->n_dims] : 0;
  shape.n_images = MAX (shape.n_images - shape.n_images % self->n_groups, self->n_groups);
  n_dims = place->n_dims + c2g_window_place_dims (&shape, place->kernel,
                                                  place->n_channels / self->n_groups,
                                                  dims + place->n_dims);
  self->n_channels = shape.n_images;
  self->n_filter = place->n_channels / self->n_groups * place->n_kernel;
  if (c2g_shape_equal (dims, n_dims, filters->dims, filters->n_dims))
    return TRUE;

  text = c2g_shape_to_string (dims, n_dims);
  return c2g_operator_set_shape_error (op, 1, error, _("one like %s"), text);
}

static gboolean
check_bias (C2gOperator  *op,
            const Lc     *self,
            C2gTensor    *bias,
            GError      **error)
{
  const guint n_dims = self->place.n_dims;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 1];
  g_autofree char *text = NULL;

  memcpy (dims, self->place.out + C2G_WINDOW_MAX_DIMS - n_dims, n_dims * sizeof (gint64));
  dims[n_dims] = self->n_channels;
  if (c2g_shape_equal (dims, n_dims + 1, bias->dims, bias->n_dims))
    return TRUE;

  text = c2g_shape_to_string (dims, n_dims + 1);
  return c2g_operator_set_shape_error (op, 2, error, "%s", text);
}

static gboolean
prepare (C2gOperator  *op,
         LcState      *state,
         Lc           *self,
         C2gTensor   **inputs,
         GError      **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);

  if (!c2g_operator_read_inputs (op, n_inputs, C2G_DATA_TYPE_FLOAT, inputs, error))
    return FALSE;

  self->n_groups = state->n_groups;
  return c2g_window_place (&state->window, op, 0, inputs[0], &self->place, error) &&
         c2g_operator_check_groups (op, self->place.n_channels, self->n_groups, error) &&
         check_filters (op, self, inputs[1], error) &&
         (n_inputs < 3 || check_bias (op, self, inputs[2], error));
}

static gboolean
lc_run (C2gOperator  *op,
        gpointer      state,
        GError      **error)
{
  LcState *self = state;
  C2gTensor *inputs[3] = { NULL };
  C2gTensor *y;
  Lc lc = { 0 };
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  gsize n_dims;

  if (!prepare (op, self, &lc, inputs, error))
    return FALSE;
  n_dims = c2g_window_place_dims (&lc.place, lc.place.out, lc.n_channels, dims);
  y = c2g_operator_output (op, 0, dims, n_dims, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (y->n_elements == 0)
    return TRUE;

  lc.x = c2g_tensor_address (inputs[0]);
  lc.filters = c2g_tensor_address (inputs[1]);
  lc.bias = inputs[2] != NULL ? c2g_tensor_address (inputs[2]) : NULL;
  lc.y = c2g_tensor_address (y);
  c2g_operator_set_flops (op, (double) y->n_elements * (2.0 * (double) lc.n_filter + (inputs[2] != NULL ? 1 : 0)));
  return compute (&lc, &self->scratch, error);
}

C2G_SCRATCH_DEFINE_CLEAR (lc_clear, LcState, scratch)

static const C2gKernel kernels[] = {
  {
    .type = "LC",
    .min_inputs = 2,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (C2G_ARG_PART (LcState, window, c2g_window_arguments),
                           C2G_ARG_INT (LcState, n_groups, "group", 1, C2G_AT_LEAST (1)),
                           C2G_ARG_IGNORED ("float16_compute no_bias shared_buffer"),
                           C2G_ARG_REFUSED ("global_pooling=0")),
    .state_size = sizeof (LcState),
    .set_up = lc_set_up,
    .run = lc_run,
    .infer = lc_run,
    .clear = lc_clear,
    .count_flops = c2g_operator_count_flops,
    .summary = "Convolution with separate filters for each position of the output",
  },
};

C2G_OPS_FAMILY (lc);
