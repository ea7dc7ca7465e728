/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Runs a model on pictures as a video, and prints where its output is largest: video [MODEL PRESET PICTURES] */
#include <c2g-gst/c2g-gst.h>
#include <gst/app/gstappsink.h>

static void
show (GstSample *sample)
{
  g_auto (GStrv) names = c2g_gst_sample_list_tensors (sample);
  g_autoptr (C2gTensor) output = c2g_gst_sample_get_tensor (sample, names[0], NULL);
  gint64 best = 0;
  for (gint64 i = 1; i < c2g_tensor_get_n_elements (output); i++)
    if (c2g_tensor_get_value (output, i, NULL) > c2g_tensor_get_value (output, best, NULL))
      best = i;
  g_print ("%s: %.3f at %d\n", names[0], c2g_tensor_get_value (output, best, NULL), (int) best);
}

int
main (int argc, char **argv)
{
  char *digits[] = { "", "examples/models/digits", "digits", "examples/models/digits/pictures/%d.png" }, **args = argc > 3 ? argv : digits;
  g_autofree char *line = g_strdup_printf (
    "multifilesrc location=%s caps=image/png,framerate=1/1 ! pngdec ! c2ginference model=%s preset=%s ! c2gsink name=sink sync=false", args[3], args[1], args[2]);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_init_check (NULL, NULL, &error) ? gst_parse_launch (line, &error) : NULL;
  g_autoptr (GstElement) sink = error == NULL ? gst_bin_get_by_name (GST_BIN (pipeline), "sink") : NULL;
  if (sink != NULL && gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
    for (GstSample *sample; (sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL; gst_sample_unref (sample))
      show (sample);
  if (sink != NULL && (message = gst_bus_pop_filtered (GST_ELEMENT_BUS (pipeline), GST_MESSAGE_ERROR)) != NULL)
    gst_message_parse_error (message, &error, NULL);
  if (sink != NULL)
    gst_element_set_state (pipeline, GST_STATE_NULL);
  return error == NULL ? 0 : (g_printerr ("video: %s\n", error->message), 1);
}
