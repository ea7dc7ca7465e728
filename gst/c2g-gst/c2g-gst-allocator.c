/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-cuda-private.h>
#include <c2g-gst/c2g-gst-private.h>

#include <glib/gi18n-lib.h>

#include <string.h>

/**
 * C2gGstAllocator:
 *
 * A GStreamer allocator whose memory is in storages of c2g.
 *
 * Elements and buffer pools that use this allocator write into storages. Sealed tensors become such
 * memory without a copy, by [func@buffer_new_from_tensor]. Parts of the memory share its storage,
 * and copies of it are new storages. All of it is listed by [class@C2g.MemoryReporter].
 *
 * The default one is registered as `C2gMemory`, and takes memory from the default allocator of the CPU. A program makes others
 * over its own allocators of c2g. Over a `C2gCudaPinnedAllocator` the memory is pinned, so a GPU can copy frames while the
 * processor does something else.
 *
 * ## Threads
 *
 * Elements allocate and free memory in their streaming threads, and so call the allocator of c2g there. JavaScript cannot run
 * in such a thread, so an allocator that is a subclass in JavaScript cannot be used here. Subclasses in C, Vala and Python can.
 */
struct _C2gGstAllocator
{
  GstAllocator  parent_instance;

  /* NULL for the default allocator of the CPU at the time. */
  C2gAllocator *source;
};

#define MEMORY_TYPE "C2gMemory"

typedef struct
{
  GstMemory   memory;
  C2gStorage *storage;
  /* Offset of the memory in the storage; GstMemory.offset counts from there. */
  gsize       start;
} C2gGstMemory;

G_DEFINE_FINAL_TYPE (C2gGstAllocator, c2g_gst_allocator, GST_TYPE_ALLOCATOR)

/* Takes ownership of STORAGE; the other arguments are those of gst_memory_init(). */
static GstMemory *
memory_new (GstAllocator   *allocator,
            C2gStorage     *storage,
            gsize           start,
            GstMemoryFlags  flags,
            GstMemory      *parent,
            gsize           max_size,
            gsize           align,
            gsize           offset,
            gsize           size)
{
  C2gGstMemory *self = g_new (C2gGstMemory, 1);

  gst_memory_init (GST_MEMORY_CAST (self), flags, allocator, parent, max_size, align, offset, size);
  self->storage = storage;
  self->start = start;

  return GST_MEMORY_CAST (self);
}

static C2gStorage *
new_storage (C2gGstAllocator  *self,
             gsize             n_bytes,
             GError          **error)
{
  return self->source != NULL ? c2g_allocator_allocate (self->source, n_bytes, NULL, error)
                              : c2g_storage_new (c2g_device_cpu (), n_bytes, NULL, error);
}

/* Allocates a storage that is larger by the alignment, so that its address can be rounded up. */
static GstMemory *
c2g_gst_allocator_alloc (GstAllocator        *allocator,
                         gsize                size,
                         GstAllocationParams *params)
{
  const gsize align = params->align | gst_memory_alignment;
  g_autoptr (GError) error = NULL;
  gsize max_size, n_bytes;
  C2gStorage *storage = NULL;
  gsize start;

  if (g_size_checked_add (&max_size, params->prefix, size) &&
      g_size_checked_add (&max_size, max_size, params->padding) &&
      g_size_checked_add (&n_bytes, max_size, align))
    storage = new_storage (C2G_GST_ALLOCATOR (allocator), n_bytes, &error);
  if (storage == NULL)
    {
      GST_ERROR_OBJECT (allocator, "%s", error != NULL ? error->message : "too many bytes");
      return NULL;
    }

  start = -c2g_storage_get_address (storage) & align;
  if (params->prefix > 0 && (params->flags & GST_MEMORY_FLAG_ZERO_PREFIXED) != 0)
    memset ((guint8 *) (guintptr) c2g_storage_get_address (storage) + start, 0, params->prefix);
  if (params->padding > 0 && (params->flags & GST_MEMORY_FLAG_ZERO_PADDED) != 0)
    memset ((guint8 *) (guintptr) c2g_storage_get_address (storage) + start + params->prefix + size,
            0, params->padding);

  return memory_new (allocator, storage, start, params->flags, NULL, max_size, align,
                     params->prefix, size);
}

static void
c2g_gst_allocator_free (GstAllocator *allocator,
                        GstMemory    *memory)
{
  C2gGstMemory *self = (C2gGstMemory *) memory;

  c2g_storage_unref (self->storage);
  g_free (self);
}

/* Returns TRUE if devices may be using the memory. Allocators of such memory, which is pinned, record its uses. Foreign memory
 * has no allocator here and may be pinned, too. */
