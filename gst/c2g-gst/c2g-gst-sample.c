/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-sample.h>

#include <c2g-gst/c2g-gst-frame-private.h>
#include <c2g-gst/c2g-gst-media.h>
#include <c2g-gst/c2g-gst-meta.h>
#include <c2g-gst/c2g-gst-private.h>

#include <glib/gi18n-lib.h>

/* Converts a sample that a program pulled from a sink to tensors: those attached to its buffer, and
 * the frame itself. */

/* Fills ROOM with the frame as RGB. */
static gboolean
convert (GstBuffer           *buffer,
         const GstVideoInfo  *info,
         const GstVideoInfo  *rgb,
         GstBuffer           *room,
         GError             **error)
{
  GstVideoInfo plain = *info;
  GstVideoConverter *converter = NULL;
  GstVideoFrame from, to;
  gboolean is_done = FALSE;

  plain.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  if (!c2g_gst_frame_map (&from, &plain, buffer, GST_MAP_READ, error))
    return FALSE;
  converter = gst_video_converter_new (&plain, rgb, NULL);
  if (converter != NULL && gst_video_frame_map (&to, rgb, room, GST_MAP_WRITE))
    {
      is_done = c2g_gst_frame_convert (&from, converter, &to, error);
      gst_video_frame_unmap (&to);
    }
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("A frame of the format %s cannot be converted to RGB"),
                 GST_VIDEO_INFO_NAME (info));
  gst_video_frame_unmap (&from);
  g_clear_pointer (&converter, gst_video_converter_free);

  return is_done;
}

/* Returns a copy of the frame in RGB, for formats over which no tensor can lie. */
static C2gTensor *
get_converted (GstBuffer           *buffer,
               const GstVideoInfo  *info,
               GError             **error)
{
  g_autoptr (GstBuffer) room = NULL;
  GstDebugCategory *performance = NULL;
  GstVideoInfo rgb;

  GST_DEBUG_CATEGORY_GET (performance, "GST_PERFORMANCE");
  GST_CAT_INFO (performance, "frames of the format %s are converted to RGB", GST_VIDEO_INFO_NAME (info));
  if (!gst_video_info_set_format (&rgb, GST_VIDEO_FORMAT_RGB, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info)))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_RANGE, _("The frame is too large for RGB"));
      return NULL;
    }
  /* The converter requires equal framerates. */
  rgb.fps_n = info->fps_n;
  rgb.fps_d = info->fps_d;
  room = gst_buffer_new_allocate (NULL, rgb.size, NULL);
  if (room == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("There is no memory for a copy of the frame"));

  return room != NULL && convert (buffer, info, &rgb, room, error) ? c2g_gst_tensor_new_from_video_frame (room, &rgb, error)
                                                                   : NULL;
}

/* Returns a tensor over the frame, or of a copy if MAY_CONVERT. NULL without an error if the sample is neither video nor
 * audio. ERROR must not be NULL. */
static C2gTensor *
get_frame (GstSample  *sample,
           gboolean    may_convert,
           GError    **error)
{
  C2gTensor *tensor;
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstCaps *caps = gst_sample_get_caps (sample);
  GstVideoInfo video;
  GstAudioInfo audio;

  if (buffer == NULL || caps == NULL || gst_caps_is_empty (caps) || gst_caps_is_any (caps))
    return NULL;
  if (gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw") &&
      gst_video_info_from_caps (&video, caps))
    {
      if (GST_VIDEO_INFO_INTERLACE_MODE (&video) == GST_VIDEO_INTERLACE_MODE_ALTERNATE)
        {
          g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                               _("A buffer has one field only; the element deinterlace makes frames of fields"));
          return NULL;
        }
      tensor = c2g_gst_tensor_new_from_video_frame (buffer, &video, error);
      if (tensor != NULL || !may_convert || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
        return tensor;
      g_clear_error (error);
      return get_converted (buffer, &video, error);
    }
  if (gst_structure_has_name (gst_caps_get_structure (caps, 0), "audio/x-raw") &&
      gst_audio_info_from_caps (&audio, caps))
    return c2g_gst_tensor_new_from_audio_buffer (buffer, &audio, error);

  return NULL;
}

static char **
list_attached (GstSample *sample)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);

  return buffer != NULL ? c2g_gst_buffer_list_tensors (buffer) : g_new0 (char *, 1);
}

