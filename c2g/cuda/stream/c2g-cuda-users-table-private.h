/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/stream/c2g-cuda-users-private.h>

G_BEGIN_DECLS

/* The users of blocks, for an allocator that knows its blocks only by their addresses. Any thread
 * may use it. */
typedef struct
{
  GMutex      lock;
  /* Hash table: address of a block → C2gCudaUsers. */
  GHashTable *users;
  /* Number of blocks in the table, atomic. */
  int         n_blocks;
} C2gCudaUsersTable;

void          c2g_cuda_users_table_init   (C2gCudaUsersTable *self);
void          c2g_cuda_users_table_clear  (C2gCudaUsersTable *self);

/* Returns the users of an allocated block, and adds an empty list if there is none. */
C2gCudaUsers *c2g_cuda_users_table_ensure (C2gCudaUsersTable *self,
                                           gpointer           block);
/* Returns the users of a block; NULL if there is no list. */
C2gCudaUsers *c2g_cuda_users_table_find   (C2gCudaUsersTable *self,
                                           gpointer           block);
/* Removes the users of a block from the table; the caller owns them. */
C2gCudaUsers *c2g_cuda_users_table_take   (C2gCudaUsersTable *self,
                                           gpointer           block);

G_END_DECLS
