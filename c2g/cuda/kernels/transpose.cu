/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Copies between arrays of the same dimensions with different strides. If neighbours in one array
 * are far apart in the other, tiles go through shared memory, so that both sides are accessed in
 * rows. */

using namespace c2g_cuda;

#define TILE 32
#define N_TILE_ROWS (C2G_BLOCK_SIZE / TILE)
/* Smallest dimensions for tiles: smaller ones would leave tiles mostly empty. */
#define MIN_TILE 12

namespace c2g_cuda
{

/* 16 bytes that are only moved. */
typedef Vector<uint64_t, 2> Wide16;

/* The dimensions, from the last to the first, and their strides in source and target. */
struct Places
{
  int64_t n;
  Divider dims[C2G_CUDA_MAX_DIMS];
  int64_t source[C2G_CUDA_MAX_DIMS];
  int64_t target[C2G_CUDA_MAX_DIMS];
};

struct Offsets
{
  int64_t source;
  int64_t target;
};

__device__ static inline Offsets
find_offsets (const Places &places,
              int           first,
              size_t        number)
{
  Offsets offsets = { 0, 0 };

  for (int i = first; i < places.n; i++)
    {
      const size_t quotient = places.dims[i].divide (number);
      const int64_t at = (int64_t) (number - quotient * places.dims[i].divisor);

      offsets.source += at * places.source[i];
      offsets.target += at * places.target[i];
      number = quotient;
    }
  return offsets;
}

template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
move_items (const T *__restrict__ x,
            T                    *y,
            Places                places,
            size_t                n)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      const Offsets offsets = find_offsets (places, 0, i);

      y[offsets.target] = x[offsets.source];
    }
}

/* Neighbours in the target are along dimension 0, neighbours in the source along dimension 1. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
move_tiles (const T *__restrict__ x,
            T                    *y,
            Places                places,
            Divider               tiles_across,
            Divider               tiles_down,
            size_t                n_tiles)
{
  /* One more column avoids bank conflicts when columns of the tile are read. */
  C2G_SHARED (T, tile, [TILE][TILE + 1]);
  const size_t column = threadIdx.x % TILE, row = threadIdx.x / TILE;
  const size_t n_across = places.dims[0].divisor, n_down = places.dims[1].divisor;

  for (size_t number = blockIdx.x; number < n_tiles; number += gridDim.x)
    {
      size_t across = number, down, outer;

      down = tiles_across.cut (&across);
      outer = tiles_down.cut (&down);

      const Offsets offsets = find_offsets (places, 2, outer);
      const size_t left = across * TILE, top = down * TILE;

      for (size_t i = row; i < TILE; i += N_TILE_ROWS)
        if (left + i < n_across && top + column < n_down)
          tile[i][column] = x[offsets.source + (int64_t) (left + i) * places.source[0] +
                              (int64_t) (top + column) * places.source[1]];
      __syncthreads ();
      for (size_t i = row; i < TILE; i += N_TILE_ROWS)
        if (left + column < n_across && top + i < n_down)
          y[offsets.target + (int64_t) (left + column) * places.target[0] +
            (int64_t) (top + i) * places.target[1]] = tile[column][i];
      __syncthreads ();
    }
}

/* Returns the dimension with stride 1 in the source, or -1. */
static int
find_source_neighbours (const Places &places)
{
  for (int i = 0; i < places.n; i++)
    if (places.source[i] == 1)
      return i;
  return -1;
}

static void
make_second (Places *places,
             int     dim)
{
  const Divider divider = places->dims[dim];
  const int64_t source = places->source[dim], target = places->target[dim];

  for (int i = dim; i > 1; i--)
    {
      places->dims[i] = places->dims[i - 1];
      places->source[i] = places->source[i - 1];
      places->target[i] = places->target[i - 1];
    }
  places->dims[1] = divider;
  places->source[1] = source;
  places->target[1] = target;
}

template <class T>
static cudaError_t
launch_tiles (const void   *x,
              void         *y,
              Places        places,
              size_t        n,
              cudaStream_t  stream)
{
  const size_t n_across = divide_up (places.dims[0].divisor, TILE);
  const size_t n_down = divide_up (places.dims[1].divisor, TILE);
  const size_t n_outer = n / places.dims[0].divisor / places.dims[1].divisor;
  const size_t n_tiles = n_across * n_down * n_outer;

  return Launch<move_tiles<T>>::run (Blocks{ n_tiles, 1 }, C2G_BLOCK_SIZE, stream,
                                     (const T *) x, (T *) y, places, Divider (n_across, n_tiles),
                                     Divider (n_down, n_tiles), n_tiles);
}

