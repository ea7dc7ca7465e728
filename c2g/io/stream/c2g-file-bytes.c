/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-file-bytes-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Reads whole files and streams into memory, with an error if there is not enough. */

#define FIRST_BYTES (64 << 10)

/* Size according to the file system. It is only a hint: a pipe has none, and it may be wrong. */
static gsize
guess_size (GFileInputStream *stream,
            GCancellable     *cancellable)
{
  g_autoptr (GFileInfo) info = NULL;
  goffset size = 0;

  info = g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, cancellable, NULL);
  if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_STANDARD_SIZE))
    size = g_file_info_get_size (info);
  if (size < FIRST_BYTES || (guint64) size > G_MAXSIZE / 2)
    return FIRST_BYTES;

  /* One byte more, so that the first read also meets the end of the file. */
  return (gsize) size + 1;
}

static gboolean
set_no_memory (gsize    n_bytes,
               GError **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
               _("No memory to read %zu bytes"), n_bytes);
  return FALSE;
}

static gboolean
grow (guint8 **data,
      gsize   *capacity,
      gsize    wanted,
      GError **error)
{
  guint8 *more = g_try_realloc (*data, wanted);

  if (more == NULL)
    return set_no_memory (wanted, error);
  *data = more;
  *capacity = wanted;
  return TRUE;
}

static gboolean
check_size (gsize    n_bytes,
            gsize    max_bytes,
            GError **error)
{
  if (n_bytes <= max_bytes)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("More than %zu bytes, which is more than can be read"), max_bytes);
  return FALSE;
}

/* Reads to the end; the buffer has size_hint bytes at first. */
static GBytes *
read_all (GInputStream  *stream,
          gsize          size_hint,
          gsize          max_bytes,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autofree guint8 *data = NULL;
  gsize capacity = 0;
  gsize n_bytes = 0;
  gsize n_read;

  if (!grow (&data, &capacity, size_hint, error))
    return NULL;

  for (;;)
    {
      if (!g_input_stream_read_all (stream, data + n_bytes, capacity - n_bytes, &n_read,
                                    cancellable, error))
        return NULL;
      n_bytes += n_read;
      if (!check_size (n_bytes, max_bytes, error))
        return NULL;
      if (n_bytes < capacity)
        break;
      if (capacity > G_MAXSIZE / 2)
        {
          set_no_memory (G_MAXSIZE, error);
          return NULL;
        }
      if (!grow (&data, &capacity, 2 * capacity, error))
        return NULL;
    }

  return g_bytes_new_take (g_steal_pointer (&data), n_bytes);
}

GBytes *
c2g_file_bytes_load (GFile         *file,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);

  if (stream == NULL)
    return NULL;

  return read_all (G_INPUT_STREAM (stream), guess_size (stream, cancellable), G_MAXSIZE,
                   cancellable, error);
}

GBytes *
c2g_file_bytes_read_stream (GInputStream  *stream,
                            gsize          max_bytes,
                            GCancellable  *cancellable,
                            GError       **error)
{
  return read_all (stream, FIRST_BYTES, max_bytes, cancellable, error);
}
