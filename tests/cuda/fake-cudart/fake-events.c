/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Work that records an event. */
typedef struct
{
  FakeItem item;
  guint64  event;
  guint64  n_records;
} Record;

#define KNOWN_FLAGS (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)

void
fake_event_free (FakeEvent *self)
{
  fake_event_unshare (self);
  g_hash_table_remove (fake_state.events, &self->id);
  fake_clock_clear (&self->clock);
  g_free (self);
}

cudaError_t
fake_event_find (cudaEvent_t handle,
                 FakeEvent **event)
{
  guint64 id = fake_handle_id (handle);

  *event = g_hash_table_lookup (fake_state.events, &id);
  if (*event == NULL)
    {
      fake_check_handle (id, "event");
      return cudaErrorInvalidResourceHandle;
    }

  return fake_state.devices[(*event)->device].lost;
}

/* Ends all events of a context; with NULL all events. */
void
fake_events_reset (const FakeContext *context)
{
  GHashTableIter iter;
  FakeEvent *event;
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  g_hash_table_iter_init (&iter, fake_state.events);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &event))
    if (context == NULL || event->context == context)
      g_ptr_array_add (list, event);

  for (guint i = 0; i < list->len; i++)
    {
      event = list->pdata[i];
      fake_handle_die (event->id);
      fake_event_free (event);
    }
}

FakeEvent *
fake_event_new (int          device,
                unsigned int flags)
{
  FakeEvent *self = g_new0 (FakeEvent, 1);

  self->id = ++fake_state.n_handles;
  self->device = device;
  self->context = fake_context_find (device);
  self->flags = flags;
  g_hash_table_insert (fake_state.events, &self->id, self);

  return self;
}

static cudaError_t
create (cudaEvent_t *handle,
        unsigned int flags)
{
  if (handle == NULL || (flags & ~KNOWN_FLAGS) != 0)
    return cudaErrorInvalidValue;
  if ((flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming))
    return cudaErrorInvalidValue;

  *handle = fake_handle (fake_event_new (fake_thread_get ()->device, flags)->id);
  return cudaSuccess;
}

cudaError_t
cudaEventCreate (cudaEvent_t *handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, cudaEventDefault);
  return fake_leave (error);
}

cudaError_t
cudaEventCreateWithFlags (cudaEvent_t *handle,
                          unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, flags);
  return fake_leave (error);
}

cudaError_t
cudaEventDestroy (cudaEvent_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeEvent *event;

  if (error == cudaSuccess)
    error = fake_event_find (handle, &event);
  if (error == cudaSuccess)
    fake_event_free (event);
  return fake_leave (error);
}

/* Does nothing if the event was recorded again in the meantime. */
static void
run_record (FakeItem *item)
{
  Record *record = (Record *) item;
  FakeEvent *event = g_hash_table_lookup (fake_state.events, &record->event);

  if (event == NULL || event->n_records != record->n_records)
    return;
  event->time = fake_state.time;
  fake_event_end_record (event);
}

/* The event marks a place in the capture. With cudaEventRecordExternal it would be work of the graph,
 * which this runtime does not have. */
static cudaError_t
capture_record (FakeEvent    *event,
                FakeStream   *stream,
                unsigned int  flags)
{
  if (flags == cudaEventRecordExternal)
    return cudaErrorNotSupported;

  event->capture = stream->capture->id;
  event->captured_stream = stream->id;
  event->n_captured = stream->n_captured;
  return cudaSuccess;
}

static cudaError_t
record_event (FakeEvent    *event,
              FakeStream   *stream,
              unsigned int  flags)
{
  Record *record;
  cudaError_t error;

  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal)
    return cudaErrorInvalidValue;
  if (event->context != stream->context)
    return cudaErrorInvalidResourceHandle;
  error = fake_stream_check_capture (stream);
  if (error != cudaSuccess)
    return error;

  event->capture = 0;
  if (stream->capture != NULL)
    return capture_record (event, stream, flags);

  record = fake_item_new (sizeof (Record), stream, "cudaEventRecord");
  record->item.run = run_record;
  record->event = event->id;
  record->n_records = ++event->n_records;
  fake_event_begin_record (event);
  fake_item_submit (&record->item);

  event->is_recorded = TRUE;
  event->time = 0;
  fake_clock_copy (&event->clock, &stream->clock);
  fake_event_push (event);

  return cudaSuccess;
}

