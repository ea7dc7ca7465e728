/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/ops/support/c2g-blas-private.h>

G_BEGIN_DECLS

/* A fully connected layer ready to compute: C = A B + bias, where bias has one value per column. */
typedef struct
{
  C2gGemm      gemm;
  const float *bias;
} C2gFc;

void     c2g_fc_compute           (const C2gFc   *self);

/* State of FC and FCTransposed in every engine. */
typedef struct
{
  int     axis;
  int     axis_w;
  gint64 *dims;
  gsize   n_allocated;
  double  n_flops;
} C2gFcState;

/* The rows of a C2gFcState. */
extern const C2gKernelArgument c2g_fc_arguments[];

/* Checks the inputs, makes the output and fills fc in. */
gboolean c2g_fc_state_prepare     (C2gFcState    *self,
                                   C2gOperator   *op,
                                   gboolean       is_transposed,
                                   C2gFc         *fc,
                                   GError       **error);
void     c2g_fc_state_clear       (gpointer       state);
double   c2g_fc_state_count_flops (C2gOperator   *op,
                                   gpointer       state);

G_END_DECLS
