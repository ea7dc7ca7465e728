/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-storage-private.h>

#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/types/c2g-drop-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <stdlib.h>
#include <string.h>

/**
 * C2gStorage:
 *
 * One block of memory and its unique owner.
 *
 * A storage knows where its block is, how large it is, and how to give it back:
 * to the [class@Allocator] that made it, or, for foreign memory, by a destroy
 * notify. It gives the block back exactly once, when the last reference is
 * dropped. Tensors share memory by holding the same storage.
 *
 * Three kinds of holders are counted: tensors; views, which are mappings and bytes; and all
 * others. [method@Storage.use_count] leaves the views out: they keep the block at its address
 * but do not make it shared.
 *
 * ```c
 * g_autoptr (C2gStorage) storage =
 *   c2g_storage_new (c2g_device_cpu (), 4096, NULL, &error);
 * g_autoptr (C2gMapping) mapping =
 *   c2g_storage_map (storage, C2G_MAP_READ_WRITE, &error);
 * ```
 *
 * ```python
 * storage = C2g.Storage.new(C2g.Device.cpu(), 4096, None)
 * tensor = C2g.Tensor.new_from_storage(
 *     C2g.DataType.FLOAT, [4, 256], storage, 0)
 * ```
 *
 * ## Threads
 *
 * Counts are atomic: references can be taken and dropped in any thread. The
 * bytes themselves have no lock. [method@Storage.reset] and
 * [method@Storage.share_external] need the storage to themselves.
 */

G_DEFINE_BOXED_TYPE (C2gStorage, c2g_storage, c2g_storage_ref, c2g_storage_unref)

/* The array of this thread, and the number of threads that have one; atomic. */
static __thread GPtrArray *kept_new;
static int n_keepers;

void
c2g_storage_keep_new (GPtrArray *kept)
{
  g_atomic_int_add (&n_keepers, (kept != NULL) - (kept_new != NULL));
  kept_new = kept;
}

C2gStorage *
c2g_storage_new_for_block (C2gAllocator  *allocator,
                           C2gDevice     *device,
                           gpointer       block,
                           gsize          n_bytes,
                           C2gContext    *context,
                           GError       **error)
{
  C2gStorage *self = c2g_ledger_add (allocator, device, block, n_bytes);

  if (G_UNLIKELY (self == NULL))
    {
      c2g_allocator_set_no_memory (allocator, n_bytes, _("no room for its record"), error);
      return NULL;
    }

  c2g_allocator_hold_block (allocator);
  if (context != NULL)
    {
      self->context = g_object_ref (context);
      if (device->type == C2G_DEVICE_TYPE_CPU && c2g_context_get_device (context) != device)
        g_atomic_int_set (&c2g_storage_has_far_users, TRUE);
    }
  if (G_UNLIKELY (g_atomic_int_get (&n_keepers) > 0) && kept_new != NULL)
    g_ptr_array_add (kept_new, c2g_storage_ref (self));

  return self;
}

gboolean
c2g_storage_push_release (C2gStorage    *self,
                          C2gAllocator  *allocator,
                          gsize          n_bytes,
                          GError       **error)
{
  C2gRelease *release = malloc (sizeof *release);

  if (release == NULL)
    {
      c2g_allocator_set_no_memory (allocator, n_bytes, _("no room for its record"), error);
      return FALSE;
    }

  release->next = self->releases;
  release->allocator = g_object_ref (allocator);
  release->n_bytes = n_bytes;
  self->releases = release;

  return TRUE;
}

void
c2g_storage_unlist (C2gStorage *self)
{
  if (!self->listed)
    return;

  c2g_ledger_forget (self);
  self->listed = FALSE;
}

/* A released() function may release another storage, so calls can be nested. */
static void
run_releases (C2gStorage *self)
{
  C2gLabel *former = c2g_label_swap_of_block (self->label);

  while (self->releases != NULL)
    {
      C2gRelease *release = self->releases;

      self->releases = release->next;
      C2G_ALLOCATOR_GET_CLASS (release->allocator)
          ->released (release->allocator, (guint64) (guintptr) self->address, release->n_bytes);
      g_object_unref (release->allocator);
      free (release);
    }
  c2g_label_swap_of_block (former);
}

static inline void
destroy_elements (C2gStorage *self)
{
  if (G_UNLIKELY (self->constructed_type != NULL))
    c2g_type_meta_destroy (self->constructed_type, self->address, self->n_constructed);
}

/* Frees the block of a storage that is not in the ledger any more. Tells the adaptors before:
 * another thread may get the same address right after, and a log must show this release before
 * that allocation. */
