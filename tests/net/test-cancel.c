/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"
#include "tests/test-utils.h"

#include <dlfcn.h>
#include <glib/gstdio.h>

/* A cancelled run fails, whatever it has done already, and ends soon. */

/* The last operator cancels the run: the cancellation is found after all work is done. */
#define LATE                                                                                       \
  "name: 'late' op { type: 'NetTestStep' name: 'a' arg { name: 'cancel' i: 1 } } "

typedef gboolean (*RunFunc) (C2gWorkspace  *workspace,
                             const char    *text,
                             GCancellable  *cancellable,
                             GError       **error);

static gboolean
run_net (C2gWorkspace  *workspace,
         const char    *text,
         GCancellable  *cancellable,
         GError       **error)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (text);

  return c2g_workspace_run_net_once (workspace, def, cancellable, error);
}

static gboolean
run_dag (C2gWorkspace  *workspace,
         const char    *text,
         GCancellable  *cancellable,
         GError       **error)
{
  g_autofree char *dag = g_strconcat (text, "type: 'dag'", NULL);

  return run_net (workspace, dag, cancellable, error);
}

static gboolean
run_plan (C2gWorkspace  *workspace,
          const char    *text,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autoptr (C2gNetDef) net = net_def_from_text (text);
  g_autofree char *plan_text = g_strdup_printf (
    "network { %s } execution_step { name: 's' concurrent_substeps: true "
    "substep { network: '%s' } substep { name: 'none' } }",
    text, c2g_net_def_get_name (net));
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new_from_text (plan_text, error);

  g_assert_nonnull (plan);
  return c2g_workspace_run_plan (workspace, plan, cancellable, error);
}

static gboolean
run_operator (C2gWorkspace  *workspace,
              const char    *text,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (C2gNetDef) net = net_def_from_text (text);

  return c2g_workspace_run_operator_once (workspace, c2g_net_def_get_operator (net, 0), cancellable,
                                          error);
}

static gboolean
run_predictor (C2gWorkspace  *workspace,
               const char    *text,
               GCancellable  *cancellable,
               GError       **error)
{
  g_autoptr (C2gNetDef) net = net_def_from_text (text);
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (NULL, net, workspace, NULL,
                                                             C2G_OPTIMIZE_ALL, error);
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;

  g_assert_nonnull (predictor);
  outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, cancellable, error);
  return outputs != NULL;
}

/* The run of the init net is cancelled after all its work is done. */
static gboolean
load_predictor (C2gWorkspace  *workspace,
                const char    *text,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GFile) init = NULL;
  g_autoptr (GFile) predict = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-cancel-XXXXXX", NULL);
  g_autofree char *init_path = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict_path = g_build_filename (folder, "predict_net.pbtxt", NULL);
  g_autoptr (C2gPredictor) predictor = NULL;

  g_assert_true (g_file_set_contents (init_path, text, -1, NULL));
  g_assert_true (g_file_set_contents (predict_path, "name: 'nothing'", -1, NULL));
  init = g_file_new_for_path (init_path);
  predict = g_file_new_for_path (predict_path);
  predictor = c2g_predictor_load_nets (init, predict, workspace, NULL, C2G_OPTIMIZE_ALL,
                                       cancellable, error);
  g_file_delete (init, NULL, NULL);
  g_file_delete (predict, NULL, NULL);
  g_rmdir (folder);
  return predictor != NULL;
}

static const struct
{
  const char *path;
  RunFunc     run;
} runs[] = {
  { "net", run_net },
  { "dag", run_dag },
  { "plan", run_plan },
  { "operator", run_operator },
  { "predictor", run_predictor },
  { "load-predictor", load_predictor },
};

