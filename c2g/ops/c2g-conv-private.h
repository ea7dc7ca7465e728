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
  /* What is added to the output, of its shape, or NULL: it may be y. */
  const float   *sum;
  gboolean       has_relu;
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
/* The one of them that is right for it. */
gboolean c2g_conv_compute    (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);

/* Some rows of the output, each of which begins distance elements after the one before; the
 * first one begins at offset. */
typedef struct
{
  gint64       offset;
  gint64       n_rows;
  gint64       n;
  gint64       distance;
  /* One bias for each row, or for each element of a row; NULL if there is none. */
  const float *row_biases;
  const float *biases;
} C2gConvTile;

/* Puts into the tile what the products are added to, and returns whether that is anything. */
gboolean c2g_conv_tile_start  (const C2gConvTile *self,
                               const C2gConv     *conv);
/* What is left to do when they have been added. */
void     c2g_conv_tile_finish (const C2gConvTile *self,
                               const C2gConv     *conv);

/* What operators of all engines keep. */
typedef struct
{
  C2gWindow  window;
  int        n_groups;
  gboolean   has_sum;
  gboolean   has_relu;
  C2gScratch scratch;
  double     n_flops;
} C2gConvState;

/* Reads the arguments of Conv, or of ConvFusion. */
gboolean c2g_conv_state_read        (C2gConvState  *self,
                                     C2gArguments  *arguments,
                                     gboolean       is_fusion);
/* Checks the inputs and makes the output: all that is to be known before it is computed,
 * which is nothing if there are no images. */
gboolean c2g_conv_state_prepare     (C2gConvState  *self,
                                     C2gOperator   *op,
                                     C2gConv       *conv,
                                     GError       **error);
double   c2g_conv_state_count_flops (C2gOperator   *op,
                                     gpointer       state);

G_END_DECLS
