/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-inference.h"

#include "support/c2g-gst-copy.h"
#include "support/c2g-gst-labels.h"
#include "support/c2g-gst-model.h"
#include "support/c2g-gst-picture.h"
#include "support/c2g-gst-properties.h"
#include "support/c2g-gst-rate.h"
#include "support/c2g-gst-shape.h"
#include "support/c2g-gst-time.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

GST_DEBUG_CATEGORY_STATIC (c2g_inference_debug);
#define GST_CAT_DEFAULT c2g_inference_debug

/**
 * SECTION:element-c2ginference
 * @title: c2ginference
 *
 * c2ginference runs a model on each video frame and attaches its outputs.
 *
 * The frame is not modified. Still the element is in place and not in passthrough mode, because
 * only then does it get a writable buffer, to which it can add metas, behind a tee.
 *
 * In a tensor stream, the model gets the tensors with the names of its inputs. A model with a
 * single input gets the first tensor if none has its name. The result is a buffer with the outputs.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc ! c2ginference model=squeezenet preset=caffe2 ! c2gdecode ! \
 * c2goverlay ! videoconvert ! autovideosink
 * ]|
 */
struct _C2gInference
{
  GstBaseTransform    parent_instance;

  /* Properties. */
  C2gGstModelOptions  options;
  guint               n_threads;
  GstClockTime        throttle;
  gboolean            post_messages;

  /* Used in the streaming thread, from start() to stop(). PICTURE is set for video. */
  C2gGstModel        *model;
  C2gGstPicture      *picture;
  C2gTensor          *input;
  gboolean            has_sent_labels;
  gboolean            has_warned;
  /* TRUE while the present caps are refused: GStreamer sends them again. */
  gboolean            is_refusing;

  /* The members below are protected by the object's lock. INPUTS are the tensors that the model
   * accepts, or NULL without a model; caps queries come in any thread. */
  GstCaps            *inputs;
  /* Cancels the present run or, if there is none, the next one. */
  GCancellable       *cancellable;
  /* Frames before this running time are late, according to the sink. */
  GstClockTime        earliest;
  /* The longest run of late, which the latency follows; start() runs the model for a test. */
  C2gGstLongest       longest;
  /* For a live stream: how late a frame may arrive and still be run, which is the upstream latency
   * plus a margin. GST_CLOCK_TIME_NONE otherwise. */
  GstClockTime        allowed;
  /* Running time of the last frame that was run. */
  GstClockTime        last;
  /* When the first of the frames came that were late since then; GST_CLOCK_TIME_NONE if none was. */
  GstClockTime        late_since;
  guint64             n_frames;
  guint64             n_runs;
  guint64             n_skipped;
  guint64             n_throttled;
  GstClockTime        run_time;
  GstClockTime        last_run_time;
};

/* The formats that c2g converts itself come first, because a source that supports all formats
 * chooses the first one. */
#define VIDEO_CAPS GST_VIDEO_CAPS_MAKE ("{ RGB, BGRx, I420, NV12, GRAY8 }") "; " GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL)
#define CAPS       VIDEO_CAPS "; " C2G_GST_CAPS_TENSORS

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
                                                                     GST_PAD_ALWAYS,
                                                                     GST_STATIC_CAPS (CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
                                                                    GST_PAD_ALWAYS,
                                                                    GST_STATIC_CAPS (CAPS));

