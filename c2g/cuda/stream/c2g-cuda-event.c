/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-event.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

/**
 * C2gCudaEvent:
 *
 * A CUDA event: a point in the work of a stream.
 *
 * CUDA devices use such events for [class@C2g.Event]. This class is for programs that share
 * events with other libraries, or want to know how long work took:
 *
 * ```c
 * g_autoptr (C2gCudaEvent) start = c2g_cuda_event_new_with_timing (device, &error);
 * g_autoptr (C2gCudaEvent) end = c2g_cuda_event_new_with_timing (device, &error);
 *
 * c2g_cuda_event_record (start, stream, &error);
 * c2g_context_fill (context, tensor, 1.0, &error);
 * c2g_cuda_event_record (end, stream, &error);
 * c2g_cuda_event_finish (end, &error);
 * c2g_cuda_event_get_elapsed (end, start, &milliseconds, &error);
 * ```
 *
 * An event can be recorded any number of times. A wait is for the last recording before the
 * wait began.
 *
 * ## Threads
 *
 * All functions may be called from any thread.
 */

struct _C2gCudaEvent
{
  GObject      parent_instance;

  C2gDevice   *device;
  cudaEvent_t  event;
  guint        epoch;
  gboolean     is_owned;
};

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_HANDLE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaEvent, c2g_cuda_event, G_TYPE_OBJECT)

static int
get_index (C2gCudaEvent *self)
{
  int index = c2g_device_get_index (self->device);

  return self->epoch == c2g_cuda_epoch_get (index) ? index : C2G_CUDA_GONE (index);
}

/* Returns other, unless index stands for something that is gone. */
static int
find_place (int index,
            int other)
{
  return index >= 0 ? other : index;
}

static void
set_device (C2gCudaEvent *self,
            C2gDevice    *device)
{
  self->device = device != NULL ? device : c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

static void
set_handle (C2gCudaEvent *self,
            guint64       handle)
{
  self->event = (cudaEvent_t) (guintptr) handle;
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_DEVICE] = { .set = G_CALLBACK (set_device), .offset = G_STRUCT_OFFSET (C2gCudaEvent, device) },
  [PROP_HANDLE] = { .get = G_CALLBACK (c2g_cuda_event_get_handle), .set = G_CALLBACK (set_handle) },
};

static void
c2g_cuda_event_finalize (GObject *object)
{
  C2gCudaEvent *self = C2G_CUDA_EVENT (object);

  if (self->is_owned)
    c2g_cuda_deferred_destroy_event (self->event, c2g_device_get_index (self->device),
                                     self->epoch);

  G_OBJECT_CLASS (c2g_cuda_event_parent_class)->finalize (object);
}

static void
c2g_cuda_event_constructed (GObject *object)
{
  C2gCudaEvent *self = C2G_CUDA_EVENT (object);

  G_OBJECT_CLASS (c2g_cuda_event_parent_class)->constructed (object);

  if (c2g_device_get_device_type (self->device) == C2G_DEVICE_TYPE_CUDA)
    self->epoch = c2g_cuda_epoch_find (c2g_device_get_index (self->device));
}

static void
c2g_cuda_event_class_init (C2gCudaEventClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = c2g_cuda_event_constructed;
  object_class->finalize = c2g_cuda_event_finalize;

  /**
   * C2gCudaEvent:device: (getter get_device)
   *
   * The device whose work the event marks; `cuda:0` by default.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL,
                        C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gCudaEvent:handle: (getter get_handle)
   *
   * The `cudaEvent_t` as a number.
   */
  props[PROP_HANDLE] =
    g_param_spec_uint64 ("handle", NULL, NULL,
                         0, G_MAXUINT64, 0,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_event_init (C2gCudaEvent *self)
{
}

static C2gCudaEvent *
event_new (C2gDevice  *device,
           guint       flags,
           GError    **error)
{
  cudaEvent_t event = NULL;
  C2gCudaEvent *self;
  C2gCudaGuard guard;
  int index;

  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !c2g_cuda_guard_enter (&guard, index, error))
    return NULL;

  c2g_cuda_deferred_flush ();
  C2G_CUDA_CALL (index, error, cudaEventCreateWithFlags, &event, flags);
  c2g_cuda_guard_leave (&guard);

  if (event == NULL)
    return NULL;

  self = g_object_new (C2G_CUDA_TYPE_EVENT,
                       "device", device,
                       "handle", (guint64) (guintptr) event,
                       NULL);
  self->is_owned = TRUE;

  return self;
}

/**
 * c2g_cuda_event_new:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an event.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): an event that was not recorded
 */
C2gCudaEvent *
c2g_cuda_event_new (C2gDevice  *device,
                    GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return event_new (device, cudaEventDisableTiming, error);
}

/**
 * c2g_cuda_event_new_with_timing:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes an event that also records the time; recording it takes longer.
 *
 * Returns: (transfer full): an event that was not recorded
 */
C2gCudaEvent *
c2g_cuda_event_new_with_timing (C2gDevice  *device,
                                GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return event_new (device, cudaEventDefault, error);
}

/**
 * c2g_cuda_event_new_from_handle:
 * @device: the device that the event is on
 * @handle: a `cudaEvent_t`, `CUevent` or another library's event, as a number; not 0
 * @error: return location for an error
 *
 * Takes an event of another library, which stays its owner.
 *
 * Returns: (transfer full): an event
 */
C2gCudaEvent *
c2g_cuda_event_new_from_handle (C2gDevice  *device,
                                guint64     handle,
                                GError    **error)
{
  int index;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (handle != 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_cuda_stream_check_device (device, &index, error))
    return NULL;

  return g_object_new (C2G_CUDA_TYPE_EVENT, "device", device, "handle", handle, NULL);
}

/**
 * c2g_cuda_event_get_device: (get-property device)
 * @self: an event
 *
 * Gets the device whose work the event marks.
 *
 * Returns: (transfer none): a CUDA device
 */
C2gDevice *
c2g_cuda_event_get_device (C2gCudaEvent *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), NULL);

  return self->device;
}

