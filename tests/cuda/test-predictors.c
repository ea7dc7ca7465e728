/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

#include <glib/gstdio.h>

/* Models in files, on a device and on the CPU. */

static C2gNetDef *
load_net (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models",
                                                 "digits", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  C2gNetDef *def = c2g_net_def_load_file (file, NULL, &error);

  g_assert_no_error (error);
  return def;
}

/* Loads the model in the repository. Its nets name @def_device, or no device if that is NULL. */
static C2gPredictor *
new_digits (C2gDevice *def_device,
            C2gDevice *device)
{
  g_autoptr (C2gNetDef) init = load_net ("init_net.pb");
  g_autoptr (C2gNetDef) predict = load_net ("predict_net.pb");
  g_autoptr (GError) error = NULL;
  C2gPredictor *predictor;

  if (def_device != NULL)
    {
      c2g_net_def_set_device (init, def_device);
      c2g_net_def_set_device (predict, def_device);
    }
  predictor = c2g_predictor_create (init, predict, NULL, device, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  return predictor;
}

/* Runs the predictor with a fixed input, and copies the output to the CPU. */
static C2gTensor *
run (C2gPredictor *predictor,
     C2gDevice    *output_device)
{
  g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
  g_autoptr (C2gTensor) input = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *result;
  guint n_outputs;

  nets_add_input (inputs, "data", C2G_TEST_DIMS (3, 1, 8, 8));
  input = nets_fetch (inputs, "data", c2g_device_cpu ());
  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_outputs, ==, 1);
  g_assert_true (c2g_tensor_get_device (outputs[0]) == output_device);
  result = c2g_tensor_to_device (outputs[0], c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return result;
}

static void
assert_parameters_on (C2gPredictor *predictor,
                      C2gDevice    *device)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  g_autoptr (C2gTensor) filters = nets_fetch (workspace, "conv1_w", device);
  g_autoptr (C2gTensor) bias = nets_fetch (workspace, "conv1_b", device);

  g_assert_cmpint (c2g_tensor_get_n_elements (filters), >, 0);
  g_assert_cmpint (c2g_tensor_get_n_elements (bias), >, 0);
}

/* Saves the predictor, and loads it for @device. */
static C2gPredictor *
save_and_load (C2gPredictor *predictor,
               C2gDevice    *device)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictors-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "model.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  C2gPredictor *loaded;

  g_assert_no_error (error);
  c2g_predictor_save (predictor, file, NULL, &error);
  g_assert_no_error (error);
  loaded = c2g_predictor_load (file, NULL, device, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);

  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
  return loaded;
}

/* @def_device is the device that the nets name, and @load_device the one they are loaded for.
 * Either may be NULL. */
static void
check_file (C2gDevice *def_device,
            C2gDevice *save_device,
            C2gDevice *load_device,
            C2gDevice *expected_device)
{
  g_autoptr (C2gPredictor) near = new_digits (NULL, NULL);
  g_autoptr (C2gPredictor) predictor = new_digits (def_device, save_device);
  g_autoptr (C2gPredictor) loaded = save_and_load (predictor, load_device);
  g_autoptr (C2gTensor) expected = run (near, c2g_device_cpu ());
  g_autoptr (C2gTensor) result = NULL;

  assert_parameters_on (loaded, expected_device);
  result = run (loaded, expected_device);
  nets_assert_close (result, expected);
}

/* A model that was saved on the CPU runs on a device, and vice versa. */
static void
test_file_for_device (void)
{
  check_file (NULL, NULL, first_device (), first_device ());
  check_file (NULL, first_device (), first_device (), first_device ());
  check_file (NULL, first_device (), c2g_device_cpu (), c2g_device_cpu ());
  check_file (NULL, first_device (), NULL, c2g_device_cpu ());
}

/* Nets that name a device have their parameters there, wherever they were saved. */
static void
test_file_of_device (void)
{
  check_file (first_device (), NULL, NULL, first_device ());
  check_file (first_device (), NULL, first_device (), first_device ());
  check_file (first_device (), NULL, c2g_device_cpu (), c2g_device_cpu ());
  check_file (first_device (), c2g_device_cpu (), NULL, first_device ());
}

