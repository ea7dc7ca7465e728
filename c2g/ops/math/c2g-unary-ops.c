/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-vector-math-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>

/* Elementwise functions without arguments, named as in Caffe2. Activation functions with parameters,
 * such as Elu, are in c2g-activation-ops.c.
 *
 * Most are of float. Cube, Negative and Sign are also of double, int32 and int64, where integers
 * wrap around on overflow. Not: bool to bool. IsNaN: float or double to uint8.
 * Swish: x sigmoid (x). Softplus: log (1 + exp (x)). Softsign: x / (1 + |x|).
 *
 * The output has the shape of the input and may be in place, but for IsNaN. On CUDA
 * kernels/unary.cu computes all of them. */

#define DEFINE_LOOP(name, attribute, in, out, expression)                                          \
  attribute static void                                                                            \
  name (gconstpointer source,                                                                      \
        gpointer      target,                                                                      \
        gsize         n,                                                                           \
        gconstpointer parameters)                                                                  \
  {                                                                                                \
    const in *from = source;                                                                       \
    out *to = target;                                                                              \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        in x = from[i];                                                                            \
                                                                                                   \
        to[i] = expression;                                                                        \
      }                                                                                            \
  }

/* Defines an operator from float to float. */
#define DEFINE_UNARY(name, NAME, expression)                                                       \
  DEFINE_LOOP (name##_floats, C2G_HOT, float, float, expression)                                   \
                                                                                                   \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    return c2g_unary_run (op, C2G_COMPUTE_UNARY_##NAME, name##_floats, C2G_DATA_TYPE_FLOAT,        \
                          C2G_DATA_TYPE_FLOAT, NULL, error);                                       \
  }

/* Defines an operator for float, double, int32 and int64.  integer is the expression for integers,
 * a macro of the signed and the unsigned type. */
#define DEFINE_NUMERIC(name, NAME, expression, integer)                                            \
  DEFINE_LOOP (name##_floats, C2G_HOT, float, float, expression)                                   \
  DEFINE_LOOP (name##_doubles, , double, double, expression)                                       \
  DEFINE_LOOP (name##_int32s, , gint32, gint32, integer (gint32, guint32))                         \
  DEFINE_LOOP (name##_int64s, , gint64, gint64, integer (gint64, guint64))                         \
                                                                                                   \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    static const C2gUnaryLoop loops[C2G_N_LOOPS] = {                                               \
      [C2G_DATA_TYPE_FLOAT] = name##_floats,                                                       \
      [C2G_DATA_TYPE_DOUBLE] = name##_doubles,                                                     \
      [C2G_DATA_TYPE_INT32] = name##_int32s,                                                       \
      [C2G_DATA_TYPE_INT64] = name##_int64s,                                                       \
    };                                                                                             \
                                                                                                   \
    return c2g_unary_run_any (op, C2G_COMPUTE_UNARY_##NAME, loops, NULL, error);                   \
  }

#define NEGATIVE_INTEGER(type, unsigned_type) (type) (0 - (unsigned_type) x)
/* Overflow wraps around, as in Caffe2. */
#define CUBE_INTEGER(type, unsigned_type)                                                           \
  (type) ((unsigned_type) x * (unsigned_type) x * (unsigned_type) x)
#define SIGN_INTEGER(type, unsigned_type) (type) ((x > 0) - (x < 0))

/* NaN stays NaN. */
DEFINE_UNARY (relu, RELU, x < 0 ? 0 : x)
DEFINE_UNARY (sigmoid, SIGMOID, c2g_vector_sigmoid (x))
DEFINE_UNARY (tanh, TANH, c2g_vector_tanh (x))
DEFINE_UNARY (swish, SWISH, x * c2g_vector_sigmoid (x))
/* log (1 + exp (x)) would overflow for large x. */
DEFINE_UNARY (softplus, SOFTPLUS, (x > 0 ? x : 0) + log1pf (c2g_vector_exp (-fabsf (x))))
DEFINE_UNARY (softsign, SOFTSIGN, x / (1 + fabsf (x)))

DEFINE_UNARY (exp, EXP, c2g_vector_exp (x))
DEFINE_UNARY (log, LOG, logf (x))
DEFINE_UNARY (sqrt, SQRT, sqrtf (x))
DEFINE_UNARY (rsqrt, RSQRT, 1 / sqrtf (x))
DEFINE_UNARY (cbrt, CBRT, cbrtf (x))
DEFINE_UNARY (sqr, SQR, x * x)
DEFINE_UNARY (reciprocal, RECIPROCAL, 1 / x)
DEFINE_UNARY (abs, ABS, fabsf (x))
DEFINE_UNARY (floor, FLOOR, floorf (x))
DEFINE_UNARY (ceil, CEIL, ceilf (x))
DEFINE_NUMERIC (cube, CUBE, x * x * x, CUBE_INTEGER)
DEFINE_NUMERIC (negative, NEGATIVE, -x, NEGATIVE_INTEGER)
DEFINE_NUMERIC (sign, SIGN, (x > 0) - (x < 0), SIGN_INTEGER)

DEFINE_UNARY (sin, SIN, sinf (x))
DEFINE_UNARY (cos, COS, cosf (x))
DEFINE_UNARY (tan, TAN, tanf (x))
DEFINE_UNARY (asin, ASIN, asinf (x))
DEFINE_UNARY (acos, ACOS, acosf (x))
DEFINE_UNARY (atan, ATAN, atanf (x))
DEFINE_UNARY (sinh, SINH, sinhf (x))
DEFINE_UNARY (cosh, COSH, coshf (x))
DEFINE_UNARY (erf, ERF, erff (x))

DEFINE_LOOP (not_loop, , guint8, guint8, x == 0)
DEFINE_LOOP (is_nan_floats, , float, guint8, isnan (x) != 0)
DEFINE_LOOP (is_nan_doubles, , double, guint8, isnan (x) != 0)

static gboolean
not_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  return c2g_unary_run (op, C2G_COMPUTE_UNARY_NOT, not_loop, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_BOOL,
                        NULL, error);
}

static gboolean
is_nan_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);

  if (x == NULL)
    return FALSE;
  if (c2g_tensor_get_data_type (x) == C2G_DATA_TYPE_DOUBLE)
    return c2g_unary_run (op, C2G_COMPUTE_UNARY_IS_NAN, is_nan_doubles, C2G_DATA_TYPE_DOUBLE,
                          C2G_DATA_TYPE_UINT8, NULL, error);
  return c2g_unary_run (op, C2G_COMPUTE_UNARY_IS_NAN, is_nan_floats, C2G_DATA_TYPE_FLOAT,
                        C2G_DATA_TYPE_UINT8, NULL, error);
}

#define UNARY_OF(kernel_traits, type, name, ...)                                                   \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, "0>0", NULL, 0, NULL, name##_run, NULL, c2g_count_elements,            \
      __VA_ARGS__, .infer = name##_run, .is_for_devices = TRUE, .traits = kernel_traits            \
  }
