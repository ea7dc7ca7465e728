/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/blas-utils.h"

/* Matrix products on a device with cuBLAS, or with the fake one. */

static const C2gDataType types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_DOUBLE,
};

/* Uses whichever library there is. */
static void
test_products (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    check_products (types[i]);
}

static void
test_same_operand (void)
{
  g_autoptr (C2gContext) context = new_context (first_device ());
  C2gComputeGemm gemm = { .n_rows = 4, .n_columns = 3, .depth = 5, .alpha = 1, .n_matrices = 4 };

  /* All products have the same second matrix. */
  gemm.type = C2G_DATA_TYPE_FLOAT;
  lay_out (&gemm, 0);
  gemm.b_matrix = 0;
  {
    C2gDevice *device = first_device ();
    g_autoptr (C2gTensor) a = new_numbers (gemm.type, 80, 1);
    g_autoptr (C2gTensor) b = new_numbers (gemm.type, 15, 2);
    g_autoptr (C2gTensor) c = new_numbers (gemm.type, 48, 3);
    g_autoptr (C2gTensor) far_a = to_device (a, device);
    g_autoptr (C2gTensor) far_b = to_device (b, device);
    g_autoptr (C2gTensor) far_c = to_device (c, device);
    g_autoptr (C2gTensor) result = NULL;
    g_autoptr (GError) error = NULL;

    gemm.a = c2g_tensor_raw_data (far_a, NULL);
    gemm.b = c2g_tensor_raw_data (far_b, NULL);
    gemm.c = c2g_tensor_raw_mutable_data (far_c, c2g_tensor_get_type_meta (far_c), NULL);
    multiply (context, &gemm, &error);
    g_assert_no_error (error);
    c2g_context_finish (context, NULL);
    result = to_device (far_c, c2g_device_cpu ());
    assert_products (&gemm, a, b, c, result);
  }
}

/* The library is used. Its handles are kept, and there are no more than are used at once. */
static void
test_is_used (void)
{
  C2gLibrary fake;
  Square square;
  guint n_handles;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  multiply (square.context, &square.gemm, NULL);
  n_handles = fake.get_n_handles ();
  fake.clear ();
  for (guint i = 0; i < 4; i++)
    g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 4);
  g_assert_cmpuint (fake.get_n_calls ("cublasCreate_v2"), ==, 0);
  g_assert_cmpuint (fake.get_n_calls ("cublasSetMathMode"), ==, 0);
  g_assert_cmpuint (fake.get_n_handles (), ==, n_handles);
  g_assert_cmpfloat (square_read (&square), ==, 30);

  square_clear (&square);
}

static gpointer
multiply_apart (gpointer data)
{
  Square square;

  square_init (&square, first_device ());
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 6);
  square_clear (&square);
  return NULL;
}

static void
multiply_elsewhere (void)
{
  g_thread_join (g_thread_new ("multiply", multiply_apart, NULL));
}

/* A handle has one stream and one workspace. A thread that multiplies while another one does takes a
 * handle of its own. */
static void
test_handles_of_threads (void)
{
  C2gLibrary fake;
  Square square;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  on_fake (fake_cuda_set_latency, 100);
  fake.set_hook ("cublasSetWorkspace_v2", multiply_elsewhere);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 12);
  on_fake (fake_cuda_set_latency, 1);
  assert_no_faults ();
  square_clear (&square);
}

static void
test_failing_calls (void)
{
  static const struct
  {
    const char *function;
    int         status;
    const char *name;
    C2gError    code;
  } cases[] = {
    { "cublasSetStream_v2", 1, "CUBLAS_STATUS_NOT_INITIALIZED", C2G_ERROR_DEVICE },
    { "cublasSetWorkspace_v2", 7, "CUBLAS_STATUS_INVALID_VALUE", C2G_ERROR_DEVICE },
    { "cublasGemmEx_64", 13, "CUBLAS_STATUS_EXECUTION_FAILED", C2G_ERROR_DEVICE },
  };
  C2gLibrary fake;
  Square square;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      fake.clear ();
      fake.fail (cases[i].function, 2, cases[i].status);
      g_assert_true (multiply (square.context, &square.gemm, NULL));
      g_assert_false (multiply (square.context, &square.gemm, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].function));
      g_assert_nonnull (strstr (error->message, cases[i].name));
      g_assert_nonnull (strstr (error->message, "cuda:0"));
      g_assert_true (multiply (square.context, &square.gemm, NULL));
    }
  fake.clear ();
  g_assert_cmpfloat (square_read (&square), ==, 6 * 2 * G_N_ELEMENTS (cases));

  square_clear (&square);
}