template <class T>
static cudaError_t
launch_move (const void   *x,
             void         *y,
             Places        places,
             size_t        n,
             cudaStream_t  stream)
{
  const int neighbours = find_source_neighbours (places);

  if (neighbours > 0 && places.target[0] == 1 && places.dims[0].divisor >= MIN_TILE &&
      places.dims[neighbours].divisor >= MIN_TILE)
    {
      make_second (&places, neighbours);
      return launch_tiles<T> (x, y, places, n, stream);
    }
  return Launch<move_items<T>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, (const T *) x,
                                     (T *) y, places, n);
}

/* Leaves out dimensions of 1, and merges those that are contiguous in both arrays. */
static bool
add_dim (int64_t *sizes,
         Places  *places,
         int64_t  size,
         int64_t  source,
         int64_t  target)
{
  const int last = places->n - 1;

  if (size == 1)
    return true;
  if (last >= 0 && source == sizes[last] * places->source[last] &&
      target == sizes[last] * places->target[last])
    {
      sizes[last] *= size;
      return true;
    }
  if (places->n == C2G_CUDA_MAX_DIMS)
    return false;

  sizes[places->n] = size;
  places->source[places->n] = source;
  places->target[places->n++] = target;
  return true;
}

/* Returns how many items can be moved at once: items that are contiguous on both sides. */
static size_t
find_width (const int64_t *sizes,
            const Places  &places,
            const void    *x,
            const void    *y,
            size_t         item_size)
{
  size_t width = 16 / item_size;

  if (places.n == 0 || places.source[0] != 1 || places.target[0] != 1)
    return 1;
  for (; width > 1; width /= 2)
    {
      bool fits = sizes[0] % width == 0 && (uintptr_t) x % (width * item_size) == 0 &&
                  (uintptr_t) y % (width * item_size) == 0;

      for (int i = 1; i < places.n; i++)
        fits &= places.source[i] % (int64_t) width == 0 && places.target[i] % (int64_t) width == 0;
      if (fits)
        break;
    }
  return width;
}

}

cudaError_t
c2g_cuda_kernel_move (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  int64_t sizes[C2G_CUDA_MAX_DIMS];
  Places places = {};
  size_t n = 1, width;

  places.n = 0;
  for (size_t i = request->n_dims; i-- > 0;)
    {
      n *= request->dims[i];
      if (!add_dim (sizes, &places, request->dims[i], request->x_strides[i], request->y_strides[i]))
        return cudaErrorNotSupported;
    }
  if (n == 0)
    return cudaSuccess;
  if (request->item_size == 0 || request->item_size > 16 || 16 % request->item_size != 0)
    return cudaErrorNotSupported;

  width = find_width (sizes, places, request->x, request->y, request->item_size);
  if (width > 1)
    {
      sizes[0] /= width;
      for (int i = 1; i < places.n; i++)
        {
          places.source[i] /= (int64_t) width;
          places.target[i] /= (int64_t) width;
        }
      n /= width;
    }
  for (int i = 0; i < places.n; i++)
    places.dims[i] = Divider (sizes[i], n);

  switch (request->item_size * width)
    {
    case 1:
      return launch_move<uint8_t> (request->x, request->y, places, n, stream);
    case 2:
      return launch_move<uint16_t> (request->x, request->y, places, n, stream);
    case 4:
      return launch_move<uint32_t> (request->x, request->y, places, n, stream);
    case 8:
      return launch_move<uint64_t> (request->x, request->y, places, n, stream);
    default:
      return launch_move<Wide16> (request->x, request->y, places, n, stream);
    }
}

cudaError_t
c2g_cuda_kernel_transpose (const C2gComputeRequest *request,
                           void                    *memory,
                           cudaStream_t             stream)
{
  C2gComputeRequest move = *request;
  int64_t sizes[C2G_CUDA_MAX_DIMS * 4], source[C2G_CUDA_MAX_DIMS * 4];
  int64_t target[C2G_CUDA_MAX_DIMS * 4], steps[C2G_CUDA_MAX_DIMS * 4], step = 1;

  if (request->n_dims > C2G_CUDA_MAX_DIMS * 4)
    return cudaErrorNotSupported;

  for (size_t i = request->n_dims; i-- > 0;)
    {
      steps[i] = step;
      step *= request->dims[i];
    }
  step = 1;
  for (size_t i = request->n_dims; i-- > 0;)
    {
      sizes[i] = request->dims[request->order[i]];
      source[i] = steps[request->order[i]];
      target[i] = step;
      step *= sizes[i];
    }
  move.dims = (const gint64 *) sizes;
  move.x_strides = (const gint64 *) source;
  move.y_strides = (const gint64 *) target;
  return c2g_cuda_kernel_move (&move, memory, stream);
}
