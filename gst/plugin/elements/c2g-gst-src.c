/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-src.h"

#include "support/c2g-gst-append.h"
#include "support/c2g-gst-rate.h"

#include <c2g-gst/c2g-gst-audio-private.h>
#include <c2g-gst/c2g-gst-seal-private.h>

#include <glib/gi18n-lib.h>

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (c2g_src_debug);
#define GST_CAT_DEFAULT c2g_src_debug

/**
 * SECTION:element-c2gsrc
 * @title: c2gsrc
 *
 * c2gsrc pushes the tensors of a program into a pipeline.
 *
 * It derives from appsrc, with all its properties and signals. It adds actions that push tensors
 * and set caps and times of the buffers. A push waits while the pipeline is busy.
 *
 * ## Example, of which a program finds the element by its name
 * |[
 * c2gsrc name=src video-format=rgb framerate=25/1 ! videoconvert ! autovideosink
 * ]|
 */
struct _C2gSrc
{
  GstAppSrc       parent_instance;

  /* The members below are protected by the object's lock. Tensors are frames of this video format,
   * unless it is UNKNOWN. */
  GstVideoFormat  video_format;
  /* Otherwise they are audio samples at this rate, unless it is 0. */
  int             audio_rate;
  /* Framerate; buffers have no times if fps_n is 0. */
  int             fps_n;
  int             fps_d;
  /* Number of frames or audio samples so far. */
  guint64         n_pushed;
  /* The result of a push when the stream has ended or failed; OK before. */
  GstFlowReturn   refusal;
};

enum
{
  PROP_0,
  PROP_VIDEO_FORMAT,
  PROP_AUDIO_RATE,
  PROP_FRAMERATE,
};

#define MAX_BUFFERS  4
/* GStreamer's limit on channels. */
#define MAX_CHANNELS 64

GST_DEBUG_CATEGORY_STATIC (performance_category);

G_DEFINE_FINAL_TYPE (C2gSrc, c2g_src, GST_TYPE_APP_SRC)
GST_ELEMENT_REGISTER_DEFINE (c2gsrc, "c2gsrc", GST_RANK_NONE, C2G_TYPE_SRC)

/* Properties */

