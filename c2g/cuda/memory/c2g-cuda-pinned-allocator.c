/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-pinned-allocator.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-cache-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <string.h>

/**
 * C2gCudaPinnedAllocator:
 *
 * An allocator of host memory that GPUs copy from and to by themselves.
 *
 * Such memory is pinned: the system never moves it. Copies between it and a GPU are faster,
 * and go on while the processor does something else. It is also scarce and slow to
 * allocate, so the allocator caches the blocks it is given back. Programs have to ask for
 * it:
 *
 * ```c
 * g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
 * g_autoptr (C2gStorage) storage =
 *   c2g_allocator_allocate (pinned, n_bytes, NULL, &error);
 * g_autoptr (C2gTensor) staging =
 *   c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, dims, n_dims, storage, 0,
 *                                &error);
 * ```
 *
 * A block that streams use is given out again when they are done with it. Copies record
 * their uses by themselves, others do so with [method@C2g.Storage.record_use]. The context
 * that a block was requested in counts as a user. Nobody waits for that: events are asked
 * when nothing else is free.
 *
 * [method@C2g.Allocator.trim] gives memory back to the system, and waits for the streams
 * that still use it.
 *
 * ## Threads
 *
 * All functions can be called from any thread. No lock is held while CUDA is called.
 */

/* Limit of the allocator for copies of the library itself. */
#define STAGING_BYTES (32u << 20)

struct _C2gCudaPinnedAllocator
{
  C2gAllocator   parent_instance;

  C2gCudaCache  *cache;
  C2gSettings   *settings;
};

enum
{
  PROP_0,
  PROP_MAX_BYTES,
  PROP_ALLOCATED_BYTES,
  PROP_ACTIVE_BYTES,
  PROP_CACHED_BYTES,
  PROP_PEAK_BYTES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaPinnedAllocator, c2g_cuda_pinned_allocator, C2G_TYPE_ALLOCATOR)

static cudaError_t
take_memory (gpointer *address,
             gsize     n_bytes)
{
  return cudaHostAlloc (address, n_bytes, cudaHostAllocPortable);
}

static const C2gCudaSource source = {
  .name = "cudaHostAlloc",
  .take = take_memory,
  .give = cudaFreeHost,
};

static void
c2g_cuda_pinned_allocator_record_use (C2gAllocator *allocator,
                                      gpointer      block,
                                      C2gContext   *context)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  if (stream != NULL)
    c2g_cuda_cache_use (C2G_CUDA_PINNED_ALLOCATOR (allocator)->cache, block, stream);
}

/* A reset of the device that was current at the allocation frees the memory, and the processor
 * would fault on it. So CUDA is asked each time. */
static gpointer
take_block (C2gCudaPinnedAllocator  *self,
            gsize                    n_bytes,
            int                      device,
            gboolean                *retried,
            GError                 **error)
{
  gpointer block = c2g_cuda_cache_take (self->cache, n_bytes, NULL, device, retried, error);

  if (block == NULL || !c2g_cuda_cache_is_gone (self->cache, block))
    return block;

  c2g_cuda_cache_give (self->cache, block);

  return c2g_cuda_cache_take (self->cache, n_bytes, NULL, device, retried, error);
}

/* Takes memory that was pinned on the device of the context, so that a reset of another device does
 * not free it under a copy. Without a context any pinned memory will do, and new memory is pinned
 * on the caller's device. */
static gpointer
take_block_for (C2gCudaPinnedAllocator  *self,
                gsize                    n_bytes,
                C2gContext              *context,
                gboolean                *retried,
                GError                 **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  C2gCudaGuard guard;
  gpointer block;

  *retried = FALSE;
  if (stream == NULL)
    return take_block (self, n_bytes, -1, retried, error);
  /* This runs code of other libraries, which expects the caller's device. */
  c2g_cuda_deferred_flush ();
  if (!c2g_cuda_guard_enter (&guard, c2g_cuda_stream_index (stream), error))
    return NULL;

  block = take_block (self, n_bytes, c2g_cuda_stream_index (stream), retried, error);
  c2g_cuda_guard_leave (&guard);

  return block;
}

static gpointer
c2g_cuda_pinned_allocator_alloc_block (C2gAllocator  *allocator,
                                       gsize          n_bytes,
                                       C2gContext    *context,
                                       GError       **error)
{
  C2gCudaPinnedAllocator *self = C2G_CUDA_PINNED_ALLOCATOR (allocator);
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  g_autoptr (GError) local_error = NULL;
  gboolean retried;
  gpointer block = take_block_for (self, n_bytes, context, &retried, &local_error);

  block = c2g_cuda_cache_finish_take (allocator, n_bytes, block, retried, local_error, error);
  if (block == NULL)
    return NULL;

  /* No stream uses the block any more, so the host can write to it at once. */
  if (stream != NULL)
    c2g_cuda_cache_expect (self->cache, block, stream);
  if (c2g_settings_get_zero_fill (self->settings))
    memset (block, 0, n_bytes);

  return block;
}

