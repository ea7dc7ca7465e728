/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-convert.h"

#include "model/c2g-picture-options.h"
#include "support/c2g-gst-append.h"
#include "support/c2g-gst-picture.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-rate.h"
#include "support/c2g-gst-samples.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_convert_debug);
#define GST_CAT_DEFAULT c2g_convert_debug

/**
 * SECTION:element-c2gconvert
 * @title: c2gconvert
 *
 * c2gconvert converts video frames and audio samples to tensors.
 *
 * Its caps contain the size, the type and the order of the dimensions. If the properties do not
 * specify these, downstream elements choose. Each buffer has one tensor.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2gconvert size=224x224 ! queue ! c2ginference \
 * model=squeezenet preset=caffe2 ! c2gdecode ! text/x-raw ! fdsink
 * ]|
 */
struct _C2gConvert
{
  GstBaseTransform     parent_instance;

  /* Properties. */
  C2gPictureArguments  options;
  C2gDataType          type;
  char                *name;

  /* The options, completed by their preset and by the mean from a file; from start() to stop(). */
  C2gPictureArguments  arguments;
  C2gPictureForm       wanted;

  /* The possible tensors for video frames; from start() to stop(). Protected by the object's lock,
   * because caps queries come in any thread. */
  GstCaps             *shapes;

  /* Used in the streaming thread. TRUE once an error has said that there are no common caps: GStreamer
   * sends caps that were refused again. */
  gboolean             has_told;
  /* For the present caps. Either picture or samples is NULL. */
  C2gPictureForm       form;
  C2gGstPicture       *picture;
  C2gGstSamples       *samples;
  C2gDataType          output_type;
  /* Elements before their conversion to output_type. */
  C2gTensor           *scratch;
  /* A pool for the memory of tensors. */
  C2gAllocator        *pool;
};

#define AUDIO_CAPS  "audio/x-raw, format={ " GST_AUDIO_NE (F32) ", " GST_AUDIO_NE (S16) " }, layout=interleaved"

/* The formats that c2g converts itself come first, because a source that supports all formats
 * chooses the first one. */
#define VIDEO_CAPS                                         \
  GST_VIDEO_CAPS_MAKE ("{ RGB, BGRx, I420, NV12, GRAY8 }") \
  "; " GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)

static GstStaticPadTemplate sink_template =
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
                           GST_STATIC_CAPS (VIDEO_CAPS "; " AUDIO_CAPS));
static GstStaticPadTemplate src_template =
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (C2G_GST_CAPS_TENSORS));