G_DEFINE_FINAL_TYPE (C2gInference, c2g_inference, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (c2ginference, "c2ginference", GST_RANK_NONE, C2G_TYPE_INFERENCE)

/* Properties */

#define FIELD(field)  G_STRUCT_OFFSET (C2gInference, field)
#define OPTION(field) FIELD (options.field)

/* The limit of C2gSettings:n-threads. */
#define MAX_THREADS 1024

static const C2gGstProperty properties[] = {
  { "model", "Folder with init_net and predict_net, INIT,PREDICT files, or a database with nets",
    OPTION (model), G_TYPE_STRING },
  { "labels", "File with the names of the classes, one a line; labels.txt beside the model if unset",
    OPTION (labels), G_TYPE_STRING },
  { "device", "Device of the model, such as cpu or cuda:0; that of its nets if unset",
    OPTION (device), G_TYPE_STRING },
  { "prefix", "Text before the names of the outputs, where a pipeline has several models",
    OPTION (prefix), G_TYPE_STRING },
  C2G_GST_PICTURE_PROPERTIES (C2gInference, options.picture),
  { "bytes", "Give pixels as bytes, in place of float", OPTION (picture.is_bytes), G_TYPE_BOOLEAN },
  { "threads", "Threads that models of this process share; 0 leaves their number as it is",
    FIELD (n_threads), G_TYPE_UINT, .most = MAX_THREADS },
  { "optimize", "Ways in which the net may be rewritten for speed", OPTION (optimize), G_TYPE_FLAGS,
    C2G_OPTIMIZE_ALL, c2g_optimize_flags_get_type },
  { "file-access", "The files that operators of the model may use", OPTION (file_access), G_TYPE_ENUM,
    C2G_FILE_ACCESS_MODEL, c2g_file_access_get_type },
  { "throttle", "Least nanoseconds from one frame that the model sees to the next one; 0 for all frames",
    FIELD (throttle), G_TYPE_UINT64, .when = GST_PARAM_MUTABLE_PLAYING },
  { "post-messages", "Post a message with the statistics for each frame", FIELD (post_messages),
    G_TYPE_BOOLEAN, .when = GST_PARAM_MUTABLE_PLAYING },
  { NULL },
};

/* Tolerance for times, since frames do not come at exact intervals. */
static GstClockTime
margin_of (C2gInference *self)
{
  return MAX (self->longest.duration / 4, 10 * GST_MSECOND);
}

/* Returns the latency to report; 0 until the model has run. */
static GstClockTime
latency_of (C2gInference *self)
{
  return self->longest.duration > 0 ? self->longest.duration + margin_of (self) : 0;
}

static GstStructure *
make_stats (C2gInference *self)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  const guint64 n_bytes = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  GstStructure *stats;

  GST_OBJECT_LOCK (self);
  stats = gst_structure_new ("c2ginference-stats",
                             "frames", G_TYPE_UINT64, self->n_frames,
                             "runs", G_TYPE_UINT64, self->n_runs,
                             "skipped", G_TYPE_UINT64, self->n_skipped,
                             "throttled", G_TYPE_UINT64, self->n_throttled,
                             "run-time", G_TYPE_UINT64, self->run_time,
                             "last-run-time", G_TYPE_UINT64, self->last_run_time,
                             "latency", G_TYPE_UINT64, latency_of (self),
                             "memory", G_TYPE_UINT64, n_bytes, NULL);
  GST_OBJECT_UNLOCK (self);

  return stats;
}

/* The statistics are the only property that is not in the table. */
static void
c2g_inference_get_property (GObject    *object,
                            guint       prop_id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  if (prop_id <= c2g_gst_properties_count (properties))
    c2g_gst_properties_get_value (object, prop_id, value, pspec);
  else
    g_value_take_boxed (value, make_stats (C2G_INFERENCE (object)));
}

/* Cancelling, in any thread */

static GCancellable *
ref_cancellable (C2gInference *self)
{
  GCancellable *cancellable;

  GST_OBJECT_LOCK (self);
  cancellable = g_object_ref (self->cancellable);
  GST_OBJECT_UNLOCK (self);

  return cancellable;
}

/* Handlers of the cancellable run here, so the object is not locked. */
static void
cancel (C2gInference *self)
{
  g_autoptr (GCancellable) cancellable = ref_cancellable (self);

  g_cancellable_cancel (cancellable);
}

