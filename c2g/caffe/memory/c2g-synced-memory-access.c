/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Access to the bytes of a synced memory on one side: addresses, copies as GBytes, and foreign
 * memory. */

/**
 * c2g_synced_memory_dup_bytes:
 * @self: a memory
 * @error: return location for an error
 *
 * Reads on the CPU and copies the bytes.
 *
 * Fails as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: (transfer full): a copy of the bytes
 */
GBytes *
c2g_synced_memory_dup_bytes (C2gSyncedMemory  *self,
                             GError          **error)
{
  g_autoptr (C2gStorage) reader = NULL;
  gpointer copy;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  reader = c2g_synced_memory_ref_reader (self, C2G_SYNCED_CPU, error);
  if (reader == NULL)
    return NULL;

  copy = g_try_malloc (reader->n_bytes);
  if (copy == NULL && reader->n_bytes > 0)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("No memory for a copy of %zu bytes"),
                          reader->n_bytes);

  if (reader->n_bytes > 0)
    memcpy (copy, reader->address, reader->n_bytes);
  return g_bytes_new_take (copy, reader->n_bytes);
}

static gboolean
copy_bytes (C2gTensor  *items,
            gpointer    data,
            GError    **error)
{
  if (items->n_elements > 0)
    memcpy (c2g_tensor_address (items), data, (gsize) items->n_elements);
  return TRUE;
}

/**
 * c2g_synced_memory_set_bytes:
 * @self: a memory
 * @bytes: exactly as many bytes as there are
 * @error: return location for an error
 *
 * Writes on the CPU.
 *
 * Fails with `C2G_ERROR_SHAPE` if the size differs, and as
 * [method@SyncedMemory.mutable_cpu_data] does.
 *
 * Returns: whether the bytes were copied
 */
gboolean
c2g_synced_memory_set_bytes (C2gSyncedMemory  *self,
                             GBytes           *bytes,
                             GError          **error)
{
  C2gSyncedWork work = { C2G_DATA_TYPE_UINT8, 0, copy_bytes };
  gsize n_bytes;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  work.data = (gpointer) g_bytes_get_data (bytes, &n_bytes);
  work.n_elements = (gint64) n_bytes;
  if (n_bytes != self->n_bytes)
    return c2g_fail (error, C2G_ERROR_SHAPE, _("Expected %zu bytes, got %zu"), self->n_bytes,
                     n_bytes);
  if (!c2g_synced_memory_compute (self, C2G_SYNCED_CPU, C2G_SYNCED_OVERWRITE, &work, error))
    return FALSE;

  g_atomic_int_set (&self->is_valid, TRUE);
  return TRUE;
}

/**
 * c2g_synced_memory_push:
 * @self: a memory
 * @context: (nullable): the context for the copy; `NULL` copies synchronously
 * @error: return location for an error
 *
 * Copies the bytes to the device before they are needed there.
 *
 * With a context of the device the copy is queued in its order. Later work of that context, and
 * calls of c2g, find the bytes. A C program that uses the address itself must wait for the context.
 *
 * Fails as [method@SyncedMemory.gpu_data] does.
 *
 * Returns: whether the bytes are there or will be
 */
gboolean
c2g_synced_memory_push (C2gSyncedMemory  *self,
                        C2gContext       *context,
                        GError          **error)
{
  C2gSyncedChange change;
  gboolean done;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  done = c2g_synced_prepare_read (self, C2G_SYNCED_GPU, context, &change, error);
  c2g_synced_end (self, &change);

  return done;
}

/* Common part of the four functions below; checks their arguments. */
static gpointer
get_address (C2gSyncedMemory  *self,
             C2gSyncedSide     side,
             C2gSyncedAccess   access,
             GError          **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_synced_memory_access (self, side, access, &address, error) && access != C2G_SYNCED_READ)
    g_atomic_int_set (&self->is_valid, TRUE);

  return address;
}

