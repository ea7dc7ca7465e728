/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A trained model tells what is in a video: video [MODEL] */
#include <c2g-gst/c2g-gst.h>
#include <c2g/c2g.h>

#define LINE                                                                                       \
  "multifilesrc location=%s/pictures/%%d.png stop-index=9 caps=image/png,framerate=1/1 ! pngdec "  \
  "! c2ginference model=%s preset=digits ! c2gsink name=sink sync=false"

static gboolean
show (C2gWorkspace *workspace, GError **error)
{
  g_autoptr (C2gTensor) scores = c2g_workspace_get_tensor (workspace, "softmax", error);
  const float *data = scores != NULL ? c2g_tensor_data (scores, C2G_DATA_TYPE_FLOAT, error) : NULL;
  gint64 best = 0;

  if (data == NULL)
    return FALSE;
  for (gint64 i = 1; i < c2g_tensor_get_n_elements (scores); i++)
    if (data[i] > data[best])
      best = i;
  g_print ("%d %.1f %%\n", (int) best, 100 * data[best]);
  return TRUE;
}

/* Each workspace has the tensors of one frame: the outputs of the model, and the frame itself. */
static gboolean
show_all (GstElement *pipeline, GError **error)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  gboolean is_playing = gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;

  while (is_playing)
    {
      g_autoptr (C2gWorkspace) workspace = NULL;

      g_signal_emit_by_name (sink, "pull-tensors", &workspace);
      if (workspace == NULL)
        break;
      if (!show (workspace, error))
        return FALSE;
    }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  if (message != NULL)
    gst_message_parse_error (message, error, NULL);
  return message == NULL;
}

int
main (int argc, char **argv)
{
  const char *model = argc > 1 ? argv[1] : "examples/models/digits";
  g_autofree char *line = g_strdup_printf (LINE, model, model);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = NULL;

  gst_init (&argc, &argv);
  pipeline = gst_parse_launch (line, &error);
  if (error == NULL)
    show_all (pipeline, &error);
  if (pipeline != NULL)
    gst_element_set_state (pipeline, GST_STATE_NULL);
  if (error == NULL)
    return 0;
  g_printerr ("video: %s\n", error->message);
  return 1;
}