static void
c2g_src_get_property (GObject    *object,
                      guint       prop_id,
                      GValue     *value,
                      GParamSpec *pspec)
{
  C2gSrc *self = C2G_SRC (object);

  GST_OBJECT_LOCK (self);
  if (prop_id == PROP_VIDEO_FORMAT)
    g_value_set_enum (value, self->video_format);
  else if (prop_id == PROP_AUDIO_RATE)
    g_value_set_int (value, self->audio_rate);
  else if (prop_id == PROP_FRAMERATE)
    gst_value_set_fraction (value, self->fps_n, self->fps_d);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
c2g_src_set_property (GObject      *object,
                      guint         prop_id,
                      const GValue *value,
                      GParamSpec   *pspec)
{
  C2gSrc *self = C2G_SRC (object);

  GST_OBJECT_LOCK (self);
  if (prop_id == PROP_VIDEO_FORMAT)
    self->video_format = g_value_get_enum (value);
  else if (prop_id == PROP_AUDIO_RATE)
    self->audio_rate = g_value_get_int (value);
  else if (prop_id == PROP_FRAMERATE)
    {
      self->fps_n = gst_value_get_fraction_numerator (value);
      self->fps_d = gst_value_get_fraction_denominator (value);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
c2g_src_change_state (GstElement     *element,
                      GstStateChange  transition)
{
  C2gSrc *self = C2G_SRC (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    {
      GST_OBJECT_LOCK (self);
      self->n_pushed = 0;
      GST_OBJECT_UNLOCK (self);
    }
  result = GST_ELEMENT_CLASS (c2g_src_parent_class)->change_state (element, transition);
  /* A stream that is stopped refuses nothing by itself any more: GstAppSrc does. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    {
      GST_OBJECT_LOCK (self);
      self->refusal = GST_FLOW_OK;
      GST_OBJECT_UNLOCK (self);
    }

  return result;
}

/* Buffers of tensors */

/* Sets the times from the number of audio samples, or of frames if RATE is 0. Without a rate or
 * framerate the buffer gets no times. */
static void
stamp (C2gSrc    *self,
       GstBuffer *buffer,
       gint64     n,
       int        rate)
{
  guint64 begin, end, second;

  GST_OBJECT_LOCK (self);
  second = rate > 0 ? GST_SECOND : (guint64) self->fps_d * GST_SECOND;
  rate = rate > 0 ? rate : self->fps_n;
  begin = self->n_pushed;
  end = self->n_pushed += n;
  GST_OBJECT_UNLOCK (self);

  GST_BUFFER_OFFSET (buffer) = begin;
  if (rate > 0)
    {
      GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (begin, second, rate);
      GST_BUFFER_DURATION (buffer) =
        gst_util_uint64_scale (end, second, rate) - GST_BUFFER_PTS (buffer);
    }
}

/* Seals a tensor for use in the pipeline. It is copied if others may write to its memory. */
static C2gTensor *
settle (C2gTensor  *tensor,
        GError    **error)
{
  g_autoptr (GError) local_error = NULL;

  if (c2g_gst_seal (tensor, &local_error))
    return g_object_ref (tensor);
  if (!g_error_matches (local_error, C2G_ERROR, C2G_ERROR_BUSY))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  GST_CAT_INFO (performance_category, "copying a tensor whose memory others may write");
  return c2g_tensor_clone (tensor, NULL, error);
}

static gboolean
append (GstBuffer   *buffer,
        const char  *name,
        C2gTensor   *tensor,
        GError     **error)
{
  g_autoptr (C2gTensor) settled = settle (tensor, error);

  return settled != NULL && c2g_gst_append_tensor (buffer, name, settled, NULL, error);
}

static GstSample *
new_tensors_sample (C2gSrc    *self,
                    GstBuffer *buffer)
{
  g_autoptr (GstCaps) caps = NULL;
  C2gGstRate rate = C2G_GST_RATE_UNKNOWN;

  GST_OBJECT_LOCK (self);
  if (self->fps_n > 0)
    rate = (C2gGstRate) { self->fps_n, self->fps_d };
  GST_OBJECT_UNLOCK (self);
  caps = c2g_gst_rate_add_to (rate, c2g_gst_caps_new_for_buffer (buffer));
  stamp (self, buffer, 1, 0);

  return gst_sample_new (buffer, caps, NULL, NULL);
}

static GstSample *
new_sample_of_tensor (C2gSrc     *self,
                      C2gTensor  *tensor,
                      GError    **error)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();

  return append (buffer, C2G_GST_LONE_NAME, tensor, error) ? new_tensors_sample (self, buffer) : NULL;
}

static GstSample *
new_sample_of_workspace (C2gSrc        *self,
                         C2gWorkspace  *workspace,
                         GError       **error)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_auto (GStrv) names = c2g_workspace_list_local_blobs (workspace);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_lookup_blob (workspace, names[i]);

      if (blob != NULL && c2g_blob_is_tensor (blob, NULL) &&
          !append (buffer, names[i], c2g_blob_get_tensor (blob, NULL), error))
        {
          g_prefix_error (error, _("Blob “%s”: "), names[i]);
          return NULL;
        }
    }

  return new_tensors_sample (self, buffer);
}

/* Frames of video */

/* Returns TRUE if all planes of the format have as many rows and bytes. */
static gboolean
has_equal_planes (const GstVideoFormatInfo *format)
{
  for (guint i = 0; i < format->n_components; i++)
    if (format->w_sub[i] != 0 || format->h_sub[i] != 0 || format->pixel_stride[i] != format->pixel_stride[0])
      return FALSE;

  return format->pixel_stride[0] > 0;
}

/* Computes the size of the frame. Returns FALSE if the size of the tensor does not fit the format. */
static gboolean
fit_frame (C2gTensor      *tensor,
           GstVideoFormat  format,
           GstVideoInfo   *info)
{
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);
  const gsize rows = finfo->n_planes > 1 ? 1 : 0;
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  if (!has_equal_planes (finfo) || n_dims < 2 || n_dims < rows + 2 || dims[rows] < 1 || dims[rows + 1] < 1 ||
      dims[rows] > G_MAXINT || dims[rows + 1] > G_MAXINT ||
      !gst_video_info_set_format (info, format, dims[rows + 1], dims[rows]))
    return FALSE;

  return c2g_tensor_get_n_bytes (tensor) == (gsize) finfo->n_planes * GST_VIDEO_INFO_HEIGHT (info) *
                                              GST_VIDEO_INFO_WIDTH (info) * finfo->pixel_stride[0];
}

/* Copies rows, because GStreamer pads them to multiples of 4 bytes. */
static GstBuffer *
copy_rows (C2gTensor           *tensor,
           const GstVideoInfo  *info,
           GError             **error)
{
  const gsize row_size = (gsize) GST_VIDEO_INFO_WIDTH (info) * info->finfo->pixel_stride[0];
  g_autoptr (C2gMapping) mapping = c2g_tensor_map (tensor, C2G_MAP_READ, error);
  GstBuffer *buffer = NULL;
  GstVideoFrame frame;
  const guint8 *from;

  if (mapping == NULL)
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  if (buffer == NULL || !gst_video_frame_map (&frame, (GstVideoInfo *) info, buffer, GST_MAP_WRITE))
    {
      gst_clear_buffer (&buffer);
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("There is no memory for a copy of the frame"));
      return NULL;
    }

  from = (const guint8 *) (gsize) c2g_mapping_get_address (mapping);
  GST_CAT_INFO (performance_category, "copying rows, which are padded in frames of video");
  for (guint plane = 0; plane < info->finfo->n_planes; plane++)
    for (int y = 0; y < GST_VIDEO_INFO_HEIGHT (info); y++, from += row_size)
      memcpy ((guint8 *) frame.data[plane] + (gsize) y * frame.info.stride[plane], from, row_size);
  gst_video_frame_unmap (&frame);

  return buffer;
}