/* Parameters that the init net filled on the CPU move to the device, except one that an operator on
 * the CPU reads. */
static void
test_places (void)
{
  static const char fill[] =
    "op { type: 'ConstantFill' output: 'a' arg { name: 'shape' ints: 3 } arg { name: 'value' f: 2 } }"
    "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 3 } arg { name: 'value' f: 3 } }";
  static const char text[] =
    "op { type: 'Add' input: 'X' input: 'a' output: 's' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'b' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'b' output: 'near' }"
    "op { type: 'Add' input: 's' input: 'far' output: 'y' device_option { device_type: 1 } }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) init = c2g_net_def_new_from_text (fill, &error);
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gTensor) x = new_far (first_device (), 3, NULL);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (C2gTensor) a = NULL;
  g_autoptr (C2gTensor) b = NULL;
  guint n_outputs;

  g_assert_no_error (error);
  predictor = c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  outputs = c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  assert_far (outputs[0], 5);
  a = nets_fetch (c2g_predictor_get_workspace (predictor), "a", first_device ());
  b = nets_fetch (c2g_predictor_get_workspace (predictor), "b", c2g_device_cpu ());
}

/* Iterations are counted on the CPU, whatever the device of the operators. */
static void
test_iterations (void)
{
  static const char fill[] =
    "op { type: 'ConstantFill' output: 'i' arg { name: 'shape' ints: 1 }"
    " arg { name: 'dtype' i: 10 } }";
  static const char text[] =
    "op { type: 'Iter' input: 'i' output: 'i' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'X' output: 'y' device_option { device_type: 1 } }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) init = c2g_net_def_new_from_text (fill, &error);
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gTensor) x = new_far (first_device (), 3, NULL);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) count = NULL;
  guint n_outputs;

  g_assert_no_error (error);
  predictor = c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  c2g_predictor_set_input (predictor, "X", x, &error);
  g_assert_no_error (error);
  g_free (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_no_error (error);
  count = nets_fetch (c2g_predictor_get_workspace (predictor), "i", c2g_device_cpu ());
  g_assert_cmpfloat (c2g_tensor_get_value (count, 0, NULL), ==, 1);
}

/* Blobs of the parent workspace are not moved. */
static void
test_parent (void)
{
  static const char text[] =
    "op { type: 'Add' input: 'X' input: 'Y' output: 'z' device_option { device_type: 1 } }";
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gTensor) x = new_far (first_device (), 3, NULL);
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) y = NULL;
  guint n_outputs;

  nets_add_input (parent, "Y", C2G_TEST_DIMS (3));
  predictor = c2g_predictor_create (NULL, predict, parent, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  g_assert_null (c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  y = nets_fetch (parent, "Y", c2g_device_cpu ());
}

/* A predictor of one product, a file of its parameters, and an input. */
typedef struct
{
  char         *folder;
  GFile        *file;
  C2gPredictor *predictor;
  C2gTensor    *x;
} Product;

static void
product_init (Product          *self,
              C2gWorkspace     *parent,
              C2gDevice        *device,
              const char       *device_option,
              C2gOptimizeFlags  flags)
{
  static const char fill[] = "op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 2 ints: 3 } } "
                             "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 2 } }";
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strconcat ("external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y' "
                                       "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' } ",
                                       device_option, NULL);
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNetDef) init = parent == NULL ? c2g_net_def_new_from_text (fill, &error) : NULL;
  g_autofree char *path = NULL;

  g_assert_no_error (error);
  self->folder = g_dir_make_tmp ("c2g-predictors-XXXXXX", NULL);
  path = g_build_filename (self->folder, "w.minidb", NULL);
  self->file = g_file_new_for_path (path);
  self->x = new_far (c2g_device_cpu (), 3, NULL);
  c2g_tensor_reshape (self->x, C2G_TEST_DIMS (1, 3), NULL);
  self->predictor = c2g_predictor_create (init, predict, parent, device, flags, &error);
  g_assert_no_error (error);
  c2g_predictor_save_parameters (self->predictor, self->file, NULL, &error);
  g_assert_no_error (error);
}

