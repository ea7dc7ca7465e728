/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-move-private.h>

G_BEGIN_DECLS

/* What operators that move parameters along gradients are made of. */

#define C2G_OPTIMIZER_MAX 4

/* Inputs and outputs of as many floats each; an output may be an input. */
typedef struct
{
  gsize        n;
  /* NULL where they were not read by c2g_optimizer_read(). */
  C2gTensor   *inputs[C2G_OPTIMIZER_MAX];
  const float *in[C2G_OPTIMIZER_MAX];
  /* NULL where the operator has no such output. */
  float       *out[C2G_OPTIMIZER_MAX];
  float        rate;
  /* Where a device reads it, and the rate itself is not known. */
  const float *far_rate;
} C2gOptimizer;

/* The first inputs, and the rate of learning from one of a single float. */
gboolean c2g_optimizer_read  (C2gOptimizer  *self,
                              C2gOperator   *op,
                              guint          n_inputs,
                              guint          rate_input,
                              GError       **error);
/* An output in the shape of an input, if the operator has it.  What cannot be written, as it
 * is in a file, and is an input too, moves: other addresses of inputs are none after this. */
gboolean c2g_optimizer_write (C2gOptimizer  *self,
                              C2gOperator   *op,
                              guint          output,
                              guint          like,
                              GError       **error);

/* Single numbers.  The rate is where the operator runs, and not known if that is no CPU;
 * iterations are on the CPU, where Caffe2 counts them, or where the operator runs. */
gboolean c2g_optimizer_rate      (C2gOperator  *op,
                                  guint         input,
                                  float        *rate,
                                  GError      **error);
gboolean c2g_optimizer_iteration (C2gOperator  *op,
                                  guint         input,
                                  gint64       *iteration,
                                  GError      **error);

/* Gradients of some rows only: which row each is of. */
typedef struct
{
  C2gIndices   indices;
  /* In how many rows the parameters lie, and how long each is. */
  gint64       n_rows;
  gint64       n_block;
  C2gTensor   *gradients;
  float        rate;
  const float *far_rate;
} C2gSparseRows;

/* Those of row i of them; when the outputs are made. */
static inline const float *
c2g_sparse_rows_get (const C2gSparseRows *self,
                     gsize                i)
{
  return (const float *) c2g_tensor_address (self->gradients) + i * self->n_block;
}

/* A step on a device, of which all but the rate and the rows is said; rows are NULL for all. */
gboolean c2g_optimizer_update (C2gOperator           *op,
                               C2gComputeUpdate       update,
                               const C2gOptimizer    *all,
                               const C2gSparseRows   *rows,
                               GError               **error);

/* Where the inputs of an operator on rows are. */
typedef struct
{
  guint parameters;
  guint indices;
  guint gradients;
  guint rate;
} C2gSparsePlaces;

gboolean c2g_sparse_rows_read   (C2gSparseRows          *self,
                                 C2gOperator            *op,
                                 const C2gSparsePlaces  *places,
                                 GError                **error);
/* n floats, which are NULL if there are none. */
gboolean c2g_sparse_rows_state  (C2gOperator            *op,
                                 guint                   input,
                                 gint64                  n,
                                 float                 **data,
                                 GError                **error);
/* The same of what changes in place: the input is that output. */
gboolean c2g_sparse_rows_output (C2gOperator            *op,
                                 guint                   output,
                                 guint                   input,
                                 gint64                  n,
                                 float                 **data,
                                 GError                **error);
/* Set-up: whether an output has the name of an input, which it has to be. */
gboolean c2g_operator_check_in_place (C2gOperator       *op,
                                      guint              input,
                                      guint              output,
                                      GError           **error);
/* The same of the first ones, each with its own. */
gboolean c2g_operator_check_all_in_place (C2gOperator   *op,
                                          guint          n,
                                          GError       **error);

G_END_DECLS
