/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Measures tensors of frames of 1920 × 1080 pixels by c2gconvert, the same frames scaled by
 * GStreamer's own element, a model in a pipeline and alone, and tensors over buffers compared with
 * GLib and GStreamer. */

#include "bench.h"

#include <c2g-gst/c2g-gst.h>
#include <c2g/c2g.h>

#include <gst/check/gstharness.h>
#include <stdlib.h>

typedef struct
{
  GstHarness *harness;
  GstBuffer *frame;
} Stream;

static GstBuffer *
make_frame (const char *caps)
{
  g_autofree char *line =
    g_strdup_printf ("videotestsrc pattern=smpte num-buffers=1 ! capsfilter caps=\"%s\"", caps);
  GstHarness *source = gst_harness_new_parse (line);
  GstBuffer *frame;

  gst_harness_play (source);
  frame = gst_harness_pull (source);
  gst_harness_teardown (source);

  return frame;
}

static void *
new_stream (const char *format,
            int         width,
            int         height,
            const char *line)
{
  g_autofree char *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,framerate=30/1",
                                           format, width, height);
  Stream *self = g_new (Stream, 1);

  self->frame = make_frame (caps);
  self->harness = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (self->harness, caps);

  return self;
}

static void
free_stream (void *state)
{
  Stream *self = state;

  gst_buffer_unref (self->frame);
  gst_harness_teardown (self->harness);
  g_free (self);
}

static void
run (void *state,
     unsigned long n)
{
  Stream *self = state;

  for (; n > 0; n--)
    gst_buffer_unref (gst_harness_push_and_pull (self->harness, gst_buffer_ref (self->frame)));
}

#define CONVERT "c2gconvert size=224x224 mean=123.675,116.28,103.53 scale=1/58.395,1/57.12,1/57.375"
#define SCALE   "videoconvertscale ! capsfilter caps=video/x-raw,format=RGB,width=224,height=224"

#define DEFINE_SET_UPS(format)                \
  static void *set_up_convert_##format (void) \
  {                                           \
    return new_stream (#format, 1920, 1080, CONVERT); \
  }                                           \
  static void *set_up_scale_##format (void)   \
  {                                           \
    return new_stream (#format, 1920, 1080, SCALE); \
  }

DEFINE_SET_UPS (RGB)
DEFINE_SET_UPS (BGRx)
DEFINE_SET_UPS (I420)
DEFINE_SET_UPS (NV12)

/* A model */

typedef struct
{
  C2gPredictor *predictor;
  C2gTensor    *input;
} Model;

/* Returns the part of the pipeline before its model. */
static void *
set_up_convert_input (void)
{
  return new_stream ("RGB", 640, 480, "c2gconvert size=227x227 channels=BGR");
}

static C2gTensor *
make_input (void)
{
  Stream *stream = set_up_convert_input ();
  GstBuffer *buffer = gst_harness_push_and_pull (stream->harness, gst_buffer_ref (stream->frame));
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (buffer);
  C2gTensor *input = c2g_gst_buffer_get_tensor (buffer, names[0], NULL);

  gst_buffer_unref (buffer);
  free_stream (stream);

  return input;
}

static void *
set_up_model (void)
{
  g_autoptr (GFile) folder = g_file_new_for_path (C2G_MODEL);
  Model *self = g_new0 (Model, 1);

  self->predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, NULL);
  self->input = make_input ();

  return self;
}

static void
free_model (void *state)
{
  Model *self = state;

  g_object_unref (self->predictor);
  g_object_unref (self->input);
  g_free (self);
}

/* One frame takes as long as a whole sample of other rows, so these rows use several samples. */
#define N_FRAMES 10

static void
run_model (void *state,
           unsigned long n)
{
  Model *self = state;
  guint n_outputs;

  for (n *= N_FRAMES; n > 0; n--)
    g_free (c2g_predictor_run (self->predictor, &self->input, 1, &n_outputs, NULL, NULL));
}

static void
run_frames (void *state,
            unsigned long n)
{
  run (state, n * N_FRAMES);
}

static void *
set_up_classify (void)
{
  return new_stream ("RGB", 640, 480, "c2ginference model=" C2G_MODEL " channels=BGR ! c2gdecode");
}

/* Memory */

#define N_BYTES 4096

static void *
set_up_tensor (void)
{
  C2gTensor *tensor = c2g_tensor_new_sized ((const gint64[]){ N_BYTES }, 1, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_UINT8, NULL));
  g_assert_true (c2g_tensor_seal (tensor, NULL));

  return tensor;
}

