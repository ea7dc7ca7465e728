/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Maps a frame like gst_video_frame_map(), but fails unless all of its planes are inside the
 * buffer: GStreamer trusts the offsets and strides in a GstVideoMeta. */
gboolean c2g_gst_frame_map (GstVideoFrame       *frame,
                            const GstVideoInfo  *info,
                            GstBuffer           *buffer,
                            GstMapFlags          flags,
                            GError             **error);

/* Runs a converter on a frame that c2g_gst_frame_map() has mapped. The frame is taken as progressive. */
gboolean c2g_gst_frame_convert (GstVideoFrame      *from,
                                GstVideoConverter  *converter,
                                GstVideoFrame      *to,
                                GError            **error);

G_END_DECLS
