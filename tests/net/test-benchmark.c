/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

static C2gNet *
new_net (C2gWorkspace *workspace,
         const char   *text)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (text);
  g_autoptr (GError) error = NULL;
  C2gNet *net = c2g_workspace_create_net (workspace, def, FALSE, &error);

  g_assert_no_error (error);
  return net;
}

static void
test_figures (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = new_net (
    workspace, "name: 'net' type: 'dag' "
               "op { type: 'NetTestMix' output: 'a' name: 'first' } "
               "op { type: 'NetTestMix' input: 'a' input: 'a' output: 'b' } "
               "op { type: 'NetTestDummy' }");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetBenchmark) benchmark = NULL;
  g_autofree char *text = NULL;

  net_take_count ();
  benchmark = c2g_net_benchmark (net, 2, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (net_take_count (), ==, 2 + 3 + 3);
  g_assert_cmpint (c2g_net_get_failed_position (net), ==, -1);
  g_assert_true (c2g_net_benchmark_get_net (benchmark) == net);
  g_assert_cmpuint (c2g_net_benchmark_get_n_runs (benchmark), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (c2g_net_benchmark_get_operator_flops (benchmark, i), ==, -1);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 0), ==, 4);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 1), ==, 8);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 2), ==, 0);

  text = c2g_net_benchmark_to_text (benchmark);
  g_assert_true (g_str_has_prefix (text, "        MS     PART       MFLOP          MB  OPERATOR\n"));
  g_assert_nonnull (strstr (text, "0 NetTestMix “first” → a\n"));
  g_assert_nonnull (strstr (text, "2 NetTestDummy\n"));
  g_assert_true (g_str_has_suffix (text, "  net\n"));
}

static void
fill (C2gWorkspace *workspace,
      const char   *name,
      const gint64 *dims,
      gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);

  g_assert_true (c2g_tensor_resize (tensor, dims, n_dims, &error));
  g_assert_nonnull (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error));
}

/* The time of a net is that of its runs, and includes the times of its operators. */
static void
test_counts (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetBenchmark) benchmark = NULL;

  fill (workspace, "x", C2G_TEST_DIMS (2, 3));
  fill (workspace, "w", C2G_TEST_DIMS (5, 3));
  fill (workspace, "b", C2G_TEST_DIMS (5));
  net = new_net (workspace, "name: 'net' "
                            "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' } "
                            "op { type: 'Relu' input: 'y' output: 'y' } "
                            "op { type: 'NetTestStep' name: 's' arg { name: 'until' s: 'never' } "
                            "arg { name: 'wait_ms' i: 5 } }");
  benchmark = c2g_net_benchmark (net, 0, 2, NULL, &error);
  g_assert_no_error (error);
  g_free (net_take_notes ());

  /* One multiplication and one addition for each weight, and one addition for the bias. */
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_flops (benchmark, 0), ==, 2 * 5 * (2 * 3 + 1));
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_flops (benchmark, G_MAXUINT), ==, -1);
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_seconds (benchmark, 3), ==, 0);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 3), ==, 0);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 0), ==, 4 * (6 + 15 + 5 + 10));
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 1), ==, 4 * 10);
  g_assert_cmpfloat (c2g_net_benchmark_get_seconds (benchmark), >=, 0.005);
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_seconds (benchmark, 2), >=, 0.005);
}

static void
test_failure (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = new_net (
    workspace, "name: 'net' op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } }");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_net_benchmark (net, 0, 1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_net_benchmark (net, 0, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  g_assert_null (c2g_net_benchmark (net, 0, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

/* Languages can make a benchmark by new, which measured nothing. */
static void
test_no_net (void)
{
  g_autoptr (C2gNetBenchmark) benchmark = g_object_new (C2G_TYPE_NET_BENCHMARK, NULL);
  g_autofree char *text = c2g_net_benchmark_to_text (benchmark);

  g_assert_null (c2g_net_benchmark_get_net (benchmark));
  g_assert_cmpuint (c2g_net_benchmark_get_n_runs (benchmark), ==, 0);
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_flops (benchmark, 0), ==, -1);
  g_assert_cmpuint (c2g_net_benchmark_get_operator_bytes (benchmark, 0), ==, 0);
  g_assert_cmpfloat (c2g_net_benchmark_get_operator_seconds (benchmark, 0), ==, 0);
  g_assert_true (g_str_has_suffix (text, "0.0000                                   \n"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  c2g_test_add_func ("/benchmark/figures", test_figures);
  c2g_test_add_func ("/benchmark/counts", test_counts);
  c2g_test_add_func ("/benchmark/failure", test_failure);
  c2g_test_add_func ("/benchmark/no-net", test_no_net);

  return c2g_test_run ();
}
