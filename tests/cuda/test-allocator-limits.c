/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

#include "tests/core/exchange.h"

/* Allocators with too little memory, failing calls, resets and several threads. Many cases are from
 * RMM's tests of pools, limits and failures, for every allocator of the library. */

typedef C2gAllocator *(*Make) (void);

static C2gAllocator *
make_caching (void)
{
  return c2g_cuda_caching_allocator_new (first_device (), NULL);
}

static C2gAllocator *
make_async (void)
{
  return c2g_cuda_async_allocator_new (first_device (), NULL);
}

static C2gAllocator *
make_pinned (void)
{
  return c2g_cuda_pinned_allocator_new ();
}

static void
refuse (C2gAllocator *allocator,
        gsize         n_bytes,
        const char   *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (allocator, n_bytes, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  if (text != NULL)
    g_assert_nonnull (strstr (error->message, text));
}

/* Limits */

static void
count_notify (GObject    *object,
              GParamSpec *pspec,
              gpointer    n)
{
  (*(guint *) n)++;
}

/* RMM limiting: TooBig, UnderLimitDueToFrees, OverLimit */
static void
test_limit (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = ((Make) (gsize) make) ();
  C2gStorage *storages[2];
  guint n_notifies = 0;

  g_signal_connect (allocator, "notify::max-bytes", G_CALLBACK (count_notify), &n_notifies);
  g_object_set (allocator, "max-bytes", 8 * MIB, NULL);
  g_object_set (allocator, "max-bytes", 8 * MIB, NULL);
  g_assert_cmpuint (n_notifies, ==, 1);
  g_assert_cmpuint (get_number (allocator, "max-bytes"), ==, 8 * MIB);

  refuse (allocator, 8 * MIB + 1, "8388608");
  storages[0] = allocate (allocator, 5 * MIB, NULL);
  refuse (allocator, 4 * MIB, NULL);
  storages[1] = allocate (allocator, 2 * MIB, NULL);
  c2g_storage_unref (storages[0]);
  storages[0] = allocate (allocator, 3 * MIB, NULL);
  c2g_storage_unref (storages[0]);
  c2g_storage_unref (storages[1]);
  /* Cached memory counts, but is freed to make room. */
  c2g_storage_unref (allocate (allocator, 8 * MIB, NULL));

  g_object_set (allocator, "max-bytes", G_MAXUINT64, NULL);
  c2g_storage_unref (allocate (allocator, 9 * MIB, NULL));
}

static void
test_fraction (void)
{
  g_autoptr (C2gAllocator) allocator = make_caching ();
  guint n_notifies = 0;
  double fraction;

  on_fake (fake_cuda_set_memory_limit, 0, 64 * MIB);
  g_clear_object (&allocator);
  allocator = make_caching ();
  g_signal_connect (allocator, "notify::max-fraction", G_CALLBACK (count_notify), &n_notifies);
  g_object_set (allocator, "max-fraction", 0.25, NULL);
  g_object_set (allocator, "max-fraction", 0.25, NULL);
  g_assert_cmpuint (n_notifies, ==, 1);
  g_object_get (allocator, "max-fraction", &fraction, NULL);
  g_assert_cmpfloat (fraction, ==, 0.25);

  if (is_fake ())
    {
      c2g_storage_unref (allocate (allocator, 15 * MIB, NULL));
      refuse (allocator, 17 * MIB, NULL);
      g_object_set (allocator, "max-fraction", 1.0, NULL);
      c2g_storage_unref (allocate (allocator, 17 * MIB, NULL));
    }
  on_fake (fake_cuda_set_memory_limit, 0, G_MAXSIZE / 2);
}

/* Short of memory */

/* Simulates a device that has n_bytes left. Tests in which freeing fails lose some. */
static void
leave_memory (gsize n_bytes)
{
  gsize n_free, n_total;

  g_assert_cmpint (cudaMemGetInfo (&n_free, &n_total), ==, cudaSuccess);
  on_fake (fake_cuda_set_memory_limit, 0, n_total - n_free + n_bytes);
}

/* RMM pool: AllocateNinetyPercent, TwoLargeBuffers, ForceGrowth. Also PyTorch's and CUB's tests of
 * the second try after cached memory was freed. */
static void
test_collect (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = NULL;
  g_autoptr (C2gContext) context = new_context ();
  C2gStorage *storages[30];

  if (!needs_fake ())
    return;

  leave_memory (64 * MIB);
  allocator = ((Make) (gsize) make) ();
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    storages[i] = allocate (allocator, 2 * MIB, i % 2 == 0 ? context : NULL);
  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    {
      work_on (storages[i], context);
      if (i % 2 == 1)
        c2g_storage_record_use (storages[i], context);
      c2g_storage_unref (storages[i]);
    }

  /* No cached block is large enough. All of them are freed after their work. */
  storages[0] = allocate (allocator, 57 * MIB, NULL);
  refuse (allocator, 57 * MIB, "cudaErrorMemoryAllocation");
  c2g_storage_unref (storages[0]);
  storages[0] = allocate (allocator, 24 * MIB, NULL);
  storages[1] = allocate (allocator, 24 * MIB, context);
  c2g_storage_unref (storages[0]);
  c2g_storage_unref (storages[1]);

  if (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator))
    {
      g_assert_cmpuint (get_number (allocator, "n-retries"), >=, 2);
      g_assert_cmpuint (get_number (allocator, "n-ooms"), ==, 1);
    }
  on_fake (fake_cuda_set_memory_limit, 0, G_MAXSIZE / 2);
}

