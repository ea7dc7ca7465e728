/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* A reset of a device, by the program or by another library. Old objects give errors, and the
 * defaults of the device are made again. No old handle or address is passed to CUDA. */

#define N_ELEMENTS (1 << 18)
#define N_THREADS  8

static void
reset (int device)
{
  int current = 0;

  cudaGetDevice (&current);
  g_assert_cmpint (cudaSetDevice (device), ==, cudaSuccess);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
  g_assert_cmpint (cudaSetDevice (current), ==, cudaSuccess);
}

static void
assert_gone (const GError *error)
{
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cuda:0: cudaErrorContextIsDestroyed"));
}

static void
assert_works (C2gDevice *device)
{
  g_autoptr (C2gTensor) far = new_far (device, N_ELEMENTS, NULL);

  assert_far (far, 0);
}

static guint64
get_reported (C2gDevice *device)
{
  return c2g_memory_reporter_get_current_bytes (c2g_memory_reporter_get_default (), device);
}

/* The device gets a new default allocator, whichever kind it is. */
static void
check_defaults (void (*lose) (void))
{
  C2gDevice *device = first_device ();
  g_autoptr (C2gAllocator) old = c2g_allocator_get_default (device, NULL);
  C2gTensor *tensors[] = { new_far (device, N_ELEMENTS, NULL), new_far (device, 10, NULL) };
  g_autoptr (C2gAllocator) fresh = NULL;

  g_assert_cmpuint (get_reported (device), >=, (N_ELEMENTS + 10) * sizeof (float));
  lose ();
  assert_works (device);
  fresh = c2g_allocator_get_default (device, NULL);
  g_assert_true (fresh != old);
  g_assert_true (c2g_allocator_get_device (fresh) == device);

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    g_object_unref (tensors[i]);
  g_assert_cmpuint (get_reported (device), ==, 0);
  assert_works (device);
  g_assert_cmpuint (get_reported (device), ==, 0);
}

static void
reset_first (void)
{
  reset (0);
}

static void
lose_first (void)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  on_fake (fake_cuda_lose_device, 0, cudaErrorIllegalAddress);
  tensor = c2g_tensor_new_for_device (first_device ());
  g_assert_false (c2g_tensor_resize (tensor, C2G_TEST_DIMS (5), NULL) &&
                  c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cudaErrorIllegalAddress"));
  reset (0);
}

static void
test_defaults (void)
{
  if (may_reset ())
    check_defaults (reset_first);
}

static void
test_lost (void)
{
  if (needs_fake () && may_reset ())
    check_defaults (lose_first);
}

static gpointer
use_first_call (gpointer old)
{
  g_autoptr (C2gAllocator) fresh = c2g_allocator_get_default (first_device (), NULL);

  g_assert_true (fresh != old);
  return NULL;
}

/* A thread that has never called CUDA, and so has no context, finds the reset. */
static void
test_new_thread (void)
{
  g_autoptr (C2gAllocator) old = NULL;

  if (!may_reset ())
    return;

  assert_works (first_device ());
  old = c2g_allocator_get_default (first_device (), NULL);
  reset (0);
  g_thread_join (g_thread_new ("new", use_first_call, old));
  assert_works (first_device ());
}

/* The device is not the thread's current one, and the other device loses nothing. */
static void
test_second (void)
{
  C2gDevice *second = may_reset () ? second_device () : NULL;
  g_autoptr (C2gTensor) near = NULL;

  if (second == NULL)
    return;

  near = new_far (first_device (), 10, NULL);
  assert_works (second);
  reset (1);
  assert_works (second);
  assert_far (near, 0);
  g_assert_cmpuint (get_reported (second), ==, 0);
}

typedef struct
{
  C2gContext    *context;
  C2gEvent      *event;
  C2gCudaEvent  *own_event;
  C2gCudaStream *stream;
  C2gAllocator  *allocator;
  C2gStorage    *storage;
} World;

static void
world_init (World *self)
{
  C2gDevice *device = first_device ();

  self->context = new_context ();
  self->stream = c2g_cuda_context_get_stream (C2G_CUDA_CONTEXT (self->context));
  self->event = c2g_event_new (device);
  self->own_event = c2g_cuda_event_new (device, NULL);
  self->allocator = c2g_cuda_caching_allocator_new (device, NULL);
  self->storage = allocate (self->allocator, 5 * MIB, self->context);
  g_assert_true (c2g_context_record (self->context, self->event, NULL));
  g_assert_true (c2g_cuda_event_record (self->own_event, self->stream, NULL));
}

