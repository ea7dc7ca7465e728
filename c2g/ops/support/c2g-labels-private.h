/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Class labels, and class probabilities instead of labels. */

/* Lower bound for probabilities, so that their logarithm is finite. */
#define C2G_MIN_PROBABILITY 1e-20f

/* Fails with an error that names the input unless label is in 0 … n_classes - 1. */
gboolean c2g_operator_check_label           (C2gOperator  *op,
                                             guint         input,
                                             gint64        label,
                                             gint64        n_classes,
                                             GError      **error);
/* Sets the error for a row that is not a probability distribution. Returns FALSE. */
gboolean c2g_operator_set_probability_error (C2gOperator  *op,
                                             guint         input,
                                             gint64        row,
                                             GError      **error);

G_END_DECLS