static inline void
give_block_back (C2gStorage *self)
{
  if (G_UNLIKELY (self->releases != NULL))
    run_releases (self);

  if (self->allocator != NULL)
    {
      if (self->address != NULL)
        C2G_ALLOCATOR_GET_CLASS (self->allocator)
            ->block_funcs->free_block (self->allocator, self->address, self->n_bytes, self->context);
      c2g_allocator_drop_block (self->allocator);
    }
  else if (G_UNLIKELY (self->uses != NULL))
    c2g_storage_release_after_uses (self);
  else if (self->destroy != NULL)
    c2g_drop (self->destroy, self->destroy_data);

  g_clear_object (&self->context);
}

/* The block is given back last, and the record is no longer needed then. */
static void
storage_free (C2gStorage *self)
{
  C2gStorage old;

  destroy_elements (self);
  c2g_ledger_free_record (self, &old);
  give_block_back (&old);
  if (old.label != NULL)
    c2g_label_unref (old.label);
}

/* If there is one reference, no other thread can take another. So an atomic decrement is not
 * needed. */
static inline void
drop_holder (C2gStorage *self,
             guint64     holder)
{
  if (c2g_storage_n_refs (self) == 1 ||
      (guint) __atomic_sub_fetch (&self->holders, holder, __ATOMIC_SEQ_CST) == 0)
    storage_free (self);
}

void
c2g_storage_remove_tensor (C2gStorage *self)
{
  drop_holder (self, C2G_STORAGE_ONE_TENSOR + 1);
}

void
c2g_storage_construct (C2gStorage  *self,
                       C2gTypeMeta *meta,
                       gsize        n_empty)
{
  char *items = self->address;

  if (meta->is_plain || self->address == NULL)
    return;

  g_assert (self->constructed_type == NULL);
  self->constructed_type = meta;
  self->n_constructed = self->n_bytes / meta->item_size;
  if (n_empty > 0)
    memset (items, 0, n_empty * meta->item_size);
  c2g_type_meta_construct (meta, items + n_empty * meta->item_size, self->n_constructed - n_empty);
}

/**
 * c2g_storage_new:
 * @device: where
 * @n_bytes: how many bytes; 0 gives a storage without a block
 * @context: (nullable): the context that uses the block first
 * @error: return location for an error
 *
 * Allocates a storage.
 *
 * The bytes come from the device's default allocator and are undefined, unless
 * [property@Settings:zero-fill] is on.
 *
 * Returns: (transfer full): a storage, or `NULL` with `C2G_ERROR_NO_MEMORY` or
 *   `C2G_ERROR_DEVICE`
 */
C2gStorage *
c2g_storage_new (C2gDevice   *device,
                 gsize        n_bytes,
                 C2gContext  *context,
                 GError     **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_allocator_allocate_default (device, n_bytes, context, error);
}

/**
 * c2g_storage_new_from_bytes:
 * @bytes: the bytes
 *
 * Lays a read-only storage over bytes, without a copy.
 *
 * Returns: (transfer full): a storage on the CPU that holds a reference to @bytes
 */
C2gStorage *
c2g_storage_new_from_bytes (GBytes *bytes)
{
  gconstpointer data;
  gsize n_bytes;

  g_return_val_if_fail (bytes != NULL, NULL);

  data = g_bytes_get_data (bytes, &n_bytes);

  return c2g_storage_new_external (c2g_device_cpu (), (gpointer) data, n_bytes, TRUE,
                                   (GDestroyNotify) g_bytes_unref, g_bytes_ref (bytes));
}

/* If the owner promised not to write, the memory does not count as foreign. */
static void
list_external (C2gStorage *self)
{
  self->is_foreign = self->n_bytes > 0 && !c2g_storage_is_sealed (self);
  self->listed = self->n_bytes > 0;
  if (self->listed)
    c2g_ledger_add_external (self);
}

C2gStorage *
c2g_storage_new_unlisted (C2gDevice      *device,
                          gpointer        pointer,
                          gsize           n_bytes,
                          gboolean        read_only,
                          GDestroyNotify  destroy,
                          gpointer        user_data)
{
  C2gStorage *self = c2g_ledger_new_record ();

  /* g_malloc() is what everything that cannot report an error uses; the record
   * is freed with free(), which has been the same heap since GLib 2.46. */
  if (G_UNLIKELY (self == NULL))
    {
      self = g_malloc (sizeof *self);
      self->shard = 0;
    }

  c2g_storage_init (self, device, pointer, n_bytes);
  self->n_writers = read_only ? C2G_STORAGE_READ_ONLY : 0;
  self->destroy = destroy;
  self->destroy_data = user_data;

  return self;
}

