/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* What cuBLAS works in, for all that goes on in the order of one stream, always as many bytes. It
 * is kept for whoever comes next, until a device runs out of memory; as long as one has it
 * nobody else does, for a product may be several kernels. Any thread. */
typedef struct _C2gCudaWorkspace C2gCudaWorkspace;

C2gCudaWorkspace *c2g_cuda_workspace_new   (void);
C2gCudaWorkspace *c2g_cuda_workspace_ref   (C2gCudaWorkspace  *self);
void              c2g_cuda_workspace_unref (C2gCudaWorkspace  *self);

/* The epoch is that of the memory, to be told when it is given back. */
C2gStorage       *c2g_cuda_workspace_take  (C2gCudaWorkspace  *self,
                                            C2gContext        *context,
                                            gsize              n_bytes,
                                            guint             *epoch,
                                            GError           **error);
void              c2g_cuda_workspace_give  (C2gCudaWorkspace  *self,
                                            C2gStorage        *storage,
                                            guint              epoch);

/* Those of a device that nobody has just now go back to its allocator. */
void              c2g_cuda_workspace_release_all (int  device);

G_END_DECLS
