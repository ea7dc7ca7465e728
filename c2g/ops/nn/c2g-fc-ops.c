/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-matrix-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <string.h>

/* Fully connected layers. X is seen as a matrix M × K (cut at axis), and W, cut at axis_w, as N × K
 * for FC and K × N for FCTransposed; the bias has N values. They are float; on devices also float16,
 * bfloat16 and double.
 *
 * FC: Y = X Wᵀ + bias. FCTransposed: Y = X W + bias.
 *
 * Y has the dimensions of X before axis, followed by N.  Nothing is in place. The rules are
 * Caffe2's. On CUDA cuBLAS multiplies; floats that it cannot multiply go to kernels/gemm.cu.
 * kernels/channels.cu adds a bias of float, kernels/binary.cu one of another type. */

/* A fully connected layer ready to compute: C = A B + bias, where bias has one value per column. */
typedef struct
{
  C2gGemm       gemm;
  /* Has the type of the product: float on the CPU. */
  gconstpointer bias;
} Fc;

typedef struct
{
  int     axis;
  int     axis_w;
  gint64 *dims;
  gsize   n_allocated;
} State;

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
                                         _("%" PRId64 " weights a row, one for each element of X"),
                                         gemm->k);
  if (bias->n_dims != 1 || bias->dims[0] != gemm->n)
    return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 "]", gemm->n);
  return c2g_gemm_check (gemm, error);
}

/* Makes the output: the dimensions of X before axis, followed by N. */
static C2gTensor *
resize_output (C2gOperator    *op,
               State          *self,
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
  return c2g_operator_output (op, 0, self->dims, n_dims, gemm->type, error);
}

/* Checks the inputs, makes the output and fills fc in. */
static gboolean
prepare (State        *self,
         C2gOperator  *op,
         gboolean      is_transposed,
         Fc           *fc,
         GError      **error)
{
  const C2gDataType type = c2g_on_device_factor_type (op);
  C2gTensor *inputs[3];
  C2gMatrix x, w;
  C2gTensor *y;

  if (!c2g_operator_read_inputs (op, G_N_ELEMENTS (inputs), type, inputs, error) ||
      !c2g_matrix_cut (&x, op, 0, inputs[0], self->axis, error) ||
      !c2g_matrix_cut (&w, op, 1, inputs[1], self->axis_w, error))
    return FALSE;

  fc->gemm = (C2gGemm){ .trans_b = !is_transposed, .m = x.n_rows, .k = x.n_columns, .type = type };
  fc->gemm.n = is_transposed ? w.n_columns : w.n_rows;
  c2g_gemm_pack (&fc->gemm);
  if (!check_shapes (op, &x, &w, inputs[2], &fc->gemm, error))
    return FALSE;
  y = resize_output (op, self, inputs[0], &fc->gemm, error);
  if (y == NULL)
    return FALSE;

  fc->gemm.a = c2g_tensor_address (inputs[0]);
  fc->gemm.b = c2g_tensor_address (inputs[1]);
  fc->gemm.c = c2g_tensor_address (y);
  fc->bias = c2g_tensor_address (inputs[2]);
  c2g_operator_set_flops (op, c2g_gemm_flops (&fc->gemm) + (double) y->n_elements);
  return TRUE;
}

static void
compute (const Fc *self)
{
  C2gGemm gemm = self->gemm;

  gemm.adds = TRUE;
  for (gint64 i = 0; i < gemm.m && gemm.n > 0; i++)
    memcpy (gemm.c + i * gemm.n, self->bias, gemm.n * sizeof (float));
  c2g_gemm_run (&gemm);
}

static gboolean
run (C2gOperator  *op,
     gpointer      state,
     gboolean      is_transposed,
     GError      **error)
{
  Fc fc;

  if (!prepare (state, op, is_transposed, &fc, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_gemm (op, &fc.gemm, fc.bias, error);
  compute (&fc);
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
  State *self = state;

  g_free (self->dims);
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_INT (State, axis, "axis", 1),
  C2G_ARG_INT (State, axis_w, "axis_w", 1),
  /* Nets that were written for the engine XNNPACK have it. */
  C2G_ARG_READ ("convolution_transform_strategy"),
  C2G_ARG_IGNORED ("dequantize_output float16_compute followed_by quantize_channelwise"),
  { 0 },
};

#define FC(name, function, ...)                                                                    \
  {                                                                                                \
    .type = name, .min_inputs = 3, .max_inputs = 3, .min_outputs = 1, .max_outputs = 1,            \
    .arguments = arguments, .state_size = sizeof (State), .run = function, .infer = function,      \
    .clear = fc_clear, .count_flops = c2g_operator_count_flops, .is_for_devices = TRUE,            \
    .summary = __VA_ARGS__                                                                         \
  }

static const C2gKernel kernels[] = {
  FC ("FC", fc_run, "Fully connected layer",
      .traits = C2G_TRAITS_FLOAT | C2G_TRAIT_HALF),
  FC ("FCTransposed", fc_transposed_run, "Fully connected layer with transposed weights",
      .traits = C2G_TRAITS_FLOAT | C2G_TRAIT_HALF),
};

C2G_OPS_FAMILY (fc);
