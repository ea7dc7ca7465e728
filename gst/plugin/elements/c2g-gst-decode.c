/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-decode.h"

#ifdef HAVE_ANALYTICS
# include "formats/c2g-gst-analytics.h"
#endif
#include "decode/c2g-gst-decoder.h"
#include "decode/c2g-gst-finding.h"
#include "decode/c2g-gst-view.h"
#include "decode/c2g-gst-yolo-grid.h"
#include "support/c2g-gst-copy.h"
#include "support/c2g-gst-labels.h"
#include "support/c2g-gst-model.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-time.h"

#include "c2g-names-private.h"

#include <c2g-gst/c2g-gst-frame-private.h>
#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>

GST_DEBUG_CATEGORY_STATIC (c2g_decode_debug);
#define GST_CAT_DEFAULT c2g_decode_debug

/**
 * SECTION:element-c2gdecode
 * @title: c2gdecode
 *
 * c2gdecode interprets tensors that are attached to buffers, according to its mode.
 *
 * Modes that find something post a message for each finding. If downstream accepts text, each
 * buffer becomes lines of text, and buffers without findings are dropped. Otherwise the buffers are
 * passed on. Video frames then get a region of interest for each finding and, if c2g was built with
 * GStreamer's analytics, an object or a class there.
 *
 * Modes that paint make a new frame of the same size, and drop frames without tensors.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2ginference model=squeezenet preset=caffe2 ! c2gdecode ! \
 * text/x-raw ! fdsink
 * ]|
 */

typedef struct
{
  /* The kind of findings; NULL if the mode paints. */
  const char  *kind;
  gboolean     has_places;
  C2gGstFind   find;
  /* The caps of painted frames. */
  const char  *caps;
  C2gGstPaint  paint;
} Mode;

enum
{
  MODE_CLASSIFY,
  MODE_SSD,
  MODE_YOLO,
  MODE_SEGMENT,
  MODE_PICTURE,
};

static const GEnumValue mode_names[] = {
  { MODE_CLASSIFY, "The class with the highest score", "classify" },
  { MODE_SSD, "Boxes as parts of the picture, as SSD has them", "ssd" },
  { MODE_YOLO, "Boxes in pixels of the picture, as YOLO has them", "yolo" },
  { MODE_SEGMENT, "The class of each pixel", "segment" },
  { MODE_PICTURE, "A picture", "picture" },
  { 0, NULL, NULL },
};

static const Mode modes[] = {
  [MODE_CLASSIFY] = { C2G_GST_KIND_CLASS, FALSE, c2g_gst_classify },
  [MODE_SSD] = { C2G_GST_KIND_BOX, TRUE, c2g_gst_ssd_find },
  [MODE_YOLO] = { C2G_GST_KIND_BOX, TRUE, c2g_gst_yolo_find },
  [MODE_SEGMENT] = { .caps = GST_VIDEO_CAPS_MAKE ("{ RGB, GRAY8 }"), .paint = c2g_gst_segment_paint },
  [MODE_PICTURE] = { .caps = GST_VIDEO_CAPS_MAKE ("RGB"), .paint = c2g_gst_picture_paint },
};

struct _C2gDecode
{
  GstBaseTransform     parent_instance;

  /* Properties, protected by the object's lock. */
  guint                mode;
  char                *labels_file;
  char                *tensor;
  char                *scores;
  double               threshold;
  double               overlap;
  guint                max_boxes;
  gboolean             is_relative;
  char                *anchors_text;
  C2gPictureArguments  picture;

  /* Used in the streaming thread. Labels from the property's file take precedence over those sent
   * by the model. */
  C2gPictureForm       form;
  GArray              *anchors;
  char               **labels;
  GstEvent            *model_labels;
  gboolean             has_warned;
  gboolean             has_checked_labels;
  /* TRUE until a buffer has tensors, or a warning has told that none has; and how many had none till then. */
  gboolean             may_have_none;
  guint                n_without;
  gboolean             is_video;
  GstVideoInfo         info;
  GstVideoInfo         output_info;
  C2gTensor           *scratch;
};

/* A stream without an end is told of after so many buffers that none of them had tensors. A model may leave out the first ones. */
#define MAX_WITHOUT 100

