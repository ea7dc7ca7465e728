/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <math.h>
#include <string.h>

/* Allocates, keeps and releases the block of a tensor: rules 1 to 5 and 9 of the memory rules in
 * the documentation. */

void
c2g_tensor_assign_type (C2gTensor        *self,
                        C2gTypeMeta      *meta,
                        C2gTensorChanges *changes)
{
  if (self->meta == meta)
    return;

  self->meta = meta;
  changes->what |= C2G_TENSOR_TYPE_CHANGED;
}

/* Takes ownership of the reference of a tensor. */
static inline void
assign_block (C2gTensor        *self,
              C2gStorage       *storage,
              gsize             offset,
              gsize             capacity,
              C2gTensorChanges *changes)
{
  C2gStorage *old = self->storage;

  if (storage == NULL && old == NULL)
    return;

  if (!(changes->what & C2G_TENSOR_BLOCK_CHANGED))
    changes->old_capacity = self->capacity;
  if (self->had_block)
    changes->what |= C2G_TENSOR_BLOCK_CHANGED;

  self->storage = storage;
  self->offset = offset;
  self->capacity = capacity;
  self->is_slice = FALSE;
  self->is_reserved = FALSE;
  self->had_block = TRUE;

  /* Foreign memory is reported under the first blob that it comes into. */
  if (storage != NULL && self->label != NULL && storage->allocator == NULL && storage->listed)
    c2g_ledger_replace_label (storage, NULL, self->label);

  /* Releasing a block may run foreign code. So the block that the tensor had before the
   * operation is released together with the signals. */
  if (changes->old_storage == NULL)
    changes->old_storage = old;
  else if (old != NULL)
    c2g_storage_remove_tensor (old);
}

void
c2g_tensor_assign_block (C2gTensor        *self,
                         C2gStorage       *storage,
                         gsize             offset,
                         gsize             capacity,
                         C2gTensorChanges *changes)
{
  assign_block (self, storage != NULL ? c2g_storage_give_to_tensor (storage) : NULL, offset,
                capacity, changes);
}

void
c2g_tensor_assign_shared (C2gTensor        *self,
                          C2gStorage       *storage,
                          gsize             offset,
                          gsize             capacity,
                          C2gTensorChanges *changes)
{
  assign_block (self, storage != NULL ? c2g_storage_ref_for_tensor (storage) : NULL, offset,
                capacity, changes);
}

void
c2g_tensor_pin (C2gTensor    *self,
                C2gTensorPin *pin)
{
  pin->tensor = g_object_ref (self);
  pin->storage = self->storage != NULL ? c2g_storage_ref (self->storage) : NULL;
  pin->meta = self->meta;
  pin->device = self->device;
  pin->offset = self->offset;
  pin->capacity = self->capacity;
  pin->n_elements = self->n_elements;
}

gboolean
c2g_tensor_fail_changed (GError **error)
{
  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("The tensor was changed while its memory was allocated or copied"));
}

/* The pin has one reference to the tensor; if it is the only one, foreign code has dropped those
 * of the callers. */
gboolean
c2g_tensor_check_pin (const C2gTensorPin  *pin,
                      GError             **error)
{
  C2gTensor *self = pin->tensor;

  return (self->storage == pin->storage && self->meta == pin->meta && self->device == pin->device &&
          self->offset == pin->offset && self->capacity == pin->capacity &&
          self->n_elements == pin->n_elements &&
          g_atomic_int_get (&G_OBJECT (self)->ref_count) > 1) ||
         c2g_tensor_fail_changed (error);
}

void
c2g_tensor_unpin (C2gTensorPin *pin)
{
  g_clear_pointer (&pin->storage, c2g_storage_unref);
  g_clear_object (&pin->tensor);
}

