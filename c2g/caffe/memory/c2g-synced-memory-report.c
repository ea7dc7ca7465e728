/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

/* The state of a synced memory: where its current bytes are, whether they are valid, and how much
 * memory it uses. */

/**
 * c2g_synced_memory_get_head:
 * @self: a memory
 *
 * Gets the place of the current bytes.
 *
 * Returns: a head
 */
C2gSyncedHead
c2g_synced_memory_get_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), C2G_SYNCED_HEAD_UNINITIALIZED);

  return (C2gSyncedHead) g_atomic_int_get (&self->current);
}

/**
 * c2g_synced_memory_is_cpu_head:
 * @self: a memory
 *
 * Tells whether the current bytes are on the CPU.
 *
 * Returns: whether the head is `AT_CPU` or `SYNCED`
 */
gboolean
c2g_synced_memory_is_cpu_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return c2g_synced_is_current (self, C2G_SYNCED_CPU);
}

/**
 * c2g_synced_memory_is_gpu_head:
 * @self: a memory
 *
 * Tells whether the current bytes are on the other device.
 *
 * Returns: whether the head is `AT_GPU` or `SYNCED`
 */
gboolean
c2g_synced_memory_is_gpu_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return c2g_synced_is_current (self, C2G_SYNCED_GPU);
}

/* Common part of the two functions below; checks their arguments. */
static gsize
get_use (C2gSyncedMemory *self,
         C2gSyncedSide    side,
         gboolean         own_only)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);

  if (own_only && !g_atomic_int_get (&self->sides[side].is_own))
    return 0;

  return (gsize) g_atomic_pointer_get (&self->sides[side].capacity);
}

/**
 * c2g_synced_memory_get_cpu_memory_use:
 * @self: a memory
 * @own_only: whether to leave out memory that [method@SyncedMemory.set_cpu_data] took
 *
 * Gets the size of the block on the CPU.
 *
 * Blocks that only readers still hold are not counted.
 *
 * Returns: bytes, 0 if there is no block
 */
gsize
c2g_synced_memory_get_cpu_memory_use (C2gSyncedMemory *self,
                                      gboolean         own_only)
{
  return get_use (self, C2G_SYNCED_CPU, own_only);
}

/**
 * c2g_synced_memory_get_gpu_memory_use:
 * @self: a memory
 * @own_only: whether to leave out memory that [method@SyncedMemory.set_gpu_data] took
 *
 * Gets the size of the block on the other device.
 *
 * Blocks that only readers still hold are not counted.
 *
 * Returns: bytes, 0 if there is no block
 */
gsize
c2g_synced_memory_get_gpu_memory_use (C2gSyncedMemory *self,
                                      gboolean         own_only)
{
  return get_use (self, C2G_SYNCED_GPU, own_only);
}

gsize
c2g_synced_memory_count (C2gSyncedMemory *self)
{
  return get_use (self, C2G_SYNCED_CPU, FALSE) + get_use (self, C2G_SYNCED_GPU, FALSE);
}

/**
 * c2g_synced_memory_to_string:
 * @self: a memory
 *
 * Describes the memory in one line, for people.
 *
 * Returns: (transfer full): text such as “data: 8 bytes, synced, valid; cpu 8, cuda:0 8”
 */
char *
c2g_synced_memory_to_string (C2gSyncedMemory *self)
{
  static const char *const heads[] = { "uninitialized", "at CPU", "at GPU", "synced" };

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return g_strdup_printf ("%s%s%zu bytes, %s, %s; cpu %zu, %s %zu",
                          self->name != NULL ? self->name : "", self->name != NULL ? ": " : "",
                          c2g_synced_memory_get_n_bytes (self),
                          heads[c2g_synced_memory_get_head (self)],
                          c2g_synced_memory_is_valid (self) ? "valid" : "invalid",
                          get_use (self, C2G_SYNCED_CPU, FALSE),
                          c2g_device_to_string (self->sides[C2G_SYNCED_GPU].device),
                          get_use (self, C2G_SYNCED_GPU, FALSE));
}

/**
 * c2g_synced_memory_is_valid:
 * @self: a memory
 *
 * Checks if the bytes are marked as valid.
 *
 * The mark is for code that keeps the same numbers in several memories, such as
 * [class@MixedTensor]: it marks those that are up to date. Writing sets the mark.
 *
 * Returns: `TRUE` if the mark is set
 */
gboolean
c2g_synced_memory_is_valid (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return g_atomic_int_get (&self->is_valid);
}

/**
 * c2g_synced_memory_invalidate:
 * @self: a memory
 *
 * Removes the mark; see [method@SyncedMemory.is_valid].
 */
void
c2g_synced_memory_invalidate (C2gSyncedMemory *self)
{
  g_return_if_fail (C2G_IS_SYNCED_MEMORY (self));

  g_atomic_int_set (&self->is_valid, FALSE);
}

/**
 * c2g_synced_memory_validate:
 * @self: a memory
 *
 * Marks the bytes as valid; see [method@SyncedMemory.is_valid].
 */
void
c2g_synced_memory_validate (C2gSyncedMemory *self)
{
  g_return_if_fail (C2G_IS_SYNCED_MEMORY (self));

  g_atomic_int_set (&self->is_valid, TRUE);
}
