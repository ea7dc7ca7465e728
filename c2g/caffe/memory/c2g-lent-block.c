/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-lent-block-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/memory/c2g-storage-private.h>

/* Blocks of memory that synced memories lend: who reads, who may write, and how a block looks as a
 * tensor. */

/* Counts the owner as a tensor of the storage. A tensor over the storage then sees that it is not
 * alone, and copies its elements when immutable bytes are requested. */
C2gLentBlock *
c2g_lent_block_new (C2gStorage *storage,
                    gsize       offset,
                    gsize       n_bytes)
{
  C2gLentBlock *self = g_new (C2gLentBlock, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->storage = c2g_storage_give_to_tensor (storage);
  self->offset = offset;
  self->n_bytes = n_bytes;
  self->is_own = FALSE;

  return self;
}

void
c2g_lent_block_unref (C2gLentBlock *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  c2g_storage_remove_tensor (self->storage);
  g_free (self);
}

C2gTensorPlace
c2g_lent_block_place (C2gLentBlock *self)
{
  C2gStorage *storage = self->storage;

  /* C adds nothing to NULL, which is the address of no bytes. */
  return (C2gTensorPlace) { storage->device, storage,
                            (gpointer) ((guintptr) storage->address + self->offset) };
}

gboolean
c2g_lent_block_finish_work (C2gLentBlock  *self,
                            GError       **error)
{
  g_autoptr (C2gContext) context = NULL;

  if (self->storage->device->type == C2G_DEVICE_TYPE_CPU)
    return TRUE;

  context = c2g_context_shared (self->storage->device, error);
  return context != NULL && c2g_storage_wait_for_uses (self->storage, context, error) &&
         c2g_context_finish (context, error);
}

C2gTensor *
c2g_lent_tensor_new (C2gDataType    data_type,
                     const gint64  *dims,
                     gsize          n_dims,
                     C2gStorage    *storage,
                     gsize          offset,
                     GError       **error)
{
  C2gTensor *tensor = c2g_tensor_new_from_storage (data_type, dims, n_dims, storage, offset, error);

  if (tensor != NULL)
    {
      tensor->capacity = c2g_tensor_byte_size (tensor);
      tensor->is_slice = TRUE;
    }
  return tensor;
}

C2gTensor *
c2g_lent_block_ref_tensor (C2gLentBlock  *self,
                           C2gDataType    data_type,
                           gint64         n_elements,
                           GError       **error)
{
  return c2g_lent_tensor_new (data_type, &n_elements, 1, self->storage, self->offset, error);
}

static void
release_reader (gpointer data)
{
  c2g_lent_block_unref (data);
}

C2gStorage *
c2g_lent_block_ref_reader (C2gLentBlock *self,
                           gsize         n_bytes)
{
  const C2gTensorPlace place = c2g_lent_block_place (self);

  g_atomic_ref_count_inc (&self->ref_count);
  /* Unlisted, because the ledger already counts the bytes. */
  return c2g_storage_new_unlisted (place.device, place.address, n_bytes, TRUE, release_reader, self);
}

gboolean
c2g_lent_block_is_read (C2gLentBlock *self)
{
  return !g_atomic_ref_count_compare (&self->ref_count, 1);
}

gboolean
c2g_lent_block_is_held (C2gLentBlock *self)
{
  return c2g_storage_n_refs (self->storage) > 1 && !c2g_storage_is_sealed (self->storage);
}

void
c2g_lent_block_hand_over (C2gStorage     *storage,
                          gboolean        is_taken,
                          GDestroyNotify  destroy,
                          gpointer        user_data)
{
  if (is_taken)
    {
      storage->destroy = destroy;
      storage->destroy_data = user_data;
    }
  c2g_storage_unref (storage);
}