/* The error names the blobs that hold most of the memory. */
static void
test_names (gconstpointer make)
{
  C2gAllocator *allocator = ((Make) (gsize) make) ();
  C2gTensor *tensor;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "weights", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) previous = c2g_allocator_get_default (first_device (), &error);
  const gint64 n = 300000;

  g_assert_no_error (error);
  c2g_allocator_set_default (first_device (), allocator, &error);
  g_assert_no_error (error);
  tensor = c2g_blob_ensure_tensor (blob, first_device (), &error);
  g_assert_no_error (error);
  c2g_tensor_resize (tensor, &n, 1, &error);
  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);

  /* More than any GPU has. */
  refuse (allocator, (gsize) 1 << 50, "weights");
  refuse (allocator, G_MAXSIZE - 3, "weights");
  c2g_allocator_set_default (first_device (), previous, &error);
  g_object_unref (allocator);
}

/* RMM failure: RetryAllocationOnce, with the core's adaptor. */
static gboolean
make_room (C2gAllocator *allocator,
           guint64       n_bytes,
           guint         n_tries,
           gpointer      held)
{
  gboolean is_held = *(C2gStorage **) held != NULL;

  g_clear_pointer ((C2gStorage **) held, c2g_storage_unref);

  return is_held;
}

static void
test_failure_callback (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = ((Make) (gsize) make) ();
  C2gStorage *held = NULL;
  g_autoptr (C2gAllocator) retrying =
    c2g_failure_callback_allocator_new (allocator, make_room, &held, NULL);

  g_object_set (allocator, "max-bytes", 8 * MIB, NULL);
  held = allocate (allocator, 6 * MIB, NULL);
  c2g_storage_unref (allocate (retrying, 4 * MIB, NULL));
  g_assert_null (held);
}

/* Failures */

static void
use_much (C2gAllocator *allocator)
{
  g_autoptr (C2gContext) first = c2g_cuda_context_new (first_device (), NULL);
  g_autoptr (C2gContext) second = c2g_cuda_context_new (first_device (), NULL);
  C2gContext *contexts[] = { NULL, first, second };

  for (guint i = 0; allocator != NULL && first != NULL && second != NULL && i < 12; i++)
    {
      C2gContext *context = contexts[i % 3];
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gStorage) storage =
        c2g_allocator_allocate (allocator, (i + 1) * MIB / 2, context, &error);

      g_assert_true ((storage == NULL) == (error != NULL));
      if (storage != NULL && i % 4 == 3)
        c2g_storage_record_use (storage, second);
    }
  if (allocator != NULL)
    c2g_allocator_trim (allocator, MIB);
}

/* The n-th call of any kind fails, for all n. Nothing aborts, and afterwards everything works
 * again. Memory is lost only if freeing it fails. */
