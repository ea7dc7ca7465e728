/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"
#include "c2g-kernel-reduce.cuh"

/* BLAS functions of vectors. */

using namespace c2g_cuda;

/* Largest number of blocks, and so of partial sums. */
#define N_PARTS 1024
/* Number of elements that a thread loads before it uses the first one. */
#define N_AHEAD 4

namespace c2g_cuda
{

template <class W>
struct Scale
{
  W alpha;

  __device__ W
  operator() (W x) const
  {
    return alpha * x;
  }
};

template <class W>
struct Axpby
{
  W alpha;
  W beta;

  template <int width>
  __device__ void
  apply (const W *x,
         const W *y,
         W       *result) const
  {
#pragma unroll
    for (int i = 0; i < width; i++)
      result[i] = alpha * x[i] + beta * y[i];
  }
};

/* Measures are computed in double. They have a function take, which adds an element of one or two
 * vectors to a result, and merge, which joins two results. */

struct Dot : Sum
{
  static constexpr bool has_pairs = true;

  __device__ static double
  take (double result,
        double x,
        double y)
  {
    return result + x * y;
  }
};

struct Size : Sum
{
  static constexpr bool has_pairs = false;

  __device__ static double
  take (double result,
        double x,
        double y)
  {
    return result + fabs (x);
  }
};

struct LargestSize
{
  static constexpr bool has_pairs = false;

  /* NaN stays, because no comparison with it is true. */
  __device__ static double
  merge (double a,
         double b)
  {
    return a != a || a >= b ? a : b;
  }

  __device__ static double
  take (double result,
        double x,
        double y)
  {
    return merge (result, fabs (x));
  }
};

template <class Measure, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
measure_parts (const T *__restrict__ x,
               const T *__restrict__ y,
               double               *parts,
               size_t                n)
{
  const size_t step = count_threads ();
  double results[N_AHEAD] = {};
  size_t i = thread_number ();

  for (; i + (N_AHEAD - 1) * step < n; i += N_AHEAD * step)
    {
      T xs[N_AHEAD], ys[N_AHEAD];

#pragma unroll
      for (int k = 0; k < N_AHEAD; k++)
        {
          xs[k] = x[i + k * step];
          ys[k] = Measure::has_pairs ? y[i + k * step] : xs[k];
        }
#pragma unroll
      for (int k = 0; k < N_AHEAD; k++)
        results[k] = Measure::take (results[k], widen (xs[k]), widen (ys[k]));
    }
  for (; i < n; i += step)
    results[0] = Measure::take (results[0], widen (x[i]), widen (Measure::has_pairs ? y[i] : x[i]));

#pragma unroll
  for (int k = 1; k < N_AHEAD; k++)
    results[0] = Measure::merge (results[0], results[k]);
  results[0] = reduce_block<Measure> (results[0]);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = results[0];
}

template <class Measure>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
join_parts (const double *parts,
            double       *result,
            size_t        n)
{
  double part = 0;

  for (size_t i = threadIdx.x; i < n; i += C2G_BLOCK_SIZE)
    part = Measure::merge (part, parts[i]);
  part = reduce_block<Measure> (part);
  if (threadIdx.x == 0)
    *result = part;
}

template <class Measure, class T>
static cudaError_t
launch_measure (const C2gComputeRequest *request,
                const void              *y,
                double                  *result,
                cudaStream_t             stream)
{
  const size_t n = request->n;
  /* It is not the device that decides, so that the order is always the same. */
  const unsigned n_parts =
    (unsigned) larger<size_t> (smaller<size_t> (n / (N_AHEAD * C2G_BLOCK_SIZE), N_PARTS), 1);
  double *parts = result + 1;
  const cudaError_t error = Launch<measure_parts<Measure, T>>::run (
    n_parts, C2G_BLOCK_SIZE, stream, (const T *) request->x, (const T *) y, parts, n);

  if (error != cudaSuccess)
    return error;
  return Launch<join_parts<Measure>>::run (1, C2G_BLOCK_SIZE, stream, parts, result, n_parts);
}

template <class F>
static cudaError_t
with_blas_type (C2gDataType type,
                F           function)
{
  return type == C2G_DATA_TYPE_DOUBLE ? function (double ()) : with_real_type (type, function);
}

}

cudaError_t
c2g_cuda_kernel_axpby (const C2gComputeRequest *request,
                       void                    *memory,
                       cudaStream_t             stream)
{
  const double alpha = request->alpha, beta = request->beta;
  void *y = request->y;

  return with_blas_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;
    typedef Wide<T> W;

    /* With beta 0 BLAS does not read y, which may be uninitialized. */
    if (beta == 0)
      return launch_map<T, T> (Scale<W>{ (W) alpha }, request->x, y, request->n, stream);
    return launch_join<T, T> (Axpby<W>{ (W) alpha, (W) beta }, request->x, false, y, false, y,
                              request->n, stream);
  });
}

gsize
c2g_cuda_kernel_measure_size (void)
{
  return (1 + N_PARTS) * sizeof (double);
}

cudaError_t
c2g_cuda_kernel_measure (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  double *result = (double *) memory;

  return with_blas_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    switch (request->measure)
      {
      case C2G_COMPUTE_MEASURE_DOT:
        return launch_measure<Dot, T> (request, request->other, result, stream);
      case C2G_COMPUTE_MEASURE_ASUM:
        return launch_measure<Size, T> (request, request->x, result, stream);
      default:
        return launch_measure<LargestSize, T> (request, request->x, result, stream);
      }
  });
}
