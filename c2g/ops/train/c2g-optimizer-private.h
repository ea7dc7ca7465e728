/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/ops/support/c2g-move-private.h>

G_BEGIN_DECLS

/* Shared by the optimizers, the operators that update parameters from gradients. */

#define C2G_OPTIMIZER_MAX 4

/* Inputs and outputs of n floats each. An output may be the same memory as its input. */
typedef struct
{
  gsize        n;
  /* NULL for inputs that c2g_optimizer_read() did not read. */
  C2gTensor   *inputs[C2G_OPTIMIZER_MAX];
  const float *in[C2G_OPTIMIZER_MAX];
  /* NULL for outputs that the operator lacks. */
  float       *out[C2G_OPTIMIZER_MAX];
  float        rate;
  /* Address of the learning rate. On a device its value cannot be read here, and rate is 0. */
  const float *far_rate;
} C2gOptimizer;

/* Reads the first n_inputs inputs and the learning rate, a single float in rate_input. */
gboolean c2g_optimizer_read  (C2gOptimizer  *self,
                              C2gOperator   *op,
                              guint          n_inputs,
                              guint          rate_input,
                              GError       **error);
/* Makes an output in the shape of input like; does nothing if the operator lacks the output. If
 * the output is an input in read-only memory (a mapped file), making it moves the tensor, so the
 * addresses in self->in are renewed. Do not use older copies of them. */
gboolean c2g_optimizer_write (C2gOptimizer  *self,
                              C2gOperator   *op,
                              guint          output,
                              guint          like,
                              GError       **error);

/* Calls c2g_interrupt_next_part() for all elements; the part has no elements at first. */
gboolean c2g_optimizer_next_part (const C2gOptimizer *self,
                                  gsize              *begin,
                                  C2gOptimizer       *part);

/* Reads a single number. The learning rate is where the operator runs; on a device its value is
 * not known and is 0. The iteration is on the CPU, as in Caffe2, or where the operator runs. */
gboolean c2g_optimizer_rate      (C2gOperator  *op,
                                  guint         input,
                                  float        *rate,
                                  GError      **error);
gboolean c2g_optimizer_iteration (C2gOperator  *op,
                                  guint         input,
                                  gint64       *iteration,
                                  GError      **error);

/* Gradients for some rows of the parameters, with the index of the row of each. */
typedef struct
{
  C2gIndices   indices;
  /* Number of rows of the parameters, and number of elements of one row. */
  gint64       n_rows;
  gint64       n_block;
  C2gTensor   *gradients;
  float        rate;
  const float *far_rate;
} C2gSparseRows;

/* Returns gradient row i. Call this after the outputs were made, since that can move tensors. */
static inline const float *
c2g_sparse_rows_get (const C2gSparseRows *self,
                     gsize                i)
{
  return (const float *) c2g_tensor_address (self->gradients) + i * self->n_block;
}

/* Queues an update on the device. The caller has filled update except for the rate and the rows;
 * rows is NULL for a dense update. */
gboolean c2g_optimizer_update (C2gOperator           *op,
                               C2gComputeUpdate       update,
                               const C2gOptimizer    *all,
                               const C2gSparseRows   *rows,
                               GError               **error);

/* Indices of the inputs of a sparse optimizer. */
typedef struct
{
  guint parameters;
  guint indices;
  guint gradients;
  guint rate;
} C2gSparsePlaces;

/* Reads the inputs, and checks that there is a gradient for each index and a row for each of them. */
gboolean c2g_sparse_rows_read   (C2gSparseRows          *self,
                                 C2gOperator            *op,
                                 const C2gSparsePlaces  *places,
                                 GError                **error);
/* Reads an input of n floats.  *data is NULL if n is 0. */
gboolean c2g_sparse_rows_state  (C2gOperator            *op,
                                 guint                   input,
                                 gint64                  n,
                                 float                 **data,
                                 GError                **error);
/* Makes the output that updates an input of n floats in place. */
gboolean c2g_sparse_rows_output (C2gOperator            *op,
                                 guint                   output,
                                 guint                   input,
                                 gint64                  n,
                                 float                 **data,
                                 GError                **error);
/* Used at set-up. Fails unless the output has the same name as the input. */
gboolean c2g_operator_check_in_place (C2gOperator       *op,
                                      guint              input,
                                      guint              output,
                                      GError           **error);
/* Checks this for each of the first n inputs and outputs: output i is input i. */
gboolean c2g_operator_check_all_in_place (C2gOperator   *op,
                                          guint          n,
                                          GError       **error);

G_END_DECLS