static void
test_every_call (gconstpointer make)
{
  static const cudaError_t errors[] = { cudaErrorMemoryAllocation, cudaErrorUnknown };
  guint n_calls = 1;

  if (!needs_fake () || !may_fail_to_free ())
    return;

  for (guint i = 1; i <= n_calls; i++)
    {
      C2gAllocator *allocator;

      on_fake (fake_cuda_clear_n_calls);
      on_fake (fake_cuda_fail, NULL, i, errors[i % 2], 0);
      allocator = ((Make) (gsize) make) ();
      use_much (allocator);
      n_calls = count_calls (NULL);
      on_fake (fake_cuda_clear_failures);

      if (allocator == NULL)
        continue;
      c2g_storage_unref (allocate (allocator, 3 * MIB, NULL));
      g_object_unref (allocator);
    }
  g_assert_cmpuint (n_calls, >, 20);
}

/* Each kind of call except those that free fails at every time, and nothing is lost. */
static void
test_every_function (gconstpointer make)
{
  static const char *const functions[] = {
    "cudaMalloc",
    "cudaHostAlloc",
    "cudaMallocFromPoolAsync",
    "cudaEventQuery",
    "cudaDeviceSynchronize",
    "cudaEventCreateWithFlags",
    "cudaStreamQuery",
    "cudaStreamWaitEvent",
    "cudaStreamCreateWithPriority",
    "cudaGetDevice",
    "cudaMemPoolSetAttribute",
    "cudaMemPoolGetAttribute",
    "cudaMemPoolTrimTo",
    "cudaEventSynchronize",
    "cudaMemGetInfo",
    "cudaSetDevice",
    "cudaStreamSynchronize",
    "cudaMemPoolCreate",
  };

  if (!needs_fake ())
    return;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    for (guint n = 1; n <= (c2g_test_is_quick () ? 3 : 8); n++)
      {
        C2gAllocator *allocator;

        on_fake (fake_cuda_fail, functions[i], n, cudaErrorMemoryAllocation, n % 2);
        allocator = ((Make) (gsize) make) ();
        use_much (allocator);
        on_fake (fake_cuda_clear_failures);
        if (allocator != NULL)
          {
            c2g_storage_unref (allocate (allocator, 3 * MIB, NULL));
            g_object_unref (allocator);
          }
      }
}

/* At the end of the process, and after a device is lost, freeing is no error. */
static void
test_unloading (gconstpointer make)
{
  C2gAllocator *allocator;
  g_autoptr (C2gContext) context = NULL;
  C2gStorage *storages[3];

  if (!needs_fake () || !may_fail_to_free ())
    return;

  allocator = ((Make) (gsize) make) ();
  context = new_context ();
  storages[0] = allocate (allocator, 1000, NULL);
  storages[1] = allocate (allocator, 5 * MIB, context);
  storages[2] = allocate (allocator, 6 * MIB, context);
  c2g_storage_record_use (storages[0], context);
  c2g_storage_unref (storages[1]);
  on_fake (fake_cuda_set_unloading, 1);
  c2g_storage_unref (storages[0]);
  c2g_storage_unref (storages[2]);
  c2g_allocator_trim (allocator, 0);
  g_assert_null (c2g_allocator_allocate (allocator, 7 * MIB, NULL, NULL));
  g_object_unref (allocator);
  on_fake (fake_cuda_set_unloading, 0);
}

/* Threads */

#define N_THREADS 6
#define N_ROUNDS  80

typedef struct
{
  C2gAllocator *allocator;
  Exchange     *exchange;
  guint         seed;
} Worker;

/* RMM: blocks are allocated and freed on different threads and streams. A block from another thread
 * is used after the work of that thread. */
static gpointer
work_in_thread (gpointer data)
{
  Worker *worker = data;
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (GRand) random = g_rand_new_with_seed (worker->seed);

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gsize n_bytes = (gsize) 1 << g_rand_int_range (random, 6, 22);
      C2gStorage *storage = allocate (worker->allocator, n_bytes, i % 5 == 0 ? NULL : context);
      C2gStorage *other;

      work_on (storage, context);
      c2g_storage_record_use (storage, context);
      exchange_push (worker->exchange, storage);
      if ((other = exchange_try_pop (worker->exchange)) != NULL)
        c2g_storage_unref (other);
      if (exchange_get_length (worker->exchange) > 32 &&
          (other = exchange_try_pop (worker->exchange)) != NULL)
        c2g_storage_unref (other);
      if (i % 40 == 39)
        c2g_allocator_trim (worker->allocator, MIB);
    }

  return NULL;
}

