/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/libraries-utils.h"

#include <c2g/c2g-backend.h>
#include <c2g/cuda/c2g-cuda-backend.h>

#include <math.h>

/* Matrix products on a device: with cuBLAS, with the fake one, and without it. */

static const C2gDataType types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_DOUBLE,
};

static C2gContext *
new_context (C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gContext *context = c2g_context_for_device (device, &error);

  g_assert_no_error (error);
  return context;
}

/* Numbers that every type represents exactly, so that only the result is rounded. */
static C2gTensor *
new_numbers (C2gDataType type,
             gint64      n,
             guint       seed)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, type, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    {
      seed = seed * 1664525 + 1013904223;
      c2g_tensor_set_value (tensor, i, ((int) (seed >> 24) - 128) / 64.0, NULL);
    }

  return tensor;
}

static C2gTensor *
to_device (C2gTensor *tensor,
           C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *result = c2g_tensor_to_device (tensor, device, &error);

  g_assert_no_error (error);
  return result;
}

static double
get (C2gTensor *tensor,
     gint64     i)
{
  return c2g_tensor_get_value (tensor, i, NULL);
}

static double
expect (const C2gComputeGemm *gemm,
        C2gTensor            *a,
        C2gTensor            *b,
        C2gTensor            *c,
        gsize                 matrix,
        gsize                 row,
        gsize                 column)
{
  double sum = 0;

  for (gsize k = 0; k < gemm->depth; k++)
    sum += get (a, matrix * gemm->a_matrix +
                     (gemm->a_is_transposed ? k * gemm->a_stride + row
                                            : row * gemm->a_stride + k)) *
           get (b, matrix * gemm->b_matrix +
                     (gemm->b_is_transposed ? column * gemm->b_stride + k
                                            : k * gemm->b_stride + column));

  return gemm->alpha * sum +
         gemm->beta * get (c, matrix * gemm->c_matrix + row * gemm->c_stride + column);
}

static void
assert_products (const C2gComputeGemm *gemm,
                 C2gTensor            *a,
                 C2gTensor            *b,
                 C2gTensor            *c,
                 C2gTensor            *result)
{
  const double precision = gemm->type == C2G_DATA_TYPE_BFLOAT16  ? 1e-2
                           : gemm->type == C2G_DATA_TYPE_FLOAT16 ? 2e-3
                           : gemm->type == C2G_DATA_TYPE_DOUBLE  ? 1e-13
                                                                 : 1e-5;

  for (gsize matrix = 0; matrix < gemm->n_matrices; matrix++)
    for (gsize row = 0; row < gemm->n_rows; row++)
      for (gsize column = 0; column < gemm->c_stride; column++)
        {
          const gsize i = matrix * gemm->c_matrix + row * gemm->c_stride + column;
          const gboolean is_part = column < gemm->n_columns;
          const double expected = is_part ? expect (gemm, a, b, c, matrix, row, column) : get (c, i);

          g_assert_cmpfloat (fabs (get (result, i) - expected), <=,
                             is_part ? precision * (fabs (expected) + 1) : 0);
        }
}

static gboolean
multiply (C2gContext            *context,
          const C2gComputeGemm  *gemm,
          GError               **error)
{
  const C2gComputeRequest request = { .kind = C2G_COMPUTE_KIND_GEMM, .gemm = gemm };

  return c2g_cuda_device_backend (NULL)->compute->run (context, &request, error);
}

/* Sets the strides, with gaps between rows and matrices, or without. */
static void
lay_out (C2gComputeGemm *gemm,
         gsize           gap)
{
  gemm->a_stride = (gemm->a_is_transposed ? gemm->n_rows : gemm->depth) + gap;
  gemm->a_matrix = (gemm->a_is_transposed ? gemm->depth : gemm->n_rows) * gemm->a_stride + gap;
  gemm->b_stride = (gemm->b_is_transposed ? gemm->depth : gemm->n_columns) + gap;
  gemm->b_matrix = (gemm->b_is_transposed ? gemm->n_columns : gemm->depth) * gemm->b_stride + gap;
  gemm->c_stride = gemm->n_columns + gap;
  gemm->c_matrix = gemm->n_rows * gemm->c_stride + gap;
}

