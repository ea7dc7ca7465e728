/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/c2g-dims-private.h>

G_BEGIN_DECLS

/* Permutes the axes of an array: axis axes[i] of source becomes axis i of target.  There must be
 * elements, and the arrays must not overlap. */
void c2g_transpose (C2gTypeMeta    *meta,
                    const C2gDims  *dims,
                    const guint8   *axes,
                    gconstpointer   source,
                    gpointer        target);

G_END_DECLS
