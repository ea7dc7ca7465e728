/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

/* Makes a blob with a tensor of the floats 0, 1, 2 … */
static inline C2gBlob *
io_new_floats (gint64 n)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_blob_new ();
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);
  float *data;

  g_assert_no_error (error);
  c2g_tensor_resize (tensor, C2G_TEST_DIMS (n), &error);
  g_assert_no_error (error);
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  for (gint64 i = 0; i < n; i++)
    data[i] = (float) i;

  return blob;
}

/* Serializes a part of such a tensor. */
static inline GBytes *
io_new_chunk (const char *name,
              gint64      n,
              gint64      begin,
              gint64      end)
{
  g_autoptr (GByteArray) tensor = g_byte_array_new ();
  g_autoptr (GByteArray) segment = g_byte_array_new ();
  GByteArray *blob = g_byte_array_new ();
  g_autofree float *values = g_new (float, end - begin + 1);

  for (gint64 i = begin; i < end; i++)
    values[i - begin] = (float) i;
  c2g_wire_put_tag (segment, 1, 0);
  c2g_wire_put_varint (segment, begin);
  c2g_wire_put_tag (segment, 2, 0);
  c2g_wire_put_varint (segment, end);
  c2g_wire_put_tag (tensor, 1, 0);
  c2g_wire_put_varint (tensor, n);
  c2g_wire_put_tag (tensor, 2, 0);
  c2g_wire_put_varint (tensor, C2G_DATA_TYPE_FLOAT);
  c2g_wire_put_bytes (tensor, 3, values, (end - begin) * sizeof *values);
  c2g_wire_put_bytes (tensor, 11, segment->data, segment->len);
  c2g_wire_put_bytes (blob, 1, name, strlen (name));
  c2g_wire_put_bytes (blob, 2, "Tensor", 6);
  c2g_wire_put_bytes (blob, 3, tensor->data, tensor->len);
  return g_byte_array_free_to_bytes (blob);
}

/* Appends a record of a minidb; takes ownership of the value. */
static inline void
io_put_record (GByteArray *database,
               const char *key,
               GBytes     *value)
{
  guint32 lengths[2] = {
    GUINT32_TO_LE ((guint32) strlen (key)),
    GUINT32_TO_LE ((guint32) g_bytes_get_size (value)),
  };

  g_byte_array_append (database, (const guint8 *) lengths, sizeof lengths);
  g_byte_array_append (database, (const guint8 *) key, strlen (key));
  g_byte_array_append (database, g_bytes_get_data (value, NULL), g_bytes_get_size (value));
  g_bytes_unref (value);
}

/* Calls CHECK with the bytes cut off at every length, and with every byte changed in several ways, in quick runs in one
 * way only. */
static inline void
io_damage (GBytes   *bytes,
           void    (*check) (GBytes   *damaged,
                             gpointer  user_data),
           gpointer  user_data)
{
  static const guint8 masks[] = { 0x01, 0x04, 0x08, 0x40, 0x80, 0x7f, 0xff };
  const gboolean is_quick = c2g_test_is_quick ();
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  for (gsize n = 0; n < n_bytes; n++)
    {
      /* A copy, so that sanitizers detect reads beyond the end. */
      g_autoptr (GBytes) cut = g_bytes_new (data, n);

      check (cut, user_data);
    }

  for (gsize i = 0; i < n_bytes; i++)
    for (gsize j = is_quick ? i % G_N_ELEMENTS (masks) : 0; j < G_N_ELEMENTS (masks);
         j += is_quick ? G_N_ELEMENTS (masks) : 1)
      {
        guint8 *copy = g_memdup2 (data, n_bytes);
        g_autoptr (GBytes) changed = NULL;

        copy[i] ^= masks[j];
        changed = g_bytes_new_take (copy, n_bytes);
        check (changed, user_data);
      }
}
