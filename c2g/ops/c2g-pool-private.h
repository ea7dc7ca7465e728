/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-scratch-private.h>
#include <c2g/ops/c2g-window-private.h>

G_BEGIN_DECLS

/* A pooling of which everything is known. */
typedef struct
{
  C2gWindowPlace place;
  gboolean       is_global;
  gboolean       counts_pads;
  const float   *x;
  float         *y;
} C2gPool;

/* The largest, or the average, of what each window sees. */
gboolean c2g_pool_compute           (const C2gPool  *self,
                                     gboolean        is_average,
                                     C2gScratch     *scratch,
                                     GError        **error);

/* What operators of all engines keep. */
typedef struct
{
  C2gWindow  window;
  gboolean   counts_pads;
  C2gScratch scratch;
  double     n_flops;
} C2gPoolState;

void     c2g_pool_state_read        (C2gPoolState   *self,
                                     C2gArguments   *arguments);
/* Checks the input and makes the output: there is nothing to compute if there are no
 * images. */
gboolean c2g_pool_state_prepare     (C2gPoolState   *self,
                                     C2gOperator    *op,
                                     C2gPool        *pool,
                                     GError        **error);
void     c2g_pool_state_clear       (gpointer        state);
double   c2g_pool_state_count_flops (C2gOperator    *op,
                                     gpointer        state);

G_END_DECLS
