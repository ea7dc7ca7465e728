/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-staging-private.h>

#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-pinned-allocator.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <string.h>

/* Copies from pageable CPU memory to a device through pinned blocks. */

/* CUDA itself takes a copy up to this size along with the command. */
#define MIN_BYTES (64u << 10)

/* Number of bytes copied at once. */
#define BLOCK_BYTES (1u << 20)

/* CUDA reads pinned memory by itself. A captured stream reads the source when the graph runs, so it
 * cannot use a temporary block. */
static gboolean
can_stage (C2gCudaStream *stream,
           gconstpointer  source,
           gsize          n_bytes)
{
  enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  int index = c2g_cuda_stream_index (stream);
  struct cudaPointerAttributes attributes;

  return n_bytes > MIN_BYTES &&
         C2G_CUDA_STREAM_CALL (index, NULL, cudaPointerGetAttributes, &attributes, source) &&
         attributes.type == cudaMemoryTypeUnregistered &&
         C2G_CUDA_STREAM_CALL (index, NULL, cudaStreamIsCapturing, c2g_cuda_stream_peek (stream),
                               &capture) &&
         capture == cudaStreamCaptureStatusNone;
}

static gboolean
put_copy (C2gCudaStream  *stream,
          gconstpointer   source,
          gpointer        destination,
          gsize           n_bytes,
          GError        **error)
{
  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (stream), error, cudaMemcpyAsync, destination,
                               source, n_bytes, cudaMemcpyHostToDevice,
                               c2g_cuda_stream_peek (stream));
}

/* If no block is left CUDA copies without one. That slows down a caller who requests too much. */
static gboolean
upload_block (C2gContext     *context,
              C2gCudaStream  *stream,
              gconstpointer   source,
              gpointer        destination,
              gsize           n_bytes,
              GError        **error)
{
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_get_staging ();
  g_autoptr (C2gStorage) block = c2g_allocator_allocate (allocator, BLOCK_BYTES, context, NULL);
  gpointer between;

  if (block == NULL)
    return put_copy (stream, source, destination, n_bytes, error);

  between = (gpointer) (guintptr) c2g_storage_get_address (block);
  memcpy (between, source, n_bytes);
  if (!put_copy (stream, between, destination, n_bytes, error))
    return FALSE;

  c2g_storage_record_use (block, context);
  return TRUE;
}

gboolean
c2g_cuda_staging_upload (C2gContext     *context,
                         C2gCudaStream  *stream,
                         gconstpointer   source,
                         gpointer        destination,
                         gsize           n_bytes,
                         GError        **error)
{
  const char *from = source;
  char *to = destination;

  if (!can_stage (stream, source, n_bytes))
    return put_copy (stream, source, destination, n_bytes, error);

  for (gsize n_done = 0; n_done < n_bytes; n_done += BLOCK_BYTES)
    if (!upload_block (context, stream, from + n_done, to + n_done,
                       MIN (n_bytes - n_done, BLOCK_BYTES), error))
      return FALSE;

  return TRUE;
}
