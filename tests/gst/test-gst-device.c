/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "gst-streams.h"
#include "tests/cuda/cuda-utils.h"

/* Tensors on a GPU in the elements for several streams.  Buffers have no bytes of them. */

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
  add_clean_func ("/gst/device/no-driver", test_no_driver);
  status = run_on_device ();
  gst_deinit ();

  return status;
}
