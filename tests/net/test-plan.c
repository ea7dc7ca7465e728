/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

/* A net of one NetTestStep, which notes its name. */
#define NOTING(name) "network { name: '" name "' op { type: 'NetTestStep' name: '" name "' } } "

/* Outputs TRUE from its third run on; the opposite with the argument `inverted`. */
typedef struct
{
  C2gOperator parent_instance;
  int         n_runs;
} Third;

typedef struct
{
  C2gOperatorClass parent_class;
} ThirdClass;

GType third_get_type (void);

G_DEFINE_TYPE (Third, third, C2G_TYPE_OPERATOR)

static gboolean
third_run (C2gOperator  *op,
           GError      **error)
{
  C2gTensor *output = c2g_operator_get_output_tensor (op, 0, error);
  gboolean inverted = c2g_operator_has_argument (op, "inverted");

  return output != NULL && c2g_tensor_resize (output, NULL, 0, error) &&
         c2g_tensor_allocate (output, C2G_DATA_TYPE_BOOL, error) &&
         c2g_tensor_set_int64 (output, 0, (++((Third *) op)->n_runs >= 3) != inverted, error);
}

static void
third_class_init (ThirdClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = third_run;
}

static void
third_init (Third *self)
{
}

static C2gPlanDef *
plan_from_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gPlanDef *plan = c2g_plan_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return plan;
}

static char *
run (C2gWorkspace *workspace,
     const char   *text)
{
  g_autofree char *all = g_strconcat (NOTING ("a") NOTING ("b") NOTING ("r"), text, NULL);
  g_autoptr (C2gPlanDef) plan = plan_from_text (all);
  g_autoptr (GError) error = NULL;

  c2g_workspace_run_plan (workspace, plan, NULL, &error);
  g_assert_no_error (error);
  return net_take_notes ();
}

typedef struct
{
  const char *path;
  const char *plan;
  const char *notes;
} Case;

static const Case cases[] = {
  { "empty", "name: 'plan'", "" },
  { "no-steps", "", "" },
  { "empty-step", "execution_step { name: 's' }", "" },
  { "one", "execution_step { network: 'a' }", "a( a)" },
  { "nets", "execution_step { network: 'b' network: 'a' }",
    "b( b) a( a)" },
  { "steps", "execution_step { network: 'a' } execution_step { network: 'b' }",
    "a( a) b( b)" },
  { "iterations", "execution_step { network: 'a' num_iter: 3 }",
    "a( a) a( a) a( a)" },
  { "no-iterations", "execution_step { network: 'a' num_iter: 0 }", "" },
  { "substeps", "execution_step { num_iter: 2 substep { network: 'a' } substep { network: 'b' num_iter: 2 } }",
    "a( a) b( b) b( b) a( a) b( b) b( b)" },
  { "should-stop", "network { name: 'init' op { type: 'Third' output: 'stop' } } "
    "network { name: 'third' op { type: 'Third' output: 'stop' } } "
    "execution_step { network: 'init' } "
    "execution_step { network: 'third' network: 'a' should_stop_blob: 'stop' }",
    "a( a) a( a)" },
  { "only-once", "network { name: 'init' op { type: 'Third' output: 'stop' } } "
    "execution_step { network: 'init' } "
    "execution_step { network: 'a' should_stop_blob: 'stop' only_once: true }",
    "a( a)" },
  { "criteria", "network { name: 'c' external_output: 'go' "
    "  op { type: 'Third' output: 'go' arg { name: 'inverted' i: 1 } } } "
    "execution_step { network: 'a' criteria_network: 'c' }",
    "a( a) a( a)" },
  { "criteria-and-iterations", "network { name: 'c' external_output: 'go' "
    "  op { type: 'Third' output: 'go' arg { name: 'inverted' i: 1 } } } "
    "execution_step { network: 'a' criteria_network: 'c' num_iter: 1 }",
    "a( a)" },
  { "report", "network { name: 'l' op { type: 'NetTestStep' name: 'l' "
    "  arg { name: 'until' s: 'r)' } arg { name: 'wait_ms' i: 20 } } } "
    "execution_step { network: 'l' report_net: 'r' report_interval: 3600 }",
    "l( l) r( r)" },
  { "one-concurrent", "execution_step { concurrent_substeps: true substep { network: 'a' } }", "a( a)" },
};

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = run (workspace, test->plan);

  g_assert_cmpstr (notes, ==, test->notes);
}

