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

/* Returns TRUE if a plane has a negative stride. GstVideoConverter crashes on such frames. */
gboolean c2g_gst_frame_stands_on_head (const GstVideoFrame *frame);

G_END_DECLS
