/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* Decodes the grids of YOLO v3 and v4: (1, A · (5 + classes), height, width). Each cell has A
 * boxes, which are scaled from given sizes, the anchors, and moved inside of the cell. */
gboolean c2g_gst_yolo_grid_find (const C2gGstView  *view,
                                 GArray            *findings,
                                 GError           **error);

/* Parses "10x13,16x30" to an array of widths and heights; NULL gives none. */
GArray  *c2g_gst_yolo_grid_parse_anchors (const char  *text,
                                          GError     **error);

G_END_DECLS
