/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Images whose shape does not matter: channels of so many places. */
typedef struct
{
  gint64   n_images;
  gint64   n_channels;
  gint64   n_places;
  gboolean channels_last;
} C2gPlanes;

/* An input with at least as many dimensions, and at least one channel. */
gboolean c2g_planes_read  (C2gPlanes    *self,
                           C2gOperator  *op,
                           guint         input,
                           C2gTensor    *tensor,
                           gsize         min_dims,
                           gboolean      channels_last,
                           GError      **error);

/* An input of floats, one for each of n. */
gboolean c2g_planes_input (C2gOperator  *op,
                           guint         input,
                           gint64        n,
                           const float **numbers,
                           GError      **error);

/* For each channel, scale times the sum of its numbers, or of the squares of their distances
 * from its center if there are centers.  These may be the results. */
void     c2g_planes_sum     (const C2gPlanes *self,
                             const float     *x,
                             const float     *centers,
                             double           scale,
                             float           *results);
/* Means and variances of the channels. */
void     c2g_planes_moments (const C2gPlanes *self,
                             const float     *x,
                             float           *means,
                             float           *variances);
/* y = scale (x - center) + shift, each of the channel; without centers these are 0.  y may be
 * x.  Centers keep the precision where they are much larger than the distances from them. */
void     c2g_planes_scale   (const C2gPlanes *self,
                             const float     *x,
                             const float     *centers,
                             const float     *scales,
                             const float     *shifts,
                             float           *y);

G_END_DECLS