static cudaError_t
find_and_record (cudaEvent_t  event_handle,
                 cudaStream_t stream_handle,
                 unsigned int flags)
{
  FakeEvent *event;
  FakeStream *stream;
  cudaError_t error = fake_event_find (event_handle, &event);

  if (error == cudaSuccess)
    error = fake_stream_find (stream_handle, &stream);
  if (error == cudaSuccess)
    error = record_event (event, stream, flags);
  return error;
}

cudaError_t
cudaEventRecord (cudaEvent_t  event,
                 cudaStream_t stream)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = find_and_record (event, stream, cudaEventRecordDefault);
  return fake_leave (error);
}

cudaError_t
cudaEventRecordWithFlags (cudaEvent_t  event,
                          cudaStream_t stream,
                          unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = find_and_record (event, stream, flags);
  return fake_leave (error);
}

/* An event whose last record was in a capture cannot be queried or waited for; a call that tries
 * breaks the capture. */
static cudaError_t
check_not_captured (FakeEvent *event)
{
  if (event->capture == 0)
    return cudaSuccess;

  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture != NULL && stream->capture->id == event->capture)
        (void) fake_stream_break_capture (stream);
    }
  return cudaErrorCapturedEvent;
}

static cudaError_t
query (FakeEvent *event)
{
  if (!fake_event_is_elsewhere (event))
    return fake_query (&event->clock) ? cudaSuccess : cudaErrorNotReady;
  if (fake_event_is_done_elsewhere (event))
    return cudaSuccess;

  fake_scheduler_step (NULL);
  return cudaErrorNotReady;
}

static void
synchronize (guint64 id)
{
  FakeEvent *event;

  while ((event = g_hash_table_lookup (fake_state.events, &id)) != NULL &&
         fake_event_is_elsewhere (event) && !fake_event_is_done_elsewhere (event))
    if (!fake_scheduler_step (NULL))
      fake_sleep ();

  if (event != NULL && !fake_event_is_elsewhere (event))
    fake_wait (&event->clock);
}

/* An event that was never recorded counts as done. */
cudaError_t
cudaEventQuery (cudaEvent_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);
  FakeEvent *event;

  if (error == cudaSuccess)
    error = fake_event_find (handle, &event);
  if (error == cudaSuccess)
    error = check_not_captured (event);
  if (error == cudaSuccess)
    error = query (event);
  return fake_leave (error);
}

cudaError_t
cudaEventSynchronize (cudaEvent_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_UNSAFE);
  FakeEvent *event;

  if (error == cudaSuccess)
    error = fake_event_find (handle, &event);
  if (error == cudaSuccess)
    error = check_not_captured (event);
  if (error == cudaSuccess)
    {
      int device = event->device;

      synchronize (event->id);
      fake_pools_release ();
      error = fake_state.devices[device].lost;
    }
  return fake_leave (error);
}

cudaError_t
cudaStreamWaitEvent (cudaStream_t stream_handle,
                     cudaEvent_t  event_handle,
                     unsigned int flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;
  FakeEvent *event;

  if (error == cudaSuccess && flags != cudaEventWaitDefault && flags != cudaEventWaitExternal)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_stream_find (stream_handle, &stream);
  if (error == cudaSuccess)
    error = fake_event_find (event_handle, &event);
  if (error == cudaSuccess && (event->capture != 0 || (stream->capture != NULL && event->is_recorded)))
    error = fake_stream_join_capture (stream, event->capture, event->captured_stream,
                                      event->n_captured);
  else if (error == cudaSuccess && fake_event_is_elsewhere (event))
    error = fake_event_wait_elsewhere (event, stream);
  else if (error == cudaSuccess)
    fake_clock_join (&stream->clock, &event->clock);
  return fake_leave (error);
}

static cudaError_t
get_elapsed (float     *milliseconds,
             FakeEvent *start,
             FakeEvent *end)
{
  if (start->context != end->context || ((start->flags | end->flags) & cudaEventDisableTiming) ||
      !start->is_recorded || !end->is_recorded)
    return cudaErrorInvalidResourceHandle;
  if (start->time == 0 || end->time == 0)
    return cudaErrorNotReady;

  *milliseconds = ((double) end->time - (double) start->time) / 1000;
  return cudaSuccess;
}

/* One step of the scheduler counts as a microsecond. */
cudaError_t
cudaEventElapsedTime (float      *milliseconds,
                      cudaEvent_t start_handle,
                      cudaEvent_t end_handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeEvent *start, *end;

  if (error == cudaSuccess && milliseconds == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_event_find (start_handle, &start);
  if (error == cudaSuccess)
    error = fake_event_find (end_handle, &end);
  if (error == cudaSuccess)
    error = get_elapsed (milliseconds, start, end);
  return fake_leave (error);
}
