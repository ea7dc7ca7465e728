/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Access to the elements of a mixed tensor in one type on one device: as tensors, as addresses, and for
 * functions that compute. */

gboolean
c2g_mixed_find_side (C2gMixedTensor  *self,
                     C2gDevice       *device,
                     C2gSyncedSide   *side,
                     GError         **error)
{
  *side = device == self->device ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
  if (device == self->device || device == NULL || device == c2g_device_cpu ())
    return TRUE;

  return c2g_fail (error, C2G_ERROR_DEVICE, _("The memory lives on the CPU and on %s, not on %s"),
                   c2g_device_to_string (self->device), c2g_device_to_string (device));
}

static gboolean
access_within (C2gMixedTensor   *self,
               C2gTypeMeta      *meta,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               gpointer         *address,
               C2gMixedChange   *change,
               GError          **error)
{
  C2gSyncedMemory *memory = c2g_mixed_prepare (self, meta, access, change, error);

  if (memory == NULL || !c2g_synced_memory_access (memory, side, access, address, error))
    return FALSE;

  c2g_mixed_publish (self, meta, memory, access, change);
  return TRUE;
}

static gboolean
access_slowly (C2gMixedTensor   *self,
               C2gTypeMeta      *meta,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               gpointer         *address,
               GError          **error)
{
  C2gMixedChange change;
  gboolean done;

  if (!c2g_mixed_begin (self, &change, error))
    return FALSE;

  done = access_within (self, meta, side, access, address, &change, error);
  c2g_mixed_end (self, &change);

  return done;
}

gboolean
c2g_mixed_tensor_access (C2gMixedTensor   *self,
                         C2gDataType       data_type,
                         C2gDevice        *device,
                         C2gSyncedAccess   access,
                         gpointer         *address,
                         GError          **error)
{
  C2gTypeMeta *meta = c2g_numbers_find_type (data_type, error);
  C2gSyncedMemory *memory;
  C2gSyncedSide side;

  if (meta == NULL || !c2g_mixed_find_side (self, device, &side, error))
    return FALSE;

  /* The fast path: the memory is valid on this side, so nothing is allocated or converted. */
  memory = g_atomic_pointer_get (c2g_mixed_place_of (self, meta));
  if (G_LIKELY (access == C2G_SYNCED_READ && memory != NULL && c2g_synced_memory_is_valid (memory) &&
                c2g_synced_is_current (memory, side) && !g_atomic_int_get (&self->is_lent)))
    return c2g_synced_memory_access (memory, side, C2G_SYNCED_READ, address, error);

  return access_slowly (self, meta, side, access, address, error);
}

C2gDevice *
c2g_mixed_tensor_find_place (C2gMixedTensor *self)
{
  const C2gDataType type = c2g_mixed_tensor_get_data_type (self);

  return c2g_mixed_tensor_get_head (self, type) == C2G_SYNCED_HEAD_AT_GPU ? self->device : NULL;
}

C2gTensor *
c2g_mixed_tensor_ref_written (C2gMixedTensor  *self,
                              GError         **error)
{
  return c2g_mixed_tensor_ref_tensor (self, c2g_mixed_tensor_get_data_type (self),
                                      c2g_mixed_tensor_find_place (self), error);
}

/* Chooses where to compute: where the elements are. If they are on both sides, on none, or will all
 * be overwritten, computes where the operand is. */
static C2gSyncedSide
choose_side (C2gMixedTensor  *self,
             C2gSyncedMemory *memory,
             C2gSyncedAccess  access,
             C2gTensor       *source)
{
  const gboolean may_move = access == C2G_SYNCED_OVERWRITE && !c2g_mixed_find_held (self);
  const C2gSyncedHead head = c2g_synced_memory_get_head (memory);
  const gboolean is_fixed = head == C2G_SYNCED_HEAD_AT_CPU || head == C2G_SYNCED_HEAD_AT_GPU;

  if (source != NULL && (may_move || !is_fixed))
    return source->device == self->device ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;

  return head == C2G_SYNCED_HEAD_AT_GPU ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
}

