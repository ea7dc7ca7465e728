/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <c2g/caffe/memory/c2g-lent-block-private.h>
#include <c2g/caffe/memory/c2g-transit-private.h>
#include <c2g/core/c2g-context-private.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-ledger-private.h>
#include <c2g/core/c2g-tensor-private.h>

#include <string.h>

/**
 * C2gSyncedMemory:
 *
 * Bytes that live on the CPU and on another device, and follow lazily.
 *
 * It is the `SyncedMemory` of Caffe. Its head says where the current bytes are. Writing on one
 * side makes the other one stale; reading there copies. Memory comes with the first access of
 * a side. The first read of memory that was never written gives zeros.
 *
 * ```c
 * g_autoptr (C2gSyncedMemory) memory = c2g_synced_memory_new (4096, NULL);
 * float *data = c2g_synced_memory_mutable_cpu_data (memory, FALSE, &error);
 * ```
 *
 * ```python
 * memory = C2g.SyncedMemory.new(8, None)
 * memory.set_bytes(GLib.Bytes.new(bytes(8)))
 * assert memory.get_head() == C2g.SyncedHead.AT_CPU
 * ```
 *
 * ```js
 * const memory = C2g.SyncedMemory.new(8, null);
 * memory.connect('head-changed', (_, before, now) => print(before, now));
 * memory.set_bytes(new Uint8Array(8));
 * ```
 *
 * ## Memory
 *
 * The blocks come from the allocators of the two devices. Reports show them as the name of
 * the memory, an “@” and the device. Memory of somebody else is taken by
 * [method@SyncedMemory.set_cpu_data] and [method@SyncedMemory.set_gpu_data].
 *
 * ## Streams
 *
 * Each copy is behind all that contexts were asked to do with the two blocks, and is over when
 * the call returns; only [method@SyncedMemory.push] with a context returns before. A C program that
 * uses an address on a stream of its own has to wait for that stream by itself.
 *
 * ## Threads
 *
 * Any number of threads may read at once: one of them copies, and the others wait for it.
 * A thread that writes must be the only user. While memory is allocated or copied no lock is held; but a
 * callback that runs then, such as one of an allocator, cannot use the same memory: that is
 * `C2G_ERROR_BUSY`. [signal@SyncedMemory::head-changed] is emitted in the thread that made the
 * change, after it.
 */

/* One of the two places. */
typedef struct
{
  C2gDevice    *device;
  C2gLabel     *label;
  /* NULL before the first access. */
  C2gLentBlock *block;
  /* The address and size of the block, and whether an allocator gave it: atomic, for those who
   * look without being the one that makes changes. */
  gpointer      address;
  gsize         capacity;
  gboolean      is_own;
} Side;

#define NO_HOLDER (-1)

struct _C2gSyncedMemory
{
  GObject    parent_instance;

  C2gTransit transit;
  char      *name;
  Side       sides[C2G_SYNCED_N_SIDES];

  /* Atomic.  current has a bit for each side that has the current bytes; holder is the side
   * whose block was lent for writing, or NO_HOLDER. */
  gsize      n_bytes;
  guint      current;
  int        holder;
  int        is_valid;
};

/* The effects of one operation, which are told when it is over. */
typedef struct
{
  C2gSyncedHead  old_head;
  C2gLentBlock  *dropped[C2G_SYNCED_N_SIDES];
} Change;

enum
{
  PROP_0,
  PROP_N_BYTES,
  PROP_DEVICE,
  PROP_NAME,
  N_PROPS
};

enum
{
  HEAD_CHANGED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_ENUM_TYPE (C2gSyncedHead, c2g_synced_head,
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_UNINITIALIZED, "uninitialized"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_AT_CPU, "at-cpu"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_AT_GPU, "at-gpu"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_SYNCED, "synced"))

G_DEFINE_FINAL_TYPE (C2gSyncedMemory, c2g_synced_memory, G_TYPE_OBJECT)

static inline guint
bit_of (C2gSyncedSide side)
{
  return 1u << side;
}

static inline C2gSyncedSide
other_side (C2gSyncedSide side)
{
  return side == C2G_SYNCED_CPU ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
}

static C2gSyncedHead
head_for (guint current)
{
  static const C2gSyncedHead heads[] = {
    C2G_SYNCED_HEAD_UNINITIALIZED,
    C2G_SYNCED_HEAD_AT_CPU,
    C2G_SYNCED_HEAD_AT_GPU,
    C2G_SYNCED_HEAD_SYNCED,
  };

  return heads[current];
}

/* Changes */

static gboolean
begin (C2gSyncedMemory  *self,
       Change           *change,
       GError          **error)
{
  if (!c2g_transit_enter (&self->transit, error))
    return FALSE;

  *change = (Change) { .old_head = head_for (self->current) };
  return TRUE;
}

/* Owners of foreign memory and handlers of the signal are code of others, which may use the
 * memory again, or drop it. */
