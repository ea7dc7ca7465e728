/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* Images whose spatial shape does not matter: n_places pixels per channel. */
typedef struct
{
  gint64   n_images;
  gint64   n_channels;
  gint64   n_places;
  gboolean channels_last;
} C2gPlanes;

/* Reads the sizes of an input, which must have min_dims dimensions or more and at least one
 * channel. */
gboolean c2g_planes_read  (C2gPlanes    *self,
                           C2gOperator  *op,
                           guint         input,
                           C2gTensor    *tensor,
                           gsize         min_dims,
                           gboolean      channels_last,
                           GError      **error);

/* Reads an input of n floats. */
gboolean c2g_planes_input (C2gOperator  *op,
                           guint         input,
                           gint64        n,
                           const float **numbers,
                           GError      **error);

/* Computes scale Σ x for each channel, or scale Σ (x - center)² if centers is not NULL.
 * results may be centers. */
void     c2g_planes_sum     (const C2gPlanes *self,
                             const float     *x,
                             const float     *centers,
                             double           scale,
                             float           *results);
/* Computes mean and variance of each channel. */
void     c2g_planes_moments (const C2gPlanes *self,
                             const float     *x,
                             float           *means,
                             float           *variances);
/* Computes y = scale (x - center) + shift with one value of each per channel.  y may be x.
 * Subtracting the center first keeps precision if it is large. */
void     c2g_planes_scale   (const C2gPlanes *self,
                             const float     *x,
                             const float     *centers,
                             const float     *scales,
                             const float     *shifts,
                             float           *y);

G_END_DECLS
