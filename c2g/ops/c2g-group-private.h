/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* What operators with filters in groups, and a bias for each, have in common. */

/* The argument, 1 at least. */
int      c2g_arguments_groups      (C2gArguments  *self);
/* Whether input 0 has channels for all groups. */
gboolean c2g_operator_check_groups (C2gOperator   *op,
                                    gint64         n_channels,
                                    gint64         n_groups,
                                    GError       **error);
/* Whether input 2 has a value for each of so many channels: n_in_group times n_groups. */
gboolean c2g_operator_check_bias   (C2gOperator   *op,
                                    C2gTensor     *bias,
                                    gint64         n_in_group,
                                    gint64         n_groups,
                                    GError       **error);

G_END_DECLS
