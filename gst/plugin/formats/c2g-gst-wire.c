/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-wire.h"

#include "support/c2g-gst-append.h"

#include <c2g-gst/c2g-gst.h>

#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>

/* Tensors as bytes, for c2gpay and c2gdepay; c2g-gst-wire.h describes the format. */

/* The first byte is not valid text, and the last one detects a transfer that converted line ends. */
static const guint8 magic[8] = { 0x93, 'C', '2', 'G', 'T', 'N', 'S', '\n' };

/* Limit on the size in memory per byte on the wire: an 8-byte number can be a single byte. */
#define MAX_GROWTH 8

static guint32
checksum (guint32       crc,
          gconstpointer data,
          gsize         n_bytes)
{
  return crc32_z (crc, data, n_bytes);
}

/* Reads an unaligned number. GStreamer's macros would assume alignment. */
static guint64
read_number (const guint8 *data,
             gsize         n_bytes)
{
  guint64 number = 0;

  memcpy (&number, data, n_bytes);
  return GUINT64_FROM_LE (number);
}

/* Writing */

static GBytes *
serialize (GstBuffer   *tensors,
           const char  *name,
           GError     **error)
{
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (tensors, name, error);
  g_autoptr (C2gBlob) blob = NULL;

  if (tensor == NULL)
    return NULL;
  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (tensor));

  return c2g_blob_serialize (blob, name, error);
}

static gboolean
append_tensor (GPtrArray         *parts,
               C2gGstWireHeader  *header,
               GstBuffer         *tensors,
               const char        *name,
               GError           **error)
{
  GBytes *message = serialize (tensors, name, error);
  guint32 n_bytes;

  if (message == NULL)
    return FALSE;
  n_bytes = GUINT32_TO_LE (g_bytes_get_size (message));
  g_ptr_array_add (parts, g_bytes_new (&n_bytes, sizeof n_bytes));
  g_ptr_array_add (parts, message);
  header->n_tensors++;
  header->n_bytes += sizeof n_bytes + g_bytes_get_size (message);
  header->crc = checksum (header->crc, &n_bytes, sizeof n_bytes);
  header->crc = checksum (header->crc, g_bytes_get_data (message, NULL), g_bytes_get_size (message));
  if (g_bytes_get_size (message) <= G_MAXUINT32 && header->n_tensors <= C2G_GST_WIRE_MAX_TENSORS)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE, _("The tensor “%s” is too large to be sent, or one too many"), name);
  return FALSE;
}

static GBytes *
new_header (const C2gGstWireHeader *self)
{
  guint8 *data = g_malloc (C2G_GST_WIRE_HEADER);

  memcpy (data, magic, sizeof magic);
  GST_WRITE_UINT16_LE (data + 8, self->version);
  GST_WRITE_UINT16_LE (data + 10, 0);
  GST_WRITE_UINT32_LE (data + 12, self->n_tensors);
  GST_WRITE_UINT64_LE (data + 16, self->n_bytes);
  GST_WRITE_UINT64_LE (data + 24, self->time);
  GST_WRITE_UINT64_LE (data + 32, self->duration);
  GST_WRITE_UINT32_LE (data + 40, self->crc);
  GST_WRITE_UINT32_LE (data + 44, checksum (0, data, 44));

  return g_bytes_new_take (data, C2G_GST_WIRE_HEADER);
}

/* The parts become memories of the frame; if there are too many, they are copied into one. */
static GstBuffer *
join (GPtrArray *parts,
      gsize      n_bytes)
{
  const gboolean is_copy = parts->len > gst_buffer_get_max_memory ();
  GstBuffer *frame = is_copy ? gst_buffer_new_allocate (NULL, n_bytes, NULL) : gst_buffer_new ();
  gsize offset = 0;

  for (guint i = 0; frame != NULL && i < parts->len; i++)
    {
      GBytes *part = parts->pdata[i];
      gsize n;
      gconstpointer data = g_bytes_get_data (part, &n);

      if (is_copy)
        offset += gst_buffer_fill (frame, offset, data, n);
      else
        gst_buffer_append_memory (frame, gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, (gpointer) data, n, 0, n,
                                                                 g_bytes_ref (part),
                                                                 (GDestroyNotify) g_bytes_unref));
    }

  return frame;
}

