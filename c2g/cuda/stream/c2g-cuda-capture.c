/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-capture-private.h>

#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* CUDA graphs of the work of a net. The capture is an affair of one thread: it gets the handle of a
 * hidden stream in place of the real one. On the real stream others could otherwise record events or
 * free memory in the middle of the capture, which would become a part of the graph. */

struct _C2gCudaGraph
{
  C2gCudaStream   *stream;
  cudaStream_t     hidden;
  guint            epoch;
  /* NULL until the capture has ended. */
  cudaGraphExec_t  executable;
  /* Elements are C2gStorage. */
  GPtrArray       *held;
  int              n_settings;
  gboolean         is_broken;
};

/* The graph that the thread captures; NULL if it captures none. */
static __thread C2gCudaGraph *capturing;

/* Counts changes of settings, atomic. */
static int n_settings;

static cudaError_t
destroy_stream (gpointer stream)
{
  return cudaStreamDestroy (stream);
}

static cudaError_t
destroy_executable (gpointer executable)
{
  return cudaGraphExecDestroy (executable);
}

void
c2g_cuda_graph_free (C2gCudaGraph *self)
{
  int device = c2g_device_get_index (c2g_cuda_stream_get_device (self->stream));

  if (self->executable != NULL)
    c2g_cuda_deferred_destroy (destroy_executable, self->executable, device, self->epoch);
  if (self->hidden != NULL)
    c2g_cuda_deferred_destroy (destroy_stream, self->hidden, device, self->epoch);
  g_ptr_array_unref (self->held);
  g_object_unref (self->stream);
  g_free (self);
}

/* ThreadLocal: calls of other threads do not break the capture. */
static gboolean
begin (C2gCudaGraph  *self,
       int            index,
       GError       **error)
{
  self->epoch = c2g_cuda_epoch_get (index);

  return C2G_CUDA_RELAXED_CALL (index, error, cudaStreamCreateWithFlags, &self->hidden,
                                cudaStreamNonBlocking) &&
         C2G_CUDA_CALL (index, error, cudaStreamBeginCapture, self->hidden,
                        cudaStreamCaptureModeThreadLocal);
}

gboolean
c2g_cuda_capture_begin (C2gCudaStream  *stream,
                        GError        **error)
{
  C2gCudaGraph *self;
  int index;

  if (!c2g_cuda_capture_permits (error))
    return FALSE;

  index = c2g_cuda_stream_find_index (stream);
  self = g_new0 (C2gCudaGraph, 1);
  self->stream = g_object_ref (stream);
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_storage_unref);
  self->n_settings = g_atomic_int_get (&n_settings);
  if (!C2G_CUDA_WITH_GUARD (index, error, begin (self, index, error)))
    {
      c2g_cuda_graph_free (self);
      return FALSE;
    }

  capturing = self;
  return TRUE;
}

/* Instantiating may allocate. */
static gboolean
end (C2gCudaGraph  *self,
     int            index,
     GError       **error)
{
  cudaGraph_t graph = NULL;
  gboolean is_done = C2G_CUDA_CALL (index, error, cudaStreamEndCapture, self->hidden, &graph);

  if (is_done && !self->is_broken)
    is_done = C2G_CUDA_RELAXED_CALL (index, error, cudaGraphInstantiateWithFlags,
                                     &self->executable, graph, 0);
  if (graph != NULL)
    C2G_CUDA_CALL (index, NULL, cudaGraphDestroy, graph);

  return is_done;
}

C2gCudaGraph *
c2g_cuda_capture_end (gboolean  is_wanted,
                      GError  **error)
{
  C2gCudaGraph *self = g_steal_pointer (&capturing);
  int index = c2g_cuda_stream_index (self->stream);

  self->is_broken |= !is_wanted;
  if (C2G_CUDA_WITH_GUARD (index, error, end (self, index, error)) && self->executable != NULL)
    return self;

  c2g_cuda_graph_free (self);
  return NULL;
}

gboolean
c2g_cuda_capture_has (C2gCudaStream *stream)
{
  return capturing != NULL && capturing->stream == stream;
}

cudaStream_t
c2g_cuda_capture_find (C2gCudaStream *stream,
                       cudaStream_t   handle)
{
  return G_UNLIKELY (c2g_cuda_capture_has (stream)) ? capturing->hidden : handle;
}

/* The error is not NOT_SUPPORTED or NO_MEMORY, for which callers have other ways. */
gboolean
c2g_cuda_capture_permits (GError **error)
{
  if (G_LIKELY (capturing == NULL))
    return TRUE;

  capturing->is_broken = TRUE;
  return c2g_fail (error, C2G_ERROR_BUSY, _("This cannot be a part of a graph"));
}

void
c2g_cuda_capture_note_free (C2gCudaStream *stream)
{
  if (G_UNLIKELY (c2g_cuda_capture_has (stream)))
    capturing->is_broken = TRUE;
}

void
c2g_cuda_capture_hold (C2gStorage *storage)
{
  if (capturing != NULL && !g_ptr_array_find (capturing->held, storage, NULL))
    g_ptr_array_add (capturing->held, c2g_storage_ref (storage));
}

void
c2g_cuda_capture_outdate (void)
{
  g_atomic_int_inc (&n_settings);
}

gboolean
c2g_cuda_graph_launch (C2gCudaGraph  *self,
                       GError       **error)
{
  if (self->n_settings != g_atomic_int_get (&n_settings))
    return c2g_fail (error, C2G_ERROR_BUSY, _("The settings have changed since the graph was made"));

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_find_index (self->stream), error, cudaGraphLaunch,
                               self->executable, c2g_cuda_stream_peek (self->stream));
}
