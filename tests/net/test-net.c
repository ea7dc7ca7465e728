/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

#define OP(input, output) "op { input: '" input "' output: '" output "' type: 'NetTestDummy' } "
#define OP2(input, input2, output)                                                                 \
  "op { input: '" input "' input: '" input2 "' output: '" output "' type: 'NetTestDummy' } "

static C2gNet *
create_net (C2gWorkspace  *workspace,
            const char    *text,
            GError       **error)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (text);

  return c2g_workspace_create_net (workspace, def, FALSE, error);
}

typedef struct
{
  const char *path;
  const char *declarations;
  /* 0 if there is no error. */
  int         code;
  const char *named;
} Construction;

static const Construction constructions[] = {
  { "no-declared-input-output", "" },
  { "declared-input", "external_input: 'in'" },
  { "declared-output", "external_output: 'out'" },
  { "declared-both", "external_input: 'in' external_output: 'out' external_output: 'hidden'" },
  { "declared-input-insufficient", "external_input: 'unuseful_in'", C2G_ERROR_INVALID_ARGUMENT,
    "“in”" },
  { "declared-output-not-met", "external_output: 'unproduced_out'", C2G_ERROR_INVALID_ARGUMENT,
    "“unproduced_out”" },
  { "declared-input-absent",
    "external_input: 'in' external_input: 'in2' op { input: 'in2' type: 'NetTestDummy' }",
    C2G_ERROR_NOT_FOUND, "“in2”" },
  { "declared-input-made-first", "external_input: 'in' external_input: 'hidden'" },
  { "unknown-net-type", "type: 'nothing'", C2G_ERROR_NOT_FOUND, "“nothing”" },
  { "unknown-operators", "op { type: 'Alpha' } op { type: 'Beta' } op { type: 'Alpha' }",
    C2G_ERROR_NOT_FOUND, "“Alpha”, “Beta”" },
  { "missing-inputs", "op { input: 'x' input: 'y' type: 'NetTestDummy' }", C2G_ERROR_NOT_FOUND,
    "“x”, “y”" },
  { "input-made-later",
    "op { input: 'late' type: 'NetTestDummy' } op { output: 'late' type: 'NetTestDummy' }",
    C2G_ERROR_NOT_FOUND, "“late” (operator 3 makes it, but operator 2 reads it before)" },
  { "undeclared-made-later",
    "external_input: 'in' op { input: 'late' type: 'NetTestDummy' } "
    "op { output: 'late' type: 'NetTestDummy' } op { output: 'late' type: 'NetTestDummy' }",
    C2G_ERROR_INVALID_ARGUMENT, "“late” (operator 4 makes it, but operator 2" },
  { "made-before-only",
    "op { output: 'b' input: 'a' type: 'NetTestDummy' } op { input: 'b' type: 'NetTestDummy' }",
    C2G_ERROR_NOT_FOUND, "workspace: “a”" },
};

static void
test_construction (gconstpointer data)
{
  const Construction *test = data;
  g_autofree char *text = g_strdup_printf ("name: 'example' %s %s %s", OP ("in", "hidden"),
                                           OP ("hidden", "out"), test->declarations);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) in = c2g_workspace_create_blob (workspace, "in", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (workspace, text, &error);

  if (test->code == 0)
    {
      g_assert_no_error (error);
      g_assert_cmpstr (c2g_net_get_name (net), ==, "example");
      g_assert_cmpuint (c2g_net_get_n_operators (net), ==, 2);
      g_assert_true (c2g_workspace_has_blob (workspace, "out"));
      return;
    }
  g_assert_error (error, C2G_ERROR, test->code);
  g_assert_null (net);
  g_assert_nonnull (strstr (error->message, test->named));
  g_assert_nonnull (strstr (error->message, "example"));
}

