/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Labels, and probabilities in their place. */

/* Nobody is less sure. */
#define C2G_MIN_PROBABILITY 1e-20f

/* An error that names the blob, unless it is one of n_classes. */
gboolean c2g_operator_check_label           (C2gOperator  *op,
                                             guint         input,
                                             gint64        label,
                                             gint64        n_classes,
                                             GError      **error);
/* FALSE with an error: the probabilities of a row are none. */
gboolean c2g_operator_set_probability_error (C2gOperator  *op,
                                             guint         input,
                                             gint64        row,
                                             GError      **error);

G_END_DECLS
