/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/alloc-utils.h"

/* Allocators on devices that were lost, or reset by the program itself. */

typedef C2gAllocator *(*Make) (void);

static C2gAllocator *
make_caching (void)
{
  return c2g_cuda_caching_allocator_new (first_device (), NULL);
}

static C2gAllocator *
make_expandable (void)
{
  return c2g_cuda_caching_allocator_new_expandable (first_device (), NULL);
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

/* After a reset the old blocks are gone, whoever holds them. New objects work. */
static void
test_reset (gconstpointer make)
{
  C2gAllocator *allocator = ((Make) (gsize) make) ();
  C2gContext *context = new_context ();
  C2gStorage *storages[] = {
    allocate (allocator, 1000, NULL),
    allocate (allocator, 5 * MIB, context),
    allocate (allocator, 6 * MIB, context),
  };

  c2g_storage_record_use (storages[0], context);
  c2g_storage_unref (g_steal_pointer (&storages[1]));
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    g_clear_pointer (&storages[i], c2g_storage_unref);
  c2g_allocator_trim (allocator, 0);
  if (C2G_CUDA_IS_CACHING_ALLOCATOR (allocator))
    {
      g_assert_cmpuint (get_number (allocator, "cached-bytes"), ==, 0);
      c2g_storage_unref (allocate (allocator, 3 * MIB, NULL));
    }
  g_object_unref (context);
  g_object_unref (allocator);

  allocator = ((Make) (gsize) make) ();
  c2g_storage_unref (allocate (allocator, 3 * MIB, NULL));
  g_object_unref (allocator);
  assert_no_faults ();
}

/* A lost device does not disturb the allocator; after a reset it works again. */
static void
test_lost (gconstpointer make)
{
  C2gAllocator *allocator = ((Make) (gsize) make) ();
  C2gContext *context = new_context ();
  C2gStorage *storages[] = {
    allocate (allocator, 1000, NULL),
    allocate (allocator, 5 * MIB, context),
  };
  g_autoptr (GError) error = NULL;

  c2g_storage_record_use (storages[0], context);
  on_fake (fake_cuda_lose_device, 0, cudaErrorIllegalAddress);
  g_assert_null (c2g_allocator_allocate (allocator, 30 * MIB, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cudaErrorIllegalAddress"));

  for (guint i = 0; i < G_N_ELEMENTS (storages); i++)
    c2g_storage_unref (storages[i]);
  c2g_allocator_trim (allocator, 0);
  g_object_unref (allocator);
  g_object_unref (context);
  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);

  allocator = ((Make) (gsize) make) ();
  c2g_storage_unref (allocate (allocator, 3 * MIB, NULL));
  g_object_unref (allocator);
  assert_no_faults ();
}

typedef struct
{
  void (*run) (gconstpointer make);
  Make make;
} Case;

/* Only the fake runtime loses a device: a faulty kernel on a GPU would disturb other programs. */
static void
run_case (gconstpointer data)
{
  const Case *test = data;

  if (may_reset () && (test->run == test_reset || needs_fake ()))
    test->run ((gconstpointer) (gsize) test->make);
}

/* The first device, which is the thread's current one, is lost. Another one works on, and the
 * current device does not change. */
static void
test_lost_device (void)
{
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gContext) lost = NULL;
  g_autoptr (GError) error = NULL;
  C2gDevice *second;
  int current = -1;

  if (!needs_fake () || !may_reset ())
    return;
  second = second_device ();
  if (second == NULL)
    return;

  on_fake (fake_cuda_lose_device, 0, cudaErrorECCUncorrectable);
  lost = c2g_cuda_context_new (first_device (), &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_null (lost);
  g_clear_error (&error);

  context = c2g_cuda_context_new (second, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) far = new_far (second, 16, i == 0 ? context : NULL);

      assert_far (far, 0);
      g_assert_cmpint (cudaGetDevice (&current), ==, cudaSuccess);
      g_assert_cmpint (current, ==, 0);
    }

  g_assert_cmpint (cudaDeviceReset (), ==, cudaSuccess);
}

int
main (int   argc,
      char *argv[])
{
  static const Case resets[] = {
    { test_reset, make_caching },
    { test_reset, make_async },
    { test_reset, make_pinned },
    { test_reset, make_expandable },
  };
  static const Case losses[] = {
    { test_lost, make_caching },
    { test_lost, make_async },
    { test_lost, make_pinned },
    { test_lost, make_expandable },
  };

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/cuda/allocator-reset/caching", &resets[0], run_case);
  g_test_add_data_func ("/cuda/allocator-reset/async", &resets[1], run_case);
  g_test_add_data_func ("/cuda/allocator-reset/pinned", &resets[2], run_case);
  g_test_add_data_func ("/cuda/allocator-reset/expandable", &resets[3], run_case);
  g_test_add_data_func ("/cuda/allocator-lost/caching", &losses[0], run_case);
  g_test_add_data_func ("/cuda/allocator-lost/async", &losses[1], run_case);
  g_test_add_data_func ("/cuda/allocator-lost/pinned", &losses[2], run_case);
  g_test_add_data_func ("/cuda/allocator-lost/expandable", &losses[3], run_case);
  c2g_test_add_func ("/cuda/lost/other-device", test_lost_device);

  return run_on_device ();
}
