/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-frame-private.h>

#include <glib/gi18n-lib.h>

/* Maps video frames after checking that all planes are inside the buffer. Elements and tensors over
 * frames use it. */

/* Size of the palette in formats that have one: 256 colors of four bytes. */
#define PALETTE_SIZE 1024

/* The range of bytes of a plane that are read. */
typedef struct
{
  gsize n_rows;
  gsize row_size;
} Extent;

/* Formats whose pixels are not whole bytes, such as v210, have a pixel stride of 0. */
static gboolean
has_whole_pixels (const GstVideoInfo *usual)
{
  return usual->finfo->pixel_stride[0] != 0;
}

/* For other formats, assumes that a row is as long as in GStreamer's default layout. */
static Extent
measure_rows (const GstVideoInfo *usual,
              guint               plane)
{
  const GstVideoFormatInfo *format = usual->finfo;
  Extent extent = { 0, has_whole_pixels (usual) ? 0 : usual->stride[plane] };

  if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE (format) && plane == GST_VIDEO_COMP_PALETTE)
    return (Extent) { 1, PALETTE_SIZE };

  for (guint c = 0; c < format->n_components; c++)
    if (format->plane[c] == plane)
      {
        const gsize n_rows = GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format, c, usual->height);
        const gsize n_columns = GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, c, usual->width);

        extent.n_rows = MAX (extent.n_rows, n_rows);
        extent.row_size = MAX (extent.row_size, n_columns * format->pixel_stride[c]);
      }

  return extent;
}

/* For tiled formats the stride is not in bytes, so only GStreamer's default layout is accepted. */
static gboolean
has_tiles (const GstVideoFrame *frame,
           const GstVideoInfo  *usual,
           guint                plane,
           Extent              *extent)
{
  const gsize end = plane + 1 < GST_VIDEO_INFO_N_PLANES (usual) ? usual->offset[plane + 1]
                                                                : usual->size;

  *extent = (Extent) { 1, end - usual->offset[plane] };

  return frame->info.stride[plane] == usual->stride[plane];
}

static gboolean
is_plane_inside (const GstVideoFrame *frame,
                 const GstVideoInfo  *usual,
                 guint                plane)
{
  const GstMapInfo *map = &frame->map[frame->meta != NULL ? plane : 0];
  const gintptr begin = (guint8 *) frame->data[plane] - map->data;
  Extent extent;
  gintptr last;

  /* For these formats GStreamer uses the stride as the row size, even if it is negative. */
  if (!has_whole_pixels (usual) && frame->info.stride[plane] < 0)
    return FALSE;
  if (!GST_VIDEO_FORMAT_INFO_IS_TILED (usual->finfo))
    extent = measure_rows (usual, plane);
  else if (!has_tiles (frame, usual, plane, &extent))
    return FALSE;
  /* Images that are stored upside down have a negative stride. */
  last = begin + (gintptr) (extent.n_rows - 1) * frame->info.stride[plane];

  return MIN (begin, last) >= 0 && (gsize) MAX (begin, last) <= map->size &&
         extent.row_size <= map->size - MAX (begin, last);
}

static gboolean
is_inside (const GstVideoFrame *frame,
           const GstVideoInfo  *info)
{
  GstVideoInfo usual;

  if (!gst_video_info_set_format (&usual, GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
                                  GST_VIDEO_INFO_HEIGHT (info)))
    return FALSE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    if (!is_plane_inside (frame, &usual, i))
      return FALSE;

  return TRUE;
}

/* GStreamer logs a programming error if the size in the meta differs from the caps. So check first. */
static gboolean
has_other_meta (GstBuffer          *buffer,
                const GstVideoInfo *info)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  return meta != NULL && (meta->format != GST_VIDEO_INFO_FORMAT (info) ||
                          meta->n_planes != GST_VIDEO_INFO_N_PLANES (info) ||
                          meta->width < (guint) GST_VIDEO_INFO_WIDTH (info) ||
                          meta->height < (guint) GST_VIDEO_INFO_HEIGHT (info));
}

gboolean
c2g_gst_frame_map (GstVideoFrame       *frame,
                   const GstVideoInfo  *info,
                   GstBuffer           *buffer,
                   GstMapFlags          flags,
                   GError             **error)
{
  gboolean is_bad = has_other_meta (buffer, info);

  if (!is_bad && !gst_video_frame_map (frame, info, buffer, flags))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                           _("The buffer cannot be mapped as a frame of video"));
      return FALSE;
    }
  if (!is_bad && !is_inside (frame, info))
    {
      gst_video_frame_unmap (frame);
      is_bad = TRUE;
    }
  /* The meta may describe a larger frame, of which only this part was checked. */
  frame->info.width = GST_VIDEO_INFO_WIDTH (info);
  frame->info.height = GST_VIDEO_INFO_HEIGHT (info);
  if (is_bad)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The buffer does not hold a frame of the format %s and %d × %d pixels, as its "
                   "GstVideoMeta would have it"),
                 GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
                 GST_VIDEO_INFO_HEIGHT (info));

  return !is_bad;
}

/* GstVideoConverter crashes on frames that are stored bottom-up (with a negative stride). Where
 * pixels are not whole bytes it reads whole groups of them, and so a few bytes behind the last
 * row. */
static gboolean
needs_copy (const GstVideoFrame *frame)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++)
    if (GST_VIDEO_FRAME_PLANE_STRIDE (frame, i) < 0)
      return TRUE;

  return !has_whole_pixels (&frame->info);
}

/* In bytes: more than a group of pixels has. */
#define PADDING 64

static gboolean
convert_copy (const GstVideoFrame  *from,
              GstVideoConverter    *converter,
              GstVideoFrame        *to,
              GError              **error)
{
  g_autoptr (GstBuffer) buffer = NULL;
  GstVideoFrame copy;
  GstVideoInfo info;

  if (gst_video_info_set_format (&info, GST_VIDEO_FRAME_FORMAT (from), GST_VIDEO_FRAME_WIDTH (from),
                                 GST_VIDEO_FRAME_HEIGHT (from)))
    buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&info) + PADDING, NULL);
  if (buffer == NULL || !gst_video_frame_map (&copy, &info, buffer, GST_MAP_READWRITE))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("There is no memory for a copy of the frame"));
      return FALSE;
    }
  gst_video_frame_copy (&copy, from);
  gst_video_converter_frame (converter, &copy, to);
  gst_video_frame_unmap (&copy);

  return TRUE;
}

/* The converter makes fields of a picture only if both frames have fields. */
gboolean
c2g_gst_frame_convert (GstVideoFrame      *from,
                       GstVideoConverter  *converter,
                       GstVideoFrame      *to,
                       GError            **error)
{
  from->flags &= ~GST_VIDEO_FRAME_FLAG_INTERLACED;
  if (needs_copy (from))
    return convert_copy (from, converter, to, error);
  gst_video_converter_frame (converter, from, to);

  return TRUE;
}