/* Both substeps run at once: each waits for the other one. */
static void
test_concurrent_substeps (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = run (
    workspace,
    "network { name: 'c' op { type: 'NetTestStep' name: 'c' "
    "  arg { name: 'until' s: 'd(' } arg { name: 'wait_ms' i: 20000 } } } "
    "network { name: 'd' op { type: 'NetTestStep' name: 'd' "
    "  arg { name: 'until' s: 'c(' } arg { name: 'wait_ms' i: 20000 } } } "
    "execution_step { concurrent_substeps: true "
    "  substep { network: 'c' } substep { network: 'd' } }");

  g_assert_true (strstr (notes, "c(") < strstr (notes, "d)"));
  g_assert_true (strstr (notes, "d(") < strstr (notes, "c)"));
}

/* A report step runs while the other step runs. */
static void
test_run_every_ms (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = run (
    workspace,
    "network { name: 'l' op { type: 'NetTestStep' name: 'l' "
    "  arg { name: 'until' s: 'r)' } arg { name: 'wait_ms' i: 20000 } } } "
    "execution_step { substep { network: 'l' } substep { network: 'r' run_every_ms: 1 } }");

  g_assert_true (strstr (notes, "r)") < strstr (notes, "l)"));
}

/* With an interval of 0 it is an ordinary step, whether a file or the property sets it. */
static void
test_run_every_0_ms (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = run (
    workspace,
    "execution_step { substep { network: 'r' run_every_ms: 0 } substep { network: 'a' } }");

  g_assert_cmpstr (notes, ==, "r( r) a( a)");
}

static void
test_instances (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = NULL;

  net_take_count ();
  notes = run (
    workspace,
    "network { name: 'i' op { type: 'NetTestDummy' output: 'mine' } } "
    "execution_step { num_concurrent_instances: 4 num_iter: 5 "
    "  substep { create_workspace: true network: 'i' } }");
  g_assert_cmpint (net_take_count (), ==, 20);
  g_assert_false (c2g_workspace_has_blob (workspace, "mine"));
}

/* Each instance of a step with create_workspace has its own workspace, so all can run the same net
 * at once. */
static void
test_instances_with_workspaces (void)
{
  static const char *const plans[] = {
    "execution_step { num_concurrent_instances: 4 create_workspace: true num_iter: 5 "
    "  network: 'i' }",
    "execution_step { num_concurrent_instances: 4 create_workspace: true num_iter: 5 "
    "  substep { network: 'i' } }",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autofree char *text = g_strconcat (
        "network { name: 'i' op { type: 'NetTestDummy' output: 'mine' } } ", plans[i], NULL);

      net_take_count ();
      g_free (run (workspace, text));
      g_assert_cmpint (net_take_count (), ==, 20);
      g_assert_false (c2g_workspace_has_blob (workspace, "mine"));
    }
}

/* The instances run at the same time: each waits for the other one. */
static void
test_instances_at_once (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *notes = run (
    workspace,
    "network { name: 'c' op { type: 'NetTestStep' name: 'c' "
    "  arg { name: 'until' s: 'c(' } arg { name: 'times' i: 2 } arg { name: 'wait_ms' i: 20000 } } } "
    "execution_step { num_concurrent_instances: 2 create_workspace: true network: 'c' }");

  g_assert_true (g_str_has_prefix (notes, "c( c("));
}

static void
note_thread_cb (gpointer data)
{
  g_assert_true (net_is_main_thread ());
  (*(int *) data)++;
}

