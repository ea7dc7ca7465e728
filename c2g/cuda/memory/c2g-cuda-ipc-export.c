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
#include <c2g/cuda/memory/c2g-cuda-caching-allocator-private.h>
#include <c2g/cuda/memory/c2g-cuda-ipc-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gCudaIpcExport:
 *
 * Memory on a GPU that is shared with another process.
 *
 * Its handle is a row of bytes that is sent to the other process in any way. That process
 * makes a storage or a tensor of it with [func@ipc_open_storage] or [func@ipc_open_tensor].
 * Both processes then have the same memory.
 *
 * ```python
 * export = C2gCuda.IpcExport.new_for_tensor(tensor, context)
 * connection.send_bytes(export.get_handle().get_data())
 * connection.recv()                       # the other one is done
 * del export
 * ```
 *
 * ```python
 * handle = GLib.Bytes.new(connection.recv_bytes())
 * tensor = C2gCuda.ipc_open_tensor(handle, context)
 * ```
 *
 * The export keeps the memory, and the event that the other process waits for. CUDA does
 * not tell when the other process is done. That process has to say so, and the export has
 * to be kept until then. What the other process wrote is there when it has closed the
 * memory, that is when the last reference to the storage is gone, or when its context is
 * finished.
 *
 * Memory of [class@CachingAllocator] can be exported, and memory that another library got
 * from `cudaMalloc()`, or a part of it. Memory of [class@AsyncAllocator], the default,
 * cannot be exported, nor can memory of other pools, or memory mapped by functions of the
 * driver, such as expandable segments, c2g's and PyTorch's: CUDA exports these in other ways.
 *
 * The other process can reach the whole segment that contains the block. Give handles only
 * to processes that you trust.
 *
 * ## Threads
 *
 * All functions may be called from any thread.
 */

struct _C2gCudaIpcExport
{
  GObject      parent_instance;

  C2gStorage  *storage;
  GBytes      *handle;
  int          device;
  guint        epoch;
  cudaEvent_t  event;
};

G_DEFINE_FINAL_TYPE (C2gCudaIpcExport, c2g_cuda_ipc_export, G_TYPE_OBJECT)

static void
c2g_cuda_ipc_export_finalize (GObject *object)
{
  C2gCudaIpcExport *self = C2G_CUDA_IPC_EXPORT (object);

  if (self->event != NULL)
    c2g_cuda_deferred_destroy_event (self->event, self->device, self->epoch);
  g_clear_pointer (&self->handle, g_bytes_unref);
  g_clear_pointer (&self->storage, c2g_storage_unref);

  G_OBJECT_CLASS (c2g_cuda_ipc_export_parent_class)->finalize (object);
}

static void
c2g_cuda_ipc_export_class_init (C2gCudaIpcExportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_cuda_ipc_export_finalize;
}

static void
c2g_cuda_ipc_export_init (C2gCudaIpcExport *self)
{
}

static gboolean
set_not_supported (GError     **error,
                   const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, message);
  return FALSE;
}

static C2gCudaCache *
find_cache (C2gStorage *storage)
{
  C2gAllocator *allocator = c2g_storage_get_allocator (storage);

  return C2G_CUDA_IS_CACHING_ALLOCATOR (allocator)
           ? c2g_cuda_caching_allocator_peek_cache (C2G_CUDA_CACHING_ALLOCATOR (allocator))
           : NULL;
}

static gboolean
check_storage (C2gStorage  *storage,
               GError     **error)
{
  C2gDevice *device = c2g_storage_get_device (storage);

  if (c2g_device_get_device_type (device) != C2G_DEVICE_TYPE_CUDA)
    return c2g_fail (error, C2G_ERROR_DEVICE,
                     _("Expected memory of a CUDA device to export, got some of %s"),
                     c2g_device_to_string (device));
  if (c2g_storage_get_address (storage) == 0)
    return set_not_supported (error, _("There is no memory to export"));

  return TRUE;
}

/* One allocation of CUDA, of which a storage may be a part. */
typedef struct
{
  CUdeviceptr base;
  size_t      n_bytes;
  int         can_be_exported;
} Allocation;

/* The device of the address must be the current one. */
static cudaError_t
ask_driver (CUdeviceptr  address,
            Allocation  *allocation)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();
  cudaError_t result = cudaErrorNotSupported;

  if (driver != NULL)
    result =
      (cudaError_t) driver->get_range (&allocation->base, &allocation->n_bytes, address);
  if (result == cudaSuccess)
    result = (cudaError_t) driver->get_attribute (&allocation->can_be_exported,
                                                  CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                                  address);

  return result;
}

