/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/libraries-utils.h"
#include "tests/cuda/nets-utils.h"
#include "tests/cuda/tensors-utils.h"

#include <math.h>

/* Operators that compute with types that only devices compute with. */

static const struct
{
  C2gDataType type;
  double      precision;
} types[] = {
  { C2G_DATA_TYPE_FLOAT16, 2e-3 },
  { C2G_DATA_TYPE_BFLOAT16, 2e-2 },
  { C2G_DATA_TYPE_DOUBLE, 1e-6 },
};

/* The shapes of up to three inputs; 0 ends a shape. */
typedef struct
{
  const char *text;
  gint64      dims[3][5];
} Case;

static const Case cases[] = {
  { "type: 'FC'", { { 3, 4 }, { 5, 4 }, { 5 } } },
  { "type: 'FC' arg { name: 'axis' i: 2 }", { { 2, 3, 4 }, { 5, 4 }, { 5 } } },
  { "type: 'FCTransposed'", { { 3, 4 }, { 4, 5 }, { 5 } } },
  { "type: 'MatMul'", { { 3, 4 }, { 4, 5 } } },
  { "type: 'MatMul' arg { name: 'trans_a' i: 1 } arg { name: 'trans_b' i: 1 }", { { 4, 3 }, { 5, 4 } } },
  { "type: 'BatchMatMul'", { { 6, 3, 4 }, { 6, 4, 5 } } },
  { "type: 'BatchMatMul' arg { name: 'broadcast' i: 1 }", { { 6, 3, 4 }, { 4, 5 } } },
  /* No distance between matrices is the same for all products. */
  { "type: 'BatchMatMul' arg { name: 'broadcast' i: 1 }", { { 2, 1, 3, 4 }, { 3, 4, 5 } } },
  { "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }", { { 2, 3, 5, 4 }, { 4, 3, 3, 3 }, { 4 } } },
  { "type: 'Conv' arg { name: 'kernel' i: 2 } arg { name: 'group' i: 2 } arg { name: 'order' s: 'NHWC' }",
    { { 2, 5, 4, 6 }, { 4, 2, 2, 3 } } },
  { "type: 'ConvFusion' arg { name: 'kernel' i: 1 } arg { name: 'fusion_type' i: 3 }",
    { { 2, 3, 5, 4 }, { 4, 3, 1, 1 }, { 2, 4, 5, 4 } } },
  { "type: 'ConvFusion' arg { name: 'kernel' i: 2 } arg { name: 'fusion_type' i: 1 }",
    { { 2, 3, 5, 4 }, { 4, 3, 2, 2 }, { 4 } } },
  { "type: 'ConvFusion' arg { name: 'kernel' i: 2 } arg { name: 'fusion_type' i: 1 } arg { name: 'max' f: 2 }"
    " arg { name: 'order' s: 'NHWC' }",
    { { 2, 5, 4, 3 }, { 4, 2, 2, 3 }, { 4 } } },
  { "type: 'Conv' arg { name: 'kernel' i: 2 }", { { 2, 3, 5, 4 }, { 1, 3, 2, 2 } } },
};

/* These are tested with 16 bits only. */
static const Case narrow_cases[] = {
  { "type: 'Relu'", { { 3, 40 } } },
  { "type: 'Tanh'", { { 3, 40 } } },
  { "type: 'Negative'", { { 3, 40 } } },
  { "type: 'Clip' arg { name: 'min' f: -0.5 } arg { name: 'max' f: 0.5 }", { { 3, 40 } } },
  { "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }", { { 2, 3, 7, 5 } } },
  { "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }", { { 2, 3, 7, 5 } } },
  { "type: 'AveragePool' arg { name: 'global_pooling' i: 1 }", { { 2, 3, 7, 5 } } },
  { "type: 'LRN' arg { name: 'size' i: 3 } arg { name: 'alpha' f: 0.1 } arg { name: 'beta' f: 0.75 }", { { 2, 5, 3, 4 } } },
  { "type: 'Softmax'", { { 3, 20 } } },
  { "type: 'Sum'", { { 3, 40 }, { 3, 40 }, { 3, 40 } } },
  { "type: 'Max'", { { 3, 40 }, { 3, 40 } } },
  { "type: 'Add' arg { name: 'broadcast' i: 1 }", { { 3, 40 }, { 40 } } },
  { "type: 'Mul'", { { 3, 40 }, { 3, 40 } } },
  { "type: 'Concat' arg { name: 'axis' i: 1 } output: 'sizes'", { { 3, 4 }, { 3, 5 } } },
};

