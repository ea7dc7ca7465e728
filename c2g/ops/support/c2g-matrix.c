/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-matrix-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* A tensor seen as a matrix, cut at an axis. */

gboolean
c2g_matrix_cut (C2gMatrix    *self,
                C2gOperator  *op,
                guint         input,
                C2gTensor    *tensor,
                int           axis,
                GError      **error)
{
  const gint64 n_dims = tensor->n_dims;
  const gint64 cut = axis < 0 ? axis + n_dims : axis;

  if (cut < 0 || cut >= n_dims)
    return c2g_operator_set_shape_error (op, input, error, _("one that has the axis %d"), axis);

  return c2g_shape_count (tensor->dims, cut, &self->n_rows, error) &&
         c2g_shape_count (tensor->dims + cut, n_dims - cut, &self->n_columns, error);
}
