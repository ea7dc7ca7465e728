/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How often a device was found to have been reset.  Of what was made in another epoch nothing is
 * left, and its handles and addresses may be those of something else by now: they are not for
 * CUDA any more.
 *
 * Nobody tells c2g of a reset.  It asks whenever something is made, handed out or given back, and
 * knows then about what is used. */

/* Asks CUDA. */
guint c2g_cuda_epoch_find  (int device);
/* What was found last. */
guint c2g_cuda_epoch_get   (int device);
/* How often any device was found to have been reset. */
guint c2g_cuda_epoch_total (void);

G_END_DECLS
