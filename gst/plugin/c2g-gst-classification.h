/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The class that a model finds most likely. */
typedef struct
{
  guint       index;
  double      score;
  /* Borrowed from the labels, NULL if there is none. */
  const char *label;
} C2gGstClassification;

/* FALSE without an error if no score is finite. */
gboolean c2g_gst_classification_find (C2gGstClassification  *self,
                                      C2gTensor             *scores,
                                      const char *const     *labels,
                                      GError               **error);
/* "three 98.5 %", or "3 98.5 %" without labels, and a line feed. */
char    *c2g_gst_classification_to_string (const C2gGstClassification *self);

G_END_DECLS
