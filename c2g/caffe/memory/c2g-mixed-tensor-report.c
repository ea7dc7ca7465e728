/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Questions to a mixed tensor: what is valid, where it is, who holds it, how much memory it takes, and how
 * it looks as text. None of them converts anything. */

/* Returns the memory of a type, which the tensor keeps, or NULL if that type was never requested.
 * Thread-safe. */
static C2gSyncedMemory *
look_up_memory (C2gMixedTensor *self,
                C2gDataType     data_type)
{
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);

  meta = c2g_numbers_find_type (data_type, NULL);
  return meta != NULL ? g_atomic_pointer_get (c2g_mixed_place_of (self, meta)) : NULL;
}

/**
 * c2g_mixed_tensor_is_valid:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Checks if a projection has the numbers that were written last.
 *
 * A new tensor has no valid projection, although reading its zeros converts nothing. While somebody
 * holds a projection for writing, only that one is valid.
 *
 * Returns: `TRUE` if the projection is valid
 */
gboolean
c2g_mixed_tensor_is_valid (C2gMixedTensor *self,
                           C2gDataType     data_type)
{
  C2gSyncedMemory *memory = look_up_memory (self, data_type);

  return memory != NULL && c2g_synced_memory_is_valid (memory);
}

/**
 * c2g_mixed_tensor_is_held:
 * @self: a mixed tensor
 *
 * Checks if others may write to the elements at any time.
 *
 * They may as long as somebody holds a tensor from [method@MixedTensor.ref_mutable_tensor], a
 * mapping of it, or anything else over its memory. Owners of foreign memory always may.
 *
 * Returns: `TRUE` if others may write
 */
gboolean
c2g_mixed_tensor_is_held (C2gMixedTensor *self)
{
  C2gSyncedMemory *memory = look_up_memory (self, c2g_mixed_tensor_get_data_type (self));

  return memory != NULL && c2g_synced_memory_is_held (memory);
}

/**
 * c2g_mixed_tensor_get_head:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets the place of the bytes of a projection.
 *
 * Returns: a head; `UNINITIALIZED` if the type was never requested
 */
C2gSyncedHead
c2g_mixed_tensor_get_head (C2gMixedTensor *self,
                           C2gDataType     data_type)
{
  C2gSyncedMemory *memory = look_up_memory (self, data_type);

  return memory != NULL ? c2g_synced_memory_get_head (memory) : C2G_SYNCED_HEAD_UNINITIALIZED;
}

/**
 * c2g_mixed_tensor_get_cpu_memory_use:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets the number of bytes that a projection uses on the CPU.
 *
 * Returns: bytes, 0 if it has no block
 */
gsize
c2g_mixed_tensor_get_cpu_memory_use (C2gMixedTensor *self,
                                     C2gDataType     data_type)
{
  C2gSyncedMemory *memory = look_up_memory (self, data_type);

  return memory != NULL ? c2g_synced_memory_get_cpu_memory_use (memory, FALSE) : 0;
}

/**
 * c2g_mixed_tensor_get_gpu_memory_use:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets the number of bytes that a projection uses on the other device.
 *
 * Returns: bytes, 0 if it has no block
 */
gsize
c2g_mixed_tensor_get_gpu_memory_use (C2gMixedTensor *self,
                                     C2gDataType     data_type)
{
  C2gSyncedMemory *memory = look_up_memory (self, data_type);

  return memory != NULL ? c2g_synced_memory_get_gpu_memory_use (memory, FALSE) : 0;
}

/**
 * c2g_mixed_tensor_to_string:
 * @self: a mixed tensor
 *
 * Describes the tensor and its projections, for people.
 *
 * Returns: (transfer full): text such as “[2, 3] of float”, and a line for each projection
 */
char *
c2g_mixed_tensor_to_string (C2gMixedTensor *self)
{
  g_autofree char *shape = NULL;
  GString *text;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);

  shape = c2g_shape_to_string (self->dims, self->n_dims);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s of %s", shape,
                          c2g_data_type_get_name (c2g_mixed_tensor_get_data_type (self)));
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    {
      C2gSyncedMemory *memory = g_atomic_pointer_get (&self->memories[i]);
      g_autofree char *line = memory != NULL ? c2g_synced_memory_to_string (memory) : NULL;

      if (line != NULL)
        g_string_append_printf (text, "\n  %s", line);
    }

  return g_string_free (text, FALSE);
}
