/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-save-plan-private.h>

#include <c2g/io/load/c2g-caffe-files-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/safetensors/c2g-safetensors-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/save/c2g-chunk-pool-private.h>
#include <c2g/io/save/c2g-chunk-queue-private.h>
#include <c2g/io/stream/c2g-context-call-private.h>

#include <string.h>

/* Writes the file of a checked plan. */

/* State of the writing of a plan. */
typedef struct
{
  C2gSavePlan  *plan;
  /* Context for calls of the program's code, or NULL to call it in this thread. */
  GMainContext *context;
  C2gJob        job;
  /* The same job without progress, for making chunks: progress counts written chunks. */
  C2gJob        quiet_job;
  C2gChunkPool *pool;
} Work;

/* A chunk made by the program's serializer. It owns its data, because the save may end before the
 * call. */
typedef struct
{
  C2gSerializer      *serializer;
  C2gBlob            *blob;
  char               *name;
  guint               chunk;
  guint               n_chunks;
  C2gSerializeFormat  format;
} ForeignChunk;

static GBytes *
serialize_foreign (gpointer   data,
                   GError   **error)
{
  ForeignChunk *self = data;
  const C2gSerializeRequest request = {
    self->blob, self->name, self->chunk, self->n_chunks, &self->format
  };
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);

  if (!c2g_serializer_write (self->serializer, &request, sink, NULL, error))
    return NULL;

  return c2g_sink_steal_bytes (sink);
}

static void
free_foreign (gpointer data)
{
  ForeignChunk *self = data;

  g_object_unref (self->serializer);
  g_object_unref (self->blob);
  g_free (self->name);
  g_free (self);
}

/* Calls a serializer of the program in the caller's context, because an interpreter may not run
 * in other threads. */
static GBytes *
call_foreign (Work          *self,
              C2gSaveEntry  *entry,
              guint          chunk,
              GError       **error)
{
  ForeignChunk *call = g_new0 (ForeignChunk, 1);

  call->serializer = g_object_ref (entry->serializer);
  call->blob = g_object_ref (entry->item.blob);
  call->name = g_strdup (entry->item.name);
  call->chunk = chunk;
  call->n_chunks = entry->n_chunks;
  call->format = c2g_save_plan_get_format (self->plan, entry);
  return c2g_context_call (self->context, serialize_foreign, call, free_foreign,
                           self->job.cancellable, error);
}

static GBytes *
serialize_own (Work          *self,
               C2gSaveEntry  *entry,
               guint          chunk,
               GError       **error)
{
  const C2gSerializeFormat format = c2g_save_plan_get_format (self->plan, entry);
  const C2gSerializeRequest request = {
    entry->item.blob, entry->item.name, chunk, entry->n_chunks, &format
  };
  gconstpointer buffer;
  g_autoptr (C2gSink) sink =
    c2g_chunk_pool_new_sink (self->pool, entry->max_chunk_bytes, &buffer);

  if (!c2g_serializer_write (entry->serializer, &request, sink, &self->quiet_job, error))
    return NULL;

  return c2g_chunk_pool_take (self->pool, sink, buffer);
}

/* Makes a chunk. For built-in serializers this may be called in any thread. */
static GBytes *
make_chunk (guint      index,
            guint      chunk,
            gpointer   user_data,
            GError   **error)
{
  Work *self = user_data;
  C2gSaveEntry *entry = g_ptr_array_index (self->plan->entries, index);
  GBytes *value;

  if (entry->is_own)
    value = serialize_own (self, entry, chunk, error);
  else
    value = call_foreign (self, entry, chunk, error);
  if (value == NULL)
    g_prefix_error (error, _("Blob “%s”: "), entry->source_name);
  return value;
}

/* Returns the part of the blob's bytes that one chunk stands for, for progress. */
static guint64
get_share (C2gSaveEntry *entry,
           guint         chunk)
{
  double n_bytes = entry->n_bytes;
  guint64 begin = n_bytes * chunk / entry->n_chunks;
  guint64 end = n_bytes * (chunk + 1) / entry->n_chunks;

  if (chunk + 1 == entry->n_chunks)
    end = entry->n_bytes;
  return end - begin;
}

