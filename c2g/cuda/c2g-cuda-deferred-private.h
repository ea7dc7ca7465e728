/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* What gives something back to CUDA.  CUDA refuses every call made from within a host
 * function, where the last reference to anything may go: then it is done later, with the
 * next call of c2g. */

/* Gives something back; false if CUDA permits nothing now. */
typedef gboolean (*C2gCudaDeferredFunc) (gpointer data);

/* Whether what was to be given back is gone: also if it failed, for then it was gone
 * already, with its device or at the end of the process. */
gboolean c2g_cuda_deferred_try          (cudaError_t          result);

/* For a stream that is gone, or whose device has failed: all its work can be waited for, or
 * there is none any more.  False if CUDA permits nothing now. */
gboolean c2g_cuda_deferred_wait_for_device (int               device);
/* For a stream behind which no event can be recorded: one of a context that is not the device's
 * primary one takes none of c2g's events, and waiting for the device is not waiting for it. */
gboolean c2g_cuda_deferred_wait_for_stream (int               device,
                                            cudaStream_t      stream);

/* Gives a handle, or memory, of an epoch back to the device, unless that was reset since. */
void     c2g_cuda_deferred_destroy      (cudaError_t        (*destroy) (gpointer handle),
                                         gpointer             handle,
                                         int                  device,
                                         guint                epoch);
void     c2g_cuda_deferred_destroy_event (cudaEvent_t         event,
                                          int                 device,
                                          guint               epoch);

void     c2g_cuda_deferred_run_or_queue (C2gCudaDeferredFunc  func,
                                         gpointer             data);
/* Does what was put off. */
void     c2g_cuda_deferred_flush        (void);

G_END_DECLS
