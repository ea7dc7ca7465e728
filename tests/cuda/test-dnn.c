/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/libraries-utils.h"

#include <math.h>

/* Convolution and pooling on a device with the engine CUDNN (the real library, the fake one, or
 * none) give the same results as the CPU. */

#define SONAME "libcudnn.so.9"

static const struct
{
  const char *name;
  gint64      dims[5];
  gsize       n_dims;
} inputs[] = {
  { "X", { 2, 6, 7, 9 }, 4 },
  { "P", { 5, 6, 7, 9 }, 4 },
  { "L", { 2, 7, 9, 6 }, 4 },
  { "V", { 2, 4, 5, 6, 7 }, 5 },
  { "VL", { 2, 5, 6, 7, 4 }, 5 },
  { "R", { 2, 6, 9 }, 3 },
  { "E", { 0, 6, 7, 9 }, 4 },
  { "W", { 4, 6, 3, 3 }, 4 },
  { "W1", { 4, 6, 1, 1 }, 4 },
  { "Wg", { 6, 2, 3, 3 }, 4 },
  { "Wd", { 6, 1, 3, 3 }, 4 },
  { "Wl", { 4, 3, 3, 6 }, 4 },
  { "Wlg", { 6, 3, 3, 2 }, 4 },
  { "Wv", { 3, 4, 3, 3, 3 }, 5 },
  { "Wvl", { 3, 3, 3, 3, 4 }, 5 },
  { "Wr", { 4, 6, 3 }, 3 },
  { "b3", { 3 }, 1 },
  { "b4", { 4 }, 1 },
  { "b6", { 6 }, 1 },
  { "S", { 2, 4, 7, 9 }, 4 },
};

typedef struct
{
  /* TRUE if cuDNN computes it. */
  gboolean    is_taken;
  const char *inputs;
  const char *text;
} Case;

static const Case cases[] = {
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { TRUE, "X W", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }" },
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }"
                    " arg { name: 'dilation' i: 2 } arg { name: 'pad' i: 2 }" },
  { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad_t' i: 1 }"
                    " arg { name: 'pad_l' i: 0 } arg { name: 'pad_b' i: 1 }"
                    " arg { name: 'pad_r' i: 0 }" },
  { FALSE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'pad_t' i: 1 }"
                     " arg { name: 'pad_l' i: 0 } arg { name: 'pad_b' i: 0 }"
                     " arg { name: 'pad_r' i: 2 }" },
  { TRUE, "X W1 b4", "type: 'Conv' arg { name: 'kernel' i: 1 }" },
  { TRUE, "X Wg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" },
  { TRUE, "P Wg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" },
  { TRUE, "X Wd", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 6 }" },
  { TRUE, "L Wl b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
                     " arg { name: 'pad' i: 1 }" },
  { TRUE, "L Wlg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
                      " arg { name: 'group' i: 3 } arg { name: 'stride' i: 2 }" },
  { TRUE, "V Wv b3", "type: 'Conv' arg { name: 'kernels' ints: 3 ints: 3 ints: 3 }"
                     " arg { name: 'pads' ints: 1 ints: 0 ints: 1 ints: 1 ints: 0 ints: 1 }" },
  { FALSE, "VL Wvl b3", "type: 'Conv' arg { name: 'kernels' ints: 3 ints: 3 ints: 3 }"
                        " arg { name: 'order' s: 'NHWC' }" },
  { TRUE, "R Wr b4", "type: 'Conv' arg { name: 'kernels' ints: 3 }"
                     " arg { name: 'pads' ints: 1 ints: 1 }" },
  { FALSE, "E W b4", "type: 'Conv' arg { name: 'kernel' i: 3 }" },
  { TRUE, "X W b4", "type: 'ConvFusion' arg { name: 'kernel' i: 3 }"
                    " arg { name: 'fusion_type' i: 1 }" },
  { TRUE, "X W b4 S", "type: 'ConvFusion' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
                      " arg { name: 'fusion_type' i: 3 }" },
  { TRUE, "X W S", "type: 'ConvFusion' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
                   " arg { name: 'fusion_type' i: 2 }" },
  { TRUE, "X", "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 2 }" },
  { FALSE, "X", "type: 'MaxPool' arg { name: 'kernel' i: 2 } arg { name: 'stride' i: 2 }"
                " arg { name: 'legacy_pad' i: 3 }" },
  { TRUE, "L", "type: 'MaxPool' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }"
               " arg { name: 'pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'kernel' i: 3 } arg { name: 'pad' i: 1 }"
               " arg { name: 'count_include_pad' i: 1 }" },
  { TRUE, "X", "type: 'AveragePool' arg { name: 'global_pooling' i: 1 }" },
  { TRUE, "V", "type: 'MaxPool' arg { name: 'kernels' ints: 2 ints: 3 ints: 2 }"
               " arg { name: 'strides' ints: 1 ints: 2 ints: 2 }" },
  { TRUE, "VL", "type: 'AveragePool' arg { name: 'kernels' ints: 2 ints: 3 ints: 2 }"
                " arg { name: 'order' s: 'NHWC' }" },
  { TRUE, "R", "type: 'AveragePool' arg { name: 'kernels' ints: 3 }" },
  { FALSE, "E", "type: 'MaxPool' arg { name: 'kernel' i: 3 }" },
};

