/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/graphs-utils.h"

#include <string.h>

/* Nets whose work is repeated by a graph (C2gNet:device-graph). */

/* From the third run on the work of the net is one call, which reads what is in the input then. */
static void
test_replay (void)
{
  g_auto (Model) model = { NULL };
  g_autoptr (C2gTensor) first = NULL, last = NULL;
  guint n_graphs, n_kernels;

  model_init (&model, chain);
  warm_up (model.net);
  first = fetch (model.workspace, "z");
  g_assert_true (run (model.net));

  n_graphs = count_calls ("cudaGraphLaunch");
  n_kernels = count_calls ("cudaLaunchKernel");
  for (int i = 1; i < 4; i++)
    {
      put_numbers (model.workspace, "x", x_dims, 2, i);
      g_assert_true (run (model.net));
    }
  if (is_fake ())
    g_assert_cmpuint (count_calls ("cudaGraphLaunch") - n_graphs, ==, 3);
  g_assert_cmpuint (count_calls ("cudaLaunchKernel") - n_kernels, ==, 0);

  last = fetch (model.workspace, "z");
  g_assert_false (c2g_test_allclose (first, last, 1e-5, 1e-5, FALSE));
  assert_right (&model, chain, "z");
  assert_right (&model, chain, "logs");
}

static void
notify_cb (GObject    *object,
           GParamSpec *pspec,
           guint      *n_notified)
{
  (*n_notified)++;
}

/* It is off unless wanted, and can be turned off again. */
static void
test_property (void)
{
  g_auto (Model) model = { NULL };
  guint n_notified = 0;
  gboolean is_on = FALSE;

  model_init (&model, chain);
  g_signal_connect (model.net, "notify::device-graph", G_CALLBACK (notify_cb), &n_notified);
  g_assert_true (c2g_net_get_device_graph (model.net));
  c2g_net_set_device_graph (model.net, 2);
  g_assert_cmpuint (n_notified, ==, 0);
  g_object_set (model.net, "device-graph", FALSE, NULL);
  g_object_get (model.net, "device-graph", &is_on, NULL);
  g_assert_false (is_on);
  g_assert_cmpuint (n_notified, ==, 1);
  for (guint i = 0; i < 4; i++)
    g_assert_false (run (model.net));

  /* The blobs are where they will be already. */
  c2g_net_set_device_graph (model.net, TRUE);
  g_assert_false (run (model.net));
  g_assert_true (run (model.net));
  c2g_net_set_device_graph (model.net, FALSE);
  g_assert_false (run (model.net));
}

static void
turn_off_cb (C2gNet *net)
{
  c2g_net_set_device_graph (net, FALSE);
}

/* The net that is turned off while it is recorded. */
static C2gNet *recorded;

static void
turn_off_recorded (void)
{
  turn_off_cb (recorded);
}

/* When it is turned off the graph and its memory go at once, or at the end of the run in progress. */
static void
test_turn_off (void)
{
  static const char *const signals[] = { "before-run", "after-run" };
  C2gLibrary blas;

  if (!find_fake_library (&blas, BLAS_SONAME))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (signals) + 2; i++)
    {
      g_auto (Model) model = { NULL };
      guint n_before;

      model_init (&model, chain);
      warm_up (model.net);
      n_before = count_calls ("cudaGraphExecDestroy");
      /* By handlers in a later run, while it is recorded, and between runs. */
      if (i == 2)
        {
          recorded = model.net;
          blas.set_hook ("cublasGemmEx_64", turn_off_recorded);
        }
      g_assert_true (run (model.net));
      if (i < 2)
        {
          g_signal_connect (model.net, signals[i], G_CALLBACK (turn_off_cb), NULL);
          run (model.net);
        }
      else if (i == 3)
        turn_off_cb (model.net);
      g_assert_cmpuint (count_calls ("cudaGraphExecDestroy"), ==, n_before + 1);
      g_assert_false (run (model.net));
      assert_right (&model, chain, "z");
    }
}

