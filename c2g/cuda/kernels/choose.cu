/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Choice between two arrays by booleans, and Dropout in training. */

using namespace c2g_cuda;

namespace c2g_cuda
{

typedef Vector<uint64_t, 2> Wide16;

template <class Item>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
choose (const uint8_t *choice,
        Divider        alike,
        const Item    *a,
        const Item    *b,
        Item          *y,
        size_t         n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    y[i] = choice[alike.divide (i)] != 0 ? a[i] : b[i];
}

template <class Item>
static cudaError_t
launch_choose (const C2gComputeRequest *request,
               cudaStream_t             stream)
{
  const size_t n = request->n;

  return Launch<choose<Item>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, request->choice,
                                    Divider (request->n_alike, n), (const Item *) request->x,
                                    (const Item *) request->other, (Item *) request->y, n);
}

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
drop (const T     *x,
      const float *draws,
      float        ratio,
      float        scale,
      T           *y,
      uint8_t     *mask,
      size_t       n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const bool stays = draws[i] >= ratio;

      y[i] = narrow<T> (stays ? widen (x[i]) * scale : 0);
      mask[i] = stays;
    }
}

}

cudaError_t
c2g_cuda_kernel_choose (const C2gComputeRequest *request,
                        void                    *memory,
                        cudaStream_t             stream)
{
  if (request->n == 0)
    return cudaSuccess;

  switch (request->item_size)
    {
    case 1:
      return launch_choose<uint8_t> (request, stream);
    case 2:
      return launch_choose<uint16_t> (request, stream);
    case 4:
      return launch_choose<uint32_t> (request, stream);
    case 8:
      return launch_choose<uint64_t> (request, stream);
    case 16:
      return launch_choose<Wide16> (request, stream);
    default:
      return cudaErrorNotSupported;
    }
}

cudaError_t
c2g_cuda_kernel_drop (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  const float ratio = (float) request->a;
  const size_t n = request->n;

  if (n == 0)
    return cudaSuccess;

  return with_real_type (request->type, [=] (auto zero) {
    typedef decltype (zero) T;

    return Launch<drop<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) request->x,
                                 request->draws, ratio, 1 / (1 - ratio), (T *) request->y,
                                 request->mask, n);
  });
}