/**
 * c2g_synced_memory_cpu_data: (skip)
 * @self: a memory
 * @error: return location for an error
 *
 * Gets the bytes on the CPU for reading.
 *
 * The address is valid until the next access of the memory.
 *
 * Fails with `C2G_ERROR_NO_MEMORY`, with `C2G_ERROR_DEVICE` if the other side cannot be copied, and
 * with `C2G_ERROR_BUSY` within an allocation of the same memory.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gconstpointer
c2g_synced_memory_cpu_data (C2gSyncedMemory  *self,
                            GError          **error)
{
  return get_address (self, C2G_SYNCED_CPU, C2G_SYNCED_READ, error);
}

/**
 * c2g_synced_memory_gpu_data: (skip)
 * @self: a memory
 * @error: return location for an error
 *
 * Gets the bytes on the device for reading.
 *
 * The address is valid until the next access of the memory.
 *
 * Fails with `C2G_ERROR_DEVICE` if there is no such device, `C2G_ERROR_NO_MEMORY`, and
 * `C2G_ERROR_BUSY` within an allocation of the same memory.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gconstpointer
c2g_synced_memory_gpu_data (C2gSyncedMemory  *self,
                            GError          **error)
{
  return get_address (self, C2G_SYNCED_GPU, C2G_SYNCED_READ, error);
}

/**
 * c2g_synced_memory_mutable_cpu_data: (skip)
 * @self: a memory
 * @keep_contents: `TRUE` to keep the old bytes; otherwise they are undefined
 * @error: return location for an error
 *
 * Gets the bytes on the CPU for writing.
 *
 * The other side becomes outdated. The address is valid until the next access of the memory.
 * Readers of an earlier state keep it: then the bytes move to another block.
 *
 * Fails as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gpointer
c2g_synced_memory_mutable_cpu_data (C2gSyncedMemory  *self,
                                    gboolean          keep_contents,
                                    GError          **error)
{
  return get_address (self, C2G_SYNCED_CPU, keep_contents ? C2G_SYNCED_WRITE : C2G_SYNCED_OVERWRITE, error);
}

/**
 * c2g_synced_memory_mutable_gpu_data: (skip)
 * @self: a memory
 * @keep_contents: `TRUE` to keep the old bytes; otherwise they are undefined
 * @error: return location for an error
 *
 * Gets the bytes on the device for writing.
 *
 * The CPU's side becomes outdated; see [method@SyncedMemory.mutable_cpu_data].
 *
 * Fails as [method@SyncedMemory.gpu_data] does.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gpointer
c2g_synced_memory_mutable_gpu_data (C2gSyncedMemory  *self,
                                    gboolean          keep_contents,
                                    GError          **error)
{
  return get_address (self, C2G_SYNCED_GPU, keep_contents ? C2G_SYNCED_WRITE : C2G_SYNCED_OVERWRITE, error);
}

/* Common part of the two functions below; checks their arguments. */
static gboolean
set_data (C2gSyncedMemory  *self,
          C2gSyncedSide     side,
          gpointer          data,
          GDestroyNotify    destroy,
          gpointer          user_data,
          GError          **error)
{
  C2gStorage *storage;
  gboolean done;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (data != NULL || self->n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  storage = c2g_storage_new_external (self->sides[side].device, data, self->n_bytes, FALSE, NULL, NULL);
  done = c2g_synced_memory_take (self, side, storage, 0, error);
  c2g_lent_block_hand_over (storage, done, destroy, user_data);

  return done;
}

/**
 * c2g_synced_memory_set_cpu_data: (skip)
 * @self: a memory
 * @data: the bytes on the CPU, as many as the memory has; `NULL` only if there are none
 * @destroy: (nullable): called once with @user_data, from any thread, when the bytes are not used
 *   any more
 * @user_data: the owner of the bytes
 * @error: return location for an error
 *
 * Uses memory of the program as the bytes on the CPU.
 *
 * Its owner may write to it at any time, so the other side is copied again at each access. c2g
 * writes to it only when the CPU's side is written. If the other side is written and then read on
 * the CPU, the bytes go to c2g's own memory, and the owner gets its memory back.
 *
 * Fails with `C2G_ERROR_BUSY` if somebody holds the memory for writing, or within an allocation of
 * it; then @destroy is not called.
 *
 * Returns: `TRUE` if the memory was taken
 */
gboolean
c2g_synced_memory_set_cpu_data (C2gSyncedMemory  *self,
                                gpointer          data,
                                GDestroyNotify    destroy,
                                gpointer          user_data,
                                GError          **error)
{
  return set_data (self, C2G_SYNCED_CPU, data, destroy, user_data, error);
}

/**
 * c2g_synced_memory_set_gpu_data: (skip)
 * @self: a memory
 * @data: the bytes on the device, as many as the memory has; `NULL` only if there are none
 * @destroy: (nullable): called once with @user_data, from any thread, when the bytes are not used
 *   any more
 * @user_data: the owner of the bytes
 * @error: return location for an error
 *
 * Uses memory of the program as the bytes on the device.
 *
 * Fails as [method@SyncedMemory.set_cpu_data] does.
 *
 * Returns: `TRUE` if the memory was taken
 */
gboolean
c2g_synced_memory_set_gpu_data (C2gSyncedMemory  *self,
                                gpointer          data,
                                GDestroyNotify    destroy,
                                gpointer          user_data,
                                GError          **error)
{
  return set_data (self, C2G_SYNCED_GPU, data, destroy, user_data, error);
}
