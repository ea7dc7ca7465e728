/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "test-utils.h"
#include "tests/core/fake-device.h"

G_BEGIN_DECLS

/* Short names for the tests of mixed tensors.  The device beside the CPU is the fake one. */

#define HALF   C2G_DATA_TYPE_FLOAT16
#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define INT32  C2G_DATA_TYPE_INT32

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

G_END_DECLS
