/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel.cuh"

#include <float.h>

/* Regions of images in bins: RoIAlign sums the pixels at the taps of a bin, RoIPool finds the largest
 * pixel. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Regions
{
  const float          *x;
  const float          *images;
  size_t                image_step;
  const C2gComputeSpan *bins;
  const C2gComputeTap  *taps;
  /* The dimensions of the result, as divisors of an element's number. */
  Divider               channels;
  Divider               rows;
  Divider               columns;
  uint64_t              channels_last;
  /* Pixels in a plane, and in one row of it. */
  size_t                size;
  size_t                width;
};

/* A channel of an image, whose pixels are step floats apart, and the bin in it. */
struct Bin
{
  const float   *plane;
  size_t         step;
  C2gComputeSpan row;
  C2gComputeSpan column;
};

__device__ static inline Bin
find_bin (const Regions &regions,
          size_t         number)
{
  const size_t n_channels = regions.channels.divisor;
  size_t channel = 0, row, column = number;

  if (regions.channels_last)
    {
      channel = number;
      column = regions.channels.cut (&channel);
    }
  row = regions.columns.cut (&column);
  number = regions.rows.cut (&row);
  if (!regions.channels_last)
    {
      channel = number;
      number = regions.channels.cut (&channel);
    }

  const C2gComputeSpan *bins = regions.bins + number * (regions.rows.divisor + regions.columns.divisor);
  const size_t image =
    regions.images != nullptr ? (size_t) regions.images[number * regions.image_step] : 0;
  const float *plane = regions.x + image * n_channels * regions.size;

  if (regions.channels_last)
    return Bin{ plane + channel, n_channels, bins[row], bins[regions.rows.divisor + column] };
  return Bin{ plane + channel * regions.size, 1, bins[row], bins[regions.rows.divisor + column] };
}

/* One thread for each result. */
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
sum_regions (Regions regions,
             float  *y,
             size_t  n)
{
  for (size_t number = thread_number (); number < n; number += count_threads ())
    {
      const Bin bin = find_bin (regions, number);
      float sum = 0;

      for (int64_t i = bin.row.begin; i < bin.row.end; i++)
        {
          const float *line = bin.plane + regions.taps[i].index * regions.width * bin.step;
          float part = 0;

          for (int64_t k = bin.column.begin; k < bin.column.end; k++)
            part += regions.taps[k].weight * line[regions.taps[k].index * bin.step];
          sum += regions.taps[i].weight * part;
        }
      y[number] = sum;
    }
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
find_largest_of_regions (Regions  regions,
                         float   *y,
                         int32_t *places,
                         size_t   n)
{
  for (size_t number = thread_number (); number < n; number += count_threads ())
    {
      const Bin bin = find_bin (regions, number);
      const bool is_empty = bin.row.begin >= bin.row.end || bin.column.begin >= bin.column.end;
      float largest = -FLT_MAX;
      int64_t place = -1;

      for (int64_t i = bin.row.begin; i < bin.row.end; i++)
        for (int64_t k = bin.column.begin; k < bin.column.end; k++)
          {
            const float pixel = bin.plane[(i * regions.width + k) * bin.step];

            if (pixel > largest)
              {
                largest = pixel;
                place = i * regions.width + k;
              }
          }
      y[number] = is_empty ? 0 : largest;
      if (places != nullptr)
        places[number] = (int32_t) place;
    }
}

}

cudaError_t
c2g_cuda_kernel_regions (const C2gComputeRequest *request,
                         void                    *memory,
                         cudaStream_t             stream)
{
  const C2gComputeRegions *wanted = request->regions;
  const size_t n = wanted->n_regions * wanted->n_channels * wanted->n_rows * wanted->n_columns;
  Regions regions = {};

  if (n == 0)
    return cudaSuccess;
  regions.x = wanted->x;
  regions.images = wanted->images;
  regions.image_step = wanted->image_step;
  regions.bins = wanted->bins;
  regions.taps = wanted->taps;
  regions.channels = Divider (wanted->n_channels, n);
  regions.rows = Divider (wanted->n_rows, n);
  regions.columns = Divider (wanted->n_columns, n);
  regions.channels_last = wanted->channels_last;
  regions.size = (size_t) wanted->height * wanted->width;
  regions.width = wanted->width;

  if (wanted->function == C2G_COMPUTE_REDUCE_MAX)
    return Launch<find_largest_of_regions>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, regions,
                                                 wanted->y, wanted->places, n);
  return Launch<sum_regions>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, regions, wanted->y, n);
}