static void
c2g_cuda_pinned_allocator_free_block (C2gAllocator *allocator,
                                      gpointer      block,
                                      gsize         n_bytes,
                                      C2gContext   *context)
{
  c2g_cuda_cache_give (C2G_CUDA_PINNED_ALLOCATOR (allocator)->cache, block);
}

static gboolean
c2g_cuda_pinned_allocator_wait_for_uses (C2gAllocator  *allocator,
                                         gpointer       block,
                                         C2gContext    *context,
                                         GError       **error)
{
  C2gCudaCache *cache = C2G_CUDA_PINNED_ALLOCATOR (allocator)->cache;
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  return stream != NULL ? c2g_cuda_cache_wait_for_uses (cache, block, stream, error)
                        : c2g_cuda_cache_finish_uses (cache, block, error);
}

static const C2gBlockFuncs block_funcs = {
  .alloc_block = c2g_cuda_pinned_allocator_alloc_block,
  .free_block = c2g_cuda_pinned_allocator_free_block,
  .record_use = c2g_cuda_pinned_allocator_record_use,
  .wait_for_uses = c2g_cuda_pinned_allocator_wait_for_uses,
};

static gsize
c2g_cuda_pinned_allocator_get_alignment (C2gAllocator *allocator)
{
  return C2G_CUDA_GRAIN;
}

static gsize
c2g_cuda_pinned_allocator_trim (C2gAllocator *allocator,
                                gsize         keep_bytes)
{
  return c2g_cuda_cache_trim (C2G_CUDA_PINNED_ALLOCATOR (allocator)->cache, keep_bytes);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_MAX_BYTES] = C2G_PROPERTY (c2g_cuda_pinned_allocator, max_bytes),
  [PROP_ALLOCATED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_pinned_allocator, allocated_bytes),
  [PROP_ACTIVE_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_pinned_allocator, active_bytes),
  [PROP_CACHED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_pinned_allocator, cached_bytes),
  [PROP_PEAK_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_pinned_allocator, peak_bytes),
};