static gboolean
is_convolution (const Case *test)
{
  return g_str_has_prefix (test->text, "type: 'Conv");
}

static gsize
count_dims (const gint64 *dims)
{
  gsize n = 0;

  while (n < 5 && dims[n] > 0)
    n++;

  return n;
}

static char *
format_net (const Case *test,
            gboolean    is_far)
{
  return g_strdup_printf ("op { output: '%s' %s input: 'a' %s %s %s }", is_far ? "far" : "near", test->text,
                          count_dims (test->dims[1]) > 0 ? "input: 'b'" : "",
                          count_dims (test->dims[2]) > 0 ? "input: 'c'" : "",
                          is_far ? "device_option { device_type: 1 }" : "");
}

static void
put (C2gWorkspace *workspace,
     const char   *name,
     C2gTensor    *tensor)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *place = c2g_blob_ensure_tensor (blob, c2g_tensor_get_device (tensor), &error);

  g_assert_no_error (error);
  c2g_tensor_copy_from (place, tensor, NULL, &error);
  g_assert_no_error (error);
}

static void
run (C2gWorkspace *workspace,
     const Case   *test,
     gboolean      is_far)
{
  g_autofree char *text = format_net (test, is_far);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);

  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);
}

/* The numbers have few digits, so that all types hold them. */
static void
put_inputs (C2gWorkspace *workspace,
            const Case   *test,
            C2gDataType   type)
{
  static const char *const names[] = { "a", "b", "c" };

  for (guint i = 0; i < 3 && count_dims (test->dims[i]) > 0; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) near =
        c2g_tensor_new_sized (test->dims[i], count_dims (test->dims[i]), NULL, NULL);
      g_autoptr (C2gTensor) other = NULL;

      c2g_tensor_allocate (near, C2G_DATA_TYPE_FLOAT, &error);
      g_assert_no_error (error);
      for (gint64 k = 0; k < c2g_tensor_get_n_elements (near); k++)
        c2g_tensor_set_value (near, k, ((k * 7 + i * 3) % 11 - 5) * 0.25, &error);
      other = c2g_tensor_convert (near, type, C2G_CONVERT_NONE, &error);
      g_assert_no_error (error);
      if (type != C2G_DATA_TYPE_FLOAT)
        {
          g_autoptr (C2gTensor) far = to_far (other);

          put (workspace, names[i], far);
        }
      else
        put (workspace, names[i], near);
    }
}

static void
check (const Case  *test,
       C2gDataType  type,
       double       precision)
{
  g_autoptr (C2gWorkspace) near = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) far = c2g_workspace_new ();
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;

  g_test_message ("%s of %s", test->text, c2g_data_type_get_name (type));
  put_inputs (near, test, C2G_DATA_TYPE_FLOAT);
  put_inputs (far, test, type);
  run (near, test, FALSE);
  run (far, test, TRUE);

  expected = nets_fetch (near, "near", c2g_device_cpu ());
  result = nets_fetch (far, "far", first_device ());
  g_assert_cmpint (c2g_tensor_get_data_type (result), ==, (int) type);
  g_assert_cmpint (c2g_tensor_get_n_elements (result), ==, c2g_tensor_get_n_elements (expected));
  g_assert_cmpint (c2g_tensor_get_n_elements (result), >, 0);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (result); i++)
    {
      double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_cmpfloat (fabs (c2g_tensor_get_value (result, i, NULL) - wanted), <=,
                         precision * (fabs (wanted) + 1));
    }
}

