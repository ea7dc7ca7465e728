/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/c2g-tensor-private.h>

/* Elements of the same type are copied on the device where they are, unless somebody holds those of
 * self elsewhere. */
static C2gSyncedSide
choose_side (C2gMixedTensor *self,
             C2gTensor      *source)
{
  C2gSyncedMemory *memory = *c2g_mixed_place_of (self, self->written);

  if (memory != NULL && c2g_mixed_find_held (self))
    return c2g_synced_memory_is_cpu_head (memory) ? C2G_SYNCED_CPU : C2G_SYNCED_GPU;

  return source->device == self->device ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
}

static gboolean
copy_same (C2gMixedTensor  *self,
           C2gTensor       *source,
           C2gMixedChange  *change,
           GError         **error)
{
  const C2gTensorPlace place = { source->device, source->storage, c2g_tensor_address (source) };
  C2gSyncedMemory *memory = c2g_mixed_ensure_memory (self, self->written, error);

  if (memory == NULL || !c2g_synced_memory_copy_in (memory, choose_side (self, source), &place, error))
    return FALSE;

  c2g_mixed_make_master (self, self->written, memory, change);
  return TRUE;
}

static gboolean
copy_converting (C2gMixedTensor  *self,
                 C2gTensor       *source,
                 C2gMixedChange  *change,
                 GError         **error)
{
  g_autoptr (C2gTensor) on_cpu = c2g_tensor_ref_on_cpu (source, error);
  gpointer target;

  if (on_cpu == NULL ||
      !c2g_mixed_access (self, self->written, C2G_SYNCED_CPU, C2G_SYNCED_OVERWRITE, &target, change, error))
    return FALSE;

  c2g_convert_items (self->written->data_type, target, on_cpu->meta->data_type,
                     c2g_tensor_address (on_cpu), (gsize) self->n_elements, C2G_CONVERT_SATURATE, NULL);
  return TRUE;
}

/* The elements as they were written last, in the place where they are. */
static C2gTensor *
ref_written (C2gMixedTensor  *self,
             GError         **error)
{
  const C2gDataType type = c2g_mixed_tensor_get_data_type (self);
  const gboolean is_far = c2g_mixed_tensor_get_head (self, type) == C2G_SYNCED_HEAD_AT_GPU;

  return c2g_mixed_tensor_ref_tensor (self, type, is_far ? self->device : NULL, error);
}

/**
 * c2g_mixed_tensor_copy_from:
 * @self: a mixed tensor
 * @source: a mixed tensor with as many elements, which may be the same one
 * @error: return location for an error
 *
 * Copies the elements of another tensor, from the type that was written last there to the one that was
 * written last here.
 *
 * The type and the shape of @self stay. Each element is converted once, see “Numbers” of the class.
 *
 * Fails with `C2G_ERROR_SHAPE` if @source has another number of elements, `C2G_ERROR_BUSY` if somebody
 * holds the elements of @self on the other device, and they have to be converted, or within an
 * allocation for either tensor, `C2G_ERROR_NO_MEMORY`, and `C2G_ERROR_DEVICE` if the elements cannot be
 * copied; nothing changes then.
 *
 * Returns: whether the elements were copied
 */
gboolean
c2g_mixed_tensor_copy_from (C2gMixedTensor  *self,
                            C2gMixedTensor  *source,
                            GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;
  C2gMixedChange change;
  gboolean done;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self == source)
    return TRUE;
  if (!c2g_mixed_check_count (self, source->n_elements, error))
    return FALSE;

  held = ref_written (source, error);
  if (held == NULL || !c2g_mixed_begin (self, &change, error))
    return FALSE;

  /* Handlers of signals may have changed either tensor. */
  done = c2g_mixed_check_count (self, held->n_elements, error) &&
         (self->n_elements == 0 ||
          (held->meta == self->written ? copy_same (self, held, &change, error)
                                       : copy_converting (self, held, &change, error)));
  c2g_mixed_end (self, &change);

  return done;
}
