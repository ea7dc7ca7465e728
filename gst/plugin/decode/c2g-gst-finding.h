/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-decoder.h"

G_BEGIN_DECLS

/* Kinds of findings: the class of a whole frame, and boxes. */
#define C2G_GST_KIND_CLASS "c2g-classification"
#define C2G_GST_KIND_BOX   "c2g-detection"

/* How to output findings. KIND is the name of structures and regions. has_places tells whether the
 * findings have boxes. LABELS may be NULL. */
typedef struct
{
  const char        *kind;
  gboolean           has_places;
  const char *const *labels;
} C2gGstFindingForm;

/* Returns NULL if the class has no name. */
const char   *c2g_gst_finding_get_label  (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form);
GstStructure *c2g_gst_finding_describe   (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form);
/* Appends a line of text: "three 98.5 %", or "3 98.5 %" without labels; for boxes followed by left,
 * top, width and height. */
void          c2g_gst_finding_append_to  (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form,
                                          GString                 *text);
/* Sets an id on the region, because language bindings can only find regions by id. */
void          c2g_gst_finding_add_region (const C2gGstFinding     *self,
                                          const C2gGstFindingForm *form,
                                          int                      id,
                                          GstBuffer               *buffer);

G_END_DECLS
