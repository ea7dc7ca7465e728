/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

#include <c2g/c2g-backend.h>

#include <glib/gstdio.h>

/* Nets on one device, or on several. */

/* Blobs are copied back to the CPU inside the net, and used there. */
static void
test_back_and_forth (void)
{
  static const char text[] =
    "name: 'there and back'"
    "op { type: 'CopyCPUToGPU' input: 'X' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'far' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'CopyGPUToCPU' input: 'far' output: 'near' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'X' output: 'expected' }"
    "op { type: 'Sub' input: 'near' input: 'expected' output: 'zero' }";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gTensor) zero = NULL;

  nets_add_inputs (workspace);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
  zero = nets_fetch (workspace, "zero", c2g_device_cpu ());
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (zero); i++)
    g_assert_cmpfloat (c2g_tensor_get_value (zero, i, NULL), ==, 0);
}

/* Copies blobs from one device to another, and back. */
static void
check_peers (const char *kind)
{
  g_autofree char *text = g_strdup_printf (
    "name: 'peers' type: '%s'"
    "op { type: 'CopyCPUToGPU' input: 'X' output: 'a' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'a' output: 'b' device_option { device_type: 1 } }"
    "op { type: 'Copy' input: 'b' output: 'c' device_option { device_type: 1 cuda_gpu_id: 1 } }"
    "op { type: 'Sqr' input: 'c' output: 'd' device_option { device_type: 1 cuda_gpu_id: 1 } }"
    "op { type: 'CopyOnDeviceLike' input: 'd' input: 'a' output: 'e'"
    " device_option { device_type: 1 } }"
    "op { type: 'Sub' input: 'b' input: 'e' output: 'b' device_option { device_type: 1 } }"
    "op { type: 'CopyGPUToCPU' input: 'b' output: 'result' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'X' output: 'r' } op { type: 'Sqr' input: 'r' output: 's' }"
    "op { type: 'Sub' input: 'r' input: 's' output: 'expected' }",
    kind);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNet) net = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gTensor) expected = NULL;

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  result = nets_fetch (workspace, "result", c2g_device_cpu ());
  expected = nets_fetch (workspace, "expected", c2g_device_cpu ());
  nets_assert_close (result, expected);
}

static void
test_peers (void)
{
  if (second_device () == NULL)
    return;

  check_peers ("simple");
  check_peers ("dag");
}

/* Operators without a function for CUDA, and blobs on the wrong device. */
static void
test_errors (void)
{
  static const struct
  {
    const char *text;
    C2gError    code;
    const char *part;
  } wrong[] = {
    { "op { type: 'StringJoin' input: 'X' output: 'y' device_option { device_type: 1 } }",
      C2G_ERROR_DEVICE, "StringJoin" },
    { "name: 'many' op { type: 'Relu' input: 'X' output: 'a' }"
      "op { type: 'StringJoin' input: 'a' output: 'b' } op { type: 'LC' input: 'b' output: 'c' }"
      "op { type: 'StringJoin' input: 'c' output: 'd' } op { type: 'Relu' input: 'd' output: 'e' }"
      "op { type: 'LengthsToRanges' input: 'e' output: 'f' device_option { device_type: 0 } }"
      "op { type: 'Unique' input: 'e' output: 'g' } device_option { device_type: 1 }",
      C2G_ERROR_DEVICE,
      "Net “many”: Operators of these types are not there for devices of type “cuda”: "
      "“StringJoin”, “LC”, “Unique”" },
    { "name: 'n' op { type: 'CopyCPUToGPU' input: 'X' output: 'y' device_option { device_type: 1 } }"
      "op { type: 'TopK' name: 'best' input: 'y' output: 'a' output: 'b' output: 'c'"
      " arg { name: 'k' i: 2 } device_option { device_type: 1 } }",
      C2G_ERROR_NOT_SUPPORTED,
      "Net “n”, operator 1: TopK “best”: This cannot run on cuda:0 with these arguments and "
      "inputs; let it run on the CPU" },
    { "op { type: 'CopyCPUToGPU' input: 'X' output: 'y' device_option { device_type: 1 } }"
      "op { type: 'Relu' input: 'y' output: 'z' }",
      C2G_ERROR_DEVICE, "“y”, is on cuda:0, expected cpu; the operator CopyGPUToCPU brings" },
    { "op { type: 'Relu' input: 'X' output: 'y' device_option { device_type: 1 } }",
      C2G_ERROR_DEVICE, "“X”, is on cpu, expected cuda:0; the operator CopyCPUToGPU brings" },
    { "op { type: 'Relu' input: 'X' output: 'y'"
      " device_option { device_type: 1 cuda_gpu_id: 999 } }",
      C2G_ERROR_DEVICE, "cuda:999" },
    { "op { type: 'CopyGPUToCPU' input: 'X' output: 'y' device_option { device_type: 1 } }",
      C2G_ERROR_DEVICE, "expected cuda:0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (wrong[i].text, &error);

      g_assert_no_error (error);
      nets_add_inputs (workspace);
      g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
      g_assert_error (error, C2G_ERROR, (int) wrong[i].code);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, wrong[i].part));
    }
}

