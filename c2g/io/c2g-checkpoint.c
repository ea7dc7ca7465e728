/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-checkpoint-private.h>

#include <c2g/io/c2g-blob-proto-private.h>
#include <c2g/io/c2g-name-private.h>
#include <c2g/io/c2g-tensor-part-private.h>
#include <c2g/io/c2g-wire-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>

#include <string.h>

/* What divides a key into the blob's name and the number of the chunk.  Like
 * Caffe2 c2g goes by the segments: the number is of no account. */
#define CHUNK_SEPARATOR "#%"

/* A blob of which something has been seen. */
typedef struct
{
  char   *name;
  /* The messages of the chunks seen so far; none when the blob is complete. */
  GArray *parts;
  gint64  n_elements;
  gint64  n_seen;
} PendingBlob;

/* A part together with the message that it looks into. */
typedef struct
{
  C2gTensorPart      part;
  Caffe2__BlobProto *message;
} Chunk;

struct _C2gCheckpoint
{
  C2gStaging *staging;

  /* In order of appearance, and by name. */
  GPtrArray  *pending;
  GHashTable *by_name;
};

static void
chunk_clear (gpointer data)
{
  Chunk *chunk = data;

  c2g_wire_free (chunk->message);
}

static void
pending_blob_free (gpointer data)
{
  PendingBlob *blob = data;

  g_free (blob->name);
  g_array_unref (blob->parts);
  g_free (blob);
}

C2gCheckpoint *
c2g_checkpoint_new (C2gStaging *staging)
{
  C2gCheckpoint *self = g_new (C2gCheckpoint, 1);

  self->staging = staging;
  self->pending = g_ptr_array_new_with_free_func (pending_blob_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
c2g_checkpoint_free (C2gCheckpoint *self)
{
  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->pending);
  g_free (self);
}

static char *
dup_name (const guint8  *key,
          gsize          n_key_bytes,
          GError       **error)
{
  const guint8 *separator = NULL;

  for (gsize i = 0; i + 1 < n_key_bytes && separator == NULL; i++)
    if (memcmp (key + i, CHUNK_SEPARATOR, 2) == 0)
      separator = key + i;

  if (separator != NULL)
    n_key_bytes = separator - key;
  return c2g_name_from_bytes (key, n_key_bytes, error);
}

static PendingBlob *
get_pending (C2gCheckpoint *self,
             const char    *name)
{
  PendingBlob *blob = g_hash_table_lookup (self->by_name, name);

  if (blob == NULL)
    {
      blob = g_new0 (PendingBlob, 1);
      blob->name = g_strdup (name);
      blob->parts = g_array_new (FALSE, FALSE, sizeof (Chunk));
      g_array_set_clear_func (blob->parts, chunk_clear);
      g_ptr_array_add (self->pending, blob);
      g_hash_table_insert (self->by_name, blob->name, blob);
    }

  return blob;
}

static int
compare_chunks (gconstpointer a,
                gconstpointer b)
{
  const Chunk *first = a;
  const Chunk *second = b;

  if (first->part.begin != second->part.begin)
    return first->part.begin < second->part.begin ? -1 : 1;
  return first->part.end < second->part.end ? -1 : first->part.end > second->part.end;
}

static gboolean
check_overlap (GArray  *chunks,
               GError **error)
{
  gint64 end = 0;

  g_array_sort (chunks, compare_chunks);
  for (guint i = 0; i < chunks->len; i++)
    {
      const C2gTensorPart *part = &g_array_index (chunks, Chunk, i).part;

      if (part->begin != end)
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                       _("The chunks overlap at element %" PRId64),
                       MIN (part->begin, end));
          return FALSE;
        }
      end = part->end;
    }

  return TRUE;
}

