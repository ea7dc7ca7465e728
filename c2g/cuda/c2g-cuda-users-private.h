/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-stream.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Which streams use a block besides the one it is of.  Most blocks have none: then nothing is
 * looked up.  Any thread. */
typedef struct
{
  GMutex      lock;
  /* Block → GPtrArray of C2gCudaStream. */
  GHashTable *streams;
  /* Atomic: how many blocks are in it. */
  int         n_blocks;
} C2gCudaUsers;

void       c2g_cuda_users_init  (C2gCudaUsers   *self);
void       c2g_cuda_users_clear (C2gCudaUsers   *self);

void       c2g_cuda_users_add   (C2gCudaUsers   *self,
                                 gpointer        block,
                                 C2gCudaStream  *stream);
/* The streams, which are the caller's then; NULL if there are none. */
GPtrArray *c2g_cuda_users_take  (C2gCudaUsers   *self,
                                 gpointer        block);

/* Puts stream behind what each of the block's users was given so far. */
gboolean   c2g_cuda_users_wait  (C2gCudaUsers   *self,
                                 gpointer        block,
                                 C2gCudaStream  *stream,
                                 GError        **error);

/* Puts stream behind what each of the users was given so far, and takes it off the list;
 * false if CUDA permits nothing now, with the rest still on it.  users may be NULL. */
gboolean   c2g_cuda_users_join  (GPtrArray      *users,
                                 int             device,
                                 cudaStream_t    stream);

G_END_DECLS