static gboolean
make_block (C2gTensor    *self,
            C2gTypeMeta  *meta,
            gsize         n_bytes,
            gsize         n_empty,
            C2gContext   *context,
            C2gStorage  **storage,
            GError      **error)
{
  C2gLabel *former;

  *storage = NULL;
  if (n_bytes == 0)
    return TRUE;

  if (!meta->is_plain && self->device->type != C2G_DEVICE_TYPE_CPU)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Elements of type “%s” can only live on the CPU, not on %s"), meta->name,
                     c2g_device_to_string (self->device));

  former = c2g_label_swap_of_block (self->label);
  *storage = c2g_allocator_allocate_default (self->device, n_bytes, context, error);
  c2g_label_swap_of_block (former);
  if (G_UNLIKELY (*storage == NULL))
    return FALSE;

  c2g_storage_construct (*storage, meta, n_empty);
  if (self->label != NULL)
    c2g_ledger_set_label (*storage, self->label);

  return TRUE;
}

/* Allocates a block. The caller sets the first n_empty elements. */
static gboolean
new_block (C2gTensor    *self,
           C2gTypeMeta  *meta,
           gsize         n_bytes,
           gsize         n_empty,
           C2gContext   *context,
           C2gStorage  **storage,
           GError      **error)
{
  C2gTensorPin pin;
  gboolean done;

  if (G_LIKELY (c2g_tensor_allocates_alone (self, meta)))
    return make_block (self, meta, n_bytes, n_empty, context, storage, error);

  c2g_tensor_pin (self, &pin);
  done = make_block (self, meta, n_bytes, n_empty, context, storage, error);
  if (done && !c2g_tensor_check_pin (&pin, error))
    {
      g_clear_pointer (storage, c2g_storage_unref);
      done = FALSE;
    }
  c2g_tensor_unpin (&pin);

  return done;
}

gboolean
c2g_tensor_new_block (C2gTensor    *self,
                      C2gTypeMeta  *meta,
                      gsize         n_bytes,
                      C2gContext   *context,
                      C2gStorage  **storage,
                      GError      **error)
{
  return new_block (self, meta, n_bytes, 0, context, storage, error);
}

/* Returns TRUE if the tensor is the only user of its whole block, and may write it. */
static gboolean
owns_block (C2gTensor *self)
{
  return !self->is_slice && c2g_tensor_is_alone (self) && c2g_tensor_begin_write (self);
}

/* Returns TRUE if the elements are pointers that nobody else has. */
static gboolean
owns_pointers (C2gTensor *self)
{
  return self->meta->is_pointer && self->n_elements > 0 && owns_block (self) &&
         !self->storage->is_foreign;
}

/* Moves the elements as pointers, without a copier, which could fail. */
static gboolean
move_pointers (C2gTensor         *self,
               gsize              capacity,
               C2gContext        *context,
               C2gTensorChanges  *changes,
               GError           **error)
{
  const gsize n_bytes = c2g_tensor_byte_size (self);
  C2gStorage *storage;

  if (!new_block (self, self->meta, capacity, (gsize) self->n_elements, context, &storage, error))
    return FALSE;
  if (!owns_pointers (self))
    {
      c2g_tensor_fail_changed (error);
      c2g_storage_unref (storage);
      return FALSE;
    }

  memcpy (storage->address, c2g_tensor_address (self), n_bytes);
  memset (c2g_tensor_address (self), 0, n_bytes);
  c2g_tensor_assign_block (self, storage, 0, capacity, changes);
  return TRUE;
}

gboolean
c2g_tensor_move_to_block (C2gTensor         *self,
                          gsize              capacity,
                          C2gContext        *context,
                          C2gTensorChanges  *changes,
                          GError           **error)
{
  C2gStorage *storage;

  if (owns_pointers (self))
    return move_pointers (self, capacity, context, changes, error);
  if (!c2g_tensor_new_block (self, self->meta, capacity, context, &storage, error))
    return FALSE;

  if (storage != NULL && self->n_elements > 0 &&
      !c2g_tensor_copy_to_block (self, self, storage, context, error))
    {
      c2g_storage_unref (storage);
      return FALSE;
    }

  c2g_tensor_assign_block (self, storage, 0, capacity, changes);

  return TRUE;
}