static void
product_clear (Product *self)
{
  g_file_delete (self->file, NULL, NULL);
  g_rmdir (self->folder);
  g_object_unref (self->file);
  g_free (self->folder);
  g_object_unref (self->x);
  g_object_unref (self->predictor);
}

/* Loads the parameters if is_load. They are on the device then, and a run succeeds. */
static void
product_check (Product  *self,
               gboolean  is_load)
{
  g_autoptr (GError) error = NULL;
  g_autofree C2gTensor **outputs = NULL;
  g_autoptr (C2gTensor) w = NULL;
  guint n_outputs;

  if (is_load)
    c2g_predictor_load_parameters (self->predictor, self->file, NULL, &error);
  g_assert_no_error (error);
  w = nets_fetch (c2g_predictor_get_workspace (self->predictor), "w", first_device ());
  outputs = c2g_predictor_run (self->predictor, &self->x, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
}

/* Parameters that are loaded again come to the device, also if they are in the parent workspace. */
static void
check_load_parameters (C2gWorkspace     *parent,
                       C2gOptimizeFlags  flags)
{
  Product product;

  product_init (&product, parent, first_device (), NULL, flags);
  product_check (&product, TRUE);
  product_check (&product, TRUE);
  product_clear (&product);
}

static void
test_load_parameters (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();

  check_load_parameters (NULL, C2G_OPTIMIZE_NONE);
  check_load_parameters (NULL, C2G_OPTIMIZE_ALL);
  check_load_parameters (NULL, C2G_OPTIMIZE_ALL | C2G_OPTIMIZE_HALF);
  nets_add_input (parent, "w", C2G_TEST_DIMS (2, 3));
  nets_add_input (parent, "b", C2G_TEST_DIMS (2));
  check_load_parameters (parent, C2G_OPTIMIZE_NONE);
}

/* Parameters come to the device that the operators name, although the net of float16 reads only copies of
 * them. A load for which there is no memory changes nothing. */
static void
test_load_to_operators (void)
{
  g_autoptr (C2gAllocator) before = c2g_allocator_get_default (first_device (), NULL);
  g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (before, 1);
  g_autoptr (GError) error = NULL;
  Product product;

  product_init (&product, NULL, NULL, "device_option { device_type: 1 }", C2G_OPTIMIZE_ALL | C2G_OPTIMIZE_HALF);
  g_assert_true (c2g_allocator_set_default (first_device (), limited, NULL));
  g_assert_false (c2g_predictor_load_parameters (product.predictor, product.file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_clear_error (&error);
  g_assert_true (c2g_allocator_set_default (first_device (), before, NULL));

  product_check (&product, FALSE);
  product_check (&product, TRUE);
  g_assert_true (c2g_predictor_optimize (product.predictor, C2G_OPTIMIZE_NONE, &error));
  product_check (&product, FALSE);
  g_assert_true (c2g_predictor_optimize (product.predictor, C2G_OPTIMIZE_ALL, &error));
  product_check (&product, FALSE);
  product_clear (&product);
}

/* The error names the parameter that the device has no memory for. */
static void
test_place_fails (void)
{
  static const char fill[] =
    "op { type: 'ConstantFill' output: 'a' arg { name: 'shape' ints: 3 } }";
  static const char text[] =
    "op { type: 'Add' input: 'X' input: 'a' output: 's' device_option { device_type: 1 } }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) init = c2g_net_def_new_from_text (fill, &error);
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gAllocator) former = c2g_allocator_get_default (first_device (), &error);
  g_autoptr (C2gAllocator) limited = c2g_limiting_allocator_new (former, 1);

  g_assert_no_error (error);
  g_assert_true (c2g_allocator_set_default (first_device (), limited, NULL));
  g_assert_null (c2g_predictor_create (init, predict, NULL, NULL, C2G_OPTIMIZE_ALL, &error));
  g_assert_true (c2g_allocator_set_default (first_device (), NULL, NULL));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_nonnull (strstr (error->message, "Blob “a”: "));
}

/* A parameter of a type that no device can have stays on the CPU, where operators find it. */
static void
test_stays (void)
{
  static const char fill[] =
    "op { type: 'GivenTensorStringFill' output: 's' arg { name: 'shape' ints: 1 } "
    "arg { name: 'values' strings: 'a' } }";
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictors-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "s.minidb", NULL);
  g_autofree char *text = g_strdup_printf (
    "op { type: 'Save' input: 's' arg { name: 'db' s: '%s' } arg { name: 'db_type' s: 'minidb' } "
    "arg { name: 'absolute_path' i: 1 } device_option { device_type: 1 } }",
    path);
  g_autoptr (C2gNetDef) init = c2g_net_def_new_from_text (fill, NULL);
  g_autoptr (C2gNetDef) predict = c2g_net_def_new_from_text (text, NULL);
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gPredictor) predictor = NULL;
  guint n_outputs;

  g_assert_no_error (error);
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ALL);
  predictor = c2g_predictor_create (init, predict, parent, NULL, C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  g_free (c2g_predictor_run (predictor, NULL, 0, &n_outputs, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));

  g_unlink (path);
  g_rmdir (folder);
}

