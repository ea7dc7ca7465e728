/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* The engine CUDNN: convolution and pooling by cuDNN, where it is installed. Shapes that cuDNN does
 * not take are computed by the same functions as without this engine. */

/* Returns the functions for operators of the engine CUDNN; NULL with an error if cuDNN cannot be
 * used. */
const C2gDeviceCompute *c2g_cuda_dnn_get_compute (GError **error);
/* Returns the version ("9.19.0"), or the reason why cuDNN cannot be used. Makes no handle. */
char                   *c2g_cuda_dnn_describe    (int device);

G_END_DECLS
