/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

/* Its headers warn without this. */
#define GST_USE_UNSTABLE_API
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>

G_BEGIN_DECLS

/* The primary context of a device. */
GstCudaContext *c2g_gst_cuda_ref_context (C2gDevice  *device,
                                          GError    **error);

G_END_DECLS
