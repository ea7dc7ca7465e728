/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "gst-utils.h"

#include <glib/gstdio.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* Not every GStreamer has this for GstHarness itself. */
typedef GstHarness Harness;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Harness, gst_harness_teardown)

/* Elements with models: that of examples, which knows digits, and small ones. */

#define DIGITS_LINE "c2ginference name=inference preset=digits model=%s"
#define GRAY_CAPS   "video/x-raw, format=GRAY8, width=32, height=32, framerate=30/1"

static const char *const digit_names[] G_GNUC_UNUSED = {
  "zero", "one", "two", "three", "four",
  "five", "six", "seven", "eight", "nine"
};

static inline char *
digits (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", "examples", "models", "digits", NULL);
}

static inline GstBuffer *
read_picture (int digit)
{
  g_autofree char *model = digits ();
  g_autofree char *path = g_strdup_printf ("%s/pictures/%d.png", model, digit);
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  char *data;
  gsize n;

  g_assert_true (g_file_get_contents (path, &data, &n, &error));
  g_assert_no_error (error);
  buffer = gst_buffer_new_wrapped (data, n);
  GST_BUFFER_PTS (buffer) = digit * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

/* Elements before and behind the model. */
static inline GstHarness *
new_harness (const char *before,
             const char *behind)
{
  g_autofree char *model = digits ();
  g_autofree char *line = g_strdup_printf ("%s " DIGITS_LINE " %s", before, model, behind);

  return gst_harness_new_parse (line);
}

/* The model alone, and frames of gray. */
static inline GstHarness *
new_gray_harness (void)
{
  GstHarness *harness = new_harness ("", "");

  gst_harness_set_src_caps_str (harness, GRAY_CAPS);
  return harness;
}

static inline GstBuffer *
new_gray (GstClockTime time)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 32 * 32, NULL);

  gst_buffer_memset (buffer, 0, 0, 32 * 32);
  GST_BUFFER_PTS (buffer) = time;

  return buffer;
}

/* Asserts what c2gdecode found in a frame of 32 pixels. */
static inline void
assert_region (GstBuffer  *buffer,
               const char *expected)
{
  GstVideoRegionOfInterestMeta *region = gst_buffer_get_video_region_of_interest_meta (buffer);
  GstStructure *found = gst_video_region_of_interest_meta_get_param (region, "c2g-classification");
  double score;

  g_assert_cmpuint (region->w, ==, 32);
  g_assert_cmpstr (gst_structure_get_string (found, "label"), ==, expected);
  g_assert_true (gst_structure_get_double (found, "score", &score));
  g_assert_cmpfloat (score, >, 0.5);
}

/* Gives an element a new bus, which it holds. */
static inline GstBus *
watch_element (GstElement *element)
{
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (element, bus);

  return bus;
}

/* Waits for the error that an element posts. */
static inline void
wait_for_error (GstBus     *bus,
                const char *expected)
{
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  gst_message_parse_error (message, &error, NULL);
  if (strstr (error->message, expected) == NULL)
    g_error ("“%s” does not say “%s”", error->message, expected);
}

/* The message of the first error on the bus; NULL if there is none. */
static inline char *
pop_error (GstElement *element)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (element);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL)
    return NULL;
  gst_message_parse_error (message, &error, NULL);

  return g_strdup (error->message);
}

/* Counts the messages of a type on the bus. All of them must fit the pattern, and leave the bus. */
static inline guint
count_messages (GstBus         *bus,
                GstMessageType  type,
                const char     *pattern)
{
  GstMessage *message;
  guint n = 0;

  for (; (message = gst_bus_pop_filtered (bus, type)) != NULL; n++)
    {
      g_autoptr (GError) error = NULL;

      gst_structure_get (gst_message_get_structure (message), "gerror", G_TYPE_ERROR, &error, NULL);
      if (!g_pattern_match_simple (pattern, error->message))
        g_error ("“%s” does not fit “%s”", error->message, pattern);
      gst_message_unref (message);
    }

  return n;
}

/* Frees a harness whose element has a bus of its own, without an error on it. */
static inline void
free_harness (GstHarness *harness)
{
  g_autofree char *message = pop_error (harness->element);

  g_assert_cmpstr (message, ==, NULL);
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

/* Pushes a frame, which is taken, and returns its tensor. */
static inline C2gTensor *
push_for_tensor (GstHarness *harness,
                 GstBuffer  *frame)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = gst_harness_push_and_pull (harness, frame);
  C2gTensor *tensor;

  g_assert_nonnull (buffer);
  tensor = c2g_gst_buffer_get_tensor (buffer, "tensor", &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor) || c2g_tensor_get_n_elements (tensor) == 0);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, c2g_tensor_get_n_bytes (tensor));
  gst_buffer_unref (buffer);

  return tensor;
}

/* The next workspace of a c2gsink. */
static inline C2gWorkspace *
pull_tensors (GstElement *sink)
{
  C2gWorkspace *workspace = NULL;

  g_signal_emit_by_name (sink, "try-pull-tensors", (guint64) 5 * GST_SECOND, &workspace);

  return workspace;
}

/* An element of a sealed tensor in a workspace. */
static inline double
sealed_value_of (C2gWorkspace *workspace,
                 const char   *name,
                 gint64        i)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, &error);
  double value;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_sealed (tensor));
  value = c2g_tensor_get_value (tensor, i, &error);
  g_assert_no_error (error);

  return value;
}

static inline void
assert_caps_are (GstHarness *harness,
                 const char *expected)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->sinkpad);
  g_autoptr (GstCaps) wanted = gst_caps_from_string (expected);
  g_autofree char *text = gst_caps_to_string (caps);

  if (!gst_caps_is_equal (caps, wanted))
    g_assert_cmpstr (text, ==, expected);
}

static inline GstElement *
new_element (const char *factory)
{
  GstElement *element = gst_object_ref_sink (gst_element_factory_make (factory, NULL));

  watch_element (element);

  return element;
}

/* Messages on its bus hold the element. */
static inline void
free_element (GstElement *element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

/* Writes the two nets of a model into a new folder. */
static inline char *
make_model (const char *init_net,
            const char *predict_net)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("c2g-XXXXXX", &error);
  g_autofree char *init = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict = g_build_filename (folder, "predict_net.pbtxt", NULL);

  g_assert_true (g_file_set_contents (init, init_net, -1, &error));
  g_assert_true (g_file_set_contents (predict, predict_net, -1, &error));
  g_assert_no_error (error);

  return folder;
}

/* A model of one layer for gray frames of 8×8, which does not say how it wants pictures. */
static inline char *
make_silent_model (void)
{
  return make_model ("name: 'init' op { type: 'ConstantFill' output: 'w' arg { name: 'shape' ints: 1 ints: 64 } } "
                     "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } }",
                     "name: 'silent' external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y' "
                     "op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }");
}

static inline void
remove_model (char *folder)
{
  g_autofree char *init = g_build_filename (folder, "init_net.pbtxt", NULL);
  g_autofree char *predict = g_build_filename (folder, "predict_net.pbtxt", NULL);

  g_assert_cmpint (g_remove (init) | g_remove (predict) | g_rmdir (folder), ==, 0);
  g_free (folder);
}
