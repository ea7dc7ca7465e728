/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-context.h>

#include <c2g/core/device/c2g-cpu-context.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

/* Copies elements between tensors, and between addresses. On a device the copy is queued on the context. */

static gboolean
fail_same_shape (C2gTensor  *source,
                 C2gTensor  *destination,
                 GError    **error)
{
  gsize n_source, n_destination;
  const gint64 *source_dims = c2g_tensor_get_dims (source, &n_source);
  const gint64 *destination_dims = c2g_tensor_get_dims (destination, &n_destination);
  g_autofree char *source_text = c2g_shape_to_string (source_dims, n_source);
  g_autofree char *destination_text = c2g_shape_to_string (destination_dims, n_destination);

  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Expected as many elements as in the shape %s, got %s"), source_text,
                   destination_text);
}

/* Checks that the elements of source can be assigned to those of destination. */
static gboolean
check_copy (C2gTensor  *source,
            C2gTensor  *destination,
            GError    **error)
{
  C2gTypeMeta *meta = c2g_tensor_get_type_meta (source);
  C2gTypeMeta *other = c2g_tensor_get_type_meta (destination);

  if (!c2g_tensor_is_defined (source) || !c2g_tensor_is_defined (destination))
    return c2g_fail (error, C2G_ERROR_SHAPE,
                     _("A tensor that is to be copied, or written, has no shape yet"));

  if (c2g_tensor_get_n_elements (source) != c2g_tensor_get_n_elements (destination))
    return fail_same_shape (source, destination, error);

  if (meta == NULL)
    return c2g_fail (error, C2G_ERROR_TYPE,
                     _("A tensor that is to be copied has no element type yet"));

  if (other != NULL && other != meta && c2g_tensor_is_allocated (destination))
    return c2g_fail (error, C2G_ERROR_TYPE,
                     _("Expected a tensor of type “%s”, got one of type “%s”"), meta->name,
                     other->name);

  return TRUE;
}

/* Records the use, so that memory is not reused while queued work still needs it. A CPU context has
 * waited for its copy, so it has nothing to record. */
static void
record_use (C2gContext *self,
            C2gTensor  *tensor)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  if (storage != NULL && c2g_context_get_device (self)->type != C2G_DEVICE_TYPE_CPU)
    c2g_storage_record_use (storage, self);
}

/* Waits for work that other contexts queued on the tensor. A CPU context waits by the shared context of the
 * device, which also does its copies. */
static gboolean
wait_for_uses (C2gContext  *self,
               C2gTensor   *tensor,
               GError     **error)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);
  C2gDevice *device = c2g_tensor_get_device (tensor);
  g_autoptr (C2gContext) context = NULL;

  if (storage == NULL)
    return TRUE;

  context = C2G_IS_CPU_CONTEXT (self) ? c2g_context_shared (device, error) : g_object_ref (self);
  return context != NULL && c2g_storage_wait_for_uses (storage, context, error);
}

/* Copiers are foreign code, so both tensors are pinned: see copy_to_place() in c2g-tensor-copy.c. Elements
 * that need a copier are on the CPU only, so no use is recorded. */
static gboolean
copy_pinned (C2gContext     *self,
             C2gTypeMeta    *meta,
             gsize           n_items,
             C2gTensor      *source,
             gconstpointer   from,
             C2gTensor      *destination,
             gpointer        to,
             GError        **error)
{
  C2gTensorPin source_pin, pin;
  gboolean done;

  c2g_tensor_pin (source, &source_pin);
  c2g_tensor_pin (destination, &pin);
  done = c2g_context_copy_items (self, meta, n_items, source->device, from, destination->device, to,
                                 error) &&
         c2g_tensor_check_pin (&source_pin, error) && c2g_tensor_check_pin (&pin, error);
  c2g_tensor_unpin (&pin);
  c2g_tensor_unpin (&source_pin);
  return done;
}

/**
 * c2g_context_copy:
 * @self: a context
 * @source: a tensor with contents
 * @destination: a tensor with as many elements
 * @error: return location for an error
 *
 * Copies all elements of a tensor to another.
 *
 * The tensors must have the same number of elements, else the error is `C2G_ERROR_SHAPE`; the
 * shapes may differ. A @destination without memory gets memory for elements of the type of
 * @source; one with memory must have that type, else the error is `C2G_ERROR_TYPE`. The two may
 * share memory.
 *
 * The tensors may be on the device of the context, on the CPU, or, where @self is
 * a CPU context, on any device. The context of a device may return before the copy is
 * done: [method@Context.finish] waits for it. A CPU context returns when it is done.
 *
 * The error is `C2G_ERROR_BUSY` if a signal handler changed @destination meanwhile, and
 * `C2G_ERROR_NOT_SUPPORTED` if elements of this type cannot be copied, or not between these devices.
 *
 * Returns: true if the elements were copied or their copy was queued
 */