/**
 * c2g_gst_sample_list_tensors:
 * @sample: a sample
 *
 * Lists the tensors of a sample.
 *
 * These are the tensors attached to its buffer and, if the sample is a video frame or audio that
 * can be a tensor, [const@FRAME].
 *
 * Returns: (transfer full) (array zero-terminated=1): their names
 */
char **
c2g_gst_sample_list_tensors (GstSample *sample)
{
  g_autoptr (C2gTensor) frame = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  GStrvBuilder *builder;
  char **all;

  g_return_val_if_fail (GST_IS_SAMPLE (sample), NULL);

  names = list_attached (sample);
  if (!g_strv_contains ((const char *const *) names, C2G_GST_FRAME))
    frame = get_frame (sample, FALSE, &error);
  if (frame == NULL)
    return g_steal_pointer (&names);

  builder = g_strv_builder_new ();
  g_strv_builder_addv (builder, (const char **) names);
  g_strv_builder_add (builder, C2G_GST_FRAME);
  all = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);

  return all;
}

/**
 * c2g_gst_sample_get_tensor:
 * @sample: a sample
 * @name: the name of an attached tensor, or [const@FRAME]
 * @error: return location for an error
 *
 * Gets a tensor of a sample, without a copy.
 *
 * An attached tensor is returned as by [func@buffer_get_tensor]. If none is named [const@FRAME],
 * that name means the frame itself, as by [func@tensor_new_from_video_frame] or
 * [func@tensor_new_from_audio_buffer], with their errors.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_NOT_FOUND`
 */
C2gTensor *
c2g_gst_sample_get_tensor (GstSample   *sample,
                           const char  *name,
                           GError     **error)
{
  g_autoptr (GError) local_error = NULL;
  g_auto (GStrv) names = NULL;
  C2gTensor *frame = NULL;

  g_return_val_if_fail (GST_IS_SAMPLE (sample), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  names = list_attached (sample);
  if (g_strv_contains ((const char *const *) names, name))
    return c2g_gst_buffer_get_tensor (gst_sample_get_buffer (sample), name, error);

  if (g_str_equal (name, C2G_GST_FRAME))
    frame = get_frame (sample, FALSE, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (frame == NULL && error != NULL)
    {
      g_auto (GStrv) all = c2g_gst_sample_list_tensors (sample);

      c2g_gst_set_no_tensor (name, (const char *const *) all, error);
    }

  return frame;
}

static gboolean
put (C2gWorkspace  *workspace,
     const char    *name,
     C2gTensor     *tensor,
     GError       **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_local_blob (workspace, name, error);

  if (blob != NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));

  return blob != NULL;
}

/**
 * c2g_gst_sample_fill_workspace:
 * @sample: a sample
 * @workspace: a workspace
 * @error: return location for an error
 *
 * Puts the tensors of a sample into blobs.
 *
 * Each tensor of [func@sample_list_tensors] becomes the content of the local blob with its name.
 * All of them are sealed. Other blobs do not change, so each blob has the last tensor of its name.
 * A frame over which no tensor can lie, such as one of I420, is left out if tensors are attached to
 * it. Otherwise it is [const@FRAME] all the same, as a copy in RGB, which the other functions do not
 * make; audio of such a format, and single fields of interlaced video, are
 * `C2G_ERROR_NOT_SUPPORTED`. Nothing else is copied.
 *
 * Returns: `TRUE` if all tensors are in the workspace
 */
gboolean
c2g_gst_sample_fill_workspace (GstSample     *sample,
                               C2gWorkspace  *workspace,
                               GError       **error)
{
  g_autoptr (C2gTensor) frame = NULL;
  g_autoptr (GError) local_error = NULL;
  g_auto (GStrv) names = NULL;

  g_return_val_if_fail (GST_IS_SAMPLE (sample), FALSE);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  names = list_attached (sample);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_sample_get_tensor (sample, names[i], error);

      if (tensor == NULL || !put (workspace, names[i], tensor, error))
        return FALSE;
    }

  if (!g_strv_contains ((const char *const *) names, C2G_GST_FRAME))
    frame = get_frame (sample, names[0] == NULL, &local_error);
  if (local_error != NULL && names[0] == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  return frame == NULL || put (workspace, C2G_GST_FRAME, frame, error);
}
