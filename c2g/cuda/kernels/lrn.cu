/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Local response normalization across channels, which are the middle one of three axes:
 *
 * y = x (bias + alpha / size × sum of the squares of `size` neighbours)^-beta. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Lrn
{
  int     size;
  float   factor;
  float   beta;
  float   bias;
  Divider inner;
  Divider channels;
};

__device__ static inline float
divide (float x,
        float scale,
        float beta)
{
  /* The usual exponents need no powf(). */
  if (beta == 0.75f)
    return x / (sqrtf (scale) * sqrtf (sqrtf (scale)));
  if (beta == 0.5f)
    return x / sqrtf (scale);
  return x * powf (scale, -beta);
}

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
normalize (const T *__restrict__ x,
           T                    *y,
           float                *scales,
           Lrn                   plan,
           size_t                n)
{
  const int64_t before = (plan.size - 1) / 2;
  const int64_t n_channels = (int64_t) plan.channels.divisor;

  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t rest = plan.inner.divide (i);

      plan.channels.cut (&rest);

      const int64_t channel = (int64_t) rest;
      const int64_t first = larger<int64_t> (channel - before, 0);
      const int64_t last = smaller (channel - before + plan.size, n_channels);
      const T *from = x + i - (size_t) (channel - first) * plan.inner.divisor;
      float scale = 0;

      for (int64_t k = first; k < last; k++, from += plan.inner.divisor)
        scale += widen (*from) * widen (*from);
      scale = plan.factor * scale + plan.bias;
      if (scales != nullptr)
        scales[i] = scale;
      y[i] = narrow<T> (divide (widen (x[i]), scale, plan.beta));
    }
}

}

cudaError_t
c2g_cuda_kernel_lrn (const C2gComputeRequest *request,
                     void                    *memory,
                     cudaStream_t             stream)
{
  const size_t n = request->n_outer * request->n * request->n_inner;
  Lrn plan;

  if (n == 0)
    return cudaSuccess;

  plan.size = request->size;
  plan.factor = (float) request->alpha / (float) request->size;
  plan.beta = (float) request->beta;
  plan.bias = request->base;
  plan.inner = Divider (request->n_inner, n);
  plan.channels = Divider (request->n, n);
  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return Launch<normalize<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                                      (const T *) request->x, (T *) request->y, request->scales,
                                      plan, n);
  });
}
