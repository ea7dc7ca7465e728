/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-caching-allocator-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-reservation-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <c2g/core/types/c2g-error-private.h>

/**
 * C2gCudaCachingAllocator:
 *
 * An allocator of GPU memory that caches the memory it is given back.
 *
 * A block that is given back is free at once for work of the stream it was used on, without
 * a call of CUDA. That is the stream of the context it was requested in. Other streams get
 * the block when their own memory is used up and an event shows that the work on it is
 * over. Uses that were recorded with [method@C2g.Storage.record_use] are waited for first.
 * A block that was requested without a context can be used at once on every stream.
 *
 * Memory comes from the device in segments, which blocks are split from and joined to
 * again. Small blocks come from segments of 2 MiB. Others come from segments that are at
 * most an eighth of the memory reserved so far. A block is at most a sixteenth, or 255
 * bytes, larger than requested.
 *
 * Before an allocation fails the allocator waits for the streams that still use returned
 * blocks, and gives unused segments back to the device, the oldest first.
 * [method@C2g.Allocator.trim] does the same at any time.
 *
 * A stream is kept as long as it has free blocks that are for it alone. A foreign stream
 * must be kept by its owner until the blocks that were used on it are given back.
 *
 * After a reset of the device the cached blocks are gone, and the allocator forgets them.
 * It allocates again when all blocks from before the reset have been given back.
 *
 * ```c
 * g_autoptr (C2gAllocator) allocator =
 *   c2g_cuda_caching_allocator_new (device, &error);
 *
 * c2g_cuda_caching_allocator_set_max_fraction (
 *   C2G_CUDA_CACHING_ALLOCATOR (allocator), 0.5);
 * c2g_allocator_set_default (device, allocator, &error);
 * ```
 *
 * ## Threads
 *
 * All functions can be called from any thread. No lock is held while CUDA is called.
 */

struct _C2gCudaCachingAllocator
{
  C2gAllocator   parent_instance;

  C2gDevice     *device;
  /* NULL if the allocator was made with g_object_new(). */
  C2gCudaCache  *cache;

  GMutex         lock;
  guint64        max_bytes;
  double         max_fraction;
  /* Size of the device's memory. */
  guint64        total_bytes;
};

enum
{
  PROP_0,
  PROP_MAX_BYTES,
  PROP_MAX_FRACTION,
  PROP_EXPANDABLE_SEGMENTS,
  PROP_HISTORY_MAX_ENTRIES,
  PROP_REQUESTED_BYTES,
  PROP_ALLOCATED_BYTES,
  PROP_ACTIVE_BYTES,
  PROP_CACHED_BYTES,
  PROP_PEAK_ALLOCATED_BYTES,
  PROP_PEAK_BYTES,
  PROP_N_ALLOCATED,
  PROP_N_ACTIVE,
  PROP_N_CACHED,
  PROP_N_SEGMENTS,
  PROP_N_RETRIES,
  PROP_N_OOMS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaCachingAllocator, c2g_cuda_caching_allocator, C2G_TYPE_ALLOCATOR)

static cudaError_t
take_memory (gpointer *address,
             gsize     n_bytes)
{
  return cudaMalloc (address, n_bytes);
}

static const C2gCudaSource source = {
  .name = "cudaMalloc",
  .take = take_memory,
  .give = cudaFree,
};

static cudaError_t
take_managed (gpointer *address,
              gsize     n_bytes)
{
  return cudaMallocManaged (address, n_bytes, cudaMemAttachGlobal);
}

static const C2gCudaSource managed_source = {
  .name = "cudaMallocManaged",
  .take = take_managed,
  .give = cudaFree,
};

/* The stream of the context; NULL if there is no context, or if it is not on this device. */
static C2gCudaStream *
stream_of (C2gCudaCachingAllocator *self,
           C2gContext              *context)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  int index = c2g_device_get_index (self->device);

  return stream != NULL && c2g_cuda_stream_index (stream) == index ? stream : NULL;
}

