/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Two numbers count as equal if their difference is within either tolerance. */
typedef struct
{
  double absolute;
  /* Relative to the larger absolute value of the two. */
  double relative;
} C2gTolerance;

/* The differences between two blobs of one name. */
typedef struct
{
  gint64   n_different;
  /* Index of the first element that differs; 0 for content that is not a tensor. */
  gint64   first;
  /* Number of elements that are NaN in only one of the blobs. */
  gint64   n_nan;
  /* Set if the elements are numbers. Then the largest differences follow; NaN if there is no other
   * difference. */
  gboolean has_numbers;
  double   absolute;
  double   relative;
} C2gComparison;

/* Compares two blobs. Tensors must have the same type and dimensions. */
gboolean c2g_comparison_of_blobs (C2gComparison       *self,
                                  C2gBlob             *a,
                                  C2gBlob             *b,
                                  const C2gTolerance  *tolerance,
                                  GError             **error);

G_END_DECLS
