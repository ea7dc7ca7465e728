/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-cuda-private.h>

#include <glib/gi18n-lib.h>

/* Compiled if there is no CUDA library of GStreamer, or no CUDA. */

C2gDevice *
c2g_gst_cuda_find_device (GstMemory    *memory,
                          GstMapFlags  *flags,
                          GError      **error)
{
  return c2g_device_cpu ();
}

GstMemory *
c2g_gst_cuda_memory_new (C2gTensor  *tensor,
                         GError    **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("The tensor is on %s, and c2g was made without %s"),
               c2g_device_to_string (c2g_tensor_get_device (tensor)), "GstCudaMemory");
  return NULL;
}

C2gTensor *
c2g_gst_cuda_memory_peek (GstMemory *memory)
{
  return NULL;
}

GstContext *
c2g_gst_cuda_new_context (C2gDevice  *device,
                          GError    **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("c2g was made without %s"), "GstCudaMemory");
  return NULL;
}
