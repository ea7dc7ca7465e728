/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* The bytes that one process sends to another to share memory of a device. n_dims dimensions
 * follow. */
typedef struct
{
  char                 magic[8];
  /* A random number of the exporting process: process ids are used again. */
  guint8               process[16];
  /* The UUID of the device: device numbers differ between processes. */
  cudaUUID_t           device;
  cudaIpcMemHandle_t   memory;
  cudaIpcEventHandle_t event;
  guint64              offset;
  guint64              n_bytes;
  gint32               data_type;
  guint32              n_dims;
  gint64               dims[];
} C2gCudaIpcHandle;

#define C2G_CUDA_IPC_MAGIC "c2g-ipc"

/* The random number of this process, the same in each call. */
const guint8 *c2g_cuda_ipc_get_process (void);
gboolean      c2g_cuda_ipc_find_uuid   (int          device,
                                        cudaUUID_t  *uuid,
                                        GError     **error);

G_END_DECLS
