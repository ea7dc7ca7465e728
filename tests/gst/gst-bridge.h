/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "gst-harness.h"

#include <string.h>

/* Streams of NNStreamer for c2gbridge. */

#define C2G_CAPS "application/x-c2g-tensors"

/* Caps of NNStreamer for several tensors. */
static inline char *
static_caps (guint       n,
             const char *types,
             const char *dims)
{
  return g_strdup_printf ("other/tensors, format=(string)static, num_tensors=(int)%u, types=(string)\"%s\", "
                          "dimensions=(string)\"%s\", framerate=(fraction)30/1",
                          n, types, dims);
}

/* A buffer with memories of so many bytes, which are 0, 1, 2 … over all of them. */
static inline GstBuffer *
new_memories (const gsize *sizes,
              guint        n)
{
  GstBuffer *buffer = gst_buffer_new ();
  guint8 value = 0;

  for (guint i = 0; i < n; i++)
    {
      guint8 *data = g_malloc (sizes[i] + 1);

      for (gsize k = 0; k < sizes[i]; k++)
        data[k] = value++;
      gst_buffer_append_memory (buffer, gst_memory_new_wrapped (0, data, sizes[i], 0, sizes[i], data, g_free));
    }
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

static inline GstHarness *
new_bridge (const char *caps)
{
  GstHarness *harness = gst_harness_new ("c2gbridge");

  gst_harness_set_src_caps_str (harness, caps);
  return harness;
}

static inline void
assert_tensor (GstBuffer   *buffer,
               const char  *name,
               C2gDataType  data_type,
               const char  *dims)
{
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  const gint64 *own;
  gsize n;

  g_assert_nonnull (tensor);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, data_type);
  own = c2g_tensor_get_dims (tensor, &n);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "", own[i]);
  g_assert_cmpstr (text->str, ==, dims);
}

/* Returns the address of an element, to see that nothing was copied. */
static inline gconstpointer
address_of_memory (GstBuffer *buffer,
                   guint      i)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, i);
  gconstpointer address;
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  address = map.data;
  gst_memory_unmap (memory, &map);

  return address;
}

/* The types of both sides. */
static const struct
{
  const char *name;
  C2gDataType data_type;
  gsize item_size;
} nns_types[] = {
  { "int32", C2G_DATA_TYPE_INT32, 4 },
  { "uint32", C2G_DATA_TYPE_UINT32, 4 },
  { "int16", C2G_DATA_TYPE_INT16, 2 },
  { "uint16", C2G_DATA_TYPE_UINT16, 2 },
  { "int8", C2G_DATA_TYPE_INT8, 1 },
  { "uint8", C2G_DATA_TYPE_UINT8, 1 },
  { "float64", C2G_DATA_TYPE_DOUBLE, 8 },
  { "float32", C2G_DATA_TYPE_FLOAT, 4 },
  { "int64", C2G_DATA_TYPE_INT64, 8 },
  { "uint64", C2G_DATA_TYPE_UINT64, 8 },
  { "float16", C2G_DATA_TYPE_FLOAT16, 2 },
};

static inline void
assert_same_bytes (GstBuffer *buffer,
                   GstBuffer *expected)
{
  gpointer one, other;
  gsize n_one, n_other;

  gst_buffer_extract_dup (buffer, 0, -1, &one, &n_one);
  gst_buffer_extract_dup (expected, 0, -1, &other, &n_other);
  g_assert_cmpmem (one, n_one, other, n_other);
  g_free (one);
  g_free (other);
}

static inline void
assert_refused (GstHarness *harness,
                GstBuffer  *buffer)
{
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_ERROR);
  g_assert_cmpuint (gst_harness_buffers_in_queue (harness), ==, 0);
  gst_harness_teardown (harness);
}
