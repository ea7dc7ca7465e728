/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-tensor.h>

#include <c2g-gst/c2g-gst-cuda-private.h>
#include <c2g-gst/c2g-gst-private.h>

#include <glib/gi18n-lib.h>

#include <string.h>

/* Tensors over the bytes of buffers, and buffers over the memory of tensors, without copying. */

typedef struct
{
  /* Empty if the memory does not belong to a buffer. */
  C2gGstHold  hold;
  /* NULL if the buffer keeps the memory: nobody can take it out of a buffer that is held here, too. */
  GstMemory  *memory;
  gboolean    is_locked;
  GstMapInfo  map;
} HeldMemory;

static void
release_memory (gpointer data)
{
  HeldMemory *held = data;

  gst_memory_unmap (held->map.memory, &held->map);
  if (held->is_locked)
    gst_memory_unlock (held->memory, GST_LOCK_FLAG_EXCLUSIVE);
  if (held->memory != NULL)
    gst_memory_unref (held->memory);
  if (held->hold.buffer != NULL)
    c2g_gst_hold_clear (&held->hold);
  g_free (held);
}

C2gTensor *
c2g_gst_tensor_new_room (const C2gGstShape  *shape,
                         gsize               n_bytes,
                         gpointer           *bytes,
                         GError            **error)
{
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (c2g_device_cpu (), error);
  g_autoptr (C2gStorage) storage = NULL;

  if (allocator != NULL)
    storage = c2g_allocator_allocate (allocator, MAX (n_bytes, 1), NULL, error);
  if (storage == NULL)
    return NULL;

  *bytes = (gpointer) (gsize) c2g_storage_get_address (storage);
  return c2g_tensor_new_from_storage (shape->data_type, shape->dims, shape->n_dims, storage, 0, error);
}

/* No data type has items of more than 8 bytes. Most memory is aligned to them, and then the type need not be asked. */
static inline gboolean
is_aligned (gconstpointer data,
            C2gDataType   data_type)
{
  const gsize address = (gsize) data;

  return address % 8 == 0 || address % MAX (c2g_data_type_get_item_size (data_type), 1) == 0;
}

C2gTensor *
c2g_gst_tensor_new_over (const C2gGstShape  *shape,
                         gpointer            data,
                         gsize               n_bytes,
                         GDestroyNotify      release,
                         gpointer            holder,
                         const C2gGstHold   *hold,
                         GError            **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  C2gTensor *copy;
  gpointer bytes;

  if (is_aligned (data, shape->data_type) && (hold == NULL || !c2g_gst_hold_starves (hold)))
    {
      storage = c2g_storage_new_external (c2g_device_cpu (), data, n_bytes, TRUE, release, holder);
      return c2g_tensor_new_from_storage (shape->data_type, shape->dims, shape->n_dims, storage, 0,
                                          error);
    }

  copy = c2g_gst_tensor_new_room (shape, n_bytes, &bytes, error);
  if (copy != NULL && n_bytes > 0)
    memcpy (bytes, data, n_bytes);
  release (holder);
  if (copy != NULL)
    c2g_tensor_seal (copy, NULL);

  return copy;
}

/* Does the same with memory of a GPU, which is always aligned. A copy stays on the GPU. */
static C2gTensor *
new_over_far (const C2gGstShape  *shape,
              C2gDevice          *device,
              HeldMemory         *held,
              GError            **error)
{
  const gboolean starves = c2g_gst_hold_starves (&held->hold);
  g_autoptr (C2gStorage) storage =
    c2g_storage_new_external (device, held->map.data, held->map.size, TRUE, release_memory, held);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (shape->data_type, shape->dims, shape->n_dims, storage, 0, error);

  return tensor != NULL && starves ? c2g_tensor_clone (tensor, NULL, error) : g_steal_pointer (&tensor);
}

/* GStreamer's own memory lies neither on a GPU nor over a storage. Comparing its allocator takes less time than asking
 * the two, or than comparing names. There is one such allocator, which GStreamer keeps until it ends. */
static inline gboolean
is_system_memory (GstMemory *memory)
{
  static GstAllocator *system_allocator = NULL;

  if (g_once_init_enter (&system_allocator))
    g_once_init_leave (&system_allocator, gst_allocator_find (GST_ALLOCATOR_SYSMEM));

  return memory->allocator == system_allocator;
}

