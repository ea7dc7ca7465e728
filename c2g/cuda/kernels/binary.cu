/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"

/* y = f (a, b) element by element, with broadcasting. */

using namespace c2g_cuda;

namespace c2g_cuda
{

/* The dimensions and strides of the operands; dimensions that can be merged are merged. Strides are
 * in elements; stride 0 broadcasts. */
struct Broadcast
{
  int64_t n_dims;
  int64_t sizes[C2G_CUDA_MAX_DIMS];
  int64_t a_strides[C2G_CUDA_MAX_DIMS];
  int64_t b_strides[C2G_CUDA_MAX_DIMS];
  Divider dims[C2G_CUDA_MAX_DIMS];
};

/* op is the same for all threads, so testing it for each vector costs little, and one kernel does
 * for all functions. */
struct BinaryFunction
{
  C2gComputeBinary op;
};

#define APPLY(NAME, expression)                                                                    \
  case C2G_COMPUTE_BINARY_##NAME:                                                                  \
    _Pragma ("unroll") for (int i = 0; i < width; i++)                                             \
    {                                                                                              \
      const T x = a[i], y = b[i];                                                                  \
                                                                                                   \
      c[i] = expression;                                                                           \
    }                                                                                              \
    break;

template <class T>
struct Calculator
{
  typedef T Bits;

  __device__ static T
  divide (T x,
          T y)
  {
    return x / y;
  }
};

/* Integers wrap around on overflow. Division by 0 gives 0. */
template <class T, class Unsigned>
struct IntegerCalculator
{
  typedef Unsigned Bits;

