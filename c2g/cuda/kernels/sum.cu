/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-reduce.cuh"

/* Sum, maximum or minimum of several arrays of the same size, element by element. */

using namespace c2g_cuda;

/* Number of arrays that one launch reads. */
#define MAX_INPUTS 8

namespace c2g_cuda
{

template <class T>
struct Inputs
{
  const T *items[MAX_INPUTS];
  int64_t  n;
};

template <class Op, class T, int width>
__device__ static inline void
fold_vector (const Inputs<T> &inputs,
             size_t           place,
             T               *y)
{
  Vector<T, width> vector = load_vector<T, width> (inputs.items[0] + place);
  Wide<T> results[width];

#pragma unroll
  for (int i = 0; i < width; i++)
    results[i] = widen (vector.items[i]);
#pragma unroll
  for (int input = 1; input < MAX_INPUTS; input++)
    {
      if (input >= inputs.n)
        break;
      vector = load_vector<T, width> (inputs.items[input] + place);
#pragma unroll
      for (int i = 0; i < width; i++)
        results[i] = Op::take (results[i], (Wide<T>) widen (vector.items[i]));
    }
#pragma unroll
  for (int i = 0; i < width; i++)
    vector.items[i] = narrow<T> (results[i]);
  store_vector (y + place, vector);
}

template <class Op, class T, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
fold (Inputs<T> inputs,
      T        *y,
      Span      span)
{
  const size_t n_single = span.n - span.n_vectors * width;

  for (size_t i = thread_number (); i < span.n_vectors; i += count_threads ())
    fold_vector<Op, T, width> (inputs, span.head + i * width, y);
  for (size_t i = thread_number (); i < n_single; i += count_threads ())
    fold_vector<Op, T, 1> (inputs, find_single (span, i, width), y);
}

template <class Op, class T>
static cudaError_t
launch_fold (const C2gComputeRequest *request,
             cudaStream_t             stream)
{
  constexpr int width = 16 / sizeof (T);
  void *y = request->y;
  cudaError_t error = cudaSuccess;

  for (size_t i = 0; i < request->n_xs && error == cudaSuccess;)
    {
      Part parts[MAX_INPUTS + 1];
      Inputs<T> inputs = {};
      Span span;

      inputs.n = 0;
      /* Continues with the result so far. */
      if (i > 0)
        inputs.items[inputs.n++] = (const T *) y;
      for (; i < request->n_xs && inputs.n < MAX_INPUTS; i++)
        inputs.items[inputs.n++] = (const T *) request->xs[i];
      for (int k = 0; k <= MAX_INPUTS; k++)
        parts[k] = Part{ k < inputs.n ? inputs.items[k] : y, sizeof (T) };
      span = find_span (parts, width, request->n);
      error = Launch<fold<Op, T, width>>::run (count_span_blocks (span), C2G_BLOCK_SIZE, stream,
                                               inputs, (T *) y, span);
    }
  return error;
}

}

cudaError_t
c2g_cuda_kernel_fold (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  if (request->n == 0)
    return cudaSuccess;

  return with_calculated_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    if (request->reduce == C2G_COMPUTE_REDUCE_SUM)
      return launch_fold<Sum, T> (request, stream);
    if (request->reduce == C2G_COMPUTE_REDUCE_MAX)
      return launch_fold<Largest, T> (request, stream);
    if (request->reduce == C2G_COMPUTE_REDUCE_MIN)
      return launch_fold<Smallest, T> (request, stream);
    return cudaErrorNotSupported;
  });
}
