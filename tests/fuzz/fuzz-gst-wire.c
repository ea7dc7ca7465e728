/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include "formats/c2g-gst-wire.h"

#include <string.h>

/* Reads a payload without checking its CRCs: they would nearly always be wrong. */
static void
read_payload (const guint8 *payload,
              gsize         n_bytes,
              guint         n_tensors)
{
  const C2gGstWireHeader header = { C2G_GST_WIRE_VERSION, n_tensors, n_bytes, 0, 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) buffer = c2g_gst_wire_read (&header, payload, &error);
  g_autoptr (GstBuffer) frame = NULL;

  if (buffer == NULL)
    {
      fuzz_check_error (error);
      return;
    }
  frame = c2g_gst_wire_write (buffer, 0, &error);
  g_assert_no_error (error);
  g_assert_nonnull (frame);
}

/* Reads the bytes as the message of a tensor. */
static void
read_message (const guint8 *data,
              gsize         n_bytes)
{
  g_autofree guint8 *payload = g_malloc (n_bytes + 4);

  GST_WRITE_UINT32_LE (payload, n_bytes);
  if (n_bytes > 0)
    memcpy (payload + 4, data, n_bytes);
  read_payload (payload, n_bytes + 4, 1);
}

/* Reads a frame of c2gdepay, and its payload. */
void
fuzz_one (GBytes *bytes)
{
  static gsize is_ready;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  C2gGstWireHeader header;

  if (g_once_init_enter (&is_ready))
    {
      gst_init (NULL, NULL);
      g_once_init_leave (&is_ready, TRUE);
    }
  g_assert_cmpuint (c2g_gst_wire_find (data, n_bytes), <=, n_bytes);
  if (n_bytes >= C2G_GST_WIRE_HEADER)
    c2g_gst_wire_read_header (&header, data);
  if (n_bytes > 0)
    read_payload (data + 1, n_bytes - 1, data[0]);
  read_message (data, n_bytes);
}
