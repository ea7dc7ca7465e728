/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/support/c2g-window-private.h>

G_BEGIN_DECLS

/* One convolution, ready to compute: sizes are checked, memory is allocated. */
typedef struct
{
  C2gWindowPlace place;
  gint64         n_groups;
  /* Number of output channels. The input's channels are in place. */
  gint64         n_channels;

  const float   *x;
  const float   *filters;
  /* One value per output channel, or NULL. */
  const float   *bias;
  /* A tensor that is added to the output, in its shape, or NULL.  It may be y. */
  const float   *sum;
  gboolean       has_relu;
  /* Relu gives no more than this; infinity means no limit. */
  float          max;
  float         *y;
} C2gConv;

/* Computes by im2col and a matrix product. */
gboolean c2g_conv_by_columns (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);
/* Computes a depthwise convolution: each filter sees a single channel. It gives the same result
 * as c2g_conv_by_columns(), up to rounding. */
gboolean c2g_conv_depthwise  (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);
/* Chooses one of the two algorithms. */
gboolean c2g_conv_compute    (const C2gConv  *self,
                              C2gScratch     *scratch,
                              GError        **error);

/* A block of the output: n_rows rows of n floats. The first one starts at offset, and each starts
 * distance floats after the one before. */
typedef struct
{
  gint64       offset;
  gint64       n_rows;
  gint64       n;
  gint64       distance;
  /* Biases, one per row (NCHW) or one per element of a row (NHWC). NULL if there are none. */
  const float *row_biases;
  const float *biases;
} C2gConvTile;

/* Initializes the tile with sum and bias. Returns FALSE if there is neither: then the product
 * must overwrite the tile, not add to it. */
gboolean c2g_conv_tile_start  (const C2gConvTile *self,
                               const C2gConv     *conv);
/* Applies Relu to the tile after the products, if the convolution has it. */
void     c2g_conv_tile_finish (const C2gConvTile *self,
                               const C2gConv     *conv);

/* A convolution by oneDNN with all that it keeps between runs. */
typedef struct _C2gConvDnnl C2gConvDnnl;

/* State of Conv and ConvFusion in every engine. */
typedef struct
{
  C2gWindow  window;
  int        n_groups;
  /* The argument fusion_type; 0 for Conv. */
  int        fusion;
  gboolean   has_sum;
  gboolean   has_relu;
  float      max;
  C2gScratch scratch;
  /* NULL until it is needed. */
  C2gConvDnnl *dnnl;
} C2gConvState;

/* The rows of Conv and of ConvFusion in every engine. */
extern const C2gKernelArgument c2g_conv_arguments[];
extern const C2gKernelArgument c2g_conv_fusion_arguments[];

/* The value of C2gKernel.set_up for states that begin with a C2gConvState. */
gboolean c2g_conv_state_set_up      (C2gOperator   *op,
                                     gpointer       state,
                                     GError       **error);
/* Checks the inputs, makes the output and fills conv in. There is nothing to compute if the batch
 * is empty. */
gboolean c2g_conv_state_prepare     (C2gConvState  *self,
                                     C2gOperator   *op,
                                     C2gConv       *conv,
                                     GError       **error);
/* The value of C2gKernel.clear. */
void     c2g_conv_state_clear       (gpointer       state);

G_END_DECLS