#define TEXT_CAPS "text/x-raw, format=utf8"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
                                                                    GST_PAD_ALWAYS,
                                                                    GST_STATIC_CAPS_ANY);

G_DEFINE_FINAL_TYPE (C2gDecode, c2g_decode, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (c2gdecode, "c2gdecode", GST_RANK_NONE, C2G_TYPE_DECODE)

static GType
get_mode_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("C2gDecodeMode", mode_names));

  return type;
}

#define OFFSET(field) G_STRUCT_OFFSET (C2gDecode, field)

static const C2gGstProperty properties[] = {
  { "mode", "Meaning of the tensors", OFFSET (mode), G_TYPE_ENUM, MODE_CLASSIFY, get_mode_type },
  { "labels", "File with the names of the classes, one a line; those of the model if unset",
    OFFSET (labels_file), G_TYPE_STRING },
  { "tensor", "Name of the tensor, or names of grids with commas; the first of the buffer, or all, if unset",
    OFFSET (tensor), G_TYPE_STRING, .when = GST_PARAM_MUTABLE_PLAYING },
  { "scores", "Name of the tensor of scores, where they are apart from boxes", OFFSET (scores),
    G_TYPE_STRING, .when = GST_PARAM_MUTABLE_PLAYING },
  { "threshold", "Boxes with a score of no more than this are left out", OFFSET (threshold),
    G_TYPE_DOUBLE, 25, .when = GST_PARAM_MUTABLE_PLAYING },
  { "overlap", "Only the best of boxes of a class stays, if they have more of their area in common",
    OFFSET (overlap), G_TYPE_DOUBLE, 45, .when = GST_PARAM_MUTABLE_PLAYING },
  { "max-boxes", "Most boxes of a frame; 0 for all", OFFSET (max_boxes), G_TYPE_UINT, 100,
    .when = GST_PARAM_MUTABLE_PLAYING },
  { "relative", "Boxes of YOLO are parts of the picture, not pixels", OFFSET (is_relative),
    G_TYPE_BOOLEAN },
  { "anchors", "Sizes of boxes in the grids of YOLO v3, as 10x13,16x30, as many for each tensor",
    OFFSET (anchors_text), G_TYPE_STRING },
  { "size", "Pixels of the model's pictures, as 300x300; what the tensor's geometry says if unset",
    OFFSET (picture.size), G_TYPE_STRING },
  { "preset", "Meaning of the values of a picture, one of the presets of `c2g run`",
    OFFSET (picture.preset), G_TYPE_STRING },
  { "mean", "Number that was subtracted from pixels of 0 to 255, or one for each channel",
    OFFSET (picture.mean), G_TYPE_STRING },
  { "scale", "Number by which they were multiplied then, such as 1/255", OFFSET (picture.scale), G_TYPE_STRING },
  { "channels", "Channels of a picture: RGB, BGR, GRAY, RGBA or BGRA", OFFSET (picture.channels),
    G_TYPE_STRING },
  { "order", "Order of its dimensions: NCHW or NHWC", OFFSET (picture.order), G_TYPE_STRING },
  { NULL },
};

static gboolean
c2g_decode_start (GstBaseTransform *transform)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GError) error = NULL;

  self->has_warned = self->has_checked_labels = FALSE;
  self->may_have_none = TRUE;
  self->n_without = 0;
  self->scratch = c2g_tensor_new ();
  self->anchors = c2g_gst_yolo_grid_parse_anchors (self->anchors_text, &error);
  if (self->anchors != NULL && c2g_picture_form_parse (&self->form, &self->picture, &error) &&
      (self->labels_file == NULL ||
       c2g_gst_model_load_labels (NULL, self->labels_file, &self->labels, NULL, &error)))
    return TRUE;

  g_clear_pointer (&self->anchors, g_array_unref);
  g_clear_object (&self->scratch);
  GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
  return FALSE;
}

static gboolean
c2g_decode_stop (GstBaseTransform *transform)
{
  C2gDecode *self = C2G_DECODE (transform);

  g_clear_pointer (&self->anchors, g_array_unref);
  g_clear_pointer (&self->labels, g_strfreev);
  gst_clear_event (&self->model_labels);
  g_clear_object (&self->scratch);

  return TRUE;
}

