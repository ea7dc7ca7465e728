/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-ipc-export.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-driver-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-ipc-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Opens tensors whose memory another process has exported. */

/* Memory of another process that is open in this one. */
typedef struct
{
  int      device;
  guint    epoch;
  gpointer base;
} Opened;

const guint8 *
c2g_cuda_ipc_get_process (void)
{
  static guint32 process[4];
  static gsize is_drawn;

  if (g_once_init_enter (&is_drawn))
    {
      /* This generator gets a random seed; the seed of g_random_int() can be set by programs. */
      g_autoptr (GRand) random = g_rand_new ();

      for (gsize i = 0; i < G_N_ELEMENTS (process); i++)
        process[i] = g_rand_int (random);
      g_once_init_leave (&is_drawn, 1);
    }

  return (const guint8 *) process;
}

gboolean
c2g_cuda_ipc_find_uuid (int          device,
                        cudaUUID_t  *uuid,
                        GError     **error)
{
  struct cudaDeviceProp properties;

  if (!C2G_CUDA_CALL (device, error, cudaGetDeviceProperties, &properties, device))
    return FALSE;

  *uuid = properties.uuid;
  return TRUE;
}

static cudaError_t
close_memory (gpointer base)
{
  return cudaIpcCloseMemHandle (base);
}

static void
release (gpointer data)
{
  Opened *opened = data;

  c2g_cuda_deferred_destroy (close_memory, opened->base, opened->device, opened->epoch);
  g_free (opened);
}

static gboolean
set_corrupt (GError **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("This is no handle of memory of another process"));
}

/* Copies the handle, because the bytes may be unaligned; NULL with an error. */
static C2gCudaIpcHandle *
read_handle (GBytes  *bytes,
             GError **error)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);
  g_autofree C2gCudaIpcHandle *handle = NULL;

  if (n_bytes < sizeof *handle || n_bytes > sizeof *handle + G_MAXUINT16)
    {
      set_corrupt (error);
      return NULL;
    }

  handle = g_memdup2 (data, n_bytes);
  if (memcmp (handle->magic, C2G_CUDA_IPC_MAGIC, sizeof handle->magic) != 0 ||
      (n_bytes - sizeof *handle) / sizeof *handle->dims != handle->n_dims ||
      (n_bytes - sizeof *handle) % sizeof *handle->dims != 0 || handle->n_bytes == 0 ||
      handle->n_bytes > G_MAXSSIZE || handle->offset > G_MAXSSIZE - handle->n_bytes)
    {
      set_corrupt (error);
      return NULL;
    }
  if (memcmp (handle->process, c2g_cuda_ipc_get_process (), sizeof handle->process) == 0)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("The memory is of this process itself, where its storage can be "
                            "used"));

  return g_steal_pointer (&handle);
}

/* Finds the device by its UUID, because its number may be another one here. An error for one device
 * matters only if no other device matches. */
static C2gDevice *
find_device (const C2gCudaIpcHandle  *handle,
             GError                 **error)
{
  g_autoptr (GError) first_error = NULL;
  int n_devices = 0;

  if (!C2G_CUDA_CALL (0, error, cudaGetDeviceCount, &n_devices))
    return NULL;

  for (int i = 0; i < n_devices; i++)
    {
      cudaUUID_t uuid;

      if (c2g_cuda_ipc_find_uuid (i, &uuid, first_error == NULL ? &first_error : NULL) &&
          memcmp (&uuid, &handle->device, sizeof uuid) == 0)
        return c2g_device_new (C2G_DEVICE_TYPE_CUDA, i, error);
    }

  if (first_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first_error));
      return NULL;
    }
  return c2g_fail_null (error, C2G_ERROR_DEVICE,
                        _("The memory is on a device that this process does not see"));
}

/* Makes the context, or else the caller, wait for the other process's event. The event can be
 * closed as soon as the wait is queued. */
static gboolean
wait_for_other (const C2gCudaIpcHandle  *handle,
                C2gContext              *context,
                int                      device,
                GError                 **error)
{
  cudaEvent_t event;
  gboolean done;

  if (!C2G_CUDA_RELAXED_CALL (device, error, cudaIpcOpenEventHandle, &event, handle->event))
    return FALSE;

  if (context != NULL)
    done = C2G_CUDA_STREAM_CALL (device, error, cudaStreamWaitEvent,
                                 c2g_cuda_stream_peek (c2g_cuda_context_peek_stream (context)),
                                 event, 0);
  else
    done = C2G_CUDA_RELAXED_CALL (device, error, cudaEventSynchronize, event);
  C2G_CUDA_RELAXED_CALL (device, NULL, cudaEventDestroy, event);

  return done;
}

/* The other process wrote the sizes in the handle, so they are checked. If the driver cannot tell
 * the size of the memory they are believed. */
