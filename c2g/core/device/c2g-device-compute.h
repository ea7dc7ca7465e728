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
 * A convolution of floats.
 *
 * Filters have the layout of Caffe2: each has the channels of its group first, or last for
 * channels-last images.
 */
typedef struct
{
  C2gComputeWindow window;
  gint64           n_groups;
  gint64           n_filters;
  const float     *x;
  const float     *filters;
  /* One bias for each filter, or NULL. */
  const float     *biases;
  /* Added to the output, with the same shape, or NULL. It may be the same memory as y. */
  const float     *sum;
  gboolean         has_relu;
  float           *y;
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
 * C2gDeviceCompute: (skip)
 *
 * The functions for operators of a device. Work is done in the order of a context.
 *
 * Sizes and types have been checked, and all memory is on the device; results may be in place.
 * An unsupported type is `C2G_ERROR_NOT_SUPPORTED`. There may be no elements. A table must
 * have all of these functions, except those after `segments`, which may be `NULL`. They may be
 * called from any thread, and may return before the work is done.
 *
 * - `fill` copies @item, in CPU memory, to every element.
 * - `convert` follows the rules of the operator `Cast`.
 * - `binary` has strides in elements, 0 for a broadcast dimension; the result is contiguous.
 *   `move` has strides for source and destination.
 * - `fold` reduces several arrays element by element; the result may be the first one.
 * - `reduce` reduces the axes whose bits are set.
 * - `arg` finds the index of the first maximum or minimum along the middle one of three axes.
 * - `scale_channels` has a scale and a shift for each channel, which is the middle one
 *   of three axes, or, without scales, a shift alone.
 * - `normalize` is `SpatialBN` in test mode; without scale and bias these are 1 and 0.
 * - `prelu` has one slope for each channel, or one for all.
 * - `lrn` also gives the scales, if they are wanted.
 * - `transpose` makes dimension i of the result dimension axes[i].
 * - `gather` copies, for each of @n_outer rows, the blocks (of @size) that the indices select.
 *   Indices are `INT32` or `INT64`, shared by all rows or separate for each; one that is out
 *   of range is `C2G_ERROR_RANGE`.
 * - `pool` does not support dilation.
 * - `axpby` is alpha x + beta y, where y is not read if beta is 0.
 * - `choose` copies element i from @a if the choice at i / @n_alike is true, otherwise from
 *   @b.
 * - `drop` is `Dropout` in training, with draws from 0 to 1.
 * - `top_k` finds the largest elements along the middle one of three axes, in descending
 *   order. If there are too few elements, the rest has the value 0 and the index -1.
 * - `is_among` writes 1 if the score of a label is one of the @k best of its row, else 0.
 * - `pad` adds a border to images; a negative border crops. The value is in CPU memory.
 *   `resize` takes the nearest element, `resize_linear` interpolates floats.
 * - `paint_planes` converts BGRA images to planes, `paint_pixels` converts them back.
 * - `collect` is col2im for a transposed convolution: it sums the columns into the larger
 *   image. `in` of the window is the smaller image; pixels of the larger one are @n_pixel
 *   apart.
 * - `update` is an optimizer step; indices select rows.
 * - `segments` reduces segments of rows; offsets and indices select rows.
 *
 * The functions of tensors, such as [method@Tensor.convert], use `fill`, `convert`, `binary`, `transpose`,
 * `axpby` and the following. Where one is missing, the elements go to the CPU and back. All types of numbers
 * must be supported, or, by `axpby` and `measure`, all floating-point types. There is at least one
 * element.
 *
 * - `saturate` converts integers. One out of the range becomes the nearest number in it.
 * - `find_outside` waits for the position of the first number that is out of the range; @n if
 *   there is none.
 * - `measure` waits for a number, which is computed in `DOUBLE` and always in the same order. @y
 *   is the other vector of `DOT`. NaN stays.
 * - `compare` waits for whether the bytes are equal.
 * - `find_far` waits for the position of the first number that is not close to the other one, as
 *   [method@Tensor.allclose] says; @n if there is none.
 */
typedef struct
{
  gboolean (*fill)           (C2gContext              *context,
                              gpointer                 data,
                              gconstpointer            item,
                              gsize                    item_size,
                              gsize                    n,
                              GError                 **error);
  gboolean (*convert)        (C2gContext              *context,
                              C2gDataType              from,
                              gconstpointer            x,
                              C2gDataType              to,
                              gpointer                 y,
                              gsize                    n,
                              GError                 **error);
  gboolean (*unary)          (C2gContext              *context,
                              C2gComputeUnary          function,
                              C2gDataType              type,
                              gconstpointer            x,
                              gpointer                 y,
                              gsize                    n,
                              float                    a,
                              float                    b,
                              GError                 **error);
  gboolean (*binary)         (C2gContext              *context,
                              C2gComputeBinary         function,
                              C2gDataType              type,
                              const gint64            *dims,
                              gsize                    n_dims,
                              gconstpointer            a,
                              const gint64            *a_strides,
                              gconstpointer            b,
                              const gint64            *b_strides,
                              gpointer                 c,
                              GError                 **error);
  gboolean (*fold)           (C2gContext              *context,
                              C2gComputeReduce         function,
                              C2gDataType              type,
                              const gconstpointer     *xs,
                              gsize                    n_inputs,
                              gpointer                 y,
                              gsize                    n,
                              GError                 **error);
  gboolean (*reduce)         (C2gContext              *context,
                              C2gComputeReduce         function,
                              C2gDataType              type,
                              gconstpointer            x,
                              const gint64            *dims,
                              gsize                    n_dims,
                              guint32                  axes,
                              gpointer                 y,
                              GError                 **error);
  gboolean (*arg)            (C2gContext              *context,
                              gboolean                 is_max,
                              C2gDataType              type,
                              gconstpointer            x,
                              gsize                    n_outer,
                              gsize                    n,
                              gsize                    n_inner,
                              gint64                  *y,
                              GError                 **error);
  gboolean (*softmax)        (C2gContext              *context,
                              gboolean                 is_log,
                              C2gDataType              type,
                              gconstpointer            x,
                              gpointer                 y,
                              gsize                    n_rows,
                              gsize                    n,
                              GError                 **error);
  gboolean (*scale_channels) (C2gContext              *context,
                              C2gDataType              type,
                              gconstpointer            x,
                              const float             *scales,
                              const float             *shifts,
                              gpointer                 y,
                              gsize                    n_outer,
                              gsize                    n_channels,
                              gsize                    n_inner,
                              GError                 **error);
  gboolean (*normalize)      (C2gContext              *context,
                              const float             *x,
                              const float             *scale,
                              const float             *bias,
                              const float             *mean,
                              const float             *variance,
                              float                    epsilon,
                              float                   *y,
                              gsize                    n_outer,
                              gsize                    n_channels,
                              gsize                    n_inner,
                              GError                 **error);
  gboolean (*prelu)          (C2gContext              *context,
                              C2gDataType              type,
                              gconstpointer            x,
                              gconstpointer            slopes,
                              gsize                    n_slopes,
                              gpointer                 y,
                              gsize                    n_outer,
                              gsize                    n_channels,
                              gsize                    n_inner,
                              GError                 **error);
  gboolean (*lrn)            (C2gContext              *context,
                              const float             *x,
                              gsize                    n_outer,
                              gsize                    n_channels,
                              gsize                    n_inner,
                              int                      size,
                              float                    alpha,
                              float                    beta,
                              float                    bias,
                              float                   *y,
                              float                   *scales,
                              GError                 **error);
  gboolean (*move)           (C2gContext              *context,
                              gsize                    item_size,
                              const gint64            *dims,
                              gsize                    n_dims,
                              gconstpointer            x,
                              const gint64            *x_strides,
                              gpointer                 y,
                              const gint64            *y_strides,
                              GError                 **error);
  gboolean (*transpose)      (C2gContext              *context,
                              gsize                    item_size,
                              const gint64            *dims,
                              gsize                    n_dims,
                              const int               *axes,
                              gconstpointer            x,
                              gpointer                 y,
                              GError                 **error);
  gboolean (*gather)         (C2gContext              *context,
                              gconstpointer            x,
                              gsize                    n_outer,
                              gsize                    size,
                              gsize                    n_block_bytes,
                              C2gDataType              index_type,
                              gconstpointer            indices,
                              gsize                    n_indices,
                              gboolean                 wraps,
                              gboolean                 has_own,
                              gpointer                 y,
                              GError                 **error);
  gboolean (*pool)           (C2gContext              *context,
                              gboolean                 is_average,
                              const C2gComputeWindow  *window,
                              const float             *x,
                              float                   *y,
                              GError                 **error);
  gboolean (*conv)           (C2gContext              *context,
                              const C2gComputeConv    *conv,
                              GError                 **error);
  gboolean (*gemm)           (C2gContext              *context,
                              const C2gComputeGemm    *gemm,
                              GError                 **error);
  gboolean (*axpby)          (C2gContext              *context,
                              C2gDataType              type,
                              gsize                    n,
                              double                   alpha,
                              gconstpointer            x,
                              double                   beta,
                              gpointer                 y,
                              GError                 **error);
  gboolean (*choose)         (C2gContext              *context,
                              gsize                    item_size,
                              const guint8            *choice,
                              gsize                    n_alike,
                              gconstpointer            a,
                              gconstpointer            b,
                              gpointer                 y,
                              gsize                    n,
                              GError                 **error);
  gboolean (*drop)           (C2gContext              *context,
                              C2gDataType              type,
                              gconstpointer            x,
                              const float             *draws,
                              float                    ratio,
                              gpointer                 y,
                              guint8                  *mask,
                              gsize                    n,
                              GError                 **error);
  gboolean (*top_k)          (C2gContext              *context,
                              C2gDataType              type,
                              gconstpointer            x,
                              gsize                    n_outer,
                              gsize                    n,
                              gsize                    n_inner,
                              gsize                    k,
                              gpointer                 values,
                              gint64                  *indices,
                              GError                 **error);
  gboolean (*is_among)       (C2gContext              *context,
                              const float             *scores,
                              const gint32            *labels,
                              gsize                    n_rows,
                              gsize                    n,
                              gint64                   k,
                              float                   *y,
                              GError                 **error);
  gboolean (*pad)            (C2gContext                *context,
                              gsize                      item_size,
                              gconstpointer              x,
                              const C2gComputePictures  *pictures,
                              gint64                     top,
                              gint64                     left,
                              C2gComputePad              mode,
                              gconstpointer              value,
                              gpointer                   y,
                              GError                   **error);
  gboolean (*resize)         (C2gContext                *context,
                              gsize                      item_size,
                              gconstpointer              x,
                              const C2gComputePictures  *pictures,
                              float                      height_scale,
                              float                      width_scale,
                              gpointer                   y,
                              GError                   **error);
  gboolean (*resize_linear)  (C2gContext                *context,
                              const float               *x,
                              const C2gComputePictures  *pictures,
                              float                     *y,
                              GError                   **error);
  gboolean (*paint_planes)   (C2gContext              *context,
                              const guint8            *x,
                              gsize                    n_pictures,
                              gsize                    n,
                              const float             *mean,
                              const float             *noise,
                              gsize                    n_noise,
                              float                   *y,
                              GError                 **error);
  gboolean (*paint_pixels)   (C2gContext              *context,
                              const float             *x,
                              gsize                    n_pictures,
                              gsize                    n,
                              const float             *mean,
                              guint8                  *y,
                              GError                 **error);
  gboolean (*collect)        (C2gContext              *context,
                              const C2gComputeWindow  *window,
                              const float             *columns,
                              float                   *image,
                              gsize                    n_pixel,
                              GError                 **error);
  gboolean (*update)         (C2gContext              *context,
                              const C2gComputeUpdate  *update,
                              GError                 **error);
  gboolean (*segments)       (C2gContext                *context,
                              const C2gComputeSegments  *segments,
                              GError                   **error);
  gboolean (*saturate)       (C2gContext              *context,
                              C2gDataType              from,
                              gconstpointer            x,
                              C2gDataType              to,
                              gpointer                 y,
                              gsize                    n,
                              const C2gComputeRange   *range,
                              GError                 **error);
  gboolean (*find_outside)   (C2gContext              *context,
                              C2gDataType              type,
                              gconstpointer            x,
                              gsize                    n,
                              const C2gComputeRange   *range,
                              gsize                   *position,
                              GError                 **error);
  gboolean (*measure)        (C2gContext              *context,
                              C2gComputeMeasure        measure,
                              C2gDataType              type,
                              gsize                    n,
                              gconstpointer            x,
                              gconstpointer            y,
                              double                  *result,
                              GError                 **error);
  gboolean (*compare)        (C2gContext              *context,
                              gconstpointer            x,
                              gconstpointer            y,
                              gsize                    n_bytes,
                              gboolean                *are_equal,
                              GError                 **error);
  gboolean (*find_far)       (C2gContext              *context,
                              const double            *x,
                              const double            *y,
                              gsize                    n,
                              double                   rtol,
                              double                   atol,
                              gboolean                 equal_nan,
                              gsize                   *position,
                              GError                 **error);

  /*< private >*/
  gpointer _reserved[9];
} C2gDeviceCompute;

G_END_DECLS
