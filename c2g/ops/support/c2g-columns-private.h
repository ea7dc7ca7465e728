/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/support/c2g-window-private.h>

G_BEGIN_DECLS

/* im2col: the inputs under the window as a matrix, so that a convolution becomes a product with
 * the filters. Padding gives zeros.
 *
 * In NCHW the matrix has a row for each channel and kernel position, and a column for each output.
 * In NHWC it is the transpose of that. */
typedef struct
{
  const C2gWindowPlace *place;
  /* First channel of the image. The matrix covers n_channels channels from there. */
  const float          *image;
  gint64                n_channels;
  /* NHWC only: number of groups that n_channels is divided into. Each group has its own
   * columns. */
  gint64                n_groups;
  /* Range of outputs, without end. */
  gint64                begin;
  gint64                end;
  float                *columns;
} C2gColumns;

/* Fills the matrix, in several threads if that pays. */
void c2g_columns_fill       (const C2gColumns *self);
/* Fills the matrix in the calling thread. */
void c2g_columns_fill_alone (const C2gColumns *self);

G_END_DECLS
