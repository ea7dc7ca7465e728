/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/cuda/cuda-utils.h"

#include <string.h>

/* Tensors on a device beside their twins on the CPU */

static inline C2gTensor *
to_device (C2gTensor *tensor,
           C2gDevice *device)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *copy = c2g_tensor_to_device (tensor, device, &error);

  g_assert_no_error (error);
  return copy;
}

static inline C2gTensor *
to_far (C2gTensor *tensor)
{
  return to_device (tensor, first_device ());
}

static inline C2gTensor *
to_near (C2gTensor *tensor)
{
  return to_device (tensor, c2g_device_cpu ());
}

/* A tensor on the CPU with these bytes. */
static inline C2gTensor *
new_of_bytes (C2gDataType    type,
              gconstpointer  bytes,
              gint64         n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (&n, 1, NULL, NULL);
  gpointer data = c2g_tensor_mutable_data (tensor, type, &error);

  g_assert_no_error (error);
  if (n > 0)
    memcpy (data, bytes, (gsize) n * c2g_data_type_get_item_size (type));

  return tensor;
}

/* A tensor on the CPU with the numbers -1, -1 + step, … */
static inline C2gTensor *
new_row (C2gDataType type,
         gint64      n,
         double      step)
{
  g_autofree float *numbers = g_new (float, n + 1);
  g_autoptr (C2gTensor) floats = NULL;

  for (gint64 i = 0; i < n; i++)
    numbers[i] = -1 + i * step;
  floats = new_of_bytes (C2G_DATA_TYPE_FLOAT, numbers, n);

  return c2g_tensor_convert (floats, type, C2G_CONVERT_SATURATE, NULL);
}

/* Asserts that type, shape and bits are those of a tensor on the CPU. */
static inline void
assert_bits (C2gTensor *tensor,
             C2gTensor *expected)
{
  g_autoptr (C2gTensor) near = to_near (tensor);

  g_assert_true (c2g_test_equal (near, expected));
}

/* How often something was copied or waited for so far; 0 on a GPU. Between two numbers that are the
 * same, nothing went through the CPU. */
static inline guint
count_trips (void)
{
  return count_calls ("cudaMemcpyAsync") + count_calls ("cudaMemcpy") +
         count_calls ("cudaMemcpyPeerAsync") + count_calls ("cudaStreamSynchronize") +
         count_calls ("cudaEventSynchronize") + count_calls ("cudaDeviceSynchronize");
}
