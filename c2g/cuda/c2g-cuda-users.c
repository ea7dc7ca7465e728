/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-users-private.h>

#include <c2g/cuda/c2g-cuda-deferred-private.h>
#include <c2g/cuda/c2g-cuda-event-pool-private.h>
#include <c2g/cuda/c2g-cuda-stream-private.h>

void
c2g_cuda_users_init (C2gCudaUsers *self)
{
  g_mutex_init (&self->lock);
  self->streams = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

void
c2g_cuda_users_clear (C2gCudaUsers *self)
{
  g_clear_pointer (&self->streams, g_hash_table_unref);
  g_mutex_clear (&self->lock);
}

static GPtrArray *
ensure_streams (C2gCudaUsers *self,
                gpointer      block)
{
  GPtrArray *streams = g_hash_table_lookup (self->streams, block);

  if (streams == NULL)
    {
      streams = g_ptr_array_new_with_free_func (g_object_unref);
      g_hash_table_insert (self->streams, block, streams);
      g_atomic_int_inc (&self->n_blocks);
    }

  return streams;
}

void
c2g_cuda_users_add (C2gCudaUsers  *self,
                    gpointer       block,
                    C2gCudaStream *stream)
{
  g_mutex_lock (&self->lock);
  c2g_cuda_stream_add_to (stream, ensure_streams (self, block));
  g_mutex_unlock (&self->lock);
}

GPtrArray *
c2g_cuda_users_take (C2gCudaUsers *self,
                     gpointer      block)
{
  gpointer streams = NULL;

  /* Whoever recorded a use of the block has done so before it was given back. */
  if (g_atomic_int_get (&self->n_blocks) == 0)
    return NULL;

  g_mutex_lock (&self->lock);
  if (g_hash_table_steal_extended (self->streams, block, NULL, &streams))
    g_atomic_int_add (&self->n_blocks, -1);
  g_mutex_unlock (&self->lock);

  return streams;
}

/* Those that are not the stream itself, NULL where there are none: most blocks have no other. */
static GPtrArray *
copy_others (C2gCudaUsers  *self,
             gpointer       block,
             C2gCudaStream *stream)
{
  GPtrArray *copy = NULL;
  GPtrArray *streams;

  g_mutex_lock (&self->lock);
  streams = g_hash_table_lookup (self->streams, block);
  for (guint i = 0; streams != NULL && i < streams->len; i++)
    {
      C2gCudaStream *other = g_ptr_array_index (streams, i);

      if (other == stream)
        continue;
      if (copy == NULL)
        copy = g_ptr_array_new_with_free_func (g_object_unref);
      g_ptr_array_add (copy, g_object_ref (other));
    }
  g_mutex_unlock (&self->lock);

  return copy;
}

gboolean
c2g_cuda_users_wait (C2gCudaUsers   *self,
                     gpointer        block,
                     C2gCudaStream  *stream,
                     GError        **error)
{
  g_autoptr (GPtrArray) others = NULL;

  /* Whoever recorded a use that is to be waited for has done so before. */
  if (g_atomic_int_get (&self->n_blocks) == 0)
    return TRUE;

  others = copy_others (self, block, stream);
  for (guint i = 0; others != NULL && i < others->len; i++)
    if (!c2g_cuda_stream_wait (stream, g_ptr_array_index (others, i), error))
      return FALSE;

  return TRUE;
}

gboolean
c2g_cuda_users_join (GPtrArray    *users,
                     int           device,
                     cudaStream_t  stream)
{
  while (users != NULL && users->len > 0)
    {
      C2gCudaStream *user = g_ptr_array_index (users, users->len - 1);
      cudaStream_t handle = c2g_cuda_stream_peek (user);
      int index = c2g_cuda_stream_find_index (user);

      if (!c2g_cuda_event_pool_join (device, stream, index, handle, NULL) &&
          !c2g_cuda_deferred_wait_for_stream (index, handle))
        return FALSE;

      g_ptr_array_set_size (users, users->len - 1);
    }

  return TRUE;
}