gboolean
c2g_tensor_thaw (C2gTensor         *self,
                 C2gTensorChanges  *changes,
                 GError           **error)
{
  if (G_LIKELY (!c2g_tensor_is_frozen (self)))
    return TRUE;

  return c2g_tensor_move_to_block (self, self->capacity, NULL, changes, error);
}

gboolean
c2g_tensor_can_reuse (C2gTensor   *self,
                      C2gTypeMeta *meta,
                      gsize        n_bytes)
{
  if (self->storage == NULL || n_bytes > self->capacity || !c2g_tensor_begin_write (self))
    return FALSE;

  if (meta == self->meta)
    return TRUE;

  return meta->is_plain && self->meta->is_plain && c2g_tensor_is_alone (self) &&
         c2g_type_meta_is_aligned (meta, (char *) self->storage->address + self->offset);
}

/**
 * c2g_tensor_resize:
 * @self: a tensor
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @error: return location for an error
 *
 * Gives the tensor a shape.
 *
 * Memory is not allocated. A block that is too small is released at once, and the contents are
 * lost. One that is large enough is kept with its contents, unless the number of elements
 * changes and the keep-on-shrink policy releases it.
 *
 * Fails with `C2G_ERROR_SHAPE` if a dimension is negative, and with
 * `C2G_ERROR_RANGE` if there would be too many elements or bytes.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_tensor_resize (C2gTensor     *self,
                   const gint64  *dims,
                   gsize          n_dims,
                   GError       **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_shape_count (dims, n_dims, &n_elements, error) ||
      !c2g_shape_bytes (n_elements, self->meta != NULL ? self->meta->item_size : 0, &n_bytes,
                        error))
    return FALSE;

  if (n_elements != self->n_elements && c2g_tensor_would_free (self, n_bytes))
    c2g_tensor_assign_block (self, NULL, 0, 0, &changes);
  c2g_tensor_assign_dims (self, dims, n_dims, n_elements, &changes);
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/**
 * c2g_tensor_resize_like:
 * @self: a tensor
 * @other: another one
 * @error: return location for an error
 *
 * Gives the tensor the shape of another; see [method@Tensor.resize].
 *
 * Fails with `C2G_ERROR_SHAPE` if @other has no shape.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_tensor_resize_like (C2gTensor  *self,
                        C2gTensor  *other,
                        GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (other), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!other->is_defined)
    return c2g_fail (error, C2G_ERROR_SHAPE, _("The tensor to resize like has no shape"));

  return c2g_tensor_resize (self, other->dims, other->n_dims, error);
}

/* Makes sure that there is a block for the present shape, whose contents are undefined. */
static gboolean
allocate_anew (C2gTensor         *self,
               C2gTypeMeta       *meta,
               C2gTensorChanges  *changes,
               GError           **error)
{
  C2gStorage *storage;
  gsize n_bytes;

  if (!self->is_defined)
    return c2g_fail (error, C2G_ERROR_SHAPE,
                     _("The tensor has no shape yet; resize it before elements of type “%s” "
                       "are allocated"),
                     meta->name);

  if (!c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error))
    return FALSE;

  if (!c2g_tensor_can_reuse (self, meta, n_bytes))
    {
      if (!c2g_tensor_new_block (self, meta, n_bytes, NULL, &storage, error))
        return FALSE;
      c2g_tensor_assign_block (self, storage, 0, n_bytes, changes);
    }
  c2g_tensor_assign_type (self, meta, changes);

  return TRUE;
}

