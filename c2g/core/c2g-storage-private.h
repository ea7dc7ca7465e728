/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-allocator.h>
#include <c2g/core/c2g-label-private.h>
#include <c2g/core/c2g-storage.h>
#include <c2g/core/c2g-type-meta.h>

G_BEGIN_DECLS

typedef struct _C2gRelease C2gRelease;

/* An adaptor that had a hand in an allocation and wants to know when it ends. */
struct _C2gRelease
{
  C2gRelease   *next;
  C2gAllocator *allocator;
  gsize         n_bytes;
};

#define C2G_STORAGE_READ_ONLY (-1)

/* One block of memory and its unique owner.
 *
 * The counts are atomic.  ref_count counts every holder; n_tensors and n_views say
 * how many of those are tensors and mappings or bytes.  n_frozen says how many of
 * the views were promised that the bytes never change.  n_writers counts the mappings
 * that may write; it is C2G_STORAGE_READ_ONLY where none may, now or later.
 */
struct _C2gStorage
{
  int             ref_count;
  int             n_tensors;
  int             n_views;
  int             n_frozen;
  int             n_writers;

  gpointer        address;
  gsize           n_bytes;
  C2gDevice      *device;

  /* Whose block it is; NULL for foreign memory, which has destroy instead. */
  C2gAllocator   *allocator;
  C2gContext     *context;
  C2gRelease     *releases;
  GDestroyNotify  destroy;
  gpointer        destroy_data;
  /* What the device knows of who uses foreign memory, NULL as long as nobody does; atomic. */
  gpointer        uses;

  /* Elements that live in the block and are destroyed with it. */
  C2gTypeMeta    *constructed_type;
  gsize           n_constructed;

  /* In the ledger: foreign memory in a list of its own. */
  guint           listed : 1;
  /* An overridden allocate() gave it out: none may do so again. */
  guint           given : 1;
  /* Of the processor, and foreign: devices use it after calls have returned. */
  guint           is_pinned : 1;

  /* The ledger's part, guarded by the lock of the shard: c2g-memory-reporter.c. */
  guint           shard;
  C2gLabel       *label;
  C2gStorage     *previous;
  C2gStorage     *next;
};

/* A storage over a block that allocator made, entered in the ledger; on failure
 * the block is the caller's again. */
C2gStorage *c2g_storage_new_for_block    (C2gAllocator   *allocator,
                                          C2gDevice      *device,
                                          gpointer        block,
                                          gsize           n_bytes,
                                          C2gContext     *context,
                                          GError        **error);
/* A storage over memory that the ledger has already, or is not to have. */
C2gStorage *c2g_storage_new_unlisted     (C2gDevice      *device,
                                          gpointer        pointer,
                                          gsize           n_bytes,
                                          gboolean        read_only,
                                          GDestroyNotify  destroy,
                                          gpointer        user_data);
/* Puts allocator, whose class has `released`, on the list of those to tell. */
gboolean    c2g_storage_push_release     (C2gStorage     *self,
                                          C2gAllocator   *allocator,
                                          gsize           n_bytes,
                                          GError        **error);
/* Within `released`: the name of the blob that the block was for, NULL if none is known. */
char       *c2g_storage_dup_releasing_name (void);
/* Makes the ledger forget the block: its holder counts it in some other way. */
void        c2g_storage_unlist           (C2gStorage     *self);

void        c2g_storage_add_tensor       (C2gStorage     *self);
void        c2g_storage_remove_tensor    (C2gStorage     *self);
/* Makes elements in all of the block, once; the first n_empty are of a type of pointers, and stay
 * NULL. */
void        c2g_storage_construct        (C2gStorage     *self,
                                          C2gTypeMeta    *meta,
                                          gsize           n_empty);

/* Makes the storage read-only for all its holders; BUSY while a mapping may write. */
gboolean    c2g_storage_seal             (C2gStorage     *self,
                                          GError        **error);
/* Counts one more mapping that may write; FALSE where none may. */
gboolean    c2g_storage_add_writer       (C2gStorage     *self);

/* A part of the storage, for a tensor. */
C2gMapping *c2g_storage_map_range        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes,
                                          C2gMapFlags     flags,
                                          GError        **error);
/* A mapping of memory on any device, for those who do not hand out its bytes. */
C2gMapping *c2g_storage_pin_range        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes,
                                          C2gMapFlags     flags,
                                          GError        **error);
/* Waits for the work on foreign memory, which is about to go back. */
void        c2g_storage_release_after_uses (C2gStorage   *self);
/* Atomic: whether a device was ever asked to use memory of the processor, which it does after the
 * call has returned. As long as it is not, nobody has to look for such uses. */
extern int  c2g_storage_has_far_users;
/* Puts what context is asked to do from now on behind all that was asked of the memory: the
 * processor waits, if the context is its. */
gboolean    c2g_storage_wait_for_uses    (C2gStorage     *self,
                                          C2gContext     *context,
                                          GError        **error);
/* Records a use, or waits for it if the allocator keeps no account of uses. */
gboolean    c2g_storage_end_use          (C2gStorage     *self,
                                          C2gContext     *context,
                                          GError        **error);
/* Waits, before the processor touches memory of its own, for devices that were asked to use it;
 * anything else, also NULL, is none of it. */
gboolean    c2g_storage_finish_uses      (C2gStorage     *self,
                                          GError        **error);
/* Bytes of memory that nobody may write, now or as long as the bytes live. */
GBytes     *c2g_storage_ref_bytes        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes);

/* Tells whether nobody may write to the block, now or later. */
static inline gboolean
c2g_storage_is_sealed (C2gStorage *self)
{
  return g_atomic_int_get (&self->n_writers) == C2G_STORAGE_READ_ONLY;
}

/* Whether somebody holds the block as bytes that must not change. */
static inline gboolean
c2g_storage_is_frozen (C2gStorage *self)
{
  return g_atomic_int_get (&self->n_frozen) > 0;
}

G_END_DECLS
