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
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GstBuffer) bytes = NULL;

  if (!c2g_gst_buffer_add_tensor (buffer, name, tensor, geometry, error))
    return FALSE;
  if (gst_buffer_n_memory (buffer) == gst_buffer_get_max_memory ())
    return TRUE;

  bytes = c2g_gst_buffer_new_from_tensor (tensor, &local_error);
  if (bytes != NULL)
    gst_buffer_copy_into (buffer, bytes, GST_BUFFER_COPY_MEMORY, 0, -1);
  else if (!g_error_matches (local_error, C2G_ERROR, C2G_ERROR_DEVICE))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

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
