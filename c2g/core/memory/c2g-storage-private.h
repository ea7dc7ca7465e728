/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-allocator.h>
#include <c2g/core/memory/c2g-label-private.h>
#include <c2g/core/memory/c2g-mapping.h>
#include <c2g/core/memory/c2g-storage.h>
#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

typedef struct _C2gRelease C2gRelease;

/* An adaptor whose allocate() passed the block on, and which is told when the block is released. */
struct _C2gRelease
{
  C2gRelease   *next;
  C2gAllocator *allocator;
  gsize         n_bytes;
};

#define C2G_STORAGE_READ_ONLY  (-1)
#define C2G_STORAGE_ONE_TENSOR (G_GUINT64_CONSTANT (1) << 32)
#define C2G_STORAGE_WATCHED    (1 << 30)

/* One block of memory; the storage is its only owner.
 *
 * The counts are atomic. holders counts all references, plus C2G_STORAGE_ONE_TENSOR for each that
 * a tensor has, so that one operation changes both. n_views counts those of mappings and GBytes.
 * n_frozen counts the views whose bytes must never change. n_writers counts the mappings that may
 * write, and is C2G_STORAGE_READ_ONLY for memory that must never be written.
 *
 * watch is the number that c2g_storage_watch() returned, or 0 if the block may have been written
 * since. Meanwhile n_frozen has C2G_STORAGE_WATCHED added, so that the test that comes before each
 * write finds both reasons not to write at once, and costs no more than without watches. */
struct _C2gStorage
{
  guint64         holders __attribute__ ((aligned (8)));
  int             n_views;
  int             n_frozen;
  int             n_writers;
  guint           watch;

  gpointer        address;
  gsize           n_bytes;
  C2gDevice      *device;

  /* Allocator of the block; NULL for foreign memory, which has destroy instead. */
  C2gAllocator   *allocator;
  /* The context that uses the block first, or NULL. */
  C2gContext     *context;
  C2gRelease     *releases;
  GDestroyNotify  destroy;
  gpointer        destroy_data;
  /* Uses of foreign memory that the device has recorded, or NULL; atomic. */
  gpointer        uses;

  /* Elements that are constructed in the block; they are destroyed with it. */
  C2gTypeMeta    *constructed_type;
  gsize           n_constructed;

  /* Set while the storage is in the ledger, where foreign memory has its own list. */
  guint           listed : 1;
  /* Set if an overridden allocate() has returned the storage: no other may return it again. */
  guint           given : 1;
  /* Set for foreign CPU memory that its owner says is pinned for CUDA: devices may use it after a
   * call has returned. */
  guint           is_pinned : 1;
  /* Set if code that c2g does not know of may write to the block at any time, whoever holds the
   * storage: its bytes are never taken for constant, even if c2g must not write them. */
  guint           is_foreign : 1;
  /* Set if the owner of foreign memory may get it back after the last unref has returned, so that
   * the unref need not wait for a device. */
  guint           may_linger : 1;

  /* Used by the ledger, protected by the lock of the shard: see c2g-ledger.c. */
  guint           shard;
  C2gLabel       *label;
  C2gStorage     *previous;
  C2gStorage     *next;
};

/* Creates a storage over a block of the allocator, and adds it to the ledger. If it fails, the
 * caller still owns the block. */
C2gStorage *c2g_storage_new_for_block    (C2gAllocator   *allocator,
                                          C2gDevice      *device,
                                          gpointer        block,
                                          gsize           n_bytes,
                                          C2gContext     *context,
                                          GError        **error);
/* Makes the calling thread add a reference to each storage over a block that it creates to the array,
 * until it is called with NULL. */
void        c2g_storage_keep_new         (GPtrArray      *kept);
/* Creates a storage over memory that the ledger lists already, or must not list. It is never NULL. */
C2gStorage *c2g_storage_new_unlisted     (C2gDevice      *device,
                                          gpointer        pointer,
                                          gsize           n_bytes,
                                          gboolean        read_only,
                                          GDestroyNotify  destroy,
                                          gpointer        user_data);
/* Adds an allocator whose class has released() to those that are told of the release. */
gboolean    c2g_storage_push_release     (C2gStorage     *self,
                                          C2gAllocator   *allocator,
                                          gsize           n_bytes,
                                          GError        **error);
/* Removes the block from the ledger, if its holder counts it in another way. */
void        c2g_storage_unlist           (C2gStorage     *self);

/* Drops the reference of a tensor. */
void        c2g_storage_remove_tensor    (C2gStorage     *self);
/* Constructs elements in the whole block; called once. The first n_empty stay NULL, for types whose
 * elements are pointers. */
void        c2g_storage_construct        (C2gStorage     *self,
                                          C2gTypeMeta    *meta,
                                          gsize           n_empty);

/* Makes the storage read-only for all its holders; BUSY while a mapping may write. */
gboolean    c2g_storage_seal             (C2gStorage     *self,
                                          GError        **error);
/* Counts one more mapping that may write; returns FALSE if none may. */
gboolean    c2g_storage_add_writer       (C2gStorage     *self);

/* Returns a number that no other block has had, and that self->watch keeps until somebody gets the
 * block for writing. Returns 0 if it may be written unnoticed: it is foreign, or mapped. */
guint       c2g_storage_watch            (C2gStorage     *self);
/* Ends a watch. Returns TRUE if the block is held as GBytes. */
gboolean    c2g_storage_end_watch        (C2gStorage     *self);