/**
 * c2g_storage_new_external: (skip)
 * @device: where the memory is
 * @pointer: the memory; may be `NULL` if @n_bytes is 0
 * @n_bytes: its size
 * @read_only: whether nobody writes to it as long as the storage lives, the caller included
 * @destroy: (nullable): called once with @user_data, from any thread, after the
 *   last reference is gone
 * @user_data: the owner of the memory
 *
 * Lays a storage over foreign memory, without a copy.
 *
 * Others may write to the memory at any time, unless @read_only says that they do not. So it
 * cannot be sealed, and bytes of it that never change are a copy.
 *
 * Returns: (transfer full): a storage
 */
C2gStorage *
c2g_storage_new_external (C2gDevice      *device,
                          gpointer        pointer,
                          gsize           n_bytes,
                          gboolean        read_only,
                          GDestroyNotify  destroy,
                          gpointer        user_data)
{
  C2gStorage *self;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (pointer != NULL || n_bytes == 0, NULL);

  self = c2g_storage_new_unlisted (device, pointer, n_bytes, read_only, destroy, user_data);
  list_external (self);

  return self;
}

/**
 * c2g_storage_set_name: (skip)
 * @self: a storage that an allocator gave
 * @name: what it is for
 *
 * Sets the name under which memory outside of blobs is reported; for implementations of
 * devices.
 */
void
c2g_storage_set_name (C2gStorage *self,
                      const char *name)
{
  C2gLabel *label;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);

  label = c2g_label_new (name);
  c2g_ledger_set_label (self, label);
  c2g_label_unref (label);
}

/**
 * c2g_storage_ref:
 * @self: a storage
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): the same storage
 */
C2gStorage *
c2g_storage_ref (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  __atomic_add_fetch (&self->holders, 1, __ATOMIC_SEQ_CST);

  return self;
}

/**
 * c2g_storage_unref:
 * @self: (transfer full): a storage
 *
 * Drops a reference; with the last one the block is given back. Any thread.
 */
void
c2g_storage_unref (C2gStorage *self)
{
  g_return_if_fail (self != NULL);

  drop_holder (self, 1);
}

/**
 * c2g_storage_get_n_bytes:
 * @self: a storage
 *
 * Gets the size of the block.
 *
 * Returns: bytes, as asked for
 */
gsize
c2g_storage_get_n_bytes (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_bytes;
}

/**
 * c2g_storage_get_device:
 * @self: a storage
 *
 * Gets the device of the block.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_storage_get_device (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->device;
}

/**
 * c2g_storage_get_allocator:
 * @self: a storage
 *
 * Gets the allocator that made the block and will free it.
 *
 * With stacked allocators this is the lowest, the one that makes memory.
 *
 * Returns: (transfer none) (nullable): an allocator, or `NULL` for foreign memory
 */
C2gAllocator *
c2g_storage_get_allocator (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->allocator;
}

/**
 * c2g_storage_get_address:
 * @self: a storage
 *
 * Gets the address of the block.
 *
 * Use it to compare blocks, or to pass them to other libraries. It is valid as long as there is
 * a reference to the storage and the storage is not reset.
 *
 * Returns: an address on the device, 0 if there is no block
 */
guint64
c2g_storage_get_address (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return (guint64) (guintptr) self->address;
}

/**
 * c2g_storage_get_constructed_type:
 * @self: a storage
 * @n_items: (out) (optional): how many elements were constructed
 *
 * Gets the type of the elements that were constructed in the block.
 *
 * They will be destroyed with it.
 *
 * Returns: (transfer none) (nullable): an element type, or `NULL` if the block
 *   holds plain bytes
 */
C2gTypeMeta *
c2g_storage_get_constructed_type (C2gStorage *self,
                                  gsize      *n_items)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (n_items != NULL)
    *n_items = self->n_constructed;

  return self->constructed_type;
}

/**
 * c2g_storage_is_read_only:
 * @self: a storage
 *
 * Tells whether the block must never be written.
 *
 * It is so from the beginning, or since [method@Tensor.seal].
 *
 * Returns: whether it is read-only
 */
gboolean
c2g_storage_is_read_only (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return c2g_storage_is_sealed (self);
}

gboolean
c2g_storage_seal (C2gStorage  *self,
                  GError     **error)
{
  /* This must be one atomic step: a mapping for writing is either counted before it, and
   * prevents it, or finds the memory read-only. */
  if (g_atomic_int_compare_and_exchange (&self->n_writers, 0, C2G_STORAGE_READ_ONLY) ||
      c2g_storage_is_sealed (self))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("The memory cannot be sealed: %d mappings or views may still write to it"),
                   MAX (g_atomic_int_get (&self->n_writers), 1));
}