static gboolean
check_range (const C2gCudaIpcHandle  *handle,
             int                      device,
             gpointer                 base,
             GError                 **error)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();
  CUdeviceptr start = 0;
  size_t n_bytes = 0;
  cudaError_t result = cudaErrorNotSupported;

  if (driver != NULL)
    result = C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED ((cudaError_t) driver->get_range (
                                           &start, &n_bytes, (CUdeviceptr) (gsize) base)));
  if (result != cudaSuccess)
    return TRUE;

  n_bytes -= (CUdeviceptr) (gsize) base - start;
  if (handle->offset <= n_bytes && handle->n_bytes <= n_bytes - handle->offset)
    return TRUE;

  return set_corrupt (error);
}

static C2gStorage *
open_memory (const C2gCudaIpcHandle  *handle,
             C2gDevice               *device,
             C2gContext              *context,
             GError                 **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  int index = c2g_device_get_index (device);
  gpointer base;
  Opened *opened;

  if (!C2G_CUDA_RELAXED_CALL (index, error, cudaIpcOpenMemHandle, &base, handle->memory,
                              cudaIpcMemLazyEnablePeerAccess))
    return NULL;

  opened = g_new (Opened, 1);
  opened->device = index;
  opened->epoch = c2g_cuda_epoch_find (index);
  opened->base = base;
  storage = c2g_storage_new_external (device, (char *) base + handle->offset, handle->n_bytes,
                                      FALSE, release, opened);
  if (!check_range (handle, index, base, error) || !wait_for_other (handle, context, index, error))
    return NULL;
  if (context != NULL)
    c2g_storage_record_use (storage, context);

  return g_steal_pointer (&storage);
}

static C2gStorage *
open_storage (const C2gCudaIpcHandle  *handle,
              C2gContext              *context,
              GError                 **error)
{
  C2gDevice *device = find_device (handle, error);

  c2g_cuda_deferred_flush ();
  if (device == NULL)
    return NULL;
  if (context != NULL &&
      (!C2G_CUDA_IS_CONTEXT (context) || c2g_context_get_device (context) != device))
    return c2g_fail_null (error, C2G_ERROR_DEVICE, _("A context of %s is none of %s"),
                          c2g_device_to_string (c2g_context_get_device (context)),
                          c2g_device_to_string (device));

  return open_memory (handle, device, context, error);
}

/**
 * c2g_cuda_ipc_open_storage:
 * @handle: the bytes of [method@IpcExport.get_handle] in another process
 * @context: (nullable): the context that uses the memory
 * @error: return location for an error
 *
 * Opens memory of another process on the same machine.
 *
 * The later work of @context waits for what the other process wants to be waited for;
 * without a context the call itself waits. Other contexts have to be ordered by events.
 *
 * The memory stays open until the last reference is gone, which waits for the contexts that
 * used it. Until then the other process has to keep it.
 *
 * Errors: `C2G_ERROR_CORRUPT` for bytes that are no handle of that memory,
 * `C2G_ERROR_NOT_SUPPORTED` for memory of the same process, `C2G_ERROR_DEVICE` for a device
 * that the process does not see and for a context of another device, and errors of CUDA.
 *
 * Returns: (transfer full): a storage over the memory
 */
C2gStorage *
c2g_cuda_ipc_open_storage (GBytes      *handle,
                           C2gContext  *context,
                           GError     **error)
{
  g_autofree C2gCudaIpcHandle *content = NULL;

  g_return_val_if_fail (handle != NULL, NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  content = read_handle (handle, error);

  return content != NULL ? open_storage (content, context, error) : NULL;
}

/**
 * c2g_cuda_ipc_open_tensor:
 * @handle: the bytes of [method@IpcExport.get_handle] in another process, for a tensor
 * @context: (nullable): the context that uses the memory
 * @error: return location for an error
 *
 * Opens a tensor of another process on the same machine.
 *
 * It is [func@ipc_open_storage] with a tensor over the memory. If the tensor gets other
 * memory, that of the other process does not change.
 *
 * Errors: those of [func@ipc_open_storage], and `C2G_ERROR_CORRUPT` for a handle of no
 * tensor.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_cuda_ipc_open_tensor (GBytes      *handle,
                          C2gContext  *context,
                          GError     **error)
{
  g_autofree C2gCudaIpcHandle *content = NULL;
  g_autoptr (C2gStorage) storage = NULL;

  g_return_val_if_fail (handle != NULL, NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  content = read_handle (handle, error);
  if (content == NULL)
    return NULL;
  if (c2g_type_meta_for_data_type ((C2gDataType) content->data_type, NULL) == NULL)
    {
      set_corrupt (error);
      return NULL;
    }

  storage = open_storage (content, context, error);
  if (storage == NULL)
    return NULL;

  return c2g_tensor_new_from_storage ((C2gDataType) content->data_type, content->dims,
                                      content->n_dims, storage, 0, error);
}