/* Load puts tensors on its own device, unless keep_device is set. */
static void
test_load_operator (void)
{
  static const char *const keep[] = { "", "arg { name: 'keep_device' i: 1 }" };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-predictors-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "x.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gWorkspace) saved = c2g_workspace_new ();

  g_assert_no_error (error);
  nets_add_input (saved, "X", C2G_TEST_DIMS (2, 3));
  c2g_workspace_save_checkpoint (saved, file, NULL, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (keep); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "type: 'Load' output: 'X' device_option { device_type: 1 } arg { name: 'db' s: '%s' } "
        "arg { name: 'db_type' s: 'minidb' } arg { name: 'absolute_path' i: 1 } %s",
        path, keep[i]);
      g_autoptr (C2gOperatorDef) def = c2g_operator_def_new_from_text (text, &error);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gTensor) expected = nets_fetch (saved, "X", c2g_device_cpu ());
      g_autoptr (C2gTensor) result = NULL;

      for (guint k = 0; k < 2; k++)
        {
          c2g_workspace_run_operator_once (workspace, def, NULL, &error);
          g_assert_no_error (error);
        }
      result = nets_fetch (workspace, "X", i == 0 ? first_device () : c2g_device_cpu ());
      nets_assert_close (result, expected);
    }

  g_file_delete (file, NULL, NULL);
  g_rmdir (folder);
}

static void
append_conv (GString    *fill,
             GString    *net,
             const char *input,
             const char *output,
             int         n_in,
             int         n_kernel,
             gboolean    has_relu)
{
  g_string_append_printf (
    fill,
    "op { type: 'XavierFill' output: '%s_w' arg { name: 'shape' ints: 8 ints: %d ints: %d ints: %d } }"
    "op { type: 'ConstantFill' output: '%s_b' arg { name: 'shape' ints: 8 } }",
    output, n_in, n_kernel, n_kernel, output);
  g_string_append_printf (net,
                          "op { type: 'Conv' input: '%s' input: '%s_w' input: '%s_b' output: '%s' "
                          "arg { name: 'kernel' i: %d } arg { name: 'pad' i: %d } }",
                          input, output, output, output, n_kernel, n_kernel / 2);
  if (has_relu)
    g_string_append_printf (net, "op { type: 'Relu' input: '%s' output: '%s' }", output, output);
}

