/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-lent-block-private.h>
#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/caffe/memory/c2g-transit-private.h>
#include <c2g/core/memory/c2g-label-private.h>

G_BEGIN_DECLS

/* The two sides of a memory: the CPU and another device. */
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
  /* All bytes will be written, so the old ones are not copied. */
  C2G_SYNCED_OVERWRITE,
  /* The same, but c2g itself writes a copy of numbers that exist in another type: foreign memory
   * must not be written for that. */
  C2G_SYNCED_REFRESH,
} C2gSyncedAccess;

typedef struct
{
  C2gDevice    *device;
  C2gLabel     *label;
  /* NULL before the first access. */
  C2gLentBlock *block;
  /* Address and size of the block; TRUE if an allocator made it; TRUE if others may write to it
   * unseen. Atomic, because threads read them without c2g_synced_begin(). */
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
  /* The labels of both sides are parts of this label. */
  C2gLabel      *label;
  C2gSyncedPlace sides[C2G_SYNCED_N_SIDES];

  /* Atomic. current has a bit for each side whose bytes are up to date, and so the values of
   * C2gSyncedHead. holder is the side whose block was lent for writing, or C2G_SYNCED_NO_SIDE.
   * is_valid is the mark of c2g_synced_memory_is_valid(). */
  gsize          n_bytes;
  guint          current;
  int            holder;
  int            is_valid;
};

/* The changes made by an operation. Signals are emitted at its end. */
typedef struct
{
  guint         old_current;
  gsize         old_n_bytes;
  C2gLentBlock *dropped[C2G_SYNCED_N_SIDES];
} C2gSyncedChange;

typedef gboolean (*C2gSyncedFunc) (C2gTensor  *items,
                                   gpointer    data,
                                   GError    **error);

/* A function that works on the first elements of a side, given as a one-dimensional tensor. On a
 * device the work may be queued. */
typedef struct
{
  C2gDataType   data_type;
  gint64        n_elements;
  C2gSyncedFunc func;
  gpointer      data;
} C2gSyncedWork;

/* Every operation is between these two calls. The second one emits the signals. */
gboolean   c2g_synced_begin             (C2gSyncedMemory        *self,
                                         C2gSyncedChange        *change,
                                         GError                **error);
void       c2g_synced_end               (C2gSyncedMemory        *self,
                                         C2gSyncedChange        *change);

/* To be called within an operation: c2g-synced-blocks.c */

/* Takes ownership of the block. An operation replaces each block at most once. */
void       c2g_synced_assign_block      (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gLentBlock           *block,
                                         C2gSyncedChange        *change);
/* Drops blocks smaller than n_bytes. Readers and writers keep their references. */
void       c2g_synced_drop_blocks       (C2gSyncedMemory        *self,
                                         gsize                   n_bytes,
                                         C2gSyncedChange        *change);
/* Fails if the block of a side other than ALLOWED is lent and not returned yet. */
gboolean   c2g_synced_check_holder      (C2gSyncedMemory        *self,
                                         int                     allowed,
                                         GError                **error);
/* Makes a block for a side and copies the bytes of SOURCE to it; zeros if that is NULL. */
C2gLentBlock *c2g_synced_copy_block     (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         const C2gTensorPlace   *source,
                                         GError                **error);
/* Returns the block of a side, or a new one if the present one cannot be written. Fills it with the
 * bytes of SOURCE; with zeros if SOURCE is NULL; not at all if SOURCE has no device. Foreign memory
 * is written only if the program itself writes. The caller must assign or drop the block. */
C2gLentBlock *c2g_synced_ref_filled     (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gSyncedAccess         access,
                                         const C2gTensorPlace   *source,
                                         C2gContext             *context,
                                         GError                **error);
void       c2g_synced_drop_filled       (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gLentBlock           *block);

/* To be called within an operation: c2g-synced-moves.c */

/* Updates one side, in the order of the context, or synchronously without one. */
gboolean   c2g_synced_prepare_read      (C2gSyncedMemory        *self,
                                         C2gSyncedSide           side,
                                         C2gContext             *context,
                                         C2gSyncedChange        *change,
                                         GError                **error);
/* The functions below are operations by themselves. */

/* Returns the address of the bytes, NULL if there are none; valid until the next access. The caller
 * marks the memory as valid, because it may write after this returns. */
gboolean    c2g_synced_memory_access     (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gSyncedAccess        access,
                                          gpointer              *address,
                                          GError               **error);

/* Returns a read-only storage with the present bytes, which never change. */
C2gStorage *c2g_synced_memory_ref_reader (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          GError               **error);
/* Returns the storage that contains the block from *OFFSET on. As long as anyone else holds it,
 * other sides cannot be written, and reading them copies again each time. */
C2gStorage *c2g_synced_memory_ref_writer (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          gsize                 *offset,
                                          GError               **error);
/* Makes the bytes of a storage from OFFSET on the content of one side. As long as anyone else holds
 * a writable storage, it counts as lent by c2g_synced_memory_ref_writer(). */
gboolean    c2g_synced_memory_take       (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gStorage            *storage,
                                          gsize                  offset,
                                          GError               **error);
/* Calls a function on the elements of one side. The caller marks the memory as valid. */
gboolean    c2g_synced_memory_compute    (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          C2gSyncedAccess        access,
                                          const C2gSyncedWork   *work,
                                          GError               **error);
/* Returns TRUE if others may write to the current bytes: someone holds the storage, or it is
 * foreign memory. */
gboolean    c2g_synced_memory_is_held    (C2gSyncedMemory       *self);
/* Fails with C2G_ERROR_BUSY if someone holds the storage; the message names memory and device.
 * Holders of foreign memory are unknown and do not count. */
gboolean    c2g_synced_memory_check_not_held (C2gSyncedMemory  *self,
                                              GError          **error);

/* Invalidates the bytes but keeps the blocks; the second function drops the blocks too. */
gboolean    c2g_synced_memory_clear      (C2gSyncedMemory       *self,
                                          GError               **error);
void        c2g_synced_memory_trim       (C2gSyncedMemory       *self);

/* Reports the memory under the name of the label, while it has one. */
void        c2g_synced_memory_set_label  (C2gSyncedMemory       *self,
                                          C2gLabel              *label);

/* Returns the size of the blocks on both sides. */
gsize       c2g_synced_memory_count      (C2gSyncedMemory       *self);

/* Returns the device of the second side for a given device; see the property “device”. */
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
