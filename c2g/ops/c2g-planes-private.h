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

/* An input of floats, one for each of n; NULL with an error. */
float   *c2g_planes_input (C2gOperator  *op,
                           guint         input,
                           gint64        n,
                           GError      **error);

/* Sums over images and places: n_channels means and variances.  Images in the order of the
 * channels, several of them at once. */
void     c2g_planes_moments (const C2gPlanes *self,
                             const float     *x,
                             float           *means,
                             float           *variances);
/* Sums, and sums of the squares. */
void     c2g_planes_sums    (const C2gPlanes *self,
                             const float     *x,
                             float           *sums,
                             float           *square_sums);
/* y = x times the scale of its channel plus its shift; y may be x. */
void     c2g_planes_scale   (const C2gPlanes *self,
                             const float     *x,
                             const float     *scales,
                             const float     *shifts,
                             float           *y);

G_END_DECLS
