/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-analytics.h"

#include <gst/analytics/analytics.h>

#include <math.h>

/* Adds findings to GStreamer's analytics meta, and converts that meta to regions of interest.
 * c2gdecode and c2goverlay call it. */

/* Limit on class indices that get a quark, because quarks are never freed. Class names come from
 * files of the user, but a tensor may come from a stranger and contain any index. */
#define MAX_INDEX 65535
/* Number of different colors of labels. */
#define N_COLORS  255

static GQuark
get_quark (const C2gGstFinding     *found,
           const C2gGstFindingForm *form)
{
  const char *label = c2g_gst_finding_get_label (found, form);
  char text[16];

  if (label != NULL)
    return g_quark_from_string (label);

  g_snprintf (text, sizeof text, "%u", found->index);
  return found->index <= MAX_INDEX ? g_quark_from_string (text) : 0;
}

void
c2g_gst_analytics_add (GstBuffer               *buffer,
                       const C2gGstFinding     *found,
                       const C2gGstFindingForm *form)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  const GQuark quark = get_quark (found, form);
  const int x = rint (found->x), y = rint (found->y);
  GstAnalyticsMtd added;

  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  if (form->has_places)
    gst_analytics_relation_meta_add_od_mtd (meta, quark, x, y, rint (found->x + found->width) - x,
                                            rint (found->y + found->height) - y, found->score, &added);
  else
    gst_analytics_relation_meta_add_one_cls_mtd (meta, found->score, quark, &added);
}

static int
add_clamped (int place,
             int length,
             int least)
{
  return (int) CLAMP ((gint64) place + length, least, G_MAXINT);
}

/* Adds a region in the form of c2gdecode. The color of a box depends on its index, which here comes
 * from the label. */
static void
add_region (GstBuffer  *regions,
            const char *kind,
            GQuark      quark,
            double      score,
            const int  *place)
{
  const char *known = g_quark_to_string (quark);
  const char *label = known != NULL ? known : "?";
  const int left = MAX (place[0], 0), top = MAX (place[1], 0);
  const int right = add_clamped (place[0], place[2], left), bottom = add_clamped (place[1], place[3], top);
  GstVideoRegionOfInterestMeta *region =
    gst_buffer_add_video_region_of_interest_meta (regions, kind, left, top, right - left, bottom - top);

  gst_video_region_of_interest_meta_add_param (
    region, gst_structure_new (kind, "index", G_TYPE_UINT, g_str_hash (label) % N_COLORS, "score", G_TYPE_DOUBLE, score,
                               "label", G_TYPE_STRING, label, NULL));
}

static void
add_object (GstBuffer         *regions,
            GstAnalyticsODMtd *object)
{
  int place[4];
  float score;

  if (gst_analytics_od_mtd_get_location (object, &place[0], &place[1], &place[2], &place[3], &score))
    add_region (regions, C2G_GST_KIND_BOX, gst_analytics_od_mtd_get_obj_type (object), score, place);
}

/* The class of the frame is the one with the highest score. */
static void
add_class (GstBuffer          *regions,
           GstAnalyticsClsMtd *found,
           const GstVideoInfo *info)
{
  const int place[] = { 0, 0, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info) };
  const gsize n = gst_analytics_cls_mtd_get_length (found);
  gsize best = 0;

  for (gsize i = 1; i < n; i++)
    if (gst_analytics_cls_mtd_get_level (found, i) > gst_analytics_cls_mtd_get_level (found, best))
      best = i;
  if (n > 0)
    add_region (regions, C2G_GST_KIND_CLASS, gst_analytics_cls_mtd_get_quark (found, best),
                gst_analytics_cls_mtd_get_level (found, best), place);
}

GstBuffer *
c2g_gst_analytics_to_regions (GstBuffer          *buffer,
                              const GstVideoInfo *info)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstBuffer *regions = gst_buffer_new ();
  gpointer state = NULL;
  GstAnalyticsMtd found;

  while (meta != NULL &&
         gst_analytics_relation_meta_iterate (meta, &state, GST_ANALYTICS_MTD_TYPE_ANY, &found))
    {
      const GstAnalyticsMtdType type = gst_analytics_mtd_get_mtd_type (&found);

      if (type == gst_analytics_od_mtd_get_mtd_type ())
        add_object (regions, &found);
      else if (type == gst_analytics_cls_mtd_get_mtd_type ())
        add_class (regions, &found, info);
    }

  return regions;
}
