/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-picture.h"

#include "c2g-pixels-private.h"

#include <c2g-gst/c2g-gst-frame-private.h>

#include <glib/gi18n-lib.h>

/* Converts video frames to tensors for a model. For formats with 8-bit components,
 * c2g_pixel_scaler_run() does everything in one pass. For other formats GstVideoConverter runs
 * before it; it also scales down if the model wants smooth pictures.
 *
 * GstVideoConverter is not used for other scaling: with two taps along an axis, GStreamer 1.22
 * aligns the first and last pixels of both pictures for some formats but not for others, so the
 * geometry would be wrong. */

struct _C2gGstPicture
{
  C2gPictureForm     form;
  GstVideoInfo       info;
  C2gGstGeometry    *geometry;

  /* NULL if the scaler can read the frames directly. */
  GstVideoConverter *converter;
  /* Output frame of the converter. */
  GstVideoFrame      converted;
  C2gPixelScaler    *scaler;
};

static const struct
{
  const char     *channels;
  GstVideoFormat  format;
} formats[] = {
  { "RGB", GST_VIDEO_FORMAT_RGB },
  { "BGR", GST_VIDEO_FORMAT_BGR },
  { "GRAY", GST_VIDEO_FORMAT_GRAY8 },
  { "RGBA", GST_VIDEO_FORMAT_RGBA },
  { "BGRA", GST_VIDEO_FORMAT_BGRA },
};

static GstVideoFormat
find_format (const C2gPictureForm *form)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i].channels, form->channels))
      return formats[i].format;

  return GST_VIDEO_FORMAT_UNKNOWN;
}

/* Coordinates are those of pixel corners, not centers. */
static C2gGstGeometry *
make_geometry (const GstVideoInfo  *info,
               const C2gPictureFit *fit)
{
  const double x = (double) fit->width / fit->new_width;
  const double y = (double) fit->height / fit->new_height;
  const double matrix[] = { x, 0, fit->x - x * fit->new_x, 0, y, fit->y - y * fit->new_y };

  return c2g_gst_geometry_new (GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), matrix);
}

/* Formats that the scaler reads directly */

static gboolean
find_components (const GstVideoFormatInfo *format,
                 GstVideoChromaSite        site,
                 C2gPixels                *pixels)
{
  const guint unsuitable = GST_VIDEO_FORMAT_FLAG_COMPLEX | GST_VIDEO_FORMAT_FLAG_TILED |
                           GST_VIDEO_FORMAT_FLAG_PALETTE;

  if ((format->flags & unsuitable) != 0 || format->n_components == 0)
    return FALSE;
  for (guint i = 0; i < format->n_components; i++)
    {
      if (format->depth[i] != 8 || format->shift[i] != 0 || format->pixel_stride[i] > 4)
        return FALSE;
      pixels->components[i] = (C2gComponent) {
        .plane = format->plane[i],
        .step = format->pixel_stride[i],
        .offset = format->poffset[i],
        .x_shift = format->w_sub[i],
        .y_shift = format->h_sub[i],
        .is_x_cosited = (site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
        .is_y_cosited = (site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,
      };
    }

  return TRUE;
}

/* Adds the factors of a component to those of a color. The component ranges from 0 to 1, chroma
 * from -0.5 to 0.5. */
static void
add_component (const GstVideoInfo *info,
               float              *numbers,
               guint               component,
               double              factor)
{
  int offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];

  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset, scale);
  numbers[component] = 255 * factor / scale[component];
  numbers[C2G_PIXELS_MAX_COMPONENTS] -= 255 * factor * offset[component] / scale[component];
}

static gboolean
find_yuv (const GstVideoInfo *info,
          C2gPixels          *pixels)
{
  double red, blue;

  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &red, &blue))
    return FALSE;

  for (guint i = 0; i <= C2G_PIXELS_GRAY; i++)
    if (i != C2G_PIXELS_A)
      add_component (info, pixels->colors[i], 0, 1);
  add_component (info, pixels->colors[C2G_PIXELS_R], 2, 2 * (1 - red));
  add_component (info, pixels->colors[C2G_PIXELS_G], 1, -2 * (1 - blue) * blue / (1 - red - blue));
  add_component (info, pixels->colors[C2G_PIXELS_G], 2, -2 * (1 - red) * red / (1 - red - blue));
  add_component (info, pixels->colors[C2G_PIXELS_B], 1, 2 * (1 - blue));

  return TRUE;
}

