/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

/* A message of Caffe2, into a blob that has something in it already. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, n_bytes);
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);

  g_assert_true (c2g_tensor_resize (tensor, (gint64[]) { 2, 3 }, 2, NULL));
  if (c2g_blob_deserialize (blob, bytes, &error))
    {
      fuzz_check_blob (blob);
      return 0;
    }

  /* As it was. */
  g_assert_nonnull (error);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 6);
  return 0;
}
