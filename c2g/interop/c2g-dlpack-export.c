/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-dlpack-private.h>
#include <c2g/interop/c2g-dlpack.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Exports tensors by DLPack: c2g_tensor_to_dlpack(). */

/* One allocation with everything that the consumer reads. Its deleter frees it. */
typedef struct
{
  union
  {
    C2gDlManaged          legacy;
    C2gDlManagedVersioned versioned;
  } managed;

  /* Keeps the memory alive and at its address. */
  C2gMapping *mapping;
  /* The shape, followed by the strides. */
  gint64      numbers[];
} Export;

static void
export_free (Export *self)
{
  c2g_mapping_unref (self->mapping);
  g_free (self);
}

static void
delete_legacy (C2gDlManaged *managed)
{
  export_free (managed->manager);
}

static void
delete_versioned (C2gDlManagedVersioned *managed)
{
  export_free (managed->manager);
}

static void
fill_tensor (C2gDlTensor *tensor,
             C2gTensor   *source,
             C2gMapping  *mapping,
             gint64      *numbers)
{
  gint64 *strides = numbers + source->n_dims;
  gint64 stride = 1;

  for (gsize i = source->n_dims; i-- > 0;)
    {
      numbers[i] = source->dims[i];
      strides[i] = stride;
      /* If the tensor is empty, the product of the other dimensions could overflow. */
      if (source->n_elements > 0)
        stride *= source->dims[i];
    }

  tensor->data = (gpointer) (gsize) c2g_mapping_get_address (mapping);
  tensor->device = c2g_dlpack_device_for_device (source->device);
  tensor->n_dims = (gint32) source->n_dims;
  c2g_dlpack_type_for_data_type (c2g_tensor_get_data_type (source), &tensor->type);
  tensor->shape = numbers;
  tensor->strides = strides;
  tensor->byte_offset = 0;
}

/* Takes ownership of mapping, also on failure. */
static Export *
export_new (C2gTensor       *source,
            C2gMapping      *mapping,
            C2gDlpackFlags   flags,
            guint64          dl_flags,
            GError         **error)
{
  Export *self = g_try_malloc (sizeof *self + 2 * source->n_dims * sizeof (gint64));

  if (self == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("No memory to describe a tensor of %zu dimensions"), source->n_dims);
      c2g_mapping_unref (mapping);
      return NULL;
    }

  self->mapping = mapping;
  if ((flags & C2G_DLPACK_VERSIONED) != 0)
    {
      C2gDlManagedVersioned *versioned = &self->managed.versioned;

      versioned->version = (C2gDlVersion) { C2G_DL_MAJOR_VERSION, C2G_DL_MINOR_VERSION };
      versioned->manager = self;
      versioned->deleter = delete_versioned;
      versioned->flags = dl_flags;
      fill_tensor (&versioned->tensor, source, mapping, self->numbers);
    }
  else
    {
      C2gDlManaged *legacy = &self->managed.legacy;

      legacy->manager = self;
      legacy->deleter = delete_legacy;
      fill_tensor (&legacy->tensor, source, mapping, self->numbers);
    }

  return self;
}

gboolean
c2g_dlpack_check_elements (C2gTensor  *self,
                           GError    **error)
{
  C2gDlType type;

  if (!c2g_tensor_check_data (self, error))
    return FALSE;

  if (self->meta == NULL || !c2g_dlpack_type_for_data_type (self->meta->data_type, &type))
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("DLPack has no element type for “%s”"),
                 self->meta != NULL ? self->meta->name : "undefined");
  else if (self->n_dims > C2G_DL_MAX_DIMS)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                 _("Expected 0 … %d dimensions, got %zu"), C2G_DL_MAX_DIMS, self->n_dims);
  else
    return TRUE;

  return FALSE;
}

static gboolean
check_stream (C2gDevice  *device,
              gint64      stream,
              GError    **error)
{
  if (stream == C2G_DL_STREAM_NONE || stream == C2G_DL_STREAM_NO_SYNC)
    return TRUE;

  if (device->type == C2G_DEVICE_TYPE_CPU)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("Expected no stream (0 or -1) for memory of the CPU, got %" PRId64), stream);
  else if (stream < 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("Expected the handle of a stream, 0 or -1, got %" PRId64), stream);
  else
    return TRUE;

  return FALSE;
}

