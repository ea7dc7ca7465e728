/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "gst-allocators.h"
#include "gst-streams.h"
#include "tests/cuda/cuda-utils.h"

/* Tensors on a GPU in the elements for several streams, where buffers have no bytes of them, and models on a GPU. */

#define FLEXIBLE TENSORS ", format=flexible"

static GstBuffer *
new_far_frame (const char *name,
               gint64      n,
               C2gTensor **tensor)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (C2gTensor) far = new_far (first_device (), n, NULL);

  add_tensor (buffer, name, far);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = 6;
  if (tensor != NULL)
    *tensor = g_steal_pointer (&far);

  return buffer;
}

/* The buffer has only tensors whose memory is that of others. */
static void
assert_shared (GstBuffer  *buffer,
               const char *name,
               C2gTensor  *before)
{
  g_autoptr (C2gTensor) behind = c2g_gst_buffer_get_tensor (buffer, name, NULL);

  g_assert_true (c2g_tensor_get_device (behind) == first_device ());
  g_assert_true (address_of (behind) == address_of (before));
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, 0);
}

static void
test_mux (void)
{
  g_autoptr (C2gTensor) first = NULL;
  g_autoptr (C2gTensor) second = NULL;
  g_autoptr (GstBuffer) joined = NULL;
  Joint joint;

  joint_init (&joint, "c2gtensormux", FLEXIBLE);
  gst_harness_push (joint.streams[0], new_far_frame ("a", 3, &first));
  gst_harness_push (joint.streams[1], new_far_frame ("b", 4, &second));
  joined = gst_harness_pull (joint.streams[0]);
  assert_tensors (joined, "a b");
  assert_shared (joined, "a", first);
  assert_shared (joined, "b", second);
  joint_clear (&joint);
}

static void
link_cb (GstElement *element,
         GstPad     *pad,
         gpointer    harness)
{
  gst_harness_add_element_src_pad (harness, pad);
}

/* The rows of a tensor are parts of its memory. */
static void
test_demux (void)
{
  GstHarness *harness = gst_harness_new_with_padnames ("c2gtensordemux", "sink", NULL);
  g_autoptr (C2gTensor) tensor = NULL;

  gst_element_set_state (harness->element, GST_STATE_NULL);
  g_object_set (harness->element, "rows", TRUE, NULL);
  g_signal_connect (harness->element, "pad-added", G_CALLBACK (link_cb), harness);
  gst_element_set_state (harness->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (harness, FLEXIBLE);
  gst_harness_push (harness, new_far_frame ("a", 2, &tensor));
  for (gint64 i = 0; i < 2; i++)
    {
      g_autoptr (GstBuffer) buffer = gst_harness_pull (harness);
      g_autoptr (C2gTensor) row = c2g_tensor_slice (tensor, i, i + 1, NULL);

      assert_shared (buffer, "a", row);
    }
  gst_harness_teardown (harness);
}

/* A batch is made on the device. */
static void
test_batch (void)
{
  g_autoptr (GstBuffer) batch = NULL;
  g_autoptr (C2gTensor) rows = NULL;
  Joint joint;

  joint_init (&joint, "c2gtensorbatch", FLEXIBLE);
  gst_harness_push (joint.streams[0], new_far_frame ("a", 3, NULL));
  gst_harness_push (joint.streams[1], new_far_frame ("a", 4, NULL));
  batch = gst_harness_pull (joint.streams[0]);
  rows = c2g_gst_buffer_get_tensor (batch, "a", NULL);
  g_assert_true (c2g_tensor_get_device (rows) == first_device ());
  g_assert_cmpint (c2g_tensor_get_n_elements (rows), ==, 7);
  for (gint64 from = 0; from < 7; from += 3 + from)
    {
      g_autoptr (C2gTensor) part = c2g_tensor_slice (rows, from, from == 0 ? 3 : 7, NULL);

      assert_far (part, 0);
    }
  joint_clear (&joint);
}

/* Tensors on a GPU go through elements that know nothing of them, and through a tee, without a copy and without a way
 * through the CPU. */
static void
test_through_elements (void)
{
  GstHarness *harness = gst_harness_new_parse ("queue ! tee ! identity ! queue");
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) behind = NULL;

  gst_harness_set_src_caps_str (harness, "application/x-other");
  buffer = gst_harness_push_and_pull (harness, new_far_frame ("a", 3, &tensor));
  assert_shared (buffer, "a", tensor);
  behind = c2g_gst_buffer_get_tensor (buffer, "a", NULL);
  assert_far (behind, 0);
  gst_harness_teardown (harness);
}

