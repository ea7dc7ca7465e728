/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/interop/c2g-dlpack-private.h>

#include <string.h>

/* A device that is in fact the processor's memory, and writes down in which order its streams
 * are asked to do what. */

static GString *heard;
static gboolean has_streams = TRUE;
static gboolean fails = FALSE;

static void
hear (const char *what,
      guint64     stream)
{
  g_string_append_printf (heard, "%s %" G_GUINT64_FORMAT "; ", what, stream);
}

static void
assert_heard (const char *expected)
{
  g_assert_cmpstr (heard->str, ==, expected);
  g_string_truncate (heard, 0);
}

static gboolean
succeed (GError **error)
{
  if (fails)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_DEVICE, "out of order");
  return !fails;
}

/* The context */

struct _FakeContext
{
  C2gContext  parent_instance;
  C2gDevice  *device;
  guint64     stream;
};

G_DECLARE_FINAL_TYPE (FakeContext, fake_context, FAKE, CONTEXT, C2gContext)
G_DEFINE_FINAL_TYPE (FakeContext, fake_context, C2G_TYPE_CONTEXT)

static C2gDevice *
fake_context_get_device (C2gContext *context)
{
  return FAKE_CONTEXT (context)->device;
}

static gboolean
fake_context_copy_bytes (C2gContext     *context,
                         gsize           n_bytes,
                         C2gDevice      *source_device,
                         gconstpointer   source,
                         C2gDevice      *destination_device,
                         gpointer        destination,
                         GError        **error)
{
  hear ("copy", FAKE_CONTEXT (context)->stream);
  memmove (destination, source, n_bytes);
  return succeed (error);
}

static C2gEventStatus
query_event (gpointer  handle,
             GError  **error)
{
  return C2G_EVENT_SCHEDULED;
}

static gboolean
finish_event (gpointer  handle,
              GError  **error)
{
  return TRUE;
}

static gboolean
wait_for_event (gpointer     handle,
                C2gContext  *context,
                GError     **error)
{
  hear ("wait", FAKE_CONTEXT (context)->stream);
  return succeed (error);
}

static gboolean
fake_context_record (C2gContext  *context,
                     C2gEvent    *event,
                     GError     **error)
{
  static const C2gEventFuncs funcs = {
    .query = query_event,
    .finish = finish_event,
    .wait = wait_for_event,
  };

  hear ("record", FAKE_CONTEXT (context)->stream);
  return c2g_event_schedule (event, &funcs, &heard, error);
}

static gboolean
fake_context_finish (C2gContext  *context,
                     GError     **error)
{
  hear ("finish", FAKE_CONTEXT (context)->stream);
  return succeed (error);
}

static void
fake_context_class_init (FakeContextClass *klass)
{
  C2gContextClass *context_class = C2G_CONTEXT_CLASS (klass);

  context_class->get_device = fake_context_get_device;
  context_class->copy_bytes = fake_context_copy_bytes;
  context_class->record = fake_context_record;
  context_class->finish = fake_context_finish;
}

static void
fake_context_init (FakeContext *self)
{
}

static C2gContext *
new_context (C2gDevice *device,
             guint64    stream)
{
  FakeContext *context = g_object_new (fake_context_get_type (), NULL);

  context->device = device;
  context->stream = stream;
  return C2G_CONTEXT (context);
}

/* The allocator */

struct _FakeAllocator
{
  C2gAllocator parent_instance;
};

G_DECLARE_FINAL_TYPE (FakeAllocator, fake_allocator, FAKE, ALLOCATOR, C2gAllocator)
G_DEFINE_FINAL_TYPE (FakeAllocator, fake_allocator, C2G_TYPE_ALLOCATOR)

static gpointer
alloc_block (C2gAllocator  *allocator,
             gsize          n_bytes,
             C2gContext    *context,
             GError       **error)
{
  return g_aligned_alloc (1, (n_bytes + 255) / 256 * 256, 256);
}

static void
free_block (C2gAllocator *allocator,
            gpointer      block,
            gsize         n_bytes,
            C2gContext   *context)
{
  g_aligned_free (block);
}

static void
record_use (C2gAllocator *allocator,
            gpointer      block,
            C2gContext   *context)
{
  hear ("use", FAKE_CONTEXT (context)->stream);
}

static gboolean
wait_for_uses (C2gAllocator  *allocator,
               gpointer       block,
               C2gContext    *context,
               GError       **error)
{
  hear ("behind-uses", FAKE_CONTEXT (context)->stream);
  return succeed (error);
}

static C2gDevice *
fake_allocator_get_device (C2gAllocator *allocator)
{
  return c2g_device_parse ("cuda:0", NULL);
}

static gsize
fake_allocator_get_alignment (C2gAllocator *allocator)
{
  return 256;
}

