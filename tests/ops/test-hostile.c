/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <glib/gstdio.h>

#include <string.h>

/* Nets that were written to do harm. Each must soon give a result or an error, and write nothing
 * outside. */

#define NO_ERROR -1

typedef struct
{
  const char *path;
  const char *net;
  int         code;
} Case;

/* Parts of nets, written as in a text file. */
/* clang-format off */
#define FILL(name, shape, more)                                                                    \
  "op { type: 'ConstantFill' output: '" name "' arg { name: 'shape' " shape " } " more " } "
#define INTS(name, shape, values)                                                                  \
  "op { type: 'GivenTensorIntFill' output: '" name "' arg { name: 'shape' " shape " } "            \
  "arg { name: 'values' " values " } } "
#define INT32  "arg { name: 'dtype' i: 2 } "
#define INT64  "arg { name: 'dtype' i: 10 } arg { name: 'value' i: 4 } "
#define TRUTH  "arg { name: 'dtype' i: 5 } arg { name: 'value' i: 1 } "
#define ALIAS  "op { type: 'Alias' input: 'B' output: 'C' } "
#define HUGE   "ints: 1099511627776 "
#define MANY   "ints: 4611686018427387904 "
#define MANY_I "i: 4611686018427387904 "
#define MANY_INT64 "arg { name: 'dtype' i: 10 } arg { name: 'value' " MANY_I "} "
#define UNITS  FILL ("x", "ints: 1 " MANY "ints: 0", "") FILL ("t", "ints: 1", INT32)
#define NO_LENGTHS "arg { name: 'sequence_lengths' i: 0 } "
#define LOOP(arguments, body)                                                                      \
  FILL ("trip", "ints: 1", INT64) FILL ("cond", "ints: 1", TRUTH)                                  \
  "op { type: 'ONNXWhile' input: 'trip' input: 'cond' " arguments                                  \
  "arg { name: 'has_trip_count' i: 1 } arg { name: 'body' n { " body                               \
  "external_input: 'i' external_input: 'c' } } } "

#define PRIOR(arguments)                                                                           \
  FILL ("x", "ints: 1 ints: 1 ints: 2 ints: 2", "")                                                \
  "op { type: 'PriorBox' input: 'x' input: 'x' output: 'y' " arguments "} "
#define RATE(arguments)                                                                            \
  FILL ("i", "ints: 1", INT64)                                                                     \
  "op { type: 'LearningRate' input: 'i' output: 'r' arg { name: 'base_lr' f: 1 } " arguments "} "

