/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/caffe/memory/c2g-lent-block-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
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
 * Makes the elements of a tensor those of this one, without a copy, with their type and shape.
 *
 * The type counts as written, and all other projections are converted from it. As long as anybody
 * else has the memory, for example @tensor itself, it counts as lent by
 * [method@MixedTensor.ref_mutable_tensor]: writes to it are visible here, and writing in another
 * type or on another device fails with `C2G_ERROR_BUSY`. The owner of foreign memory, such as a
 * NumPy array, may write even later, so all other projections are converted at each read. Read-only
 * memory is never written: the elements move to other memory first. Later changes of the type or
 * shape of @tensor have no effect here.
 *
 * Fails with `C2G_ERROR_TYPE` if the elements are not numbers, if a [class@CaffeTBlob] has locked
 * @self to another type, or if @tensor has no type yet; `C2G_ERROR_FAILED` if its elements have no
 * memory; `C2G_ERROR_DEVICE` if they are on another device; `C2G_ERROR_RANGE` if there are too many
 * elements for one of the requested types; and `C2G_ERROR_BUSY` if somebody holds the elements of
 * @self for writing, or within an allocation for it. After a failure nothing has changed.
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

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Memory at %p is not aligned to elements of type “%s”"), data, meta->name);
}

/**
 * c2g_mixed_tensor_set_data: (skip)
 * @self: a mixed tensor
 * @data: the elements, as many as the tensor has; `NULL` only if there are none
 * @data_type: the type of the elements
 * @device: (nullable): their device, `NULL` for the CPU
 * @destroy: (nullable): called once with @user_data, from any thread, when the elements are not
 *   used any more
 * @user_data: the owner of the elements
 * @error: return location for an error
 *
 * Uses memory of the program as the elements.
 *
 * The type counts as written. Because the owner may write to the memory at any time, all other
 * projections are converted from it at each read. c2g writes to the memory as long as it is the
 * master, but never because of a read.
 *
 * Fails as [method@MixedTensor.set_tensor] does, and with `C2G_ERROR_INVALID_ARGUMENT` if the
 * memory is not aligned to the elements; then @destroy is not called.
 *
 * Returns: `TRUE` if the memory was taken
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
