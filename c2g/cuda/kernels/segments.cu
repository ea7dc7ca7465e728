/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Reduces segments, that is runs of rows, to one row each: the sum, mean or maximum, or the
 * weighted sum. */

using namespace c2g_cuda;

namespace c2g_cuda
{

/* The indices of rows, as 32 or 64 bits; without any, row i is number i. */
struct Rows
{
  const int32_t *narrow;
  const int64_t *wide;

  __device__ int64_t
  get (int64_t i) const
  {
    return narrow != nullptr ? narrow[i] : wide != nullptr ? wide[i] : i;
  }
};

struct Segments
{
  int64_t        function;
  Rows           rows;
  const float   *weights;
  const int64_t *offsets;
  size_t         n;
  size_t         n_segments;
};

template <class T>
__device__ static inline float
join_largest (const T        *x,
              const Segments &segments,
              int64_t         begin,
              int64_t         end,
              size_t          column)
{
  float largest = 0;

  for (int64_t i = begin; i < end; i++)
    {
      const float item = widen (x[segments.rows.get (i) * segments.n + column]);

      largest = i == begin ? item : largest > item ? largest : item;
    }
  return largest;
}

template <class T>
__device__ static inline float
join_sum (const T        *x,
          const Segments &segments,
          int64_t         begin,
          int64_t         end,
          size_t          column)
{
  const bool is_mean = segments.function == C2G_COMPUTE_REDUCE_MEAN && end > begin;
  float sum = 0;

  for (int64_t i = begin; i < end; i++)
    {
      const float item = widen (x[segments.rows.get (i) * segments.n + column]);

      sum += segments.weights != nullptr ? segments.weights[i] * item : item;
    }
  return is_mean ? sum / (float) (end - begin) : sum;
}

/* One thread for each result. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
join_segments (const T *x,
               Segments segments,
               Divider  row_size,
               float   *y)
{
  const size_t n_results = segments.n_segments * segments.n;

  for (size_t i = thread_number (); i < n_results; i += count_threads ())
    {
      size_t column = i;
      const size_t segment = row_size.cut (&column);
      const int64_t begin = segments.offsets[segment];
      const int64_t end = segments.offsets[segment + 1];

      y[i] = segments.function == C2G_COMPUTE_REDUCE_MAX
               ? join_largest (x, segments, begin, end, column)
               : join_sum (x, segments, begin, end, column);
    }
}

template <class T>
static cudaError_t
launch_segments (const C2gComputeSegments *wanted,
                 cudaStream_t              stream)
{
  const size_t n_results = wanted->n_segments * wanted->n;
  Segments segments = {};

  segments.function = wanted->function;
  if (wanted->index_type == C2G_DATA_TYPE_INT32)
    segments.rows.narrow = (const int32_t *) wanted->indices;
  else
    segments.rows.wide = (const int64_t *) wanted->indices;
  segments.weights = wanted->weights;
  segments.offsets = wanted->offsets;
  segments.n = wanted->n;
  segments.n_segments = wanted->n_segments;

  return Launch<join_segments<T>>::run (count_blocks (n_results), C2G_BLOCK_SIZE, stream,
                                        (const T *) wanted->x, segments,
                                        Divider (wanted->n, n_results), wanted->y);
}

}

cudaError_t
c2g_cuda_kernel_segments (const C2gComputeRequest *request,
                          void                    *memory,
                          cudaStream_t             stream)
{
  const C2gComputeSegments *wanted = request->segments;

  if (wanted->n == 0 || wanted->n_segments == 0)
    return cudaSuccess;

  switch (wanted->type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return launch_segments<float> (wanted, stream);
    case C2G_DATA_TYPE_FLOAT16:
      return launch_segments<Half> (wanted, stream);
    default:
      return cudaErrorNotSupported;
    }
}