static void
test_threads (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = ((Make) (gsize) make) ();
  Exchange exchange = { 0 };
  GThread *threads[N_THREADS];
  Worker workers[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker) { allocator, &exchange, i };
      threads[i] = g_thread_new ("worker", work_in_thread, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  exchange_clear (&exchange);
}

/* RMM pool: SharedOwnership: blocks keep their allocator alive. */
static void
test_outlived (gconstpointer make)
{
  g_autoptr (C2gContext) context = new_context ();
  C2gAllocator *allocator = ((Make) (gsize) make) ();
  C2gStorage *first = allocate (allocator, 5000, context);
  C2gStorage *second = allocate (allocator, 3 * MIB, NULL);

  g_object_unref (allocator);
  work_on (first, context);
  c2g_storage_unref (first);
  c2g_storage_unref (second);
}

/* The default allocator of a device: CUDA's pools, or the caching allocator if there are none. */
static void
test_default (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) allocator = NULL;
  C2gDevice *second = second_device ();

  if (second == NULL || !needs_fake ())
    return;

  on_fake (fake_cuda_fail, "cudaMemPoolCreate", 1, cudaErrorNotSupported, 1);
  allocator = c2g_allocator_get_default (second, &error);
  on_fake (fake_cuda_clear_failures);
  g_assert_no_error (error);
  g_assert_true (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator));
  g_clear_object (&allocator);

  allocator = c2g_allocator_get_default (first_device (), &error);
  g_assert_no_error (error);
  g_assert_true (C2G_CUDA_IS_ASYNC_ALLOCATOR (allocator));
}

/* A pool allocator writes headers in front of its blocks, which the host cannot do on a device. So
 * it is refused as a default allocator. */
static void
test_default_pool (void)
{
  g_autoptr (C2gAllocator) caching = make_caching ();
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (caching);
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (pool, MIB);
  g_autoptr (C2gAllocator) before = c2g_allocator_get_default (first_device (), NULL);
  C2gAllocator *const refused[] = { pool, limiting };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gAllocator) after = NULL;

      g_assert_false (c2g_allocator_set_default (first_device (), refused[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, "C2gCudaCachingAllocator on cuda:0"));
      after = c2g_allocator_get_default (first_device (), NULL);
      g_assert_true (after == before);
    }
}

/* A pool gives out freed blocks at once, and a device may still read them. So it is refused above pinned memory. */
static void
test_pinned_pool (void)
{
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (pinned, MIB);
  g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (limiting);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_allocator_allocate (pool, 100, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "C2gCudaPinnedAllocator"));
  g_clear_error (&error);
  g_assert_false (c2g_allocator_set_default (c2g_device_cpu (), pool, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

/* Zeros */

static C2gStorage *
allocate_zeros (C2gAllocator *allocator,
                C2gContext   *context)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  C2gStorage *storage;

  c2g_settings_set_zero_fill (settings, TRUE);
  storage = allocate (allocator, 1000, context);
  c2g_settings_set_zero_fill (settings, FALSE);

  return storage;
}

static void
assert_zeros (C2gStorage *storage,
              C2gContext *context)
{
  guint8 bytes[1000];

  g_assert_cmpint (cudaMemcpyAsync (bytes, address_of (storage), sizeof bytes,
                                    cudaMemcpyDeviceToHost, stream_of (context)),
                   ==, cudaSuccess);
  finish (context);
  for (guint i = 0; i < sizeof bytes; i++)
    g_assert_cmpuint (bytes[i], ==, 0);
}

/* Reused blocks are filled with zeros in the order of the context. Without a context, or with one
 * of another device, other streams find zeros at once. */
static void
test_zero_fill (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = ((Make) (gsize) make) ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) reader = new_context ();
  C2gDevice *last =
    c2g_device_new (C2G_DEVICE_TYPE_CUDA, c2g_device_count (C2G_DEVICE_TYPE_CUDA) - 1, NULL);
  g_autoptr (C2gContext) far = c2g_context_for_device (last, NULL);
  C2gContext *const orders[] = { context, NULL, far };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      C2gContext *order = orders[i];
      gboolean is_ordered =
        order != NULL && c2g_context_get_device (order) == first_device ();
      C2gStorage *storage = allocate (allocator, 1000, order);

      work_on (storage, is_ordered ? order : context);
      finish (context);
      c2g_storage_unref (storage);
      storage = allocate_zeros (allocator, order);
      assert_zeros (storage, is_ordered ? order : reader);
      c2g_storage_unref (storage);
    }
}