/* Warns once if no buffer had a tensor so far. */
static void
warn_of_none (C2gDecode *self)
{
  if (self->n_without == 0 || !self->may_have_none)
    return;
  self->may_have_none = FALSE;
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
                       (_("There are no tensors on the first %u buffers; c2ginference before c2gdecode attaches them"),
                        self->n_without),
                       (NULL));
}

static gboolean
c2g_decode_sink_event (GstBaseTransform *transform,
                       GstEvent         *event)
{
  C2gDecode *self = C2G_DECODE (transform);

  if (c2g_gst_labels_is_event (event))
    gst_event_replace (&self->model_labels, event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    warn_of_none (self);

  return GST_BASE_TRANSFORM_CLASS (c2g_decode_parent_class)->sink_event (transform, event);
}

/* A mode that finds passes on every format, or makes text. */
static GstCaps *
transform_found (GstPadDirection  direction,
                 GstCaps         *caps)
{
  g_autoptr (GstCaps) text = gst_caps_from_string (TEXT_CAPS);
  GstCaps *others = gst_caps_copy (caps);

  if (direction == GST_PAD_SINK)
    others = gst_caps_merge (others, g_steal_pointer (&text));
  else if (gst_caps_can_intersect (caps, text))
    others = gst_caps_merge (others, gst_caps_new_any ());

  return others;
}

/* A mode that paints makes frames of its own formats, with the same size and framerate. */
static GstCaps *
transform_painted (const Mode      *mode,
                   GstPadDirection  direction,
                   GstCaps         *caps)
{
  g_autoptr (GstCaps) painted =
    gst_caps_from_string (direction == GST_PAD_SINK ? mode->caps : GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL));
  const GValue *formats = gst_structure_get_value (gst_caps_get_structure (painted, 0), "format");
  g_autoptr (GstCaps) video = gst_caps_new_empty_simple ("video/x-raw");
  GstCaps *others = gst_caps_make_writable (gst_caps_intersect (caps, video));

  for (guint i = 0; i < gst_caps_get_size (others); i++)
    {
      GstStructure *structure = gst_caps_get_structure (others, i);

      gst_structure_set_value (structure, "format", formats);
      gst_structure_remove_fields (structure, "colorimetry", "chroma-site", "tensors", NULL);
    }

  return others;
}

static GstCaps *
c2g_decode_transform_caps (GstBaseTransform *transform,
                           GstPadDirection   direction,
                           GstCaps          *caps,
                           GstCaps          *filter)
{
  const Mode *mode = &modes[C2G_DECODE (transform)->mode];
  g_autoptr (GstCaps) others = mode->paint != NULL ? transform_painted (mode, direction, caps)
                                                   : transform_found (direction, caps);

  return filter != NULL ? gst_caps_intersect_full (others, filter, GST_CAPS_INTERSECT_FIRST)
                        : g_steal_pointer (&others);
}

static gboolean
c2g_decode_set_caps (GstBaseTransform *transform,
                     GstCaps          *input,
                     GstCaps          *output)
{
  C2gDecode *self = C2G_DECODE (transform);
  const gboolean paints = modes[self->mode].paint != NULL;

  GST_DEBUG_OBJECT (self, "Input: %" GST_PTR_FORMAT ", output: %" GST_PTR_FORMAT, input, output);
  self->is_video = gst_structure_has_name (gst_caps_get_structure (input, 0), "video/x-raw") &&
                   gst_video_info_from_caps (&self->info, input);
  gst_base_transform_set_in_place (transform, !paints && gst_caps_is_equal (input, output));

  return !paints || (self->is_video && gst_video_info_from_caps (&self->output_info, output));
}

/* Painted frames come from the pool of downstream, which may want other strides, or from one of
 * GStreamer's for video. */