static void
test_types (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      if (types[i].type != C2G_DATA_TYPE_DOUBLE || !is_convolution (&cases[k]))
        check (&cases[k], types[i].type, types[i].precision);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint k = 0; k < G_N_ELEMENTS (narrow_cases); k++)
      if (types[i].type != C2G_DATA_TYPE_DOUBLE)
        check (&narrow_cases[k], types[i].type, types[i].precision);
}

/* The numbers of the channels stay floats. */
static void
test_spatial_bn (void)
{
  static const gint64 dims[] = { 2, 3, 4, 5 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = NULL;
  g_autoptr (C2gTensor) expected = NULL, result = NULL;

  nets_add_input (workspace, "x", dims, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i);

      nets_add_input (workspace, name, C2G_TEST_DIMS (3));
    }
  def = c2g_net_def_new_from_text (
    "op { type: 'Sqr' input: 'n3' output: 'n3' }"
    "op { type: 'SpatialBN' input: 'x' input: 'n0' input: 'n1' input: 'n2' input: 'n3' output: 'near'"
    "     arg { name: 'is_test' i: 1 } arg { name: 'epsilon' f: 0.1 } }"
    "op { type: 'CopyCPUToGPU' input: 'x' output: 'fx' device_option { device_type: 1 } }"
    "op { type: 'FloatToHalf' input: 'fx' output: 'hx' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'n0' output: 'f0' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'n1' output: 'f1' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'n2' output: 'f2' device_option { device_type: 1 } }"
    "op { type: 'CopyCPUToGPU' input: 'n3' output: 'f3' device_option { device_type: 1 } }"
    "op { type: 'SpatialBN' input: 'hx' input: 'f0' input: 'f1' input: 'f2' input: 'f3' output: 'far'"
    "     arg { name: 'is_test' i: 1 } arg { name: 'epsilon' f: 0.1 } device_option { device_type: 1 } }",
    &error);
  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  g_assert_no_error (error);

  expected = nets_fetch (workspace, "near", c2g_device_cpu ());
  result = nets_fetch (workspace, "far", first_device ());
  g_assert_cmpint (c2g_tensor_get_data_type (result), ==, C2G_DATA_TYPE_FLOAT16);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (expected); i++)
    {
      const double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_cmpfloat (fabs (c2g_tensor_get_value (result, i, NULL) - wanted), <=,
                         5e-3 * (fabs (wanted) + 1));
    }
}

static void
prefer (const char *engine)
{
  const char *const engines[] = { engine, NULL };

  c2g_operator_set_preferred_engines (NULL, C2G_DEVICE_TYPE_CUDA, engine != NULL ? engines : NULL);
}

/* Convolutions give cuDNN or cuBLAS the numbers as they are, and tensor cores may multiply them. */
static void
test_convolutions (void)
{
  /* CUDA_R_16F, CUDA_R_16BF */
  static const int item_types[] = { 2, 14 };
  C2gLibrary blas, dnn;

  if (!find_fake_library (&blas, BLAS_SONAME) || !find_fake_library (&dnn, "libcudnn.so.9"))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (item_types); i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
      if (is_convolution (&cases[k]))
        {
          dnn.clear ();
          blas.clear ();
          check (&cases[k], types[i].type, types[i].precision);
          g_assert_cmpuint (dnn.get_n_calls ("cudnnConvolutionForward") +
                              dnn.get_n_calls ("cudnnConvolutionBiasActivationForward"),
                            ==, 1);
          /* CUDNN_TENSOR_OP_MATH */
          g_assert_cmpint (dnn.get_math_type (), ==, 1);
          g_assert_cmpuint (blas.get_n_calls ("cublasGemmStridedBatchedEx_64"), ==, 0);

          prefer (NULL);
          check (&cases[k], types[i].type, types[i].precision);
          prefer ("CUDNN");
          g_assert_cmpuint (blas.get_n_calls ("cublasGemmStridedBatchedEx_64"), >, 0);
          g_assert_cmpint (blas.get_item_type (), ==, item_types[i]);
        }
}