/* Blobs that were saved from a device are loaded onto the wanted one. */
static void
test_save_and_load (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-nets-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "blobs", NULL);
  g_autoptr (C2gTensor) expected = NULL;

  for (guint i = 0; i < 3; i++)
    {
      C2gDevice *device = i < 2 ? first_device () : c2g_device_cpu ();
      g_autofree char *text = g_strdup_printf (
        "name: 'n' device_option { device_type: %d } op { type: '%s' arg { name: 'db' s: '%s' }"
        " arg { name: 'db_type' s: 'minidb' } arg { name: 'absolute_path' i: 1 } %s: 'X' }",
        i < 2, i == 0 ? "Save" : "Load", path, i == 0 ? "input" : "output");
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
      g_autoptr (C2gTensor) result = NULL;

      g_assert_no_error (error);
      if (i == 0)
        {
          g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "X", NULL);
          g_autoptr (C2gTensor) far = NULL;

          nets_add_input (workspace, "near", C2G_TEST_DIMS (7, 9));
          expected = nets_fetch (workspace, "near", c2g_device_cpu ());
          far = c2g_tensor_to_device (expected, device, &error);
          g_assert_no_error (error);
          c2g_blob_set_object (blob, G_OBJECT (far));
        }
      c2g_workspace_run_net_once (workspace, def, NULL, &error);
      g_assert_no_error (error);
      result = nets_fetch (workspace, "X", device);
      nets_assert_close (result, expected);
    }

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A launch fails inside a net. The error names net and operator, and the net can run again. */
static void
test_failing_launch (void)
{
  static const char text[] =
    "name: 'failing'"
    "op { type: 'CopyCPUToGPU' input: 'X' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'far' output: 'y' device_option { device_type: 1 } }";
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNet) net = NULL;

  if (!needs_fake ())
    return;

  nets_add_inputs (workspace);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchOutOfResources, FALSE);
  g_assert_false (c2g_net_run (net, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "failing"));
  g_assert_nonnull (strstr (error->message, "Relu"));
  g_assert_nonnull (strstr (error->message, "cudaErrorLaunchOutOfResources"));
  g_clear_error (&error);
  on_fake (fake_cuda_clear_failures);

  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
}

