/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Runs a model on pictures as a video, and prints where its output is largest: video [MODEL [PRESET PICTURES]];
 * without MODEL in the folder of the sources. */
#include <c2g-gst/c2g-gst.h>
#include <gst/app/gstappsink.h>

int
main (int argc, char **argv)
{
  const char *model = argc > 1 ? argv[1] : "examples/models/digits";
  g_autofree char *pictures = argc > 3 ? g_strdup (argv[3]) : g_build_filename (model, "pictures", "%d.png", NULL);
  g_autofree char *line = g_strdup_printf ("multifilesrc location=\"%s\" caps=image/png,framerate=1/1 ! pngdec "
                                           "! c2ginference model=\"%s\" preset=%s ! c2gsink name=sink sync=false",
                                           pictures, model, argc > 3 ? argv[2] : "digits");
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_init_check (NULL, NULL, &error) ? gst_parse_launch (line, &error) : NULL;
  g_autoptr (GstElement) sink = error == NULL ? gst_bin_get_by_name (GST_BIN (pipeline), "sink") : NULL;
  gboolean is_playing = sink != NULL && gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
  for (GstSample *sample; is_playing && error == NULL && (sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL;
       gst_sample_unref (sample))
    {
      g_auto (GStrv) names = c2g_gst_sample_list_tensors (sample);
      g_autoptr (C2gTensor) output = c2g_gst_sample_get_tensor (sample, names[0] != NULL ? names[0] : "output", &error);
      gint64 best = 0, n = output != NULL ? c2g_tensor_get_n_elements (output) : 0;
      for (gint64 i = 1; i < n; i++)
        best = c2g_tensor_get_value (output, i, NULL) > c2g_tensor_get_value (output, best, NULL) ? i : best;
      if (n > 0)
        g_print ("%s: %.3f at %d\n", names[0], c2g_tensor_get_value (output, best, NULL), (int) best);
    }
  g_autoptr (GstMessage) message = sink != NULL ? gst_bus_pop_filtered (GST_ELEMENT_BUS (pipeline), GST_MESSAGE_ERROR) : NULL;
  if (message != NULL && error == NULL)
    gst_message_parse_error (message, &error, NULL);
  if (sink != NULL)
    gst_element_set_state (pipeline, GST_STATE_NULL);
  if (error != NULL)
    g_printerr ("video: %s\n", error->message);
  return error != NULL;
}
