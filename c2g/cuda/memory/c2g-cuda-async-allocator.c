/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-async-allocator.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/driver/c2g-cuda-peers-private.h>
#include <c2g/cuda/memory/c2g-cuda-workspace-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>
#include <c2g/cuda/stream/c2g-cuda-users-table-private.h>

#include <c2g/core/types/c2g-error-private.h>

/**
 * C2gCudaAsyncAllocator:
 *
 * An allocator of GPU memory in the order of streams, by CUDA's own memory pools.
 *
 * Blocks are allocated and freed as work on a stream, which is that of the context they
 * were requested in. So a block can be freed while work on that stream still uses it.
 * Blocks that were requested without a context can be used at once on every stream.
 *
 * After a reset of the device the allocator still takes blocks back, but allocates none:
 * make another one.
 *
 * Freed memory stays with the driver, in a pool of the allocator's own, up to the
 * [property@AsyncAllocator:release-threshold].
 *
 * ## Threads
 *
 * All functions can be called from any thread.
 */

/* The pool as the memory reporter knows it. It lives until no thread asks for its size any more. */
typedef struct
{
  int           device;
  cudaMemPool_t pool;
} Pool;

struct _C2gCudaAsyncAllocator
{
  C2gAllocator    parent_instance;

  C2gDevice      *device;
  cudaMemPool_t   pool;
  /* Owned by the memory reporter, which destroys it. */
  Pool           *counted;
  guint64         max_bytes;
  /* For blocks that were requested without a context. */
  C2gCudaStream  *alloc_stream;
  C2gCudaStream  *free_stream;
  C2gCudaUsersTable users;
  /* For each other device, 1 + its epoch when it was given access to the pool; atomic. */
  guint           opened[C2G_CUDA_MAX_DEVICES];
};

enum
{
  PROP_0,
  PROP_RELEASE_THRESHOLD,
  PROP_MAX_BYTES,
  PROP_USED_BYTES,
  PROP_PEAK_USED_BYTES,
  PROP_RESERVED_BYTES,
  PROP_PEAK_BYTES,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaAsyncAllocator, c2g_cuda_async_allocator, C2G_TYPE_ALLOCATOR)

/* A block that is being given back. */
typedef struct
{
  C2gCudaAsyncAllocator *allocator;
  gpointer               block;
  C2gCudaStream         *stream;
  C2gCudaUsers          *users;
} Return;

/* An allocator made by g_object_new() alone has no pool. */
static gboolean
check_pool (C2gCudaAsyncAllocator  *self,
            GError                **error)
{
  if (self->pool != NULL)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("This %s was not made by “%s”, and cannot allocate memory"),
                   G_OBJECT_TYPE_NAME (self), "c2g_cuda_async_allocator_new");
}

static int
get_index (C2gCudaAsyncAllocator *self)
{
  return c2g_device_get_index (self->device);
}

/* The stream of the context; NULL if there is no context, or if it is not on this device. */
static C2gCudaStream *
stream_of (C2gCudaAsyncAllocator *self,
           C2gContext            *context)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  return stream != NULL && c2g_cuda_stream_index (stream) == get_index (self) ? stream : NULL;
}

static gboolean
allocate_on (C2gCudaAsyncAllocator  *self,
             gsize                   n_bytes,
             C2gCudaStream          *stream,
             gpointer               *block,
             GError                **error)
{
  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (self->alloc_stream), error,
                               cudaMallocFromPoolAsync, block, n_bytes,
                               self->pool, c2g_cuda_stream_peek_own (stream));
}

static guint64
get_pool_attribute (cudaMemPool_t        pool,
                    int                  device,
                    enum cudaMemPoolAttr attribute)
{
  guint64 value = 0;

  C2G_CUDA_STREAM_CALL (device, NULL, cudaMemPoolGetAttribute, pool, attribute, &value);

  return value;
}