static gboolean
compute (C2gMixedTensor       *self,
         C2gSyncedAccess       access,
         C2gTensor            *source,
         const C2gSyncedWork  *work,
         C2gMixedChange       *change,
         GError              **error)
{
  C2gSyncedMemory *memory = c2g_mixed_prepare (self, self->written, access, change, error);

  if (memory == NULL ||
      !c2g_synced_memory_compute (memory, choose_side (self, memory, access, source), access, work, error))
    return FALSE;

  c2g_mixed_publish (self, self->written, memory, access, change);
  return TRUE;
}

gboolean
c2g_mixed_tensor_compute (C2gMixedTensor   *self,
                          C2gSyncedAccess   access,
                          C2gTensor        *source,
                          C2gSyncedFunc     func,
                          gpointer          data,
                          GError          **error)
{
  C2gMixedChange change;
  C2gSyncedWork work;
  gboolean done;

  if (!c2g_mixed_begin (self, &change, error))
    return FALSE;

  work = (C2gSyncedWork) { self->written->data_type, self->n_elements, func, data };
  /* Signal handlers may have changed either tensor. */
  done = (source == NULL || c2g_mixed_check_count (self, source->n_elements, error)) &&
         compute (self, access, source, &work, &change, error);
  c2g_mixed_end (self, &change);
  return done;
}

/* Readers get an immutable view of the present bytes; writers get the storage of the master. */
static C2gStorage *
lend_storage (C2gMixedTensor   *self,
              C2gTypeMeta      *meta,
              C2gSyncedSide     side,
              C2gSyncedAccess   access,
              gsize            *offset,
              C2gMixedChange   *change,
              GError          **error)
{
  C2gSyncedMemory *memory = c2g_mixed_prepare (self, meta, access, change, error);
  C2gStorage *storage;

  if (memory == NULL)
    return NULL;

  storage = access == C2G_SYNCED_READ ? c2g_synced_memory_ref_reader (memory, side, error)
                                      : c2g_synced_memory_ref_writer (memory, side, offset, error);
  if (storage == NULL)
    return NULL;

  c2g_mixed_publish (self, meta, memory, access, change);
  return storage;
}

/* Common part of the two functions below; checks their arguments. */
static C2gTensor *
lend (C2gMixedTensor   *self,
      C2gDataType       data_type,
      C2gDevice        *device,
      C2gSyncedAccess   access,
      GError          **error)
{
  g_autoptr (C2gStorage) storage = NULL;
  C2gTensor *tensor = NULL;
  C2gTypeMeta *meta;
  C2gSyncedSide side;
  C2gMixedChange change;
  gsize offset = 0;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = c2g_numbers_find_type (data_type, error);
  if (meta == NULL || !c2g_mixed_find_side (self, device, &side, error) ||
      !c2g_mixed_begin (self, &change, error))
    return NULL;

  storage = lend_storage (self, meta, side, access, &offset, &change, error);
  if (storage != NULL)
    tensor = c2g_lent_tensor_new (data_type, self->dims, self->n_dims, storage, offset, error);
  c2g_mixed_end (self, &change);

  return tensor;
}

