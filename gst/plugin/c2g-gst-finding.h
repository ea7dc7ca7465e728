/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* Kinds of findings: classes of a whole frame, and boxes. */
#define C2G_GST_KIND_CLASS "c2g-classification"
#define C2G_GST_KIND_BOX   "c2g-detection"

/* How findings leave the element. Their kind is the name of structures and of regions; findings that have
 * places say where they are. Labels may be NULL. */
typedef struct
{
  const char        *kind;
  gboolean           has_places;
  const char *const *labels;
} C2gGstFindingForm;

/* NULL if the class has no name. */
const char   *c2g_gst_finding_get_label  (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form);
GstStructure *c2g_gst_finding_describe   (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form);
/* Appends "three 98.5 %", or "3 98.5 %" without labels, with left, top, width and height of places, and
 * a line feed. */
void          c2g_gst_finding_append_to  (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form,
                                          GString                 *text);
/* Programs in other languages than C find a region by its id only. */
void          c2g_gst_finding_add_region (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form,
                                          int                      id,
                                          GstBuffer               *buffer);

G_END_DECLS
