/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The same for GStreamer as c2g-precompiled.h. */

#define _GNU_SOURCE

#include <gst/audio/audio.h>
#include <gst/base/base.h>
#include <gst/video/video.h>