GstBuffer *
c2g_gst_wire_write (GstBuffer     *tensors,
                    GstClockTime   time,
                    GError       **error)
{
  C2gGstWireHeader header = { C2G_GST_WIRE_VERSION, 0, 0, time, GST_BUFFER_DURATION (tensors), 0 };
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (tensors);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  GstBuffer *frame;

  for (guint i = 0; names[i] != NULL; i++)
    if (!append_tensor (parts, &header, tensors, names[i], error))
      return NULL;
  g_ptr_array_insert (parts, 0, new_header (&header));
  frame = join (parts, C2G_GST_WIRE_HEADER + header.n_bytes);
  if (frame == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("There is no memory for a copy of the frame"));
      return NULL;
    }
  gst_buffer_copy_into (frame, tensors, GST_BUFFER_COPY_TIMESTAMPS | GST_BUFFER_COPY_FLAGS, 0, -1);

  return frame;
}

/* Reading */

gsize
c2g_gst_wire_find (const guint8 *data,
                   gsize         n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    {
      const guint8 *first = memchr (data + i, magic[0], n_bytes - i);

      if (first == NULL)
        break;
      i = first - data;
      if (memcmp (first, magic, MIN (sizeof magic, n_bytes - i)) == 0)
        return i;
    }

  return n_bytes;
}

gboolean
c2g_gst_wire_read_header (C2gGstWireHeader *self,
                          const guint8     *data)
{
  self->version = read_number (data + 8, 2);
  self->n_tensors = read_number (data + 12, 4);
  self->n_bytes = read_number (data + 16, 8);
  self->time = read_number (data + 24, 8);
  self->duration = read_number (data + 32, 8);
  self->crc = read_number (data + 40, 4);

  return memcmp (data, magic, sizeof magic) == 0 && self->n_tensors <= C2G_GST_WIRE_MAX_TENSORS &&
         read_number (data + 44, 4) == checksum (0, data, 44);
}

gboolean
c2g_gst_wire_check (const C2gGstWireHeader *self,
                    const guint8           *payload)
{
  return checksum (0, payload, self->n_bytes) == self->crc;
}

static gboolean
set_damaged (GError **error)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("A frame of tensors is damaged"));
  return FALSE;
}

/* Checks a message before memory is allocated for it: a few bytes can describe a large tensor. */
static gboolean
is_sound (C2gModelFile *file,
          C2gFileEntry *entry,
          gsize         n_bytes)
{
  return c2g_model_file_get_kind (file) == C2G_MODEL_FILE_KIND_BLOB &&
         c2g_file_entry_get_n_load_bytes (entry) / MAX_GROWTH <= n_bytes;
}

static C2gTensor *
load (C2gModelFile  *file,
      C2gFileEntry  *entry,
      gsize          n_bytes,
      GError       **error)
{
  g_autoptr (C2gBlob) blob = NULL;

  if (!is_sound (file, entry, n_bytes))
    return set_damaged (error), NULL;
  blob = c2g_model_file_load_blob (file, c2g_file_entry_get_name (entry), NULL, error);
  if (blob == NULL)
    return NULL;
  if (!c2g_blob_is_tensor (blob, NULL) ||
      c2g_tensor_get_data_type (c2g_blob_get_tensor (blob, NULL)) == C2G_DATA_TYPE_UNDEFINED)
    return set_damaged (error), NULL;

  return g_object_ref (c2g_blob_get_tensor (blob, NULL));
}

static gboolean
read_tensor (GstBuffer  *buffer,
             GBytes     *message,
             GError    **error)
{
  g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (message, "", error);
  g_autofree C2gFileEntry **entries = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  gboolean is_read;
  guint n_entries;

  if (file == NULL)
    return FALSE;
  entries = c2g_model_file_list_entries (file, &n_entries);
  if (n_entries == 1)
    tensor = load (file, entries[0], g_bytes_get_size (message), error);
  else
    set_damaged (error);
  is_read = tensor != NULL &&
            c2g_gst_append_tensor (buffer, c2g_file_entry_get_name (entries[0]), tensor, NULL, error);
  for (guint i = 0; i < n_entries; i++)
    c2g_file_entry_unref (entries[i]);

  return is_read;
}

GstBuffer *
c2g_gst_wire_read (const C2gGstWireHeader  *self,
                   const guint8            *payload,
                   GError                 **error)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  const guint8 *end = payload + self->n_bytes;

  for (guint32 i = 0; i < self->n_tensors; i++)
    {
      const gsize n_left = end - payload;
      const gsize n_bytes = n_left >= 4 ? read_number (payload, 4) : G_MAXSIZE;
      g_autoptr (GBytes) message = NULL;

      if (n_left < 4 || n_bytes > n_left - 4)
        return set_damaged (error), NULL;
      message = g_bytes_new_static (payload + 4, n_bytes);
      if (!read_tensor (buffer, message, error))
        return NULL;
      payload += 4 + n_bytes;
    }
  if (payload != end)
    return set_damaged (error), NULL;

  GST_BUFFER_PTS (buffer) = self->time;
  GST_BUFFER_DURATION (buffer) = self->duration;
  return g_steal_pointer (&buffer);
}
