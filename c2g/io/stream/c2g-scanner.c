/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-scanner-private.h>

/* A window on a source, for reading small pieces that are close to each other. */

/* Size of a read after a jump, when it is not known if the next bytes are needed. */
#define SMALL_WINDOW (4u << 10)

void
c2g_scanner_init (C2gScanner *self,
                  C2gSource  *source)
{
  *self = (C2gScanner) { .source = c2g_source_ref (source) };

  /* A source in memory needs no window. */
  self->data = c2g_source_peek (source);
  if (self->data != NULL)
    self->n_bytes = c2g_source_get_n_bytes (source);
}

void
c2g_scanner_clear (C2gScanner *self)
{
  g_clear_pointer (&self->source, c2g_source_unref);
  g_clear_pointer (&self->buffer, g_free);
}

/* Chooses the size of the next read: a full window if reading continues or skips a little, a
 * small one after a jump. */
static gsize
choose_size (C2gScanner *self,
             guint64     offset,
             gsize       n_wanted)
{
  gboolean goes_on = offset >= self->offset &&
                     offset - self->offset <= self->n_bytes + C2G_SCANNER_WINDOW / 2;

  return goes_on ? C2G_SCANNER_WINDOW : MAX (n_wanted, SMALL_WINDOW);
}

static gboolean
move (C2gScanner  *self,
      guint64      offset,
      gsize        n_bytes,
      GError     **error)
{
  if (self->buffer == NULL)
    self->buffer = g_malloc (C2G_SCANNER_WINDOW);
  self->n_bytes = 0;
  if (!c2g_source_read (self->source, offset, self->buffer, n_bytes, NULL, error))
    return FALSE;

  self->data = self->buffer;
  self->offset = offset;
  self->n_bytes = n_bytes;
  return TRUE;
}

const guint8 *
c2g_scanner_look (C2gScanner  *self,
                  guint64      offset,
                  gsize        n_wanted,
                  gsize       *n_bytes,
                  GError     **error)
{
  guint64 n_source = c2g_source_get_n_bytes (self->source);
  guint64 n_left = n_source - MIN (offset, n_source);
  gsize n_needed = MIN (MIN (n_wanted, C2G_SCANNER_WINDOW), n_left);

  if (n_needed == 0)
    {
      *n_bytes = 0;
      return (const guint8 *) "";
    }

  if (offset < self->offset || offset - self->offset > self->n_bytes ||
      self->n_bytes - (offset - self->offset) < n_needed)
    {
      gsize n_window = MIN (choose_size (self, offset, n_needed), n_left);

      if (!move (self, offset, n_window, error))
        return NULL;
    }

  *n_bytes = self->n_bytes - (offset - self->offset);
  return self->data + (offset - self->offset);
}