gboolean
c2g_storage_add_writer (C2gStorage *self)
{
  int n_writers;

  do
    {
      n_writers = g_atomic_int_get (&self->n_writers);
      if (n_writers == C2G_STORAGE_READ_ONLY)
        return FALSE;
    }
  while (!g_atomic_int_compare_and_exchange (&self->n_writers, n_writers, n_writers + 1));

  if (g_atomic_int_get (&self->watch) != 0)
    c2g_storage_end_watch (self);
  return TRUE;
}

/* The watch begins before the writers are counted: a new one is either counted, or ends it. */
guint
c2g_storage_watch (C2gStorage *self)
{
  static int last;

  if (self->is_foreign)
    return 0;

  if (g_atomic_int_get (&self->watch) == 0)
    {
      const guint number = (guint) g_atomic_int_add (&last, 1) + 1;

      g_atomic_int_compare_and_exchange (&self->watch, 0, number);
    }
  g_atomic_int_or ((guint *) &self->n_frozen, C2G_STORAGE_WATCHED);
  if (g_atomic_int_get (&self->n_writers) > 0)
    c2g_storage_end_watch (self);
  return g_atomic_int_get (&self->watch);
}

/* The flag goes first. A watch that begins in between finds its number gone, and sets a flag that
 * costs the next write a call; in the other order it would have a number and no flag, and miss all
 * writes. */
gboolean
c2g_storage_end_watch (C2gStorage *self)
{
  g_atomic_int_and ((guint *) &self->n_frozen, ~(guint) C2G_STORAGE_WATCHED);
  g_atomic_int_set (&self->watch, 0);
  return c2g_storage_is_frozen (self);
}

/**
 * c2g_storage_is_unique:
 * @self: a storage
 *
 * Tells whether at most one holder that is not a view has this storage.
 *
 * Returns: whether [method@Storage.use_count] is at most 1
 */
gboolean
c2g_storage_is_unique (C2gStorage *self)
{
  return c2g_storage_use_count (self) <= 1;
}

/**
 * c2g_storage_use_count:
 * @self: a storage
 *
 * Counts the holders of the storage that are not views.
 *
 * These are tensors and other references, for example a variable in Python or JavaScript.
 *
 * Returns: the number of holders at this moment
 */
guint
c2g_storage_use_count (C2gStorage *self)
{
  guint n_refs, n_views;

  g_return_val_if_fail (self != NULL, 0);

  n_views = c2g_storage_get_n_views (self);
  n_refs = c2g_storage_n_refs (self);

  return n_refs > n_views ? n_refs - n_views : 0;
}

/**
 * c2g_storage_get_n_views:
 * @self: a storage
 *
 * Counts the mappings and bytes that pin the block.
 *
 * Returns: the number of views at this moment
 */
guint
c2g_storage_get_n_views (C2gStorage *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return (guint) g_atomic_int_get (&self->n_views);
}

/**
 * c2g_storage_map:
 * @self: a storage
 * @flags: what the bytes will be used for
 * @error: return location for an error
 *
 * Maps the whole block.
 *
 * The mapping pins the block and holds the storage, but is no holder that
 * [method@Storage.use_count] counts.
 *
 * Fails with `C2G_ERROR_INVALID_ARGUMENT` if @flags are neither to read nor to write, with
 * `C2G_ERROR_READ_ONLY` if read-only memory is mapped for writing, with
 * `C2G_ERROR_BUSY` if memory that is held as immutable bytes is mapped for writing, with
 * `C2G_ERROR_TYPE` if the block holds elements that are not plain bytes, and with
 * `C2G_ERROR_DEVICE` if the CPU cannot access the memory.
 *
 * Returns: (transfer full): a mapping
 */
C2gMapping *
c2g_storage_map (C2gStorage   *self,
                 C2gMapFlags   flags,
                 GError      **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_storage_map_range (self, 0, self->n_bytes, flags, error);
}

C2gMapping *
c2g_storage_map_range (C2gStorage   *self,
                       gsize         offset,
                       gsize         n_bytes,
                       C2gMapFlags   flags,
                       GError      **error)
{
  if (self->device->type == C2G_DEVICE_TYPE_CPU)
    return c2g_storage_finish_uses (self, error)
             ? c2g_storage_pin_range (self, offset, n_bytes, flags, error)
             : NULL;

  return c2g_fail_null (error, C2G_ERROR_DEVICE,
                        _("Memory on %s cannot be mapped; copy it to the CPU"),
                        c2g_device_to_string (self->device));
}

