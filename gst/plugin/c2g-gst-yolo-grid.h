/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* YOLO v3 and v4 give grids instead of boxes: (1, A · (5 + classes), height, width).  Each cell
 * stretches A boxes of sizes that are given, the anchors, and moves them inside of itself. */
gboolean c2g_gst_yolo_grid_find (const C2gGstView  *view,
                                 GArray            *findings,
                                 GError           **error);

/* Reads "10x13,16x30" as an array of widths and heights; NULL gives none. */
GArray  *c2g_gst_yolo_grid_parse_anchors (const char  *text,
                                          GError     **error);

G_END_DECLS
