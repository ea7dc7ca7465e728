/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor-private.h>

G_BEGIN_DECLS

/* A block of memory that its owner lends to readers and writers.
 *
 * Readers get another, read-only storage over the same bytes, which holds a reference to the block.
 * Writers get the storage itself. So the owner can tell whether anyone reads or writes, and never
 * has to change bytes that a reader sees. */
typedef struct
{
  gatomicrefcount ref_count;
  /* The block begins at OFFSET in the storage. Another owner may use the rest. */
  C2gStorage     *storage;
  gsize           offset;
  gsize           n_bytes;
  /* TRUE if the owner allocated the memory; FALSE for memory that was taken from the program. */
  gboolean        is_own;
} C2gLentBlock;

/* Takes ownership of STORAGE. Every other holder of the storage counts as a writer. */
C2gLentBlock *c2g_lent_block_new        (C2gStorage   *storage,
                                         gsize         offset,
                                         gsize         n_bytes);
void          c2g_lent_block_unref      (C2gLentBlock *self);

/* Returns the address of the block, for copies. */
C2gTensorPlace c2g_lent_block_place     (C2gLentBlock *self);

/* Waits for devices that use the block. Needed before a reader or a plain address is given out,
 * because neither knows of queued work. */
gboolean      c2g_lent_block_finish_work (C2gLentBlock *self,
                                          GError      **error);

/* Creates a tensor over a storage from OFFSET on. Its capacity is its own size, so it moves to
 * other memory when it grows: the rest of the storage may belong to others. */
C2gTensor    *c2g_lent_tensor_new       (C2gDataType   data_type,
                                         const gint64 *dims,
                                         gsize         n_dims,
                                         C2gStorage   *storage,
                                         gsize         offset,
                                         GError      **error);
/* Returns the block as a tensor, for functions that take tensors. */
C2gTensor    *c2g_lent_block_ref_tensor (C2gLentBlock *self,
                                         C2gDataType   data_type,
                                         gint64        n_elements,
                                         GError      **error);

/* Returns a read-only storage over the first n_bytes bytes. */
C2gStorage   *c2g_lent_block_ref_reader (C2gLentBlock *self,
                                         gsize         n_bytes);

/* Returns TRUE if there is a reader. Only the owner creates readers, so no new one can appear
 * meanwhile. */
gboolean      c2g_lent_block_is_read    (C2gLentBlock *self);
/* Returns TRUE if anyone else (a tensor, a mapping) has the storage, and so may write to it. */
gboolean      c2g_lent_block_is_held    (C2gLentBlock *self);

/* Drops the reference to an offered storage over foreign memory. If the offer was taken, DESTROY runs
 * when nobody holds the storage any more; otherwise never. */
void          c2g_lent_block_hand_over  (C2gStorage     *storage,
                                         gboolean        is_taken,
                                         GDestroyNotify  destroy,
                                         gpointer        user_data);

G_END_DECLS
