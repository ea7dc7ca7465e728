/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Checks for operators with groups of filters and a bias per filter. */

/* Checks that n_channels, those of input 0, is a multiple of n_groups. */
gboolean c2g_operator_check_groups (C2gOperator   *op,
                                    gint64         n_channels,
                                    gint64         n_groups,
                                    GError       **error);
/* Checks that input 2, the bias, has n_in_group × n_groups values. */
gboolean c2g_operator_check_bias   (C2gOperator   *op,
                                    C2gTensor     *bias,
                                    gint64         n_in_group,
                                    gint64         n_groups,
                                    GError       **error);

G_END_DECLS