G_DEFINE_FINAL_TYPE (C2gConvert, c2g_convert, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (c2gconvert, "c2gconvert", GST_RANK_NONE, C2G_TYPE_CONVERT)

/* Properties */

#define OFFSET(field) G_STRUCT_OFFSET (C2gConvert, field)

static const C2gGstProperty properties[] = {
  C2G_GST_PICTURE_PROPERTIES (C2gConvert, options),
  { "type", "Type of the elements; what is wanted downstream, or float, if undefined", OFFSET (type),
    G_TYPE_ENUM, C2G_DATA_TYPE_UNDEFINED, c2g_data_type_get_type },
  { "tensor", "Name of the tensor; “" C2G_GST_LONE_NAME "” if unset", OFFSET (name), G_TYPE_STRING },
  { NULL },
};

static const char *
get_name (C2gConvert *self)
{
  return self->name != NULL ? self->name : C2G_GST_LONE_NAME;
}

/* Shapes */

/* A preset says everything that it does not mention, too. */
static gboolean
has_channels (C2gConvert *self)
{
  return self->arguments.preset != NULL || self->arguments.channels != NULL;
}

static void
add_shapes (C2gConvert           *self,
            const C2gPictureForm *form,
            GstCaps              *caps)
{
  static const C2gDataType all[] = {
    C2G_DATA_TYPE_FLOAT,
    C2G_DATA_TYPE_UINT8,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_BFLOAT16,
    C2G_DATA_TYPE_DOUBLE,
    C2G_DATA_TYPE_INT8,
    C2G_DATA_TYPE_UNDEFINED,
  };
  const C2gDataType only[] = { self->type != C2G_DATA_TYPE_UNDEFINED ? self->type : form->data_type,
                               C2G_DATA_TYPE_UNDEFINED };
  const gboolean is_open = self->type == C2G_DATA_TYPE_UNDEFINED && !self->arguments.is_bytes;
  const gboolean has_range = self->arguments.preset != NULL || self->arguments.mean != NULL || self->arguments.scale != NULL;
  C2gGstShapeFlags flags = has_channels (self) ? C2G_GST_SHAPE_CHANNELS : 0;

  if (has_range && (is_open || only[0] != C2G_DATA_TYPE_UINT8))
    flags |= C2G_GST_SHAPE_RANGE;
  gst_caps_append (caps, c2g_gst_shape_new (form, is_open ? all : only, get_name (self), flags));
}

/* Returns the caps of all possible tensors; the channels and the order of the dimensions may be
 * unspecified. A mean or scale of several numbers fits as many channels only. */
static GstCaps *
list_shapes (C2gConvert *self)
{
  static const char *const all[] = { "RGB", "GRAY", "RGBA" };
  const gsize n_channels = has_channels (self) ? 1 : G_N_ELEMENTS (all);
  const gsize n_orders = self->arguments.order != NULL ? 1 : 2;
  GstCaps *caps = gst_caps_new_empty ();

  for (gsize order = 0; order < n_orders; order++)
    for (gsize i = 0; i < n_channels; i++)
      {
        C2gPictureArguments arguments = self->arguments;
        C2gPictureForm form;

        if (n_channels > 1)
          arguments.channels = (char *) all[i];
        if (!c2g_picture_form_parse (&form, &arguments, NULL))
          continue;
        form.is_nhwc = n_orders > 1 ? order == 1 : form.is_nhwc;
        add_shapes (self, &form, caps);
      }

  return caps;
}

/* States */

static void
forget_format (C2gConvert *self)
{
  g_clear_pointer (&self->picture, c2g_gst_picture_free);
  g_clear_pointer (&self->samples, c2g_gst_samples_free);
}

/* Takes ownership of SHAPES. */
static void
set_shapes (C2gConvert *self,
            GstCaps    *shapes)
{
  GST_OBJECT_LOCK (self);
  gst_caps_take (&self->shapes, shapes);
  GST_OBJECT_UNLOCK (self);
}

static gboolean
c2g_convert_stop (GstBaseTransform *transform)
{
  C2gConvert *self = C2G_CONVERT (transform);

  forget_format (self);
  g_clear_object (&self->scratch);
  g_clear_object (&self->pool);
  c2g_picture_arguments_clear (&self->arguments);
  self->arguments = (C2gPictureArguments) { NULL };
  self->has_told = FALSE;
  set_shapes (self, NULL);

  return TRUE;
}

static gboolean
c2g_convert_start (GstBaseTransform *transform)
{
  C2gConvert *self = C2G_CONVERT (transform);
  g_autoptr (C2gAllocator) upstream = c2g_allocator_get_default (c2g_device_cpu (), NULL);
  g_autoptr (GError) error = NULL;

  c2g_picture_arguments_add (&self->arguments, &self->options);
  if (!c2g_picture_arguments_read_mean (&self->arguments, &error) ||
      !c2g_picture_arguments_add_preset (&self->arguments, &error) ||
      !c2g_picture_form_parse (&self->wanted, &self->arguments, &error))
    {
      GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", error->message), (NULL));
      c2g_convert_stop (transform);
      return FALSE;
    }
  self->pool = c2g_pool_allocator_new (upstream);
  self->scratch = c2g_tensor_new ();
  set_shapes (self, list_shapes (self));

  return TRUE;
}

/* Negotiation */

static gboolean
has_media (GstCaps    *caps,
           const char *name)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    if (gst_structure_has_name (gst_caps_get_structure (caps, i), name))
      return TRUE;

  return FALSE;
}

/* Before start() only the pad templates are known. */
static GstCaps *
list_outputs (C2gConvert *self,
              GstCaps    *input)
{
  g_autoptr (GstCaps) shapes = NULL;
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  gst_caps_replace (&shapes, self->shapes);
  GST_OBJECT_UNLOCK (self);
  if (shapes == NULL)
    return gst_static_pad_template_get_caps (&src_template);
  caps = has_media (input, "video/x-raw") ? gst_caps_copy (shapes) : gst_caps_new_empty ();
  if (has_media (input, "audio/x-raw"))
    gst_caps_append (caps, gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS));

  return caps;
}

