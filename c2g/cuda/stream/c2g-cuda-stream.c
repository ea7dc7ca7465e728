/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-event-pool-private.h>

#include <c2g/core/types/c2g-error-private.h>

/**
 * C2gCudaStream:
 *
 * A CUDA stream: a queue of work on a GPU.
 *
 * The work on one stream is done in order. Streams are ordered among each other only by
 * [method@Stream.wait] or events. A stream that c2g made does not wait for CUDA's default
 * stream, and is destroyed with the last reference, after the work that was put on it.
 * Contexts, and blocks of memory that were used on it, hold references.
 *
 * Streams of other libraries are taken by their handles:
 *
 * ```python
 * device = C2g.Device.parse('cuda:0')
 * stream = C2gCuda.Stream.new_from_handle(
 *     device, torch.cuda.current_stream().cuda_stream)
 * context = C2gCuda.Context.new_for_stream(stream)
 * ```
 *
 * c2g never destroys a foreign stream. Its owner must keep it as long as c2g has anything
 * that was used on it. If a stream that was made by its properties could not be taken, all
 * its calls fail.
 *
 * ## Threads
 *
 * All functions may be called from any thread. They keep no state for a thread, and do not
 * change its current device.
 */

struct _C2gCudaStream
{
  GObject       parent_instance;

  C2gDevice    *device;
  cudaStream_t  stream;
  /* Unlike a handle, an id is never used again. */
  guint64       id;
  guint         epoch;
  gboolean      is_owned;
  /* The reason why the stream could not be taken; NULL if it could. */
  GError       *refusal;
};

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_HANDLE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaStream, c2g_cuda_stream, G_TYPE_OBJECT)

gboolean
c2g_cuda_stream_check_device (C2gDevice  *device,
                              int        *index,
                              GError    **error)
{
  *index = c2g_device_get_index (device);
  if (c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CUDA)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_DEVICE, _("Expected a CUDA device, got %s"),
                   c2g_device_to_string (device));
}

cudaStream_t
c2g_cuda_stream_peek (C2gCudaStream *self)
{
  return c2g_cuda_capture_find (self, self->stream);
}

cudaStream_t
c2g_cuda_stream_peek_own (C2gCudaStream *self)
{
  return self->stream;
}

gboolean
c2g_cuda_stream_is_default (C2gCudaStream *self)
{
  return self->stream == NULL || self->stream == cudaStreamLegacy;
}

int
c2g_cuda_stream_index (C2gCudaStream *self)
{
  int index = c2g_device_get_index (self->device);

  if (self->refusal != NULL)
    return C2G_CUDA_NO_DEVICE;

  return c2g_cuda_stream_is_default (self) || self->epoch == c2g_cuda_epoch_get (index)
           ? index
           : C2G_CUDA_GONE (index);
}

int
c2g_cuda_stream_find_index (C2gCudaStream *self)
{
  if (self->refusal == NULL)
    c2g_cuda_epoch_find (c2g_device_get_index (self->device));

  return c2g_cuda_stream_index (self);
}

guint
c2g_cuda_stream_hash (gconstpointer self)
{
  return g_int64_hash (&((const C2gCudaStream *) self)->id);
}

/* The default streams of two devices may have the same id. */
gboolean
c2g_cuda_stream_equal (gconstpointer a,
                       gconstpointer b)
{
  const C2gCudaStream *left = a, *right = b;

  return left->id == right->id && left->device == right->device;
}

gboolean
c2g_cuda_stream_is_same (C2gCudaStream *self,
                         C2gCudaStream *other)
{
  return self == other ||
         (!self->is_owned && !other->is_owned && c2g_cuda_stream_equal (self, other));
}

/* While a stream that the legacy stream waits for is captured, CUDA refuses all calls for the
 * legacy stream. */
gboolean
c2g_cuda_stream_is_captured (C2gCudaStream *self)
{
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaError_t result;

  if (self->is_owned)
    return c2g_cuda_capture_has (self);

  result = C2G_CUDA_ON_DEVICE (c2g_cuda_stream_index (self),
                               cudaStreamIsCapturing (self->stream, &status));
  c2g_cuda_deferred_try (result);

  return result == cudaErrorStreamCaptureImplicit ||
         (result == cudaSuccess && status != cudaStreamCaptureStatusNone);
}

/* A query of a captured stream would break the capture. */
static cudaError_t
query (C2gCudaStream *self)
{
  if (c2g_cuda_stream_is_captured (self))
    return cudaErrorNotReady;

  return C2G_CUDA_ON_DEVICE (c2g_cuda_stream_find_index (self),
                             C2G_CUDA_RELAXED (cudaStreamQuery (self->stream)));
}

gboolean
c2g_cuda_stream_is_idle (C2gCudaStream *self)
{
  cudaError_t result = query (self);

  return c2g_cuda_deferred_try (result) && result != cudaErrorNotReady;
}

gboolean
c2g_cuda_stream_is_gone (C2gCudaStream *self)
{
  cudaError_t result = query (self);

  return c2g_cuda_deferred_try (result) && result != cudaErrorNotReady && result != cudaSuccess;
}

