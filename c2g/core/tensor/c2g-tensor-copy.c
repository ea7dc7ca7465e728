/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-cpu-context.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-huge-pages-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Copies and maps tensors, and reads and writes their elements as bytes. The documentation has this
 * as rules 8 and 9 of the memory rules. */

static gboolean
wait_for_uses (const C2gTensorPlace  *place,
               C2gContext            *context,
               GError               **error)
{
  return place->storage == NULL || c2g_storage_wait_for_uses (place->storage, context, error);
}

/* Records the use, so that memory is not reused while queued work still needs it. */
static void
record_use (C2gContext           *context,
            const C2gTensorPlace *place)
{
  if (place->storage != NULL)
    c2g_storage_record_use (place->storage, context);
}

/* Copies by the shared context of the device, and waits until the copy is done. */
static gboolean
copy_at_once (C2gTypeMeta           *meta,
              gsize                  n_items,
              const C2gTensorPlace  *source,
              const C2gTensorPlace  *destination,
              GError               **error)
{
  C2gDevice *device = source->device->type != C2G_DEVICE_TYPE_CPU ? source->device
                                                                  : destination->device;
  g_autoptr (C2gContext) context = c2g_context_shared (device, error);

  if (context == NULL)
    return FALSE;
  if (!wait_for_uses (source, context, error) || !wait_for_uses (destination, context, error))
    return FALSE;

  if (c2g_context_copy_items (context, meta, n_items, source->device, source->address,
                              destination->device, destination->address, error) &&
      c2g_context_finish (context, error))
    return TRUE;

  /* A part of the copy may have been queued. */
  record_use (context, source);
  record_use (context, destination);
  return FALSE;
}

/* A copy is synchronous without a context, and if a CPU context must leave it to a device. */
static gboolean
is_at_once (C2gContext           *context,
            const C2gTensorPlace *source,
            const C2gTensorPlace *destination)
{
  return context == NULL ||
         (C2G_IS_CPU_CONTEXT (context) && (source->device->type != C2G_DEVICE_TYPE_CPU ||
                                           destination->device->type != C2G_DEVICE_TYPE_CPU));
}

gboolean
c2g_tensor_copy_items (C2gContext            *context,
                       C2gTypeMeta           *meta,
                       gsize                  n_items,
                       const C2gTensorPlace  *source,
                       const C2gTensorPlace  *destination,
                       GError               **error)
{
  gboolean done;

  if (n_items == 0)
    return TRUE;
  if (is_at_once (context, source, destination))
    return copy_at_once (meta, n_items, source, destination, error);
  if (!wait_for_uses (source, context, error) || !wait_for_uses (destination, context, error))
    return FALSE;

  done = c2g_context_copy_items (context, meta, n_items, source->device, source->address,
                                 destination->device, destination->address, error);

  /* Record the uses after a failure too: a part of the copy may have been queued. Copiers of
   * elements that are not plain are synchronous. */
  if (meta->is_plain)
    {
      record_use (context, source);
      record_use (context, destination);
    }
  return done;
}

static C2gTensorPlace
place_of (C2gTensor *self)
{
  return (C2gTensorPlace) { self->device, self->storage, c2g_tensor_address (self) };
}

static gboolean
check_source (C2gTensor  *source,
              GError    **error)
{
  if (!c2g_tensor_check_data (source, error))
    return FALSE;

  if (source->n_elements == 0 || c2g_type_meta_can_copy (source->meta))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Elements of type “%s” cannot be copied"),
                   source->meta->name);
}

/* Copies the elements of source to a place in the present or future block of self. Copiers are
 * foreign code: the blocks are held while they run, and it is an error if they change one of the
 * tensors. */