static gboolean
find_allocation (C2gStorage  *storage,
                 Allocation  *allocation,
                 GError     **error)
{
  int device = c2g_device_get_index (c2g_storage_get_device (storage));
  CUdeviceptr address = c2g_storage_get_address (storage);
  gsize n_bytes = c2g_storage_get_n_bytes (storage);
  cudaError_t result;

  result = C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (ask_driver (address, allocation)));
  if (!c2g_cuda_check (result, "cuMemGetAddressRange", device, error))
    return FALSE;
  if (!allocation->can_be_exported)
    return set_not_supported (error,
                              _("CUDA cannot export this memory, which is of a pool or was mapped "
                                "by functions of the driver: allocate it from a "
                                "C2gCudaCachingAllocator without expandable segments"));
  if (n_bytes <= allocation->n_bytes - (address - allocation->base))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("Of %zu bytes to export only %zu were allocated at once"), n_bytes,
                   (gsize) (allocation->n_bytes - (address - allocation->base)));
}

/* CUDA gives a handle of the whole allocation, whatever address in it is named. */
static gboolean
fill_memory (C2gStorage        *storage,
             C2gCudaIpcHandle  *handle,
             GError           **error)
{
  Allocation allocation = { .can_be_exported = 0 };

  if (!find_allocation (storage, &allocation, error))
    return FALSE;

  handle->offset += c2g_storage_get_address (storage) - allocation.base;

  return C2G_CUDA_RELAXED_CALL (c2g_device_get_index (c2g_storage_get_device (storage)), error,
                                cudaIpcGetMemHandle, &handle->memory,
                                (gpointer) (gsize) allocation.base);
}

/* Returns a stream that is behind the context's work so far. Without a context it is behind all
 * recorded uses of the memory, or behind the whole device if the uses are not known. */
static C2gCudaStream *
find_stream (C2gStorage  *storage,
             C2gContext  *context,
             GError     **error)
{
  C2gDevice *device = c2g_storage_get_device (storage);
  C2gCudaCache *cache = find_cache (storage);
  g_autoptr (C2gCudaStream) stream = NULL;
  gboolean done;

  if (context != NULL)
    return g_object_ref (c2g_cuda_context_peek_stream (context));

  stream = c2g_cuda_stream_new (device, error);
  if (stream == NULL)
    return NULL;

  if (cache != NULL)
    done = c2g_cuda_cache_wait_for_uses (
      cache, (gpointer) (guintptr) c2g_storage_get_address (storage), stream, error);
  else
    done = C2G_CUDA_RELAXED_CALL (c2g_device_get_index (device), error, cudaDeviceSynchronize);

  return done ? g_steal_pointer (&stream) : NULL;
}

static gboolean
fill_event (C2gCudaIpcExport  *self,
            C2gContext        *context,
            C2gCudaIpcHandle  *handle,
            GError           **error)
{
  g_autoptr (C2gCudaStream) stream = find_stream (self->storage, context, error);

  return stream != NULL &&
         C2G_CUDA_RELAXED_CALL (self->device, error, cudaEventCreateWithFlags, &self->event,
                                cudaEventInterprocess | cudaEventDisableTiming) &&
         C2G_CUDA_RELAXED_CALL (self->device, error, cudaIpcGetEventHandle, &handle->event,
                                self->event) &&
         C2G_CUDA_STREAM_CALL (self->device, error, cudaEventRecord, self->event,
                               c2g_cuda_stream_peek (stream));
}

static gboolean
check_context (C2gContext  *context,
               C2gStorage  *storage,
               GError     **error)
{
  C2gDevice *device = c2g_storage_get_device (storage);

  if (context == NULL ||
      (C2G_CUDA_IS_CONTEXT (context) && c2g_context_get_device (context) == device))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_DEVICE, _("A context of %s is none of %s"),
                   c2g_device_to_string (c2g_context_get_device (context)),
                   c2g_device_to_string (device));
}

/* handle already has the tensor's type and dimensions, and the offset in the storage. */
static C2gCudaIpcExport *
new_export (C2gStorage        *storage,
            C2gContext        *context,
            C2gCudaIpcHandle  *handle,
            GError           **error)
{
  g_autoptr (C2gCudaIpcExport) self = NULL;

  if (!check_storage (storage, error) || !check_context (context, storage, error))
    return NULL;

  self = g_object_new (C2G_CUDA_TYPE_IPC_EXPORT, NULL);
  self->storage = c2g_storage_ref (storage);
  self->device = c2g_device_get_index (c2g_storage_get_device (storage));
  self->epoch = c2g_cuda_epoch_find (self->device);

  memcpy (handle->magic, C2G_CUDA_IPC_MAGIC, sizeof handle->magic);
  memcpy (handle->process, c2g_cuda_ipc_get_process (), sizeof handle->process);
  /* The event is made first: this gives the thread a context of the device if it had none, which
   * the functions of the driver need. */
  if (!c2g_cuda_ipc_find_uuid (self->device, &handle->device, error) ||
      !fill_event (self, context, handle, error) || !fill_memory (storage, handle, error))
    return NULL;

  self->handle = g_bytes_new (handle, sizeof *handle + handle->n_dims * sizeof *handle->dims);
  return g_steal_pointer (&self);
}