/* Returns the output of a model on @device, for an input on @input_device with four dimensions. */
static C2gTensor *
run_model (const char   *path,
           const gint64 *dims,
           C2gDevice    *device,
           C2gDevice    *input_device)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) inputs = c2g_workspace_new ();
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) input = NULL;
  g_autofree C2gTensor **outputs = NULL;
  C2gTensor *result;
  guint n_outputs;

  /* LeNet's parameters are in the parent folder of its nets. */
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ALL);
  predictor = c2g_predictor_load (folder, parent, device, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  nets_add_input (inputs, "data", dims, 4);
  near = nets_fetch (inputs, "data", c2g_device_cpu ());
  input = c2g_tensor_to_device (near, input_device, &error);
  g_assert_no_error (error);

  outputs = c2g_predictor_run (predictor, &input, 1, &n_outputs, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_outputs, ==, 1);
  g_assert_true (c2g_tensor_get_device (outputs[0]) == device);
  result = c2g_tensor_to_device (outputs[0], c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return result;
}

/* A model on a device takes its input from the CPU or from the device. */

static void
check_model (const char   *path,
             const gint64 *dims)
{
  C2gDevice *near = c2g_device_cpu ();
  g_autoptr (C2gTensor) expected = run_model (path, dims, near, near);
  g_autoptr (C2gTensor) from_near = run_model (path, dims, first_device (), near);
  g_autoptr (C2gTensor) from_far = run_model (path, dims, first_device (), first_device ());

  nets_assert_close (from_near, expected);
  nets_assert_close (from_far, expected);
}

/* The model in the repository. */
static void
test_digits (void)
{
  static const gint64 dims[] = { 3, 1, 8, 8 };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models",
                                                 "digits", NULL);

  check_model (path, dims);
}

/* The models that the table of benchmarks runs on a GPU. SqueezeNet gets smaller images than usual,
 * because the emulated kernels are slow. */
static void
test_table (void)
{
  static const struct
  {
    const char *folder;
    gint64      dims[4];
  } models[] = {
    { "lenet_lmdb/deploy_models", { 2, 1, 28, 28 } },
    { "cifar10_resnet32", { 1, 3, 32, 32 } },
    { "squeezenet11", { 1, 3, 67, 67 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "..", "shared",
                                                     "models", models[i].folder, NULL);

      if (i > 0 && c2g_test_skip_if_quick ())
        break;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        check_model (path, models[i].dims);
      else
        g_test_skip_printf ("../shared/models/%s is not there", models[i].folder);
    }
}

/* Starts work as an operator would. */
#define COMPUTE(context, error, ...)                                                               \
  c2g_cuda_device_backend (NULL)->compute->run (context, &(C2gComputeRequest){ __VA_ARGS__ }, error)

/* The error names the bad index as it was given, even a negative one. */
static void
test_bad_index (void)
{
  static const gint64 indices[] = { 2, -4, 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) x = new_far (first_device (), 3, NULL);
  g_autoptr (C2gTensor) y = new_far (first_device (), 3, NULL);

  for (guint i = 0; i < 4; i++)
    {
      const C2gDataType type = i < 2 ? C2G_DATA_TYPE_INT32 : C2G_DATA_TYPE_INT64;
      g_autoptr (C2gTensor) near = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
      g_autoptr (C2gTensor) far = NULL;
      float *result = c2g_tensor_mutable_data (y, C2G_DATA_TYPE_FLOAT, NULL);

      c2g_tensor_allocate (near, type, NULL);
      for (guint k = 0; k < G_N_ELEMENTS (indices); k++)
        c2g_tensor_set_value (near, k, indices[k], NULL);
      far = c2g_tensor_to_device (near, first_device (), &error);
      g_assert_no_error (error);

      g_assert_false (COMPUTE (context, &error, C2G_COMPUTE_KIND_GATHER,
                               .x = c2g_tensor_raw_data (x, NULL), .n_outer = 1, .n = 3,
                               .item_size = sizeof (float), .type = type,
                               .indices = c2g_tensor_raw_data (far, NULL), .n_indices = 3,
                               .wraps = i % 2 != 0, .y = result));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      g_assert_nonnull (strstr (error->message, "place 1 is -4"));
      g_assert_nonnull (strstr (error->message, i % 2 != 0 ? "at least -3" : "at least 0"));
      g_clear_error (&error);
    }
}

/* The error for a missing kernel names the type, the size of an item or the number of dimensions. */
static void
test_missing_kernels (void)
{
  const gint64 dims[] = { 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2 };
  const gint64 strides[] = { 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) x = new_far (first_device (), 1 << 10, NULL);
  float *data = c2g_tensor_mutable_data (x, C2G_DATA_TYPE_FLOAT, NULL);

  g_assert_false (COMPUTE (context, &error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_CUBE,
                           .type = C2G_DATA_TYPE_UINT16, .x = data, .y = data, .n = 9));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "cuda:0 has no function"));
  g_assert_nonnull (strstr (error->message, "type uint16"));
  g_clear_error (&error);

  g_assert_false (COMPUTE (context, &error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_ADD,
                           .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = G_N_ELEMENTS (dims),
                           .x = data, .x_strides = strides, .other = data, .other_strides = strides,
                           .y = data));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "cuda:0 has no function"));
  g_assert_nonnull (strstr (error->message, "19 dimensions"));
  g_clear_error (&error);

  g_assert_false (COMPUTE (context, &error, C2G_COMPUTE_KIND_MOVE, .item_size = 3, .dims = dims,
                           .n_dims = 1, .x = data, .x_strides = strides, .y = data,
                           .y_strides = strides));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "items of 3 bytes"));
  g_clear_error (&error);

  g_assert_false (COMPUTE (context, &error, C2G_COMPUTE_KIND_CHOOSE, .item_size = 3, .n = 1,
                           .n_alike = 1, .x = data, .other = data, .y = data));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "items of 3 bytes"));
}