static gboolean
copy_to_place (C2gTensor             *self,
               C2gTensor             *source,
               const C2gTensorPlace  *to,
               C2gContext            *context,
               GError               **error)
{
  const C2gTensorPlace from = place_of (source);
  const gsize n = (gsize) source->n_elements;
  C2gTensorPin pin, source_pin;
  gboolean done;

  if (G_LIKELY (source->meta->is_plain))
    return c2g_tensor_copy_items (context, source->meta, n, &from, to, error);

  c2g_tensor_pin (self, &pin);
  c2g_tensor_pin (source, &source_pin);
  done = c2g_tensor_copy_items (context, source_pin.meta, n, &from, to, error) &&
         c2g_tensor_check_pin (&source_pin, error) && c2g_tensor_check_pin (&pin, error);
  c2g_tensor_unpin (&source_pin);
  c2g_tensor_unpin (&pin);
  return done;
}

gboolean
c2g_tensor_copy_to_block (C2gTensor   *self,
                          C2gTensor   *source,
                          C2gStorage  *storage,
                          C2gContext  *context,
                          GError     **error)
{
  const C2gTensorPlace to = { self->device, storage, storage->address };

  return copy_to_place (self, source, &to, context, error);
}

gboolean
c2g_tensor_put_items (C2gTensor   *self,
                      gint64       first,
                      C2gTensor   *source,
                      C2gContext  *context,
                      GError     **error)
{
  C2gTensorPlace to = place_of (self);

  if (source->n_elements == 0)
    return TRUE;
  if (source->meta != self->meta || source->n_elements > self->n_elements - first)
    return c2g_fail (error, C2G_ERROR_BUSY,
                     _("A signal handler changed the tensor while elements of type “%s” were allocated"),
                     self->meta->name);

  to.address = (char *) to.address + (gsize) first * self->meta->item_size;
  return copy_to_place (self, source, &to, context, error);
}

/* Copies the elements of source to a new block. */
static gboolean
copy_to_new_block (C2gTensor         *self,
                   C2gTensor         *source,
                   C2gContext        *context,
                   C2gTensorChanges  *changes,
                   GError           **error)
{
  gsize n_bytes = c2g_tensor_byte_size (source);
  C2gStorage *storage;
  C2gTensorPin pin;
  gboolean done;

  if (G_LIKELY (c2g_tensor_allocates_alone (self, source->meta)))
    {
      done = c2g_tensor_new_block (self, source->meta, n_bytes, context, &storage, error);
    }
  else
    {
      c2g_tensor_pin (source, &pin);
      done = c2g_tensor_new_block (self, source->meta, n_bytes, context, &storage, error);
      if (done && !c2g_tensor_check_pin (&pin, error))
        {
          g_clear_pointer (&storage, c2g_storage_unref);
          done = FALSE;
        }
      c2g_tensor_unpin (&pin);
    }
  if (!done)
    return FALSE;

  if (storage != NULL && self->device->type == C2G_DEVICE_TYPE_CPU)
    c2g_huge_pages_prepare (storage->address, n_bytes);
  if (storage != NULL && !c2g_tensor_copy_to_block (self, source, storage, context, error))
    {
      c2g_storage_unref (storage);
      return FALSE;
    }

  c2g_tensor_assign_block (self, storage, 0, n_bytes, changes);

  return TRUE;
}

/* Copies the elements of source to the present block if it can be reused, else to a new one. */
static gboolean
copy_elements (C2gTensor         *self,
               C2gTensor         *source,
               C2gContext        *context,
               C2gTensorChanges  *changes,
               GError           **error)
{
  gsize n_bytes = c2g_tensor_byte_size (source);
  C2gTensorPlace to;
  gboolean resizes = source->n_elements != self->n_elements;

  if (source->meta == NULL)
    {
      if (resizes && c2g_tensor_would_free (self, 0))
        c2g_tensor_assign_block (self, NULL, 0, 0, changes);
      return TRUE;
    }

  if (!c2g_tensor_can_reuse (self, source->meta, n_bytes) ||
      (resizes && c2g_tensor_would_free (self, n_bytes)))
    return copy_to_new_block (self, source, context, changes, error);

  to = (C2gTensorPlace) { self->device, self->storage,
                          (char *) self->storage->address + self->offset };
  return copy_to_place (self, source, &to, context, error);
}