static void
net_added_cb (C2gWorkspace *workspace,
              C2gNet       *net,
              gpointer      data)
{
  g_signal_connect_swapped (net, "before-operator", G_CALLBACK (note_thread_cb), data);
}

/* Handlers are called in the thread that runs the plan, also if nets run in other threads. */
static void
test_home (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  int n_calls = 0;

  g_signal_connect (workspace, "net-added", G_CALLBACK (net_added_cb), &n_calls);
  g_free (run (workspace,
               "execution_step { concurrent_substeps: true num_iter: 10 "
               "  substep { network: 'a' } substep { network: 'b' } }"));
  g_assert_cmpint (n_calls, ==, 20);
}

/* An existing net of the same name is replaced once, at the beginning. */
static void
test_overwrite (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text ("name: 'a' op { type: 'NetTestDummy' }");
  g_autoptr (C2gNet) old = c2g_workspace_create_net (workspace, def, FALSE, NULL);
  g_autoptr (C2gNet) net = NULL;
  g_autofree char *notes = run (
    workspace, "execution_step { network: 'a' } execution_step { network: 'a' }");

  g_assert_cmpstr (notes, ==, "a( a) a( a)");
  net = c2g_workspace_get_net (workspace, "a", NULL);
  g_assert_true (net != old);
}

static void
test_workspace_id (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) node = c2g_workspace_create_blob (workspace, "NODE_ID", NULL);
  g_autofree char *notes = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (node, NULL, NULL);

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1), NULL));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT32, NULL));
  g_assert_true (c2g_tensor_set_int64 (tensor, 0, 7, NULL));
  notes = run (workspace,
               "network { name: 'w' op { type: 'NetTestStep' name: 'w' "
               "  input: 'GLOBAL_WORKSPACE_ID' } } "
               "execution_step { create_workspace: true network: 'w' }");
  g_assert_cmpstr (notes, ==, "w( w)");
}

typedef struct
{
  const char *path;
  const char *plan;
  int         code;
  const char *named;
} Failure;

