/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-copy.h"

#include <glib/gi18n-lib.h>

/* Copies of buffers that others hold. */

GstBuffer *
c2g_gst_copy_if_held (GstElement *element,
                      GstBuffer  *buffer)
{
  GstBuffer *copy = gst_buffer_is_writable (buffer) ? buffer : gst_buffer_copy (buffer);

  if (copy == NULL)
    GST_ELEMENT_ERROR (element, RESOURCE, NO_SPACE_LEFT, (_("There is no memory for a copy of the frame")), (NULL));

  return copy;
}

GstBuffer *
c2g_gst_copy_make_writable (GstElement *element,
                            GstBuffer  *buffer)
{
  GstBuffer *copy = c2g_gst_copy_if_held (element, buffer);

  if (copy != buffer)
    gst_buffer_unref (buffer);

  return copy;
}
