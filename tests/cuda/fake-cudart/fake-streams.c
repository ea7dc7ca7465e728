/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#define LOWEST_PRIORITY  0
#define HIGHEST_PRIORITY -5

/* The default streams of all contexts have one id. No other stream has it. */
#define LEGACY_ID        G_MAXUINT64

/* A timeline whose work the host has seen done can be used by another stream. */
static guint
find_timeline (void)
{
  GArray *timelines = fake_state.timelines;

  for (guint i = 0; i < timelines->len; i++)
    {
      FakeTimeline *timeline = &g_array_index (timelines, FakeTimeline, i);

      if (!timeline->is_taken && fake_clock_get (&fake_state.host, i) >= timeline->n_given)
        return i;
    }

  g_array_set_size (timelines, timelines->len + 1);
  return timelines->len - 1;
}

FakeStream *
fake_stream_new (FakeContext *context,
                 unsigned int flags,
                 int          priority)
{
  FakeStream *self = g_new0 (FakeStream, 1);

  self->id = ++fake_state.n_handles;
  self->number = GPOINTER_TO_SIZE (g_queue_pop_head (&fake_state.free_numbers));
  if (self->number == 0)
    self->number = self->id;
  self->device = context->device;
  self->context = context;
  self->flags = flags;
  self->priority = CLAMP (priority, HIGHEST_PRIORITY, LOWEST_PRIORITY);
  self->timeline = find_timeline ();
  g_array_index (fake_state.timelines, FakeTimeline, self->timeline).is_taken = TRUE;
  g_queue_init (&self->items);
  g_hash_table_insert (fake_state.streams, &self->number, self);
  g_ptr_array_add (fake_state.all_streams, self);

  return self;
}

static void
stream_free (FakeStream *self)
{
  g_array_index (fake_state.timelines, FakeTimeline, self->timeline).is_taken = FALSE;
  if (!self->is_destroyed)
    g_hash_table_remove (fake_state.streams, &self->number);
  fake_clock_clear (&self->clock);
  g_free (self);
}

/* Frees streams that were destroyed before their work was done, and have none left. */
static void
free_idle_streams (void)
{
  for (guint i = fake_state.all_streams->len; i > 0; i--)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i - 1];

      if (!stream->is_destroyed || stream->items.length > 0)
        continue;
      g_ptr_array_remove_index_fast (fake_state.all_streams, i - 1);
      stream_free (stream);
    }
}

static FakeStream *
get_legacy (void)
{
  FakeContext *owner = fake_thread_get ()->context;

  if (owner->legacy == NULL)
    {
      owner->legacy = fake_stream_new (owner, cudaStreamDefault, 0);
      owner->legacy->is_default = TRUE;
    }
  return owner->legacy;
}

static FakeStream *
get_per_thread (void)
{
  FakeThread *thread = fake_thread_get ();
  gpointer key = thread->context;
  guint64 id = (gsize) g_hash_table_lookup (thread->streams, key);
  FakeStream *stream = g_hash_table_lookup (fake_state.streams, &id);

  /* There is none yet, or it went with its device. */
  if (stream == NULL)
    {
      stream = fake_stream_new (thread->context, cudaStreamDefault, 0);
      stream->is_default = TRUE;
      g_hash_table_insert (thread->streams, key, (gpointer) (gsize) stream->number);
    }
  return stream;
}

/* Also returns an error if the stream's device does not work. */
cudaError_t
fake_stream_find (cudaStream_t handle,
                  FakeStream **stream)
{
  guint64 id = fake_handle_id (handle);

  if (handle == NULL || handle == cudaStreamLegacy)
    *stream = get_legacy ();
  else if (handle == cudaStreamPerThread)
    *stream = get_per_thread ();
  else
    *stream = g_hash_table_lookup (fake_state.streams, &id);

  if (*stream == NULL)
    {
      fake_check_handle (id, "stream");
      return cudaErrorInvalidResourceHandle;
    }

  return fake_state.devices[(*stream)->device].lost;
}

/* New work follows all that the host has waited for. The legacy default stream and blocking streams
 * follow each other. */
void
fake_stream_order (FakeStream *self)
{
  FakeStream *legacy = self->context->legacy;

  fake_clock_join (&self->clock, &fake_state.host);
  if (self == legacy)
    for (guint i = 0; i < fake_state.all_streams->len; i++)
      {
        FakeStream *other = fake_state.all_streams->pdata[i];

        if (other->context == self->context && !(other->flags & cudaStreamNonBlocking))
          fake_clock_join (&self->clock, &other->clock);
      }
  else if (legacy != NULL && !(self->flags & cudaStreamNonBlocking))
    fake_clock_join (&self->clock, &legacy->clock);
}