static void
add_input (C2gWorkspace *workspace,
           const char   *name,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  float *values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
  guint32 state = g_str_hash (name);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      state = state * 1664525 + 1013904223;
      values[i] = (float) (gint32) state / 4294967296.0f;
    }
  c2g_blob_set_object (blob, G_OBJECT (tensor));
}

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    add_input (workspace, inputs[i].name, inputs[i].dims, inputs[i].n_dims);

  return workspace;
}

#define ON_DEVICE " device_option { device_type: 1 } "

static C2gNetDef *
make_net (const Case *test,
          const char *kind,
          const char *engine)
{
  g_auto (GStrv) names = g_strsplit (test->inputs, " ", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  C2gNetDef *def;

  g_string_printf (text, "name: 'test' type: '%s'\n", kind);
  for (gsize i = 0; engine != NULL && names[i] != NULL; i++)
    g_string_append_printf (text, "op { type: 'CopyCPUToGPU' input: '%s' output: 'far_%s'%s}\n",
                            names[i], names[i], ON_DEVICE);
  g_string_append (text, "op { output: 'result' ");
  for (gsize i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "input: '%s%s' ", engine != NULL ? "far_" : "", names[i]);
  if (engine != NULL)
    g_string_append_printf (text, "%s engine: '%s' ", ON_DEVICE, engine);
  g_string_append_printf (text, "%s }\n", test->text);

  def = c2g_net_def_new_from_text (text->str, &error);
  g_assert_no_error (error);
  return def;
}

static C2gTensor *
fetch (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "result", NULL);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_get_tensor (blob, &error);

  g_assert_no_error (error);
  tensor = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  g_assert_no_error (error);
  return tensor;
}

/* Runs a case; engine is NULL for the CPU, and empty for a device with the default engine. */
static C2gTensor *
run_case (const Case *test,
          const char *kind,
          const char *engine)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (C2gNetDef) def = make_net (test, kind, engine);
  g_autoptr (GError) error = NULL;
  C2gNet *net = c2g_workspace_create_net (workspace, def, FALSE, &error);

  g_assert_no_error (error);
  /* The second run uses blobs that have memory already. */
  for (guint i = 0; i < 2; i++)
    {
      c2g_net_run (net, NULL, &error);
      g_assert_no_error (error);
    }
  g_object_unref (net);

  return fetch (workspace);
}

static void
assert_close (C2gTensor *result,
              C2gTensor *expected)
{
  gint64 n = c2g_tensor_get_n_elements (expected);

  g_assert_cmpint (c2g_tensor_get_n_elements (result), ==, n);
  for (gint64 i = 0; i < n; i++)
    {
      const double wanted = c2g_tensor_get_value (expected, i, NULL);

      g_assert_cmpfloat (fabs (c2g_tensor_get_value (result, i, NULL) - wanted), <=,
                         1e-4 * (fabs (wanted) + 0.1));
    }
}

static void
prefer (const char *engine)
{
  const char * const engines[] = { engine, NULL };

  c2g_operator_set_preferred_engines (NULL, C2G_DEVICE_TYPE_CUDA, engine != NULL ? engines : NULL);
}

