/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* ArgMax and ArgMin: the index of the first largest or smallest element along an axis. NaN is never
 * chosen, except that NaN at index 0 always is: no comparison with it is true. */

using namespace c2g_cuda;

namespace c2g_cuda
{

template <class W>
struct Candidate
{
  W       value;
  int64_t place;
};

template <bool is_max, class W>
__device__ static inline bool
is_better (const Candidate<W> &a,
           const Candidate<W> &b)
{
  if (is_max ? a.value > b.value : a.value < b.value)
    return true;
  return a.value == b.value && a.place < b.place;
}

/* The lanes of a warp share a row. */
template <bool is_max, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
find_in_rows (const T *__restrict__ x,
              int64_t              *y,
              size_t                n_rows,
              size_t                n)
{
  typedef Wide<T> W;
  const size_t lane = threadIdx.x % C2G_WARP_SIZE;

  for (size_t row = thread_number () / C2G_WARP_SIZE; row < n_rows;
       row += count_threads () / C2G_WARP_SIZE)
    {
      const T *from = x + row * n;
      Candidate<W> best = { widen (from[0]), 0 };

      for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
        {
          const Candidate<W> next = { widen (from[i]), (int64_t) i };

          if (is_better<is_max> (next, best))
            best = next;
        }
#pragma unroll
      for (int mask = C2G_WARP_SIZE / 2; mask > 0; mask /= 2)
        {
          Candidate<W> other;

          other.value = __shfl_xor_sync (C2G_FULL_WARP, best.value, mask);
          other.place = __shfl_xor_sync (C2G_FULL_WARP, (long long) best.place, mask);
          if (is_better<is_max> (other, best))
            best = other;
        }
      if (lane == 0)
        y[row] = best.place;
    }
}

/* One thread for each result, so that neighbouring threads read neighbours. */
template <bool is_max, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
find_in_columns (const T *__restrict__ x,
                 int64_t              *y,
                 size_t                n_results,
                 size_t                n,
                 size_t                n_inner)
{
  typedef Wide<T> W;

  for (size_t i = thread_number (); i < n_results; i += count_threads ())
    {
      const T *from = x + i / n_inner * n * n_inner + i % n_inner;
      Candidate<W> best = { widen (from[0]), 0 };

      for (size_t k = 1; k < n; k++)
        {
          const Candidate<W> next = { widen (from[k * n_inner]), (int64_t) k };

          if (is_better<is_max> (next, best))
            best = next;
        }
      y[i] = best.place;
    }
}

template <bool is_max, class T>
static cudaError_t
launch_arg (const C2gComputeRequest *request,
            cudaStream_t             stream)
{
  const size_t n = request->n, n_inner = request->n_inner, n_rows = request->n_outer * n_inner;
  const T *x = (const T *) request->x;
  int64_t *y = (int64_t *) request->y;

  if (n_inner == 1)
    return Launch<find_in_rows<is_max, T>>::run (count_blocks (n_rows * C2G_WARP_SIZE),
                                                 C2G_BLOCK_SIZE, stream, x, y, n_rows, n);
  return Launch<find_in_columns<is_max, T>>::run (count_blocks (n_rows), C2G_BLOCK_SIZE, stream, x,
                                                  y, n_rows, n, n_inner);
}

}

cudaError_t
c2g_cuda_kernel_arg (const C2gComputeRequest *request,
                     void                    *memory,
                     cudaStream_t             stream)
{
  const size_t n_results = request->n_outer * request->n_inner;

  if (n_results == 0)
    return cudaSuccess;
  if (request->n == 0)
    return cudaMemsetAsync (request->y, 0, n_results * sizeof (gint64), stream);

  return with_calculated_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return request->is_max ? launch_arg<true, T> (request, stream)
                           : launch_arg<false, T> (request, stream);
  });
}
