/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g-backend.h> can be included directly."
#endif

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

/**
 * C2gComputeUnary: (skip)
 * @C2G_COMPUTE_UNARY_RELU: the operator `Relu`
 * @C2G_COMPUTE_UNARY_SIGMOID: the operator `Sigmoid`
 * @C2G_COMPUTE_UNARY_TANH: the operator `Tanh`
 * @C2G_COMPUTE_UNARY_SWISH: the operator `Swish`
 * @C2G_COMPUTE_UNARY_SOFTPLUS: the operator `Softplus`
 * @C2G_COMPUTE_UNARY_SOFTSIGN: the operator `Softsign`
 * @C2G_COMPUTE_UNARY_EXP: the operator `Exp`
 * @C2G_COMPUTE_UNARY_LOG: the operator `Log`
 * @C2G_COMPUTE_UNARY_SQRT: the operator `Sqrt`
 * @C2G_COMPUTE_UNARY_RSQRT: the operator `Rsqrt`
 * @C2G_COMPUTE_UNARY_CBRT: the operator `Cbrt`
 * @C2G_COMPUTE_UNARY_SQR: the operator `Sqr`
 * @C2G_COMPUTE_UNARY_CUBE: the operator `Cube`
 * @C2G_COMPUTE_UNARY_RECIPROCAL: the operator `Reciprocal`
 * @C2G_COMPUTE_UNARY_ABS: the operator `Abs`
 * @C2G_COMPUTE_UNARY_FLOOR: the operator `Floor`
 * @C2G_COMPUTE_UNARY_CEIL: the operator `Ceil`
 * @C2G_COMPUTE_UNARY_SIN: the operator `Sin`
 * @C2G_COMPUTE_UNARY_COS: the operator `Cos`
 * @C2G_COMPUTE_UNARY_TAN: the operator `Tan`
 * @C2G_COMPUTE_UNARY_ASIN: the operator `Asin`
 * @C2G_COMPUTE_UNARY_ACOS: the operator `Acos`
 * @C2G_COMPUTE_UNARY_ATAN: the operator `Atan`
 * @C2G_COMPUTE_UNARY_SINH: the operator `Sinh`
 * @C2G_COMPUTE_UNARY_COSH: the operator `Cosh`
 * @C2G_COMPUTE_UNARY_ERF: the operator `Erf`
 * @C2G_COMPUTE_UNARY_LEAKY_RELU: `a` is the slope of negative numbers
 * @C2G_COMPUTE_UNARY_ELU: `a` is alpha
 * @C2G_COMPUTE_UNARY_SELU: `a` is alpha and `b` the scale
 * @C2G_COMPUTE_UNARY_CLIP: from `a` to `b`
 * @C2G_COMPUTE_UNARY_GELU_EXACT: the operator `Gelu`
 * @C2G_COMPUTE_UNARY_GELU_FAST: `Gelu` with the approximation by tanh
 * @C2G_COMPUTE_UNARY_NEGATIVE: with the other sign
 * @C2G_COMPUTE_UNARY_SIGN: -1, 0 or 1
 * @C2G_COMPUTE_UNARY_NOT: whether it is false
 * @C2G_COMPUTE_UNARY_IS_NAN: whether it is not a number
 * @C2G_COMPUTE_UNARY_LINEAR: times `a`, plus `b`
 * @C2G_COMPUTE_UNARY_POWER: to the power of `a`
 * @C2G_COMPUTE_UNARY_REPLACE_NAN: `a` for what is not a number
 *
 * Functions of one element, named after their operators.
 *
 * `NEGATIVE` and `SIGN` are for `INT32`, `INT64` and `DOUBLE` too, `NOT` is for `BOOL` alone;
 * `IS_NAN` gives bytes. `IS_NAN` and `REPLACE_NAN` are for `DOUBLE` too.
 */