static void
find_rgb (const GstVideoInfo *info,
          C2gPixels          *pixels)
{
  static const double gray[] = { 0.299, 0.587, 0.114 };
  const gboolean is_gray = GST_VIDEO_FORMAT_INFO_IS_GRAY (info->finfo);

  for (guint i = 0; i < G_N_ELEMENTS (gray); i++)
    {
      add_component (info, pixels->colors[i], is_gray ? 0 : i, 1);
      if (!is_gray)
        add_component (info, pixels->colors[C2G_PIXELS_GRAY], i, gray[i]);
    }
  if (is_gray)
    add_component (info, pixels->colors[C2G_PIXELS_GRAY], 0, 1);
}

/* Returns FALSE if the scaler cannot read the format. Pixels without alpha are opaque. */
static gboolean
describe_pixels (const GstVideoInfo *info,
                 C2gPixels          *pixels)
{
  *pixels = (C2gPixels) { .width = GST_VIDEO_INFO_WIDTH (info), .height = GST_VIDEO_INFO_HEIGHT (info) };
  if (!find_components (info->finfo, info->chroma_site, pixels))
    return FALSE;
  if (GST_VIDEO_INFO_HAS_ALPHA (info))
    pixels->colors[C2G_PIXELS_A][3] = 1;
  else
    pixels->colors[C2G_PIXELS_A][C2G_PIXELS_MAX_COMPONENTS] = 255;
  if (GST_VIDEO_INFO_IS_YUV (info))
    return find_yuv (info, pixels);
  find_rgb (info, pixels);

  return TRUE;
}

/* Other formats */

static GstStructure *
make_options (const C2gPictureFit *fit)
{
  return gst_structure_new ("options",
                            GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_VIDEO_RESAMPLER_METHOD,
                            GST_VIDEO_RESAMPLER_METHOD_LINEAR,
                            GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
                            GST_VIDEO_DITHER_NONE,
                            GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT, fit->x,
                            GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_INT, fit->y,
                            GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_INT, fit->width,
                            GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_INT, fit->height, NULL);
}

static gboolean
make_converted (C2gGstPicture *self,
                int            width,
                int            height)
{
  GstBuffer *buffer;
  GstVideoInfo info;
  gboolean is_mapped;

  if (!gst_video_info_set_format (&info, find_format (&self->form), width, height))
    return FALSE;
  /* The converter requires equal framerates. */
  info.fps_n = self->info.fps_n;
  info.fps_d = self->info.fps_d;

  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  is_mapped =
    buffer != NULL && gst_video_frame_map (&self->converted, &info, buffer, GST_MAP_READWRITE);
  /* The mapped frame has a reference of its own. */
  gst_clear_buffer (&buffer);

  return is_mapped;
}

/* Adds a converter before the scaler. PIXELS and FIT become those of the frame that is left for the
 * scaler.
 *
 * Interlaced frames are scaled like progressive ones: the model sees one picture. The converter can
 * scale each field separately, but fails if the fields differ in height. */
static gboolean
add_converter (C2gGstPicture *self,
               C2gPixels     *pixels,
               C2gPictureFit *fit)
{
  const gboolean is_smooth = self->form.is_smooth;
  const int width = is_smooth ? MIN (fit->width, fit->new_width) : fit->width;
  const int height = is_smooth ? MIN (fit->height, fit->new_height) : fit->height;
  GstDebugCategory *performance = NULL;
  GstVideoInfo info = self->info;

  GST_DEBUG_CATEGORY_GET (performance, "GST_PERFORMANCE");
  GST_CAT_INFO (performance, "frames of the format %s are converted by GStreamer",
                GST_VIDEO_INFO_NAME (&info));
  info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  if (!make_converted (self, width, height))
    return FALSE;
  self->converter = gst_video_converter_new (&info, &self->converted.info, make_options (fit));
  fit->x = fit->y = 0;
  fit->width = width;
  fit->height = height;

  return self->converter != NULL && describe_pixels (&self->converted.info, pixels);
}

