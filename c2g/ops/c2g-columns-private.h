/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-window-private.h>

G_BEGIN_DECLS

/* What the window sees, as a matrix: a convolution is then the product with its filters.
 * Outside of the image there are zeros.
 *
 * With the channels first, there is a row for each channel and place in the kernel, and a
 * column for each output; with the channels last it is the other way round. */
typedef struct
{
  const C2gWindowPlace *place;
  /* The first channel of the image; there are n_channels in this matrix. */
  const float          *image;
  gint64                n_channels;
  /* With the channels last: as many parts that n_channels are divided into, each of which has
   * its own columns. */
  gint64                n_groups;
  /* The outputs from begin up to end. */
  gint64                begin;
  gint64                end;
  float                *columns;
} C2gColumns;

/* Fills the matrix in, using several threads where that helps. */
void c2g_columns_fill       (const C2gColumns *self);
/* The same in this thread. */
void c2g_columns_fill_alone (const C2gColumns *self);

G_END_DECLS
