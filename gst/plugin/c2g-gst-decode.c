/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-decode.h"

#include "c2g-gst-classification.h"
#include "c2g-gst-labels.h"
#include "c2g-gst-properties.h"
#include "c2g-model.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC (c2g_decode_debug);
#define GST_CAT_DEFAULT c2g_decode_debug

/* c2gdecode says what tensors that are attached to buffers mean.
 *
 * It posts a message for each buffer with tensors.  Where text is wanted downstream, the buffers
 * become lines of text, and those without tensors are left out; otherwise they go on, and frames of
 * video have a region of interest more, which is all of the frame. */

typedef enum
{
  MODE_CLASSIFY,
} Mode;

struct _C2gDecode
{
  GstBaseTransform   parent_instance;

  /* Properties, under the object's lock. */
  Mode               mode;
  char              *labels_file;
  char              *tensor;

  /* Used by the streaming thread.  Labels of the file win over those that models send. */
  char             **labels;
  GstEvent          *model_labels;
  gboolean           has_warned;
  gboolean           is_video;
  GstVideoInfo       info;
};

#define NAME      "c2g-classification"
#define TEXT_CAPS "text/x-raw, format=utf8"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
                                                                    GST_PAD_ALWAYS,
                                                                    GST_STATIC_CAPS_ANY);

G_DEFINE_FINAL_TYPE (C2gDecode, c2g_decode, GST_TYPE_BASE_TRANSFORM)

static GType
get_mode_type (void)
{
  static gsize type = 0;
  static const GEnumValue modes[] = {
    { MODE_CLASSIFY, "The class with the highest score", "classify" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("C2gDecodeMode", modes));

  return type;
}

#define OFFSET(field) G_STRUCT_OFFSET (C2gDecode, field)

static const C2gGstProperty properties[] = {
  { "mode", "What the tensors mean", OFFSET (mode), G_TYPE_ENUM, MODE_CLASSIFY, get_mode_type },
  { "labels", "File with the names of the classes, one a line; those of the model if unset",
    OFFSET (labels_file), G_TYPE_STRING },
  { "tensor", "Name of the tensor; the first of the buffer if unset", OFFSET (tensor), G_TYPE_STRING,
    .when = GST_PARAM_MUTABLE_PLAYING },
  { NULL },
};

static void
c2g_decode_get_property (GObject    *object,
                         guint       prop_id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  c2g_gst_properties_get (object, &properties[prop_id - 1], value);
}

static void
c2g_decode_set_property (GObject      *object,
                         guint         prop_id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  c2g_gst_properties_set (object, &properties[prop_id - 1], value);
}

static gboolean
c2g_decode_start (GstBaseTransform *transform)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GError) error = NULL;

  self->has_warned = FALSE;
  if (self->labels_file == NULL ||
      c2g_model_load_labels (NULL, self->labels_file, &self->labels, NULL, &error))
    return TRUE;

  GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
  return FALSE;
}

static gboolean
c2g_decode_stop (GstBaseTransform *transform)
{
  C2gDecode *self = C2G_DECODE (transform);

  g_clear_pointer (&self->labels, g_strfreev);
  gst_clear_event (&self->model_labels);

  return TRUE;
}

static gboolean
c2g_decode_sink_event (GstBaseTransform *transform,
                           GstEvent         *event)
{
  if (c2g_gst_labels_is_event (event))
    gst_event_replace (&C2G_DECODE (transform)->model_labels, event);

  return GST_BASE_TRANSFORM_CLASS (c2g_decode_parent_class)->sink_event (transform, event);
}

/* Every format can stay as it is or become text. */
static GstCaps *
c2g_decode_transform_caps (GstBaseTransform *transform,
                               GstPadDirection   direction,
                               GstCaps          *caps,
                               GstCaps          *filter)
{
  g_autoptr (GstCaps) text = gst_caps_from_string (TEXT_CAPS);
  GstCaps *others = gst_caps_copy (caps);
  GstCaps *all;

  if (direction == GST_PAD_SINK)
    others = gst_caps_merge (others, g_steal_pointer (&text));
  else if (gst_caps_can_intersect (caps, text))
    others = gst_caps_merge (others, gst_caps_new_any ());
  if (filter == NULL)
    return others;

  all = gst_caps_intersect_full (others, filter, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (others);
  return all;
}

static gboolean
c2g_decode_set_caps (GstBaseTransform *transform,
                         GstCaps          *input,
                         GstCaps          *output)
{
  C2gDecode *self = C2G_DECODE (transform);

  self->is_video = gst_structure_has_name (gst_caps_get_structure (input, 0), "video/x-raw") &&
                   gst_video_info_from_caps (&self->info, input);
  gst_base_transform_set_in_place (transform, gst_caps_is_equal (input, output));

  return TRUE;
}

/* In place: a writable buffer with the same memory. Otherwise: an empty buffer for the text. */
static GstFlowReturn
c2g_decode_prepare_output_buffer (GstBaseTransform  *transform,
                                      GstBuffer         *input,
                                      GstBuffer        **output)
{
  if (gst_base_transform_is_in_place (transform))
    *output = gst_buffer_is_writable (input) ? input : gst_buffer_copy (input);
  else
    {
      *output = gst_buffer_new ();
      gst_buffer_copy_into (*output, input, GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_FLAGS, 0, -1);
    }

  return GST_FLOW_OK;
}

/* The name that the property gives, or that of the first tensor; NULL if there are no tensors. */
static char *
dup_name (C2gDecode *self,
          GstBuffer *buffer)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  char *name = NULL;

  if (names[0] == NULL)
    return NULL;
  GST_OBJECT_LOCK (self);
  name = g_strdup (self->tensor);
  GST_OBJECT_UNLOCK (self);

  return name != NULL ? name : g_strdup (names[0]);
}