/* Maps a part of the storage as bytes, for a tensor. */
C2gMapping *c2g_storage_map_range        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes,
                                          C2gMapFlags     flags,
                                          GError        **error);
/* Maps a part of the storage on any device, for callers that do not access its bytes. */
C2gMapping *c2g_storage_pin_range        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes,
                                          C2gMapFlags     flags,
                                          GError        **error);
/* Releases foreign memory after the work that uses it. */
void        c2g_storage_release_after_uses (C2gStorage   *self);
/* Atomic. Set when a device was first asked to use CPU memory asynchronously. While it is not set,
 * no code needs to look for such uses. */
extern int  c2g_storage_has_far_users;
/* Orders later work of the context behind all recorded uses of the memory. With a CPU context it
 * waits for them. */
gboolean    c2g_storage_wait_for_uses    (C2gStorage     *self,
                                          C2gContext     *context,
                                          GError        **error);
/* Records a use, or waits for it if the allocator keeps no account of uses. */
gboolean    c2g_storage_end_use          (C2gStorage     *self,
                                          C2gContext     *context,
                                          GError        **error);
/* Waits until no device uses the memory, before the CPU accesses it. Does nothing for memory of
 * other devices and for NULL. */
gboolean    c2g_storage_finish_uses      (C2gStorage     *self,
                                          GError        **error);
/* Returns GBytes of memory that nobody may write, at all or as long as the bytes live. */
GBytes     *c2g_storage_ref_bytes        (C2gStorage     *self,
                                          gsize           offset,
                                          gsize           n_bytes);

/* Initializes all members but the shard, which belongs to the record. Not memset(): compilers make
 * it a string instruction, which takes as long as the rest of an allocation. */
static inline void
c2g_storage_init (C2gStorage *self,
                  C2gDevice  *device,
                  gpointer    address,
                  gsize       n_bytes)
{
  self->holders = 1;
  self->n_views = 0;
  self->n_frozen = 0;
  self->n_writers = 0;
  self->watch = 0;
  self->address = address;
  self->n_bytes = n_bytes;
  self->device = device;
  self->allocator = NULL;
  self->context = NULL;
  self->releases = NULL;
  self->destroy = NULL;
  self->destroy_data = NULL;
  self->uses = NULL;
  self->constructed_type = NULL;
  self->n_constructed = 0;
  self->listed = FALSE;
  self->given = FALSE;
  self->is_pinned = FALSE;
  self->is_foreign = FALSE;
  self->may_linger = FALSE;
  self->label = NULL;
  self->previous = NULL;
  self->next = NULL;
}

/* The counts of holders are 64 bits wide, for which GLib has no atomic functions. */
static inline guint
c2g_storage_n_refs (C2gStorage *self)
{
  return (guint) __atomic_load_n (&self->holders, __ATOMIC_SEQ_CST);
}

static inline guint
c2g_storage_n_tensors (C2gStorage *self)
{
  return (guint) (__atomic_load_n (&self->holders, __ATOMIC_SEQ_CST) / C2G_STORAGE_ONE_TENSOR);
}

/* Takes a reference for a tensor. */
static inline C2gStorage *
c2g_storage_ref_for_tensor (C2gStorage *self)
{
  __atomic_add_fetch (&self->holders, C2G_STORAGE_ONE_TENSOR + 1, __ATOMIC_SEQ_CST);

  return self;
}

/* Makes a reference that of a tensor. If there is no other, no other thread can change the count. */
static inline C2gStorage *
c2g_storage_give_to_tensor (C2gStorage *self)
{
  if (G_LIKELY (__atomic_load_n (&self->holders, __ATOMIC_SEQ_CST) == 1))
    __atomic_store_n (&self->holders, C2G_STORAGE_ONE_TENSOR + 1, __ATOMIC_RELAXED);
  else
    __atomic_add_fetch (&self->holders, C2G_STORAGE_ONE_TENSOR, __ATOMIC_SEQ_CST);

  return self;
}

/* Returns TRUE if nobody may write to the block, now or later. */
static inline gboolean
c2g_storage_is_sealed (C2gStorage *self)
{
  return g_atomic_int_get (&self->n_writers) == C2G_STORAGE_READ_ONLY;
}

static inline guint
c2g_storage_n_frozen (C2gStorage *self)
{
  return (guint) (g_atomic_int_get (&self->n_frozen) & ~C2G_STORAGE_WATCHED);
}

/* Returns TRUE if the block is held as GBytes that must not change. */
static inline gboolean
c2g_storage_is_frozen (C2gStorage *self)
{
  return c2g_storage_n_frozen (self) > 0;
}

/* Returns TRUE if something must be done before a write: c2g_storage_begin_write() does it or says
 * what. */
static inline gboolean
c2g_storage_is_guarded (C2gStorage *self)
{
  return c2g_storage_is_sealed (self) || g_atomic_int_get (&self->n_frozen) > 0;
}

/* Returns FALSE if a tensor must leave the block before it writes. Otherwise the caller may write, so
 * a watch ends. */
static inline gboolean
c2g_storage_begin_write (C2gStorage *self)
{
  return !c2g_storage_is_guarded (self) ||
         (!c2g_storage_is_sealed (self) && !c2g_storage_end_watch (self));
}

/* Maps a part of a storage. The mapping pins the storage and is counted in it. Returns NULL if the
 * mapping is for writing and the storage must not be written. */
C2gMapping *c2g_mapping_new (C2gStorage  *storage,
                             gsize        offset,
                             gsize        n_bytes,
                             C2gMapFlags  flags);

G_END_DECLS