gboolean
c2g_tensor_allocate_or_copy (C2gTensor    *self,
                             C2gTypeMeta  *meta,
                             gboolean      keep_contents,
                             GError      **error)
{
  C2gTensorChanges changes = { 0 };
  gboolean same_type = self->storage != NULL && self->meta == meta;
  gboolean done;

  if (same_type && (keep_contents || !c2g_storage_is_sealed (self->storage)))
    done = c2g_tensor_begin_write (self) ||
           c2g_tensor_move_to_block (self, self->capacity, NULL, &changes, error);
  else
    done = allocate_anew (self, meta, &changes, error);

  if (!done)
    return FALSE;
  if (G_LIKELY (c2g_tensor_emit_changes (self, &changes) && self->meta == meta &&
                (self->storage != NULL || self->n_elements == 0)))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("A signal handler changed the tensor while elements of type “%s” were allocated"),
                   meta->name);
}

gboolean
c2g_tensor_set_meta (C2gTensor    *self,
                     C2gTypeMeta  *meta,
                     GError      **error)
{
  C2gTensorChanges changes = { 0 };
  gsize n_bytes;

  if (self->meta == meta)
    return TRUE;
  if (!c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error))
    return FALSE;

  c2g_tensor_assign_block (self, NULL, 0, 0, &changes);
  c2g_tensor_assign_type (self, meta, &changes);
  c2g_tensor_emit_changes (self, &changes);
  return TRUE;
}

/**
 * c2g_tensor_set_data_type:
 * @self: a tensor
 * @data_type: the element type
 * @error: return location for an error
 *
 * Sets the element type without allocating memory.
 *
 * A shape and a type are all that [method@Operator.infer] and [method@Net.infer] need of a
 * tensor. Memory that holds elements of this type stays. A block of elements of another type is
 * released, and the contents are lost.
 *
 * Fails with `C2G_ERROR_TYPE` for an unknown type and `C2G_ERROR_RANGE` if there would be too
 * many bytes; nothing changes then.
 *
 * Returns: whether the elements are of that type
 */
gboolean
c2g_tensor_set_data_type (C2gTensor    *self,
                          C2gDataType   data_type,
                          GError      **error)
{
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_tensor_meta_for (data_type, error);
  return meta != NULL && c2g_tensor_set_meta (self, meta, error);
}

/**
 * c2g_tensor_allocate:
 * @self: a tensor with a shape
 * @data_type: the element type
 * @error: return location for an error
 *
 * Makes sure that there is memory for the elements.
 *
 * Memory for elements of this type stays, with its contents. If the type changes, the block is
 * reused if it is large enough, has no other holder and no view, and both types are plain; the
 * values are undefined then, as they are in a new block. Read-only memory is replaced by a new
 * block. While there are immutable bytes of the tensor, it moves to a copy.
 *
 * Fails with `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_TYPE` for an unknown
 * type, `C2G_ERROR_RANGE` for too many bytes, `C2G_ERROR_DEVICE` if there is no such
 * device and `C2G_ERROR_NO_MEMORY`; nothing changes then. It fails with
 * `C2G_ERROR_BUSY` if a signal handler undid what was done.
 *
 * Returns: whether there is memory
 */
gboolean
c2g_tensor_allocate (C2gTensor    *self,
                     C2gDataType   data_type,
                     GError      **error)
{
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_tensor_meta_for (data_type, error);

  return meta != NULL && c2g_tensor_allocate_meta (self, meta, error);
}

/**
 * c2g_tensor_allocate_meta:
 * @self: a tensor with a shape
 * @meta: the element type
 * @error: return location for an error
 *
 * Makes sure that there is memory for elements of any type.
 *
 * It works like [method@Tensor.allocate]. Elements of a type with a constructor are
 * constructed. Elements that are not plain can only be on the CPU: on other devices the error
 * is `C2G_ERROR_NOT_SUPPORTED`.
 *
 * Returns: whether there is memory
 */
gboolean
c2g_tensor_allocate_meta (C2gTensor    *self,
                          C2gTypeMeta  *meta,
                          GError      **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (G_LIKELY (self->meta == meta && self->storage != NULL && c2g_tensor_begin_write (self)))
    return TRUE;

  return c2g_tensor_allocate_or_copy (self, meta, FALSE, error);
}

/**
 * c2g_tensor_free_memory:
 * @self: a tensor
 *
 * Releases the memory; other tensors that share it keep it.
 *
 * The shape and the type stay.
 */
