/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-append.h"

/* Attaches tensors to output buffers, with their bytes as memories. All elements that output
 * tensors use it. */

gboolean
c2g_gst_append_tensor (GstBuffer       *buffer,
                       const char      *name,
                       C2gTensor       *tensor,
                       C2gGstGeometry  *geometry,
                       GError         **error)
{
  g_autoptr (GstBuffer) bytes = NULL;

  if (!c2g_gst_buffer_add_tensor (buffer, name, tensor, geometry, error))
    return FALSE;
  /* Memory on a GPU would have to wait for the work that makes the tensor. */
  if (gst_buffer_n_memory (buffer) == gst_buffer_get_max_memory () || c2g_tensor_get_device (tensor) != c2g_device_cpu ())
    return TRUE;

  bytes = c2g_gst_buffer_new_from_tensor (tensor, error);
  if (bytes == NULL)
    return FALSE;
  gst_buffer_copy_into (buffer, bytes, GST_BUFFER_COPY_MEMORY, 0, -1);

  return TRUE;
}

gboolean
c2g_gst_append_from (GstBuffer   *buffer,
                     const char  *name,
                     GstBuffer   *source,
                     const char  *source_name,
                     GError     **error)
{
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (source, source_name, error);

  return tensor != NULL &&
         c2g_gst_append_tensor (buffer, name, tensor, c2g_gst_buffer_get_geometry (source, source_name), error);
}