static guint64
get_attribute (C2gCudaAsyncAllocator *self,
               enum cudaMemPoolAttr    attribute)
{
  return self->pool != NULL ? get_pool_attribute (self->pool, get_index (self), attribute) : 0;
}

/* Freed blocks may still be in use by streams. After waiting for the device all of them are
 * free. */
static void
make_room (C2gCudaAsyncAllocator *self,
           gsize                  keep_bytes)
{
  C2gCudaGuard guard;
  guint64 used;

  if (!c2g_cuda_guard_enter (&guard, get_index (self), NULL))
    return;

  c2g_cuda_deferred_flush ();
  c2g_cuda_deferred_wait_for_device (get_index (self));
  used = get_attribute (self, cudaMemPoolAttrUsedMemCurrent);
  C2G_CUDA_CALL (get_index (self), NULL, cudaMemPoolTrimTo, self->pool,
                 keep_bytes < G_MAXSIZE - used ? used + keep_bytes : G_MAXSIZE);
  c2g_cuda_guard_leave (&guard);
}

/* CUDA has one error for the limit of the pool and for a full device. */
static void
set_no_memory (C2gCudaAsyncAllocator  *self,
               gsize                   n_bytes,
               const GError           *cause,
               GError                **error)
{
  guint64 n_reserved = get_attribute (self, cudaMemPoolAttrReservedMemCurrent);
  g_autoptr (GError) over_limit = NULL;

  if (!c2g_cuda_check_limit (self->max_bytes, n_reserved, n_bytes, &over_limit))
    cause = over_limit;
  c2g_allocator_set_no_memory (C2G_ALLOCATOR (self), n_bytes, cause->message, error);
}

static gpointer
c2g_cuda_async_allocator_alloc_block (C2gAllocator  *allocator,
                                      gsize          n_bytes,
                                      C2gContext    *context,
                                      GError       **error)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  C2gCudaStream *own = stream_of (self, context);
  C2gCudaStream *stream = own != NULL ? own : self->alloc_stream;
  g_autoptr (GError) local_error = NULL;
  gpointer block = NULL;
  gboolean done;

  if (!check_pool (self, error))
    return NULL;

  c2g_cuda_deferred_flush ();
  if (own == NULL)
    c2g_cuda_epoch_find (get_index (self));
  done = allocate_on (self, n_bytes, stream, &block, &local_error);
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    {
      g_clear_error (&local_error);
      c2g_cuda_workspace_release_all (get_index (self));
      make_room (self, 0);
      done = allocate_on (self, n_bytes, stream, &block, &local_error);
      g_signal_emit_by_name (self, "retried", (guint64) n_bytes);
    }
  /* Only allocations are on this stream, so it is soon done. */
  if (done && own == NULL && !c2g_cuda_stream_finish (stream, &local_error))
    {
      C2G_CUDA_STREAM_CALL (get_index (self), NULL, cudaFreeAsync, block,
                            c2g_cuda_stream_peek_own (stream));
      done = FALSE;
    }
  if (done && own != NULL)
    c2g_cuda_users_expect (c2g_cuda_users_table_ensure (&self->users, block), own);
  if (done)
    return block;

  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    set_no_memory (self, n_bytes, local_error, error);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));

  return NULL;
}

static void
return_free (Return *data)
{
  g_clear_pointer (&data->users, c2g_cuda_users_free);
  g_object_unref (data->stream);
  g_object_unref (data->allocator);
  g_free (data);
}

/* A default stream needs its device as the current one. If that fails the block is freed anyway. */
static cudaError_t
free_in_order (gpointer     block,
               int          device,
               cudaStream_t stream)
{
  C2gCudaGuard guard;
  gboolean is_current = c2g_cuda_guard_enter (&guard, device, NULL);
  cudaError_t result = cudaFreeAsync (block, stream);

  if (is_current)
    c2g_cuda_guard_leave (&guard);

  return result;
}

/* Pools and their blocks survive a reset of the device. Of the streams only the default one does,
 * so the block is then freed on that. */
