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
  /* FLOAT, or on devices FLOAT16 or BFLOAT16: then the pointers are to elements of this type. */
  C2gDataType    type;

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
/* The ways that were chosen for the latest shapes. */
typedef struct _C2gConvChoices C2gConvChoices;

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
  /* NULL unless choices are known or measured. */
  C2gConvChoices *choices;
  /* The name of what computed the last run; NULL before it, and on devices. */
  const char *implementation;
} C2gConvState;

/* Ways to compute a convolution on the CPU. */
typedef enum
{
  /* c2g's own loops, and products of matrices. */
  C2G_CONV_WAY_DEFAULT,
  /* oneDNN. Where it does not compute, the default way does. */
  C2G_CONV_WAY_DNNL,
  /* oneDNN with Winograd's algorithm, which needs 16 products for 4 sums of 9. Where it does not
   * compute, oneDNN computes directly. */
  C2G_CONV_WAY_WINOGRAD,
  C2G_CONV_N_WAYS,
} C2gConvWay;

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
/* Computes what was prepared, on the CPU, in the way of the rule unless another one is known to be
 * faster. is_constant means that the filters are those of the run before. */
gboolean c2g_conv_state_run         (C2gConvState  *self,
                                     const C2gConv *conv,
                                     C2gConvWay     rule,
                                     gboolean       is_constant,
                                     GError       **error);
/* The value of C2gKernel.get_implementation. */
const char *
         c2g_conv_state_get_implementation (gconstpointer state);
/* The value of C2gKernel.clear. */
void     c2g_conv_state_clear       (gpointer       state);

G_END_DECLS