/* A later c2g may ask for kinds that this library does not know, also with an engine. */
static void
test_unknown_kinds (void)
{
  const C2gDeviceBackend *backend = c2g_cuda_device_backend (NULL);
  const C2gDeviceCompute *computes[] = { backend->compute, backend->get_engine ("CUDNN", NULL) };
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (computes) && computes[i] != NULL; i++)
    {
      const C2gComputeRequest request = { .kind = C2G_COMPUTE_KIND_UNITS + 1 };
      g_autoptr (GError) error = NULL;

      for (C2gComputeKind kind = C2G_COMPUTE_KIND_FILL; kind < request.kind; kind++)
        g_assert_true (computes[i]->has (kind));
      g_assert_false (computes[i]->has (request.kind));
      g_assert_false (computes[i]->run (context, &request, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
    }
}

static C2gTensor *
add_far (C2gWorkspace *workspace,
         const char   *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  g_autoptr (C2gTensor) far = c2g_tensor_new_sized (C2G_TEST_DIMS (1 << 16), first_device (), NULL);

  g_assert_true (c2g_tensor_allocate (far, C2G_DATA_TYPE_FLOAT, NULL));
  c2g_blob_set_object (blob, G_OBJECT (far));
  return far;
}

static void
fill (C2gContext *context,
      C2gTensor  *tensor,
      double      value)
{
  g_autoptr (GError) error = NULL;

  c2g_context_fill (context, tensor, value, &error);
  g_assert_no_error (error);
}

static void
assert_filled (C2gWorkspace *workspace,
               const char   *name,
               double        value)
{
  g_autoptr (C2gTensor) near = nets_fetch (workspace, name, first_device ());

  for (gint64 i = 0; i < 1 << 16; i += 4095)
    g_assert_cmpfloat (c2g_tensor_get_value (near, i, NULL), ==, value);
}

/* A tensor that another context has just filled takes the place of the input. */
static void
run_on_new_memory (C2gWorkspace *workspace,
                   C2gNet       *net,
                   C2gContext   *context)
{
  g_autoptr (C2gTensor) far = new_far (first_device (), 1 << 16, context);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "x", NULL);
  g_autoptr (C2gBlob) result = c2g_workspace_get_blob (workspace, "y", NULL);
  g_autoptr (GError) error = NULL;

  c2g_blob_set_object (blob, G_OBJECT (far));
  c2g_net_run (net, NULL, &error);
  g_assert_no_error (error);
  assert_far (c2g_blob_get_tensor (result, NULL), 0);
}