static void
end (C2gSyncedMemory *self,
     Change          *change)
{
  C2gSyncedHead new_head = head_for (self->current);

  g_object_ref (self);
  c2g_transit_leave (&self->transit);
  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    g_clear_pointer (&change->dropped[i], c2g_lent_block_unref);
  if (new_head != change->old_head)
    g_signal_emit (self, signals[HEAD_CHANGED], 0, change->old_head, new_head);
  g_object_unref (self);
}

/* Takes the block.  A change replaces each block at most once. */
static void
assign_block (C2gSyncedMemory *self,
              C2gSyncedSide    side,
              C2gLentBlock    *block,
              Change          *change)
{
  Side *place = &self->sides[side];

  if (block == place->block)
    return;

  change->dropped[side] = place->block;
  place->block = block;
  g_atomic_pointer_set (&place->address, block != NULL ? c2g_lent_block_place (block).address : NULL);
  g_atomic_pointer_set (&place->capacity, block != NULL ? block->n_bytes : 0);
  g_atomic_int_set (&place->is_own, block != NULL && block->is_own);
}

/* Drops the blocks that are too small.  Their readers and holders keep them. */
static void
drop_small_blocks (C2gSyncedMemory *self,
                   gsize            n_bytes,
                   Change          *change)
{
  for (int side = 0; side < C2G_SYNCED_N_SIDES; side++)
    if (self->sides[side].capacity < n_bytes)
      {
        assign_block (self, (C2gSyncedSide) side, NULL, change);
        g_atomic_int_and (&self->current, ~bit_of ((C2gSyncedSide) side));
        if (self->holder == side)
          g_atomic_int_set (&self->holder, NO_HOLDER);
      }
}

/* Returns the side whose block somebody may write to, or NO_HOLDER. */
static int
find_holder (C2gSyncedMemory *self)
{
  if (self->holder != NO_HOLDER && !c2g_lent_block_is_held (self->sides[self->holder].block))
    g_atomic_int_set (&self->holder, NO_HOLDER);

  return self->holder;
}

static gboolean
fail_held (C2gSyncedMemory  *self,
           int               holder,
           GError          **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_BUSY,
               _("The memory “%s” is held for writing on %s; drop the tensor, mapping or array that "
                 "holds it"),
               self->name, c2g_device_to_string (self->sides[holder].device));
  return FALSE;
}

/* A holder keeps others from writing on the other side only. */
static gboolean
check_holder (C2gSyncedMemory  *self,
              int               allowed,
              GError          **error)
{
  int holder = find_holder (self);

  return holder == NO_HOLDER || holder == allowed || fail_held (self, holder, error);
}

/* Blocks */

static C2gLentBlock *
new_block (C2gSyncedMemory  *self,
           C2gSyncedSide     side,
           GError          **error)
{
  Side *place = &self->sides[side];
  C2gLabel *former = c2g_label_swap_allocating (place->label);
  C2gStorage *storage = c2g_storage_new (place->device, self->n_bytes, NULL, error);
  C2gLentBlock *block;

  c2g_label_swap_allocating (former);
  if (storage == NULL)
    return NULL;

  if (storage->listed)
    c2g_ledger_set_label (storage, place->label);
  block = c2g_lent_block_new (storage, 0, self->n_bytes);
  block->is_own = TRUE;
  return block;
}

/* Returns TRUE if the block of a side exists and can be written in place. */
static gboolean
can_write (C2gSyncedMemory *self,
           C2gSyncedSide    side)
{
  C2gLentBlock *block = self->sides[side].block;

  return block != NULL && block->n_bytes >= self->n_bytes && !block->storage->read_only &&
         !c2g_storage_is_frozen (block->storage) && !c2g_lent_block_is_read (block) &&
         (self->holder == (int) side || !c2g_lent_block_is_held (block));
}

/* Returns the present block if it can be written in place, and a new one otherwise. */
static C2gLentBlock *
find_block (C2gSyncedMemory  *self,
            C2gSyncedSide     side,
            GError          **error)
{
  return can_write (self, side) ? self->sides[side].block : new_block (self, side, error);
}

/* Gives back a block that was not assigned. */
static void
give_up (C2gSyncedMemory *self,
         C2gSyncedSide    side,
         C2gLentBlock    *block)
{
  if (block != self->sides[side].block)
    c2g_lent_block_unref (block);
}

/* A context that is given goes behind all other users of the two blocks, too. */
static gboolean
copy_block (C2gSyncedMemory       *self,
            C2gContext            *context,
            const C2gTensorPlace  *source,
            C2gLentBlock          *destination,
            GError               **error)
{
  const C2gTensorPlace to = c2g_lent_block_place (destination);
  C2gTypeMeta *bytes = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, error);

  if (context != NULL && (!c2g_storage_wait_for_uses (source->storage, context, error) ||
                          !c2g_storage_wait_for_uses (to.storage, context, error)))
    return FALSE;

  return bytes != NULL && c2g_tensor_copy_items (context, bytes, self->n_bytes, source, &to, error);
}