static guint
count_runs (const C2gLibrary *fake)
{
  return fake->get_n_calls ("cudnnConvolutionForward") + fake->get_n_calls ("cudnnPoolingForward");
}

static void
test_engines (void)
{
  C2gLibrary fake = { NULL };
  const gboolean counts = is_fake () && find_fake_library (&fake, SONAME);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) expected = run_case (&cases[i], "simple", NULL);
      g_autoptr (C2gTensor) result = NULL;
      g_autoptr (C2gTensor) other_result = NULL;

      g_test_message ("%s: %s", cases[i].inputs, cases[i].text);
      if (counts)
        fake.clear ();
      result = run_case (&cases[i], "simple", "CUDNN");
      assert_close (result, expected);
      g_assert_true (!counts || count_runs (&fake) == (cases[i].is_taken ? 2 : 0));

      prefer (NULL);
      other_result = run_case (&cases[i], "simple", "");
      prefer ("CUDNN");
      assert_close (other_result, expected);
      g_assert_true (!counts || count_runs (&fake) == (cases[i].is_taken ? 2 : 0));
    }
}

/* Without cuDNN there are fewer matrix products than images. */
static void
test_products (void)
{
  static const struct
  {
    Case  test;
    guint n_products;
  } ways[] = {
    { { TRUE, "P W", "type: 'Conv' arg { name: 'kernel' i: 3 }" }, 1 },
    { { TRUE, "P W1", "type: 'Conv' arg { name: 'kernel' i: 1 }" }, 1 },
    { { TRUE, "P Wg", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" }, 3 },
    { { TRUE, "X Wd", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 6 }" }, 2 },
    { { TRUE, "L Wl", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'order' s: 'NHWC' }" }, 1 },
  };
  C2gLibrary fake;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  prefer (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (C2gTensor) expected = run_case (&ways[i].test, "simple", NULL);
      g_autoptr (C2gTensor) result = NULL;

      fake.clear ();
      result = run_case (&ways[i].test, "simple", "");
      assert_close (result, expected);
      /* The fake cuBLAS calls this function for every product. There were two runs. */
      g_assert_cmpuint (fake.get_n_calls ("cublasGemmStridedBatchedEx_64"), ==,
                        2 * ways[i].n_products);
    }
  prefer ("CUDNN");
}

/* If there is no memory for the im2col matrix of all images, they are computed one by one. */
static void
test_image_by_image (void)
{
  static const Case test = { TRUE, "P W b4", "type: 'Conv' arg { name: 'kernel' i: 3 }" };
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (allocator, 40000);
  g_autoptr (C2gTensor) expected = run_case (&test, "simple", NULL);
  g_autoptr (C2gTensor) result = NULL;

  prefer (NULL);
  c2g_allocator_set_default (device, limiting, NULL);
  result = run_case (&test, "simple", "");
  c2g_allocator_set_default (device, allocator, NULL);
  prefer ("CUDNN");
  assert_close (result, expected);
}

/* CUDNN is the default engine, as in Caffe2. */
static void
test_preference (void)
{
  static const struct
  {
    const char *preferred;
    const char *engine;
    guint       n_runs;
  } ways[] = {
    { "CUDNN", "", 2 },
    { "CUDNN", "NNPACK", 2 },
    { NULL, "CUDNN", 2 },
    { NULL, "EIGEN,CUDNN", 2 },
    { NULL, "", 0 },
    { "NNPACK", "", 0 },
  };
  g_autoptr (C2gTensor) expected = run_case (&cases[0], "simple", NULL);
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (C2gTensor) result = NULL;

      fake.clear ();
      prefer (ways[i].preferred);
      result = run_case (&cases[0], "simple", ways[i].engine);
      prefer ("CUDNN");
      assert_close (result, expected);
      g_assert_cmpuint (count_runs (&fake), ==, ways[i].n_runs);
    }
}

static void
test_dag (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i += 2)
    {
      g_autoptr (C2gTensor) expected = run_case (&cases[i], "simple", NULL);
      g_autoptr (C2gTensor) result = run_case (&cases[i], "dag", "CUDNN");

      assert_close (result, expected);
    }
}

/* Plans of shapes are kept: the second run makes no new ones, and no descriptors. */
static void
test_plans (void)
{
  C2gLibrary fake;
  C2gTensor *result;
  guint n_descriptors;

  if (!find_fake_library (&fake, SONAME))
    return;

  result = run_case (&cases[0], "simple", "CUDNN");
  g_object_unref (result);
  n_descriptors = fake.get_n_descriptors ();
  g_assert_cmpuint (n_descriptors, >, 0);
  fake.clear ();
  result = run_case (&cases[0], "simple", "CUDNN");
  g_object_unref (result);
  g_assert_cmpuint (fake.get_n_descriptors (), ==, n_descriptors);
  g_assert_cmpuint (fake.get_n_calls ("cudnnGetConvolutionForwardAlgorithm_v7"), ==, 0);
  g_assert_cmpuint (fake.get_n_calls ("cudnnCreateTensorDescriptor"), ==, 0);
  g_assert_cmpuint (fake.get_n_calls ("cudnnCreate"), ==, 0);
}

/* Runs a pooling or a convolution with a new shape each time. */
static gboolean
run_fresh (gboolean   is_pool,
           C2gTensor **expected,
           C2gTensor **result,
           GError    **error)
{
  static const Case fresh[] = {
    { TRUE, "F Wf", "type: 'Conv' arg { name: 'kernel' i: 3 }" },
    { TRUE, "F", "type: 'MaxPool' arg { name: 'kernel' i: 2 }" },
  };
  static gint64 size = 5;
  const gint64 dims[] = { 1, 2, 4, size++ };
  gboolean done = TRUE;

  *result = NULL;
  for (guint i = 0; done && i < 2; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gNetDef) def = make_net (&fresh[is_pool], "simple", i == 0 ? NULL : "CUDNN");

      add_input (workspace, "F", dims, G_N_ELEMENTS (dims));
      add_input (workspace, "Wf", C2G_TEST_DIMS (3, 2, 3, 3));
      done = c2g_workspace_run_net_once (workspace, def, NULL, error);
      if (done)
        *(i == 0 ? expected : result) = fetch (workspace);
    }

  return done;
}

typedef struct
{
  const char *function;
  gboolean    is_pool;
} Call;

static const Call calls[] = {
  { "cudnnSetStream", FALSE },
  { "cudnnCreateTensorDescriptor", FALSE },
  { "cudnnSetTensorNdDescriptor", TRUE },
  { "cudnnCreateFilterDescriptor", FALSE },
  { "cudnnSetFilterNdDescriptor", FALSE },
  { "cudnnCreateConvolutionDescriptor", FALSE },
  { "cudnnSetConvolutionNdDescriptor", FALSE },
  { "cudnnSetConvolutionGroupCount", FALSE },
  { "cudnnSetConvolutionMathType", FALSE },
  { "cudnnGetConvolutionForwardAlgorithm_v7", FALSE },
  { "cudnnConvolutionForward", FALSE },
  { "cudnnCreatePoolingDescriptor", TRUE },
  { "cudnnSetPoolingNdDescriptor", TRUE },
  { "cudnnPoolingForward", TRUE },
};

static void
test_failing_calls (void)
{
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (C2gTensor) expected = NULL;
      g_autoptr (C2gTensor) result = NULL;
      g_autoptr (GError) error = NULL;
      const guint n_descriptors = fake.get_n_descriptors ();

      fake.clear ();
      /* CUDNN_STATUS_EXECUTION_FAILED */
      fake.fail (calls[i].function, 1, 5000);
      g_assert_false (run_fresh (calls[i].is_pool, &expected, &result, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, calls[i].function));
      g_assert_nonnull (strstr (error->message, "CUDNN_STATUS_EXECUTION_FAILED"));
      /* A failure of the last step leaves the plan behind. */
      g_assert_true (strstr (calls[i].function, "Forward") != NULL ||
                     fake.get_n_descriptors () == n_descriptors);
    }
  fake.clear ();
}

