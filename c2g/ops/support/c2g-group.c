/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-group-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/* Checks of operators with groups of channels, such as Conv and GroupNorm. */

gboolean
c2g_operator_check_groups (C2gOperator  *op,
                           gint64        n_channels,
                           gint64        n_groups,
                           GError      **error)
{
  if (n_channels % n_groups == 0)
    return TRUE;
  return c2g_operator_set_shape_error (op, 0, error, _("a multiple of %" PRId64 " channels"),
                                       n_groups);
}

gboolean
c2g_operator_check_bias (C2gOperator  *op,
                         C2gTensor    *bias,
                         gint64        n_in_group,
                         gint64        n_groups,
                         GError      **error)
{
  const gint64 dims[] = { n_in_group, n_groups };
  gint64 n_channels;

  if (!c2g_shape_count (dims, G_N_ELEMENTS (dims), &n_channels, error))
    return FALSE;
  if (bias->n_dims == 1 && bias->dims[0] == n_channels)
    return TRUE;
  return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 "]", n_channels);
}
