/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>

#include <c2g/cuda/driver/c2g-cuda-driver-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

/* Detects that a device was reset, after which all its objects and memory are gone. */

/* A block of memory that tells of a reset. It goes with all else on the device, and its buffer id
 * is never used again: if the address has another id, or none, the device was reset. The memory is
 * the host's, so that it takes none of the device's. */
typedef struct
{
  gpointer           memory;
  /* 0 if CUDA gives no id. Then resets are not found. */
  unsigned long long id;
} Witness;

/* Guards witnesses. */
static GMutex lock;
static Witness witnesses[C2G_CUDA_MAX_DEVICES];

guint c2g_cuda_epochs[C2G_CUDA_MAX_DEVICES];
guint c2g_cuda_n_resets;

/* The device of the memory must be the current one. */
static cudaError_t
read_id (gpointer            memory,
         unsigned long long *id)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();

  return driver == NULL ? cudaErrorNotSupported
                        : (cudaError_t) driver->get_attribute (id, CU_POINTER_ATTRIBUTE_BUFFER_ID,
                                                               (CUdeviceptr) (gsize) memory);
}

/* A device that has failed gives other errors, and tells nothing before it is reset. */
static gboolean
is_gone (const Witness *self)
{
  unsigned long long id = 0;
  cudaError_t result = read_id (self->memory, &id);

  return self->id != 0 &&
         (result == cudaErrorInvalidValue || result == cudaErrorContextIsDestroyed ||
          (result == cudaSuccess && id != self->id));
}

static void
make (Witness *self,
      int      device)
{
  *self = (Witness) { NULL };
  if (c2g_cuda_check (C2G_CUDA_RELAXED (cudaHostAlloc (&self->memory, 1, cudaHostAllocDefault)),
                      "cudaHostAlloc", device, NULL) &&
      read_id (self->memory, &self->id) != cudaSuccess)
    self->id = 0;
}

static Witness
look (int device)
{
  Witness witness;

  g_mutex_lock (&lock);
  witness = witnesses[device];
  g_mutex_unlock (&lock);

  return witness;
}

/* Stores the new witness, and counts a reset if there was an old one; FALSE if another thread was
 * faster. */
static gboolean
replace (int            device,
         const Witness *old,
         const Witness *new)
{
  gboolean is_first;

  g_mutex_lock (&lock);
  is_first = witnesses[device].memory == old->memory && witnesses[device].id == old->id;
  if (is_first)
    {
      witnesses[device] = *new;
      if (old->memory != NULL)
        {
          g_atomic_int_inc (&c2g_cuda_epochs[device]);
          g_atomic_int_inc (&c2g_cuda_n_resets);
        }
    }
  g_mutex_unlock (&lock);

  return is_first;
}

guint
c2g_cuda_epoch_find (int device)
{
  C2gCudaGuard guard;
  Witness old, new;

  if (device < 0 || c2g_cuda_guard_was_checked (device) ||
      !c2g_cuda_guard_enter (&guard, device, NULL))
    return c2g_cuda_epoch_get (device);

  old = look (device);
  if (old.memory == NULL || is_gone (&old))
    {
      make (&new, device);
      if (!replace (device, &old, &new) && new.memory != NULL)
        C2G_CUDA_CALL (device, NULL, cudaFreeHost, new.memory);
    }
  c2g_cuda_guard_leave (&guard);

  return c2g_cuda_epoch_get (device);
}

guint
c2g_cuda_epoch_get (int device)
{
  return device < 0 ? 0 : (guint) g_atomic_int_get (&c2g_cuda_epochs[device]);
}
