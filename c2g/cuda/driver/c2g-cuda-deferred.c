/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>

#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

/* Frees objects of CUDA, or queues them to be freed by a later call if CUDA permits no calls now. */

typedef struct
{
  C2gCudaDeferredFunc func;
  gpointer            data;
} Deferred;

/* A handle that is to be given back to its device. */
typedef struct
{
  cudaError_t (*destroy) (gpointer handle);
  gpointer      handle;
  int           device;
  guint         epoch;
} Handle;

/* More than one, so that a queue to which one is added each time gets shorter. */
#define N_SOME 2

static GMutex lock;
/* A queue of Deferred, the oldest first. n_queued is its length, atomic, so that it can be read
 * without the lock. */
static GQueue queue = G_QUEUE_INIT;
static int n_queued;

gboolean
c2g_cuda_deferred_try (cudaError_t result)
{
  if (result == cudaSuccess)
    return TRUE;

  (void) cudaGetLastError ();

  return result != cudaErrorNotPermitted;
}

gboolean
c2g_cuda_deferred_wait_for_device (int device)
{
  return c2g_cuda_deferred_try (
    C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (cudaDeviceSynchronize ())));
}

gboolean
c2g_cuda_deferred_wait_for_stream (int          device,
                                   cudaStream_t stream)
{
  cudaError_t result =
    C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (cudaStreamSynchronize (stream)));

  if (!c2g_cuda_deferred_try (result))
    return FALSE;

  return result == cudaSuccess || c2g_cuda_deferred_wait_for_device (device);
}

static void
put_off (C2gCudaDeferredFunc func,
         gpointer            data)
{
  Deferred *deferred = g_new (Deferred, 1);

  deferred->func = func;
  deferred->data = data;

  g_mutex_lock (&lock);
  g_queue_push_tail (&queue, deferred);
  g_atomic_int_inc (&n_queued);
  g_mutex_unlock (&lock);
}

void
c2g_cuda_deferred_run_or_queue (C2gCudaDeferredFunc func,
                                gpointer            data)
{
  if (!func (data))
    put_off (func, data);
}

/* Tries it even if the device cannot be made the current one. */
static gboolean
destroy (gpointer data)
{
  Handle *self = data;
  C2gCudaGuard guard;
  gboolean is_current = c2g_cuda_guard_enter (&guard, self->device, NULL);
  gboolean is_gone = c2g_cuda_epoch_find (self->device) != self->epoch ||
                     c2g_cuda_deferred_try (C2G_CUDA_RELAXED (self->destroy (self->handle)));

  if (is_current)
    c2g_cuda_guard_leave (&guard);
  if (!is_gone)
    return FALSE;

  g_free (self);
  return TRUE;
}

void
c2g_cuda_deferred_destroy (cudaError_t (*function) (gpointer handle),
                           gpointer      handle,
                           int           device,
                           guint         epoch)
{
  Handle *self = g_new (Handle, 1);

  self->destroy = function;
  self->handle = handle;
  self->device = device;
  self->epoch = epoch;
  c2g_cuda_deferred_run_or_queue (destroy, self);
}

static cudaError_t
destroy_event (gpointer event)
{
  return cudaEventDestroy (event);
}

void
c2g_cuda_deferred_destroy_event (cudaEvent_t event,
                                 int         device,
                                 guint       epoch)
{
  c2g_cuda_deferred_destroy (destroy_event, event, device, epoch);
}

static Deferred *
take_oldest (void)
{
  Deferred *deferred;

  g_mutex_lock (&lock);
  deferred = g_queue_pop_head (&queue);
  if (deferred != NULL)
    g_atomic_int_add (&n_queued, -1);
  g_mutex_unlock (&lock);

  return deferred;
}

static void
flush (int n_most)
{
  for (int n_left = MIN (g_atomic_int_get (&n_queued), n_most); n_left > 0; n_left--)
    {
      Deferred *deferred = take_oldest ();

      if (deferred == NULL)
        return;

      /* Queued again if this runs in a host function too. */
      c2g_cuda_deferred_run_or_queue (deferred->func, deferred->data);
      g_free (deferred);
    }
}

void
c2g_cuda_deferred_flush (void)
{
  flush (G_MAXINT);
}

/* A release that is not done yet goes to the end of the queue, so that each has its turn. */
void
c2g_cuda_deferred_flush_some (void)
{
  flush (N_SOME);
}