static void
check_product (C2gContext     *context,
               C2gComputeGemm  gemm)
{
  C2gDevice *device = c2g_context_get_device (context);
  g_autoptr (C2gTensor) a = new_numbers (gemm.type, gemm.a_matrix * gemm.n_matrices + 1, 1);
  g_autoptr (C2gTensor) b = new_numbers (gemm.type, gemm.b_matrix * gemm.n_matrices + 1, 2);
  g_autoptr (C2gTensor) c = new_numbers (gemm.type, gemm.c_matrix * gemm.n_matrices + 1, 3);
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
  c2g_context_finish (context, &error);
  g_assert_no_error (error);

  result = to_device (far_c, c2g_device_cpu ());
  assert_products (&gemm, a, b, c, result);
}

static const C2gComputeGemm sizes[] = {
  { .n_rows = 1, .n_columns = 1, .depth = 1, .alpha = 1, .beta = 0, .n_matrices = 1 },
  { .n_rows = 3, .n_columns = 5, .depth = 7, .alpha = 1, .beta = 0, .n_matrices = 1 },
  { .n_rows = 8, .n_columns = 1, .depth = 4, .alpha = 0.5, .beta = 1, .n_matrices = 1 },
  { .n_rows = 5, .n_columns = 4, .depth = 3, .alpha = 2, .beta = -1, .n_matrices = 3 },
  { .n_rows = 4, .n_columns = 6, .depth = 0, .alpha = 2, .beta = 0.5, .n_matrices = 2 },
  { .n_rows = 0, .n_columns = 6, .depth = 2, .alpha = 2, .beta = 0.5, .n_matrices = 2 },
  { .n_rows = 2, .n_columns = 6, .depth = 2, .alpha = 2, .beta = 0.5, .n_matrices = 0 },
};

static void
check_products (C2gDataType type)
{
  g_autoptr (C2gContext) context = new_context (first_device ());

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint how = 0; how < 8; how++)
      {
        C2gComputeGemm gemm = sizes[i];

        gemm.type = type;
        gemm.a_is_transposed = (how & 1) != 0;
        gemm.b_is_transposed = (how & 2) != 0;
        lay_out (&gemm, how & 4 ? 3 : 0);
        check_product (context, gemm);
      }
}

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

/* Two numbers and a result, to be multiplied repeatedly. */
typedef struct
{
  C2gTensor      *far;
  C2gContext     *context;
  C2gComputeGemm  gemm;
} Square;

/* Each product computes c = c + 2 · 3. */
static void
square_init (Square    *self,
             C2gDevice *device)
{
  gint64 n = 3;
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (&n, 1, NULL, NULL);
  float *values = c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  float *address;

  values[0] = 2;
  values[1] = 3;
  values[2] = 0;
  self->context = new_context (device);
  self->far = c2g_tensor_new_for_device (device);
  c2g_tensor_copy_from (self->far, near, self->context, NULL);
  address = c2g_tensor_mutable_data (self->far, C2G_DATA_TYPE_FLOAT, NULL);
  self->gemm = (C2gComputeGemm) {
    .type = C2G_DATA_TYPE_FLOAT,
    .n_rows = 1,
    .n_columns = 1,
    .depth = 1,
    .alpha = 1,
    .beta = 1,
    .a = address,
    .b = address + 1,
    .c = address + 2,
    .a_stride = 1,
    .b_stride = 1,
    .c_stride = 1,
    .n_matrices = 1,
  };
}

static double
square_read (Square *self)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new ();
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (near, self->far, self->context, &error);
  g_assert_no_error (error);
  c2g_context_finish (self->context, &error);
  g_assert_no_error (error);
  return get (near, 2);
}