static void
free_object (void *state)
{
  g_object_unref (state);
}

static void
run_buffer_of_tensor (void *state,
                      unsigned long n)
{
  for (; n > 0; n--)
    gst_buffer_unref (c2g_gst_buffer_new_from_tensor (state, NULL));
}

static void
run_wrapped (void *state,
             unsigned long n)
{
  static guint8 bytes[N_BYTES];

  for (; n > 0; n--)
    gst_buffer_unref (gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, bytes, N_BYTES, 0, N_BYTES, NULL, NULL));
}

static void *
set_up_buffer (void)
{
  return gst_buffer_new_allocate (NULL, N_BYTES, NULL);
}

static void
free_buffer (void *state)
{
  gst_buffer_unref (state);
}

static void
run_tensor_of_buffer (void *state,
                      unsigned long n)
{
  const gint64 dims[] = { N_BYTES };

  for (; n > 0; n--)
    g_object_unref (c2g_gst_tensor_new_from_buffer (state, C2G_DATA_TYPE_UINT8, dims, 1, NULL));
}

static void
run_tensor_of_memory (void *state,
                      unsigned long n)
{
  const gint64 dims[] = { N_BYTES };

  for (; n > 0; n--)
    g_object_unref (c2g_gst_tensor_new_from_memory (gst_buffer_peek_memory (state, 0), C2G_DATA_TYPE_UINT8, dims,
                                                    1, NULL));
}

static void
run_object (void *state,
            unsigned long n)
{
  for (; n > 0; n--)
    g_object_unref (g_object_new (G_TYPE_OBJECT, NULL));
}

#define ROWS(format)                                                    \
  { "convert-" #format, set_up_convert_##format, free_stream, run, 0 }, \
  {                                                                     \
    "scale-" #format, set_up_scale_##format, free_stream, run, 0        \
  }

int
main (int    argc,
      char **argv)
{
  /* The last three rows need the model. */
  static const BenchRow rows[] = {
    ROWS (RGB),
    ROWS (BGRx),
    ROWS (I420),
    ROWS (NV12),
    { "buffer-of-tensor", set_up_tensor, free_object, run_buffer_of_tensor, 0 },
    { "wrapped", NULL, NULL, run_wrapped, 0 },
    { "tensor-of-buffer", set_up_buffer, free_buffer, run_tensor_of_buffer, 0 },
    { "tensor-of-memory", set_up_buffer, free_buffer, run_tensor_of_memory, 0 },
    { "object", NULL, NULL, run_object, 0 },
    { "convert-input", set_up_convert_input, free_stream, run_frames, 0 },
    { "classify", set_up_classify, free_stream, run_frames, 0 },
    { "model", set_up_model, free_model, run_model, 0 },
  };
  const gulong n_rows = G_N_ELEMENTS (rows) - (g_file_test (C2G_MODEL, G_FILE_TEST_EXISTS) ? 0 : 3);
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GstPlugin) plugin = NULL;

  /* Idle threads of a model wait in a loop, which would count as processor time. */
  c2g_settings_set_n_threads (settings, 1);
  gst_init (NULL, NULL);
  plugin = gst_plugin_load_file (C2G_PLUGIN, &error);
  if (plugin == NULL)
    {
      g_printerr ("bench-gst: %s\n", error->message);
      return EXIT_FAILURE;
    }

  return bench_main (argc, argv, "c2g", c2g_get_version_string (), rows, n_rows);
}