/* Another shape, new memory and a frozen output make the operators run again, and then there is a new
 * graph. */
static void
test_changes (void)
{
  static const gint64 more[] = { 6, 4 }, less[] = { 2, 4 };
  g_auto (Model) model = { NULL };
  g_autoptr (C2gBlob) blob = NULL;

  model_init (&model, chain);
  warm_up (model.net);
  g_assert_true (run (model.net));

  for (guint i = 0; i < 4; i++)
    {
      switch (i)
        {
        case 0:
          put_numbers (model.workspace, "x", more, 2, 1);
          break;
        case 1:
          put_numbers (model.workspace, "x", less, 2, 2);
          break;
        case 2:
          blob = c2g_workspace_get_blob (model.workspace, "x", NULL);
          c2g_tensor_free_memory (c2g_blob_get_tensor (blob, NULL));
          put_numbers (model.workspace, "x", x_dims, 2, 3);
          break;
        default:
          g_clear_object (&blob);
          blob = c2g_workspace_get_blob (model.workspace, "z", NULL);
          c2g_tensor_free_memory (c2g_blob_get_tensor (blob, NULL));
          break;
        }
      g_assert_false (run (model.net));
      assert_right (&model, chain, "z");
      while (!run (model.net))
        continue;
      g_assert_true (run (model.net));
      assert_right (&model, chain, "z");
    }
}

/* A changed setting counts for the next run. */
static void
test_settings (void)
{
  g_auto (Model) model = { NULL };
  C2gCudaContext *context;

  model_init (&model, chain);
  warm_up (model.net);
  g_assert_true (run (model.net));
  context = C2G_CUDA_CONTEXT (c2g_operator_get_context (c2g_net_get_operator (model.net, 0)));
  c2g_cuda_context_set_tf32_products (context, !c2g_cuda_context_get_tf32_products (context));
  g_assert_false (run (model.net));
  g_assert_true (run (model.net));
}

/* An error in a run is that of the operator, also in the run that would be recorded, and later runs
 * are right. */
static void
test_errors (void)
{
  static const char *const calls[] = { "cudaStreamCreateWithFlags",     "cudaStreamBeginCapture",
                                       "cudaLaunchKernel",              "cudaStreamEndCapture",
                                       "cudaGraphInstantiateWithFlags", "cudaGraphLaunch" };

  if (!needs_fake ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_auto (Model) model = { NULL };

      model_init (&model, chain);
      warm_up (model.net);
      put_numbers (model.workspace, "x", x_dims, 2, 1);
      on_fake (fake_cuda_fail, calls[i], 1, cudaErrorInvalidValue, FALSE);
      g_assert_false (run (model.net));
      g_assert_cmpint (c2g_net_get_failed_position (model.net), ==, -1);
      assert_right (&model, chain, "z");
      g_assert_true (run (model.net));
      put_numbers (model.workspace, "x", x_dims, 2, 2);
      g_assert_true (run (model.net));
      assert_right (&model, chain, "z");
    }
}

/* If graphs can be recorded but not launched, that is not tried in each run. */
static void
test_failed_launches (void)
{
  g_auto (Model) model = { NULL };
  guint n_before;

  if (!needs_fake ())
    return;

  model_init (&model, chain);
  warm_up (model.net);
  n_before = count_calls ("cudaGraphLaunch");
  on_fake (fake_cuda_fail, "cudaGraphLaunch", 1, cudaErrorInvalidValue, TRUE);
  for (guint i = 0; i < 8; i++)
    g_assert_false (run (model.net));
  g_assert_cmpuint (count_calls ("cudaGraphLaunch") - n_before, ==, 3);
  assert_right (&model, chain, "z");
  on_fake (fake_cuda_clear_failures);
}

