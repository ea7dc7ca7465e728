/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/support/c2g-window-private.h>

G_BEGIN_DECLS

/* A pooling ready to compute: sizes are checked, memory is allocated. */
typedef struct
{
  C2gWindowPlace place;
  gboolean       is_global;
  gboolean       counts_pads;
  const float   *x;
  float         *y;
} C2gPool;

/* Computes the maximum or the average of each window. */
gboolean c2g_pool_compute           (const C2gPool  *self,
                                     gboolean        is_average,
                                     C2gScratch     *scratch,
                                     GError        **error);

/* State of the pooling operators in every engine. */
typedef struct
{
  C2gWindow  window;
  gboolean   counts_pads;
  C2gScratch scratch;
  double     n_flops;
} C2gPoolState;

extern const C2gKernelArgument c2g_pool_arguments[];

/* The value of C2gKernel.set_up for states that begin with a C2gPoolState. */
gboolean c2g_pool_state_set_up      (C2gOperator    *op,
                                     gpointer        state,
                                     GError        **error);
/* Checks the input, makes the output and fills pool in.  There is nothing to compute if the batch
 * is empty. */
gboolean c2g_pool_state_prepare     (C2gPoolState   *self,
                                     C2gOperator    *op,
                                     C2gPool        *pool,
                                     GError        **error);
void     c2g_pool_state_clear       (gpointer        state);
double   c2g_pool_state_count_flops (C2gOperator    *op,
                                     gpointer        state);

G_END_DECLS
