/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/engines/c2g-xnnpack-private.h>
#include <c2g/ops/nn/c2g-fc-private.h>

#include <math.h>

/* FC and FCTransposed by XNNPACK; see c2g-fc-ops.c for the formulas. */

typedef struct
{
  C2gFcState        fc;
  C2gXnnpackWeights weights;
  C2gScratch        input;
  /* NULL if XNNPACK does not support the shape. */
  xnn_operator_t    op;
  gint64            n_in;
  gint64            n_out;
  gboolean          is_made;
} XnnpackFc;

static void
forget (XnnpackFc *self)
{
  if (self->op != NULL)
    xnn_delete_operator (self->op);
  self->op = NULL;
  self->is_made = FALSE;
}

/* Creates the operator, unless the last one has the same sizes and weights. */
static gboolean
ensure_op (XnnpackFc    *self,
           const C2gFc  *fc,
           GError      **error)
{
  const C2gGemm *gemm = &fc->gemm;
  const gsize n_weights = (gsize) gemm->k * gemm->n;
  enum xnn_status status;

  if (self->is_made && self->n_in == gemm->k && self->n_out == gemm->n &&
      c2g_xnnpack_weights_are_same (&self->weights, gemm->b, n_weights, fc->bias, gemm->n))
    return TRUE;

  forget (self);
  if (!c2g_xnnpack_weights_keep (&self->weights, gemm->b, n_weights, fc->bias, gemm->n, error))
    return FALSE;
  status = xnn_create_fully_connected_nc_f32 (
    gemm->k, gemm->n, gemm->k, gemm->n, gemm->b, fc->bias, -INFINITY, INFINITY,
    gemm->trans_b ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS, &self->op);
  self->n_in = gemm->k;
  self->n_out = gemm->n;
  self->is_made = c2g_xnnpack_check_new (status, &self->op, error);
  return self->is_made;
}

static gboolean
compute (XnnpackFc    *self,
         const C2gFc  *fc,
         GError      **error)
{
  const C2gGemm *gemm = &fc->gemm;
  const float *x =
    c2g_xnnpack_readable (gemm->a, gemm->m * gemm->k, gemm->k, &self->input, error);
  const gint64 n_at_once =
    c2g_xnnpack_count_at_once ((double) gemm->k * (double) gemm->n, gemm->m);
  enum xnn_status status = xnn_status_success;
  C2gXnnpackThreads *threads;
  pthreadpool_t pool;

  if (x == NULL)
    return FALSE;
  threads = c2g_xnnpack_threads_acquire ();
  pool = c2g_xnnpack_threads_get_pool (threads);
  for (gint64 i = 0; i < gemm->m && status == xnn_status_success && !c2g_interrupt_is_wanted ();
       i += n_at_once)
    {
      status = xnn_setup_fully_connected_nc_f32 (self->op, MIN (n_at_once, gemm->m - i),
                                                 x + i * gemm->k, gemm->c + i * gemm->n, pool);
      if (status == xnn_status_success)
        status = xnn_run_operator (self->op, pool);
    }
  c2g_xnnpack_threads_release (threads);
  return c2g_xnnpack_check (status, error);
}

static gboolean
run (C2gOperator  *op,
     XnnpackFc    *self,
     gboolean      is_transposed,
     GError      **error)
{
  C2gFc fc;

  if (!c2g_fc_state_prepare (&self->fc, op, is_transposed, &fc, error))
    return FALSE;
  if (fc.gemm.m == 0 || fc.gemm.n == 0)
    return TRUE;

  /* With k = 0 the result is the bias, which c2g_fc_compute() writes. */
  if (fc.gemm.k > 0 && !ensure_op (self, &fc, error))
    return FALSE;
  if (fc.gemm.k > 0 && self->op != NULL)
    return compute (self, &fc, error);
  c2g_fc_compute (&fc);
  return TRUE;
}

static gboolean
fc_run (C2gOperator  *op,
        gpointer      state,
        GError      **error)
{
  return run (op, state, FALSE, error);
}

static gboolean
fc_transposed_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  return run (op, state, TRUE, error);
}

static void
fc_clear (gpointer state)
{
  XnnpackFc *self = state;

  forget (self);
  c2g_scratch_clear (&self->input);
  c2g_xnnpack_weights_clear (&self->weights);
  c2g_fc_state_clear (&self->fc);
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_PART (XnnpackFc, fc, c2g_fc_arguments),
  C2G_ARG_CHOICE (XnnpackFc, weights.is_constant, "convolution_transform_strategy",
                  "COMPUTE PRECOMPUTE"),
  { 0 },
};

#define FC(name, function)                                                                         \
  {                                                                                                \
    .type = name, .engine = C2G_XNNPACK, .min_inputs = 3, .max_inputs = 3, .min_outputs = 1,       \
    .max_outputs = 1, .arguments = arguments, .state_size = sizeof (XnnpackFc), .run = function,   \
    .infer = function, .clear = fc_clear, .count_flops = c2g_fc_state_count_flops                  \
  }

static const C2gKernel kernels[] = {
  FC ("FC", fc_run),
  FC ("FCTransposed", fc_transposed_run),
};

void
c2g_xnnpack_register_fc (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
