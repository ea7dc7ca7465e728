/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The names of a model's classes travel downstream in an event that stays on pads. */
GstEvent           *c2g_gst_labels_new_event (const char *const *labels);
/* The labels of an event; NULL if it has none. */
const char *const  *c2g_gst_labels_parse     (GstEvent          *event);

G_END_DECLS
