/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-stream.h>

G_BEGIN_DECLS

/* The streams that use a block of memory.
 *
 * A use covers all work that its stream was given before the use was recorded. It is forgotten when
 * another stream of the same device that has waited for it uses the block: waiting for that stream
 * is then enough. Uses on a device that failed or was reset are over. Foreign streams may be given
 * work that nobody records, so their uses last as long as the streams.
 *
 * Any thread may add and wait. No lock is held while CUDA is called. */
typedef struct _C2gCudaUsers C2gCudaUsers;

C2gCudaUsers *c2g_cuda_users_new        (void);
void          c2g_cuda_users_free       (C2gCudaUsers   *self);

/* Records that the stream was just given work that uses the block. */
void          c2g_cuda_users_add        (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Records that the stream is about to use the block. Until c2g_cuda_users_add() is called for the
 * stream all its work counts as a use. */
void          c2g_cuda_users_expect     (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Makes the later work of stream wait for all the uses. */
gboolean      c2g_cuda_users_wait       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream,
                                         GError        **error);
/* Waits for all the uses. If a use failed the error says so, once. */
gboolean      c2g_cuda_users_finish     (C2gCudaUsers   *self,
                                         GError        **error);
/* Returns TRUE if another stream than this one is among the users. */
gboolean      c2g_cuda_users_has_others (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);

/* For a returned block, which no other thread uses meanwhile. These return FALSE if CUDA permits no
 * call now, and must then be called again. */

/* Forgets the uses by stream, because the block is given back in the order of that stream. */
void          c2g_cuda_users_drop       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Makes stream wait for all the uses, and forgets them. */
gboolean      c2g_cuda_users_join       (C2gCudaUsers   *self,
                                         C2gCudaStream  *stream);
/* Records a point for each use. From then on the streams themselves are not needed. */
gboolean      c2g_cuda_users_part       (C2gCudaUsers   *self);
/* After c2g_cuda_users_part(): returns TRUE if all the uses are over. If wait, waits for them. */
gboolean      c2g_cuda_users_settle     (C2gCudaUsers   *self,
                                         gboolean        wait,
                                         gboolean       *permitted);

G_END_DECLS