/* A launch inside the library fails. */
static void
test_failing_launch (void)
{
  C2gLibrary fake;
  g_autoptr (GError) error = NULL;
  Square square;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchOutOfResources, FALSE);
  g_assert_false (multiply (square.context, &square.gemm, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "CUBLAS_STATUS_EXECUTION_FAILED"));
  g_assert_cmpint (cudaGetLastError (), ==, cudaSuccess);
  on_fake (fake_cuda_clear_failures);

  square_clear (&square);
}

static guint
count_workspaces (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autofree char *report = c2g_memory_reporter_dup_report (reporter);
  g_auto (GStrv) parts = g_strsplit (report, "cuBLAS workspace", -1);

  return g_strv_length (parts) - 1;
}

static C2gNet *
new_layers (C2gWorkspace *workspace)
{
  static const char text[] =
    "device_option { device_type: 1 } "
    "op { type: 'GivenTensorFill' output: 'x' arg { name: 'shape' ints: 2 ints: 2 } "
    "arg { name: 'values' floats: 1 floats: 2 floats: 3 floats: 4 } } "
    "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 2 } } "
    "op { type: 'FC' input: 'x' input: 'x' input: 'b' output: 'y' } "
    "op { type: 'FC' input: 'y' input: 'x' input: 'b' output: 'z' }";
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  C2gNet *net;

  g_assert_no_error (error);
  net = c2g_workspace_create_net (workspace, def, TRUE, &error);
  g_assert_no_error (error);

  return net;
}

/* All products of a net share one workspace, which is made in the first run and goes with the
 * net. */
static void
test_workspace (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gNet) net = new_layers (workspace);
  g_autoptr (GError) error = NULL;
  C2gLibrary fake;
  guint n_calls;
  guint64 n_bytes;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_workspaces (), ==, 1);
  n_bytes = c2g_memory_reporter_get_total_bytes (reporter, first_device ());
  n_calls = count_calls ("cudaMallocFromPoolAsync");

  g_assert_true (c2g_net_run (net, NULL, &error));
  g_assert_cmpuint (c2g_memory_reporter_get_total_bytes (reporter, first_device ()), ==, n_bytes);
  g_assert_cmpuint (count_calls ("cudaMallocFromPoolAsync"), ==, n_calls);
  g_assert_cmpuint (count_workspaces (), ==, 1);

  g_clear_object (&net);
  g_clear_object (&workspace);
  g_assert_cmpuint (count_workspaces (), ==, 0);
}

/* Unused workspaces are freed when memory is needed elsewhere. */
static void
check_given_back (C2gAllocator *allocator)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) old = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;
  C2gLibrary fake;
  Square square;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  c2g_allocator_set_default (device, allocator, NULL);
  square_init (&square, device);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (count_workspaces (), ==, 1);

  storage = c2g_storage_new (device, 40 << 20, square.context, &error);
  g_assert_no_error (error);
  g_assert_nonnull (storage);
  g_assert_cmpuint (count_workspaces (), ==, 0);

  /* There is no memory for another workspace either. */
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_clear_pointer (&storage, c2g_storage_unref);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (count_workspaces (), ==, 1);
  g_assert_cmpfloat (square_read (&square), ==, 18);

  square_clear (&square);
  c2g_allocator_set_default (device, old, NULL);
}

static void
test_given_back (void)
{
  g_autoptr (C2gAllocator) caching = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gAllocator) async =
    c2g_cuda_async_allocator_new_with_limit (first_device (), 43 << 20, NULL);

  c2g_cuda_caching_allocator_set_max_bytes (C2G_CUDA_CACHING_ALLOCATOR (caching), 43 << 20);
  check_given_back (caching);
  check_given_back (async);
}