static gboolean
return_block (gpointer user_data)
{
  Return *data = user_data;
  int device = get_index (data->allocator);
  gboolean is_gone = c2g_cuda_stream_find_index (data->stream) < 0;
  cudaStream_t stream = is_gone ? NULL : c2g_cuda_stream_peek_own (data->stream);

  if (data->users != NULL && !c2g_cuda_users_join (data->users, data->stream))
    return FALSE;
  if (!c2g_cuda_deferred_try (free_in_order (data->block, device, stream)))
    return FALSE;

  return_free (data);
  return TRUE;
}

static void
c2g_cuda_async_allocator_free_block (C2gAllocator *allocator,
                                     gpointer      block,
                                     gsize         n_bytes,
                                     C2gContext   *context)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  C2gCudaStream *own = stream_of (self, context);
  Return *data = g_new (Return, 1);

  data->allocator = g_object_ref (self);
  data->block = block;
  data->stream = g_object_ref (own != NULL ? own : self->free_stream);
  data->users = c2g_cuda_users_table_take (&self->users, block);

  c2g_cuda_capture_note_free (data->stream);
  c2g_cuda_deferred_run_or_queue (return_block, data);
}

static void
c2g_cuda_async_allocator_record_use (C2gAllocator *allocator,
                                     gpointer      block,
                                     C2gContext   *context)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  if (stream != NULL)
    c2g_cuda_users_add (c2g_cuda_users_table_ensure (&self->users, block), stream);
}

/* Every use by another device comes here before it, such as a copy. */
static void
open_pool (C2gCudaAsyncAllocator *self,
           int                    device)
{
  guint opened = device >= 0 ? 1 + c2g_cuda_epoch_get (device) : 0;

  if (device < 0 || device == get_index (self) ||
      (guint) g_atomic_int_get (&self->opened[device]) == opened)
    return;

  /* Another thread may do the same meanwhile, but does not copy before the device has access. If
   * CUDA refuses it, this copy goes through the host, and the next use tries again. */
  if (c2g_cuda_peers_open_pool (self->pool, get_index (self), device))
    g_atomic_int_set (&self->opened[device], opened);
}

static gboolean
c2g_cuda_async_allocator_wait_for_uses (C2gAllocator  *allocator,
                                        gpointer       block,
                                        C2gContext    *context,
                                        GError       **error)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  C2gCudaUsers *users;

  if (stream == NULL)
    return TRUE;

  open_pool (self, c2g_cuda_stream_index (stream));
  users = c2g_cuda_users_table_find (&self->users, block);

  return users == NULL || c2g_cuda_users_wait (users, stream, error);
}

static const C2gBlockFuncs block_funcs = {
  .alloc_block = c2g_cuda_async_allocator_alloc_block,
  .free_block = c2g_cuda_async_allocator_free_block,
  .record_use = c2g_cuda_async_allocator_record_use,
  .wait_for_uses = c2g_cuda_async_allocator_wait_for_uses,
};

static C2gDevice *
c2g_cuda_async_allocator_get_device (C2gAllocator *allocator)
{
  return C2G_CUDA_ASYNC_ALLOCATOR (allocator)->device;
}

static gsize
c2g_cuda_async_allocator_get_alignment (C2gAllocator *allocator)
{
  return 256;
}

static gsize
count_cached (gpointer data)
{
  Pool *self = data;
  guint64 used = get_pool_attribute (self->pool, self->device, cudaMemPoolAttrUsedMemCurrent);
  guint64 reserved =
    get_pool_attribute (self->pool, self->device, cudaMemPoolAttrReservedMemCurrent);

  return reserved > used ? reserved - used : 0;
}

/* Blocks are free when the streams on which they were freed are done. */
static gsize
c2g_cuda_async_allocator_trim (C2gAllocator *allocator,
                               gsize         keep_bytes)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (allocator);
  guint64 before = get_attribute (self, cudaMemPoolAttrReservedMemCurrent);
  guint64 after;

  if (self->pool == NULL)
    return 0;

  make_room (self, keep_bytes);
  after = get_attribute (self, cudaMemPoolAttrReservedMemCurrent);

  return before > after ? before - after : 0;
}

