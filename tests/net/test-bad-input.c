/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/net-operators.h"

#include <string.h>

/* The error for a faulty net names the net, the operator and the blob, and the shapes or types that
 * do not fit. Blobs do not change, and a corrected net or blob runs. */

static const char *const net_types[] = { "simple", "dag" };

typedef struct
{
  const char *path;
  /* The workspace has the float tensors x and v [2, 3], v2 [3, 2] and w [3], the int tensor i [2,
   * 3], the empty blob e and the text s. */
  const char *operators;
  int         code;
  /* Parts of the message, separated by bars. */
  const char *parts;
} Case;

/* Errors when the net is created. */
static const Case creations[] = {
  { "unknown-operator-types",
    "op { type: 'Relu' input: 'x' output: 'a' } op { type: 'Foo' } op { type: 'Bar' }",
    C2G_ERROR_NOT_FOUND, "Net “net”: |“Foo”, “Bar”" },
  { "missing-blobs", "op { type: 'Add' input: 'p' input: 'q' output: 'a' }", C2G_ERROR_NOT_FOUND,
    "Net “net”: |“p”, “q”" },
  { "argument-of-another-kind",
    "op { type: 'Relu' input: 'x' output: 'a' } op { type: 'MaxPool' name: 'pool' input: 'x' "
    "  output: 'y' arg { name: 'kernel' s: 'three' } }",
    C2G_ERROR_TYPE, "Net “net”, operator 1: MaxPool “pool”: |“kernel”|integer" },
  { "argument-out-of-range",
    "op { type: 'MaxPool' name: 'pool' input: 'x' output: 'y' arg { name: 'kernel' i: -3 } }",
    -1, "Net “net”, operator 0: MaxPool “pool”: |-3" },
  { "too-many-inputs", "op { type: 'Relu' name: 'r' input: 'x' input: 'w' output: 'y' }",
    C2G_ERROR_INVALID_ARGUMENT, "Net “net”, operator 0: Relu “r”: |2, expected 1" },
  { "not-in-place", "op { type: 'MatMul' name: 'm' input: 'x' input: 'v' output: 'v' }",
    C2G_ERROR_INVALID_ARGUMENT, "Net “net”, operator 0: MatMul “m”: |“v”" },
  { "absent-device",
    "op { type: 'Relu' name: 'r' input: 'x' output: 'y' device_option { device_type: 1 } }",
    C2G_ERROR_DEVICE, "Net “net”, operator 0: Relu “r”: |cuda" },
  { "unknown-device",
    "op { type: 'Relu' name: 'r' input: 'x' output: 'y' device_option { device_type: 77 } }",
    C2G_ERROR_DEVICE, "Net “net”, operator 0: Relu “r”: |77" },
  { "cycle",
    "op { type: 'Relu' input: 'b' output: 'a' } op { type: 'Relu' input: 'a' output: 'b' }",
    C2G_ERROR_NOT_FOUND, "Net “net”: |“b” (operator 1 makes it" },
  { "cycle-of-one", "op { type: 'Relu' input: 'a' output: 'a' }", C2G_ERROR_NOT_FOUND,
    "Net “net”: |“a”" },
};

/* Errors in the second of three operators; the first one has computed r [2, 3]. */
static const Case runs[] = {
  { "shapes", "type: 'Add' input: 'r' input: 'v2' output: 'y'", C2G_ERROR_SHAPE,
    "Add “mid”: |“v2”|[3, 2]|“r”|[2, 3]" },
  { "shapes-of-matmul", "type: 'MatMul' input: 'r' input: 'v' output: 'y'", C2G_ERROR_SHAPE,
    "MatMul “mid”: |“v”, has the shape [2, 3]|“r”, has the shape [2, 3]" },
  { "shapes-of-fc", "type: 'FC' input: 'r' input: 'v2' input: 'w' output: 'y'", C2G_ERROR_SHAPE,
    "FC “mid”: |“v2”|[3, 2]|“r”|[2, 3]" },
  { "shapes-of-concat",
    "type: 'Concat' input: 'r' input: 'v2' output: 'y' output: 'z' arg { name: 'axis' i: 1 }",
    C2G_ERROR_SHAPE, "Concat “mid”: |“v2”|[3, 2]|“r”|[2, 3]" },
  { "shapes-of-sum", "type: 'Sum' input: 'r' input: 'v2' output: 'y'", C2G_ERROR_SHAPE,
    "Sum “mid”: |“v2”|[3, 2]|“r”|[2, 3]" },
  { "types", "type: 'Add' input: 'r' input: 'i' output: 'y'", C2G_ERROR_TYPE,
    "Add “mid”: |“i”|int32|float" },
  { "type", "type: 'Softmax' input: 'i' output: 'y'", C2G_ERROR_TYPE,
    "Softmax “mid”: |“i”|int32|float" },
  { "empty-blob", "type: 'Relu' input: 'e' output: 'y'", C2G_ERROR_TYPE,
    "Relu “mid”: |“e”" },
  { "text", "type: 'Relu' input: 's' output: 'y'", C2G_ERROR_TYPE, "Relu “mid”: |“s”" },
  { "own-error", "type: 'NetTestDummy' input: 'r' output: 'y' arg { name: 'fail' i: 1 }",
    C2G_ERROR_FAILED, "NetTestDummy “mid”" },
};

