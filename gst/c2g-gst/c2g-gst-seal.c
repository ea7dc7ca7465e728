/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-seal-private.h>

#include <glib/gi18n-lib.h>

/* Seals tensors that go into a pipeline, because several elements may read them at the same time.
 * c2g_tensor_seal() also seals the memory for other tensors that share it, which then move to a copy
 * when they are written. Here that is an error, because those tensors belong to the program. */

gboolean
c2g_gst_seal (C2gTensor  *tensor,
              GError    **error)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  if (storage == NULL || c2g_storage_is_read_only (storage) || c2g_storage_is_unique (storage))
    return c2g_tensor_seal (tensor, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_BUSY,
               _("The memory of the tensor has %u holders that may write; seal it or clone it first"),
               c2g_storage_use_count (storage));
  return FALSE;
}
