/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#define HOST_FLAGS (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)
#define REGISTER_FLAGS                                                                             \
  (cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |                  \
   cudaHostRegisterReadOnly)

/* Device memory */

/* Managed memory is the same here, but it is not limited by the device's. */
static cudaError_t
allocate (gpointer *pointer,
          gsize     n_bytes,
          gboolean  is_managed)
{
  int device = fake_thread_get ()->device;
  FakeMapping *mapping;
  FakeBlock *block;
  cudaError_t error;

  if (pointer == NULL)
    return cudaErrorInvalidValue;
  *pointer = NULL;
  if (n_bytes == 0)
    return cudaSuccess;

  error = is_managed ? cudaSuccess : fake_device_take (device, n_bytes);
  if (error != cudaSuccess)
    return error;
  mapping = fake_mapping_new (n_bytes, TRUE);
  if (mapping == NULL)
    {
      if (!is_managed)
        fake_device_give (device, n_bytes);
      return cudaErrorMemoryAllocation;
    }

  block = fake_block_add (FAKE_BLOCK_DEVICE, device, mapping, mapping->address, n_bytes,
                          fake_state.call);
  block->is_managed = is_managed;
  fake_block_open (block);
  fake_block_fill (block);
  fake_block_close (block);
  *pointer = block->address;

  return cudaSuccess;
}

cudaError_t
cudaMalloc (void  **pointer,
            size_t  n_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = allocate (pointer, n_bytes, FALSE);
  return fake_leave (error);
}

cudaError_t
cudaMallocManaged (void       **pointer,
                   size_t       n_bytes,
                   unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess &&
      (n_bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = allocate (pointer, n_bytes, TRUE);
  return fake_leave (error);
}

/* Returns the block of this kind that begins at the pointer. Any other pointer is a fault. */
FakeBlock *
fake_block_find_start (gconstpointer pointer,
                       FakeBlockKind kind,
                       FakeBlockKind other_kind)
{
  FakeBlock *block = fake_block_find (pointer);
  g_autofree char *name = NULL;

  if (block == NULL)
    {
      FakeBlock *dead = fake_block_find_dead (pointer);

      if (dead != NULL && !g_str_equal (dead->freed_by, "cudaDeviceReset"))
        {
          name = fake_block_describe (dead);
          fake_fault ("double free: %s is given %s, which %s has ended",
                      fake_state.call, name, dead->freed_by);
        }
      else if (dead != NULL)
        fake_check_pointer (pointer, fake_state.call);
      else
        fake_fault ("free: %s is given a pointer to nothing that was allocated", fake_state.call);
      return NULL;
    }

  if (block->address == pointer && (block->kind == kind || block->kind == other_kind))
    return block;

  name = fake_block_describe (block);
  if (block->address != pointer)
    fake_fault ("free: %s is given a pointer into %s", fake_state.call, name);
  else
    fake_fault ("free: %s is not for %s", fake_state.call, name);
  return NULL;
}

/* cudaFree() waits for all work of the device. */
static cudaError_t
free_block (gpointer pointer)
{
  FakeBlock *block;
  int device;

  if (pointer == NULL)
    return cudaSuccess;
  block = fake_block_find_start (pointer, FAKE_BLOCK_DEVICE, FAKE_BLOCK_POOL);
  if (block == NULL)
    return cudaErrorInvalidValue;

  device = block->device;
  if (fake_state.devices[device].lost != cudaSuccess)
    return fake_state.devices[device].lost;
  if (block->kind == FAKE_BLOCK_POOL)
    {
      fake_check_free (block, "cudaFree");
      fake_pool_take_back (block, G_MAXUINT, 0);
      return cudaSuccess;
    }

  fake_block_ref (block);
  fake_wait_for_context (block->context);
  if (block->freed_by == NULL)
    {
      fake_check_free (block, "cudaFree");
      if (!block->is_managed)
        fake_device_give (device, block->n_bytes);
      fake_block_remove (block, "cudaFree");
    }
  fake_block_unref (block);

  return cudaSuccess;
}

cudaError_t
cudaFree (void *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = free_block (pointer);
  return fake_leave (error);
}

/* Pinned memory */

static cudaError_t
allocate_host (gpointer    *pointer,
               gsize        n_bytes,
               unsigned int flags,
               const char  *call)
{
  FakeMapping *mapping;
  FakeBlock *block;

  if (pointer == NULL || (flags & ~HOST_FLAGS) != 0)
    return cudaErrorInvalidValue;
  *pointer = NULL;
  if (n_bytes == 0)
    return cudaSuccess;

  mapping = fake_mapping_new (n_bytes, FALSE);
  if (mapping == NULL)
    return cudaErrorMemoryAllocation;
  block = fake_block_add (FAKE_BLOCK_PINNED, fake_thread_get ()->device, mapping,
                          mapping->address, n_bytes, call);
  block->flags = flags;
  fake_block_fill (block);
  *pointer = block->address;

  return cudaSuccess;
}

cudaError_t
cudaMallocHost (void  **pointer,
                size_t  n_bytes)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = allocate_host (pointer, n_bytes, 0, __func__);
  return fake_leave (error);
}

