/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/stream/c2g-cuda-users-table-private.h>

void
c2g_cuda_users_table_init (C2gCudaUsersTable *self)
{
  g_mutex_init (&self->lock);
  self->users = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) c2g_cuda_users_free);
}

void
c2g_cuda_users_table_clear (C2gCudaUsersTable *self)
{
  g_clear_pointer (&self->users, g_hash_table_unref);
  g_mutex_clear (&self->lock);
}

C2gCudaUsers *
c2g_cuda_users_table_ensure (C2gCudaUsersTable *self,
                             gpointer           block)
{
  C2gCudaUsers *users;

  g_mutex_lock (&self->lock);
  users = g_hash_table_lookup (self->users, block);
  if (users == NULL)
    {
      users = c2g_cuda_users_new ();
      g_hash_table_insert (self->users, block, users);
      g_atomic_int_inc (&self->n_blocks);
    }
  g_mutex_unlock (&self->lock);

  return users;
}

/* Needs no lock: a use that a caller looks up was recorded before. */
static gboolean
is_empty (C2gCudaUsersTable *self)
{
  return g_atomic_int_get (&self->n_blocks) == 0;
}

C2gCudaUsers *
c2g_cuda_users_table_find (C2gCudaUsersTable *self,
                           gpointer           block)
{
  C2gCudaUsers *users;

  if (is_empty (self))
    return NULL;

  g_mutex_lock (&self->lock);
  users = g_hash_table_lookup (self->users, block);
  g_mutex_unlock (&self->lock);

  return users;
}

C2gCudaUsers *
c2g_cuda_users_table_take (C2gCudaUsersTable *self,
                           gpointer           block)
{
  gpointer users = NULL;

  if (is_empty (self))
    return NULL;

  g_mutex_lock (&self->lock);
  if (g_hash_table_steal_extended (self->users, block, NULL, &users))
    g_atomic_int_add (&self->n_blocks, -1);
  g_mutex_unlock (&self->lock);

  return users;
}
