/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/net/run/c2g-net-private.h>

/* Operators that several threads run at the same time, and nets inside operators. */

#define N_THREADS 4
#define N_RUNS 200
#define N_OPERATORS 8

static C2gNetDef *
new_def (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static void
run_once (C2gWorkspace *workspace,
          const char   *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = new_def (text);

  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

static gint64
read_int64 (C2gWorkspace *workspace,
            const char   *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, &error);

  g_assert_no_error (error);
  return c2g_tensor_get_int64 (tensor, 0, NULL);
}

static gpointer
run_many (gpointer data)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_RUNS; i++)
    {
      c2g_net_run (data, NULL, &error);
      g_assert_no_error (error);
    }
  return NULL;
}

/* Runs one net in each thread, all in the same workspace. A % in a name is replaced by the thread
 * and the operator. */
static void
run_together (C2gWorkspace *workspace,
              const char   *op)
{
  GThread *threads[N_THREADS];
  C2gNet *nets[N_THREADS];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_THREADS; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (C2gNetDef) def = NULL;

      g_string_append_printf (text, "name: 'net_%u' type: 'dag' num_workers: 2 ", i);
      for (guint j = 0; j < N_OPERATORS; j++)
        {
          g_autofree char *name = g_strdup_printf ("%u_%u", i, j);
          g_auto (GStrv) parts = g_strsplit (op, "%", -1);
          g_autofree char *named = g_strjoinv (name, parts);

          g_string_append (text, named);
        }
      def = new_def (text->str);
      nets[i] = c2g_workspace_create_net (workspace, def, FALSE, &error);
      g_assert_no_error (error);
    }

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("net", run_many, nets[i]);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_thread_join (threads[i]);
      g_object_unref (nets[i]);
    }
}

static void
test_fetch_add (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  run_once (workspace,
            "op { type: 'CreateMutex' output: 'mutex' } "
            "op { type: 'GivenTensorInt64Fill' output: 'sum' arg { name: 'values' ints: 0 } } "
            "op { type: 'GivenTensorInt64Fill' output: 'step' arg { name: 'values' ints: 3 } } ");
  run_together (workspace, "op { type: 'AtomicFetchAdd64' input: 'mutex' input: 'sum' "
                           "input: 'step' output: 'sum' output: 'before_%' } ");
  g_assert_cmpint (read_int64 (workspace, "sum"), ==, 3 * N_THREADS * N_RUNS * N_OPERATORS);
}

static void
test_iter (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  run_once (workspace,
            "op { type: 'CreateMutex' output: 'mutex' } "
            "op { type: 'GivenTensorInt64Fill' output: 'iter' arg { name: 'values' ints: 0 } } ");
  run_together (workspace,
                "op { type: 'AtomicIter' input: 'mutex' input: 'iter' output: 'iter' } ");
  g_assert_cmpint (read_int64 (workspace, "iter"), ==, N_THREADS * N_RUNS * N_OPERATORS);
}

static void
test_counter (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  run_once (workspace, "op { type: 'CreateCounter' output: 'counter' } ");
  run_together (workspace, "op { type: 'CountUp' input: 'counter' output: 'before_%' } ");
  run_once (workspace, "op { type: 'RetrieveCount' input: 'counter' output: 'count' } ");
  g_assert_cmpint (read_int64 (workspace, "count"), ==, N_THREADS * N_RUNS * N_OPERATORS);
}

static void
test_truth (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  run_once (workspace, "op { type: 'CreateAtomicBool' output: 'truth' } "
                       "op { type: 'GivenTensorBoolFill' output: 'yes' arg { name: 'values' "
                       "ints: 1 } } ");
  run_together (workspace, "op { type: 'ConditionalSetAtomicBool' input: 'truth' input: 'yes' } "
                           "op { type: 'CheckAtomicBool' input: 'truth' output: 'is_%' } ");
  run_once (workspace, "op { type: 'CheckAtomicBool' input: 'truth' output: 'truth_now' } "
                       "op { type: 'Cast' input: 'truth_now' output: 'number' "
                       "arg { name: 'to' i: 10 } } ");
  g_assert_cmpint (read_int64 (workspace, "number"), ==, 1);
}

static void
count_cb (C2gBlob      *blob,
          GType         old_type,
          GType         new_type,
          C2gWorkspace *workspace)
{
  run_once (workspace, "op { type: 'CountUp' input: 'heard' output: 'before' } ");
}

