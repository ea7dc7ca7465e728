/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

/* Copies items that are not plain; this must not fail. */
typedef void (*C2gCopyItems) (C2gTypeMeta   *meta,
                              gsize          n_items,
                              gconstpointer  source,
                              gpointer       target);

/* Permutes the axes of an array: axis axes[i] of source becomes axis i of target. There must be
 * elements, and the arrays must not overlap. copy may be NULL if elements are plain. If the run
 * is cancelled, the rest of target stays as it is. */
void c2g_transpose (C2gTypeMeta   *meta,
                    C2gCopyItems   copy,
                    const gint64  *dims,
                    gsize          n_dims,
                    const int     *axes,
                    gconstpointer  source,
                    gpointer       target);

G_END_DECLS