/* A run that was cancelled before it began starts nothing. */
static void
test_cancelled (void)
{
  g_auto (Model) model = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gint64 n_before;

  model_init (&model, chain);
  warm_up (model.net);
  g_assert_true (run (model.net));
  n_before = count_replays ();
  g_cancellable_cancel (cancellable);
  g_assert_false (c2g_net_run (model.net, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (count_replays (), ==, n_before);
  g_assert_true (run (model.net));
}

/* A graph keeps the scratch memory that the operators had before, and that which they allocated while
 * they were recorded. */
static void
check_allocation (void)
{
  static const char *const nets[] = {
    chain,
    "op { type: 'LogSoftmax' input: 'x' output: 'logs' } op { type: 'Sum' input: 'x' input: 'logs' "
    "input: 'x' output: 'z' }",
    "op { type: 'SpatialBN' input: 'w' input: 'x4' input: 'x4' input: 'x4' input: 'v4' output: 'logs' "
    "arg { name: 'is_test' i: 1 } } op { type: 'Relu' input: 'logs' output: 'z' }",
    "op { type: 'Normalize' input: 'x' output: 'logs' } op { type: 'Relu' input: 'logs' output: 'z' }",
  };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (nets); i++)
    {
      const char *text = nets[i / 2];
      g_auto (Model) model = { NULL };
      g_autoptr (C2gTensor) huge = c2g_tensor_new_for_device (first_device ());
      g_autoptr (C2gTensor) other = NULL;
      const gint64 n = G_GINT64_CONSTANT (1) << 40;

      model_init (&model, text);
      warm_up (model.net);
      /* An allocation that fails frees what is kept. */
      g_assert_true (c2g_tensor_resize (huge, &n, 1, NULL));
      if (i % 2 == 0)
        g_assert_null (c2g_tensor_mutable_data (huge, C2G_DATA_TYPE_FLOAT, NULL));
      g_assert_true (run (model.net));
      assert_right (&model, text, "logs");

      g_assert_null (c2g_tensor_mutable_data (huge, C2G_DATA_TYPE_FLOAT, NULL));
      other = new_far (first_device (), 1000, NULL);
      put_numbers (model.workspace, "x", x_dims, 2, 5);
      g_assert_true (run (model.net));
      assert_far (other, 0);
      assert_right (&model, text, "logs");
      assert_right (&model, text, "z");
    }
}

static void
test_allocation (void)
{
  g_autoptr (C2gAllocator) caching = c2g_cuda_caching_allocator_new (first_device (), NULL);

  if (!needs_fake ())
    return;

  check_allocation ();
  c2g_allocator_set_default (first_device (), caching, NULL);
  check_allocation ();
  c2g_allocator_set_default (first_device (), NULL, NULL);
}

static gpointer
run_in_thread (gpointer data)
{
  const int first = GPOINTER_TO_INT (data);
  g_autoptr (GError) error = NULL;
  g_auto (Model) model = { NULL };

  model_init (&model, chain);
  for (guint i = 0; i < 30; i++)
    {
      put_numbers (model.workspace, "x", x_dims, 2, first + i % 3);
      c2g_net_run (model.net, NULL, &error);
      g_assert_no_error (error);
      if (i % 10 == 9)
        {
          assert_right (&model, chain, "z");
          /* Another graph. */
          g_clear_object (&model.net);
          model.net = new_net (model.workspace, chain, first_device ());
          c2g_net_set_device_graph (model.net, TRUE);
        }
    }
  return NULL;
}

/* Threads record graphs of their nets at the same time, and another one works without. */
static void
test_threads (void)
{
  GThread *threads[2];
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 n_before = count_replays ();

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("net", run_in_thread, GINT_TO_POINTER ((int) i));
  context = c2g_context_for_device (first_device (), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (C2gTensor) far = new_far (first_device (), 100, context);

      assert_far (far, 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (count_replays () - n_before, ==, 2 * (8 + 9 + 9));
  assert_no_faults ();
}

static void
use_in_operator_cb (C2gNet      *net,
                    C2gOperator *op,
                    gpointer     data)
{
  (*(guint *) data)++;
}

/* A net with an observer of operators runs without a graph, so that the observer is told of each of them. */
static void
test_observed (void)
{
  g_auto (Model) model = { NULL };
  guint n_heard = 0;
  gulong id;

  model_init (&model, chain);
  warm_up (model.net);
  g_assert_true (run (model.net));
  id = g_signal_connect (model.net, "before-operator", G_CALLBACK (use_in_operator_cb), &n_heard);
  g_assert_false (run (model.net));
  g_assert_cmpuint (n_heard, ==, c2g_net_get_n_operators (model.net));
  g_signal_handler_disconnect (model.net, id);
  g_assert_true (run (model.net));
}

/* The graph comes behind work on its blobs in other contexts, and that in others behind it. */
static void
test_order (void)
{
  g_auto (Model) model = { NULL };
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;

  model_init (&model, chain);
  context = c2g_cuda_context_new (first_device (), &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 50);
  for (int i = 0; i < 6; i++)
    {
      g_autoptr (C2gTensor) near = c2g_tensor_new_sized (x_dims, 2, NULL, NULL);
      g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (first_device ());
      g_autoptr (C2gTensor) late = NULL;
      g_autoptr (C2gBlob) z = NULL;
      g_autoptr (C2gTensor) now = NULL;

      c2g_tensor_allocate (near, C2G_DATA_TYPE_FLOAT, NULL);
      c2g_tensor_fill (near, i, NULL);
      put (model.workspace, "x", near, context);
      g_assert_cmpint (run (model.net), ==, i >= N_WARM_UPS);
      z = c2g_workspace_get_blob (model.workspace, "z", NULL);
      c2g_tensor_copy_from (copy, c2g_blob_get_tensor (z, NULL), context, &error);
      g_assert_no_error (error);
      late = c2g_tensor_to_device (copy, c2g_device_cpu (), NULL);
      now = fetch (model.workspace, "z");
      nets_assert_close (late, now);
    }
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 0);
}

/* If the wait at the end of a run fails, its work may go on, and others still come behind it. */
static void
test_failed_wait (void)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (x_dims, 2, NULL, NULL);
  g_auto (Model) model = { NULL };
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  model_init (&model, chain);
  context = c2g_cuda_context_new (first_device (), &error);
  g_assert_no_error (error);
  c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  g_assert_true (c2g_tensor_fill (near, 1, NULL));
  for (guint i = 0; i < 4; i++)
    {
      put (model.workspace, "x", near, context);
      run (model.net);
    }

  on_fake (fake_cuda_set_latency, 100);
  on_fake (fake_cuda_fail, "cudaStreamSynchronize", 1, cudaErrorInvalidValue, FALSE);
  g_assert_false (c2g_net_run (model.net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  put (model.workspace, "x", near, context);
  on_fake (fake_cuda_set_latency, 0);
  g_assert_true (run (model.net));
  c2g_context_finish (context, &error);
  g_assert_no_error (error);
}

static gpointer
use_default_stream (gpointer data)
{
  void *memory = NULL;

  g_assert_cmpint (cudaMalloc (&memory, 1), ==, cudaSuccess);
  g_assert_cmpint (cudaMemsetAsync (memory, 0, 1, NULL), ==, cudaSuccess);
  g_assert_cmpint (cudaStreamSynchronize (NULL), ==, cudaSuccess);
  g_assert_cmpint (cudaFree (memory), ==, cudaSuccess);
  return NULL;
}

static void
use_in_thread (void)
{
  g_thread_join (g_thread_new ("other", use_default_stream, NULL));
}

/* While a net is recorded, other threads may allocate and wait, also for the default stream. */
static void
test_others_meanwhile (void)
{
  g_auto (Model) model = { NULL };
  C2gLibrary blas;

  if (!find_fake_library (&blas, BLAS_SONAME))
    return;

  model_init (&model, chain);
  warm_up (model.net);
  blas.set_hook ("cublasGemmEx_64", use_in_thread);
  g_assert_true (run (model.net));
  assert_right (&model, chain, "z");
}

/* After a reset of the device the graph is gone. */
static void
test_reset (void)
{
  g_auto (Model) model = { NULL };
  g_autoptr (GError) error = NULL;

  if (!may_reset ())
    return;

  model_init (&model, chain);
  warm_up (model.net);
  g_assert_true (run (model.net));
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  g_assert_false (c2g_net_run (model.net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  on_fake (fake_cuda_clear_faults);
}

/* A predictor copies its inputs to where they were, so that a run is a copy for each of them, the
 * graph, and a copy for each output. */
static void
test_predictor (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) fill = c2g_net_def_new_from_text (
    /* Positive, so that Relu keeps what tells the inputs apart. */
    "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 5 ints: 4 } arg {"
    "  name: 'values' floats: 1 floats: 2 floats: 3 floats: 4 floats: 5 floats: 4 floats: 3"
    "  floats: 2 floats: 1 floats: 0 floats: 1 floats: 3 floats: 5 floats: 2 floats: 4 floats: 1"
    "  floats: 2 floats: 5 floats: 3 floats: 0 } }"
    "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 5 } }",
    &error);
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (chain, &error);
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_create (fill, def, NULL, first_device (), C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) before = NULL;

  g_assert_no_error (error);
  c2g_net_set_device_graph (c2g_predictor_get_net (predictor), TRUE);
  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (C2gTensor) x = c2g_tensor_new_sized (x_dims, 2, NULL, NULL);
      g_autofree C2gTensor **outputs = NULL;
      g_autoptr (C2gTensor) z = NULL;
      const gint64 n_before = count_replays ();
      const guint n_launches = count_calls ("cudaLaunchKernel");
      const guint n_waits = count_calls ("cudaStreamSynchronize");
      float *numbers = c2g_tensor_mutable_data (x, C2G_DATA_TYPE_FLOAT, NULL);
      guint n_outputs;

      for (guint k = 0; k < 12; k++)
        numbers[k] = k % (i + 2);
      outputs = c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error);
      g_assert_no_error (error);
      z = c2g_tensor_to_device (outputs[0], c2g_device_cpu (), NULL);
      g_assert_true (before == NULL || !c2g_test_allclose (z, before, 0, 0, FALSE));
      g_set_object (&before, z);
      g_assert_cmpint (count_replays () - n_before, ==, i >= N_WARM_UPS ? 1 : 0);
      if (i > N_WARM_UPS && is_fake ())
        {
          g_assert_cmpuint (count_calls ("cudaLaunchKernel") - n_launches, ==, 0);
          g_assert_cmpuint (count_calls ("cudaStreamSynchronize") - n_waits, <=, 2);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/graphs/replay", test_replay);
  add_clean_func ("/cuda/graphs/property", test_property);
  add_clean_func ("/cuda/graphs/turn-off", test_turn_off);
  add_clean_func ("/cuda/graphs/changes", test_changes);
  add_clean_func ("/cuda/graphs/settings", test_settings);
  add_clean_func ("/cuda/graphs/errors", test_errors);
  add_clean_func ("/cuda/graphs/failed-launches", test_failed_launches);
  add_clean_func ("/cuda/graphs/cancelled", test_cancelled);
  add_clean_func ("/cuda/graphs/allocation", test_allocation);
  /* How many events threads need at once, which are kept, is chance. */
  c2g_test_add_func ("/cuda/graphs/threads", test_threads);
  add_clean_func ("/cuda/graphs/observed", test_observed);
  add_clean_func ("/cuda/graphs/order", test_order);
  add_clean_func ("/cuda/graphs/failed-wait", test_failed_wait);
  add_clean_func ("/cuda/graphs/others-meanwhile", test_others_meanwhile);
  add_clean_func ("/cuda/graphs/predictor", test_predictor);
  c2g_test_add_func ("/cuda/graphs/reset", test_reset);

  return run_on_device ();
}
