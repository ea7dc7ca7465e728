/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-labels.h"

#define NAME  "c2g-labels"
#define FIELD "labels"

GstEvent *
c2g_gst_labels_new_event (const char *const *labels)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_STICKY,
                               gst_structure_new (NAME, FIELD, G_TYPE_STRV, labels, NULL));
}

const char *const *
c2g_gst_labels_parse (GstEvent *event)
{
  const GValue *value;

  if (!gst_event_has_name (event, NAME))
    return NULL;

  value = gst_structure_get_value (gst_event_get_structure (event), FIELD);
  return value != NULL && G_VALUE_HOLDS (value, G_TYPE_STRV) ? g_value_get_boxed (value) : NULL;
}
