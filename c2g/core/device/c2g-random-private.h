/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

/* A random generator (mt19937) with a lock, so that it can be shared. Without a seed the sequence
 * differs each time. */
typedef struct
{
  GMutex  lock;
  GRand  *rand;
} C2gRandom;

void     c2g_random_init    (C2gRandom    *self);
void     c2g_random_clear   (C2gRandom    *self);
void     c2g_random_seed    (C2gRandom    *self,
                             guint64       seed);

/* Check that numbers of the type can be drawn from the interval or distribution. */
gboolean c2g_random_check_uniform (C2gTypeMeta  *meta,
                                   double        low,
                                   double        high,
                                   GError      **error);
gboolean c2g_random_check_normal  (C2gTypeMeta  *meta,
                                   double        mean,
                                   double        deviation,
                                   GError      **error);

/* Draw every item. The arguments must have been checked. */
void     c2g_random_fill_uniform  (C2gRandom    *self,
                                   C2gTypeMeta  *meta,
                                   gpointer      items,
                                   gsize         n_items,
                                   double        low,
                                   double        high);
void     c2g_random_fill_normal   (C2gRandom    *self,
                                   C2gTypeMeta  *meta,
                                   gpointer      items,
                                   gsize         n_items,
                                   double        mean,
                                   double        deviation);

G_END_DECLS
