/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-memory-reporter-private.h>

/**
 * C2gMemoryBlock:
 *
 * Information about a live block of memory, at the time when it was listed.
 *
 * See [method@MemoryReporter.list_blocks]. The block itself may have been freed since.
 *
 * ## Threads
 *
 * Immutable; references are counted atomically.
 */
struct _C2gMemoryBlock
{
  int        ref_count;
  char      *name;
  C2gDevice *device;
  guint64    address;
  gsize      n_bytes;
};

G_DEFINE_BOXED_TYPE (C2gMemoryBlock, c2g_memory_block, c2g_memory_block_ref,
                     c2g_memory_block_unref)

C2gMemoryBlock *
c2g_memory_block_new (char      *name,
                      C2gDevice *device,
                      guint64    address,
                      gsize      n_bytes)
{
  C2gMemoryBlock *self = g_new (C2gMemoryBlock, 1);

  self->ref_count = 1;
  self->name = name;
  self->device = device;
  self->address = address;
  self->n_bytes = n_bytes;

  return self;
}

/**
 * c2g_memory_block_ref:
 * @self: a block
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the same block
 */
C2gMemoryBlock *
c2g_memory_block_ref (C2gMemoryBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->ref_count);

  return self;
}

/**
 * c2g_memory_block_unref:
 * @self: (transfer full): a block
 *
 * Drops a reference.
 */
void
c2g_memory_block_unref (C2gMemoryBlock *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;

  g_free (self->name);
  g_free (self);
}

/**
 * c2g_memory_block_get_name:
 * @self: a block
 *
 * Gets the name of the blob the block was allocated for.
 *
 * Returns: (nullable): a name, or `NULL` if the block belongs to no named blob
 */
const char *
c2g_memory_block_get_name (C2gMemoryBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * c2g_memory_block_get_device:
 * @self: a block
 *
 * Gets the device of the block.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_memory_block_get_device (C2gMemoryBlock *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->device;
}

/**
 * c2g_memory_block_get_address:
 * @self: a block
 *
 * Gets the address of the block.
 *
 * It is the same as [method@Storage.get_address], and [method@Tensor.get_address] of a tensor
 * at the begin of the block.
 *
 * Returns: an address on the device
 */
guint64
c2g_memory_block_get_address (C2gMemoryBlock *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->address;
}

/**
 * c2g_memory_block_get_n_bytes:
 * @self: a block
 *
 * Gets the size of the block.
 *
 * Returns: bytes, as asked for
 */
gsize
c2g_memory_block_get_n_bytes (C2gMemoryBlock *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_bytes;
}
