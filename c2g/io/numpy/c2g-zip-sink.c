/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-zip-sink-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* A sink that computes the checksum of a ZIP member and compresses it. */

#define BUFFER_SIZE (64u << 10)

static gboolean
forward (C2gZipSink     *self,
         gconstpointer   data,
         gsize           n_bytes,
         GError        **error)
{
  self->n_packed += n_bytes;
  return self->target == NULL || c2g_sink_write (self->target, data, n_bytes, NULL, error);
}

/* The deflater has more output as long as it fills the whole buffer. */
static gboolean
deflate_input (C2gZipSink  *self,
               int          flush,
               GError     **error)
{
  do
    {
      self->deflater.next_out = self->buffer;
      self->deflater.avail_out = BUFFER_SIZE;
      if (deflate (&self->deflater, flush) == Z_STREAM_ERROR)
        {
          g_set_error_literal (error, C2G_ERROR, C2G_ERROR_FAILED, _("It cannot be compressed"));
          return FALSE;
        }
      if (!forward (self, self->buffer, BUFFER_SIZE - self->deflater.avail_out, error))
        return FALSE;
    }
  while (self->deflater.avail_out == 0);

  return TRUE;
}

static gboolean
zip_sink_write (C2gSink        *sink,
                gconstpointer   data,
                gsize           n_bytes,
                GError        **error)
{
  C2gZipSink *self = (C2gZipSink *) sink;
  const guint8 *bytes = data;

  self->crc = crc32_z (self->crc, bytes, n_bytes);
  self->n_bytes += n_bytes;
  if (!self->is_deflating)
    return forward (self, bytes, n_bytes, error);

  while (n_bytes > 0)
    {
      gsize n = MIN (n_bytes, G_MAXINT);

      self->deflater.next_in = (Bytef *) bytes;
      self->deflater.avail_in = n;
      if (!deflate_input (self, Z_NO_FLUSH, error))
        return FALSE;
      bytes += n;
      n_bytes -= n;
    }

  return TRUE;
}

static const C2gSinkFuncs zip_sink_funcs = {
  .write = zip_sink_write,
};

gboolean
c2g_zip_sink_init (C2gZipSink  *self,
                   C2gSink     *target,
                   gboolean     compress,
                   GError     **error)
{
  *self = (C2gZipSink) { .target = target, .crc = crc32_z (0, NULL, 0) };
  c2g_sink_init (&self->parent, &zip_sink_funcs, FALSE);
  if (!compress)
    return TRUE;

  /* Negative window bits mean raw deflate without a zlib header. The other values are zlib's
   * defaults. */
  self->is_deflating = deflateInit2 (&self->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                     -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  if (!self->is_deflating)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NO_MEMORY, _("No memory to compress"));
      return FALSE;
    }

  self->buffer = g_malloc (BUFFER_SIZE);
  return TRUE;
}

void
c2g_zip_sink_clear (C2gZipSink *self)
{
  if (self->is_deflating)
    deflateEnd (&self->deflater);
  self->is_deflating = FALSE;
  g_clear_pointer (&self->buffer, g_free);
}

gboolean
c2g_zip_sink_finish (C2gZipSink  *self,
                     GError     **error)
{
  return !self->is_deflating || deflate_input (self, Z_FINISH, error);
}
