/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* Softmax of rows and its logarithm. A warp computes a short row, a block a long one. It reads the
 * row three times: for the maximum, the sum and the results. The first time brings the row into the
 * cache. */

using namespace c2g_cuda;

#define MAX_WARP_ROW 2048

namespace c2g_cuda
{

template <class Op, bool is_block>
__device__ static inline float
reduce_group (float value)
{
  if constexpr (is_block)
    return reduce_block<Op> (value);
  else
    return reduce_warp<Op> (value);
}

template <bool is_log, bool is_block, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
softmax (const T *x,
         T       *y,
         size_t   n_rows,
         size_t   n)
{
  const unsigned size = is_block ? C2G_BLOCK_SIZE : C2G_WARP_SIZE;
  const size_t first = threadIdx.x % size;

  for (size_t row = thread_number () / size; row < n_rows; row += count_threads () / size)
    {
      const T *from = x + row * n;
      T *to = y + row * n;
      float max = -INFINITY, sum = 0;

      for (size_t i = first; i < n; i += size)
        max = Largest::take (max, (float) widen (from[i]));
      max = reduce_group<Largest, is_block> (max);
      for (size_t i = first; i < n; i += size)
        sum += expf (widen (from[i]) - max);
      sum = reduce_group<Sum, is_block> (sum);

      const float factor = is_log ? logf (sum) : 1 / sum;

      /* Subtracts in two steps: the maximum may be large and the logarithm small. */
      for (size_t i = first; i < n; i += size)
        to[i] = narrow<T> (is_log ? (widen (from[i]) - max) - factor
                                  : expf (widen (from[i]) - max) * factor);
    }
}

template <bool is_log, class T>
static cudaError_t
launch_softmax (const C2gComputeRequest *request,
                cudaStream_t             stream)
{
  const size_t n_rows = request->n_outer, n = request->n;
  const T *x = (const T *) request->x;
  T *y = (T *) request->y;

  if (n <= MAX_WARP_ROW)
    return Launch<softmax<is_log, false, T>>::run (count_blocks (n_rows * C2G_WARP_SIZE),
                                                   C2G_BLOCK_SIZE, stream, x, y, n_rows, n);
  return Launch<softmax<is_log, true, T>>::run (Blocks{ n_rows, 1 }, C2G_BLOCK_SIZE, stream,
                                                x, y, n_rows, n);
}

}

cudaError_t
c2g_cuda_kernel_softmax (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  if (request->n_outer == 0 || request->n == 0)
    return cudaSuccess;

  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return request->is_log ? launch_softmax<true, T> (request, stream)
                           : launch_softmax<false, T> (request, stream);
  });
}
