/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-history-private.h>

#include <string.h>

/* Keeps the newest events of a cache in a ring, which grows until it has as many as are wanted. */

#define FIRST_ROOM 64

struct _C2gCudaHistory
{
  C2gCudaEntry *entries;
  guint         n_entries;
  guint         n_room;
  guint         max_entries;
  /* The place of the oldest entry; 0 until the ring is full. */
  guint         oldest;
};

C2gCudaHistory *
c2g_cuda_history_new (guint           max_entries,
                      C2gCudaHistory *old)
{
  C2gCudaHistory *self;
  g_autofree C2gCudaEntry *entries = NULL;
  guint n_entries = 0;

  if (max_entries == 0)
    return NULL;

  self = g_new0 (C2gCudaHistory, 1);
  self->max_entries = max_entries;
  if (old == NULL || old->n_entries == 0)
    return self;

  entries = c2g_cuda_history_dup (old, &n_entries);
  self->n_entries = self->n_room = MIN (n_entries, max_entries);
  self->entries = g_memdup2 (entries + (n_entries - self->n_entries),
                             self->n_entries * sizeof *entries);

  return self;
}

void
c2g_cuda_history_free (C2gCudaHistory *self)
{
  if (self == NULL)
    return;

  g_free (self->entries);
  g_free (self);
}

static C2gCudaEntry *
take_place (C2gCudaHistory *self)
{
  C2gCudaEntry *place;

  if (self->n_entries == self->max_entries)
    {
      place = &self->entries[self->oldest];
      self->oldest = (self->oldest + 1) % self->max_entries;
      return place;
    }

  if (self->n_entries == self->n_room)
    {
      self->n_room = MIN (MAX (2 * self->n_room, FIRST_ROOM), self->max_entries);
      self->entries = g_renew (C2gCudaEntry, self->entries, self->n_room);
    }

  return &self->entries[self->n_entries++];
}

void
c2g_cuda_history_add (C2gCudaHistory *self,
                      C2gCudaAction   action,
                      guint64         address,
                      guint64         n_bytes,
                      guint64         stream)
{
  *take_place (self) = (C2gCudaEntry) {
    .action = action,
    .address = address,
    .n_bytes = n_bytes,
    .stream = stream,
    .time = g_get_real_time (),
  };
}

guint
c2g_cuda_history_get_max (C2gCudaHistory *self)
{
  return self != NULL ? self->max_entries : 0;
}

C2gCudaEntry *
c2g_cuda_history_dup (C2gCudaHistory *self,
                      guint          *n_entries)
{
  C2gCudaEntry *entries;
  guint n_last;

  *n_entries = self != NULL ? self->n_entries : 0;
  if (*n_entries == 0)
    return NULL;

  entries = g_new (C2gCudaEntry, self->n_entries);
  n_last = self->n_entries - self->oldest;
  memcpy (entries, self->entries + self->oldest, n_last * sizeof *entries);
  memcpy (entries + n_last, self->entries, self->oldest * sizeof *entries);

  return entries;
}
