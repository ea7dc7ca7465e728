/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace-private.h>

#include <string.h>

/* The hash table in which workspaces look up blobs by name.
 *
 * Open addressing with linear probing, at most 4/5 full. With 100 000 names the cost of a look-up
 * is its cache misses: one for the blob, which is needed anyway because of its reference count and
 * has the name next to it, and those for the table. So the table is small: 12 bytes for each slot,
 * 1.5 MB for 100 000 names. Slots of 16 bytes, half of them free, took 4 MB and made a look-up half
 * as slow again. A GHashTable of strings has another array for values, and keeps the strings
 * outside of the blobs.
 *
 * Removing a blob shifts the following ones back, so there are no tombstones. */

#define MIN_SLOTS 16

/* The seed differs in each process, so that a file cannot contain names that all collide. */
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
  const gsize length = strlen (name);
  guint64 hash = mix (get_seed (), length);
  guint64 word = 0;

  for (gsize i = 0; i + sizeof word < length; i += sizeof word)
    {
      memcpy (&word, name + i, sizeof word);
      hash = mix (hash, word);
    }

  /* The last word of a long name overlaps the one before. */
  if (G_LIKELY (length >= sizeof word))
    memcpy (&word, name + length - sizeof word, sizeof word);
  else
    memcpy (&word, name, length);
  hash = mix (hash, word);

  /* 0 marks a free slot. */
  return MAX (1, (guint) (hash >> 32));
}

C2gBlob *
c2g_blob_table_lookup (const C2gBlobTable *self,
                       const char         *name,
                       guint               hash)
{
  gsize mask = self->n_slots - 1;

  if (self->n_blobs == 0)
    return NULL;

  for (gsize i = hash & mask; self->hashes[i] != 0; i = (i + 1) & mask)
    if (self->hashes[i] == hash && strcmp (self->blobs[i]->name, name) == 0)
      return self->blobs[i];

  return NULL;
}

static void
put (C2gBlobTable *self,
     C2gBlob      *blob,
     guint         hash)
{
  gsize mask = self->n_slots - 1;
  gsize i = hash & mask;

  while (self->hashes[i] != 0)
    i = (i + 1) & mask;

  self->hashes[i] = hash;
  self->blobs[i] = blob;
}

static void
grow (C2gBlobTable *self)
{
  C2gBlobTable old = *self;

  self->n_slots = MAX (MIN_SLOTS, 2 * old.n_slots);
  self->hashes = g_new0 (guint32, self->n_slots);
  self->blobs = g_new0 (C2gBlob *, self->n_slots);

  for (gsize i = 0; i < old.n_slots; i++)
    if (old.hashes[i] != 0)
      put (self, old.blobs[i], old.hashes[i]);

  g_free (old.hashes);
  g_free (old.blobs);
}

void
c2g_blob_table_insert (C2gBlobTable *self,
                       C2gBlob      *blob,
                       guint         hash)
{
  if (5 * (self->n_blobs + 1) > 4 * self->n_slots)
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

  while (self->blobs[hole] != blob)
    hole = (hole + 1) & mask;

  /* Moves each following blob of the cluster into the hole, unless the hole is before the first
   * slot that a look-up of that blob tries. */
  for (gsize i = (hole + 1) & mask; self->hashes[i] != 0; i = (i + 1) & mask)
    if (((i - self->hashes[i]) & mask) >= ((i - hole) & mask))
      {
        self->hashes[hole] = self->hashes[i];
        self->blobs[hole] = self->blobs[i];
        hole = i;
      }

  self->hashes[hole] = 0;
  self->blobs[hole] = NULL;
  self->n_blobs--;
}

void
c2g_blob_table_clear (C2gBlobTable *self)
{
  g_clear_pointer (&self->hashes, g_free);
  g_clear_pointer (&self->blobs, g_free);
  self->n_slots = 0;
  self->n_blobs = 0;
}
