/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* The users of a block of memory, and waits for them; the same for all kinds of memory. */

#define N 1000

typedef enum
{
  STREAM_ORDERED,
  CACHING,
  FOREIGN,
  N_KINDS
} Kind;

static void
free_foreign (gpointer address)
{
  cudaFree (address);
}

static C2gStorage *
new_foreign (C2gDevice *device)
{
  gpointer address = NULL;
  int current = 0;

  cudaGetDevice (&current);
  cudaSetDevice (c2g_device_get_index (device));
  g_assert_cmpint (cudaMalloc (&address, N * sizeof (float)), ==, cudaSuccess);
  cudaSetDevice (current);

  return c2g_storage_new_external (device, address, N * sizeof (float), FALSE, free_foreign,
                                   address);
}

static C2gStorage *
new_storage (Kind        kind,
             C2gDevice  *device,
             C2gContext *context)
{
  g_autoptr (C2gAllocator) allocator = NULL;

  if (kind == FOREIGN)
    return new_foreign (device);

  allocator = kind == CACHING ? c2g_cuda_caching_allocator_new (device, NULL)
                              : c2g_cuda_async_allocator_new (device, NULL);

  return allocate (allocator, N * sizeof (float), context);
}

static C2gTensor *
new_of_kind (Kind        kind,
             C2gDevice  *device,
             C2gContext *context)
{
  g_autoptr (C2gStorage) storage = new_storage (kind, device, context);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N), storage, 0, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
fill (C2gContext *context,
      C2gTensor  *tensor,
      double      value)
{
  g_autoptr (GError) error = NULL;

  c2g_context_fill (context, tensor, value, &error);
  g_assert_no_error (error);
}

static void
copy (C2gTensor  *to,
      C2gTensor  *from,
      C2gContext *context)
{
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (to, from, context, &error);
  g_assert_no_error (error);
}

/* Reads without a context, which waits for all uses. */
static void
assert_filled (C2gTensor *tensor,
               float      value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  const float *values;

  g_assert_no_error (error);
  values = c2g_tensor_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  for (int i = 0; i < N; i++)
    g_assert_cmpfloat (values[i], ==, value);
}

static C2gNetDef *
new_net (const char *type,
         int         device)
{
  g_autofree char *text =
    g_strdup_printf ("name: 'n' device_option { device_type: 1 cuda_gpu_id: %d } "
                     "op { type: '%s' input: 'x' output: 'y' }",
                     device, type);
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static void
put (C2gWorkspace *workspace,
     C2gTensor    *tensor)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "x", NULL);

  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

static void
run_once (C2gWorkspace *workspace,
          const char   *type,
          int           device)
{
  g_autoptr (C2gNetDef) def = new_net (type, device);
  g_autoptr (GError) error = NULL;

  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

/* Loading the next batch does not delay work on the present one. */
static void
test_later_work (void)
{
  g_autoptr (C2gContext) loader = new_context ();

  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (guint i = 0, n = c2g_test_count_rounds (4); i < n; i++)
      {
        g_autoptr (C2gTensor) batch = new_of_kind (kind, first_device (), i % 2 == 0 ? loader : NULL);
        g_autoptr (C2gTensor) next = new_of_kind (kind, first_device (), loader);
        g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
        g_autoptr (C2gEvent) event = c2g_event_new (first_device ());

        put (workspace, batch);
        on_fake (fake_cuda_set_latency, 1000);
        for (int j = 0; j < 3; j++)
          {
            fill (loader, batch, j);
            for (int k = 0; k < 20; k++)
              fill (loader, next, k);
            if (i < 2)
              run_once (workspace, "Relu", 0);
            else
              assert_filled (batch, j);
          }

        g_assert_true (c2g_context_record (loader, event, NULL));
        run_once (workspace, "Relu", 0);
        if (is_fake ())
          g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);
        on_fake (fake_cuda_set_latency, 0);
        finish (loader);
      }
}

