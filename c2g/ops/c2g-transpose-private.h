/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-dims-private.h>

G_BEGIN_DECLS

/* Puts the elements of an array in another order: axes[i] is which of its axes becomes
 * the i-th of the target.  There are elements, and the arrays do not overlap. */
void c2g_transpose (C2gTypeMeta    *meta,
                    const C2gDims  *dims,
                    const guint8   *axes,
                    gconstpointer   source,
                    gpointer        target);

G_END_DECLS
