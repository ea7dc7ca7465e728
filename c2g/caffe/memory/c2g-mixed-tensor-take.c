/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/caffe/memory/c2g-lent-block-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Makes memory of the program the content of a mixed tensor, in the type of the given elements. */

/* Elements of the program, and their place. STORAGE is NULL if there are none. */
typedef struct
{
  C2gTypeMeta  *meta;
  const gint64 *dims;
  gsize         n_dims;
  C2gStorage   *storage;
  gsize         offset;
  C2gDevice    *device;
} Elements;

/* Does everything that can fail before the tensor is changed. */
static gboolean
make_projection (C2gMixedTensor  *self,
                 const Elements  *elements,
                 C2gSyncedSide    side,
                 C2gMixedChange  *change,
                 GError         **error)
{
  C2gSyncedMemory *memory;

  if (!c2g_mixed_check_type (self, elements->meta->data_type, error) || !c2g_mixed_check_not_held (self, error))
    return FALSE;
  memory = c2g_mixed_ensure_memory (self, elements->meta, error);
  if (memory == NULL || !c2g_mixed_assign_shape (self, elements->dims, elements->n_dims, change, error) ||
      (elements->storage != NULL &&
       !c2g_synced_memory_take (memory, side, elements->storage, elements->offset, error)))
    return FALSE;

  c2g_mixed_make_master (self, elements->meta, memory, change);
  return TRUE;
}

static gboolean
take (C2gMixedTensor  *self,
      const Elements  *elements,
      GError         **error)
{
  C2gMixedChange change;
  C2gSyncedSide side;
  gboolean done;

  if (!c2g_mixed_find_side (self, elements->device, &side, error) || !c2g_mixed_begin (self, &change, error))
    return FALSE;

  done = make_projection (self, elements, side, &change, error);
  c2g_mixed_end (self, &change);

  return done;
}

/**
 * c2g_mixed_tensor_set_tensor:
 * @self: a mixed tensor
 * @tensor: a tensor of numbers, on the CPU or the device of @self
 * @error: return location for an error
 *
 * Takes the elements of a tensor, without a copy, together with its type and shape.
 *
 * The type counts as written, and all other projections are converted from it. As long as anybody else
 * has the memory, @tensor itself for one, that is as if [method@MixedTensor.ref_mutable_tensor] had
 * given it: what is written there is seen here, and writing in another type or place is
 * `C2G_ERROR_BUSY`. Memory from outside, such as an array of NumPy, may be written by its owner even
 * later, and all other projections are converted at each read. Read-only memory is never written: the
 * elements move to other memory first. Changes of the type or shape of @tensor do not count here.
 *
 * Fails with `C2G_ERROR_TYPE` if the elements are not numbers, or a [class@CaffeTBlob] of another type
 * has those of @self, or @tensor has no type yet; `C2G_ERROR_FAILED` if its elements have no memory;
 * `C2G_ERROR_DEVICE` if they are in another place; `C2G_ERROR_RANGE` if there are too many
 * elements for a type that was asked for; and `C2G_ERROR_BUSY` if somebody holds the elements of @self
 * for writing, or within an allocation for it; nothing changes then.
 *
 * Returns: whether the elements were taken
 */
gboolean
c2g_mixed_tensor_set_tensor (C2gMixedTensor  *self,
                             C2gTensor       *tensor,
                             GError         **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  g_autofree gint64 *dims = NULL;
  C2gTensorChanges changes = { 0 };
  C2gTypeMeta *meta;
  gboolean done;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_tensor_check_plain (tensor, error))
    return FALSE;
  meta = c2g_numbers_find_type (c2g_tensor_get_data_type (tensor), error);
  if (meta == NULL || !c2g_tensor_check_data (tensor, error) || !c2g_tensor_thaw (tensor, &changes, error))
    return FALSE;

  /* Copy the shape and hold the storage: allocators and signal handlers may change the given
   * tensor. */
  dims = c2g_mixed_dup_dims (tensor->dims, tensor->n_dims);
  storage = tensor->n_elements > 0 ? c2g_storage_ref (tensor->storage) : NULL;
  done = take (self, &(Elements) { meta, dims, tensor->n_dims, storage, tensor->offset, tensor->device }, error);
  c2g_tensor_emit_changes (tensor, &changes);

  return done;
}

static gboolean
check_aligned (C2gTypeMeta    *meta,
               gconstpointer   data,
               GError        **error)
{
  if (c2g_type_meta_is_aligned (meta, data))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("Memory at %p is not aligned to elements of type “%s”"), data, meta->name);
  return FALSE;
}

/**
 * c2g_mixed_tensor_set_data: (skip)
 * @self: a mixed tensor
 * @data: as many elements as there are; `NULL` only if there are none
 * @data_type: the type of the elements
 * @device: (nullable): where they are, `NULL` for the CPU
 * @destroy: (nullable): called once with @user_data, from any thread, when nobody has the elements
 *   any more
 * @user_data: the owner of the elements
 * @error: return location for an error
 *
 * Takes memory of somebody else as the elements.
 *
 * The type counts as written, and all other projections are converted from it, at each read: its owner
 * may write to the memory at any time. It is written as long as it is the master, and not by reads.
 *
 * Fails as [method@MixedTensor.set_tensor] does, and with `C2G_ERROR_INVALID_ARGUMENT` if the memory is
 * not aligned to the elements; @destroy is not called then.
 *
 * Returns: whether the memory was taken
 */
gboolean
c2g_mixed_tensor_set_data (C2gMixedTensor  *self,
                           gpointer         data,
                           C2gDataType      data_type,
                           C2gDevice       *device,
                           GDestroyNotify   destroy,
                           gpointer         user_data,
                           GError         **error)
{
  C2gTypeMeta *meta;
  C2gStorage *storage;
  gboolean done;
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (data != NULL || self->n_elements == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_numbers_find_type (data_type, error);
  if (meta == NULL || !c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error) ||
      !check_aligned (meta, data, error))
    return FALSE;

  storage = c2g_storage_new_external (device != NULL ? device : c2g_device_cpu (), data, n_bytes, FALSE,
                                      NULL, NULL);
  done = take (self, &(Elements) { meta, self->dims, self->n_dims, n_bytes > 0 ? storage : NULL, 0, device }, error);
  c2g_lent_block_hand_over (storage, done, destroy, user_data);

  return done;
}
