/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* The k largest elements of a row, which a block reads once for each MAX_BEST results. It keeps the
 * elements that may be among them in shared memory. When they become too many it sorts them, so that
 * only what is better than the last of the best is kept from then on. NaN comes last. */

/* Results of one pass; also the elements that a block reads at once. */
#define MAX_BEST 1024

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

/* Sorts by a bitonic network. There is room for the next power of two of items. All threads of the
 * block see the result. */
template <class W>
__device__ static inline void
sort_best (Ranked<W> *items,
           unsigned   n)
{
  unsigned size = 1;

  while (size < n)
    size *= 2;
  for (unsigned i = n + threadIdx.x; i < size; i += C2G_BLOCK_SIZE)
    items[i] = Ranked<W>{ W (), -1 };

  for (unsigned width = 2; width <= size; width *= 2)
    for (unsigned step = width / 2; step > 0; step /= 2)
      {
        __syncthreads ();
        for (unsigned i = threadIdx.x; i < size / 2; i += C2G_BLOCK_SIZE)
          {
            const unsigned low = 2 * i - (i & (step - 1));
            const Ranked<W> a = items[low], b = items[low + step];

            if (comes_before (b, a) == ((low & width) == 0))
              {
                items[low] = b;
                items[low + step] = a;
              }
          }
      }
  __syncthreads ();
}

/* Finds the first k elements behind the last one, if that is one, and returns how many there are.
 * There is room for 2 MAX_BEST of them. Elements get their room in any order, but no two have the
 * same rank, so that sorting gives the same result each time. */
template <class T>
__device__ static inline unsigned
find_best (const T               *from,
           size_t                 n,
           size_t                 stride,
           unsigned               k,
           const Ranked<Wide<T>> &last,
           Ranked<Wide<T>>       *best,
           unsigned              *counter)
{
  constexpr int n_items = MAX_BEST / C2G_BLOCK_SIZE;
  Ranked<Wide<T>> bound = { Wide<T> (), -1 };
  unsigned n_best = 0;

  if (threadIdx.x == 0)
    *counter = 0;
  /* Wait until all threads have read the previous contents, too. */
  __syncthreads ();
  for (size_t begin = 0; begin < n; begin += MAX_BEST)
    {
      const size_t first = begin + threadIdx.x;
      T items[n_items] = {};

      if (n_best > MAX_BEST)
        {
          sort_best (best, n_best);
          bound = best[k - 1];
          if (threadIdx.x == 0)
            *counter = k;
          __syncthreads ();
        }
#pragma unroll
      for (int i = 0; i < n_items; i++)
        if (first + i * C2G_BLOCK_SIZE < n)
          items[i] = from[(first + i * C2G_BLOCK_SIZE) * stride];
#pragma unroll
      for (int i = 0; i < n_items; i++)
        {
          const size_t place = first + i * C2G_BLOCK_SIZE;
          const Ranked<Wide<T>> next = { widen (items[i]), (int64_t) place };

          if (place < n && (last.place < 0 || comes_before (last, next)) && comes_before (next, bound))
            best[atomicAdd (counter, 1u)] = next;
        }
      __syncthreads ();
      n_best = *counter;
      __syncthreads ();
    }
  sort_best (best, n_best);
  return smaller (n_best, k);
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
  C2G_SHARED (Ranked<W>, best, [2 * MAX_BEST]);
  C2G_SHARED (unsigned, counter, [1]);

  for (size_t row = blockIdx.x; row < n_rows; row += gridDim.x)
    {
      const size_t outer = row / n_inner, inner = row % n_inner;
      const T *from = x + outer * n * n_inner + inner;
      Ranked<W> last = { W (), -1 };

      for (size_t rank = 0; rank < k; rank += MAX_BEST)
        {
          const unsigned n_wanted = (unsigned) smaller<size_t> (k - rank, MAX_BEST);
          const unsigned n_best =
            find_best (from, rank < n ? n : 0, n_inner, n_wanted, last, best, counter);

          for (unsigned i = threadIdx.x; i < n_wanted; i += C2G_BLOCK_SIZE)
            {
              const size_t target = (outer * k + rank + i) * n_inner + inner;

              values[target] = narrow<T> (i < n_best ? best[i].value : W ());
              indices[target] = i < n_best ? best[i].place : -1;
            }
          if (n_best == n_wanted)
            last = best[n_best - 1];
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
