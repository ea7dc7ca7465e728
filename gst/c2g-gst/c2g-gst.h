/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define C2G_GST_INSIDE
#include <c2g-gst/c2g-gst-allocator.h>
#include <c2g-gst/c2g-gst-caps.h>
#include <c2g-gst/c2g-gst-context.h>
#include <c2g-gst/c2g-gst-geometry.h>
#include <c2g-gst/c2g-gst-media.h>
#include <c2g-gst/c2g-gst-meta.h>
#include <c2g-gst/c2g-gst-sample.h>
#include <c2g-gst/c2g-gst-tensor.h>
#include <c2g-gst/c2g-gst-write.h>
#undef C2G_GST_INSIDE