cudaError_t
cudaHostAlloc (void         **pointer,
               size_t         n_bytes,
               unsigned int   flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = allocate_host (pointer, n_bytes, flags, __func__);
  return fake_leave (error);
}

static cudaError_t
free_host (gpointer pointer)
{
  FakeBlock *block;

  if (pointer == NULL)
    return cudaSuccess;
  block = fake_block_find_start (pointer, FAKE_BLOCK_PINNED, FAKE_BLOCK_PINNED);
  if (block == NULL)
    return cudaErrorInvalidValue;

  fake_check_free (block, "cudaFreeHost");
  fake_wait_for_all ();
  fake_block_remove (block, "cudaFreeHost");

  return cudaSuccess;
}

cudaError_t
cudaFreeHost (void *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = free_host (pointer);
  return fake_leave (error);
}

static cudaError_t
register_host (gpointer     pointer,
               gsize        n_bytes,
               unsigned int flags)
{
  FakeBlock *block;

  if (pointer == NULL || n_bytes == 0 || (flags & ~REGISTER_FLAGS) != 0)
    return cudaErrorInvalidValue;
  if (fake_block_overlaps (pointer, n_bytes))
    return cudaErrorHostMemoryAlreadyRegistered;

  block = fake_block_add (FAKE_BLOCK_REGISTERED, fake_thread_get ()->device, NULL, pointer, n_bytes,
                          "cudaHostRegister");
  block->flags = flags;
  return cudaSuccess;
}

cudaError_t
cudaHostRegister (void        *pointer,
                  size_t       n_bytes,
                  unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = register_host (pointer, n_bytes, flags);
  return fake_leave (error);
}

static cudaError_t
unregister_host (gpointer pointer)
{
  FakeBlock *block = fake_block_find (pointer);

  if (pointer == NULL)
    return cudaErrorInvalidValue;
  if (block == NULL || block->kind != FAKE_BLOCK_REGISTERED || block->address != pointer)
    return cudaErrorHostMemoryNotRegistered;

  fake_check_free (block, "cudaHostUnregister");
  fake_wait_for_all ();
  fake_block_remove (block, "cudaHostUnregister");

  return cudaSuccess;
}

cudaError_t
cudaHostUnregister (void *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);

  if (error == cudaSuccess)
    error = unregister_host (pointer);
  return fake_leave (error);
}

cudaError_t
cudaHostGetDevicePointer (void       **device_pointer,
                          void        *pointer,
                          unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeBlock *block = fake_block_find (pointer);

  if (error == cudaSuccess && (device_pointer == NULL || flags != 0 || block == NULL ||
                               fake_block_is_device (block)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device_pointer = pointer;
  return fake_leave (error);
}

cudaError_t
cudaHostGetFlags (unsigned int *flags,
                  void         *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeBlock *block = fake_block_find (pointer);

  if (error == cudaSuccess &&
      (flags == NULL || block == NULL || fake_block_is_device (block)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *flags = block->flags;
  return fake_leave (error);
}

/* Attributes of pointers */

static cudaError_t
get_attributes (struct cudaPointerAttributes *attributes,
                gconstpointer                 pointer)
{
  FakeBlock *block = fake_block_find (pointer);

  memset (attributes, 0, sizeof *attributes);
  if (block == NULL ||
      (block->kind == FAKE_BLOCK_VIRTUAL && !fake_virtual_has (block, pointer, 1, -1)))
    {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = (gpointer) pointer;
      return cudaSuccess;
    }

  attributes->device = block->device;
  attributes->devicePointer = (gpointer) pointer;
  attributes->type = block->is_managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  if (!fake_block_is_device (block))
    {
      attributes->type = cudaMemoryTypeHost;
      attributes->hostPointer = (gpointer) pointer;
    }

  return cudaSuccess;
}

cudaError_t
cudaPointerGetAttributes (struct cudaPointerAttributes *attributes,
                          const void                   *pointer)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && (attributes == NULL || pointer == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = get_attributes (attributes, pointer);
  return fake_leave (error);
}
