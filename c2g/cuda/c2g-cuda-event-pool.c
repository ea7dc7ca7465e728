/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-event-pool-private.h>

#include <c2g/cuda/c2g-cuda-deferred-private.h>
#include <c2g/cuda/c2g-cuda-guard-private.h>

/* More than are ever pending at once in programs that do not leak them. */
#define MAX_KEPT 1024

/* Guards the table: device → stack of events. */
static GMutex lock;
static GHashTable *kept;

static cudaEvent_t
take_kept (int device)
{
  cudaEvent_t event = NULL;
  GPtrArray *events;

  g_mutex_lock (&lock);
  events = kept != NULL ? g_hash_table_lookup (kept, GINT_TO_POINTER (device)) : NULL;
  if (events != NULL && events->len > 0)
    event = g_ptr_array_steal_index_fast (events, events->len - 1);
  g_mutex_unlock (&lock);

  return event;
}

static cudaError_t
destroy_event (gpointer event)
{
  return cudaEventDestroy (event);
}

/* The device must be the current one. */
static gboolean
record_new (int            device,
            cudaStream_t   stream,
            cudaEvent_t   *event,
            GError       **error)
{
  if (!C2G_CUDA_CALL (device, error, cudaEventCreateWithFlags, event, cudaEventDisableTiming))
    return FALSE;
  if (C2G_CUDA_CALL (device, error, cudaEventRecord, *event, stream))
    return TRUE;

  c2g_cuda_deferred_destroy (destroy_event, *event, device);
  return FALSE;
}

/* Whether the error may mean that a reset of the device took the event. CUDA says the same of
 * streams that are gone. */
static gboolean
may_be_gone (cudaError_t result)
{
  return result == cudaErrorInvalidResourceHandle || result == cudaErrorContextIsDestroyed ||
         result == cudaErrorInvalidValue;
}

/* An event that cannot be recorded where a new one can is gone, and left to the device. */
static gboolean
record (int            device,
        cudaStream_t   stream,
        cudaEvent_t   *event,
        GError       **error)
{
  cudaEvent_t old = take_kept (device);
  cudaError_t result;

  *event = old;
  if (old == NULL)
    return record_new (device, stream, event, error);

  result = cudaEventRecord (old, stream);
  if (c2g_cuda_check (result, "cudaEventRecord", device, may_be_gone (result) ? NULL : error))
    return TRUE;
  if (may_be_gone (result) && record_new (device, stream, event, error))
    return TRUE;

  c2g_cuda_event_pool_give (device, old);
  return FALSE;
}

gboolean
c2g_cuda_event_pool_record (int            device,
                            cudaStream_t   stream,
                            cudaEvent_t   *event,
                            GError       **error)
{
  C2gCudaGuard guard;
  gboolean done;

  if (!c2g_cuda_guard_enter (&guard, device, error))
    return FALSE;

  done = record (device, stream, event, error);
  c2g_cuda_guard_leave (&guard);

  return done;
}

void
c2g_cuda_event_pool_give (int         device,
                          cudaEvent_t event)
{
  GPtrArray *events;
  gboolean is_kept;

  g_mutex_lock (&lock);
  if (kept == NULL)
    kept = g_hash_table_new (NULL, NULL);
  events = g_hash_table_lookup (kept, GINT_TO_POINTER (device));
  if (events == NULL)
    {
      events = g_ptr_array_new ();
      g_hash_table_insert (kept, GINT_TO_POINTER (device), events);
    }
  is_kept = events->len < MAX_KEPT;
  if (is_kept)
    g_ptr_array_add (events, event);
  g_mutex_unlock (&lock);

  if (!is_kept)
    c2g_cuda_deferred_destroy (destroy_event, event, device);
}

gboolean
c2g_cuda_event_pool_join (int            device,
                          cudaStream_t   stream,
                          int            other_device,
                          cudaStream_t   other,
                          GError       **error)
{
  cudaEvent_t event;
  gboolean done;

  if (stream == other && device == other_device)
    return TRUE;
  if (!c2g_cuda_event_pool_record (other_device, other, &event, error))
    return FALSE;

  done = C2G_CUDA_STREAM_CALL (device, error, cudaStreamWaitEvent, stream, event, 0);
  c2g_cuda_event_pool_give (other_device, event);

  return done;
}
