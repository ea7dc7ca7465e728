/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"

/* y = f (x) for every element, as the operators of the same names compute it. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Parameters
{
  float a;
  float b;
};

/* A function of the floats x, a and b. */
#define DEFINE_FUNCTION(name, expression)                                                          \
  struct name                                                                                      \
  {                                                                                                \
    Parameters parameters;                                                                         \
                                                                                                   \
    __device__ float                                                                               \
    operator() (float x) const                                                                     \
    {                                                                                              \
      [[maybe_unused]] const float a = parameters.a, b = parameters.b;                             \
                                                                                                   \
      return expression;                                                                           \
    }                                                                                              \
  };

/* NaN stays NaN. */
DEFINE_FUNCTION (Relu, x < 0 ? 0 : x)
DEFINE_FUNCTION (Sigmoid, sigmoid (x))
DEFINE_FUNCTION (Tanh, tanhf (x))
DEFINE_FUNCTION (Swish, x * sigmoid (x))
/* This form of log (1 + exp (x)) does not overflow. */
DEFINE_FUNCTION (Softplus, (x > 0 ? x : 0) + log1pf (expf (-fabsf (x))))
DEFINE_FUNCTION (Softsign, x / (1 + fabsf (x)))
DEFINE_FUNCTION (Exp, expf (x))
DEFINE_FUNCTION (Log, logf (x))
DEFINE_FUNCTION (Sqrt, sqrtf (x))
DEFINE_FUNCTION (Rsqrt, rsqrtf (x))
DEFINE_FUNCTION (Cbrt, cbrtf (x))
DEFINE_FUNCTION (Sqr, x *x)
DEFINE_FUNCTION (Cube, x *x *x)
DEFINE_FUNCTION (Reciprocal, 1 / x)
DEFINE_FUNCTION (Abs, fabsf (x))
DEFINE_FUNCTION (Floor, floorf (x))
DEFINE_FUNCTION (Ceil, ceilf (x))
DEFINE_FUNCTION (Sin, sinf (x))
DEFINE_FUNCTION (Cos, cosf (x))
DEFINE_FUNCTION (Tan, tanf (x))
DEFINE_FUNCTION (Asin, asinf (x))
DEFINE_FUNCTION (Acos, acosf (x))
DEFINE_FUNCTION (Atan, atanf (x))
DEFINE_FUNCTION (Sinh, sinhf (x))
DEFINE_FUNCTION (Cosh, coshf (x))
DEFINE_FUNCTION (Erf, erff (x))
DEFINE_FUNCTION (LeakyRelu, x > 0 ? x : a * x)
DEFINE_FUNCTION (Elu, x > 0 ? x : a * expm1f (x))
DEFINE_FUNCTION (Selu, b *(x > 0 ? x : a * expm1f (x)))
DEFINE_FUNCTION (Clip, (x < a ? a : x) > b ? b : (x < a ? a : x))
DEFINE_FUNCTION (GeluExact, 0.5f * x * (1 + erff (x * 0.70710678f)))
DEFINE_FUNCTION (GeluFast, 0.5f * x * (1 + tanhf (0.797884561f * (x + 0.044715f * x * x * x))))

DEFINE_FUNCTION (Linear, a *x + b)
DEFINE_FUNCTION (Power, powf (x, a))

/* Functions that other types have too. */

struct Negative
{
  __device__ int32_t
  operator() (int32_t x) const
  {
    return (int32_t) (0 - (uint32_t) x);
  }

  __device__ int64_t
  operator() (int64_t x) const
  {
    return (int64_t) (0 - (uint64_t) x);
  }

  __device__ float
  operator() (float x) const
  {
    return -x;
  }

  __device__ double
  operator() (double x) const
  {
    return -x;
  }
};

struct Sign
{
  template <class T>
  __device__ T
  operator() (T x) const
  {
    return (T) ((x > 0) - (x < 0));
  }
};

struct IsNan
{
  template <class T>
  __device__ uint8_t
  operator() (T x) const
  {
    return x != x;
  }
};