/* Contexts fill tensors only, so that the block becomes one for a moment. */
static gboolean
zero_on_device (C2gSyncedMemory  *self,
                C2gLentBlock     *block,
                GError          **error)
{
  C2gStorage *storage = block->storage;
  const gint64 n_bytes = (gint64) self->n_bytes;
  g_autoptr (C2gContext) context = c2g_context_shared (storage->device, error);
  g_autoptr (C2gTensor) bytes = NULL;

  if (context == NULL || !c2g_storage_wait_for_uses (storage, context, error))
    return FALSE;

  bytes = c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, &n_bytes, 1, storage, block->offset, error);
  return bytes != NULL && c2g_context_fill (context, bytes, 0, error) &&
         c2g_context_finish (context, error);
}

static gboolean
zero_block (C2gSyncedMemory  *self,
            C2gLentBlock     *block,
            GError          **error)
{
  if (self->n_bytes == 0)
    return TRUE;
  if (block->storage->device->type != C2G_DEVICE_TYPE_CPU)
    return zero_on_device (self, block, error);
  if (!c2g_storage_finish_uses (block->storage, error))
    return FALSE;

  memset (c2g_lent_block_place (block).address, 0, self->n_bytes);
  return TRUE;
}

/* Copies source to one side, or fills it with zeros if source is NULL. */
static gboolean
fill_side (C2gSyncedMemory       *self,
           C2gSyncedSide          side,
           const C2gTensorPlace  *source,
           C2gContext            *context,
           Change                *change,
           GError               **error)
{
  C2gLentBlock *block = find_block (self, side, error);

  if (block == NULL)
    return FALSE;

  if (source != NULL ? !copy_block (self, context, source, block, error)
                     : !zero_block (self, block, error))
    {
      give_up (self, side, block);
      return FALSE;
    }

  assign_block (self, side, block, change);
  return TRUE;
}

/* The place of the current bytes, preferably on one side; NULL if there are none. */
static const C2gTensorPlace *
find_current (C2gSyncedMemory *self,
              C2gSyncedSide    preferred,
              C2gTensorPlace  *place)
{
  C2gSyncedSide side = (self->current & bit_of (preferred)) != 0 ? preferred : other_side (preferred);

  if ((self->current & bit_of (side)) == 0)
    return NULL;

  *place = c2g_lent_block_place (self->sides[side].block);
  return place;
}

/* While somebody may write on one side, the other side never counts as current. */
static gboolean
prepare_read (C2gSyncedMemory  *self,
              C2gSyncedSide     side,
              C2gContext       *context,
              Change           *change,
              GError          **error)
{
  C2gLentBlock *block = self->sides[side].block;
  int holder = find_holder (self);
  C2gTensorPlace place;

  /* The bytes may still be on their way in another context. */
  if ((self->current & bit_of (side)) != 0)
    return context == NULL || block == NULL ||
           c2g_storage_wait_for_uses (block->storage, context, error);
  if (!fill_side (self, side, find_current (self, side, &place), context, change, error))
    return FALSE;
  if (holder == NO_HOLDER)
    g_atomic_int_or (&self->current, bit_of (side));

  return TRUE;
}

/* Moves to a new block if readers have the present one. */
static gboolean
prepare_write (C2gSyncedMemory  *self,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               Change           *change,
               GError          **error)
{
  const gboolean is_current = (self->current & bit_of (side)) != 0;

  if (!check_holder (self, (int) side, error))
    return FALSE;

  if (access == C2G_SYNCED_OVERWRITE)
    {
      C2gLentBlock *block = find_block (self, side, error);

      if (block == NULL)
        return FALSE;
      assign_block (self, side, block, change);
    }
  else if (!is_current || !can_write (self, side))
    {
      C2gTensorPlace place;

      if (!fill_side (self, side, find_current (self, side, &place), NULL, change, error))
        return FALSE;
    }

  g_atomic_int_set (&self->current, bit_of (side));
  return TRUE;
}

static gboolean
prepare (C2gSyncedMemory  *self,
         C2gSyncedSide     side,
         C2gSyncedAccess   access,
         Change           *change,
         GError          **error)
{
  if (access == C2G_SYNCED_READ)
    return prepare_read (self, side, NULL, change, error);

  return prepare_write (self, side, access, change, error);
}

/* Waits until devices are done with memory of the CPU. */
static gboolean
finish_uses (C2gSyncedMemory  *self,
             C2gSyncedSide     side,
             GError          **error)
{
  return side != C2G_SYNCED_CPU ||
         c2g_storage_finish_uses (self->sides[side].block->storage, error);
}