typedef enum
{
  C2G_COMPUTE_UNARY_RELU,
  C2G_COMPUTE_UNARY_SIGMOID,
  C2G_COMPUTE_UNARY_TANH,
  C2G_COMPUTE_UNARY_SWISH,
  C2G_COMPUTE_UNARY_SOFTPLUS,
  C2G_COMPUTE_UNARY_SOFTSIGN,
  C2G_COMPUTE_UNARY_EXP,
  C2G_COMPUTE_UNARY_LOG,
  C2G_COMPUTE_UNARY_SQRT,
  C2G_COMPUTE_UNARY_RSQRT,
  C2G_COMPUTE_UNARY_CBRT,
  C2G_COMPUTE_UNARY_SQR,
  C2G_COMPUTE_UNARY_CUBE,
  C2G_COMPUTE_UNARY_RECIPROCAL,
  C2G_COMPUTE_UNARY_ABS,
  C2G_COMPUTE_UNARY_FLOOR,
  C2G_COMPUTE_UNARY_CEIL,
  C2G_COMPUTE_UNARY_SIN,
  C2G_COMPUTE_UNARY_COS,
  C2G_COMPUTE_UNARY_TAN,
  C2G_COMPUTE_UNARY_ASIN,
  C2G_COMPUTE_UNARY_ACOS,
  C2G_COMPUTE_UNARY_ATAN,
  C2G_COMPUTE_UNARY_SINH,
  C2G_COMPUTE_UNARY_COSH,
  C2G_COMPUTE_UNARY_ERF,
  C2G_COMPUTE_UNARY_LEAKY_RELU,
  C2G_COMPUTE_UNARY_ELU,
  C2G_COMPUTE_UNARY_SELU,
  C2G_COMPUTE_UNARY_CLIP,
  C2G_COMPUTE_UNARY_GELU_EXACT,
  C2G_COMPUTE_UNARY_GELU_FAST,
  C2G_COMPUTE_UNARY_NEGATIVE,
  C2G_COMPUTE_UNARY_SIGN,
  C2G_COMPUTE_UNARY_NOT,
  C2G_COMPUTE_UNARY_IS_NAN,
  C2G_COMPUTE_UNARY_LINEAR,
  C2G_COMPUTE_UNARY_POWER,
  C2G_COMPUTE_UNARY_REPLACE_NAN,
} C2gComputeUnary;

/**
 * C2gComputeBinary: (skip)
 * @C2G_COMPUTE_BINARY_ADD: a + b
 * @C2G_COMPUTE_BINARY_SUB: a - b
 * @C2G_COMPUTE_BINARY_MUL: a b
 * @C2G_COMPUTE_BINARY_DIV: a / b; an integer divided by 0 is 0
 * @C2G_COMPUTE_BINARY_MAX: the larger one
 * @C2G_COMPUTE_BINARY_MIN: the smaller one
 * @C2G_COMPUTE_BINARY_POW: a to the power of b
 * @C2G_COMPUTE_BINARY_CROSS_ENTROPY: -b log (max (a, 1e-20))
 * @C2G_COMPUTE_BINARY_SIGMOID_LOSS: `SigmoidCrossEntropyWithLogits` of the logit a and target b
 * @C2G_COMPUTE_BINARY_SIGMOID_LOSS_LOG_D: the same with `log_D_trick`
 * @C2G_COMPUTE_BINARY_SIGMOID_LOSS_UNJOINED: the same with `unjoined_lr_loss`
 * @C2G_COMPUTE_BINARY_EQ: whether they are equal
 * @C2G_COMPUTE_BINARY_NE: whether they differ
 * @C2G_COMPUTE_BINARY_LT: whether a is less
 * @C2G_COMPUTE_BINARY_LE: whether a is not more
 * @C2G_COMPUTE_BINARY_GT: whether a is more
 * @C2G_COMPUTE_BINARY_GE: whether a is not less
 * @C2G_COMPUTE_BINARY_AND: whether both are true
 * @C2G_COMPUTE_BINARY_OR: whether one is true
 * @C2G_COMPUTE_BINARY_XOR: whether one alone is true
 * @C2G_COMPUTE_BINARY_BITWISE_AND: the bits that both have
 * @C2G_COMPUTE_BINARY_BITWISE_OR: the bits that one has
 * @C2G_COMPUTE_BINARY_BITWISE_XOR: the bits that one alone has
 *
 * Functions of two elements.
 *
 * Functions from `EQ` on return booleans; those from `AND` on take booleans and, from
 * `BITWISE_AND` on, also `INT32` and `INT64`. `POW` takes floating-point types except
 * `DOUBLE`, and losses take `FLOAT`.
 */
