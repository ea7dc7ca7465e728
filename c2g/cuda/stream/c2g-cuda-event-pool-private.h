/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* A pool of events without timing for each device: making an event takes longer than recording it.
 * An event may be returned while it is pending: a stream that waits for it already waits for the
 * recording at that time. */

/* An event that was recorded after the work of a stream, or NULL. */
typedef struct
{
  int         device;
  guint       epoch;
  cudaEvent_t event;
} C2gCudaMark;

/* Returns a device number as c2g_cuda_stream_index() does. */
int      c2g_cuda_mark_index        (const C2gCudaMark *self);

/* Device numbers come from c2g_cuda_stream_find_index(), so that the epoch which was found last is
 * the present one. */

/* Records an event, which belongs to the caller until it is returned to the pool. On failure
 * mark->event is NULL. */
gboolean c2g_cuda_event_pool_record (int            device,
                                     cudaStream_t   stream,
                                     C2gCudaMark   *mark,
                                     GError       **error);
void     c2g_cuda_event_pool_give   (C2gCudaMark   *mark);
/* Makes stream wait for the work that other was given so far. */
gboolean c2g_cuda_event_pool_join   (int            device,
                                     cudaStream_t   stream,
                                     int            other_device,
                                     cudaStream_t   other,
                                     GError       **error);

G_END_DECLS
