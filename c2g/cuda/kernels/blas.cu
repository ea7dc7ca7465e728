/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-map.cuh"
#include "c2g-kernel-reduce.cuh"

/* BLAS functions of vectors. Those with one operand and a sum are in reduce.cu. */

using namespace c2g_cuda;

/* Largest number of blocks, and so of partial sums. */
#define N_PARTS 512

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

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
multiply_parts (const T *__restrict__ x,
                const T *__restrict__ y,
                Wide<T>              *parts,
                size_t                n)
{
  typedef Wide<T> W;
  const size_t step = count_threads ();
  W sums[2] = { 0, 0 };
  size_t i = thread_number ();

  for (; i + step < n; i += 2 * step)
    {
      const T items[] = { x[i], y[i], x[i + step], y[i + step] };

      sums[0] += widen (items[0]) * widen (items[1]);
      sums[1] += widen (items[2]) * widen (items[3]);
    }
  if (i < n)
    sums[0] += widen (x[i]) * widen (y[i]);

  sums[0] = reduce_block<Sum> (sums[0] + sums[1]);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = sums[0];
}

template <class W>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
add_parts (const W *parts,
           W       *result,
           size_t   n)
{
  const W sum = reduce_block<Sum> (reduce_items<Sum> (parts, 1, threadIdx.x, n, C2G_BLOCK_SIZE));

  if (threadIdx.x == 0)
    *result = sum;
}

template <class T>
static cudaError_t
launch_dot (const void   *x,
            const void   *y,
            size_t        n,
            void         *result,
            void         *scratch,
            cudaStream_t  stream)
{
  typedef Wide<T> W;
  const unsigned n_parts =
    (unsigned) larger<size_t> (smaller<size_t> (n / (4 * C2G_BLOCK_SIZE), N_PARTS), 1);
  cudaError_t error = Launch<multiply_parts<T>>::run (
    n_parts, C2G_BLOCK_SIZE, stream, (const T *) x, (const T *) y, (W *) scratch, n);

  if (error != cudaSuccess)
    return error;
  return Launch<add_parts<W>>::run (1, C2G_BLOCK_SIZE, stream, (const W *) scratch, (W *) result,
                                    n_parts);
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
c2g_cuda_kernel_scale (C2gDataType    type,
                       gsize          n,
                       double         alpha,
                       gconstpointer  x,
                       gpointer       y,
                       cudaStream_t   stream)
{
  return with_blas_type (type, [=] (auto zero) {
    typedef decltype (zero) T;

    return launch_map<T, T> (Scale<Wide<T>>{ (Wide<T>) alpha }, x, y, n, stream);
  });
}

cudaError_t
c2g_cuda_kernel_axpby (C2gDataType    type,
                       gsize          n,
                       double         alpha,
                       gconstpointer  x,
                       double         beta,
                       gpointer       y,
                       cudaStream_t   stream)
{
  /* With beta 0 BLAS does not read y, which may be uninitialized. */
  if (beta == 0)
    return c2g_cuda_kernel_scale (type, n, alpha, x, y, stream);

  return with_blas_type (type, [=] (auto zero) {
    typedef decltype (zero) T;
    typedef Wide<T> W;

    return launch_join<T, T> (Axpby<W>{ (W) alpha, (W) beta }, x, false, y, false, y, n, stream);
  });
}

cudaError_t
c2g_cuda_kernel_axpy (C2gDataType    type,
                      gsize          n,
                      double         alpha,
                      gconstpointer  x,
                      gpointer       y,
                      cudaStream_t   stream)
{
  return c2g_cuda_kernel_axpby (type, n, alpha, x, 1, y, stream);
}

gsize
c2g_cuda_kernel_dot_scratch_size (void)
{
  return N_PARTS * sizeof (double);
}

cudaError_t
c2g_cuda_kernel_dot (C2gDataType    type,
                     gsize          n,
                     gconstpointer  x,
                     gconstpointer  y,
                     gpointer       result,
                     gpointer       scratch,
                     cudaStream_t   stream)
{
  return with_blas_type (type, [=] (auto zero) {
    return launch_dot<decltype (zero)> (x, y, n, result, scratch, stream);
  });
}
