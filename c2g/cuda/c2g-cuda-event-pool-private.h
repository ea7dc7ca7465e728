/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Events without timing, kept for each device: to make one takes longer than to record it.
 * One that goes back may still be pending: who waits for it on a device has what it was. */

/* Records one that is the caller's until it is given back. */
gboolean c2g_cuda_event_pool_record (int            device,
                                     cudaStream_t   stream,
                                     cudaEvent_t   *event,
                                     GError       **error);
void     c2g_cuda_event_pool_give   (int            device,
                                     cudaEvent_t    event);
/* Puts what stream does from now on behind what other was given so far. */
gboolean c2g_cuda_event_pool_join   (int            device,
                                     cudaStream_t   stream,
                                     int            other_device,
                                     cudaStream_t   other,
                                     GError       **error);

G_END_DECLS
