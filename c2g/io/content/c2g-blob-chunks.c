/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-blob-io-private.h>
#include <c2g/io/content/c2g-blob-io.h>

#include <c2g/io/content/c2g-blob-parts-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Joins several serialized chunks to a blob: c2g_blob_deserialize_chunks(). */

/* Adds a chunk to the parts of the blob, like a record of a database. */
static gboolean
add_chunk (C2gBlobParts  **parts,
           GBytes         *bytes,
           GError        **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "");
  g_auto (C2gScanner) scanner = { NULL };
  g_auto (C2gBlobRecord) record = { NULL };

  c2g_scanner_init (&scanner, source);
  if (!c2g_blob_record_scan (&record, &scanner, 0, g_bytes_get_size (bytes), error))
    return FALSE;

  if (*parts == NULL)
    *parts = c2g_blob_parts_new (record.name != NULL ? record.name : "");
  return c2g_blob_parts_add (*parts, source, 0, &record, error);
}

static C2gBlobParts *
collect (GBytes  **chunks,
         guint     n_chunks,
         GError  **error)
{
  g_autoptr (C2gBlobParts) parts = NULL;

  /* A binding may pass NULL in the array. */
  for (guint i = 0; i < n_chunks; i++)
    if (chunks[i] == NULL)
      return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("Chunk %u is missing"), i);

  for (guint i = 0; i < n_chunks; i++)
    if (!add_chunk (&parts, chunks[i], error))
      {
        g_prefix_error (error, _("Chunk %u: "), i);
        return NULL;
      }

  if (parts == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("There are no chunks"));
  else if (c2g_blob_parts_check_complete (parts, error))
    return g_steal_pointer (&parts);
  return NULL;
}

/**
 * c2g_blob_deserialize_chunks:
 * @self: a blob
 * @chunks: (array length=n_chunks): messages, in any order
 * @n_chunks: how many there are
 * @device: (nullable): the device for a tensor, `NULL` for the one it was saved from
 * @error: return location for an error
 *
 * Reads the blob from messages of Caffe2, one for each chunk.
 *
 * The messages are those of [method@Blob.serialize_chunks]. If reading fails, the blob does
 * not change.
 *
 * Errors: those of [method@Blob.deserialize], `C2G_ERROR_CORRUPT` if chunks are missing,
 * duplicated, or of different blobs, and `C2G_ERROR_INVALID_ARGUMENT` if a chunk is `NULL`.
 *
 * Returns: true if the blob was read
 */
gboolean
c2g_blob_deserialize_chunks (C2gBlob    *self,
                             GBytes    **chunks,
                             guint       n_chunks,
                             C2gDevice  *device,
                             GError    **error)
{
  C2gBlobParts *parts;
  g_autoptr (C2gFileEntry) entry = NULL;
  g_autoptr (C2gBlob) loaded = NULL;
  C2gJob job = { .device = device };

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (chunks != NULL || n_chunks == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  parts = collect (chunks, n_chunks, error);
  if (parts == NULL)
    return FALSE;

  entry = c2g_blob_parts_to_entry (parts, error);
  if (entry == NULL)
    return FALSE;
  if (device != NULL)
    {
      if (!c2g_context_can_share (device, error))
        return FALSE;
    }
  else if (entry->has_device)
    {
      job.device = c2g_file_entry_find_device (entry->device_type, entry->device_index, error);
      if (job.device == NULL)
        return FALSE;
    }
  loaded = c2g_file_entry_load (entry, &job, error);
  if (loaded == NULL)
    return FALSE;

  c2g_blob_take_loaded (self, loaded);
  return TRUE;
}
