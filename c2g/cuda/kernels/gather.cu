/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "c2g-kernel-types.cuh"

/* Gather: copies the blocks that indices select. */

using namespace c2g_cuda;

namespace c2g_cuda
{

typedef Vector<uint64_t, 2> Wide16;

/* All sizes are in words. */
struct Gather
{
  int64_t  size;
  uint32_t wraps;
  /* TRUE if each outer place has indices of its own. */
  uint32_t has_own;
  size_t   n_indices;
  Divider  words;
  Divider  indices;
};

/* An index out of range gives zeros, and *bad becomes the place of the first such index. Without bad
 * its block stays as it is. */
template <class Word, class Index>
__global__ void __launch_bounds__ (C2G_BLOCK_SIZE)
gather (const Word *__restrict__  x,
        const Index *__restrict__ indices,
        Word                     *y,
        Gather                    plan,
        size_t                    n,
        unsigned long long       *bad)
{
  for (size_t i = thread_number (); i < n; i += count_threads ())
    {
      size_t word = i, at, outer;

      at = plan.words.cut (&word);
      outer = plan.indices.cut (&at);

      const size_t place = plan.has_own ? outer * plan.n_indices + at : at;
      int64_t index = (int64_t) indices[place];
      const int64_t least = plan.wraps ? -plan.size : 0;

      if (index < least || index >= plan.size)
        {
          if (bad == nullptr)
            continue;
          y[i] = Word ();
          if (word == 0)
            atomicMin (bad, (unsigned long long) place);
          continue;
        }
      if (index < 0)
        index += plan.size;
      y[i] = x[(outer * plan.size + index) * plan.words.divisor + word];
    }
}

template <class Word>
static cudaError_t
launch_gather (const C2gComputeRequest *request,
               unsigned long long      *bad,
               cudaStream_t             stream)
{
  const size_t n_words = request->item_size / sizeof (Word);
  const size_t n = request->n_outer * request->n_indices * n_words;
  const Word *x = (const Word *) request->x;
  Word *y = (Word *) request->y;
  Gather plan = {};

  plan.size = (int64_t) request->n;
  plan.wraps = request->wraps;
  plan.has_own = request->has_own;
  plan.n_indices = request->n_indices;
  plan.words = Divider (n_words, n);
  plan.indices = Divider (plan.n_indices, n);
  if (request->type == C2G_DATA_TYPE_INT32)
    return Launch<gather<Word, int32_t>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, x,
                                               (const int32_t *) request->indices, y, plan, n, bad);
  if (request->type == C2G_DATA_TYPE_INT64)
    return Launch<gather<Word, int64_t>>::run (count_blocks (n), C2G_BLOCK_SIZE, stream, x,
                                               (const int64_t *) request->indices, y, plan, n, bad);
  return cudaErrorNotSupported;
}

}

cudaError_t
c2g_cuda_kernel_gather (const C2gComputeRequest *request,
                        void                    *memory,
                        cudaStream_t             stream)
{
  const uintptr_t bits = (uintptr_t) request->x | (uintptr_t) request->y | request->item_size;
  unsigned long long *bad = (unsigned long long *) memory;

  if (request->n_outer == 0 || request->n_indices == 0 || request->item_size == 0)
    return cudaSuccess;

  /* Copies in the largest words that all addresses and sizes allow. */
  if (bits % 16 == 0)
    return launch_gather<Wide16> (request, bad, stream);
  if (bits % 8 == 0)
    return launch_gather<uint64_t> (request, bad, stream);
  if (bits % 4 == 0)
    return launch_gather<uint32_t> (request, bad, stream);
  if (bits % 2 == 0)
    return launch_gather<uint16_t> (request, bad, stream);
  return launch_gather<uint8_t> (request, bad, stream);
}