typedef enum
{
  C2G_COMPUTE_BINARY_ADD,
  C2G_COMPUTE_BINARY_SUB,
  C2G_COMPUTE_BINARY_MUL,
  C2G_COMPUTE_BINARY_DIV,
  C2G_COMPUTE_BINARY_MAX,
  C2G_COMPUTE_BINARY_MIN,
  C2G_COMPUTE_BINARY_POW,
  C2G_COMPUTE_BINARY_CROSS_ENTROPY,
  C2G_COMPUTE_BINARY_SIGMOID_LOSS,
  C2G_COMPUTE_BINARY_SIGMOID_LOSS_LOG_D,
  C2G_COMPUTE_BINARY_SIGMOID_LOSS_UNJOINED,
  C2G_COMPUTE_BINARY_EQ,
  C2G_COMPUTE_BINARY_NE,
  C2G_COMPUTE_BINARY_LT,
  C2G_COMPUTE_BINARY_LE,
  C2G_COMPUTE_BINARY_GT,
  C2G_COMPUTE_BINARY_GE,
  C2G_COMPUTE_BINARY_AND,
  C2G_COMPUTE_BINARY_OR,
  C2G_COMPUTE_BINARY_XOR,
  C2G_COMPUTE_BINARY_BITWISE_AND,
  C2G_COMPUTE_BINARY_BITWISE_OR,
  C2G_COMPUTE_BINARY_BITWISE_XOR,
} C2gComputeBinary;

/**
 * C2gComputeReduce: (skip)
 * @C2G_COMPUTE_REDUCE_SUM: the sum
 * @C2G_COMPUTE_REDUCE_MEAN: the mean
 * @C2G_COMPUTE_REDUCE_MAX: the largest
 * @C2G_COMPUTE_REDUCE_MIN: the smallest
 * @C2G_COMPUTE_REDUCE_L1: the sum of absolute values
 * @C2G_COMPUTE_REDUCE_L2: the root of the `SQUARES`
 * @C2G_COMPUTE_REDUCE_SQUARES: the sum of squares
 *
 * Functions of several elements. The last three are for floating-point types.
 */
typedef enum
{
  C2G_COMPUTE_REDUCE_SUM,
  C2G_COMPUTE_REDUCE_MEAN,
  C2G_COMPUTE_REDUCE_MAX,
  C2G_COMPUTE_REDUCE_MIN,
  C2G_COMPUTE_REDUCE_L1,
  C2G_COMPUTE_REDUCE_L2,
  C2G_COMPUTE_REDUCE_SQUARES,
} C2gComputeReduce;

/**
 * C2gComputeWindow: (skip)
 *
 * A convolution or pooling window on images with three dimensions; missing dimensions are 1.
 */
typedef struct
{
  gint64   n_images;
  gint64   n_channels;
  gboolean channels_last;
  gboolean counts_pads;
  gint64   in[3];
  gint64   out[3];
  gint64   kernel[3];
  gint64   stride[3];
  gint64   dilation[3];
  /* Padding before the image, in each dimension. */
  gint64   head[3];
} C2gComputeWindow;

/**
 * C2gComputePictures: (skip)
 *
 * Images that are changed to another size, with n_channels channels for each pixel. For
 * channels-first images each channel counts as an image with one channel.
 */
typedef struct
{
  gint64 n_pictures;
  gint64 height;
  gint64 width;
  gint64 n_channels;
  gint64 target_height;
  gint64 target_width;
} C2gComputePictures;

/**
 * C2gComputePad: (skip)
 * @C2G_COMPUTE_PAD_CONSTANT: one value
 * @C2G_COMPUTE_PAD_REFLECT: mirrored elements
 * @C2G_COMPUTE_PAD_EDGE: copies of the elements at the edge
 *
 * The content of a padded border.
 */
typedef enum
{
  C2G_COMPUTE_PAD_CONSTANT,
  C2G_COMPUTE_PAD_REFLECT,
  C2G_COMPUTE_PAD_EDGE,
} C2gComputePad;

/**
 * C2gComputeConv: (skip)
 *
 * A convolution. The default type is `FLOAT`; devices may support `FLOAT16` and `BFLOAT16` too, for
 * all that is read and written.
 *
 * Filters have the layout of Caffe2: each has the channels of its group first, or last for
 * channels-last images.
 */
typedef struct
{
  C2gDataType      type;
  C2gComputeWindow window;
  gint64           n_groups;
  gint64           n_filters;
  gconstpointer    x;
  gconstpointer    filters;
  /* One bias for each filter, or NULL. */
  gconstpointer    biases;
  /* Added to the output, with the same shape, or NULL. It may be the same memory as y. */
  gconstpointer    sum;
  gboolean         has_relu;
  /* Relu gives no more than this; infinity means no limit. */
  float            max;
  gpointer         y;
} C2gComputeConv;

