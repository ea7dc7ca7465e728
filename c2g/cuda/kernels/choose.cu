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
launch_choose (const uint8_t *choice,
               size_t         n_alike,
               const void    *a,
               const void    *b,
               void          *y,
               size_t         n,
               cudaStream_t   stream)
{
  return Launch<choose<Item>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, choice,
                                    Divider (n_alike, n), (const Item *) a, (const Item *) b,
                                    (Item *) y, n);
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
c2g_cuda_kernel_choose (gsize          item_size,
                        const guint8  *choice,
                        gsize          n_alike,
                        gconstpointer  a,
                        gconstpointer  b,
                        gpointer       y,
                        gsize          n,
                        cudaStream_t   stream)
{
  if (n == 0)
    return cudaSuccess;

  switch (item_size)
    {
    case 1:
      return launch_choose<uint8_t> (choice, n_alike, a, b, y, n, stream);
    case 2:
      return launch_choose<uint16_t> (choice, n_alike, a, b, y, n, stream);
    case 4:
      return launch_choose<uint32_t> (choice, n_alike, a, b, y, n, stream);
    case 8:
      return launch_choose<uint64_t> (choice, n_alike, a, b, y, n, stream);
    case 16:
      return launch_choose<Wide16> (choice, n_alike, a, b, y, n, stream);
    default:
      return cudaErrorNotSupported;
    }
}

cudaError_t
c2g_cuda_kernel_drop (C2gDataType    type,
                      gconstpointer  x,
                      const float   *draws,
                      float          ratio,
                      gpointer       y,
                      guint8        *mask,
                      gsize          n,
                      cudaStream_t   stream)
{
  if (n == 0)
    return cudaSuccess;

  return with_real_type (type, [=] (auto zero) {
    typedef decltype (zero) T;

    return Launch<drop<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) x, draws,
                                 ratio, 1 / (1 - ratio), (T *) y, mask, n);
  });
}
