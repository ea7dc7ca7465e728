/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* A tensor seen as a matrix: the dimensions before an axis are the rows, the others are the
 * columns. */
typedef struct
{
  gint64 n_rows;
  gint64 n_columns;
} C2gMatrix;

/* Computes both sizes. A negative axis counts from the end. */
gboolean c2g_matrix_cut (C2gMatrix    *self,
                         C2gOperator  *op,
                         guint         input,
                         C2gTensor    *tensor,
                         int           axis,
                         GError      **error);

G_END_DECLS
