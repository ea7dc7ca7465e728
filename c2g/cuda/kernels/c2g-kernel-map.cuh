/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-kernel-types.cuh"

/* Elementwise functions of one or two arrays. The result may be an operand. */

/* Number of vectors that are loaded before the first one is stored. */
#define C2G_MAP_AHEAD 2

namespace c2g_cuda
{

__device__ static inline float
sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

template <class Function, class In, class Out, int width>
__device__ static inline void
map_vector (const Function          &function,
            const Vector<In, width> &x,
            Out                     *to)
{
  Vector<Out, width> y;

#pragma unroll
  for (int i = 0; i < width; i++)
    y.items[i] = narrow<Out> (function (widen (x.items[i])));
  store_vector (to, y);
}

template <class Function, class In, class Out, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
map (Function  function,
     const In *x,
     Out      *y,
     Span      span)
{
  const In *from = x + span.head;
  Out *to = y + span.head;
  const size_t step = count_threads ();
  const size_t n_single = span.n - span.n_vectors * width;
  size_t i = thread_number ();

  for (; i + (C2G_MAP_AHEAD - 1) * step < span.n_vectors; i += C2G_MAP_AHEAD * step)
    {
      Vector<In, width> vectors[C2G_MAP_AHEAD];

#pragma unroll
      for (int k = 0; k < C2G_MAP_AHEAD; k++)
        vectors[k] = load_vector<In, width> (from + (i + k * step) * width);
#pragma unroll
      for (int k = 0; k < C2G_MAP_AHEAD; k++)
        map_vector (function, vectors[k], to + (i + k * step) * width);
    }
  for (; i < span.n_vectors; i += step)
    map_vector (function, load_vector<In, width> (from + i * width), to + i * width);

  for (i = thread_number (); i < n_single; i += step)
    {
      const size_t place = find_single (span, i, width);

      y[place] = narrow<Out> (function (widen (x[place])));
    }
}

template <class In, class Out, class Function>
static cudaError_t
launch_map (const Function &function,
            const void     *x,
            void           *y,
            size_t          n,
            cudaStream_t    stream)
{
  constexpr int width = 16 / larger (sizeof (In), sizeof (Out));
  const Span span = find_span ({ { x, sizeof (In) }, { y, sizeof (Out) } }, width, n);

  if (n == 0)
    return cudaSuccess;
  return Launch<map<Function, In, Out, width>>::run (count_span_blocks (span), C2G_BLOCK_SIZE,
                                                     stream, function, (const In *) x, (Out *) y,
                                                     span);
}

/* Loads a vector of an operand that has all elements, or only one for all (is_one). */
template <int width, class T>
__device__ static inline Vector<T, width>
load_operand (const T *x,
              size_t   place,
              bool     is_one)
{
  if (!is_one)
    return load_vector<T, width> (x + place);

  Vector<T, width> vector;
  const T item = *x;

#pragma unroll
  for (int i = 0; i < width; i++)
    vector.items[i] = item;
  return vector;
}

/* A function of two arrays gets the number of elements as a template argument, so that it tests
 * once, and not for each element, which operation it is. */
template <class Function, class In, class Out, int width>
__device__ static inline void
join_vectors (const Function          &function,
              const Vector<In, width> &a,
              const Vector<In, width> &b,
              Out                     *to)
{
  Wide<In> xs[width], ys[width];
  Wide<Out> results[width];
  Vector<Out, width> vector;

#pragma unroll
  for (int i = 0; i < width; i++)
    {
      xs[i] = widen (a.items[i]);
      ys[i] = widen (b.items[i]);
    }
  function.template apply<width> (xs, ys, results);
#pragma unroll
  for (int i = 0; i < width; i++)
    vector.items[i] = narrow<Out> (results[i]);
  store_vector (to, vector);
}

template <class Function, class In, class Out, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
join (Function  function,
      const In *a,
      bool      a_is_one,
      const In *b,
      bool      b_is_one,
      Out      *c,
      Span      span)
{
  const size_t step = count_threads ();
  const size_t n_single = span.n - span.n_vectors * width;

  for (size_t i = thread_number (); i < span.n_vectors; i += step)
    {
      const size_t place = span.head + i * width;

      join_vectors (function, load_operand<width> (a, place, a_is_one),
                    load_operand<width> (b, place, b_is_one), c + place);
    }
  for (size_t i = thread_number (); i < n_single; i += step)
    {
      const size_t place = find_single (span, i, width);

      join_vectors (function, load_operand<1> (a, place, a_is_one),
                    load_operand<1> (b, place, b_is_one), c + place);
    }
}

template <class In, class Out, class Function>
static cudaError_t
launch_join (const Function &function,
             const void     *a,
             bool            a_is_one,
             const void     *b,
             bool            b_is_one,
             void           *c,
             size_t          n,
             cudaStream_t    stream)
{
  constexpr int width = 16 / larger (sizeof (In), sizeof (Out));
  Span span;

  if (n == 0)
    return cudaSuccess;
  if (a_is_one && b_is_one)
    span = find_span ({ { c, sizeof (Out) } }, width, n);
  else
    {
      const Part parts[] = { { a_is_one ? b : a, sizeof (In) },
                             { b_is_one ? a : b, sizeof (In) },
                             { c, sizeof (Out) } };

      span = find_span (parts, width, n);
    }
  return Launch<join<Function, In, Out, width>>::run (count_span_blocks (span), C2G_BLOCK_SIZE,
                                                      stream, function, (const In *) a, a_is_one,
                                                      (const In *) b, b_is_one, (Out *) c, span);
}

}