static gboolean
access_slowly (C2gSyncedMemory  *self,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               gpointer         *address,
               GError          **error)
{
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  done = prepare (self, side, access, &change, error) && finish_uses (self, side, error);
  *address = done ? self->sides[side].address : NULL;
  end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_access (C2gSyncedMemory  *self,
                          C2gSyncedSide     side,
                          C2gSyncedAccess   access,
                          gpointer         *address,
                          GError          **error)
{
  /* The fast path: the bytes are here already. */
  if (G_LIKELY (access == C2G_SYNCED_READ &&
                (g_atomic_int_get (&self->current) & bit_of (side)) != 0 &&
                !g_atomic_int_get (&c2g_storage_has_far_users)))
    {
      *address = g_atomic_pointer_get (&self->sides[side].address);
      return TRUE;
    }

  return access_slowly (self, side, access, address, error);
}

/* Readers get a copy while somebody may write to the block, because their bytes must never
 * change. */
static C2gStorage *
copy_for_reader (C2gSyncedMemory  *self,
                 C2gSyncedSide     side,
                 GError          **error)
{
  C2gLentBlock *copy = new_block (self, side, error);
  C2gStorage *reader = NULL;
  C2gTensorPlace place;

  if (copy == NULL)
    return NULL;

  if (copy_block (self, NULL, find_current (self, side, &place), copy, error))
    reader = c2g_lent_block_ref_reader (copy, self->n_bytes);
  c2g_lent_block_unref (copy);

  return reader;
}

C2gStorage *
c2g_synced_memory_ref_reader (C2gSyncedMemory  *self,
                              C2gSyncedSide     side,
                              GError          **error)
{
  C2gStorage *reader = NULL;
  Change change;

  if (!begin (self, &change, error))
    return NULL;

  if (find_holder (self) != NO_HOLDER)
    reader = copy_for_reader (self, side, error);
  else if (prepare_read (self, side, NULL, &change, error))
    reader = c2g_lent_block_ref_reader (self->sides[side].block, self->n_bytes);
  end (self, &change);

  return reader;
}

C2gStorage *
c2g_synced_memory_ref_writer (C2gSyncedMemory  *self,
                              C2gSyncedSide     side,
                              gsize            *offset,
                              GError          **error)
{
  C2gStorage *writer = NULL;
  Change change;

  if (!begin (self, &change, error))
    return NULL;

  if (prepare_write (self, side, C2G_SYNCED_WRITE, &change, error))
    {
      writer = c2g_storage_ref (self->sides[side].block->storage);
      *offset = self->sides[side].block->offset;
      g_atomic_int_set (&self->holder, (int) side);
    }
  end (self, &change);

  return writer;
}

/* Publishes a block that has the bytes. */
static void
publish (C2gSyncedMemory *self,
         C2gSyncedSide    side,
         C2gLentBlock    *block,
         Change          *change)
{
  assign_block (self, side, block, change);
  g_atomic_int_set (&self->current, bit_of (side));
  g_atomic_int_set (&self->is_valid, TRUE);
}

gboolean
c2g_synced_memory_take (C2gSyncedMemory  *self,
                        C2gSyncedSide     side,
                        C2gStorage       *storage,
                        gsize             offset,
                        GError          **error)
{
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  done = check_holder (self, NO_HOLDER, error);
  if (done)
    {
      if (storage->listed)
        c2g_ledger_replace_label (storage, NULL, self->sides[side].label);
      publish (self, side, c2g_lent_block_new (c2g_storage_ref (storage), offset, self->n_bytes), &change);
      g_atomic_int_set (&self->holder, storage->read_only ? NO_HOLDER : (int) side);
    }
  end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_copy_in (C2gSyncedMemory       *self,
                           C2gSyncedSide          side,
                           const C2gTensorPlace  *source,
                           GError               **error)
{
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  done = check_holder (self, (int) side, error) && fill_side (self, side, source, NULL, &change, error);
  if (done)
    publish (self, side, self->sides[side].block, &change);
  end (self, &change);

  return done;
}

gboolean
c2g_synced_memory_is_held (C2gSyncedMemory *self)
{
  int holder = g_atomic_int_get (&self->holder);

  return holder != NO_HOLDER && c2g_lent_block_is_held (self->sides[holder].block);
}

gboolean
c2g_synced_memory_check_not_held (C2gSyncedMemory  *self,
                                  GError          **error)
{
  return !c2g_synced_memory_is_held (self) ||
         fail_held (self, g_atomic_int_get (&self->holder), error);
}

gboolean
c2g_synced_memory_clear (C2gSyncedMemory  *self,
                         GError          **error)
{
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  done = check_holder (self, NO_HOLDER, error);
  if (done)
    g_atomic_int_set (&self->current, 0);
  end (self, &change);

  return done;
}

void
c2g_synced_memory_trim (C2gSyncedMemory *self)
{
  Change change;

  if (!begin (self, &change, NULL))
    return;

  drop_small_blocks (self, G_MAXSIZE, &change);
  end (self, &change);
}

/* The object */

static void
c2g_synced_memory_get_property (GObject    *object,
                                guint       prop_id,
                                GValue     *value,
                                GParamSpec *pspec)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  switch (prop_id)
    {
    case PROP_N_BYTES:
      g_value_set_uint64 (value, c2g_synced_memory_get_n_bytes (self));
      break;
    case PROP_DEVICE:
      g_value_set_boxed (value, self->sides[C2G_SYNCED_GPU].device);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_synced_memory_set_property (GObject      *object,
                                guint         prop_id,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  switch (prop_id)
    {
    case PROP_N_BYTES:
      self->n_bytes = g_value_get_uint64 (value);
      break;
    case PROP_DEVICE:
      self->sides[C2G_SYNCED_GPU].device = g_value_get_boxed (value);
      break;
    case PROP_NAME:
      self->name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_synced_memory_constructed (GObject *object)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  G_OBJECT_CLASS (c2g_synced_memory_parent_class)->constructed (object);

  self->sides[C2G_SYNCED_CPU].device = c2g_device_cpu ();
  /* Devices are known by name, whether there is one or not. */
  if (self->sides[C2G_SYNCED_GPU].device == NULL ||
      self->sides[C2G_SYNCED_GPU].device == c2g_device_cpu ())
    self->sides[C2G_SYNCED_GPU].device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);

  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    {
      Side *place = &self->sides[i];
      g_autofree char *label = self->name == NULL
                                 ? NULL
                                 : g_strdup_printf ("%s@%s", self->name,
                                                    c2g_device_to_string (place->device));

      place->label = c2g_label_new (label);
    }
}

static void
c2g_synced_memory_finalize (GObject *object)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    {
      g_clear_pointer (&self->sides[i].block, c2g_lent_block_unref);
      g_clear_pointer (&self->sides[i].label, c2g_label_unref);
    }
  g_clear_pointer (&self->name, g_free);
  c2g_transit_clear (&self->transit);

  G_OBJECT_CLASS (c2g_synced_memory_parent_class)->finalize (object);
}

static void
c2g_synced_memory_class_init (C2gSyncedMemoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = c2g_synced_memory_get_property;
  object_class->set_property = c2g_synced_memory_set_property;
  object_class->constructed = c2g_synced_memory_constructed;
  object_class->finalize = c2g_synced_memory_finalize;

  /**
   * C2gSyncedMemory:n-bytes: (getter get_n_bytes)
   *
   * How many bytes there are.
   */
  props[PROP_N_BYTES] =
    g_param_spec_uint64 ("n-bytes", NULL, NULL, 0, G_MAXSIZE, 0,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gSyncedMemory:device: (getter get_device)
   *
   * The place beside the CPU; the first CUDA device where none is given.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gSyncedMemory:name: (getter get_name)
   *
   * What the blocks are called in reports of memory.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * C2gSyncedMemory::head-changed:
   * @self: the memory
   * @old_head: where the current bytes were
   * @new_head: where they are now
   *
   * The current bytes are elsewhere.
   *
   * It is emitted after an access or a change is over, in the thread that made it. When several
   * threads read at once, another one may have moved the bytes again.
   */
  signals[HEAD_CHANGED] =
    g_signal_new ("head-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, C2G_TYPE_SYNCED_HEAD, C2G_TYPE_SYNCED_HEAD);
}

static void
c2g_synced_memory_init (C2gSyncedMemory *self)
{
  c2g_transit_init (&self->transit);
  self->holder = NO_HOLDER;
}

/**
 * c2g_synced_memory_new:
 * @n_bytes: how many bytes
 * @device: (nullable): the place beside the CPU; `NULL`, or the CPU itself, stands for the first CUDA
 *   device
 *
 * Creates memory of which no side is allocated yet.
 *
 * Whether there are so many bytes, and such a device, shows when memory is allocated.
 *
 * Returns: (transfer full): a memory
 */
C2gSyncedMemory *
c2g_synced_memory_new (gsize      n_bytes,
                       C2gDevice *device)
{
  return g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) n_bytes, "device", device, NULL);
}

/**
 * c2g_synced_memory_get_n_bytes: (get-property n-bytes)
 * @self: a memory
 *
 * Gets how many bytes there are.
 *
 * Returns: bytes
 */
gsize
c2g_synced_memory_get_n_bytes (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);

  return (gsize) g_atomic_pointer_get (&self->n_bytes);
}

/**
 * c2g_synced_memory_get_device: (get-property device)
 * @self: a memory
 *
 * Gets the place beside the CPU.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_synced_memory_get_device (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return self->sides[C2G_SYNCED_GPU].device;
}

/**
 * c2g_synced_memory_get_name: (get-property name)
 * @self: a memory
 *
 * Gets what the blocks are called in reports of memory.
 *
 * Returns: (transfer none) (nullable): a name, or `NULL` if it has none
 */
const char *
c2g_synced_memory_get_name (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return self->name;
}

/**
 * c2g_synced_memory_get_head:
 * @self: a memory
 *
 * Gets where the current bytes are.
 *
 * Returns: a head
 */
C2gSyncedHead
c2g_synced_memory_get_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), C2G_SYNCED_HEAD_UNINITIALIZED);

  return head_for (g_atomic_int_get (&self->current));
}

