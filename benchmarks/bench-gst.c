/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Tensors of frames of 1920 × 1080 pixels by c2gconvert, and the same frames scaled by GStreamer's own element. */

#include "bench.h"

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
            const char *line)
{
  g_autofree char *caps =
    g_strdup_printf ("video/x-raw,format=%s,width=1920,height=1080,framerate=30/1", format);
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
    return new_stream (#format, CONVERT);     \
  }                                           \
  static void *set_up_scale_##format (void)   \
  {                                           \
    return new_stream (#format, SCALE);       \
  }

DEFINE_SET_UPS (RGB)
DEFINE_SET_UPS (BGRx)
DEFINE_SET_UPS (I420)
DEFINE_SET_UPS (NV12)

#define ROWS(format)                                                    \
  { "convert-" #format, set_up_convert_##format, free_stream, run, 0 }, \
  {                                                                     \
    "scale-" #format, set_up_scale_##format, free_stream, run, 0        \
  }

int
main (int    argc,
      char **argv)
{
  static const BenchRow rows[] = { ROWS (RGB), ROWS (BGRx), ROWS (I420), ROWS (NV12) };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstPlugin) plugin = NULL;

  gst_init (NULL, NULL);
  plugin = gst_plugin_load_file (C2G_PLUGIN, &error);
  if (plugin == NULL)
    {
      g_printerr ("bench-gst: %s\n", error->message);
      return EXIT_FAILURE;
    }

  return bench_main (argc, argv, "c2g", c2g_get_version_string (), rows, G_N_ELEMENTS (rows));
}
