/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* The k largest elements of a row. Each round finds the best element behind the last one, so rows
 * of any length need no extra memory. NaN comes last. */

using namespace c2g_cuda;

namespace c2g_cuda
{

/* A negative place means none. */
template <class W>
struct Ranked
{
  W       value;
  int64_t place;
};

template <class W>
__device__ static inline bool
comes_before (const Ranked<W> &a,
              const Ranked<W> &b)
{
  const bool a_is_number = a.value == a.value, b_is_number = b.value == b.value;

  if (a.place < 0 || b.place < 0)
    return b.place < 0 && a.place >= 0;
  if (a_is_number && b_is_number && a.value != b.value)
    return a.value > b.value;
  return a_is_number == b_is_number ? a.place < b.place : a_is_number;
}

template <class W>
__device__ static inline Ranked<W>
find_first_in_warp (Ranked<W> best)
{
#pragma unroll
  for (int mask = C2G_WARP_SIZE / 2; mask > 0; mask /= 2)
    {
      Ranked<W> other;

      other.value = __shfl_xor_sync (C2G_FULL_WARP, best.value, mask);
      other.place = __shfl_xor_sync (C2G_FULL_WARP, (long long) best.place, mask);
      if (comes_before (other, best))
        best = other;
    }
  return best;
}

/* All threads of the block get the result. */
template <class W>
__device__ static inline Ranked<W>
find_first_in_block (Ranked<W> best)
{
  C2G_SHARED (W, values, [C2G_N_WARPS]);
  C2G_SHARED (int64_t, places, [C2G_N_WARPS]);

  best = find_first_in_warp (best);
  /* Wait until all threads have read the previous contents. */
  __syncthreads ();
  if (threadIdx.x % C2G_WARP_SIZE == 0)
    {
      values[threadIdx.x / C2G_WARP_SIZE] = best.value;
      places[threadIdx.x / C2G_WARP_SIZE] = best.place;
    }
  __syncthreads ();

  best = Ranked<W>{ values[0], places[0] };
  for (int i = 1; i < C2G_N_WARPS; i++)
    {
      const Ranked<W> other = { values[i], places[i] };

      if (comes_before (other, best))
        best = other;
    }
  return best;
}

/* One block for each row. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
find_top (const T *__restrict__ x,
          size_t                n_rows,
          size_t                n,
          size_t                n_inner,
          size_t                k,
          T                    *values,
          int64_t              *indices)
{
  typedef Wide<T> W;

  for (size_t row = blockIdx.x; row < n_rows; row += gridDim.x)
    {
      const size_t outer = row / n_inner, inner = row % n_inner;
      const T *from = x + outer * n * n_inner + inner;
      Ranked<W> last = { W (), -1 };

      for (size_t rank = 0; rank < k; rank++)
        {
          const size_t target = (outer * k + rank) * n_inner + inner;
          Ranked<W> best = { W (), -1 };

          for (size_t i = threadIdx.x; i < n && (rank == 0 || last.place >= 0); i += blockDim.x)
            {
              const Ranked<W> next = { widen (from[i * n_inner]), (int64_t) i };

              if ((rank == 0 || comes_before (last, next)) && comes_before (next, best))
                best = next;
            }
          last = find_first_in_block (best);
          if (threadIdx.x == 0)
            {
              values[target] = narrow<T> (last.place >= 0 ? last.value : W ());
              indices[target] = last.place;
            }
        }
    }
}

/* One warp for each row. */
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
is_among (const float *__restrict__ scores,
          const int32_t            *labels,
          size_t                    n_rows,
          size_t                    n,
          int64_t                   k,
          float                    *y)
{
  const size_t lane = threadIdx.x % C2G_WARP_SIZE;

  for (size_t row = thread_number () / C2G_WARP_SIZE; row < n_rows;
       row += count_threads () / C2G_WARP_SIZE)
    {
      const float *from = scores + row * n;
      const size_t label = labels[row];
      int64_t n_better = 0;

      for (size_t i = lane; i < n; i += C2G_WARP_SIZE)
        n_better += from[i] > from[label] || (from[i] == from[label] && i < label);
      n_better = reduce_warp<Sum> (n_better);
      if (lane == 0)
        y[row] = n_better < k;
    }
}

}

cudaError_t
c2g_cuda_kernel_top_k (const C2gComputeRequest *request,
                       void                    *memory,
                       cudaStream_t             stream)
{
  const size_t n_rows = request->n_outer * request->n_inner;

  if (n_rows == 0 || request->k == 0)
    return cudaSuccess;
  return with_calculated_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return Launch<find_top<T>>::run (Blocks{ n_rows, 1 }, C2G_BLOCK_SIZE, stream,
                                     (const T *) request->x, n_rows, request->n, request->n_inner,
                                     request->k, (T *) request->y, (int64_t *) request->places);
  });
}

cudaError_t
c2g_cuda_kernel_is_among (const C2gComputeRequest *request,
                          void                    *memory,
                          cudaStream_t             stream)
{
  const size_t n_rows = request->n_outer;

  if (n_rows == 0)
    return cudaSuccess;
  return Launch<is_among>::run (count_blocks (n_rows * C2G_WARP_SIZE), C2G_BLOCK_SIZE, stream,
                                (const float *) request->x, (const int32_t *) request->indices,
                                n_rows, request->n, (int64_t) request->k, (float *) request->y);
}
