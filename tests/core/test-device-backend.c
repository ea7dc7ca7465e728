/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/core/fake-device.h"
#include "test-utils.h"

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/memory/c2g-storage-private.h>

/* A context that overrides nothing. */

struct _IdleContext
{
  C2gContext parent_instance;
};

G_DECLARE_FINAL_TYPE (IdleContext, idle_context, IDLE, CONTEXT, C2gContext)
G_DEFINE_FINAL_TYPE (IdleContext, idle_context, C2G_TYPE_CONTEXT)

static void
idle_context_class_init (IdleContextClass *klass)
{
}

static void
idle_context_init (IdleContext *self)
{
}

/* Runs in its own process, where no backend is registered yet. */
static void
test_no_library_child (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2), device, NULL);
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;

  context = c2g_context_for_device (device, &error);
  if (context != NULL)
    {
      g_test_skip ("there is a CUDA device");
      return;
    }
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_test_message ("%s", error->message);
  g_clear_error (&error);

  g_assert_null (c2g_allocator_get_default (device, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);

  g_assert_nonnull (tensor);
  g_assert_false (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_false (c2g_tensor_is_allocated (tensor));
}

static void
test_no_library (void)
{
  g_test_trap_subprocess ("/device-backend/no-library/subprocess", 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_register (void)
{
  static const struct
  {
    guint    version;
    int      device_type;
    C2gError code;
  } cases[] = {
    { C2G_DEVICE_BACKEND_VERSION + 1, C2G_DEVICE_TYPE_CUDA, C2G_ERROR_NOT_SUPPORTED },
    { 0, C2G_DEVICE_TYPE_CUDA, C2G_ERROR_NOT_SUPPORTED },
    { C2G_DEVICE_BACKEND_VERSION, C2G_DEVICE_TYPE_CPU, C2G_ERROR_INVALID_ARGUMENT },
    { C2G_DEVICE_BACKEND_VERSION, 2, C2G_ERROR_INVALID_ARGUMENT },
    { C2G_DEVICE_BACKEND_VERSION, -1, C2G_ERROR_INVALID_ARGUMENT },
    { C2G_DEVICE_BACKEND_VERSION, C2G_DEVICE_TYPE_CUDA, C2G_ERROR_EXISTS },
  };

  fake_device_use ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gDeviceBackend other = fake_device_backend;
      g_autoptr (GError) error = NULL;

      other.version = cases[i].version;
      other.device_type = cases[i].device_type;
      g_assert_false (c2g_device_backend_register (&other, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
    }
}

static void
expect_refused (const C2gDeviceBackend *backend)
{
  g_test_expect_message ("C2g", G_LOG_LEVEL_CRITICAL, "*assertion*failed*");
  g_assert_false (c2g_device_backend_register (backend, NULL));
  g_test_assert_expected_messages ();
}

static GObject *
record_nothing (C2gContext  *context,
                GError     **error)
{
  return NULL;
}

/* Functions that must be given together are checked at registration. */
static void
test_register_parts (void)
{
  C2gDeviceBackend other = fake_device_backend;

  other.wait_for_uses = NULL;
  expect_refused (&other);

  other = fake_device_backend;
  other.release_after = NULL;
  expect_refused (&other);

  other = fake_device_backend;
  other.record_time = record_nothing;
  other.get_elapsed = NULL;
  expect_refused (&other);
}

static void
test_devices (void)
{
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  for (int i = 0; i < 2; i++)
    {
      C2gDevice *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, i, NULL);
      g_autoptr (C2gContext) context = c2g_context_for_device (device, &error);
      g_autoptr (C2gAllocator) allocator = c2g_allocator_get_default (device, &error);

      g_assert_no_error (error);
      g_assert_true (c2g_context_get_device (context) == device);
      g_assert_true (c2g_allocator_get_device (allocator) == device);
      g_assert_finalize_object (g_steal_pointer (&context));
    }

  g_assert_null (c2g_context_for_device (c2g_device_parse ("cuda:2", NULL), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "cuda:2"));
  g_clear_error (&error);

  /* Devices that were found stay; only the others are asked for again. */
  fake_device.has_driver = FALSE;
  g_assert_null (c2g_context_for_device (c2g_device_parse ("cuda:2", NULL), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "the driver is too old");
}

static void
test_bad_results (void)
{
  static const struct
  {
    FakeMood    mood;
    C2gError    code;
    const char *message;
  } cases[] = {
    { FAKE_NOTHING, C2G_ERROR_FAILED, "Fake" },
    { FAKE_NOTHING_WITH_ERROR, C2G_ERROR_DEVICE, "out of order" },
    { FAKE_OTHER_DEVICE, C2G_ERROR_FAILED, "when asked for “cuda:1”" },
  };
  C2gDevice *device = c2g_device_parse ("cuda:1", NULL);
  g_autoptr (C2gAllocator) first = NULL;

  fake_device_use ();
  first = c2g_allocator_get_default (c2g_device_parse ("cuda:0", NULL), NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      fake_device.mood = cases[i].mood;
      g_assert_null (c2g_context_for_device (device, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_clear_error (&error);

      g_assert_null (c2g_allocator_get_default (device, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));

      /* The caller passes no place for the error. */
      g_assert_null (c2g_context_for_device (device, NULL));
    }
}

static C2gTensor *
new_tensor (const char *device_name)
{
  C2gTensor *tensor =
    c2g_tensor_new_sized (C2G_TEST_DIMS (4), c2g_device_parse (device_name, NULL), NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));

  return tensor;
}

static float
get_third (C2gTensor *tensor)
{
  return ((const float *) c2g_tensor_raw_data (tensor, NULL))[2];
}

static void
test_copy_by_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) near = new_tensor ("cpu");
  g_autoptr (C2gTensor) far = NULL;

  fake_device_use ();
  context = c2g_context_for_device (c2g_device_parse ("cuda:0", NULL), NULL);
  far = new_tensor ("cuda:0");
  ((float *) c2g_tensor_raw_mutable_data (near, c2g_tensor_get_type_meta (near), NULL))[2] = 42;

  g_assert_true (c2g_context_copy (context, near, far, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (get_third (far), ==, 42);
  g_assert_cmpint (fake_device.n_copies, ==, 1);
  /* The copy is not finished yet, and the use of the memory is recorded. */
  g_assert_cmpint (fake_device.n_finished, ==, 0);
  g_assert_cmpint (fake_device.n_uses, ==, 1);
}

/* Calls without a context use one shared context of the device, which is replaced after a device
 * reset. */
static void
test_epochs (void)
{
  g_autoptr (C2gTensor) far = NULL;

  fake_device_use ();
  far = new_tensor ("cuda:0");
  for (guint i = 0; i < 3; i++)
    {
      int n_contexts;

      fake_device.epoch++;
      g_object_unref (c2g_tensor_to_device (far, c2g_device_cpu (), NULL));
      n_contexts = fake_device.n_contexts;
      g_object_unref (c2g_tensor_to_device (far, c2g_device_cpu (), NULL));
      g_assert_cmpint (n_contexts, ==, (int) i + 1);
      g_assert_cmpint (fake_device.n_contexts, ==, n_contexts);
    }
}

/* A CPU context lets the device copy, and waits until it is done. */
static void
test_copy_by_cpu (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_tensor ("cpu");
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) farther = NULL;

  fake_device_use ();
  far = new_tensor ("cuda:0");
  farther = new_tensor ("cuda:1");
  ((float *) c2g_tensor_raw_mutable_data (near, c2g_tensor_get_type_meta (near), NULL))[2] = 7;

  g_assert_true (c2g_context_copy (context, near, far, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake_device.n_copies, ==, 1);
  g_assert_cmpint (fake_device.n_finished, ==, 1);

  g_assert_true (c2g_context_copy (context, far, farther, &error));
  g_assert_true (c2g_context_fill (context, near, 0, &error));
  g_assert_true (c2g_context_copy (context, farther, near, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake_device.n_copies, ==, 3);
  g_assert_cmpint (fake_device.n_finished, ==, 3);
  g_assert_cmpfloat (get_third (near), ==, 7);
}

static void
test_copy_failure (void)
{
  static const struct
  {
    FakeMood mood;
    C2gError code;
  } cases[] = {
    { FAKE_NOTHING, C2G_ERROR_FAILED },
    { FAKE_NOTHING_WITH_ERROR, C2G_ERROR_DEVICE },
  };
  g_autoptr (C2gContext) near_context = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) near = new_tensor ("cpu");
  g_autoptr (C2gTensor) far = NULL;

  fake_device_use ();
  context = c2g_context_for_device (c2g_device_parse ("cuda:0", NULL), NULL);
  far = new_tensor ("cuda:0");
  g_assert_true (c2g_context_copy (near_context, near, far, NULL));

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gContext *contexts[] = { context, near_context };

      fake_device.mood = cases[i].mood;
      for (gsize j = 0; j < G_N_ELEMENTS (contexts); j++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_false (c2g_context_copy (contexts[j], near, far, &error));
          g_assert_error (error, C2G_ERROR, (int) cases[i].code);
        }
    }
}

static void
test_copy_constructed (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_STRING, NULL);
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (GError) error = NULL;
  GBytes *from[1] = { NULL };
  GBytes *to[1] = { NULL };

  fake_device_use ();
  g_assert_false (c2g_context_copy_items (context, meta, 1, c2g_device_cpu (), from,
                                          c2g_device_parse ("cuda:0", NULL), to, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "string"));
  g_assert_nonnull (strstr (error->message, "cuda:0"));
}

static void
test_fill (void)
{
  g_autoptr (C2gContext) near_context = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (C2gTensor) near = new_tensor ("cpu");
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  context = c2g_context_for_device (c2g_device_parse ("cuda:0", NULL), NULL);
  far = new_tensor ("cuda:0");

  g_assert_true (c2g_context_fill (context, far, 3, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (get_third (far), ==, 3);

  g_assert_false (c2g_context_fill (context, near, 3, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (c2g_context_fill_uniform (near_context, far, 0, 1, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
}

static void
test_events (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);
  g_autoptr (C2gEvent) event = c2g_event_new (device);
  g_autoptr (C2gContext) near_context = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  context = c2g_context_for_device (device, NULL);
  g_assert_true (c2g_context_record (context, event, &error));
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);

  /* Waiting for an event of another device only calls the event's wait function: nothing is
   * finished yet. */
  g_assert_true (c2g_context_wait (near_context, event, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake_device.n_waits, ==, 1);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SCHEDULED);

  g_assert_true (c2g_context_finish (context, &error));
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);

  c2g_event_reset (event);
  g_assert_true (c2g_context_record (context, event, &error));
  g_assert_true (c2g_event_finish (event, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);
}

static void
test_streams (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:1", NULL);
  g_autoptr (C2gContext) near_context = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = NULL;
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  context = c2g_device_backend_wrap_stream (device, 3, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_context_get_device (context) == device);
  g_assert_cmpuint (c2g_device_backend_get_stream (context, &error), ==, 3);
  g_assert_no_error (error);

  fake_device.mood = FAKE_NOTHING;
  g_assert_null (c2g_device_backend_wrap_stream (device, 3, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);
  fake_device.mood = FAKE_OTHER_DEVICE;
  g_assert_null (c2g_device_backend_wrap_stream (device, 3, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_clear_error (&error);

  /* The CPU has no streams. */
  g_assert_null (c2g_device_backend_wrap_stream (c2g_device_cpu (), 2, &error));
  g_assert_cmpuint (c2g_device_backend_get_stream (near_context, &error), ==, 0);
  g_assert_no_error (error);
}

static void
test_uses_of_blocks (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);
  g_autoptr (C2gContext) first = NULL;
  g_autoptr (C2gContext) second = NULL;
  g_autoptr (C2gStorage) storage = NULL;
  g_autoptr (GError) error = NULL;

  fake_device_use ();
  first = c2g_context_for_device (device, NULL);
  second = c2g_context_for_device (device, NULL);
  storage = c2g_storage_new (device, 16, first, &error);
  g_assert_no_error (error);

  /* The allocator knows the context of the allocation. */
  g_assert_true (c2g_storage_wait_for_uses (storage, first, &error));
  g_assert_cmpint (fake_device.n_waits_for_uses, ==, 1);
  g_assert_true (c2g_storage_wait_for_uses (storage, second, &error));
  g_assert_no_error (error);
  g_assert_cmpint (fake_device.n_waits, ==, 0);
  g_assert_cmpint (fake_device.n_waits_for_uses, ==, 2);
}

static void
note_destroyed (gpointer data)
{
  int *n_finished_before = data;

  *n_finished_before = fake_device.n_finished;
}

/* Foreign memory is released when the work that uses it is done, even if that work failed. */
static void
test_uses_of_foreign_memory (void)
{
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);
  static char memory[16];

  fake_device_use ();
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (C2gContext) first = NULL;
      g_autoptr (C2gContext) second = NULL;
      g_autoptr (GError) error = NULL;
      int n_finished_before = -1;
      C2gStorage *storage;

      fake_device.mood = FAKE_FINE;
      first = c2g_context_for_device (device, NULL);
      second = c2g_context_for_device (device, NULL);
      storage = c2g_storage_new_external (device, memory, sizeof memory, FALSE, note_destroyed,
                                          &n_finished_before);
      for (int j = 0; j < 4; j++)
        c2g_storage_record_use (storage, j % 2 == 0 ? first : second);

      fake_device.n_waits = fake_device.n_finished = 0;
      g_assert_true (c2g_storage_wait_for_uses (storage, first, &error));
      g_assert_no_error (error);
      g_assert_cmpint (fake_device.n_waits, ==, 1);

      fake_device.mood = i == 0 ? FAKE_FINE : FAKE_NOTHING_WITH_ERROR;
      c2g_storage_unref (storage);
      g_assert_cmpint (n_finished_before, ==, 2);
      g_assert_finalize_object (g_steal_pointer (&second));
    }
}

static void
test_ledger (void)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gDevice *device = c2g_device_parse ("cuda:1", NULL);
  C2gTensor *tensor;

  fake_device_use ();
  tensor = new_tensor ("cuda:1");
  g_assert_cmpuint (c2g_tensor_get_address (tensor) % 256, ==, 0);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, device), ==, 16);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, c2g_device_cpu ()), ==, 0);
  g_object_unref (tensor);
  g_assert_cmpuint (c2g_memory_reporter_get_current_bytes (reporter, device), ==, 0);
}

static void
test_idle_context (void)
{
  g_autoptr (C2gContext) context = g_object_new (idle_context_get_type (), NULL);
  g_autoptr (C2gTensor) source = new_tensor ("cpu");
  g_autoptr (C2gTensor) destination = new_tensor ("cpu");
  g_autoptr (C2gEvent) event = c2g_event_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_context_get_device (context) == c2g_device_cpu ());
  g_assert_true (c2g_context_fill (context, source, 1, &error));
  g_assert_true (c2g_context_record (context, event, &error));
  g_assert_true (c2g_context_wait (context, event, &error));
  g_assert_no_error (error);

  g_assert_false (c2g_context_copy (context, source, destination, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "IdleContext"));
  g_clear_error (&error);
  g_assert_false (c2g_context_finish (context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/device-backend/no-library", test_no_library);
  c2g_test_add_func ("/device-backend/no-library/subprocess", test_no_library_child);
  c2g_test_add_func ("/device-backend/register", test_register);
  c2g_test_add_func ("/device-backend/register-parts", test_register_parts);
  c2g_test_add_func ("/device-backend/devices", test_devices);
  c2g_test_add_func ("/device-backend/bad-results", test_bad_results);
  c2g_test_add_func ("/device-backend/copy/by-device", test_copy_by_device);
  c2g_test_add_func ("/device-backend/copy/by-cpu", test_copy_by_cpu);
  c2g_test_add_func ("/device-backend/epochs", test_epochs);
  c2g_test_add_func ("/device-backend/copy/failure", test_copy_failure);
  c2g_test_add_func ("/device-backend/copy/constructed", test_copy_constructed);
  c2g_test_add_func ("/device-backend/fill", test_fill);
  c2g_test_add_func ("/device-backend/events", test_events);
  c2g_test_add_func ("/device-backend/streams", test_streams);
  c2g_test_add_func ("/device-backend/uses/blocks", test_uses_of_blocks);
  c2g_test_add_func ("/device-backend/uses/foreign-memory", test_uses_of_foreign_memory);
  c2g_test_add_func ("/device-backend/ledger", test_ledger);
  c2g_test_add_func ("/device-backend/idle-context", test_idle_context);

  return c2g_test_run ();
}
