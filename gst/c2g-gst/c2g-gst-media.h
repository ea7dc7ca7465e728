/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_GST_INSIDE) && !defined (C2G_GST_COMPILATION)
# error "Only <c2g-gst/c2g-gst.h> can be included directly."
#endif

#include <c2g/c2g.h>
#include <gst/audio/audio.h>
#include <gst/gst.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_gst_tensor_new_from_video_frame  (GstBuffer           *buffer,
                                                 const GstVideoInfo  *info,
                                                 GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_gst_tensor_new_from_audio_buffer (GstBuffer           *buffer,
                                                 const GstAudioInfo  *info,
                                                 GError             **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