/* Later runs get a new cancellable. */
static void
renew (C2gInference *self)
{
  GST_OBJECT_LOCK (self);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->earliest = self->last = self->late_since = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
c2g_inference_change_state (GstElement     *element,
                            GstStateChange  transition)
{
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    cancel (C2G_INFERENCE (element));

  return GST_ELEMENT_CLASS (c2g_inference_parent_class)->change_state (element, transition);
}

/* Time */

/* Handles a QoS event of a sink that shows frames too late. GstBaseTransform would drop frames;
 * here only the runs are skipped. */
static void
note_lateness (C2gInference *self,
               GstEvent        *event)
{
  GstClockTimeDiff lateness;
  GstClockTime timestamp;
  GstQOSType type;

  gst_event_parse_qos (event, &type, NULL, &lateness, &timestamp);
  GST_OBJECT_LOCK (self);
  if (!GST_CLOCK_TIME_IS_VALID (timestamp))
    self->earliest = GST_CLOCK_TIME_NONE;
  else if (type == GST_QOS_TYPE_THROTTLE)
    /* Throttling: the sink wants no frames during this time. */
    self->earliest = timestamp + MAX (lateness, 0);
  else if (lateness > 0)
    /* The frames in between have waited too, so add the lateness twice. */
    self->earliest = timestamp + 2 * (GstClockTime) lateness;
  else
    self->earliest = timestamp > -(GstClockTime) lateness ? timestamp + lateness : 0;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
c2g_inference_src_event (GstBaseTransform *transform,
                         GstEvent         *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
    note_lateness (C2G_INFERENCE (transform), event);

  return GST_BASE_TRANSFORM_CLASS (c2g_inference_parent_class)->src_event (transform, event);
}

/* The sink has said that it shows no frame before a later one. */
static gboolean
is_unwanted (C2gInference *self,
             GstClockTime  time)
{
  return GST_CLOCK_TIME_IS_VALID (self->earliest) && time < self->earliest;
}

/* In a live stream frames queue up during a run. If this frame is already so late that its run
 * would end too late, the run is skipped. A sink reports lateness only after it has dropped frames. */
static gboolean
would_be_late (C2gInference *self,
               GstClockTime  time,
               GstClockTime  now)
{
  return GST_CLOCK_TIME_IS_VALID (self->allowed) && GST_CLOCK_TIME_IS_VALID (now) &&
         now > time + self->allowed;
}

/* How long a model may see no frame of a live stream before a warning. */
#define PATIENCE GST_SECOND

/* Warns once that the model sees too few frames. */
static void
warn_of_lateness (C2gInference *self)
{
  guint64 n_frames, n_skipped;

  GST_OBJECT_LOCK (self);
  n_frames = self->n_frames;
  n_skipped = self->n_skipped;
  GST_OBJECT_UNLOCK (self);
  if (n_skipped == 0 || self->has_warned)
    return;
  self->has_warned = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
                       (_("%" PRIu64 " of %" PRIu64 " frames came too late for the model, and have no tensors: it is too slow for all "
                          "of them, or a queue is missing before c2ginference or behind it"),
                        n_skipped, n_frames),
                       (NULL));
}

/* After a seek backwards the time of the last run does not count. */
static gboolean
would_be_too_soon (C2gInference *self,
                   GstClockTime  time)
{
  return GST_CLOCK_TIME_IS_VALID (self->last) && time >= self->last &&
         time - self->last < self->throttle;
}

/* Counts the frame. Returns TRUE if its run is skipped. Frames without a time are always run. */
static gboolean
skip (C2gInference *self,
      GstBuffer    *buffer)
{
  GstClockTime time = c2g_gst_time_of (GST_BASE_TRANSFORM (self), buffer);
  GstClockTime now = gst_element_get_current_running_time (GST_ELEMENT (self));
  const gboolean has_time = GST_CLOCK_TIME_IS_VALID (time);
  GstClockTime pause = 0;
  gboolean is_behind, is_late, is_throttled, is_starved;

  GST_OBJECT_LOCK (self);
  is_throttled = has_time && would_be_too_soon (self, time);
  is_behind = has_time && !is_throttled && would_be_late (self, time, now);
  is_late = is_behind || (has_time && !is_throttled && is_unwanted (self, time));
  if (is_behind && !GST_CLOCK_TIME_IS_VALID (self->late_since))
    self->late_since = now;
  if (is_behind && now > self->late_since)
    pause = now - self->late_since;
  is_starved = pause > MAX (PATIENCE, 10 * self->longest.duration);
  self->n_frames++;
  self->n_throttled += is_throttled;
  self->n_skipped += is_late;
  if (!is_throttled && !is_late)
    {
      self->last = time;
      self->late_since = GST_CLOCK_TIME_NONE;
    }
  GST_OBJECT_UNLOCK (self);
  if (is_throttled || is_late)
    GST_DEBUG_OBJECT (self, "No run for the frame at %" GST_TIME_FORMAT ", which is %s", GST_TIME_ARGS (time),
                      is_late ? "late" : "too soon");
  if (is_starved)
    warn_of_lateness (self);

  return is_throttled || is_late;
}

/* Events */

static GstEvent *
make_labels (C2gInference *self,
             GstEvent     *earlier)
{
  return c2g_gst_labels_add (earlier, (const char *const *) self->model->names,
                             (const char *const *) self->model->labels);
}

static gboolean
c2g_inference_sink_event (GstBaseTransform *transform,
                          GstEvent         *event)
{
  C2gInference *self = C2G_INFERENCE (transform);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    cancel (self);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    renew (self);
  else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    warn_of_lateness (self);
  else if (c2g_gst_labels_is_event (event) && self->model->labels != NULL)
    {
      g_autoptr (GstEvent) earlier = event;

      event = make_labels (self, earlier);
      self->has_sent_labels = TRUE;
    }

  return GST_BASE_TRANSFORM_CLASS (c2g_inference_parent_class)->sink_event (transform, event);
}

static void
post_stats (C2gInference *self,
            GstBuffer    *buffer)
{
  GstStructure *stats;
  gboolean is_wanted;

  GST_OBJECT_LOCK (self);
  is_wanted = self->post_messages;
  GST_OBJECT_UNLOCK (self);
  if (!is_wanted)
    return;

  stats = make_stats (self);
  gst_structure_set (stats, "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (buffer), NULL);
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self), stats));
}

