/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The names of classes travel downstream in one event that stays on pads.  Each model that it passes
 * adds its own to it, and says for which tensors they are. */

/* Makes an event with what earlier says, which may be NULL, and the labels of another model. */
GstEvent           *c2g_gst_labels_add      (GstEvent          *earlier,
                                             const char *const *tensors,
                                             const char *const *labels);
/* Adds all that another event says to that in all, which may be NULL, with text before the names of tensors. */
void                c2g_gst_labels_join     (GstEvent          **all,
                                             GstEvent           *event,
                                             const char         *prefix);
gboolean            c2g_gst_labels_is_event (GstEvent          *event);
/* The labels for a tensor; NULL if event is NULL or has none. */
const char *const  *c2g_gst_labels_find     (GstEvent          *event,
                                             const char        *tensor);

G_END_DECLS