/* Appends operators of 25 kinds; %d is the number of each. */
static char *
repeat (const char *begin,
        const char *format)
{
  g_autoptr (GString) text = g_string_new (begin);

  for (int i = 0; i < 25; i++)
    {
      g_autofree char *number = g_strdup_printf ("%d", i);
      g_auto (GStrv) parts = g_strsplit (format, "%d", -1);
      g_autofree char *op = g_strjoinv (number, parts);

      g_string_append (text, op);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* An error lists the first names and tells how many there are: a net can lack any number of them. */
static void
test_many_missing (void)
{
  static const struct
  {
    const char *begin;
    const char *op;
    int         code;
  } cases[] = {
    { "external_input: 'in' ", "op { input: 'b%d' type: 'NetTestDummy' } ", C2G_ERROR_INVALID_ARGUMENT },
    { "", "op { input: 'b%d' type: 'NetTestDummy' } ", C2G_ERROR_NOT_FOUND },
    { "", "op { type: 'b%d' } ", C2G_ERROR_NOT_FOUND },
    { "", "external_output: 'b%d' ", C2G_ERROR_INVALID_ARGUMENT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = repeat (cases[i].begin, cases[i].op);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNet) net = create_net (workspace, text, &error);

      g_assert_null (net);
      g_assert_error (error, C2G_ERROR, cases[i].code);
      g_assert_true (g_str_has_suffix (error->message, "“b18”, “b19”, … (25 in all)"));
    }
}

typedef struct
{
  const char *path;
  const char *text;
} Run;

static const Run runs[] = {
  { "linear-model", "external_input: 'in' " OP ("in", "hidden") OP ("hidden", "out") },
  { "fork", "external_input: 'in' " OP ("in", "hidden") OP ("hidden", "out1")
    OP ("hidden", "out2") },
  { "join-with-ancestor", "external_input: 'in' " OP ("in", "hidden") OP ("hidden", "out1")
    OP ("hidden", "out2") "op { input: 'hidden' input: 'out2' type: 'NetTestDummy' }" },
  { "fork-join", "external_input: 'in' " OP ("in", "hidden1") OP ("in", "hidden2")
    OP2 ("hidden1", "hidden2", "out") OP ("out", "out2") },
  { "hogwild-model", "external_input: 'in' " OP ("in", "a") OP ("a", "b") OP ("b", "c")
    OP ("in", "d") OP ("d", "e") OP ("e", "f") },
  { "empty", "" },
  { "parallel", OP2 ("in", "in2", "a") OP ("in", "b") OP ("in", "c") OP ("in2", "d")
    OP ("in", "e") OP ("in", "f") OP ("in", "g") "external_input: 'in' external_input: 'in2'" },
};

/* Runs the net many times, with every net type and several numbers of threads. */
static void
test_run (gconstpointer data)
{
  static const char * const types[] = { "simple", "dag", "async_scheduling", "" };
  const Run *test = data;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (int n_workers = 0; n_workers <= 4; n_workers++)
      {
        g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
        g_autoptr (C2gNetDef) def = net_def_from_text (test->text);
        g_autoptr (C2gNet) net = NULL;
        g_autoptr (GError) error = NULL;

        c2g_net_def_set_name (def, "example");
        c2g_net_def_set_net_type (def, types[i]);
        c2g_net_def_set_n_workers (def, n_workers);
        net_create_inputs (workspace, def);
        net = c2g_workspace_create_net (workspace, def, FALSE, &error);
        g_assert_no_error (error);

        net_take_count ();
        for (int j = 0; j < 100; j++)
          {
            c2g_net_run (net, NULL, &error);
            g_assert_no_error (error);
            g_assert_cmpint (net_take_count (), ==, c2g_net_get_n_operators (net));
          }
        g_assert_cmpint (c2g_net_get_failed_position (net), ==, -1);
      }
}

static void
test_failing_operator (void)
{
  static const char * const types[] = { "simple", "dag" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = net_def_from_text (
        "name: 'example' external_input: 'in' num_workers: 4 "
        "op { input: 'in' output: 'hidden' type: 'NetTestDummy' } "
        "op { input: 'hidden' output: 'out' type: 'NetTestDummy' arg { name: 'fail' i: 1 } } "
        "op { input: 'out' output: 'more' type: 'NetTestDummy' }");
      g_autoptr (C2gNet) net = NULL;

      c2g_net_def_set_net_type (def, types[i]);
      net_create_inputs (workspace, def);
      net = c2g_workspace_create_net (workspace, def, FALSE, NULL);
      net_take_count ();
      for (int j = 0; j < 10; j++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_false (c2g_net_run (net, NULL, &error));
          g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
          g_assert_nonnull (strstr (error->message, "“example”, operator 1: NetTestDummy"));
          g_assert_cmpint (net_take_count (), ==, 1);
          g_assert_cmpint (c2g_net_get_failed_position (net), ==, 1);
        }
    }
}

/* After an error running operators are finished, no other one begins, and the first error is
 * reported. */
static void
test_failing_beside_others (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (
    workspace,
    "name: 'n' type: 'dag' num_workers: 2 "
    "op { name: 'long' output: 'a' type: 'NetTestStep' "
    "  arg { name: 'until' s: 'failing' } arg { name: 'wait_ms' i: 50 } } "
    "op { output: 'b' type: 'NetTestDummy' arg { name: 'fail' i: 1 } } "
    "op { name: 'never' input: 'a' type: 'NetTestStep' }",
    &error);
  g_autofree char *notes = NULL;

  g_assert_no_error (error);
  g_assert_false (c2g_net_run (net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_cmpint (c2g_net_get_failed_position (net), ==, 1);
  notes = net_take_notes ();
  g_assert_true (g_str_equal (notes, "long( long)") || g_str_equal (notes, ""));
}

static void
test_cancel (void)
{
  static const char * const types[] = { "simple", "dag" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "name: 'n' type: '%s' num_workers: 2 "
        "op { name: 'a' output: 'a' type: 'NetTestStep' arg { name: 'cancel' i: 1 } } "
        "op { name: 'b' input: 'a' type: 'NetTestStep' }",
        types[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNet) net = create_net (workspace, text, &error);
      g_autofree char *notes = NULL;
      g_autofree char *more = NULL;

      g_assert_no_error (error);
      g_assert_false (c2g_net_run (net, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpint (c2g_net_get_failed_position (net), ==, -1);
      g_assert_null (c2g_operator_get_cancellable (c2g_net_get_operator (net, 0)));
      notes = net_take_notes ();
      g_assert_cmpstr (notes, ==, "a( a)");

      /* A cancelled cancellable fails the run before it begins. */
      g_clear_error (&error);
      g_assert_false (c2g_net_run (net, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      more = net_take_notes ();
      g_assert_cmpstr (more, ==, "");
    }
}

/* Returns a net of many operators with all kinds of dependencies. */
static char *
make_mix (const char *net_type,
          guint       n_workers)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "name: '%s%u' type: '%s' num_workers: %u ", net_type, n_workers,
                          net_type, n_workers);
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "op { type: 'NetTestMix' output: 'b%u' } ", i);
  for (guint i = 0; i < 400; i++)
    {
      g_string_append (text, "op { type: 'NetTestMix' ");
      for (int j = g_rand_int_range (random, 0, 4); j > 0; j--)
        g_string_append_printf (text, "input: 'b%d' ", g_rand_int_range (random, 0, 16) % 8);
      g_string_append_printf (text, "output: 'b%d' } ", g_rand_int_range (random, 0, 8));
    }

  return g_string_free (text, FALSE);
}

static void
run_mix (const char *net_type,
         guint       n_workers,
         guint       n_runs,
         float       results[8])
{
  g_autofree char *text = make_mix (net_type, n_workers);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (workspace, text, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n_runs; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *name = g_strdup_printf ("b%u", i);
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, &error);

      results[i] = *(const float *) c2g_tensor_raw_data (c2g_blob_get_tensor (blob, NULL), NULL);
    }
}

/* Every run gives the same bits, with any number of threads. */
static void
test_same_results (void)
{
  guint max_runs = c2g_test_count_rounds (20);
  float expected[8];

  run_mix ("simple", 0, 1, expected);
  for (guint n_workers = 0; n_workers <= 8; n_workers++)
    for (guint n_runs = 1; n_runs <= max_runs; n_runs++)
      {
        float results[8];

        run_mix ("dag", n_workers, n_runs, results);
        g_assert_cmpmem (results, sizeof results, expected, sizeof expected);
      }
}

static gpointer
run_cb (gpointer data)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 50; i++)
    {
      c2g_net_run (data, NULL, &error);
      g_assert_no_error (error);
    }

  return NULL;
}

/* Runs several nets of one workspace at the same time. */
static void
test_several_nets (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  GThread *threads[4];
  C2gNet *nets[4];

  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strdup_printf (
        "name: 'net%u' type: 'dag' num_workers: 3 "
        "op { output: 'a%u' type: 'NetTestMix' } op { output: 'b%u' type: 'NetTestMix' } "
        "op { input: 'a%u' input: 'b%u' output: 'c%u' type: 'NetTestMix' } ",
        i, i, i, i, i, i);

      nets[i] = create_net (workspace, text, &error);
      g_assert_no_error (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    threads[i] = g_thread_new ("run", run_cb, nets[i]);
  for (guint i = 0; i < G_N_ELEMENTS (nets); i++)
    {
      g_thread_join (threads[i]);
      g_object_unref (nets[i]);
    }
}

static gpointer
run_once_cb (gpointer data)
{
  return GINT_TO_POINTER (c2g_net_run (data, NULL, NULL));
}

static void
wait_for_note (const char *note)
{
  g_autoptr (GString) all = g_string_new (NULL);

  while (strstr (all->str, note) == NULL)
    {
      g_autofree char *notes = net_take_notes ();

      g_string_append (all, notes);
      g_thread_yield ();
    }
}

/* Each net waits for a note of the other one, so both must run at once. */
static void
test_nets_at_once (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) first = create_net (
    workspace, "name: 'first' op { name: 'a' type: 'NetTestStep' "
    "arg { name: 'until' s: 'b(' } arg { name: 'wait_ms' i: 20000 } }",
    &error);
  g_autoptr (C2gNet) second = create_net (
    workspace, "name: 'second' op { name: 'b' type: 'NetTestStep' "
    "arg { name: 'until' s: 'a(' } arg { name: 'wait_ms' i: 20000 } }",
    &error);
  GThread *thread;
  g_autofree char *notes = NULL;

  g_assert_no_error (error);
  thread = g_thread_new ("first", run_once_cb, first);
  g_assert_true (c2g_net_run (second, NULL, NULL));
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  notes = net_take_notes ();
  g_assert_true (strstr (notes, "a(") < strstr (notes, "b)"));
  g_assert_true (strstr (notes, "b(") < strstr (notes, "a)"));
}

typedef struct
{
  C2gNet       *net;
  GCancellable *cancellable;
  GError       *error;
} Running;

static gpointer
run_cancellable_cb (gpointer data)
{
  Running *running = data;

  return GINT_TO_POINTER (c2g_net_run (running->net, running->cancellable, &running->error));
}

/* Cancels from another thread while an operator runs: it is finished, no other one begins, and the
 * net can run again. */
static void
test_cancel_from_outside (gconstpointer net_type)
{
  g_autofree char *text = g_strdup_printf (
    "name: 'n' type: '%s' num_workers: 2 "
    "op { name: 'a' output: 'a' type: 'NetTestStep' arg { name: 'until' s: 'go' } "
    "  arg { name: 'wait_ms' i: 20000 } } "
    "op { name: 'b' input: 'a' type: 'NetTestStep' }",
    (const char *) net_type);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (workspace, text, &error);
  Running running = { net, cancellable, NULL };
  g_autofree char *notes = NULL;
  g_autofree char *more = NULL;
  GThread *thread;

  g_assert_no_error (error);
  thread = g_thread_new ("run", run_cancellable_cb, &running);
  wait_for_note ("a(");
  g_cancellable_cancel (cancellable);
  net_note ("go");
  g_assert_false (GPOINTER_TO_INT (g_thread_join (thread)));
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&running.error);
  notes = net_take_notes ();
  g_assert_cmpstr (notes, ==, "go a)");

  net_note ("go");
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  more = net_take_notes ();
  g_assert_cmpstr (more, ==, "go a( a) b( b)");
}

/* Runs all net types that Caffe2 names. */
static void
test_net_types (void)
{
  static const char *const types[] = {
    "",
    "simple",
    "async_simple",
    "singlethread_async",
    "dag",
    "async_dag",
    "async_polling",
    "async_scheduling",
    "prof_dag",
    "htrace_dag",
    "htrace_async_dag",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "name: 'n' type: '%s' op { type: 'NetTestDummy' output: 'a' } "
        "op { type: 'NetTestDummy' input: 'a' } ",
        types[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNet) net = create_net (workspace, text, &error);

      g_assert_no_error (error);
      net_take_count ();
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (net_take_count (), ==, 2);
    }
}

/* A net that is running already refuses another run. */
static void
test_busy (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (
    workspace, "name: 'n' op { name: 'a' type: 'NetTestStep' arg { name: 'until' s: 'go' } "
    "arg { name: 'wait_ms' i: 10000 } }",
    &error);
  GThread *thread;

  g_assert_no_error (error);
  thread = g_thread_new ("run", run_once_cb, net);
  wait_for_note ("a(");
  g_assert_false (c2g_net_run (net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  net_note ("go");
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  g_free (net_take_notes ());
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GError) error = NULL;

  c2g_net_run_finish (C2G_NET (source), result, &error);
  g_assert_no_error (error);
  g_assert_true (net_is_main_thread ());
  *(gboolean *) data = TRUE;
}

static void
in_main_cb (gpointer data)
{
  g_assert_true (net_is_main_thread ());
  (*(int *) data)++;
}

static void
busy_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_net_run_finish (C2G_NET (source), result, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  *(gboolean *) data = TRUE;
}

/* The net is busy as soon as an asynchronous run was started. */
static void
test_async_busy (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (
    workspace, "name: 'n' op { name: 'a' type: 'NetTestStep' arg { name: 'until' s: 'go' } "
    "arg { name: 'wait_ms' i: 10000 } }",
    &error);
  gboolean is_done = FALSE;
  gboolean is_refused = FALSE;

  g_assert_no_error (error);
  c2g_net_run_async (net, NULL, done_cb, &is_done);
  g_assert_false (c2g_net_run (net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  c2g_net_run_async (net, NULL, busy_cb, &is_refused);
  while (!is_refused)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (is_done);
  net_note ("go");
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_free (net_take_notes ());
}

/* Runs in another thread; the callback is called in the caller's thread. */
static void
test_async (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = create_net (
    workspace, "name: 'n' type: 'dag' num_workers: 2 "
    "op { output: 'a' type: 'NetTestMix' } op { output: 'b' type: 'NetTestMix' } "
    "op { input: 'a' input: 'b' output: 'c' type: 'NetTestMix' }",
    &error);
  gboolean is_done = FALSE;
  int n_calls = 0;

  g_assert_no_error (error);
  g_signal_connect_swapped (net, "before-run", G_CALLBACK (in_main_cb), &n_calls);
  g_signal_connect_swapped (net, "after-run", G_CALLBACK (in_main_cb), &n_calls);
  g_signal_connect_swapped (net, "before-operator", G_CALLBACK (in_main_cb), &n_calls);
  g_signal_connect_swapped (net, "after-operator", G_CALLBACK (in_main_cb), &n_calls);
  c2g_net_run_async (net, NULL, done_cb, &is_done);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (n_calls, ==, 8);

  g_clear_object (&net);
  g_clear_object (&workspace);
  c2g_test_wait_for_memory ();
}

/* Language bindings can derive from a class and make an object of it without a definition. */
static void
test_no_definition (void)
{
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (GError) error = NULL;
  C2gNetDef *def;
  GTypeQuery query;

  g_type_query (C2G_TYPE_NET, &query);
  net = g_object_new (g_type_register_static_simple (C2G_TYPE_NET, "NetTestDerived", query.class_size,
                                                     NULL, query.instance_size, NULL, 0),
                      NULL);
  def = c2g_net_get_definition (net);
  g_assert_true (C2G_IS_NET_DEF (def));
  g_assert_true (c2g_net_get_definition (net) == def);
  g_assert_cmpstr (c2g_net_get_name (net), ==, "");
  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_no_error (error);
}

/* Gets nets of a workspace by name. */
static void
test_workspace (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text ("name: 'n' op { type: 'NetTestDummy' }");
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gNet) other = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  net_take_count ();
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_workspace_create_net (workspace, def, FALSE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
  g_clear_error (&error);
  other = c2g_workspace_create_net (workspace, def, TRUE, &error);
  g_assert_no_error (error);
  g_assert_true (other != net);

  c2g_workspace_run_net (workspace, "n", NULL, &error);
  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  c2g_workspace_run_operator_once (workspace, c2g_net_def_get_operator (def, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (net_take_count (), ==, 3);

  names = c2g_workspace_list_nets (workspace);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_assert_true (c2g_workspace_remove_net (workspace, "n", &error));
  g_assert_no_error (error);
  g_assert_false (c2g_workspace_delete_net (workspace, "n", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (c2g_workspace_run_net (workspace, "n", NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

/* The error about a type of another framework tells the type that there is. */
static void
test_types_of_others (void)
{
  static const char names[] =
    "AvgPool AvgPool2d AveragePooling2D BatchNorm BatchNorm2d BatchNormalization Concatenate "
    "Constant Conv2d Conv2dTranspose ConvTranspose2d Convolution Deconvolution Dense "
    "Embedding Gemm GlobalAveragePool GroupNormalization Identity InnerProduct "
    "InstanceNormalization LayerNormalization Linear MaxPool2d MaxPooling2D Permute ReLU "
    "Unsqueeze";
  g_auto (GStrv) types = g_strsplit (names, " ", -1);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  for (gsize i = 0; types[i] != NULL; i++)
    {
      g_autofree char *text = g_strdup_printf ("op { type: '%s' }", types[i]);
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) parts = NULL;
      g_autoptr (C2gOperatorSchema) schema = NULL;

      g_assert_null (create_net (workspace, text, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      parts = g_strsplit (error->message, " (there is “", 2);
      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      *strstr (parts[1], "”") = '\0';
      g_clear_error (&error);
      schema = c2g_operator_schema_lookup (parts[1], &error);
      g_assert_no_error (error);
      g_assert_nonnull (schema);
    }
}

/* An alias shares memory, so a reader of one name and a writer of the other are ordered. This holds
 * for registered operators that share memory too. */
static void
test_alias (gconstpointer data)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = NULL;
  g_autofree char *notes = NULL;
  g_autofree char *text = g_strdup_printf (
    "name: 'n' type: 'dag' num_workers: 2 "
    "op { output: 'a' type: 'NetTestMix' } op { input: 'a' output: 'b' type: '%s' } "
    "op { input: 'b' output: 'c' name: 'r' type: 'NetTestStep' "
    "  arg { name: 'until' s: 'w(' } arg { name: 'wait_ms' i: 20 } } "
    "op { output: 'a' name: 'w' type: 'NetTestStep' }",
    (const char *) data);

  net = create_net (workspace, text, &error);
  g_assert_no_error (error);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  notes = net_take_notes ();
  g_assert_cmpstr (notes, ==, "r( r) w( w)");
}

static void
register_sharing (void)
{
  g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_new (1, 1, 1, 1);

  c2g_operator_schema_share_memory (schema, 0, 0);
  net_register_dummy ("NetTestShare", schema);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();
  register_sharing ();

  for (gsize i = 0; i < G_N_ELEMENTS (constructions); i++)
    {
      g_autofree char *path = g_strdup_printf ("/net/construction/%s", constructions[i].path);

      g_test_add_data_func (path, &constructions[i], test_construction);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/net/run/%s", runs[i].path);

      g_test_add_data_func (path, &runs[i], test_run);
    }
  c2g_test_add_func ("/net/many-missing", test_many_missing);
  c2g_test_add_func ("/net/failing-operator", test_failing_operator);
  c2g_test_add_func ("/net/failing-beside-others", test_failing_beside_others);
  c2g_test_add_func ("/net/cancel", test_cancel);
  c2g_test_add_func ("/net/same-results", test_same_results);
  c2g_test_add_func ("/net/several-nets", test_several_nets);
  c2g_test_add_func ("/net/nets-at-once", test_nets_at_once);
  g_test_add_data_func ("/net/cancel-from-outside/simple", "simple", test_cancel_from_outside);
  g_test_add_data_func ("/net/cancel-from-outside/dag", "dag", test_cancel_from_outside);
  c2g_test_add_func ("/net/types", test_net_types);
  c2g_test_add_func ("/net/busy", test_busy);
  c2g_test_add_func ("/net/async", test_async);
  c2g_test_add_func ("/net/async-busy", test_async_busy);
  c2g_test_add_func ("/net/no-definition", test_no_definition);
  c2g_test_add_func ("/net/workspace", test_workspace);
  c2g_test_add_func ("/net/types-of-others", test_types_of_others);
  g_test_add_data_func ("/net/alias/own", "Alias", test_alias);
  g_test_add_data_func ("/net/alias/of-others", "NetTestShare", test_alias);

  return c2g_test_run ();
}