static const Case cases[] = {
  /* The indices are overwritten after they were checked. */
  { "gather-into-indices",
    FILL ("B", "ints: 8", INT32) ALIAS INTS ("C", "ints: 2", "ints: 0 ints: 1")
    INTS ("d", "ints: 2 ints: 4",
          "ints: 100000000 ints: 100000000 ints: 1 ints: 1 ints: 1 ints: 2 ints: 3 ints: 4")
    "op { type: 'Gather' input: 'd' input: 'C' output: 'B' } ",
    NO_ERROR },
  { "scatter-into-indices",
    FILL ("B", "ints: 2 ints: 4", INT32) ALIAS INTS ("C", "ints: 2", "ints: 0 ints: 1")
    INTS ("d", "ints: 2 ints: 4",
          "ints: 0 ints: 100000000 ints: 1 ints: 1 ints: 1 ints: 2 ints: 3 ints: 4")
    "op { type: 'ScatterAssign' input: 'B' input: 'C' input: 'd' output: 'B' } ",
    NO_ERROR },
  { "split-into-lengths",
    FILL ("B", "ints: 2", INT32) ALIAS INTS ("C", "ints: 2", "ints: 1 ints: 1")
    INTS ("d", "ints: 2", "ints: 100000000 ints: 100000000")
    "op { type: 'Split' input: 'd' input: 'C' output: 'B' output: 'y' "
    "  arg { name: 'axis' i: 0 } } ",
    NO_ERROR },

  /* The blobs that the body of a loop may change. */
  { "loop-frees-its-inputs",
    LOOP ("", "op { type: 'Free' input: 'i' input: 'c' output: 'i' output: 'c' } "
              "external_output: 'c' "),
    NO_ERROR },
  { "loop-replaces-the-condition",
    LOOP ("arg { name: 'has_cond' i: 1 } ",
          "op { type: 'CreateCounter' output: 'cond' } " FILL ("c2", "ints: 1", TRUTH)
          "external_output: 'c2' "),
    NO_ERROR },
  { "loop-changes-the-type",
    LOOP ("arg { name: 'has_cond' i: 1 } ",
          "op { type: 'GivenTensorStringFill' output: 'cond' arg { name: 'shape' ints: 1 } "
          "arg { name: 'values' strings: 'a' } } " FILL ("c2", "ints: 1", TRUTH)
          "external_output: 'c2' "),
    NO_ERROR },
  { "loop-changes-its-rows",
    LOOP ("output: 'scan' ",
          FILL ("scan", "ints: 1 ints: 100", "") FILL ("row", "ints: 100", "")
          "external_output: 'c' external_output: 'row' "),
    C2G_ERROR_SHAPE },

  /* A tensor without elements, whose other dimensions overflow when they are multiplied. */
  { "moments-of-nothing",
    FILL ("x", HUGE "ints: 3 ints: 0 ints: 4", "")
    "op { type: 'BatchMoments' input: 'x' output: 'm' output: 'v' } "
    "op { type: 'ChannelStats' input: 'x' output: 'p' output: 'q' } "
    "op { type: 'ChannelBackpropStats' input: 'x' input: 'p' input: 'q' input: 'x' "
    "  output: 'r' output: 's' } "
    "op { type: 'InstanceNorm' input: 'x' input: 'p' input: 'q' output: 'y' } ",
    NO_ERROR },
  { "segments-of-nothing",
    FILL ("x", HUGE "ints: 0 ints: 2", "") FILL ("l", "ints: 0", INT32)
    "op { type: 'ReversePackedSegs' input: 'x' input: 'l' output: 'y' } ",
    NO_ERROR },
  /* The operators must not loop over these 2^62 rows, which have no elements, nor multiply their number. */
  { "columns-of-nothing",
    FILL ("x", MANY "ints: 0", "") FILL ("n", "ints: 1", MANY_INT64)
    "op { type: 'PackRNNSequence' input: 'x' input: 'n' output: 'y' } "
    "op { type: 'UnpackRNNSequence' input: 'y' input: 'n' output: 'z' } ",
    NO_ERROR },
  { "padding-of-nothing",
    FILL ("x", "ints: 3 ints: 0", "") INTS ("n", "ints: 3", "ints: 1 ints: 1 ints: 1")
    "op { type: 'PackSegments' input: 'n' input: 'x' output: 'y' arg { name: 'max_length' " MANY_I "} } "
    "op { type: 'UnpackSegments' input: 'n' input: 'y' output: 'z' } ",
    NO_ERROR },
  { "gru-of-nothing",
    UNITS
    "op { type: 'GRUUnit' input: 'x' input: 'x' input: 't' output: 'y' " NO_LENGTHS "} ",
    NO_ERROR },
  { "lstm-of-nothing",
    UNITS
    "op { type: 'LSTMUnit' input: 'x' input: 'x' input: 'x' input: 't' output: 'y' output: 'z' "
    NO_LENGTHS "} ",
    NO_ERROR },

  { "beam-of-any-width",
    FILL ("x", "ints: 12 ints: 1 ints: 30", "")
    "op { type: 'CTCBeamSearchDecoder' input: 'x' output: 'l' output: 'v' "
    "  arg { name: 'beam_width' i: 2000000000 } } ",
    C2G_ERROR_RANGE },
  { "noise-as-output",
    FILL ("x", "ints: 1 ints: 40 ints: 40 ints: 4", "arg { name: 'dtype' i: 6 } ")
    FILL ("m", "ints: 3", "")
    "op { type: 'PackedInt8BGRANHWCToNCHWCStylizerPreprocess' input: 'x' input: 'm' "
    "  output: '__CAFFE2_STYLIZER_NOISE__' } ",
    C2G_ERROR_BUSY },

  /* Wrong values of arguments that kernels rely on. */
  { "prior-boxes-of-no-size",
    PRIOR ("arg { name: 'min_size' } "),
    C2G_ERROR_RANGE },
  { "prior-boxes-of-no-height",
    PRIOR ("arg { name: 'min_size' floats: 1 } arg { name: 'img_h' i: 0 } arg { name: 'img_w' i: 5 } "),
    C2G_ERROR_RANGE },
  { "pad-of-the-least",
    FILL ("x", "ints: 1 ints: 1 ints: 2 ints: 2", "")
    "op { type: 'PadImage' input: 'x' output: 'y' arg { name: 'pad' i: -2147483648 } } ",
    C2G_ERROR_RANGE },
  { "block-of-text",
    FILL ("x", "ints: 2", "")
    "op { type: 'BatchBoxCox' input: 'x' input: 'x' input: 'x' output: 'y' "
    "  arg { name: 'min_block_size' s: 'x' } } ",
    C2G_ERROR_TYPE },

  /* Names that are not UTF-8. */
  { "rate-policy-of-bytes",
    RATE ("arg { name: 'policy' s: '\\377' } "),
    C2G_ERROR_TYPE },
  { "rate-part-of-bytes",
    RATE ("arg { name: 'policy' s: 'composite' } arg { name: 'sub_policy_num_iters' ints: 1 } "
          "arg { name: 'sub_policy_0_policy' s: '\\377' } "),
    C2G_ERROR_TYPE },
};
/* clang-format on */

