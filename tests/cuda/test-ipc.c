/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include <stdlib.h>

/* Memory of a device that two processes share. The other process runs this program too. */

#define N 70001

/* Offsets of the process, the device and the tensor's data in a handle. */
#define AT_PROCESS   8
#define AT_DEVICE    24
#define AT_OFFSET    (40 + 64 + 64)
#define AT_N_BYTES   (AT_OFFSET + 8)
#define AT_DATA_TYPE (AT_OFFSET + 16)

static const char *program;

static C2gTensor *
new_tensor (C2gAllocator *allocator,
            C2gContext   *context,
            double        value)
{
  g_autoptr (C2gStorage) storage = allocate (allocator, N * sizeof (float), context);
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;

  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N), storage, 0, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_context_fill (context, tensor, value, &error));
  g_assert_no_error (error);

  return tensor;
}

static void
assert_all (C2gTensor *tensor,
            float      value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  const float *values;

  g_assert_no_error (error);
  values = c2g_tensor_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  for (gint64 i = 0; i < N; i++)
    g_assert_cmpfloat (values[i], ==, value);
}

/* The other process: tries calls that fail, then checks that all values are `value`, and sets them
 * to 4. */
static void
use_tensor (GBytes     *handle,
            C2gContext *context,
            float       value)
{
  static const char *const functions[] = {
    "cudaGetDeviceProperties", "cudaIpcOpenMemHandle", "cudaIpcOpenEventHandle",
    "cudaStreamWaitEvent"
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) again = NULL;
  cudaStream_t captured;

  for (gsize i = 0; i < G_N_ELEMENTS (functions) && is_fake (); i++)
    {
      on_fake (fake_cuda_fail, functions[i], 1, cudaErrorMapBufferObjectFailed, 0);
      g_assert_null (c2g_cuda_ipc_open_tensor (handle, context, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "cudaErrorMapBufferObjectFailed"));
      g_clear_error (&error);
      on_fake (fake_cuda_clear_failures);
    }

  captured = begin_capture ();
  tensor = c2g_cuda_ipc_open_tensor (handle, context, &error);
  g_assert_no_error (error);
  again = c2g_cuda_ipc_open_tensor (handle, NULL, &error);
  g_assert_no_error (error);
  end_capture (captured);
  g_assert_true (c2g_tensor_get_address (again) == c2g_tensor_get_address (tensor));
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, N);
  assert_all (again, value);
  g_assert_true (c2g_context_fill (context, tensor, 4.0, &error));
  g_assert_no_error (error);
}

static GBytes *
from_text (const char *text)
{
  gsize n_bytes;
  guchar *data = g_base64_decode (text, &n_bytes);

  return g_bytes_new_take (data, n_bytes);
}

/* Returns the handle with one byte changed. */
static GBytes *
change (GBytes *handle,
        gsize   at)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (handle, &n_bytes);
  guint8 *copy = g_memdup2 (data, n_bytes);

  copy[at] ^= 0x55;
  return g_bytes_new_take (copy, n_bytes);
}

