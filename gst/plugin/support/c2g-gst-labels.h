/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Class names are sent downstream in one sticky event. Each model adds its labels to the event, and
 * the names of the tensors that they are for. */

/* Makes an event with the content of EARLIER, which may be NULL, and the labels of another model. */
GstEvent           *c2g_gst_labels_add      (GstEvent          *earlier,
                                             const char *const *tensors,
                                             const char *const *labels);
/* Appends the content of EVENT to *ALL, which may be NULL. PREFIX is put before the names of
 * tensors. */
void                c2g_gst_labels_join     (GstEvent          **all,
                                             GstEvent           *event,
                                             const char         *prefix);
/* Returns the names with PREFIX, which may be NULL, before each of them. */
char              **c2g_gst_labels_add_prefix (const char *const *names,
                                               const char        *prefix);
gboolean            c2g_gst_labels_is_event (GstEvent          *event);
/* Returns the labels for a tensor; NULL if EVENT is NULL or has none. */
const char *const  *c2g_gst_labels_find     (GstEvent          *event,
                                             const char        *tensor);

G_END_DECLS