static C2gNetDef *
new_def (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

static void
test_net (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = new_def (test->net);
  g_autoptr (GError) error = NULL;

  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  if (error != NULL)
    g_test_message ("%s", error->message);
  if (test->code == NO_ERROR)
    g_assert_no_error (error);
  else
    g_assert_error (error, C2G_ERROR, test->code);
}

/* clang-format off */
#define NESTED(name, n)                                                                            \
  FILL ("cond" name, "ints: 1", TRUTH)                                                             \
  "op { type: 'If' input: 'cond" name "' output: 'u" name "' arg { name: 'then_net' n { "          \
  FILL ("x", "ints: " n " ints: 100", "") "op { type: 'Relu' input: 'x' output: 'y' } "            \
  FILL ("x", "ints: 10", "") "op { type: 'Free' input: 'x' output: 'x' } } } } "

/* clang-format on */

/* Nets inside operators write blobs that nets inside other operators read. */
static void
test_nested (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = new_def ("type: 'dag' num_workers: 4 " NESTED ("1", "100")
                                         NESTED ("2", "200"));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = c2g_workspace_create_net (workspace, def, TRUE, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 100; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
}

/* One blob under two names counts as in-place, too. */
static void
test_two_names (void)
{
  static const char *const names[] = { "x", "y", NULL };
  static const char *const parent_names[] = { "p", "p", NULL };
  static const struct
  {
    const char *op;
    gboolean    is_allowed;
  } operators[] = {
    { "type: 'Concat' input: 'x' input: 'x' output: 'y' arg { name: 'axis' i: 0 }", FALSE },
    { "type: 'Split' input: 'p' output: 'x' output: 'y' arg { name: 'axis' i: 0 }", FALSE },
    { "type: 'Relu' input: 'x' output: 'y'", TRUE },
  };
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) in_parent = NULL;
  g_autoptr (C2gTensor) here = NULL;
  g_autoptr (GError) error = NULL;

  in_parent = c2g_workspace_create_tensor (parent, "p", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (50),
                                           &error);
  g_assert_no_error (error);
  c2g_workspace_add_blob_mapping (workspace, parent, (const char **) names,
                                  (const char **) parent_names, FALSE, &error);
  g_assert_no_error (error);
  here = c2g_workspace_create_tensor (workspace, "p", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (50),
                                      &error);
  g_assert_no_error (error);

  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    {
      g_autoptr (C2gOperatorDef) def = c2g_operator_def_new_from_text (operators[i].op, &error);

      g_assert_no_error (error);
      c2g_workspace_run_operator_once (workspace, def, NULL, &error);
      if (operators[i].is_allowed)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
    }
}

/* Empty strings in a list are kept, and count as strings. */
static void
test_empty_texts (void)
{
  static const char *const texts[] = { "", "b", "", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new ("CreateMutex");
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) read = NULL;

  c2g_operator_def_add_output (def, "m");
  c2g_operator_def_set_strings (def, "texts", (const char *const *) texts);
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  read = c2g_operator_dup_strings (op, "texts", &error);
  g_assert_no_error (error);
  g_assert_cmpstrv (read, texts);
}

/* An operator has no definition yet while g_object_new() initializes it. Its functions return
 * defaults then. */
typedef struct
{
  C2gOperator parent_instance;
} Early;

typedef struct
{
  C2gOperatorClass parent_class;
} EarlyClass;

static GType early_get_type (void);

G_DEFINE_TYPE (Early, early, C2G_TYPE_OPERATOR)

static gboolean
early_run (C2gOperator  *op,
           GError      **error)
{
  return TRUE;
}

static void
early_class_init (EarlyClass *klass)
{
  C2G_OPERATOR_CLASS (klass)->run = early_run;
}

static void
early_init (Early *self)
{
  C2gOperator *op = C2G_OPERATOR (self);
  g_autoptr (GError) error = NULL;

  g_assert_cmpfloat (c2g_operator_get_float (op, "factor", 0.5, &error), ==, 0.5);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_operator_find_input (op, "x"), ==, -1);
  g_assert_cmpint (c2g_operator_find_output (op, "x"), ==, -1);
  g_assert_cmpstr (c2g_operator_get_op_type (op), ==, "");
  g_assert_cmpstr (c2g_operator_get_engine (op), ==, "");
  g_assert_nonnull (c2g_operator_get_device (op));
}

