/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/dnn-utils.h"

/* The plans of cuDNN for shapes: how they are made and chosen, and what happens if cuDNN fails or
 * refuses them. */

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

typedef struct
{
  const char *function;
  Fresh       kind;
} Call;

static const Call calls[] = {
  { "cudnnSetStream", FRESH_CONV },
  { "cudnnCreateTensorDescriptor", FRESH_CONV },
  { "cudnnSetTensorNdDescriptor", FRESH_POOL },
  { "cudnnCreateFilterDescriptor", FRESH_CONV },
  { "cudnnSetFilterNdDescriptor", FRESH_CONV },
  { "cudnnCreateConvolutionDescriptor", FRESH_CONV },
  { "cudnnSetConvolutionNdDescriptor", FRESH_CONV },
  { "cudnnSetConvolutionGroupCount", FRESH_CONV },
  { "cudnnSetConvolutionMathType", FRESH_CONV },
  { "cudnnGetConvolutionForwardAlgorithm_v7", FRESH_CONV },
  { "cudnnFindConvolutionForwardAlgorithmEx", FRESH_TUNED },
  { "cudnnConvolutionForward", FRESH_CONV },
  { "cudnnCreateActivationDescriptor", FRESH_FUSION },
  { "cudnnSetActivationDescriptor", FRESH_FUSION },
  { "cudnnConvolutionBiasActivationForward", FRESH_FUSION },
  { "cudnnCreatePoolingDescriptor", FRESH_POOL },
  { "cudnnSetPoolingNdDescriptor", FRESH_POOL },
  { "cudnnPoolingForward", FRESH_POOL },
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
      g_assert_false (run_fresh (calls[i].kind, &expected, &result, &error));
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
        run_fresh (calls[i].kind, &expected, &result, &error);
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

#define FUSION "type: 'ConvFusion' arg { name: 'kernel' i: 3 } "

/* A convolution with Relu is one call, with the sum if there is one, unless Relu has a limit or there are
 * no biases. */
static void
test_fusion (void)
{
  static const struct
  {
    Case  test;
    guint n_fused;
  } ways[] = {
    { { TRUE, "X W b4", FUSION "arg { name: 'fusion_type' i: 1 }" }, 2 },
    { { TRUE, "X W b4 T", FUSION "arg { name: 'fusion_type' i: 3 }" }, 2 },
    { { TRUE, "X W b4 T", FUSION "arg { name: 'fusion_type' i: 3 }", "copy_T" }, 2 },
    { { TRUE, "V Wv b3", "type: 'ConvFusion' arg { name: 'kernels' ints: 3 ints: 3 ints: 3 }"
                         " arg { name: 'fusion_type' i: 1 }" },
      2 },
    { { TRUE, "L Wl b4", FUSION "arg { name: 'order' s: 'NHWC' } arg { name: 'fusion_type' i: 1 }" }, 2 },
    { { TRUE, "X W b4", FUSION "arg { name: 'fusion_type' i: 1 } arg { name: 'max' f: 0.125 }" }, 0 },
    { { TRUE, "X W b4 T", FUSION "arg { name: 'fusion_type' i: 2 }" }, 0 },
    { { TRUE, "X W", FUSION "arg { name: 'fusion_type' i: 1 }" }, 0 },
  };
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (C2gTensor) expected = run_case (&ways[i].test, "simple", NULL);
      g_autoptr (C2gTensor) result = NULL;

      g_test_message ("%s: %s", ways[i].test.inputs, ways[i].test.text);
      fake.clear ();
      result = run_case (&ways[i].test, "simple", "CUDNN");
      assert_close (result, expected);
      g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionBiasActivationForward"), ==,
                        ways[i].n_fused);
      g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 2 - ways[i].n_fused);
    }
}