static GstCaps *
c2g_convert_transform_caps (GstBaseTransform *transform,
                            GstPadDirection   direction,
                            GstCaps          *caps,
                            GstCaps          *filter)
{
  GstCaps *others = direction == GST_PAD_SINK ? list_outputs (C2G_CONVERT (transform), caps)
                                              : gst_static_pad_template_get_caps (&sink_template);

  return c2g_gst_caps_filter (others, filter);
}

/* An unspecified size becomes the size of the frame. The framerate is copied. */
static GstCaps *
c2g_convert_fixate_caps (GstBaseTransform *transform,
                         GstPadDirection   direction,
                         GstCaps          *caps,
                         GstCaps          *others)
{
  const GstStructure *input = gst_caps_get_structure (caps, 0);
  int width = 1, height = 1;

  if (direction == GST_PAD_SRC)
    return gst_caps_fixate (others);
  gst_structure_get_int (input, "width", &width);
  gst_structure_get_int (input, "height", &height);

  return c2g_gst_rate_add_to (c2g_gst_rate_of (caps), c2g_gst_shape_fix (others, width, height));
}

static gboolean
set_video (C2gConvert          *self,
           const GstVideoInfo  *info,
           GstCaps             *output,
           GError             **error)
{
  g_auto (C2gPictureArguments) arguments = { NULL };
  g_auto (C2gPictureArguments) negotiated = { NULL };

  c2g_picture_arguments_add (&arguments, &self->arguments);
  self->output_type = c2g_gst_shape_parse (output, &negotiated);
  c2g_picture_arguments_add (&arguments, &negotiated);
  if (!c2g_picture_form_parse (&self->form, &arguments, error))
    return FALSE;
  self->form.data_type =
    self->output_type == C2G_DATA_TYPE_UINT8 ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_FLOAT;
  self->picture = c2g_gst_picture_new (&self->form, info, error);

  return self->picture != NULL;
}

static gboolean
c2g_convert_set_caps (GstBaseTransform *transform,
                      GstCaps          *input,
                      GstCaps          *output)
{
  C2gConvert *self = C2G_CONVERT (transform);
  g_autoptr (GError) error = NULL;
  GstVideoInfo video;
  GstAudioInfo audio;
  gboolean is_set = FALSE;

  GST_DEBUG_OBJECT (self, "Input: %" GST_PTR_FORMAT ", output: %" GST_PTR_FORMAT, input, output);
  forget_format (self);
  self->has_told = FALSE;
  if (has_media (input, "audio/x-raw") && gst_audio_info_from_caps (&audio, input))
    {
      self->samples = c2g_gst_samples_new (&self->wanted, &audio);
      self->output_type = self->type != C2G_DATA_TYPE_UNDEFINED ? self->type : C2G_DATA_TYPE_FLOAT;
      is_set = TRUE;
    }
  else if (has_media (input, "video/x-raw") && gst_video_info_from_caps (&video, input))
    is_set = set_video (self, &video, output, &error);
  if (error != NULL)
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));

  return is_set;
}

/* Says which tensors can be made, and which ones the next element takes, where these have nothing in common. */
static void
tell_mismatch (C2gConvert *self,
               GstCaps    *input)
{
  g_autoptr (GstCaps) wanted = gst_pad_peer_query_caps (GST_BASE_TRANSFORM_SRC_PAD (self), NULL);
  g_autoptr (GstCaps) offered = list_outputs (self, input);
  g_autofree char *offered_text = NULL;
  g_autofree char *wanted_text = NULL;

  if (self->has_told || gst_caps_can_intersect (offered, wanted))
    return;
  self->has_told = TRUE;
  offered_text = c2g_gst_caps_describe (offered, NULL);
  wanted_text = c2g_gst_caps_describe (wanted, NULL);
  GST_ELEMENT_ERROR (self, STREAM, FORMAT,
                     (_("The tensors can be %s, and the next element takes %s"), offered_text, wanted_text), (NULL));
}

static gboolean
c2g_convert_sink_event (GstBaseTransform *transform,
                        GstEvent         *event)
{
  const gboolean is_caps = GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
  g_autoptr (GstEvent) kept = gst_event_ref (event);
  GstCaps *caps;

  if (GST_BASE_TRANSFORM_CLASS (c2g_convert_parent_class)->sink_event (transform, event))
    return TRUE;

  /* A pad that flushes, as in a shutdown, takes no caps, and that is no error. */
  if (is_caps && !GST_PAD_IS_FLUSHING (GST_BASE_TRANSFORM_SRC_PAD (transform)))
    {
      gst_event_parse_caps (kept, &caps);
      tell_mismatch (C2G_CONVERT (transform), caps);
    }

  return FALSE;
}

