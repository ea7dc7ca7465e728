/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/types/c2g-error-private.h>

/* The blocks of a synced memory, which has one on the CPU and one on another device for the same bytes.
 * Decides when a block is allocated, reused or dropped, and fills it. A block that readers or writers
 * outside hold is lent: it cannot always be written in place. */

void
c2g_synced_assign_block (C2gSyncedMemory *self,
                         C2gSyncedSide    side,
                         C2gLentBlock    *block,
                         C2gSyncedChange *change)
{
  C2gSyncedPlace *place = &self->sides[side];

  if (block == place->block)
    return;

  change->dropped[side] = place->block;
  place->block = block;
  g_atomic_pointer_set (&place->address, block != NULL ? c2g_lent_block_place (block).address : NULL);
  g_atomic_pointer_set (&place->capacity, block != NULL ? block->n_bytes : 0);
  g_atomic_int_set (&place->is_own, block != NULL && block->is_own);
  g_atomic_int_set (&place->is_foreign, block != NULL && block->storage->is_foreign);
}

void
c2g_synced_drop_blocks (C2gSyncedMemory *self,
                        gsize            n_bytes,
                        C2gSyncedChange *change)
{
  for (int side = 0; side < C2G_SYNCED_N_SIDES; side++)
    if (self->sides[side].capacity < n_bytes)
      {
        c2g_synced_assign_block (self, (C2gSyncedSide) side, NULL, change);
        g_atomic_int_and (&self->current, ~c2g_synced_bit ((C2gSyncedSide) side));
        if (self->holder == side)
          g_atomic_int_set (&self->holder, C2G_SYNCED_NO_SIDE);
      }
}

/* Returns the side whose block is lent for writing and not returned yet, or C2G_SYNCED_NO_SIDE. */
static int
find_holder (C2gSyncedMemory *self)
{
  if (self->holder != C2G_SYNCED_NO_SIDE && !c2g_lent_block_is_held (self->sides[self->holder].block))
    g_atomic_int_set (&self->holder, C2G_SYNCED_NO_SIDE);

  return self->holder;
}

gboolean
c2g_synced_check_holder (C2gSyncedMemory  *self,
                         int               allowed,
                         GError          **error)
{
  const int holder = find_holder (self);

  if (holder == C2G_SYNCED_NO_SIDE || holder == allowed)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("The memory “%s” is held for writing on %s; drop the tensor, mapping or array that "
                     "holds it"),
                   self->name != NULL ? self->name : "",
                   c2g_device_to_string (self->sides[holder].device));
}

static C2gLentBlock *
new_block (C2gSyncedMemory  *self,
           C2gSyncedSide     side,
           GError          **error)
{
  C2gSyncedPlace *place = &self->sides[side];
  C2gLabel *former = c2g_label_swap_of_block (place->label);
  C2gStorage *storage = c2g_storage_new (place->device, self->n_bytes, NULL, error);
  C2gLentBlock *block;

  c2g_label_swap_of_block (former);
  if (storage == NULL)
    return NULL;

  if (storage->listed)
    c2g_ledger_set_label (storage, place->label);
  block = c2g_lent_block_new (storage, 0, self->n_bytes);
  block->is_own = TRUE;
  return block;
}

/* Returns TRUE if the program itself writes, and not only c2g updating a copy. */
static gboolean
is_explicit (C2gSyncedAccess access)
{
  return access == C2G_SYNCED_WRITE || access == C2G_SYNCED_OVERWRITE;
}

/* Returns TRUE if the side has a block that can be written in place. */
static gboolean
can_write (C2gSyncedMemory *self,
           C2gSyncedSide    side,
           C2gSyncedAccess  access)
{
  C2gLentBlock *block = self->sides[side].block;

  return block != NULL && block->n_bytes >= self->n_bytes && !c2g_storage_is_read_only (block->storage) &&
         !c2g_storage_is_frozen (block->storage) && !c2g_lent_block_is_read (block) &&
         (is_explicit (access) || !block->storage->is_foreign) &&
         (self->holder == (int) side || !c2g_lent_block_is_held (block));
}

static gboolean
copy_bytes (C2gSyncedMemory       *self,
            C2gContext            *context,
            const C2gTensorPlace  *source,
            const C2gTensorPlace  *target,
            GError               **error)
{
  C2gTypeMeta *bytes = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, error);

  return bytes != NULL && c2g_tensor_copy_items (context, bytes, self->n_bytes, source, target, error);
}

static gboolean
zero_block (C2gSyncedMemory  *self,
            C2gLentBlock     *block,
            GError          **error)
{
  g_autoptr (C2gTensor) bytes = c2g_lent_block_ref_tensor (block, C2G_DATA_TYPE_UINT8,
                                                           (gint64) self->n_bytes, error);

  return bytes != NULL && c2g_storage_finish_uses (block->storage, error) &&
         c2g_tensor_fill (bytes, 0, error) && c2g_lent_block_finish_work (block, error);
}

/* Fills a block: with zeros if SOURCE is NULL, otherwise with the bytes of SOURCE. If SOURCE has no
 * device, the present bytes stay. Without a context the caller uses the block at once, so this waits
 * until no device uses it any more. */
static gboolean
fill_block (C2gSyncedMemory       *self,
            C2gLentBlock          *block,
            const C2gTensorPlace  *source,
            C2gContext            *context,
            GError               **error)
{
  const C2gTensorPlace target = c2g_lent_block_place (block);

  if (source == NULL)
    return zero_block (self, block, error);
  if (source->device != NULL &&
      (source->storage != target.storage || source->address != target.address) &&
      !copy_bytes (self, context, source, &target, error))
    return FALSE;

  return context != NULL || c2g_storage_finish_uses (block->storage, error);
}

C2gLentBlock *
c2g_synced_copy_block (C2gSyncedMemory       *self,
                       C2gSyncedSide          side,
                       const C2gTensorPlace  *source,
                       GError               **error)
{
  C2gLentBlock *block = new_block (self, side, error);

  if (block != NULL && !fill_block (self, block, source, NULL, error))
    g_clear_pointer (&block, c2g_lent_block_unref);
  return block;
}

C2gLentBlock *
c2g_synced_ref_filled (C2gSyncedMemory       *self,
                       C2gSyncedSide          side,
                       C2gSyncedAccess        access,
                       const C2gTensorPlace  *source,
                       C2gContext            *context,
                       GError               **error)
{
  C2gLentBlock *former = self->sides[side].block;
  C2gLentBlock *block = can_write (self, side, access) ? former : new_block (self, side, error);

  /* The block may be that of a parameter, whose changes a predictor looks for. */
  if (block != NULL)
    c2g_storage_end_watch (block->storage);
  if (block != NULL && !fill_block (self, block, source, context, error))
    {
      c2g_synced_drop_filled (self, side, block);
      return NULL;
    }
  return block;
}

void
c2g_synced_drop_filled (C2gSyncedMemory *self,
                        C2gSyncedSide    side,
                        C2gLentBlock    *block)
{
  if (block != self->sides[side].block)
    c2g_lent_block_unref (block);
}
