/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

G_BEGIN_DECLS

/* The epoch of a device is the number of resets that c2g has found. Nothing that was made in an
 * earlier epoch exists any more. Its handles and addresses may belong to new objects, so they must
 * not be passed to CUDA.
 *
 * CUDA does not report a reset. c2g asks when an object is made, handed out or given back; other
 * calls use the epoch that was found last. */

/* Numbers of resets found, for each device and in all; atomic. */
extern guint c2g_cuda_epochs[C2G_CUDA_MAX_DEVICES];
extern guint c2g_cuda_n_resets;

/* Asks CUDA, and returns the epoch. */
guint c2g_cuda_epoch_find (int device);

/* Returns the epoch that was found last. */
guint c2g_cuda_epoch_get  (int device);

/* Number of resets found on all devices. */
static inline guint
c2g_cuda_epoch_total (void)
{
  return (guint) g_atomic_int_get (&c2g_cuda_n_resets);
}

G_END_DECLS
