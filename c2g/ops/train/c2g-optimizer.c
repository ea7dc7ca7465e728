/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/train/c2g-optimizer-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>

/* The common part of the operators that update parameters: reads inputs, makes outputs, and finds
 * rows of sparse gradients. */

static gboolean
read_rate (C2gOperator  *op,
           guint         input,
           float        *rate,
           const float **far_rate,
           GError      **error)
{
  C2gTensor *tensor = c2g_operator_input_sized (op, input, C2G_DATA_TYPE_FLOAT, 1, error);
  const gboolean is_near = !c2g_operator_is_inferring (op) && c2g_operator_get_compute (op) == NULL;

  if (tensor == NULL)
    return FALSE;
  *far_rate = c2g_tensor_address (tensor);
  *rate = is_near ? **far_rate : 0;
  return TRUE;
}

gboolean
c2g_optimizer_rate (C2gOperator  *op,
                    guint         input,
                    float        *rate,
                    GError      **error)
{
  const float *far_rate;

  return read_rate (op, input, rate, &far_rate, error);
}

/* Finds the iteration count, on the CPU. */
static C2gTensor *
find_iteration (C2gOperator  *op,
                guint         input,
                GError      **error)
{
  C2gTensor *tensor = c2g_operator_input_near_or_far (op, input, C2G_DATA_TYPE_INT64, error);

  return tensor != NULL && !c2g_operator_is_inferring (op)
           ? c2g_operator_bring_near (op, input, tensor, error)
           : tensor;
}

gboolean
c2g_optimizer_iteration (C2gOperator  *op,
                         guint         input,
                         gint64       *iteration,
                         GError      **error)
{
  C2gTensor *tensor = find_iteration (op, input, error);

  if (tensor == NULL)
    return FALSE;
  if (tensor->n_elements < 1)
    return c2g_operator_set_shape_error (op, input, error, _("a single element"));
  *iteration = c2g_operator_is_inferring (op) ? 0 : *(const gint64 *) c2g_tensor_address (tensor);
  return TRUE;
}

gboolean
c2g_optimizer_update (C2gOperator          *op,
                      C2gComputeUpdate      update,
                      const C2gOptimizer   *all,
                      const C2gSparseRows  *rows,
                      GError              **error)
{
  update.rate = rows != NULL ? rows->far_rate : all->far_rate;
  update.n = rows != NULL ? (gsize) rows->n_block : all->n;
  if (rows != NULL)
    {
      update.index_type = c2g_tensor_get_data_type (rows->indices.tensor);
      update.indices = c2g_tensor_address (rows->indices.tensor);
      update.n_indices = rows->indices.n;
      update.x = c2g_sparse_rows_get (rows, 0);
    }
  if (rows != NULL && update.n_indices == 0)
    return TRUE;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UPDATE, .update = &update);
}

gboolean
c2g_optimizer_read (C2gOptimizer  *self,
                    C2gOperator   *op,
                    guint          n_inputs,
                    guint          rate_input,
                    GError       **error)
{
  gint64 n = 0;

  *self = (C2gOptimizer) { 0 };
  for (guint i = 0; i < n_inputs; i++)
    {
      C2gTensor *tensor =
        i == 0 ? c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error)
               : c2g_operator_input_sized (op, i, C2G_DATA_TYPE_FLOAT, n, error);

      if (tensor == NULL)
        return FALSE;
      n = tensor->n_elements;
      self->inputs[i] = tensor;
      self->in[i] = c2g_tensor_address (tensor);
    }

  self->n = n;
  return read_rate (op, rate_input, &self->rate, &self->far_rate, error);
}

gboolean
c2g_optimizer_write (C2gOptimizer  *self,
                     C2gOperator   *op,
                     guint          output,
                     guint          like,
                     GError       **error)
{
  C2gTensor *source, *target;

  if (output >= c2g_operator_get_n_outputs (op))
    return TRUE;
  source = c2g_operator_input (op, like, C2G_DATA_TYPE_FLOAT, error);
  target = source != NULL
             ? c2g_operator_output_like (op, output, source, C2G_DATA_TYPE_FLOAT, error)
             : NULL;
  if (target == NULL)
    return FALSE;

  self->out[output] = c2g_tensor_address (target);
  for (guint i = 0; i < C2G_OPTIMIZER_MAX; i++)
    if (self->inputs[i] != NULL)
      self->in[i] = c2g_tensor_address (self->inputs[i]);
  return TRUE;
}