static void
set_device (C2gCudaStream *self,
            C2gDevice     *device)
{
  self->device = device != NULL ? device : c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

static void
set_handle (C2gCudaStream *self,
            guint64        handle)
{
  self->stream = (cudaStream_t) (guintptr) handle;
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_DEVICE] = { .set = G_CALLBACK (set_device), .offset = G_STRUCT_OFFSET (C2gCudaStream, device) },
  [PROP_HANDLE] = { .get = G_CALLBACK (c2g_cuda_stream_get_handle), .set = G_CALLBACK (set_handle) },
};

static cudaError_t
destroy_stream (gpointer stream)
{
  return cudaStreamDestroy (stream);
}

static void
c2g_cuda_stream_finalize (GObject *object)
{
  C2gCudaStream *self = C2G_CUDA_STREAM (object);

  if (self->is_owned)
    c2g_cuda_deferred_destroy (destroy_stream, self->stream, c2g_device_get_index (self->device),
                               self->epoch);
  g_clear_error (&self->refusal);

  G_OBJECT_CLASS (c2g_cuda_stream_parent_class)->finalize (object);
}

/* cudaStreamPerThread is another stream in each thread, so no other thread could wait for it. */
static gboolean
check_handle (C2gCudaStream  *self,
              GError        **error)
{
  if (self->stream != cudaStreamPerThread)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The handle 2 (cudaStreamPerThread) is another stream in every "
                     "thread; give the handle of one stream"));
}

static gboolean
read_id (C2gCudaStream  *self,
         int             index,
         GError        **error)
{
  unsigned long long id = 0;

  if (!C2G_CUDA_STREAM_CALL (index, error, cudaStreamGetId, self->stream, &id))
    return FALSE;

  self->id = id;
  self->epoch = c2g_cuda_epoch_find (index);
  return TRUE;
}

/* Drivers before CUDA 12.8 cannot tell the device of a stream. */
static gboolean
check_place (C2gCudaStream  *self,
             int             index,
             GError        **error)
{
#if CUDART_VERSION >= 12080
  int found = index;
  cudaError_t result = C2G_CUDA_ON_DEVICE (index, cudaStreamGetDevice (self->stream, &found));
  gboolean is_unknown =
    result == cudaErrorCallRequiresNewerDriver || result == cudaErrorNotSupported;

  if (!c2g_cuda_check (result, "cudaStreamGetDevice", index, is_unknown ? NULL : error))
    return is_unknown;

  if (found != index)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected a stream of cuda:%d, got one of cuda:%d"), index, found);
#endif

  return TRUE;
}

/* Setting properties returns no error, so the error is kept, and the stream's calls fail. */
static void
c2g_cuda_stream_constructed (GObject *object)
{
  C2gCudaStream *self = C2G_CUDA_STREAM (object);
  GError *error = NULL;
  int index;

  G_OBJECT_CLASS (c2g_cuda_stream_parent_class)->constructed (object);

  if (!c2g_cuda_stream_check_device (self->device, &index, &error) ||
      !check_handle (self, &error) || !read_id (self, index, &error) ||
      !check_place (self, index, &error))
    self->refusal = error;
}