/**
 * c2g_synced_memory_is_cpu_head:
 * @self: a memory
 *
 * Tells whether the current bytes are on the CPU.
 *
 * Returns: whether the head is `AT_CPU` or `SYNCED`
 */
gboolean
c2g_synced_memory_is_cpu_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return (g_atomic_int_get (&self->current) & bit_of (C2G_SYNCED_CPU)) != 0;
}

/**
 * c2g_synced_memory_is_gpu_head:
 * @self: a memory
 *
 * Tells whether the current bytes are on the other device.
 *
 * Returns: whether the head is `AT_GPU` or `SYNCED`
 */
gboolean
c2g_synced_memory_is_gpu_head (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return (g_atomic_int_get (&self->current) & bit_of (C2G_SYNCED_GPU)) != 0;
}

static gsize
get_use (Side     *place,
         gboolean  own_only)
{
  if (own_only && !g_atomic_int_get (&place->is_own))
    return 0;

  return (gsize) g_atomic_pointer_get (&place->capacity);
}

/**
 * c2g_synced_memory_get_cpu_memory_use:
 * @self: a memory
 * @own_only: whether to leave out memory that [method@SyncedMemory.set_cpu_data] took
 *
 * Gets the size of the block on the CPU.
 *
 * Blocks that only readers still hold are not counted.
 *
 * Returns: bytes, 0 if there is no block
 */
