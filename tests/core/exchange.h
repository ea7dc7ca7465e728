/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-storage.h>

G_BEGIN_DECLS

/* A queue of storages between threads. Not a GAsyncQueue, because ThreadSanitizer does not see the
 * lock inside it. */
typedef struct
{
  GMutex lock;
  GQueue storages;
} Exchange;

static inline void
exchange_push (Exchange   *self,
               C2gStorage *storage)
{
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->storages, storage);
  g_mutex_unlock (&self->lock);
}

static inline C2gStorage *
exchange_try_pop (Exchange *self)
{
  C2gStorage *storage;

  g_mutex_lock (&self->lock);
  storage = g_queue_pop_head (&self->storages);
  g_mutex_unlock (&self->lock);

  return storage;
}

static inline guint
exchange_get_length (Exchange *self)
{
  guint length;

  g_mutex_lock (&self->lock);
  length = g_queue_get_length (&self->storages);
  g_mutex_unlock (&self->lock);

  return length;
}

static inline void
exchange_clear (Exchange *self)
{
  C2gStorage *storage;

  while ((storage = exchange_try_pop (self)) != NULL)
    c2g_storage_unref (storage);
}

G_END_DECLS