/* A use is waited for only once, and a single net needs no waits at all. */
static void
test_no_needless_waits (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gContext) loader = new_context ();
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), loader);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = new_net ("Relu", 0);
      g_autoptr (C2gNet) net = NULL;
      guint n_records = 0, n_waits = 0;

      fill (loader, tensor, 3);
      put (workspace, tensor);
      net = c2g_workspace_create_net (workspace, def, FALSE, NULL);
      for (int i = 0; i < 10; i++)
        {
          n_records = i == 5 ? count_calls ("cudaEventRecord") : n_records;
          n_waits = i == 1 ? count_calls ("cudaStreamWaitEvent") : n_waits;
          g_assert_true (c2g_net_run (net, NULL, NULL));
        }
      g_assert_cmpuint (count_calls ("cudaEventRecord"), ==, n_records);
      g_assert_cmpuint (count_calls ("cudaStreamWaitEvent"), ==, n_waits);

      assert_filled (tensor, 3);
      n_records = count_calls ("cudaEventRecord");
      n_waits = count_calls ("cudaStreamWaitEvent");
      assert_filled (tensor, 3);
      g_assert_cmpuint (count_calls ("cudaEventRecord"), ==, n_records);
      g_assert_cmpuint (count_calls ("cudaStreamWaitEvent"), ==, n_waits);
    }
}

/* An operator that the program defines itself. */
typedef C2gOperator OwnCopy;
typedef C2gOperatorClass OwnCopyClass;

GType own_copy_get_type (void);

G_DEFINE_TYPE (OwnCopy, own_copy, C2G_TYPE_OPERATOR)

static gboolean
own_copy_run (C2gOperator  *self,
              GError      **error)
{
  C2gTensor *x = c2g_operator_get_input_tensor (self, 0, error);
  C2gTensor *y = x != NULL ? c2g_operator_get_output_tensor (self, 0, error) : NULL;

  return y != NULL && c2g_tensor_copy_from (y, x, c2g_operator_get_context (self), error);
}

static void
own_copy_class_init (OwnCopyClass *klass)
{
  klass->run = own_copy_run;
}

static void
own_copy_init (OwnCopy *self)
{
}

/* A program's operator waits for other uses of its tensors, like the library's operators. */
static void
test_own_operator (void)
{
  g_autoptr (C2gContext) context = new_context ();
  static gsize is_registered;

  if (g_once_init_enter (&is_registered))
    g_once_init_leave (&is_registered,
                       c2g_operator_register ("OwnCopy", C2G_DEVICE_TYPE_CUDA, NULL,
                                              own_copy_get_type (), NULL, NULL));

  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (int i = 0; i < 5; i++)
      {
        g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
        g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
        g_autoptr (C2gBlob) result = NULL;

        put (workspace, tensor);
        fill (context, tensor, 1);
        finish (context);
        on_fake (fake_cuda_set_latency, 100);
        fill (context, tensor, 7);
        run_once (workspace, "OwnCopy", 0);
        on_fake (fake_cuda_set_latency, 0);
        result = c2g_workspace_get_blob (workspace, "y", NULL);
        assert_filled (c2g_blob_get_tensor (result, NULL), 7);
      }
}

static void
note_end (gpointer data,
          GObject *stream)
{
  guint *n_alive = data;

  (*n_alive)--;
}

static C2gContext *
new_counted (guint *n_alive)
{
  C2gContext *context = new_context ();
  C2gCudaStream *stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (context));

  (*n_alive)++;
  g_object_weak_ref (G_OBJECT (stream), note_end, n_alive);
  return context;
}

/* Requests with a stream each leave no users behind on shared memory, whether they wait for each
 * other or not. */
static void
test_users_are_forgotten (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    for (int i = 0; i < 2; i++)
      {
        g_autoptr (C2gTensor) weights = new_of_kind (kind, first_device (), NULL);
        guint n_alive = 0;

        for (int j = 0; j < 60; j++)
          {
            g_autoptr (C2gContext) context = new_counted (&n_alive);
            g_autoptr (C2gTensor) result = c2g_tensor_new_for_device (first_device ());

            fill (context, weights, j);
            copy (result, weights, context);
            if (i == 0)
              assert_filled (weights, j);
            finish (context);
          }
        g_assert_cmpuint (n_alive, <=, 10);
        assert_filled (weights, 59);
      }
}