static void
note_latency (C2gInference *self,
              GstClockTime     duration)
{
  gboolean is_changing;

  GST_OBJECT_LOCK (self);
  is_changing = c2g_gst_longest_note (&self->longest, duration);
  GST_OBJECT_UNLOCK (self);

  if (is_changing)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_latency (GST_OBJECT (self)));
}

static void
note_run (C2gInference *self,
          GstClockTime     duration)
{
  GST_OBJECT_LOCK (self);
  self->n_runs++;
  self->run_time += duration;
  self->last_run_time = duration;
  GST_OBJECT_UNLOCK (self);
  GST_LOG_OBJECT (self, "The run took %" GST_TIME_FORMAT, GST_TIME_ARGS (duration));
  note_latency (self, duration);
}

static gboolean
answer_latency (C2gInference *self,
                GstQuery        *query)
{
  GstClockTime shortest, longest;
  gboolean is_live;

  gst_query_parse_latency (query, &is_live, &shortest, &longest);
  GST_OBJECT_LOCK (self);
  self->allowed = is_live && self->longest.duration > 0 ? shortest + margin_of (self) : GST_CLOCK_TIME_NONE;
  shortest += latency_of (self);
  if (GST_CLOCK_TIME_IS_VALID (longest))
    longest += latency_of (self);
  GST_OBJECT_UNLOCK (self);
  gst_query_set_latency (query, is_live, shortest, longest);
  GST_DEBUG_OBJECT (self, "The latency is %" GST_TIME_FORMAT, GST_TIME_ARGS (shortest));

  return TRUE;
}

