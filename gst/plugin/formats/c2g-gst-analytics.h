/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "decode/c2g-gst-finding.h"

G_BEGIN_DECLS

/* Adds an object or a class to the GstAnalyticsRelationMeta of a writable buffer. */
void       c2g_gst_analytics_add          (GstBuffer               *buffer,
                                           const C2gGstFinding     *found,
                                           const C2gGstFindingForm *form);
/* Makes a buffer that contains only a region of interest for each object and class of another
 * buffer. The caps of that one give the size of the frame. */
GstBuffer *c2g_gst_analytics_to_regions   (GstBuffer               *buffer,
                                           const GstVideoInfo      *info);

G_END_DECLS
