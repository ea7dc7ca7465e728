/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include "formats/c2g-gst-nns-buffer.h"

/* The tensors that were read can be written in both forms. */
static void
write_back (GstBuffer *buffer)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) shapes = c2g_gst_nns_shapes_of (buffer, tensors, &error);
  g_autoptr (GstBuffer) as_static = NULL;
  g_autoptr (GstBuffer) as_flexible = NULL;

  g_assert_no_error (error);
  as_static = c2g_gst_nns_write_static (tensors, shapes, &error);
  g_assert_no_error (error);
  if (shapes->len <= C2G_GST_NNS_MAX_MEMORIES)
    as_flexible = c2g_gst_nns_write_flexible (tensors, shapes, &error);
  g_assert_no_error (error);
}

/* Reads the bytes as a buffer of NNStreamer's flexible tensors. */
void
fuzz_one (GBytes *bytes)
{
  static gsize is_ready;
  g_autoptr (GstBuffer) input = NULL;
  g_autoptr (GstBuffer) buffer = NULL;
  g_autoptr (GArray) shapes = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  if (g_once_init_enter (&is_ready))
    {
      gst_init (NULL, NULL);
      g_once_init_leave (&is_ready, TRUE);
    }
  input = gst_buffer_new_allocate (NULL, n_bytes, NULL);
  gst_buffer_fill (input, 0, data, n_bytes);
  shapes = c2g_gst_nns_read_headers (input, &error);
  if (shapes != NULL)
    buffer = c2g_gst_nns_read (input, shapes, TRUE, NULL, &error);
  if (buffer != NULL)
    write_back (buffer);
  else
    fuzz_check_error (error);
}