static GstStructure *
describe (const C2gGstClassification *found)
{
  GstStructure *structure = gst_structure_new (NAME, "index", G_TYPE_UINT, found->index,
                                               "score", G_TYPE_DOUBLE, found->score, NULL);

  if (found->label != NULL)
    gst_structure_set (structure, "label", G_TYPE_STRING, found->label, NULL);

  return structure;
}

static void
post (C2gDecode               *self,
      GstBuffer                  *buffer,
      const C2gGstClassification *found)
{
  GstStructure *structure = describe (found);
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstClockTime time = GST_BUFFER_PTS (buffer);

  gst_structure_set (structure, "timestamp", G_TYPE_UINT64, time,
                     "running-time", G_TYPE_UINT64,
                     gst_segment_to_running_time (segment, GST_FORMAT_TIME, time), NULL);
  gst_element_post_message (GST_ELEMENT (self),
                            gst_message_new_element (GST_OBJECT (self), structure));
}

static const char *const *
get_labels (C2gDecode  *self,
            const char *tensor)
{
  return self->labels != NULL ? (const char *const *) self->labels
                              : c2g_gst_labels_find (self->model_labels, tensor);
}

/* A model that finds nothing may do so for many frames: the first one counts. */
static void
warn (C2gDecode  *self,
      const char *tensor)
{
  if (!self->has_warned)
    GST_ELEMENT_WARNING (self, STREAM, DECODE,
                         (_("No class is found: the tensor “%s” has no finite scores"), tensor),
                         (NULL));
  self->has_warned = TRUE;
}

/* Finds and posts the class of a buffer. FALSE without an error if it has none. */
static gboolean
classify (C2gDecode             *self,
          GstBuffer             *buffer,
          C2gGstClassification  *found,
          GError               **error)
{
  g_autofree char *name = dup_name (self, buffer);
  g_autoptr (C2gTensor) tensor = NULL;
  GError *local_error = NULL;

  if (name == NULL)
    return FALSE;
  tensor = c2g_gst_buffer_get_tensor (buffer, name, error);
  if (tensor == NULL)
    return FALSE;

  if (c2g_gst_classification_find (found, tensor, get_labels (self, name), &local_error))
    {
      post (self, buffer, found);
      return TRUE;
    }
  if (local_error == NULL)
    warn (self, name);
  else
    g_propagate_error (error, local_error);

  return FALSE;
}

static GstFlowReturn
finish (C2gDecode  *self,
        GError        *error,
        GstFlowReturn  result)
{
  if (error == NULL)
    return result;

  GST_ELEMENT_ERROR (self, STREAM, DECODE, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

/* The type of the region is constant: GStreamer interns it, and labels would stay in memory forever. */
static void
add_region (C2gDecode               *self,
            GstBuffer                  *buffer,
            const C2gGstClassification *found)
{
  GstVideoRegionOfInterestMeta *region =
    gst_buffer_add_video_region_of_interest_meta (buffer, NAME, 0, 0,
                                                  GST_VIDEO_INFO_WIDTH (&self->info),
                                                  GST_VIDEO_INFO_HEIGHT (&self->info));

  gst_video_region_of_interest_meta_add_param (region, describe (found));
}

static GstFlowReturn
c2g_decode_transform_ip (GstBaseTransform *transform,
                             GstBuffer        *buffer)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GError) error = NULL;
  C2gGstClassification found;

  if (classify (self, buffer, &found, &error) && self->is_video)
    add_region (self, buffer, &found);

  return finish (self, error, GST_FLOW_OK);
}

static GstFlowReturn
c2g_decode_transform (GstBaseTransform *transform,
                          GstBuffer        *input,
                          GstBuffer        *output)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GError) error = NULL;
  C2gGstClassification found;
  char *text;

  if (!classify (self, input, &found, &error))
    return finish (self, error, GST_BASE_TRANSFORM_FLOW_DROPPED);

  text = c2g_gst_classification_to_string (&found);
  gst_buffer_append_memory (output, gst_memory_new_wrapped (0, text, strlen (text), 0, strlen (text),
                                                            text, g_free));
  return GST_FLOW_OK;
}

static void
c2g_decode_finalize (GObject *object)
{
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_decode_parent_class)->finalize (object);
}

static void
c2g_decode_class_init (C2gDecodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_decode_debug, "c2gdecode", 0, "meaning of tensors");

  object_class->get_property = c2g_decode_get_property;
  object_class->set_property = c2g_decode_set_property;
  object_class->finalize = c2g_decode_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor decoder", "Filter/Analyzer",
                                         "Says what tensors that are attached to buffers mean",
                                         "The c2g authors");
  gst_type_mark_as_plugin_api (get_mode_type (), 0);

  transform_class->start = c2g_decode_start;
  transform_class->stop = c2g_decode_stop;
  transform_class->sink_event = c2g_decode_sink_event;
  transform_class->transform_caps = c2g_decode_transform_caps;
  transform_class->set_caps = c2g_decode_set_caps;
  transform_class->prepare_output_buffer = c2g_decode_prepare_output_buffer;
  transform_class->transform_ip = c2g_decode_transform_ip;
  transform_class->transform = c2g_decode_transform;
}

static void
c2g_decode_init (C2gDecode *self)
{
  c2g_gst_properties_init (self, properties);
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
}
