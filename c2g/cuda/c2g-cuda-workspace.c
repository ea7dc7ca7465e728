/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-workspace-private.h>

#include <c2g/cuda/c2g-cuda-context-private.h>
#include <c2g/cuda/c2g-cuda-epoch-private.h>
#include <c2g/cuda/c2g-cuda-launch-private.h>

/* Scratch memory of a stream for cuBLAS and cuDNN, kept from call to call. */

/* Allocated by g_atomic_rc_box_new0(), which counts the references. */
struct _C2gCudaWorkspace
{
  /* NULL before the first call of give, and while somebody has it. */
  C2gStorage *storage;
  /* Epoch of the storage. A default stream, and with it the workspace, survives a reset. */
  guint       epoch;
};

/* Guards the storages, and the set of the workspaces that have one. */
static GMutex lock;
static GHashTable *kept;

/* The caller holds the lock. */
static C2gStorage *
steal (C2gCudaWorkspace *self)
{
  if (self->storage != NULL)
    g_hash_table_remove (kept, self);

  return g_steal_pointer (&self->storage);
}

C2gCudaWorkspace *
c2g_cuda_workspace_new (void)
{
  return g_atomic_rc_box_new0 (C2gCudaWorkspace);
}

C2gCudaWorkspace *
c2g_cuda_workspace_ref (C2gCudaWorkspace *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  C2gStorage *storage;

  g_mutex_lock (&lock);
  storage = steal (data);
  g_mutex_unlock (&lock);
  g_clear_pointer (&storage, c2g_storage_unref);
}

void
c2g_cuda_workspace_unref (C2gCudaWorkspace *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* A storage holds its context, and a context holds the workspace. A context of the storage's own
 * avoids that cycle. */
static C2gStorage *
make (C2gContext  *context,
      gsize        n_bytes,
      GError     **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  g_autoptr (C2gContext) owner = c2g_cuda_context_new_for_stream (stream);
  C2gStorage *storage = c2g_cuda_launch_scratch (owner, n_bytes, error);

  if (storage != NULL)
    c2g_storage_set_name (storage, "cuBLAS workspace");

  return storage;
}

C2gStorage *
c2g_cuda_workspace_take (C2gCudaWorkspace  *self,
                         C2gContext        *context,
                         gsize              n_bytes,
                         guint             *epoch,
                         GError           **error)
{
  C2gStorage *storage;
  guint old_epoch;

  *epoch = c2g_cuda_epoch_find (c2g_device_get_index (c2g_context_get_device (context)));
  g_mutex_lock (&lock);
  old_epoch = self->epoch;
  storage = steal (self);
  g_mutex_unlock (&lock);

  if (storage != NULL && old_epoch == *epoch)
    return storage;

  g_clear_pointer (&storage, c2g_storage_unref);
  return make (context, n_bytes, error);
}

void
c2g_cuda_workspace_give (C2gCudaWorkspace *self,
                         C2gStorage       *storage,
                         guint             epoch)
{
  C2gStorage *old;

  g_mutex_lock (&lock);
  old = steal (self);
  self->storage = storage;
  self->epoch = epoch;
  if (kept == NULL)
    kept = g_hash_table_new (NULL, NULL);
  g_hash_table_add (kept, self);
  g_mutex_unlock (&lock);
  g_clear_pointer (&old, c2g_storage_unref);
}

/* Returns NULL if there is no storage of the device. The caller holds the lock. */
static C2gStorage *
steal_any (int device)
{
  GHashTableIter iter;
  gpointer key;

  if (kept == NULL)
    return NULL;

  g_hash_table_iter_init (&iter, kept);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      C2gCudaWorkspace *self = key;

      if (c2g_device_get_index (c2g_storage_get_device (self->storage)) == device)
        return steal (self);
    }

  return NULL;
}

/* The storages are released without the lock, because they hold contexts. */
void
c2g_cuda_workspace_release_all (int device)
{
  gboolean has_more;

  do
    {
      C2gStorage *storage;

      g_mutex_lock (&lock);
      storage = steal_any (device);
      g_mutex_unlock (&lock);
      has_more = storage != NULL;
      g_clear_pointer (&storage, c2g_storage_unref);
    }
  while (has_more);
}
