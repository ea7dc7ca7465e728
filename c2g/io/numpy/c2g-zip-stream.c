/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-zip-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Reads the content of a ZIP member. */

#define BUFFER_SIZE (64u << 10)

/* Unpack small pieces, so that the checksum reads them from the cache. */
#define MAX_PIECE (256u << 10)

static gboolean
fail (const char  *what,
      GError     **error)
{
  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The packed bytes are damaged: %s"), what);
}

static gboolean
fail_no_memory (GError **error)
{
  return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to unpack"));
}

gboolean
c2g_zip_stream_open (C2gZipStream        *self,
                     C2gSource           *source,
                     const C2gZipMember  *member,
                     GError             **error)
{
  self->source = source;
  self->member = member;
  self->n_taken = 0;
  self->n_given = 0;
  self->crc = crc32_z (0, NULL, 0);
  if (!member->is_deflated)
    return TRUE;

  self->inflater.avail_in = 0;
  if (self->has_inflater)
    return inflateReset (&self->inflater) == Z_OK || fail_no_memory (error);

  /* Negative window bits mean raw deflate without a zlib header. */
  self->has_inflater = inflateInit2 (&self->inflater, -MAX_WBITS) == Z_OK;
  return self->has_inflater || fail_no_memory (error);
}

void
c2g_zip_stream_clear (C2gZipStream *self)
{
  if (self->has_inflater)
    inflateEnd (&self->inflater);
  self->has_inflater = FALSE;
  g_clear_pointer (&self->buffer, g_free);
}

/* Gives the inflater more input if it has none left. */
static gboolean
feed (C2gZipStream  *self,
      GError       **error)
{
  guint64 n_left = self->member->n_packed - self->n_taken;
  guint64 offset = self->member->offset + self->n_taken;
  const guint8 *data = c2g_source_peek (self->source);
  gsize n = MIN (n_left, data != NULL ? G_MAXINT : BUFFER_SIZE);

  if (self->inflater.avail_in > 0 || n == 0)
    return TRUE;

  if (data != NULL)
    self->inflater.next_in = (Bytef *) data + offset;
  else
    {
      if (self->buffer == NULL)
        self->buffer = g_malloc (BUFFER_SIZE);
      if (!c2g_source_read (self->source, offset, self->buffer, n, NULL, error))
        return FALSE;
      self->inflater.next_in = self->buffer;
    }
  self->inflater.avail_in = n;
  self->n_taken += n;
  return TRUE;
}

static gboolean
inflate_piece (C2gZipStream  *self,
               gpointer       buffer,
               gsize          n_bytes,
               GError       **error)
{
  self->inflater.next_out = buffer;
  self->inflater.avail_out = n_bytes;
  while (self->inflater.avail_out > 0)
    {
      int status;

      if (!feed (self, error))
        return FALSE;
      status = inflate (&self->inflater, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR)
        return fail_no_memory (error);
      if (status == Z_STREAM_END && self->inflater.avail_out == 0)
        break;
      if (status == Z_STREAM_END || status == Z_BUF_ERROR)
        return fail (_("there are too few"), error);
      if (status != Z_OK)
        return fail (self->inflater.msg != NULL ? self->inflater.msg : _("they cannot be unpacked"),
                     error);
    }

  return TRUE;
}

gboolean
c2g_zip_stream_read (C2gZipStream  *self,
                     gpointer       buffer,
                     gsize          n_bytes,
                     GError       **error)
{
  guint8 *bytes = buffer;

  if (n_bytes > self->member->n_bytes - self->n_given)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Expected %zu more bytes, got %" PRIu64), n_bytes,
                     self->member->n_bytes - self->n_given);

  while (n_bytes > 0)
    {
      gsize n = MIN (n_bytes, MAX_PIECE);
      gboolean done;

      if (self->member->is_deflated)
        done = inflate_piece (self, bytes, n, error);
      else
        done = c2g_source_read (self->source, self->member->offset + self->n_given, bytes, n,
                                NULL, error);
      if (!done)
        return FALSE;
      self->crc = crc32_z (self->crc, bytes, n);
      self->n_given += n;
      bytes += n;
      n_bytes -= n;
    }

  return TRUE;
}

/* Reads on to the end mark, which the inflater sees only when more output is requested. */
static gboolean
finish_inflating (C2gZipStream  *self,
                  GError       **error)
{
  guint8 byte;
  int status;

  do
    {
      if (!feed (self, error))
        return FALSE;
      self->inflater.next_out = &byte;
      self->inflater.avail_out = 1;
      status = inflate (&self->inflater, Z_NO_FLUSH);
    }
  while (status == Z_OK && self->inflater.avail_out == 1);

  return (status == Z_STREAM_END && self->inflater.avail_out == 1 &&
          self->inflater.avail_in == 0 && self->n_taken == self->member->n_packed) ||
         fail (_("they do not end where they should"), error);
}

gboolean
c2g_zip_stream_finish (C2gZipStream  *self,
                       GError       **error)
{
  if (self->n_given != self->member->n_bytes)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("Expected %" PRIu64 " bytes, got %" PRIu64),
                     self->n_given, self->member->n_bytes);
  if (self->member->is_deflated && !finish_inflating (self, error))
    return FALSE;
  if (self->crc == self->member->crc)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT, _("The checksum is %08x, expected %08x"), self->crc,
                   self->member->crc);
}
