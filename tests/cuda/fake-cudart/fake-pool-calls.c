/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-pool-private.h"

/* The functions that make, configure and query pools. */

static cudaError_t
create (cudaMemPool_t                 *handle,
        const struct cudaMemPoolProps *properties)
{
  FakePool *pool;

  if (handle == NULL || properties == NULL ||
      properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice ||
      (properties->handleTypes & ~cudaMemHandleTypePosixFileDescriptor) != 0)
    return cudaErrorInvalidValue;
  if (properties->location.id < 0 || properties->location.id >= fake_state.n_devices)
    return cudaErrorInvalidDevice;

  pool = fake_pool_new (properties->location.id, FALSE);
  pool->n_bytes_max = properties->maxSize;
  *handle = fake_handle (pool->id);

  return cudaSuccess;
}

cudaError_t
cudaMemPoolCreate (cudaMemPool_t                 *handle,
                   const struct cudaMemPoolProps *properties)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, properties);
  return fake_leave (error);
}

/* The blocks of the pool stay valid. */
cudaError_t
cudaMemPoolDestroy (cudaMemPool_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess && pool->is_default)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    {
      if (fake_state.devices[pool->device].pool == pool)
        fake_state.devices[pool->device].pool = NULL;
      pool->is_destroyed = TRUE;
      pool->threshold = 0;
      fake_pools_release ();
    }
  return fake_leave (error);
}

cudaError_t
cudaMemPoolTrimTo (cudaMemPool_t handle,
                   size_t        n_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    fake_pool_trim (pool, n_bytes);
  return fake_leave (error);
}

static cudaError_t
set_attribute (FakePool            *pool,
               enum cudaMemPoolAttr attribute,
               gconstpointer        value)
{
  switch (attribute)
    {
    case cudaMemPoolReuseFollowEventDependencies:
      pool->is_following_events = *(const int *) value != 0;
      return cudaSuccess;
    case cudaMemPoolReuseAllowOpportunistic:
      pool->is_opportunistic = *(const int *) value != 0;
      return cudaSuccess;
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->is_adding_dependencies = *(const int *) value != 0;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool->threshold = *(const guint64 *) value;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      if (*(const guint64 *) value != 0)
        return cudaErrorInvalidValue;
      pool->n_reserved_high = pool->n_reserved;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      if (*(const guint64 *) value != 0)
        return cudaErrorInvalidValue;
      pool->n_used_high = pool->n_used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
    }
}

cudaError_t
cudaMemPoolSetAttribute (cudaMemPool_t        handle,
                         enum cudaMemPoolAttr attribute,
                         void                *value)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    error = set_attribute (pool, attribute, value);
  return fake_leave (error);
}

static cudaError_t
get_attribute (FakePool            *pool,
               enum cudaMemPoolAttr attribute,
               gpointer             value)
{
  int *number = value;
  guint64 *n_bytes = value;

  switch (attribute)
    {
    case cudaMemPoolReuseFollowEventDependencies:
      *number = pool->is_following_events;
      return cudaSuccess;
    case cudaMemPoolReuseAllowOpportunistic:
      *number = pool->is_opportunistic;
      return cudaSuccess;
    case cudaMemPoolReuseAllowInternalDependencies:
      *number = pool->is_adding_dependencies;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      *n_bytes = pool->threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
      *n_bytes = pool->n_reserved;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      *n_bytes = pool->n_reserved_high;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
      *n_bytes = pool->n_used;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      *n_bytes = pool->n_used_high;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
    }
}

cudaError_t
cudaMemPoolGetAttribute (cudaMemPool_t        handle,
                         enum cudaMemPoolAttr attribute,
                         void                *value)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    error = get_attribute (pool, attribute, value);
  return fake_leave (error);
}

static cudaError_t
set_access (FakePool                       *pool,
            const struct cudaMemAccessDesc *accesses,
            gsize                           n_accesses)
{
  for (gsize i = 0; i < n_accesses; i++)
    {
      int device = accesses[i].location.id;

      if (accesses[i].location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
      if (device < 0 || device >= fake_state.n_devices)
        return cudaErrorInvalidDevice;
      if (device == pool->device && accesses[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
      if (device != pool->device && !fake_state.devices[device].can_access[pool->device])
        return cudaErrorPeerAccessUnsupported;
    }

  for (gsize i = 0; i < n_accesses; i++)
    pool->access[accesses[i].location.id] = accesses[i].flags;
  return cudaSuccess;
}

cudaError_t
cudaMemPoolSetAccess (cudaMemPool_t                   handle,
                      const struct cudaMemAccessDesc *accesses,
                      size_t                          n_accesses)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess && accesses == NULL && n_accesses > 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    error = set_access (pool, accesses, n_accesses);
  return fake_leave (error);
}

cudaError_t
cudaMemPoolGetAccess (enum cudaMemAccessFlags *flags,
                      cudaMemPool_t            handle,
                      struct cudaMemLocation  *location)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakePool *pool;

  if (error == cudaSuccess &&
      (flags == NULL || location == NULL || location->type != cudaMemLocationTypeDevice))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (location->id < 0 || location->id >= fake_state.n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess)
    *flags = pool->access[location->id];
  return fake_leave (error);
}

static cudaError_t
check_device (gconstpointer pointer,
              int           device)
{
  if (device < 0 || device >= fake_state.n_devices)
    return cudaErrorInvalidDevice;
  return pointer != NULL ? fake_state.devices[device].lost : cudaErrorInvalidValue;
}

cudaError_t
cudaDeviceGetDefaultMemPool (cudaMemPool_t *pool,
                             int            device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = check_device (pool, device);
  if (error == cudaSuccess)
    *pool = fake_handle (fake_pool_get_default (device)->id);
  return fake_leave (error);
}

cudaError_t
cudaDeviceGetMemPool (cudaMemPool_t *pool,
                      int            device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = check_device (pool, device);
  if (error == cudaSuccess)
    *pool = fake_handle (fake_pool_get (device)->id);
  return fake_leave (error);
}

cudaError_t
cudaDeviceSetMemPool (int           device,
                      cudaMemPool_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);
  FakePool *pool;

  if (error == cudaSuccess)
    error = check_device (handle, device);
  if (error == cudaSuccess)
    error = fake_pool_find (handle, &pool);
  if (error == cudaSuccess && pool->device != device)
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    fake_state.devices[device].pool = pool;
  return fake_leave (error);
}
