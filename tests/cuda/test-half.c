/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/cuda-utils.h"
#include "tests/cuda/nets-utils.h"

#include <math.h>

/* Predictors that compute with float16 on a device. */

static C2gPredictor *
load (GFile *folder,
      C2gDevice *device,
      C2gOptimizeFlags flags,
      guint64 *n_bytes)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  const guint64 n_before = c2g_memory_reporter_get_current_bytes (reporter, device);
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor = c2g_predictor_load (folder, NULL, device, flags, NULL, &error);

  g_assert_no_error (error);
  *n_bytes = c2g_memory_reporter_get_current_bytes (reporter, device) - n_before;
  return predictor;
}

/* Returns the output on the CPU. */
static C2gTensor *
run (C2gPredictor *predictor,
     const gint64 *dims)
{
  g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *result;
  guint n_outputs;

  nets_add_input (inputs, "x", dims, 4);
  x = nets_fetch (inputs, "x", c2g_device_cpu ());
  outputs = c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (outputs[0]), ==, C2G_DATA_TYPE_FLOAT);
  result = c2g_tensor_to_device (outputs[0], c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return result;
}

static void
assert_near (C2gTensor *result,
             C2gTensor *expected)
{
  double largest = 0;

  g_assert_cmpint (c2g_tensor_get_n_elements (result), ==, c2g_tensor_get_n_elements (expected));
  g_assert_cmpint (c2g_tensor_get_n_elements (result), >, 0);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (result); i++)
    {
      const double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_true (isfinite (c2g_tensor_get_value (result, i, NULL)) && isfinite (wanted));
      largest = fmax (largest, fabs (c2g_tensor_get_value (result, i, NULL) - wanted) / (fabs (wanted) + 1));
    }
  g_test_message ("The largest error is %g, and the first number %g", largest,
                  c2g_tensor_get_value (result, 0, NULL));
  g_assert_cmpfloat (largest, <, 1e-2);
}

/* The results stay near, and the parameters take half the memory. */
static void
check_model (GFile *folder,
             const gint64 *dims)
{
  guint64 n_floats, n_halves;
  g_autoptr (C2gPredictor) floats = load (folder, first_device (), C2G_OPTIMIZE_ALL, &n_floats);
  g_autoptr (C2gPredictor) halves =
      load (folder, first_device (), C2G_OPTIMIZE_ALL | C2G_OPTIMIZE_HALF, &n_halves);
  g_autoptr (C2gTensor) expected = run (floats, dims);
  g_autoptr (C2gTensor) result = run (halves, dims);

  g_test_message ("%" G_GUINT64_FORMAT " bytes became %" G_GUINT64_FORMAT, n_floats, n_halves);
  assert_near (result, expected);
  g_assert_cmpuint (n_halves, <, n_floats * 11 / 20);
}

static void
test_models (void)
{
  static const struct
  {
    const char *folder;
    gint64 dims[4];
  } models[] = {
    { "cifar10_resnet32", { 1, 3, 32, 32 } },
    { "squeezenet11", { 1, 3, 39, 39 } },
  };

  if (!needs_fake () || c2g_test_skip_if_quick ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "..", "shared",
                                                     "models", models[i].folder, NULL);
      g_autoptr (GFile) folder = g_file_new_for_path (path);

      if (!g_file_query_exists (folder, NULL))
        g_test_skip_printf ("../shared/models/%s is not there", models[i].folder);
      else
        check_model (folder, models[i].dims);
    }
}

#define FILL(name, shape, value)                                               \
  "op { type: 'GivenTensorFill' output: '" name "' arg { name: 'shape' " shape \
  " } arg { name: 'values' " value " } }"

static C2gPredictor *
create (C2gDevice *device,
        C2gOptimizeFlags flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) init = c2g_net_def_new_from_text (
      FILL ("w", "ints: 1 ints: 1 ints: 1 ints: 2", "floats: 0.5 floats: -0.25")
          FILL ("b", "ints: 1", "floats: 1")
              FILL ("v", "ints: 1 ints: 1 ints: 1 ints: 1", "floats: 3"),
      &error);
  g_autoptr (C2gNetDef) predict = NULL;
  C2gPredictor *predictor;

  g_assert_no_error (error);
  /* Softmax knows floats only, so w stays. */
  predict = c2g_net_def_new_from_text (
      "external_input: 'x' external_input: 'w' external_input: 'b' external_input: 'v'"
      "external_output: 'y' external_output: 'z'"
      "op { type: 'Conv' input: 'x' input: 'w' input: 'b' output: 'y' arg { name: 'kernel_h' i: 1 }"
      "     arg { name: 'kernel_w' i: 2 } }"
      "op { type: 'Relu' input: 'y' output: 'y' }"
      "op { type: 'Softmax' input: 'w' output: 's' arg { name: 'axis' i: 3 } }"
      "op { type: 'Conv' input: 'y' input: 'v' output: 't' arg { name: 'kernel' i: 1 } }"
      "op { type: 'Sum' input: 't' input: 'y' output: 'z' }",
      &error);
  g_assert_no_error (error);
  predictor = c2g_predictor_create (init, predict, NULL, device, flags, &error);
  g_assert_no_error (error);
  return predictor;
}

static C2gDataType
find_type (C2gPredictor *predictor,
           const char *name,
           C2gDevice *device)
{
  g_autoptr (C2gTensor) tensor = nets_fetch (c2g_predictor_get_workspace (predictor), name, device);

  return c2g_tensor_get_data_type (tensor);
}

/* Parameters of a reader of floats stay floats, outputs in place become floats again, and the CPU
 * computes as ever. */
static void
test_types (void)
{
  static const gint64 dims[] = { 2, 1, 3, 4 };
  g_autoptr (C2gPredictor) near = create (c2g_device_cpu (), C2G_OPTIMIZE_HALF);
  g_autoptr (C2gPredictor) far = create (first_device (), C2G_OPTIMIZE_HALF);

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gTensor) expected = run (near, dims);
      g_autoptr (C2gTensor) result = run (far, dims);

      assert_near (result, expected);
    }
  g_assert_cmpint (find_type (near, "v", c2g_device_cpu ()), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpint (find_type (far, "v", first_device ()), ==, C2G_DATA_TYPE_FLOAT16);
  g_assert_cmpint (find_type (far, "b", first_device ()), ==, C2G_DATA_TYPE_FLOAT16);
  g_assert_cmpint (find_type (far, "w", first_device ()), ==, C2G_DATA_TYPE_FLOAT);
  g_assert_cmpint (find_type (far, "z", first_device ()), ==, C2G_DATA_TYPE_FLOAT);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/half/types", test_types);
  c2g_test_add_func ("/cuda/half/models", test_models);

  return run_on_device ();
}
