/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The difference up to which two numbers are the same: either kind is enough. */
typedef struct
{
  double absolute;
  /* To the greater of the two. */
  double relative;
} C2gTolerance;

/* The differences of two blobs of one name. */
typedef struct
{
  gint64   n_different;
  /* The first element that differs; of content that is no tensor, which has but one, 0. */
  gint64   first;
  /* The number of them that are NaN in one of the blobs, and numbers in the other. */
  gint64   n_nan;
  /* True if the elements are numbers.  Then the greatest differences follow, NaN if there is no
   * other. */
  gboolean has_numbers;
  double   absolute;
  double   relative;
} C2gComparison;

/* Two blobs; tensors have the same type and dimensions. */
gboolean c2g_comparison_of_blobs (C2gComparison       *self,
                                  C2gBlob             *a,
                                  C2gBlob             *b,
                                  const C2gTolerance  *tolerance,
                                  GError             **error);

G_END_DECLS
