/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "gst-bridge.h"
#include "tests/cuda/cuda-utils.h"

#define GST_USE_UNSTABLE_API
#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

/* Tensors over GstCudaMemory, and the other way round. */

/* Bytes of a row: it has no padding then. */
#define WIDTH  256
#define HEIGHT 4
#define SIZE   (WIDTH * HEIGHT)

/* GStreamer's name for the context that c2g works in. */
static GstCudaContext *
new_primary (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstContext) context = c2g_gst_context_new_for_device (first_device (), &error);
  GstCudaContext *primary = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (gst_context_get_context_type (context), ==, "gst.cuda.context");
  g_assert_true (gst_structure_get (gst_context_get_structure (context), "gst.cuda.context", GST_TYPE_CUDA_CONTEXT, &primary,
                                    NULL));

  return primary;
}

static void
fill_info (GstVideoInfo *info)
{
  gst_video_info_set_format (info, GST_VIDEO_FORMAT_RGBA, WIDTH / 4, HEIGHT);
}

/* Memory of the bytes 0, 1, 2 …, which an element on the CPU has written. */
static GstMemory *
new_gst_memory (GstCudaContext *context)
{
  g_autoptr (GstAllocator) allocator = gst_allocator_find (GST_CUDA_MEMORY_TYPE_NAME);
  GstVideoInfo info;
  GstMemory *memory;
  GstMapInfo map;

  fill_info (&info);
  memory = gst_cuda_allocator_alloc (GST_CUDA_ALLOCATOR_CAST (allocator), context, &info);
  g_assert_cmpuint (memory->size, ==, SIZE);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (guint i = 0; i < SIZE; i++)
    map.data[i] = i;
  gst_memory_unmap (memory, &map);

  return memory;
}

static GstBuffer *
new_gst_buffer (GstCudaContext *context)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, new_gst_memory (context));
  return buffer;
}

static guint64
far_address_in (GstMemory *memory)
{
  GstMapInfo map;
  guint64 address;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  address = (gsize) map.data;
  gst_memory_unmap (memory, &map);

  return address;
}

static void
assert_bytes (C2gTensor *tensor)
{
  g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensor, c2g_device_cpu (), NULL);
  const guint8 *bytes = address_of (near);

  for (guint i = 0; i < SIZE; i++)
    g_assert_cmpuint (bytes[i], ==, i % 256);
}

/* A tensor lies over the memory, reads it only, and holds the buffer. */
static void
test_read (void)
{
  GstCudaContext *context = new_primary ();
  g_autoptr (GstBuffer) buffer = new_gst_buffer (context);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) tensor =
        i == 0 ? c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (HEIGHT, WIDTH), &error)
               : c2g_gst_tensor_new_from_memory (memory, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (HEIGHT, WIDTH), &error);

      g_assert_no_error (error);
      g_assert_true (c2g_tensor_get_device (tensor) == first_device ());
      g_assert_cmpuint (c2g_tensor_get_address (tensor), ==, far_address_in (memory));
      g_assert_true (c2g_storage_is_read_only (c2g_tensor_get_storage (tensor)));
      g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, i == 0 ? 2 : 1);
      assert_bytes (tensor);

      /* Writing to the memory moves to a copy. */
      g_assert_true (c2g_tensor_fill (tensor, 1, &error));
      g_assert_cmpuint (c2g_tensor_get_address (tensor), !=, far_address_in (memory));
      g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
    }
  gst_object_unref (context);
}

/* The memory goes back to GStreamer only when the work that reads it is done. */
static void
test_pending_reader (void)
{
  GstCudaContext *context = new_primary ();
  g_autoptr (C2gContext) queue = c2g_cuda_context_new (first_device (), NULL);
  g_autoptr (C2gTensor) copy = c2g_tensor_new_for_device (first_device ());
  GstBuffer *buffer = new_gst_buffer (context);
  C2gTensor *tensor = c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (SIZE), NULL);
  g_autoptr (GError) error = NULL;

  gst_buffer_unref (buffer);
  g_assert_true (c2g_tensor_copy_from (copy, tensor, queue, &error));
  g_object_unref (tensor);
  g_assert_true (c2g_context_finish (queue, &error));
  assert_bytes (copy);
  gst_object_unref (context);
  assert_no_faults ();
}

