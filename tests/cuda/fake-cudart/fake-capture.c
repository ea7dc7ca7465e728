/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Captured work is dropped: a graph is only a handle. */

cudaError_t
fake_stream_break_capture (FakeStream *self)
{
  self->is_capture_broken = TRUE;
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

      if (stream->is_capturing && stream->context == legacy->context &&
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

  if (self->is_capturing)
    return self->is_capture_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  if (fake_state.n_capturing == 0 || !is_legacy (self))
    return cudaSuccess;

  other = find_blocking_capture (self);
  if (other == NULL)
    return cudaSuccess;
  other->is_capture_broken = TRUE;
  return cudaErrorStreamCaptureImplicit;
}

static cudaError_t
begin (FakeStream                *stream,
       enum cudaStreamCaptureMode mode)
{
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (is_legacy (stream))
    return cudaErrorStreamCaptureUnsupported;
  if (stream->is_capturing)
    return cudaErrorIllegalState;

  stream->is_capturing = TRUE;
  stream->is_capture_broken = FALSE;
  stream->capture_mode = mode;
  stream->capture_thread = fake_thread_get ();
  fake_state.n_capturing++;

  return cudaSuccess;
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

static cudaError_t
end (FakeStream  *stream,
     cudaGraph_t *graph)
{
  if (graph == NULL)
    return cudaErrorInvalidValue;
  if (!stream->is_capturing)
    return cudaErrorIllegalState;
  if (stream->capture_mode != cudaStreamCaptureModeRelaxed &&
      stream->capture_thread != fake_thread_get ())
    return cudaErrorStreamCaptureWrongThread;

  stream->is_capturing = FALSE;
  fake_state.n_capturing--;
  *graph = NULL;
  if (stream->is_capture_broken)
    return cudaErrorStreamCaptureInvalidated;

  *graph = fake_handle (++fake_state.n_handles);
  return cudaSuccess;
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
  if (error == cudaSuccess && !stream->is_capturing)
    error = fake_stream_check_capture (stream);
  if (error == cudaSuccess)
    {
      *status = cudaStreamCaptureStatusNone;
      if (stream->is_capturing)
        *status = cudaStreamCaptureStatusActive;
      if (stream->is_capturing && stream->is_capture_broken)
        *status = cudaStreamCaptureStatusInvalidated;
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

cudaError_t
cudaGraphDestroy (cudaGraph_t graph)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess && fake_handle_id (graph) == 0)
    error = cudaErrorInvalidValue;
  return fake_leave (error);
}
