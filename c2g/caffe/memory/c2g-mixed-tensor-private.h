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
  /* The labels of the projections are parts of it. */
  C2gLabel        *label;
  C2gDevice       *device;

  gint64          *dims;
  gsize            n_dims;
  gint64           n_elements;

  /* Atomic.  The element type of the master, and a memory for each type that was asked for;
   * each is marked as valid while it has the numbers of the master. */
  C2gTypeMeta     *written;
  C2gSyncedMemory *memories[C2G_N_CONVERT_SLOTS];
  gsize            item_sizes[C2G_N_CONVERT_SLOTS];
  /* TRUE from when others may write to the master until it is known that they no longer may. */
  gboolean         is_lent;

  /* Atomic.  The blobs that use the tensor, and those of them that forbid to write another type. */
  int              n_blobs;
  int              n_locks;
};

/* The effects of one operation, which are told when it is over. */
typedef struct
{
  C2gTypeMeta *old_type;
  gboolean     was_held;
  C2gTypeMeta *from;
  C2gTypeMeta *converted;
  gboolean     invalidated;
} C2gMixedChange;

/* Has the memory reported under another name, as long as there is one. */
void              c2g_mixed_tensor_set_label   (C2gMixedTensor        *self,
                                                C2gLabel              *label);

/* The size of the blocks of all projections. */
gsize             c2g_mixed_tensor_count       (C2gMixedTensor        *self);

/* Every operation is between these two.  Signals are emitted by the second one. */
gboolean          c2g_mixed_begin              (C2gMixedTensor        *self,
                                                C2gMixedChange        *change,
                                                GError               **error);
void              c2g_mixed_end                (C2gMixedTensor        *self,
                                                const C2gMixedChange  *change);

/* Finds the side that a device is in each of the memories; NULL is the CPU. */
gboolean          c2g_mixed_find_side          (C2gMixedTensor        *self,
                                                C2gDevice             *device,
                                                C2gSyncedSide         *side,
                                                GError               **error);
C2gSyncedMemory **c2g_mixed_place_of           (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta);
C2gSyncedMemory  *c2g_mixed_ensure_memory      (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                GError               **error);
gboolean          c2g_mixed_find_held          (C2gMixedTensor        *self);
/* Fails with C2G_ERROR_BUSY while somebody holds the master. */
gboolean          c2g_mixed_check_not_held     (C2gMixedTensor        *self,
                                                GError               **error);
/* Fails with C2G_ERROR_TYPE if a blob forbids to write this type. */
gboolean          c2g_mixed_check_type         (C2gMixedTensor        *self,
                                                C2gDataType            data_type,
                                                GError               **error);
/* The memory of a type for an access; it is as the numbers of the master unless it is overwritten. */
C2gSyncedMemory  *c2g_mixed_prepare            (C2gMixedTensor        *self,
                                                C2gTypeMeta           *meta,
                                                C2gSyncedAccess        access,
                                                C2gMixedChange        *change,
                                                GError               **error);
/* Marks the memory as valid once the access has been made. */
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
/* Fails with C2G_ERROR_SHAPE if another tensor has not as many elements. */
gboolean          c2g_mixed_check_count        (C2gMixedTensor        *self,
                                                gint64                 n_elements,
                                                GError               **error);
/* Copies dimensions.  There is room for one at least, so that there is an address. */
gint64           *c2g_mixed_dup_dims           (const gint64          *dims,
                                                gsize                  n_dims);
void              c2g_mixed_assign_dims        (C2gMixedTensor        *self,
                                                const gint64          *dims,
                                                gsize                  n_dims,
                                                gint64                 n_elements);
/* Gives all memories the size for a shape; what is too small for it is lost. */
gboolean          c2g_mixed_assign_shape       (C2gMixedTensor        *self,
                                                const gint64          *dims,
                                                gsize                  n_dims,
                                                C2gMixedChange        *change,
                                                GError               **error);

/* The elements in one type and place, NULL where there are none, good until the next access. */
gboolean c2g_mixed_tensor_access (C2gMixedTensor   *self,
                                  C2gDataType       data_type,
                                  C2gDevice        *device,
                                  C2gSyncedAccess   access,
                                  gpointer         *address,
                                  GError          **error);

/* The place of the elements of the type that was written last; NULL is the CPU. */
C2gDevice *c2g_mixed_tensor_find_place (C2gMixedTensor   *self);
/* The elements of the type that was written last, in the place where they are.  They never change, so
 * that neither signal handlers nor other threads get in the way. */
C2gTensor *c2g_mixed_tensor_ref_written (C2gMixedTensor  *self,
                                         GError          **error);

/* Lets a function change the elements of the type that was written last, where they are; source, which
 * may be NULL, is what it reads.  Other accesses wait for it, and signals are emitted afterwards.
 * Fails with C2G_ERROR_SHAPE if source has another number of elements. */
gboolean   c2g_mixed_tensor_compute     (C2gMixedTensor   *self,
                                         C2gSyncedAccess   access,
                                         C2gTensor        *source,
                                         C2gSyncedFunc     func,
                                         gpointer          data,
                                         GError          **error);

/* Writes the elements of a tensor, in the type that was written last. */
gboolean   c2g_mixed_tensor_copy_in     (C2gMixedTensor   *self,
                                         C2gTensor        *source,
                                         GError          **error);

G_END_DECLS