  __device__ static T
  divide (T x,
          T y)
  {
    return y == 0 ? 0 : y != -1 ? x / y : (T) (0 - (Unsigned) x);
  }
};

template <>
struct Calculator<int32_t> : IntegerCalculator<int32_t, uint32_t>
{
};

template <>
struct Calculator<int64_t> : IntegerCalculator<int64_t, uint64_t>
{
};

struct Arithmetic : BinaryFunction
{
  template <int width, class T>
  __device__ void
  apply (const T *a,
         const T *b,
         T       *c) const
  {
    typedef typename Calculator<T>::Bits Bits;

    switch (op)
      {
        APPLY (ADD, (T) ((Bits) x + (Bits) y))
        APPLY (SUB, (T) ((Bits) x - (Bits) y))
        APPLY (MUL, (T) ((Bits) x * (Bits) y))
        APPLY (DIV, Calculator<T>::divide (x, y))
        APPLY (MAX, x < y ? y : x)
      default:
        APPLY (MIN, y < x ? y : x)
      }
  }
};

struct Power : BinaryFunction
{
  template <int width>
  __device__ void
  apply (const float *a,
         const float *b,
         float       *c) const
  {
#pragma unroll
    for (int i = 0; i < width; i++)
      c[i] = powf (a[i], b[i]);
  }
};

/* log (1 + exp (x)), in a form that does not overflow. */
__device__ static inline float
softplus (float x)
{
  return fmaxf (x, 0) + log1pf (expf (-fabsf (x)));
}

struct Loss : BinaryFunction
{
  template <int width, class T>
  __device__ void
  apply (const T *a,
         const T *b,
         T       *c) const
  {
    switch (op)
      {
        APPLY (CROSS_ENTROPY, -y * logf (fmaxf (x, 1e-20f)))
        APPLY (SIGMOID_LOSS, softplus (x) - x * y)
        APPLY (SIGMOID_LOSS_LOG_D, (2 * y - 1) * (softplus (x) - x))
      default:
        APPLY (SIGMOID_LOSS_UNJOINED, (1 - y) * softplus (x) - x * y)
      }
  }
};

struct Comparison : BinaryFunction
{
  template <int width, class T>
  __device__ void
  apply (const T *a,
         const T *b,
         uint8_t *c) const
  {
    switch (op)
      {
        APPLY (EQ, x == y)
        APPLY (NE, x != y)
        APPLY (LT, x < y)
        APPLY (LE, x <= y)
        APPLY (GT, x > y)
      default:
        APPLY (GE, x >= y)
      }
  }
};

struct Logic : BinaryFunction
{
  template <int width, class T>
  __device__ void
  apply (const T *a,
         const T *b,
         T       *c) const
  {
    switch (op)
      {
        APPLY (AND, x != 0 && y != 0)
        APPLY (OR, x != 0 || y != 0)
        APPLY (XOR, (x != 0) != (y != 0))
        APPLY (BITWISE_AND, x &y)
        APPLY (BITWISE_OR, x | y)
      default:
        APPLY (BITWISE_XOR, x ^ y)
      }
  }
};

/* The vectors lie along the last dimension, where an operand has all elements or one. */
template <class Function, class In, class Out, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
join_broadcast (Function  function,
                const In *a,
                const In *b,
                Out      *c,
                Broadcast plan,
                size_t    n_vectors)
{
  const int last = plan.n_dims - 1;

  for (size_t i = thread_number (); i < n_vectors; i += count_threads ())
    {
      size_t rest = i;
      int64_t a_place = 0, b_place = 0;

      for (int dim = last; dim >= 0; dim--)
        {
          const size_t quotient = plan.dims[dim].divide (rest);
          const int64_t at = (int64_t) (rest - quotient * plan.dims[dim].divisor);

          a_place += at * plan.a_strides[dim];
          b_place += at * plan.b_strides[dim];
          rest = quotient;
        }
      join_vectors (function, load_operand<width> (a + a_place, 0, plan.a_strides[last] == 0),
                    load_operand<width> (b + b_place, 0, plan.b_strides[last] == 0),
                    c + i * width);
    }
}

static bool
add_outer (Broadcast *self,
           int64_t    size,
           int64_t    a_stride,
           int64_t    b_stride)
{
  if (size == 1)
    return true;

  if (self->n_dims > 0)
    {
      const int first = self->n_dims - 1;

      if (a_stride == self->sizes[first] * self->a_strides[first] &&
          b_stride == self->sizes[first] * self->b_strides[first])
        {
          self->sizes[first] *= size;
          return true;
        }
    }
  if (self->n_dims == C2G_CUDA_MAX_DIMS)
    return false;

  self->sizes[self->n_dims] = size;
  self->a_strides[self->n_dims] = a_stride;
  self->b_strides[self->n_dims++] = b_stride;
  return true;
}

/* Adds the dimensions from the last to the first, and then reverses their order. */
static bool
make_plan (Broadcast     *self,
           const int64_t *dims,
           size_t         n_dims,
           const int64_t *a_strides,
           const int64_t *b_strides)
{
  Broadcast reverse;

  reverse.n_dims = 0;
  for (size_t i = n_dims; i-- > 0;)
    if (!add_outer (&reverse, dims[i], a_strides[i], b_strides[i]))
      return false;

  self->n_dims = reverse.n_dims;
  for (int i = 0; i < self->n_dims; i++)
    {
      self->sizes[i] = reverse.sizes[self->n_dims - 1 - i];
      self->a_strides[i] = reverse.a_strides[self->n_dims - 1 - i];
      self->b_strides[i] = reverse.b_strides[self->n_dims - 1 - i];
    }
  return true;
}

static bool
is_multiple (int64_t     stride,
             const void *address,
             int64_t     width,
             size_t      item_size)
{
  return stride % width == 0 && (uintptr_t) address % (width * item_size) == 0;
}

/* Returns TRUE if all rows of the last dimension consist of aligned vectors. */
static bool
has_vectors (const Broadcast &plan,
             const void      *a,
             const void      *b,
             const void      *c,
             size_t           in_size,
             size_t           out_size,
             int64_t          width)
{
  const int last = plan.n_dims - 1;
  bool result = plan.sizes[last] % width == 0 && (uintptr_t) c % (width * out_size) == 0 &&
                (plan.a_strides[last] == 0 || plan.a_strides[last] == 1) &&
                (plan.b_strides[last] == 0 || plan.b_strides[last] == 1);

  for (int i = 0; i < last; i++)
    result &= (plan.a_strides[last] == 0 || is_multiple (plan.a_strides[i], a, width, in_size)) &&
              (plan.b_strides[last] == 0 || is_multiple (plan.b_strides[i], b, width, in_size));
  return result;
}

template <int width, class In, class Out, class Function>
static cudaError_t
launch_broadcast (const Function &function,
                  Broadcast       plan,
                  const void     *a,
                  const void     *b,
                  void           *c,
                  size_t          n,
                  cudaStream_t    stream)
{
  const int last = plan.n_dims - 1;

  /* From here on the last dimension counts vectors, not elements. */
  plan.sizes[last] /= width;
  if (plan.a_strides[last] != 0)
    plan.a_strides[last] *= width;
  if (plan.b_strides[last] != 0)
    plan.b_strides[last] *= width;
  for (int i = 0; i < plan.n_dims; i++)
    plan.dims[i] = Divider (plan.sizes[i], n / width);

  return Launch<join_broadcast<Function, In, Out, width>>::run (
    count_blocks (n / width), C2G_BLOCK_SIZE, stream, function, (const In *) a, (const In *) b,
    (Out *) c, plan, n / width);
}

template <class In, class Out, class Function>
static cudaError_t
run_binary (const Function          &function,
            const C2gComputeRequest *request,
            const Broadcast         &plan,
            size_t                   n,
            cudaStream_t             stream)
{
  constexpr int width = 16 / larger (sizeof (In), sizeof (Out));
  const void *a = request->x, *b = request->other;
  const bool is_flat = plan.n_dims <= 1;
  void *c = request->y;

  if (is_flat && (plan.n_dims == 0 || (plan.a_strides[0] <= 1 && plan.b_strides[0] <= 1)))
    return launch_join<In, Out> (function, a, plan.n_dims == 0 || plan.a_strides[0] == 0, b,
                                 plan.n_dims == 0 || plan.b_strides[0] == 0, c, n, stream);
  if (has_vectors (plan, a, b, c, sizeof (In), sizeof (Out), width))
    return launch_broadcast<width, In, Out> (function, plan, a, b, c, n, stream);
  return launch_broadcast<1, In, Out> (function, plan, a, b, c, n, stream);
}

static cudaError_t
run_logic (const C2gComputeRequest *request,
           const Broadcast         &plan,
           size_t                   n,
           cudaStream_t             stream)
{
  const Logic logic = { { request->binary } };
  const bool is_bitwise = request->binary >= C2G_COMPUTE_BINARY_BITWISE_AND;

  if (request->type == C2G_DATA_TYPE_BOOL)
    return run_binary<uint8_t, uint8_t> (logic, request, plan, n, stream);
  if (request->type == C2G_DATA_TYPE_INT32 && is_bitwise)
    return run_binary<int32_t, int32_t> (logic, request, plan, n, stream);
  if (request->type == C2G_DATA_TYPE_INT64 && is_bitwise)
    return run_binary<int64_t, int64_t> (logic, request, plan, n, stream);
  return cudaErrorNotSupported;
}

}