gsize
c2g_synced_memory_get_cpu_memory_use (C2gSyncedMemory *self,
                                      gboolean         own_only)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);

  return get_use (&self->sides[C2G_SYNCED_CPU], own_only);
}

/**
 * c2g_synced_memory_get_gpu_memory_use:
 * @self: a memory
 * @own_only: whether to leave out memory that [method@SyncedMemory.set_gpu_data] took
 *
 * Gets the size of the block on the other device.
 *
 * Blocks that only readers still hold are not counted.
 *
 * Returns: bytes, 0 if there is no block
 */
gsize
c2g_synced_memory_get_gpu_memory_use (C2gSyncedMemory *self,
                                      gboolean         own_only)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);

  return get_use (&self->sides[C2G_SYNCED_GPU], own_only);
}

/**
 * c2g_synced_memory_to_string:
 * @self: a memory
 *
 * Describes the memory in one line, for people.
 *
 * Returns: (transfer full): text such as “data: 8 bytes, synced, valid; cpu 8, cuda:0 8”
 */
char *
c2g_synced_memory_to_string (C2gSyncedMemory *self)
{
  static const char *const heads[] = { "uninitialized", "at CPU", "at GPU", "synced" };

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return g_strdup_printf ("%s%s%zu bytes, %s, %s; cpu %zu, %s %zu",
                          self->name != NULL ? self->name : "", self->name != NULL ? ": " : "",
                          c2g_synced_memory_get_n_bytes (self),
                          heads[c2g_synced_memory_get_head (self)],
                          c2g_synced_memory_is_valid (self) ? "valid" : "invalid",
                          get_use (&self->sides[C2G_SYNCED_CPU], FALSE),
                          c2g_device_to_string (self->sides[C2G_SYNCED_GPU].device),
                          get_use (&self->sides[C2G_SYNCED_GPU], FALSE));
}

/**
 * c2g_synced_memory_is_valid:
 * @self: a memory
 *
 * Tells whether the bytes are marked as valid.
 *
 * The mark is for whoever keeps the same numbers in several memories, as
 * [class@MixedTensor] does: it says that these are up to date. Writing sets it.
 *
 * Returns: whether they are
 */
gboolean
c2g_synced_memory_is_valid (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);

  return g_atomic_int_get (&self->is_valid);
}

/**
 * c2g_synced_memory_invalidate:
 * @self: a memory
 *
 * Takes the mark off; see [method@SyncedMemory.is_valid].
 */
void
c2g_synced_memory_invalidate (C2gSyncedMemory *self)
{
  g_return_if_fail (C2G_IS_SYNCED_MEMORY (self));

  g_atomic_int_set (&self->is_valid, FALSE);
}

/**
 * c2g_synced_memory_validate:
 * @self: a memory
 *
 * Marks the bytes as valid; see [method@SyncedMemory.is_valid].
 */