void
c2g_tensor_free_memory (C2gTensor *self)
{
  C2gTensorChanges changes = { 0 };

  g_return_if_fail (C2G_IS_TENSOR (self));

  c2g_tensor_assign_block (self, NULL, 0, 0, &changes);
  c2g_tensor_emit_changes (self, &changes);
}

static gboolean
check_extend (C2gTensor  *self,
              gint64      n,
              double      growth_percent,
              gint64     *outer_dim,
              GError    **error)
{
  if (!self->is_defined)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE, _("The tensor has no shape yet"));
  else if (self->n_dims == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE,
                         _("A tensor without dimensions cannot be extended"));
  else if (n < 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("Expected a number of rows that is not negative, got %" PRId64), n);
  else if (!(growth_percent >= 0) || !isfinite (growth_percent))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("Expected a growth that is not negative, got %g %%"), growth_percent);
  else if (__builtin_add_overflow (self->dims[0], n, outer_dim))
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("A first dimension of %" PRId64 " has no room for %" PRId64
                   " more"),
                 self->dims[0], n);
  else
    return TRUE;

  return FALSE;
}

/* Returns the first dimension of a block that has to grow. */
static gint64
grown_dim (gint64 old_dim,
           gint64 wanted_dim,
           double growth_percent)
{
  double grown = ceil ((double) old_dim * (1.0 + growth_percent / 100.0));

  return grown < (double) G_MAXINT64 ? MAX (wanted_dim, (gint64) grown) : wanted_dim;
}

/* Makes room for outer_dim rows of row_bytes, that is needed bytes, and keeps the contents. */
static gboolean
make_room (C2gTensor         *self,
           gint64             outer_dim,
           double             growth_percent,
           gsize              row_bytes,
           gsize              needed,
           C2gContext        *context,
           C2gTensorChanges  *changes,
           GError           **error)
{
  gsize wanted;

  if (needed <= self->capacity && owns_block (self))
    return TRUE;

  if (!c2g_shape_bytes (grown_dim (self->dims[0], outer_dim, growth_percent), row_bytes, &wanted,
                        NULL))
    wanted = needed;
  if (!c2g_tensor_move_to_block (self, wanted, context, changes, error))
    return FALSE;

  self->is_reserved = self->storage != NULL;

  return TRUE;
}

/**
 * c2g_tensor_extend:
 * @self: a tensor with a first dimension
 * @n: how many rows to add
 * @growth_percent: by how much the first dimension grows at least when a new block
 *   is needed, in per cent
 * @context: (nullable): the context that copies the contents to a new block
 * @error: return location for an error
 *
 * Adds rows at the end of the first dimension, keeping the contents.
 *
 * The new rows are undefined. Without memory this is a [method@Tensor.resize]. A new block is
 * reserved as by [method@Tensor.reserve]. If the memory is shared, mapped, read-only or part of
 * another tensor, the tensor moves to its own block, even if there is room.
 *
 * Fails with `C2G_ERROR_SHAPE` if there is no first dimension, `C2G_ERROR_RANGE`
 * if @n is negative or too large, `C2G_ERROR_INVALID_ARGUMENT` if
 * @growth_percent is negative or not finite, and otherwise as
 * [method@Tensor.reserve] does; nothing changes then.
 *
 * Returns: whether the rows were added
 */
