/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>

#include <c2g/caffe/memory/c2g-numbers-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/* Sums over a synced memory. The caller says which type its bytes have. */

static gboolean
check_fit (gsize         n_bytes,
           C2gTypeMeta  *meta,
           gsize         n_elements,
           GError      **error)
{
  if (n_elements <= n_bytes / meta->item_size)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("%zu elements of type “%s” are more than %zu bytes"),
                   n_elements, meta->name, n_bytes);
}

/* Returns the first elements as a tensor, where they are. Signal handlers may resize the memory, so
 * the count is checked again here. */
static C2gTensor *
ref_elements (C2gSyncedMemory  *self,
              C2gTypeMeta      *meta,
              gsize             n_elements,
              GError          **error)
{
  const gboolean is_far = c2g_synced_memory_get_head (self) == C2G_SYNCED_HEAD_AT_GPU;
  const gint64 n = (gint64) n_elements;
  g_autoptr (C2gStorage) reader = NULL;

  if (!check_fit (c2g_synced_memory_get_n_bytes (self), meta, n_elements, error))
    return NULL;

  reader = c2g_synced_memory_ref_reader (self, is_far ? C2G_SYNCED_GPU : C2G_SYNCED_CPU, error);
  return reader != NULL && check_fit (reader->n_bytes, meta, n_elements, error)
           ? c2g_tensor_new_from_storage (meta->data_type, &n, 1, reader, 0, error)
           : NULL;
}

/* Common part of the three functions below; checks their arguments. */
static double
measure (C2gSyncedMemory  *self,
         C2gDataType       data_type,
         gsize             n_elements,
         C2gNumbersFunc    func,
         GError          **error)
{
  g_autoptr (C2gTensor) elements = NULL;
  C2gTypeMeta *meta;

  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  meta = c2g_numbers_find_type (data_type, error);
  elements = meta != NULL ? ref_elements (self, meta, n_elements, error) : NULL;
  return elements != NULL ? c2g_numbers_measure (elements, func, error) : 0;
}

/**
 * c2g_synced_memory_asum:
 * @self: a memory
 * @data_type: the type of the elements
 * @n_elements: how many elements
 * @error: return location for an error
 *
 * Sums the absolute values of the first elements, where they are.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails with `C2G_ERROR_TYPE` if elements of this type are not numbers, `C2G_ERROR_RANGE` if there are
 * fewer elements, and as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_synced_memory_asum (C2gSyncedMemory  *self,
                        C2gDataType       data_type,
                        gsize             n_elements,
                        GError          **error)
{
  return measure (self, data_type, n_elements, c2g_tensor_asum, error);
}

/**
 * c2g_synced_memory_sumsq:
 * @self: a memory
 * @data_type: the type of the elements
 * @n_elements: how many elements
 * @error: return location for an error
 *
 * Sums the squares of the first elements, where they are.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails with `C2G_ERROR_TYPE` if elements of this type are not numbers, `C2G_ERROR_RANGE` if there are
 * fewer elements, and as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_synced_memory_sumsq (C2gSyncedMemory  *self,
                         C2gDataType       data_type,
                         gsize             n_elements,
                         GError          **error)
{
  return measure (self, data_type, n_elements, c2g_tensor_sumsq, error);
}

/**
 * c2g_synced_memory_amax:
 * @self: a memory
 * @data_type: the type of the elements
 * @n_elements: how many elements
 * @error: return location for an error
 *
 * Finds the largest absolute value of the first elements, where they are.
 *
 * It is NaN if an element is, and 0 if there are no elements.
 *
 * Fails with `C2G_ERROR_TYPE` if elements of this type are not numbers, `C2G_ERROR_RANGE` if there are
 * fewer elements, and as [method@SyncedMemory.cpu_data] does.
 *
 * Returns: the value; 0 with an error
 */
double
c2g_synced_memory_amax (C2gSyncedMemory  *self,
                        C2gDataType       data_type,
                        gsize             n_elements,
                        GError          **error)
{
  return measure (self, data_type, n_elements, c2g_tensor_amax, error);
}