/* A default stream survives a reset, but its workspace does not. */
static void
test_reset_stream (void)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) old = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new_from_handle (device, 0, NULL);
  g_autoptr (C2gContext) context = c2g_cuda_context_new_for_stream (stream);
  C2gLibrary fake;

  if (!may_reset () || !find_fake_library (&fake, BLAS_SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gAllocator) fresh = c2g_cuda_caching_allocator_new (device, NULL);
      g_autoptr (GError) error = NULL;
      Square square;

      c2g_allocator_set_default (device, fresh, NULL);
      square_init (&square, device);
      g_assert_true (c2g_context_finish (square.context, NULL));
      multiply (context, &square.gemm, &error);
      g_assert_no_error (error);
      g_assert_true (c2g_context_finish (context, &error));
      g_assert_cmpfloat (square_read (&square), ==, 6);
      square_clear (&square);
      c2g_allocator_set_default (device, old, NULL);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }

  assert_no_faults ();
}

/* Floats are multiplied without cuBLAS if there is no memory for a workspace or for a handle. */
static void
test_no_memory (void)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  g_autoptr (C2gAllocator) limiting = NULL;
  C2gLibrary fake;
  Square square;

  if (!find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, device);
  limiting = c2g_limiting_allocator_new (allocator, 1000);
  c2g_allocator_set_default (device, limiting, NULL);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  c2g_allocator_set_default (device, allocator, NULL);

  fake.clear ();
  fake.fail ("cublasGemmEx_64", 1, 3);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 1);
  fake.clear ();
  g_assert_cmpfloat (square_read (&square), ==, 12);

  square_clear (&square);
}

#define N_THREADS 4
#define N_ROUNDS 30

static gpointer
run_thread (gpointer data)
{
  Square *square = data;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr (GError) error = NULL;

      multiply (square->context, &square->gemm, &error);
      g_assert_no_error (error);
    }

  return NULL;
}

static void
test_threads (void)
{
  C2gDevice *second = c2g_device_count (C2G_DEVICE_TYPE_CUDA) > 1
                        ? c2g_device_new (C2G_DEVICE_TYPE_CUDA, 1, NULL)
                        : first_device ();
  GThread *threads[N_THREADS];
  Square squares[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    square_init (&squares[i], i % 2 ? second : first_device ());
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("blas", run_thread, &squares[i]);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_assert_cmpfloat (square_read (&squares[i]), ==, 6 * N_ROUNDS);
      square_clear (&squares[i]);
    }
}

/* Several threads share a context and take turns with its workspace. */
static void
test_shared_context (void)
{
  GThread *threads[N_THREADS];
  Square square;

  square_init (&square, first_device ());
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("blas", run_thread, &square);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpfloat (square_read (&square), ==, 6 * N_ROUNDS * N_THREADS);

  square_clear (&square);
}

/* The caller's current device does not change. */
static void
test_other_device (void)
{
  C2gDevice *second = second_device ();
  Square square;
  int current;

  if (second == NULL)
    return;

  square_init (&square, second);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
  g_assert_cmpint (current, ==, 0);
  g_assert_cmpfloat (square_read (&square), ==, 6);

  square_clear (&square);
}

/* Handles and workspaces go with a reset device, and are made again. */
static void
test_reset (void)
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, NULL);
  C2gLibrary fake;

  if (!may_reset () || !find_fake_library (&fake, BLAS_SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gAllocator) fresh = c2g_cuda_caching_allocator_new (device, NULL);
      Square square;

      c2g_allocator_set_default (device, fresh, NULL);
      square_init (&square, device);
      fake.clear ();
      g_assert_true (multiply (square.context, &square.gemm, NULL));
      g_assert_true (i == 0 || fake.get_n_calls ("cublasCreate_v2") == 1);
      g_assert_cmpfloat (square_read (&square), ==, 6);
      square_clear (&square);
      c2g_allocator_set_default (device, allocator, NULL);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }

  assert_no_faults ();
}

/* Products that neither cuBLAS nor the library's own kernel computes. */
static void
test_refused (void)
{
  static const C2gDataType others[] = { C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_BOOL };
  Square square;

  square_init (&square, first_device ());
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;

      square.gemm.type = others[i];
      g_assert_false (multiply (square.context, &square.gemm, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, c2g_data_type_get_name (others[i])));
    }
  square_clear (&square);
}

