/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "test-utils.h"
#include "tests/core/fake-device.h"

/* Blobs of Caffe whose GPU is the fake device. */

#define HALF   C2G_DATA_TYPE_FLOAT16
#define FLOAT  C2G_DATA_TYPE_FLOAT
#define DOUBLE C2G_DATA_TYPE_DOUBLE
#define INT32  C2G_DATA_TYPE_INT32
#define DATA   C2G_CAFFE_PARTS_DATA
#define DIFF   C2G_CAFFE_PARTS_DIFF
#define BOTH   C2G_CAFFE_PARTS_BOTH
#define DIMS   C2G_TEST_DIMS

static inline C2gDevice *
gpu (void)
{
  return c2g_device_parse ("cuda:0", NULL);
}

static inline C2gCaffeBlob *
new_typed (C2gDataType   data_type,
           C2gDataType   diff_type,
           const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gCaffeBlob *blob;

  fake_device_use ();
  blob = c2g_caffe_blob_new (data_type, diff_type, dims, n_dims, gpu (), &error);
  g_assert_no_error (error);
  return blob;
}

static inline C2gCaffeBlob *
new_blob (const gint64 *dims,
          gsize         n_dims)
{
  return new_typed (FLOAT, FLOAT, dims, n_dims);
}

/* Fills one part with START, START + STEP … */
static inline void
write_steps (C2gCaffeBlob  *blob,
             C2gCaffeParts  part,
             double         start,
             double         step)
{
  const gint64 n = c2g_caffe_blob_get_n_elements (blob);
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = part == DATA ? c2g_caffe_blob_ref_mutable_data_tensor (blob, FLOAT, NULL, NULL)
                        : c2g_caffe_blob_ref_mutable_diff_tensor (blob, FLOAT, NULL, NULL);
  for (gint64 i = 0; i < n; i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, start + i * step, NULL));
}

static inline double
data_at (C2gCaffeBlob *blob,
         gint64        i)
{
  g_autoptr (C2gTensor) tensor = c2g_caffe_blob_ref_data_tensor (blob, DOUBLE, NULL, NULL);

  return c2g_tensor_get_value (tensor, i, NULL);
}

static inline double
diff_at (C2gCaffeBlob *blob,
         gint64        i)
{
  g_autoptr (C2gTensor) tensor = c2g_caffe_blob_ref_diff_tensor (blob, DOUBLE, NULL, NULL);

  return c2g_tensor_get_value (tensor, i, NULL);
}

static inline void
count_cb (gpointer    object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  ++*(int *) user_data;
}

static inline void
count_reshaped_cb (C2gCaffeBlob *blob,
                   gpointer      user_data)
{
  ++*(int *) user_data;
}

/* Checks the error of a failed call, and clears it. */
static inline void
assert_failed (gboolean   is_failure,
               GError   **error,
               C2gError   code)
{
  g_assert_true (is_failure);
  g_assert_error (*error, C2G_ERROR, (int) code);
  g_clear_error (error);
}