/* Memory of a context that GStreamer made for itself is refused, and the error names it. */
static void
test_foreign (void)
{
  GstCudaContext *context = gst_cuda_context_new (0);
  g_autoptr (GstBuffer) buffer = new_gst_buffer (context);
  g_autofree char *name = g_strdup_printf ("%p", gst_cuda_context_get_handle (context));
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (SIZE), &error));
  g_assert_nonnull (strstr (error->message, name));
  assert_fails (&error, C2G_ERROR_DEVICE);
  g_assert_null (c2g_gst_tensor_new_from_memory (gst_buffer_peek_memory (buffer, 0), C2G_DATA_TYPE_UINT8,
                                                 C2G_TEST_DIMS (SIZE), &error));
  assert_fails (&error, C2G_ERROR_DEVICE);
  gst_object_unref (context);
}

/* c2g works while an element has its own context current, which stays so. */
static void
test_foreign_current (void)
{
  GstCudaContext *context = gst_cuda_context_new (0);
  g_autoptr (C2gContext) queue = c2g_cuda_context_new (first_device (), NULL);
  g_autoptr (C2gEvent) event = c2g_event_new (first_device ());
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  CUcontext popped;

  g_assert_true (gst_cuda_context_push (context));
  tensor = new_far (first_device (), SIZE, queue);
  c2g_context_record (queue, event, &error);
  g_assert_no_error (error);
  c2g_event_finish (event, &error);
  g_assert_no_error (error);
  assert_far (tensor, 0);
  g_assert_true (gst_cuda_context_pop (&popped));
  g_assert_true (popped == gst_cuda_context_get_handle (context));
  gst_object_unref (context);

  c2g_context_fill (queue, tensor, 1, &error);
  g_assert_no_error (error);
  c2g_event_reset (event);
  c2g_context_record (queue, event, &error);
  g_assert_no_error (error);
}

/* Too few bytes are an error, and the buffer is free again. */
static void
test_sizes (void)
{
  GstCudaContext *context = new_primary ();
  g_autoptr (GstBuffer) buffer = new_gst_buffer (context);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (SIZE + 1), &error));
  assert_fails (&error, C2G_ERROR_RANGE);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  gst_object_unref (context);
}

/* Tensors hold as many buffers of a pool as it can spare, and copy the others on the device. */
static void
test_pool (void)
{
  GstCudaContext *context = new_primary ();
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw(memory:CUDAMemory), format=RGBA, width=64, height=4");
  GstStructure *config = gst_buffer_pool_get_config (pool);
  C2gTensor *tensors[10];
  guint n_held = 0;

  gst_buffer_pool_config_set_params (config, caps, SIZE, 0, 3);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GstBuffer) buffer = acquire (pool, i);

      tensors[i] = c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (SIZE), NULL);
      g_assert_true (c2g_tensor_get_device (tensors[i]) == first_device ());
      n_held += c2g_tensor_get_address (tensors[i]) == far_address_in (gst_buffer_peek_memory (buffer, 0));
    }
  g_assert_cmpuint (n_held, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (C2gTensor) near = c2g_tensor_to_device (tensors[i], c2g_device_cpu (), NULL);

      g_assert_cmpuint (*(const guint8 *) address_of (near), ==, i);
      g_object_unref (tensors[i]);
    }
  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_object_unref (pool);
  gst_object_unref (context);
}