/* Writes a record to the target. */
typedef gboolean (*PutFunc) (gpointer   target,
                             GBytes    *key,
                             GBytes    *value,
                             GError   **error);

static gboolean
put_chunk (Work           *self,
           C2gChunkQueue  *queue,
           C2gSaveEntry   *entry,
           guint           chunk,
           PutFunc         put,
           gpointer        target,
           GError        **error)
{
  char *key = c2g_serializer_dup_key (entry->serializer, entry->item.name, chunk, entry->n_chunks);
  g_autoptr (GBytes) key_bytes = g_bytes_new_take (key, strlen (key));
  g_autoptr (GBytes) value = c2g_chunk_queue_take (queue, error);

  return value != NULL && put (target, key_bytes, value, error) &&
         c2g_job_advance (&self->job, get_share (entry, chunk), error);
}

static gboolean
put_records (Work      *self,
             PutFunc    put,
             gpointer   target,
             GError   **error)
{
  GPtrArray *entries = self->plan->entries;
  g_autofree C2gChunkItem *items = g_new0 (C2gChunkItem, entries->len);
  g_autoptr (C2gChunkQueue) queue = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      C2gSaveEntry *entry = g_ptr_array_index (entries, i);

      items[i].n_chunks = entry->n_chunks;
      items[i].is_of_taker = !entry->is_own;
    }

  queue = c2g_chunk_queue_new (items, entries->len, self->plan->n_threads, make_chunk, self);
  for (guint i = 0; i < entries->len; i++)
    {
      C2gSaveEntry *entry = g_ptr_array_index (entries, i);

      for (guint j = 0; j < entry->n_chunks; j++)
        if (!put_chunk (self, queue, entry, j, put, target, error))
          return FALSE;
    }

  return TRUE;
}

static gboolean
put_into_transaction (gpointer   target,
                      GBytes    *key,
                      GBytes    *value,
                      GError   **error)
{
  return c2g_db_transaction_put (target, key, value, error);
}

/* Uses a single transaction, so that the database appears complete or not at all. */
static gboolean
write_database (Work    *self,
                GFile   *file,
                GError **error)
{
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  gboolean success;

  db = c2g_db_open (self->plan->db_type, file, C2G_DB_MODE_NEW, self->job.cancellable, error);
  if (db == NULL)
    return FALSE;
  transaction = c2g_db_new_transaction (db, error);
  success = transaction != NULL &&
            put_records (self, put_into_transaction, transaction, error) &&
            c2g_db_transaction_commit (transaction, error);

  g_clear_object (&transaction);
  return c2g_db_close (db, success ? error : NULL) && success;
}

/* Writes a record of a minidb: both lengths, the key and the value. */
static gboolean
put_into_sink (gpointer   target,
               GBytes    *key,
               GBytes    *value,
               GError   **error)
{
  gsize n_key_bytes = g_bytes_get_size (key);
  gsize n_value_bytes = g_bytes_get_size (value);
  guint32 lengths[2] = {
    GUINT32_TO_LE ((guint32) n_key_bytes),
    GUINT32_TO_LE ((guint32) n_value_bytes),
  };

  return c2g_db_check_record (key, value, error) &&
         c2g_sink_write (target, lengths, sizeof lengths, NULL, error) &&
         c2g_sink_write (target, g_bytes_get_data (key, NULL), n_key_bytes, NULL, error) &&
         c2g_sink_write (target, g_bytes_get_data (value, NULL), n_value_bytes, NULL, error);
}

static gboolean
write_blob (Work     *self,
            C2gSink  *sink,
            GError  **error)
{
  C2gSaveEntry *entry = g_ptr_array_index (self->plan->entries, 0);
  g_autoptr (GBytes) value = make_chunk (0, 0, self, error);

  return value != NULL &&
         c2g_sink_write (sink, g_bytes_get_data (value, NULL), g_bytes_get_size (value),
                         &self->quiet_job, error) &&
         c2g_job_advance (&self->job, entry->n_bytes, error);
}

