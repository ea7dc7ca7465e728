/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/c2g-cuda-users-private.h>

G_BEGIN_DECLS

/* Who uses which block, for an allocator that knows its blocks by their addresses alone.  Any
 * thread. */
typedef struct
{
  GMutex      lock;
  /* Block → C2gCudaUsers. */
  GHashTable *users;
  /* Atomic: how many blocks are in it. */
  int         n_blocks;
} C2gCudaUsersTable;

void          c2g_cuda_users_table_init   (C2gCudaUsersTable *self);
void          c2g_cuda_users_table_clear  (C2gCudaUsersTable *self);

/* Those of a block that is out, of which there is a list from then on. */
C2gCudaUsers *c2g_cuda_users_table_ensure (C2gCudaUsersTable *self,
                                           gpointer           block);
/* NULL if there is no list. */
C2gCudaUsers *c2g_cuda_users_table_find   (C2gCudaUsersTable *self,
                                           gpointer           block);
/* The same for the last time: the list is the caller's. */
C2gCudaUsers *c2g_cuda_users_table_take   (C2gCudaUsersTable *self,
                                           gpointer           block);

G_END_DECLS