/* A block that cannot be filled is not given out. */
static void
test_zero_fill_fails (gconstpointer make)
{
  g_autoptr (C2gAllocator) allocator = ((Make) (gsize) make) ();
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (GError) error = NULL;

  if (!needs_fake ())
    return;

  c2g_settings_set_zero_fill (settings, TRUE);
  on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchOutOfResources, 1);
  g_assert_null (c2g_allocator_allocate (allocator, 1000, context, &error));
  on_fake (fake_cuda_clear_failures);
  c2g_settings_set_zero_fill (settings, FALSE);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
}

typedef struct
{
  void (*run) (gconstpointer make);
  Make make;
} Case;

static void
run_case (gconstpointer data)
{
  const Case *test = data;

  test->run ((gconstpointer) (gsize) test->make);
  assert_no_faults ();
}

/* Counts leaks, without pooled events if threads ran: the number of events then depends on
 * chance. */
static guint
count_lost (gconstpointer data)
{
  const char *const *(*get_faults) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_get_faults");
  guint n_events = 0;

  if (((const Case *) data)->run != test_threads || get_faults == NULL)
    return count_left ();

  on_fake (fake_cuda_check_leaks);
  for (const char *const *fault = get_faults (); *fault != NULL; fault++)
    n_events += g_str_has_prefix (*fault, "leak: event");
  on_fake (fake_cuda_clear_faults);

  return count_left () - n_events;
}

/* Like run_clean(), for a case: the second run must not leave more behind. */
static void
run_case_clean (gconstpointer data)
{
  guint n_lost;

  run_case (data);
  n_lost = count_lost (data);
  run_case (data);
  g_assert_cmpuint (count_lost (data), <=, n_lost);
}

static void
run_case_once (gconstpointer data)
{
  run_case (data);
  count_left ();
}

static void
add_cases (const char *name,
           void      (*run) (gconstpointer make),
           gboolean    is_clean)
{
  static const struct
  {
    const char *name;
    Make        make;
  } makes[] = { { "caching", make_caching }, { "async", make_async }, { "pinned", make_pinned } };

  for (guint i = 0; i < G_N_ELEMENTS (makes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cuda/allocator/%s/%s", makes[i].name, name);
      Case *test;

      /* Pinned memory is not limited by the device, and the limit of a CUDA pool cannot be
       * changed. */
      if ((makes[i].make == make_pinned &&
           (run == test_collect || run == test_names || run == test_zero_fill ||
            run == test_zero_fill_fails)) ||
          (makes[i].make == make_async && (run == test_limit || run == test_failure_callback)))
        continue;
      test = g_new (Case, 1);
      *test = (Case) { run, makes[i].make };
      g_test_add_data_func_full (path, test, is_clean ? run_case_clean : run_case_once, g_free);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_cases ("limit", test_limit, TRUE);
  add_clean_func ("/cuda/allocator/caching/fraction", test_fraction);
  add_cases ("collect", test_collect, TRUE);
  add_cases ("names", test_names, TRUE);
  add_cases ("failure-callback", test_failure_callback, TRUE);
  add_cases ("every-call", test_every_call, FALSE);
  add_cases ("every-function", test_every_function, TRUE);
  add_cases ("threads", test_threads, TRUE);
  add_cases ("outlived", test_outlived, TRUE);
  add_cases ("unloading", test_unloading, FALSE);
  add_cases ("zero-fill", test_zero_fill, TRUE);
  add_cases ("zero-fill-fails", test_zero_fill_fails, TRUE);
  add_clean_func ("/cuda/allocator/default", test_default);
  add_clean_func ("/cuda/allocator/default-pool", test_default_pool);
  add_clean_func ("/cuda/allocator/pinned-pool", test_pinned_pool);

  return run_on_device ();
}