gboolean
c2g_optimizer_next_part (const C2gOptimizer *self,
                         gsize              *begin,
                         C2gOptimizer       *part)
{
  gsize n = part->n;

  if (!c2g_interrupt_next_part (self->n, begin, &n))
    return FALSE;

  *part = *self;
  part->n = n;
  for (guint i = 0; i < C2G_OPTIMIZER_MAX; i++)
    {
      if (part->in[i] != NULL)
        part->in[i] += *begin;
      if (part->out[i] != NULL)
        part->out[i] += *begin;
    }
  return TRUE;
}

static gint64
size_from (C2gTensor *tensor,
           gsize      axis)
{
  guint64 size = 1;

  /* Unsigned, since dimensions beside a 0 can multiply to more than fits. */
  for (gsize i = axis; i < tensor->n_dims; i++)
    size *= tensor->dims[i];
  return (gint64) size;
}

gboolean
c2g_sparse_rows_read (C2gSparseRows          *self,
                      C2gOperator            *op,
                      const C2gSparsePlaces  *places,
                      GError                **error)
{
  C2gTensor *parameters =
    c2g_operator_input (op, places->parameters, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *gradients;
  gsize n_index_dims;

  if (parameters == NULL ||
      !read_rate (op, places->rate, &self->rate, &self->far_rate, error) ||
      !c2g_indices_init (&self->indices, op, places->indices, error))
    return FALSE;
  if (parameters->n_dims < 1)
    return c2g_operator_set_shape_error (op, places->parameters, error,
                                         _("at least one dimension"));
  gradients = c2g_operator_input (op, places->gradients, C2G_DATA_TYPE_FLOAT, error);
  if (gradients == NULL)
    return FALSE;

  self->n_rows = parameters->dims[0];
  self->n_block = size_from (parameters, 1);
  self->gradients = gradients;
  n_index_dims = self->indices.tensor->n_dims;
  if (gradients->n_dims < n_index_dims ||
      size_from (gradients, n_index_dims) != self->n_block ||
      (self->n_block > 0 && gradients->n_elements / self->n_block != (gint64) self->indices.n))
    return c2g_operator_set_shape_error (op, places->gradients, error,
                                         _("%zu times %" PRId64 " elements"), self->indices.n,
                                         self->n_block);
  return c2g_indices_check (&self->indices, self->n_rows, FALSE, error);
}

gboolean
c2g_sparse_rows_state (C2gOperator  *op,
                       guint         input,
                       gint64        n,
                       float       **data,
                       GError      **error)
{
  C2gTensor *tensor = c2g_operator_input_sized (op, input, C2G_DATA_TYPE_FLOAT, n, error);

  if (tensor == NULL)
    return FALSE;
  *data = c2g_tensor_address (tensor);
  return TRUE;
}

gboolean
c2g_sparse_rows_output (C2gOperator  *op,
                        guint         output,
                        guint         input,
                        gint64        n,
                        float       **data,
                        GError      **error)
{
  C2gTensor *tensor = c2g_operator_input_sized (op, input, C2G_DATA_TYPE_FLOAT, n, error);

  tensor = tensor != NULL
             ? c2g_operator_output_like (op, output, tensor, C2G_DATA_TYPE_FLOAT, error)
             : NULL;
  if (tensor == NULL)
    return FALSE;
  *data = c2g_tensor_address (tensor);
  return TRUE;
}

gboolean
c2g_operator_check_in_place (C2gOperator  *op,
                             guint         input,
                             guint         output,
                             GError      **error)
{
  C2gOperatorDef *def = c2g_operator_peek_def (op);
  const char *from = c2g_operator_def_get_inputs (def)[input];
  const char *to = c2g_operator_def_get_outputs (def)[output];

  if (strcmp (from, to) == 0)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Output %u is “%s”, expected the input “%s”, which is changed in place"),
                   output, to, from);
}

gboolean
c2g_operator_check_all_in_place (C2gOperator  *op,
                                 guint         n,
                                 GError      **error)
{
  for (guint i = 0; i < n; i++)
    if (!c2g_operator_check_in_place (op, i, i, error))
      return FALSE;
  return TRUE;
}
