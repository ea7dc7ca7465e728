/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Events without timing, kept for each device: to make one takes longer than to record it.
 * One that goes back may still be pending: who waits for it on a device has what it was. */

/* An event behind what some stream was given, or NULL. */
typedef struct
{
  int         device;
  guint       epoch;
  cudaEvent_t event;
} C2gCudaMark;

/* As c2g_cuda_stream_index() tells it. */
int      c2g_cuda_mark_index        (const C2gCudaMark *self);

/* Indices are those that c2g_cuda_stream_find_index() gives: the events that are kept are of the
 * epoch that is known. */

/* Records one that is the caller's until it is given back; NULL where it fails. */
gboolean c2g_cuda_event_pool_record (int            device,
                                     cudaStream_t   stream,
                                     C2gCudaMark   *mark,
                                     GError       **error);
void     c2g_cuda_event_pool_give   (C2gCudaMark   *mark);
/* Puts what stream does from now on behind what other was given so far. */
gboolean c2g_cuda_event_pool_join   (int            device,
                                     cudaStream_t   stream,
                                     int            other_device,
                                     cudaStream_t   other,
                                     GError       **error);

G_END_DECLS
