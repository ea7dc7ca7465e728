/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-sink-funcs-private.h>

#include <c2g/core/memory/c2g-huge-pages-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* A sink that writes into memory. */

typedef struct
{
  C2gSink  parent;

  guint8  *data;
  gsize    n_bytes;
  gsize    capacity;
} MemorySink;

static gboolean
reserve (MemorySink *self,
         gsize       n_bytes)
{
  gsize capacity;
  guint8 *data;

  if (n_bytes <= self->capacity - self->n_bytes)
    return TRUE;
  if (n_bytes > G_MAXSSIZE - self->n_bytes)
    return FALSE;

  capacity = MAX (self->n_bytes + n_bytes, self->capacity + self->capacity / 2);
  data = g_try_realloc (self->data, capacity);
  if (data == NULL)
    return FALSE;
  self->data = data;
  self->capacity = capacity;
  c2g_huge_pages_prepare (data, capacity);
  return TRUE;
}

static guint8 *
extend (MemorySink *self,
        gsize       n_bytes)
{
  guint8 *data;

  if (!reserve (self, n_bytes))
    return NULL;
  data = self->data + self->n_bytes;
  self->n_bytes += n_bytes;
  return data;
}

static gboolean
memory_sink_write (C2gSink        *sink,
                   gconstpointer   data,
                   gsize           n_bytes,
                   GError        **error)
{
  guint8 *place = extend ((MemorySink *) sink, n_bytes);

  if (place == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to write %zu bytes"), n_bytes);

  memcpy (place, data, n_bytes);
  return TRUE;
}

static gboolean
memory_sink_commit (C2gSink       *sink,
                    GCancellable  *cancellable,
                    GError       **error)
{
  return TRUE;
}

static void
memory_sink_free (C2gSink *sink)
{
  MemorySink *self = (MemorySink *) sink;

  g_free (self->data);
  g_free (self);
}

static const C2gSinkFuncs memory_sink_funcs = {
  .write = memory_sink_write,
  .commit = memory_sink_commit,
  .free = memory_sink_free,
};

C2gSink *
c2g_sink_new_for_memory (gsize n_bytes)
{
  MemorySink *self = g_new0 (MemorySink, 1);

  c2g_sink_init (&self->parent, &memory_sink_funcs, FALSE);
  c2g_sink_reserve (&self->parent, n_bytes);
  return &self->parent;
}

C2gSink *
c2g_sink_new_for_buffer (gpointer buffer,
                         gsize    n_bytes)
{
  MemorySink *self = g_new0 (MemorySink, 1);

  c2g_sink_init (&self->parent, &memory_sink_funcs, FALSE);
  self->data = buffer;
  self->capacity = n_bytes;
  return &self->parent;
}

void
c2g_sink_reserve (C2gSink *sink,
                  gsize    n_bytes)
{
  if (sink->funcs == &memory_sink_funcs)
    reserve ((MemorySink *) sink, n_bytes);
}

guint8 *
c2g_sink_extend (C2gSink *sink,
                 gsize    n_bytes)
{
  guint8 *data;

  if (sink->funcs != &memory_sink_funcs)
    return NULL;

  data = extend ((MemorySink *) sink, n_bytes);
  if (data != NULL)
    sink->position += n_bytes;
  return data;
}

GBytes *
c2g_sink_steal_bytes (C2gSink *sink)
{
  MemorySink *self = (MemorySink *) sink;
  GBytes *bytes;

  g_assert (sink->funcs == &memory_sink_funcs);

  bytes = g_bytes_new_take (g_steal_pointer (&self->data), self->n_bytes);
  self->n_bytes = 0;
  self->capacity = 0;
  sink->position = 0;
  return bytes;
}
