/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "gst-harness.h"

#include <gst/analytics/analytics.h>

/* Helpers for tests of findings: the boxes and classes that elements attach to frames as GStreamer's analytics. */

/* GStreamer 1.28.6 leaks caps within caps that have nothing in common, and what objectdetectionoverlay draws. The leaks
 * tracer would report these, so they come in a process without it. */
static inline gboolean
is_apart (void)
{
  if (g_test_subprocess ())
    return TRUE;

  g_unsetenv ("GST_TRACERS");
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();

  return FALSE;
}

static inline gboolean
has_element (const char *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  if (factory == NULL)
    g_test_skip (name);
  return factory != NULL;
}

static inline void
assert_class (GstBuffer  *frame,
              const char *label)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (frame);
  GstAnalyticsMtd found;
  gpointer state = NULL;

  g_assert_nonnull (meta);
  g_assert_true (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_cls_mtd_get_mtd_type (), &found));
  g_assert_cmpstr (g_quark_to_string (gst_analytics_cls_mtd_get_quark (&found, 0)), ==, label);
  g_assert_cmpfloat (gst_analytics_cls_mtd_get_level (&found, 0), >, 0.8);
  g_assert_false (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_cls_mtd_get_mtd_type (), &found));
}

static inline void
add_values (GstBuffer    *buffer,
            const char   *name,
            const float  *values,
            const gint64 *dims,
            gsize         n_dims)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, NULL);
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

  for (gint64 i = 0; i < (gint64) c2g_tensor_get_n_elements (tensor); i++)
    data[i] = values[i];
  add_tensor (buffer, name, tensor);
}

#define RGBA "video/x-raw, format=(string)RGBA, width=(int)100, height=(int)50, framerate=(fraction)5/1"

static inline GstBuffer *
new_rgba (void)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 100 * 50 * 4, NULL);

  gst_buffer_memset (frame, 0, 0, -1);
  return frame;
}

static inline void
assert_object (GstBuffer  *frame,
               const char *label,
               int         x,
               int         y,
               int         width,
               int         height)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (frame);
  GstAnalyticsMtd found;
  gpointer state = NULL;
  int place[4];
  float score;

  g_assert_nonnull (meta);
  g_assert_true (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &found));
  g_assert_true (gst_analytics_od_mtd_get_location (&found, &place[0], &place[1], &place[2], &place[3], &score));
  g_assert_cmpint (place[0], ==, x);
  g_assert_cmpint (place[1], ==, y);
  g_assert_cmpint (place[2], ==, width);
  g_assert_cmpint (place[3], ==, height);
  g_assert_cmpfloat_with_epsilon (score, 0.75, 1e-6);
  g_assert_cmpstr (g_quark_to_string (gst_analytics_od_mtd_get_obj_type (&found)), ==, label);
  g_assert_false (gst_analytics_relation_meta_iterate (meta, &state, gst_analytics_od_mtd_get_mtd_type (), &found));
}
