/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-picture.h"

#include "c2g-gst-model.h"

#include <c2g-gst/c2g-gst-frame-private.h>

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

/* GstVideoConverter scales a frame and converts its channels.  The code here subtracts the mean,
 * scales the values, and orders the dimensions. */

struct _C2gGstPicture
{
  C2gPictureForm     form;
  GstVideoInfo       info;
  /* The part of the frame that the model sees. */
  GstVideoRectangle  part;
  C2gGstGeometry    *geometry;

  GstVideoConverter *converter;
  /* The scaled frame. */
  GstVideoFrame      scaled;
  C2gTensor         *tensor;
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

/* The middle of the frame, in the form of the tensor; all of it if the model does not crop. */
static GstVideoRectangle
find_part (const C2gPictureForm *form,
           int                   width,
           int                   height)
{
  GstVideoRectangle part = { 0, 0, width, height };

  if (form->is_crop && form->width > 0)
    {
      part.w = CLAMP (rint ((double) height * form->width / form->height), 1, width);
      part.h = CLAMP (rint ((double) width * form->height / form->width), 1, height);
      part.x = (width - part.w) / 2;
      part.y = (height - part.h) / 2;
    }

  return part;
}

/* Coordinates count from the corners of pixels. */
static C2gGstGeometry *
make_geometry (C2gGstPicture *self)
{
  const double matrix[] = {
    (double) self->part.w / self->form.width,
    0,
    self->part.x,
    0,
    (double) self->part.h / self->form.height,
    self->part.y,
  };

  return c2g_gst_geometry_new (GST_VIDEO_INFO_WIDTH (&self->info),
                               GST_VIDEO_INFO_HEIGHT (&self->info), matrix);
}

/* Bilinear: max-taps is 2, unless a smooth picture shall use all pixels. */
static GstStructure *
make_options (C2gGstPicture *self)
{
  GstStructure *options =
    gst_structure_new ("options",
                       GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD, GST_TYPE_VIDEO_RESAMPLER_METHOD,
                       GST_VIDEO_RESAMPLER_METHOD_LINEAR,
                       GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
                       GST_VIDEO_DITHER_NONE,
                       GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT, self->part.x,
                       GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_INT, self->part.y,
                       GST_VIDEO_CONVERTER_OPT_SRC_WIDTH, G_TYPE_INT, self->part.w,
                       GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_INT, self->part.h, NULL);

  if (!self->form.is_smooth)
    gst_structure_set (options, GST_VIDEO_RESAMPLER_OPT_MAX_TAPS, G_TYPE_INT, 2, NULL);

  return options;
}

static gboolean
make_scaled (C2gGstPicture *self)
{
  GstBuffer *buffer;
  GstVideoInfo info;
  gboolean is_mapped;

  if (!gst_video_info_set_format (&info, find_format (&self->form), self->form.width,
                                  self->form.height))
    return FALSE;
  /* The converter demands the same in both. */
  info.fps_n = self->info.fps_n;
  info.fps_d = self->info.fps_d;

  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info), NULL);
  is_mapped = buffer != NULL && gst_video_frame_map (&self->scaled, &info, buffer, GST_MAP_READWRITE);
  /* The mapped frame holds a reference. */
  gst_clear_buffer (&buffer);

  return is_mapped;
}

/* Interlaced frames are scaled as they are woven: the model sees one picture, and the converter's way
 * of scaling each field fails where fields differ in height. */
static GstVideoConverter *
make_converter (C2gGstPicture *self)
{
  GstVideoInfo info = self->info;

  info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;

  return gst_video_converter_new (&info, &self->scaled.info, make_options (self));
}

C2gGstPicture *
c2g_gst_picture_new (const C2gPictureForm  *form,
                     const GstVideoInfo    *info,
                     GError               **error)
{
  g_autoptr (C2gGstPicture) self = g_new0 (C2gGstPicture, 1);

  self->form = *form;
  self->info = *info;
  self->part = find_part (form, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  if (form->width == 0)
    {
      self->form.width = GST_VIDEO_INFO_WIDTH (info);
      self->form.height = GST_VIDEO_INFO_HEIGHT (info);
    }
  self->geometry = make_geometry (self);
  if (make_scaled (self))
    self->converter = make_converter (self);
  if (self->converter == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("Frames of the format %s and %d × %d pixels cannot be converted to %s"),
                   GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
                   GST_VIDEO_INFO_HEIGHT (info), form->channels);
      return NULL;
    }

  self->tensor = c2g_gst_model_new_input (&self->form, error);
  return self->tensor != NULL ? g_steal_pointer (&self) : NULL;
}

void
c2g_gst_picture_free (C2gGstPicture *self)
{
  g_clear_pointer (&self->geometry, c2g_gst_geometry_unref);
  g_clear_pointer (&self->converter, gst_video_converter_free);
  if (self->scaled.buffer != NULL)
    gst_video_frame_unmap (&self->scaled);
  g_clear_object (&self->tensor);
  g_free (self);
}

/* Pixels of 0 to 255 become (pixel - mean) × scale, or stay bytes. */
static void
fill (C2gGstPicture *self,
      gpointer       data)
{
  const C2gPictureForm *form = &self->form;
  const gsize n_pixels = (gsize) form->width * form->height;
  const gsize step = form->is_nhwc ? form->n_channels : 1;

  for (gsize c = 0; c < form->n_channels; c++)
    {
      gsize to = form->is_nhwc ? c : c * n_pixels;

      for (int y = 0; y < form->height; y++)
        {
          const guint8 *pixel = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&self->scaled, 0) +
                                (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&self->scaled, 0) + c;

          for (int x = 0; x < form->width; x++, to += step, pixel += form->n_channels)
            if (form->is_bytes)
              ((guint8 *) data)[to] = *pixel;
            else
              ((float *) data)[to] = (*pixel - form->mean[c]) * form->scale[c];
        }
    }
}

static gboolean
fill_tensor (C2gGstPicture  *self,
             GError        **error)
{
  C2gDataType data_type = self->form.is_bytes ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_FLOAT;
  gpointer data = c2g_tensor_mutable_data (self->tensor, data_type, error);

  if (data == NULL)
    return FALSE;
  fill (self, data);

  return TRUE;
}

C2gTensor *
c2g_gst_picture_convert (C2gGstPicture  *self,
                         GstBuffer      *buffer,
                         GError        **error)
{
  GstVideoFrame frame;

  if (!c2g_gst_frame_map (&frame, &self->info, buffer,
                          GST_MAP_READ | (GstMapFlags) GST_VIDEO_FRAME_MAP_FLAG_NO_REF, error))
    return NULL;
  frame.flags &= ~GST_VIDEO_FRAME_FLAG_INTERLACED;
  gst_video_converter_frame (self->converter, &frame, &self->scaled);
  gst_video_frame_unmap (&frame);

  return fill_tensor (self, error) ? self->tensor : NULL;
}

C2gGstGeometry *
c2g_gst_picture_get_geometry (C2gGstPicture *self)
{
  return self->geometry;
}