static gpointer
c2g_cuda_caching_allocator_alloc_block (C2gAllocator  *allocator,
                                        gsize          n_bytes,
                                        C2gContext    *context,
                                        GError       **error)
{
  C2gCudaCachingAllocator *self = (C2gCudaCachingAllocator *) allocator;
  g_autoptr (GError) local_error = NULL;
  gboolean retried;
  gpointer block;

  if (G_UNLIKELY (self->cache == NULL))
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("This %s was not made by “%s” or “%s”, and cannot allocate memory"),
                          G_OBJECT_TYPE_NAME (self), "c2g_cuda_caching_allocator_new",
                          "c2g_cuda_caching_allocator_new_managed");

  block = c2g_cuda_cache_take (self->cache, n_bytes, stream_of (self, context), -1, &retried,
                               &local_error);

  return c2g_cuda_cache_finish_take (allocator, n_bytes, block, retried, local_error, error);
}

static void
c2g_cuda_caching_allocator_free_block (C2gAllocator *allocator,
                                       gpointer      block,
                                       gsize         n_bytes,
                                       C2gContext   *context)
{
  c2g_cuda_capture_note_free (c2g_cuda_context_peek_stream (context));
  c2g_cuda_cache_give (((C2gCudaCachingAllocator *) allocator)->cache, block);
}

static void
c2g_cuda_caching_allocator_record_use (C2gAllocator *allocator,
                                       gpointer      block,
                                       C2gContext   *context)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  if (stream != NULL)
    c2g_cuda_cache_use (C2G_CUDA_CACHING_ALLOCATOR (allocator)->cache, block, stream);
}

static gboolean
c2g_cuda_caching_allocator_wait_for_uses (C2gAllocator  *allocator,
                                          gpointer       block,
                                          C2gContext    *context,
                                          GError       **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  return stream == NULL ||
         c2g_cuda_cache_wait_for_uses (C2G_CUDA_CACHING_ALLOCATOR (allocator)->cache, block, stream,
                                       error);
}

static const C2gBlockFuncs block_funcs = {
  .alloc_block = c2g_cuda_caching_allocator_alloc_block,
  .free_block = c2g_cuda_caching_allocator_free_block,
  .record_use = c2g_cuda_caching_allocator_record_use,
  .wait_for_uses = c2g_cuda_caching_allocator_wait_for_uses,
};

static C2gDevice *
c2g_cuda_caching_allocator_get_device (C2gAllocator *allocator)
{
  return ((C2gCudaCachingAllocator *) allocator)->device;
}

static gsize
c2g_cuda_caching_allocator_get_alignment (C2gAllocator *allocator)
{
  return C2G_CUDA_GRAIN;
}

static gsize
c2g_cuda_caching_allocator_trim (C2gAllocator *allocator,
                                 gsize         keep_bytes)
{
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (allocator);

  return self->cache != NULL ? c2g_cuda_cache_trim (self->cache, keep_bytes) : 0;
}

C2gCudaCache *
c2g_cuda_caching_allocator_peek_cache (C2gCudaCachingAllocator *self)
{
  return self->cache;
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_MAX_BYTES] = C2G_PROPERTY (c2g_cuda_caching_allocator, max_bytes),
  [PROP_MAX_FRACTION] = C2G_PROPERTY (c2g_cuda_caching_allocator, max_fraction),
  [PROP_EXPANDABLE_SEGMENTS] = { .get = G_CALLBACK (c2g_cuda_caching_allocator_has_expandable_segments) },
  [PROP_HISTORY_MAX_ENTRIES] = C2G_PROPERTY (c2g_cuda_caching_allocator, history_max_entries),
  [PROP_REQUESTED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, requested_bytes),
  [PROP_ALLOCATED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, allocated_bytes),
  [PROP_ACTIVE_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, active_bytes),
  [PROP_CACHED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, cached_bytes),
  [PROP_PEAK_ALLOCATED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, peak_allocated_bytes),
  [PROP_PEAK_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, peak_bytes),
  [PROP_N_ALLOCATED] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_allocated),
  [PROP_N_ACTIVE] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_active),
  [PROP_N_CACHED] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_cached),
  [PROP_N_SEGMENTS] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_segments),
  [PROP_N_RETRIES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_retries),
  [PROP_N_OOMS] = C2G_PROPERTY_READ_ONLY (c2g_cuda_caching_allocator, n_ooms),
};