/**
 * c2g_cuda_event_get_handle: (get-property handle)
 * @self: an event
 *
 * Gets the handle by which other libraries know the event.
 *
 * It is valid as long as somebody holds the event.
 *
 * Returns: a `cudaEvent_t` as a number
 */
guint64
c2g_cuda_event_get_handle (C2gCudaEvent *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), 0);

  return (guint64) (guintptr) self->event;
}

/**
 * c2g_cuda_event_is_foreign:
 * @self: an event
 *
 * Tells whether another library owns the event.
 *
 * Returns: true if it was taken by its handle
 */
gboolean
c2g_cuda_event_is_foreign (C2gCudaEvent *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), FALSE);

  return !self->is_owned;
}

/**
 * c2g_cuda_event_record:
 * @self: an event
 * @stream: a stream of the same device
 * @error: return location for an error
 *
 * Records the event after the work that the stream was given so far.
 *
 * Returns: true if it was recorded
 */
gboolean
c2g_cuda_event_record (C2gCudaEvent   *self,
                       C2gCudaStream  *stream,
                       GError        **error)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), FALSE);
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (stream), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return C2G_CUDA_STREAM_CALL (find_place (c2g_cuda_stream_index (stream), get_index (self)),
                               error, cudaEventRecord, self->event,
                               c2g_cuda_stream_peek (stream));
}

/**
 * c2g_cuda_event_wait:
 * @self: an event
 * @stream: a stream, of any CUDA device
 * @error: return location for an error
 *
 * Makes the later work of the stream wait for the event; the caller does not wait.
 *
 * Returns: true if the wait was queued
 */
gboolean
c2g_cuda_event_wait (C2gCudaEvent   *self,
                     C2gCudaStream  *stream,
                     GError        **error)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), FALSE);
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (stream), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return C2G_CUDA_STREAM_CALL (find_place (get_index (self), c2g_cuda_stream_index (stream)),
                               error, cudaStreamWaitEvent,
                               c2g_cuda_stream_peek (stream), self->event, 0);
}

/**
 * c2g_cuda_event_query:
 * @self: an event
 *
 * Asks whether the work before the event is done, without waiting.
 *
 * An event that was never recorded counts as done.
 *
 * Returns: `SCHEDULED`, `SUCCESS` or `FAILED`; [method@Event.finish] then tells the
 *   reason
 */
C2gEventStatus
c2g_cuda_event_query (C2gCudaEvent *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), C2G_EVENT_FAILED);

  return c2g_cuda_status (
    C2G_CUDA_ON_DEVICE (get_index (self), C2G_CUDA_RELAXED (cudaEventQuery (self->event))));
}

/**
 * c2g_cuda_event_finish:
 * @self: an event
 * @error: return location for an error
 *
 * Waits until the work before the event is done.
 *
 * Returns: true unless the work failed
 */
gboolean
c2g_cuda_event_finish (C2gCudaEvent  *self,
                       GError       **error)
{
  int index;

  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  index = get_index (self);

  return c2g_cuda_check (
    C2G_CUDA_ON_DEVICE (index, C2G_CUDA_RELAXED (cudaEventSynchronize (self->event))),
    "cudaEventSynchronize", index, error);
}

/**
 * c2g_cuda_event_get_elapsed:
 * @self: an event with timing
 * @start: another one, recorded before
 * @milliseconds: (out): the time from @start to @self
 * @error: return location for an error
 *
 * Tells how much time lies between two events.
 *
 * Both must have been recorded, and be done; they must be from
 * [ctor@Event.new_with_timing]. Anything else is `C2G_ERROR_DEVICE`.
 *
 * Returns: true if @milliseconds is the time
 */
gboolean
c2g_cuda_event_get_elapsed (C2gCudaEvent  *self,
                            C2gCudaEvent  *start,
                            double        *milliseconds,
                            GError       **error)
{
  float elapsed = 0;
  gboolean done;

  g_return_val_if_fail (C2G_CUDA_IS_EVENT (self), FALSE);
  g_return_val_if_fail (C2G_CUDA_IS_EVENT (start), FALSE);
  g_return_val_if_fail (milliseconds != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  done = C2G_CUDA_STREAM_CALL (find_place (get_index (start), get_index (self)), error,
                               cudaEventElapsedTime, &elapsed, start->event, self->event);
  *milliseconds = elapsed;

  return done;
}
