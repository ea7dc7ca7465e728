/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <math.h>

/* c2gdecode with classes and their labels. */

static const char *
get_label (GstBus *bus)
{
  static char label[32];
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  const char *text = gst_structure_get_string (gst_message_get_structure (message), "label");

  g_strlcpy (label, text != NULL ? text : "none", sizeof label);

  return label;
}

/* A file with the names of ten classes, all of which begin with text. */
static char *
write_labels (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) lines = g_string_new (NULL);
  char *path;
  int fd = g_file_open_tmp ("c2g-labels-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  for (int i = 0; i < 10; i++)
    g_string_append_printf (lines, "%s%d\n", text, i);
  g_assert_true (g_file_set_contents (path, lines->str, -1, &error));

  return path;
}

/* Behind several models, each tensor has the labels of its own model. */
static void
test_labels_of_models (void)
{
  const struct
  {
    const char *tensor;
    const char *label;
  } decoders[] = { { "softmax", "zero" }, { "second/softmax", "other-0" }, { "third/softmax", "zero" } };
  g_autofree char *labels = write_labels ("other-");
  g_autofree char *model = digits ();

  for (gsize i = 0; i < G_N_ELEMENTS (decoders); i++)
    {
      g_autofree char *behind =
        g_strdup_printf ("! c2ginference preset=digits model=%s prefix=second/ labels=%s "
                         "! c2ginference preset=digits model=%s prefix=third/ "
                         "! c2gdecode tensor=%s",
                         model, labels, model, decoders[i].tensor);
      GstHarness *harness = new_harness ("pngdec !", behind);
      GstBus *bus;

      bus = watch_element (harness->element);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_buffer_unref (gst_harness_push_and_pull (harness, read_picture (0)));
      g_assert_cmpstr (get_label (bus), ==, decoders[i].label);
      gst_element_set_bus (harness->element, NULL);
      gst_harness_teardown (harness);
    }
  g_assert_cmpint (g_remove (labels), ==, 0);
}

/* A pipeline that starts again has them again. */
static void
test_labels_again (void)
{
  for (int i = 0; i < 2; i++)
    {
      GstHarness *harness = new_harness ("pngdec !", "! c2gdecode name=decode");
      GstBus *bus;

      bus = watch_element (harness->element);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_element_set_state (harness->element, GST_STATE_READY);
      gst_element_set_state (harness->element, GST_STATE_PLAYING);
      gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
      gst_buffer_unref (gst_harness_push_and_pull (harness, read_picture (3)));
      g_assert_cmpstr (get_label (bus), ==, "three");
      gst_element_set_bus (harness->element, NULL);
      gst_harness_teardown (harness);
    }
}

/* Text, the labels that the model sends, and messages. */
static void
test_text (void)
{
  GstHarness *harness = new_harness ("pngdec !", "! c2gdecode ! capsfilter caps=text/x-raw");

  gst_harness_set_src_caps_str (harness, "image/png, framerate=1/1");
  for (int digit = 0; digit < 10; digit++)
    {
      GstBuffer *line = gst_harness_push_and_pull (harness, read_picture (digit));
      g_autofree char *text = NULL;
      gsize n;

      gst_buffer_extract_dup (line, 0, -1, (gpointer *) &text, &n);
      g_assert_true (g_str_has_prefix (text, digit_names[digit]) && text[n - 1] == '\n');
      g_assert_cmpuint (GST_BUFFER_PTS (line), ==, digit * GST_SECOND);
      gst_buffer_unref (line);
    }
  gst_harness_teardown (harness);
}

/* A decoder alone, with scores of the test's own. */
static GstHarness *
new_decoder (const char *line,
             const char *caps)
{
  GstHarness *harness = gst_harness_new_parse (line);

  watch_element (harness->element);
  gst_harness_set_src_caps_str (harness, caps);

  return harness;
}

static void
free_decoder (GstHarness *harness)
{
  gst_element_set_bus (harness->element, NULL);
  gst_harness_teardown (harness);
}

static GstBuffer *
new_scores (float first,
            float second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = new_floats (2);
  GstBuffer *buffer = gst_buffer_new ();

  g_assert_true (c2g_tensor_set_value (tensor, 0, first, &error));
  g_assert_true (c2g_tensor_set_value (tensor, 1, second, &error));
  g_assert_true (c2g_gst_buffer_add_tensor (buffer, "scores", tensor, NULL, &error));
  g_assert_no_error (error);
  GST_BUFFER_PTS (buffer) = 5;

  return buffer;
}

/* Any media may have tensors; without labels there are numbers. */
static void
test_decode_message (void)
{
  GstHarness *harness = new_decoder ("c2gdecode mode=classify", "application/x-other");
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
  const GstStructure *structure;
  guint64 time;
  guint index;

  gst_buffer_unref (gst_harness_push_and_pull (harness, new_scores (-2, -1)));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  structure = gst_message_get_structure (message);
  g_assert_true (gst_structure_has_name (structure, "c2g-classification"));
  g_assert_true (gst_structure_get (structure, "index", G_TYPE_UINT, &index, "timestamp",
                                    G_TYPE_UINT64, &time, NULL));
  g_assert_cmpuint (index, ==, 1);
  g_assert_cmpuint (time, ==, 5);
  g_assert_false (gst_structure_has_field (structure, "label"));

  /* Buffers without tensors pass. */
  gst_buffer_unref (gst_harness_push_and_pull (harness, gst_buffer_new ()));
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT));
  free_decoder (harness);
}