static void
square_clear (Square *self)
{
  g_clear_object (&self->far);
  g_clear_object (&self->context);
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

/* The device tells why cuBLAS is missing, and floats are multiplied without it. */
static void
check_absent (const char *reason)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);
  g_autoptr (GError) error = NULL;
  Square square;

  g_test_message ("%s", c2g_device_info_get_detail (info, "cublas"));
  g_assert_nonnull (strstr (c2g_device_info_get_detail (info, "cublas"), reason));
  check_products (C2G_DATA_TYPE_FLOAT);

  square_init (&square, first_device ());
  square.gemm.type = C2G_DATA_TYPE_DOUBLE;
  g_assert_false (multiply (square.context, &square.gemm, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
  square_clear (&square);
}

static void
test_missing_library (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", "libcublas-that-is-not-there.so"))
    return;
  check_absent ("libcublas-that-is-not-there.so");
}

static void
test_unwanted_library (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", ""))
    return;
  check_absent ("C2G_CUBLAS_LIBRARY");
}

/* The file is another library. */
static void
test_missing_symbol (void)
{
  if (!in_process_with ("C2G_CUBLAS_LIBRARY", "libm.so.6"))
    return;
  check_absent ("cublasCreate_v2");
}

static void
assert_detail (C2gDevice  *device,
               const char *text)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (device, NULL);
  const char *detail = c2g_device_info_get_detail (info, "cublas");

  g_test_message ("%s", detail);
  g_assert_nonnull (strstr (detail, text));
}

/* The library opens but no handle can be made. Floats are multiplied without it, and the device
 * tells why. */
static void
test_failing_create (void)
{
  C2gLibrary fake;
  g_autoptr (GError) error = NULL;
  Square square;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  fake.fail ("cublasCreate_v2", 1, 1);
  g_assert_true (multiply (square.context, &square.gemm, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fake.get_n_handles (), ==, 0);
  assert_detail (first_device (),
                 "cublasCreate_v2 failed for cuda:0: CUBLAS_STATUS_NOT_INITIALIZED");

  /* The next attempt is made only after some requests, and each time after more of them. */
  fake.fail ("cublasCreate_v2", 1, 1);
  for (guint i = 0; i < 5; i++)
    g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasCreate_v2"), ==, 2);
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 0);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 1);
  assert_detail (first_device (), "13.98.7");

  /* A product that cuBLAS does not support does not count as a failure. */
  fake.fail ("cublasGemmEx_64", 1, 15);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 6 * 8);
  square_clear (&square);
}

static gboolean
is_said_to_fail (void)
{
  g_autoptr (C2gDeviceInfo) info = c2g_device_info_new_for_device (first_device (), NULL);

  return strstr (c2g_device_info_get_detail (info, "cublas"), "cublasCreate") != NULL;
}

/* After a reset the next attempt is made at once, and the old reason is forgotten. */
static void
test_reset_after_failure (void)
{
  C2gLibrary fake;
  Square square;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;

  for (guint i = 0; i < 2; i++)
    {
      square_init (&square, first_device ());
      g_assert_false (is_said_to_fail ());
      if (i == 0)
        fake.fail ("cublasCreate_v2", 1, 1);
      g_assert_true (multiply (square.context, &square.gemm, NULL));
      g_assert_true (is_said_to_fail () == (i == 0));
      g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, i);
      g_assert_cmpfloat (square_read (&square), ==, 6);
      square_clear (&square);
      g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
    }
  assert_no_faults ();
}

static gpointer
reset_and_multiply (gpointer data)
{
  Square square;

  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  square_init (&square, first_device ());
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_cmpfloat (square_read (&square), ==, 6);
  square_clear (&square);
  return NULL;
}

/* Another thread resets the device and goes on, while a handle is made. */
static void
reset_elsewhere (void)
{
  g_thread_join (g_thread_new ("reset", reset_and_multiply, NULL));
}