static gboolean
c2g_decode_decide_allocation (GstBaseTransform *transform,
                              GstQuery         *query)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GstBufferPool) pool = NULL;
  guint size = 0, least = 0, most = 0;
  GstStructure *config;
  GstCaps *caps;

  if (modes[self->mode].paint != NULL)
    {
      const gboolean is_offered = gst_query_get_n_allocation_pools (query) > 0;

      if (is_offered)
        gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &least, &most);
      if (pool == NULL)
        pool = gst_video_buffer_pool_new ();
      size = MAX (size, GST_VIDEO_INFO_SIZE (&self->output_info));
      gst_query_parse_allocation (query, &caps, NULL);
      config = gst_buffer_pool_get_config (pool);
      gst_buffer_pool_config_set_params (config, caps, size, least, most);
      if (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL) &&
          gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_META))
        gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
      gst_buffer_pool_set_config (pool, config);
      GST_DEBUG_OBJECT (self, "Frames of %u bytes come from %" GST_PTR_FORMAT, size, pool);
      if (is_offered)
        gst_query_set_nth_allocation_pool (query, 0, pool, size, least, most);
      else
        gst_query_add_allocation_pool (query, pool, size, least, most);
    }

  return GST_BASE_TRANSFORM_CLASS (c2g_decode_parent_class)->decide_allocation (transform, query);
}

/* For painted frames, where no pool can be had. */
static gboolean
c2g_decode_transform_size (GstBaseTransform *transform,
                           GstPadDirection   direction,
                           GstCaps          *caps,
                           gsize             size,
                           GstCaps          *others,
                           gsize            *other_size)
{
  *other_size = GST_VIDEO_INFO_SIZE (&C2G_DECODE (transform)->output_info);

  return TRUE;
}

/* A painted frame keeps the metas that tell of its time. The others tell of other pixels. */
static gboolean
c2g_decode_transform_meta (GstBaseTransform *transform,
                           GstBuffer        *output,
                           GstMeta          *meta,
                           GstBuffer        *input)
{
  return c2g_gst_time_is_meta (meta);
}

/* In place: makes the buffer writable, with the same memory. Otherwise makes an empty buffer for
 * the text, or takes a frame of the pool. */
static GstFlowReturn
c2g_decode_prepare_output_buffer (GstBaseTransform  *transform,
                                  GstBuffer         *input,
                                  GstBuffer        **output)
{
  C2gDecode *self = C2G_DECODE (transform);

  if (gst_base_transform_is_in_place (transform))
    {
      *output = c2g_gst_copy_if_held (GST_ELEMENT (self), input);
      return *output != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
    }

  if (modes[self->mode].paint != NULL)
    return GST_BASE_TRANSFORM_CLASS (c2g_decode_parent_class)->prepare_output_buffer (transform, input, output);

  *output = c2g_gst_time_new_buffer (input);

  return GST_FLOW_OK;
}

/* Returns the names in the property, or the name of the first tensor. YOLO grids may have several
 * tensors, or use all. NULL if the buffer has no tensors. */
static char **
dup_names (C2gDecode *self,
           GstBuffer *buffer)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  const gboolean has_grids = self->anchors->len > 0;
  g_autofree char *wanted = NULL;

  if (names[0] == NULL)
    {
      if (++self->n_without == MAX_WITHOUT)
        warn_of_none (self);
      return NULL;
    }
  self->may_have_none = FALSE;
  GST_OBJECT_LOCK (self);
  wanted = g_strdup (self->tensor);
  GST_OBJECT_UNLOCK (self);
  if (has_grids)
    return wanted != NULL ? g_strsplit (wanted, ",", -1) : g_steal_pointer (&names);

  return g_strdupv ((char *[]) { wanted != NULL ? wanted : names[0], NULL });
}

static const char *const *
get_labels (C2gDecode  *self,
            const char *tensor)
{
  return self->labels != NULL ? (const char *const *) self->labels
                              : c2g_gst_labels_find (self->model_labels, tensor);
}

/* Returns the tensor as floats on the CPU, as decoders expect. */
static C2gTensor *
get_tensor (GstBuffer   *buffer,
            const char  *name,
            GError     **error)
{
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, error);
  g_autoptr (C2gTensor) near = NULL;
  C2gTensor *floats;

  if (tensor != NULL && c2g_tensor_get_device (tensor) != c2g_device_cpu ())
    near = c2g_tensor_to_device (tensor, c2g_device_cpu (), error);
  else
    near = g_steal_pointer (&tensor);
  if (near == NULL || c2g_tensor_get_data_type (near) == C2G_DATA_TYPE_FLOAT)
    return g_steal_pointer (&near);

  floats = c2g_tensor_convert (near, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_SATURATE, error);
  if (floats != NULL)
    g_object_set_data_full (G_OBJECT (floats), C2G_GST_VIEW_GIVEN, g_steal_pointer (&near), g_object_unref);

  return floats;
}

