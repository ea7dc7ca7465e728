/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include <gst/audio/audio.h>

G_BEGIN_DECLS

/* Returns UNDEFINED for samples that are no elements. */
C2gDataType    c2g_gst_audio_get_data_type (GstAudioFormat format);
/* Returns UNKNOWN for elements that are no samples. */
GstAudioFormat c2g_gst_audio_get_format    (C2gDataType    data_type);

G_END_DECLS
