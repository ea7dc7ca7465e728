/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-allocator-private.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-adaptor-allocator.h>
#include <c2g/core/memory/c2g-cpu-allocator.h>
#include <c2g/core/types/c2g-error-private.h>

/* Keeps the default allocator of each device, see c2g_allocator_set_default(). Tensors without
 * an allocator of their own use it. */

/* Protects default_allocator of every device. */
static GMutex lock;

C2gAllocator *c2g_allocator_builtin;

C2gAllocator *
c2g_allocator_builtin_cpu (void)
{
  C2gAllocator *allocator = g_atomic_pointer_get (&c2g_allocator_builtin);
  C2gAllocator *made;

  if (G_LIKELY (allocator != NULL))
    return allocator;

  made = g_object_new (C2G_TYPE_CPU_ALLOCATOR, NULL);
  if (!g_atomic_pointer_compare_and_exchange (&c2g_allocator_builtin, NULL, made))
    g_object_unref (made);

  return g_atomic_pointer_get (&c2g_allocator_builtin);
}

/**
 * c2g_allocator_get_default:
 * @device: a device
 * @error: return location for an error
 *
 * Gets the allocator that tensors on a device take memory from. Any thread.
 *
 * Returns: (transfer full): an allocator, or `NULL` with `C2G_ERROR_DEVICE` if
 *   there is no such device here
 */
C2gAllocator *
c2g_allocator_get_default (C2gDevice  *device,
                           GError    **error)
{
  C2gAllocator *allocator;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  g_mutex_lock (&lock);
  allocator = device->default_allocator;
  if (allocator != NULL)
    g_object_ref (allocator);
  g_mutex_unlock (&lock);

  if (allocator != NULL)
    return allocator;
  if (device->type == C2G_DEVICE_TYPE_CPU)
    return g_object_ref (c2g_allocator_builtin_cpu ());

  return c2g_device_backend_get_allocator (device, error);
}

/* Refuses a stack in which each allocation would fail. */
static gboolean
check_stack (C2gAllocator  *allocator,
             GError       **error)
{
  while (C2G_IS_ADAPTOR_ALLOCATOR (allocator))
    {
      if (C2G_IS_POOL_ALLOCATOR (allocator) &&
          !c2g_pool_allocator_check_upstream (C2G_POOL_ALLOCATOR (allocator), error))
        return FALSE;
      allocator = c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (allocator));
    }

  return TRUE;
}

/**
 * c2g_allocator_set_default:
 * @device: a device
 * @allocator: (nullable): an allocator for that device, or `NULL` for the
 *   built-in one
 * @error: return location for an error
 *
 * Replaces the allocator that tensors on a device take memory from.
 *
 * Live blocks do not change and are freed by the allocator that made them. Any thread.
 *
 * Returns: whether it was replaced; `FALSE` with `C2G_ERROR_INVALID_ARGUMENT` if @allocator
 *   gives memory of another device, `C2G_ERROR_NOT_SUPPORTED` if its stack contains a
 *   [class@PoolAllocator] for memory of another device than the CPU
 */
gboolean
c2g_allocator_set_default (C2gDevice     *device,
                           C2gAllocator  *allocator,
                           GError       **error)
{
  C2gDevice *other;
  C2gAllocator *old;

  g_return_val_if_fail (device != NULL, FALSE);
  g_return_val_if_fail (allocator == NULL || C2G_IS_ALLOCATOR (allocator), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  other = allocator != NULL ? c2g_allocator_get_device (allocator) : device;
  if (other != device)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected an allocator for %s, got one for %s"),
                     c2g_device_to_string (device), c2g_device_to_string (other));

  if (!check_stack (allocator, error))
    return FALSE;

  if (allocator == c2g_allocator_builtin_cpu ())
    allocator = NULL;
  if (allocator != NULL)
    g_object_ref (allocator);

  g_mutex_lock (&lock);
  old = device->default_allocator;
  g_atomic_pointer_set (&device->default_allocator, allocator);
  g_mutex_unlock (&lock);

  g_clear_object (&old);

  return TRUE;
}

C2gStorage *
c2g_allocator_allocate_default (C2gDevice   *device,
                                gsize        n_bytes,
                                C2gContext  *context,
                                GError     **error)
{
  g_autoptr (C2gAllocator) allocator = NULL;

  if (G_LIKELY (device->type == C2G_DEVICE_TYPE_CPU &&
                g_atomic_pointer_get (&device->default_allocator) == NULL))
    return c2g_allocator_allocate (c2g_allocator_builtin_cpu (), n_bytes, context, error);

  allocator = c2g_allocator_get_default (device, error);
  if (allocator == NULL)
    return NULL;

  return c2g_allocator_allocate (allocator, n_bytes, context, error);
}