/* A tensor becomes GstCudaMemory in the same place, also a part of another one. */
static void
test_write (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = new_primary ();

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gTensor) whole = new_far (first_device (), 10, NULL);
      g_autoptr (C2gTensor) tensor = i == 0 ? g_object_ref (whole) : c2g_tensor_slice (whole, 4, 10, NULL);
      g_autoptr (GstBuffer) buffer = NULL;
      g_autoptr (C2gTensor) back = NULL;
      GstMemory *memory;
      gsize offset;

      if (i > 0)
        g_assert_true (c2g_tensor_seal (whole, NULL));
      buffer = c2g_gst_buffer_new_from_tensor (tensor, &error);
      g_assert_no_error (error);
      memory = gst_buffer_peek_memory (buffer, 0);
      g_assert_true (gst_is_cuda_memory (memory));
      g_assert_true (GST_CUDA_MEMORY_CAST (memory)->context == context);
      g_assert_cmpuint (memory->size, ==, c2g_tensor_get_n_bytes (tensor));
      g_assert_cmpuint (far_address_in (memory), ==, c2g_tensor_get_address (tensor));
      g_assert_true (c2g_tensor_is_sealed (tensor));
      g_assert_true (c2g_gst_memory_get_storage (memory, &offset) == c2g_tensor_get_storage (tensor));
      g_assert_cmpuint (offset, ==, i * 16);

      /* The way back is over the same storage, and needs no mapping. */
      back = c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (6), &error);
      g_assert_no_error (error);
      g_assert_true (c2g_tensor_get_storage (back) == c2g_tensor_get_storage (tensor));
      assert_far (back, i * 4);
    }
  gst_object_unref (context);
}

/* Elements that know nothing of CUDA read the bytes, and write to a copy. */
static void
test_map (void)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 10, NULL);
  g_autoptr (GstBuffer) buffer = c2g_gst_buffer_new_from_tensor (tensor, NULL);
  g_autoptr (GstBuffer) copy = gst_buffer_copy_deep (buffer);
  GstMapInfo map;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (gst_buffer_map (i == 0 ? buffer : copy, &map, GST_MAP_READ));
      g_assert_cmpuint (map.size, ==, 40);
      for (guint k = 0; k < 10; k++)
        g_assert_cmpfloat (((const float *) map.data)[k], ==, k);
      gst_buffer_unmap (i == 0 ? buffer : copy, &map);
    }
  g_assert_false (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map, GST_MAP_WRITE));
  g_assert_false (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map, GST_MAP_WRITE | GST_MAP_CUDA));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  g_assert_false (gst_is_cuda_memory (map.memory));
  gst_buffer_unmap (buffer, &map);
  assert_far (tensor, 0);
}

/* A part of the memory lies in the same place, for everyone. */
static void
test_share (void)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 10, NULL);
  g_autoptr (GstBuffer) buffer = c2g_gst_buffer_new_from_tensor (tensor, NULL);
  g_autoptr (GstMemory) half = gst_memory_share (gst_buffer_peek_memory (buffer, 0), 8, -1);
  g_autoptr (GstMemory) part = gst_memory_share (half, 4, 20);
  g_autoptr (GstMemory) copy = gst_memory_copy (part, 4, -1);
  g_autoptr (C2gTensor) back = c2g_gst_tensor_new_from_memory (part, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (5), NULL);
  GstMapInfo map;
  gsize offset;

  g_assert_true (gst_is_cuda_memory (part));
  g_assert_cmpuint (far_address_in (part), ==, c2g_tensor_get_address (tensor) + 12);
  g_assert_true (c2g_gst_memory_get_storage (part, &offset) == c2g_tensor_get_storage (tensor));
  g_assert_cmpuint (offset, ==, 12);
  assert_far (back, 3);
  g_assert_true (gst_memory_map (part, &map, GST_MAP_READ));
  g_assert_cmpuint (map.size, ==, 20);
  g_assert_cmpfloat (*(const float *) map.data, ==, 3);
  gst_memory_unmap (part, &map);
  g_assert_true (gst_memory_map (copy, &map, GST_MAP_READWRITE));
  g_assert_cmpuint (map.size, ==, 16);
  g_assert_cmpfloat (*(const float *) map.data, ==, 4);
  gst_memory_unmap (copy, &map);
}

