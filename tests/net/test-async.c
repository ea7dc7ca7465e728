/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/def-utils.h"
#include "tests/net/net-operators.h"

#include <string.h>

/* Asynchronous calls of nets, definitions and predictors. */

static void
keep_result_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_assert_true (net_is_main_thread ());
  *(GAsyncResult **) data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

static GFile *
new_file (const char *name,
          const char *text)
{
  GFile *file = def_new_file (name);

  g_assert_true (g_file_set_contents (g_file_peek_path (file), text, -1, NULL));
  return file;
}

/* Definitions */

static gpointer
load_net_finish (GAsyncResult  *result,
                 GError       **error)
{
  return c2g_net_def_load_file_finish (result, error);
}

static gpointer
load_plan_finish (GAsyncResult  *result,
                  GError       **error)
{
  return c2g_plan_def_load_file_finish (result, error);
}

static gpointer
load_meta_finish (GAsyncResult  *result,
                  GError       **error)
{
  return c2g_meta_net_def_load_file_finish (result, error);
}

typedef struct
{
  const char *path;
  const char *text;
  void      (*begin)  (GFile               *file,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data);
  gpointer  (*finish) (GAsyncResult        *result,
                       GError             **error);
} DefCase;

static const DefCase def_cases[] = {
  { "net", "name: 'n' op { type: 'Relu' }", c2g_net_def_load_file_async, load_net_finish },
  { "plan", "network { name: 'n' }", c2g_plan_def_load_file_async, load_plan_finish },
  { "meta", "nets { key: 'k' value { name: 'n' } }", c2g_meta_net_def_load_file_async,
    load_meta_finish },
};

