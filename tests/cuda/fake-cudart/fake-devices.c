/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <stdio.h>

/* All devices are the same: small ones of compute capability 9.0. */
static const struct
{
  enum cudaDeviceAttr attribute;
  int                 value;
} attributes[] = {
  { cudaDevAttrMaxThreadsPerBlock, 1024 },
  { cudaDevAttrMaxBlockDimX, 1024 },
  { cudaDevAttrMaxBlockDimY, 1024 },
  { cudaDevAttrMaxBlockDimZ, 64 },
  { cudaDevAttrMaxGridDimX, G_MAXINT },
  { cudaDevAttrMaxGridDimY, 65535 },
  { cudaDevAttrMaxGridDimZ, 65535 },
  { cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024 },
  { cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 * 1024 },
  { cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024 },
  { cudaDevAttrReservedSharedMemoryPerBlock, 1024 },
  { cudaDevAttrTotalConstantMemory, 64 * 1024 },
  { cudaDevAttrWarpSize, 32 },
  { cudaDevAttrMaxPitch, G_MAXINT },
  { cudaDevAttrMaxRegistersPerBlock, 65536 },
  { cudaDevAttrMaxRegistersPerMultiprocessor, 65536 },
  { cudaDevAttrClockRate, 1000000 },
  { cudaDevAttrTextureAlignment, 512 },
  { cudaDevAttrMultiProcessorCount, 8 },
  { cudaDevAttrCanMapHostMemory, 1 },
  { cudaDevAttrConcurrentKernels, 1 },
  { cudaDevAttrMemoryClockRate, 1000000 },
  { cudaDevAttrGlobalMemoryBusWidth, 256 },
  { cudaDevAttrL2CacheSize, 4 * 1024 * 1024 },
  { cudaDevAttrMaxThreadsPerMultiProcessor, 2048 },
  { cudaDevAttrMaxBlocksPerMultiprocessor, 32 },
  { cudaDevAttrAsyncEngineCount, 2 },
  { cudaDevAttrUnifiedAddressing, 1 },
  { cudaDevAttrComputeCapabilityMajor, 9 },
  { cudaDevAttrComputeCapabilityMinor, 0 },
  { cudaDevAttrStreamPrioritiesSupported, 1 },
  { cudaDevAttrCanUseHostPointerForRegisteredMem, 1 },
  { cudaDevAttrHostRegisterSupported, 1 },
  { cudaDevAttrMemoryPoolsSupported, 1 },
  { cudaDevAttrMemoryPoolSupportedHandleTypes, 1 },
  { cudaDevAttrIpcEventSupport, 1 },
};

static gboolean
is_device (int device)
{
  return device >= 0 && device < fake_state.n_devices;
}

static int
get_attribute (enum cudaDeviceAttr attribute,
               int                 device)
{
  if (attribute == cudaDevAttrPciBusId)
    return device + 1;

  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++)
    if (attributes[i].attribute == attribute)
      return attributes[i].value;

  return 0;
}

cudaError_t
cudaDeviceGetAttribute (int                *value,
                        enum cudaDeviceAttr attribute,
                        int                 device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && !is_device (device))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && (value == NULL || attribute <= 0 || attribute >= cudaDevAttrMax))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *value = get_attribute (attribute, device);
  return fake_leave (error);
}

static void
fill_limits (struct cudaDeviceProp *properties)
{
  properties->maxThreadsPerBlock = 1024;
  properties->maxThreadsDim[0] = 1024;
  properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = G_MAXINT;
  properties->maxGridSize[1] = 65535;
  properties->maxGridSize[2] = 65535;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->sharedMemPerBlock = 48 * 1024;
  properties->sharedMemPerBlockOptin = 227 * 1024;
  properties->sharedMemPerMultiprocessor = 228 * 1024;
  properties->reservedSharedMemPerBlock = 1024;
  properties->regsPerBlock = 65536;
  properties->regsPerMultiprocessor = 65536;
  properties->totalConstMem = 64 * 1024;
  properties->memPitch = G_MAXINT;
}