/* A property cannot report an error. */
static void
try_release_threshold (C2gCudaAsyncAllocator *self,
                       guint64                n_bytes)
{
  g_autoptr (GError) error = NULL;

  if (!c2g_cuda_async_allocator_set_release_threshold (self, n_bytes, &error))
    g_debug ("The release threshold stays: %s", error->message);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_RELEASE_THRESHOLD] = {
    .get = G_CALLBACK (c2g_cuda_async_allocator_get_release_threshold),
    .set = G_CALLBACK (try_release_threshold),
  },
  [PROP_MAX_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_async_allocator, max_bytes),
  [PROP_USED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_async_allocator, used_bytes),
  [PROP_PEAK_USED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_async_allocator, peak_used_bytes),
  [PROP_RESERVED_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_async_allocator, reserved_bytes),
  [PROP_PEAK_BYTES] = C2G_PROPERTY_READ_ONLY (c2g_cuda_async_allocator, peak_bytes),
};

static cudaError_t
destroy_pool (gpointer pool)
{
  return cudaMemPoolDestroy (pool);
}

static void
pool_free (gpointer data)
{
  Pool *self = data;

  c2g_cuda_deferred_destroy (destroy_pool, self->pool, self->device,
                             c2g_cuda_epoch_find (self->device));
  g_free (self);
}

/* Makes the memory reporter the owner of the pool, which destroys it. */
static void
let_count (C2gCudaAsyncAllocator *self)
{
  self->counted = g_new (Pool, 1);
  self->counted->device = get_index (self);
  self->counted->pool = self->pool;
  c2g_memory_reporter_take_cache (self->device, count_cached, self->counted, pool_free);
}

static void
c2g_cuda_async_allocator_finalize (GObject *object)
{
  C2gCudaAsyncAllocator *self = C2G_CUDA_ASYNC_ALLOCATOR (object);

  if (self->counted != NULL)
    c2g_memory_reporter_remove_cache (self->counted);
  g_clear_object (&self->alloc_stream);
  g_clear_object (&self->free_stream);
  c2g_cuda_users_table_clear (&self->users);

  G_OBJECT_CLASS (c2g_cuda_async_allocator_parent_class)->finalize (object);
}

