/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-overlay.h"

#ifdef HAVE_ANALYTICS
# include "formats/c2g-gst-analytics.h"
#endif
#include "decode/c2g-gst-drawing.h"
#include "support/c2g-gst-copy.h"
#include "support/c2g-gst-properties.h"

#include <c2g-gst/c2g-gst-frame-private.h>

#include <glib/gi18n-lib.h>
#ifdef HAVE_ANALYTICS
# include <gst/analytics/analytics.h>
#endif

GST_DEBUG_CATEGORY_STATIC (c2g_overlay_debug);
#define GST_CAT_DEFAULT c2g_overlay_debug

/**
 * SECTION:element-c2goverlay
 * @title: c2goverlay
 *
 * c2goverlay draws the regions of interest of frames, such as those added by c2gdecode. For frames
 * without regions it draws the objects and classes of GStreamer's analytics; c2gdecode adds the
 * same findings to both.
 *
 * If downstream supports GstVideoOverlayComposition, the drawing is attached to the frame, which is
 * not changed. Otherwise it is blended into the frame. Frames without regions are passed on without
 * a copy.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2ginference model=squeezenet preset=caffe2 ! c2gdecode ! \
 * c2goverlay ! videoconvert ! autovideosink
 * ]|
 */
struct _C2gOverlay
{
  GstBaseTransform  parent_instance;

  /* Properties; they can change only in the states NULL and READY. */
  char             *font;
  guint             line_width;

  /* Used in the streaming thread. */
  GstVideoInfo      info;
  C2gGstDrawing    *drawing;
  gboolean          is_attached;
  /* Since the start: whether frames came, and whether there was something to draw on one of them. */
  gboolean          has_frames;
  gboolean          has_drawn;
};

G_DEFINE_FINAL_TYPE (C2gOverlay, c2g_overlay, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (c2goverlay, "c2goverlay", GST_RANK_NONE, C2G_TYPE_OVERLAY)

static const C2gGstProperty properties[] = {
  { "font", "Font of labels, such as “Sans Bold 12”; Sans, and a size that follows from the frame, if unset",
    G_STRUCT_OFFSET (C2gOverlay, font), G_TYPE_STRING },
  { "line-width", "Pixels of the lines around boxes; 0 for none", G_STRUCT_OFFSET (C2gOverlay, line_width),
    G_TYPE_UINT, 2 },
  { NULL },
};

static gboolean
c2g_overlay_start (GstBaseTransform *transform)
{
  C2gOverlay *self = C2G_OVERLAY (transform);

  self->drawing = c2g_gst_drawing_new (self->font, self->line_width);
  self->has_frames = self->has_drawn = FALSE;
  if (self->font != NULL && !c2g_gst_drawing_has_font (self->drawing))
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND, (_("There is no font “%s”, and labels get another one"), self->font), (NULL));

  return TRUE;
}

static gboolean
c2g_overlay_stop (GstBaseTransform *transform)
{
  g_clear_pointer (&C2G_OVERLAY (transform)->drawing, c2g_gst_drawing_free);

  return TRUE;
}

/* A detector may find nothing in a whole stream, but more often c2gdecode is missing. This is a warning, because
 * gst-launch-1.0 does not show the text of an info. */
static gboolean
c2g_overlay_sink_event (GstBaseTransform *transform,
                        GstEvent         *event)
{
  C2gOverlay *self = C2G_OVERLAY (transform);

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS && self->has_frames && !self->has_drawn)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, (_("Nothing was drawn: c2gdecode attached no region to any frame")), (NULL));

  return GST_BASE_TRANSFORM_CLASS (c2g_overlay_parent_class)->sink_event (transform, event);
}

static gboolean
c2g_overlay_set_caps (GstBaseTransform *transform,
                      GstCaps          *input,
                      GstCaps          *output)
{
  C2gOverlay *self = C2G_OVERLAY (transform);

  if (!gst_video_info_from_caps (&self->info, input))
    return FALSE;
  if (!c2g_gst_drawing_set_frame (self->drawing, GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info)))
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
                         (_("A line in the font “%s” is higher than the frame, and is cut off"), self->font), (NULL));

  return TRUE;
}

/* GstBaseTransform allocates from a pool only for elements that are not in place. This one is in
 * place, so no pool is needed. */
static gboolean
c2g_overlay_decide_allocation (GstBaseTransform *transform,
                               GstQuery         *query)
{
  C2G_OVERLAY (transform)->is_attached =
    gst_query_find_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);
  GST_DEBUG_OBJECT (transform, "Drawings are %s frames",
                    C2G_OVERLAY (transform)->is_attached ? "attached to" : "blended into");
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);

  return TRUE;
}

/* Frames are passed on with all their metas, so upstream may use the allocation of downstream. */
static gboolean
c2g_overlay_propose_allocation (GstBaseTransform *transform,
                                GstQuery         *decided,
                                GstQuery         *query)
{
  return gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (transform), query);
}

static gboolean
has_regions (GstBuffer *buffer)
{
  return gst_buffer_get_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) != NULL;
}

static gboolean
has_findings (GstBuffer *buffer)
{
#ifdef HAVE_ANALYTICS
  if (gst_buffer_get_meta (buffer, GST_ANALYTICS_RELATION_META_API_TYPE) != NULL)
    return TRUE;
#endif

  return has_regions (buffer);
}

