/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* The projections of a mixed tensor, one memory for each element type. The master is the one that
 * was written last; the others are converted from it when they are read. */

C2gSyncedMemory **
c2g_mixed_place_of (C2gMixedTensor *self,
                    C2gTypeMeta    *meta)
{
  return &self->memories[C2G_CONVERT_SLOT (meta->data_type)];
}

static C2gSyncedMemory *
new_memory (C2gMixedTensor *self,
            C2gTypeMeta    *meta,
            gsize           n_bytes)
{
  g_autofree char *suffix = g_strconcat ("/", meta->name, NULL);
  g_autofree char *name = g_strconcat (self->name != NULL ? self->name : "",
                                       self->name != NULL ? suffix : meta->name, NULL);
  C2gLabel *label = c2g_label_new_part (self->label, suffix);
  C2gSyncedMemory *memory = g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) n_bytes,
                                          "device", self->device, "name", name, NULL);

  c2g_synced_memory_set_label (memory, label);
  c2g_label_unref (label);
  return memory;
}

C2gSyncedMemory *
c2g_mixed_ensure_memory (C2gMixedTensor  *self,
                         C2gTypeMeta     *meta,
                         GError         **error)
{
  C2gSyncedMemory **place = c2g_mixed_place_of (self, meta);
  gsize n_bytes;

  if (*place != NULL)
    return *place;
  if (!c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error))
    return NULL;

  self->item_sizes[place - self->memories] = meta->item_size;
  g_atomic_pointer_set (place, new_memory (self, meta, n_bytes));
  return *place;
}

/* Returns the memory of the master; NULL if nothing has been written. */
static C2gSyncedMemory *
find_master (C2gMixedTensor *self)
{
  C2gSyncedMemory *master = *c2g_mixed_place_of (self, self->written);

  return master != NULL && c2g_synced_memory_get_head (master) != C2G_SYNCED_HEAD_UNINITIALIZED ? master
                                                                                               : NULL;
}

gboolean
c2g_mixed_find_held (C2gMixedTensor *self)
{
  if (self->is_lent && !c2g_synced_memory_is_held (*c2g_mixed_place_of (self, self->written)))
    g_atomic_int_set (&self->is_lent, FALSE);

  return self->is_lent;
}

gboolean
c2g_mixed_check_not_held (C2gMixedTensor  *self,
                          GError         **error)
{
  return !c2g_mixed_find_held (self) ||
         c2g_synced_memory_check_not_held (*c2g_mixed_place_of (self, self->written), error);
}

gboolean
c2g_mixed_check_type (C2gMixedTensor  *self,
                      C2gDataType      data_type,
                      GError         **error)
{
  const C2gDataType locked = c2g_mixed_tensor_get_data_type (self);

  if (g_atomic_int_get (&self->n_locks) == 0 || data_type == locked)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE,
                   _("A blob of type “%s” has these elements; they cannot be written as “%s”"),
                   c2g_data_type_get_name (locked), c2g_data_type_get_name (data_type));
}

/* The type of the master can be written even if a holder has its memory. */
static gboolean
check_writable (C2gMixedTensor  *self,
                C2gTypeMeta     *meta,
                GError         **error)
{
  return meta == self->written || (c2g_mixed_check_type (self, meta->data_type, error) &&
                                   c2g_mixed_check_not_held (self, error));
}

/* Converts on the device if only the device has the numbers and it can convert; otherwise on the
 * CPU. */
static gboolean
convert_numbers (C2gMixedTensor   *self,
                 C2gSyncedMemory  *master,
                 C2gTypeMeta      *meta,
                 C2gSyncedMemory  *memory,
                 GError          **error)
{
  const gboolean is_far = c2g_synced_memory_get_head (master) == C2G_SYNCED_HEAD_AT_GPU &&
                          c2g_tensor_is_converted_on (self->device);
  const C2gSyncedSide side = is_far ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
  C2gSyncedWork work = { meta->data_type, self->n_elements, c2g_numbers_copy };
  g_autoptr (C2gTensor) source = NULL;
  gpointer address;

  if (!c2g_synced_memory_access (master, side, C2G_SYNCED_READ, &address, error))
    return FALSE;

  source = c2g_lent_block_ref_tensor (master->sides[side].block, self->written->data_type,
                                      self->n_elements, error);
  work.data = source;
  return source != NULL && c2g_synced_memory_compute (memory, side, C2G_SYNCED_REFRESH, &work, error);
}

/* Returns the memory of a type with the current numbers, converted from the master if needed. */
static C2gSyncedMemory *
bring_up (C2gMixedTensor  *self,
          C2gTypeMeta     *meta,
          C2gMixedChange  *change,
          GError         **error)
{
  C2gSyncedMemory *memory = c2g_mixed_ensure_memory (self, meta, error);
  C2gSyncedMemory *master = find_master (self);

  if (memory == NULL || memory == master || c2g_synced_memory_is_valid (memory))
    return memory;

  /* Nothing was written yet: the tensor is all zeros. */
  if (master == NULL)
    return c2g_synced_memory_clear (memory, error) ? memory : NULL;

  if (!convert_numbers (self, master, meta, memory, error))
    return NULL;

  change->from = self->written;
  change->converted = meta;
  return memory;
}

C2gSyncedMemory *
c2g_mixed_prepare (C2gMixedTensor   *self,
                   C2gTypeMeta      *meta,
                   C2gSyncedAccess   access,
                   C2gMixedChange   *change,
                   GError          **error)
{
  if (access != C2G_SYNCED_READ && !check_writable (self, meta, error))
    return NULL;

  return access == C2G_SYNCED_OVERWRITE ? c2g_mixed_ensure_memory (self, meta, error)
                                        : bring_up (self, meta, change, error);
}

void
c2g_mixed_invalidate_all_but (C2gMixedTensor  *self,
                              C2gSyncedMemory *master,
                              C2gMixedChange  *change)
{
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    {
      C2gSyncedMemory *memory = self->memories[i];

      if (memory == NULL || memory == master || !c2g_synced_memory_is_valid (memory))
        continue;
      c2g_synced_memory_invalidate (memory);
      change->invalidated = TRUE;
    }
}

void
c2g_mixed_make_master (C2gMixedTensor  *self,
                       C2gTypeMeta     *meta,
                       C2gSyncedMemory *memory,
                       C2gMixedChange  *change)
{
  g_atomic_pointer_set (&self->written, meta);
  g_atomic_int_set (&self->is_lent, c2g_synced_memory_is_held (memory));
  c2g_synced_memory_validate (memory);
  c2g_mixed_invalidate_all_but (self, memory, change);
}

/* Ends a write. If others can write to the master unseen, because it was lent or is foreign memory,
 * no other projection stays valid. */
void
c2g_mixed_publish (C2gMixedTensor  *self,
                   C2gTypeMeta     *meta,
                   C2gSyncedMemory *memory,
                   C2gSyncedAccess  access,
                   C2gMixedChange  *change)
{
  if (access != C2G_SYNCED_READ)
    c2g_mixed_make_master (self, meta, memory, change);
  else if (meta == self->written || !(change->was_held || c2g_synced_memory_is_held (memory)))
    c2g_synced_memory_validate (memory);
}

gboolean
c2g_mixed_check_count (C2gMixedTensor  *self,
                       gint64           n_elements,
                       GError         **error)
{
  if (n_elements == self->n_elements)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Expected a mixed tensor of %" PRId64 " elements, got one of %" PRId64),
                   self->n_elements, n_elements);
}
