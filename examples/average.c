/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* An element of GStreamer that holds a tensor across frames: their running average. */
#include <c2g-gst/c2g-gst.h>
#include <c2g/c2g.h>
#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

struct _Average
{
  GstBaseTransform parent_instance;
  GstVideoInfo info;
  C2gTensor *average;
};

G_DECLARE_FINAL_TYPE (Average, average, EXAMPLE, AVERAGE, GstBaseTransform)
G_DEFINE_FINAL_TYPE (Average, average, GST_TYPE_BASE_TRANSFORM)

static gboolean
average_set_caps (GstBaseTransform *transform, GstCaps *caps, GstCaps *output)
{
  return gst_video_info_from_caps (&EXAMPLE_AVERAGE (transform)->info, caps);
}

static gboolean
average_stop (GstBaseTransform *transform)
{
  g_clear_object (&EXAMPLE_AVERAGE (transform)->average);
  return TRUE;
}

/* Returns a copy, and releases the frame at once: nothing can be attached to a buffer while a tensor holds it. */
static C2gTensor *
read_values (Average *self, GstBuffer *buffer, GError **error)
{
  g_autoptr (C2gTensor) frame = c2g_gst_tensor_new_from_video_frame (buffer, &self->info, error);

  return frame != NULL ? c2g_tensor_convert (frame, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_NONE, error) : NULL;
}

/* The newest frame has a weight of a quarter. An attached tensor stays read-only, so the element attaches a copy and
 * keeps its own. */
static gboolean
update (Average *self, GstBuffer *buffer, GError **error)
{
  g_autoptr (C2gTensor) values = read_values (self, buffer, error);
  g_autoptr (C2gTensor) copy = NULL;

  if (values == NULL)
    return FALSE;
  if (self->average == NULL)
    self->average = g_steal_pointer (&values);
  else if (!c2g_tensor_axpby (self->average, 0.25, values, 0.75, error))
    return FALSE;
  copy = c2g_tensor_clone (self->average, NULL, error);
  return copy != NULL && c2g_gst_buffer_add_tensor (buffer, "average", copy, NULL, error);
}

/* Works in place, because tensors are attached to the buffer of the frame itself. */
static GstFlowReturn
average_transform_ip (GstBaseTransform *transform, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;

  if (update (EXAMPLE_AVERAGE (transform), buffer, &error))
    return GST_FLOW_OK;
  GST_ELEMENT_ERROR (transform, STREAM, FAILED, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

static void
average_class_init (AverageClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw, format=GRAY8");

  gst_element_class_add_pad_template (element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "Average", "Filter/Analyzer/Video", "Attaches a running average",
                                         "The c2g authors");
  GST_BASE_TRANSFORM_CLASS (klass)->set_caps = average_set_caps;
  GST_BASE_TRANSFORM_CLASS (klass)->stop = average_stop;
  GST_BASE_TRANSFORM_CLASS (klass)->transform_ip = average_transform_ip;
}

static void
average_init (Average *self)
{
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
}

static double
first_value (C2gWorkspace *workspace, const char *name)
{
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (workspace, name, NULL);

  return tensor != NULL ? c2g_tensor_get_value (tensor, 0, NULL) : -1;
}

int
main (int argc, char **argv)
{
  g_autoptr (GstElement) pipeline = NULL;
  g_autoptr (GstElement) sink = NULL;
  C2gWorkspace *workspace;

  gst_init (&argc, &argv);
  gst_element_register (NULL, "average", GST_RANK_NONE, average_get_type ());
  /* The video is white and black in turn. */
  pipeline = gst_parse_launch ("videotestsrc pattern=blink num-buffers=6 ! video/x-raw,width=8,height=8 ! average "
                               "! c2gsink name=sink sync=false",
                               NULL);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (g_signal_emit_by_name (sink, "pull-tensors", &workspace), workspace != NULL)
    {
      g_print ("frame %.1f, average %.1f\n", first_value (workspace, "frame"), first_value (workspace, "average"));
      g_object_unref (workspace);
    }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return 0;
}
