/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g-backend.h> can be included directly."
#endif

#include <c2g/core/c2g-context.h>
#include <c2g/core/c2g-data-type.h>
#include <c2g/core/c2g-version-macros.h>

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
 * @C2G_COMPUTE_UNARY_GELU_FAST: `Gelu` by a hyperbolic tangent
 * @C2G_COMPUTE_UNARY_NEGATIVE: with the other sign
 * @C2G_COMPUTE_UNARY_SIGN: -1, 0 or 1
 * @C2G_COMPUTE_UNARY_NOT: whether it is false
 * @C2G_COMPUTE_UNARY_IS_NAN: whether it is not a number
 * @C2G_COMPUTE_UNARY_LINEAR: times `a`, plus `b`
 * @C2G_COMPUTE_UNARY_POWER: to the power of `a`
 * @C2G_COMPUTE_UNARY_REPLACE_NAN: `a` for what is not a number
 *
 * Functions of one element, which are the operators of these names.
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
 * @C2G_COMPUTE_BINARY_CROSS_ENTROPY: -b log (a), where a is at least 1e-20
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
 * Those from `EQ` on give booleans, those from `AND` on take them and, from `BITWISE_AND`
 * on, `INT32` and `INT64` as well; `POW` takes types with a point but `DOUBLE`, and losses take
 * `FLOAT`.
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
 * Functions of several elements. The last three are for types with a point.
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
 * A window on images of three dimensions; those that are not there are 1.
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
  /* How far the first window reaches out of the image. */
  gint64   head[3];
} C2gComputeWindow;

/**
 * C2gComputePictures: (skip)
 *
 * Pictures of another size than the source, of items of n_channels; with the channels first
 * there are as many more pictures of one.
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
 * @C2G_COMPUTE_PAD_EDGE: those at the edge
 *
 * What a border is made of.
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
 * Filters lie as Caffe2 has them: each with the channels of its group first, or last.
 */
typedef struct
{
  C2gComputeWindow window;
  gint64           n_groups;
  gint64           n_filters;
  const float     *x;
  const float     *filters;
  /* One for each filter, or NULL. */
  const float     *biases;
  /* What is added to the output, of its shape, or NULL: it may be y. */
  const float     *sum;
  gboolean         has_relu;
  float           *y;
} C2gComputeConv;

/**
 * C2gComputeGemm: (skip)
 *
 * c = alpha a b + beta c, of matrices that lie in rows.
 *
 * The type is `FLOAT` where nothing is said; devices may know `FLOAT16`, `BFLOAT16` and `DOUBLE`
 * too. Strides are those from row to row and from matrix to matrix; a transposed operand
 * lies as its transpose.
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
 * @C2G_COMPUTE_RULE_ADAM: parameters, moments and squares, with beta1, beta2, epsilon and what
 *   makes up for the zeros at the beginning
 * @C2G_COMPUTE_RULE_RMS_PROP: squares and moments, with decay, momentum and epsilon
 *
 * How numbers change by others: the arrays that change, and the numbers that say how.
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
 * A change of floats, by gradients x of as many, or of some rows of them.
 */
typedef struct
{
  C2gComputeRule  rule;
  /* The numbers of rows, `INT32` or `INT64`: there are some for each index, one after the other
   * where it comes more than once.  NULL is for all. */
  C2gDataType     index_type;
  gconstpointer   indices;
  gsize           n_indices;
  /* How many floats there are, or in a row. */
  gsize           n;
  float           numbers[4];
  /* A single one, or NULL for 1. */
  const float    *rate;
  const float    *x;
  /* An array may be its own result. */
  const float    *in[3];
  float          *out[3];
  /* Of the shape of x, or NULL: the steps, and for ADAGRAD how long they were for a gradient
   * of 1. */
  float          *steps;
  float          *rates;
} C2gComputeUpdate;

/**
 * C2gComputeSegments: (skip)
 *
 * Rows that belong together, of `FLOAT` or `FLOAT16`: the `SUM`, `MEAN` or `MAX` of those from one
 * offset to the next; none have 0.
 */
typedef struct
{
  C2gComputeReduce  function;
  C2gDataType       type;
  gconstpointer     x;
  /* How many items a row has. */
  gsize             n;
  /* Which rows they are, or NULL for one after the other. */
  C2gDataType       index_type;
  gconstpointer     indices;
  /* For each row, or NULL. */
  const float      *weights;
  /* One more than there are segments. */
  const gint64     *offsets;
  gsize             n_segments;
  float            *y;
} C2gComputeSegments;

/**
 * C2gDeviceCompute: (skip)
 *
 * What operators ask of a device, in the order of work of a context.
 *
 * Sizes and types have been checked, and memory is the device's; results may be where
 * the operands are. A type that there is nothing for is `C2G_ERROR_NOT_SUPPORTED`. There
 * may be no elements. A table has all of these functions; they may be called from any
 * thread, and may return before the work is done.
 *
 * - `fill` makes every item what @item, in memory of the processor, is.
 * - `convert` goes by the rules of the operator `Cast`.
 * - `binary` has strides in elements, 0 where the same are read again; the result lies
 *   without gaps. `move` has them for both sides.
 * - `fold` joins arrays element by element; the first may be the result.
 * - `reduce` goes over the axes whose bits are set.
 * - `arg` finds the first of the largest, or least, along the middle one of three axes.
 * - `scale_channels` has a scale and a shift for each channel, which is the middle one
 *   of three axes, or, without scales, a shift alone.
 * - `normalize` is `SpatialBN` in test mode; without scale and bias these are 1 and 0.
 * - `prelu` has one slope for each channel, or one for all.
 * - `lrn` also gives the scales, if they are wanted.
 * - `transpose` makes dimension i of the result dimension axes[i].
 * - `gather` takes, for each of @n_outer places, those of @size blocks that the indices
 *   point at, `INT32` or `INT64`, the same for each place or its own; one out of range is
 *   `C2G_ERROR_RANGE`.
 * - `pool` has no dilation.
 * - `axpby` is alpha x + beta y, where y is not read if beta is 0.
 * - `choose` takes item i of @a where the choice at i / @n_alike is true, otherwise of @b.
 * - `drop` is `Dropout` in training, with draws from 0 to 1.
 * - `top_k` finds the largest along the middle one of three axes, in order; what there are too
 *   few elements for is 0, at -1.
 * - `is_among` tells, 0 or 1, whether the score of a label is one of the best of its row.
 * - `pad` has pictures with a border, where a negative one crops; the value is in memory of the
 *   processor. `resize` takes the nearest element, `resize_linear` mixes floats.
 * - `paint_planes` and `paint_pixels` are what BGRA pictures and their planes are to each other.
 * - `collect` adds up what the columns of a transposed convolution paint, of a window whose `in`
 *   is the smaller image; pixels of the larger one are @n_pixel apart.
 * - `update` is a step of an optimizer; indices point at rows.
 * - `segments` joins rows that belong together; offsets and indices point at rows.
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

  /*< private >*/
  gpointer _reserved[14];
} C2gDeviceCompute;

G_END_DECLS