struct ReplaceNan
{
  float value;

  template <class T>
  __device__ T
  operator() (T x) const
  {
    return x != x ? (T) value : x;
  }
};

struct Not
{
  __device__ uint8_t
  operator() (uint8_t x) const
  {
    return x == 0;
  }
};

template <class In, class Out, class Function>
static cudaError_t
run_unary (const Function          &function,
           const C2gComputeRequest *request,
           cudaStream_t             stream)
{
  return launch_map<In, Out> (function, request->x, request->y, request->n, stream);
}

}

#define REAL(NAME, Name)                                                                           \
  case C2G_COMPUTE_UNARY_##NAME:                                                                   \
    return with_real_type (request->type, [=] (auto zero) {                                        \
      typedef decltype (zero) T;                                                                   \
                                                                                                   \
      return run_unary<T, T> (Name{ { (float) request->a, (float) request->b } }, request,         \
                              stream);                                                             \
    });

#define CALCULATED(NAME, Name)                                                                     \
  case C2G_COMPUTE_UNARY_##NAME:                                                                   \
    return with_calculated_type (request->type, [=] (auto zero) {                                  \
      typedef decltype (zero) T;                                                                   \
                                                                                                   \
      return run_unary<T, T> (Name{}, request, stream);                                            \
    });

cudaError_t
c2g_cuda_kernel_unary (const C2gComputeRequest *request,
                       void                    *memory,
                       cudaStream_t             stream)
{
  switch (request->unary)
    {
      REAL (RELU, Relu)
      REAL (SIGMOID, Sigmoid)
      REAL (TANH, Tanh)
      REAL (SWISH, Swish)
      REAL (SOFTPLUS, Softplus)
      REAL (SOFTSIGN, Softsign)
      REAL (EXP, Exp)
      REAL (LOG, Log)
      REAL (SQRT, Sqrt)
      REAL (RSQRT, Rsqrt)
      REAL (CBRT, Cbrt)
      REAL (SQR, Sqr)
      REAL (CUBE, Cube)
      REAL (RECIPROCAL, Reciprocal)
      REAL (ABS, Abs)
      REAL (FLOOR, Floor)
      REAL (CEIL, Ceil)
      REAL (SIN, Sin)
      REAL (COS, Cos)
      REAL (TAN, Tan)
      REAL (ASIN, Asin)
      REAL (ACOS, Acos)
      REAL (ATAN, Atan)
      REAL (SINH, Sinh)
      REAL (COSH, Cosh)
      REAL (ERF, Erf)
      REAL (LEAKY_RELU, LeakyRelu)
      REAL (ELU, Elu)
      REAL (SELU, Selu)
      REAL (CLIP, Clip)
      REAL (GELU_EXACT, GeluExact)
      REAL (GELU_FAST, GeluFast)
      REAL (LINEAR, Linear)
      REAL (POWER, Power)
      CALCULATED (NEGATIVE, Negative)
      CALCULATED (SIGN, Sign)

    case C2G_COMPUTE_UNARY_NOT:
      return request->type == C2G_DATA_TYPE_BOOL
               ? run_unary<uint8_t, uint8_t> (Not{}, request, stream)
               : cudaErrorNotSupported;

    case C2G_COMPUTE_UNARY_IS_NAN:
      if (request->type == C2G_DATA_TYPE_DOUBLE)
        return run_unary<double, uint8_t> (IsNan{}, request, stream);
      return with_real_type (request->type, [=] (auto zero) {
        return run_unary<decltype (zero), uint8_t> (IsNan{}, request, stream);
      });

    case C2G_COMPUTE_UNARY_REPLACE_NAN:
      if (request->type == C2G_DATA_TYPE_DOUBLE)
        return run_unary<double, double> (ReplaceNan{ (float) request->a }, request, stream);
      return with_real_type (request->type, [=] (auto zero) {
        typedef decltype (zero) T;

        return run_unary<T, T> (ReplaceNan{ (float) request->a }, request, stream);
      });

    default:
      return cudaErrorNotSupported;
    }
}