static const Failure failures[] = {
  { "unknown-net", "execution_step { name: 's' network: 'x' }", C2G_ERROR_NOT_FOUND, "“x”" },
  { "two-of-a-name", NOTING ("a") NOTING ("a") "execution_step { network: 'a' }",
    C2G_ERROR_INVALID_ARGUMENT, "“a”" },
  { "nets-and-substeps", NOTING ("a") "execution_step { name: 's' network: 'a' substep {} }",
    C2G_ERROR_INVALID_ARGUMENT, "“s”" },
  { "num-iter-and-stop", "execution_step { name: 's' num_iter: 1 should_stop_blob: 'x' }",
    C2G_ERROR_INVALID_ARGUMENT, "“num_iter”" },
  { "only-once-alone", "execution_step { name: 's' only_once: true }",
    C2G_ERROR_INVALID_ARGUMENT, "“only_once”" },
  { "report-without-interval", NOTING ("a") "execution_step { name: 's' report_net: 'a' }",
    C2G_ERROR_INVALID_ARGUMENT, "“report_interval”" },
  { "absent-stop", "execution_step { name: 's' should_stop_blob: 'x' }", C2G_ERROR_NOT_FOUND,
    "“x”" },
  { "negative-instances", "execution_step { name: 's' num_concurrent_instances: -1 }",
    C2G_ERROR_INVALID_ARGUMENT, "“s”" },
  { "too-many-instances",
    "execution_step { name: 's' num_concurrent_instances: 2147483647 substep {} }",
    C2G_ERROR_RANGE, "1024" },
  { "instances-of-a-net",
    NOTING ("a") "execution_step { name: 's' num_concurrent_instances: 2 network: 'a' }",
    C2G_ERROR_INVALID_ARGUMENT, "create_workspace" },
  { "instances-of-a-substep",
    NOTING ("a") "execution_step { name: 's' num_concurrent_instances: 2 "
    "  substep { substep { network: 'a' } } }",
    C2G_ERROR_INVALID_ARGUMENT, "create_workspace" },
  { "too-many-workspaces",
    NOTING ("a") "execution_step { name: 's' num_concurrent_instances: 600 create_workspace: true "
    "  concurrent_substeps: true substep { create_workspace: true network: 'a' } "
    "  substep { create_workspace: true network: 'a' } }",
    C2G_ERROR_RANGE, "1024" },
  { "criteria-without-output", NOTING ("a") "execution_step { name: 's' criteria_network: 'a' }",
    C2G_ERROR_INVALID_ARGUMENT, "“criteria_network”" },
  { "failing-net",
    "network { name: 'n' op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } } } "
    "execution_step { name: 's' substep { name: 't' network: 'n' } }",
    C2G_ERROR_FAILED, "“plan”, step “s/t”: Net “n”, operator 0" },
  { "failing-concurrent",
    "network { name: 'n' op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } } } "
    "network { name: 'm' op { type: 'NetTestDummy' } } "
    "execution_step { name: 's' concurrent_substeps: true "
    "  substep { network: 'm' num_iter: 1000000000000 } substep { network: 'n' } }",
    C2G_ERROR_FAILED, "step “s/1”: Net “n”" },
  { "failing-report",
    "network { name: 'n' op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } } } "
    "network { name: 'm' op { type: 'NetTestDummy' } } "
    "execution_step { name: 's' substep { network: 'm' num_iter: 1000000000000 } "
    "  substep { network: 'n' run_every_ms: 1 } }",
    C2G_ERROR_FAILED, "step “s/1”: Net “n”" },
  { "stop-of-another-type",
    "network { name: 'f' op { type: 'NetTestMix' output: 'stop' } } "
    "execution_step { network: 'f' } "
    "execution_step { name: 's' network: 'f' should_stop_blob: 'stop' }",
    C2G_ERROR_TYPE, "“stop”" },
};

/* Errors that are found before anything runs. */
static const Failure early_failures[] = {
  { "unknown-net", "execution_step { name: 's' network: 'x' }", C2G_ERROR_NOT_FOUND,
    "step “s”: The plan has no net “x”" },
  { "unknown-net-deep", "execution_step { name: 's' substep { } substep { network: 'x' } }",
    C2G_ERROR_NOT_FOUND, "step “s/1”: The plan has no net “x”" },
  { "unknown-net-of-workspace",
    "execution_step { create_workspace: true substep { network: 'x' } }", C2G_ERROR_NOT_FOUND,
    "step “1/0”" },
  { "unknown-report", "execution_step { report_net: 'x' report_interval: 1 }",
    C2G_ERROR_NOT_FOUND, "“x”" },
  { "unknown-criteria", "execution_step { criteria_network: 'x' }", C2G_ERROR_NOT_FOUND, "“x”" },
  { "criteria-without-output", "execution_step { criteria_network: 'a' }",
    C2G_ERROR_INVALID_ARGUMENT, "criteria-network (“criteria_network”)" },
  { "stop-and-iterations", "execution_step { num_iter: 1 should_stop_blob: 'x' }",
    C2G_ERROR_INVALID_ARGUMENT, "n-iterations (“num_iter”)" },
  { "unknown-operator",
    "network { name: 'n' op { type: 'Typo' } } execution_step { substep { network: 'n' } }",
    C2G_ERROR_NOT_FOUND, "step “1/0”: Net “n”: No operators of these types are known: “Typo”" },
  { "similar-operators",
    "network { name: 'n' op { type: 'relu' } op { type: 'softMax' } op { type: 'relu' } } "
    "execution_step { substep { network: 'n' } }",
    C2G_ERROR_NOT_FOUND,
    "“relu” (there is “Relu”), “softMax” (there is “Softmax”)" },
  { "unknown-net-type", "network { name: 'n' type: 'typo' } execution_step { network: 'n' }",
    C2G_ERROR_NOT_FOUND, "“typo”" },
  { "inputs-of-operator", "network { name: 'n' op { type: 'Relu' output: 'y' } } "
                          "execution_step { network: 'n' }",
    C2G_ERROR_INVALID_ARGUMENT, "Net “n”, operator 0: Relu" },
  { "undeclared-input", "network { name: 'n' external_input: 'x' "
    "op { type: 'Relu' input: 'z' output: 'y' } } execution_step { network: 'n' }",
    C2G_ERROR_INVALID_ARGUMENT, "“z”" },
};

