/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

#include "c2g-blob-summary.h"
#include "output/c2g-watch.h"

G_BEGIN_DECLS

/* The description of one file. */
typedef struct
{
  char         *argument;
  /* Set if the values were not read. */
  gboolean      is_list;
  /* NULL if the file could be loaded. The members below are valid only then. */
  GError       *error;

  C2gModelFile *model_file;
  /* The plan, if the file is a plan; then there are no blobs. */
  C2gPlanDef   *plan;
  GPtrArray    *blobs;

  guint64       n_tensors;
  guint64       n_elements;
  guint64       n_bytes;

  /* Peak and total memory while the file's blobs were read one by one. */
  guint64       peak_bytes;
  guint64       total_bytes;
} C2gFileSummary;

C2gFileSummary *c2g_file_summary_new  (const char     *argument,
                                       gboolean        is_list,
                                       C2gWatch       *watch);
void            c2g_file_summary_free (C2gFileSummary *self);

void c2g_file_summary_print        (C2gFileSummary *self,
                                    gboolean        has_colour);
/* Prints the totals of all files; some may have failed. */
void c2g_file_summaries_print_totals (GPtrArray   *summaries);
/* Prints an array of summaries as one JSON object. */
void c2g_file_summaries_print_json (GPtrArray      *summaries);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gFileSummary, c2g_file_summary_free)

G_END_DECLS
