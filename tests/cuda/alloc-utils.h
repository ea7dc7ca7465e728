/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/cuda-utils.h"

#include <string.h>

/* Functions that tests of allocators share. */

#define MIB ((gsize) 1 << 20)

static inline gpointer
address_of (C2gStorage *storage)
{
  return (gpointer) (guintptr) c2g_storage_get_address (storage);
}

static inline C2gStorage *
allocate (C2gAllocator *allocator,
          gsize         n_bytes,
          C2gContext   *context)
{
  g_autoptr (GError) error = NULL;
  C2gStorage *storage = c2g_allocator_allocate (allocator, n_bytes, context, &error);

  g_assert_no_error (error);
  g_assert_nonnull (storage);

  return storage;
}

static inline C2gAllocator *
new_caching_allocator (void)
{
  g_autoptr (GError) error = NULL;
  C2gAllocator *allocator = c2g_cuda_caching_allocator_new (first_device (), &error);

  g_assert_no_error (error);
  g_assert_true (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator));
  g_assert_true (c2g_allocator_get_device (allocator) == first_device ());

  return allocator;
}

static inline C2gContext *
new_context (void)
{
  g_autoptr (GError) error = NULL;
  C2gContext *context = c2g_cuda_context_new (first_device (), &error);

  g_assert_no_error (error);

  return context;
}

static inline cudaStream_t
stream_of (C2gContext *context)
{
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (context));

  return (cudaStream_t) (guintptr) c2g_cuda_stream_get_handle (stream);
}

/* Puts work on the context's stream that writes all of the block. */
static inline void
work_on (C2gStorage *storage,
         C2gContext *context)
{
  int current = 0;

  cudaGetDevice (&current);
  cudaSetDevice (c2g_device_get_index (c2g_context_get_device (context)));
  g_assert_cmpint (cudaMemsetAsync (address_of (storage), 7, c2g_storage_get_n_bytes (storage),
                                    stream_of (context)),
                   ==, cudaSuccess);
  cudaSetDevice (current);
}

static inline void
finish (C2gContext *context)
{
  g_autoptr (GError) error = NULL;

  c2g_context_finish (context, &error);
  g_assert_no_error (error);
}

static inline guint64
get_number (gpointer    object,
            const char *property)
{
  guint64 number;

  g_object_get (object, property, &number, NULL);

  return number;
}

/* Returns how often a snapshot of the allocator has the text. */
static inline guint
count_in_snapshot (C2gAllocator *allocator,
                   const char   *text)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("c2g-XXXXXX", &stream, &error);
  g_autofree char *content = NULL;
  gsize length, size = strlen (text);
  guint n = 0;

  g_assert_no_error (error);
  c2g_cuda_caching_allocator_save_snapshot (C2G_CUDA_CACHING_ALLOCATOR (allocator), file, NULL,
                                            &error);
  g_assert_no_error (error);
  g_file_load_contents (file, NULL, &content, &length, NULL, &error);
  g_assert_no_error (error);
  g_file_delete (file, NULL, &error);
  g_assert_no_error (error);

  for (gsize i = 0; i + size <= length; i++)
    n += memcmp (content + i, text, size) == 0;
  return n;
}