cudaError_t
c2g_cuda_kernel_binary (const C2gComputeRequest *request,
                        void                    *memory,
                        cudaStream_t             stream)
{
  const C2gComputeBinary op = request->binary;
  const C2gDataType type = request->type;
  Broadcast plan = {};
  size_t n = 1;

  for (size_t i = 0; i < request->n_dims; i++)
    n *= request->dims[i];
  if (n == 0)
    return cudaSuccess;
  if (!make_plan (&plan, request->dims, request->n_dims, request->x_strides,
                  request->other_strides))
    return cudaErrorNotSupported;

  if (op >= C2G_COMPUTE_BINARY_AND)
    return run_logic (request, plan, n, stream);
  if (op >= C2G_COMPUTE_BINARY_EQ && type == C2G_DATA_TYPE_BOOL)
    return run_binary<uint8_t, uint8_t> (Comparison{ { op } }, request, plan, n, stream);
  if (op >= C2G_COMPUTE_BINARY_EQ)
    return with_calculated_type (type, [=] (auto zero) {
      return run_binary<decltype (zero), uint8_t> (Comparison{ { op } }, request, plan, n, stream);
    });
  if (op >= C2G_COMPUTE_BINARY_CROSS_ENTROPY)
    return type == C2G_DATA_TYPE_FLOAT
             ? run_binary<float, float> (Loss{ { op } }, request, plan, n, stream)
             : cudaErrorNotSupported;
  if (op == C2G_COMPUTE_BINARY_POW)
    return with_real_type (type, [=] (auto zero) {
      typedef decltype (zero) T;

      return run_binary<T, T> (Power{ { op } }, request, plan, n, stream);
    });
  return with_calculated_type (type, [=] (auto zero) {
    typedef decltype (zero) T;

    return run_binary<T, T> (Arithmetic{ { op } }, request, plan, n, stream);
  });
}
