/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Gives objects back to CUDA, now or later. CUDA refuses every call made from a host function,
 * where the last reference to an object may go. Then the call is put into a queue, which the next
 * call of c2g works off. */

/* Gives something back to CUDA. Returns FALSE if CUDA permits no call now. */
typedef gboolean (*C2gCudaDeferredFunc) (gpointer data);

/* Returns TRUE if the object is gone. It is gone after a failure too: it went with its device, or
 * at the end of the process. Returns FALSE only for cudaErrorNotPermitted. */
gboolean c2g_cuda_deferred_try          (cudaError_t          result);

/* Waits for all work of the device, for a stream that is gone or whose device has failed. Returns
 * FALSE if CUDA permits no call now. */
gboolean c2g_cuda_deferred_wait_for_device (int               device);
/* Waits for a stream on which no event of c2g can be recorded: a stream of a context that is not
 * the device's primary one. cudaDeviceSynchronize() does not wait for such a stream. */
gboolean c2g_cuda_deferred_wait_for_stream (int               device,
                                            cudaStream_t      stream);

/* Gives a handle or memory of an epoch back to the device, unless the device was reset since. */
void     c2g_cuda_deferred_destroy      (cudaError_t        (*destroy) (gpointer handle),
                                         gpointer             handle,
                                         int                  device,
                                         guint                epoch);
void     c2g_cuda_deferred_destroy_event (cudaEvent_t         event,
                                          int                 device,
                                          guint               epoch);

void     c2g_cuda_deferred_run_or_queue (C2gCudaDeferredFunc  func,
                                         gpointer             data);
/* Calls the functions in the queue. */
void     c2g_cuda_deferred_flush        (void);
/* Calls only the oldest few of them, for callers that would otherwise look at all each time. */
void     c2g_cuda_deferred_flush_some   (void);

G_END_DECLS