static void
c2g_cuda_caching_allocator_finalize (GObject *object)
{
  C2gCudaCachingAllocator *self = C2G_CUDA_CACHING_ALLOCATOR (object);

  if (self->cache != NULL)
    {
      c2g_memory_reporter_remove_cache (self->cache);
      c2g_cuda_cache_unref (self->cache);
    }
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_cuda_caching_allocator_parent_class)->finalize (object);
}

static void
install_limits (void)
{
  /**
   * C2gCudaCachingAllocator:max-bytes: (getter get_max_bytes) (setter set_max_bytes)
   *
   * Limit on the bytes of the device that the allocator may have, cached ones included. Of managed
   * memory all bytes count, wherever they are.
   */
  props[PROP_MAX_BYTES] =
    g_param_spec_uint64 ("max-bytes", NULL, NULL,
                         0, G_MAXUINT64, G_MAXUINT64,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gCudaCachingAllocator:max-fraction: (getter get_max_fraction) (setter set_max_fraction)
   *
   * Limit as a part of the device's memory, cached memory included. Managed memory can then not
   * exceed the device's either, unless the part is 1.
   */
  props[PROP_MAX_FRACTION] =
    g_param_spec_double ("max-fraction", NULL, NULL,
                         0.0, 1.0, 1.0,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gCudaCachingAllocator:expandable-segments: (getter has_expandable_segments)
   *
   * Whether the allocator maps more memory into the segments that it has.
   */
  props[PROP_EXPANDABLE_SEGMENTS] =
    g_param_spec_boolean ("expandable-segments", NULL, NULL,
                          FALSE,
                          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * C2gCudaCachingAllocator:history-max-entries: (getter get_history_max_entries) (setter set_history_max_entries)
   *
   * How many of the newest events are recorded for snapshots, at most 16777216. By default it is 0: none are.
   */
  props[PROP_HISTORY_MAX_ENTRIES] =
    g_param_spec_uint ("history-max-entries", NULL, NULL,
                       0, C2G_CUDA_MAX_ENTRIES, 0,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

static void
install_number (guint       prop_id,
                const char *name)
{
  props[prop_id] =
    g_param_spec_uint64 (name, NULL, NULL,
                         0, G_MAXUINT64, 0,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
install_sizes (void)
{
  /**
   * C2gCudaCachingAllocator:requested-bytes: (getter get_requested_bytes)
   *
   * Bytes that were requested for the allocated blocks.
   */
  install_number (PROP_REQUESTED_BYTES, "requested-bytes");

  /**
   * C2gCudaCachingAllocator:allocated-bytes: (getter get_allocated_bytes)
   *
   * Bytes of the allocated blocks.
   */
  install_number (PROP_ALLOCATED_BYTES, "allocated-bytes");

  /**
   * C2gCudaCachingAllocator:active-bytes: (getter get_active_bytes)
   *
   * Bytes of the allocated blocks, and of returned ones that another stream still uses.
   */
  install_number (PROP_ACTIVE_BYTES, "active-bytes");

  /**
   * C2gCudaCachingAllocator:cached-bytes: (getter get_cached_bytes)
   *
   * Bytes of the device that are cached for later allocations. Returned blocks that a stream
   * still uses are not among them; [class@C2g.MemoryReporter] counts them as cached, too.
   */
  install_number (PROP_CACHED_BYTES, "cached-bytes");

  /**
   * C2gCudaCachingAllocator:peak-allocated-bytes: (getter get_peak_allocated_bytes)
   *
   * The most that [property@CachingAllocator:allocated-bytes] was.
   */
  install_number (PROP_PEAK_ALLOCATED_BYTES, "peak-allocated-bytes");

  /**
   * C2gCudaCachingAllocator:peak-bytes: (getter get_peak_bytes)
   *
   * The most bytes of the device that the allocator had, cached ones included.
   */
  install_number (PROP_PEAK_BYTES, "peak-bytes");
}

static void
install_counts (void)
{
  /**
   * C2gCudaCachingAllocator:n-allocated: (getter get_n_allocated)
   *
   * Number of allocated blocks.
   */
  install_number (PROP_N_ALLOCATED, "n-allocated");

  /**
   * C2gCudaCachingAllocator:n-active: (getter get_n_active)
   *
   * Number of allocated blocks, and of returned ones that another stream still uses.
   */
  install_number (PROP_N_ACTIVE, "n-active");

  /**
   * C2gCudaCachingAllocator:n-cached: (getter get_n_cached)
   *
   * Number of free blocks. Neighbours may be joined.
   */
  install_number (PROP_N_CACHED, "n-cached");

  /**
   * C2gCudaCachingAllocator:n-segments: (getter get_n_segments)
   *
   * Number of segments, that is allocations from the device.
   */
  install_number (PROP_N_SEGMENTS, "n-segments");

  /**
   * C2gCudaCachingAllocator:n-retries: (getter get_n_retries)
   *
   * Number of times that the device had no memory left, so that cached memory was given
   * back to try again.
   */
  install_number (PROP_N_RETRIES, "n-retries");

  /**
   * C2gCudaCachingAllocator:n-ooms: (getter get_n_ooms)
   *
   * Number of allocations that failed for want of memory.
   */
  install_number (PROP_N_OOMS, "n-ooms");
}

static void
c2g_cuda_caching_allocator_class_init (C2gCudaCachingAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_cuda_caching_allocator_finalize;

  allocator_class->get_device = c2g_cuda_caching_allocator_get_device;
  allocator_class->get_alignment = c2g_cuda_caching_allocator_get_alignment;
  allocator_class->trim = c2g_cuda_caching_allocator_trim;
  allocator_class->block_funcs = &block_funcs;

  install_limits ();
  install_sizes ();
  install_counts ();
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_caching_allocator_init (C2gCudaCachingAllocator *self)
{
  g_mutex_init (&self->lock);
  self->device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  self->max_bytes = G_MAXUINT64;
  self->max_fraction = 1.0;
}

static gboolean
get_total_bytes (int       index,
                 guint64  *n_bytes,
                 GError  **error)
{
  gsize n_free, n_total = 0;
  C2gCudaGuard guard;
  gboolean done;

  if (!c2g_cuda_guard_enter (&guard, index, error))
    return FALSE;

  done = C2G_CUDA_CALL (index, error, cudaMemGetInfo, &n_free, &n_total);
  c2g_cuda_guard_leave (&guard);
  *n_bytes = n_total;

  return done;
}

/* Without a source the segments are expandable. */
static C2gAllocator *
new_from_source (C2gDevice            *device,
                 const C2gCudaSource  *source_of_memory,
                 GError              **error)
{
  C2gCudaCachingAllocator *self;
  guint64 total_bytes;
  int index;

  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !get_total_bytes (index, &total_bytes, error) ||
      (source_of_memory == NULL && !c2g_cuda_reservation_check (index, error)))
    return NULL;

  self = g_object_new (C2G_CUDA_TYPE_CACHING_ALLOCATOR, NULL);
  self->device = device;
  self->total_bytes = total_bytes;
  self->cache = source_of_memory != NULL ? c2g_cuda_cache_new (source_of_memory, index)
                                         : c2g_cuda_cache_new_expandable (index, total_bytes);
  c2g_memory_reporter_add_cache (device, c2g_cuda_cache_count, self->cache);

  return C2G_ALLOCATOR (self);
}

/**
 * c2g_cuda_caching_allocator_new:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an allocator, which has no memory at first.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_caching_allocator_new (C2gDevice  *device,
                                GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return new_from_source (device, &source, error);
}

/**
 * c2g_cuda_caching_allocator_new_managed:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an allocator of managed memory, which has none at first.
 *
 * The driver moves managed memory between the device and the processor's memory as it is used,
 * so that there can be more of it than the device has. That is slower, and a copy to another
 * process is refused.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_caching_allocator_new_managed (C2gDevice  *device,
                                        GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return new_from_source (device, &managed_source, error);
}

/**
 * c2g_cuda_caching_allocator_new_expandable:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an allocator with expandable segments, which has no memory at first.
 *
 * It maps memory behind what it has already, instead of allocating segments one by one. A free block
 * at the end of a segment then grows as far as it must, so that tensors of changing sizes leave no
 * segments behind that are too small for the next one. PyTorch calls that `expandable_segments:True`.
 * Unused memory is unmapped in parts of at most 20 MiB when it is given back.
 *
 * There is a segment between any two gaps. The memory cannot be exported to another process. It
 * survives a reset of the device, but the allocator gives it back then, as it does with other memory.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`. If the device
 * or its driver has no virtual memory management, the error is `C2G_ERROR_NOT_SUPPORTED`.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_caching_allocator_new_expandable (C2gDevice  *device,
                                           GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return new_from_source (device, NULL, error);
}

/**
 * c2g_cuda_caching_allocator_has_expandable_segments: (get-property expandable-segments)
 * @self: an allocator
 *
 * Tells whether the allocator was made by [ctor@CachingAllocator.new_expandable].
 *
 * Returns: true if segments grow
 */
gboolean
c2g_cuda_caching_allocator_has_expandable_segments (C2gCudaCachingAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), FALSE);

  return c2g_cuda_cache_is_expandable (self->cache);
}

/* The caller holds the lock. */
static void
apply_limits (C2gCudaCachingAllocator *self)
{
  guint64 max_bytes = self->max_bytes;

  if (self->max_fraction < 1.0)
    max_bytes = MIN (max_bytes, (guint64) (self->max_fraction * (double) self->total_bytes));
  if (self->cache != NULL)
    c2g_cuda_cache_set_limit (self->cache, max_bytes);
}

/**
 * c2g_cuda_caching_allocator_get_max_bytes: (get-property max-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the device the allocator may have.
 *
 * Returns: bytes; `G_MAXUINT64` if there is no limit
 */
guint64
c2g_cuda_caching_allocator_get_max_bytes (C2gCudaCachingAllocator *self)
{
  guint64 max_bytes;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0);

  g_mutex_lock (&self->lock);
  max_bytes = self->max_bytes;
  g_mutex_unlock (&self->lock);

  return max_bytes;
}

/**
 * c2g_cuda_caching_allocator_set_max_bytes: (set-property max-bytes)
 * @self: an allocator
 * @max_bytes: bytes, or `G_MAXUINT64` for no limit
 *
 * Sets how many bytes of the device the allocator may have, cached ones included.
 *
 * Lowering the limit gives no memory back; see [method@C2g.Allocator.trim].
 */
void
c2g_cuda_caching_allocator_set_max_bytes (C2gCudaCachingAllocator *self,
                                          guint64                  max_bytes)
{
  gboolean is_other;

  g_return_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self));

  g_mutex_lock (&self->lock);
  is_other = self->max_bytes != max_bytes;
  self->max_bytes = max_bytes;
  apply_limits (self);
  g_mutex_unlock (&self->lock);

  if (is_other)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAX_BYTES]);
}