static gboolean
has_users (C2gStorage *storage)
{
  C2gAllocator *allocator = c2g_storage_get_allocator (storage);

  return allocator == NULL || C2G_ALLOCATOR_GET_CLASS (allocator)->block_funcs->record_use != NULL;
}

/* Maps the storage. GStreamer has no place for the error, so it is logged. */
static C2gMapping *
map_storage (GstMemory   *memory,
             C2gMapFlags  flags)
{
  g_autoptr (GError) error = NULL;
  C2gMapping *mapping = c2g_storage_map (((C2gGstMemory *) memory)->storage, flags, &error);

  if (mapping == NULL)
    GST_WARNING_OBJECT (memory->allocator, "%s", error->message);

  return mapping;
}

/* A write mapping also maps the storage for writing, so that no other code can seal it meanwhile. Mapping a storage waits for
 * the devices that use it. */
static gpointer
map_memory (GstMemory  *memory,
            GstMapInfo *info,
            gsize       max_size)
{
  C2gGstMemory *self = (C2gGstMemory *) memory;
  C2gMapping *mapping = NULL;

  if ((info->flags & GST_MAP_WRITE) != 0 || has_users (self->storage))
    {
      mapping = map_storage (memory, (info->flags & GST_MAP_WRITE) != 0 ? C2G_MAP_READ_WRITE : C2G_MAP_READ);
      if (mapping == NULL)
        return NULL;
    }
  info->user_data[0] = mapping;

  return (guint8 *) (guintptr) c2g_storage_get_address (self->storage) + self->start;
}

static void
unmap_memory (GstMemory  *memory,
              GstMapInfo *info)
{
  C2gMapping *mapping = info->user_data[0];

  if (mapping != NULL)
    c2g_mapping_unref (mapping);
}

static gsize
rest_of (GstMemory *memory,
         gssize     offset,
         gssize     size)
{
  return size >= 0 ? (gsize) size : memory->size - offset;
}

/* Parts are read-only, as in GStreamer's own allocator. */
static GstMemory *
share_memory (GstMemory *memory,
              gssize     offset,
              gssize     size)
{
  C2gGstMemory *self = (C2gGstMemory *) memory;
  GstMemory *parent = memory->parent != NULL ? memory->parent : memory;

  return memory_new (memory->allocator, c2g_storage_ref (self->storage), self->start,
                     GST_MINI_OBJECT_FLAGS (parent) | GST_MEMORY_FLAG_READONLY, parent,
                     memory->maxsize, memory->align, memory->offset + offset,
                     rest_of (memory, offset, size));
}

static GstMemory *
copy_memory (GstMemory *memory,
             gssize     offset,
             gssize     size)
{
  C2gGstMemory *self = (C2gGstMemory *) memory;
  const gsize n_bytes = rest_of (memory, offset, size);
  GstAllocationParams params = { 0, memory->align, 0, 0 };
  g_autoptr (C2gMapping) mapping = map_storage (memory, C2G_MAP_READ);
  GstMemory *copy = mapping != NULL ? c2g_gst_allocator_alloc (memory->allocator, n_bytes, &params) : NULL;
  C2gGstMemory *other = (C2gGstMemory *) copy;

  if (copy != NULL && n_bytes > 0)
    memcpy ((guint8 *) (guintptr) c2g_storage_get_address (other->storage) + other->start,
            (guint8 *) (guintptr) c2g_storage_get_address (self->storage) + self->start +
              memory->offset + offset,
            n_bytes);

  return copy;
}

/* GStreamer calls this only for two parts of the same parent. */
static gboolean
is_span (GstMemory *first,
         GstMemory *second,
         gsize     *offset)
{
  if (offset != NULL)
    *offset = first->offset - first->parent->offset;

  return ((C2gGstMemory *) first)->storage == ((C2gGstMemory *) second)->storage &&
         first->offset + first->size == second->offset;
}

/* Not in dispose: an allocator that was disposed must not take memory from another source. */
static void
c2g_gst_allocator_finalize (GObject *object)
{
  g_clear_object (&C2G_GST_ALLOCATOR (object)->source);

  G_OBJECT_CLASS (c2g_gst_allocator_parent_class)->finalize (object);
}

static void
c2g_gst_allocator_class_init (C2gGstAllocatorClass *klass)
{
  GstAllocatorClass *allocator_class = GST_ALLOCATOR_CLASS (klass);

  allocator_class->alloc = c2g_gst_allocator_alloc;
  allocator_class->free = c2g_gst_allocator_free;

  G_OBJECT_CLASS (klass)->finalize = c2g_gst_allocator_finalize;
}