static void
put (C2gWorkspace *workspace,
     const char   *name,
     C2gDataType   data_type,
     const gint64 *dims,
     gsize         n_dims)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);

  g_assert_true (c2g_tensor_resize (tensor, dims, n_dims, NULL));
  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, (double) i, NULL));
}

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) empty = c2g_workspace_create_blob (workspace, "e", NULL);
  g_autoptr (C2gBlob) text = c2g_workspace_create_blob (workspace, "s", NULL);
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_static_string (&value, "text");
  c2g_blob_set_value (text, &value);
  put (workspace, "x", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
  put (workspace, "v", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
  put (workspace, "v2", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (3, 2));
  put (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (3));
  put (workspace, "i", C2G_DATA_TYPE_INT32, C2G_TEST_DIMS (2, 3));
  return workspace;
}

static C2gNet *
create (C2gWorkspace  *workspace,
        const char    *net_type,
        const char    *operators,
        GError       **error)
{
  g_autoptr (C2gNetDef) def = net_def_from_text (operators);

  c2g_net_def_set_name (def, "net");
  c2g_net_def_set_net_type (def, net_type);
  c2g_net_def_set_n_workers (def, 3);
  return c2g_workspace_create_net (workspace, def, TRUE, error);
}

static void
check_error (const Case   *test,
             const GError *error)
{
  g_auto (GStrv) parts = g_strsplit (test->parts, "|", -1);

  g_test_message ("%s", error != NULL ? error->message : "no error");
  if (test->code < 0)
    g_assert_true (error != NULL && error->domain == C2G_ERROR);
  else
    g_assert_error (error, C2G_ERROR, test->code);
  for (gsize i = 0; parts[i] != NULL; i++)
    g_assert_nonnull (strstr (error->message, parts[i]));
}

/* A failed creation leaves no net, and does not change blobs. */
static void
test_creation (gconstpointer data)
{
  const Case *test = data;

  for (gsize i = 0; i < G_N_ELEMENTS (net_types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace ();
      g_autoptr (C2gTensor) x = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) nets = NULL;

      g_assert_null (create (workspace, net_types[i], test->operators, &error));
      check_error (test, error);
      nets = c2g_workspace_list_nets (workspace);
      g_assert_cmpuint (g_strv_length (nets), ==, 0);
      x = c2g_workspace_get_tensor (workspace, "x", NULL);
      g_assert_cmpfloat (c2g_tensor_get_value (x, 5, NULL), ==, 5);
    }
}

/* Runs a corrected operator in the same workspace. */
static void
check_mended (C2gWorkspace *workspace,
              const char   *net_type)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) z = NULL;
  g_autoptr (C2gNet) net = create (
    workspace, net_type,
    "op { type: 'Relu' input: 'x' output: 'r' } "
    "op { type: 'Add' name: 'mid' input: 'r' input: 'v' output: 'y' } "
    "op { type: 'Negative' input: 'y' output: 'z' }",
    &error);

  g_assert_no_error (error);
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  z = c2g_workspace_get_tensor (workspace, "z", NULL);
  g_assert_cmpfloat (c2g_tensor_get_value (z, 5, NULL), ==, -10);
}

