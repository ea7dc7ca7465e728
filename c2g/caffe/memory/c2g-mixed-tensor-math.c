/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/core/c2g-convert-private.h>

#include <math.h>
#include <string.h>

/* Arithmetic on the type that was written last, on the CPU.  Numbers are computed as doubles,
 * a block at a time, whatever their type. */

#define N_IN_BLOCK 1024

/* Handles one block of numbers; state is carried from block to block. */
typedef void (*BlockFunc) (double *numbers,
                           gsize   n,
                           double *state);

static gboolean
run_blocks (C2gMixedTensor   *self,
            C2gSyncedAccess   access,
            BlockFunc         func,
            double           *state,
            GError          **error)
{
  const C2gDataType type = c2g_mixed_tensor_get_data_type (self);
  const gsize item_size = c2g_data_type_get_item_size (type);
  const gsize n = (gsize) c2g_mixed_tensor_get_n_elements (self);
  double numbers[N_IN_BLOCK];
  gpointer elements;
  gsize position;

  if (!c2g_mixed_tensor_access (self, type, c2g_device_cpu (), access, &elements, error))
    return FALSE;

  for (gsize i = 0; i < n; i += N_IN_BLOCK)
    {
      const gsize n_in_block = MIN (N_IN_BLOCK, n - i);
      char *block = (char *) elements + i * item_size;

      c2g_convert_items (C2G_DATA_TYPE_DOUBLE, numbers, type, block, n_in_block,
                         C2G_CONVERT_SATURATE, &position);
      func (numbers, n_in_block, state);
      if (access != C2G_SYNCED_READ)
        c2g_convert_items (type, block, C2G_DATA_TYPE_DOUBLE, numbers, n_in_block,
                           C2G_CONVERT_SATURATE, &position);
    }

  return TRUE;
}

/**
 * c2g_mixed_tensor_set:
 * @self: a mixed tensor
 * @value: a number
 * @error: return location for an error
 *
 * Sets every element, in the type that was written last, on the CPU.
 *
 * A number that the type cannot hold becomes the nearest that it can.
 *
 * Fails with `C2G_ERROR_BUSY` if somebody holds the elements for writing on the other device, and
 * `C2G_ERROR_NO_MEMORY`; nothing changes then.
 *
 * Returns: whether the elements were set
 */
gboolean
c2g_mixed_tensor_set (C2gMixedTensor  *self,
                      double           value,
                      GError         **error)
{
  C2gDataType type;
  gsize item_size, n, position;
  gpointer elements;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  type = c2g_mixed_tensor_get_data_type (self);
  item_size = c2g_data_type_get_item_size (type);
  n = (gsize) c2g_mixed_tensor_get_n_elements (self);
  if (!c2g_mixed_tensor_access (self, type, c2g_device_cpu (), C2G_SYNCED_OVERWRITE, &elements, error))
    return FALSE;
  if (n == 0)
    return TRUE;

  c2g_convert_items (type, elements, C2G_DATA_TYPE_DOUBLE, &value, 1, C2G_CONVERT_SATURATE, &position);
  for (gsize n_set = 1; n_set < n; n_set *= 2)
    memcpy ((char *) elements + n_set * item_size, elements, MIN (n_set, n - n_set) * item_size);

  return TRUE;
}

static void
scale_block (double *numbers,
             gsize   n,
             double *state)
{
  for (gsize i = 0; i < n; i++)
    numbers[i] *= *state;
}

/**
 * c2g_mixed_tensor_scale:
 * @self: a mixed tensor
 * @factor: a number
 * @error: return location for an error
 *
 * Multiplies every element, in the type that was written last, on the CPU.
 *
 * The products are computed as doubles. A product that the type cannot hold becomes the nearest
 * number that it can.
 *
 * Fails as [method@MixedTensor.set] does, and with `C2G_ERROR_DEVICE` if the elements are on another
 * device and cannot be copied.
 *
 * Returns: whether the elements were multiplied
 */
gboolean
c2g_mixed_tensor_scale (C2gMixedTensor  *self,
                        double           factor,
                        GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return run_blocks (self, C2G_SYNCED_WRITE, scale_block, &factor, error);
}

static void
asum_block (double *numbers,
            gsize   n,
            double *state)
{
  for (gsize i = 0; i < n; i++)
    *state += fabs (numbers[i]);
}

static void
amax_block (double *numbers,
            gsize   n,
            double *state)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (numbers[i]) || fabs (numbers[i]) > *state)
      *state = fabs (numbers[i]);
}

static void
sumsq_block (double *numbers,
             gsize   n,
             double *state)
{
  for (gsize i = 0; i < n; i++)
    *state += numbers[i] * numbers[i];
}

static double
reduce (C2gMixedTensor  *self,
        BlockFunc        func,
        GError         **error)
{
  double state = 0;

  return run_blocks (self, C2G_SYNCED_READ, func, &state, error) ? state : 0;
}

/**
 * c2g_mixed_tensor_asum:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the absolute values, of the type that was written last, on the CPU.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_mixed_tensor_asum (C2gMixedTensor  *self,
                       GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, asum_block, error);
}

/**
 * c2g_mixed_tensor_amax:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Finds the largest absolute value, of the type that was written last, on the CPU.
 *
 * It is NaN if an element is, and 0 if there are no elements.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the value; 0 with an error
 */
double
c2g_mixed_tensor_amax (C2gMixedTensor  *self,
                       GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, amax_block, error);
}

/**
 * c2g_mixed_tensor_sumsq:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Sums the squares, of the type that was written last, on the CPU.
 *
 * The sum is a double. It is NaN if an element is.
 *
 * Fails as [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the sum; 0 with an error
 */
double
c2g_mixed_tensor_sumsq (C2gMixedTensor  *self,
                        GError         **error)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);
  g_return_val_if_fail (error == NULL || *error == NULL, 0);

  return reduce (self, sumsq_block, error);
}
