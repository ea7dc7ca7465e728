/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-workspace-private.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>

/* Scratch memory of a stream, kept from call to call. */

/* A larger block is not kept. It is as much as a convolution uses for its columns. */
#define MAX_KEPT_BYTES ((gsize) 64 << 20)

/* Allocated by g_atomic_rc_box_new0(), which counts the references. */
struct _C2gCudaWorkspace
{
  const char *name;
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
c2g_cuda_workspace_new (const char *name)
{
  C2gCudaWorkspace *self = g_atomic_rc_box_new0 (C2gCudaWorkspace);

  self->name = name;
  return self;
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
make (const C2gCudaWorkspace  *workspace,
      C2gContext              *context,
      gsize                    n_bytes,
      GError                 **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  g_autoptr (C2gContext) owner = c2g_cuda_context_new_for_stream (stream);
  C2gStorage *storage =
    c2g_storage_new (c2g_context_get_device (context), n_bytes, owner, error);

  if (storage != NULL && workspace != NULL)
    c2g_storage_set_name (storage, workspace->name);

  return storage;
}

/* Memory kept from before a reset is freed. */
static void
take_kept (C2gCudaScratch *self,
           C2gContext     *context)
{
  guint old_epoch;

  self->epoch = c2g_cuda_epoch_find (c2g_device_get_index (c2g_context_get_device (context)));
  g_mutex_lock (&lock);
  old_epoch = self->workspace->epoch;
  self->storage = steal (self->workspace);
  g_mutex_unlock (&lock);

  if (old_epoch != self->epoch)
    g_clear_pointer (&self->storage, c2g_storage_unref);
}

/* Takes what is kept if it is large enough. What is too small is freed first, to make room. */
gboolean
c2g_cuda_scratch_take (C2gCudaScratch    *self,
                       C2gCudaWorkspace  *workspace,
                       C2gContext        *context,
                       gsize              n_bytes,
                       GError           **error)
{
  self->workspace = workspace;
  if (workspace != NULL)
    take_kept (self, context);
  if (self->storage != NULL && c2g_storage_get_n_bytes (self->storage) < n_bytes)
    g_clear_pointer (&self->storage, c2g_storage_unref);
  if (self->storage == NULL)
    self->storage = make (workspace, context, n_bytes, error);
  if (self->storage == NULL)
    return FALSE;

  self->address = (gpointer) (guintptr) c2g_storage_get_address (self->storage);
  c2g_cuda_capture_hold (self->storage);
  return TRUE;
}

/* If another thread gave memory of its own meanwhile, the larger one is kept. */
void
c2g_cuda_scratch_give (C2gCudaScratch *self)
{
  C2gCudaWorkspace *workspace = self->workspace;
  C2gStorage *storage = g_steal_pointer (&self->storage);

  if (storage == NULL)
    return;

  g_mutex_lock (&lock);
  if (workspace != NULL && c2g_storage_get_n_bytes (storage) <= MAX_KEPT_BYTES &&
      (workspace->storage == NULL || workspace->epoch != self->epoch ||
       c2g_storage_get_n_bytes (workspace->storage) < c2g_storage_get_n_bytes (storage)))
    {
      C2gStorage *old = steal (workspace);

      workspace->storage = g_steal_pointer (&storage);
      workspace->epoch = self->epoch;
      if (kept == NULL)
        kept = g_hash_table_new (NULL, NULL);
      g_hash_table_add (kept, workspace);
      storage = old;
    }
  g_mutex_unlock (&lock);
  g_clear_pointer (&storage, c2g_storage_unref);
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