static GstVideoOverlayComposition *
compose (C2gOverlay                 *self,
         GstBuffer                  *buffer,
         GstVideoOverlayComposition *older)
{
#ifdef HAVE_ANALYTICS
  if (!has_regions (buffer))
    {
      g_autoptr (GstBuffer) regions = c2g_gst_analytics_to_regions (buffer, &self->info);

      return c2g_gst_drawing_compose (self->drawing, regions, older);
    }
#endif

  return c2g_gst_drawing_compose (self->drawing, buffer, older);
}

/* Blending needs a writable frame, so it is copied if others hold it. */
static GstFlowReturn
c2g_overlay_prepare_output_buffer (GstBaseTransform  *transform,
                                   GstBuffer         *input,
                                   GstBuffer        **output)
{
  *output = has_findings (input) ? c2g_gst_copy_if_held (GST_ELEMENT (transform), input) : input;

  return *output != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* The frame may have the composition of an earlier element already. */
static void
attach (C2gOverlay *self,
        GstBuffer  *buffer)
{
  GstVideoOverlayCompositionMeta *older = gst_buffer_get_video_overlay_composition_meta (buffer);
  g_autoptr (GstVideoOverlayComposition) composition =
    compose (self, buffer, older != NULL ? older->overlay : NULL);

  if (older != NULL)
    gst_buffer_remove_video_overlay_composition_meta (buffer, older);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
}

/* GStreamer writes whole pixels of 2, 4 or 8 bytes, and crashes where they are not aligned. */
static gboolean
is_aligned (const GstVideoFrame *frame)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (frame); i++)
    {
      const guint plane = GST_VIDEO_FRAME_COMP_PLANE (frame, i);
      const int step = MAX (GST_VIDEO_FRAME_COMP_PSTRIDE (frame, i), 1);
      const int alignment = step & -step;

      if ((gsize) frame->data[plane] % alignment != 0 || frame->info.stride[plane] % alignment != 0)
        return FALSE;
    }

  return TRUE;
}

static gboolean
blend (C2gOverlay  *self,
       GstBuffer   *buffer,
       GError     **error)
{
  g_autoptr (GstVideoOverlayComposition) composition = compose (self, buffer, NULL);
  GstVideoFrame frame;
  gboolean is_blended = FALSE;

  if (!c2g_gst_frame_map (&frame, &self->info, buffer, GST_MAP_READWRITE, error))
    return FALSE;
  if (!is_aligned (&frame))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("The pixels of the frame are not aligned"));
  else if (gst_video_overlay_composition_blend (composition, &frame))
    is_blended = TRUE;
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("Nothing can be drawn on frames of the format %s"),
                 GST_VIDEO_INFO_NAME (&self->info));
  gst_video_frame_unmap (&frame);

  return is_blended;
}

static GstFlowReturn
c2g_overlay_transform (GstBaseTransform *transform,
                       GstBuffer        *input,
                       GstBuffer        *output)
{
  C2gOverlay *self = C2G_OVERLAY (transform);
  g_autoptr (GError) error = NULL;

  self->has_frames = TRUE;
  if (!has_findings (output))
    return GST_FLOW_OK;
  self->has_drawn = TRUE;
  if (self->is_attached)
    attach (self, output);
  else if (!blend (self, output, &error))
    {
      GST_ELEMENT_ERROR (self, STREAM, FAILED, ("%s", error->message), (NULL));
      return GST_FLOW_ERROR;
    }

  return GST_FLOW_OK;
}

/* Returns the formats whose pixels are whole bytes. For the others GStreamer blends groups of
 * pixels, and writes beyond the end of a frame whose width is not a multiple of the group. */
static GstCaps *
make_caps (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_video_formats_raw (&n_formats);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (GstVideoFormat));

  for (guint i = 0; i < n_formats; i++)
    {
      const GstVideoFormatInfo *info = gst_video_format_get_info (formats[i]);

      if (info->pixel_stride[0] != 0 && !GST_VIDEO_FORMAT_INFO_IS_TILED (info))
        g_array_append_val (taken, formats[i]);
    }

  return gst_caps_merge (
    gst_video_make_raw_caps ((GstVideoFormat *) taken->data, taken->len),
    gst_video_make_raw_caps_with_features (
      (GstVideoFormat *) taken->data, taken->len,
      gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_SYSTEM_MEMORY, GST_CAPS_FEATURE_META_GST_VIDEO_OVERLAY_COMPOSITION, NULL)));
}

static void
c2g_overlay_finalize (GObject *object)
{
  c2g_gst_properties_clear (object, properties);

  G_OBJECT_CLASS (c2g_overlay_parent_class)->finalize (object);
}

static void
c2g_overlay_class_init (C2gOverlayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = make_caps ();

  GST_DEBUG_CATEGORY_INIT (c2g_overlay_debug, "c2goverlay", 0, "findings on video");

  object_class->get_property = c2g_gst_properties_get_value;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_overlay_finalize;
  c2g_gst_properties_install (object_class, properties);

  gst_element_class_add_pad_template (element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "Tensor overlay", "Filter/Editor/Video",
                                         "Draws boxes and labels that a decoder found on video",
                                         "The c2g authors");

  transform_class->start = c2g_overlay_start;
  transform_class->stop = c2g_overlay_stop;
  transform_class->sink_event = c2g_overlay_sink_event;
  transform_class->set_caps = c2g_overlay_set_caps;
  transform_class->decide_allocation = c2g_overlay_decide_allocation;
  transform_class->propose_allocation = c2g_overlay_propose_allocation;
  transform_class->prepare_output_buffer = c2g_overlay_prepare_output_buffer;
  transform_class->transform = c2g_overlay_transform;
}

static void
c2g_overlay_init (C2gOverlay *self)
{
  c2g_gst_properties_init (self, properties);
}