/**
 * C2gComputeGemm: (skip)
 *
 * c = alpha a b + beta c, for row-major matrices.
 *
 * The default type is `FLOAT`; devices may support `FLOAT16`, `BFLOAT16` and `DOUBLE` too.
 * Strides are between rows and between matrices; a transposed operand is stored as its
 * transpose.
 */
typedef struct
{
  C2gDataType   type;
  gboolean      a_is_transposed;
  gboolean      b_is_transposed;
  gsize         n_rows;
  gsize         n_columns;
  gsize         depth;
  float         alpha;
  float         beta;
  gconstpointer a;
  gconstpointer b;
  gpointer      c;
  gsize         a_stride;
  gsize         b_stride;
  gsize         c_stride;
  gsize         n_matrices;
  gsize         a_matrix;
  gsize         b_matrix;
  gsize         c_matrix;
} C2gComputeGemm;

/**
 * C2gComputeRule: (skip)
 * @C2G_COMPUTE_RULE_SCALE: parameters times the rate
 * @C2G_COMPUTE_RULE_ADD: parameters plus the rate times x
 * @C2G_COMPUTE_RULE_ASSIGN: x, whatever its bits are
 * @C2G_COMPUTE_RULE_MOMENTUM: `MomentumSGD` of moments, and of parameters if there are any, with
 *   the momentum
 * @C2G_COMPUTE_RULE_NESTEROV: the same with `nesterov`
 * @C2G_COMPUTE_RULE_ADAGRAD: parameters and moments, with epsilon, decay and weight_decay
 * @C2G_COMPUTE_RULE_ADADELTA: parameters, moments and deltas, with epsilon and decay
 * @C2G_COMPUTE_RULE_ADAM: parameters, moments and squares, with beta1, beta2, epsilon and the
 *   bias correction
 * @C2G_COMPUTE_RULE_RMS_PROP: squares and moments, with decay, momentum and epsilon
 * @C2G_COMPUTE_RULE_ROW_ADAGRAD: `ADAGRAD` of some rows, with one moment for each row, to which it
 *   adds the mean of the squares; the decay is not read
 * @C2G_COMPUTE_RULE_ROW_ADAM: `ADAM` of some rows, with one square for each row, for the mean of the
 *   squares
 *
 * Update rules of optimizers: the arrays that change, and the coefficients.
 */
typedef enum
{
  C2G_COMPUTE_RULE_SCALE,
  C2G_COMPUTE_RULE_ADD,
  C2G_COMPUTE_RULE_ASSIGN,
  C2G_COMPUTE_RULE_MOMENTUM,
  C2G_COMPUTE_RULE_NESTEROV,
  C2G_COMPUTE_RULE_ADAGRAD,
  C2G_COMPUTE_RULE_ADADELTA,
  C2G_COMPUTE_RULE_ADAM,
  C2G_COMPUTE_RULE_RMS_PROP,
  C2G_COMPUTE_RULE_ROW_ADAGRAD,
  C2G_COMPUTE_RULE_ROW_ADAM,
} C2gComputeRule;

/**
 * C2gComputeUpdate: (skip)
 *
 * An optimizer step on floats with gradients x, for all floats or for some rows.
 */
typedef struct
{
  C2gComputeRule  rule;
  /* Row numbers, INT32 or INT64, one for each row of x; NULL means all floats. If a row occurs
   * more than once, its updates are applied one after the other. */
  C2gDataType     index_type;
  gconstpointer   indices;
  gsize           n_indices;
  /* Number of floats, or of floats in a row. */
  gsize           n;
  float           numbers[4];
  /* A single learning rate, or NULL for 1. */
  const float    *rate;
  const float    *x;
  /* Inputs and outputs; an array may be both. */
  const float    *in[3];
  float          *out[3];
  /* Outputs of the shape of x, or NULL: the steps, and for ADAGRAD the steps for a gradient of
   * 1. */
  float          *steps;
  float          *rates;
} C2gComputeUpdate;

/**
 * C2gComputeSegments: (skip)
 *
 * A reduction of segments of rows of `FLOAT` or `FLOAT16`: the `SUM`, `MEAN` or `MAX` of the
 * rows from one offset to the next. An empty segment gives 0.
 */