/* Shapes that cuDNN does not support, or has no memory for, are computed without it. */
static void
test_refusing_calls (void)
{
  /* CUDNN_STATUS_NOT_SUPPORTED, CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED */
  static const int statuses[] = { 3000, 4003 };
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (statuses); k++)
      {
        g_autoptr (C2gTensor) expected = NULL;
        g_autoptr (C2gTensor) result = NULL;
        g_autoptr (GError) error = NULL;

        g_test_message ("%s %d", calls[i].function, statuses[k]);
        fake.clear ();
        fake.fail (calls[i].function, 1, statuses[k]);
        run_fresh (calls[i].is_pool, &expected, &result, &error);
        g_assert_no_error (error);
        assert_close (result, expected);
      }
  fake.clear ();
}

/* A shape that cuDNN refuses only when it runs is not given to it again. */
static void
test_late_refusal (void)
{
  static const Case test = {
    TRUE,
    "X W1",
    "type: 'Conv' arg { name: 'kernel' i: 1 } arg { name: 'stride' i: 3 }",
  };
  g_autoptr (C2gTensor) expected = run_case (&test, "simple", NULL);
  g_autoptr (C2gTensor) result = NULL;
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  fake.clear ();
  fake.fail ("cudnnConvolutionForward", 1, 3000);
  result = run_case (&test, "simple", "CUDNN");
  assert_close (result, expected);
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 1);
  fake.clear ();
}

