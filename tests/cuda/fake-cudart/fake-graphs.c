/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

/* Graphs, and graphs that can be launched. Both are the same work, which a launch puts into a stream
 * as the captured calls would have. */

typedef struct
{
  guint64      id;
  gboolean     is_executable;
  FakeContext *context;
  GPtrArray   *nodes;
  /* One launch follows the other, whatever their streams are. */
  FakeClock    clock;
} Graph;

static Graph *
graph_new (FakeContext *context,
           GPtrArray   *nodes,
           gboolean     is_executable)
{
  Graph *self = g_new0 (Graph, 1);

  self->id = ++fake_state.n_handles;
  self->is_executable = is_executable;
  self->context = context;
  self->nodes = g_ptr_array_ref (nodes);
  g_hash_table_insert (fake_state.graphs, &self->id, self);

  return self;
}

void
fake_graph_new (FakeStream  *stream,
                GPtrArray   *nodes,
                cudaGraph_t *handle)
{
  *handle = fake_handle (graph_new (stream->context, nodes, FALSE)->id);
}

static void
graph_free (Graph *self)
{
  g_hash_table_remove (fake_state.graphs, &self->id);
  g_ptr_array_unref (self->nodes);
  fake_clock_clear (&self->clock);
  g_free (self);
}

static cudaError_t
find (gconstpointer handle,
      gboolean      is_executable,
      Graph       **graph)
{
  guint64 id = fake_handle_id (handle);

  *graph = g_hash_table_lookup (fake_state.graphs, &id);
  if (*graph != NULL && (*graph)->is_executable == is_executable)
    return cudaSuccess;

  fake_check_handle (id, "graph");
  return cudaErrorInvalidValue;
}

/* Ends all graphs of a context; with NULL all graphs. */
void
fake_graphs_reset (const FakeContext *context)
{
  g_autoptr (GList) list = g_hash_table_get_values (fake_state.graphs);

  for (GList *link = list; link != NULL; link = link->next)
    {
      Graph *graph = link->data;

      if (context != NULL && graph->context != context)
        continue;
      fake_handle_die (graph->id);
      graph_free (graph);
    }
}

guint
fake_graphs_check_leaks (void)
{
  g_autoptr (GList) list = g_hash_table_get_values (fake_state.graphs);

  for (GList *link = list; link != NULL; link = link->next)
    fake_fault ("leak: graph %" G_GUINT64_FORMAT " was never destroyed", ((Graph *) link->data)->id);

  return g_hash_table_size (fake_state.graphs);
}

/* Calls */

cudaError_t
cudaGraphInstantiate (cudaGraphExec_t    *executable,
                      cudaGraph_t         handle,
                      unsigned long long  flags)
{
  return cudaGraphInstantiateWithFlags (executable, handle, flags);
}

cudaError_t
cudaGraphInstantiateWithFlags (cudaGraphExec_t    *executable,
                               cudaGraph_t         handle,
                               unsigned long long  flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  Graph *graph;

  if (error == cudaSuccess)
    error = executable != NULL && flags == 0 ? find (handle, FALSE, &graph) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *executable = fake_handle (graph_new (graph->context, graph->nodes, TRUE)->id);
  return fake_leave (error);
}

static cudaError_t
launch (Graph      *graph,
        FakeStream *stream)
{
  const char *call = fake_state.call;
  cudaError_t error = fake_stream_check_capture (stream);

  if (error == cudaSuccess && stream->capture != NULL)
    error = fake_stream_break_capture (stream);
  if (error == cudaSuccess && stream->device != graph->context->device)
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;

  fake_clock_join (&stream->clock, &graph->clock);
  for (guint i = 0; error == cudaSuccess && i < graph->nodes->len; i++)
    {
      FakeNode *node = graph->nodes->pdata[i];

      fake_state.call = node->call;
      error = node->submit (node, stream);
    }
  fake_state.call = call;
  fake_clock_copy (&graph->clock, &stream->clock);

  return error;
}

cudaError_t
cudaGraphLaunch (cudaGraphExec_t executable,
                 cudaStream_t    handle)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);
  FakeStream *stream;
  Graph *graph;

  if (error == cudaSuccess)
    error = find (executable, TRUE, &graph);
  if (error == cudaSuccess)
    error = fake_stream_find (handle, &stream);
  if (error == cudaSuccess)
    error = launch (graph, stream);
  return fake_leave (error);
}

static cudaError_t
destroy (gconstpointer handle,
         gboolean      is_executable)
{
  Graph *graph;
  cudaError_t error = find (handle, is_executable, &graph);

  if (error == cudaSuccess)
    graph_free (graph);
  return error;
}

cudaError_t
cudaGraphDestroy (cudaGraph_t graph)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = destroy (graph, FALSE);
  return fake_leave (error);
}

/* Launches that were made before still run. */
cudaError_t
cudaGraphExecDestroy (cudaGraphExec_t executable)
{
  cudaError_t error = fake_enter (FAKE_CALL_DRIVER);

  if (error == cudaSuccess)
    error = destroy (executable, TRUE);
  return fake_leave (error);
}