/**
 * c2g_cuda_caching_allocator_get_max_fraction: (get-property max-fraction)
 * @self: an allocator
 *
 * Gets what part of the device's memory the allocator may have.
 *
 * Returns: a number from 0 to 1
 */
double
c2g_cuda_caching_allocator_get_max_fraction (C2gCudaCachingAllocator *self)
{
  double max_fraction;

  g_return_val_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self), 0.0);

  g_mutex_lock (&self->lock);
  max_fraction = self->max_fraction;
  g_mutex_unlock (&self->lock);

  return max_fraction;
}

/**
 * c2g_cuda_caching_allocator_set_max_fraction: (set-property max-fraction)
 * @self: an allocator
 * @max_fraction: a number from 0 to 1
 *
 * Sets what part of the device's memory the allocator may have, cached memory included.
 *
 * If [property@CachingAllocator:max-bytes] is less, that is the limit.
 */
void
c2g_cuda_caching_allocator_set_max_fraction (C2gCudaCachingAllocator *self,
                                             double                   max_fraction)
{
  gboolean is_other;

  g_return_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self));
  g_return_if_fail (max_fraction >= 0.0 && max_fraction <= 1.0);

  g_mutex_lock (&self->lock);
  is_other = self->max_fraction < max_fraction || self->max_fraction > max_fraction;
  self->max_fraction = max_fraction;
  apply_limits (self);
  g_mutex_unlock (&self->lock);

  if (is_other)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAX_FRACTION]);
}