static GstBuffer *
new_frame_buffer (C2gTensor           *tensor,
                  const GstVideoInfo  *info,
                  GError             **error)
{
  g_autoptr (C2gTensor) settled = NULL;

  if (c2g_tensor_get_n_bytes (tensor) != GST_VIDEO_INFO_SIZE (info))
    return copy_rows (tensor, info, error);

  settled = settle (tensor, error);
  return settled != NULL ? c2g_gst_buffer_new_from_tensor (settled, error) : NULL;
}

/* Returns TRUE if reading the frame gives the same tensor again. */
static gboolean
is_frame_of (C2gTensor          *tensor,
             GstBuffer          *buffer,
             const GstVideoInfo *info)
{
  g_autoptr (C2gTensor) frame = c2g_gst_tensor_new_from_video_frame (buffer, info, NULL);

  return frame != NULL &&
         c2g_tensor_get_data_type (frame) == c2g_tensor_get_data_type (tensor);
}

static GstSample *
new_frame_sample (C2gSrc          *self,
                  C2gTensor       *tensor,
                  GstVideoFormat   format,
                  GError         **error)
{
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstVideoInfo info;

  if (fit_frame (tensor, format, &info))
    {
      buffer = new_frame_buffer (tensor, &info, error);
      if (buffer == NULL)
        return NULL;
    }
  if (buffer == NULL || !is_frame_of (tensor, buffer, &info))
    {
      g_autofree char *text = c2g_tensor_to_string (tensor, 0);

      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("%s is no frame of the format %s"), text,
                   gst_video_format_to_string (format));
      return NULL;
    }

  GST_OBJECT_LOCK (self);
  GST_VIDEO_INFO_FPS_N (&info) = self->fps_n;
  GST_VIDEO_INFO_FPS_D (&info) = self->fps_d;
  GST_OBJECT_UNLOCK (self);
  caps = gst_video_info_to_caps (&info);
  stamp (self, buffer, 1, 0);

  return gst_sample_new (buffer, caps, NULL, NULL);
}