static void
fill_properties (struct cudaDeviceProp *properties,
                 int                    device)
{
  memset (properties, 0, sizeof *properties);
  g_snprintf (properties->name, sizeof properties->name, "Fake GPU %d", device);
  properties->uuid.bytes[0] = device + 1;
  properties->totalGlobalMem = fake_state.devices[device].n_bytes_limit;
  properties->warpSize = 32;
  properties->major = 9;
  properties->textureAlignment = 512;
  properties->multiProcessorCount = 8;
  properties->canMapHostMemory = 1;
  properties->concurrentKernels = 1;
  properties->pciBusID = device + 1;
  properties->asyncEngineCount = 2;
  properties->unifiedAddressing = 1;
  properties->memoryBusWidth = 256;
  properties->l2CacheSize = 4 * 1024 * 1024;
  properties->streamPrioritiesSupported = 1;
  properties->canUseHostPointerForRegisteredMem = 1;
  properties->hostRegisterSupported = 1;
  properties->memoryPoolsSupported = 1;
  properties->memoryPoolSupportedHandleTypes = 1;
  properties->ipcEventSupported = 1;
  fill_limits (properties);
}

cudaError_t
cudaGetDeviceProperties (struct cudaDeviceProp *properties,
                         int                    device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && !is_device (device))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && properties == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    fill_properties (properties, device);
  return fake_leave (error);
}

cudaError_t
cudaDeviceGetPCIBusId (char *text,
                       int   n_bytes,
                       int   device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && !is_device (device))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && (text == NULL || n_bytes < 13))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    g_snprintf (text, n_bytes, "0000:%02X:00.0", device + 1);
  return fake_leave (error);
}

cudaError_t
cudaDeviceGetByPCIBusId (int        *device,
                         const char *text)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);
  unsigned int domain, bus, slot;

  if (error == cudaSuccess && (device == NULL || text == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (sscanf (text, "%x:%x:%x", &domain, &bus, &slot) != 3 ||
                               domain != 0 || !is_device ((int) bus - 1)))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    *device = (int) bus - 1;
  return fake_leave (error);
}

/* The list of devices */

cudaError_t
cudaGetDeviceCount (int *n_devices)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && n_devices == NULL)
    error = cudaErrorInvalidValue;
  if (n_devices != NULL)
    *n_devices = error == cudaSuccess ? fake_state.n_devices : 0;
  return fake_leave (error);
}

cudaError_t
cudaSetDevice (int device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && !is_device (device))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    {
      fake_context_set (&fake_state.devices[device].primary);
      fake_context_hold (device);
    }
  return fake_leave (error);
}

cudaError_t
cudaInitDevice (int          device,
                unsigned int device_flags,
                unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && !is_device (device))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    fake_context_hold (device);
  return fake_leave (error);
}

cudaError_t
cudaGetDevice (int *device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && device == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = fake_thread_get ()->device;
  return fake_leave (error);
}

cudaError_t
cudaSetDeviceFlags (unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && (flags & ~cudaDeviceMask) != 0)
    error = cudaErrorInvalidValue;
  return fake_leave (error);
}

/* Needs no driver. If there is none the version is 0. */
cudaError_t
cudaDriverGetVersion (int *version)
{
  cudaError_t error = fake_enter (FAKE_CALL_PLAIN);

  if (fake_state.is_unloading)
    error = cudaErrorCudartUnloading;
  else if (version == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *version = fake_state.driver;
  return fake_leave (error);
}

cudaError_t
cudaRuntimeGetVersion (int *version)
{
  cudaError_t error = fake_enter (FAKE_CALL_PLAIN);

  if (version == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *version = CUDART_VERSION;
  return fake_leave (error);
}

/* The work of a device */

cudaError_t
cudaDeviceSynchronize (void)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    {
      int device = fake_thread_get ()->device;

      fake_wait_for_context (fake_thread_get ()->context);
      fake_pools_release ();
      error = fake_state.devices[device].lost;
    }
  return fake_leave (error);
}

/* Only memory pools with their blocks, and contexts that programs made, survive the reset.
 * Afterwards the device works again. */
void
fake_device_restart (int device)
{
  FakeDevice *self = &fake_state.devices[device];

  fake_context_end (&self->primary);
  fake_context_reset (device);
  self->lost = cudaSuccess;
  for (int i = 0; i < FAKE_CUDA_MAX_DEVICES; i++)
    self->has_access[i] = fake_state.devices[i].has_access[device] = FALSE;
}

cudaError_t
cudaDeviceReset (void)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    {
      int device = fake_thread_get ()->device;

      fake_check_end (device);
      if (fake_state.devices[device].lost == cudaSuccess)
        fake_wait_for_context (&fake_state.devices[device].primary);
      fake_device_restart (device);
    }
  return fake_leave (error);
}