static gboolean
write_array (Work     *self,
             C2gSink  *sink,
             GError  **error)
{
  C2gSaveEntry *entry = g_ptr_array_index (self->plan->entries, 0);
  C2gTensor *tensor = c2g_blob_get_tensor (entry->item.blob, error);

  return tensor != NULL && (self->plan->layout == C2G_SAVE_LAYOUT_NPY
                              ? c2g_npy_write (tensor, sink, &self->job, error)
                              : c2g_caffe_mean_write (tensor, sink, &self->job, error));
}

/* Writes everything except databases, which make their own files. */
static gboolean
write_sink (Work     *self,
            C2gSink  *sink,
            GError  **error)
{
  C2gSavePlan *plan = self->plan;

  switch (plan->layout)
    {
    case C2G_SAVE_LAYOUT_SAFETENSORS:
      return c2g_safetensors_write (plan->entries, plan->metadata, sink, &self->job, error);

    case C2G_SAVE_LAYOUT_NPZ:
      return c2g_npz_write (plan->entries, plan->compress, sink, &self->job, error);

    case C2G_SAVE_LAYOUT_CAFFEMODEL:
      return c2g_caffemodel_write (plan->entries, plan->metadata, sink, &self->job, error);

    case C2G_SAVE_LAYOUT_NPY:
    case C2G_SAVE_LAYOUT_BINARYPROTO:
      return write_array (self, sink, error);

    case C2G_SAVE_LAYOUT_BLOB:
      return write_blob (self, sink, error);

    case C2G_SAVE_LAYOUT_DATABASE:
    default:
      return put_records (self, put_into_sink, sink, error);
    }
}

static void
begin (Work         *self,
       C2gSavePlan  *plan,
       GMainContext *context,
       GCancellable *cancellable)
{
  guint64 max_chunk_bytes = 0;

  for (guint i = 0; i < plan->entries->len; i++)
    {
      C2gSaveEntry *entry = g_ptr_array_index (plan->entries, i);

      max_chunk_bytes = MAX (max_chunk_bytes, entry->max_chunk_bytes);
    }

  *self = (Work) {
    .plan = plan,
    .context = context,
    .job = { cancellable, plan->progress },
    .quiet_job = { cancellable, NULL },
    .pool = c2g_chunk_pool_new (max_chunk_bytes),
  };
  c2g_job_expect (&self->job, plan->n_bytes);
}

static gboolean
write_file (Work    *self,
            GFile   *file,
            GError **error)
{
  GCancellable *cancellable = self->job.cancellable;
  g_autoptr (C2gSink) sink = NULL;

  if (self->plan->layout == C2G_SAVE_LAYOUT_DATABASE)
    return write_database (self, file, error);

  sink = c2g_sink_new_for_file (file, cancellable, error);
  return sink != NULL && write_sink (self, sink, error) &&
         c2g_sink_commit (sink, cancellable, error);
}

gboolean
c2g_save_plan_write (C2gSavePlan   *self,
                     GFile         *file,
                     GMainContext  *context,
                     GCancellable  *cancellable,
                     GError       **error)
{
  Work work;
  gboolean success;

  begin (&work, self, context, cancellable);
  success = write_file (&work, file, error);
  if (!success)
    c2g_save_plan_name_file (file, error);
  c2g_chunk_pool_free (work.pool);
  return success;
}

GBytes *
c2g_save_plan_write_bytes (C2gSavePlan   *self,
                           GCancellable  *cancellable,
                           GError       **error)
{
  g_autoptr (C2gSink) sink = NULL;
  gboolean success;
  Work work;

  if (self->db_type != NULL && !g_str_equal (self->db_type, "minidb"))
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("A database of type “%s” cannot be made in memory"), self->db_type);

  begin (&work, self, NULL, cancellable);
  sink = c2g_sink_new_for_memory (self->n_bytes);
  success = write_sink (&work, sink, error) && c2g_sink_commit (sink, cancellable, error);
  c2g_chunk_pool_free (work.pool);
  return success ? c2g_sink_steal_bytes (sink) : NULL;
}
