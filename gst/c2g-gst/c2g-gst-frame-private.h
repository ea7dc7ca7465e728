/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Maps a frame as gst_video_frame_map() does, if all of its planes lie in the buffer.  GStreamer
 * believes what a GstVideoMeta says of them. */
gboolean c2g_gst_frame_map (GstVideoFrame       *frame,
                            const GstVideoInfo  *info,
                            GstBuffer           *buffer,
                            GstMapFlags          flags,
                            GError             **error);

G_END_DECLS