/* Each net waits for the one before it, and then stands for both. */
static void
test_users_of_nets (void)
{
  if (!needs_fake ())
    return;

  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gContext) context = new_context ();
      g_autoptr (C2gTensor) weights = new_of_kind (kind, first_device (), context);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      guint n_before;

      fill (context, weights, 5);
      put (workspace, weights);
      run_once (workspace, "Relu", 0);
      n_before = count_calls ("cudaStreamCreateWithPriority") - count_calls ("cudaStreamDestroy");
      for (int i = 0; i < 60; i++)
        run_once (workspace, "Relu", 0);
      g_assert_cmpuint (
        count_calls ("cudaStreamCreateWithPriority") - count_calls ("cudaStreamDestroy"), <=,
        n_before + 4);
      assert_filled (weights, 5);
    }
}

/* Work that others put on their own streams is waited for, though it is not recorded. */
static void
test_foreign_stream (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
      g_autoptr (C2gContext) context = NULL;
      g_autoptr (C2gCudaStream) stream = NULL;
      cudaStream_t handle = NULL;

      g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
      stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, NULL);
      context = c2g_cuda_context_new_for_stream (stream);
      on_fake (fake_cuda_set_latency, 100);
      fill (context, tensor, 1);
      for (int i = 0; i < 3; i++)
        {
          assert_filled (tensor, i == 0);
          work_on (c2g_tensor_get_storage (tensor), context);
          cudaMemsetAsync (address_of (c2g_tensor_get_storage (tensor)), 0, N * sizeof (float),
                           handle);
        }
      on_fake (fake_cuda_set_latency, 0);
      assert_filled (tensor, 0);
      g_clear_object (&tensor);
      g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
    }
}

/* It is waited for even if a stream that has waited for the foreign one used the block since. */
static void
test_foreign_stream_covered (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
      g_autoptr (C2gTensor) result = c2g_tensor_new_for_device (first_device ());
      g_autoptr (C2gContext) other = new_context ();
      g_autoptr (C2gContext) context = NULL;
      g_autoptr (C2gCudaStream) stream = NULL;
      cudaStream_t handle = NULL;

      g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
      stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, NULL);
      context = c2g_cuda_context_new_for_stream (stream);
      fill (context, tensor, 1);
      copy (result, tensor, other);
      finish (other);
      on_fake (fake_cuda_set_latency, 100);
      cudaMemsetAsync (address_of (c2g_tensor_get_storage (tensor)), 0, N * sizeof (float), handle);
      assert_filled (tensor, 0);
      on_fake (fake_cuda_set_latency, 0);
      g_clear_object (&tensor);
      g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
    }
}

/* Work from before a capture is waited for without becoming a part of the capture. Memory that it
 * used is freed after the capture has ended. */
static void
test_captured_user (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
      g_autoptr (C2gContext) context = NULL;
      g_autoptr (C2gCudaStream) stream = NULL;
      cudaStream_t handle = NULL;
      cudaGraph_t graph = NULL;

      g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
      stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, NULL);
      context = c2g_cuda_context_new_for_stream (stream);
      on_fake (fake_cuda_set_latency, 100);
      fill (context, tensor, 5);
      g_assert_cmpint (cudaStreamBeginCapture (handle, cudaStreamCaptureModeGlobal), ==, cudaSuccess);
      assert_filled (tensor, 5);
      assert_filled (tensor, 5);
      g_clear_object (&tensor);
      g_assert_cmpint (cudaStreamEndCapture (handle, &graph), ==, cudaSuccess);
      g_assert_cmpint (cudaGraphDestroy (graph), ==, cudaSuccess);
      on_fake (fake_cuda_set_latency, 0);
      g_clear_object (&tensor);
      g_clear_object (&context);
      tensor = new_of_kind (kind, first_device (), NULL);
      context = new_context ();
      fill (context, tensor, 6);
      assert_filled (tensor, 6);
      g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
    }
}

/* A use that was captured is one when the graph is launched: others wait for that, and the memory is
 * freed after it. */
