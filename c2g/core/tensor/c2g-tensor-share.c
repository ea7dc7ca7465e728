/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Lets tensors share memory, with each other and with other code: rules 4, 6 and 7 of the memory
 * rules in the documentation. */

G_ALWAYS_INLINE
static inline gboolean
check_share (C2gTensor  *self,
             C2gTensor  *source,
             GError    **error)
{
  if (!c2g_tensor_check_data (source, error))
    return FALSE;

  if (!self->is_defined || self->n_elements != source->n_elements)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                 _("Expected a source of %" PRId64 " elements, got one of %" PRId64),
                 self->n_elements, source->n_elements);
  else if (self->device != source->device)
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                 _("Memory on %s cannot be shared with a tensor on %s; copy it"),
                 c2g_device_to_string (source->device), c2g_device_to_string (self->device));
  else
    return TRUE;

  return FALSE;
}

/* Returns TRUE if both tensors have the same part of the same block. */
static gboolean
has_block_of (C2gTensor *self,
              C2gTensor *source)
{
  return self->storage == source->storage && self->offset == source->offset &&
         self->capacity == source->capacity;
}

/* Inlined, for sharing is done for each tensor of a run. */
G_ALWAYS_INLINE
static inline void
take_memory (C2gTensor        *self,
             C2gTensor        *source,
             C2gTensorChanges *changes)
{
  if (!has_block_of (self, source))
    {
      c2g_tensor_assign_shared (self, source->storage, source->offset, source->capacity, changes);
      self->is_slice = source->is_slice;
    }
  c2g_tensor_assign_type (self, source->meta, changes);
}

gboolean
c2g_tensor_share_to_read (C2gTensor  *self,
                          C2gTensor  *source,
                          GError    **error)
{
  C2gTensorChanges changes = { 0 };

  if (!check_share (self, source, error))
    return FALSE;

  take_memory (self, source, &changes);
  c2g_tensor_emit_changes (self, &changes);
  return TRUE;
}

/**
 * c2g_tensor_share_data:
 * @self: a tensor with a shape
 * @source: an allocated tensor with as many elements on the same device
 * @error: return location for an error
 *
 * Makes the tensor share the memory of another.
 *
 * Afterwards each sees the writes of the other, until one of them moves to another block; see
 * [class@Tensor]. The tensor takes over the element type, but not the shape. If there are
 * immutable bytes of @source, @source moves to a copy first.
 *
 * Fails with `C2G_ERROR_SHAPE` if the numbers of elements differ or one of the two
 * has no shape, `C2G_ERROR_DEVICE` if the devices differ, `C2G_ERROR_FAILED` if
 * @source has no data, and `C2G_ERROR_NO_MEMORY`; nothing changes then.
 *
 * Returns: whether the memory is shared
 */
gboolean
c2g_tensor_share_data (C2gTensor  *self,
                       C2gTensor  *source,
                       GError    **error)
{
  C2gTensorChanges changes = { 0 };
  C2gTensorChanges source_changes = { 0 };

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_share (self, source, error))
    return FALSE;
  if (self == source)
    return TRUE;
  if (!c2g_tensor_thaw (source, &source_changes, error))
    return FALSE;

  take_memory (self, source, &changes);
  if (G_UNLIKELY (source_changes.what != 0))
    {
      g_autoptr (C2gTensor) kept = g_object_ref (self);

      c2g_tensor_emit_changes (source, &source_changes);
      c2g_tensor_emit_changes (kept, &changes);
      return TRUE;
    }

  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/* Creates a tensor with the same memory, type and device; the caller sets the shape. */
static C2gTensor *
new_sharing (C2gTensor        *self,
             gsize             offset,
             gsize             capacity,
             C2gTensorChanges *changes)
{
  C2gTensor *other = c2g_tensor_new_for_device (self->device);

  c2g_tensor_assign_type (other, self->meta, changes);
  if (self->storage == NULL)
    return other;

  c2g_tensor_assign_shared (other, self->storage, offset, capacity, changes);
  other->is_slice = TRUE;
  return other;
}

C2gTensor *
c2g_tensor_new_sharing (C2gTensor *self)
{
  C2gTensorChanges changes = { 0 };
  C2gTensor *other = new_sharing (self, self->offset, self->capacity, &changes);

  if (self->is_defined)
    c2g_tensor_assign_dims (other, self->dims, self->n_dims, self->n_elements, &changes);
  return other;
}

