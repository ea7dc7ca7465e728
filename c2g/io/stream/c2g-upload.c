/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-upload-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Reads tensors to a device without a copy of the whole tensor on the CPU: one block is copied while the
 * next one is read. */

/* Pieces up to this size go through normal memory. */
#define SMALL_BYTES (64u << 10)

/* Blocks of pinned memory have at least this size, so that pieces of different sizes reuse them. */
#define PIECE_BYTES (1u << 20)

gboolean
c2g_upload_can_take (C2gDataType data_type)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_type, NULL);

  return meta != NULL && meta->is_plain;
}

C2gTensor *
c2g_upload_new_tensor (C2gDevice     *device,
                       C2gDataType    data_type,
                       const gint64  *dims,
                       gsize          n_dims,
                       GError       **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, device, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

gboolean
c2g_upload_init (C2gUpload  *self,
                 C2gTensor  *tensor,
                 GError    **error)
{
  C2gDevice *device = c2g_tensor_get_device (tensor);
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  *self = (C2gUpload) { .tensor = tensor };
  self->address = (guint8 *) (guintptr) c2g_tensor_get_address (tensor);
  self->context = c2g_context_shared (device, error);
  if (self->context == NULL ||
      (storage != NULL && !c2g_storage_wait_for_uses (storage, self->context, error)))
    return FALSE;

  self->allocator = c2g_device_backend_get_host_allocator (device);
  return TRUE;
}

void
c2g_upload_clear (C2gUpload *self)
{
  g_clear_pointer (&self->block, c2g_storage_unref);
  g_clear_object (&self->allocator);
  g_clear_object (&self->context);
}

/* Uses the device's preferred memory for large pieces only: small copies gain nothing. If it is
 * exhausted, uses normal memory. */
gpointer
c2g_upload_begin (C2gUpload  *self,
                  gsize       n_bytes,
                  GError    **error)
{
  g_clear_pointer (&self->block, c2g_storage_unref);
  self->n_bytes = n_bytes;
  if (self->allocator != NULL && n_bytes > SMALL_BYTES)
    self->block = c2g_allocator_allocate (self->allocator, MAX (n_bytes, PIECE_BYTES), self->context,
                                          NULL);
  if (self->block == NULL)
    self->block = c2g_storage_new (c2g_device_cpu (), n_bytes, NULL, error);

  return self->block != NULL ? self->block->address : NULL;
}

gboolean
c2g_upload_send (C2gUpload  *self,
                 gsize       offset,
                 GError    **error)
{
  g_autoptr (C2gStorage) block = g_steal_pointer (&self->block);
  C2gTypeMeta *bytes = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, NULL);
  gboolean done;

  done = c2g_context_copy_items (self->context, bytes, self->n_bytes, block->device, block->address,
                                 c2g_tensor_get_device (self->tensor), self->address + offset,
                                 error);
  /* Record the use also on failure: a part of the copy may be running. */
  c2g_storage_record_use (block, self->context);
  c2g_storage_record_use (c2g_tensor_get_storage (self->tensor), self->context);
  return done;
}

gboolean
c2g_upload_finish (C2gTensor  *tensor,
                   GError    **error)
{
  g_autoptr (C2gContext) context = NULL;

  if (c2g_tensor_get_device (tensor) == c2g_device_cpu ())
    return TRUE;

  context = c2g_context_shared (c2g_tensor_get_device (tensor), error);
  return context != NULL && c2g_context_finish (context, error);
}

gboolean
c2g_upload_blob (C2gBlob       *blob,
                 const C2gJob  *job,
                 GError       **error)
{
  C2gDevice *device = c2g_job_get_far_device (job);
  g_autoptr (C2gTensor) moved = NULL;
  C2gTensor *tensor;
  C2gTypeMeta *meta;

  if (device == NULL || !c2g_blob_is_tensor (blob, c2g_device_cpu ()))
    return TRUE;
  tensor = c2g_blob_get_tensor (blob, NULL);
  meta = c2g_tensor_get_type_meta (tensor);
  if (meta != NULL && !meta->is_plain)
    return TRUE;

  moved = c2g_tensor_to_device (tensor, device, error);
  if (moved == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (moved));
  return TRUE;
}
