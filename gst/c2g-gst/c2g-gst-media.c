/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-media.h>

#include <c2g-gst/c2g-gst-audio-private.h>
#include <c2g-gst/c2g-gst-frame-private.h>
#include <c2g-gst/c2g-gst-private.h>

#include <glib/gi18n-lib.h>

#include <string.h>

/* Tensors over video frames and audio samples. Both are planes of rows. A tensor can share the
 * memory only if there are no gaps between the rows; otherwise they are copied. */

typedef struct
{
  C2gDataType data_type;
  gint64      dims[3];
  gsize       n_dims;

  gsize       n_planes;
  gsize       n_rows;
  gsize       row_size;
} Layout;

typedef struct
{
  gpointer *planes;
  /* Bytes from one row of a plane to the next; NULL if each plane has a single row. */
  const int *strides;
} Planes;

static gboolean
is_without_gaps (const Layout *layout,
                 const Planes *planes)
{
  const gsize plane_size = layout->n_rows * layout->row_size;

  for (gsize i = 0; i < layout->n_planes; i++)
    if ((guint8 *) planes->planes[i] != (guint8 *) planes->planes[0] + i * plane_size ||
        (planes->strides != NULL && layout->n_rows > 1 &&
         planes->strides[i] != (int) layout->row_size))
      return FALSE;

  return TRUE;
}

static void
copy_rows (const Layout *layout,
           const Planes *planes,
           guint8       *to)
{
  for (gsize i = 0; i < layout->n_planes; i++)
    for (gsize row = 0; row < layout->n_rows; row++, to += layout->row_size)
      memcpy (to,
              (guint8 *) planes->planes[i] +
                (planes->strides != NULL ? (gssize) row * planes->strides[i] : 0),
              layout->row_size);
}

/* Takes ownership of HOLDER, which keeps the planes mapped. HOLD is a part of it and keeps the
 * buffer. */
static C2gTensor *
new_over_planes (const Layout      *layout,
                 const Planes      *planes,
                 GDestroyNotify     release,
                 gpointer           holder,
                 const C2gGstHold  *hold,
                 GError           **error)
{
  const C2gGstShape shape = { layout->data_type, layout->dims, layout->n_dims };
  const gsize n_bytes = layout->n_planes * layout->n_rows * layout->row_size;
  GstDebugCategory *performance = NULL;
  C2gTensor *copy;
  gpointer bytes;

  if (is_without_gaps (layout, planes))
    return c2g_gst_tensor_new_over (&shape, planes->planes[0], n_bytes, release, holder, hold,
                                    error);

  GST_DEBUG_CATEGORY_GET (performance, "GST_PERFORMANCE");
  GST_CAT_INFO (performance, "copying rows that do not follow each other");
  copy = c2g_gst_tensor_new_room (&shape, n_bytes, &bytes, error);
  if (copy != NULL)
    copy_rows (layout, planes, bytes);
  release (holder);
  if (copy != NULL)
    c2g_tensor_seal (copy, NULL);

  return copy;
}

typedef struct
{
  C2gGstHold    hold;
  GstVideoFrame frame;
} HeldFrame;

static void
release_frame (gpointer data)
{
  HeldFrame *held = data;

  gst_video_frame_unmap (&held->frame);
  c2g_gst_hold_clear (&held->hold);
  g_free (held);
}

/* Returns TRUE if all components have the same number of pixels and the same pixel stride. */
static gboolean
is_regular (const GstVideoFormatInfo *format)
{
  const guint unsuitable = GST_VIDEO_FORMAT_FLAG_COMPLEX | GST_VIDEO_FORMAT_FLAG_TILED |
                           GST_VIDEO_FORMAT_FLAG_PALETTE;
  const guint depth = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0);
  const gboolean is_little = (format->flags & GST_VIDEO_FORMAT_FLAG_LE) != 0;

  for (guint i = 0; i < format->n_components; i++)
    if (format->w_sub[i] != 0 || format->h_sub[i] != 0 || format->depth[i] != depth ||
        format->pixel_stride[i] != format->pixel_stride[0])
      return FALSE;

  return (format->flags & unsuitable) == 0 &&
         (format->n_planes == 1 || format->n_planes == format->n_components) &&
         (depth == 8 || (depth == 16 && is_little == (G_BYTE_ORDER == G_LITTLE_ENDIAN)));
}

