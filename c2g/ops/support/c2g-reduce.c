/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-reduce-private.h>

#include <c2g/core/types/c2g-interrupt-private.h>

/* Runs a reduction over axes of a tensor, in the calling thread. On CUDA kernels/reduce.cu does the
 * same. */

/* A plan of nested loops over x. Adjacent axes are merged if both are reduced or both are not. */
typedef struct
{
  gsize    n_dims;
  gint64   dims[C2G_DIMS_MAX];
  gboolean is_reduced[C2G_DIMS_MAX];
  /* Step in the results for each dimension; 0 for reduced ones. */
  gint64   strides[C2G_DIMS_MAX];
} Plan;

static void
plan_set (Plan         *self,
          const gint64 *dims,
          gsize         n_dims,
          guint32       axes)
{
  gint64 n_results = 1;

  self->n_dims = 0;
  for (gsize i = 0; i < n_dims; i++)
    {
      gboolean is_reduced = (axes >> i & 1) != 0;

      if (dims[i] == 1)
        continue;
      if (self->n_dims > 0 && self->is_reduced[self->n_dims - 1] == is_reduced)
        {
          self->dims[self->n_dims - 1] *= dims[i];
          continue;
        }

      self->dims[self->n_dims] = dims[i];
      self->is_reduced[self->n_dims++] = is_reduced;
    }

  for (gsize i = self->n_dims; i-- > 0;)
    {
      self->strides[i] = self->is_reduced[i] ? 0 : n_results;
      n_results *= self->is_reduced[i] ? 1 : self->dims[i];
    }
}

/* Goes to the next row. Returns FALSE after the last one. */
static gboolean
plan_advance (const Plan *self,
              gint64     *position,
              gint64     *offset)
{
  for (gsize i = self->n_dims - 1; i-- > 0;)
    {
      *offset += self->strides[i];
      if (++position[i] < self->dims[i])
        return TRUE;

      *offset -= self->dims[i] * self->strides[i];
      position[i] = 0;
    }

  return FALSE;
}

static void
plan_run (const Plan       *self,
          const C2gReducer *reducer,
          const char       *x,
          char             *y,
          gsize             item_size)
{
  gint64 position[C2G_DIMS_MAX] = { 0 };
  gint64 offset = 0;
  gint64 n;

  if (self->n_dims == 0)
    {
      reducer->row (y, x, 1);
      return;
    }

  n = self->dims[self->n_dims - 1];
  do
    {
      if (self->is_reduced[self->n_dims - 1])
        reducer->row (y + offset * item_size, x, n);
      else
        reducer->column (y + offset * item_size, x, n);
      x += n * item_size;
    }
  while (!c2g_interrupt_is_wanted () && plan_advance (self, position, &offset));
}

static void
find_result_dims (C2gTensor *x,
                  guint32    axes,
                  gboolean   keep_dims,
                  gint64    *dims,
                  gsize     *n_dims)
{
  *n_dims = 0;
  for (gsize i = 0; i < x->n_dims; i++)
    if ((axes >> i & 1) == 0)
      dims[(*n_dims)++] = x->dims[i];
    else if (keep_dims)
      dims[(*n_dims)++] = 1;
}

gboolean
c2g_reduce (const C2gReducer  *reducer,
            C2gComputeReduce   function,
            C2gOperator       *op,
            C2gTensor         *x,
            guint32            axes,
            gboolean           keep_dims,
            GError           **error)
{
  gint64 dims[C2G_DIMS_MAX];
  gsize n_dims;
  C2gTensor *y;
  Plan plan;

  find_result_dims (x, axes, keep_dims, dims, &n_dims);
  y = c2g_operator_output (op, 0, dims, n_dims, c2g_tensor_get_data_type (x), error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = function,
                        .type = c2g_tensor_get_data_type (x), .x = c2g_tensor_address (x),
                        .dims = x->dims, .n_dims = x->n_dims, .axes = axes,
                        .y = c2g_tensor_address (y));

  reducer->start (c2g_tensor_address (y), y->n_elements);
  if (x->n_elements == 0)
    return TRUE;

  plan_set (&plan, x->dims, x->n_dims, axes);
  plan_run (&plan, reducer, c2g_tensor_address (x), c2g_tensor_address (y), y->meta->item_size);
  if (reducer->finish != NULL)
    reducer->finish (c2g_tensor_address (y), y->n_elements, x->n_elements / y->n_elements);
  return TRUE;
}