static void
world_clear (World *self)
{
  g_clear_pointer (&self->storage, c2g_storage_unref);
  g_clear_object (&self->allocator);
  g_clear_object (&self->event);
  g_clear_object (&self->own_event);
  g_clear_object (&self->context);
}

static gboolean
finish_context (World   *self,
                GError **error)
{
  return c2g_context_finish (self->context, error);
}

static gboolean
record_event (World   *self,
              GError **error)
{
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());

  return c2g_context_record (self->context, event, error);
}

static gboolean
finish_event (World   *self,
              GError **error)
{
  return c2g_event_finish (self->event, error);
}

static gboolean
wait_for_event (World   *self,
                GError **error)
{
  g_autoptr (C2gContext) other = new_context ();

  return c2g_context_wait (other, self->event, error);
}

static gboolean
wait_for_own_event (World   *self,
                    GError **error)
{
  g_autoptr (C2gCudaStream) other = c2g_cuda_stream_new (first_device (), NULL);

  return c2g_cuda_event_wait (self->own_event, other, error);
}

static gboolean
finish_own_event (World   *self,
                  GError **error)
{
  return c2g_cuda_event_finish (self->own_event, error);
}

static gboolean
record_own_event (World   *self,
                  GError **error)
{
  g_autoptr (C2gCudaEvent) fresh = c2g_cuda_event_new (first_device (), NULL);

  return c2g_cuda_event_record (fresh, self->stream, error);
}

static gboolean
wait_for_stream (World   *self,
                 GError **error)
{
  g_autoptr (C2gCudaStream) other = c2g_cuda_stream_new (first_device (), NULL);

  return c2g_cuda_stream_wait (other, self->stream, error);
}

static gboolean
fill_tensor (World   *self,
             GError **error)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 10, NULL);

  return c2g_context_fill (self->context, tensor, 1, error);
}

static gboolean
copy_tensor (World   *self,
             GError **error)
{
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (C2G_TEST_DIMS (N_ELEMENTS), NULL, NULL);
  g_autoptr (C2gTensor) far = new_far (first_device (), N_ELEMENTS, NULL);

  c2g_tensor_mutable_data (near, C2G_DATA_TYPE_FLOAT, NULL);
  return c2g_context_copy (self->context, near, far, error);
}

static gboolean
allocate_more (World   *self,
               GError **error)
{
  C2gStorage *storage = c2g_allocator_allocate (self->allocator, 1000, NULL, error);

  g_clear_pointer (&storage, c2g_storage_unref);
  return storage != NULL;
}

/* New streams get the handles of old ones, and must not be affected. */
static void
test_objects (void)
{
  static gboolean (*const steps[]) (World *self, GError **error) = {
    finish_context,
    record_event,
    finish_event,
    wait_for_event,
    wait_for_own_event,
    finish_own_event,
    record_own_event,
    wait_for_stream,
    fill_tensor,
    copy_tensor,
    allocate_more,
  };
  g_autoptr (C2gContext) fresh = NULL;
  World world;

  if (!may_reset ())
    return;

  on_fake (fake_cuda_reuse_handles, TRUE);
  world_init (&world);
  reset (0);
  fresh = new_context ();
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("step %" G_GSIZE_FORMAT, i);
      if (steps[i](&world, &error))
        g_error ("Step %" G_GSIZE_FORMAT " was done", i);
      assert_gone (error);
    }
  g_assert_cmpint (c2g_cuda_stream_query (world.stream), ==, C2G_EVENT_FAILED);
  g_assert_cmpint (c2g_cuda_event_query (world.own_event), ==, C2G_EVENT_FAILED);
  world_clear (&world);
  finish (fresh);
  on_fake (fake_cuda_reuse_handles, FALSE);
}