static gboolean
c2g_inference_query (GstBaseTransform *transform,
                     GstPadDirection   direction,
                     GstQuery         *query)
{
  return GST_BASE_TRANSFORM_CLASS (c2g_inference_parent_class)->query (transform, direction, query) &&
         (direction != GST_PAD_SRC || GST_QUERY_TYPE (query) != GST_QUERY_LATENCY ||
          answer_latency (C2G_INFERENCE (transform), query));
}

/* The model */

/* Tensors of the model's own pixels come first, so that c2gconvert makes them. Others are taken, too. */
static GstCaps *
make_inputs (const C2gGstModel *model)
{
  const C2gDataType types[] = { model->form.data_type, C2G_DATA_TYPE_UNDEFINED };
  GstCaps *caps;

  if (!c2g_gst_model_takes_picture (model))
    return gst_caps_new_empty_simple (C2G_GST_CAPS_TENSORS);
  caps = c2g_gst_shape_new (&model->form, types, NULL, model->known);
  if (model->known != 0)
    gst_caps_append (caps, c2g_gst_shape_new (&model->form, types, NULL, 0));
  gst_caps_append (caps, gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS));

  return caps;
}

/* Takes ownership of CAPS. */
static void
set_inputs (C2gInference *self,
            GstCaps      *caps)
{
  GST_OBJECT_LOCK (self);
  gst_caps_take (&self->inputs, caps);
  GST_OBJECT_UNLOCK (self);
}

static gboolean
c2g_inference_start (GstBaseTransform *transform)
{
  C2gInference *self = C2G_INFERENCE (transform);
  g_autoptr (GCancellable) cancellable = NULL;
  g_autoptr (GError) error = NULL;
  gint64 duration;

  renew (self);
  cancellable = ref_cancellable (self);
  GST_OBJECT_LOCK (self);
  self->n_frames = self->n_runs = self->n_skipped = self->n_throttled = 0;
  self->run_time = self->last_run_time = 0;
  self->longest = (C2gGstLongest) { 0 };
  self->allowed = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  self->has_sent_labels = self->has_warned = self->is_refusing = FALSE;
  if (self->n_threads > 0)
    {
      g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

      c2g_settings_set_n_threads (settings, self->n_threads);
    }

  self->input = c2g_tensor_new ();
  self->model = c2g_gst_model_new (&self->options, cancellable, &error);
  if (self->model != NULL && c2g_gst_model_try (self->model, &duration, cancellable, &error))
    {
      GST_INFO_OBJECT (self, "A run of %s takes %" G_GINT64_FORMAT " µs; pictures of %d × %d, %s, %s; %u labels",
                       self->options.model, duration, self->model->form.width, self->model->form.height,
                       self->model->form.channels, self->model->form.is_nhwc ? "NHWC" : "NCHW",
                       self->model->labels != NULL ? g_strv_length (self->model->labels) : 0);
      note_latency (self, duration * 1000);
      set_inputs (self, make_inputs (self->model));
      return TRUE;
    }

  if (self->model != NULL)
    {
      c2g_gst_model_explain (self->model, &self->options, &error);
      g_prefix_error (&error, "%s: ", self->options.model);
      if (self->model->guess != NULL)
        g_prefix_error (&error, "%s ", self->model->guess);
    }
  GST_ELEMENT_ERROR (self, LIBRARY, INIT, ("%s", error->message), (NULL));
  g_clear_object (&self->input);
  g_clear_pointer (&self->model, c2g_gst_model_free);
  return FALSE;
}

static gboolean
c2g_inference_stop (GstBaseTransform *transform)
{
  C2gInference *self = C2G_INFERENCE (transform);

  set_inputs (self, NULL);
  g_clear_pointer (&self->picture, c2g_gst_picture_free);
  g_clear_object (&self->input);
  g_clear_pointer (&self->model, c2g_gst_model_free);

  return TRUE;
}

