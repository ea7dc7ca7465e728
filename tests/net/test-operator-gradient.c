/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/def-utils.h"

#define NAMES(...) ((const char *const[]) { __VA_ARGS__, NULL })
#define NO_NAMES ((const char *const[]) { NULL })

static C2gOperatorDef *
new_def (const char *text)
{
  g_autoptr (GError) error = NULL;
  C2gOperatorDef *def = c2g_operator_def_new_from_text (text, &error);

  g_assert_no_error (error);
  return def;
}

/* The gradient operator takes over engine, device and arguments, with its own inputs and
 * outputs. */
static void
test_gradient_simple (void)
{
  g_autoptr (C2gOperatorDef) def = new_def (
    "type: 'Foo' name: 'foo' input: 'in' output: 'out' engine: 'DUMMY_ENGINE' "
    "arg { name: 'arg' i: 1 } device_option { device_type: 0 } control_input: 'c'");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorDef) gradient = NULL;
  g_autoptr (C2gArgument) argument = c2g_argument_new_int ("arg", 1);

  c2g_operator_register_gradient ("Foo", "FooGradient", NAMES ("GO0"), NAMES ("GI0"), &error);
  g_assert_no_error (error);
  gradient = c2g_operator_def_make_gradient (def, NAMES ("out_grad"), &error);
  g_assert_no_error (error);

  g_assert_cmpstr (c2g_operator_def_get_op_type (gradient), ==, "FooGradient");
  g_assert_null (c2g_operator_def_get_name (gradient));
  def_assert_names (c2g_operator_def_get_inputs (gradient), "out_grad");
  def_assert_names (c2g_operator_def_get_outputs (gradient), "in_grad");
  g_assert_cmpuint (c2g_operator_def_get_n_control_inputs (gradient), ==, 0);
  g_assert_cmpstr (c2g_operator_def_get_engine (gradient), ==, "DUMMY_ENGINE");
  g_assert_true (c2g_operator_def_get_device (gradient) == c2g_device_cpu ());
  g_assert_true (c2g_argument_equal (c2g_operator_def_get_argument (gradient, "arg"), argument));
  g_assert_true (c2g_operator_def_get_is_gradient_op (gradient));
  g_assert_cmpstr (c2g_operator_def_get_op_type (def), ==, "Foo");
}

static void
test_names (void)
{
  g_autoptr (C2gOperatorDef) def = new_def (
    "type: 'Bar' input: 'x' input: 'w' output: 'y' output: 'z'");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorDef) gradient = NULL;
  g_autoptr (C2gOperatorDef) named = NULL;

  c2g_operator_register_gradient ("Bar", "BarGradient", NAMES ("I1", "O0", "GO1", "I0"),
                                  NAMES ("GI1", "GI0"), &error);
  g_assert_no_error (error);
  gradient = c2g_operator_def_make_gradient (def, NULL, &error);
  g_assert_no_error (error);
  def_assert_names (c2g_operator_def_get_inputs (gradient), "w", "y", "z_grad", "x");
  def_assert_names (c2g_operator_def_get_outputs (gradient), "w_grad", "x_grad");
  named = c2g_operator_def_make_gradient (def, NAMES ("gy", "gz"), &error);
  g_assert_no_error (error);
  def_assert_names (c2g_operator_def_get_inputs (named), "w", "y", "gz", "x");
}

typedef struct
{
  const char *path;
  const char *type;
  const char *input;
  const char *output;
  int         code;
} Registration;

static const Registration registrations[] = {
  { "again", "Baz", "GO0", "GI0", 0 },
  { "another", "Baz", "I0", "GI0", C2G_ERROR_EXISTS },
  { "of-the-library", "Softmax", "GO0", "GI0", C2G_ERROR_EXISTS },
  { "no-input", "New", "GI0", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "no-output", "New", "GO0", "O0", C2G_ERROR_INVALID_ARGUMENT },
  { "no-number", "New", "I", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "no-kind", "New", "0", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "nothing", "New", "", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "other-kind", "New", "X0", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "negative", "New", "I-1", "GI0", C2G_ERROR_INVALID_ARGUMENT },
  { "large", "New", "I99999999999999999999", "GI0", C2G_ERROR_INVALID_ARGUMENT },
};