static void
clear_view (C2gGstView *view)
{
  g_clear_pointer (&view->tensors, g_ptr_array_unref);
  g_clear_object (&view->scores);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gGstView, clear_view)

static gboolean
get_tensors (C2gGstView   *view,
             GstBuffer    *buffer,
             char        **names,
             const char   *scores,
             GError      **error)
{
  view->tensors = g_ptr_array_new_with_free_func (g_object_unref);
  for (char **name = names; *name != NULL; name++)
    {
      C2gTensor *tensor = get_tensor (buffer, *name, error);

      if (tensor == NULL)
        return FALSE;
      g_ptr_array_add (view->tensors, tensor);
    }
  view->tensor = g_ptr_array_index (view->tensors, 0);
  if (scores != NULL)
    view->scores = get_tensor (buffer, scores, error);

  return scores == NULL || view->scores != NULL;
}

/* Warns only the first time, because the reason may be the same for many frames. */
G_GNUC_PRINTF (2, 3)
static void
warn (C2gDecode  *self,
      const char *format,
      ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  if (self->has_warned)
    return;
  self->has_warned = TRUE;
  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  GST_ELEMENT_WARNING (self, STREAM, DECODE, ("%s", text), (NULL));
}

static gboolean
check_size (C2gDecode        *self,
            GstBuffer        *buffer,
            const C2gGstView *view,
            const char       *tensor)
{
  C2gGstGeometry *geometry = c2g_gst_buffer_get_geometry (buffer, tensor);

  if (c2g_gst_view_fits (view, geometry))
    return TRUE;

  if (c2g_gst_geometry_get_width (geometry) == 0)
    warn (self, _("It is not known where the tensor “%s” lies in this frame: "
                  "c2gdecode must be before a videoscale that adds borders"),
          tensor);
  else
    warn (self, _("The tensor “%s” belongs to a frame of %u × %u pixels, but this frame has %d × %d: "
                  "c2gdecode must be before elements that crop, pad or rotate frames"),
          tensor, c2g_gst_geometry_get_width (geometry), c2g_gst_geometry_get_height (geometry),
          view->width, view->height);
  return FALSE;
}

/* Checks all tensors that are decoded, because they may come from several models. A class has no
 * place, so modes without places decode frames of any size. */
static gboolean
check_sizes (C2gDecode         *self,
             GstBuffer         *buffer,
             const C2gGstView  *view,
             char             **names,
             const char        *scores)
{
  const Mode *mode = &modes[self->mode];

  if (!mode->has_places && mode->paint == NULL)
    return TRUE;
  for (char **name = names; *name != NULL; name++)
    if (!check_size (self, buffer, view, *name))
      return FALSE;

  return scores == NULL || check_size (self, buffer, view, scores);
}

/* Returns FALSE without an error if the buffer has no tensors, or no elements in them, or if one of
 * them belongs to a frame of another size. */
static gboolean
open_view (C2gDecode   *self,
           GstBuffer   *buffer,
           char       **names,
           C2gGstView  *view,
           GError     **error)
{
  g_autofree char *scores = NULL;
  const char *const *labels;

  if (names == NULL || names[0] == NULL)
    return FALSE;
  labels = get_labels (self, names[0]);
  view->geometry = c2g_gst_buffer_get_geometry (buffer, names[0]);
  view->n_labels = labels != NULL ? g_strv_length ((char **) labels) : 0;
  view->width = self->is_video ? GST_VIDEO_INFO_WIDTH (&self->info) : 0;
  view->height = self->is_video ? GST_VIDEO_INFO_HEIGHT (&self->info) : 0;
  view->form = self->form;
  view->anchors = self->anchors;
  view->scratch = self->scratch;
  GST_OBJECT_LOCK (self);
  view->threshold = self->threshold;
  view->overlap = self->overlap;
  view->max_boxes = self->max_boxes;
  view->is_relative = self->is_relative;
  scores = g_strdup (self->scores);
  GST_OBJECT_UNLOCK (self);

  return check_sizes (self, buffer, view, names, scores) &&
         get_tensors (view, buffer, names, scores, error) && c2g_tensor_get_n_elements (view->tensor) > 0;
}