/* There is no batch of tensors on several devices. */
static void
test_batch_devices (void)
{
  GstBus *bus;
  Joint joint;

  joint_init (&joint, "c2gtensorbatch", FLEXIBLE);
  bus = watch_element (joint.streams[0]->element);
  gst_harness_push (joint.streams[0], new_far_frame ("a", 3, NULL));
  push_frame (joint.streams[1], "a", 3, 0);
  wait_for_error (bus, "cuda:0");
  joint_clear (&joint);
}

static GstAllocator *
new_pinned (void)
{
  g_autoptr (C2gAllocator) pinned = c2g_cuda_pinned_allocator_new ();
  g_autoptr (GError) error = NULL;
  C2gGstAllocator *allocator = c2g_gst_allocator_new (pinned, &error);

  g_assert_no_error (error);
  return GST_ALLOCATOR (allocator);
}

/* The memory of frames is pinned, and so is that of copies and parts. */
static void
test_pinned (void)
{
  g_autoptr (GstAllocator) allocator = new_pinned ();
  GstMemory *memories[3] = { gst_allocator_alloc (allocator, 100, NULL) };

  memories[1] = gst_memory_copy (memories[0], 10, 20);
  memories[2] = gst_memory_share (memories[0], 10, 20);
  for (gsize i = 0; i < G_N_ELEMENTS (memories); i++)
    {
      struct cudaPointerAttributes attributes;
      GstMapInfo map;

      g_assert_true (gst_memory_map (memories[i], &map, GST_MAP_READ));
      g_assert_cmpint (cudaPointerGetAttributes (&attributes, map.data), ==, cudaSuccess);
      g_assert_cmpint (attributes.type, ==, cudaMemoryTypeHost);
      gst_memory_unmap (memories[i], &map);
      g_assert_true (C2G_CUDA_IS_PINNED_ALLOCATOR (allocator_of (memories[i])));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (memories); i++)
    gst_memory_unref (memories[i]);
}

static GstBuffer *
new_pinned_frame (GstBufferPool **pool)
{
  g_autoptr (GstAllocator) allocator = new_pinned ();
  GstStructure *config;

  *pool = gst_buffer_pool_new ();
  config = gst_buffer_pool_get_config (*pool);
  gst_buffer_pool_config_set_params (config, NULL, 1000 * sizeof (float), 1, 1);
  gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  g_assert_true (gst_buffer_pool_set_config (*pool, config));
  g_assert_true (gst_buffer_pool_set_active (*pool, TRUE));

  return acquire (*pool, 0);
}

/* A stream copies a frame by itself. The pool gets the frame back after that, so the next one does not change the copy. */
static void
test_pinned_upload (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  g_autoptr (GstBufferPool) pool = NULL;
  GstBuffer *buffer = new_pinned_frame (&pool);
  C2gTensor *near =
    c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000), &error);
  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 100);
  g_assert_true (c2g_tensor_copy_from (far, near, context, &error));
  gst_buffer_unref (buffer);
  g_object_unref (near);
  gst_buffer_unref (acquire (pool, 0xff));
  on_fake (fake_cuda_set_latency, 0);

  g_assert_cmpfloat (c2g_tensor_sumsq (far, &error), ==, 0);
  g_assert_no_error (error);
  gst_buffer_pool_set_active (pool, FALSE);
}