void
c2g_synced_memory_validate (C2gSyncedMemory *self)
{
  g_return_if_fail (C2G_IS_SYNCED_MEMORY (self));

  g_atomic_int_set (&self->is_valid, TRUE);
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
  Change change;
  gboolean changes;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!begin (self, &change, error))
    return FALSE;

  changes = n_bytes != self->n_bytes;
  /* The two sides may differ behind the bytes that were copied. */
  if (n_bytes > self->n_bytes && self->current == (bit_of (C2G_SYNCED_CPU) | bit_of (C2G_SYNCED_GPU)))
    g_atomic_int_set (&self->current, self->sides[C2G_SYNCED_CPU].capacity >= n_bytes
                                        ? bit_of (C2G_SYNCED_CPU)
                                        : bit_of (C2G_SYNCED_GPU));
  drop_small_blocks (self, n_bytes, &change);
  g_atomic_pointer_set (&self->n_bytes, n_bytes);
  g_object_ref (self);
  end (self, &change);
  if (changes)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_BYTES]);
  g_object_unref (self);

  return TRUE;
}

/**
 * c2g_synced_memory_dup_bytes:
 * @self: a memory
 * @error: return location for an error
 *
 * Reads on the CPU and copies the bytes.
 *
 * Fails as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: (transfer full): a copy of the bytes
 */
GBytes *
c2g_synced_memory_dup_bytes (C2gSyncedMemory  *self,
                             GError          **error)
{
  GBytes *bytes = NULL;
  gpointer copy = NULL;
  Change change;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!begin (self, &change, error))
    return NULL;

  if (prepare_read (self, C2G_SYNCED_CPU, NULL, &change, error) &&
      finish_uses (self, C2G_SYNCED_CPU, error))
    {
      copy = g_try_malloc (self->n_bytes);
      if (copy == NULL && self->n_bytes > 0)
        g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("No memory for a copy of %zu bytes"),
                     self->n_bytes);
      else
        bytes = g_bytes_new_take (copy, self->n_bytes);
    }
  if (bytes != NULL && self->n_bytes > 0)
    memcpy (copy, self->sides[C2G_SYNCED_CPU].address, self->n_bytes);
  end (self, &change);

  return bytes;
}

/**
 * c2g_synced_memory_set_bytes:
 * @self: a memory
 * @bytes: exactly as many bytes as there are
 * @error: return location for an error
 *
 * Writes on the CPU.
 *
 * Fails with `C2G_ERROR_SHAPE` if the size differs, and as
 * [method@SyncedMemory.mutable_cpu_data] does.
 *
 * Returns: whether the bytes were copied
 */
gboolean
c2g_synced_memory_set_bytes (C2gSyncedMemory  *self,
                             GBytes           *bytes,
                             GError          **error)
{
  gconstpointer source;
  gsize n_bytes;
  Change change;
  gboolean done = FALSE;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  source = g_bytes_get_data (bytes, &n_bytes);
  if (!begin (self, &change, error))
    return FALSE;

  if (n_bytes != self->n_bytes)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("Expected %zu bytes, got %zu"), self->n_bytes,
                 n_bytes);
  else
    done = prepare_write (self, C2G_SYNCED_CPU, C2G_SYNCED_OVERWRITE, &change, error) &&
           finish_uses (self, C2G_SYNCED_CPU, error);
  if (done && n_bytes > 0)
    memcpy (self->sides[C2G_SYNCED_CPU].address, source, n_bytes);
  if (done)
    g_atomic_int_set (&self->is_valid, TRUE);
  end (self, &change);

  return done;
}

/**
 * c2g_synced_memory_push:
 * @self: a memory
 * @context: (nullable): what copies, or `NULL` to have it done at once
 * @error: return location for an error
 *
 * Brings the bytes to the device before they are needed there.
 *
 * With a context of the device the copy takes its place in the order of its work. What is asked
 * of that context later, and calls of c2g, find the bytes; C that takes the address has to wait
 * for the context.
 *
 * Fails as [method@SyncedMemory.gpu_data] does.
 *
 * Returns: whether the bytes are there or will be
 */
gboolean
c2g_synced_memory_push (C2gSyncedMemory  *self,
                        C2gContext       *context,
                        GError          **error)
{
  Change change;
  gboolean done;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!begin (self, &change, error))
    return FALSE;

  done = prepare_read (self, C2G_SYNCED_GPU, context, &change, error);
  end (self, &change);

  return done;
}

