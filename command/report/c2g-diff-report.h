/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-comparison.h"

G_BEGIN_DECLS

/* A blob that is not the same in two files. */
typedef struct
{
  /* NULL for a file that does not have the blob. */
  C2gFileEntry  *entries[2];
  /* Set if the values were compared, because types and dimensions are equal. */
  gboolean       is_compared;
  C2gComparison  comparison;
  /* The first element that differs in both files, as text; NULL if there are no elements. */
  char          *first[2];
} C2gDifference;

void c2g_difference_free (C2gDifference *self);

/* The comparison of two files. */
typedef struct
{
  /* File names as the user wrote them. */
  const char   *names[2];
  C2gTolerance  tolerance;

  guint         n_blobs;
  /* The elements are of C2gDifference. */
  GPtrArray    *differences;
} C2gDiffReport;

C2gDiffReport *c2g_diff_report_new  (const char    *name_a,
                                     const char    *name_b,
                                     C2gTolerance   tolerance);
void           c2g_diff_report_free (C2gDiffReport *self);

void c2g_diff_report_print      (C2gDiffReport *self);
void c2g_diff_report_print_json (C2gDiffReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gDifference, c2g_difference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gDiffReport, c2g_diff_report_free)

G_END_DECLS
