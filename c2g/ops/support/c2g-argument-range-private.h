/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Sets an error that names the argument unless is_right.  The first error is kept. */
void c2g_arguments_check_range (C2gArguments  *self,
                                const char    *name,
                                double         value,
                                gboolean       is_right);
void c2g_arguments_check_count (C2gArguments  *self,
                                const char    *name,
                                gint64         value,
                                gboolean       is_right);

/* Reads convolution_transform_strategy.  Returns TRUE for PRECOMPUTE: filters are constant, so an
 * engine may pack them into its own layout once instead of in each run. */
gboolean c2g_arguments_transform_once (C2gArguments *self);

G_END_DECLS