/* c2g's own kernels compute them, too. */
static void
test_without_libraries (void)
{
  if (in_process_with ("C2G_CUBLAS_LIBRARY", ""))
    {
      prefer (NULL);
      test_types ();
    }
}

/* Tensor cores want addresses that are multiples of 16 bytes, and cuBLAS takes others, too. */
static void
test_alignment (void)
{
  static const Case test = { "type: 'Conv' arg { name: 'kernel' i: 2 }", { { 2, 3, 5, 5 }, { 4, 3, 2, 2 } } };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) images = NULL, expected = NULL, result = NULL;
  g_autoptr (C2gTensor) last = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  C2gLibrary dnn;

  if (!find_fake_library (&dnn, "libcudnn.so.9"))
    return;

  put_inputs (workspace, &test, C2G_DATA_TYPE_FLOAT16);
  run (workspace, &test, TRUE);
  expected = nets_fetch (workspace, "far", first_device ());

  blob = c2g_workspace_get_blob (workspace, "a", NULL);
  images = g_object_ref (c2g_blob_get_tensor (blob, NULL));
  last = c2g_tensor_slice (images, 1, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((guintptr) c2g_tensor_raw_data (last, NULL) % 16, !=, 0);
  c2g_blob_set_object (blob, G_OBJECT (last));
  dnn.clear ();
  run (workspace, &test, TRUE);
  g_assert_cmpuint (dnn.get_n_calls ("cudnnConvolutionForward"), ==, 0);
  result = nets_fetch (workspace, "far", first_device ());
  g_assert_cmpint (2 * c2g_tensor_get_n_elements (result), ==, c2g_tensor_get_n_elements (expected));
  for (gint64 i = 0, n = c2g_tensor_get_n_elements (result); i < n; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (result, i, NULL), ==,
                       c2g_tensor_get_value (expected, n + i, NULL));
}

/* All inputs must have one type, the CPU multiplies floats only, and no convolution has doubles. */
static void
test_errors (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *near_text = format_net (&cases[3], FALSE);
  g_autofree char *far_text = format_net (&cases[3], TRUE);
  g_autofree char *conv_text = format_net (&cases[G_N_ELEMENTS (cases) - 1], TRUE);
  const char *const texts[] = { near_text, far_text, conv_text };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (texts[i], &error);
      g_autoptr (C2gTensor) a = NULL;
      g_autoptr (C2gTensor) near = new_row (i < 2 ? C2G_DATA_TYPE_FLOAT16 : C2G_DATA_TYPE_DOUBLE, 4, 1);
      g_autoptr (C2gTensor) b = new_row (i < 2 ? C2G_DATA_TYPE_FLOAT : C2G_DATA_TYPE_DOUBLE, 4, 1);
      g_autoptr (C2gTensor) far = i == 0 ? g_object_ref (b) : to_far (b);

      g_assert_no_error (error);
      a = i == 0 ? g_object_ref (near) : to_far (near);
      put (workspace, "a", a);
      put (workspace, "b", far);
      g_assert_false (c2g_workspace_run_net_once (workspace, def, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/products/types", test_types);
  add_clean_func ("/cuda/products/spatial-bn", test_spatial_bn);
  add_clean_func ("/cuda/products/convolutions", test_convolutions);
  g_test_add_func ("/cuda/products/without-libraries", test_without_libraries);
  add_clean_func ("/cuda/products/alignment", test_alignment);
  add_clean_func ("/cuda/products/errors", test_errors);

  return run_on_device ();
}
