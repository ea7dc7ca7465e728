/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-finding.h"

#include <math.h>

/* Outputs of a finding of c2gdecode: a structure, a line of text, and a region of interest. */

const char *
c2g_gst_finding_get_label (const C2gGstFinding     *self,
                           const C2gGstFindingForm *form)
{
  return form->labels != NULL && self->index < g_strv_length ((char **) form->labels)
           ? form->labels[self->index]
           : NULL;
}

GstStructure *
c2g_gst_finding_describe (const C2gGstFinding     *self,
                          const C2gGstFindingForm *form)
{
  const char *label = c2g_gst_finding_get_label (self, form);
  GstStructure *structure = gst_structure_new (form->kind, "index", G_TYPE_UINT, self->index,
                                               "score", G_TYPE_DOUBLE, self->score, NULL);

  if (label != NULL)
    gst_structure_set (structure, "label", G_TYPE_STRING, label, NULL);
  if (form->has_places)
    gst_structure_set (structure, "x", G_TYPE_DOUBLE, self->x, "y", G_TYPE_DOUBLE, self->y,
                       "width", G_TYPE_DOUBLE, self->width, "height", G_TYPE_DOUBLE, self->height,
                       NULL);

  return structure;
}

void
c2g_gst_finding_append_to (const C2gGstFinding     *self,
                           const C2gGstFindingForm *form,
                           GString                 *text)
{
  const char *label = c2g_gst_finding_get_label (self, form);

  if (label != NULL)
    g_string_append (text, label);
  else
    g_string_append_printf (text, "%u", self->index);
  g_string_append_printf (text, " %.1f %%", 100 * self->score);
  if (form->has_places)
    g_string_append_printf (text, " %.0f %.0f %.0f %.0f", self->x, self->y, self->width, self->height);
  g_string_append_c (text, '\n');
}

/* The type of the region is a constant string, because GStreamer interns it: labels would stay in
 * memory forever. */
void
c2g_gst_finding_add_region (const C2gGstFinding     *self,
                            const C2gGstFindingForm *form,
                            int                      id,
                            GstBuffer               *buffer)
{
  const guint x = rint (self->x), y = rint (self->y);
  GstVideoRegionOfInterestMeta *region = gst_buffer_add_video_region_of_interest_meta (
    buffer, form->kind, x, y, rint (self->x + self->width) - x, rint (self->y + self->height) - y);

  region->id = id;
  gst_video_region_of_interest_meta_add_param (region, c2g_gst_finding_describe (self, form));
}