/* Caps */

static GstCaps *
list_inputs (C2gInference *self)
{
  GstCaps *caps = NULL;

  GST_OBJECT_LOCK (self);
  gst_caps_replace (&caps, self->inputs);
  GST_OBJECT_UNLOCK (self);

  return caps != NULL ? caps : gst_caps_new_empty_simple (C2G_GST_CAPS_TENSORS);
}

/* Video caps do not change; caps of tensors become those of the outputs. */
static GstCaps *
c2g_inference_transform_caps (GstBaseTransform *transform,
                              GstPadDirection   direction,
                              GstCaps          *caps,
                              GstCaps          *filter)
{
  g_autoptr (GstCaps) video = gst_caps_from_string (VIDEO_CAPS);
  g_autoptr (GstCaps) tensors = gst_caps_from_string (C2G_GST_CAPS_TENSORS);
  GstCaps *others = gst_caps_intersect_full (caps, video, GST_CAPS_INTERSECT_FIRST);

  if (gst_caps_can_intersect (caps, tensors))
    gst_caps_append (others, direction == GST_PAD_SINK ? gst_caps_from_string (C2G_GST_FLEXIBLE_CAPS)
                                                       : list_inputs (C2G_INFERENCE (transform)));

  return c2g_gst_caps_filter (others, filter);
}

/* The outputs get the framerate of the input. */
static GstCaps *
c2g_inference_fixate_caps (GstBaseTransform *transform,
                           GstPadDirection   direction,
                           GstCaps          *caps,
                           GstCaps          *others)
{
  GstCaps *fixed = gst_caps_fixate (others);

  return direction == GST_PAD_SINK ? c2g_gst_rate_add_to (c2g_gst_rate_of (caps), fixed) : fixed;
}

/* Caps of tensors reach set_caps() even if they do not fit, so that an error can say so. */
static gboolean
c2g_inference_accept_caps (GstBaseTransform *transform,
                           GstPadDirection   direction,
                           GstCaps          *caps)
{
  g_autoptr (GstCaps) tensors = gst_caps_from_string (C2G_GST_CAPS_TENSORS);

  return (direction == GST_PAD_SINK && gst_caps_is_subset (caps, tensors)) ||
         GST_BASE_TRANSFORM_CLASS (c2g_inference_parent_class)->accept_caps (transform, direction, caps);
}

static void
warn_once (C2gInference  *self,
           char         **text)
{
  if (*text != NULL)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", *text), (NULL));
  g_clear_pointer (text, g_free);
}

static gboolean
set_video (C2gInference  *self,
           GstCaps       *caps,
           GError       **error)
{
  GstVideoInfo info;

  warn_once (self, &self->model->guess);
  if (gst_video_info_from_caps (&info, caps))
    self->picture = c2g_gst_picture_new (&self->model->form, &info, error);

  return self->picture != NULL;
}

/* Warns if c2gconvert has made other pixels than the model wants. */
static void
check_pixels (C2gInference *self,
              GstCaps      *caps)
{
  g_autofree char *given = NULL;
  g_autofree char *wanted = NULL;

  if (!c2g_gst_shape_has_pixels (caps, &self->model->form, self->model->known, &given, &wanted))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
                         (_("The tensors have %s, and the model wants %s: c2gconvert needs the same preset or properties"), given,
                          wanted),
                         (NULL));
}

static gboolean
set_tensors (C2gInference  *self,
             GstCaps       *caps,
             GError       **error)
{
  g_autoptr (GstCaps) inputs = list_inputs (self);
  g_autoptr (GstCaps) chosen = c2g_gst_shape_choose (caps, c2g_predictor_get_inputs (self->model->predictor)[0]);
  g_autofree char *given = NULL;
  g_autofree char *wanted = NULL;

  check_pixels (self, chosen);
  if (gst_caps_is_subset (chosen, inputs))
    return TRUE;

  given = c2g_gst_caps_describe (caps, NULL);
  wanted = c2g_gst_caps_describe (inputs, NULL);
  g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("The tensors are %s, and the model takes %s"), given, wanted);
  return FALSE;
}