#define NUMBER(name, value) \
  C2G_CUDA_DEFINE_NUMBER (C2gCudaCachingAllocator, c2g_cuda_caching_allocator, C2G_CUDA_IS_CACHING_ALLOCATOR, name, value)

/**
 * c2g_cuda_caching_allocator_get_requested_bytes: (get-property requested-bytes)
 * @self: an allocator
 *
 * Gets how many bytes were requested for the allocated blocks.
 *
 * Returns: bytes, before rounding up
 */
NUMBER (requested_bytes, now.requested_bytes)

/**
 * c2g_cuda_caching_allocator_get_allocated_bytes: (get-property allocated-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have.
 *
 * Returns: bytes, after rounding up
 */
NUMBER (allocated_bytes, now.allocated_bytes)

/**
 * c2g_cuda_caching_allocator_get_active_bytes: (get-property active-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have, and returned ones that another stream
 * still uses.
 *
 * Returns: bytes
 */
NUMBER (active_bytes, now.active_bytes)

/**
 * c2g_cuda_caching_allocator_get_cached_bytes: (get-property cached-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the device are cached for later allocations.
 *
 * Returns: bytes
 */
NUMBER (cached_bytes, now.reserved_bytes - now.active_bytes)

/**
 * c2g_cuda_caching_allocator_get_peak_allocated_bytes: (get-property peak-allocated-bytes)
 * @self: an allocator
 *
 * Gets the largest value that [property@CachingAllocator:allocated-bytes] had.
 *
 * Returns: bytes
 */
