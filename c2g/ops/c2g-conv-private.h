/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-scratch-private.h>
#include <c2g/ops/c2g-window-private.h>

G_BEGIN_DECLS

/* A convolution of which everything is known: sizes, that have been checked, and memory. */
typedef struct
{
  C2gWindowPlace place;
  gint64         n_groups;
  /* Of the output; those of the input are the place's. */
  gint64         n_channels;

  const float   *x;
  const float   *filters;
  /* NULL if there is none. */
  const float   *bias;
  float         *y;
} C2gConv;

/* Both ways need memory to compute with, and give the same. */
gboolean c2g_conv_by_columns (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);
/* For filters that look at one channel each. */
gboolean c2g_conv_depthwise  (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);

G_END_DECLS