static gboolean
lay_out_video (Layout              *layout,
               const GstVideoInfo  *info,
               GError             **error)
{
  const GstVideoFormatInfo *format = info->finfo;
  const gsize item_size = GST_VIDEO_FORMAT_INFO_DEPTH (format, 0) / 8;
  gsize n_dims = 0;
  gint64 n_channels;

  if (!is_regular (format))
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("Pixels of the format %s are no tensor; convert them to RGB, GRAY8 or RGBP"),
                   format->name);
      return FALSE;
    }

  layout->data_type = item_size == 1 ? C2G_DATA_TYPE_UINT8 : C2G_DATA_TYPE_UINT16;
  layout->n_planes = format->n_planes;
  layout->n_rows = GST_VIDEO_INFO_HEIGHT (info);
  layout->row_size = (gsize) GST_VIDEO_INFO_WIDTH (info) * format->pixel_stride[0];
  n_channels = format->pixel_stride[0] / item_size;

  if (layout->n_planes > 1)
    layout->dims[n_dims++] = layout->n_planes;
  layout->dims[n_dims++] = GST_VIDEO_INFO_HEIGHT (info);
  layout->dims[n_dims++] = GST_VIDEO_INFO_WIDTH (info);
  if (n_channels > 1)
    layout->dims[n_dims++] = n_channels;
  layout->n_dims = n_dims;

  return TRUE;
}

/**
 * c2g_gst_tensor_new_from_video_frame:
 * @buffer: a buffer with a video frame
 * @info: the video info from its caps
 * @error: return location for an error
 *
 * Creates a tensor over the memory of a video frame.
 *
 * Packed formats such as RGB and BGRx have the dimensions height, width, channels; planar formats
 * such as RGBP have channels, height, width; GRAY8 has height, width. The bytes are those of the
 * frame, so BGRx has four channels.
 *
 * The tensor is read-only and holds the buffer, like that of [func@tensor_new_from_buffer]. Frames
 * with padded rows are copied, which is logged in the category `GST_PERFORMANCE`; GStreamer pads
 * rows if the width of RGB is not a multiple of 4.
 *
 * Fails with `C2G_ERROR_NOT_SUPPORTED` for formats that are not one array, such as I420; with
 * `C2G_ERROR_RANGE` if a GstVideoMeta places the frame outside of its buffer or contradicts @info;
 * and with `C2G_ERROR_BUSY` if the frame cannot be mapped.
 *
 * Returns: (transfer full): a tensor of uint8 or uint16
 */
C2gTensor *
c2g_gst_tensor_new_from_video_frame (GstBuffer           *buffer,
                                     const GstVideoInfo  *info,
                                     GError             **error)
{
  Layout layout = { 0 };
  HeldFrame *held;
  Planes planes;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (info != NULL && info->finfo != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!lay_out_video (&layout, info, error))
    return NULL;

  held = g_new (HeldFrame, 1);
  if (!c2g_gst_frame_map (&held->frame, info, buffer,
                          GST_MAP_READ | (GstMapFlags) GST_VIDEO_FRAME_MAP_FLAG_NO_REF, error))
    {
      g_free (held);
      return NULL;
    }
  c2g_gst_hold_init (&held->hold, buffer);
  planes = (Planes) { held->frame.data, held->frame.info.stride };

  return new_over_planes (&layout, &planes, release_frame, held, &held->hold, error);
}

typedef struct
{
  C2gGstHold     hold;
  GstAudioBuffer samples;
} HeldAudio;

static void
release_audio (gpointer data)
{
  HeldAudio *held = data;

  gst_audio_buffer_unmap (&held->samples);
  c2g_gst_hold_clear (&held->hold);
  g_free (held);
}

