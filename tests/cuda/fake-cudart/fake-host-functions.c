/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <pthread.h>

/* A host function or a callback. The stream and the status are for the callback. */
typedef struct
{
  cudaHostFn_t         function;
  cudaStreamCallback_t callback;
  gpointer             data;
  cudaStream_t         stream;
  cudaError_t          status;
  /* The work that waits for the call; NULL if it is gone. */
  FakeItem            *item;
} Call;

typedef struct
{
  FakeItem item;
  Call     call;
} HostFunction;

/* Runs in a thread of its own, as in the driver. */
static gpointer
call_function (gpointer data)
{
  Call *call = data;

  fake_lock ();
  fake_thread_get ()->is_host_function = TRUE;
  fake_unlock ();

  if (call->function != NULL)
    call->function (call->data);
  else
    call->callback (call->stream, call->status, call->data);

  fake_lock ();
  if (call->item != NULL)
    fake_item_finish (call->item);
  fake_unlock ();
  g_free (call);

  return NULL;
}

static void
start (const Call *call,
       FakeItem   *item)
{
  Call *copy = g_memdup2 (call, sizeof *call);
  pthread_attr_t attributes;
  pthread_t thread;

  copy->item = item;
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_create (&thread, &attributes, call_function, copy) != 0)
    g_error ("No thread for a host function");
  pthread_attr_destroy (&attributes);
}

static void
run_function (FakeItem *item)
{
  start (&((HostFunction *) item)->call, item);
}

/* Callbacks are called when their device is lost, host functions are not. */
static void
drop_function (FakeItem *item)
{
  HostFunction *function = (HostFunction *) item;

  if (function->call.callback == NULL)
    return;
  function->call.status = fake_state.devices[item->stream->device].lost;
  start (&function->call, NULL);
}

static void
submit (const Call *call,
        FakeStream *stream)
{
  HostFunction *function = fake_item_new (sizeof (HostFunction), stream, fake_state.call);

  function->item.run_elsewhere = run_function;
  function->item.drop = drop_function;
  function->call = *call;
  fake_item_submit (&function->item);
}

/* A host function in a graph. */
typedef struct
{
  FakeNode node;
  Call     call;
} HostNode;

static cudaError_t
submit_node (FakeNode   *node,
             FakeStream *stream)
{
  submit (&((HostNode *) node)->call, stream);
  return cudaSuccess;
}

static void
capture (const Call *call,
         FakeStream *stream)
{
  HostNode *node = fake_node_new (sizeof (HostNode), stream, fake_state.call);

  node->node.submit = submit_node;
  node->call = *call;
}

/* Callbacks cannot be captured, host functions can. */
static cudaError_t
add (const Call *call)
{
  FakeStream *stream;
  cudaError_t error = fake_stream_find (call->stream, &stream);

  if (error == cudaSuccess && call->function == NULL && call->callback == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = fake_stream_check_capture (stream);
  if (error == cudaSuccess && stream->capture != NULL && call->callback != NULL)
    error = fake_stream_break_capture (stream);
  if (error != cudaSuccess)
    return error;

  if (stream->capture != NULL)
    capture (call, stream);
  else
    submit (call, stream);

  return cudaSuccess;
}

cudaError_t
cudaLaunchHostFunc (cudaStream_t stream,
                    cudaHostFn_t function,
                    void        *data)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess)
    error = add (&(Call) { .function = function, .data = data, .stream = stream });
  return fake_leave (error);
}

cudaError_t
cudaStreamAddCallback (cudaStream_t         stream,
                       cudaStreamCallback_t callback,
                       void                *data,
                       unsigned int         flags)
{
  cudaError_t error = fake_enter (FAKE_CALL_DEVICE);

  if (error == cudaSuccess && flags != 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = add (&(Call) { .callback = callback, .data = data, .stream = stream });
  return fake_leave (error);
}
