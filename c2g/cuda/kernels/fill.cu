/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Sets every item of an array to the same value. */

using namespace c2g_cuda;

/* Bytes of an item that fit into the arguments of one kernel. */
#define MAX_PIECE 256

namespace c2g_cuda
{

/* 16 bytes that are repeated. */
typedef Vector<uint64_t, 2> Pattern;

/* A part of an item that does not divide 16 bytes. */
struct Piece
{
  uint8_t  bytes[MAX_PIECE];
  uint32_t n;
};

/* from_head is the pattern as it continues at the head of the span. */
__global__ void
fill_pattern (uint8_t *data,
              Pattern  pattern,
              Pattern  from_head,
              Span     span)
{
  const size_t n_single = span.n - span.n_vectors * 16;

  for (size_t i = thread_number (); i < span.n_vectors; i += count_threads ())
    store_vector ((uint64_t *) (data + span.head + i * 16), from_head);
  for (size_t i = thread_number (); i < n_single; i += count_threads ())
    {
      const size_t place = find_single (span, i, 16);

      data[place] = (place % 16 < 8 ? pattern.items[0] : pattern.items[1]) >> place % 8 * 8;
    }
}

__global__ void
fill_pieces (uint8_t *data,
             size_t   stride,
             Piece    piece,
             size_t   n_items)
{
  const size_t n = n_items * piece.n;

  for (size_t i = thread_number (); i < n; i += count_threads ())
    data[i / piece.n * stride + i % piece.n] = piece.bytes[i % piece.n];
}

static cudaError_t
fill_by_pattern (void         *data,
                 const void   *item,
                 size_t        item_size,
                 size_t        n,
                 cudaStream_t  stream)
{
  const size_t n_bytes = n * item_size;
  const Span span = find_span ({ { data, 1 } }, 16, n_bytes);
  Pattern pattern, from_head;

  for (size_t i = 0; i < 16; i++)
    {
      ((uint8_t *) &pattern)[i] = ((const uint8_t *) item)[i % item_size];
      ((uint8_t *) &from_head)[i] = ((const uint8_t *) item)[(i + span.head) % item_size];
    }
  return Launch<fill_pattern>::run (count_blocks (divide_up (n_bytes, 16)), C2G_BLOCK_SIZE, stream,
                                    (uint8_t *) data, pattern, from_head, span);
}

}

cudaError_t
c2g_cuda_kernel_fill (const C2gComputeRequest *request,
                      void                    *memory,
                      cudaStream_t             stream)
{
  const uint8_t *item = (const uint8_t *) request->item;
  const size_t item_size = request->item_size, n = request->n;
  uint8_t *data = (uint8_t *) request->y;
  cudaError_t error = cudaSuccess;

  if (n == 0 || item_size == 0)
    return cudaSuccess;
  if (16 % item_size == 0)
    return fill_by_pattern (data, item, item_size, n, stream);

  for (size_t i = 0; i < item_size && error == cudaSuccess; i += MAX_PIECE)
    {
      Piece piece = {};

      piece.n = (uint32_t) smaller<size_t> (item_size - i, MAX_PIECE);
      memcpy (piece.bytes, item + i, piece.n);
      error = Launch<fill_pieces>::run (count_blocks (n * piece.n), C2G_BLOCK_SIZE, stream,
                                        data + i, item_size, piece, n);
    }
  return error;
}