static void
test_captured_use (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
      g_autoptr (C2gContext) context = NULL;
      g_autoptr (C2gCudaStream) stream = NULL;
      cudaStream_t handle = NULL;
      cudaGraphExec_t executable = NULL;
      cudaGraph_t graph = NULL;

      g_assert_cmpint (cudaStreamCreateWithFlags (&handle, cudaStreamNonBlocking), ==, cudaSuccess);
      stream = c2g_cuda_stream_new_from_handle (first_device (), (guint64) (guintptr) handle, NULL);
      context = c2g_cuda_context_new_for_stream (stream);
      g_assert_cmpint (cudaStreamBeginCapture (handle, cudaStreamCaptureModeThreadLocal), ==, cudaSuccess);
      fill (context, tensor, 5);
      g_assert_cmpint (cudaStreamEndCapture (handle, &graph), ==, cudaSuccess);
      g_assert_cmpint (cudaGraphInstantiateWithFlags (&executable, graph, 0), ==, cudaSuccess);
      g_assert_cmpint (cudaGraphDestroy (graph), ==, cudaSuccess);

      on_fake (fake_cuda_set_latency, 100);
      for (guint i = 0; i < 2; i++)
        {
          g_assert_cmpint (cudaGraphLaunch (executable, handle), ==, cudaSuccess);
          assert_filled (tensor, 5);
        }
      g_assert_cmpint (cudaGraphLaunch (executable, handle), ==, cudaSuccess);
      g_clear_object (&tensor);
      on_fake (fake_cuda_set_latency, 0);
      tensor = new_of_kind (kind, first_device (), NULL);
      g_clear_object (&context);
      context = new_context ();
      fill (context, tensor, 6);
      assert_filled (tensor, 6);
      g_assert_cmpint (cudaGraphExecDestroy (executable), ==, cudaSuccess);
      g_assert_cmpint (cudaStreamDestroy (handle), ==, cudaSuccess);
    }
}

/* Work on the stream that a block was requested on counts as a use, even if it is not recorded. */
static void
test_stream_of_block (void)
{
  for (Kind kind = 0; kind < FOREIGN; kind++)
    {
      g_autoptr (C2gContext) context = new_context ();
      g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), context);

      on_fake (fake_cuda_set_latency, 100);
      for (int i = 0; i < 3; i++)
        {
          cudaMemsetAsync (address_of (c2g_tensor_get_storage (tensor)), 0, N * sizeof (float),
                           stream_of (context));
          assert_filled (tensor, 0);
        }
      on_fake (fake_cuda_set_latency, 0);
    }
}

/* The memory stays until all users are done, even those that nobody waited for. */
static void
test_release (void)
{
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      C2gContext *contexts[20];
      guint n_contexts = c2g_test_is_quick () ? 6 : G_N_ELEMENTS (contexts);

      for (guint j = 0; j < n_contexts; j++)
        contexts[j] = new_context ();
      on_fake (fake_cuda_set_latency, 100);
      for (int i = 0; i < 4; i++)
        {
          g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);

          fill (contexts[0], tensor, 2);
          finish (contexts[0]);
          for (guint j = 1; j < n_contexts; j++)
            {
              g_autoptr (C2gTensor) result = c2g_tensor_new_for_device (first_device ());

              copy (result, tensor, contexts[j]);
            }
          if (i % 2 == 0)
            assert_filled (tensor, 2);
        }
      for (guint j = 0; j < n_contexts; j++)
        {
          finish (contexts[j]);
          g_object_unref (contexts[j]);
        }
      on_fake (fake_cuda_set_latency, 0);
    }
}

/* Random numbers are a use like any other work. */
static void
test_random (void)
{
  static gboolean (*const fills[]) (C2gContext *, C2gTensor *, double, double, GError **) = {
    c2g_context_fill_uniform,
    c2g_context_fill_normal,
  };
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();

  on_fake (fake_cuda_set_latency, 100);
  for (guint i = 0; i < G_N_ELEMENTS (fills); i++)
    for (Kind kind = 0; kind < N_KINDS; kind++)
      {
        g_autoptr (C2gTensor) tensor = new_of_kind (kind, first_device (), NULL);
        g_autoptr (C2gTensor) copied = c2g_tensor_new_for_device (first_device ());
        g_autoptr (GError) error = NULL;

        fills[i](context, tensor, 0, 1, &error);
        g_assert_no_error (error);
        copy (copied, tensor, other);
        finish (other);
      }
  on_fake (fake_cuda_set_latency, 1);
}

static void
lose (gboolean is_reset)
{
  if (!is_reset)
    {
      on_fake (fake_cuda_lose_device, 0, cudaErrorLaunchFailure);
      return;
    }

  cudaSetDevice (0);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
}

/* A lost device does not affect another one, even if it used the memory, or waited for the other
 * device's work with it. */
