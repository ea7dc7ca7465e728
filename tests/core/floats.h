/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <string.h>

/* Helpers for tensors of floats and their memory. */

#define FLOAT C2G_DATA_TYPE_FLOAT

typedef struct
{
  guint   n_reallocated;
  guint64 old_capacity;
  guint64 new_capacity;
} Watch;

static inline void
reallocated_cb (C2gTensor *tensor,
                guint64    old_capacity,
                guint64    new_capacity,
                gpointer   user_data)
{
  Watch *watch = user_data;

  watch->n_reallocated++;
  watch->old_capacity = old_capacity;
  watch->new_capacity = new_capacity;
}

static inline void
watch_tensor (C2gTensor *tensor,
              Watch     *watch)
{
  memset (watch, 0, sizeof *watch);
  g_signal_connect (tensor, "reallocated", G_CALLBACK (reallocated_cb), watch);
}

static inline void
assert_watched (Watch   *watch,
                guint    n_reallocated,
                guint64  old_capacity,
                guint64  new_capacity)
{
  g_assert_cmpuint (watch->n_reallocated, ==, n_reallocated);
  g_assert_cmpuint (watch->old_capacity, ==, old_capacity);
  g_assert_cmpuint (watch->new_capacity, ==, new_capacity);
}

static inline C2gTensor *
new_sized (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);

  g_assert_no_error (error);

  return tensor;
}

static inline float *
floats_of (C2gTensor *tensor)
{
  g_autoptr (GError) error = NULL;
  float *data = c2g_tensor_mutable_data (tensor, FLOAT, &error);

  g_assert_no_error (error);

  return data;
}

/* Creates a tensor of 0, 1, 2 … */
static inline C2gTensor *
new_floats (gint64 n)
{
  C2gTensor *tensor = new_sized (n);
  float *data = floats_of (tensor);

  for (gint64 i = 0; i < n; i++)
    data[i] = (float) i;

  return tensor;
}

static inline void
assert_floats (C2gTensor *tensor,
               gint64     n,
               float      first)
{
  g_autoptr (GError) error = NULL;
  const float *data = c2g_tensor_data (tensor, FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpfloat (data[i], ==, first + (float) i);
}

static inline void
resize (C2gTensor *tensor,
        gint64     n)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (n), &error));
  g_assert_no_error (error);
}

/* A function that makes a tensor leave its block. */
typedef void (*Leave) (C2gTensor *tensor);

static inline void
leave_by_growing (C2gTensor *tensor)
{
  resize (tensor, 7);
  floats_of (tensor);
}

static inline void
leave_by_type (C2gTensor *tensor)
{
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT8, NULL));
}

static inline void
leave_by_freeing (C2gTensor *tensor)
{
  c2g_tensor_free_memory (tensor);
  floats_of (tensor);
}
