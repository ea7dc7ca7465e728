/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

/* Copies from other mixed tensors and from tensors into a mixed tensor. */

gboolean
c2g_mixed_tensor_copy_in (C2gMixedTensor  *self,
                          C2gTensor       *source,
                          GError         **error)
{
  return c2g_mixed_tensor_compute (self, C2G_SYNCED_OVERWRITE, source, c2g_numbers_copy, source, error);
}

/**
 * c2g_mixed_tensor_copy_from:
 * @self: a mixed tensor
 * @source: a mixed tensor with as many elements, which may be the same one
 * @error: return location for an error
 *
 * Copies the elements of another tensor, from the type that was written last there to the one that was
 * written last here.
 *
 * The type and the shape of @self stay. Each element is converted once, see “Numbers” of the class. It is
 * done where the elements of @source are; the copy stays there, unless somebody holds @self elsewhere.
 *
 * Fails with `C2G_ERROR_SHAPE` if @source has another number of elements, `C2G_ERROR_BUSY` within an
 * allocation for either tensor, `C2G_ERROR_NO_MEMORY`, and `C2G_ERROR_DEVICE` if the elements cannot be
 * copied; nothing changes then.
 *
 * Returns: whether the elements were copied
 */
gboolean
c2g_mixed_tensor_copy_from (C2gMixedTensor  *self,
                            C2gMixedTensor  *source,
                            GError         **error)
{
  g_autoptr (C2gTensor) held = NULL;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (self == source)
    return TRUE;
  if (!c2g_mixed_check_count (self, source->n_elements, error))
    return FALSE;

  held = c2g_mixed_tensor_ref_written (source, error);
  return held != NULL && c2g_mixed_tensor_copy_in (self, held, error);
}
