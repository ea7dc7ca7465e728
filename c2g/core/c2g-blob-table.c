/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-blob-table-private.h>

#include <string.h>

/* NOTES:
 *
 * Open addressing with linear probing, at most two thirds full.  With 100 000 names
 * what a look-up costs is cache misses: here one for the slot, one for the blob that
 * is wanted anyway, and one for its name.  A GHashTable takes two more, for its hashes
 * and its keys lie in arrays of their own, and a key that is a string beside the blob
 * means another one.  Removing shifts what follows back, so that there are no
 * tombstones, however often names come and go.
 */

#define MIN_SLOTS 16

/* Different in each process, so that no file can bring names that all collide. */
static guint64
get_seed (void)
{
  static gsize seed;

  if (g_once_init_enter (&seed))
    g_once_init_leave (&seed, ((gsize) g_random_int () << 16) | 1);

  return seed;
}

static inline guint64
mix (guint64 hash,
     guint64 word)
{
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return hash ^ (hash >> 29);
}

guint
c2g_blob_table_hash (const char *name)
{
  gsize length = strlen (name);
  guint64 hash = mix (get_seed (), length);
  guint64 word;

  for (; length >= sizeof word; length -= sizeof word, name += sizeof word)
    {
      memcpy (&word, name, sizeof word);
      hash = mix (hash, word);
    }

  word = 0;
  memcpy (&word, name, length);
  hash = mix (hash, word);

  return (guint) (hash >> 32);
}

C2gBlob *
c2g_blob_table_lookup (const C2gBlobTable *self,
                       const char         *name,
                       guint               hash)
{
  gsize mask = self->n_slots - 1;

  if (self->n_blobs == 0)
    return NULL;

  for (gsize i = hash & mask; self->slots[i].blob != NULL; i = (i + 1) & mask)
    if (self->slots[i].hash == hash && strcmp (self->slots[i].blob->name, name) == 0)
      return self->slots[i].blob;

  return NULL;
}

static void
put (C2gBlobTable *self,
     C2gBlob      *blob,
     guint         hash)
{
  gsize mask = self->n_slots - 1;
  gsize i = hash & mask;

  while (self->slots[i].blob != NULL)
    i = (i + 1) & mask;

  self->slots[i].hash = hash;
  self->slots[i].blob = blob;
}

static void
grow (C2gBlobTable *self)
{
  C2gBlobTable old = *self;

  self->n_slots = MAX (MIN_SLOTS, 2 * old.n_slots);
  self->slots = g_new0 (C2gBlobSlot, self->n_slots);

  for (gsize i = 0; i < old.n_slots; i++)
    if (old.slots[i].blob != NULL)
      put (self, old.slots[i].blob, old.slots[i].hash);

  g_free (old.slots);
}

void
c2g_blob_table_insert (C2gBlobTable *self,
                       C2gBlob      *blob,
                       guint         hash)
{
  if (3 * (self->n_blobs + 1) > 2 * self->n_slots)
    grow (self);

  blob->hash = hash;
  put (self, blob, hash);
  self->n_blobs++;
}

void
c2g_blob_table_remove (C2gBlobTable *self,
                       C2gBlob      *blob)
{
  gsize mask = self->n_slots - 1;
  gsize hole = blob->hash & mask;

  while (self->slots[hole].blob != blob)
    hole = (hole + 1) & mask;

  /* Each of the blobs that follow moves into the hole, unless that lies before the
   * place where it would be looked for first. */
  for (gsize i = (hole + 1) & mask; self->slots[i].blob != NULL; i = (i + 1) & mask)
    if (((i - self->slots[i].hash) & mask) >= ((i - hole) & mask))
      {
        self->slots[hole] = self->slots[i];
        hole = i;
      }

  self->slots[hole].blob = NULL;
  self->n_blobs--;
}

void
c2g_blob_table_clear (C2gBlobTable *self)
{
  g_clear_pointer (&self->slots, g_free);
  self->n_slots = 0;
  self->n_blobs = 0;
}