static void
post (C2gDecode               *self,
      GstBuffer               *buffer,
      const C2gGstFinding     *found,
      const C2gGstFindingForm *form)
{
  GstStructure *structure = c2g_gst_finding_describe (found, form);

  gst_structure_set (structure, "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (buffer),
                     "running-time", G_TYPE_UINT64, c2g_gst_time_of (GST_BASE_TRANSFORM (self), buffer), NULL);
  GST_LOG_OBJECT (self, "Found %" GST_PTR_FORMAT, structure);
  gst_element_post_message (GST_ELEMENT (self),
                            gst_message_new_element (GST_OBJECT (self), structure));
}

static gboolean
is_channels (gint64 n)
{
  return n == 1 || n == 3 || n == 4;
}

/* Returns the mode for tensors of this shape; -1 if none can be told. */
static int
guess_mode (C2gTensor *tensor)
{
  gsize n_dims, first = 0, n_long = 0, n;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  while (first < n_dims && dims[first] == 1)
    first++;
  for (gsize i = 0; i < n_dims; i++)
    n_long += dims[i] > 1;
  n = n_dims - first;
  if (n_long <= 1)
    return MODE_CLASSIFY;
  if (n == 2 && n_dims > 2 && (dims[first + 1] == 4 || dims[first + 1] == 7))
    return MODE_SSD;
  if (n == 2 && n_dims > 2)
    return n_dims == 3 ? MODE_YOLO : MODE_SEGMENT;
  if (n == 3)
    return dims[first] == 3 || is_channels (dims[n_dims - 1]) ? MODE_PICTURE : MODE_SEGMENT;

  return -1;
}

/* Tells more of a tensor that does not fit: the mode that it looks like, and the other tensors of the buffer. */
static void
add_advice (C2gDecode *self,
            GstBuffer *buffer,
            C2gTensor *tensor,
            GError    *error)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  const int mode = guess_mode (tensor);
  GString *text;

  if (!g_error_matches (error, C2G_ERROR, C2G_ERROR_SHAPE))
    return;
  text = g_string_new (error->message);
  if (mode >= 0 && mode != (int) self->mode)
    g_string_append_printf (text, _(". It looks like one for mode=%s"), mode_names[mode].value_nick);
  else if (mode == MODE_PICTURE)
    g_string_append_printf (text, _(". It looks like a picture of order=%s; a preset says that, too"),
                            self->form.is_nhwc ? "NCHW" : "NHWC");
  if (g_strv_length (names) > 1)
    {
      g_autofree char *all = c2g_names_join ((const char *const *) names, g_strv_length (names));

      g_string_append_printf (text, _(". The buffer has the tensors %s; the property “tensor” chooses one"), all);
    }
  g_free (error->message);
  error->message = g_string_free (text, FALSE);
}

/* Warns once if classes are numbers for lack of names, or if names and classes are not as many: then the names may be
 * those of other classes. */
static void
check_labels (C2gDecode        *self,
              const C2gGstView *view,
              const char       *tensor)
{
  const gint64 n_classes = c2g_tensor_get_n_elements (view->tensor);

  if (self->has_checked_labels)
    return;
  self->has_checked_labels = TRUE;
  if (view->n_labels == 0)
    GST_ELEMENT_WARNING (self, STREAM, DECODE,
                         (_("Classes are shown as numbers: there is no labels.txt beside the model, and the property “labels” "
                             "names no file")),
                         (NULL));
  else if (self->mode == MODE_CLASSIFY && (gint64) view->n_labels != n_classes)
    GST_ELEMENT_WARNING (self, STREAM, DECODE,
                         (_("There are %u labels, but “%s” has %u classes"), (guint) view->n_labels, tensor,
                          (guint) MIN (n_classes, G_MAXUINT)),
                         (NULL));
}

/* Decodes the tensors of a buffer and posts the findings. Returns NULL if there are none, or with
 * an error. */
