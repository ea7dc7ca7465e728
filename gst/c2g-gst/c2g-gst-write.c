/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-write.h>

#include <glib/gi18n-lib.h>

/* Tensors that write into buffers, between c2g_gst_buffer_begin_write() and its end. */

/* Reference-counted: the storage has a reference, and the tensor has one. The tensor's end needs it
 * to know whether the storage has released the buffer. */
typedef struct
{
  /* NULL once it was released. */
  GstBuffer  *buffer;
  GstMapInfo  map;
} Scope;

static GQuark
scope_quark (void)
{
  return g_quark_from_static_string ("c2g-gst-write-scope");
}

static void
release_scope (gpointer data)
{
  Scope *self = data;

  gst_buffer_unmap (self->buffer, &self->map);
  gst_clear_buffer (&self->buffer);
  g_atomic_rc_box_release (self);
}

static Scope *
scope_new (GstBuffer    *buffer,
           gsize         item_size,
           GError      **error)
{
  Scope *self = g_atomic_rc_box_new0 (Scope);

  if (!gst_buffer_is_writable (buffer))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_READ_ONLY,
                         _("The buffer cannot be written: others hold it; make it writable or copy it"));
  else if (!gst_buffer_map (buffer, &self->map, GST_MAP_READWRITE))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("The buffer cannot be mapped for writing"));
  else
    {
      self->buffer = gst_buffer_ref (buffer);
      if (item_size == 0 || (gsize) self->map.data % item_size == 0)
        return self;
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                           _("The buffer cannot be written as a tensor: its bytes are not aligned to "
                             "the elements"));
      release_scope (self);
      return NULL;
    }

  g_atomic_rc_box_release (self);
  return NULL;
}

/**
 * c2g_gst_tensor_begin_write:
 * @buffer: a writable buffer
 * @data_type: the type of its elements
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions
 * @error: return location for an error
 *
 * Creates a tensor over the bytes of a buffer, for writing.
 *
 * This is for elements that change a frame in place, or fill a buffer before they push it. Writing
 * ends with [func@tensor_end_write], or when the tensor is freed. Until then the tensor holds the
 * buffer, mapped for reading and writing: no other code can write it, and it must not be pushed.
 *
 * Memory that is shared, for example with another branch of a tee or with a sealed tensor, is
 * copied by GStreamer first. Several memories are merged.
 *
 * Fails with `C2G_ERROR_READ_ONLY` if others hold the buffer, with `C2G_ERROR_BUSY` if it cannot be
 * mapped, with `C2G_ERROR_NOT_SUPPORTED` if its bytes are not aligned to the elements, with
 * `C2G_ERROR_RANGE` if it has too few bytes, and with the errors of
 * [ctor@C2g.Tensor.new_from_storage].
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_gst_tensor_begin_write (GstBuffer     *buffer,
                            C2gDataType    data_type,
                            const gint64  *dims,
                            gsize          n_dims,
                            GError       **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  C2gTensor *tensor;
  Scope *scope;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  scope = scope_new (buffer, c2g_data_type_get_item_size (data_type), error);
  if (scope == NULL)
    return NULL;

  storage = c2g_storage_new_external (c2g_device_cpu (), scope->map.data, scope->map.size, FALSE,
                                      release_scope, scope);
  tensor = c2g_tensor_new_from_storage (data_type, dims, n_dims, storage, 0, error);
  if (tensor != NULL)
    g_object_set_qdata_full (G_OBJECT (tensor), scope_quark (), g_atomic_rc_box_acquire (scope),
                             g_atomic_rc_box_release);

  return tensor;
}

/**
 * c2g_gst_tensor_end_write:
 * @tensor: a tensor of [func@tensor_begin_write]
 * @error: return location for an error
 *
 * Ends writing: the tensor loses its memory, and the buffer is free again.
 *
 * Fails with `C2G_ERROR_FAILED` if the tensor has moved to other memory because it became too
 * large, so that later writes are not in the buffer; and with `C2G_ERROR_BUSY` if others hold the
 * memory, for example tensors that share it, mappings and NumPy arrays. In that case the buffer
 * must not be pushed: writing ends when they release the memory. The tensor has no memory
 * afterwards in any case.
 *
 * Call it in the thread that writes, when no other thread uses the tensor.
 *
 * Returns: `TRUE` if all writes are in the buffer, and nobody else can write to it
 */
gboolean
c2g_gst_tensor_end_write (C2gTensor  *tensor,
                          GError    **error)
{
  Scope *scope;
  gboolean was_released, is_released;

  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  scope = g_object_steal_qdata (G_OBJECT (tensor), scope_quark ());
  g_return_val_if_fail (scope != NULL, FALSE);

  was_released = scope->buffer == NULL;
  c2g_tensor_free_memory (tensor);
  is_released = scope->buffer == NULL;
  g_atomic_rc_box_release (scope);

  if (was_released)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_FAILED,
                         _("The tensor has left the buffer: it was given other memory while it was "
                           "written"));
  else if (!is_released)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("Others hold the memory of the buffer: let go of arrays, mappings and "
                           "tensors that share it before writing ends"));

  return !was_released && is_released;
}
