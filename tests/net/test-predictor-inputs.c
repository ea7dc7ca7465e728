/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/net/predictor-utils.h"

#include <string.h>

/* Tests of the inputs of predictors. */

/* A single number that is 0 stands for an input, but a single string is content. */
static void
test_placeholders (void)
{
  g_autoptr (C2gNetDef) init =
    net_def_from_text ("op { type: 'GivenTensorStringFill' output: 'separator' "
                       "arg { name: 'shape' ints: 1 } arg { name: 'values' strings: ', ' } } "
                       "op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 1 } } ");
  g_autoptr (C2gNetDef) predict =
    net_def_from_text ("external_input: 'separator' external_input: 'x' external_output: 'y' "
                       "op { type: 'Copy' input: 'separator' output: 'z' } "
                       "op { type: 'Copy' input: 'x' output: 'y' } ");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (init, predict, NULL, NULL,
                                                             C2G_OPTIMIZE_NONE, &error);
  const char *const *inputs;

  g_assert_no_error (error);
  inputs = c2g_predictor_get_inputs (predictor);
  g_assert_cmpuint (g_strv_length ((GStrv) inputs), ==, 1);
  g_assert_cmpstr (inputs[0], ==, "x");
}

/* An output can be used as an input of the next run. */
static void
test_feeds_back (void)
{
  g_autoptr (C2gNetDef) init =
    net_def_from_text ("op { type: 'GivenTensorFill' output: 'w' "
                       "arg { name: 'shape' ints: 2 ints: 2 } "
                       "arg { name: 'values' floats: 0 floats: 2 floats: 3 floats: 0 } } ");
  g_autoptr (C2gNetDef) predict =
    net_def_from_text ("external_input: 'x' external_input: 'w' external_output: 'y' "
                       "op { type: 'MatMul' input: 'x' input: 'w' output: 'y' } ");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (init, predict, NULL, NULL,
                                                             C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) x = c2g_tensor_new ();
  C2gTensor *input = x;
  float *data;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_resize (x, C2G_TEST_DIMS (1, 2), NULL));
  data = c2g_tensor_mutable_data (x, C2G_DATA_TYPE_FLOAT, NULL);
  data[0] = 1;
  data[1] = 10;
  for (guint i = 0; i < 4; i++)
    {
      g_autofree C2gTensor **outputs = NULL;
      guint n_outputs;

      outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
      g_assert_no_error (error);
      input = outputs[0];
    }
  /* Each two runs multiply by 6. */
  g_assert_cmpfloat (c2g_tensor_get_value (input, 0, NULL), ==, 36);
  g_assert_cmpfloat (c2g_tensor_get_value (input, 1, NULL), ==, 360);
}

/* A run reads the tensor as it is then, even if it has other memory or another shape since
 * set_input(). */
static void
test_input_changes (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (C2gTensor) other = new_data (5);
  g_autoptr (GError) error = NULL;

  c2g_predictor_set_input (predictor, "data", data, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree C2gTensor **outputs = NULL;
      guint n_outputs;

      outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error);
      g_assert_no_error (error);
      check_output (outputs[0], i == 0 ? 2 : 5);
      c2g_tensor_swap (data, other);
    }
}

/* A net that writes its input in place gets a copy. */
static void
test_in_place (void)
{
  g_autoptr (C2gNetDef) def =
    net_def_from_text ("external_input: 'x' external_output: 'x' "
                       "op { type: 'Scale' input: 'x' output: 'x' arg { name: 'scale' f: 2 } } ");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (NULL, def, NULL, NULL,
                                                             C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) data = new_data (1);

  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree C2gTensor **outputs = NULL;
      guint n_outputs;

      outputs = c2g_predictor_run (predictor, &data, i == 0, &n_outputs, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (c2g_tensor_get_value (outputs[0], 2, NULL), ==, 4);
      g_assert_cmpfloat (c2g_tensor_get_value (data, 2, NULL), ==, 2);
    }
}

