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
gboolean c2g_pool_compute (const C2gPool  *self,
                           gboolean        is_average,
                           C2gScratch     *scratch,
                           GError        **error);

G_END_DECLS