/* Samples of audio */

/* Rows of the tensor are samples, columns are channels. A tensor of one dimension has one channel. */
static GstSample *
new_audio_sample (C2gSrc     *self,
                  C2gTensor  *tensor,
                  int         rate,
                  GError    **error)
{
  const GstAudioFormat format = c2g_gst_audio_get_format (c2g_tensor_get_data_type (tensor));
  g_autoptr (C2gTensor) settled = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GstCaps) caps = NULL;
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  const gint64 n_channels = n_dims == 2 ? dims[1] : 1;
  GstAudioInfo info;

  if (format == GST_AUDIO_FORMAT_UNKNOWN || n_dims < 1 || n_dims > 2 || n_channels < 1 ||
      n_channels > MAX_CHANNELS)
    {
      g_autofree char *text = c2g_tensor_to_string (tensor, 0);

      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("%s has no samples of audio"), text);
      return NULL;
    }

  settled = settle (tensor, error);
  if (settled != NULL)
    buffer = c2g_gst_buffer_new_from_tensor (settled, error);
  if (buffer == NULL)
    return NULL;

  gst_audio_info_set_format (&info, format, rate, n_channels, NULL);
  caps = gst_audio_info_to_caps (&info);
  stamp (self, buffer, dims[0], rate);

  return gst_sample_new (buffer, caps, NULL, NULL);
}

/* The end of the stream */

static GstFlowReturn
get_refusal (C2gSrc *self)
{
  GstFlowReturn refusal;

  GST_OBJECT_LOCK (self);
  refusal = self->refusal;
  GST_OBJECT_UNLOCK (self);

  return refusal;
}

/* Keeps the first refusal until OK is set. */
static void
set_refusal (C2gSrc        *self,
             GstFlowReturn  refusal)
{
  GST_OBJECT_LOCK (self);
  if (self->refusal == GST_FLOW_OK || refusal == GST_FLOW_OK)
    self->refusal = refusal;
  GST_OBJECT_UNLOCK (self);
}

/* GstBaseSrc sends the end of the stream after an error, too, while buffers wait. A program that waits in a push
 * would never be woken then, because nobody takes buffers any more. */
static GstPadProbeReturn
event_cb (GstPad          *pad,
          GstPadProbeInfo *info,
          gpointer         data)
{
  C2gSrc *self = C2G_SRC (data);
  const GstEventType type = GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info));
  const gboolean is_waiting = gst_app_src_get_current_level_buffers (GST_APP_SRC (self)) > 0;

  if (type == GST_EVENT_FLUSH_STOP)
    set_refusal (self, GST_FLOW_OK);
  else if (type == GST_EVENT_EOS)
    {
      set_refusal (self, is_waiting ? GST_FLOW_ERROR : GST_FLOW_EOS);
      if (is_waiting)
        GST_BASE_SRC_CLASS (c2g_src_parent_class)->unlock (GST_BASE_SRC (self));
    }

  return GST_PAD_PROBE_OK;
}

/* Pushing, in threads of the program */

/* A tensor that cannot be pushed ends the stream, as an error of a source does. */
static GstFlowReturn
fail (C2gSrc *self,
      GError *error)
{
  set_refusal (self, GST_FLOW_ERROR);
  GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
  gst_app_src_end_of_stream (GST_APP_SRC (self));

  return GST_FLOW_ERROR;
}

/* Takes ownership of SAMPLE. NULL with an error set stops the pipeline. */
static GstFlowReturn
push (C2gSrc    *self,
      GstSample *sample,
      GError    *error)
{
  GstFlowReturn flow = get_refusal (self);

  if (flow == GST_FLOW_OK && sample == NULL)
    return fail (self, error);
  if (flow == GST_FLOW_OK)
    {
      GST_LOG_OBJECT (self, "The program gives %" GST_PTR_FORMAT, gst_sample_get_buffer (sample));
      flow = gst_app_src_push_sample (GST_APP_SRC (self), sample);
    }
  /* The stream may have failed while the push was waiting. */
  if (flow == GST_FLOW_FLUSHING && get_refusal (self) != GST_FLOW_OK)
    flow = get_refusal (self);
  if (flow != GST_FLOW_OK)
    GST_DEBUG_OBJECT (self, "A buffer is refused: %s", gst_flow_get_name (flow));
  g_clear_pointer (&sample, gst_sample_unref);

  return flow;
}