/**
 * c2g_tensor_copy_from:
 * @self: a tensor, on any device
 * @source: a tensor with data, on any device
 * @context: (nullable): the context that copies, or `NULL` to copy before returning
 * @error: return location for an error
 *
 * Makes the tensor a copy of another: shape, element type and elements.
 *
 * The device stays. The present block is reused if it has room for the elements; other tensors
 * that share it then see the new elements. Otherwise, and if the type changes in a shared
 * block, the tensor gets a new block. The two may overlap, as slices of one tensor do. Elements
 * with a copier are copied by it.
 *
 * Fails with `C2G_ERROR_SHAPE` if @source has no shape, `C2G_ERROR_FAILED` if it has
 * no data, `C2G_ERROR_NOT_SUPPORTED` if its elements cannot be copied, with the error
 * of their copier, and with `C2G_ERROR_NO_MEMORY`; nothing changes then. It fails with
 * `C2G_ERROR_BUSY` if the copier changed one of the tensors.
 *
 * Returns: whether the elements were copied
 */
gboolean
c2g_tensor_copy_from (C2gTensor   *self,
                      C2gTensor   *source,
                      C2gContext  *context,
                      GError     **error)
{
  C2gTensorChanges changes = { 0 };

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (source), FALSE);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self == source)
    return TRUE;
  if (!check_source (source, error) || !copy_elements (self, source, context, &changes, error))
    return FALSE;

  if (source->meta != NULL)
    c2g_tensor_assign_type (self, source->meta, &changes);
  c2g_tensor_assign_dims (self, source->dims, source->n_dims, source->n_elements, &changes);
  c2g_tensor_emit_changes (self, &changes);

  return TRUE;
}

/* Creates a copy with the type, shape and data of source, as far as source has them. */
static C2gTensor *
copy_to (C2gTensor   *source,
         C2gDevice   *device,
         C2gContext  *context,
         GError     **error)
{
  g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (device);
  C2gTensorChanges changes = { 0 };

  if (source->storage != NULL)
    return c2g_tensor_copy_from (copy, source, context, error) ? g_steal_pointer (&copy) : NULL;

  c2g_tensor_assign_type (copy, source->meta, &changes);
  if (source->is_defined)
    c2g_tensor_assign_dims (copy, source->dims, source->n_dims, source->n_elements, &changes);

  return g_steal_pointer (&copy);
}

/**
 * c2g_tensor_clone:
 * @self: a tensor
 * @context: (nullable): the context that copies, or `NULL` to copy before returning
 * @error: return location for an error
 *
 * Creates a copy on the same device, with memory of its own.
 *
 * The copy of a tensor without memory has no memory either.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_NOT_SUPPORTED` if
 *   the elements cannot be copied or `C2G_ERROR_NO_MEMORY`
 */
C2gTensor *
c2g_tensor_clone (C2gTensor   *self,
                  C2gContext  *context,
                  GError     **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return copy_to (self, self->device, context, error);
}

/**
 * c2g_tensor_to_device:
 * @self: a tensor
 * @device: where to
 * @error: return location for an error
 *
 * Creates a copy on a device, which may be the same one.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_DEVICE` if there is
 *   no such device, `C2G_ERROR_NOT_SUPPORTED` if the elements cannot go there, or
 *   `C2G_ERROR_NO_MEMORY`
 */
C2gTensor *
c2g_tensor_to_device (C2gTensor  *self,
                      C2gDevice  *device,
                      GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return copy_to (self, device, NULL, error);
}

/**
 * c2g_tensor_get_address:
 * @self: a tensor
 *
 * Gets the address of the first element.
 *
 * The address may become invalid when the tensor changes; use [method@Tensor.map] to keep it.
 *
 * Returns: an address on the device, 0 if there are no elements or no memory
 */
