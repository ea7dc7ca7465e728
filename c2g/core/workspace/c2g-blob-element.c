/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob.h>

/* Makes blobs elements of tensors: c2g_tensor_dup_element(). */

/**
 * c2g_tensor_dup_element:
 * @self: a tensor with data, on the CPU
 * @index: which element, in row-major order
 * @error: return location for an error
 *
 * Copies an element of any type into a blob.
 *
 * The blob holds the result of [method@Tensor.get_element]. Reading it with
 * [property@Blob:value] is safe in every version of every binding.
 *
 * Fails with `C2G_ERROR_RANGE` if there is no such element, `C2G_ERROR_FAILED`
 * without data and `C2G_ERROR_DEVICE` on another device.
 *
 * Returns: (transfer full): a blob
 */
C2gBlob *
c2g_tensor_dup_element (C2gTensor  *self,
                        gint64      index,
                        GError    **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  C2gBlob *blob;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_tensor_copy_element (self, index, &value, error))
    return NULL;

  blob = c2g_blob_new ();
  c2g_blob_set_value (blob, &value);
  return blob;
}