/* A handler of a counter's signal may count too, so no lock may be held during the signal. */
static void
test_count_in_handler (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = NULL;

  run_once (workspace, "op { type: 'CreateCounter' output: 'counter' } "
                       "op { type: 'CreateCounter' output: 'heard' } ");
  blob = c2g_workspace_get_blob (workspace, "counter", NULL);
  g_signal_connect (blob, "changed", G_CALLBACK (count_cb), workspace);
  run_once (workspace, "op { type: 'CountUp' input: 'counter' output: 'before' } ");
  g_signal_handlers_disconnect_by_func (blob, count_cb, workspace);
  run_once (workspace, "op { type: 'RetrieveCount' input: 'heard' output: 'count' } ");
  g_assert_cmpint (read_int64 (workspace, "count"), ==, 1);
}

/* Nets with several threads run inside other nets with several threads. None may wait for a thread
 * that never comes. */
static void
test_nested (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  run_once (workspace, "op { type: 'GivenTensorBoolFill' output: 'yes' arg { name: 'values' "
                       "ints: 1 } } op { type: 'CreateCounter' output: 'counter' } ");
  run_together (workspace,
                "op { type: 'If' input: 'yes' arg { name: 'then_net' n { type: 'dag' "
                "num_workers: 2 external_input: 'counter' "
                "op { type: 'CountUp' input: 'counter' output: 'a_%' } "
                "op { type: 'CountUp' input: 'counter' output: 'b_%' } } } } ");
  run_once (workspace, "op { type: 'RetrieveCount' input: 'counter' output: 'count' } ");
  g_assert_cmpint (read_int64 (workspace, "count"), ==, 2 * N_THREADS * N_RUNS * N_OPERATORS);
}

/* A net inside an operator must not hold a reference to the workspace: that would be a cycle. */
static void
test_life (void)
{
  static const char *const texts[] = {
    "name: 'n' op { type: 'If' input: 'yes' arg { name: 'then_net' n { "
    "op { type: 'Not' input: 'yes' output: 'no' } external_input: 'yes' } } } ",
    "name: 'n' op { type: 'While' input: 'yes' arg { name: 'loop_net' n { "
    "op { type: 'Not' input: 'yes' output: 'yes' } external_input: 'yes' } } } ",
    "name: 'n' op { type: 'ONNXWhile' input: 'yes' input: 'yes' arg { name: 'has_cond' i: 1 } "
    "arg { name: 'body' n { op { type: 'Not' input: 'c' output: 'd' } external_input: 'i' "
    "external_input: 'c' external_output: 'd' } } } ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      C2gWorkspace *workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = new_def (texts[i]);
      g_autoptr (GError) error = NULL;
      C2gNet *net;

      run_once (workspace, "op { type: 'GivenTensorBoolFill' output: 'yes' "
                           "arg { name: 'values' ints: 1 } } ");
      net = c2g_workspace_create_net (workspace, def, FALSE, &error);
      g_assert_no_error (error);
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      g_object_unref (net);
      g_assert_finalize_object (workspace);
    }
}

/* A model that was saved for a GPU runs completely on the CPU. */
static void
test_device (void)
{
  const C2gNetOptions options = { c2g_device_cpu (), TRUE };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = new_def (
    "name: 'n' device_option { device_type: 1 } op { type: 'If' input: 'yes' arg { "
    "name: 'then_net' n { op { type: 'Not' input: 'yes' output: 'no' "
    "device_option { device_type: 1 } } external_input: 'yes' } } } ");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = NULL;

  run_once (workspace, "op { type: 'GivenTensorBoolFill' output: 'yes' "
                       "arg { name: 'values' ints: 1 } } ");
  g_assert_null (c2g_net_new (def, workspace, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);

  net = c2g_net_new (def, workspace, &options, &error);
  g_assert_no_error (error);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_workspace_has_blob (workspace, "no"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/control/fetch-add", test_fetch_add);
  c2g_test_add_func ("/control/iter", test_iter);
  c2g_test_add_func ("/control/counter", test_counter);
  c2g_test_add_func ("/control/truth", test_truth);
  c2g_test_add_func ("/control/count-in-handler", test_count_in_handler);
  c2g_test_add_func ("/control/nested", test_nested);
  c2g_test_add_func ("/control/life", test_life);
  c2g_test_add_func ("/control/device", test_device);

  return c2g_test_run ();
}