guint64
c2g_tensor_get_address (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return (guint64) (guintptr) c2g_tensor_address (self);
}

/* Checks the tensor, and moves it out of memory that must not be mapped this way. */
static gboolean
prepare_map (C2gTensor         *self,
             C2gMapFlags        flags,
             C2gTensorChanges  *changes,
             GError           **error)
{
  if (!c2g_tensor_check_data (self, error) ||
      (self->n_elements > 0 && !c2g_tensor_check_plain (self, error)) ||
      !c2g_tensor_thaw (self, changes, error))
    return FALSE;

  return (flags & C2G_MAP_WRITE) == 0 || !c2g_tensor_is_read_only (self) ||
         c2g_tensor_move_to_block (self, self->capacity, NULL, changes, error);
}

typedef C2gMapping *(*MapRangeFunc) (C2gStorage   *storage,
                                     gsize         offset,
                                     gsize         n_bytes,
                                     C2gMapFlags   flags,
                                     GError      **error);

static C2gMapping *
map_elements (C2gTensor     *self,
              C2gMapFlags    flags,
              MapRangeFunc   map_range,
              GError       **error)
{
  C2gTensorChanges changes = { 0 };
  g_autoptr (C2gStorage) storage = NULL;
  C2gMapping *mapping;

  if (!prepare_map (self, flags, &changes, error))
    return NULL;

  if (self->storage == NULL)
    storage = c2g_storage_new_external (self->device, NULL, 0, FALSE, NULL, NULL);
  else
    storage = c2g_storage_ref (self->storage);

  mapping = map_range (storage, self->offset, c2g_tensor_byte_size (self), flags, error);
  c2g_tensor_emit_changes (self, &changes);

  return mapping;
}

C2gMapping *
c2g_tensor_pin_elements (C2gTensor  *self,
                         GError    **error)
{
  C2gMapFlags flags = c2g_tensor_is_read_only (self) ? C2G_MAP_READ : C2G_MAP_READ_WRITE;

  return map_elements (self, flags, c2g_storage_pin_range, error);
}

/**
 * c2g_tensor_map:
 * @self: a tensor with data
 * @flags: what the bytes will be used for
 * @error: return location for an error
 *
 * Maps the elements as bytes.
 *
 * The mapping keeps the block at its address, even if the tensor changes or is freed. If there
 * are immutable bytes of the tensor, or read-only memory is mapped for writing, the tensor
 * moves to a copy first.
 *
 * Fails with `C2G_ERROR_SHAPE` without a shape, `C2G_ERROR_FAILED` without data,
 * `C2G_ERROR_TYPE` if the elements are not plain bytes, `C2G_ERROR_DEVICE` if the CPU cannot
 * access them, `C2G_ERROR_INVALID_ARGUMENT` if @flags are neither to read nor to write, and
 * `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a mapping
 */
C2gMapping *
c2g_tensor_map (C2gTensor    *self,
                C2gMapFlags   flags,
                GError      **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return map_elements (self, flags, c2g_storage_map_range, error);
}

/**
 * c2g_tensor_dup_bytes:
 * @self: a tensor with data, on any device
 * @error: return location for an error
 *
 * Copies the elements.
 *
 * Returns: (transfer full): the bytes, or `NULL` with `C2G_ERROR_SHAPE` without a
 *   shape, `C2G_ERROR_FAILED` without data, `C2G_ERROR_TYPE` if the elements are not
 *   plain bytes, or `C2G_ERROR_NO_MEMORY`
 */
