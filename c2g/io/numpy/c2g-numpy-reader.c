/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-numpy-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/numpy/c2g-npy-values-private.h>
#include <c2g/io/numpy/c2g-zip-reader-private.h>

#include <string.h>

/* Lists the array of a .npy file, or those in a .npz archive, as entries, and reads them.
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

/* Reads the tensor with its values at OFFSET; makes a read-only view if possible. */
static C2gTensor *
read_values (const C2gNpyHeader  *header,
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
    read_values (&data->header, data->source, self->offset, job, error));
}

/* Sets type and shape of the entry from the header. */
static gboolean
set_entry (C2gFileEntry        *entry,
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
  if (!set_entry (entry, &header, error))
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

/* The rest of the file reads archives.
 *
 * Each member with the suffix .npy is a blob, named without the suffix. Other members, which
 * numpy never writes, are ignored. An archive without any .npy member is an error, not an empty
 * checkpoint. */

#define SUFFIX ".npy"

/* Header size that numpy writes for most shapes. */
#define USUAL_HEADER 128

/* Bytes per step when computing a checksum. */
#define PIECE (8u << 20)

typedef struct
{
  C2gSource    *source;
  C2gZipMember *member;
  C2gNpyHeader  header;
} MemberData;

static void
member_data_free (MemberData *self)
{
  c2g_source_unref (self->source);
  c2g_zip_member_free (self->member);
  c2g_npy_header_clear (&self->header);
  g_free (self);
}

static gboolean
read_member_next (gpointer   stream,
                  gpointer   buffer,
                  gsize      n_bytes,
                  GError   **error)
{
  return c2g_zip_stream_read (stream, buffer, n_bytes, error);
}

/* Buffers that are reused for each header. */
typedef struct
{
  C2gZipStream stream;
  guint8       header[C2G_NPY_MAX_HEADER];
} Reader;

static Reader *
reader_new (void)
{
  return g_new0 (Reader, 1);
}

static void
reader_free (Reader *self)
{
  c2g_zip_stream_clear (&self->stream);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reader, reader_free)

static gboolean
parse_header (Reader        *self,
              C2gSource     *source,
              C2gZipMember  *member,
              C2gNpyHeader  *header,
              GError       **error)
{
  gsize n = MIN (member->n_bytes, USUAL_HEADER);
  gsize n_header_bytes;

  if (!c2g_zip_stream_open (&self->stream, source, member, error) ||
      !c2g_zip_stream_read (&self->stream, self->header, n, error) ||
      !c2g_npy_header_measure (self->header, n, &n_header_bytes, error))
    return FALSE;
  if (n_header_bytes > n &&
      !c2g_zip_stream_read (&self->stream, self->header + n, n_header_bytes - n, error))
    return FALSE;
  if (!c2g_npy_header_parse (header, self->header, n_header_bytes, error))
    return FALSE;
  if (header->n_bytes == member->n_bytes - header->n_header_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("Expected %" PRIu64 " bytes of values, got %" PRIu64), header->n_bytes,
                   member->n_bytes - header->n_header_bytes);
}

/* Loads a stored (uncompressed) member from memory, as a view if possible. The checksum is
 * computed in any case. */
static C2gTensor *
load_stored (MemberData    *data,
             const C2gJob  *job,
             GError       **error)
{
  C2gZipMember *member = data->member;
  C2gJob silent = { .cancellable = job != NULL ? job->cancellable : NULL };
  const guint8 *bytes = c2g_source_peek (data->source) + member->offset;
  guint32 crc = crc32_z (0, NULL, 0);

  for (guint64 n = 0; n < member->n_bytes; n += PIECE)
    {
      crc = crc32_z (crc, bytes + n, MIN (member->n_bytes - n, PIECE));
      if (!c2g_job_advance (&silent, 0, error))
        return NULL;
    }
  if (crc != member->crc)
    return c2g_fail_null (error, C2G_ERROR_CORRUPT, _("The checksum is %08x, expected %08x"), crc,
                          member->crc);

  return read_values (&data->header, data->source,
                              member->offset + data->header.n_header_bytes, job, error);
}

static C2gTensor *
load_streamed (MemberData    *data,
               const C2gJob  *job,
               GError       **error)
{
  g_autoptr (Reader) reader = reader_new ();
  g_autoptr (C2gTensor) tensor = NULL;

  if (!c2g_zip_stream_open (&reader->stream, data->source, data->member, error) ||
      !c2g_zip_stream_read (&reader->stream, reader->header, data->header.n_header_bytes, error))
    return NULL;
  tensor = c2g_npy_values_read (&data->header, read_member_next, &reader->stream, job, error);
  if (tensor == NULL || !c2g_zip_stream_finish (&reader->stream, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

static C2gBlob *
load_member (C2gFileEntry  *self,
             const C2gJob  *job,
             GError       **error)
{
  MemberData *data = self->data;
  gboolean is_in_memory = c2g_source_peek (data->source) != NULL && !data->member->is_deflated;

  return c2g_raw_tensor_to_blob (is_in_memory ? load_stored (data, job, error)
                                              : load_streamed (data, job, error));
}

/* NAME is the name of the blob. */
static C2gFileEntry *
new_entry (Reader        *reader,
           C2gSource     *source,
           C2gZipMember  *member,
           const char    *name,
           GError       **error)
{
  g_auto (C2gNpyHeader) header = { 0 };
  g_autoptr (C2gFileEntry) entry = c2g_file_entry_new (name, C2G_BLOB_TYPE_TENSOR, member->offset);
  MemberData *data;

  if (!parse_header (reader, source, member, &header, error) ||
      !set_entry (entry, &header, error))
    return NULL;

  data = g_new (MemberData, 1);
  data->source = c2g_source_ref (source);
  data->member = c2g_zip_member_copy (member);
  data->header = header;
  header.dims = NULL;
  entry->load = load_member;
  entry->data = data;
  entry->destroy_data = (GDestroyNotify) member_data_free;
  return g_steal_pointer (&entry);
}

static gboolean
add_member (GPtrArray     *entries,
            Reader        *reader,
            C2gSource     *source,
            C2gZipMember  *member,
            GError       **error)
{
  g_autofree char *name = NULL;
  C2gFileEntry *entry;

  if (!g_str_has_suffix (member->name, SUFFIX))
    {
      g_debug ("%s: member “%s” is no array", c2g_source_get_name (source), member->name);
      return TRUE;
    }

  name = g_strndup (member->name, strlen (member->name) - strlen (SUFFIX));
  if (*name == '\0')
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("An array has no name"));
  entry = new_entry (reader, source, member, name, error);
  if (entry == NULL)
    {
      g_prefix_error (error, _("Blob “%s” at offset %" PRIu64 ": "), name, member->offset);
      return FALSE;
    }

  g_ptr_array_add (entries, entry);
  return TRUE;
}

GPtrArray *
c2g_npz_read_entries (C2gSource  *source,
                      GError    **error)
{
  g_autoptr (GPtrArray) members = c2g_zip_read_members (source, error);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (Reader) reader = reader_new ();

  if (members == NULL)
    return NULL;

  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_file_entry_unref);
  for (guint i = 0; i < members->len; i++)
    if (!add_member (entries, reader, source, members->pdata[i], error))
      return NULL;

  if (entries->len == 0 && members->len > 0)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("The archive holds no arrays of NumPy"));

  return g_steal_pointer (&entries);
}
