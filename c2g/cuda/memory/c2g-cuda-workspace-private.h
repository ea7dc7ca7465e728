/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* Scratch memory for all work in the order of one stream. It is kept for the next call until the
 * device runs out of memory. The work of a call may be several kernels, so only one thread has the
 * workspace at a time; another one gets new memory. Any thread may take it. */
typedef struct _C2gCudaWorkspace C2gCudaWorkspace;

/* name is a constant string, by which reports call the memory. */
C2gCudaWorkspace *c2g_cuda_workspace_new   (const char        *name);
C2gCudaWorkspace *c2g_cuda_workspace_ref   (C2gCudaWorkspace  *self);
void              c2g_cuda_workspace_unref (C2gCudaWorkspace  *self);

/* Memory that was taken from a workspace: at least as many bytes as wanted. It may be given back as
 * soon as the kernels are started, because those are done in the order of the stream. Without a
 * workspace the memory is freed then: contexts that live as long as the process keep nothing. */
typedef struct
{
  C2gCudaWorkspace *workspace;
  C2gStorage       *storage;
  guint             epoch;
  gpointer          address;
} C2gCudaScratch;

gboolean          c2g_cuda_scratch_take    (C2gCudaScratch    *self,
                                            C2gCudaWorkspace  *workspace,
                                            C2gContext        *context,
                                            gsize              n_bytes,
                                            GError           **error);
/* Gives the memory back, if there is any. */
void              c2g_cuda_scratch_give    (C2gCudaScratch    *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (C2gCudaScratch, c2g_cuda_scratch_give)

/* Returns the workspaces of a device that nobody has now to its allocator. */
void              c2g_cuda_workspace_release_all (int  device);

G_END_DECLS
