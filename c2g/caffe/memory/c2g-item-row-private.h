/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-type-meta.h>

G_BEGIN_DECLS

/* Numbers of one type, on the CPU.  The core computes with floating-point types.  All other types, and
 * pairs of types, are computed as doubles here. */
typedef struct
{
  C2gDataType type;
  gsize       item_size;
  gsize       n;
  gpointer    elements;
} C2gItemRow;

typedef double (*C2gItemRowFunc) (C2gDataType   type,
                                  gconstpointer xs,
                                  gsize         n);

/* The type that a number stands for, if its elements are numbers. */
C2gTypeMeta *c2g_item_row_find_type (C2gDataType   data_type,
                                     GError      **error);

void   c2g_item_row_fill   (const C2gItemRow *self,
                            double            value);
void   c2g_item_row_scale  (const C2gItemRow *self,
                            double            factor);
/* Adds factor times another row of as many elements. */
void   c2g_item_row_add    (const C2gItemRow *self,
                            double            factor,
                            const C2gItemRow *x);
/* The result of func, one of c2g_items_asum(), c2g_items_sumsq() and c2g_items_amax(), for the row. */
double c2g_item_row_reduce (const C2gItemRow *self,
                            C2gItemRowFunc    func);

G_END_DECLS