static void
test_run (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *text = g_strdup_printf (
    "op { type: 'Relu' input: 'x' output: 'r' } op { name: 'mid' control_input: 'r' %s } "
    "op { type: 'Negative' input: 'y' output: 'z' }",
    test->operators);

  for (gsize i = 0; i < G_N_ELEMENTS (net_types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNet) net = create (workspace, net_types[i], text, &error);
      g_autoptr (C2gTensor) r = NULL;

      g_assert_no_error (error);
      for (int j = 0; j < 3; j++)
        {
          g_clear_error (&error);
          g_assert_false (c2g_net_run (net, NULL, &error));
          check_error (test, error);
          g_assert_true (g_str_has_prefix (error->message, "Net “net”, operator 1: "));
          g_assert_cmpint (c2g_net_get_failed_position (net), ==, 1);
        }
      r = c2g_workspace_get_tensor (workspace, "r", NULL);
      g_assert_cmpfloat (c2g_tensor_get_value (r, 5, NULL), ==, 5);
      check_mended (workspace, net_types[i]);
    }
}

/* After the blob is corrected, the same net runs. */
static void
test_mended_blob (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (net_types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNet) net = create (
        workspace, net_types[i],
        "op { type: 'Relu' input: 'x' output: 'r' } op { type: 'Relu' input: 'w' output: 'other' } "
        "op { type: 'Add' input: 'r' input: 'v2' output: 'y' } "
        "op { type: 'Sum' input: 'y' input: 'r' output: 'z' }",
        &error);

      g_assert_no_error (error);
      g_assert_false (c2g_net_run (net, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
      g_assert_cmpint (c2g_net_get_failed_position (net), ==, 2);
      g_clear_error (&error);

      put (workspace, "v2", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_net_get_failed_position (net), ==, -1);
    }
}

/* Two nets that each need the output of the other. Neither can be created until the input of one
 * exists. */
static void
test_nets_of_each_other (void)
{
  static const char *const texts[] = {
    "name: 'a' external_input: 'of_b' op { type: 'Relu' input: 'of_b' output: 'of_a' }",
    "name: 'b' external_input: 'of_a' op { type: 'Relu' input: 'of_a' output: 'of_b' }",
  };
  static const char *const parts[][2] = { { "Net “a”", "“of_b”" }, { "Net “b”", "“of_a”" } };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gNetDef) def = net_def_from_text (texts[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_workspace_create_net (workspace, def, FALSE, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, parts[i][0]));
      g_assert_nonnull (strstr (error->message, parts[i][1]));
    }

  put (workspace, "of_b", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (C2gNetDef) def = net_def_from_text (texts[i % 2]);
      g_autoptr (GError) error = NULL;

      c2g_workspace_run_net_once (workspace, def, NULL, &error);
      g_assert_no_error (error);
    }
}

/* An error in a plan names the plan, the step, the net and the operator. After the blob is
 * corrected, the plan runs. */
static void
test_plan (void)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPlanDef) plan = c2g_plan_def_new_from_text (
    "name: 'plan' network { name: 'a' op { type: 'Relu' input: 'x' output: 'r' } } "
    "network { name: 'b' op { type: 'Add' name: 'sum' input: 'r' input: 'v2' output: 'y' } } "
    "execution_step { name: 'outer' substep { name: 'inner' network: 'a' network: 'b' } }",
    &error);

  g_assert_no_error (error);
  g_assert_false (c2g_workspace_run_plan (workspace, plan, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (
    error->message, "Plan “plan”, step “outer/inner”: Net “b”, operator 0: Add “sum”: "));
  g_assert_nonnull (strstr (error->message, "[2, 3]"));
  g_assert_nonnull (strstr (error->message, "[3, 2]"));
  g_clear_error (&error);

  put (workspace, "v2", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3));
  c2g_workspace_run_plan (workspace, plan, NULL, &error);
  g_assert_no_error (error);
}

static void
add_cases (const char    *folder,
           const Case    *cases,
           gsize          n_cases,
           GTestDataFunc  func)
{
  for (gsize i = 0; i < n_cases; i++)
    {
      g_autofree char *path = g_strdup_printf ("/bad-input/%s/%s", folder, cases[i].path);

      g_test_add_data_func (path, &cases[i], func);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  net_operators_register ();

  add_cases ("creation", creations, G_N_ELEMENTS (creations), test_creation);
  add_cases ("run", runs, G_N_ELEMENTS (runs), test_run);
  c2g_test_add_func ("/bad-input/mended-blob", test_mended_blob);
  c2g_test_add_func ("/bad-input/nets-of-each-other", test_nets_of_each_other);
  c2g_test_add_func ("/bad-input/plan", test_plan);

  return c2g_test_run ();
}
