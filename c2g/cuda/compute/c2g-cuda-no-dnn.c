/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-dnn-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Compiled if there is no header of cuDNN. */

const C2gDeviceCompute *
c2g_cuda_dnn_get_compute (GError **error)
{
  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED, _("c2g was made without %s"), "cuDNN");
}

char *
c2g_cuda_dnn_describe (int device)
{
  return g_strdup_printf (_("c2g was made without %s"), "cuDNN");
}