static void
test_lost_user (gconstpointer is_reset)
{
  C2gDevice *second = second_device ();
  g_autoptr (C2gContext) far_context = NULL;
  g_autoptr (C2gContext) context = NULL;
  C2gWorkspace *workspaces[N_KINDS];
  C2gTensor *tensors[N_KINDS];

  cudaSetDevice (1);
  context = new_context ();
  far_context = c2g_context_for_device (second, NULL);
  on_fake (fake_cuda_set_latency, 1000);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      g_autoptr (C2gTensor) copied = c2g_tensor_new_for_device (first_device ());

      tensors[kind] = new_of_kind (kind, second, NULL);
      workspaces[kind] = c2g_workspace_new ();
      put (workspaces[kind], tensors[kind]);
      fill (far_context, tensors[kind], 3);
      finish (far_context);
      copy (copied, tensors[kind], context);
      finish (context);
      run_once (workspaces[kind], "Copy", 0);
      fill (far_context, tensors[kind], 4);
      run_once (workspaces[kind], "Copy", 0);
    }

  lose (GPOINTER_TO_INT (is_reset));
  cudaSetDevice (1);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      assert_filled (tensors[kind], 4);
      g_object_unref (workspaces[kind]);
      workspaces[kind] = c2g_workspace_new ();
      put (workspaces[kind], tensors[kind]);
      run_once (workspaces[kind], "Relu", 1);
      assert_filled (tensors[kind], 4);
      g_object_unref (workspaces[kind]);
      g_object_unref (tensors[kind]);
    }
  assert_no_faults ();
}

/* A device that waited for a use may be lost before the use is over, so that others still have to
 * wait for the use itself. */
static void
test_lost_waiter (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) waiter = c2g_context_for_device (second_device (), NULL);
  C2gTensor *tensors[N_KINDS], *copied[N_KINDS];

  on_fake (fake_cuda_set_latency, 1000);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      tensors[kind] = new_of_kind (kind, first_device (), NULL);
      copied[kind] = c2g_tensor_new_for_device (second_device ());
      fill (context, tensors[kind], 3);
      copy (copied[kind], tensors[kind], waiter);
    }
  on_fake (fake_cuda_lose_device, 1, cudaErrorLaunchFailure);
  for (Kind kind = 0; kind < N_KINDS; kind++)
    {
      assert_filled (tensors[kind], 3);
      g_object_unref (tensors[kind]);
      g_object_unref (copied[kind]);
    }
  assert_no_faults ();
}

/* Runs in a subprocess, because the defaults of a lost device stay lost for the process. */
static void
test_apart (gconstpointer path)
{
  if (second_device () == NULL || !may_reset () || (strstr (path, "lost") != NULL && !needs_fake ()))
    return;

  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_passed ();
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/users/later-work", test_later_work);
  add_clean_func ("/cuda/users/no-needless-waits", test_no_needless_waits);
  add_clean_func ("/cuda/users/forgotten", test_users_are_forgotten);
  add_clean_func ("/cuda/users/nets", test_users_of_nets);
  add_clean_func ("/cuda/users/own-operator", test_own_operator);
  add_clean_func ("/cuda/users/foreign-stream", test_foreign_stream);
  add_clean_func ("/cuda/users/foreign-stream-covered", test_foreign_stream_covered);
  add_clean_func ("/cuda/users/captured", test_captured_user);
  add_clean_func ("/cuda/users/captured-use", test_captured_use);
  add_clean_func ("/cuda/users/stream-of-block", test_stream_of_block);
  add_clean_func ("/cuda/users/release", test_release);
  add_clean_func ("/cuda/users/random", test_random);
  g_test_add_data_func ("/cuda/users/lost", "/cuda/users/lost/subprocess", test_apart);
  g_test_add_data_func ("/cuda/users/lost/subprocess", GINT_TO_POINTER (FALSE), test_lost_user);
  g_test_add_data_func ("/cuda/users/lost-waiter", "/cuda/users/lost-waiter/subprocess", test_apart);
  g_test_add_func ("/cuda/users/lost-waiter/subprocess", test_lost_waiter);
  g_test_add_data_func ("/cuda/users/reset", "/cuda/users/reset/subprocess", test_apart);
  g_test_add_data_func ("/cuda/users/reset/subprocess", GINT_TO_POINTER (TRUE), test_lost_user);

  return run_on_device ();
}
