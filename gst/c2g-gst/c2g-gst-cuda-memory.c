/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-cuda-memory-private.h>

#include <c2g-gst/c2g-gst-cuda-private.h>
#include <c2g-gst/c2g-gst-private.h>

#include <glib/gi18n-lib.h>

/* GstCudaMemory over tensors.
 *
 * GStreamer 1.22 has no function that wraps memory of others. So the memory comes from an allocator whose class is derived
 * from GStreamer's: every element takes it for GstCudaMemory, and the functions here map it. */

/* CUDA's number of the stream of the calling thread. Other threads cannot wait for that stream, so c2g_tensor_lend_to_stream()
 * waits itself until the work on the tensor is done. That is wanted here: elements of GStreamer 1.22 expect buffers that are
 * ready. The test /gst/cuda/pending-writer fails if it does not wait. */
#define STREAM_OF_THREAD 2

static GQuark
tensor_quark (void)
{
  return g_quark_from_static_string ("c2g-gst-cuda-tensor");
}

static void
set_tensor (GstMemory *memory,
            C2gTensor *tensor)
{
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), tensor_quark (), g_object_ref (tensor), g_object_unref);
}

typedef struct
{
  GstCudaMemory  parent_instance;
  /* Atomic. A copy for those who map the memory on the CPU. It is made once, and stays as long as the memory. */
  C2gTensor     *near;
} C2gGstCudaMemory;

typedef struct
{
  GstCudaAllocator parent_instance;
} C2gGstCudaAllocator;

typedef struct
{
  GstCudaAllocatorClass parent_class;
} C2gGstCudaAllocatorClass;

static GType c2g_gst_cuda_allocator_get_type (void);
G_DEFINE_FINAL_TYPE (C2gGstCudaAllocator, c2g_gst_cuda_allocator, GST_TYPE_CUDA_ALLOCATOR)

/* Each frame on the CPU comes here, too. It is sorted out by its type, because finding a quark by its name takes longer. */
C2gTensor *
c2g_gst_cuda_memory_peek (GstMemory *memory)
{
  if (G_OBJECT_TYPE (memory->allocator) != c2g_gst_cuda_allocator_get_type ())
    return NULL;

  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory), tensor_quark ());
}

static GstAllocator *
get_allocator (void)
{
  static GstAllocator *allocator = NULL;

  if (g_once_init_enter (&allocator))
    {
      GstAllocator *self = g_object_new (c2g_gst_cuda_allocator_get_type (), NULL);

      gst_object_ref_sink (self);
      GST_OBJECT_FLAG_SET (self, GST_OBJECT_FLAG_MAY_BE_LEAKED);
      g_once_init_leave (&allocator, self);
    }

  return allocator;
}

/* Parts of the memory share one copy. If two threads make it at once, the first copy is used and the other one is freed. */
static C2gTensor *
get_near (GstMemory *memory)
{
  C2gGstCudaMemory *self = (C2gGstCudaMemory *) (memory->parent != NULL ? memory->parent : memory);
  g_autoptr (C2gTensor) copy = NULL;
  g_autoptr (GError) error = NULL;

  if (g_atomic_pointer_get (&self->near) == NULL)
    {
      copy = c2g_tensor_to_device (c2g_gst_cuda_memory_peek (memory), c2g_device_cpu (), &error);
      if (copy == NULL)
        GST_ERROR ("%s", error->message);
      else if (g_atomic_pointer_compare_and_exchange (&self->near, NULL, copy))
        copy = NULL;
    }

  return g_atomic_pointer_get (&self->near);
}

/* The memory is sealed, so nobody maps it for writing. */
static gpointer
map_memory (GstMemory  *memory,
            GstMapInfo *info,
            gsize       max_size)
{
  C2gTensor *tensor = (info->flags & GST_MAP_CUDA) == GST_MAP_CUDA ? c2g_gst_cuda_memory_peek (memory) : get_near (memory);

  return tensor != NULL ? (gpointer) (gsize) c2g_tensor_get_address (tensor) : NULL;
}