typedef struct
{
  C2gComputeReduce  function;
  C2gDataType       type;
  gconstpointer     x;
  /* Number of elements in a row. */
  gsize             n;
  /* Row numbers, or NULL for consecutive rows. */
  C2gDataType       index_type;
  gconstpointer     indices;
  /* One weight for each row, or NULL. */
  const float      *weights;
  /* n_segments + 1 offsets. */
  const gint64     *offsets;
  gsize             n_segments;
  float            *y;
} C2gComputeSegments;

/**
 * C2gComputeSpan: (skip)
 *
 * The numbers from `begin` up to below `end`.
 */
typedef struct
{
  gint64 begin;
  gint64 end;
} C2gComputeSpan;

/**
 * C2gComputeTap: (skip)
 *
 * A pixel along one axis, and its weight.
 */
typedef struct
{
  gint64 index;
  float  weight;
} C2gComputeTap;

/**
 * C2gComputeRegions: (skip)
 *
 * Regions of images of floats, which are cut into rows and columns of bins. For each region,
 * channel and bin, or with the channels last for each region, bin and channel, there is a result.
 *
 * The function `SUM` multiplies pixels by the weights of both taps, for all taps of the bin's row and
 * column, and adds them. `MAX` finds the largest pixel: 0 if the bin is empty, and -`FLT_MAX` if
 * there is none but NaN.
 */
typedef struct
{
  C2gComputeReduce      function;
  const float          *x;
  gint64                n_channels;
  gint64                height;
  gint64                width;
  gboolean              channels_last;
  gsize                 n_regions;
  gsize                 n_rows;
  gsize                 n_columns;
  /* The number of the image of each region, image_step floats apart, or NULL for image 0. */
  const float          *images;
  gsize                 image_step;
  /* For each region, its rows and then its columns, as ranges of pixels, or of taps for `SUM`. */
  const C2gComputeSpan *bins;
  const C2gComputeTap  *taps;
  float                *y;
  /* The places of the largest pixels in their planes, -1 for none, or NULL. */
  gint32               *places;
} C2gComputeRegions;

/**
 * C2gComputeUnit: (skip)
 * @C2G_COMPUTE_UNIT_LSTM: `LSTMUnit`
 * @C2G_COMPUTE_UNIT_GRU: `GRUUnit`, which has no cells
 * @C2G_COMPUTE_UNIT_CARRY: the states times cont, and 0 where cont is 0 or the states are `NULL`;
 *   cells only if cells_after is set
 *
 * A step of recurrent units.
 */
typedef enum
{
  C2G_COMPUTE_UNIT_LSTM,
  C2G_COMPUTE_UNIT_GRU,
  C2G_COMPUTE_UNIT_CARRY,
} C2gComputeUnit;

/**
 * C2gComputeUnits: (skip)
 *
 * A step of recurrent units of floats, for all units of all sequences. The states after the step may
 * be in the place of those before it.
 */
typedef struct
{
  C2gComputeUnit  function;
  gsize           n_sequences;
  gsize           n_units;
  const float    *gates;
  float           forget_bias;
  /* A sequence whose length is not more than the step has ended: its states stay, or become 0.
   * Without lengths none has. */
  const gint32   *lengths;
  /* The step is on the device, or, if this is NULL, it is step_value. */
  const gint32   *step;
  gint32          step_value;
  gboolean        drops_states;
  /* One number for each sequence. */
  const float    *cont;
  const float    *hidden;
  const float    *cells;
  float          *hidden_after;
  float          *cells_after;
} C2gComputeUnits;

/**
 * C2gComputeRange: (skip)
 *
 * The numbers that fit into an element type. Integers fit from `min` to `max`. A type of integers
 * takes whole floating-point numbers from `min` up to below `end`. A floating-point type takes all
 * but finite numbers whose absolute value is `end` or more, which would round to infinity.
 * `largest` is the largest element, or the largest `double` that is not beyond it. `n_digits` is
 * the number of bits of a floating-point number with the hidden one, and 0 for integers.
 */
typedef struct
{
  gint64  min;
  guint64 max;
  double  end;
  double  largest;
  int     n_digits;
} C2gComputeRange;

/**
 * C2gComputeMeasure: (skip)
 * @C2G_COMPUTE_MEASURE_DOT: the sum of the products
 * @C2G_COMPUTE_MEASURE_ASUM: the sum of the absolute values
 * @C2G_COMPUTE_MEASURE_AMAX: the largest absolute value
 *
 * Numbers that are computed from vectors.
 */
