/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-event-pool-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>

/* Keeps unused events of CUDA for reuse. */

/* More events than programs without leaks have pending at once. */
#define MAX_KEPT 1024

/* The unused events of a device, all of one epoch. */
typedef struct
{
  guint      epoch;
  GPtrArray *events;
} Kept;

/* Guards the hash table: device → Kept. */
static GMutex lock;
static GHashTable *table;

int
c2g_cuda_mark_index (const C2gCudaMark *self)
{
  return self->epoch == c2g_cuda_epoch_get (self->device) ? self->device
                                                           : C2G_CUDA_GONE (self->device);
}

/* Drops events of another epoch, which went with the device. The caller holds the lock. */
static GPtrArray *
get_events (int   device,
            guint epoch)
{
  Kept *kept;

  if (table == NULL)
    table = g_hash_table_new (NULL, NULL);
  kept = g_hash_table_lookup (table, GINT_TO_POINTER (device));
  if (kept == NULL)
    {
      kept = g_new (Kept, 1);
      kept->epoch = epoch;
      kept->events = g_ptr_array_new ();
      g_hash_table_insert (table, GINT_TO_POINTER (device), kept);
    }
  if (kept->epoch != epoch)
    g_ptr_array_set_size (kept->events, 0);
  kept->epoch = epoch;

  return kept->events;
}

static cudaEvent_t
take_kept (const C2gCudaMark *mark)
{
  cudaEvent_t event = NULL;
  GPtrArray *events;

  g_mutex_lock (&lock);
  events = get_events (mark->device, mark->epoch);
  if (events->len > 0)
    event = g_ptr_array_steal_index_fast (events, events->len - 1);
  g_mutex_unlock (&lock);

  return event;
}

/* The device must be the current one. An event that could not be recorded is not kept, so that one
 * bad event cannot fail every later call. */
static gboolean
record (C2gCudaMark   *mark,
        cudaStream_t   stream,
        GError       **error)
{
  int device = mark->device;

  mark->event = take_kept (mark);
  if (mark->event == NULL && !C2G_CUDA_CALL (device, error, cudaEventCreateWithFlags, &mark->event,
                                             cudaEventDisableTiming))
    return FALSE;
  if (C2G_CUDA_CALL (device, error, cudaEventRecord, mark->event, stream))
    return TRUE;

  c2g_cuda_deferred_destroy_event (g_steal_pointer (&mark->event), device, mark->epoch);
  return FALSE;
}

gboolean
c2g_cuda_event_pool_record (int            device,
                            cudaStream_t   stream,
                            C2gCudaMark   *mark,
                            GError       **error)
{
  C2gCudaGuard guard;
  gboolean done;

  mark->device = device;
  mark->event = NULL;
  /* An event in a capture could not be used again. */
  if (!c2g_cuda_capture_permits (error))
    return FALSE;
  if (!c2g_cuda_guard_enter (&guard, device, error))
    return FALSE;

  mark->epoch = c2g_cuda_epoch_get (device);
  done = record (mark, stream, error);
  c2g_cuda_guard_leave (&guard);

  return done;
}

void
c2g_cuda_event_pool_give (C2gCudaMark *mark)
{
  cudaEvent_t event = g_steal_pointer (&mark->event);
  gboolean is_kept;
  GPtrArray *events;

  if (event == NULL || c2g_cuda_mark_index (mark) < 0)
    return;

  g_mutex_lock (&lock);
  events = get_events (mark->device, mark->epoch);
  is_kept = events->len < MAX_KEPT;
  if (is_kept)
    g_ptr_array_add (events, event);
  g_mutex_unlock (&lock);

  if (!is_kept)
    c2g_cuda_deferred_destroy_event (event, mark->device, mark->epoch);
}

gboolean
c2g_cuda_event_pool_join (int            device,
                          cudaStream_t   stream,
                          int            other_device,
                          cudaStream_t   other,
                          GError       **error)
{
  C2gCudaMark mark;
  gboolean done;

  if (stream == other && device == other_device)
    return TRUE;
  if (!c2g_cuda_event_pool_record (other_device, other, &mark, error))
    return FALSE;

  done = C2G_CUDA_STREAM_CALL (device, error, cudaStreamWaitEvent, stream, mark.event, 0);
  c2g_cuda_event_pool_give (&mark);

  return done;
}