/* Handles with ranges beyond the end of the memory. */
static void
use_bad_ranges (GBytes     *handle,
                C2gContext *context)
{
  static const gsize places[] = { AT_OFFSET + 4, AT_N_BYTES + 4 };

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GBytes) changed = change (handle, places[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_cuda_ipc_open_storage (changed, context, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

static int
run_child (const char *text)
{
  g_autoptr (GBytes) handle = from_text (text);
  C2gContext *context = new_context ();
  guint n_left;

  use_tensor (handle, context, 3);
  finish (context);
  n_left = count_left ();
  use_bad_ranges (handle, context);
  use_tensor (handle, context, 4);
  finish (context);
  g_assert_cmpuint (count_left (), <=, n_left);
  g_object_unref (context);
  assert_no_faults ();

  return EXIT_SUCCESS;
}

static void
check_in_child (C2gCudaIpcExport *export)
{
  gsize n_bytes;
  const guchar *data = g_bytes_get_data (c2g_cuda_ipc_export_get_handle (export), &n_bytes);
  g_autofree char *text = g_base64_encode (data, n_bytes);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;

  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, program, "--child", text,
                            NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (child, NULL, &error);
  g_assert_no_error (error);
}

/* The tensor shares a segment with other blocks, and does not begin at its start. */
static void
check_share (gboolean with_context)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gStorage) before = allocate (allocator, 1000, context);
  g_autoptr (C2gTensor) tensor = new_tensor (allocator, context, 1);
  g_autoptr (C2gCudaIpcExport) export = NULL;
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  g_autoptr (GError) error = NULL;

  /* The work to wait for is still pending, and is not on the block's own stream. */
  on_fake (fake_cuda_set_latency, 50);
  g_assert_true (c2g_context_record (context, event, NULL));
  g_assert_true (c2g_context_wait (other, event, NULL));
  g_assert_true (c2g_context_fill (other, tensor, 3.0, NULL));
  export = c2g_cuda_ipc_export_new_for_tensor (tensor, with_context ? other : NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_cuda_ipc_export_get_storage (export) == c2g_tensor_get_storage (tensor));
  on_fake (fake_cuda_set_latency, 0);

  check_in_child (export);
  assert_all (tensor, 4);
}

static void
test_share (void)
{
  check_share (FALSE);
}

static void
test_share_after_context (void)
{
  check_share (TRUE);
}

/* The memory stays as long as the export, even if all others have released it. */
static void
test_lifetime (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  C2gTensor *tensor = new_tensor (allocator, context, 3);
  g_autoptr (GError) error = NULL;
  C2gCudaIpcExport *export = c2g_cuda_ipc_export_new_for_tensor (tensor, context, &error);

  g_assert_no_error (error);
  g_object_unref (tensor);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), >, 0);
  tensor = new_tensor (allocator, context, 7);
  check_in_child (export);
  assert_all (tensor, 7);
  g_object_unref (tensor);
  g_object_unref (export);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, 0);
}

/* The memory is a part of an allocation that another library made with cudaMalloc(). */
static void
check_foreign (gsize n_before)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  C2gCudaIpcExport *export;
  g_autoptr (GError) error = NULL;
  cudaStream_t captured;
  char *memory;

  g_assert_cmpint (cudaMalloc ((void **) &memory, n_before + N * sizeof (float) + 100), ==,
                   cudaSuccess);
  storage = c2g_storage_new_external (first_device (), memory + n_before, N * sizeof (float), FALSE,
                                      NULL, NULL);
  tensor = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (N), storage, 0, NULL);
  g_assert_true (c2g_context_fill (context, tensor, 3.0, NULL));
  captured = begin_capture ();
  export = c2g_cuda_ipc_export_new_for_tensor (tensor, NULL, &error);
  g_assert_no_error (error);
  end_capture (captured);
  check_in_child (export);
  assert_all (tensor, 4);
  g_object_unref (export);
  finish (context);
  g_assert_cmpint (cudaFree (memory), ==, cudaSuccess);
}

static void
test_foreign (void)
{
  check_foreign (0);
}

static void
test_foreign_inside (void)
{
  check_foreign (30000);
}

/* The memory comes from an allocator that wraps a caching one. */
static void
test_adapted (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) caching = new_caching_allocator ();
  g_autoptr (C2gAllocator) allocator = c2g_limiting_allocator_new (caching, 1 << 20);
  g_autoptr (C2gStorage) before = allocate (allocator, 1000, context);
  g_autoptr (C2gTensor) tensor = new_tensor (allocator, context, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gCudaIpcExport) export = c2g_cuda_ipc_export_new_for_tensor (tensor, NULL, &error);

  g_assert_no_error (error);
  check_in_child (export);
  assert_all (tensor, 4);
}

static gpointer
export_again (gpointer storage)
{
  g_autoptr (GError) error = NULL;
  C2gCudaIpcExport *export = c2g_cuda_ipc_export_new (storage, NULL, &error);

  g_assert_no_error (error);
  return export;
}

