/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"
#include "tests/core/fake-device.h"

#include <c2g/interop/c2g-dlpack-private.h>

#include <string.h>

/* In which order the streams of a device are asked to do what. */

static C2gDevice *
use_device (void)
{
  if (fake_device.heard == NULL)
    fake_device.heard = g_string_new (NULL);
  fake_device_use ();

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
  g_string_truncate (fake_device.heard, 0);

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
    { 0, "behind-uses 1; use 1; " },
    { 1, "behind-uses 1; use 1; " },
    { 2, "behind-uses 42; finish 42; " },
    { 5000000000, "behind-uses 5000000000; use 5000000000; " },
  };
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) context = fake_device_new_context (device, 7);
  g_autoptr (C2gTensor) tensor = new_tensor (device, context);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 managed = c2g_tensor_to_dlpack (tensor, 0, NULL, cases[i].stream, &error);
      const C2gDlManaged *exported = (gpointer) (gsize) managed;

      g_assert_no_error (error);
      fake_device_assert_heard (cases[i].heard);
      g_assert_cmpint (exported->tensor.device.type, ==, C2G_DL_DEVICE_CUDA);
      g_assert_cmpint (exported->tensor.device.id, ==, 0);
      g_assert_cmpuint ((gsize) exported->tensor.data, ==, c2g_tensor_get_address (tensor));
      c2g_dlpack_release (managed, 0);
      fake_device_assert_heard ("");
    }
}

static void
test_export_errors (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) context = fake_device_new_context (device, 7);
  g_autoptr (C2gTensor) tensor = new_tensor (device, context);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, -2, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  fake_device.mood = FAKE_NOTHING_WITH_ERROR;
  g_assert_cmpuint (c2g_tensor_to_dlpack (tensor, 0, NULL, 5, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "out of order");
  g_clear_error (&error);

  fake_device.mood = FAKE_NO_WORK;
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
  fake_device_assert_heard ("behind-uses 1; use 1; ");
  g_assert_true (c2g_tensor_lend_to_stream (empty, 1, &error));
  fake_device_assert_heard ("");
  g_assert_no_error (error);
}

static void
delete_managed (C2gDlManaged *managed)
{
  fake_device_hear ("delete", 0);
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
  g_autoptr (C2gContext) context = fake_device_new_context (device, 7);
  g_autoptr (C2gContext) other = fake_device_new_context (device, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  g_assert_cmpint (c2g_dlpack_get_stream (device, context, &error), ==, 7);
  g_assert_no_error (error);
  tensor = import (1, context, &error);
  g_assert_no_error (error);
  fake_device_assert_heard ("");
  g_assert_true (c2g_tensor_get_device (tensor) == device);

  c2g_storage_record_use (c2g_tensor_get_storage (tensor), other);
  g_clear_object (&tensor);
  fake_device_assert_heard ("finish 8; finish 7; delete 0; ");
}

/* A stream that DLPack has no number for is an error, and the imported memory is freed. */
static void
test_import_in_impossible_order (void)
{
  static const guint64 streams[] = { (guint64) 1 << 63, G_MAXUINT64 };
  C2gDevice *device = use_device ();

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      g_autoptr (C2gContext) context = fake_device_new_context (device, streams[i]);
      g_autoptr (GError) stream_error = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_dlpack_get_stream (device, context, &stream_error), ==, -1);
      g_assert_error (stream_error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_assert_null (import (1, context, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      fake_device_assert_heard ("delete 0; ");
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
  fake_device_assert_heard ("finish 1; ");
  g_clear_object (&tensor);
  fake_device_assert_heard ("delete 0; ");
}

static void
test_import_errors (void)
{
  C2gDevice *device = use_device ();
  g_autoptr (C2gContext) near = c2g_cpu_context_new ();
  g_autoptr (C2gContext) context = fake_device_new_context (device, 7);
  g_autoptr (GError) error = NULL;

  g_assert_null (import (1, near, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  fake_device_assert_heard ("delete 0; ");
  g_clear_error (&error);

  /* The processor cannot put it in a row. */
  g_assert_null (import (2, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "cuda:0"));
  fake_device_assert_heard ("delete 0; ");
  g_clear_error (&error);

  fake_device.mood = FAKE_NOTHING_WITH_ERROR;
  g_assert_null (import (1, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  fake_device_assert_heard ("delete 0; ");
  g_clear_error (&error);

  fake_device.mood = FAKE_NO_WORK;
  g_assert_null (import (1, context, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  fake_device_assert_heard ("delete 0; ");
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
  fake_device_assert_heard ("delete 0; ");
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
