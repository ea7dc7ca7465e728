/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* The engine CUDNN: convolutions and poolings by cuDNN, where that is installed. What it does not
 * take is done as without it. */

/* What operators call that run by it; otherwise an error that says why it is not there. */
const C2gDeviceCompute *c2g_cuda_dnn_get_compute (GError **error);
/* "9.19.0", or why it is not there, or was of no use to the device.  Nothing is started. */
char                   *c2g_cuda_dnn_describe    (int device);

G_END_DECLS