/* There is no memory for the workspace of cuDNN. */
static void
test_no_memory (void)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (allocator, 256 * 1024);
  g_autoptr (C2gTensor) expected = run_case (&cases[1], "simple", NULL);
  g_autoptr (C2gTensor) result = NULL;

  c2g_allocator_set_default (device, limiting, NULL);
  result = run_case (&cases[1], "simple", "CUDNN");
  c2g_allocator_set_default (device, allocator, NULL);
  assert_close (result, expected);
}

#define N_THREADS 4

static gpointer
run_thread (gpointer data)
{
  for (guint i = GPOINTER_TO_UINT (data); i < G_N_ELEMENTS (cases); i += N_THREADS / 2)
    {
      g_autoptr (C2gTensor) expected = run_case (&cases[i], "simple", NULL);
      g_autoptr (C2gTensor) result = run_case (&cases[i], "simple", "CUDNN");

      assert_close (result, expected);
    }

  return NULL;
}

/* Two threads at a time use the same shape. */
static void
test_threads (void)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("dnn", run_thread, GUINT_TO_POINTER (i % (N_THREADS / 2)));
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

/* The device tells why cuDNN is missing, and the results are the same without it. */
static void
check_absent (const char *reason)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);

  g_test_message ("%s", c2g_device_info_get_detail (info, "cudnn"));
  g_assert_nonnull (strstr (c2g_device_info_get_detail (info, "cudnn"), reason));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i += 3)
    {
      g_autoptr (C2gTensor) expected = run_case (&cases[i], "simple", NULL);
      g_autoptr (C2gTensor) result = run_case (&cases[i], "simple", "CUDNN");

      assert_close (result, expected);
    }
}

static void
test_missing_library (void)
{
  if (in_process_with ("C2G_CUDNN_LIBRARY", "libcudnn-that-is-not-there.so"))
    check_absent ("libcudnn-that-is-not-there.so");
}

static void
test_unwanted_library (void)
{
  if (in_process_with ("C2G_CUDNN_LIBRARY", ""))
    check_absent ("C2G_CUDNN_LIBRARY");
}

static void
test_missing_symbol (void)
{
  if (in_process_with ("C2G_CUDNN_LIBRARY", "libm.so.6"))
    check_absent ("cudnnCreate");
}

static void
test_failing_create (void)
{
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gDeviceInfo) info = NULL;
  g_autoptr (GError) error = NULL;
  C2gLibrary fake;

  if (!in_process_with ("C2G_CUDNN_LIBRARY", SONAME) || !find_fake_library (&fake, SONAME))
    return;

  /* CUDNN_STATUS_NOT_INITIALIZED */
  fake.fail ("cudnnCreate", 1, 1001);
  g_assert_true (run_fresh (FALSE, &expected, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 0);
  g_assert_cmpuint (fake.get_n_handles (), ==, 0);
  info = c2g_device_info_new_for_device (first_device (), NULL);
  g_assert_nonnull (strstr (c2g_device_info_get_detail (info, "cudnn"), "cudnnCreate failed"));
}