/* A shape that cuDNN refuses in one call is computed in steps, and cuDNN is not asked again. */
static void
test_refused_fusion (void)
{
  static const Case test = { TRUE, "X W b4", FUSION "arg { name: 'fusion_type' i: 1 } arg { name: 'stride' i: 2 }" };
  g_autoptr (C2gTensor) expected = run_case (&test, "simple", NULL);
  g_autoptr (C2gTensor) result = NULL;
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  fake.clear ();
  fake.fail ("cudnnConvolutionBiasActivationForward", 1, 3000);
  result = run_case (&test, "simple", "CUDNN");
  assert_close (result, expected);
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionBiasActivationForward"), ==, 1);
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 2);
  fake.clear ();
}

/* With the setting the algorithm of a shape is measured once. That leaves the output, which may be the
 * sum, as it was. */
static void
test_tuning (void)
{
  static const Case test = { TRUE, "X W b4 T", FUSION "arg { name: 'fusion_type' i: 2 }", "copy_T" };
  g_autoptr (C2gTensor) expected = run_case (&test, "simple", NULL);
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  fake.clear ();
  set_tune (TRUE);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace ();
      g_autoptr (C2gNetDef) def = make_net (&test, "simple", "CUDNN");
      g_autoptr (C2gTensor) result = NULL;
      g_autoptr (GError) error = NULL;

      /* Each run copies the sum again, so the first one is looked at. */
      c2g_workspace_run_net_once (workspace, def, NULL, &error);
      g_assert_no_error (error);
      result = fetch (workspace, "copy_T");
      assert_close (result, expected);
      g_assert_cmpuint (fake.get_n_calls ("cudnnFindConvolutionForwardAlgorithmEx"), ==, 1);
      g_assert_cmpuint (fake.get_n_calls ("cudnnGetConvolutionForwardAlgorithm_v7"), ==, 0);
    }
  set_tune (FALSE);
}

/* Without memory for measuring nothing is measured, but as soon as there is some. */
static void
test_tuning_without_memory (void)
{
  static const Case test = { TRUE, "X W b4", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'stride' i: 3 }" };
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (allocator, 32 * 1024 * 1024);
  g_autoptr (C2gTensor) expected = run_case (&test, "simple", NULL);
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  fake.clear ();
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (C2gTensor) result = NULL;

      /* The first runs make the plan that is not tuned, which the second ones replace, and the last ones
       * find. */
      set_tune (i == 1 || i == 2);
      c2g_allocator_set_default (device, i < 2 ? limiting : allocator, NULL);
      result = run_case (&test, "simple", "CUDNN");
      assert_close (result, expected);
      g_assert_cmpuint (fake.get_n_calls ("cudnnFindConvolutionForwardAlgorithmEx"), ==, i >= 2);
      g_assert_cmpuint (fake.get_n_calls ("cudnnGetConvolutionForwardAlgorithm_v7"), ==, i == 0 ? 1 : 3);
      g_assert_cmpuint (count_runs (&fake), ==, 2 * (i + 1));
    }
  set_tune (FALSE);
}

static void
add_far_input (C2gWorkspace *workspace,
               const char   *name,
               const gint64 *dims)
{
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (GError) error = NULL;

  add_input (workspace, name, dims, 4);
  blob = c2g_workspace_get_blob (workspace, name, NULL);
  near = g_object_ref (c2g_blob_get_tensor (blob, NULL));
  far = c2g_tensor_to_device (near, first_device (), &error);
  g_assert_no_error (error);
  c2g_blob_set_object (blob, G_OBJECT (far));
}