/* Old blocks are not freed, because another block may have their address by now. */
static void
check_release (C2gAllocator *allocator)
{
  g_autoptr (C2gContext) context = new_context ();
  g_autoptr (C2gContext) other = new_context ();
  C2gStorage *storages[] = {
    allocate (allocator, 1000, NULL),
    allocate (allocator, 5 * MIB, context),
    allocate (allocator, 6 * MIB, other),
  };
  guint n_calls;

  c2g_storage_record_use (storages[0], context);
  c2g_storage_record_use (storages[1], other);
  c2g_storage_unref (allocate (allocator, 7 * MIB, context));
  reset (0);

  n_calls = count_calls ("cudaFree") + count_calls ("cudaFreeHost");
  for (gsize i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);
  c2g_allocator_trim (allocator, 0);
  g_object_unref (allocator);
  g_assert_cmpuint (count_calls ("cudaFree") + count_calls ("cudaFreeHost"), ==, n_calls);
}

static void
test_release (void)
{
  if (!may_reset ())
    return;

  check_release (c2g_cuda_caching_allocator_new (first_device (), NULL));
  check_release (c2g_cuda_async_allocator_new (first_device (), NULL));
  check_release (c2g_cuda_pinned_allocator_new ());
}

/* Old blocks are not handed out again. The allocator fails until the old ones that are still
 * allocated have been returned, because new memory may have the same address. */
static void
check_reuse (C2gAllocator *allocator)
{
  C2gStorage *old = allocate (allocator, 5 * MIB, NULL);
  g_autoptr (GError) error = NULL;

  c2g_storage_unref (allocate (allocator, 5 * MIB, NULL));
  c2g_storage_unref (allocate (allocator, 1000, NULL));
  reset (0);
  g_assert_null (c2g_allocator_allocate (allocator, 5 * MIB, NULL, &error));
  assert_gone (error);
  c2g_storage_unref (old);
  g_assert_cmpuint (get_number (allocator, "allocated-bytes"), ==, 0);

  old = allocate (allocator, 5 * MIB, NULL);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), <, 2 * MIB);
  c2g_storage_unref (old);
  c2g_allocator_trim (allocator, 0);
  g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
  g_object_unref (allocator);
}

static void
test_reuse (void)
{
  if (!may_reset ())
    return;

  check_reuse (c2g_cuda_caching_allocator_new (first_device (), NULL));
  check_reuse (c2g_cuda_pinned_allocator_new ());
}

static gpointer
use_device (gpointer data)
{
  for (guint i = 0; i < 5; i++)
    assert_works (first_device ());
  return NULL;
}

/* All threads find the reset at the same time. */
static void
test_threads (void)
{
  GThread *threads[N_THREADS];

  if (!may_reset ())
    return;

  for (guint n = 0; n < 3; n++)
    {
      for (guint i = 0; i < N_THREADS; i++)
        threads[i] = g_thread_new ("reset", use_device, NULL);
      for (guint i = 0; i < N_THREADS; i++)
        g_thread_join (threads[i]);
      reset (0);
    }
  assert_works (first_device ());
  assert_no_faults ();
}

/* Every program resets the devices at its end, so that a search for leaks finds what is left. */
static void
test_leak (gconstpointer is_leaking)
{
  void *memory;

  if (!needs_fake ())
    return;
  if (g_test_subprocess ())
    {
      g_assert_cmpint (cudaMalloc (&memory, 1000), ==, cudaSuccess);
      if (!GPOINTER_TO_INT (is_leaking))
        g_assert_cmpint (cudaFree (memory), ==, cudaSuccess);
      return;
    }

  g_setenv ("FAKE_CUDA_LEAK_CHECK", "1", TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("FAKE_CUDA_LEAK_CHECK");
  g_test_trap_assert_passed ();
  if (GPOINTER_TO_INT (is_leaking))
    g_test_trap_assert_stderr ("*leak at the end: block*(cudaMalloc, 1000 bytes, device 0)*");
  else
    g_test_trap_assert_stderr_unmatched ("*leak at the end*");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/reset/defaults", test_defaults);
  add_clean_func ("/cuda/reset/new-thread", test_new_thread);
  add_clean_func ("/cuda/reset/lost", test_lost);
  add_clean_func ("/cuda/reset/second", test_second);
  add_clean_func ("/cuda/reset/objects", test_objects);
  add_clean_func ("/cuda/reset/release", test_release);
  add_clean_func ("/cuda/reset/reuse", test_reuse);
  c2g_test_add_func ("/cuda/reset/threads", test_threads);
  g_test_add_data_func ("/cuda/reset/leak", GINT_TO_POINTER (TRUE), test_leak);
  g_test_add_data_func ("/cuda/reset/no-leak", GINT_TO_POINTER (FALSE), test_leak);

  return run_on_device ();
}