static void
c2g_cuda_stream_class_init (C2gCudaStreamClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = c2g_cuda_stream_constructed;
  object_class->finalize = c2g_cuda_stream_finalize;

  /**
   * C2gCudaStream:device: (getter get_device)
   *
   * The device of the stream; `cuda:0` by default.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL,
                        C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gCudaStream:handle: (getter get_handle)
   *
   * The `cudaStream_t` as a number; 0 is CUDA's default stream.
   */
  props[PROP_HANDLE] =
    g_param_spec_uint64 ("handle", NULL, NULL,
                         0, G_MAXUINT64, 0,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_stream_init (C2gCudaStream *self)
{
}

static C2gCudaStream *
unless_refused (C2gCudaStream  *self,
                GError        **error)
{
  if (self->refusal == NULL)
    return self;

  g_propagate_error (error, g_steal_pointer (&self->refusal));
  g_object_unref (self);

  return NULL;
}

/**
 * c2g_cuda_stream_new:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes a stream that does not wait for CUDA's default stream.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): a stream
 */
C2gCudaStream *
c2g_cuda_stream_new (C2gDevice  *device,
                     GError    **error)
{
  return c2g_cuda_stream_new_with_priority (device, 0, error);
}

/**
 * c2g_cuda_stream_new_with_priority:
 * @device: a CUDA device
 * @priority: 0 as usual, less for work that goes before other work; the nearest priority
 *   that the device has is used
 * @error: return location for an error
 *
 * Makes a stream whose work goes before, or after, that of others.
 *
 * Returns: (transfer full): a stream
 */
C2gCudaStream *
c2g_cuda_stream_new_with_priority (C2gDevice  *device,
                                   int         priority,
                                   GError    **error)
{
  C2gCudaStream *self;
  cudaStream_t stream = NULL;
  C2gCudaGuard guard;
  int index;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  /* Before the device becomes current, because functions of others may run. */
  c2g_cuda_deferred_flush ();
  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !c2g_cuda_guard_enter (&guard, index, error))
    return NULL;

  C2G_CUDA_CALL (index, error, cudaStreamCreateWithPriority, &stream, cudaStreamNonBlocking,
                 priority);
  c2g_cuda_guard_leave (&guard);
  if (stream == NULL)
    return NULL;

  self = g_object_new (C2G_CUDA_TYPE_STREAM,
                       "device", device,
                       "handle", (guint64) (guintptr) stream,
                       NULL);
  self->is_owned = TRUE;

  return unless_refused (self, error);
}

/**
 * c2g_cuda_stream_new_from_handle:
 * @device: the device that the stream is on
 * @handle: a `cudaStream_t`, `CUstream` or another library's stream, as a number; 0 is
 *   the default stream
 * @error: return location for an error
 *
 * Takes a stream of another library, which stays its owner.
 *
 * The handle of `cudaStreamPerThread`, 2, is another stream in each thread, so that no
 * other thread could wait for it: it is `C2G_ERROR_NOT_SUPPORTED`. A stream that no longer
 * exists is `C2G_ERROR_DEVICE`. One of another device is `C2G_ERROR_INVALID_ARGUMENT` if
 * the driver has CUDA 12.8 or later.
 *
 * Returns: (transfer full): a stream
 */
C2gCudaStream *
c2g_cuda_stream_new_from_handle (C2gDevice  *device,
                                 guint64     handle,
                                 GError    **error)
{
  C2gCudaStream *self;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = g_object_new (C2G_CUDA_TYPE_STREAM, "device", device, "handle", handle, NULL);

  return unless_refused (self, error);
}

/**
 * c2g_cuda_stream_get_device: (get-property device)
 * @self: a stream
 *
 * Gets the device of the stream.
 *
 * Returns: (transfer none): a CUDA device
 */
C2gDevice *
c2g_cuda_stream_get_device (C2gCudaStream *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), NULL);

  return self->device;
}

/**
 * c2g_cuda_stream_get_handle: (get-property handle)
 * @self: a stream
 *
 * Gets the handle by which other libraries know the stream.
 *
 * It is valid as long as somebody holds the stream.
 *
 * Returns: a `cudaStream_t` as a number
 */
guint64
c2g_cuda_stream_get_handle (C2gCudaStream *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), 0);

  return (guint64) (guintptr) self->stream;
}

/**
 * c2g_cuda_stream_is_foreign:
 * @self: a stream
 *
 * Tells whether another library owns the stream.
 *
 * Returns: true if it was taken by its handle
 */
gboolean
c2g_cuda_stream_is_foreign (C2gCudaStream *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), FALSE);

  return !self->is_owned;
}

/**
 * c2g_cuda_stream_query:
 * @self: a stream
 *
 * Asks whether the work that was put on the stream is done, without waiting.
 *
 * Returns: `SCHEDULED` while there is work to do, `SUCCESS` when all is done, or
 *   `FAILED`; [method@Stream.finish] then tells the reason
 */
C2gEventStatus
c2g_cuda_stream_query (C2gCudaStream *self)
{
  cudaError_t result;

  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), C2G_EVENT_FAILED);

  result = C2G_CUDA_ON_DEVICE (c2g_cuda_stream_index (self),
                               C2G_CUDA_RELAXED (cudaStreamQuery (self->stream)));

  return c2g_cuda_status (result);
}

/**
 * c2g_cuda_stream_finish:
 * @self: a stream
 * @error: return location for an error
 *
 * Waits for all work that was put on the stream so far.
 *
 * Work that failed is `C2G_ERROR_DEVICE`, with the name and text that CUDA has for it.
 *
 * Returns: true unless the work failed
 */
gboolean
c2g_cuda_stream_finish (C2gCudaStream  *self,
                        GError        **error)
{
  cudaError_t result;
  int index;

  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_cuda_capture_permits (error))
    return FALSE;

  index = c2g_cuda_stream_index (self);
  result = C2G_CUDA_ON_DEVICE (index, C2G_CUDA_RELAXED (cudaStreamSynchronize (self->stream)));
  /* Afterwards, because memory of others may have waited for this work. */
  c2g_cuda_deferred_flush ();

  return c2g_cuda_check (result, "cudaStreamSynchronize", index, error);
}

/**
 * c2g_cuda_stream_wait:
 * @self: a stream
 * @other: another stream, of any CUDA device
 * @error: return location for an error
 *
 * Makes the later work of the stream wait for what @other was given so far.
 *
 * The caller does not wait.
 *
 * Returns: true if the wait was queued
 */
gboolean
c2g_cuda_stream_wait (C2gCudaStream  *self,
                      C2gCudaStream  *other,
                      GError        **error)
{
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (self), FALSE);
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (other), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_cuda_capture_permits (error))
    return FALSE;

  return c2g_cuda_event_pool_join (c2g_cuda_stream_find_index (self), self->stream,
                                   c2g_cuda_stream_find_index (other), other->stream, error);
}
