/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Streams that take work for a graph. A capture begins in one stream, and goes on in those that wait
 * for events of it. */

gpointer
fake_node_new (gsize       size,
               FakeStream *stream,
               const char *call)
{
  FakeNode *self = g_malloc0 (size);

  self->call = call;
  g_ptr_array_add (stream->capture->nodes, self);
  stream->n_captured++;
  stream->is_joined = FALSE;

  return self;
}

void
fake_node_free (gpointer node)
{
  FakeNode *self = node;

  if (self->clear != NULL)
    self->clear (self);
  g_free (self);
}

cudaError_t
fake_stream_break_capture (FakeStream *self)
{
  self->capture->is_broken = TRUE;
  return cudaErrorStreamCaptureUnsupported;
}

static gboolean
is_legacy (FakeStream *stream)
{
  return stream == stream->context->legacy;
}

/* Returns a captured stream that the legacy default stream would have to wait for. */
static FakeStream *
find_blocking_capture (FakeStream *legacy)
{
  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture != NULL && stream->context == legacy->context &&
          !(stream->flags & cudaStreamNonBlocking))
        return stream;
    }
  return NULL;
}

/* Returns the error for giving work to the stream during captures. */
cudaError_t
fake_stream_check_capture (FakeStream *self)
{
  FakeStream *other;

  if (self->capture != NULL)
    return self->capture->is_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (fake_state.n_capturing == 0 || !is_legacy (self))
    return cudaSuccess;

  other = find_blocking_capture (self);
  if (other == NULL)
    return cudaSuccess;
  (void) fake_stream_break_capture (other);
  return cudaErrorStreamCaptureImplicit;
}

static FakeStream *
find_captured (guint64 capture,
               guint64 id)
{
  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture != NULL && stream->capture->id == capture && stream->id == id)
        return stream;
    }
  return NULL;
}

/* Makes the stream wait for an event, of a capture if that is not 0. A stream that waits for captured
 * work becomes a part of the capture; one that is captured cannot wait for other work. */
cudaError_t
fake_stream_join_capture (FakeStream *self,
                          guint64     capture,
                          guint64     stream,
                          guint64     n_captured)
{
  FakeStream *other = capture != 0 ? find_captured (capture, stream) : NULL;

  if (self->capture != NULL && self->capture->is_broken)
    return cudaErrorStreamCaptureInvalidated;
  if (capture == 0)
    {
      (void) fake_stream_break_capture (self);
      return cudaErrorStreamCaptureIsolation;
    }
  if (other == NULL)
    return cudaErrorCapturedEvent;
  if (self->capture == NULL && is_legacy (self))
    return fake_stream_break_capture (other);
  if (self->capture != NULL && self->capture != other->capture)
    {
      (void) fake_stream_break_capture (self);
      (void) fake_stream_break_capture (other);
      return cudaErrorStreamCaptureMerge;
    }

  if (self->capture == NULL)
    self->n_captured = 0;
  self->capture = other->capture;
  self->is_joined = FALSE;
  if (other->n_captured == n_captured)
    other->is_joined = TRUE;
  return cudaSuccess;
}

static cudaError_t
begin (FakeStream                *stream,
       enum cudaStreamCaptureMode mode)
{
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (is_legacy (stream))
    return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != NULL)
    return cudaErrorIllegalState;

  stream->capture = g_new0 (FakeCapture, 1);
  stream->capture->id = ++fake_state.n_handles;
  stream->capture->first_stream = stream;
  stream->capture->mode = mode;
  stream->capture->thread = fake_thread_get ();
  stream->capture->nodes = g_ptr_array_new_with_free_func (fake_node_free);
  stream->n_captured = 0;
  fake_state.n_capturing++;

  return cudaSuccess;
}

/* Ends the capture in all its streams, and drops the work. */
void
fake_stream_end_capture (FakeStream *self)
{
  FakeCapture *capture = self->capture;

  if (capture == NULL)
    return;
  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture == capture)
        stream->capture = NULL;
    }
  g_ptr_array_unref (capture->nodes);
  g_free (capture);
  fake_state.n_capturing--;
}

cudaError_t
cudaStreamBeginCapture (cudaStream_t               handle,
                        enum cudaStreamCaptureMode mode)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess)
    error = begin (stream, mode);
  return fake_leave (error);
}

static gboolean
has_unjoined (const FakeCapture *capture)
{
  for (guint i = 0; i < fake_state.all_streams->len; i++)
    {
      const FakeStream *stream = fake_state.all_streams->pdata[i];

      if (stream->capture == capture && stream != capture->first_stream && !stream->is_joined)
        return TRUE;
    }
  return FALSE;
}

static cudaError_t
end (FakeStream  *stream,
     cudaGraph_t *graph)
{
  FakeCapture *capture = stream->capture;
  cudaError_t error = cudaSuccess;

  if (graph == NULL)
    return cudaErrorInvalidValue;
  if (capture == NULL)
    return cudaErrorIllegalState;
  if (capture->first_stream != stream)
    return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != fake_thread_get ())
    return cudaErrorStreamCaptureWrongThread;

  *graph = NULL;
  if (capture->is_broken)
    error = cudaErrorStreamCaptureInvalidated;
  else if (has_unjoined (capture))
    error = cudaErrorStreamCaptureUnjoined;
  else
    fake_graph_new (stream, capture->nodes, graph);

  fake_stream_end_capture (stream);
  return error;
}

cudaError_t
cudaStreamEndCapture (cudaStream_t handle,
                      cudaGraph_t *graph)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess)
    error = end (stream, graph);
  return fake_leave (error);
}

cudaError_t
cudaStreamIsCapturing (cudaStream_t                  handle,
                       enum cudaStreamCaptureStatus *status)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;

  if (error == cudaSuccess && status == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess && stream->capture == NULL)
    error = fake_stream_check_capture (stream);
  if (error == cudaSuccess)
    {
      *status = cudaStreamCaptureStatusNone;
      if (stream->capture != NULL)
        *status = stream->capture->is_broken ? cudaStreamCaptureStatusInvalidated
                                             : cudaStreamCaptureStatusActive;
    }
  return fake_leave (error);
}

cudaError_t
cudaThreadExchangeStreamCaptureMode (enum cudaStreamCaptureMode *mode)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);
  FakeThread *thread = fake_thread_get ();
  enum cudaStreamCaptureMode old_mode = thread->capture_mode;

  if (error == cudaSuccess && (mode == NULL || *mode < cudaStreamCaptureModeGlobal ||
                               *mode > cudaStreamCaptureModeRelaxed))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    {
      fake_context_need (thread);
      thread->capture_mode = *mode;
      *mode = old_mode;
    }
  return fake_leave (error);
}