static void
test_registration (gconstpointer data)
{
  const Registration *test = data;
  g_autoptr (C2gOperatorDef) def = new_def ("type: 'New' input: 'x' output: 'y'");
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_operator_register_gradient ("Baz", "BazGradient", NAMES ("GO0"),
                                                 NAMES ("GI0"), NULL));
  c2g_operator_register_gradient (test->type, "BazGradient", NAMES (test->input),
                                  NAMES (test->output), &error);
  if (test->code == 0)
    g_assert_no_error (error);
  else
    g_assert_error (error, C2G_ERROR, test->code);
  g_clear_error (&error);
  g_assert_null (c2g_operator_def_make_gradient (def, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“New”"));
}

/* The gradient needs an input that the operator does not have. */
static void
test_lacking (void)
{
  g_autoptr (C2gOperatorDef) def = new_def ("type: 'Lack' input: 'x' output: 'y'");
  g_autoptr (C2gOperatorDef) empty = new_def ("");
  g_autoptr (GError) error = NULL;

  c2g_operator_register_gradient ("Lack", "LackGradient", NAMES ("I2", "GO0"), NO_NAMES, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_operator_def_make_gradient (def, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“Lack”"));
  g_assert_nonnull (strstr (error->message, "“I2”"));
  g_clear_error (&error);

  c2g_operator_def_set_inputs (def, NAMES ("a", "b", "c"));
  g_assert_null (c2g_operator_def_make_gradient (def, NO_NAMES, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“GO0”"));
  g_clear_error (&error);

  g_assert_null (c2g_operator_def_make_gradient (empty, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

typedef struct
{
  const char *type;
  /* Expected gradient for the input 1, 2, 4 and the output gradient 1, 0, 0. */
  float       expected[3];
} Known;

static const Known known[] = {
  { "Copy", { 1, 0, 0 } },
  { "Alias", { 1, 0, 0 } },
  { "Negative", { -1, 0, 0 } },
  { "NegateGradient", { -1, 0, 0 } },
  { "Softmax", { 0.0402452f, -0.0047973f, -0.0354479f } },
};

static void
add_floats (C2gWorkspace *workspace,
            const char   *name,
            float         a,
            float         b,
            float         c)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  float *values;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1, 3), NULL));
  values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  values[0] = a;
  values[1] = b;
  values[2] = c;
}

/* Runs built-in operators and their gradients. */
static void
test_known (gconstpointer data)
{
  const Known *test = data;
  g_autofree char *text = g_strdup_printf ("type: '%s' input: 'x' output: 'y'", test->type);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gOperatorDef) def = new_def (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorDef) gradient = c2g_operator_def_make_gradient (def, NULL, &error);
  g_autoptr (C2gTensor) found = NULL;

  g_assert_no_error (error);
  add_floats (workspace, "x", 1, 2, 4);
  add_floats (workspace, "y_grad", 1, 0, 0);
  c2g_workspace_run_operator_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  c2g_workspace_run_operator_once (workspace, gradient, NULL, &error);
  g_assert_no_error (error);
  found = c2g_workspace_get_tensor (workspace, "x_grad", &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon (c2g_tensor_get_value (found, i, NULL), test->expected[i], 1e-6);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/operator-gradient/gradient-simple", test_gradient_simple);
  c2g_test_add_func ("/operator-gradient/names", test_names);
  for (gsize i = 0; i < G_N_ELEMENTS (registrations); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operator-gradient/registration/%s",
                                               registrations[i].path);

      g_test_add_data_func (path, &registrations[i], test_registration);
    }
  c2g_test_add_func ("/operator-gradient/lacking", test_lacking);
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operator-gradient/known/%s", known[i].type);

      g_test_add_data_func (path, &known[i], test_known);
    }

  return c2g_test_run ();
}