static gboolean
c2g_inference_set_caps (GstBaseTransform *transform,
                        GstCaps          *input,
                        GstCaps          *output)
{
  C2gInference *self = C2G_INFERENCE (transform);
  g_autoptr (GError) error = NULL;
  const gboolean is_video = gst_structure_has_name (gst_caps_get_structure (input, 0), "video/x-raw");
  gboolean is_set;

  GST_DEBUG_OBJECT (self, "Input: %" GST_PTR_FORMAT, input);
  warn_once (self, &self->model->conflict);
  g_clear_pointer (&self->picture, c2g_gst_picture_free);
  gst_base_transform_set_in_place (transform, is_video);
  is_set = (is_video ? set_video : set_tensors) (self, input, &error);
  if (error != NULL && !self->is_refusing)
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("%s", error->message), (NULL));
  self->is_refusing = error != NULL;

  return is_set;
}

/* For video, makes a copy that shares the memory of the frame; for tensors, an empty buffer for the
 * outputs. */
static GstFlowReturn
c2g_inference_prepare_output_buffer (GstBaseTransform  *transform,
                                     GstBuffer         *input,
                                     GstBuffer        **output)
{
  *output = gst_base_transform_is_in_place (transform) ? c2g_gst_copy_if_held (GST_ELEMENT (transform), input)
                                                       : c2g_gst_time_new_buffer (input);

  return *output != NULL ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Labels of earlier models in the pipeline have arrived by the first frame, so send them together. */
static void
send_labels (C2gInference *self)
{
  if (self->has_sent_labels || self->model->labels == NULL)
    return;

  gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self), make_labels (self, NULL));
  self->has_sent_labels = TRUE;
}

static gboolean
run_model (C2gInference    *self,
           C2gTensor      **inputs,
           guint            n_inputs,
           C2gGstGeometry  *geometry,
           GstBuffer       *buffer,
           GError         **error)
{
  g_autoptr (GCancellable) cancellable = ref_cancellable (self);
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs = 0;

  outputs = c2g_predictor_run (self->model->predictor, inputs, n_inputs, &n_outputs, cancellable, error);
  if (outputs == NULL)
    return FALSE;

  for (guint i = 0; i < n_outputs; i++)
    if (!c2g_gst_buffer_add_tensor (buffer, self->model->names[i], outputs[i], geometry, error))
      {
        if (g_error_matches (*error, C2G_ERROR, C2G_ERROR_EXISTS))
          g_prefix_error (error, _("The property “prefix” tells outputs of several models apart: "));
        return FALSE;
      }

  return TRUE;
}

static gboolean
run_on_frame (C2gInference  *self,
              GstBuffer     *frame,
              GstBuffer     *output,
              GError       **error)
{
  if (!c2g_gst_picture_convert (self->picture, frame, self->input, error))
    return FALSE;
  if (run_model (self, &self->input, 1, c2g_gst_picture_get_geometry (self->picture), output, error))
    return TRUE;

  c2g_gst_model_explain (self->model, &self->options, error);
  return FALSE;
}

/* Returns the tensors with the names of the model's inputs. If the model has one input and no
 * tensor has its name, returns the first tensor. */
static GPtrArray *
get_inputs (C2gInference        *self,
            GstBuffer           *buffer,
            const char *const   *tensors,
            C2gGstGeometry     **geometry,
            GError             **error)
{
  const char *const *names = c2g_predictor_get_inputs (self->model->predictor);
  const char *const first[] = { tensors[0], NULL };
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_object_unref);

  if (names[1] == NULL && !g_strv_contains (tensors, names[0]))
    names = first;
  *geometry = c2g_gst_buffer_get_geometry (buffer, names[0]);
  for (; *names != NULL; names++)
    {
      C2gTensor *tensor = c2g_gst_buffer_get_tensor (buffer, *names, error);

      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (inputs, tensor);
    }

  return g_steal_pointer (&inputs);
}