static void
install_statistics (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  /**
   * C2gCudaAsyncAllocator:max-bytes: (getter get_max_bytes)
   *
   * Limit on the bytes of the device that the pool may have.
   */
  props[PROP_MAX_BYTES] =
    g_param_spec_uint64 ("max-bytes", NULL, NULL, 0, G_MAXUINT64, G_MAXUINT64, readable);

  /**
   * C2gCudaAsyncAllocator:used-bytes: (getter get_used_bytes)
   *
   * Bytes of the pool that are in use, as the driver counts.
   */
  props[PROP_USED_BYTES] =
    g_param_spec_uint64 ("used-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaAsyncAllocator:peak-used-bytes: (getter get_peak_used_bytes)
   *
   * The most bytes of the pool that were in use.
   */
  props[PROP_PEAK_USED_BYTES] =
    g_param_spec_uint64 ("peak-used-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaAsyncAllocator:reserved-bytes: (getter get_reserved_bytes)
   *
   * Bytes of the device that the pool has, used or not.
   */
  props[PROP_RESERVED_BYTES] =
    g_param_spec_uint64 ("reserved-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);

  /**
   * C2gCudaAsyncAllocator:peak-bytes: (getter get_peak_bytes)
   *
   * The most bytes of the device that the pool had.
   */
  props[PROP_PEAK_BYTES] =
    g_param_spec_uint64 ("peak-bytes", NULL, NULL, 0, G_MAXUINT64, 0, readable);
}

static void
c2g_cuda_async_allocator_class_init (C2gCudaAsyncAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_cuda_async_allocator_finalize;

  allocator_class->get_device = c2g_cuda_async_allocator_get_device;
  allocator_class->get_alignment = c2g_cuda_async_allocator_get_alignment;
  allocator_class->trim = c2g_cuda_async_allocator_trim;
  allocator_class->block_funcs = &block_funcs;

  /**
   * C2gCudaAsyncAllocator:release-threshold: (getter get_release_threshold) (setter set_release_threshold)
   *
   * Bytes that the pool keeps when its streams are waited for; all of them by default.
   */
  props[PROP_RELEASE_THRESHOLD] =
    g_param_spec_uint64 ("release-threshold", NULL, NULL,
                         0, G_MAXUINT64, G_MAXUINT64,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  install_statistics ();
  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_async_allocator_init (C2gCudaAsyncAllocator *self)
{
  self->device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
  self->max_bytes = G_MAXUINT64;
  c2g_cuda_users_table_init (&self->users);
}

static gboolean
check_supported (C2gDevice  *device,
                 int         index,
                 GError    **error)
{
  int is_supported = FALSE;

  if (!C2G_CUDA_CALL (index, error, cudaDeviceGetAttribute, &is_supported,
                      cudaDevAttrMemoryPoolsSupported, index))
    return FALSE;
  if (is_supported)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("%s cannot allocate in the order of streams (cudaMallocAsync); use a %s"),
                   c2g_device_to_string (device), "C2gCudaCachingAllocator");
}

static gboolean
create_pool (int             index,
             guint64         max_bytes,
             cudaMemPool_t  *pool,
             GError        **error)
{
  const struct cudaMemPoolProps wanted = {
    .allocType = cudaMemAllocationTypePinned,
    .handleTypes = cudaMemHandleTypeNone,
    .location = { .type = cudaMemLocationTypeDevice, .id = index },
    /* In maxSize 0 means no limit. */
    .maxSize = max_bytes < G_MAXUINT64 ? MAX (max_bytes, 1) : 0,
  };
  /* By default the driver may make one stream wait for another to save memory. */
  int no = 0;

  return C2G_CUDA_STREAM_CALL (index, error, cudaMemPoolCreate, pool, &wanted) &&
         C2G_CUDA_STREAM_CALL (index, error, cudaMemPoolSetAttribute, *pool,
                               cudaMemPoolReuseAllowInternalDependencies, &no);
}

/**
 * c2g_cuda_async_allocator_new:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an allocator with a pool of its own.
 *
 * A device without memory pools, such as an old or a virtual one, is
 * `C2G_ERROR_NOT_SUPPORTED`; one that is not there is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_async_allocator_new (C2gDevice  *device,
                              GError    **error)
{
  return c2g_cuda_async_allocator_new_with_limit (device, G_MAXUINT64, error);
}

/**
 * c2g_cuda_async_allocator_new_with_limit:
 * @device: a CUDA device
 * @max_bytes: how many bytes of the device the pool may have, or `G_MAXUINT64` for no
 *   limit
 * @error: return location for an error
 *
 * Makes an allocator with a pool of its own that is limited.
 *
 * The driver may round the limit up. It cannot be changed later.
 *
 * Returns: (transfer full): an allocator
 */
C2gAllocator *
c2g_cuda_async_allocator_new_with_limit (C2gDevice  *device,
                                         guint64     max_bytes,
                                         GError    **error)
{
  g_autoptr (C2gCudaAsyncAllocator) self = NULL;
  gboolean is_ready;
  int index;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !check_supported (device, index, error))
    return NULL;

  self = g_object_new (C2G_CUDA_TYPE_ASYNC_ALLOCATOR, NULL);
  self->device = device;
  self->max_bytes = max_bytes;
  self->alloc_stream = c2g_cuda_stream_new (device, error);
  if (self->alloc_stream == NULL)
    return NULL;
  self->free_stream = c2g_cuda_stream_new (device, error);
  if (self->free_stream == NULL)
    return NULL;

  is_ready = create_pool (index, max_bytes, &self->pool, error);
  if (self->pool != NULL)
    let_count (self);
  if (!is_ready || !c2g_cuda_async_allocator_set_release_threshold (self, G_MAXUINT64, error))
    return NULL;

  return C2G_ALLOCATOR (g_steal_pointer (&self));
}

/**
 * c2g_cuda_async_allocator_get_release_threshold: (get-property release-threshold)
 * @self: an allocator
 *
 * Gets how many bytes the pool keeps when its streams are waited for.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_async_allocator_get_release_threshold (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return get_attribute (self, cudaMemPoolAttrReleaseThreshold);
}

/**
 * c2g_cuda_async_allocator_set_release_threshold: (set-property release-threshold)
 * @self: an allocator
 * @n_bytes: bytes, used ones included
 * @error: return location for an error
 *
 * Sets how many bytes the pool keeps when its streams are waited for.
 *
 * Memory above that goes back to the device, for other programs to use.
 *
 * Returns: true if it was set
 */
gboolean
c2g_cuda_async_allocator_set_release_threshold (C2gCudaAsyncAllocator  *self,
                                                guint64                 n_bytes,
                                                GError                **error)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_pool (self, error) ||
      !C2G_CUDA_STREAM_CALL (get_index (self), error, cudaMemPoolSetAttribute, self->pool,
                             cudaMemPoolAttrReleaseThreshold, &n_bytes))
    return FALSE;

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RELEASE_THRESHOLD]);

  return TRUE;
}

