/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-kernel-types.cuh"

/* Reductions in a thread, then between the threads of a warp, then of a block. The order depends
 * only on the shapes, so the results are the same on each run and device. */

#define C2G_N_WARPS (C2G_BLOCK_SIZE / C2G_WARP_SIZE)

namespace c2g_cuda
{

template <class T>
struct Extremes;

#define C2G_DEFINE_EXTREMES(type, least_, most_)                                                   \
  template <>                                                                                      \
  struct Extremes<type>                                                                            \
  {                                                                                                \
    __host__ __device__ static type                                                                \
    least ()                                                                                       \
    {                                                                                              \
      return least_;                                                                               \
    }                                                                                              \
                                                                                                   \
    __host__ __device__ static type                                                                \
    most ()                                                                                        \
    {                                                                                              \
      return most_;                                                                                \
    }                                                                                              \
  };

C2G_DEFINE_EXTREMES (float, -INFINITY, INFINITY)
C2G_DEFINE_EXTREMES (double, (double) -INFINITY, (double) INFINITY)
C2G_DEFINE_EXTREMES (int32_t, INT32_MIN, INT32_MAX)
C2G_DEFINE_EXTREMES (int64_t, INT64_MIN, INT64_MAX)

/* Integer addition wraps around. */
__device__ static inline float
add (float a,
     float b)
{
  return a + b;
}

__device__ static inline double
add (double a,
     double b)
{
  return a + b;
}

__device__ static inline int32_t
add (int32_t a,
     int32_t b)
{
  return (int32_t) ((uint32_t) a + (uint32_t) b);
}

__device__ static inline int64_t
add (int64_t a,
     int64_t b)
{
  return (int64_t) ((uint64_t) a + (uint64_t) b);
}

/* A reduction has three functions: start is the result of no elements, take adds an element to a
 * result, and merge joins two results. */

struct Sum
{
  template <class T>
  __host__ __device__ static T
  start ()
  {
    return 0;
  }

  template <class T>
  __device__ static T
  take (T result,
        T x)
  {
    return add (result, x);
  }

  template <class T>
  __device__ static T
  merge (T a,
         T b)
  {
    return add (a, b);
  }
};

struct AbsoluteSum : Sum
{
  template <class T>
  __device__ static T
  take (T result,
        T x)
  {
    return result + (x < 0 ? -x : x);
  }
};

struct SquareSum : Sum
{
  template <class T>
  __device__ static T
  take (T result,
        T x)
  {
    return result + x * x;
  }
};

/* NaN elements are ignored, because no comparison with NaN is true. */
struct Largest
{
  template <class T>
  __host__ __device__ static T
  start ()
  {
    return Extremes<T>::least ();
  }

  template <class T>
  __device__ static T
  take (T result,
        T x)
  {
    return result < x ? x : result;
  }

  template <class T>
  __device__ static T
  merge (T a,
         T b)
  {
    return take (a, b);
  }
};

struct Smallest
{
  template <class T>
  __host__ __device__ static T
  start ()
  {
    return Extremes<T>::most ();
  }

  template <class T>
  __device__ static T
  take (T result,
        T x)
  {
    return x < result ? x : result;
  }

  template <class T>
  __device__ static T
  merge (T a,
         T b)
  {
    return take (a, b);
  }
};

/* All lanes get the result. */
template <class Op, class W>
__device__ static inline W
reduce_warp (W value)
{
#pragma unroll
  for (int mask = C2G_WARP_SIZE / 2; mask > 0; mask /= 2)
    value = Op::merge (value, __shfl_xor_sync (C2G_FULL_WARP, value, mask));
  return value;
}

/* All threads of the block get the result. */
template <class Op, class W>
__device__ static inline W
reduce_block (W value)
{
  C2G_SHARED (W, parts, [C2G_N_WARPS]);

  value = reduce_warp<Op> (value);
  /* Wait until all threads have read the previous contents. */
  __syncthreads ();
  if (threadIdx.x % C2G_WARP_SIZE == 0)
    parts[threadIdx.x / C2G_WARP_SIZE] = value;
  __syncthreads ();

  value = parts[0];
#pragma unroll
  for (int i = 1; i < C2G_N_WARPS; i++)
    value = Op::merge (value, parts[i]);
  return value;
}

/* Reduces the items first, first + n_threads and so on of a row of n. Four partial results are
 * computed at once, so that loads do not wait for each other. */
template <class Op, class T>
__device__ static inline Wide<T>
reduce_items (const T *x,
              size_t   stride,
              size_t   first,
              size_t   n,
              size_t   n_threads)
{
  typedef Wide<T> W;
  W results[4];
  size_t i = first;

#pragma unroll
  for (int k = 0; k < 4; k++)
    results[k] = Op::template start<W> ();
  for (; i + 3 * n_threads < n; i += 4 * n_threads)
    {
      T items[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        items[k] = x[(i + k * n_threads) * stride];
#pragma unroll
      for (int k = 0; k < 4; k++)
        results[k] = Op::take (results[k], (W) widen (items[k]));
    }
  for (; i < n; i += n_threads)
    results[0] = Op::take (results[0], (W) widen (x[i * stride]));
  return Op::merge (Op::merge (results[0], results[1]), Op::merge (results[2], results[3]));
}

}