C2gMapping *
c2g_storage_pin_range (C2gStorage   *self,
                       gsize         offset,
                       gsize         n_bytes,
                       C2gMapFlags   flags,
                       GError      **error)
{
  gboolean writes = (flags & C2G_MAP_WRITE) != 0;
  C2gMapping *mapping;

  if ((flags & C2G_MAP_READ_WRITE) == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("Expected flags to read, to write, or both"));
  else if (self->constructed_type != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Memory that holds elements of type “%s” cannot be mapped as bytes"),
                 c2g_type_meta_get_name (self->constructed_type));
  else if (writes && !c2g_storage_is_sealed (self) && c2g_storage_is_frozen (self))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("The memory is held as immutable bytes and cannot be mapped for "
                           "writing"));
  else if ((mapping = c2g_mapping_new (self, offset, n_bytes, flags)) != NULL)
    return mapping;
  else
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_READ_ONLY,
                         _("The memory is read-only and cannot be mapped for writing"));

  return NULL;
}

static void
release_bytes (gpointer data)
{
  C2gStorage *self = data;

  g_atomic_int_add (&self->n_frozen, -1);
  g_atomic_int_add (&self->n_views, -1);
  c2g_storage_unref (self);
}

GBytes *
c2g_storage_ref_bytes (C2gStorage *self,
                       gsize       offset,
                       gsize       n_bytes)
{
  if (n_bytes == 0)
    return g_bytes_new (NULL, 0);

  g_atomic_int_inc (&self->n_views);
  g_atomic_int_inc (&self->n_frozen);

  return g_bytes_new_with_free_func ((guint8 *) self->address + offset, n_bytes, release_bytes,
                                     c2g_storage_ref (self));
}

static gboolean
check_alone (C2gStorage  *self,
             GError     **error)
{
  if (__atomic_load_n (&self->holders, __ATOMIC_SEQ_CST) == 1 && c2g_storage_get_n_views (self) == 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("The storage is in use; tensors: %d, views: %u, holders in all: %u"),
                   (int) c2g_storage_n_tensors (self), c2g_storage_get_n_views (self),
                   c2g_storage_use_count (self));
}

static void
become_external (C2gStorage     *self,
                 gpointer        pointer,
                 gsize           n_bytes,
                 GDestroyNotify  destroy,
                 gpointer        user_data)
{
  C2gStorage old = *self;

  /* Remove it from the ledger while its memory is replaced. */
  if (self->listed)
    c2g_ledger_remove (self);

  /* Set the new memory first: releasing the old block runs foreign code, which may use the
   * storage. */
  c2g_storage_init (self, old.device, pointer, n_bytes);
  self->label = old.label;
  self->destroy = destroy;
  self->destroy_data = user_data;
  list_external (self);

  destroy_elements (&old);
  give_block_back (&old);
}

/**
 * c2g_storage_reset:
 * @self: a storage
 * @error: return location for an error
 *
 * Gives the block back now, leaving a storage of no bytes.
 *
 * This is for languages with a garbage collector, which drops the last reference at some later
 * time. The caller must be the only holder, without a tensor or a view: otherwise the error is
 * `C2G_ERROR_BUSY`, and nothing changes.
 *
 * Returns: whether the block was given back
 */
gboolean
c2g_storage_reset (C2gStorage  *self,
                   GError     **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_alone (self, error))
    return FALSE;

  become_external (self, NULL, 0, NULL, NULL);

  return TRUE;
}

/**
 * c2g_storage_share_external: (skip)
 * @self: a storage
 * @pointer: foreign memory on the storage's device
 * @n_bytes: its size
 * @destroy: (nullable): called once with @user_data, from any thread, when the
 *   memory is no longer needed
 * @user_data: the owner of the memory
 * @error: return location for an error
 *
 * Gives the block back and takes foreign memory in its place.
 *
 * The caller must be the only holder, with no tensor and no view beside it:
 * otherwise the error is `C2G_ERROR_BUSY`, nothing changes and @destroy will not be
 * called.
 *
 * Returns: whether the memory was taken
 */
gboolean
c2g_storage_share_external (C2gStorage      *self,
                            gpointer         pointer,
                            gsize            n_bytes,
                            GDestroyNotify   destroy,
                            gpointer         user_data,
                            GError         **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (pointer != NULL || n_bytes == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_alone (self, error))
    return FALSE;

  become_external (self, pointer, n_bytes, destroy, user_data);

  return TRUE;
}
