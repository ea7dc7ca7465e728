/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-blob-io.h>
#include <c2g/io/c2g-blob-io-private.h>

#include <c2g/io/c2g-serializer-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <string.h>

/* A blob from its chunks, in whatever order they are. */

typedef struct
{
  C2gBlobRecord  record;
  C2gSource     *source;
} Chunk;

static void
chunk_clear (gpointer data)
{
  Chunk *self = data;

  c2g_blob_record_clear (&self->record);
  c2g_source_unref (self->source);
}

static gboolean
add_chunk (GArray  *chunks,
           GBytes  *bytes,
           GError **error)
{
  g_auto (C2gScanner) scanner = { NULL };
  Chunk chunk = { .source = c2g_source_new_for_bytes (bytes, "") };
  guint index = chunks->len;

  g_array_append_val (chunks, chunk);
  c2g_scanner_init (&scanner, chunk.source);
  if (c2g_blob_record_scan (&g_array_index (chunks, Chunk, index).record, &scanner, 0,
                            g_bytes_get_size (bytes), error))
    return TRUE;

  g_prefix_error (error, _("Chunk %u: "), index);
  return FALSE;
}

/* Where a chunk belongs. */
static gint64
place_of (const Chunk *chunk)
{
  return chunk->record.has_tensor ? chunk->record.tensor.begin : (gint64) chunk->record.chunk;
}

static int
compare_chunks (gconstpointer a,
                gconstpointer b)
{
  gint64 a_place = place_of (a);
  gint64 b_place = place_of (b);

  return (a_place > b_place) - (a_place < b_place);
}

static gboolean
is_same_tensor (const C2gTensorRecord *a,
                const C2gTensorRecord *b)
{
  return a->data_type == b->data_type && a->n_dims == b->n_dims &&
         (a->n_dims == 0 || memcmp (a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0);
}

static gboolean
is_same_blob (const C2gBlobRecord *a,
              const C2gBlobRecord *b)
{
  return g_strcmp0 (a->type, b->type) == 0 && a->n_chunks == b->n_chunks &&
         a->has_tensor == b->has_tensor &&
         (!a->has_tensor || is_same_tensor (&a->tensor, &b->tensor));
}

/* Where a chunk ends, and where the next one has to begin. */
static gint64
end_of (const Chunk *chunk)
{
  return chunk->record.has_tensor ? chunk->record.tensor.end : (gint64) chunk->record.chunk + 1;
}

static gint64
end_of_all (const Chunk *chunk)
{
  return chunk->record.has_tensor ? chunk->record.tensor.n_elements
                                  : (gint64) chunk->record.n_chunks;
}

/* They follow one another, sorted as they are: none is missing, none there twice. */
static gboolean
check_chunks (GArray  *chunks,
              GError **error)
{
  const Chunk *first = &g_array_index (chunks, Chunk, 0);
  gint64 end = 0;

  for (guint i = 0; i < chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (chunks, Chunk, i);

      if (!is_same_blob (&chunk->record, &first->record))
        {
          g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                               _("The chunks are not of one blob"));
          return FALSE;
        }
      if (place_of (chunk) != end || (end_of (chunk) == end && chunks->len > 1))
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                       _("Expected a chunk from %" PRId64 " on, got one from %" PRId64), end,
                       place_of (chunk));
          return FALSE;
        }
      end = end_of (chunk);
    }

  if (end == end_of_all (first))
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("The chunks end at %" PRId64 " of %" PRId64), end, end_of_all (first));
  return FALSE;
}

/* All elements are there, so memory for them can be asked for. */
static gboolean
prepare (C2gBlob              *blob,
         const C2gBlobRecord  *record,
         GError              **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  if (!c2g_blob_record_is_tensor (record) || !record->has_tensor)
    return TRUE;
  if (!c2g_tensor_record_check_cpu (&record->tensor, error))
    return FALSE;

  tensor = c2g_tensor_record_new_tensor (&record->tensor, error);
  if (tensor == NULL)
    return FALSE;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  return TRUE;
}

static C2gBlob *
read_chunks (GArray  *chunks,
             GError **error)
{
  const C2gBlobRecord *first = &g_array_index (chunks, Chunk, 0).record;
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (C2gSerializer) serializer = NULL;

  serializer = c2g_serializer_lookup_for_blob_type (first->type != NULL ? first->type : "", error);
  if (serializer == NULL || !prepare (loaded, first, error))
    return NULL;

  for (guint i = 0; i < chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (chunks, Chunk, i);

      if (!c2g_serializer_read (serializer, loaded, &chunk->record, chunk->source, NULL, error))
        return NULL;
    }

  return g_steal_pointer (&loaded);
}

/**
 * c2g_blob_deserialize_chunks:
 * @self: a blob
 * @chunks: (array length=n_chunks): messages, in any order
 * @n_chunks: how many there are
 * @error: return location for an error
 *
 * Reads what messages of Caffe2 hold, a chunk each, into the blob.
 *
 * They are what [method@Blob.serialize_chunks] gave. If reading fails, the blob is as it
 * was.
 *
 * Errors: those of [method@Blob.deserialize], and `C2G_ERROR_CORRUPT` if chunks are
 * missing, there twice, or of different blobs.
 *
 * Returns: true if the blob holds what the messages held
 */
gboolean
c2g_blob_deserialize_chunks (C2gBlob  *self,
                             GBytes  **chunks,
                             gsize     n_chunks,
                             GError  **error)
{
  g_autoptr (GArray) all = NULL;
  g_autoptr (C2gBlob) loaded = NULL;

  g_return_val_if_fail (C2G_IS_BLOB (self), FALSE);
  g_return_val_if_fail (chunks != NULL || n_chunks == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (n_chunks == 0)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("There are no chunks"));
      return FALSE;
    }

  all = g_array_new (FALSE, FALSE, sizeof (Chunk));
  g_array_set_clear_func (all, chunk_clear);
  for (gsize i = 0; i < n_chunks; i++)
    if (!add_chunk (all, chunks[i], error))
      return FALSE;

  g_array_sort (all, compare_chunks);
  if (!check_chunks (all, error))
    return FALSE;
  loaded = read_chunks (all, error);
  if (loaded == NULL)
    return FALSE;

  c2g_blob_take_loaded (self, loaded);
  return TRUE;
}