/* Blocks as in ResNet: two convolutions, the second of which is added to the input. */
static void
append_residual (GString *fill,
                 GString *net,
                 int      i)
{
  g_autofree char *input = g_strdup_printf ("x%d", i);
  g_autofree char *first = g_strdup_printf ("a%d", i);
  g_autofree char *second = g_strdup_printf ("b%d", i);

  append_conv (fill, net, input, first, 8, 3, TRUE);
  append_conv (fill, net, first, second, 8, 3, FALSE);
  g_string_append_printf (net,
                          "op { type: 'Sum' input: '%s' input: '%s' output: 'x%d' }"
                          "op { type: 'Relu' input: 'x%d' output: 'x%d' }",
                          input, second, i + 1, i + 1, i + 1);
}

/* Blocks as in SqueezeNet: a narrow convolution, and two whose outputs are joined. */
static void
append_fire (GString *fill,
             GString *net,
             int      i)
{
  g_autofree char *input = g_strdup_printf ("x%d", i);
  g_autofree char *narrow = g_strdup_printf ("a%d", i);
  g_autofree char *small = g_strdup_printf ("b%d", i);
  g_autofree char *large = g_strdup_printf ("c%d", i);

  append_conv (fill, net, input, narrow, i == 0 ? 8 : 16, 1, TRUE);
  append_conv (fill, net, narrow, small, 8, 1, TRUE);
  append_conv (fill, net, narrow, large, 8, 3, TRUE);
  g_string_append_printf (net,
                          "op { type: 'Concat' input: '%s' input: '%s' output: 'x%d' output: 's%d' }",
                          small, large, i + 1, i);
}

/* Leaves out what the imitation of cuDNN calls itself: for each convolution it checks its handle
 * twice, by cudaGetDevice() and cudaEventQuery(), and launches a kernel. c2g makes no such query
 * here. */
static guint
count_own_calls (void)
{
  const guint n_checks = count_calls ("cudaEventQuery");

  return count_calls (NULL) + count_calls ("cuCtxGetCurrent") - 2 * n_checks - n_checks / 2;
}

/* Counts the calls of the last one of n_runs runs: the first runs make memory and events that later
 * ones use again. */
static void
check_run_calls (C2gPredictor *predictor,
                 const gint64 *dims,
                 guint         n_runs)
{
  static const char *const never[] = { "cudaGetDeviceCount", "cudaDeviceGetAttribute",
                                       "cudaStreamWaitEvent" };
  g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (GError) error = NULL;
  guint n_never[G_N_ELEMENTS (never)];
  guint n_calls = 0, n_finished = 0, n_allocated = 0, n_outputs;
  gsize n_operators;

  nets_add_input (inputs, "x", dims, 4);
  x = nets_fetch (inputs, "x", c2g_device_cpu ());

  for (guint i = 0; i < n_runs; i++)
    {
      n_calls = count_own_calls ();
      n_finished = count_calls ("cudaStreamSynchronize");
      n_allocated = count_calls ("cudaMallocFromPoolAsync");
      for (gsize k = 0; k < G_N_ELEMENTS (never); k++)
        n_never[k] = count_calls (never[k]);
      g_free (c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error));
      g_assert_no_error (error);
    }

  n_operators =
    c2g_net_def_get_n_operators (c2g_net_get_definition (c2g_predictor_get_net (predictor)));
  g_test_message ("%u calls for %zu operators", count_own_calls () - n_calls, n_operators);
  g_assert_cmpuint (count_own_calls () - n_calls, <=, 4 * n_operators);
  g_assert_cmpuint (count_calls ("cudaStreamSynchronize") - n_finished, ==, 1);
  /* The copy of the output. */
  g_assert_cmpuint (count_calls ("cudaMallocFromPoolAsync") - n_allocated, <=, n_outputs);
  for (gsize k = 0; k < G_N_ELEMENTS (never); k++)
    g_assert_cmpuint (count_calls (never[k]) - n_never[k], ==, 0);
}

