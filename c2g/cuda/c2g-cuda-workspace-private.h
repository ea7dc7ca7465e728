/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* The workspace of cuBLAS for all work in the order of one stream; its size is always the same. It
 * is kept for the next product until the device runs out of memory. A product may be several
 * kernels, so only one thread has the workspace at a time. Any thread may take it. */
typedef struct _C2gCudaWorkspace C2gCudaWorkspace;

C2gCudaWorkspace *c2g_cuda_workspace_new   (void);
C2gCudaWorkspace *c2g_cuda_workspace_ref   (C2gCudaWorkspace  *self);
void              c2g_cuda_workspace_unref (C2gCudaWorkspace  *self);

/* *epoch is the epoch of the memory, to be passed to c2g_cuda_workspace_give(). */
C2gStorage       *c2g_cuda_workspace_take  (C2gCudaWorkspace  *self,
                                            C2gContext        *context,
                                            gsize              n_bytes,
                                            guint             *epoch,
                                            GError           **error);
void              c2g_cuda_workspace_give  (C2gCudaWorkspace  *self,
                                            C2gStorage        *storage,
                                            guint              epoch);

/* Returns the workspaces of a device that nobody has now to its allocator. */
void              c2g_cuda_workspace_release_all (int  device);

G_END_DECLS