gboolean
c2g_context_copy (C2gContext  *self,
                  C2gTensor   *source,
                  C2gTensor   *destination,
                  GError     **error)
{
  g_autoptr (C2gStorage) held = NULL;
  GError *local_error = NULL;
  gconstpointer from;
  gpointer to;
  gint64 n_elements;
  C2gTypeMeta *meta;
  gboolean done;

  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (source), FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (destination), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_copy (source, destination, error))
    return FALSE;

  meta = c2g_tensor_get_type_meta (source);
  n_elements = c2g_tensor_get_n_elements (source);
  from = c2g_tensor_raw_data (source, &local_error);
  /* Making the destination writable may release the block of the source: a signal handler may do
   * it, or both are the same tensor. */
  if (local_error == NULL && c2g_tensor_get_storage (source) != NULL)
    held = c2g_storage_ref (c2g_tensor_get_storage (source));
  to = local_error == NULL ? c2g_tensor_raw_mutable_data (destination, meta, &local_error) : NULL;
  if (local_error == NULL && c2g_tensor_get_n_elements (destination) != n_elements)
    g_set_error (&local_error, C2G_ERROR, C2G_ERROR_BUSY,
                 _("A signal handler changed the tensor while elements of type “%s” were allocated"),
                 meta->name);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }

  if (!wait_for_uses (self, source, error) || !wait_for_uses (self, destination, error))
    return FALSE;
  if (!meta->is_plain)
    return copy_pinned (self, meta, n_elements, source, from, destination, to, error);
  done = c2g_context_copy_items (self, meta, n_elements, c2g_tensor_get_device (source), from,
                                 c2g_tensor_get_device (destination), to, error);

  /* Record the uses after a failure too: a part of the copy may have been queued. */
  record_use (self, source);
  record_use (self, destination);
  return done;
}

/* Copies elements with the copier of their type. If the ranges overlap, copies one by one, in the
 * order that reads each source element before it is overwritten, like memmove(). */
static gboolean
copy_constructed (C2gTypeMeta    *meta,
                  gsize           n_items,
                  gconstpointer   source,
                  gpointer        destination,
                  GError        **error)
{
  const char *from = source;
  char *to = destination;
  const gsize n_bytes = n_items * meta->item_size;

  if (to >= from + n_bytes || from >= to + n_bytes)
    return c2g_type_meta_copy_items (meta, from, to, n_items, error);

  for (gsize i = 0; i < n_items; i++)
    {
      const gsize offset = (to < from ? i : n_items - 1 - i) * meta->item_size;

      if (!c2g_type_meta_copy_items (meta, from + offset, to + offset, 1, error))
        return FALSE;
    }
  return TRUE;
}

/* A CPU context uses the context of the device for memory that the CPU cannot access, and waits until
 * the copy is done. */
static gboolean
copy_bytes (C2gContext     *self,
            gsize           n_bytes,
            C2gDevice      *source_device,
            gconstpointer   source,
            C2gDevice      *destination_device,
            gpointer        destination,
            GError        **error)
{
  C2gDevice *far_device = source_device->type != C2G_DEVICE_TYPE_CPU ? source_device
                                                                      : destination_device;
  C2gContextClass *klass;

  if (C2G_IS_CPU_CONTEXT (self) && far_device->type != C2G_DEVICE_TYPE_CPU)
    {
      g_autoptr (C2gContext) context = c2g_context_shared (far_device, error);

      return context != NULL &&
             copy_bytes (context, n_bytes, source_device, source, destination_device, destination,
                         error) &&
             c2g_context_finish (context, error);
    }

  klass = C2G_CONTEXT_GET_CLASS (self);
  if (klass->copy_bytes == NULL)
    return c2g_vfunc_fail_not_implemented (self, "copy_bytes", error);

  return c2g_vfunc_check_result (self,
                                   klass->copy_bytes (self, n_bytes, source_device, source,
                                                      destination_device, destination, error),
                                   "copy_bytes", error);
}

/**
 * c2g_context_copy_items: (skip)
 * @self: a context
 * @meta: the element type
 * @n_items: how many elements
 * @source_device: where @source is
 * @source: (nullable): constructed elements, `NULL` if @n_items is 0
 * @destination_device: where @destination is
 * @destination: (nullable): constructed elements, `NULL` if @n_items is 0
 * @error: return location for an error
 *
 * Copies elements from one place to another.
 *
 * The places may overlap. Elements that are not plain are assigned by the copier of their type.
 * This works only on the CPU: on another device, or if the type has no copier, the error is
 * `C2G_ERROR_NOT_SUPPORTED`. A copier may run foreign code, so the caller must hold references
 * to the blocks.
 *
 * Returns: true if the elements were copied
 */
gboolean
c2g_context_copy_items (C2gContext     *self,
                        C2gTypeMeta    *meta,
                        gsize           n_items,
                        C2gDevice      *source_device,
                        gconstpointer   source,
                        C2gDevice      *destination_device,
                        gpointer        destination,
                        GError        **error)
{
  g_return_val_if_fail (C2G_IS_CONTEXT (self), FALSE);
  g_return_val_if_fail (meta != NULL, FALSE);
  g_return_val_if_fail (source_device != NULL, FALSE);
  g_return_val_if_fail (source != NULL || n_items == 0, FALSE);
  g_return_val_if_fail (destination_device != NULL, FALSE);
  g_return_val_if_fail (destination != NULL || n_items == 0, FALSE);
  g_return_val_if_fail (n_items <= G_MAXSIZE / meta->item_size, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_type_meta_can_copy (meta))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("Elements of type “%s” cannot be copied"),
                     meta->name);

  if (n_items == 0 || (source == destination && source_device == destination_device))
    return TRUE;

  if (meta->is_plain)
    return copy_bytes (self, n_items * meta->item_size, source_device, source,
                       destination_device, destination, error);

  if (source_device->type != C2G_DEVICE_TYPE_CPU || destination_device->type != C2G_DEVICE_TYPE_CPU)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Elements of type “%s” cannot be copied from %s to %s"), meta->name,
                     source_device->name, destination_device->name);

  return copy_constructed (meta, n_items, source, destination, error);
}