static void
test_reset_during_failure (void)
{
  C2gLibrary fake;
  Square square;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;

  square_init (&square, first_device ());
  fake.fail ("cublasCreate_v2", 1, 1);
  fake.set_hook ("cublasCreate_v2", reset_elsewhere);
  multiply (square.context, &square.gemm, NULL);
  g_assert_cmpuint (fake.get_n_calls ("cublasCreate_v2"), ==, 2);
  g_assert_false (is_said_to_fail ());
  square_clear (&square);
  on_fake (fake_cuda_clear_faults);
}

/* Products that neither cuBLAS nor the library's own kernel computes. */
static void
test_refused (void)
{
  static const struct
  {
    C2gDataType type;
    gsize       a_stride, b_stride, c_stride;
    const char *message;
  } cases[] = {
    { C2G_DATA_TYPE_INT32, 1, 1, 1, "int32” cannot be multiplied: cuBLAS has no such numbers" },
    { C2G_DATA_TYPE_BOOL, 1, 1, 1, "bool” cannot be multiplied: cuBLAS has no such numbers" },
    { C2G_DATA_TYPE_DOUBLE, 0, 1, 1, "double” cannot be multiplied: their rows overlap" },
    { C2G_DATA_TYPE_DOUBLE, 1, 0, 1, "double” cannot be multiplied: their rows overlap" },
    { C2G_DATA_TYPE_FLOAT16, 1, 1, 0, "float16” cannot be multiplied: their rows overlap" },
  };
  Square square;

  square_init (&square, first_device ());
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      square.gemm.type = cases[i].type;
      square.gemm.a_stride = cases[i].a_stride;
      square.gemm.b_stride = cases[i].b_stride;
      square.gemm.c_stride = cases[i].c_stride;
      g_assert_false (multiply (square.context, &square.gemm, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
  square_clear (&square);
}

/* A failure for one device does not keep other devices from trying. */
static void
test_failing_device (void)
{
  C2gDevice *second;
  C2gLibrary fake;
  Square square, other;

  if (!in_process_with ("C2G_CUBLAS_LIBRARY", BLAS_SONAME) || !find_fake_library (&fake, BLAS_SONAME))
    return;
  second = second_device ();
  if (second == NULL)
    return;

  square_init (&square, first_device ());
  square_init (&other, second);
  fake.fail ("cublasCreate_v2", 1, 1);
  g_assert_true (multiply (square.context, &square.gemm, NULL));
  g_assert_true (multiply (other.context, &other.gemm, NULL));
  g_assert_cmpuint (fake.get_n_calls ("cublasGemmEx_64"), ==, 1);
  assert_detail (first_device (), "cublasCreate_v2 failed for cuda:0");
  assert_detail (second, "13.98.7");
  square_clear (&square);
  square_clear (&other);
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
  c2g_cuda_context_set_tf32_products (C2G_CUDA_CONTEXT (square.context), FALSE);
  check_tf32 (&square, &fake, FALSE);
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
  g_test_add_func ("/cuda/blas/missing-library", test_missing_library);
  g_test_add_func ("/cuda/blas/unwanted-library", test_unwanted_library);
  g_test_add_func ("/cuda/blas/missing-symbol", test_missing_symbol);
  g_test_add_func ("/cuda/blas/failing-create", test_failing_create);
  g_test_add_func ("/cuda/blas/failing-device", test_failing_device);
  g_test_add_func ("/cuda/blas/tf32", test_tf32);
  g_test_add_func ("/cuda/blas/tf32-environment", test_tf32_environment);
  g_test_add_func ("/cuda/blas/reset", test_reset);
  g_test_add_func ("/cuda/blas/reset-after-failure", test_reset_after_failure);
  g_test_add_func ("/cuda/blas/reset-during-failure", test_reset_during_failure);
  g_test_add_func ("/cuda/blas/reset-stream", test_reset_stream);

  return run_on_device ();
}