/* Decides if the consumer gets a copy. Fails if a copy is needed but forbidden. */
static gboolean
decide_copy (C2gTensor       *self,
             C2gDlpackFlags   flags,
             C2gDevice       *device,
             gboolean        *copy,
             GError         **error)
{
  gboolean read_only = c2g_tensor_is_read_only (self);

  *copy = TRUE;
  if ((flags & C2G_DLPACK_COPY) != 0 && (flags & C2G_DLPACK_NO_COPY) != 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("The flags COPY and NO_COPY exclude each other; give one of them"));
  else if ((flags & C2G_DLPACK_NO_COPY) != 0 && device != self->device)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("Memory on %s cannot be shared with %s; allow a copy"),
                 c2g_device_to_string (self->device), c2g_device_to_string (device));
  else if ((flags & C2G_DLPACK_NO_COPY) != 0 && read_only && (flags & C2G_DLPACK_VERSIONED) == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_READ_ONLY,
                         _("DLPack before version 1 cannot say that memory is read-only; allow a "
                           "copy or ask for version 1"));
  else
    {
      *copy = (flags & C2G_DLPACK_COPY) != 0 || device != self->device ||
              (read_only && (flags & C2G_DLPACK_VERSIONED) == 0);
      return TRUE;
    }

  return FALSE;
}

/* Waits for all queued work that uses the memory. */
static gboolean
finish_uses (C2gTensor  *self,
             GError    **error)
{
  g_autoptr (C2gContext) context = c2g_context_for_device (self->device, error);

  return context != NULL && c2g_storage_wait_for_uses (self->storage, context, error) &&
         c2g_context_finish (context, error);
}

/* Makes the stream wait for earlier uses of the memory, and records the stream as a use, so that
 * the memory is not reused before the stream is done. If the stream cannot be used like that,
 * waits for the earlier uses here. */
static gboolean
lend_to_stream (C2gTensor  *self,
                gint64      stream,
                GError    **error)
{
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) local_error = NULL;

  if (stream == C2G_DL_STREAM_NO_SYNC || self->storage == NULL)
    return TRUE;
  if (self->device->type == C2G_DEVICE_TYPE_CPU)
    return c2g_storage_finish_uses (self->storage, error);

  context = c2g_device_backend_wrap_stream (
    self->device, stream == C2G_DL_STREAM_NONE ? C2G_DL_STREAM_LEGACY : (guint64) stream,
    &local_error);
  if (local_error != NULL && !g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  if (context == NULL)
    return finish_uses (self, error);

  if (!c2g_storage_wait_for_uses (self->storage, context, error))
    return FALSE;

  c2g_storage_record_use (self->storage, context);
  return TRUE;
}

/* Checks the tensor again: signal handlers and contexts run foreign code, which may have changed
 * it. */
static gboolean
check_pinned (C2gTensor       *self,
              C2gMapping      *mapping,
              C2gDlpackFlags   flags,
              GError         **error)
{
  C2gDlType type;
  gboolean is_writable = (c2g_mapping_get_flags (mapping) & C2G_MAP_WRITE) != 0;

  if (self->meta != NULL && c2g_dlpack_type_for_data_type (self->meta->data_type, &type) &&
      c2g_mapping_get_n_bytes (mapping) == c2g_tensor_byte_size (self) &&
      c2g_mapping_get_address (mapping) == c2g_tensor_get_address (self) &&
      (is_writable || (flags & C2G_DLPACK_VERSIONED) != 0))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_FAILED,
                   _("The tensor was changed while its memory was handed over"));
}

C2gMapping *
c2g_dlpack_pin (C2gTensor       *self,
                C2gDlpackFlags   flags,
                gint64           stream,
                GError         **error)
{
  C2gMapping *mapping = c2g_tensor_pin_elements (self, error);

  if (mapping == NULL)
    return NULL;

  if (!lend_to_stream (self, stream, error) || !check_pinned (self, mapping, flags, error))
    {
      c2g_mapping_unref (mapping);
      return NULL;
    }

  return mapping;
}