static void
test_definition (gconstpointer data)
{
  const DefCase *test = data;
  g_autoptr (GFile) file = new_file ("def.pbtxt", test->text);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) bad_result = NULL;
  g_autoptr (GObject) def = NULL;
  g_autoptr (GError) error = NULL;

  test->begin (file, NULL, keep_result_cb, &result);
  def = test->finish (wait_for (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (def);

  def_remove_file (file);
  test->begin (file, NULL, keep_result_cb, &bad_result);
  g_assert_null (test->finish (wait_for (&bad_result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* Predictors */

#define INIT_NET                                                                                   \
  "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 } arg { name: 'value' f: 3 } }"
#define PREDICT_NET                                                                                \
  "name: 'predict' external_input: 'x' external_input: 'w' external_output: 'y' "                  \
  "op { type: 'NetTestStep' name: 'a' arg { name: 'until' s: 'go' } "                              \
  "  arg { name: 'wait_ms' i: 10000 } } "                                                          \
  "op { type: 'Mul' input: 'x' input: 'w' output: 'y' } "

typedef struct
{
  GFile *folder;
  GFile *init_net;
  GFile *predict_net;
} Model;

static void
model_init (Model *self)
{
  self->init_net = new_file ("init_net.pbtxt", INIT_NET);
  self->folder = g_file_get_parent (self->init_net);
  self->predict_net = g_file_get_child (self->folder, "predict_net.pbtxt");
  g_assert_true (g_file_set_contents (g_file_peek_path (self->predict_net), PREDICT_NET, -1,
                                      NULL));
}

static void
model_clear (Model *self)
{
  g_file_delete (self->predict_net, NULL, NULL);
  def_remove_file (self->init_net);
  g_clear_object (&self->folder);
  g_clear_object (&self->init_net);
  g_clear_object (&self->predict_net);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static C2gPredictor *
load (const Model *model)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor;

  c2g_predictor_load_async (model->folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, keep_result_cb,
                            &result);
  predictor = c2g_predictor_load_finish (wait_for (&result), &error);
  g_assert_no_error (error);
  return predictor;
}

static C2gPredictor *
load_nets (const Model *model)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor;

  c2g_predictor_load_nets_async (model->init_net, model->predict_net, parent, c2g_device_cpu (),
                                 C2G_OPTIMIZE_ALL, NULL, keep_result_cb, &result);
  predictor = c2g_predictor_load_nets_finish (wait_for (&result), &error);
  g_assert_no_error (error);
  return predictor;
}

/* Counts the operators of a net from which PRUNE can remove one. */
static guint
count_operators (C2gOptimizeFlags flags,
                 gboolean         are_nets)
{
  static const char predict_text[] =
    "external_input: 'x' external_input: 'w' external_output: 'y' "
    "op { type: 'Copy' input: 'x' output: 'c' } op { type: 'Mul' input: 'c' input: 'w' output: 'y' }";
  g_auto (Model) model = { NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;

  model_init (&model);
  g_assert_true (g_file_set_contents (g_file_peek_path (model.predict_net), predict_text, -1, NULL));
  if (are_nets)
    c2g_predictor_load_nets_async (model.init_net, model.predict_net, NULL, NULL, flags, NULL,
                                   keep_result_cb, &result);
  else
    c2g_predictor_load_async (model.folder, NULL, NULL, flags, NULL, keep_result_cb, &result);
  predictor = are_nets ? c2g_predictor_load_nets_finish (wait_for (&result), &error)
                       : c2g_predictor_load_finish (wait_for (&result), &error);
  g_assert_no_error (error);
  return c2g_net_get_n_operators (c2g_predictor_get_net (predictor));
}

static void
test_flags (void)
{
  for (int are_nets = FALSE; are_nets <= TRUE; are_nets++)
    {
      g_assert_cmpuint (count_operators (C2G_OPTIMIZE_ALL, are_nets), ==, 1);
      g_assert_cmpuint (count_operators (C2G_OPTIMIZE_PRUNE, are_nets), ==, 1);
      g_assert_cmpuint (count_operators (C2G_OPTIMIZE_FOLD, are_nets), ==, 2);
      g_assert_cmpuint (count_operators (C2G_OPTIMIZE_NONE, are_nets), ==, 2);
    }
}

static C2gTensor *
new_input (gint64 n)
{
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  for (gint64 i = 0; i < n; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, (double) i + 1, NULL));
  return tensor;
}

static void
check_busy (C2gPredictor *predictor,
            C2gTensor    *input)
{
  g_autoptr (GError) error = NULL;
  guint n_outputs = 1;

  g_assert_null (c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_cmpuint (n_outputs, ==, 0);

  g_assert_false (c2g_predictor_optimize (predictor, C2G_OPTIMIZE_ALL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

/* The run waits until all other calls were refused as busy. */
static void
run (C2gPredictor *predictor)
{
  g_autoptr (C2gTensor) input = new_input (2);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  c2g_predictor_run_async (predictor, &input, 1, NULL, keep_result_cb, &result);
  check_busy (predictor, input);
  g_assert_null (result);
  net_note ("go");
  outputs = c2g_predictor_run_finish (predictor, wait_for (&result), &n_outputs, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_outputs, ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 0, NULL), ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 1, NULL), ==, 6);
  g_free (net_take_notes ());
}

static void
run_wrong (C2gPredictor *predictor)
{
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) input = new_input (3);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) other_result = NULL;
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  c2g_predictor_run_async (predictor, &empty, 1, NULL, keep_result_cb, &result);
  g_assert_null (c2g_predictor_run_finish (predictor, wait_for (&result), &n_outputs, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  net_note ("go");
  c2g_predictor_run_async (predictor, &input, 1, NULL, keep_result_cb, &other_result);
  g_assert_null (c2g_predictor_run_finish (predictor, wait_for (&other_result), &n_outputs,
                                           &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_free (net_take_notes ());
}

static void
test_predictor (gconstpointer data)
{
  C2gPredictor *(*make) (const Model *) = data;
  g_auto (Model) model = { NULL };

  model_init (&model);
  {
    g_autoptr (C2gPredictor) predictor = make (&model);

    run (predictor);
    run_wrong (predictor);
    /* The predictor still works after a failed run. */
    run (predictor);
  }
  c2g_test_wait_for_memory ();
}

static void
test_no_predictor (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) cancelled = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Model) model = { NULL };

  model_init (&model);
  g_cancellable_cancel (cancellable);
  c2g_predictor_load_async (model.folder, NULL, NULL, C2G_OPTIMIZE_ALL, cancellable,
                            keep_result_cb, &cancelled);
  g_assert_null (c2g_predictor_load_finish (wait_for (&cancelled), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  g_file_delete (model.predict_net, NULL, NULL);
  c2g_predictor_load_async (model.folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, keep_result_cb,
                            &result);
  g_assert_null (c2g_predictor_load_finish (wait_for (&result), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "predict_net"));
}

/* Benchmarks */

static void
in_main_cb (int *n_calls)
{
  g_assert_true (net_is_main_thread ());
  (*n_calls)++;
}

static C2gNetBenchmark *
measure (C2gNet  *net,
         guint    n_runs,
         GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  c2g_net_measure_async (net, 1, n_runs, NULL, keep_result_cb, &result);
  return c2g_net_measure_finish (net, wait_for (&result), error);
}

static void
test_measure (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = net_def_from_text ("name: 'n' op { type: 'NetTestDummy' }");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_autoptr (C2gNetBenchmark) benchmark = NULL;
  int n_calls = 0;

  g_assert_no_error (error);
  g_signal_connect_swapped (net, "before-run", G_CALLBACK (in_main_cb), &n_calls);
  net_take_count ();
  benchmark = measure (net, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpint (net_take_count (), ==, 1 + 2 + 2);
  g_assert_cmpint (n_calls, ==, 1 + 2);
  g_assert_cmpuint (c2g_net_benchmark_get_n_runs (benchmark), ==, 2);
  g_assert_true (c2g_net_benchmark_get_net (benchmark) == net);

  g_assert_null (measure (net, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();
  g_assert_true (net_is_main_thread ());

  for (gsize i = 0; i < G_N_ELEMENTS (def_cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/async/definition/%s", def_cases[i].path);

      g_test_add_data_func (path, &def_cases[i], test_definition);
    }
  g_test_add_data_func ("/async/predictor/load", load, test_predictor);
  g_test_add_data_func ("/async/predictor/load-nets", load_nets, test_predictor);
  c2g_test_add_func ("/async/predictor/flags", test_flags);
  c2g_test_add_func ("/async/predictor/none", test_no_predictor);
  c2g_test_add_func ("/async/measure", test_measure);

  return c2g_test_run ();
}
