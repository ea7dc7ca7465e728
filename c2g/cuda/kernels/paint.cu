/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel.cuh"

/* Conversion between pictures (bytes: blue, green, red, alpha) and planes of floats. */

using namespace c2g_cuda;

#define N_BYTES 4
#define N_CHANNELS 3

namespace c2g_cuda
{

/* One thread for each pixel. */
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
paint_planes (const uint8_t *x,
              Divider        pixels,
              const float   *mean,
              const float   *noise,
              Divider        noises,
              float         *y,
              size_t         n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t pixel = i;
      const size_t picture = pixels.cut (&pixel);
      size_t at = pixel * N_CHANNELS;

      noises.cut (&at);
      for (int channel = 0; channel < N_CHANNELS; channel++)
        {
          y[(picture * N_CHANNELS + channel) * pixels.divisor + pixel] =
            (float) x[i * N_BYTES + channel] - mean[channel] + noise[at];
          at = at + 1 < noises.divisor ? at + 1 : 0;
        }
    }
}

/* NaN becomes 0. */
__device__ static inline uint8_t
to_byte (float value)
{
  if (!(value > 0))
    return 0;
  return value < UINT8_MAX ? (uint8_t) value : UINT8_MAX;
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
paint_pixels (const float *x,
              Divider      pixels,
              const float *mean,
              uint8_t     *y,
              size_t       n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t pixel = i;
      const size_t picture = pixels.cut (&pixel);

      for (int channel = 0; channel < N_CHANNELS; channel++)
        y[i * N_BYTES + channel] =
          to_byte (x[(picture * N_CHANNELS + channel) * pixels.divisor + pixel] + mean[channel]);
      y[i * N_BYTES + N_CHANNELS] = UINT8_MAX;
    }
}

}

cudaError_t
c2g_cuda_kernel_paint_planes (const C2gComputeRequest *request,
                              void                    *memory,
                              cudaStream_t             stream)
{
  const size_t n_all = request->n_outer * request->n;

  if (n_all == 0)
    return cudaSuccess;
  return Launch<paint_planes>::run (count_blocks (n_all), C2G_BLOCK_SIZE, stream,
                                    (const uint8_t *) request->x, Divider (request->n, n_all),
                                    request->mean, (const float *) request->other,
                                    Divider (request->n_other, request->n * N_CHANNELS),
                                    (float *) request->y, n_all);
}

cudaError_t
c2g_cuda_kernel_paint_pixels (const C2gComputeRequest *request,
                              void                    *memory,
                              cudaStream_t             stream)
{
  const size_t n_all = request->n_outer * request->n;

  if (n_all == 0)
    return cudaSuccess;
  return Launch<paint_pixels>::run (count_blocks (n_all), C2G_BLOCK_SIZE, stream,
                                    (const float *) request->x, Divider (request->n, n_all),
                                    request->mean, (uint8_t *) request->y, n_all);
}
