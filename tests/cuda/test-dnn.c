/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/dnn-utils.h"

/* Convolution and pooling on a device with the engine CUDNN (the real library, the fake one, or
 * none) give the same results as the CPU. */

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
  g_assert_true (run_fresh (FRESH_CONV, &expected, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake.get_n_calls ("cudnnConvolutionForward"), ==, 0);
  g_assert_cmpuint (fake.get_n_handles (), ==, 0);
  info = c2g_device_info_new_for_device (first_device (), NULL);
  g_assert_nonnull (strstr (c2g_device_info_get_detail (info, "cudnn"), "cudnnCreate failed"));
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

      run_fresh (i == 1 ? FRESH_POOL : FRESH_CONV, &expected, &result, &error);
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
  g_test_add_func ("/cuda/dnn/threads", test_threads);
  add_clean_func ("/cuda/dnn/version", test_version);
  add_clean_func ("/cuda/dnn/capture", test_capture);
  g_test_add_func ("/cuda/dnn/describing", test_describing);
  g_test_add_func ("/cuda/dnn/missing-library", test_missing_library);
  g_test_add_func ("/cuda/dnn/unwanted-library", test_unwanted_library);
  g_test_add_func ("/cuda/dnn/missing-symbol", test_missing_symbol);
  g_test_add_func ("/cuda/dnn/failing-create", test_failing_create);
  g_test_add_func ("/cuda/dnn/reset", test_reset);

  return run_on_device ();
}