/* Accepts frames with any strides, and does not keep them. */
static gboolean
c2g_convert_propose_allocation (GstBaseTransform *transform,
                                GstQuery         *decide,
                                GstQuery         *query)
{
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);

  return TRUE;
}

/* Buffers */

static GstFlowReturn
c2g_convert_prepare_output_buffer (GstBaseTransform  *transform,
                                   GstBuffer         *input,
                                   GstBuffer        **output)
{
  *output = c2g_gst_time_new_buffer (input);

  return GST_FLOW_OK;
}

/* Creates a tensor in pool memory. */
static C2gTensor *
new_tensor (C2gConvert  *self,
            GstBuffer   *input,
            GError     **error)
{
  const gsize item_size = c2g_data_type_get_item_size (self->output_type);
  g_autoptr (C2gStorage) storage = NULL;
  gint64 dims[C2G_PICTURE_N_DIMS];
  gsize n_dims = G_N_ELEMENTS (dims);
  gsize n = item_size;

  if (self->picture != NULL)
    c2g_picture_form_get_dims (&self->form, dims);
  else
    n_dims = c2g_gst_samples_get_dims (self->samples, input, dims);
  for (gsize i = 0; i < n_dims; i++)
    n *= dims[i];
  storage = c2g_allocator_allocate (self->pool, MAX (n, 1), NULL, error);

  return storage != NULL
           ? c2g_tensor_new_from_storage (self->output_type, dims, n_dims, storage, 0, error)
           : NULL;
}

static gboolean
fill_tensor (C2gConvert  *self,
             GstBuffer   *input,
             C2gTensor   *tensor,
             GError     **error)
{
  return self->picture != NULL ? c2g_gst_picture_convert (self->picture, input, tensor, error)
                               : c2g_gst_samples_convert (self->samples, input, tensor, error);
}

static gboolean
convert (C2gConvert  *self,
         GstBuffer   *input,
         GstBuffer   *output,
         GError     **error)
{
  const C2gDataType filled = self->picture != NULL ? self->form.data_type : C2G_DATA_TYPE_FLOAT;
  C2gGstGeometry *geometry =
    self->picture != NULL ? c2g_gst_picture_get_geometry (self->picture) : NULL;
  g_autoptr (C2gTensor) tensor = new_tensor (self, input, error);

  if (tensor == NULL)
    return FALSE;
  if (filled == self->output_type)
    {
      if (!fill_tensor (self, input, tensor, error))
        return FALSE;
    }
  else if (!fill_tensor (self, input, self->scratch, error) ||
           !c2g_tensor_convert_from (tensor, self->scratch, C2G_CONVERT_SATURATE, error))
    return FALSE;

  return c2g_gst_append_tensor (output, get_name (self), tensor, geometry, error);
}

static GstFlowReturn
c2g_convert_transform (GstBaseTransform *transform,
                       GstBuffer        *input,
                       GstBuffer        *output)
{
  g_autoptr (GError) error = NULL;

  if (convert (C2G_CONVERT (transform), input, output, &error))
    return GST_FLOW_OK;

  GST_ELEMENT_ERROR (transform, STREAM, FAILED, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

static void
c2g_convert_finalize (GObject *object)
{
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_convert_parent_class)->finalize (object);
}

static void
c2g_convert_class_init (C2gConvertClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_convert_debug, "c2gconvert", 0, "tensors of media");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_convert_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Tensor converter",
                                         "Filter/Converter/Video/Audio",
                                         "Makes tensors of frames of video and of samples of audio",
                                         "The c2g authors");

  transform_class->start = c2g_convert_start;
  transform_class->stop = c2g_convert_stop;
  transform_class->transform_caps = c2g_convert_transform_caps;
  transform_class->fixate_caps = c2g_convert_fixate_caps;
  transform_class->set_caps = c2g_convert_set_caps;
  transform_class->sink_event = c2g_convert_sink_event;
  transform_class->propose_allocation = c2g_convert_propose_allocation;
  transform_class->prepare_output_buffer = c2g_convert_prepare_output_buffer;
  transform_class->transform = c2g_convert_transform;
}

static void
c2g_convert_init (C2gConvert *self)
{
  c2g_gst_properties_init (self, properties);
}
