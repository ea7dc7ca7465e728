/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-numbers-private.h>
#include <c2g/caffe/memory/c2g-synced-memory-private.h>
#include <c2g/caffe/memory/c2g-transit-private.h>
#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

struct _C2gMixedTensor
{
  GObject          parent_instance;

  C2gTransit       transit;
  char            *name;
  /* The labels of the projections are parts of this label. */
  C2gLabel        *label;
  C2gDevice       *device;

  gint64          *dims;
  gsize            n_dims;
  gint64           n_elements;

  /* Atomic. The element type of the master, and a memory for each type that was requested. A memory
   * is marked valid while it has the same numbers as the master. */
  C2gTypeMeta     *written;
  C2gSyncedMemory *memories[C2G_N_CONVERT_SLOTS];
  gsize            item_sizes[C2G_N_CONVERT_SLOTS];
  /* TRUE while others may write to the master. Set when its storage is lent; cleared when a check
   * finds that nobody holds the storage. */
  gboolean         is_lent;

  /* Atomic. Number of blobs that use the tensor, and of those that lock its type. */
  int              n_blobs;
  int              n_locks;
};

/* The changes made by an operation. Signals are emitted at its end. */
typedef struct
{
  C2gTypeMeta *old_type;
  /* TRUE if others could write to the master when the operation began. */
  gboolean     was_held;
  /* The types of the signal “converted”; NULL if nothing was converted. */
  C2gTypeMeta *from;
  C2gTypeMeta *converted;
  gboolean     invalidated;
} C2gMixedChange;

/* Reports the memory under the name of the label, while it has one. */
void              c2g_mixed_tensor_set_label   (C2gMixedTensor        *self,
                                                C2gLabel              *label);

/* Returns the size of all blocks of all projections. */
gsize             c2g_mixed_tensor_count       (C2gMixedTensor        *self);

/* Every operation is between these two calls. The second one emits the signals. */
gboolean          c2g_mixed_begin              (C2gMixedTensor        *self,
                                                C2gMixedChange        *change,
                                                GError               **error);
void              c2g_mixed_end                (C2gMixedTensor        *self,
                                                const C2gMixedChange  *change);

/* Returns the side of the memories (CPU or other device) that DEVICE means; NULL means the CPU. */
gboolean          c2g_mixed_find_side          (C2gMixedTensor        *self,
                                                C2gDevice             *device,
                                                C2gSyncedSide         *side,
                                                GError               **error);
/* Returns the place of the memory of a type in the tensor. It is NULL until the type is requested;
 * the second function makes the memory. The tensor keeps it. */
C2gSyncedMemory **c2g_mixed_place_of           (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta);
C2gSyncedMemory  *c2g_mixed_ensure_memory      (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                GError               **error);
/* Returns TRUE while others may write to the master, and updates is_lent. */
gboolean          c2g_mixed_find_held          (C2gMixedTensor        *self);
/* Fails with C2G_ERROR_BUSY while someone else holds the storage of the master. */
gboolean          c2g_mixed_check_not_held     (C2gMixedTensor        *self,
                                                GError               **error);
/* Fails with C2G_ERROR_TYPE if a blob has locked the tensor to another type. */
gboolean          c2g_mixed_check_type         (C2gMixedTensor        *self,
                                                C2gDataType            data_type,
                                                GError               **error);
/* Returns the memory of a type, ready for the access: with the current numbers, unless they will be
 * overwritten. */
C2gSyncedMemory  *c2g_mixed_prepare            (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                C2gSyncedAccess        access,
                                                C2gMixedChange        *change,
                                                GError               **error);
/* Marks the memory as valid after the access. */
void              c2g_mixed_publish            (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                C2gSyncedMemory       *memory,
                                                C2gSyncedAccess        access,
                                                C2gMixedChange        *change);
void              c2g_mixed_invalidate_all_but (C2gMixedTensor        *self,
                                                C2gSyncedMemory       *master,
                                                C2gMixedChange        *change);
void              c2g_mixed_make_master        (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                C2gSyncedMemory       *memory,
                                                C2gMixedChange        *change);
/* Fails with C2G_ERROR_SHAPE if the number of elements differs. */
gboolean          c2g_mixed_check_count        (C2gMixedTensor        *self,
                                                gint64                 n_elements,
                                                GError               **error);
/* Copies dimensions. Allocates at least one, so that the address is not NULL. */
gint64           *c2g_mixed_dup_dims           (const gint64          *dims,
                                                gsize                  n_dims);
void              c2g_mixed_assign_dims        (C2gMixedTensor        *self,
                                                const gint64          *dims,
                                                gsize                  n_dims,
                                                gint64                 n_elements);
/* Resizes all memories for the new shape. A memory that is too small loses its content. */
gboolean          c2g_mixed_assign_shape       (C2gMixedTensor        *self,
                                                const gint64          *dims,
                                                gsize                  n_dims,
                                                C2gMixedChange        *change,
                                                GError               **error);

/* Returns the address of the elements in one type on one side; NULL if there are none. Valid until
 * the next access. */
gboolean c2g_mixed_tensor_access (C2gMixedTensor   *self,
                                  C2gDataType       data_type,
                                  C2gDevice        *device,
                                  C2gSyncedAccess   access,
                                  gpointer         *address,
                                  GError          **error);

/* Returns the device where the type that was written last has its elements; NULL for the CPU. */
C2gDevice *c2g_mixed_tensor_find_place (C2gMixedTensor   *self);
/* Returns the elements in the type that was written last, where they are. They are immutable, so
 * neither signal handlers nor other threads can interfere. */
C2gTensor *c2g_mixed_tensor_ref_written (C2gMixedTensor  *self,
                                         GError          **error);

/* Calls a function that changes the elements in the type that was written last, where they are.
 * SOURCE is the operand, or NULL. Other accesses wait meanwhile, and signals are emitted
 * afterwards. Fails with C2G_ERROR_SHAPE if SOURCE has another number of elements. */
gboolean   c2g_mixed_tensor_compute     (C2gMixedTensor   *self,
                                         C2gSyncedAccess   access,
                                         C2gTensor        *source,
                                         C2gSyncedFunc     func,
                                         gpointer          data,
                                         GError          **error);

/* Copies the elements of a tensor into this one, in the type that was written last. */
gboolean   c2g_mixed_tensor_copy_in     (C2gMixedTensor   *self,
                                         C2gTensor        *source,
                                         GError          **error);

G_END_DECLS