static void
c2g_cuda_pinned_allocator_finalize (GObject *object)
{
  C2gCudaPinnedAllocator *self = C2G_CUDA_PINNED_ALLOCATOR (object);

  c2g_memory_reporter_remove_cache (self->cache);
  c2g_cuda_cache_unref (self->cache);
  g_object_unref (self->settings);

  G_OBJECT_CLASS (c2g_cuda_pinned_allocator_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  /**
   * C2gCudaPinnedAllocator:max-bytes: (getter get_max_bytes) (setter set_max_bytes)
   *
   * Limit on the bytes that the allocator may pin, cached ones included.
   */
  props[PROP_MAX_BYTES] =
    g_param_spec_uint64 ("max-bytes", NULL, NULL,
                         0, G_MAXUINT64, G_MAXUINT64,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gCudaPinnedAllocator:allocated-bytes: (getter get_allocated_bytes)
   *
   * Bytes of the allocated blocks.
   */
  props[PROP_ALLOCATED_BYTES] =
    g_param_spec_uint64 ("allocated-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaPinnedAllocator:active-bytes: (getter get_active_bytes)
   *
   * Bytes of the allocated blocks, and of returned ones that a stream still uses.
   */
  props[PROP_ACTIVE_BYTES] =
    g_param_spec_uint64 ("active-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaPinnedAllocator:cached-bytes: (getter get_cached_bytes)
   *
   * Bytes that are cached for later allocations. Returned blocks that a stream still uses are
   * not among them; [class@C2g.MemoryReporter] counts them as cached, too.
   */
  props[PROP_CACHED_BYTES] =
    g_param_spec_uint64 ("cached-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaPinnedAllocator:peak-bytes: (getter get_peak_bytes)
   *
   * The most bytes that were pinned, cached ones included.
   */
  props[PROP_PEAK_BYTES] =
    g_param_spec_uint64 ("peak-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_pinned_allocator_class_init (C2gCudaPinnedAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_cuda_pinned_allocator_finalize;

  allocator_class->get_alignment = c2g_cuda_pinned_allocator_get_alignment;
  allocator_class->trim = c2g_cuda_pinned_allocator_trim;
  allocator_class->block_funcs = &block_funcs;

  install_properties (object_class);
}

static void
c2g_cuda_pinned_allocator_init (C2gCudaPinnedAllocator *self)
{
  self->cache = c2g_cuda_cache_new (&source, -1);
  self->settings = c2g_settings_get_default ();
  c2g_memory_reporter_add_cache (c2g_device_cpu (), c2g_cuda_cache_count, self->cache);
}

/**
 * c2g_cuda_pinned_allocator_new:
 *
 * Makes an allocator, which has no memory at first.
 *
 * If CUDA cannot be used every allocation fails with `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_pinned_allocator_new (void)
{
  return g_object_new (C2G_CUDA_TYPE_PINNED_ALLOCATOR, NULL);
}

/**
 * c2g_cuda_pinned_allocator_get_staging:
 *
 * Gets the allocator of the blocks through which the library itself copies memory that is
 * not pinned.
 *
 * Its limit is 32 MiB unless [property@PinnedAllocator:max-bytes] is set. It pins nothing
 * before the first such copy; [method@C2g.Allocator.trim] gives the memory back.
 *
 * Returns: (transfer full): the allocator, the same one each time
 */
C2gAllocator *
c2g_cuda_pinned_allocator_get_staging (void)
{
  static C2gAllocator *staging;

  if (g_once_init_enter (&staging))
    {
      C2gAllocator *allocator = c2g_cuda_pinned_allocator_new ();

      c2g_cuda_pinned_allocator_set_max_bytes (C2G_CUDA_PINNED_ALLOCATOR (allocator),
                                               STAGING_BYTES);
      g_once_init_leave (&staging, allocator);
    }

  return g_object_ref (staging);
}

/**
 * c2g_cuda_pinned_allocator_get_max_bytes: (get-property max-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocator may pin.
 *
 * Returns: bytes; `G_MAXUINT64` if there is no limit
 */
guint64
c2g_cuda_pinned_allocator_get_max_bytes (C2gCudaPinnedAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_PINNED_ALLOCATOR (self), 0);

  return c2g_cuda_cache_get_limit (self->cache);
}

/**
 * c2g_cuda_pinned_allocator_set_max_bytes: (set-property max-bytes)
 * @self: an allocator
 * @max_bytes: bytes, or `G_MAXUINT64` for no limit
 *
 * Sets how many bytes the allocator may pin, cached ones included.
 *
 * Lowering the limit gives no memory back; see [method@C2g.Allocator.trim].
 */
void
c2g_cuda_pinned_allocator_set_max_bytes (C2gCudaPinnedAllocator *self,
                                         guint64                 max_bytes)
{
  g_return_if_fail (C2G_CUDA_IS_PINNED_ALLOCATOR (self));

  if (c2g_cuda_cache_set_limit (self->cache, max_bytes))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MAX_BYTES]);
}

#define NUMBER(name, value) \
  C2G_CUDA_DEFINE_NUMBER (C2gCudaPinnedAllocator, c2g_cuda_pinned_allocator, C2G_CUDA_IS_PINNED_ALLOCATOR, name, value)

/**
 * c2g_cuda_pinned_allocator_get_allocated_bytes: (get-property allocated-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have.
 *
 * Returns: bytes
 */
NUMBER (allocated_bytes, now.allocated_bytes)

/**
 * c2g_cuda_pinned_allocator_get_active_bytes: (get-property active-bytes)
 * @self: an allocator
 *
 * Gets how many bytes the allocated blocks have, and returned ones that a stream still
 * uses.
 *
 * Returns: bytes
 */
NUMBER (active_bytes, now.active_bytes)

/**
 * c2g_cuda_pinned_allocator_get_cached_bytes: (get-property cached-bytes)
 * @self: an allocator
 *
 * Gets how many bytes are cached for later allocations.
 *
 * Returns: bytes
 */
NUMBER (cached_bytes, now.reserved_bytes - now.active_bytes)

/**
 * c2g_cuda_pinned_allocator_get_peak_bytes: (get-property peak-bytes)
 * @self: an allocator
 *
 * Gets the most bytes that were pinned, cached ones included.
 *
 * Returns: bytes
 */
NUMBER (peak_bytes, now.peak_reserved_bytes)

/**
 * c2g_cuda_pinned_allocator_reset_peak:
 * @self: an allocator
 *
 * Sets the peak to the present value.
 */
void
c2g_cuda_pinned_allocator_reset_peak (C2gCudaPinnedAllocator *self)
{
  g_return_if_fail (C2G_CUDA_IS_PINNED_ALLOCATOR (self));

  c2g_cuda_cache_reset_peaks (self->cache);
}