/* The same by a graph: whatever the number of operators, it is one launch. */
static void
check_graph_calls (C2gPredictor *predictor,
                   const gint64 *dims)
{
  g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
  g_autoptr (C2gTensor) x = NULL;
  g_autoptr (GError) error = NULL;
  guint n_calls = 0, n_kernels = 0, n_graphs = 0, n_finished = 0, n_outputs;

  nets_add_input (inputs, "x", dims, 4);
  x = nets_fetch (inputs, "x", c2g_device_cpu ());
  c2g_net_set_device_graph (c2g_predictor_get_net (predictor), TRUE);

  for (guint i = 0; i < 5; i++)
    {
      n_calls = count_own_calls ();
      n_kernels = count_calls ("cudaLaunchKernel");
      n_graphs = count_calls ("cudaGraphLaunch");
      n_finished = count_calls ("cudaStreamSynchronize");
      g_free (c2g_predictor_run (predictor, &x, 1, &n_outputs, NULL, &error));
      g_assert_no_error (error);
    }

  g_test_message ("%u calls by a graph", count_own_calls () - n_calls);
  g_assert_cmpuint (count_own_calls () - n_calls, <=, 40);
  g_assert_cmpuint (count_calls ("cudaLaunchKernel") - n_kernels, ==, 0);
  g_assert_cmpuint (count_calls ("cudaGraphLaunch") - n_graphs, ==, 1);
  g_assert_cmpuint (count_calls ("cudaStreamSynchronize") - n_finished, ==, 1);
}

static void
check_calls (void (*append) (GString *fill, GString *net, int i))
{
  static const gint64 dims[] = { 1, 8, 6, 6 };
  g_autoptr (GString) fill = g_string_new (NULL);
  g_autoptr (GString) net = g_string_new (NULL);
  g_autoptr (C2gNetDef) init = NULL;
  g_autoptr (C2gNetDef) predict = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 8; i++)
    append (fill, net, i);
  init = c2g_net_def_new_from_text (fill->str, &error);
  g_assert_no_error (error);
  predict = c2g_net_def_new_from_text (net->str, &error);
  g_assert_no_error (error);
  predictor = c2g_predictor_create (init, predict, NULL, first_device (), C2G_OPTIMIZE_ALL, &error);
  g_assert_no_error (error);
  check_run_calls (predictor, dims, 9);
  check_graph_calls (predictor, dims);
}

/* A run makes few calls of CUDA for an operator, and waits once. */
static void
test_calls (void)
{
  if (!needs_fake ())
    return;

  check_calls (append_residual);
  check_calls (append_fire);
}

static void
check_calls_of_model (GFile        *folder,
                      const gint64 *dims)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gPredictor) predictor =
    c2g_predictor_load (folder, NULL, first_device (), C2G_OPTIMIZE_ALL, NULL, &error);

  g_assert_no_error (error);
  g_test_message ("%s", g_file_peek_path (folder));
  check_run_calls (predictor, dims, 5);
  check_graph_calls (predictor, dims);
}

/* The same for trained models. */
static void
test_calls_of_models (void)
{
  if (needs_fake () && !c2g_test_skip_if_quick ())
    nets_foreach_model (check_calls_of_model);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/predictors/file-for-device", test_file_for_device);
  add_clean_func ("/cuda/predictors/file-of-device", test_file_of_device);
  add_clean_func ("/cuda/predictors/places", test_places);
  add_clean_func ("/cuda/predictors/iterations", test_iterations);
  add_clean_func ("/cuda/predictors/parent", test_parent);
  add_clean_func ("/cuda/predictors/load-parameters", test_load_parameters);
  add_clean_func ("/cuda/predictors/load-to-operators", test_load_to_operators);
  add_clean_func ("/cuda/predictors/place-fails", test_place_fails);
  add_clean_func ("/cuda/predictors/stays", test_stays);
  add_clean_func ("/cuda/predictors/load-operator", test_load_operator);
  add_clean_func ("/cuda/predictors/calls", test_calls);
  c2g_test_add_func ("/cuda/predictors/calls-of-models", test_calls_of_models);

  return run_on_device ();
}