/* A thread that has not called CUDA has no context, and the functions of the driver make none. */
static void
test_thread (void)
{
  g_autoptr (C2gAllocator) allocator = new_caching_allocator ();
  g_autoptr (C2gStorage) storage = allocate (allocator, 1000, NULL);
  GThread *thread = g_thread_new ("export", export_again, storage);

  g_object_unref (g_thread_join (thread));
}

static void
assert_refused (C2gStorage *storage,
                C2gContext *context,
                C2gError    code,
                const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_cuda_ipc_export_new (storage, context, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, text));
}

static void
test_refused (void)
{
  g_autoptr (C2gAllocator) pools = c2g_cuda_async_allocator_new (first_device (), NULL);
  g_autoptr (C2gAllocator) caching = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gStorage) of_pool = allocate (pools, 1000, NULL);
  g_autoptr (C2gStorage) near = allocate (pinned, 1000, NULL);
  g_autoptr (C2gStorage) far = allocate (caching, 1000, NULL);
  g_autoptr (C2gContext) cpu = c2g_context_for_device (c2g_device_cpu (), NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_for_device (first_device ());
  g_autoptr (GError) error = NULL;

  assert_refused (of_pool, NULL, C2G_ERROR_NOT_SUPPORTED, "C2gCudaCachingAllocator");
  assert_refused (near, NULL, C2G_ERROR_DEVICE, "cpu");
  assert_refused (far, cpu, C2G_ERROR_DEVICE, "cpu");
  g_assert_null (c2g_cuda_ipc_export_new_for_tensor (tensor, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

static void
assert_foreign_refused (gconstpointer memory,
                        gsize         n_bytes,
                        C2gError      code,
                        const char   *text)
{
  g_autoptr (C2gStorage) storage = c2g_storage_new_external (first_device (), (gpointer) memory,
                                                             n_bytes, FALSE, NULL, NULL);

  assert_refused (storage, NULL, code, text);
}

static void
test_foreign_refused (void)
{
  static const char here[100];
  void *of_pool, *memory;

  g_assert_cmpint (cudaMallocAsync (&of_pool, 1000, NULL), ==, cudaSuccess);
  g_assert_cmpint (cudaMalloc (&memory, 1000), ==, cudaSuccess);

  assert_foreign_refused (of_pool, 1000, C2G_ERROR_NOT_SUPPORTED, "C2gCudaCachingAllocator");
  assert_foreign_refused (here, sizeof here, C2G_ERROR_DEVICE, "cuMemGetAddressRange");
  if (is_fake ())
    assert_foreign_refused ((char *) memory + 500, 501, C2G_ERROR_NOT_SUPPORTED,
                            "Of 501 bytes to export only 500");

  g_assert_cmpint (cudaFreeAsync (of_pool, NULL), ==, cudaSuccess);
  g_assert_cmpint (cudaFree (memory), ==, cudaSuccess);
}

static void
test_export_fails (void)
{
  static const char *const functions[] = {
    "cudaGetDeviceProperties", "cudaIpcGetMemHandle", "cudaEventCreateWithFlags",
    "cudaIpcGetEventHandle", "cudaEventRecord"
  };
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gStorage) storage = allocate (allocator, 1000, context);

  if (!needs_fake ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      on_fake (fake_cuda_fail, functions[i], 1, cudaErrorMapBufferObjectFailed, 0);
      assert_refused (storage, context, C2G_ERROR_DEVICE, "cudaErrorMapBufferObjectFailed");
      on_fake (fake_cuda_clear_failures);
    }
}

static void
assert_cannot_open (GBytes     *handle,
                    C2gContext *context,
                    C2gError    code,
                    const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_cuda_ipc_open_tensor (handle, context, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, text));
}

/* For a handle of the same process the driver would report "uninitialized device". */
static void
test_bad_handles (void)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gAllocator) allocator = c2g_cuda_caching_allocator_new (first_device (), NULL);
  g_autoptr (C2gTensor) tensor = new_tensor (allocator, context, 3);
  g_autoptr (C2gCudaIpcExport) export = c2g_cuda_ipc_export_new_for_tensor (tensor, context, NULL);
  GBytes *handle = c2g_cuda_ipc_export_get_handle (export);
  gsize n_bytes = g_bytes_get_size (handle);
  g_autoptr (GBytes) other_magic = change (handle, 0);
  g_autoptr (GBytes) other_process = change (handle, AT_PROCESS);
  g_autoptr (GBytes) other_device = change (other_process, AT_DEVICE);
  g_autoptr (GBytes) other_type = change (other_process, AT_DATA_TYPE);
  g_autoptr (C2gContext) cpu = c2g_context_for_device (c2g_device_cpu (), NULL);

  assert_cannot_open (handle, context, C2G_ERROR_NOT_SUPPORTED, "this process itself");
  assert_cannot_open (other_magic, context, C2G_ERROR_CORRUPT, "no handle");
  assert_cannot_open (other_device, context, C2G_ERROR_DEVICE, "does not see");
  assert_cannot_open (other_type, context, C2G_ERROR_CORRUPT, "no handle");
  assert_cannot_open (other_process, cpu, C2G_ERROR_DEVICE, "cpu");
  assert_cannot_open (other_process, context, C2G_ERROR_DEVICE, "cudaIpcOpenMemHandle");
  for (gsize n = 0; n < n_bytes; n++)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (handle, 0, n);

      assert_cannot_open (part, context, C2G_ERROR_CORRUPT, "no handle");
    }
}