static void
fake_allocator_class_init (FakeAllocatorClass *klass)
{
  static const C2gBlockFuncs funcs = {
    .alloc_block = alloc_block,
    .free_block = free_block,
    .record_use = record_use,
    .wait_for_uses = wait_for_uses,
  };
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  allocator_class->get_device = fake_allocator_get_device;
  allocator_class->get_alignment = fake_allocator_get_alignment;
  allocator_class->block_funcs = &funcs;
}

static void
fake_allocator_init (FakeAllocator *self)
{
}

/* The backend */

/* Of all contexts that c2g asks for itself, the stream is 1000. */
static C2gContext *
create_context (C2gDevice  *device,
                GError    **error)
{
  return new_context (device, 1000);
}

static C2gAllocator *
get_allocator (C2gDevice  *device,
               GError    **error)
{
  static FakeAllocator *allocator;

  if (allocator == NULL)
    allocator = g_object_new (fake_allocator_get_type (), NULL);
  return g_object_ref (C2G_ALLOCATOR (allocator));
}

static C2gContext *
wrap_stream (C2gDevice  *device,
             guint64     stream,
             GError    **error)
{
  if (has_streams && stream != 2)
    return new_context (device, stream);

  if (has_streams)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "a thread's own");
  else
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_DEVICE, "no such stream");

  return NULL;
}

static guint64
get_stream (C2gContext  *context,
            GError     **error)
{
  return succeed (error) ? FAKE_CONTEXT (context)->stream : 0;
}

static C2gDevice *
use_device (void)
{
  static const C2gDeviceBackend backend = {
    .version = C2G_DEVICE_BACKEND_VERSION,
    .device_type = C2G_DEVICE_TYPE_CUDA,
    .name = "Fake",
    .create_context = create_context,
    .get_allocator = get_allocator,
    .wrap_stream = wrap_stream,
    .get_stream = get_stream,
  };
  static gboolean is_registered = FALSE;

  if (!is_registered)
    g_assert_true (c2g_device_backend_register (&backend, NULL));
  is_registered = TRUE;
  has_streams = TRUE;
  fails = FALSE;
  if (heard == NULL)
    heard = g_string_new (NULL);
  g_string_truncate (heard, 0);

  return c2g_device_parse ("cuda:0", NULL);
}

/* Four floats whose memory was allocated in the order of a context. */
static C2gTensor *
new_tensor (C2gDevice  *device,
            C2gContext *context)
{
  g_autoptr (C2gStorage) storage = c2g_storage_new (device, 16, context, NULL);
  C2gTensor *tensor =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (4), storage, 0, NULL);

  g_assert_nonnull (tensor);
  memcpy ((gpointer) (gsize) c2g_tensor_get_address (tensor), (float[]) { 0, 1, 2, 3 }, 16);
  g_string_truncate (heard, 0);

  return tensor;
}

static void
test_export (void)
{
  static const struct
  {
    gint64      stream;
    const char *heard;
  } cases[] = {
    { -1, "" },
    { 0, "record 7; wait 1; behind-uses 1; use 1; " },
    { 1, "record 7; wait 1; behind-uses 1; use 1; " },
    { 2, "record 7; wait 1000; behind-uses 1000; finish 1000; " },
    { 5000000000, "record 7; wait 5000000000; behind-uses 5000000000; use 5000000000; " },
  };
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) context = new_context (device, 7);
  g_autoptr (C2gTensor) tensor = new_tensor (device, context);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 managed = c2g_tensor_to_dlpack (tensor, 0, NULL, cases[i].stream, &error);
      const C2gDlManaged *exported = (gpointer) (gsize) managed;

      g_assert_no_error (error);
      assert_heard (cases[i].heard);
      g_assert_cmpint (exported->tensor.device.type, ==, C2G_DL_DEVICE_CUDA);
      g_assert_cmpint (exported->tensor.device.id, ==, 0);
      g_assert_cmpuint ((gsize) exported->tensor.data, ==, c2g_tensor_get_address (tensor));
      c2g_dlpack_release (managed, 0);
      assert_heard ("");
    }
}

static void
test_export_errors (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) context = new_context (device, 7);
  g_autoptr (C2gTensor) tensor = new_tensor (device, context);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, -2, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  has_streams = FALSE;
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, 5, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "no such stream");
  g_clear_error (&error);

  has_streams = TRUE;
  fails = TRUE;
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, 5, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_lend_to_stream (tensor, 5, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  /* Nothing pins the memory then. */
  g_assert_cmpuint (c2g_storage_get_n_views (c2g_tensor_get_storage (tensor)), ==, 0);
}

static void
test_export_to_cpu (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gTensor) tensor = new_tensor (device, NULL);
  g_autoptr (GError) error = NULL;
  guint64 managed = c2g_tensor_to_dlpack (tensor, 0, c2g_device_cpu (), 0, &error);
  const C2gDlManaged *exported = (gpointer) (gsize) managed;

  g_assert_no_error (error);
  g_assert_cmpint (exported->tensor.device.type, ==, C2G_DL_DEVICE_CPU);
  g_assert_cmpfloat (((float *) exported->tensor.data)[3], ==, 3);
  c2g_dlpack_release (managed, 0);

  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, c2g_device_cpu (), 1, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