/* A net run without a context comes after the work of other contexts with the blobs that it
 * uses. */
static void
test_order (void)
{
  static const char *const types[] = { "simple", "dag" };
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), NULL);
  g_autoptr (C2gOperatorDef) def = c2g_operator_def_new_from_text (
    "type: 'Relu' input: 'x' output: 'y' device_option { device_type: 1 }", NULL);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      C2gTensor *x = add_far (workspace, "x");
      C2gTensor *y = add_far (workspace, "y");
      g_autofree char *text = g_strdup_printf (
        "name: 'n' type: '%s' device_option { device_type: 1 } "
        "op { type: 'Relu' input: 'x' output: 'y' } op { type: 'Relu' input: 'y' output: 'z' } "
        "op { type: 'CopyGPUToCPU' input: 'z' output: 'near' } "
        "op { type: 'Relu' input: 'near' output: 'near2' device_option { device_type: 0 } } "
          "op { type: 'CopyCPUToGPU' input: 'near2' output: 'far' }",
          types[i]);
      g_autoptr (C2gNetDef) net_def = c2g_net_def_new_from_text (text, &error);
      g_autoptr (C2gNet) net = NULL;

      g_assert_no_error (error);
      net = c2g_workspace_create_net (workspace, net_def, FALSE, &error);
      g_assert_no_error (error);
      for (int k = 1; k <= 6; k++)
        {
          fill (context, y, -k);
          fill (context, x, k);
          if (k % 2 == 0)
            c2g_workspace_run_operator_once (workspace, def, NULL, &error);
          else
            c2g_net_run (net, NULL, &error);
          g_assert_no_error (error);
          assert_filled (workspace, "y", k);
          if (k % 2 != 0)
            assert_filled (workspace, "far", k);
        }
      run_on_new_memory (workspace, net, context);
    }
}

/* Operators on the device are timed by events there, the others by the host. */
static void
test_times (void)
{
  static const char text[] =
    "name: 'times'"
    "op { type: 'CopyCPUToGPU' input: 'X' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'far' output: 'far' device_option { device_type: 1 } }"
    "op { type: 'Relu' input: 'X' output: 'near' }";
  static const char *const failing[] = { "cudaEventCreateWithFlags", "cudaEventRecord",
                                         "cudaEventSynchronize", "cudaEventElapsedTime" };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  g_autoptr (C2gNetBenchmark) benchmark = NULL;
  g_autoptr (C2gNet) net = NULL;
  guint n_calls = count_calls ("cudaEventElapsedTime");

  nets_add_inputs (workspace);
  net = c2g_workspace_create_net (workspace, def, FALSE, &error);
  g_assert_no_error (error);
  benchmark = c2g_net_benchmark (net, 1, 3, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpfloat (c2g_net_benchmark_get_operator_seconds (benchmark, i), >, 0);
  if (is_fake ())
    g_assert_cmpuint (count_calls ("cudaEventElapsedTime"), ==, n_calls + 2 * 3);

  for (gsize i = 0; i < G_N_ELEMENTS (failing) && is_fake (); i++)
    {
      g_autoptr (GError) local_error = NULL;

      on_fake (fake_cuda_fail, failing[i], 1, cudaErrorUnknown, 0);
      g_assert_null (c2g_net_benchmark (net, 0, 2, NULL, &local_error));
      on_fake (fake_cuda_clear_failures);
      g_assert_error (local_error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (local_error->message, failing[i]));
      g_test_message ("%s", local_error->message);
      g_assert_nonnull (strstr (local_error->message, "Net “times”, operator"));
    }
}

/* The CPU and the device in turns */

/* Makes a blob in pinned memory with the floats 0, 1, 2, … */
static C2gTensor *
add_pinned (C2gWorkspace *workspace,
            const char   *name)
{
  const gint64 n = 1000;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) allocator = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gStorage) storage =
    c2g_allocator_allocate (allocator, n * sizeof (float), NULL, &error);
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, &n, 1, storage, 0, &error);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  float *values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    values[i] = i;
  c2g_blob_set_object (blob, G_OBJECT (tensor));

  return g_steal_pointer (&tensor);
}