/* Whoever gets the buffer finds the work done. */
static void
test_pending_writer (void)
{
  g_autoptr (C2gContext) queue = c2g_cuda_context_new (first_device (), NULL);
  g_autoptr (C2gTensor) source = new_far (first_device (), SIZE, NULL);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_for_device (first_device ());
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree float *values = g_new (float, SIZE);

  g_assert_true (c2g_tensor_copy_from (tensor, source, queue, &error));
  buffer = c2g_gst_buffer_new_from_tensor (tensor, &error);
  g_assert_no_error (error);
  g_assert_cmpint (cudaMemcpy (values, (gconstpointer) (gsize) far_address_in (gst_buffer_peek_memory (buffer, 0)),
                               SIZE * sizeof (float), cudaMemcpyDeviceToHost),
                   ==, cudaSuccess);
  for (guint i = 0; i < SIZE; i++)
    g_assert_cmpfloat (values[i], ==, i);
  assert_no_faults ();
}

/* A tensor without elements is a buffer without memory; one that others may write to is not given away. */
static void
test_errors (void)
{
  g_autoptr (C2gTensor) empty = new_far (first_device (), 0, NULL);
  g_autoptr (C2gTensor) nothing = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) shared = new_far (first_device (), 10, NULL);
  g_autoptr (C2gTensor) part = c2g_tensor_slice (shared, 0, 2, NULL);
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;

  buffer = c2g_gst_buffer_new_from_tensor (empty, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 0);
  g_assert_null (c2g_gst_buffer_new_from_tensor (nothing, &error));
  assert_fails (&error, C2G_ERROR_SHAPE);
  g_assert_null (c2g_gst_buffer_new_from_tensor (shared, &error));
  assert_fails (&error, C2G_ERROR_BUSY);
  g_assert_null (c2g_gst_context_new_for_device (c2g_device_cpu (), &error));
  assert_fails (&error, C2G_ERROR_DEVICE);
}

/* Tensors go to NNStreamer's elements and come back without leaving their place. */
static void
test_bridge (void)
{
  GstHarness *there = gst_harness_new ("c2gbridge");
  GstHarness *back = gst_harness_new ("c2gbridge");
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 10, NULL);
  g_autoptr (C2gTensor) returned = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstCaps) caps = NULL;

  add_tensor (buffer, "x", tensor);
  gst_harness_set_caps_str (there, C2G_CAPS, "other/tensors, format=static");
  buffer = gst_harness_push_and_pull (there, buffer);
  g_assert_true (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)));
  caps = gst_pad_get_current_caps (there->sinkpad);
  gst_harness_set_src_caps (back, g_steal_pointer (&caps));
  buffer = gst_harness_push_and_pull (back, buffer);
  returned = c2g_gst_buffer_get_tensor (buffer, "tensor", NULL);
  g_assert_true (c2g_tensor_get_device (returned) == first_device ());
  g_assert_cmpuint (c2g_tensor_get_address (returned), ==, c2g_tensor_get_address (tensor));
  gst_buffer_unref (buffer);
  gst_harness_teardown (there);
  gst_harness_teardown (back);
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  gst_cuda_memory_init_once ();

  add_clean_func ("/gst/cuda/read", test_read);
  add_clean_func ("/gst/cuda/pending-reader", test_pending_reader);
  add_clean_func ("/gst/cuda/foreign", test_foreign);
  add_clean_func ("/gst/cuda/foreign-current", test_foreign_current);
  add_clean_func ("/gst/cuda/sizes", test_sizes);
  add_clean_func ("/gst/cuda/pool", test_pool);
  add_clean_func ("/gst/cuda/write", test_write);
  add_clean_func ("/gst/cuda/map", test_map);
  add_clean_func ("/gst/cuda/share", test_share);
  add_clean_func ("/gst/cuda/pending-writer", test_pending_writer);
  add_clean_func ("/gst/cuda/errors", test_errors);
  add_clean_func ("/gst/cuda/bridge", test_bridge);
  status = run_on_device ();
  gst_deinit ();

  return status;
}