/**
 * c2g_mixed_tensor_ref_tensor:
 * @self: a mixed tensor
 * @data_type: the wanted type
 * @device: (nullable): the wanted device, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in one type on one device, for reading.
 *
 * They never change: later writes go elsewhere. Nothing is copied if the projection is valid,
 * unless somebody holds the elements for writing; then the result is a copy of their present state.
 * The tensor is read-only, and moves to a copy when it is written.
 *
 * Fails with `C2G_ERROR_TYPE` if the type is not numeric, `C2G_ERROR_DEVICE` if @device is neither
 * the CPU nor the second device of the tensor, or does not exist, `C2G_ERROR_RANGE` if there would
 * be too many bytes, `C2G_ERROR_NO_MEMORY`, and `C2G_ERROR_BUSY` within an allocation for the same
 * tensor.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_mixed_tensor_ref_tensor (C2gMixedTensor  *self,
                             C2gDataType      data_type,
                             C2gDevice       *device,
                             GError         **error)
{
  return lend (self, data_type, device, C2G_SYNCED_READ, error);
}

/**
 * c2g_mixed_tensor_ref_mutable_tensor:
 * @self: a mixed tensor
 * @data_type: the wanted type
 * @device: (nullable): the wanted device, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in one type on one device, for writing.
 *
 * The type counts as written from now on, and as long as anybody holds the tensor or its memory.
 * During that time all other projections are converted at each read.
 *
 * Fails as [method@MixedTensor.ref_tensor] does, with `C2G_ERROR_TYPE` if a [class@CaffeTBlob] has
 * locked the elements to another type, and with `C2G_ERROR_BUSY` if somebody holds them for writing
 * in another type or on another device.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_mixed_tensor_ref_mutable_tensor (C2gMixedTensor  *self,
                                     C2gDataType      data_type,
                                     C2gDevice       *device,
                                     GError         **error)
{
  return lend (self, data_type, device, C2G_SYNCED_WRITE, error);
}

/**
 * c2g_mixed_tensor_set_data_type:
 * @self: a mixed tensor
 * @data_type: a type
 * @error: return location for an error
 *
 * Converts the elements to another type, as if they had been written in it.
 *
 * From then on all types are converted from this one: unlike a read, this can lose precision.
 *
 * Fails as [method@MixedTensor.ref_mutable_tensor] does.
 *
 * Returns: whether the type is the one that was written last
 */
gboolean
c2g_mixed_tensor_set_data_type (C2gMixedTensor  *self,
                                C2gDataType      data_type,
                                GError         **error)
{
  C2gSyncedMemory *memory;
  C2gTypeMeta *meta;
  C2gMixedChange change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = c2g_numbers_find_type (data_type, error);
  if (meta == NULL || !c2g_mixed_begin (self, &change, error))
    return FALSE;

  memory = c2g_mixed_prepare (self, meta, C2G_SYNCED_WRITE, &change, error);
  if (memory != NULL)
    c2g_mixed_make_master (self, meta, memory, &change);
  c2g_mixed_end (self, &change);

  return memory != NULL;
}

/**
 * c2g_mixed_tensor_invalidate_others:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Makes every type except the one that was written last be converted again at its next read.
 *
 * This is for C programs that have written through an address of [method@MixedTensor.mutable_data]
 * after another access.
 *
 * Fails with `C2G_ERROR_BUSY` within an allocation for the same tensor.
 *
 * Returns: `TRUE` if the projections were invalidated
 */
gboolean
c2g_mixed_tensor_invalidate_others (C2gMixedTensor  *self,
                                    GError         **error)
{
  C2gMixedChange change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_mixed_begin (self, &change, error))
    return FALSE;

  c2g_mixed_invalidate_all_but (self, *c2g_mixed_place_of (self, self->written), &change);
  c2g_mixed_end (self, &change);

  return TRUE;
}

/* Common part of the two functions below; checks their arguments. */
static gpointer
get_address (C2gMixedTensor   *self,
             C2gDataType       data_type,
             C2gDevice        *device,
             C2gSyncedAccess   access,
             GError          **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  c2g_mixed_tensor_access (self, data_type, device, access, &address, error);
  return address;
}

/**
 * c2g_mixed_tensor_data: (skip)
 * @self: a mixed tensor
 * @data_type: the wanted type
 * @device: (nullable): the wanted device, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in one type on one device, for reading.
 *
 * The address is valid until the next access of the tensor. Fails as
 * [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gconstpointer
c2g_mixed_tensor_data (C2gMixedTensor  *self,
                       C2gDataType      data_type,
                       C2gDevice       *device,
                       GError         **error)
{
  return get_address (self, data_type, device, C2G_SYNCED_READ, error);
}

/**
 * c2g_mixed_tensor_mutable_data: (skip)
 * @self: a mixed tensor
 * @data_type: the wanted type
 * @device: (nullable): the wanted device, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in one type on one device, for writing.
 *
 * The type counts as written from now on. The address is valid until the next access of the tensor.
 * Fails as [method@MixedTensor.ref_mutable_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_mixed_tensor_mutable_data (C2gMixedTensor  *self,
                               C2gDataType      data_type,
                               C2gDevice       *device,
                               GError         **error)
{
  return get_address (self, data_type, device, C2G_SYNCED_WRITE, error);
}
