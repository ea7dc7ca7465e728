/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "test-utils.h"
#include "tests/core/fake-device.h"

G_BEGIN_DECLS

/* Short names for the tests of mixed tensors. The second device is the fake one. */

#define HALF   C2G_DATA_TYPE_FLOAT16
#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define INT32  C2G_DATA_TYPE_INT32

static const C2gDataType all_types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_UINT64,
};

/* Counts how often an owner got its memory back. */
static inline void
count_release_cb (gpointer n_releases)
{
  ++*(int *) n_releases;
}

static inline C2gDevice *
gpu (void)
{
  return c2g_device_parse ("cuda:0", NULL);
}

static inline C2gMixedTensor *
new_mixed (C2gDataType type,
           gint64      n)
{
  g_autoptr (GError) error = NULL;
  C2gMixedTensor *mixed;

  fake_device_use ();
  mixed = c2g_mixed_tensor_new (type, &n, 1, gpu (), &error);
  g_assert_no_error (error);
  return mixed;
}

static inline gconstpointer
read_as (C2gMixedTensor *mixed,
         C2gDataType     type)
{
  g_autoptr (GError) error = NULL;
  gconstpointer elements = c2g_mixed_tensor_data (mixed, type, NULL, &error);

  g_assert_no_error (error);
  return elements;
}

static inline gpointer
write_as (C2gMixedTensor *mixed,
          C2gDataType     type)
{
  g_autoptr (GError) error = NULL;
  gpointer elements = c2g_mixed_tensor_mutable_data (mixed, type, NULL, &error);

  g_assert_no_error (error);
  return elements;
}

static inline C2gTensor *
ref_as (C2gMixedTensor *mixed,
        C2gDataType     type)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_mixed_tensor_ref_tensor (mixed, type, NULL, &error);

  g_assert_no_error (error);
  return tensor;
}

static inline C2gTensor *
ref_mutable_as (C2gMixedTensor *mixed,
                C2gDataType     type)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_mixed_tensor_ref_mutable_tensor (mixed, type, NULL, &error);

  g_assert_no_error (error);
  return tensor;
}

/* The first element, as a number. */
static inline double
value_as (C2gMixedTensor *mixed,
          C2gDataType     type)
{
  g_autoptr (C2gTensor) tensor = ref_as (mixed, type);

  return c2g_tensor_get_value (tensor, 0, NULL);
}

/* Gives a mixed tensor memory that nothing else in c2g knows. */
static inline void
set_foreign (C2gMixedTensor *mixed,
             float          *numbers,
             gboolean        is_tensor)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  g_autoptr (C2gTensor) slice = NULL;

  if (!is_tensor)
    {
      g_assert_true (c2g_mixed_tensor_set_data (mixed, numbers, FLOAT, NULL, NULL, NULL, NULL));
      return;
    }
  g_assert_true (c2g_tensor_share_external (tensor, FLOAT, numbers, 2 * sizeof *numbers, NULL, NULL, NULL));
  slice = c2g_tensor_slice (tensor, 0, 2, NULL);
  g_assert_true (c2g_mixed_tensor_set_tensor (mixed, slice, NULL));
}

G_END_DECLS