/* Ends all streams of a context, with their work; with NULL all streams. */
void
fake_streams_reset (const FakeContext *context)
{
  for (guint i = fake_state.all_streams->len; i > 0; i--)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i - 1];

      if (context != NULL && stream->context != context)
        continue;
      fake_stream_end_capture (stream);
      if (!stream->is_destroyed && fake_state.reuses_handles && !stream->is_default)
        g_queue_push_head (&fake_state.free_numbers, GSIZE_TO_POINTER (stream->number));
      else if (!stream->is_destroyed)
        fake_handle_die (stream->number);
      g_ptr_array_remove_index_fast (fake_state.all_streams, i - 1);
      stream_free (stream);
    }
}

/* Calls */

static cudaError_t
create (cudaStream_t *handle,
        unsigned int  flags,
        int           priority)
{
  if (handle == NULL || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
    return cudaErrorInvalidValue;

  free_idle_streams ();
  *handle = fake_handle (fake_stream_new (fake_thread_get ()->context, flags, priority)->number);
  return cudaSuccess;
}

cudaError_t
cudaStreamCreate (cudaStream_t *handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, cudaStreamDefault, 0);
  return fake_leave (error);
}

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *handle,
                           unsigned int  flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, flags, 0);
  return fake_leave (error);
}

cudaError_t
cudaStreamCreateWithPriority (cudaStream_t *handle,
                              unsigned int  flags,
                              int           priority)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = create (handle, flags, priority);
  return fake_leave (error);
}

static void
destroy (FakeStream *stream)
{
  fake_stream_end_capture (stream);
  stream->is_destroyed = TRUE;
  g_hash_table_remove (fake_state.streams, &stream->number);
  if (fake_state.reuses_handles)
    g_queue_push_head (&fake_state.free_numbers, GSIZE_TO_POINTER (stream->number));
  free_idle_streams ();
}

/* The work of a destroyed stream goes on, and others may wait for it. */
cudaError_t
cudaStreamDestroy (cudaStream_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess && stream->is_default)
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess)
    destroy (stream);
  return fake_leave (error);
}

static cudaError_t
synchronize (FakeStream *stream)
{
  int device;

  if (stream->capture != NULL)
    return fake_stream_break_capture (stream);

  /* Another thread may destroy the stream during the wait. */
  device = stream->device;
  fake_stream_order (stream);
  fake_wait (&stream->clock);
  fake_pools_release ();
  return fake_state.devices[device].lost;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess)
    error = synchronize (stream);
  return fake_leave (error);
}

static cudaError_t
query (FakeStream *stream)
{
  if (stream->capture != NULL)
    return fake_stream_break_capture (stream);

  fake_stream_order (stream);
  if (!fake_query (&stream->clock))
    return cudaErrorNotReady;
  return fake_state.devices[stream->device].lost;
}

cudaError_t
cudaStreamQuery (cudaStream_t handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess)
    error = query (stream);
  return fake_leave (error);
}

cudaError_t
cudaStreamGetDevice (cudaStream_t handle,
                     int         *device)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = device != NULL ? fake_stream_find (handle, &stream) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = stream->device;
  return fake_leave (error);
}

cudaError_t
cudaStreamGetFlags (cudaStream_t  handle,
                    unsigned int *flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = flags != NULL ? fake_stream_find (handle, &stream) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *flags = stream->flags;
  return fake_leave (error);
}

cudaError_t
cudaStreamGetPriority (cudaStream_t handle,
                       int         *priority)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = priority != NULL ? fake_stream_find (handle, &stream) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *priority = stream->priority;
  return fake_leave (error);
}

cudaError_t
cudaStreamGetId (cudaStream_t        handle,
                 unsigned long long *id)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = id != NULL ? fake_stream_find (handle, &stream) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *id = stream == stream->context->legacy ? LEGACY_ID : stream->id;
  return fake_leave (error);
}

cudaError_t
cudaDeviceGetStreamPriorityRange (int *lowest,
                                  int *highest)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && lowest != NULL)
    *lowest = LOWEST_PRIORITY;
  if (error == cudaSuccess && highest != NULL)
    *highest = HIGHEST_PRIORITY;
  return fake_leave (error);
}
