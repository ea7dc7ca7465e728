/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

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

/* A run that fails on the device ends the stream with an error.  After a new start, the element runs again. */
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
  add_clean_func ("/gst/device/inference", test_inference);
  add_clean_func ("/gst/device/inference-tensors", test_inference_tensors);
  add_clean_func ("/gst/device/inference-refused", test_inference_refused);
  add_clean_func ("/gst/device/inference-fault", test_inference_fault);
  add_clean_func ("/gst/device/no-driver", test_no_driver);
  status = run_on_device ();
  gst_deinit ();

  return status;
}
