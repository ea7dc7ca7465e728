/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-blas-private.h>
#include <c2g/ops/c2g-matrix-private.h>

#include <string.h>

/* FC: X times the weights, and a bias for each of these.  Both are taken for matrices, cut at
 * an axis; the weights are rows, in FCTransposed columns. */

typedef struct
{
  int     axis;
  int     axis_w;
  gint64 *dims;
  gsize   n_allocated;
  double  n_flops;
} FcState;

static gboolean
fc_set_up (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  FcState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->axis = c2g_arguments_int32 (&arguments, "axis", 1);
  self->axis_w = c2g_arguments_int32 (&arguments, "axis_w", 1);
  return c2g_arguments_finish (&arguments, error);
}

static gboolean
check_shapes (C2gOperator      *op,
              const C2gMatrix  *x,
              const C2gMatrix  *w,
              C2gTensor        *bias,
              const C2gGemm    *gemm,
              GError          **error)
{
  if ((gemm->trans_b ? w->n_columns : w->n_rows) != gemm->k)
    return c2g_operator_set_shape_error (op, 1, error,
                                         _("%" PRId64 " weights each, as X has elements"),
                                         gemm->k);
  if (bias->n_dims != 1 || bias->dims[0] != gemm->n)
    return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 "]", gemm->n);
  return c2g_gemm_check (gemm, error);
}

/* The dimensions of X before the axis, and one for the weights. */
static C2gTensor *
resize_output (C2gOperator    *op,
               FcState        *self,
               C2gTensor      *x,
               const C2gGemm  *gemm,
               GError        **error)
{
  const int axis = c2g_shape_axis (self->axis, x->n_dims, error);
  const gsize n_dims = axis + 1;

  if (n_dims > self->n_allocated)
    {
      self->dims = g_renew (gint64, self->dims, n_dims);
      self->n_allocated = n_dims;
    }
  memcpy (self->dims, x->dims, axis * sizeof (gint64));
  self->dims[axis] = gemm->n;
  return c2g_operator_output (op, 0, self->dims, n_dims, C2G_DATA_TYPE_FLOAT, error);
}

static void
compute (C2gGemm   *gemm,
         C2gTensor *x,
         C2gTensor *w,
         C2gTensor *bias,
         C2gTensor *y)
{
  const float *values = c2g_tensor_address (bias);

  gemm->a = c2g_tensor_address (x);
  gemm->b = c2g_tensor_address (w);
  gemm->c = c2g_tensor_address (y);
  gemm->adds = TRUE;
  for (gint64 i = 0; i < gemm->m && gemm->n > 0; i++)
    memcpy (gemm->c + i * gemm->n, values, gemm->n * sizeof (float));
  c2g_gemm_run (gemm);
}

static gboolean
run (C2gOperator  *op,
     FcState      *self,
     gboolean      is_transposed,
     GError      **error)
{
  C2gTensor *inputs[3];
  C2gMatrix x, w;
  C2gGemm gemm = { .trans_b = !is_transposed };
  C2gTensor *y;

  self->n_flops = 0;
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      inputs[i] = c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error);
      if (inputs[i] == NULL)
        return FALSE;
    }
  if (!c2g_matrix_cut (&x, op, 0, inputs[0], self->axis, error) ||
      !c2g_matrix_cut (&w, op, 1, inputs[1], self->axis_w, error))
    return FALSE;

  gemm.m = x.n_rows;
  gemm.n = is_transposed ? w.n_columns : w.n_rows;
  gemm.k = x.n_columns;
  c2g_gemm_pack (&gemm);
  if (!check_shapes (op, &x, &w, inputs[2], &gemm, error))
    return FALSE;
  y = resize_output (op, self, inputs[0], &gemm, error);
  if (y == NULL)
    return FALSE;

  compute (&gemm, inputs[0], inputs[1], inputs[2], y);
  self->n_flops = c2g_gemm_flops (&gemm) + (double) y->n_elements;
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
  FcState *self = state;

  g_free (self->dims);
}

static double
fc_count_flops (C2gOperator *op,
                gpointer     state)
{
  const FcState *self = state;

  return self->n_flops;
}

#define FC(name, function, text)                                                                   \
  {                                                                                                \
    .type = name, .min_inputs = 3, .max_inputs = 3, .min_outputs = 1, .max_outputs = 1,            \
    .state_size = sizeof (FcState), .set_up = fc_set_up, .run = function, .clear = fc_clear,       \
    .infer = function, .count_flops = fc_count_flops, .summary = text                              \
  }

static const C2gKernel kernels[] = {
  FC ("FC", fc_run, "Fully connected: X times the transposed weights, plus the bias"),
  FC ("FCTransposed", fc_transposed_run, "Fully connected: X times the weights, plus the bias"),
};

void
c2g_ops_register_fc (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