gboolean
c2g_tensor_extend (C2gTensor   *self,
                   gint64       n,
                   double       growth_percent,
                   C2gContext  *context,
                   GError     **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 outer_dim, row, n_elements;
  gsize item_size, needed;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_extend (self, n, growth_percent, &outer_dim, error) ||
      !c2g_shape_count (self->dims + 1, self->n_dims - 1, &row, error))
    return FALSE;

  if (__builtin_mul_overflow (outer_dim, row, &n_elements))
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("%" PRId64 " rows of %" PRId64 " elements are too many"), outer_dim, row);

  item_size = self->meta != NULL ? self->meta->item_size : 0;
  if (!c2g_shape_bytes (n_elements, item_size, &needed, error) ||
      (self->storage != NULL &&
       !make_room (self, outer_dim, growth_percent, (gsize) row * item_size, needed, context,
                   &changes, error)))
    return FALSE;

  if (n > 0)
    {
      self->dims[0] = outer_dim;
      self->n_elements = n_elements;
      changes.what |= C2G_TENSOR_DIMS_CHANGED;
    }
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/* Allocates the first block, whose elements are undefined. */
static gboolean
allocate_unused (C2gTensor         *self,
                 gsize              n_bytes,
                 C2gTensorChanges  *changes,
                 GError           **error)
{
  C2gStorage *storage;

  if (!c2g_tensor_new_block (self, self->meta, n_bytes, NULL, &storage, error))
    return FALSE;

  c2g_tensor_assign_block (self, storage, 0, n_bytes, changes);

  return TRUE;
}

/**
 * c2g_tensor_reserve:
 * @self: a tensor whose type is known
 * @dims: (array length=n_dims): dimensions to have room for
 * @n_dims: how many dimensions
 * @error: return location for an error
 *
 * Makes room for a larger shape, keeping the contents and the present shape.
 *
 * A reserved tensor keeps its block when it is resized to less, with any keep-on-shrink policy,
 * until the block is freed or replaced. If the memory is shared, mapped, read-only or part of
 * another tensor, the tensor moves to its own block, even if there is room. Strings, objects
 * and boxed elements are moved without a copy if the tensor is the only holder of the block;
 * other elements are copied.
 *
 * Fails with `C2G_ERROR_TYPE` while the type is not known, `C2G_ERROR_SHAPE` or
 * `C2G_ERROR_RANGE` for an impossible shape, `C2G_ERROR_NOT_SUPPORTED` if the
 * elements have to be copied and cannot be, with the error of their copier,
 * `C2G_ERROR_BUSY` if code of the elements changed the tensor meanwhile, and
 * `C2G_ERROR_NO_MEMORY`; nothing else changes then.
 *
 * Returns: whether there is room
 */
gboolean
c2g_tensor_reserve (C2gTensor     *self,
                    const gint64  *dims,
                    gsize          n_dims,
                    GError       **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self->meta == NULL)
    return c2g_fail (error, C2G_ERROR_TYPE,
                     _("The tensor has no element type yet, so that its size is not known"));

  if (!c2g_shape_count (dims, n_dims, &n_elements, error) ||
      !c2g_shape_bytes (n_elements, self->meta->item_size, &n_bytes, error))
    return FALSE;

  n_bytes = MAX (n_bytes, c2g_tensor_byte_size (self));
  if (self->storage == NULL ? !allocate_unused (self, n_bytes, &changes, error)
                            : (n_bytes > self->capacity || !owns_block (self)) &&
                                  !c2g_tensor_move_to_block (self, n_bytes, NULL, &changes, error))
    return FALSE;

  self->is_reserved = self->storage != NULL;
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/**
 * c2g_tensor_trim:
 * @self: a tensor
 * @error: return location for an error
 *
 * Gives back the part of the block that the shape does not need.
 *
 * The elements move to a block of their size. If the block is shared or read-only, nothing is
 * done, because no memory would be released.
 *
 * Fails with `C2G_ERROR_NO_MEMORY`, and, if the elements have to be copied, as
 * [method@Tensor.reserve] does; nothing changes then.
 *
 * Returns: whether no memory is wasted that could be given back
 */
gboolean
c2g_tensor_trim (C2gTensor  *self,
                 GError    **error)
{
  C2gTensorChanges changes = { 0 };
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  n_bytes = c2g_tensor_byte_size (self);
  if (self->storage == NULL || n_bytes == self->capacity || !owns_block (self))
    return TRUE;

  if (!c2g_tensor_move_to_block (self, n_bytes, NULL, &changes, error))
    return FALSE;
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}
