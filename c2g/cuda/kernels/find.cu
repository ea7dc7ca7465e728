/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Searches for the first element of which something is true. */

using namespace c2g_cuda;

namespace c2g_cuda
{

/* Each test gets an element, in the type that calculations use, and its position. */

template <class T>
struct Outside
{
  T low;
  T high;

  __device__ bool
  operator() (T x,
              size_t) const
  {
    return x < low || x > high;
  }
};

template <class W>
struct NotWhole
{
  W low;
  W end;

  __device__ bool
  operator() (W x,
              size_t) const
  {
    return !(x >= low && x < end && trunc (x) == x);
  }
};

template <class W>
struct TooLarge
{
  W end;

  __device__ bool
  operator() (W x,
              size_t) const
  {
    return fabs (x) >= end && fabs (x) < (W) INFINITY;
  }
};

template <class Word>
struct Different
{
  const Word *others;

  __device__ bool
  operator() (Word x,
              size_t i) const
  {
    return x != others[i];
  }
};

/* Sixteen bytes. */
struct alignas (16) Long
{
  uint64_t halves[2];

  __device__ bool
  operator!= (const Long &other) const
  {
    return halves[0] != other.halves[0] || halves[1] != other.halves[1];
  }
};

struct Far
{
  const double *others;
  double        rtol;
  double        atol;
  uint64_t      equal_nan;

  /* The tolerance is rounded twice, as on the CPU. */
  __device__ bool
  operator() (double x,
              size_t i) const
  {
    const double y = others[i];

    if (x != x || y != y)
      return !(equal_nan && x != x && y != y);
    if (fabs (x) == (double) INFINITY || fabs (y) == (double) INFINITY)
      return x != y;
    return fabs (x - y) > __dadd_rn (atol, __dmul_rn (rtol, fabs (y)));
  }
};

/* *found becomes the first position, unless it is less before. */
template <class Test, class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
find (const T            *x,
      size_t              n,
      Test                test,
      unsigned long long *found)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    if (test (widen (x[i]), i))
      {
        atomicMin (found, (unsigned long long) i);
        break;
      }
}

template <class T, class Test>
static cudaError_t
launch_find (const Test   &test,
             const void   *x,
             size_t        n,
             guint64      *found,
             cudaStream_t  stream)
{
  return Launch<find<Test, T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) x, n,
                                     test, (unsigned long long *) found);
}

template <class T>
static cudaError_t
find_outside (const void            *x,
              size_t                 n,
              const C2gComputeRange &range,
              guint64               *found,
              cudaStream_t           stream)
{
  typedef Wide<T> W;

  if (range.n_digits == 0)
    return launch_find<T> (NotWhole<W>{ (W) range.min, (W) range.end }, x, n, found, stream);
  return launch_find<T> (TooLarge<W>{ (W) range.end }, x, n, found, stream);
}

template <class T>
static cudaError_t
find_integer_outside (const void            *x,
                      size_t                 n,
                      const C2gComputeRange &range,
                      guint64               *found,
                      cudaStream_t           stream)
{
  const Outside<T> test = { clip_low<T> (range.min), clip_high<T> (range.max) };

  return launch_find<T> (test, x, n, found, stream);
}

/* Compares words, and then the bytes that are left. */
template <class Word>
static cudaError_t
find_different (const void   *x,
                const void   *y,
                size_t        n_bytes,
                guint64      *found,
                cudaStream_t  stream)
{
  const size_t n_words = n_bytes / sizeof (Word), done = n_words * sizeof (Word);
  cudaError_t error = cudaSuccess;

  if (n_words > 0)
    error = launch_find<Word> (Different<Word>{ (const Word *) y }, x, n_words, found, stream);
  if (error != cudaSuccess || done == n_bytes)
    return error;
  return launch_find<uint8_t> (Different<uint8_t>{ (const uint8_t *) y + done },
                               (const uint8_t *) x + done, n_bytes - done, found, stream);
}

}

cudaError_t
c2g_cuda_kernel_find_outside (const C2gComputeRequest *request,
                              void                    *memory,
                              cudaStream_t             stream)
{
  guint64 *found = (guint64 *) memory;

  if (request->type == C2G_DATA_TYPE_DOUBLE)
    return find_outside<double> (request->x, request->n, *request->range, found, stream);

  const cudaError_t error = with_real_type (request->type, [=] (auto zero) {
    return find_outside<decltype (zero)> (request->x, request->n, *request->range, found, stream);
  });

  if (error != cudaErrorNotSupported)
    return error;
  return with_integer_type (request->type, [=] (auto zero) {
    return find_integer_outside<decltype (zero)> (request->x, request->n, *request->range, found, stream);
  });
}

cudaError_t
c2g_cuda_kernel_find_different (const C2gComputeRequest *request,
                                void                    *memory,
                                cudaStream_t             stream)
{
  const uintptr_t bits = (uintptr_t) request->x | (uintptr_t) request->other;
  guint64 *found = (guint64 *) memory;

  if (bits % 16 == 0)
    return find_different<Long> (request->x, request->other, request->n, found, stream);
  if (bits % 4 == 0)
    return find_different<uint32_t> (request->x, request->other, request->n, found, stream);
  return find_different<uint8_t> (request->x, request->other, request->n, found, stream);
}

cudaError_t
c2g_cuda_kernel_find_far (const C2gComputeRequest *request,
                          void                    *memory,
                          cudaStream_t             stream)
{
  const Far test = { (const double *) request->other, request->a, request->b,
                     request->equal_nan != 0 };

  return launch_find<double> (test, request->x, request->n, (guint64 *) memory, stream);
}