/**
 * c2g_cuda_ipc_export_new:
 * @storage: memory on a CUDA device
 * @context: (nullable): the context whose work the other process waits for
 * @error: return location for an error
 *
 * Exports memory for another process.
 *
 * The other process waits for the work that @context was given so far; without a context,
 * for all work that uses the memory.
 *
 * Errors: `C2G_ERROR_NOT_SUPPORTED` for memory that CUDA does not export,
 * `C2G_ERROR_DEVICE` for host memory and for a context of another device, and errors of
 * CUDA.
 *
 * Returns: (transfer full): the export
 */
C2gCudaIpcExport *
c2g_cuda_ipc_export_new (C2gStorage  *storage,
                         C2gContext  *context,
                         GError     **error)
{
  C2gCudaIpcHandle handle = { .n_bytes = 0 };

  g_return_val_if_fail (storage != NULL, NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  handle.n_bytes = c2g_storage_get_n_bytes (storage);
  return new_export (storage, context, &handle, error);
}

static gboolean
check_tensor (C2gTensor  *tensor,
              GError    **error)
{
  if (c2g_tensor_get_storage (tensor) == NULL || c2g_tensor_get_n_elements (tensor) == 0)
    return set_not_supported (error, _("There is no memory to export"));
  if (c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_UNDEFINED)
    return set_not_supported (error, _("Elements of a type of this program's own mean nothing to "
                                       "another one"));

  return TRUE;
}

/**
 * c2g_cuda_ipc_export_new_for_tensor:
 * @tensor: a tensor on a CUDA device, with elements
 * @context: (nullable): the context whose work the other process waits for
 * @error: return location for an error
 *
 * Exports a tensor for another process: the memory, the type and the dimensions.
 *
 * If the tensor gets another block afterwards, the other process keeps the exported one.
 *
 * Errors: those of [ctor@IpcExport.new], and `C2G_ERROR_NOT_SUPPORTED` for a tensor
 * without elements.
 *
 * Returns: (transfer full): the export
 */
C2gCudaIpcExport *
c2g_cuda_ipc_export_new_for_tensor (C2gTensor   *tensor,
                                    C2gContext  *context,
                                    GError     **error)
{
  g_autofree C2gCudaIpcHandle *handle = NULL;
  const gint64 *dims;
  C2gStorage *storage;
  gsize n_dims;

  g_return_val_if_fail (C2G_IS_TENSOR (tensor), NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_tensor (tensor, error))
    return NULL;

  storage = c2g_tensor_get_storage (tensor);
  dims = c2g_tensor_get_dims (tensor, &n_dims);
  handle = g_malloc0 (sizeof *handle + n_dims * sizeof *dims);
  handle->offset = c2g_tensor_get_address (tensor) - c2g_storage_get_address (storage);
  handle->n_bytes = c2g_tensor_get_n_bytes (tensor);
  handle->data_type = c2g_tensor_get_data_type (tensor);
  handle->n_dims = n_dims;
  if (n_dims > 0)
    memcpy (handle->dims, dims, n_dims * sizeof *dims);

  return new_export (storage, context, handle, error);
}

/**
 * c2g_cuda_ipc_export_get_handle:
 * @self: an export
 *
 * Gets the handle to send to the other process.
 *
 * Returns: (transfer none) (nullable): bytes; `NULL` for an export that was not made by
 *   [ctor@IpcExport.new] or [ctor@IpcExport.new_for_tensor]
 */
GBytes *
c2g_cuda_ipc_export_get_handle (C2gCudaIpcExport *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_IPC_EXPORT (self), NULL);

  return self->handle;
}

/**
 * c2g_cuda_ipc_export_get_storage:
 * @self: an export
 *
 * Gets the memory that was exported.
 *
 * Returns: (transfer none) (nullable): a storage; `NULL` for an export that was not made
 *   by [ctor@IpcExport.new] or [ctor@IpcExport.new_for_tensor]
 */
C2gStorage *
c2g_cuda_ipc_export_get_storage (C2gCudaIpcExport *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_IPC_EXPORT (self), NULL);

  return self->storage;
}
