/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* Which streams use a block of memory.
 *
 * A use ends with what the stream was given until it was told of, and is forgotten as soon as
 * another stream of the same device is behind it that uses the block, too: that one stands for
 * both.  What is on a device that has failed, or was reset, is over.  Streams of others may be
 * given work that nobody tells of; their uses last as long as they do.
 *
 * Any thread may add and wait; no lock is held while CUDA is called. */
typedef struct _C2gCudaUsers C2gCudaUsers;

C2gCudaUsers *c2g_cuda_users_new        (void);
void          c2g_cuda_users_free       (C2gCudaUsers   *self);

/* The stream was just given work that uses the block. */
void          c2g_cuda_users_add        (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* The stream is about to use the block: until it is told of the first time, all that it is
 * given is taken for that. */
void          c2g_cuda_users_expect     (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Puts what stream does from now on behind all the uses. */
gboolean      c2g_cuda_users_wait       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream,
                                         GError        **error);
/* Waits for all the uses; an error says which failed, and is given once. */
gboolean      c2g_cuda_users_finish     (C2gCudaUsers   *self,
                                         GError        **error);
/* Whether any other stream is among them. */
gboolean      c2g_cuda_users_has_others (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);

/* For a block that goes back and is nobody else's meanwhile.  Where CUDA permits nothing now
 * they give false, and are to be called again. */

/* The block goes back in the order of the stream anyway. */
void          c2g_cuda_users_drop       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Puts stream behind all the uses. */
gboolean      c2g_cuda_users_join       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* From now on nothing is needed of the streams themselves. */
gboolean      c2g_cuda_users_part       (C2gCudaUsers   *self);
/* After that: whether all the uses are over. */
gboolean      c2g_cuda_users_settle     (C2gCudaUsers   *self,
                                         gboolean        wait,
                                         gboolean       *permitted);

G_END_DECLS
