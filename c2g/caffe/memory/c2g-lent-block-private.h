/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor-private.h>

G_BEGIN_DECLS

/* A block of memory that its owner lends.
 *
 * Readers get a read-only storage over the same bytes, and hold the block by a reference.
 * Writers get the storage itself.  So the owner can tell the two apart, and the bytes that
 * readers see need never change. */
typedef struct
{
  gatomicrefcount ref_count;
  /* The block is the bytes of the storage from offset on; another owner may have the rest. */
  C2gStorage     *storage;
  gsize           offset;
  gsize           n_bytes;
  /* TRUE if the owner allocated it. */
  gboolean        is_own;
} C2gLentBlock;

/* Takes storage.  Whoever else has a reference to it counts as a writer. */
C2gLentBlock *c2g_lent_block_new        (C2gStorage   *storage,
                                         gsize         offset,
                                         gsize         n_bytes);
void          c2g_lent_block_unref      (C2gLentBlock *self);

/* The address of the block, for copies. */
C2gTensorPlace c2g_lent_block_place     (C2gLentBlock *self);

/* Waits for a device that uses the block.  Readers have a storage of their own, and an address is used in
 * any order of work: neither knows of work that goes on. */
gboolean      c2g_lent_block_finish_work (C2gLentBlock *self,
                                          GError      **error);

/* A tensor over a storage from offset on.  It has room for its own elements only, and moves when it grows:
 * others may have the rest. */
C2gTensor    *c2g_lent_tensor_new       (C2gDataType   data_type,
                                         const gint64 *dims,
                                         gsize         n_dims,
                                         C2gStorage   *storage,
                                         gsize         offset,
                                         GError      **error);
/* The block as a tensor, for the functions that compute with tensors. */
C2gTensor    *c2g_lent_block_ref_tensor (C2gLentBlock *self,
                                         C2gDataType   data_type,
                                         gint64        n_elements,
                                         GError      **error);

/* A reference to a storage over the first bytes of the block, for reading. */
C2gStorage   *c2g_lent_block_ref_reader (C2gLentBlock *self,
                                         gsize         n_bytes);

/* Returns TRUE while a reader has the block.  Only the owner lends, so that none comes meanwhile. */
gboolean      c2g_lent_block_is_read    (C2gLentBlock *self);
/* Returns TRUE while a tensor, a mapping or anybody else has the storage itself, and may write to it. */
gboolean      c2g_lent_block_is_held    (C2gLentBlock *self);

/* Drops a storage over memory of others that was offered.  Its owner is told when nobody has it any
 * more, unless it was not taken. */
void          c2g_lent_block_hand_over  (C2gStorage     *storage,
                                         gboolean        is_taken,
                                         GDestroyNotify  destroy,
                                         gpointer        user_data);

G_END_DECLS