static gboolean
find_audio_type (const GstAudioInfo  *info,
                 C2gDataType         *data_type,
                 GError             **error)
{
  *data_type = c2g_gst_audio_get_data_type (GST_AUDIO_INFO_FORMAT (info));
  if (*data_type != C2G_DATA_TYPE_UNDEFINED)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("Samples of the format %s are no tensor; convert them to S16 or F32"),
               info->finfo->name);
  return FALSE;
}

/* GStreamer logs a programming error if the meta of an audio buffer contradicts the caps or is
 * larger than the buffer. So check first. */
static gboolean
has_samples (GstBuffer          *buffer,
             const GstAudioInfo *info)
{
  GstAudioMeta *meta = gst_buffer_get_audio_meta (buffer);

  if (meta == NULL)
    return GST_AUDIO_INFO_LAYOUT (info) == GST_AUDIO_LAYOUT_INTERLEAVED;

  return gst_audio_info_is_equal (&meta->info, info) &&
         meta->samples <= gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (info);
}

static gboolean
map_audio (GstAudioBuffer      *samples,
           const GstAudioInfo  *info,
           GstBuffer           *buffer,
           GError             **error)
{
  if (!has_samples (buffer, info))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_RANGE,
                         _("The buffer does not hold the samples that its GstAudioMeta and the caps "
                           "describe"));
  else if (!gst_audio_buffer_map (samples, info, buffer, GST_MAP_READ))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("The buffer cannot be mapped as samples of audio"));
  else
    return TRUE;

  return FALSE;
}

static void
lay_out_audio (Layout               *layout,
               const GstAudioBuffer *samples)
{
  const gint64 n_channels = GST_AUDIO_BUFFER_CHANNELS (samples);
  const gint64 n_samples = GST_AUDIO_BUFFER_N_SAMPLES (samples);
  const gboolean is_interleaved = GST_AUDIO_BUFFER_LAYOUT (samples) == GST_AUDIO_LAYOUT_INTERLEAVED;

  layout->dims[0] = is_interleaved ? n_samples : n_channels;
  layout->dims[1] = is_interleaved ? n_channels : n_samples;
  layout->n_dims = 2;
  layout->n_planes = GST_AUDIO_BUFFER_N_PLANES (samples);
  layout->n_rows = 1;
  layout->row_size = GST_AUDIO_BUFFER_PLANE_SIZE (samples);
}

/**
 * c2g_gst_tensor_new_from_audio_buffer:
 * @buffer: a buffer with samples
 * @info: the audio info from its caps
 * @error: return location for an error
 *
 * Creates a tensor over the memory of audio samples.
 *
 * Interleaved samples have the dimensions samples, channels; others have channels, samples. The
 * tensor is read-only and holds the buffer, like that of [func@tensor_new_from_buffer]. Channels
 * with gaps between them are copied, which is logged in the category `GST_PERFORMANCE`.
 *
 * Fails with `C2G_ERROR_NOT_SUPPORTED` for formats without an element type, such as S24LE and those
 * of the other byte order; with `C2G_ERROR_RANGE` if a GstAudioMeta describes more samples than the
 * buffer has or contradicts @info; and with `C2G_ERROR_BUSY` if the buffer cannot be mapped.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_gst_tensor_new_from_audio_buffer (GstBuffer           *buffer,
                                      const GstAudioInfo  *info,
                                      GError             **error)
{
  Layout layout = { 0 };
  HeldAudio *held;
  Planes planes;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (info != NULL && info->finfo != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!find_audio_type (info, &layout.data_type, error))
    return NULL;

  held = g_new (HeldAudio, 1);
  if (!map_audio (&held->samples, info, buffer, error))
    {
      g_free (held);
      return NULL;
    }
  c2g_gst_hold_init (&held->hold, buffer);
  lay_out_audio (&layout, &held->samples);
  planes = (Planes) { held->samples.planes, NULL };

  return new_over_planes (&layout, &planes, release_audio, held, &held->hold, error);
}