/* All elements are there: memory is asked for what has been read, not before. */
static gboolean
complete_tensor (C2gCheckpoint  *self,
                 PendingBlob    *pending,
                 GError        **error)
{
  GArray *chunks = pending->parts;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  if (!check_overlap (chunks, error))
    return FALSE;
  tensor = c2g_tensor_part_new_tensor (&g_array_index (chunks, Chunk, 0).part, error);
  if (tensor == NULL)
    return FALSE;
  for (guint i = 0; i < chunks->len; i++)
    if (!c2g_tensor_part_read (&g_array_index (chunks, Chunk, i).part, tensor, error))
      return FALSE;

  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  c2g_staging_put (self->staging, pending->name, g_steal_pointer (&blob));
  g_array_set_size (chunks, 0);
  return TRUE;
}

static gboolean
check_same_tensor (PendingBlob          *pending,
                   const C2gTensorPart  *part,
                   GError              **error)
{
  const C2gTensorPart *first;

  if (pending->parts->len == 0)
    return TRUE;

  first = &g_array_index (pending->parts, Chunk, 0).part;
  if (part->data_type == first->data_type &&
      c2g_shape_equal (part->proto->dims, part->proto->n_dims,
                       first->proto->dims, first->proto->n_dims))
    return TRUE;

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                       _("The chunks differ in type or dimensions"));
  return FALSE;
}

/* Takes the message, also when it fails. */
static gboolean
add_chunk (C2gCheckpoint      *self,
           const char         *name,
           Caffe2__BlobProto  *message,
           GError            **error)
{
  Chunk chunk = { .message = message };
  PendingBlob *pending = get_pending (self, name);
  gint64 n_values;

  if (!c2g_tensor_part_init (&chunk.part, message->tensor, error) ||
      !check_same_tensor (pending, &chunk.part, error))
    {
      chunk_clear (&chunk);
      return FALSE;
    }

  n_values = chunk.part.end - chunk.part.begin;
  pending->n_elements = chunk.part.n_elements;
  if (n_values > pending->n_elements - pending->n_seen)
    {
      chunk_clear (&chunk);
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                           _("More chunks than the tensor has room for"));
      return FALSE;
    }

  pending->n_seen += n_values;
  g_array_append_val (pending->parts, chunk);
  return pending->n_seen < pending->n_elements || complete_tensor (self, pending, error);
}

static gboolean
add_message (C2gCheckpoint      *self,
             const char         *name,
             Caffe2__BlobProto  *message,
             GError            **error)
{
  C2gBlob *blob;

  if (c2g_staging_has (self->staging, name))
    {
      c2g_wire_free (message);
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                           _("A second blob, or a surplus chunk, of this name"));
      return FALSE;
    }
  if (c2g_blob_proto_is_tensor (message) && message->tensor != NULL)
    return add_chunk (self, name, message, error);

  blob = c2g_blob_proto_new_blob (message, error);
  c2g_wire_free (message);
  if (blob == NULL)
    return FALSE;
  c2g_staging_put (self->staging, name, blob);
  return TRUE;
}

gboolean
c2g_checkpoint_add (C2gCheckpoint  *self,
                    const guint8   *key,
                    gsize           n_key_bytes,
                    const guint8   *value,
                    gsize           n_value_bytes,
                    gsize           value_offset,
                    GError        **error)
{
  g_autofree char *name = dup_name (key, n_key_bytes, error);
  ProtobufCMessage *message;

  if (name == NULL)
    return FALSE;

  message = c2g_wire_parse (&caffe2__blob_proto__descriptor, value, n_value_bytes,
                            value_offset, error);
  if (message == NULL || !add_message (self, name, (Caffe2__BlobProto *) message, error))
    {
      g_prefix_error (error, _("Blob '%s' at offset %zu: "), name, value_offset);
      return FALSE;
    }

  return TRUE;
}

gboolean
c2g_checkpoint_finish (C2gCheckpoint  *self,
                       GError        **error)
{
  for (guint i = 0; i < self->pending->len; i++)
    {
      PendingBlob *pending = self->pending->pdata[i];

      if (pending->n_seen < pending->n_elements)
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                       _("Blob '%s': %" PRId64 " of %" PRId64
                         " elements are missing"),
                       pending->name, pending->n_elements - pending->n_seen, pending->n_elements);
          return FALSE;
        }
    }

  return TRUE;
}
