/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <string.h>

/* The input has for each message its length in two bytes, least first, and the message. The last
 * message takes the rest. */
static GPtrArray *
split (GBytes *bytes)
{
  GPtrArray *chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  while (n_bytes > 2)
    {
      gsize n = MIN ((gsize) data[0] + 256 * data[1], n_bytes - 2);

      g_ptr_array_add (chunks, g_bytes_new (data + 2, n));
      data += 2 + n;
      n_bytes -= 2 + n;
    }

  return chunks;
}

/* The chunks give the same blob in every order, or an error in every order. */
static void
check_reversed (GPtrArray    *chunks,
                C2gBlob      *blob,
                const GError *error)
{
  g_autofree GBytes **reversed = g_new (GBytes *, chunks->len + 1);
  g_autoptr (C2gBlob) copy = c2g_blob_new ();
  g_autoptr (GError) local_error = NULL;

  for (guint i = 0; i < chunks->len; i++)
    reversed[i] = chunks->pdata[chunks->len - 1 - i];
  if (c2g_blob_deserialize_chunks (copy, reversed, chunks->len, NULL, &local_error))
    {
      /* The blob may need more memory than was needed for reading its chunks. */
      g_assert_true (error == NULL || g_error_matches (error, C2G_ERROR, C2G_ERROR_NO_MEMORY));
      if (error == NULL)
        fuzz_check_equal (blob, copy);
    }
  else
    {
      fuzz_check_error (local_error);
      g_assert_true (error != NULL ||
                     g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY));
    }
}

static gboolean
accept (const char *key,
        GBytes     *value,
        gpointer    user_data)
{
  g_assert_true (g_str_has_prefix (key, "blob"));
  g_ptr_array_add (user_data, g_bytes_ref (value));
  return TRUE;
}

/* A blob that is written in chunks of another size reads the same. */
static void
check_again (C2gBlob *blob,
             gint64   chunk_size)
{
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (C2gBlob) copy = c2g_blob_new ();
  g_autoptr (GError) error = NULL;

  if (!c2g_blob_serialize_chunks (blob, "blob", chunk_size, C2G_SERIALIZE_NONE, accept, chunks,
                                  &error))
    fuzz_check_error (error);
  else if (c2g_blob_deserialize_chunks (copy, (GBytes **) chunks->pdata, chunks->len, NULL, &error))
    fuzz_check_equal (blob, copy);
  else
    g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* Reads several messages into a blob that already has content. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (GPtrArray) chunks = split (bytes);
  g_autoptr (C2gBlob) blob = fuzz_new_blob ();
  g_autoptr (GError) error = NULL;

  if (!c2g_blob_deserialize_chunks (blob, (GBytes **) chunks->pdata, chunks->len, NULL, &error))
    {
      fuzz_check_error (error);
      fuzz_check_untouched (blob);
      check_reversed (chunks, blob, error);
      return;
    }

  fuzz_check_blob (blob);
  check_reversed (chunks, blob, NULL);
  check_again (blob, C2G_NO_CHUNKING);
  /* Chunks have few elements, but there must not be a million of them. */
  check_again (blob, 3 + c2g_blob_get_n_bytes (blob) / 64);
}
