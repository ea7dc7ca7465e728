/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-boxes-private.h>

G_BEGIN_DECLS

/* Non-maximum suppression: of boxes that lie one over the other the best. */

typedef enum
{
  /* Others that overlap too much are gone. */
  C2G_NMS_HARD,
  /* Their scores get smaller. */
  C2G_NMS_LINEAR,
  C2G_NMS_GAUSSIAN,
} C2gNmsMethod;

typedef struct
{
  C2gNmsMethod method;
  float        threshold;
  float        sigma;
  float        min_score;
  gboolean     rotated;
  float        plus_one;
} C2gBoxNms;

typedef struct
{
  const float *box;
  float        score;
  gint64       index;
  gint64       class;
} C2gBoxCandidate;

typedef int (*C2gBoxCompare) (const C2gBoxCandidate *a,
                              const C2gBoxCandidate *b);

/* The best first; of equal ones that of the smaller class, then of the smaller index. */
int    c2g_box_compare_scores  (const C2gBoxCandidate *a,
                                const C2gBoxCandidate *b);
/* By class, then the best first. */
int    c2g_box_compare_classes (const C2gBoxCandidate *a,
                                const C2gBoxCandidate *b);
void   c2g_box_sort            (C2gBoxCandidate       *candidates,
                                gint64                 n,
                                C2gBoxCompare          compare);

/* Puts the first ones by that order in front, and sorts them. */
void   c2g_box_sort_first      (C2gBoxCandidate       *candidates,
                                gint64                 n,
                                gint64                 n_first,
                                C2gBoxCompare          compare);

/* Leaves those that are kept, at most so many, and returns how many they are. */
gint64 c2g_box_nms_run         (const C2gBoxNms       *self,
                                C2gBoxCandidate       *candidates,
                                gint64                 n,
                                gint64                 max_kept);

/* Room for so many; what was there stays. */
gboolean c2g_box_candidates_reserve (C2gTensor        *tensor,
                                     gint64            n,
                                     C2gBoxCandidate **candidates,
                                     GError          **error);

G_END_DECLS