/* A program in another language may have nothing to push where it expected something. */
static GstSample *
refuse_null (const char  *action,
             GError     **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("%s got nothing to push"), action);
  return NULL;
}

static GstFlowReturn
push_tensor (C2gSrc    *self,
             C2gTensor *tensor)
{
  g_autoptr (GError) error = NULL;
  GstVideoFormat format;
  GstSample *sample;
  int rate;

  GST_OBJECT_LOCK (self);
  format = self->video_format;
  rate = self->audio_rate;
  GST_OBJECT_UNLOCK (self);
  if (tensor == NULL)
    sample = refuse_null ("push-tensor", &error);
  else if (format != GST_VIDEO_FORMAT_UNKNOWN)
    sample = new_frame_sample (self, tensor, format, &error);
  else if (rate > 0)
    sample = new_audio_sample (self, tensor, rate, &error);
  else
    sample = new_sample_of_tensor (self, tensor, &error);

  return push (self, sample, error);
}

static GstFlowReturn
push_workspace (C2gSrc       *self,
                C2gWorkspace *workspace)
{
  g_autoptr (GError) error = NULL;
  GstSample *sample;

  sample = workspace != NULL ? new_sample_of_workspace (self, workspace, &error) : refuse_null ("push-workspace", &error);

  return push (self, sample, error);
}

static void
c2g_src_class_init (C2gSrcClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_src_debug, "c2gsrc", 0, "tensors of a program");
  GST_DEBUG_CATEGORY_GET (performance_category, "GST_PERFORMANCE");

  object_class->get_property = c2g_src_get_property;
  object_class->set_property = c2g_src_set_property;
  g_object_class_install_property (
    object_class, PROP_VIDEO_FORMAT,
    g_param_spec_enum ("video-format", NULL,
                       "Tensors that are pushed are frames of this format, such as rgb",
                       GST_TYPE_VIDEO_FORMAT, GST_VIDEO_FORMAT_UNKNOWN,
                       G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
    object_class, PROP_AUDIO_RATE,
    g_param_spec_int ("audio-rate", NULL,
                      "Tensors that are pushed are samples of audio, so many a second; 0 for others", 0,
                      G_MAXINT, 0, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (
    object_class, PROP_FRAMERATE,
    gst_param_spec_fraction ("framerate", NULL,
                             "Frames a second, from which their times follow; 0 gives them none", 0, 1,
                             G_MAXINT, 1, 0, 1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_signal_new_class_handler ("push-tensor", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                              G_CALLBACK (push_tensor), NULL, NULL, NULL, GST_TYPE_FLOW_RETURN, 1,
                              C2G_TYPE_TENSOR);
  g_signal_new_class_handler ("push-workspace", type, G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
                              G_CALLBACK (push_workspace), NULL, NULL, NULL, GST_TYPE_FLOW_RETURN, 1,
                              C2G_TYPE_WORKSPACE);

  element_class->change_state = c2g_src_change_state;
  gst_element_class_set_static_metadata (element_class, "Tensor source", "Generic/Source",
                                         "Brings tensors of a program into a pipeline",
                                         "The c2g authors");
}

/* Block: a program that is faster than the pipeline waits. */
static void
c2g_src_init (C2gSrc *self)
{
  self->fps_d = 1;
  gst_pad_add_probe (GST_BASE_SRC_PAD (self), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH,
                     event_cb, self, NULL);
  g_object_set (self, "format", GST_FORMAT_TIME, "block", TRUE, "max-bytes", (guint64) 0,
                "max-buffers", (guint64) MAX_BUFFERS, NULL);
}
