/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <c2g/core/memory/c2g-ledger-private.h>

/* Moves bytes between the sides of a synced memory, and lends them. */

/* Returns the place of the current bytes, preferably on SIDE; NULL if there are none. */
static const C2gTensorPlace *
find_current (C2gSyncedMemory *self,
              C2gSyncedSide    preferred,
              C2gTensorPlace  *place)
{
  const guint current = g_atomic_int_get (&self->current);
  C2gSyncedSide side = preferred;

  if (current == 0)
    return NULL;
  if ((current & c2g_synced_bit (side)) == 0)
    side = side == C2G_SYNCED_CPU ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;

  *place = c2g_lent_block_place (self->sides[side].block);
  return place;
}

/* Waits for queued work of another context that still writes the bytes. */
static gboolean
wait_for_bytes (C2gLentBlock  *block,
                C2gContext    *context,
                GError       **error)
{
  return context != NULL ? c2g_storage_wait_for_uses (block->storage, context, error)
                         : c2g_storage_finish_uses (block->storage, error);
}

gboolean
c2g_synced_memory_is_held (C2gSyncedMemory *self)
{
  int holder = g_atomic_int_get (&self->holder);

  for (int side = 0; side < C2G_SYNCED_N_SIDES; side++)
    if (c2g_synced_is_current (self, (C2gSyncedSide) side) &&
        g_atomic_int_get (&self->sides[side].is_foreign))
      return TRUE;

  return holder != C2G_SYNCED_NO_SIDE && c2g_lent_block_is_held (self->sides[holder].block);
}

/* While others may write to one side, the other side never counts as current. */
gboolean
c2g_synced_prepare_read (C2gSyncedMemory  *self,
                         C2gSyncedSide     side,
                         C2gContext       *context,
                         C2gSyncedChange  *change,
                         GError          **error)
{
  C2gLentBlock *block;
  C2gTensorPlace place;

  if (c2g_synced_is_current (self, side))
    return wait_for_bytes (self->sides[side].block, context, error);
  block = c2g_synced_ref_filled (self, side, C2G_SYNCED_READ, find_current (self, side, &place), context, error);
  if (block == NULL)
    return FALSE;
  c2g_synced_assign_block (self, side, block, change);
  if (!c2g_synced_memory_is_held (self))
    g_atomic_int_or (&self->current, c2g_synced_bit (side));

  return TRUE;
}

/* Marks one side as the only current one. */
static void
publish (C2gSyncedMemory *self,
         C2gSyncedSide    side)
{
  g_atomic_int_set (&self->current, c2g_synced_bit (side));
}

static gboolean
do_work (C2gLentBlock         *block,
         const C2gSyncedWork  *work,
         GError              **error)
{
  g_autoptr (C2gTensor) items = c2g_lent_block_ref_tensor (block, work->data_type, work->n_elements, error);

  return items != NULL && work->func (items, work->data, error) &&
         c2g_lent_block_finish_work (block, error);
}

/* Makes one side the only current one, with a writable block. WORK may be NULL. It changes its
 * items in its last step, so if it refuses, nothing has changed. Only a device that fails in the
 * middle may have changed bytes that no other side has. */
static gboolean
prepare_write (C2gSyncedMemory      *self,
               C2gSyncedSide         side,
               C2gSyncedAccess       access,
               const C2gSyncedWork  *work,
               C2gSyncedChange      *change,
               GError              **error)
{
  static const C2gTensorPlace anything = { NULL };
  C2gLentBlock *block;
  C2gTensorPlace place;

  if (!c2g_synced_check_holder (self, (int) side, error))
    return FALSE;
  block = c2g_synced_ref_filled (self, side, access,
                                 access == C2G_SYNCED_WRITE ? find_current (self, side, &place) : &anything,
                                 NULL, error);
  if (block == NULL)
    return FALSE;
  if (work != NULL && !do_work (block, work, error))
    {
      c2g_synced_drop_filled (self, side, block);
      return FALSE;
    }

  c2g_synced_assign_block (self, side, block, change);
  publish (self, side);
  return TRUE;
}