/* CUBLAS_COMPUTE_32F and CUBLAS_COMPUTE_32F_FAST_TF32 */
#define EXACT 68
#define TF32  77

static void
check_tf32 (Square     *square,
            C2gLibrary *fake,
            gboolean    has_tf32)
{
  g_assert_true (multiply (square->context, &square->gemm, NULL));
  g_assert_cmpint (fake->get_compute_type (), ==, has_tf32 ? TF32 : EXACT);
}

/* Products keep the precision of floats unless the context, or the environment, permits less. */
static void
test_tf32 (void)
{
  C2gLibrary fake;
  Square square;

  if (!in_process_with ("C2G_CUDA_TF32", "") || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  check_tf32 (&square, &fake, FALSE);
  g_object_set (square.context, "tf32-convolutions", FALSE, "tf32-products", TRUE, NULL);
  check_tf32 (&square, &fake, TRUE);
  square_clear (&square);
}

static void
test_tf32_environment (void)
{
  C2gLibrary fake;
  Square square;

  if (!in_process_with ("C2G_CUDA_TF32", "1") || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  check_tf32 (&square, &fake, TRUE);
  g_assert_true (c2g_cuda_context_get_tf32_convolutions (C2G_CUDA_CONTEXT (square.context)));
  c2g_cuda_context_set_tf32_products (C2G_CUDA_CONTEXT (square.context), FALSE);
  check_tf32 (&square, &fake, FALSE);
  /* Convolutions have a setting of their own. */
  g_assert_true (c2g_cuda_context_get_tf32_convolutions (C2G_CUDA_CONTEXT (square.context)));
  c2g_cuda_context_set_tf32_convolutions (C2G_CUDA_CONTEXT (square.context), FALSE);
  g_assert_false (c2g_cuda_context_get_tf32_convolutions (C2G_CUDA_CONTEXT (square.context)));
  square_clear (&square);
}

/* A handle is made, and used, while another thread captures a graph. */
static void
test_capture (void)
{
  C2gLibrary fake;
  cudaStream_t captured;
  Square square;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  captured = begin_capture ();
  for (guint i = 0; i < 2; i++)
    g_assert_true (multiply (square.context, &square.gemm, NULL));
  end_capture (captured);
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 2);
  g_assert_cmpfloat (square_read (&square), ==, 12);
  square_clear (&square);
}

static void
test_describing (void)
{
  check_describing ("C2G_CUBLAS_LIBRARY", BLAS_SONAME, "cublasCreate_v2");
}

/* The description of the device has the version of cuBLAS. */
static void
test_version (void)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);
  const char *version = c2g_device_info_get_detail (info, "cublas");

  g_assert_nonnull (version);
  if (is_fake ())
    g_assert_cmpstr (version, ==, "13.98.7");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/blas/products", test_products);
  add_clean_func ("/cuda/blas/same-operand", test_same_operand);
  add_clean_func ("/cuda/blas/is-used", test_is_used);
  add_clean_func ("/cuda/blas/handles-of-threads", test_handles_of_threads);
  add_clean_func ("/cuda/blas/failing-calls", test_failing_calls);
  add_clean_func ("/cuda/blas/failing-launch", test_failing_launch);
  add_clean_func ("/cuda/blas/workspace", test_workspace);
  add_clean_func ("/cuda/blas/given-back", test_given_back);
  add_clean_func ("/cuda/blas/no-memory", test_no_memory);
  add_clean_func ("/cuda/blas/refused", test_refused);
  /* The number of kept handles depends on how many threads needed one at once. */
  g_test_add_func ("/cuda/blas/threads", test_threads);
  g_test_add_func ("/cuda/blas/shared-context", test_shared_context);
  add_clean_func ("/cuda/blas/other-device", test_other_device);
  add_clean_func ("/cuda/blas/version", test_version);
  g_test_add_func ("/cuda/blas/capture", test_capture);
  g_test_add_func ("/cuda/blas/describing", test_describing);
  g_test_add_func ("/cuda/blas/tf32", test_tf32);
  g_test_add_func ("/cuda/blas/tf32-environment", test_tf32_environment);
  g_test_add_func ("/cuda/blas/reset", test_reset);
  g_test_add_func ("/cuda/blas/reset-stream", test_reset_stream);

  return run_on_device ();
}