/* An export that g_object_new() made has no handle. */
static void
test_bare (void)
{
  g_autoptr (C2gCudaIpcExport) export = g_object_new (C2G_CUDA_TYPE_IPC_EXPORT, NULL);

  g_assert_null (c2g_cuda_ipc_export_get_handle (export));
  g_assert_null (c2g_cuda_ipc_export_get_storage (export));
}

/* With several devices, the UUID of the first one cannot be read. */
static void
test_other_device (void)
{
  C2gDevice *device = needs_fake () ? second_device () : NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gCudaIpcExport) export = NULL;
  g_autoptr (GBytes) handle = NULL;
  g_autoptr (GError) error = NULL;

  if (device == NULL)
    return;

  context = c2g_context_for_device (device, NULL);
  allocator = c2g_cuda_caching_allocator_new (device, NULL);
  tensor = new_tensor (allocator, context, 3);
  export = c2g_cuda_ipc_export_new_for_tensor (tensor, NULL, &error);
  g_assert_no_error (error);

  /* The right device is found, but CUDA refuses the handle, because it is of the same process. */
  handle = change (c2g_cuda_ipc_export_get_handle (export), AT_PROCESS);
  on_fake (fake_cuda_fail, "cudaGetDeviceProperties", 1, cudaErrorUnknown, 0);
  assert_cannot_open (handle, NULL, C2G_ERROR_DEVICE, "cudaIpcOpenMemHandle failed for cuda:1");
  on_fake (fake_cuda_fail, "cudaGetDeviceProperties", 1, cudaErrorUnknown, 1);
  assert_cannot_open (handle, NULL, C2G_ERROR_DEVICE, "failed for cuda:0: cudaErrorUnknown");
  on_fake (fake_cuda_clear_failures);
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 3 && g_str_equal (argv[1], "--child"))
    return run_child (argv[2]);

  program = argv[0];
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/ipc/share", test_share);
  add_clean_func ("/cuda/ipc/share-after-context", test_share_after_context);
  add_clean_func ("/cuda/ipc/lifetime", test_lifetime);
  add_clean_func ("/cuda/ipc/foreign", test_foreign);
  add_clean_func ("/cuda/ipc/foreign-inside", test_foreign_inside);
  add_clean_func ("/cuda/ipc/adapted", test_adapted);
  add_clean_func ("/cuda/ipc/thread", test_thread);
  add_clean_func ("/cuda/ipc/refused", test_refused);
  add_clean_func ("/cuda/ipc/foreign-refused", test_foreign_refused);
  add_clean_func ("/cuda/ipc/export-fails", test_export_fails);
  add_clean_func ("/cuda/ipc/bad-handles", test_bad_handles);
  add_clean_func ("/cuda/ipc/bare", test_bare);
  add_clean_func ("/cuda/ipc/other-device", test_other_device);

  return run_on_device ();
}
