/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Functions of each element and its channel. The channels are the middle one of three axes. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Affine
{
  const float *scales;
  const float *shifts;

  __device__ float
  apply (float  x,
         size_t channel) const
  {
    return fmaf (x, scales[channel], shifts[channel]);
  }
};

struct AddBias
{
  const float *shifts;

  __device__ float
  apply (float  x,
         size_t channel) const
  {
    return x + shifts[channel];
  }
};

/* Has a slope for each channel, or one for all. */
template <class T>
struct PRelu
{
  const T *slopes;
  uint64_t is_one;

  __device__ float
  apply (float  x,
         size_t channel) const
  {
    return x > 0 ? x : widen (slopes[is_one ? 0 : channel]) * x;
  }
};

/* All elements of a vector have the same channel, or neighbouring channels if inner is 1. */
template <class Function, class T, int width>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
map_channels (Function function,
              const T *x,
              T       *y,
              Divider  inner,
              Divider  channels,
              size_t   n_vectors)
{
  const size_t step = inner.divisor == 1 ? 1 : 0;

  for (size_t i = thread_number (); i < n_vectors; i += count_threads ())
    {
      const Vector<T, width> vector = load_vector<T, width> (x + i * width);
      size_t channel = inner.divide (i * width);
      Vector<T, width> result;

      channels.cut (&channel);
#pragma unroll
      for (int k = 0; k < width; k++)
        result.items[k] = narrow<T> (function.apply (widen (vector.items[k]), channel + k * step));
      store_vector (y + i * width, result);
    }
}

template <class T, class Function>
static cudaError_t
launch_channels (const Function          &function,
                 const C2gComputeRequest *request,
                 cudaStream_t             stream)
{
  constexpr int width = 16 / sizeof (T);
  const size_t n_channels = request->n, n_inner = request->n_inner;
  const size_t n = request->n_outer * n_channels * n_inner;
  const Divider inner (larger<size_t> (n_inner, 1), n), channels (larger<size_t> (n_channels, 1), n);
  const size_t n_alike = n_inner == 1 ? n_channels : n_inner;
  const T *x = (const T *) request->x;
  T *y = (T *) request->y;

  if (n == 0)
    return cudaSuccess;
  if (n_alike % width == 0 && (uintptr_t) x % 16 == 0 && (uintptr_t) y % 16 == 0)
    return Launch<map_channels<Function, T, width>>::run (
      count_blocks (n / width), C2G_BLOCK_SIZE, stream, function, x, y, inner, channels, n / width);
  return Launch<map_channels<Function, T, 1>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                                                    function, x, y, inner, channels, n);
}

__global__ void
find_scales (size_t       n,
             const float *scale,
             const float *bias,
             const float *mean,
             const float *variance,
             float        epsilon,
             float       *scales,
             float       *shifts)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      scales[i] = (scale != NULL ? scale[i] : 1) / sqrtf (variance[i] + epsilon);
      shifts[i] = (bias != NULL ? bias[i] : 0) - scales[i] * mean[i];
    }
}

}

cudaError_t
c2g_cuda_kernel_scale_channels (const C2gComputeRequest *request,
                                void                    *memory,
                                cudaStream_t             stream)
{
  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    if (request->scale == NULL)
      return launch_channels<T> (AddBias{ request->bias }, request, stream);
    return launch_channels<T> (Affine{ request->scale, request->bias }, request, stream);
  });
}

cudaError_t
c2g_cuda_kernel_prelu (const C2gComputeRequest *request,
                       void                    *memory,
                       cudaStream_t             stream)
{
  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;
    const PRelu<T> function = { (const T *) request->other, request->n_other == 1 };

    return launch_channels<T> (function, request, stream);
  });
}

cudaError_t
c2g_cuda_kernel_find_scales (const C2gComputeRequest *request,
                             void                    *memory,
                             cudaStream_t             stream)
{
  const size_t n = request->n;
  float *scales = (float *) memory;

  if (n == 0)
    return cudaSuccess;
  return Launch<find_scales>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, n, request->scale,
                                   request->bias, request->mean, request->variance,
                                   request->epsilon, scales, scales + n);
}
