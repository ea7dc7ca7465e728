/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_CUDA_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/cuda/c2g-cuda.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_CUDA_TYPE_IPC_EXPORT (c2g_cuda_ipc_export_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCudaIpcExport, c2g_cuda_ipc_export, C2G_CUDA, IPC_EXPORT, GObject)

C2G_AVAILABLE_IN_ALL
C2gCudaIpcExport *c2g_cuda_ipc_export_new            (C2gStorage        *storage,
                                                      C2gContext        *context,
                                                      GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gCudaIpcExport *c2g_cuda_ipc_export_new_for_tensor (C2gTensor         *tensor,
                                                      C2gContext        *context,
                                                      GError           **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
GBytes           *c2g_cuda_ipc_export_get_handle     (C2gCudaIpcExport  *self);
C2G_AVAILABLE_IN_ALL
C2gStorage       *c2g_cuda_ipc_export_get_storage    (C2gCudaIpcExport  *self);

C2G_AVAILABLE_IN_ALL
C2gStorage       *c2g_cuda_ipc_open_storage          (GBytes            *handle,
                                                      C2gContext        *context,
                                                      GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor        *c2g_cuda_ipc_open_tensor           (GBytes            *handle,
                                                      C2gContext        *context,
                                                      GError           **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
