/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <c2g-gst/c2g-gst.h>

/* A tensor of 0, 1, 2 … */
static inline C2gTensor *
new_floats (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, &error);
  float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    data[i] = i;

  return tensor;
}

/* A buffer of the bytes 0, 1, 2 … */
static inline GstBuffer *
new_bytes (gsize n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, n, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < n; i++)
    map.data[i] = i;
  gst_buffer_unmap (buffer, &map);

  return buffer;
}

static inline gconstpointer
address_of (C2gTensor *tensor)
{
  return (gconstpointer) (gsize) c2g_tensor_get_address (tensor);
}

/* The address of the first byte of a buffer. */
static inline gconstpointer
address_in (GstBuffer *buffer)
{
  gconstpointer address;
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  address = map.data;
  gst_buffer_unmap (buffer, &map);

  return address;
}

/* Runs the tests of a program, at whose end neither c2g nor GStreamer has anything left: the tracer
 * of leaks, which the environment asks for, warns of what it has. */
static inline int
run_gst_tests (void)
{
  int status = c2g_test_run ();

  gst_deinit ();

  return status;
}

static inline void
assert_fails (GError    **error,
              C2gError    code)
{
  g_assert_error (*error, C2G_ERROR, (int) code);
  g_clear_error (error);
}