/**
 * c2g_cuda_async_allocator_get_max_bytes: (get-property max-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the device the pool may have.
 *
 * Returns: bytes; `G_MAXUINT64` if there is no limit
 */
guint64
c2g_cuda_async_allocator_get_max_bytes (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return self->max_bytes;
}

/**
 * c2g_cuda_async_allocator_get_used_bytes: (get-property used-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the pool are in use, as the driver counts.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_async_allocator_get_used_bytes (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return get_attribute (self, cudaMemPoolAttrUsedMemCurrent);
}

/**
 * c2g_cuda_async_allocator_get_peak_used_bytes: (get-property peak-used-bytes)
 * @self: an allocator
 *
 * Gets the most bytes of the pool that were in use.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_async_allocator_get_peak_used_bytes (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return get_attribute (self, cudaMemPoolAttrUsedMemHigh);
}

/**
 * c2g_cuda_async_allocator_get_reserved_bytes: (get-property reserved-bytes)
 * @self: an allocator
 *
 * Gets how many bytes of the device the pool has, used or not.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_async_allocator_get_reserved_bytes (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return get_attribute (self, cudaMemPoolAttrReservedMemCurrent);
}

/**
 * c2g_cuda_async_allocator_get_peak_bytes: (get-property peak-bytes)
 * @self: an allocator
 *
 * Gets the most bytes of the device that the pool had.
 *
 * Returns: bytes
 */
guint64
c2g_cuda_async_allocator_get_peak_bytes (C2gCudaAsyncAllocator *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self), 0);

  return get_attribute (self, cudaMemPoolAttrReservedMemHigh);
}

/**
 * c2g_cuda_async_allocator_reset_peaks:
 * @self: an allocator
 *
 * Sets the peaks to the present values.
 */
void
c2g_cuda_async_allocator_reset_peaks (C2gCudaAsyncAllocator *self)
{
  guint64 zero = 0;

  g_return_if_fail (C2G_CUDA_IS_ASYNC_ALLOCATOR (self));

  if (self->pool == NULL)
    return;

  C2G_CUDA_STREAM_CALL (get_index (self), NULL, cudaMemPoolSetAttribute, self->pool,
                        cudaMemPoolAttrUsedMemHigh, &zero);
  C2G_CUDA_STREAM_CALL (get_index (self), NULL, cudaMemPoolSetAttribute, self->pool,
                        cudaMemPoolAttrReservedMemHigh, &zero);
}