static void
test_lend (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gTensor) tensor = new_tensor (device, NULL);
  g_autoptr (C2gTensor) empty = c2g_tensor_new_for_device (device);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_lend_to_stream (tensor, 1, &error));
  assert_heard ("behind-uses 1; use 1; ");
  g_assert_true (c2g_tensor_lend_to_stream (empty, 1, &error));
  assert_heard ("");
  g_assert_no_error (error);
}

static void
delete_managed (C2gDlManaged *managed)
{
  hear ("delete", 0);
}

static float memory[4] __attribute__ ((aligned (16))) = { 0, 1, 2, 3 };

static C2gDlManaged *
make_managed (gint64 stride)
{
  static gint64 numbers[2];
  static C2gDlManaged managed;

  numbers[0] = 2;
  numbers[1] = stride;
  managed = (C2gDlManaged) {
    .tensor = {
      .data = memory,
      .device = { C2G_DL_DEVICE_CUDA, 0 },
      .n_dims = 1,
      .type = { C2G_DL_FLOAT, 32, 1 },
      .shape = numbers,
      .strides = numbers + 1,
    },
    .deleter = delete_managed,
  };

  return &managed;
}

static C2gTensor *
import (gint64       stride,
        C2gContext  *context,
        GError     **error)
{
  return c2g_tensor_new_from_dlpack ((guint64) (gsize) make_managed (stride), 0, context, error);
}

/* The memory goes back when what was done with it is over. */
static void
test_import (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) context = new_context (device, 7);
  g_autoptr (C2gContext) other = new_context (device, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_cmpint (c2g_dlpack_get_stream (device, context, &error), ==, 7);
  g_assert_no_error (error);
  tensor = import (1, context, &error);
  g_assert_no_error (error);
  assert_heard ("");
  g_assert_true (c2g_tensor_get_device (tensor) == device);

  c2g_storage_record_use (c2g_tensor_get_storage (tensor), other);
  g_clear_object (&tensor);
  assert_heard ("finish 8; finish 7; delete 0; ");
}

/* What is no number of DLPack is no number for nothing, and takes the memory along. */
static void
test_import_in_impossible_order (void)
{
  static const guint64 streams[] = { (guint64) 1 << 63, G_MAXUINT64 };
  C2gDevice *device = use_device ();

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr (C2gContext) context = new_context (device, streams[i]);
      g_autoptr (GError) stream_error = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_dlpack_get_stream (device, context, &stream_error), ==, -1);
      g_assert_error (stream_error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_null (import (1, context, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      assert_heard ("delete 0; ");
    }
}

static void
test_import_without_context (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_cmpint (c2g_dlpack_get_stream (device, NULL, &error), ==, 1);
  tensor = import (1, NULL, &error);
  g_assert_no_error (error);
  assert_heard ("finish 1; ");
  g_clear_object (&tensor);
  assert_heard ("delete 0; ");
}

static void
test_import_errors (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) near = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = new_context (device, 7);
  g_autoptr (GError) error = NULL;

  g_assert_null (import (1, near, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_heard ("delete 0; ");
  g_clear_error (&error);

  /* The processor cannot put it in a row. */
  g_assert_null (import (2, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
  assert_heard ("delete 0; ");
  g_clear_error (&error);

  has_streams = FALSE;
  g_assert_null (import (1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_heard ("delete 0; ");
  g_clear_error (&error);

  fails = TRUE;
  g_assert_null (import (1, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  assert_heard ("delete 0; ");
}

/* Memory that the GPU reaches too is the processor's. */
static void
test_import_pinned (void)
{
  C2gDlManaged *managed = make_managed (1);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  use_device ();
  managed->tensor.device.type = C2G_DL_DEVICE_CUDA_HOST;
  tensor = c2g_tensor_new_from_dlpack ((guint64) (gsize) managed, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == c2g_device_cpu ());
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, 1);
  g_clear_object (&tensor);
  assert_heard ("delete 0; ");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/dlpack-streams/export/streams", test_export);
  c2g_test_add_func ("/dlpack-streams/export/errors", test_export_errors);
  c2g_test_add_func ("/dlpack-streams/export/to-cpu", test_export_to_cpu);
  c2g_test_add_func ("/dlpack-streams/lend", test_lend);
  c2g_test_add_func ("/dlpack-streams/import/context", test_import);
  c2g_test_add_func ("/dlpack-streams/import/impossible-order", test_import_in_impossible_order);
  c2g_test_add_func ("/dlpack-streams/import/without-context", test_import_without_context);
  c2g_test_add_func ("/dlpack-streams/import/errors", test_import_errors);
  c2g_test_add_func ("/dlpack-streams/import/pinned", test_import_pinned);

  return c2g_test_run ();
}
