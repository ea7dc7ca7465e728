/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gDevice *c2g_cuda_find_device (guint64   address,
                                 GError  **error);

G_END_DECLS
