/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/load/c2g-file-content-private.h>

/* The blob has a name that is in no message. */
static GPtrArray *
read_single (C2gSource  *source,
             GError    **error)
{
  return c2g_single_read_entries (source, "single", error);
}

static gboolean
from_stream (C2gBlob  *blob,
             GBytes   *bytes,
             GError  **error)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);

  return c2g_blob_deserialize_from_stream (blob, stream, NULL, NULL, error);
}

/* Reading gives the same blob, however it was written. */
static void
check_float16 (C2gBlob *blob)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gBlob) copy = c2g_blob_new ();

  if (c2g_blob_serialize_to_stream (blob, "blob", C2G_SERIALIZE_FLOAT16_AS_BYTES, stream, NULL,
                                    &error) &&
      g_output_stream_close (stream, NULL, &error))
    bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
  if (bytes == NULL)
    fuzz_check_error (error);
  else if (c2g_blob_deserialize (copy, bytes, &error))
    fuzz_check_equal (blob, copy);
  else
    g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

/* Reads a message of Caffe2 into a blob that already has content. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gBlob) blob = fuzz_new_blob ();
  g_autoptr (C2gBlob) streamed = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) stream_error = NULL;
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);

  fuzz_reader (bytes, read_single);
  if (!c2g_blob_deserialize (blob, bytes, &error))
    {
      fuzz_check_error (error);
      fuzz_check_untouched (blob);
      g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
      g_assert_false (from_stream (streamed, bytes, &stream_error));
      g_assert_error (stream_error, error->domain, error->code);
      return;
    }

  g_assert_true (!c2g_blob_is_tensor (blob, NULL) || c2g_blob_get_tensor (blob, NULL) == tensor);
  fuzz_check_blob (blob);
  check_float16 (blob);
  if (from_stream (streamed, bytes, &stream_error))
    fuzz_check_equal (blob, streamed);
  else
    g_assert_error (stream_error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}