/* Exports self, which is the tensor itself or a private copy of it. */
static guint64
export_tensor (C2gTensor       *self,
               C2gDlpackFlags   flags,
               guint64          dl_flags,
               gint64           stream,
               GError         **error)
{
  C2gMapping *mapping = c2g_dlpack_pin (self, flags, stream, error);

  if (mapping == NULL)
    return 0;

  if ((c2g_mapping_get_flags (mapping) & C2G_MAP_WRITE) == 0)
    dl_flags |= C2G_DL_FLAG_READ_ONLY;

  return (guint64) (gsize) export_new (self, mapping, flags, dl_flags, error);
}

/**
 * c2g_tensor_to_dlpack:
 * @self: a tensor with data, of plain numbers
 * @flags: which structure, and whether to copy
 * @device: (nullable): where the consumer wants the memory, `NULL` for where it is
 * @stream: the consumer's stream: 0 for none; on a CUDA device 1 is the legacy
 *   default stream, 2 that of the calling thread, a greater number a handle, and -1
 *   asks not to wait
 * @error: return location for an error
 *
 * Exports the elements to another library, by DLPack.
 *
 * The consumer gets a live view, as from [method@Tensor.map]: both read and write the
 * same memory. The memory stays at its address until the consumer calls the deleter of
 * the structure, even if the tensor is freed before. Read-only memory is marked so. If
 * somebody holds immutable bytes of the tensor, the tensor moves to a copy first.
 *
 * A copy is made if @flags ask for it, if @device is not the tensor's device, or if the
 * memory is read-only and the consumer does not know DLPack 1.
 *
 * On a CUDA device the stream waits for all work that was queued on the memory so far.
 * The memory is reused only after the work that the stream has when the deleter is called.
 * Nobody else can wait for the default stream of a thread (2): for it the call itself
 * waits, and the consumer must have finished when it calls the deleter.
 *
 * The caller owns the structure at the address: [ctor@Tensor.new_from_dlpack] takes
 * it over, and [func@dlpack_release] frees it.
 *
 * Fails with `C2G_ERROR_TYPE` for elements that DLPack does not know,
 * `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data,
 * `C2G_ERROR_NOT_SUPPORTED` or `C2G_ERROR_READ_ONLY` if a copy is needed but
 * @flags forbid it, `C2G_ERROR_INVALID_ARGUMENT` for an impossible stream,
 * `C2G_ERROR_DEVICE`, and `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: the address of a `DLManagedTensorVersioned` or, without `VERSIONED`, of a
 *   `DLManagedTensor`; 0 with an error
 */
guint64
c2g_tensor_to_dlpack (C2gTensor       *self,
                      C2gDlpackFlags   flags,
                      C2gDevice       *device,
                      gint64           stream,
                      GError         **error)
{
  g_autoptr (C2gTensor) copied = NULL;
  gboolean copy;

  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  if (device == NULL)
    device = self->device;

  if (!c2g_dlpack_check_elements (self, error) || !check_stream (device, stream, error) ||
      !decide_copy (self, flags, device, &copy, error))
    return 0;

  if (!copy)
    return export_tensor (self, flags, 0, stream, error);

  copied = c2g_tensor_to_device (self, device, error);
  if (copied == NULL)
    return 0;

  return export_tensor (copied, flags, C2G_DL_FLAG_IS_COPIED, stream, error);
}

/**
 * c2g_tensor_lend_to_stream:
 * @self: a tensor
 * @stream: the number of a stream, as for [method@Tensor.to_dlpack]
 * @error: return location for an error
 *
 * Prepares a stream of another library for using the tensor's memory.
 *
 * The stream waits for all work that was queued on the memory so far. The memory is
 * reused only after the work that the stream has when the last reference to the storage
 * is dropped. The tensor may still move to other memory.
 *
 * On the CPU, where work is done at once, this only waits for devices that use pinned
 * memory.
 *
 * Returns: whether the stream may use the memory; false with
 *   `C2G_ERROR_INVALID_ARGUMENT` for an impossible stream, or `C2G_ERROR_DEVICE`
 */
gboolean
c2g_tensor_lend_to_stream (C2gTensor  *self,
                           gint64      stream,
                           GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return check_stream (self->device, stream, error) && lend_to_stream (self, stream, error);
}