/* A stream writes a frame, which is whole when writing has ended. */
static void
test_pinned_download (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = new_far (first_device (), 1000, context);
  g_autoptr (C2gTensor) behind = NULL;
  g_autoptr (GstBufferPool) pool = NULL;
  g_autoptr (GstBuffer) buffer = new_pinned_frame (&pool);
  g_autoptr (C2gTensor) near =
    c2g_gst_tensor_begin_write (buffer, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000), &error);

  g_assert_no_error (error);
  on_fake (fake_cuda_set_latency, 100);
  g_assert_true (c2g_tensor_copy_from (near, far, context, &error));
  g_assert_true (c2g_gst_tensor_end_write (near, &error));
  behind = c2g_gst_tensor_new_from_buffer (buffer, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000), &error);
  on_fake (fake_cuda_set_latency, 0);
  assert_far (behind, 0);
  g_clear_object (&behind);
  g_clear_pointer (&buffer, gst_buffer_unref);
  gst_buffer_pool_set_active (pool, FALSE);
}

/* Work on the storage of such memory is over when the memory is mapped. */
static void
test_pinned_map (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) context = c2g_context_for_device (first_device (), &error);
  g_autoptr (C2gTensor) far = new_far (first_device (), 1000, context);
  g_autoptr (GstAllocator) allocator = new_pinned ();
  GstMemory *memory = gst_allocator_alloc (allocator, 1000 * sizeof (float), NULL);
  g_autoptr (C2gTensor) near =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000),
                                 c2g_gst_memory_get_storage (memory, NULL), 0, &error);
  GstMemory *copy;
  GstMapInfo map;

  for (int i = 0; i < 2; i++)
    {
      on_fake (fake_cuda_set_latency, 100);
      g_assert_true (c2g_tensor_copy_from (near, far, context, &error));
      copy = i == 0 ? gst_memory_ref (memory) : gst_memory_copy (memory, 0, -1);
      g_assert_true (gst_memory_map (copy, &map, GST_MAP_READ));
      on_fake (fake_cuda_set_latency, 0);
      g_assert_cmpfloat (((float *) map.data)[999], ==, 999);
      gst_memory_unmap (copy, &map);
      gst_memory_unref (copy);
      memset ((gpointer) (gsize) c2g_tensor_get_address (near), 0, c2g_tensor_get_n_bytes (near));
    }
  gst_memory_unref (memory);
}

/* Elements write as the processor does. */
static void
test_far_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gAllocator) far = c2g_allocator_get_default (first_device (), &error);

  g_assert_null (c2g_gst_allocator_new (far, &error));
  assert_fails (&error, C2G_ERROR_DEVICE);
}

/* The digits model on a device, and c2gdecode behind it. */
static GstHarness *
new_model_on (const char *before,
              const char *device)
{
  g_autofree char *behind = g_strdup_printf ("device=%s ! c2gdecode", device);
  GstHarness *harness = new_harness (before, behind);

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  return harness;
}

/* The scores of a picture on the CPU, where c2gdecode has read them, too. */
static C2gTensor *
score (GstHarness *harness,
       int         digit,
       C2gDevice  *device)
{
  g_autoptr (GstBuffer) frame = gst_harness_push_and_pull (harness, read_picture (digit));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (frame, "softmax", &error);
  C2gTensor *near;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (tensor) == device);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  /* c2gdecode marks only frames of video, which have bytes. */
  if (gst_buffer_get_size (frame) > 0)
    assert_region (frame, digit_names[digit]);
  near = c2g_tensor_to_device (tensor, c2g_device_cpu (), &error);
  g_assert_no_error (error);

  return near;
}

/* Runs all digits on the CPU and on the device, whose scores are the same but for rounding. */
static void
check_model (const char *before)
{
  GstHarness *near = new_model_on (before, "cpu");
  GstHarness *far = new_model_on (before, "cuda:0");

  for (int digit = 0; digit < 10; digit++)
    {
      g_autoptr (C2gTensor) expected = score (near, digit, c2g_device_cpu ());
      g_autoptr (C2gTensor) result = score (far, digit, first_device ());
      gboolean is_close;

      g_assert_true (c2g_tensor_allclose (result, expected, 1e-4, 1e-6, FALSE, &is_close, NULL));
      g_assert_true (is_close);
    }
  gst_harness_teardown (near);
  gst_harness_teardown (far);
}