static void
test_failure (gconstpointer data)
{
  const Failure *test = data;
  g_autofree char *text = g_strconcat ("name: 'plan' ", test->plan, NULL);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gPlanDef) plan = plan_from_text (text);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_workspace_run_plan (workspace, plan, NULL, &error));
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_nonnull (strstr (error->message, test->named));
  g_assert_nonnull (strstr (error->message, "“plan”"));
  g_free (net_take_notes ());
}

static void
test_early_failure (gconstpointer data)
{
  const Failure *test = data;
  g_autofree char *text = g_strconcat (NOTING ("a") "execution_step { network: 'a' } ",
                                       test->plan, NULL);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gPlanDef) plan = plan_from_text (text);
  g_autoptr (GError) error = NULL;
  g_autofree char *notes = NULL;

  g_assert_false (c2g_workspace_run_plan (workspace, plan, NULL, &error));
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_nonnull (strstr (error->message, test->named));
  notes = net_take_notes ();
  g_assert_cmpstr (notes, ==, "");
}

static void
test_cancel (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gPlanDef) plan = plan_from_text (
    "network { name: 'a' op { type: 'NetTestStep' name: 'a' arg { name: 'cancel' i: 1 } } } "
    "execution_step { network: 'a' num_iter: 1000000000000 }");
  g_autoptr (GError) error = NULL;
  g_autofree char *notes = NULL;

  g_assert_false (c2g_workspace_run_plan (workspace, plan, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  notes = net_take_notes ();
  g_assert_cmpstr (notes, ==, "a( a)");
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GError) error = NULL;

  c2g_workspace_run_plan_finish (C2G_WORKSPACE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_async (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gPlanDef) plan = plan_from_text (NOTING ("a") "execution_step { network: 'a' }");
  g_autofree char *notes = NULL;
  gboolean is_done = FALSE;

  c2g_workspace_run_plan_async (workspace, plan, NULL, done_cb, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  notes = net_take_notes ();
  g_assert_cmpstr (notes, ==, "a( a)");
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  net_operators_register ();
  c2g_operator_register ("Third", C2G_DEVICE_TYPE_CPU, NULL, third_get_type (), NULL, &error);
  g_assert_no_error (error);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plan/%s", cases[i].path);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plan/failure/%s", failures[i].path);

      g_test_add_data_func (path, &failures[i], test_failure);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (early_failures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plan/early-failure/%s", early_failures[i].path);

      g_test_add_data_func (path, &early_failures[i], test_early_failure);
    }
  c2g_test_add_func ("/plan/concurrent-substeps", test_concurrent_substeps);
  c2g_test_add_func ("/plan/instances-with-workspaces", test_instances_with_workspaces);
  c2g_test_add_func ("/plan/instances-at-once", test_instances_at_once);
  c2g_test_add_func ("/plan/run-every-ms", test_run_every_ms);
  c2g_test_add_func ("/plan/run-every-0-ms", test_run_every_0_ms);
  c2g_test_add_func ("/plan/instances", test_instances);
  c2g_test_add_func ("/plan/home", test_home);
  c2g_test_add_func ("/plan/overwrite", test_overwrite);
  c2g_test_add_func ("/plan/workspace-id", test_workspace_id);
  c2g_test_add_func ("/plan/cancel", test_cancel);
  c2g_test_add_func ("/plan/async", test_async);

  return c2g_test_run ();
}
