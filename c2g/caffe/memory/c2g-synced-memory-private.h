/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-lent-block-private.h>
#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/caffe/memory/c2g-transit-private.h>
#include <c2g/core/memory/c2g-label-private.h>

G_BEGIN_DECLS

/* The two places that a memory has. */
typedef enum
{
  C2G_SYNCED_CPU,
  C2G_SYNCED_GPU,
  C2G_SYNCED_N_SIDES,
} C2gSyncedSide;

#define C2G_SYNCED_NO_SIDE (-1)

/* The purpose of an access. */
typedef enum
{
  C2G_SYNCED_READ,
  C2G_SYNCED_WRITE,
  /* All bytes are written, so that the old ones need not be copied. */
  C2G_SYNCED_OVERWRITE,
  /* The same for numbers that are in another type already: memory of others is not written. */
  C2G_SYNCED_REFRESH,
} C2gSyncedAccess;

typedef struct
{
  C2gDevice    *device;
  C2gLabel     *label;
  /* NULL before the first access. */
  C2gLentBlock *block;
  /* The address and size of the block, whether an allocator gave it, and whether others may write
   * to it unseen: atomic, for those who look without being the one that makes changes. */
  gpointer      address;
  gsize         capacity;
  gboolean      is_own;
  gboolean      is_foreign;
} C2gSyncedPlace;

struct _C2gSyncedMemory
{
  GObject        parent_instance;

  C2gTransit     transit;
  char          *name;
  /* The labels of the sides are parts of it. */
  C2gLabel      *label;
  C2gSyncedPlace sides[C2G_SYNCED_N_SIDES];

  /* Atomic.  current has a bit for each side that has the current bytes; holder is the side
   * whose block was lent for writing, or C2G_SYNCED_NO_SIDE. */
  gsize          n_bytes;
  guint          current;
  int            holder;
  int            is_valid;
};

/* The effects of one operation, which are told when it is over. */
typedef struct
{
  guint         old_current;
  gsize         old_n_bytes;
  C2gLentBlock *dropped[C2G_SYNCED_N_SIDES];
} C2gSyncedChange;

typedef gboolean (*C2gSyncedFunc) (C2gTensor  *items,
                                   gpointer    data,
                                   GError    **error);

/* A function for the first elements of a side, which it gets as a row.  It may leave work to the
 * device. */
typedef struct
{
  C2gDataType   data_type;
  gint64        n_elements;
  C2gSyncedFunc func;
  gpointer      data;
} C2gSyncedWork;

/* Every operation is between these two.  Signals are emitted by the second one. */
gboolean   c2g_synced_begin             (C2gSyncedMemory        *self,
                                         C2gSyncedChange        *change,
                                         GError                **error);
void       c2g_synced_end               (C2gSyncedMemory        *self,
                                         C2gSyncedChange        *change);

/* Within an operation: c2g-synced-blocks.c */

/* Takes the block.  A change replaces each block at most once. */
void       c2g_synced_assign_block      (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gLentBlock           *block,
                                         C2gSyncedChange        *change);
/* Drops the blocks that are too small.  Their readers and holders keep them. */
void       c2g_synced_drop_blocks       (C2gSyncedMemory        *self,
                                         gsize                   n_bytes,
                                         C2gSyncedChange        *change);
/* Returns the side whose block was lent and is not yet back, or C2G_SYNCED_NO_SIDE. */
int        c2g_synced_find_holder       (C2gSyncedMemory        *self);
/* Fails if the block of another side than the allowed one was lent and is not yet back. */
gboolean   c2g_synced_check_holder      (C2gSyncedMemory        *self,
                                         int                     allowed,
                                         GError                **error);
/* A block for one side, with bytes of another place, or with zeros if that is NULL. */
C2gLentBlock *c2g_synced_copy_block     (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         const C2gTensorPlace   *source,
                                         GError                **error);
/* The block of one side, or a new one if that cannot be written, with bytes of another place: with zeros
 * if that is NULL, with anything if it has no device.  Memory of others is written by an access that writes,
 * not by one that reads or refreshes.  The block is assigned or dropped next. */
C2gLentBlock *c2g_synced_ref_filled     (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gSyncedAccess         access,
                                         const C2gTensorPlace   *source,
                                         C2gContext             *context,
                                         GError                **error);
void       c2g_synced_drop_filled       (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gLentBlock           *block);

/* Within an operation: c2g-synced-moves.c */

/* Brings the current bytes to one side, in the order of a context or at once. */
gboolean   c2g_synced_prepare_read      (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gContext             *context,
                                         C2gSyncedChange        *change,
                                         GError                **error);
/* Makes one side the only current one, with a block that can be written.  Work is optional. It
 * changes its items with its last step, so that nothing has changed if that is refused. A device that
 * began and then failed may have changed bytes that only this side has. */
gboolean   c2g_synced_prepare_write     (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gSyncedAccess         access,
                                         const C2gSyncedWork    *work,
                                         C2gSyncedChange        *change,
                                         GError                **error);

/* Whole operations */

/* The bytes, NULL where there are none, good until the next access.  The mark that they are valid
 * is left to the caller, who may not be done with writing. */
gboolean    c2g_synced_memory_access     (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gSyncedAccess        access,
                                          gpointer              *address,
                                          GError               **error);

/* A read-only storage with the bytes as they are now; they never change. */
C2gStorage *c2g_synced_memory_ref_reader (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          GError               **error);
/* The storage whose bytes from offset on are the block.  While anybody but self has it, no other side
 * can be written, and the other side is copied anew at each access. */
C2gStorage *c2g_synced_memory_ref_writer (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          gsize                 *offset,
                                          GError               **error);
/* Takes the bytes of a storage, from offset on, as those of one side.  While anybody else has a
 * writable storage, it is as if ref_writer() had given it. */
gboolean    c2g_synced_memory_take       (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gStorage            *storage,
                                          gsize                  offset,
                                          GError               **error);
/* Has the elements of one side computed there.  The mark that they are valid is left to the caller. */
gboolean    c2g_synced_memory_compute    (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gSyncedAccess        access,
                                          const C2gSyncedWork   *work,
                                          GError               **error);
/* Returns TRUE while others may write to the current bytes: somebody has the storage, or it is
 * foreign. */
gboolean    c2g_synced_memory_is_held    (C2gSyncedMemory       *self);
/* Fails with C2G_ERROR_BUSY while somebody has the storage; the message names the memory and the
 * place.  Owners of foreign memory are not known, and stop nobody. */
gboolean    c2g_synced_memory_check_not_held (C2gSyncedMemory  *self,
                                              GError          **error);

/* Forgets the bytes, not the blocks; or both. */
gboolean    c2g_synced_memory_clear      (C2gSyncedMemory       *self,
                                          GError               **error);
void        c2g_synced_memory_trim       (C2gSyncedMemory       *self);

/* Has the memory reported under another name, as long as there is one. */
void        c2g_synced_memory_set_label  (C2gSyncedMemory       *self,
                                          C2gLabel              *label);

/* The size of the blocks on both sides. */
gsize       c2g_synced_memory_count      (C2gSyncedMemory       *self);

/* The place beside the CPU that a device stands for. */
C2gDevice  *c2g_synced_other_device      (C2gDevice             *device);

static inline guint
c2g_synced_bit (C2gSyncedSide side)
{
  return 1u << side;
}

static inline gboolean
c2g_synced_is_current (C2gSyncedMemory *self,
                       C2gSyncedSide    side)
{
  return (g_atomic_int_get (&self->current) & c2g_synced_bit (side)) != 0;
}

G_END_DECLS