#define UNARY(...) UNARY_OF (C2G_TRAITS_ELEMENTWISE, __VA_ARGS__)
/* Functions whose values are not much larger than their arguments, which float16 can hold. */
#define UNARY_HALF(...) UNARY_OF (C2G_TRAITS_ELEMENTWISE | C2G_TRAIT_HALF, __VA_ARGS__)

static const C2gKernel kernels[] = {
  UNARY_HALF ("Relu", relu, "Rectified linear unit: negative elements become 0", .role = C2G_ROLE_RELU),
  UNARY_HALF ("Sigmoid", sigmoid, "The logistic function"),
  UNARY_HALF ("Tanh", tanh, "The hyperbolic tangent"),
  UNARY_HALF ("Swish", swish, "Each element times its logistic function"),
  UNARY_HALF ("Softplus", softplus, "A smooth form of Relu"),
  UNARY_HALF ("Softsign", softsign, "A smooth sign, between -1 and 1"),
  UNARY ("Exp", exp, "The exponential function"),
  UNARY ("Log", log, "The natural logarithm"),
  UNARY ("Sqrt", sqrt, "The square root"),
  UNARY ("Rsqrt", rsqrt, "The reciprocal of the square root"),
  UNARY ("Cbrt", cbrt, "The cube root"),
  UNARY ("Sqr", sqr, "The square"),
  UNARY ("Cube", cube, "The third power"),
  UNARY ("Reciprocal", reciprocal, "The reciprocal of each element"),
  UNARY_HALF ("Abs", abs, "The absolute value"),
  UNARY ("Floor", floor, "Rounds down to an integer"),
  UNARY ("Ceil", ceil, "Rounds up to an integer"),
  UNARY_HALF ("Negative", negative, "The negative of each element",
              .gradient = { "Negative", "GO0", "GI0" }),
  UNARY ("Sign", sign, "The sign of each element"),
  UNARY ("Sin", sin, "The sine"),
  UNARY ("Cos", cos, "The cosine"),
  UNARY ("Tan", tan, "The tangent"),
  UNARY ("Asin", asin, "The arc sine"),
  UNARY ("Acos", acos, "The arc cosine"),
  UNARY ("Atan", atan, "The arc tangent"),
  UNARY ("Sinh", sinh, "The hyperbolic sine"),
  UNARY ("Cosh", cosh, "The hyperbolic cosine"),
  UNARY ("Erf", erf, "The error function"),
  UNARY ("Not", not, "Logical not"),
  { "IsNaN", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, is_nan_run, NULL, c2g_count_elements,
    "Finds elements that are not a number", .infer = is_nan_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
};

C2G_OPS_FAMILY (unary);
