/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/types/c2g-shape-private.h>

/* The two operations on the memories of all element types of a mixed tensor (its projections).
 * Reshaping resizes all of them. Trimming frees all but that of the master, the type that was written
 * last, because the others can be converted from it again. */

/* Computes the sizes of all existing memories. The type that was written last must have a valid
 * size even if it has no memory yet. */
static gboolean
find_sizes (C2gMixedTensor  *self,
            gint64           n_elements,
            gsize           *sizes,
            GError         **error)
{
  gsize n_bytes;

  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL &&
        !c2g_shape_bytes (n_elements, self->item_sizes[i], &sizes[i], error))
      return FALSE;

  return c2g_shape_bytes (n_elements, self->written->item_size, &n_bytes, error);
}

/* Fails if this thread is using one of the memories: it cannot be resized then. */
static gboolean
check_idle (C2gMixedTensor  *self,
            GError         **error)
{
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL)
      {
        if (!c2g_transit_enter (&self->memories[i]->transit, error))
          return FALSE;
        c2g_transit_leave (&self->memories[i]->transit);
      }

  return TRUE;
}

static gboolean
resize_memories (C2gMixedTensor  *self,
                 gint64           n_elements,
                 C2gMixedChange  *change,
                 GError         **error)
{
  gsize sizes[C2G_N_CONVERT_SLOTS] = { 0 };

  if (!find_sizes (self, n_elements, sizes, error) || !check_idle (self, error))
    return FALSE;

  /* The added elements exist only in the master, so other projections become invalid. */
  if (n_elements > self->n_elements)
    c2g_mixed_invalidate_all_but (self, *c2g_mixed_place_of (self, self->written), change);
  /* This cannot fail: the sizes were computed, and no memory is in use. */
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL)
      c2g_synced_memory_resize (self->memories[i], sizes[i], NULL);

  return TRUE;
}

gboolean
c2g_mixed_assign_shape (C2gMixedTensor  *self,
                        const gint64    *dims,
                        gsize            n_dims,
                        C2gMixedChange  *change,
                        GError         **error)
{
  gint64 n_elements;

  if (!c2g_shape_count (dims, n_dims, &n_elements, error) ||
      (n_elements != self->n_elements && !resize_memories (self, n_elements, change, error)))
    return FALSE;

  c2g_mixed_assign_dims (self, dims, n_dims, n_elements);
  return TRUE;
}

/**
 * c2g_mixed_tensor_reshape:
 * @self: a mixed tensor
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @error: return location for an error
 *
 * Gives the tensor a shape.
 *
 * If the block of the type that was written last has room for the shape, the elements stay, and
 * added ones are undefined. Otherwise the elements are lost: the next read gives zeros, and a tensor
 * that holds the block keeps it. Other projections are converted anew if there are more elements
 * than before.
 *
 * Fails with `C2G_ERROR_SHAPE` if a dimension is negative, `C2G_ERROR_RANGE` if there would be too
 * many elements or bytes, and `C2G_ERROR_BUSY` within an allocation for the same tensor; nothing
 * changes then.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_mixed_tensor_reshape (C2gMixedTensor  *self,
                          const gint64    *dims,
                          gsize            n_dims,
                          GError         **error)
{
  C2gMixedChange change;
  gboolean done;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_mixed_begin (self, &change, error))
    return FALSE;

  done = c2g_mixed_assign_shape (self, dims, n_dims, &change, error);
  c2g_mixed_end (self, &change);

  return done;
}

/**
 * c2g_mixed_tensor_trim:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Frees the memory of every type except the one that was written last.
 *
 * The other types are converted again when they are read. Tensors that hold the memory keep it.
 *
 * Fails with `C2G_ERROR_BUSY` within an allocation for the same tensor.
 *
 * Returns: `TRUE` if the memory was freed
 */
gboolean
c2g_mixed_tensor_trim (C2gMixedTensor  *self,
                       GError         **error)
{
  C2gSyncedMemory *master;
  C2gMixedChange change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_mixed_begin (self, &change, error))
    return FALSE;

  master = *c2g_mixed_place_of (self, self->written);
  c2g_mixed_invalidate_all_but (self, master, &change);
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL && self->memories[i] != master)
      c2g_synced_memory_trim (self->memories[i]);
  c2g_mixed_end (self, &change);

  return TRUE;
}