static void
test_decode_text (void)
{
  GstHarness *harness = new_decoder ("c2gdecode ! capsfilter caps=text/x-raw", "application/x-other");
  g_autofree char *text = NULL;
  GstBuffer *line;
  gsize n;

  g_assert_cmpint (gst_harness_push (harness, gst_buffer_new ()), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  line = gst_harness_push_and_pull (harness, new_scores (0.25, NAN));
  gst_buffer_extract_dup (line, 0, -1, (gpointer *) &text, &n);
  g_assert_cmpmem (text, n, "0 25.0 %\n", 9);
  gst_buffer_unref (line);
  free_decoder (harness);
}

static const struct
{
  float first;
  float second;
  const char *text;
} strange[] = {
  { NAN, 0.5f, "1 50.0 %\n" },
  { 0.25f, NAN, "0 25.0 %\n" },
  { INFINITY, 0.5f, "1 50.0 %\n" },
  { -INFINITY, -2, "1 -200.0 %\n" },
  { NAN, NAN, NULL },
  { -INFINITY, NAN, NULL },
  { 0.5f, 0.25f, "0 50.0 %\n" },
};

/* Scores that are not finite are left out, and a stream goes on without any. */
static void
test_decode_not_finite (void)
{
  GstHarness *harness = new_decoder ("c2gdecode ! capsfilter caps=text/x-raw", "application/x-other");
  g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);

  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *text = NULL;
      GstBuffer *line;

      g_assert_cmpint (gst_harness_push (harness, new_scores (strange[i].first, strange[i].second)),
                       ==, GST_FLOW_OK);
      line = gst_harness_try_pull (harness);
      g_assert_true ((line != NULL) == (strange[i].text != NULL));
      if (line == NULL)
        continue;
      text = g_malloc0 (gst_buffer_get_size (line) + 1);
      gst_buffer_extract (line, 0, text, gst_buffer_get_size (line));
      g_assert_cmpstr (text, ==, strange[i].text);
      gst_buffer_unref (line);
    }

  /* One warning of them is enough, and one that classes have no names. */
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "*lass*"), ==, 2);
  g_assert_cmpuint (count_messages (bus, GST_MESSAGE_ERROR, "*"), ==, 0);
  free_decoder (harness);
}

/* Tells at the end of a stream that no buffer had a tensor, and of no other stream. */
static void
test_decode_nothing (void)
{
  for (guint i = 0; i < 3; i++)
    {
      GstHarness *harness = new_decoder ("c2gdecode", "application/x-other");
      g_autoptr (GstBus) bus = gst_element_get_bus (harness->element);
      g_autoptr (GstMessage) warning = NULL;

      /* The first stream has no buffers, the second one without tensors, the third one with and without. */
      if (i >= 1)
        g_assert_cmpint (gst_harness_push (harness, gst_buffer_new_allocate (NULL, 4, NULL)), ==, GST_FLOW_OK);
      g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
      if (i == 2)
        {
          g_assert_cmpint (gst_harness_push (harness, new_scores (0.5f, 0.25f)), ==, GST_FLOW_OK);
          g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "Classes are shown as numbers*"), ==, 1);
        }
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
      g_assert_true ((warning != NULL) == (i == 1));
      free_decoder (harness);
    }
}

static void
test_decode_errors (void)
{
  GstHarness *harness = new_decoder ("c2gdecode tensor=other", "application/x-other");
  g_autofree char *unknown = NULL;
  g_autofree char *labels = NULL;
  GstElement *element = new_element ("c2gdecode");

  g_assert_cmpint (gst_harness_push (harness, new_scores (1, 2)), ==, GST_FLOW_ERROR);
  unknown = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*other*", unknown));
  free_decoder (harness);

  g_object_set (element, "labels", "/nowhere/labels.txt", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  labels = pop_error (element);
  g_assert_true (g_pattern_match_simple ("*/nowhere*", labels));
  free_element (element);
}

/* Rows of a batch are no row of scores. */
static void
test_decode_batch (void)
{
  GstHarness *harness = new_decoder ("c2gdecode", "application/x-other");
  g_autoptr (C2gTensor) tensor = new_floats (6);
  g_autofree char *message = NULL;
  GstBuffer *buffer = gst_buffer_new ();

  g_assert_true (c2g_tensor_reshape (tensor, C2G_TEST_DIMS (2, 3), NULL));
  add_tensor (buffer, "scores", tensor);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  message = pop_error (harness->element);
  g_assert_nonnull (strstr (message, "rows=true"));
  free_decoder (harness);
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/decode/labels-of-models", test_labels_of_models);
  add_gst_func ("/gst/decode/labels-again", test_labels_again);
  add_gst_func ("/gst/decode/text-of-model", test_text);
  add_gst_func ("/gst/decode/message", test_decode_message);
  add_gst_func ("/gst/decode/text", test_decode_text);
  add_gst_func ("/gst/decode/not-finite", test_decode_not_finite);
  add_gst_func ("/gst/decode/nothing", test_decode_nothing);
  add_gst_func ("/gst/decode/errors", test_decode_errors);
  add_gst_func ("/gst/decode/batch", test_decode_batch);

  return run_gst_tests ();
}