C2gTensor *
c2g_tensor_dup_range (C2gTensor  *self,
                      gint64      begin,
                      gint64      end,
                      C2gDevice  *device,
                      GError    **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 n_elements = end - begin;
  gsize item_size = self->meta != NULL ? self->meta->item_size : 0;
  g_autoptr (C2gTensor) range = NULL;

  range = new_sharing (self, self->offset + begin * item_size, n_elements * item_size, &changes);
  c2g_tensor_assign_dims (range, &n_elements, 1, n_elements, &changes);
  return c2g_tensor_to_device (range, device, error);
}

static gboolean
check_foreign (C2gTensor    *self,
               C2gTypeMeta  *meta,
               gsize         n_bytes,
               GError      **error)
{
  gsize needed;

  if (!self->is_defined)
    return c2g_fail (error, C2G_ERROR_SHAPE,
                     _("The tensor has no shape yet; resize it before memory is shared"));

  if (!c2g_shape_bytes (self->n_elements, meta->item_size, &needed, error))
    return FALSE;

  if (n_bytes < needed)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Expected at least %zu bytes for %" PRId64
                       " elements of type “%s”, got %zu"),
                     needed, self->n_elements, meta->name,
                     n_bytes);

  return TRUE;
}

static void
take_foreign (C2gTensor   *self,
              C2gTypeMeta *meta,
              C2gStorage  *storage)
{
  C2gTensorChanges changes = { 0 };

  c2g_tensor_assign_block (self, storage, 0, storage->n_bytes, &changes);
  c2g_tensor_assign_type (self, meta, &changes);
  c2g_tensor_emit_changes (self, &changes);
}

/**
 * c2g_tensor_share_bytes:
 * @self: a tensor with a shape, on the CPU
 * @data_type: the element type, of plain elements
 * @bytes: at least as many bytes as the elements need
 * @error: return location for an error
 *
 * Lays the tensor over bytes, without a copy.
 *
 * The memory is read-only: the tensor moves to a copy before its first write.
 * Bytes that are not aligned to the elements are copied at once.
 *
 * Fails with `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_RANGE` for too few
 * bytes, `C2G_ERROR_TYPE` for an element type that is not plain,
 * `C2G_ERROR_DEVICE` on another device, and `C2G_ERROR_NO_MEMORY`; nothing changes
 * then.
 *
 * Returns: whether the tensor has the bytes
 */
gboolean
c2g_tensor_share_bytes (C2gTensor    *self,
                        C2gDataType   data_type,
                        GBytes       *bytes,
                        GError      **error)
{
  C2gStorage *storage;
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_tensor_meta_for (data_type, error);
  if (meta == NULL || !check_foreign (self, meta, g_bytes_get_size (bytes), error))
    return FALSE;

  if (!meta->is_plain)
    return c2g_fail (error, C2G_ERROR_TYPE, _("Elements of type “%s” are not plain bytes"),
                     meta->name);

  if (self->device->type != C2G_DEVICE_TYPE_CPU)
    return c2g_fail (error, C2G_ERROR_DEVICE, _("Bytes cannot be shared with a tensor on %s"),
                     c2g_device_to_string (self->device));

  /* The address of no bytes need not be aligned. */
  if (g_bytes_get_size (bytes) == 0 ||
      c2g_type_meta_is_aligned (meta, g_bytes_get_data (bytes, NULL)))
    storage = c2g_storage_new_from_bytes (bytes);
  else if (c2g_tensor_new_block (self, meta, g_bytes_get_size (bytes), NULL, &storage, error))
    memcpy (storage->address, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  else
    return FALSE;

  take_foreign (self, meta, storage);

  return TRUE;
}

/**
 * c2g_tensor_share_external: (skip)
 * @self: a tensor with a shape
 * @data_type: the element type
 * @pointer: memory on the tensor's device
 * @n_bytes: its size, which becomes the tensor's capacity
 * @destroy: (nullable): called once with @user_data, from any thread, when the
 *   memory is no longer needed
 * @user_data: the owner of the memory
 * @error: return location for an error
 *
 * Lays the tensor over foreign memory, without a copy.
 *
 * A resize within @n_bytes keeps this memory. On failure nothing changes and @destroy will not
 * be called.
 *
 * Fails with `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_TYPE` for an unknown
 * type, `C2G_ERROR_RANGE` for too few bytes and `C2G_ERROR_INVALID_ARGUMENT` if
 * @pointer is not aligned to the elements.
 *
 * Returns: whether the tensor has the memory
 */
gboolean
c2g_tensor_share_external (C2gTensor       *self,
                           C2gDataType      data_type,
                           gpointer         pointer,
                           gsize            n_bytes,
                           GDestroyNotify   destroy,
                           gpointer         user_data,
                           GError         **error)
{
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_tensor_meta_for (data_type, error);

  return meta != NULL &&
         c2g_tensor_share_external_meta (self, meta, pointer, n_bytes, destroy, user_data, error);
}

/**
 * c2g_tensor_share_external_meta: (skip)
 * @self: a tensor with a shape
 * @meta: the element type
 * @pointer: memory on the tensor's device, with constructed elements
 * @n_bytes: its size, which becomes the tensor's capacity
 * @destroy: (nullable): called once with @user_data, from any thread, when the
 *   memory is no longer needed; it destroys the elements too, if need be
 * @user_data: the owner of the memory
 * @error: return location for an error
 *
 * Lays the tensor over foreign memory with elements of any type.
 *
 * It works, and fails, as [method@Tensor.share_external] does.
 *
 * Returns: whether the tensor has the memory
 */
gboolean
c2g_tensor_share_external_meta (C2gTensor       *self,
                                C2gTypeMeta     *meta,
                                gpointer         pointer,
                                gsize            n_bytes,
                                GDestroyNotify   destroy,
                                gpointer         user_data,
                                GError         **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (pointer != NULL || n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_foreign (self, meta, n_bytes, error))
    return FALSE;

  if (!c2g_type_meta_is_aligned (meta, pointer))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Memory at %p is not aligned to elements of type “%s”"), pointer,
                     meta->name);

  take_foreign (self, meta,
                c2g_storage_new_external (self->device, pointer, n_bytes, FALSE,
                                          destroy, user_data));

  return TRUE;
}