static GArray *
find (C2gDecode          *self,
      GstBuffer          *buffer,
      C2gGstFindingForm  *form,
      GError            **error)
{
  const Mode *mode = &modes[self->mode];
  g_auto (GStrv) names = dup_names (self, buffer);
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (C2gGstFinding));
  g_auto (C2gGstView) view = { NULL };

  if (!open_view (self, buffer, names, &view, error))
    return NULL;
  if (!mode->find (&view, findings, error))
    {
      add_advice (self, buffer, view.tensor, *error);
      return NULL;
    }
  if (findings->len == 0)
    {
      /* Finding no boxes is normal and causes no warning. */
      if (self->mode == MODE_CLASSIFY)
        warn (self, _("No class is found: the tensor “%s” has no finite scores"), names[0]);
      return NULL;
    }

  check_labels (self, &view, names[0]);
  *form = (C2gGstFindingForm) { mode->kind, mode->has_places, get_labels (self, names[0]) };
  for (guint i = 0; i < findings->len; i++)
    post (self, buffer, &g_array_index (findings, C2gGstFinding, i), form);

  return g_steal_pointer (&findings);
}

static GstFlowReturn
finish (C2gDecode *self,
        GError    *error)
{
  if (error == NULL)
    return GST_FLOW_OK;

  GST_ELEMENT_ERROR (self, STREAM, DECODE, ("%s", error->message), (NULL));
  return GST_FLOW_ERROR;
}

/* Nothing is found in a buffer that is to become text or a painted frame. */
static GstFlowReturn
leave_out (C2gDecode *self,
           GstBuffer *buffer,
           GError    *error)
{
  if (error != NULL)
    return finish (self, error);

  GST_LOG_OBJECT (self, "Left out, for nothing is found in it: %" GST_PTR_FORMAT, buffer);
  c2g_gst_push_gap (GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
  return GST_BASE_TRANSFORM_FLOW_DROPPED;
}

static GstFlowReturn
c2g_decode_transform_ip (GstBaseTransform *transform,
                         GstBuffer        *buffer)
{
  C2gDecode *self = C2G_DECODE (transform);
  g_autoptr (GError) error = NULL;
  C2gGstFindingForm form;
  g_autoptr (GArray) findings = find (self, buffer, &form, &error);

  for (guint i = 0; findings != NULL && self->is_video && i < findings->len; i++)
    {
      const C2gGstFinding *found = &g_array_index (findings, C2gGstFinding, i);

      c2g_gst_finding_add_region (found, &form, i, buffer);
#ifdef HAVE_ANALYTICS
      c2g_gst_analytics_add (buffer, found, &form);
#endif
    }

  return finish (self, error);
}

static GstFlowReturn
write_text (C2gDecode *self,
            GstBuffer *input,
            GstBuffer *output)
{
  g_autoptr (GError) error = NULL;
  C2gGstFindingForm form;
  g_autoptr (GArray) findings = find (self, input, &form, &error);
  GString *text;
  gsize n;

  if (findings == NULL)
    return leave_out (self, input, error);

  text = g_string_new (NULL);
  for (guint i = 0; i < findings->len; i++)
    c2g_gst_finding_append_to (&g_array_index (findings, C2gGstFinding, i), &form, text);
  n = text->len;
  gst_buffer_append_memory (output, gst_memory_new_wrapped (0, text->str, n, 0, n, text->str, g_free));
  g_string_free (text, FALSE);

  return GST_FLOW_OK;
}

static GstFlowReturn
paint (C2gDecode *self,
       GstBuffer *input,
       GstBuffer *output)
{
  g_auto (GStrv) names = dup_names (self, input);
  g_autoptr (GError) error = NULL;
  g_auto (C2gGstView) view = { NULL };
  GstVideoFrame frame;

  if (!open_view (self, input, names, &view, &error))
    return leave_out (self, input, error);
  if (!c2g_gst_frame_map (&frame, &self->output_info, output, GST_MAP_WRITE, &error))
    return finish (self, error);
  if (!modes[self->mode].paint (&view, &frame, &error))
    add_advice (self, input, view.tensor, error);
  gst_video_frame_unmap (&frame);

  return finish (self, error);
}

static GstFlowReturn
c2g_decode_transform (GstBaseTransform *transform,
                      GstBuffer        *input,
                      GstBuffer        *output)
{
  C2gDecode *self = C2G_DECODE (transform);

  return (modes[self->mode].paint != NULL ? paint : write_text) (self, input, output);
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

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
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
  transform_class->decide_allocation = c2g_decode_decide_allocation;
  transform_class->transform_size = c2g_decode_transform_size;
  transform_class->transform_meta = c2g_decode_transform_meta;
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
