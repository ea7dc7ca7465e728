/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "floats.h"

#include <inttypes.h>
#include <math.h>

/* Tensors of any type of numbers, which are given and compared as doubles. */

static inline C2gTensor *
new_of (C2gDataType   type,
        const double *values,
        gint64        n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = new_sized (n);

  g_assert_true (c2g_tensor_allocate (tensor, type, &error));
  for (gint64 i = 0; i < n; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, values[i], &error));
  g_assert_no_error (error);

  return tensor;
}

static inline void
assert_values (C2gTensor    *tensor,
               const double *values,
               gint64        n)
{
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, n);
  for (gint64 i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      const double value = c2g_tensor_get_value (tensor, i, &error);

      g_assert_no_error (error);
      if (!(value == values[i] || (isnan (value) && isnan (values[i]))))
        g_error ("Element %" PRId64 " is %g instead of %g", i, value, values[i]);
    }
}

static inline void
assert_numbers (C2gTensor    *tensor,
                C2gDataType   type,
                const double *values,
                gint64        n)
{
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, type);
  assert_values (tensor, values, n);
}