static gboolean
make_scaler (C2gGstPicture *self)
{
  C2gPictureFit fit;
  C2gPixels pixels;

  /* GStreamer limits sizes to 32767 pixels on a side. */
  if (self->form.width < 1 || self->form.width > G_MAXINT16 || self->form.height < 1 ||
      self->form.height > G_MAXINT16 || GST_VIDEO_INFO_WIDTH (&self->info) < 1 ||
      GST_VIDEO_INFO_HEIGHT (&self->info) < 1)
    return FALSE;
  c2g_picture_form_fit (&self->form, GST_VIDEO_INFO_WIDTH (&self->info),
                        GST_VIDEO_INFO_HEIGHT (&self->info), &fit);
  self->geometry = make_geometry (&self->info, &fit);
  if ((self->form.is_smooth || !describe_pixels (&self->info, &pixels)) &&
      !add_converter (self, &pixels, &fit))
    return FALSE;
  self->scaler = c2g_pixel_scaler_new (&pixels, &self->form, &fit);

  return TRUE;
}

C2gGstPicture *
c2g_gst_picture_new (const C2gPictureForm  *form,
                     const GstVideoInfo    *info,
                     GError               **error)
{
  g_autoptr (C2gGstPicture) self = g_new0 (C2gGstPicture, 1);

  self->form = *form;
  self->info = *info;
  if (form->width == 0)
    {
      self->form.width = GST_VIDEO_INFO_WIDTH (info);
      self->form.height = GST_VIDEO_INFO_HEIGHT (info);
    }
  if (make_scaler (self))
    return g_steal_pointer (&self);

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("Frames of the format %s and %d × %d pixels cannot be converted to %s"),
               GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
               form->channels);
  return NULL;
}

void
c2g_gst_picture_free (C2gGstPicture *self)
{
  g_clear_pointer (&self->geometry, c2g_gst_geometry_unref);
  g_clear_pointer (&self->converter, gst_video_converter_free);
  if (self->converted.buffer != NULL)
    gst_video_frame_unmap (&self->converted);
  g_clear_pointer (&self->scaler, c2g_pixel_scaler_free);
  g_free (self);
}

static gboolean
fill (C2gGstPicture  *self,
      GstVideoFrame  *frame,
      gpointer        elements,
      GError        **error)
{
  if (self->converter != NULL)
    {
      if (!c2g_gst_frame_convert (frame, self->converter, &self->converted, error))
        return FALSE;
      frame = &self->converted;
    }
  c2g_pixel_scaler_run (self->scaler, (const guint8 *const *) frame->data, frame->info.stride,
                        elements);

  return TRUE;
}

gboolean
c2g_gst_picture_convert (C2gGstPicture  *self,
                         GstBuffer      *buffer,
                         C2gTensor      *tensor,
                         GError        **error)
{
  gint64 dims[C2G_PICTURE_N_DIMS];
  gpointer elements = NULL;
  gboolean is_filled;
  GstVideoFrame frame;

  if (!c2g_gst_frame_map (&frame, &self->info, buffer,
                          GST_MAP_READ | (GstMapFlags) GST_VIDEO_FRAME_MAP_FLAG_NO_REF, error))
    return FALSE;
  c2g_picture_form_get_dims (&self->form, dims);
  if (c2g_tensor_resize (tensor, dims, G_N_ELEMENTS (dims), error))
    elements = c2g_tensor_mutable_data (tensor, self->form.data_type, error);
  is_filled = elements != NULL && fill (self, &frame, elements, error);
  gst_video_frame_unmap (&frame);

  return is_filled;
}

C2gGstGeometry *
c2g_gst_picture_get_geometry (C2gGstPicture *self)
{
  return self->geometry;
}