static void
test_late (gconstpointer data)
{
  const RunFunc run = (RunFunc) (gsize) data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (run (workspace, LATE, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_free (net_take_notes ());
}

/* A cancelled run reports the cancellation, even if an operator fails too. */
static void
test_failed (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (run_dag (workspace,
                           "op { type: 'NetTestStep' name: 'a' arg { name: 'cancel' i: 1 } } "
                           "op { type: 'NetTestDummy' arg { name: 'fail' i: 1 } } ",
                           cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_free (net_take_notes ());
}

/* Operators that take seconds */

#define FILL(name, dims)                                                                           \
  "op { type: 'ConstantFill' output: '" name "' arg { name: 'value' f: 1 } "                       \
  "arg { name: 'shape' " dims " } } "
#define INTEGERS(name, dims, value)                                                                \
  "op { type: 'ConstantFill' output: '" name "' arg { name: 'value' i: " value " } "               \
  "arg { name: 'dtype' i: 2 } arg { name: 'shape' " dims " } } "
#define IMAGES "ints: 2 ints: 64 ints: 512 ints: 512"
#define LAST_IMAGES "ints: 2 ints: 512 ints: 512 ints: 64"
#define ONE_IMAGE "ints: 1 ints: 1024 ints: 512 ints: 64"
#define PADS                                                                                       \
  "arg { name: 'kernel' i: 7 } arg { name: 'pad' i: 3 } "
#define INPUTS_10 "input: 'x' input: 'x' input: 'x' input: 'x' input: 'x' input: 'x' input: 'x' "  \
  "input: 'x' input: 'x' input: 'x' "
#define INPUTS_100 INPUTS_10 INPUTS_10 INPUTS_10 INPUTS_10 INPUTS_10 INPUTS_10 INPUTS_10           \
  INPUTS_10 INPUTS_10 INPUTS_10

static const struct
{
  const char *path;
  const char *fill;
  const char *text;
} cases[] = {
  { "conv", FILL ("x", IMAGES) FILL ("w", "ints: 64 ints: 64 ints: 7 ints: 7"),
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' " PADS "}" },
  { "conv-channels-last", FILL ("x", LAST_IMAGES) FILL ("w", "ints: 64 ints: 7 ints: 7 ints: 64"),
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' " PADS "arg { name: 'order' s: 'NHWC' } }" },
  { "conv-images", FILL ("x", LAST_IMAGES) FILL ("w", "ints: 64 ints: 7 ints: 7 ints: 64"),
    "op { type: 'Conv' engine: 'MKLDNN' input: 'x' input: 'w' output: 'y' " PADS
    "arg { name: 'order' s: 'NHWC' } }" },
  { "conv-rows", FILL ("x", ONE_IMAGE) FILL ("w", "ints: 64 ints: 7 ints: 7 ints: 64"),
    "op { type: 'Conv' engine: 'MKLDNN' input: 'x' input: 'w' output: 'y' " PADS
    "arg { name: 'order' s: 'NHWC' } }" },
  { "conv-depthwise", FILL ("x", IMAGES) FILL ("w", "ints: 64 ints: 1 ints: 15 ints: 15"),
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 15 } "
    "arg { name: 'group' i: 64 } }" },
  { "matmul", FILL ("x", "ints: 5000 ints: 5000"),
    "op { type: 'MatMul' input: 'x' input: 'x' output: 'y' }" },
  { "matmul-transposed", FILL ("x", "ints: 5000 ints: 5000"),
    "op { type: 'MatMul' input: 'x' input: 'x' output: 'y' arg { name: 'trans_a' i: 1 } "
    "arg { name: 'trans_b' i: 1 } }" },
  { "batch-matmul", FILL ("x", "ints: 100 ints: 900 ints: 900"),
    "op { type: 'BatchMatMul' input: 'x' input: 'x' output: 'y' }" },
  { "fc", FILL ("x", "ints: 5000 ints: 5000") FILL ("b", "ints: 5000"),
    "op { type: 'FC' input: 'x' input: 'x' input: 'b' output: 'y' }" },
  { "sum", FILL ("x", "ints: 16000000"), "op { type: 'Sum' " INPUTS_100 INPUTS_100 "output: 'y' }" },
  { "random", FILL ("x", "ints: 1"),
    "op { type: 'GaussianFill' output: 'y' arg { name: 'shape' ints: 32000000 } }" },
  { "pool", FILL ("x", IMAGES),
    "op { type: 'AveragePool' input: 'x' output: 'y' arg { name: 'kernel' i: 15 } }" },
  { "pool-channels-last", FILL ("x", LAST_IMAGES),
    "op { type: 'MaxPool' input: 'x' output: 'y' arg { name: 'kernel' i: 15 } "
    "arg { name: 'order' s: 'NHWC' } }" },
  { "tile", FILL ("x", "ints: 1000"),
    "op { type: 'Tile' input: 'x' output: 'y' arg { name: 'tiles' i: 100000 } "
    "arg { name: 'axis' i: 0 } }" },
  { "transpose", FILL ("x", "ints: 200 ints: 1000 ints: 500"),
    "op { type: 'Transpose' input: 'x' output: 'y' }" },
  { "transpose-three", FILL ("x", "ints: 3 ints: 20000000"),
    "op { type: 'Transpose' input: 'x' output: 'y' }" },
  { "reduce", FILL ("x", "ints: 10000 ints: 1 ints: 10000"),
    "op { type: 'ReduceSum' input: 'x' output: 'y' arg { name: 'axes' ints: 0 } }" },
  { "cast", FILL ("x", "ints: 20000000"),
    "op { type: 'Cast' input: 'x' output: 'y' arg { name: 'to' i: 2 } }" },
  { "cast-float16", FILL ("x", "ints: 20000000") "op { type: 'FloatToHalf' input: 'x' output: 'h' }",
    "op { type: 'HalfToFloat' input: 'h' output: 'y' }" },
  { "compare", FILL ("x", "ints: 20000000"), "op { type: 'EQ' input: 'x' input: 'x' output: 'y' }" },
  { "softmax-row", FILL ("x", "ints: 1 ints: 20000000"),
    "op { type: 'Softmax' input: 'x' output: 'y' }" },
  { "log-softmax-row", FILL ("x", "ints: 1 ints: 20000000"),
    "op { type: 'LogSoftmax' input: 'x' output: 'y' }" },
  { "unique", INTEGERS ("x", "ints: 3000000", "1"),
    "op { type: 'Unique' input: 'x' output: 'y' output: 'places' }" },
  { "find-duplicates", INTEGERS ("x", "ints: 3000000", "1"),
    "op { type: 'FindDuplicateElements' input: 'x' output: 'y' }" },
  { "lengths-sum", FILL ("x", "ints: 20000 ints: 1000") INTEGERS ("l", "ints: 2", "10000"),
    "op { type: 'LengthsSum' input: 'x' input: 'l' output: 'y' }" },
  { "sparse-lengths-sum",
    FILL ("x", "ints: 2 ints: 1000") INTEGERS ("i", "ints: 20000", "1")
    INTEGERS ("l", "ints: 1", "20000"),
    "op { type: 'SparseLengthsSum' input: 'x' input: 'i' input: 'l' output: 'y' }" },
  { "adagrad", FILL ("x", "ints: 20000000") FILL ("rate", "ints: 1"),
    "op { type: 'Adagrad' input: 'x' input: 'x' input: 'x' input: 'rate' output: 'y' output: 'm' }" },
  { "sparse-adagrad",
    FILL ("x", "ints: 2 ints: 1000") FILL ("m", "ints: 2 ints: 1000") FILL ("rate", "ints: 1")
    FILL ("g", "ints: 20000 ints: 1000") INTEGERS ("i", "ints: 20000", "1"),
    "op { type: 'SparseAdagrad' input: 'x' input: 'm' input: 'i' input: 'g' input: 'rate' "
    "output: 'x' output: 'm' }" },
  { "adam",
    FILL ("x", "ints: 20000000") FILL ("rate", "ints: 1") "op { type: 'ConstantFill' output: 'n' "
    "arg { name: 'shape' ints: 1 } arg { name: 'dtype' i: 10 } }",
    "op { type: 'Adam' input: 'x' input: 'x' input: 'x' input: 'x' input: 'rate' input: 'n' "
    "output: 'y' output: 'm' output: 's' }" },
  { "momentum", FILL ("x", "ints: 20000000") FILL ("rate", "ints: 1"),
    "op { type: 'MomentumSGDUpdate' input: 'x' input: 'x' input: 'rate' input: 'x' "
    "output: 'g' output: 'm' output: 'y' }" },
};

/* This function replaces GIO's in this program. So a test can cancel at a chosen check, and count
 * the checks afterwards. */

#define LOOKS_BEFORE 20

/* A thread checks once more in each nested loop that it leaves. */
#define MOST_SEEN_PER_THREAD 20

static GCancellable *looked_at;
static int n_looks;
static int n_seen;

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  static gboolean (*is_cancelled) (GCancellable *cancellable);

  if (g_once_init_enter (&is_cancelled))
    g_once_init_leave (&is_cancelled, dlsym (RTLD_NEXT, "g_cancellable_is_cancelled"));
  if (cancellable != NULL && cancellable == g_atomic_pointer_get (&looked_at) &&
      g_atomic_int_add (&n_looks, 1) == LOOKS_BEFORE)
    g_cancellable_cancel (cancellable);
  if (!is_cancelled (cancellable))
    return FALSE;

  g_atomic_int_inc (&n_seen);
  return TRUE;
}

static void
test_soon (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  if (c2g_test_skip_if_quick ())
    return;

  run_net (workspace, cases[i].fill, NULL, &error);
  g_assert_no_error (error);
  n_looks = n_seen = 0;
  g_atomic_pointer_set (&looked_at, cancellable);
  g_assert_false (run_net (workspace, cases[i].text, cancellable, &error));
  g_atomic_pointer_set (&looked_at, NULL);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_test_message ("%d looks, %d of them saw it", n_looks, n_seen);
  g_assert_cmpint (n_looks, >, LOOKS_BEFORE);
  g_assert_cmpint (n_seen, <=, MOST_SEEN_PER_THREAD * g_get_num_processors ());
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cancel/late/%s", runs[i].path);

      g_test_add_data_func (path, (gconstpointer) (gsize) runs[i].run, test_late);
    }
  c2g_test_add_func ("/cancel/failed", test_failed);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cancel/soon/%s", cases[i].path);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_soon);
    }

  return c2g_test_run ();
}
