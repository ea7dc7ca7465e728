/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* PadImage and resizing of pictures, in the order rows, columns, channels. */

using namespace c2g_cuda;

namespace c2g_cuda
{

struct Pad
{
  int64_t height;
  int64_t width;
  int64_t top;
  int64_t left;
  int64_t mode;
};

/* The dimensions of the result, as divisors of an element's number. */
struct Grid
{
  Divider channels;
  Divider columns;
  Divider rows;
};

struct Spot
{
  size_t picture;
  size_t row;
  size_t column;
  size_t channel;
};

__device__ static inline Spot
find_spot (const Grid &grid,
           size_t      number)
{
  Spot spot;

  spot.channel = number;
  spot.column = grid.channels.cut (&spot.channel);
  spot.row = grid.columns.cut (&spot.column);
  spot.picture = grid.rows.cut (&spot.row);
  return spot;
}

/* Returns the place in the source; -1 for the constant value. */
__device__ static inline int64_t
find_source (int64_t mode,
             int64_t place,
             int64_t size)
{
  if (place >= 0 && place < size)
    return place;
  if (mode == C2G_COMPUTE_PAD_REFLECT)
    return place < 0 ? -place : 2 * size - 2 - place;
  if (mode == C2G_COMPUTE_PAD_EDGE)
    return place < 0 ? 0 : size - 1;
  return -1;
}

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
pad (const T *__restrict__ x,
     T                    *y,
     T                     value,
     Pad                   plan,
     Grid                  grid,
     size_t                n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const Spot spot = find_spot (grid, i);
      const int64_t row = find_source (plan.mode, (int64_t) spot.row - plan.top, plan.height);
      const int64_t column = find_source (plan.mode, (int64_t) spot.column - plan.left, plan.width);

      y[i] = row < 0 || column < 0
               ? value
               : x[((spot.picture * plan.height + row) * plan.width + column) *
                     grid.channels.divisor + spot.channel];
    }
}

__device__ static inline int64_t
find_nearest (size_t  place,
              float   scale,
              int64_t size)
{
  return smaller<int64_t> ((int64_t) ((float) place / scale), size - 1);
}

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
resize_nearest (const T *__restrict__ x,
                T                    *y,
                int64_t               height,
                int64_t               width,
                float                 height_scale,
                float                 width_scale,
                Grid                  grid,
                size_t                n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const Spot spot = find_spot (grid, i);
      const int64_t row = find_nearest (spot.row, height_scale, height);
      const int64_t column = find_nearest (spot.column, width_scale, width);

      y[i] = x[((spot.picture * height + row) * width + column) * grid.channels.divisor +
               spot.channel];
    }
}

/* Linear interpolation between two elements of the source; share is the weight of the second. */
struct Between
{
  int64_t first;
  int64_t second;
  float   share;
};

__device__ static inline Between
find_between (size_t  place,
              int64_t size,
              size_t  target_size)
{
  const float ratio = target_size > 1 ? (float) (size - 1) / (float) (target_size - 1) : 0;
  const float exact = ratio * (float) place;
  const int64_t first = smaller<int64_t> ((int64_t) exact, size - 1);

  return Between{ first, smaller<int64_t> (first + 1, size - 1), exact - (float) first };
}

__device__ static inline float
mix (const float   *row,
     const Between &column)
{
  return (1 - column.share) * row[column.first] + column.share * row[column.second];
}

__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
resize_linear (const float *__restrict__ x,
               float                    *y,
               int64_t                   height,
               int64_t                   width,
               Grid                      grid,
               size_t                    n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const Spot spot = find_spot (grid, i);
      const Between row = find_between (spot.row, height, grid.rows.divisor);
      const Between column = find_between (spot.column, width, grid.columns.divisor);
      const float *picture = x + spot.picture * height * width;

      y[i] = (1 - row.share) * mix (picture + row.first * width, column) +
             row.share * mix (picture + row.second * width, column);
    }
}

static Grid
make_grid (const C2gComputePictures &pictures,
           size_t                *n)
{
  Grid grid;

  *n = (size_t) pictures.n_pictures * pictures.target_height * pictures.target_width *
       pictures.n_channels;
  if (*n == 0)
    return Grid ();
  grid.channels = Divider (pictures.n_channels, *n);
  grid.columns = Divider (pictures.target_width, *n);
  grid.rows = Divider (pictures.target_height, *n);
  return grid;
}

/* Calls function with an unsigned integer of the item's size. */
template <class F>
static cudaError_t
with_item_size (size_t item_size,
                F      function)
{
  switch (item_size)
    {
    case 1:
      return function (uint8_t ());
    case 2:
      return function (uint16_t ());
    case 4:
      return function (uint32_t ());
    case 8:
      return function (uint64_t ());
    default:
      return cudaErrorNotSupported;
    }
}

}

cudaError_t
c2g_cuda_kernel_pad (const C2gComputeRequest *request,
                     void                    *memory,
                     cudaStream_t             stream)
{
  const C2gComputePictures *pictures = request->pictures;
  const Pad plan = { pictures->height, pictures->width, request->top, request->left,
                     request->pad };
  size_t n;
  const Grid grid = make_grid (*pictures, &n);

  if (n == 0)
    return cudaSuccess;
  return with_item_size (request->item_size, [=] (auto zero) {
    typedef decltype (zero) T;
    T item;

    memcpy (&item, request->item, sizeof item);
    return Launch<pad<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) request->x,
                                (T *) request->y, item, plan, grid, n);
  });
}

cudaError_t
c2g_cuda_kernel_resize_nearest (const C2gComputeRequest *request,
                                void                    *memory,
                                cudaStream_t             stream)
{
  const C2gComputePictures *pictures = request->pictures;
  const int64_t height = pictures->height, width = pictures->width;
  size_t n;
  const Grid grid = make_grid (*pictures, &n);

  if (n == 0)
    return cudaSuccess;
  return with_item_size (request->item_size, [=] (auto zero) {
    typedef decltype (zero) T;

    return Launch<resize_nearest<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                                           (const T *) request->x, (T *) request->y, height, width,
                                           (float) request->a, (float) request->b, grid, n);
  });
}

cudaError_t
c2g_cuda_kernel_resize_linear (const C2gComputeRequest *request,
                               void                    *memory,
                               cudaStream_t             stream)
{
  const C2gComputePictures *pictures = request->pictures;
  size_t n;
  const Grid grid = make_grid (*pictures, &n);

  if (n == 0)
    return cudaSuccess;
  return Launch<resize_linear>::run (count_blocks (n), C2G_BLOCK_SIZE, stream,
                                     (const float *) request->x, (float *) request->y,
                                     pictures->height, pictures->width, grid, n);
}