GBytes *
c2g_tensor_dup_bytes (C2gTensor  *self,
                      GError    **error)
{
  C2gTensorPlace from, to;
  gsize n_bytes;
  gpointer copy;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_tensor_check_data (self, error))
    return NULL;
  if (self->n_elements == 0)
    return g_bytes_new (NULL, 0);
  if (!c2g_tensor_check_plain (self, error))
    return NULL;

  n_bytes = c2g_tensor_byte_size (self);
  copy = g_try_malloc (n_bytes);
  if (copy == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory for a copy of %zu bytes"),
                          n_bytes);

  c2g_huge_pages_prepare (copy, n_bytes);
  from = place_of (self);
  to = (C2gTensorPlace) { c2g_device_cpu (), NULL, copy };
  if (!c2g_tensor_copy_items (NULL, self->meta, (gsize) self->n_elements, &from, &to, error))
    {
      g_free (copy);
      return NULL;
    }

  return g_bytes_new_take (copy, n_bytes);
}

/* Returns TRUE if GBytes over the block can never change: it is sealed, or is c2g's own, and has no
 * other tensor and only frozen views. */
static gboolean
can_freeze (C2gTensor *self)
{
  C2gStorage *storage = self->storage;

  if (storage == NULL || self->meta == NULL || !self->meta->is_plain ||
      self->device->type != C2G_DEVICE_TYPE_CPU || storage->is_foreign)
    return FALSE;

  return c2g_storage_is_sealed (storage) ||
         (c2g_storage_n_tensors (storage) == 1 &&
             c2g_storage_get_n_views (storage) == c2g_storage_n_frozen (storage));
}

/**
 * c2g_tensor_ref_bytes:
 * @self: a tensor with data
 * @error: return location for an error
 *
 * Gets the elements as bytes that never change, without a copy where possible.
 *
 * The bytes are a view of the tensor's memory while no other tensor and no mapping
 * has it, and a copy otherwise. Memory of others, such as an array of NumPy, is copied, too. The tensor
 * moves to a copy before it next writes, shares or maps its memory, as long as the bytes live.
 *
 * Returns: (transfer full): the bytes, or `NULL` with an error as of
 *   [method@Tensor.dup_bytes]
 */
GBytes *
c2g_tensor_ref_bytes (C2gTensor  *self,
                      GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!can_freeze (self))
    return c2g_tensor_dup_bytes (self, error);
  if (!c2g_storage_finish_uses (self->storage, error))
    return NULL;

  return c2g_storage_ref_bytes (self->storage, self->offset, c2g_tensor_byte_size (self));
}

/**
 * c2g_tensor_set_bytes:
 * @self: a tensor with a shape and a type
 * @bytes: exactly as many bytes as the elements have
 * @error: return location for an error
 *
 * Copies bytes into the elements, allocating them if need be.
 *
 * Fails with `C2G_ERROR_SHAPE` without a shape or if the size differs,
 * `C2G_ERROR_TYPE` if the type is not known or not plain, and
 * `C2G_ERROR_NO_MEMORY`; nothing changes then.
 *
 * Returns: whether the bytes were copied
 */
gboolean
c2g_tensor_set_bytes (C2gTensor  *self,
                      GBytes     *bytes,
                      GError    **error)
{
  C2gTensorPlace from = { c2g_device_cpu (), NULL, NULL };
  C2gTensorPlace to;
  gconstpointer source;
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_tensor_check_plain (self, error))
    return FALSE;

  source = g_bytes_get_data (bytes, &n_bytes);
  if (!self->is_defined || n_bytes != c2g_tensor_byte_size (self))
    return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected %zu bytes, got %zu"),
                     c2g_tensor_byte_size (self), n_bytes);

  if (!c2g_tensor_allocate_meta (self, self->meta, error))
    return FALSE;

  if (c2g_tensor_byte_size (self) != n_bytes)
    return c2g_fail (error, C2G_ERROR_BUSY,
                     _("A signal handler changed the tensor while elements of type “%s” were allocated"),
                     self->meta->name);

  from.address = (gpointer) source;
  to = place_of (self);
  return c2g_tensor_copy_items (NULL, self->meta, (gsize) self->n_elements, &from, &to, error);
}