static void
c2g_gst_allocator_init (C2gGstAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR_CAST (self);

  allocator->mem_type = MEMORY_TYPE;
  allocator->mem_map_full = map_memory;
  allocator->mem_unmap_full = unmap_memory;
  allocator->mem_share = share_memory;
  allocator->mem_copy = copy_memory;
  allocator->mem_is_span = is_span;
}

/* Returns the allocator, which is never freed because GStreamer keeps registered allocators. */
static GstAllocator *
get_allocator (void)
{
  static GstAllocator *allocator = NULL;

  if (g_once_init_enter (&allocator))
    {
      GstAllocator *self = g_object_new (C2G_GST_TYPE_ALLOCATOR, NULL);

      gst_object_ref_sink (self);
      GST_OBJECT_FLAG_SET (self, GST_OBJECT_FLAG_MAY_BE_LEAKED);
      gst_allocator_register (MEMORY_TYPE, gst_object_ref (self));
      g_once_init_leave (&allocator, self);
    }

  return allocator;
}

/**
 * c2g_gst_allocator_new:
 * @allocator: an allocator of CPU memory
 * @error: return location for an error
 *
 * Creates an allocator of GStreamer whose memory is that of an allocator of c2g.
 *
 * Copies of the memory are of the same allocator. Mapping the memory waits for the devices that use it, as
 * [method@C2g.Storage.map] does. @allocator is called in streaming threads.
 *
 * Fails with `C2G_ERROR_DEVICE` if @allocator has memory that the CPU cannot address.
 *
 * Returns: (transfer full): an allocator
 */
C2gGstAllocator *
c2g_gst_allocator_new (C2gAllocator  *allocator,
                       GError       **error)
{
  C2gDevice *device;
  C2gGstAllocator *self;

  g_return_val_if_fail (C2G_IS_ALLOCATOR (allocator), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  device = c2g_allocator_get_device (allocator);
  if (device != c2g_device_cpu ())
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("Elements of GStreamer cannot address the memory of an allocator on %s"),
                   c2g_device_to_string (device));
      return NULL;
    }

  self = gst_object_ref_sink (g_object_new (C2G_GST_TYPE_ALLOCATOR, NULL));
  self->source = g_object_ref (allocator);

  return self;
}

/**
 * c2g_gst_allocator_get_default:
 *
 * Gets the allocator, which is registered with GStreamer as `C2gMemory`.
 *
 * Returns: (transfer full): the allocator
 */
C2gGstAllocator *
c2g_gst_allocator_get_default (void)
{
  return gst_object_ref (C2G_GST_ALLOCATOR (get_allocator ()));
}

GstMemory *
c2g_gst_memory_new (C2gStorage *storage,
                    gsize       offset,
                    gsize       n_bytes)
{
  return memory_new (get_allocator (), c2g_storage_ref (storage), 0, GST_MEMORY_FLAG_READONLY, NULL,
                     c2g_storage_get_n_bytes (storage), 0, offset, n_bytes);
}

static C2gStorage *
get_far_storage (GstMemory *memory,
                 gsize     *offset)
{
  C2gTensor *tensor = c2g_gst_cuda_memory_peek (memory);
  C2gStorage *storage = tensor != NULL ? c2g_tensor_get_storage (tensor) : NULL;

  if (storage != NULL && offset != NULL)
    *offset = c2g_tensor_get_address (tensor) - c2g_storage_get_address (storage) + memory->offset;

  return storage;
}

/**
 * c2g_gst_memory_get_storage:
 * @memory: memory of any allocator
 * @offset: (out) (optional): the offset of the bytes of @memory in the storage
 *
 * Gets the storage that contains a GstMemory. It is valid as long as the memory; take a reference to
 * keep it longer.
 *
 * Returns: (transfer none) (nullable): the storage, or `NULL` if the memory is neither of
 *   [class@Allocator] nor of [func@buffer_new_from_tensor]
 */
C2gStorage *
c2g_gst_memory_get_storage (GstMemory *memory,
                            gsize     *offset)
{
  C2gGstMemory *self = (C2gGstMemory *) memory;

  g_return_val_if_fail (memory != NULL, NULL);

  if (offset != NULL)
    *offset = 0;
  /* Compares the exact type: the class is final, and GST_IS_… macros also search the parent types. */
  if (G_OBJECT_TYPE (memory->allocator) != C2G_GST_TYPE_ALLOCATOR)
    return get_far_storage (memory, offset);
  if (offset != NULL)
    *offset = self->start + memory->offset;

  return self->storage;
}