void
fake_cuda_lose_device (int         device,
                       cudaError_t error)
{
  g_return_if_fail (device >= 0 && device < FAKE_CUDA_MAX_DEVICES);

  fake_lock ();
  fake_state.devices[device].lost = error;
  fake_contexts_drop_work (device);
  fake_unlock ();
}

/* Memory */

cudaError_t
fake_device_take (int   device,
                  gsize n_bytes)
{
  FakeDevice *self = &fake_state.devices[device];

  if (n_bytes <= self->n_bytes_limit && self->n_bytes_used > self->n_bytes_limit - n_bytes)
    fake_pools_release_for (device);
  if (n_bytes > self->n_bytes_limit || self->n_bytes_used > self->n_bytes_limit - n_bytes)
    return cudaErrorMemoryAllocation;

  self->n_bytes_used += n_bytes;
  return cudaSuccess;
}

void
fake_device_give (int   device,
                  gsize n_bytes)
{
  fake_state.devices[device].n_bytes_used -= n_bytes;
}

cudaError_t
cudaMemGetInfo (size_t *n_bytes_free,
                size_t *n_bytes_total)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && (n_bytes_free == NULL || n_bytes_total == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    {
      FakeDevice *device = &fake_state.devices[fake_thread_get ()->device];

      *n_bytes_total = device->n_bytes_limit;
      *n_bytes_free = device->n_bytes_limit - MIN (device->n_bytes_used, device->n_bytes_limit);
    }
  return fake_leave (error);
}

void
fake_cuda_set_memory_limit (int    device,
                            size_t n_bytes)
{
  g_return_if_fail (device >= 0 && device < FAKE_CUDA_MAX_DEVICES);

  fake_lock ();
  fake_state.devices[device].n_bytes_limit = n_bytes;
  fake_unlock ();
}

/* Peers */

#define MAX_PEERS 8

static cudaError_t
check_peers (int device,
             int peer)
{
  return is_device (device) && is_device (peer) ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t
cudaDeviceCanAccessPeer (int *can_access,
                         int  device,
                         int  peer)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = can_access != NULL ? check_peers (device, peer) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *can_access = fake_state.devices[device].can_access[peer];
  return fake_leave (error);
}

/* A device has at most eight peers, whichever of the two asked. */
static gboolean
has_room (int device)
{
  guint n = 0;

  for (int i = 0; i < FAKE_CUDA_MAX_DEVICES; i++)
    n += fake_state.devices[device].has_access[i] || fake_state.devices[i].has_access[device];

  return n < MAX_PEERS;
}

static gboolean
are_peers (int device,
           int peer)
{
  return fake_state.devices[device].has_access[peer] || fake_state.devices[peer].has_access[device];
}

cudaError_t
cudaDeviceEnablePeerAccess (int          peer,
                            unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  int number = fake_thread_get ()->device;
  FakeDevice *device = &fake_state.devices[number];

  if (error == cudaSuccess)
    error = flags == 0 ? check_peers (number, peer) : cudaErrorInvalidValue;
  if (error == cudaSuccess && (peer == number || !device->can_access[peer]))
    error = peer == number ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported;
  if (error == cudaSuccess && device->has_access[peer])
    error = cudaErrorPeerAccessAlreadyEnabled;
  if (error == cudaSuccess && !are_peers (number, peer) && (!has_room (number) || !has_room (peer)))
    error = cudaErrorTooManyPeers;
  if (error == cudaSuccess)
    device->has_access[peer] = TRUE;
  return fake_leave (error);
}

cudaError_t
cudaDeviceDisablePeerAccess (int peer)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  int number = fake_thread_get ()->device;
  FakeDevice *device = &fake_state.devices[number];

  if (error == cudaSuccess)
    error = check_peers (number, peer);
  if (error == cudaSuccess && !device->has_access[peer])
    error = cudaErrorPeerAccessNotEnabled;
  if (error == cudaSuccess)
    device->has_access[peer] = FALSE;
  return fake_leave (error);
}

void
fake_cuda_set_peer_access (int device,
                           int peer,
                           int is_possible)
{
  g_return_if_fail (device >= 0 && device < FAKE_CUDA_MAX_DEVICES);
  g_return_if_fail (peer >= 0 && peer < FAKE_CUDA_MAX_DEVICES);

  fake_lock ();
  fake_state.devices[device].can_access[peer] = is_possible != 0;
  fake_unlock ();
}