/**
 * c2g_synced_memory_cpu_data: (skip)
 * @self: a memory
 * @error: return location for an error
 *
 * Gets the bytes on the CPU for reading.
 *
 * The address is good until the next access of the memory.
 *
 * Fails with `C2G_ERROR_NO_MEMORY`, with `C2G_ERROR_DEVICE` if the other side cannot be copied,
 * and with `C2G_ERROR_BUSY` within an allocation of the same memory.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gconstpointer
c2g_synced_memory_cpu_data (C2gSyncedMemory  *self,
                            GError          **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  c2g_synced_memory_access (self, C2G_SYNCED_CPU, C2G_SYNCED_READ, &address, error);
  return address;
}

/**
 * c2g_synced_memory_gpu_data: (skip)
 * @self: a memory
 * @error: return location for an error
 *
 * Gets the bytes on the device for reading.
 *
 * The address is good until the next access of the memory.
 *
 * Fails with `C2G_ERROR_DEVICE` if there is no such device, `C2G_ERROR_NO_MEMORY`, and
 * `C2G_ERROR_BUSY` within an allocation of the same memory.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gconstpointer
c2g_synced_memory_gpu_data (C2gSyncedMemory  *self,
                            GError          **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  c2g_synced_memory_access (self, C2G_SYNCED_GPU, C2G_SYNCED_READ, &address, error);
  return address;
}

static gpointer
mutable_data (C2gSyncedMemory  *self,
              C2gSyncedSide     side,
              gboolean          keep_contents,
              GError          **error)
{
  C2gSyncedAccess access = keep_contents ? C2G_SYNCED_WRITE : C2G_SYNCED_OVERWRITE;
  gpointer address = NULL;

  if (c2g_synced_memory_access (self, side, access, &address, error))
    g_atomic_int_set (&self->is_valid, TRUE);

  return address;
}

/**
 * c2g_synced_memory_mutable_cpu_data: (skip)
 * @self: a memory
 * @keep_contents: whether the bytes are to be what they were; otherwise they are undefined
 * @error: return location for an error
 *
 * Gets the bytes on the CPU for writing.
 *
 * The other side is stale from then on. The address is good until the next access of the
 * memory. Readers of an earlier state keep it: the bytes move to another block then.
 *
 * Fails as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gpointer
c2g_synced_memory_mutable_cpu_data (C2gSyncedMemory  *self,
                                    gboolean          keep_contents,
                                    GError          **error)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return mutable_data (self, C2G_SYNCED_CPU, keep_contents, error);
}

/**
 * c2g_synced_memory_mutable_gpu_data: (skip)
 * @self: a memory
 * @keep_contents: whether the bytes are to be what they were; otherwise they are undefined
 * @error: return location for an error
 *
 * Gets the bytes on the device for writing.
 *
 * The CPU’s are stale from then on; see [method@SyncedMemory.mutable_cpu_data].
 *
 * Fails as [method@SyncedMemory.gpu_data] does.
 *
 * Returns: the bytes; `NULL` without an error if there are none
 */
gpointer
c2g_synced_memory_mutable_gpu_data (C2gSyncedMemory  *self,
                                    gboolean          keep_contents,
                                    GError          **error)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return mutable_data (self, C2G_SYNCED_GPU, keep_contents, error);
}

static gboolean
set_data (C2gSyncedMemory  *self,
          C2gSyncedSide     side,
          gpointer          data,
          GDestroyNotify    destroy,
          gpointer          user_data,
          GError          **error)
{
  C2gStorage *storage = c2g_storage_new_external (self->sides[side].device, data, self->n_bytes, FALSE,
                                                  NULL, NULL);
  gboolean done = c2g_synced_memory_take (self, side, storage, 0, error);

  c2g_lent_block_hand_over (storage, done, destroy, user_data);
  return done;
}

/**
 * c2g_synced_memory_set_cpu_data: (skip)
 * @self: a memory
 * @data: as many bytes on the CPU as there are; `NULL` only if there are none
 * @destroy: (nullable): called once with @user_data, from any thread, when nobody has the bytes
 *   any more
 * @user_data: the owner of the bytes
 * @error: return location for an error
 *
 * Takes memory of somebody else as the bytes on the CPU.
 *
 * Fails with `C2G_ERROR_BUSY` if somebody holds the memory for writing, or within an allocation of
 * it; @destroy is not called then.
 *
 * Returns: whether the memory was taken
 */
gboolean
c2g_synced_memory_set_cpu_data (C2gSyncedMemory  *self,
                                gpointer          data,
                                GDestroyNotify    destroy,
                                gpointer          user_data,
                                GError          **error)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (data != NULL || self->n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_data (self, C2G_SYNCED_CPU, data, destroy, user_data, error);
}

/**
 * c2g_synced_memory_set_gpu_data: (skip)
 * @self: a memory
 * @data: as many bytes on the device as there are; `NULL` only if there are none
 * @destroy: (nullable): called once with @user_data, from any thread, when nobody has the bytes
 *   any more
 * @user_data: the owner of the bytes
 * @error: return location for an error
 *
 * Takes memory of somebody else as the bytes on the device.
 *
 * Fails as [method@SyncedMemory.set_cpu_data] does.
 *
 * Returns: whether the memory was taken
 */
gboolean
c2g_synced_memory_set_gpu_data (C2gSyncedMemory  *self,
                                gpointer          data,
                                GDestroyNotify    destroy,
                                gpointer          user_data,
                                GError          **error)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), FALSE);
  g_return_val_if_fail (data != NULL || self->n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return set_data (self, C2G_SYNCED_GPU, data, destroy, user_data, error);
}
