/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-point-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-event-pool-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/* Points in the work of a stream that others can wait for, also after the stream is gone. */

/* Allocated by g_atomic_rc_box_new(), which counts the references. */
struct _C2gCudaPoint
{
  C2gCudaMark mark;
};

C2gCudaPoint *
c2g_cuda_point_try (C2gCudaStream *stream)
{
  int index = c2g_cuda_stream_find_index (stream);
  C2gCudaPoint *self;
  C2gCudaMark mark;

  if (c2g_cuda_stream_is_captured (stream) ||
      !c2g_cuda_event_pool_record (index, c2g_cuda_stream_peek (stream), &mark, NULL))
    return NULL;

  self = g_atomic_rc_box_new (C2gCudaPoint);
  self->mark = mark;

  return self;
}

gboolean
c2g_cuda_point_new (C2gCudaStream  *stream,
                    C2gCudaPoint  **point)
{
  *point = c2g_cuda_point_try (stream);
  if (*point != NULL)
    return TRUE;

  return !c2g_cuda_stream_is_captured (stream) &&
         c2g_cuda_deferred_wait_for_stream (c2g_cuda_stream_index (stream),
                                            c2g_cuda_stream_peek (stream));
}

C2gCudaPoint *
c2g_cuda_point_ref (C2gCudaPoint *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
point_clear (gpointer data)
{
  C2gCudaPoint *self = data;

  c2g_cuda_event_pool_give (&self->mark);
}

void
c2g_cuda_point_unref (C2gCudaPoint *self)
{
  g_atomic_rc_box_release_full (self, point_clear);
}

static cudaError_t
ask (C2gCudaPoint *self,
     gboolean      wait)
{
  c2g_cuda_epoch_find (self->mark.device);

  return C2G_CUDA_ON_DEVICE (c2g_cuda_mark_index (&self->mark),
                             C2G_CUDA_RELAXED (wait ? cudaEventSynchronize (self->mark.event)
                                                    : cudaEventQuery (self->mark.event)));
}

gboolean
c2g_cuda_point_has_passed (C2gCudaPoint *self,
                           gboolean      wait,
                           gboolean     *permitted)
{
  cudaError_t result = ask (self, wait);

  *permitted = c2g_cuda_deferred_try (result);

  return *permitted && result != cudaErrorNotReady;
}

gboolean
c2g_cuda_point_finish (C2gCudaPoint  *self,
                       GError       **error)
{
  return c2g_cuda_check (ask (self, TRUE), "cudaEventSynchronize",
                         c2g_cuda_mark_index (&self->mark), error);
}

/* Streams cannot wait for an event of a device that failed or was reset, and need not: its work is
 * over. Callers look for a reset of the stream's own device. */
gboolean
c2g_cuda_point_join (C2gCudaPoint   *self,
                     C2gCudaStream  *stream,
                     GError        **error)
{
  int index = c2g_cuda_stream_index (stream);
  GError *local_error = NULL;
  gboolean permitted;

  if (self->mark.device != index)
    c2g_cuda_epoch_find (self->mark.device);
  if (c2g_cuda_mark_index (&self->mark) < 0 ||
      C2G_CUDA_STREAM_CALL (index, &local_error, cudaStreamWaitEvent,
                            c2g_cuda_stream_peek (stream), self->mark.event, 0))
    return TRUE;

  if (c2g_cuda_point_has_passed (self, FALSE, &permitted))
    {
      g_error_free (local_error);
      return TRUE;
    }

  g_propagate_error (error, local_error);
  return FALSE;
}
