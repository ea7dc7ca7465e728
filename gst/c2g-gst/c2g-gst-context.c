/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-context.h>

#include <c2g-gst/c2g-gst-cuda-private.h>

#include <glib/gi18n-lib.h>

/* Shares a workspace with the elements of a pipeline, in a GstContext. */

#define FIELD "workspace"

/**
 * c2g_gst_context_new:
 * @workspace: a workspace
 * @persistent: `TRUE` if elements keep the context when they go to `GST_STATE_NULL`
 *
 * Creates a context that gives a workspace to the elements of a pipeline.
 *
 * A program sets it with `gst_element_set_context()` on the pipeline. c2g's elements do not ask for it:
 * without a workspace `c2gsink` makes one for each frame.
 *
 * Returns: (transfer full): a context of type [const@CONTEXT_TYPE_WORKSPACE]
 */
GstContext *
c2g_gst_context_new (C2gWorkspace *workspace,
                     gboolean      persistent)
{
  GstContext *context;

  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);

  context = gst_context_new (C2G_GST_CONTEXT_TYPE_WORKSPACE, persistent);
  gst_structure_set (gst_context_writable_structure (context), FIELD, C2G_TYPE_WORKSPACE, workspace,
                     NULL);

  return context;
}

/**
 * c2g_gst_context_get_workspace:
 * @context: a context of any type
 *
 * Gets the workspace of a context.
 *
 * Returns: (transfer full) (nullable): the workspace, or `NULL` if the context has none
 */
C2gWorkspace *
c2g_gst_context_get_workspace (GstContext *context)
{
  C2gWorkspace *workspace = NULL;

  g_return_val_if_fail (GST_IS_CONTEXT (context), NULL);

  gst_structure_get (gst_context_get_structure (context), FIELD, C2G_TYPE_WORKSPACE, &workspace,
                     NULL);

  return workspace;
}

/**
 * c2g_gst_context_new_for_device:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Creates a context that brings the elements of GStreamer into the CUDA context that c2g works in.
 *
 * GStreamer's elements for CUDA make a context of their own otherwise, and no tensor lies over memory of another
 * context. A program sets it by `gst_element_set_context()` on the pipeline, or answers with it when an element asks
 * by a message `GST_MESSAGE_NEED_CONTEXT` for `gst.cuda.context`.
 *
 * Fails with `C2G_ERROR_DEVICE` if @device is no CUDA device, or GStreamer cannot use it, and with
 * `C2G_ERROR_NOT_SUPPORTED` if c2g was built without GStreamer's CUDA library.
 *
 * Returns: (transfer full): a context of type `gst.cuda.context`
 */
GstContext *
c2g_gst_context_new_for_device (C2gDevice  *device,
                                GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CUDA)
    return c2g_gst_cuda_new_context (device, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("Expected a CUDA device, got %s"), c2g_device_to_string (device));
  return NULL;
}