/* Takes ownership of MEMORY, unless it lies IN_BUFFER. Another one of BUFFER is merged. Without a buffer, an exclusive lock of
 * the memory keeps others from writing. */
static C2gTensor *
new_over_memory (const C2gGstShape  *shape,
                 GstMemory          *memory,
                 GstBuffer          *buffer,
                 gboolean            in_buffer,
                 GError            **error)
{
  GstMapFlags flags = GST_MAP_READ;
  C2gDevice *device = is_system_memory (memory) ? c2g_device_cpu () : c2g_gst_cuda_find_device (memory, &flags, error);
  HeldMemory *held;
  gboolean is_mapped;

  if (device == NULL)
    {
      if (!in_buffer)
        gst_memory_unref (memory);
      return NULL;
    }
  held = g_new (HeldMemory, 1);
  held->memory = NULL;
  is_mapped = in_buffer && gst_memory_map (memory, &held->map, flags);
  if (!is_mapped)
    held->memory = gst_memory_make_mapped (in_buffer ? gst_memory_ref (memory) : memory, &held->map, flags);
  if (!is_mapped && held->memory == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                           _("The buffer cannot be mapped for reading"));
      g_free (held);
      return NULL;
    }
  held->hold = (C2gGstHold) { NULL };
  held->is_locked = buffer == NULL && gst_memory_lock (held->memory, GST_LOCK_FLAG_EXCLUSIVE);
  if (buffer != NULL)
    c2g_gst_hold_init (&held->hold, buffer);
  if (device != c2g_device_cpu ())
    return new_over_far (shape, device, held, error);

  return c2g_gst_tensor_new_over (shape, held->map.data, held->map.size, release_memory, held,
                                  &held->hold, error);
}

/* Returns a tensor over the sealed storage of the memory; NULL if the memory has none or it is too
 * small. */
static C2gTensor *
new_over_sealed (const C2gGstShape *shape,
                 GstMemory         *memory)
{
  g_autoptr (C2gTensor) tensor = NULL;
  gsize offset;
  C2gStorage *storage = is_system_memory (memory) ? NULL : c2g_gst_memory_get_storage (memory, &offset);

  if (storage == NULL || !c2g_storage_is_read_only (storage))
    return NULL;
  tensor = c2g_tensor_new_from_storage (shape->data_type, shape->dims, shape->n_dims, storage, offset,
                                        NULL);

  return tensor != NULL && c2g_tensor_get_n_bytes (tensor) <= memory->size ? g_steal_pointer (&tensor)
                                                                           : NULL;
}

/**
 * c2g_gst_tensor_new_from_buffer:
 * @buffer: a buffer
 * @data_type: the type of its elements
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions
 * @error: return location for an error
 *
 * Creates a tensor over the bytes of a buffer.
 *
 * The tensor is read-only and holds the buffer, mapped for reading, until its memory is freed. So a
 * program that keeps such tensors keeps buffers from their pool. Writing to the tensor moves it to
 * a copy; GStreamer elements that write to the buffer copy it too.
 *
 * Nothing is copied if the buffer has a single memory that is aligned to the elements. The memories
 * of other buffers are merged, which is a copy, and memory that is mapped for writing is copied
 * too. If a pool cannot make more buffers and tensors already hold as many as it can spare, the
 * tensor gets a copy, so that the stream can go on.
 *
 * Where c2g was built with GStreamer's CUDA library, the tensor of a buffer of one `GstCudaMemory` is on its
 * device, also without a copy. Rows of pixels have their padding there. The memory must be in the primary
 * context of the device, see [func@context_new_for_device]; other memory is refused with `C2G_ERROR_DEVICE`.
 *
 * Fails with `C2G_ERROR_RANGE` if the buffer has too few bytes, with `C2G_ERROR_BUSY` if it cannot
 * be mapped, and with the errors of [ctor@C2g.Tensor.new_from_storage].
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_gst_tensor_new_from_buffer (GstBuffer     *buffer,
                                C2gDataType    data_type,
                                const gint64  *dims,
                                gsize          n_dims,
                                GError       **error)
{
  const C2gGstShape shape = { data_type, dims, n_dims };
  GstMemory *memory;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (gst_buffer_n_memory (buffer) == 1)
    {
      C2gTensor *tensor;

      memory = gst_buffer_peek_memory (buffer, 0);
      tensor = new_over_sealed (&shape, memory);

      return tensor != NULL ? tensor : new_over_memory (&shape, memory, buffer, TRUE, error);
    }

  memory = gst_buffer_get_all_memory (buffer);
  /* A buffer of 0 bytes may have no memory. */
  if (memory == NULL)
    memory = gst_allocator_alloc (NULL, 0, NULL);

  return new_over_memory (&shape, memory, buffer, FALSE, error);
}

