/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/numpy/c2g-numpy-private.h>

G_BEGIN_DECLS

/* Computes the size that c2g_npy_write() will write. The tensor must have passed
 * c2g_npy_check(). */
gboolean c2g_npy_measure (C2gTensor  *tensor,
                          guint64    *n_bytes,
                          GError    **error);

G_END_DECLS
