/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gMapping:
 *
 * Live access to the bytes of a tensor or a storage.
 *
 * A mapping pins the block: it stays at its address for as long as the mapping lives, whatever
 * happens to the tensor. When the tensor grows, changes its type or frees its memory, it moves
 * to another block and the old one is left to the mapping. A mapping is not a lock: others
 * read and write the same bytes.
 *
 * [method@Mapping.unmap] ends it at a time of your choosing; dropping the last
 * reference does so too, but in Python and JavaScript a garbage collector decides
 * when that is.
 *
 * ```c
 * g_autoptr (C2gMapping) mapping =
 *   c2g_tensor_map (tensor, C2G_MAP_READ, &error);
 * gsize n_bytes;
 * const guint8 *data = c2g_mapping_get_data (mapping, &n_bytes);
 * ```
 *
 * ```python
 * mapping = tensor.map(C2g.MapFlags.READ_WRITE)
 * mapping.write(0, GLib.Bytes.new(b"\x00\x00\x80?"))
 * mapping.unmap()
 * ```
 *
 * ```js
 * const mapping = tensor.map(C2g.MapFlags.READ_WRITE);
 * const one = new Uint8Array(new Float32Array([1]).buffer);
 * mapping.write(0, new GLib.Bytes(one));
 * mapping.unmap();
 * ```
 *
 * ## Threads
 *
 * References are counted atomically. One mapping must not be unmapped while
 * another thread uses its data. [method@Mapping.ref_bytes] may be called meanwhile:
 * it gives bytes that stay valid, or the error.
 */
struct _C2gMapping
{
  int          ref_count;
  C2gMapFlags  flags;

  /* NULL after unmapping. Whoever has the lock can take a reference. */
  C2gStorage  *storage;
  int          lock;
  gsize        offset;
  gsize        n_bytes;
};

G_DEFINE_FLAGS_TYPE (C2gMapFlags, c2g_map_flags,
                     G_DEFINE_ENUM_VALUE (C2G_MAP_READ, "read"),
                     G_DEFINE_ENUM_VALUE (C2G_MAP_WRITE, "write"),
                     G_DEFINE_ENUM_VALUE (C2G_MAP_READ_WRITE, "read-write"))

G_DEFINE_BOXED_TYPE (C2gMapping, c2g_mapping, c2g_mapping_ref, c2g_mapping_unref)

C2gMapping *
c2g_mapping_new (C2gStorage  *storage,
                 gsize        offset,
                 gsize        n_bytes,
                 C2gMapFlags  flags)
{
  C2gMapping *self;

  if ((flags & C2G_MAP_WRITE) != 0 && !c2g_storage_add_writer (storage))
    return NULL;

  self = g_new (C2gMapping, 1);
  self->ref_count = 1;
  self->flags = flags;
  self->storage = c2g_storage_ref (storage);
  self->lock = 0;
  self->offset = offset;
  self->n_bytes = n_bytes;
  g_atomic_int_inc (&storage->n_views);

  return self;
}

static guint8 *
mapping_data (C2gMapping *self)
{
  C2gStorage *storage = g_atomic_pointer_get (&self->storage);

  if (storage == NULL || storage->address == NULL || self->n_bytes == 0)
    return NULL;

  return (guint8 *) storage->address + self->offset;
}

/**
 * c2g_mapping_ref:
 * @self: a mapping
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): the same mapping
 */
C2gMapping *
c2g_mapping_ref (C2gMapping *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->ref_count);

  return self;
}

/**
 * c2g_mapping_unref:
 * @self: (transfer full): a mapping
 *
 * Drops a reference; the last one unmaps. Any thread.
 */
void
c2g_mapping_unref (C2gMapping *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;

  c2g_mapping_unmap (self);
  g_free (self);
}

/**
 * c2g_mapping_get_address:
 * @self: a mapping
 *
 * Gets the address of the mapped bytes.
 *
 * Returns: an address, 0 if nothing is mapped (any more)
 */
guint64
c2g_mapping_get_address (C2gMapping *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return (guint64) (guintptr) mapping_data (self);
}

/**
 * c2g_mapping_get_n_bytes:
 * @self: a mapping
 *
 * Gets how many bytes are mapped.
 *
 * Returns: bytes, 0 once unmapped
 */
gsize
c2g_mapping_get_n_bytes (C2gMapping *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return g_atomic_pointer_get (&self->storage) != NULL ? self->n_bytes : 0;
}

/**
 * c2g_mapping_get_flags:
 * @self: a mapping
 *
 * Gets the flags of the mapping.
 *
 * Returns: flags
 */
C2gMapFlags
c2g_mapping_get_flags (C2gMapping *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->flags;
}