static void
unmap_memory (GstMemory  *memory,
              GstMapInfo *info)
{
}

/* Copies are made to be written, by elements that know nothing of CUDA. */
static GstMemory *
copy_memory (GstMemory *memory,
             gssize     offset,
             gssize     size)
{
  C2gTensor *near = get_near (memory);
  g_autoptr (GstMemory) bytes = NULL;

  if (near == NULL || !c2g_tensor_seal (near, NULL))
    return NULL;
  bytes = c2g_gst_memory_new (c2g_tensor_get_storage (near), 0, c2g_tensor_get_n_bytes (near));

  return gst_memory_copy (bytes, memory->offset + offset, size >= 0 ? (gsize) size : memory->size - offset);
}

static GstMemory *
new_memory (C2gTensor       *tensor,
            GstCudaContext  *context,
            GstMemory       *parent,
            gsize            offset,
            gsize            n_bytes)
{
  C2gGstCudaMemory *self = g_new0 (C2gGstCudaMemory, 1);
  GstMemory *memory = GST_MEMORY_CAST (self);

  gst_memory_init (memory, GST_MEMORY_FLAG_READONLY, get_allocator (), parent, c2g_tensor_get_n_bytes (tensor), 0, offset,
                   n_bytes);
  set_tensor (memory, tensor);
  self->parent_instance.context = gst_object_ref (context);
  gst_video_info_init (&self->parent_instance.info);
  self->parent_instance.info.size = n_bytes;

  return memory;
}

static GstMemory *
share_memory (GstMemory *memory,
              gssize     offset,
              gssize     size)
{
  return new_memory (c2g_gst_cuda_memory_peek (memory), GST_CUDA_MEMORY_CAST (memory)->context,
                     memory->parent != NULL ? memory->parent : memory, memory->offset + offset,
                     size >= 0 ? (gsize) size : memory->size - offset);
}

static void
c2g_gst_cuda_allocator_free (GstAllocator *allocator,
                             GstMemory    *memory)
{
  C2gGstCudaMemory *self = (C2gGstCudaMemory *) memory;

  gst_object_unref (self->parent_instance.context);
  g_clear_object (&self->near);
  g_free (self);
}

static void
c2g_gst_cuda_allocator_class_init (C2gGstCudaAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->free = c2g_gst_cuda_allocator_free;
}

static void
c2g_gst_cuda_allocator_init (C2gGstCudaAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR_CAST (self);

  allocator->mem_map_full = map_memory;
  allocator->mem_unmap_full = unmap_memory;
  allocator->mem_copy = copy_memory;
  allocator->mem_share = share_memory;
}

/* The tensor may get another shape, so the memory has one of its own. */
static C2gTensor *
dup_tensor (C2gTensor  *tensor,
            GError    **error)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  return c2g_tensor_new_from_storage (c2g_tensor_get_data_type (tensor), dims, n_dims, storage,
                                      c2g_tensor_get_address (tensor) - c2g_storage_get_address (storage), error);
}

/* The context comes first, so that nothing is sealed where there is no driver. */
GstMemory *
c2g_gst_cuda_memory_new (C2gTensor  *tensor,
                         GError    **error)
{
  GstCudaContext *context = c2g_gst_cuda_ref_context (c2g_tensor_get_device (tensor), error);
  g_autoptr (C2gTensor) own = NULL;
  GstMemory *memory = NULL;

  if (context == NULL)
    return NULL;
  if (c2g_gst_seal (tensor, error) && c2g_tensor_get_n_bytes (tensor) > 0 &&
      c2g_tensor_lend_to_stream (tensor, STREAM_OF_THREAD, error))
    own = dup_tensor (tensor, error);
  if (own != NULL)
    memory = new_memory (own, context, NULL, 0, c2g_tensor_get_n_bytes (own));
  gst_object_unref (context);

  return memory;
}