static void
test_early (void)
{
  g_autoptr (C2gOperator) op = g_object_new (early_get_type (), NULL);

  g_assert_cmpuint (c2g_operator_get_n_inputs (op), ==, 0);
}

/* The workspace finds a net by the name that it had when it was added. */
static void
test_renamed (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = new_def ("name: 'n'");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNet) net = c2g_workspace_create_net (workspace, def, TRUE, &error);

  g_assert_no_error (error);
  c2g_net_def_set_name (c2g_net_get_definition (net), "other");
  c2g_workspace_run_net (workspace, "n", NULL, &error);
  g_assert_no_error (error);
}

/* clang-format off */
#define WRITES(net, op) "network { name: '" net "' " op " } "
#define INSTANCES(step, n, substeps) step " { num_concurrent_instances: " n " " substeps " } "
#define AT_ONCE(substeps) "execution_step { concurrent_substeps: true " substeps " } "

static const Case plans[] = {
  { "write-one-blob",
    WRITES ("a", FILL ("x", "ints: 1000", "")) WRITES ("b", FILL ("x", "ints: 10", ""))
    AT_ONCE ("substep { network: 'a' } substep { substep { network: 'b' } }"),
    C2G_ERROR_INVALID_ARGUMENT },
  { "one-after-the-other",
    WRITES ("a", FILL ("x", "ints: 1000", "")) WRITES ("b", FILL ("x", "ints: 10", ""))
    "execution_step { substep { network: 'a' } substep { network: 'b' } }",
    NO_ERROR },
  { "own-blobs",
    WRITES ("a", FILL ("x", "ints: 1000", "")) WRITES ("b", FILL ("x", "ints: 10", ""))
    AT_ONCE ("substep { network: 'a' } substep { create_workspace: true network: 'b' }"),
    NO_ERROR },
  /* Plans with too many threads are refused before any thread is started. */
  { "threads-in-threads",
    INSTANCES ("execution_step", "30", INSTANCES ("substep", "40", "substep {}")),
    C2G_ERROR_RANGE },
  { "threads-in-reports",
    INSTANCES ("execution_step", "2",
               "substep {} " INSTANCES ("substep", "1024", "run_every_ms: 1 substep {}")),
    C2G_ERROR_RANGE },
  { "threads-one-after-the-other",
    "execution_step { " INSTANCES ("substep", "3", "substep {}")
    INSTANCES ("substep", "4", "substep {}") "} ",
    NO_ERROR },
};
/* clang-format on */

static void
test_plan (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new_from_text (test->net, &error);

  g_assert_no_error (error);
  c2g_workspace_run_plan (workspace, plan, NULL, &error);
  if (test->code == NO_ERROR)
    g_assert_no_error (error);
  else
    g_assert_error (error, C2G_ERROR, test->code);
}

/* Creating a net writes no file, and keeps an existing one. */
static void
test_print (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = NULL;
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-hostile-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "x.log", NULL);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (path, "precious", -1, NULL));
  c2g_workspace_set_root_folder (workspace, folder);
  blob = c2g_workspace_create_blob (workspace, "x", NULL);
  def = c2g_operator_def_new_from_text ("type: 'Print' input: 'x' arg { name: 'to_file' i: 1 }",
                                        &error);
  g_assert_no_error (error);

  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "precious");
  g_clear_pointer (&text, g_free);

  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "Empty blob\n");
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
add_cases (const char    *folder,
           const Case    *tests,
           gsize          n_tests,
           GTestDataFunc  func)
{
  for (gsize i = 0; i < n_tests; i++)
    {
      g_autofree char *path = g_strdup_printf ("/hostile/%s/%s", folder, tests[i].path);

      g_test_add_data_func (path, &tests[i], func);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_cases ("net", cases, G_N_ELEMENTS (cases), test_net);
  add_cases ("plan", plans, G_N_ELEMENTS (plans), test_plan);
  c2g_test_add_func ("/hostile/nested", test_nested);
  c2g_test_add_func ("/hostile/two-names", test_two_names);
  c2g_test_add_func ("/hostile/empty-texts", test_empty_texts);
  c2g_test_add_func ("/hostile/early", test_early);
  c2g_test_add_func ("/hostile/renamed", test_renamed);
  c2g_test_add_func ("/hostile/print", test_print);

  return c2g_test_run ();
}