static void
test_inference (void)
{
  check_model ("pngdec !");
}

/* The model gets tensors of the CPU. */
static void
test_inference_tensors (void)
{
  check_model ("pngdec ! c2gconvert preset=digits !");
}

/* Fails to start on a device, with a message that has this text. */
static void
check_refused (const char *device,
               const char *expected)
{
  g_autofree char *model = digits ();
  GstElement *element = new_element ("c2ginference");
  g_autoptr (GstBus) bus = gst_element_get_bus (element);

  g_object_set (element, "model", model, "preset", "digits", "device", device, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  wait_for_error (bus, expected);
  free_element (element);
}

static void
test_inference_refused (void)
{
  g_autofree char *beyond = g_strdup_printf ("cuda:%d", c2g_device_count (C2G_DEVICE_TYPE_CUDA));

  check_refused (beyond, beyond);
  check_refused ("cuda:4294967296", "too large");
  check_refused ("cuda:first", "not a number");
  check_refused ("gpu", "“gpu”");
}

/* A run that fails on the device ends the stream with an error. After a new start, the element runs again. */
static void
test_inference_fault (void)
{
  GstHarness *harness = new_model_on ("pngdec !", "cuda:0");
  g_autoptr (C2gTensor) tensor = NULL;
  GstBus *bus;

  if (needs_fake ())
    {
      bus = watch_element (harness->element);
      on_fake (fake_cuda_fail, "cudaLaunchKernel", 1, cudaErrorLaunchOutOfResources, FALSE);
      g_assert_cmpint (gst_harness_push (harness, read_picture (7)), ==, GST_FLOW_ERROR);
      wait_for_error (bus, "cuda:0");
      on_fake (fake_cuda_clear_failures);
      gst_element_set_state (harness->element, GST_STATE_NULL);
      gst_harness_play (harness);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      tensor = score (harness, 7, first_device ());
      gst_element_set_bus (harness->element, NULL);
    }
  gst_harness_teardown (harness);
}

/* Where GStreamer finds no driver, tensors stay tensors, and nothing has changed. */
static void
test_no_driver (void)
{
  g_autoptr (C2gTensor) tensor = new_far (first_device (), 3, NULL);
  g_autoptr (GError) error = NULL;

  if (dlopen ("libcuda.so.1", RTLD_LAZY) != NULL)
    {
      g_test_skip ("There is a driver");
      return;
    }

  g_assert_null (c2g_gst_buffer_new_from_tensor (tensor, &error));
  assert_fails (&error, C2G_ERROR_DEVICE);
  g_assert_false (c2g_tensor_is_sealed (tensor));
  g_assert_null (c2g_gst_context_new_for_device (first_device (), &error));
  g_assert_true (g_error_matches (error, C2G_ERROR, C2G_ERROR_DEVICE) ||
                 g_error_matches (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED));
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_clean_func ("/gst/acceptance/u17-cuda-memory", test_through_elements);
  add_clean_func ("/gst/device/mux", test_mux);
  add_clean_func ("/gst/device/demux", test_demux);
  add_clean_func ("/gst/device/batch", test_batch);
  add_clean_func ("/gst/device/batch-devices", test_batch_devices);
  make_allocator = new_pinned;
  add_allocator_checks ("/gst/device/allocator", add_clean_func);
  add_clean_func ("/gst/device/pinned", test_pinned);
  add_clean_func ("/gst/device/pinned-upload", test_pinned_upload);
  add_clean_func ("/gst/device/pinned-download", test_pinned_download);
  add_clean_func ("/gst/device/pinned-map", test_pinned_map);
  add_clean_func ("/gst/device/far-refused", test_far_refused);
  add_clean_func ("/gst/device/inference", test_inference);
  add_clean_func ("/gst/device/inference-tensors", test_inference_tensors);
  add_clean_func ("/gst/device/inference-refused", test_inference_refused);
  add_clean_func ("/gst/device/inference-fault", test_inference_fault);
  add_clean_func ("/gst/device/no-driver", test_no_driver);
  status = run_on_device ();
  gst_deinit ();

  return status;
}