static void
check_math_type (int expected)
{
  C2gTensor *result;
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;
  result = run_case (&cases[0], "simple", "CUDNN");
  g_assert_cmpint (fake.get_math_type (), ==, expected);
  g_object_unref (result);
}

/* CUDNN_DEFAULT_MATH, CUDNN_FMA_MATH */
static void
test_tf32 (void)
{
  if (in_process_with ("C2G_CUDA_TF32", "1"))
    check_math_type (0);
}

static void
test_default_tf32 (void)
{
  if (in_process_with ("C2G_CUDA_TF32", ""))
    check_math_type (0);
}

static void
test_no_tf32 (void)
{
  if (in_process_with ("C2G_CUDA_TF32", "0"))
    check_math_type (3);
}

/* Plans are made, and used, while another thread captures a graph. */
static void
test_capture (void)
{
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  fake.clear ();
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) expected = NULL;
      g_autoptr (C2gTensor) result = NULL;
      g_autoptr (GError) error = NULL;
      cudaStream_t captured = begin_capture ();

      run_fresh (i == 1, &expected, &result, &error);
      g_assert_no_error (error);
      end_capture (captured);
      assert_close (result, expected);
    }
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 1);
  g_assert_cmpuint (fake.get_n_calls ("cudnnPoolingForward"), ==, 1);
}

static void
test_describing (void)
{
  check_describing ("C2G_CUDNN_LIBRARY", SONAME, "cudnnCreate");
}

static void
test_version (void)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);
  const char *version = c2g_device_info_get_detail (info, "cudnn");

  g_assert_nonnull (version);
  if (is_fake ())
    g_assert_cmpstr (version, ==, "9.97.5");
}

/* Plans and handles go with a reset device, and are made again. */
static void
test_reset (void)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gTensor) expected = run_case (&cases[0], "simple", NULL);
  C2gLibrary fake;

  if (!may_reset () || !find_fake_library (&fake, SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gAllocator) fresh = c2g_cuda_caching_allocator_new (device, NULL);
      g_autoptr (C2gWorkspace) workspace = new_workspace ();
      g_autoptr (C2gNetDef) def = make_net (&cases[0], "simple", "CUDNN");
      g_autoptr (GError) error = NULL;

      fake.clear ();
      c2g_allocator_set_default (device, fresh, NULL);
      c2g_workspace_run_net_once (workspace, def, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (i == 0 || fake.get_n_calls ("cudnnCreate") == 1);
      g_assert_cmpuint (count_runs (&fake), ==, 1);
      g_clear_object (&workspace);
      c2g_allocator_set_default (device, allocator, NULL);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }

  assert_no_faults ();
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/dnn/engines", test_engines);
  add_clean_func ("/cuda/dnn/products", test_products);
  add_clean_func ("/cuda/dnn/image-by-image", test_image_by_image);
  add_clean_func ("/cuda/dnn/preference", test_preference);
  add_clean_func ("/cuda/dnn/dag", test_dag);
  add_clean_func ("/cuda/dnn/plans", test_plans);
  add_clean_func ("/cuda/dnn/failing-calls", test_failing_calls);
  add_clean_func ("/cuda/dnn/refusing-calls", test_refusing_calls);
  g_test_add_func ("/cuda/dnn/late-refusal", test_late_refusal);
  add_clean_func ("/cuda/dnn/no-memory", test_no_memory);
  g_test_add_func ("/cuda/dnn/threads", test_threads);
  add_clean_func ("/cuda/dnn/version", test_version);
  add_clean_func ("/cuda/dnn/capture", test_capture);
  g_test_add_func ("/cuda/dnn/describing", test_describing);
  g_test_add_func ("/cuda/dnn/missing-library", test_missing_library);
  g_test_add_func ("/cuda/dnn/unwanted-library", test_unwanted_library);
  g_test_add_func ("/cuda/dnn/missing-symbol", test_missing_symbol);
  g_test_add_func ("/cuda/dnn/failing-create", test_failing_create);
  g_test_add_func ("/cuda/dnn/tf32", test_tf32);
  g_test_add_func ("/cuda/dnn/default-tf32", test_default_tf32);
  g_test_add_func ("/cuda/dnn/no-tf32", test_no_tf32);
  g_test_add_func ("/cuda/dnn/reset", test_reset);

  return run_on_device ();
}