static void
test_wrong_inputs (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  g_autoptr (C2gTensor) empty = c2g_tensor_new ();
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (GError) error = NULL;
  C2gTensor *none = NULL;
  guint n_outputs;

  g_assert_null (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“data”"));
  g_clear_error (&error);

  g_assert_null (c2g_predictor_run (predictor, &none, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  c2g_predictor_set_input (predictor, "data", data, &error);
  g_assert_no_error (error);
  g_assert_false (c2g_predictor_set_input (predictor, "data", empty, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "“data”"));
  g_clear_error (&error);

  /* The inputs of earlier calls are kept. */
  g_free (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_no_error (error);
}

static C2gTensor *
run_with (C2gPredictor  *predictor,
          C2gTensor     *data,
          GError       **error)
{
  guint n_outputs;
  g_autofree C2gTensor **outputs = c2g_predictor_run (predictor, &data, data != NULL, &n_outputs,
                                                      NULL, error);

  return outputs != NULL ? outputs[0] : NULL;
}

/* A failed run restores the former inputs, if there were any. */
static void
test_refused_inputs (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gTensor) wrong = c2g_tensor_new ();
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "data", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_resize (wrong, C2G_TEST_DIMS (2, 5), NULL));
  g_assert_true (c2g_tensor_allocate (wrong, C2G_DATA_TYPE_INT8, NULL));
  g_assert_null (run_with (predictor, wrong, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_true (c2g_blob_is_empty (blob));
  g_assert_cmpuint (G_OBJECT (wrong)->ref_count, ==, 1);
  g_assert_null (run_with (predictor, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_nonnull (run_with (predictor, data, &error));
  g_assert_no_error (error);
  g_assert_null (run_with (predictor, wrong, &error));
  g_clear_error (&error);
  g_assert_nonnull (run_with (predictor, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (c2g_blob_get_tensor (blob, NULL), 1, NULL), ==, 3);
}

static void
keep_result (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
refuse_elsewhere (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  g_autoptr (C2gTensor) wrong = c2g_tensor_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  g_assert_true (c2g_tensor_resize (wrong, C2G_TEST_DIMS (2, 5), NULL));
  g_assert_true (c2g_tensor_allocate (wrong, C2G_DATA_TYPE_INT8, NULL));
  c2g_predictor_run_async (predictor, &wrong, 1, NULL, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (c2g_predictor_run_finish (predictor, result, &n_outputs, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  g_assert_cmpuint (G_OBJECT (wrong)->ref_count, ==, 1);
  g_assert_null (run_with (predictor, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

/* A failed asynchronous run restores the inputs too; its thread may drop the last reference to the
 * predictor. */
static void
test_refused_elsewhere (void)
{
  refuse_elsewhere ();
  c2g_test_wait_for_memory ();
}

/* If the model fills an input itself, a failed run restores its value in the same tensor, even if
 * the net has overwritten it. */
static void
test_refused_in_place (void)
{
  g_autoptr (C2gNetDef) init = net_def_from_text (
    "op { type: 'GivenTensorFill' output: 'x' arg { name: 'shape' ints: 2 } "
    "  arg { name: 'values' floats: -1 floats: 7 } } "
    "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 2 } "
    "  arg { name: 'values' floats: 1 floats: 2 } }");
  g_autoptr (C2gNetDef) predict = net_def_from_text (
    "external_input: 'x' external_input: 'w' external_output: 'y' "
    "op { type: 'Relu' input: 'x' output: 'x' } "
    "op { type: 'Add' input: 'x' input: 'w' output: 'y' }");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor = c2g_predictor_create (init, predict, NULL, NULL,
                                                             C2G_OPTIMIZE_ALL, &error);
  g_autoptr (C2gTensor) wrong = new_data (3);
  g_autoptr (C2gTensor) held = NULL;
  C2gTensor *output;

  g_assert_no_error (error);
  held = c2g_workspace_get_tensor (c2g_predictor_get_workspace (predictor), "x", NULL);
  g_assert_null (run_with (predictor, wrong, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_cmpfloat (c2g_tensor_get_value (held, 0, NULL), ==, -1);
  g_assert_cmpfloat (c2g_tensor_get_value (held, 1, NULL), ==, 7);

  output = run_with (predictor, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (output, 0, NULL), ==, 1);
  g_assert_cmpfloat (c2g_tensor_get_value (output, 1, NULL), ==, 9);
}

/* set_input() takes effect with the next run of the predictor, not at once. */
static void
test_set_input_is_for_runs (void)
{
  g_autoptr (C2gPredictor) predictor = new_predictor (NULL);
  g_autoptr (C2gTensor) data = new_data (2);
  g_autoptr (C2gBlob) blob =
    c2g_workspace_get_blob (c2g_predictor_get_workspace (predictor), "data", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_predictor_set_input (predictor, "data", data, &error));
  g_assert_true (c2g_blob_is_empty (blob));
  g_assert_nonnull (run_with (predictor, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_net_run (c2g_predictor_get_net (predictor), NULL, &error));
  g_assert_no_error (error);
}

/* A blob of the parent workspace is used as an input, but cannot be set through the predictor. */
static void
test_parent_blob (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (parent, "data", NULL);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) data = new_data (2);
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (GError) error = NULL;
  guint n_outputs;

  c2g_blob_set_object (blob, G_OBJECT (data));
  predictor = new_predictor (parent);
  g_assert_cmpuint (g_strv_length ((char **) c2g_predictor_get_inputs (predictor)), ==, 2);
  outputs = c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  check_output (outputs[0], 2);
  g_assert_false (c2g_predictor_set_input (predictor, "data", data, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/predictor-inputs/placeholders", test_placeholders);
  c2g_test_add_func ("/predictor-inputs/feeds-back", test_feeds_back);
  c2g_test_add_func ("/predictor-inputs/input-changes", test_input_changes);
  c2g_test_add_func ("/predictor-inputs/in-place", test_in_place);
  c2g_test_add_func ("/predictor-inputs/wrong-inputs", test_wrong_inputs);
  c2g_test_add_func ("/predictor-inputs/refused-inputs", test_refused_inputs);
  c2g_test_add_func ("/predictor-inputs/refused-elsewhere", test_refused_elsewhere);
  c2g_test_add_func ("/predictor-inputs/refused-in-place", test_refused_in_place);
  c2g_test_add_func ("/predictor-inputs/set-input-is-for-runs", test_set_input_is_for_runs);
  c2g_test_add_func ("/predictor-inputs/parent-blob", test_parent_blob);

  return c2g_test_run ();
}
