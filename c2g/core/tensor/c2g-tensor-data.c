/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Gives C code the address of the elements. This is a hot path: the usual case is inline, the
 * rest is out of line. */

/* Makes sure that there are writable elements of this type, keeping the contents if they have it
 * already. */
static inline gboolean
ensure_writable (C2gTensor    *self,
                 C2gTypeMeta  *meta,
                 GError      **error)
{
  if (G_LIKELY (self->meta == meta && self->storage != NULL && c2g_tensor_begin_write (self)))
    return TRUE;

  return c2g_tensor_allocate_or_copy (self, meta, TRUE, error);
}

gboolean
c2g_tensor_make_writable (C2gTensor  *self,
                          GError    **error)
{
  if (!c2g_tensor_check_data (self, error))
    return FALSE;

  return self->storage == NULL || ensure_writable (self, self->meta, error);
}

static gboolean
check_type (C2gTensor    *self,
            C2gTypeMeta  *meta,
            GError      **error)
{
  if (G_LIKELY (self->meta == meta))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected elements of type “%s”, the tensor has “%s”"),
                   meta->name, self->meta != NULL ? self->meta->name : "undefined");
}

/* Returns the storage if the tensor has elements of this type, NULL otherwise. */
static inline C2gStorage *
get_storage_of (C2gTensor   *self,
                C2gDataType  data_type)
{
  return G_LIKELY (self->meta != NULL && self->meta->data_type == data_type &&
                   data_type != C2G_DATA_TYPE_UNDEFINED)
           ? self->storage
           : NULL;
}

G_NO_INLINE static gconstpointer
data_slowly (C2gTensor    *self,
             C2gDataType   data_type,
             GError      **error)
{
  C2gTypeMeta *meta = c2g_tensor_meta_for (data_type, error);

  if (meta == NULL || !c2g_tensor_check_data (self, error) || !check_type (self, meta, error))
    return NULL;

  return c2g_tensor_address (self);
}

/**
 * c2g_tensor_data: (skip)
 * @self: a tensor
 * @data_type: the element type
 * @error: return location for an error
 *
 * Gets the elements for reading.
 *
 * The address is valid until [signal@Tensor::reallocated], or until the tensor is freed; a
 * [method@Tensor.map] keeps it valid for longer.
 *
 * Returns: the elements; `NULL` without an error if there are none, and with one
 *   if there is no data yet or its type is another
 */
gconstpointer
c2g_tensor_data (C2gTensor    *self,
                 C2gDataType   data_type,
                 GError      **error)
{
  C2gStorage *storage;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  storage = get_storage_of (self, data_type);
  if (G_LIKELY (storage != NULL))
    return c2g_tensor_address_in (self, storage);

  return data_slowly (self, data_type, error);
}

/* Not inlined, so that the usual case needs no stack frame. */
G_NO_INLINE static gpointer
mutable_data_slowly (C2gTensor    *self,
                     C2gDataType   data_type,
                     GError      **error)
{
  C2gTypeMeta *meta = c2g_tensor_meta_for (data_type, error);

  if (meta == NULL || !ensure_writable (self, meta, error))
    return NULL;

  return c2g_tensor_address (self);
}

/**
 * c2g_tensor_mutable_data: (skip)
 * @self: a tensor with a shape
 * @data_type: the element type
 * @error: return location for an error
 *
 * Gets the elements for writing, allocating them if need be.
 *
 * This works like [method@Tensor.allocate], with the same errors, but keeps the contents of
 * read-only memory. If the tensor has elements of another type, its type changes, and the
 * contents are undefined like those of new memory. The address is valid for as long as that of
 * [method@Tensor.data].
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_tensor_mutable_data (C2gTensor    *self,
                         C2gDataType   data_type,
                         GError      **error)
{
  C2gStorage *storage;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  storage = get_storage_of (self, data_type);
  if (G_LIKELY (storage != NULL && !c2g_storage_is_guarded (storage)))
    return c2g_tensor_address_in (self, storage);

  return mutable_data_slowly (self, data_type, error);
}

/**
 * c2g_tensor_raw_data: (skip)
 * @self: a tensor
 * @error: return location for an error
 *
 * Gets the elements for reading, whatever their type; see [method@Tensor.data].
 *
 * Returns: the elements; `NULL` without an error if there are none, and with one
 *   if there is no data yet
 */
gconstpointer
c2g_tensor_raw_data (C2gTensor  *self,
                     GError    **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_tensor_check_data (self, error))
    return NULL;

  return c2g_tensor_address (self);
}

/**
 * c2g_tensor_raw_mutable_data: (skip)
 * @self: a tensor with a shape
 * @meta: the element type
 * @error: return location for an error
 *
 * Gets elements of any type for writing; see [method@Tensor.mutable_data].
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_tensor_raw_mutable_data (C2gTensor    *self,
                             C2gTypeMeta  *meta,
                             GError      **error)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!ensure_writable (self, meta, error))
    return NULL;

  return c2g_tensor_address (self);
}