static gboolean
access_slowly (C2gSyncedMemory  *self,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               gpointer         *address,
               GError          **error)
{
  C2gSyncedChange change;
  gboolean done;

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  done = access == C2G_SYNCED_READ ? c2g_synced_prepare_read (self, side, NULL, &change, error)
                                   : prepare_write (self, side, access, NULL, &change, error);
  *address = done ? self->sides[side].address : NULL;
  c2g_synced_end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_access (C2gSyncedMemory  *self,
                          C2gSyncedSide     side,
                          C2gSyncedAccess   access,
                          gpointer         *address,
                          GError          **error)
{
  /* The fast path: the bytes are here already, and no device can be using them. */
  if (G_LIKELY (access == C2G_SYNCED_READ && c2g_synced_is_current (self, side) &&
                !g_atomic_int_get (&c2g_storage_has_far_users)))
    {
      *address = g_atomic_pointer_get (&self->sides[side].address);
      return TRUE;
    }

  return access_slowly (self, side, access, address, error);
}

/* If others may write to the block, readers get a copy, because their bytes must never change. */
C2gStorage *
c2g_synced_memory_ref_reader (C2gSyncedMemory  *self,
                              C2gSyncedSide     side,
                              GError          **error)
{
  C2gStorage *reader = NULL;
  C2gLentBlock *copy = NULL;
  C2gTensorPlace place;
  C2gSyncedChange change;

  if (!c2g_synced_begin (self, &change, error))
    return NULL;

  if (c2g_synced_memory_is_held (self))
    {
      copy = c2g_synced_copy_block (self, side, find_current (self, side, &place), error);
      reader = copy != NULL ? c2g_lent_block_ref_reader (copy, self->n_bytes) : NULL;
      g_clear_pointer (&copy, c2g_lent_block_unref);
    }
  else if (c2g_synced_prepare_read (self, side, NULL, &change, error) &&
           c2g_lent_block_finish_work (self->sides[side].block, error))
    reader = c2g_lent_block_ref_reader (self->sides[side].block, self->n_bytes);
  c2g_synced_end (self, &change);

  return reader;
}

C2gStorage *
c2g_synced_memory_ref_writer (C2gSyncedMemory  *self,
                              C2gSyncedSide     side,
                              gsize            *offset,
                              GError          **error)
{
  C2gStorage *writer = NULL;
  C2gSyncedChange change;

  if (!c2g_synced_begin (self, &change, error))
    return NULL;

  if (prepare_write (self, side, C2G_SYNCED_WRITE, NULL, &change, error))
    {
      writer = c2g_storage_ref (self->sides[side].block->storage);
      *offset = self->sides[side].block->offset;
      g_atomic_int_set (&self->holder, (int) side);
    }
  c2g_synced_end (self, &change);

  return writer;
}

gboolean
c2g_synced_memory_take (C2gSyncedMemory  *self,
                        C2gSyncedSide     side,
                        C2gStorage       *storage,
                        gsize             offset,
                        GError          **error)
{
  C2gSyncedChange change;
  gboolean done;

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  done = c2g_synced_check_holder (self, C2G_SYNCED_NO_SIDE, error);
  if (done)
    {
      if (storage->listed)
        c2g_ledger_replace_label (storage, NULL, self->sides[side].label);
      c2g_synced_assign_block (self, side,
                               c2g_lent_block_new (c2g_storage_ref (storage), offset, self->n_bytes),
                               &change);
      publish (self, side);
      g_atomic_int_set (&self->is_valid, TRUE);
      g_atomic_int_set (&self->holder, c2g_storage_is_read_only (storage) ? C2G_SYNCED_NO_SIDE : (int) side);
    }
  c2g_synced_end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_compute (C2gSyncedMemory      *self,
                           C2gSyncedSide         side,
                           C2gSyncedAccess       access,
                           const C2gSyncedWork  *work,
                           GError              **error)
{
  C2gSyncedChange change;
  gboolean done;

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  done = prepare_write (self, side, access, work, &change, error);
  c2g_synced_end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_check_not_held (C2gSyncedMemory  *self,
                                  GError          **error)
{
  return c2g_synced_check_holder (self, C2G_SYNCED_NO_SIDE, error);
}

gboolean
c2g_synced_memory_clear (C2gSyncedMemory  *self,
                         GError          **error)
{
  C2gSyncedChange change;
  gboolean done;

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  done = c2g_synced_check_holder (self, C2G_SYNCED_NO_SIDE, error);
  if (done)
    g_atomic_int_set (&self->current, 0);
  c2g_synced_end (self, &change);

  return done;
}

void
c2g_synced_memory_trim (C2gSyncedMemory *self)
{
  C2gSyncedChange change;

  if (!c2g_synced_begin (self, &change, NULL))
    return;

  c2g_synced_drop_blocks (self, G_MAXSIZE, &change);
  c2g_synced_end (self, &change);
}

/* The added bytes are undefined and differ between the sides, so only a side whose block is large
 * enough stays current. */
static void
keep_larger_side (C2gSyncedMemory *self,
                  gsize            n_bytes)
{
  if (n_bytes > self->n_bytes && self->current == (c2g_synced_bit (C2G_SYNCED_CPU) | c2g_synced_bit (C2G_SYNCED_GPU)))
    publish (self, self->sides[C2G_SYNCED_CPU].capacity >= n_bytes ? C2G_SYNCED_CPU : C2G_SYNCED_GPU);
}

/**
 * c2g_synced_memory_resize:
 * @self: a memory
 * @n_bytes: how many bytes
 * @error: return location for an error
 *
 * Changes how many bytes there are.
 *
 * Within the blocks only the size changes, and what is added is undefined. A block that is too
 * small is given back; if it was the only one with the current bytes, they are lost, and the next
 * read gives zeros. Tensors that have the block keep it.
 *
 * Fails with `C2G_ERROR_BUSY` within an allocation of the same memory. A size for which there is no
 * memory shows at the next access.
 *
 * Returns: whether the size was changed
 */
gboolean
c2g_synced_memory_resize (C2gSyncedMemory  *self,
                          gsize             n_bytes,
                          GError          **error)
{
  C2gSyncedChange change;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_synced_begin (self, &change, error))
    return FALSE;

  keep_larger_side (self, n_bytes);
  c2g_synced_drop_blocks (self, n_bytes, &change);
  g_atomic_pointer_set (&self->n_bytes, n_bytes);
  c2g_synced_end (self, &change);

  return TRUE;
}