/**
 * c2g_mapping_get_data:
 * @self: a mapping
 * @n_bytes: (out): how many bytes
 *
 * Gets the mapped bytes.
 *
 * In C and Vala this is the memory itself, which may be written if the mapping
 * was made for writing. Python and JavaScript get a copy; there use
 * [method@Mapping.ref_bytes] to read without one and [method@Mapping.write] to
 * write.
 *
 * Returns: (transfer none) (nullable) (array length=n_bytes) (element-type guint8):
 *   the bytes, or `NULL` if there are none or the mapping was unmapped
 */
const guint8 *
c2g_mapping_get_data (C2gMapping *self,
                      gsize      *n_bytes)
{
  const guint8 *data;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (n_bytes != NULL, NULL);

  data = mapping_data (self);
  *n_bytes = data != NULL ? self->n_bytes : 0;

  return data;
}

/* Returns NULL after unmapping. As long as the lock is held, the storage cannot go away, and cannot be
 * sealed if the mapping writes. */
static C2gMapping *
copy_mapping (C2gMapping *self)
{
  C2gMapping *copy = NULL;
  C2gStorage *storage;

  g_bit_lock (&self->lock, 0);
  storage = g_atomic_pointer_get (&self->storage);
  if (storage != NULL)
    copy = c2g_mapping_new (storage, self->offset, self->n_bytes, self->flags);
  g_bit_unlock (&self->lock, 0);

  return copy;
}

/**
 * c2g_mapping_ref_bytes:
 * @self: a mapping
 * @error: return location for an error
 *
 * Gets the mapped bytes as a `GBytes`, without a copy.
 *
 * The bytes are live, not frozen: they show what is written to the tensor, so that they must not
 * be given to code that relies on `GBytes` never changing. They
 * pin the block on their own and outlive [method@Mapping.unmap].
 *
 * Returns: (transfer full): the bytes, or `NULL` with
 *   `C2G_ERROR_INVALID_ARGUMENT` if the mapping was unmapped
 */
GBytes *
c2g_mapping_ref_bytes (C2gMapping  *self,
                       GError     **error)
{
  C2gMapping *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (self->n_bytes == 0 && g_atomic_pointer_get (&self->storage) != NULL)
    return g_bytes_new (NULL, 0);

  copy = copy_mapping (self);
  if (copy == NULL)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("The mapping was unmapped"));

  /* The bytes hold a copy of the whole mapping, with its right to write: some languages let
   * programs write to GBytes. */
  return g_bytes_new_with_free_func (mapping_data (copy), copy->n_bytes,
                                     (GDestroyNotify) c2g_mapping_unref, copy);
}

static gboolean
check_write (C2gMapping  *self,
             gsize        offset,
             gsize        n_bytes,
             GError     **error)
{
  if (g_atomic_pointer_get (&self->storage) == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                         _("The mapping was unmapped"));
  else if ((self->flags & C2G_MAP_WRITE) == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_READ_ONLY,
                         _("The mapping was made for reading only"));
  else if (offset > self->n_bytes || n_bytes > self->n_bytes - offset)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("Expected at most %zu bytes at offset %zu of a mapping of %zu, got %zu"),
                 offset > self->n_bytes ? 0 : self->n_bytes - offset, offset, self->n_bytes,
                 n_bytes);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_mapping_write:
 * @self: a mapping
 * @offset: where to write, in bytes from the beginning of the mapping
 * @bytes: what to write
 * @error: return location for an error
 *
 * Writes bytes through the mapping.
 *
 * Fails with `C2G_ERROR_READ_ONLY` if the mapping was made for reading only, with
 * `C2G_ERROR_RANGE` if the bytes do not fit, and with
 * `C2G_ERROR_INVALID_ARGUMENT` once unmapped; nothing is written then.
 *
 * Returns: whether the bytes were written
 */
gboolean
c2g_mapping_write (C2gMapping  *self,
                   gsize        offset,
                   GBytes      *bytes,
                   GError     **error)
{
  gconstpointer source;
  gsize n_bytes;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  source = g_bytes_get_data (bytes, &n_bytes);
  if (!check_write (self, offset, n_bytes, error))
    return FALSE;

  if (n_bytes > 0)
    memmove (mapping_data (self) + offset, source, n_bytes);

  return TRUE;
}

/**
 * c2g_mapping_unmap:
 * @self: a mapping
 *
 * Ends the access. The second call does nothing.
 *
 * Addresses and data from the mapping become invalid. Bytes of [method@Mapping.ref_bytes] stay
 * valid, and keep the block pinned.
 */
void
c2g_mapping_unmap (C2gMapping *self)
{
  C2gStorage *storage;

  g_return_if_fail (self != NULL);

  g_bit_lock (&self->lock, 0);
  storage = g_atomic_pointer_exchange (&self->storage, NULL);
  g_bit_unlock (&self->lock, 0);
  if (storage == NULL)
    return;

  if ((self->flags & C2G_MAP_WRITE) != 0)
    g_atomic_int_add (&storage->n_writers, -1);
  g_atomic_int_add (&storage->n_views, -1);
  c2g_storage_unref (storage);
}