/* A buffer without tensors stays without. */
static gboolean
run_on_tensor (C2gInference  *self,
               GstBuffer     *input,
               GstBuffer     *output,
               GError       **error)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (input);
  g_autoptr (GPtrArray) inputs = NULL;
  C2gGstGeometry *geometry;

  if (names[0] == NULL)
    return TRUE;
  inputs = get_inputs (self, input, (const char *const *) names, &geometry, error);

  return inputs != NULL &&
         run_model (self, (C2gTensor **) inputs->pdata, inputs->len, geometry, output, error);
}

static GstFlowReturn
fail (C2gInference *self,
      const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;

  GST_ELEMENT_ERROR (self, STREAM, FAILED, ("%s: %s", self->options.model, error->message), (NULL));
  return GST_FLOW_ERROR;
}

static GstFlowReturn
c2g_inference_transform (GstBaseTransform *transform,
                         GstBuffer        *input,
                         GstBuffer        *output)
{
  C2gInference *self = C2G_INFERENCE (transform);
  GstClockTime begin = gst_util_get_timestamp ();
  g_autoptr (GError) error = NULL;

  send_labels (self);
  if (!skip (self, input))
    {
      if (!(self->picture != NULL ? run_on_frame : run_on_tensor) (self, input, output, &error))
        return fail (self, error);
      note_run (self, gst_util_get_timestamp () - begin);
    }
  post_stats (self, output);

  return GST_FLOW_OK;
}

static GstFlowReturn
c2g_inference_transform_ip (GstBaseTransform *transform,
                            GstBuffer        *buffer)
{
  return c2g_inference_transform (transform, buffer, buffer);
}

static void
c2g_inference_finalize (GObject *object)
{
  C2gInference *self = C2G_INFERENCE (object);

  c2g_gst_properties_clear (self, properties);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (c2g_inference_parent_class)->finalize (object);
}

static void
c2g_inference_class_init (C2gInferenceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (c2g_inference_debug, "c2ginference", 0, "models on video");

  object_class->get_property = c2g_inference_get_property;
  object_class->set_property = c2g_gst_properties_set_value;
  object_class->finalize = c2g_inference_finalize;
  c2g_gst_properties_install (object_class, properties);
  g_object_class_install_property (
    object_class, c2g_gst_properties_count (properties) + 1,
    g_param_spec_boxed ("stats", NULL,
                        "Counts of frames and runs, nanoseconds of runs and latency, bytes of memory",
                        GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  element_class->change_state = c2g_inference_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Inference", "Filter/Analyzer/Video",
                                         "Runs a model on each frame, and attaches its outputs",
                                         "The c2g authors");

  transform_class->start = c2g_inference_start;
  transform_class->stop = c2g_inference_stop;
  transform_class->transform_caps = c2g_inference_transform_caps;
  transform_class->fixate_caps = c2g_inference_fixate_caps;
  transform_class->accept_caps = c2g_inference_accept_caps;
  transform_class->set_caps = c2g_inference_set_caps;
  transform_class->sink_event = c2g_inference_sink_event;
  transform_class->src_event = c2g_inference_src_event;
  transform_class->query = c2g_inference_query;
  transform_class->prepare_output_buffer = c2g_inference_prepare_output_buffer;
  transform_class->transform_ip = c2g_inference_transform_ip;
  transform_class->transform = c2g_inference_transform;
}

static void
c2g_inference_init (C2gInference *self)
{
  c2g_gst_properties_init (self, properties);
  self->cancellable = g_cancellable_new ();
  self->earliest = self->last = self->late_since = GST_CLOCK_TIME_NONE;
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
}