static gboolean
check_slice (C2gTensor  *self,
             gint64      begin,
             gint64      end,
             GError    **error)
{
  if (!c2g_tensor_check_data (self, error))
    return FALSE;

  if (self->n_dims == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE,
                         _("A tensor without dimensions has no slices"));
  else if (begin < 0 || end < begin || end > self->dims[0])
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("Expected a slice within 0 … %" PRId64 ", got %" PRId64
                   " … %" PRId64),
                 self->dims[0], begin, end);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_tensor_slice:
 * @self: a tensor with data and a first dimension
 * @begin: the first row
 * @end: the row behind the last
 * @error: return location for an error
 *
 * Creates a tensor over some rows of another, sharing its memory.
 *
 * The slice has no capacity beyond its rows, so it moves to another block when it grows. If
 * there are immutable bytes of the tensor, the tensor moves to a copy first.
 *
 * Fails with `C2G_ERROR_RANGE` if there are no such rows, `C2G_ERROR_SHAPE`
 * without a first dimension, `C2G_ERROR_FAILED` without data, and
 * `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a tensor of the same type whose first dimension is
 *   @end − @begin
 */
C2gTensor *
c2g_tensor_slice (C2gTensor  *self,
                  gint64      begin,
                  gint64      end,
                  GError    **error)
{
  C2gTensorChanges changes = { 0 };
  C2gTensorChanges slice_changes = { 0 };
  g_autoptr (C2gTensor) slice = NULL;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_slice (self, begin, end, error) || !c2g_tensor_thaw (self, &changes, error))
    return NULL;

  slice = c2g_tensor_new_for_device (self->device);
  c2g_tensor_assign_dims (slice, self->dims, self->n_dims, self->n_elements, &slice_changes);
  c2g_tensor_assign_type (slice, self->meta, &slice_changes);
  if (self->dims[0] > 0)
    slice->n_elements = self->n_elements / self->dims[0] * (end - begin);
  slice->dims[0] = end - begin;

  if (self->storage != NULL)
    {
      gsize row_bytes = self->dims[0] > 0 ? c2g_tensor_byte_size (self) / (gsize) self->dims[0] : 0;

      c2g_tensor_assign_shared (slice, self->storage, self->offset + (gsize) begin * row_bytes,
                                (gsize) (end - begin) * row_bytes, &slice_changes);
      slice->is_slice = TRUE;
    }
  c2g_tensor_emit_changes (self, &changes);

  return g_steal_pointer (&slice);
}

/* Moves the tensor out of memory that others may write. */
static gboolean
leave_foreign (C2gTensor         *self,
               C2gTensorChanges  *changes,
               GError           **error)
{
  return self->storage == NULL || !self->storage->is_foreign ||
         c2g_tensor_move_to_block (self, c2g_tensor_byte_size (self), NULL, changes, error);
}

/**
 * c2g_tensor_seal:
 * @self: a tensor with data
 * @error: return location for an error
 *
 * Makes the memory of the tensor read-only for good, without a copy where that is sound.
 *
 * This holds for all of the block and for everyone who has it: other tensors, slices and
 * whoever shares it later. Whoever reads it can rely on it in any thread. Nothing undoes it.
 * A tensor that is written afterwards moves to a copy first, as with all read-only memory, and
 * [method@Storage.map] for writing fails with `C2G_ERROR_READ_ONLY`. Sealing memory that is
 * sealed or was read-only from the beginning does nothing.
 *
 * Memory that came from outside, such as an array of NumPy, may be written by others at any time.
 * The tensor leaves it and moves to a copy, which is sealed; other tensors stay there, unsealed.
 *
 * Addresses of [method@Tensor.mutable_data] are not known to the tensor: do not write through them
 * afterwards.
 *
 * Fails with `C2G_ERROR_BUSY` while a mapping for writing lives, or an array of NumPy or a DLPack
 * export that may write, with `C2G_ERROR_SHAPE` without a shape, with `C2G_ERROR_FAILED` without
 * data, and, if the elements have to be copied, as [method@Tensor.reserve] does.
 *
 * Returns: whether the memory is sealed
 */
gboolean
c2g_tensor_seal (C2gTensor  *self,
                 GError    **error)
{
  C2gTensorChanges changes = { 0 };
  gboolean is_sealed;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  is_sealed = c2g_tensor_check_data (self, error) && leave_foreign (self, &changes, error) &&
              (self->storage == NULL || c2g_storage_seal (self->storage, error));
  c2g_tensor_emit_changes (self, &changes);

  return is_sealed;
}

/**
 * c2g_tensor_is_sealed:
 * @self: a tensor
 *
 * Tells whether the tensor's memory is read-only for good.
 *
 * Returns: whether there is memory and nobody may write to it
 */
gboolean
c2g_tensor_is_sealed (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return c2g_tensor_is_read_only (self) && !self->storage->is_foreign;
}

/* Swaps the members from dims up to label. Labels stay, because the blobs keep their tensors. */
static void
swap_contents (C2gTensor *self,
               C2gTensor *other)
{
  char old[G_STRUCT_OFFSET (C2gTensor, label) - G_STRUCT_OFFSET (C2gTensor, dims)];

  memcpy (old, &self->dims, sizeof old);
  memcpy (&self->dims, &other->dims, sizeof old);
  memcpy (&other->dims, old, sizeof old);

  if (self->dims == other->inline_dims)
    self->dims = self->inline_dims;
  if (other->dims == self->inline_dims)
    other->dims = other->inline_dims;
}

/* Reports the new memory under the label of the tensor. */
static void
relabel_block (C2gTensor *self)
{
  if (self->storage != NULL && self->storage->listed &&
      c2g_storage_n_tensors (self->storage) == 1)
    c2g_ledger_set_label (self->storage, self->label);
}

/**
 * c2g_tensor_swap:
 * @self: a tensor
 * @other: another one
 *
 * Exchanges everything between two tensors.
 *
 * This exchanges shape, type, device, memory and policy. Nothing is copied. Signals are emitted
 * after both have changed. The blobs that hold the two tensors keep them, and the memory is
 * reported under the name of its new blob.
 */
void
c2g_tensor_swap (C2gTensor *self,
                 C2gTensor *other)
{
  C2gTensorChanges changes = { 0 };
  C2gTensorChanges other_changes = { 0 };

  g_return_if_fail (C2G_IS_TENSOR (self));
  g_return_if_fail (C2G_IS_TENSOR (other));

  if (self == other)
    return;

  if (self->is_defined != other->is_defined ||
      !c2g_shape_equal (self->dims, self->n_dims, other->dims, other->n_dims))
    changes.what |= C2G_TENSOR_DIMS_CHANGED;
  if (self->meta != other->meta)
    changes.what |= C2G_TENSOR_TYPE_CHANGED;
  if (self->device != other->device)
    changes.what |= C2G_TENSOR_DEVICE_CHANGED;
  other_changes = changes;
  if (!has_block_of (self, other))
    {
      changes.what |= self->had_block ? C2G_TENSOR_BLOCK_CHANGED : 0;
      other_changes.what |= other->had_block ? C2G_TENSOR_BLOCK_CHANGED : 0;
    }
  changes.old_capacity = self->capacity;
  other_changes.old_capacity = other->capacity;

  swap_contents (self, other);
  relabel_block (self);
  relabel_block (other);

  g_object_ref (other);
  c2g_tensor_emit_changes (self, &changes);
  c2g_tensor_emit_changes (other, &other_changes);
  g_object_unref (other);
}
