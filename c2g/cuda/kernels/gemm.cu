/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Matrix products, for use without cuBLAS. Products of 16-bit numbers are added as floats. A block
 * computes a tile of TILE × TILE elements of the result, a thread N_EACH × N_EACH elements of the
 * tile. */

using namespace c2g_cuda;

#define TILE 64
#define DEPTH 16
#define N_EACH 4
#define N_ACROSS (TILE / N_EACH)

namespace c2g_cuda
{

template <class T>
struct Operand
{
  const T *items;
  /* Distances between rows, between columns and between matrices. */
  int64_t  row;
  int64_t  column;
  int64_t  matrix;
};

struct Product
{
  int64_t n_rows;
  int64_t n_columns;
  int64_t depth;
  float   alpha;
  float   beta;
  int64_t stride;
  int64_t matrix;
};

/* Neighbouring threads read neighbouring elements, transposed or not. */
template <class T>
__device__ static inline void
load_tile (const Operand<T> &operand,
           const T          *items,
           int64_t           first,
           int64_t           n,
           int64_t           from,
           int64_t           depth,
           Wide<T>           tile[DEPTH][TILE + 1])
{
  const bool is_along = operand.column == 1;

  for (int i = threadIdx.x; i < TILE * DEPTH; i += C2G_BLOCK_SIZE)
    {
      const int k = is_along ? i % DEPTH : i / TILE;
      const int at = is_along ? i / DEPTH : i % TILE;
      const bool is_inside = first + at < n && from + k < depth;

      tile[k][at] =
        is_inside ? widen (items[(first + at) * operand.row + (from + k) * operand.column]) : 0;
    }
}

/* b is passed as its transpose: its rows are columns of the result. */
template <class T>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
multiply (Operand<T> a,
          Operand<T> b,
          T         *c,
          Product    product)
{
  C2G_SHARED (Wide<T>, a_tile, [DEPTH][TILE + 1]);
  C2G_SHARED (Wide<T>, b_tile, [DEPTH][TILE + 1]);
  const int64_t n_down = (int64_t) divide_up (product.n_rows, TILE);
  const int64_t top = blockIdx.x % n_down * TILE, left = blockIdx.x / n_down * TILE;
  const int row = threadIdx.x / N_ACROSS, column = threadIdx.x % N_ACROSS;
  const T *a_items = a.items + blockIdx.y * a.matrix;
  const T *b_items = b.items + blockIdx.y * b.matrix;
  Wide<T> sums[N_EACH][N_EACH] = {};

  for (int64_t from = 0; from < product.depth; from += DEPTH)
    {
      load_tile (a, a_items, top, product.n_rows, from, product.depth, a_tile);
      load_tile (b, b_items, left, product.n_columns, from, product.depth, b_tile);
      __syncthreads ();
#pragma unroll
      for (int k = 0; k < DEPTH; k++)
        {
          Wide<T> xs[N_EACH], ys[N_EACH];

#pragma unroll
          for (int i = 0; i < N_EACH; i++)
            {
              xs[i] = a_tile[k][row + i * N_ACROSS];
              ys[i] = b_tile[k][column + i * N_ACROSS];
            }
#pragma unroll
          for (int i = 0; i < N_EACH; i++)
#pragma unroll
            for (int j = 0; j < N_EACH; j++)
              sums[i][j] = fma (xs[i], ys[j], sums[i][j]);
        }
      __syncthreads ();
    }

  c += blockIdx.y * product.matrix;
  for (int i = 0; i < N_EACH; i++)
    for (int j = 0; j < N_EACH; j++)
      {
        const int64_t y = top + row + i * N_ACROSS, x = left + column + j * N_ACROSS;
        T *to = c + y * product.stride + x;

        if (y >= product.n_rows || x >= product.n_columns)
          continue;
        /* With beta 0 c is not read, because it may be uninitialized. */
        *to = narrow<T> (product.beta != 0 ? product.alpha * sums[i][j] + product.beta * widen (*to)
                                           : product.alpha * sums[i][j]);
      }
}

template <class T>
static cudaError_t
launch_gemm (const C2gComputeGemm *gemm,
             cudaStream_t          stream)
{
  const int64_t a_row = (int64_t) gemm->a_stride, b_row = (int64_t) gemm->b_stride;
  const size_t n_tiles = divide_up (gemm->n_columns, TILE) * divide_up (gemm->n_rows, TILE);
  Operand<T> first = { (const T *) gemm->a, gemm->a_is_transposed ? 1 : a_row,
                       gemm->a_is_transposed ? a_row : 1, (int64_t) gemm->a_matrix };
  Operand<T> second = { (const T *) gemm->b, gemm->b_is_transposed ? b_row : 1,
                        gemm->b_is_transposed ? 1 : b_row, (int64_t) gemm->b_matrix };
  const Product product = { (int64_t) gemm->n_rows, (int64_t) gemm->n_columns, (int64_t) gemm->depth,
                            gemm->alpha, gemm->beta, (int64_t) gemm->c_stride, (int64_t) gemm->c_matrix };

  if (gemm->n_rows == 0 || gemm->n_columns == 0)
    return cudaSuccess;
  /* A grid has at most 2^31 - 1 blocks in its first dimension, and 65535 in the others. */
  if (n_tiles > G_MAXINT32)
    return cudaErrorNotSupported;

  for (size_t i = 0; i < gemm->n_matrices; i += 65535)
    {
      const dim3 grid ((unsigned) n_tiles, (unsigned) smaller<size_t> (gemm->n_matrices - i, 65535));
      const cudaError_t error = Launch<multiply<T>>::run (grid, C2G_BLOCK_SIZE, stream, first, second,
                                                          (T *) gemm->c + i * gemm->c_matrix,
                                                          product);

      if (error != cudaSuccess)
        return error;
      first.items += 65535 * gemm->a_matrix;
      second.items += 65535 * gemm->b_matrix;
    }
  return cudaSuccess;
}

}

cudaError_t
c2g_cuda_kernel_gemm (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  const C2gComputeGemm *gemm = request->gemm;

  if (gemm->type == C2G_DATA_TYPE_DOUBLE)
    return launch_gemm<double> (gemm, stream);
  return with_real_type (gemm->type != C2G_DATA_TYPE_UNDEFINED ? gemm->type : C2G_DATA_TYPE_FLOAT,
                         [=] (auto zero) { return launch_gemm<decltype (zero)> (gemm, stream); });
}