NUMBER (peak_allocated_bytes, now.peak_allocated_bytes)

/**
 * c2g_cuda_caching_allocator_get_peak_bytes: (get-property peak-bytes)
 * @self: an allocator
 *
 * Gets the most bytes of the device that the allocator had, cached ones included.
 *
 * Returns: bytes
 */
NUMBER (peak_bytes, now.peak_reserved_bytes)

/**
 * c2g_cuda_caching_allocator_get_n_allocated: (get-property n-allocated)
 * @self: an allocator
 *
 * Gets how many blocks are allocated.
 *
 * Returns: a number
 */
NUMBER (n_allocated, now.n_allocated)

/**
 * c2g_cuda_caching_allocator_get_n_active: (get-property n-active)
 * @self: an allocator
 *
 * Gets how many blocks are allocated, or returned and still used by another stream.
 *
 * Returns: a number
 */
NUMBER (n_active, now.n_active)

/**
 * c2g_cuda_caching_allocator_get_n_cached: (get-property n-cached)
 * @self: an allocator
 *
 * Gets how many free blocks there are. Neighbours may be joined.
 *
 * Returns: a number
 */
NUMBER (n_cached, now.n_cached)

/**
 * c2g_cuda_caching_allocator_get_n_segments: (get-property n-segments)
 * @self: an allocator
 *
 * Gets how many segments the allocator has from the device.
 *
 * Returns: a number
 */
NUMBER (n_segments, now.n_segments)

/**
 * c2g_cuda_caching_allocator_get_n_retries: (get-property n-retries)
 * @self: an allocator
 *
 * Gets how often the device had no memory left, and cached memory was given back to try
 * again.
 *
 * Returns: a number
 */
NUMBER (n_retries, now.n_retries)

/**
 * c2g_cuda_caching_allocator_get_n_ooms: (get-property n-ooms)
 * @self: an allocator
 *
 * Gets how many allocations failed for want of memory.
 *
 * Returns: a number
 */
NUMBER (n_ooms, now.n_ooms)

/**
 * c2g_cuda_caching_allocator_reset_peaks:
 * @self: an allocator
 *
 * Sets the peaks to the present values.
 */
void
c2g_cuda_caching_allocator_reset_peaks (C2gCudaCachingAllocator *self)
{
  g_return_if_fail (C2G_CUDA_IS_CACHING_ALLOCATOR (self));

  if (self->cache != NULL)
    c2g_cuda_cache_reset_peaks (self->cache);
}