/* A net that is recorded uses what was measured before, and measures nothing. */
static void
test_recorded_tuning (void)
{
  static const gint64 x_dims[] = { 1, 2, 6, 5 };
  /* Two shapes of filters, for neither of which there is a plan. */
  static const gint64 w_dims[][4] = { { 3, 2, 3, 3 }, { 3, 2, 2, 2 } };
  static const char *const nets[] = {
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 3 } }",
    "op { type: 'Conv' input: 'x' input: 'w' output: 'y' arg { name: 'kernel' i: 2 } }",
  };
  g_autoptr (C2gStatRegistry) stats = c2g_stat_registry_get_default ();
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (nets[i], &error);
      g_autoptr (C2gNet) net = NULL;
      gint64 n_before;

      g_assert_no_error (error);
      add_far_input (workspace, "x", x_dims);
      add_far_input (workspace, "w", w_dims[i]);
      c2g_net_def_set_device (def, first_device ());
      net = c2g_workspace_create_net (workspace, def, TRUE, &error);
      g_assert_no_error (error);
      c2g_net_set_device_graph (net, TRUE);
      fake.clear ();
      n_before = c2g_stat_registry_get_value (stats, "net/graph_runs");
      for (guint k = 0; k < 3; k++)
        {
          set_tune (i == 0 || k == 2);
          c2g_net_run (net, NULL, &error);
          g_assert_no_error (error);
        }
      set_tune (FALSE);
      g_assert_cmpint (c2g_stat_registry_get_value (stats, "net/graph_runs"), ==, n_before + 1);
      g_assert_cmpuint (fake.get_n_calls ("cudnnFindConvolutionForwardAlgorithmEx"), ==, i == 0);
      g_assert_cmpuint (fake.get_n_calls ("cudnnGetConvolutionForwardAlgorithm_v7"), ==, i);
    }
}

/* cuDNN convolves with this kind of math. */
static void
check_math_type (const Case *test,
                 int         expected)
{
  g_autoptr (C2gTensor) result = NULL;
  C2gLibrary fake;

  if (!find_fake_library (&fake, SONAME))
    return;
  fake.clear ();
  result = run_case (test, "simple", "CUDNN");
  g_assert_cmpint (fake.get_math_type (), ==, expected);
  g_assert_cmpuint (count_runs (&fake), ==, 2);
}

/* CUDNN_DEFAULT_MATH, CUDNN_FMA_MATH */
static void
test_tf32 (void)
{
  if (in_process_with ("C2G_CUDA_TF32", "1"))
    check_math_type (&cases[0], 0);
}

static void
test_default_tf32 (void)
{
  if (in_process_with ("C2G_CUDA_TF32", ""))
    check_math_type (&cases[0], 0);
}

/* The fastest algorithm would round floats. Of the one for groups cuDNN says nothing else. */
static void
test_no_tf32 (void)
{
  static const Case groups = { TRUE, "X Wg b6", "type: 'Conv' arg { name: 'kernel' i: 3 } arg { name: 'group' i: 3 }" };

  if (!in_process_with ("C2G_CUDA_TF32", "0"))
    return;

  for (guint i = 0; i < 2; i++)
    {
      set_tune (i == 1);
      check_math_type (&cases[0], 3);
      check_math_type (&groups, 3);
    }
  set_tune (FALSE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/dnn-plans/plans", test_plans);
  add_clean_func ("/cuda/dnn-plans/failing-calls", test_failing_calls);
  add_clean_func ("/cuda/dnn-plans/refusing-calls", test_refusing_calls);
  g_test_add_func ("/cuda/dnn-plans/late-refusal", test_late_refusal);
  add_clean_func ("/cuda/dnn-plans/no-memory", test_no_memory);
  add_clean_func ("/cuda/dnn-plans/fusion", test_fusion);
  g_test_add_func ("/cuda/dnn-plans/refused-fusion", test_refused_fusion);
  g_test_add_func ("/cuda/dnn-plans/tuning", test_tuning);
  g_test_add_func ("/cuda/dnn-plans/tuning-without-memory", test_tuning_without_memory);
  g_test_add_func ("/cuda/dnn-plans/recorded-tuning", test_recorded_tuning);
  g_test_add_func ("/cuda/dnn-plans/tf32", test_tf32);
  g_test_add_func ("/cuda/dnn-plans/default-tf32", test_default_tf32);
  g_test_add_func ("/cuda/dnn-plans/no-tf32", test_no_tf32);

  return run_on_device ();
}