typedef enum
{
  C2G_COMPUTE_MEASURE_DOT,
  C2G_COMPUTE_MEASURE_ASUM,
  C2G_COMPUTE_MEASURE_AMAX,
} C2gComputeMeasure;

/**
 * C2gComputeKind: (skip)
 * @C2G_COMPUTE_KIND_FILL: copies @item, of @item_size bytes in CPU memory, to @n places of @y
 * @C2G_COMPUTE_KIND_CONVERT: converts @n elements to @y_type, after the rules of the operator
 *   `Cast`
 * @C2G_COMPUTE_KIND_UNARY: the function @unary of @n elements, with its numbers @a and @b
 * @C2G_COMPUTE_KIND_BINARY: the function @binary of @x and @other, which have @dims and strides, 0
 *   for a broadcast dimension; @y is contiguous
 * @C2G_COMPUTE_KIND_FOLD: the function @reduce of the @n_xs arrays @xs of @n elements, element by
 *   element; @y may be the first one
 * @C2G_COMPUTE_KIND_REDUCE: the function @reduce over those of the @dims whose bits are set in
 *   @axes
 * @C2G_COMPUTE_KIND_ARG: the index (`INT64`) of the first maximum, if @is_max, or minimum along the
 *   middle one of three axes
 * @C2G_COMPUTE_KIND_SOFTMAX: `Softmax`, or if @is_log `LogSoftmax`, of @n_outer rows of @n elements
 * @C2G_COMPUTE_KIND_SCALE_CHANNELS: times @scale plus @bias, of which there is one for each
 *   channel; the channels are the middle one of three axes. Without @scale it is a sum
 * @C2G_COMPUTE_KIND_NORMALIZE: `SpatialBN` in test mode, with @mean, @variance and @epsilon for the
 *   same channels; without @scale and @bias these are 1 and 0
 * @C2G_COMPUTE_KIND_PRELU: `PRelu` for the same channels. @other has @n_other slopes: one for each
 *   channel, or one for all
 * @C2G_COMPUTE_KIND_LRN: `LRN` for the same channels, over @size of them: @y is x scales^-@beta for
 *   the scales @base + @alpha / @size × (sum of squares), which @scales gets unless it is `NULL`
 * @C2G_COMPUTE_KIND_MOVE: copies items of @item_size bytes between arrays with the same @dims, and
 *   with @x_strides and @y_strides
 * @C2G_COMPUTE_KIND_TRANSPOSE: dimension i of @y is dimension @order[i] of @x, which has @dims;
 *   items have @item_size bytes
 * @C2G_COMPUTE_KIND_GATHER: copies, for each of @n_outer rows of @n blocks, the @n_indices blocks
 *   (of @item_size bytes) that @indices select. The indices have the @type `INT32` or `INT64`. All
 *   rows have the same, or each its own if @has_own; negative ones count from the end if @wraps.
 *   One that is out of range is `C2G_ERROR_RANGE`; if @skips, its block of @y stays as it is
 * @C2G_COMPUTE_KIND_POOL: the average, if @is_average, or maximum in a @window, without dilation
 * @C2G_COMPUTE_KIND_CONV: a convolution, @conv
 * @C2G_COMPUTE_KIND_GEMM: a matrix product, @gemm
 * @C2G_COMPUTE_KIND_AXPBY: @alpha x + @beta y of @n elements, where @y is not read if @beta is 0
 * @C2G_COMPUTE_KIND_CHOOSE: copies item i, of @item_size bytes, from @x if the @choice at i /
 *   @n_alike is true, otherwise from @other
 * @C2G_COMPUTE_KIND_DROP: `Dropout` in training, with @draws from 0 to 1 and the ratio @a; the
 *   @mask is 1 for elements that stay
 * @C2G_COMPUTE_KIND_TOP_K: the @k largest elements along the middle one of three axes, in
 *   descending order, and their @places. If there are too few elements, the rest has the value 0
 *   and the place -1
 * @C2G_COMPUTE_KIND_IS_AMONG: a float for each of @n_outer rows of @n floats: 1 if the one that
 *   @indices, `INT32`, selects is one of the @k largest, else 0
 * @C2G_COMPUTE_KIND_PAD: adds a border, @pad, to the @pictures; @top and @left are its sizes, and a
 *   negative one crops. The @item, of @item_size bytes, is in CPU memory
 * @C2G_COMPUTE_KIND_RESIZE: gives @pictures another size, with the nearest element; @a and @b are
 *   the scales of height and width
 * @C2G_COMPUTE_KIND_RESIZE_LINEAR: interpolates @pictures of floats
 * @C2G_COMPUTE_KIND_PAINT_PLANES: converts @n_outer BGRA images of @n pixels to planes of floats:
 *   minus the @mean of the plane, plus the @n_other numbers of noise in @other, which are repeated
 * @C2G_COMPUTE_KIND_PAINT_PIXELS: converts such planes back, plus the @mean
 * @C2G_COMPUTE_KIND_COLLECT: col2im for a transposed convolution of floats: sums the columns @x
 *   into the larger image @y. @in of the @window is the smaller image; pixels of the larger one are
 *   @n apart
 * @C2G_COMPUTE_KIND_UPDATE: an optimizer step, @update
 * @C2G_COMPUTE_KIND_SEGMENTS: a reduction of segments of rows, @segments
 * @C2G_COMPUTE_KIND_SATURATE: converts @n integers to @y_type. One out of the @range becomes the
 *   nearest number in it
 * @C2G_COMPUTE_KIND_FIND_OUTSIDE: waits for the @position of the first of @n numbers that is out of
 *   the @range; @n if there is none
 * @C2G_COMPUTE_KIND_MEASURE: waits for a @number, the function @measure of @n elements, which is
 *   computed in `DOUBLE` and always in the same order. @other is the other vector of `DOT`. NaN
 *   stays
 * @C2G_COMPUTE_KIND_COMPARE: compares @n bytes of @x and @other, and waits for the @position: @n if
 *   they are equal, otherwise any number below @n
 * @C2G_COMPUTE_KIND_FIND_FAR: waits for the @position of the first of @n numbers (`DOUBLE`) of @x
 *   that is not close to that of @other, as [method@Tensor.allclose] says; @n if there is none. @a
 *   is the relative tolerance, and @b the absolute one
 * @C2G_COMPUTE_KIND_REGIONS: `RoIAlign` and `RoIPool`, @regions
 * @C2G_COMPUTE_KIND_UNITS: a step of recurrent units, @units
 *
 * What a device computes, and the fields of [struct@ComputeRequest] that say it.
 *
 * Operators use the kinds up to `SEGMENTS`, and those from `REGIONS` on: a device that runs operators
 * should have them all.
 *
 * The functions of tensors, such as [method@Tensor.convert], use `FILL`, `CONVERT`, `BINARY`,
 * `TRANSPOSE`, `AXPBY` and the kinds from `SATURATE` to `FIND_FAR`. If a device does not have the kind, the
 * elements go to the CPU and back. These kinds must be for all types of numbers, or, `AXPBY` and
 * `MEASURE`, for all floating-point types. Requests of these functions have at least one element.
 */
