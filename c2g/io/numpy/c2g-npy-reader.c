/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-npy-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/numpy/c2g-npy-values-private.h>

/* Lists the array of a .npy file as an entry, and reads it.
 *
 * Numbers become tensors of the same type. Byte and UTF-32 strings become tensors of strings
 * without numpy's zero padding; UTF-32 is converted to UTF-8. */

typedef struct
{
  C2gSource *source;
  guint64    offset;
} Stream;

typedef struct
{
  C2gSource    *source;
  C2gNpyHeader  header;
} EntryData;

static void
entry_data_free (EntryData *self)
{
  c2g_source_unref (self->source);
  c2g_npy_header_clear (&self->header);
  g_free (self);
}

static gboolean
read_next (gpointer   stream,
           gpointer   buffer,
           gsize      n_bytes,
           GError   **error)
{
  Stream *self = stream;

  self->offset += n_bytes;
  return c2g_source_read (self->source, self->offset - n_bytes, buffer, n_bytes, NULL, error);
}

C2gTensor *
c2g_npy_reader_read (const C2gNpyHeader  *header,
                     C2gSource           *source,
                     guint64              offset,
                     const C2gJob        *job,
                     GError             **error)
{
  Stream stream = { source, offset };

  if (header->kind == C2G_NPY_NUMBERS && (!header->is_fortran || header->n_dims < 2))
    return c2g_raw_tensor_read (source, offset, header->data_type, header->dims, header->n_dims,
                                header->is_swapped, job, error);

  return c2g_npy_values_read (header, read_next, &stream, job, error);
}

static C2gBlob *
load (C2gFileEntry  *self,
      const C2gJob  *job,
      GError       **error)
{
  EntryData *data = self->data;

  return c2g_raw_tensor_to_blob (
    c2g_npy_reader_read (&data->header, data->source, self->offset, job, error));
}

gboolean
c2g_npy_reader_set_entry (C2gFileEntry        *entry,
                          const C2gNpyHeader  *header,
                          GError             **error)
{
  if (!c2g_file_entry_set_tensor (entry, header->data_type, header->dims, header->n_dims, error))
    return FALSE;

  entry->n_job_bytes = header->n_bytes;
  return TRUE;
}

static gboolean
read_header (C2gSource     *source,
             C2gNpyHeader  *header,
             GError       **error)
{
  guint64 n_source = c2g_source_get_n_bytes (source);
  guint8 preamble[C2G_NPY_PREAMBLE];
  g_autoptr (GBytes) bytes = NULL;
  gsize n = MIN (n_source, sizeof preamble);

  if (!c2g_source_read (source, 0, preamble, n, NULL, error) ||
      !c2g_npy_header_measure (preamble, n, &n, error))
    return FALSE;
  bytes = c2g_source_ref_bytes (source, 0, n, NULL, error);
  return bytes != NULL && c2g_npy_header_parse (header, g_bytes_get_data (bytes, NULL), n, error);
}

static gboolean
check_size (const C2gNpyHeader  *header,
            guint64              n_bytes,
            GError             **error)
{
  if (header->n_bytes == n_bytes - header->n_header_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Expected %" PRIu64 " bytes of values, got %" PRIu64), header->n_bytes,
                   n_bytes - header->n_header_bytes);
}

GPtrArray *
c2g_npy_read_entries (C2gSource   *source,
                      const char  *name,
                      GError     **error)
{
  g_auto (C2gNpyHeader) header = { 0 };
  g_autoptr (C2gFileEntry) entry = NULL;
  GPtrArray *entries;
  EntryData *data;

  if (!read_header (source, &header, error) ||
      !check_size (&header, c2g_source_get_n_bytes (source), error))
    return NULL;
  entry = c2g_file_entry_new (name, C2G_BLOB_TYPE_TENSOR, header.n_header_bytes);
  if (!c2g_npy_reader_set_entry (entry, &header, error))
    return NULL;

  data = g_new (EntryData, 1);
  data->source = c2g_source_ref (source);
  data->header = header;
  header.dims = NULL;
  entry->load = load;
  entry->data = data;
  entry->destroy_data = (GDestroyNotify) entry_data_free;

  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  g_ptr_array_add (entries, g_steal_pointer (&entry));
  return entries;
}