/**
 * c2g_gst_tensor_new_from_memory:
 * @memory: memory
 * @data_type: the type of its elements
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions
 * @error: return location for an error
 *
 * Creates a tensor over a GstMemory.
 *
 * This works like [func@tensor_new_from_buffer] with a buffer that has only this memory. No pool
 * reuses the memory as long as the tensor has it. If the buffer is available, use that function.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_gst_tensor_new_from_memory (GstMemory     *memory,
                                C2gDataType    data_type,
                                const gint64  *dims,
                                gsize          n_dims,
                                GError       **error)
{
  const C2gGstShape shape = { data_type, dims, n_dims };
  C2gTensor *tensor;

  g_return_val_if_fail (memory != NULL, NULL);
  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  tensor = new_over_sealed (&shape, memory);

  return tensor != NULL ? tensor : new_over_memory (&shape, gst_memory_ref (memory), NULL, FALSE, error);
}

/* Mapping checks that the tensor has data, is plain, and is accessible by the CPU. If it is sealed
 * already, the mapping is left out, because it takes as long as making the buffer. */
static gboolean
seal_plain (C2gTensor  *tensor,
            GError    **error)
{
  g_autoptr (C2gMapping) mapping = NULL;

  if (c2g_tensor_is_sealed (tensor) && c2g_tensor_get_device (tensor) == c2g_device_cpu () &&
      c2g_type_meta_is_plain (c2g_tensor_get_type_meta (tensor)))
    return TRUE;
  mapping = c2g_tensor_map (tensor, C2G_MAP_READ, error);

  return mapping != NULL && c2g_gst_seal (tensor, error);
}

/* NULL without an error if the tensor has no bytes. */
static GstMemory *
new_memory (C2gTensor  *tensor,
            GError    **error)
{
  C2gStorage *storage;

  if (!seal_plain (tensor, error) || c2g_tensor_get_n_bytes (tensor) == 0)
    return NULL;
  storage = c2g_tensor_get_storage (tensor);

  return c2g_gst_memory_new (storage, c2g_tensor_get_address (tensor) - c2g_storage_get_address (storage),
                             c2g_tensor_get_n_bytes (tensor));
}

/**
 * c2g_gst_buffer_new_from_tensor:
 * @tensor: a tensor of plain elements
 * @error: return location for an error
 *
 * Creates a buffer over the memory of a tensor, without a copy if possible.
 *
 * The tensor is sealed, see [method@C2g.Tensor.seal]: elements that read the buffer in other
 * threads rely on that, and elements that write get a copy. A tensor that shares its memory with
 * other tensors is not sealed; the program must seal or clone it. A tensor over foreign memory,
 * such as a NumPy array, moves to a copy.
 *
 * Where c2g was built with GStreamer's CUDA library, a tensor on a CUDA device becomes `GstCudaMemory` in the
 * context of [func@context_new_for_device]. The call waits for work that uses the tensor, because elements expect
 * buffers that are ready. Those that map the memory on the CPU get a copy of it there.
 *
 * Fails with `C2G_ERROR_BUSY` if other tensors share the memory or a mapping may write to it, with
 * `C2G_ERROR_DEVICE` if the memory is on a device that GStreamer cannot use, with `C2G_ERROR_TYPE` if
 * the elements are not plain, and with `C2G_ERROR_FAILED` without data.
 *
 * Returns: (transfer full): a buffer
 */
GstBuffer *
c2g_gst_buffer_new_from_tensor (C2gTensor  *tensor,
                                GError    **error)
{
  GError *local_error = NULL;
  GstMemory *memory;
  GstBuffer *buffer;

  g_return_val_if_fail (C2G_IS_TENSOR (tensor), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_tensor_get_device (tensor) == c2g_device_cpu ())
    memory = new_memory (tensor, &local_error);
  else
    memory = c2g_gst_cuda_memory_new (tensor, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return NULL;
    }

  buffer = gst_buffer_new ();
  if (memory != NULL)
    gst_buffer_append_memory (buffer, memory);

  return buffer;
}