typedef enum
{
  C2G_COMPUTE_KIND_FILL,
  C2G_COMPUTE_KIND_CONVERT,
  C2G_COMPUTE_KIND_UNARY,
  C2G_COMPUTE_KIND_BINARY,
  C2G_COMPUTE_KIND_FOLD,
  C2G_COMPUTE_KIND_REDUCE,
  C2G_COMPUTE_KIND_ARG,
  C2G_COMPUTE_KIND_SOFTMAX,
  C2G_COMPUTE_KIND_SCALE_CHANNELS,
  C2G_COMPUTE_KIND_NORMALIZE,
  C2G_COMPUTE_KIND_PRELU,
  C2G_COMPUTE_KIND_LRN,
  C2G_COMPUTE_KIND_MOVE,
  C2G_COMPUTE_KIND_TRANSPOSE,
  C2G_COMPUTE_KIND_GATHER,
  C2G_COMPUTE_KIND_POOL,
  C2G_COMPUTE_KIND_CONV,
  C2G_COMPUTE_KIND_GEMM,
  C2G_COMPUTE_KIND_AXPBY,
  C2G_COMPUTE_KIND_CHOOSE,
  C2G_COMPUTE_KIND_DROP,
  C2G_COMPUTE_KIND_TOP_K,
  C2G_COMPUTE_KIND_IS_AMONG,
  C2G_COMPUTE_KIND_PAD,
  C2G_COMPUTE_KIND_RESIZE,
  C2G_COMPUTE_KIND_RESIZE_LINEAR,
  C2G_COMPUTE_KIND_PAINT_PLANES,
  C2G_COMPUTE_KIND_PAINT_PIXELS,
  C2G_COMPUTE_KIND_COLLECT,
  C2G_COMPUTE_KIND_UPDATE,
  C2G_COMPUTE_KIND_SEGMENTS,
  C2G_COMPUTE_KIND_SATURATE,
  C2G_COMPUTE_KIND_FIND_OUTSIDE,
  C2G_COMPUTE_KIND_MEASURE,
  C2G_COMPUTE_KIND_COMPARE,
  C2G_COMPUTE_KIND_FIND_FAR,
  C2G_COMPUTE_KIND_REGIONS,
  C2G_COMPUTE_KIND_UNITS,
} C2gComputeKind;