static void
run_text (C2gWorkspace *workspace,
          const char   *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_values (C2gTensor *tensor,
               double     step)
{
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, step * i);
}

/* A copy in a context is pending while operators on the CPU use the same memory. */
static void
test_pinned (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) pinned = add_pinned (workspace, "pinned");
  g_autoptr (C2gTensor) far = new_far (first_device (), 1000, NULL);
  g_autoptr (C2gTensor) copy = c2g_tensor_new ();
  g_autoptr (C2gTensor) doubled = NULL;

  /* The device reads, and then the CPU writes. */
  c2g_tensor_copy_from (far, pinned, context, &error);
  g_assert_no_error (error);
  run_text (workspace, "op { type: 'Add' input: 'pinned' input: 'pinned' output: 'pinned' }");
  assert_far (far, 0);
  assert_values (pinned, 2);

  /* The device writes, and then the CPU reads. */
  c2g_tensor_copy_from (pinned, far, context, &error);
  g_assert_no_error (error);
  run_text (workspace, "op { type: 'Add' input: 'pinned' input: 'pinned' output: 'doubled' }");
  doubled = nets_fetch (workspace, "doubled", c2g_device_cpu ());
  assert_values (doubled, 2);

  /* A copy without a context waits too. */
  c2g_tensor_set_value (pinned, 1, -1, NULL);
  c2g_tensor_copy_from (pinned, far, context, &error);
  c2g_tensor_copy_from (copy, pinned, NULL, &error);
  g_assert_no_error (error);
  assert_values (copy, 1);
}

/* The error of failed work is reported by the operator that waits for it. */
static void
test_pinned_fails (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (
    "op { type: 'Add' input: 'pinned' input: 'pinned' output: 'doubled' }", NULL);
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) pinned = add_pinned (workspace, "pinned");
  g_autoptr (C2gTensor) far = new_far (first_device (), 1000, NULL);

  if (!needs_fake ())
    return;

  c2g_tensor_copy_from (pinned, far, context, &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_fail, "cudaEventSynchronize", 1, cudaErrorUnknown, 0);
  g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
  on_fake (fake_cuda_clear_failures);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_true (g_str_has_prefix (error->message, "Operator 0: Add: cudaEventSynchronize"));
  g_clear_error (&error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/nets/back-and-forth", test_back_and_forth);
  add_clean_func ("/cuda/nets/peers", test_peers);
  add_clean_func ("/cuda/nets/errors", test_errors);
  add_clean_func ("/cuda/nets/save-and-load", test_save_and_load);
  add_clean_func ("/cuda/nets/failing-launch", test_failing_launch);
  add_clean_func ("/cuda/nets/digits", test_digits);
  add_clean_func ("/cuda/nets/table", test_table);
  add_clean_func ("/cuda/nets/order", test_order);
  add_clean_func ("/cuda/nets/bad-index", test_bad_index);
  add_clean_func ("/cuda/nets/missing-kernels", test_missing_kernels);
  add_clean_func ("/cuda/nets/unknown-kinds", test_unknown_kinds);
  add_clean_func ("/cuda/nets/times", test_times);
  add_clean_func ("/cuda/nets/pinned", test_pinned);
  add_clean_func ("/cuda/nets/pinned-fails", test_pinned_fails);

  return run_on_device ();
}