/**
 * C2gComputeRequest: (skip)
 *
 * Work for a device: its kind and the fields that this kind reads. All others are 0.
 *
 * Sizes and types have been checked, and all memory is on the device unless [enum@ComputeKind] says
 * otherwise; the result may be in place. Requests of operators may have no elements. Strides are in
 * elements.
 *
 * Later versions of c2g add kinds and fields at the end only.
 */
typedef struct
{
  C2gComputeKind            kind;
  /* The function of this kind. */
  union
  {
    C2gComputeUnary   unary;
    C2gComputeBinary  binary;
    C2gComputeReduce  reduce;
    C2gComputeMeasure measure;
    C2gComputePad     pad;
  };
  /* The type of x, and of y unless y_type or the kind says otherwise. In GATHER that of the indices. */
  C2gDataType               type;
  C2gDataType               y_type;

  /* The elements that are read, and those that are written. */
  gconstpointer             x;
  gconstpointer             other;
  gsize                     n_other;
  const gconstpointer      *xs;
  gsize                     n_xs;
  gpointer                  y;

  /* The size of an item whose type does not matter, the number of elements, and, where there are
   * three axes, that of places before and after the middle one. */
  gsize                     item_size;
  gsize                     n_outer;
  gsize                     n;
  gsize                     n_inner;

  const gint64             *dims;
  gsize                     n_dims;
  const gint64             *x_strides;
  const gint64             *other_strides;
  const gint64             *y_strides;
  guint32                   axes;
  const int                *order;

  /* These are read by single kinds only. */
  gconstpointer             item;
  double                    a;
  double                    b;
  double                    alpha;
  double                    beta;
  float                     epsilon;
  float                     base;
  int                       size;
  gboolean                  is_max;
  gboolean                  is_log;
  gboolean                  is_average;
  gboolean                  equal_nan;

  const float              *scale;
  const float              *bias;
  const float              *mean;
  const float              *variance;
  float                    *scales;

  gconstpointer             indices;
  gsize                     n_indices;
  gboolean                  wraps;
  gboolean                  has_own;

  const guint8             *choice;
  gsize                     n_alike;
  const float              *draws;
  guint8                   *mask;
  gsize                     k;
  gint64                   *places;

  const C2gComputePictures *pictures;
  gint64                    top;
  gint64                    left;
  const C2gComputeWindow   *window;
  const C2gComputeConv     *conv;
  const C2gComputeGemm     *gemm;
  const C2gComputeUpdate   *update;
  const C2gComputeSegments *segments;
  const C2gComputeRange    *range;

  /* Results in CPU memory, which the caller waits for. */
  gsize                    *position;
  double                   *number;

  const C2gComputeRegions  *regions;
  const C2gComputeUnits    *units;

  /* In GATHER. */
  gboolean                  skips;
} C2gComputeRequest;

/**
 * C2gDeviceCompute: (skip)
 *
 * What a device computes for operators and tensors.
 *
 * - `has` returns true for the kinds of work that the device has.
 * - `run` starts the work of a request, in the order of a context, and may return before it is
 *   done. The request is the caller's, and may be gone then. A kind that the device does not have,
 *   or one for which it does not support a type or a number of dimensions, is
 *   `C2G_ERROR_NOT_SUPPORTED`.
 *
 * Both may be called from any thread.
 */
typedef struct
{
  gboolean (*has) (C2gComputeKind            kind);
  gboolean (*run) (C2gContext               *context,
                   const C2gComputeRequest  *request,
                   GError                  **error);
} C2gDeviceCompute;

G_END_DECLS
