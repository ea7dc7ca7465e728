/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-shelf-private.h>

#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/memory/c2g-cuda-reservation-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The expandable segments of a cache: memory that is mapped behind what is there already, so that
 * free blocks grow into larger ones.
 *
 * There is one reservation for small and one for large blocks. Each block lies in mapped memory, and
 * all mapped memory is in blocks. Neighbours are linked up to the next gap, so that a segment is what
 * lies between two gaps. A block that is about to grow, or to be unmapped, is in no bin, so that
 * nobody takes it or joins it.
 *
 * One thread at a time maps or unmaps, under the mutex `expanding`. It is taken before the lock, and
 * never by functions that give blocks back, so that CUDA may be called under it. */

/* Address space costs nothing. With twice the memory of the device there is room between blocks. */
#define ROOM 2

/* Where new memory is mapped. */
typedef struct
{
  /* The begin of the gap, and the segment that ends there; NULL if there is none. */
  char         *address;
  char         *segment;
  gsize         n_gap_bytes;
  /* The first of the free blocks before the gap, which become one that grows; NULL if there is none. */
  C2gCudaBlock *block;
  gsize         n_missing;
} Place;

static C2gCudaBlock *
find_last (C2gCudaCache *self,
           char         *segment)
{
  C2gCudaBlock *block = segment != NULL ? g_hash_table_lookup (self->blocks, segment) : NULL;

  while (block != NULL && block->next != NULL)
    block = block->next;

  return block;
}

static gboolean
can_grow (C2gCudaCache       *self,
          const C2gCudaBlock *block,
          const C2gCudaShelf *shelf)
{
  return block != NULL && block->is_free &&
         (block->owner == shelf || block->owner == &self->common);
}

/* Looks at one gap. */
static gboolean
try_place (C2gCudaCache       *self,
           C2gCudaReservation *reservation,
           C2gCudaShelf       *shelf,
           gsize               n_bytes,
           Place              *place)
{
  C2gCudaBlock *block = find_last (self, place->segment);

  place->block = NULL;
  for (; can_grow (self, block, shelf); block = block->previous)
    {
      place->block = block;
      n_bytes -= MIN (n_bytes, block->n_bytes);
    }
  place->n_missing =
    (n_bytes + reservation->granularity - 1) / reservation->granularity * reservation->granularity;

  return place->n_missing <= place->n_gap_bytes;
}

static C2gCudaBins *
bins_of (const C2gCudaBlock *block)
{
  return &((C2gCudaShelf *) block->owner)->bins[block->is_small];
}

/* The caller holds the lock. */
static void
put_back (C2gCudaBlock *block)
{
  c2g_cuda_bins_put (bins_of (block), block);
  bins_of (block)->is_split = TRUE;
}

/* Takes the free blocks before the gap out of their bins, and joins them. */
static void
take_free (C2gCudaCache *self,
           C2gCudaBlock *block,
           C2gCudaShelf *shelf)
{
  C2gCudaBlock *next;

  c2g_cuda_bins_remove (bins_of (block), block);
  while ((next = block->next) != NULL)
    {
      c2g_cuda_bins_remove (bins_of (next), next);
      /* In the order of a stream if one of them is. */
      if (next->owner == shelf)
        block->owner = shelf;
      c2g_cuda_block_join_next (block);
      g_hash_table_remove (self->blocks, next->address);
      g_free (next);
    }
}

/* Finds the first gap in which there is room, and takes the free blocks before it. */
static gboolean
find_place (C2gCudaCache       *self,
            C2gCudaReservation *reservation,
            C2gCudaShelf       *shelf,
            gsize               n_bytes,
            Place              *place)
{
  gboolean is_found = FALSE;

  *place = (Place) { .address = reservation->address };
  g_mutex_lock (&self->lock);
  for (guint i = 0; i <= reservation->pieces->len && !is_found; i++)
    {
      const C2gCudaPiece *next =
        i < reservation->pieces->len ? c2g_cuda_reservation_get (reservation, i) : NULL;
      char *end = next != NULL ? next->address : reservation->address + reservation->n_bytes;

      place->n_gap_bytes = (gsize) (end - place->address);
      if (place->n_gap_bytes > 0)
        is_found = try_place (self, reservation, shelf, n_bytes, place);
      if (is_found || next == NULL)
        break;
      if (place->n_gap_bytes > 0 || place->segment == NULL)
        place->segment = end;
      place->address = end + next->n_bytes;
    }
  if (is_found && place->block != NULL)
    take_free (self, place->block, shelf);
  g_mutex_unlock (&self->lock);

  return is_found;
}

/* Gives back the block that was to grow. */
static void
leave_place (C2gCudaCache *self,
             const Place  *place)
{
  if (place->block == NULL)
    return;

  g_mutex_lock (&self->lock);
  put_back (place->block);
  g_mutex_unlock (&self->lock);
}

/* The second reservation of a cache is for small blocks, the first one for all others. */
static gboolean
has_small_blocks (C2gCudaCache       *self,
                  C2gCudaReservation *reservation)
{
  return reservation == self->reservations[TRUE];
}

/* Makes the new memory a block. The caller holds the lock. */
static C2gCudaBlock *
add_memory (C2gCudaCache       *self,
            C2gCudaReservation *reservation,
            const Place        *place,
            gsize               n_bytes)
{
  char *end = place->address + n_bytes;
  C2gCudaBlock *block = g_new0 (C2gCudaBlock, 1);

  block->address = place->address;
  block->n_bytes = n_bytes;
  block->device = reservation->device;
  block->epoch = reservation->epoch;
  block->owner = &self->common;
  block->is_small = has_small_blocks (self, reservation);
  block->n_release = self->n_releases;
  block->previous = find_last (self, place->segment);
  if (end < reservation->address + reservation->n_bytes)
    block->next = g_hash_table_lookup (self->blocks, end);
  if (block->previous != NULL)
    block->previous->next = block;
  if (block->next != NULL)
    block->next->previous = block;
  g_hash_table_insert (self->blocks, block->address, block);
  self->statistics.n_segments += 1 - (block->previous != NULL) - (block->next != NULL);
  self->statistics.peak_reserved_bytes =
    MAX (self->statistics.peak_reserved_bytes, self->statistics.reserved_bytes);
  c2g_cuda_cache_note_segment (self, C2G_CUDA_SEGMENT_MAP, block);

  return block;
}

/* Splits what was requested off the memory, together with the free block before it. */
static C2gCudaBlock *
hand_out (C2gCudaCache       *self,
          C2gCudaReservation *reservation,
          const Place        *place,
          gsize               n_bytes,
          C2gCudaShelf       *shelf,
          gsize               n_requested)
{
  C2gCudaBlock *block = place->block;

  g_mutex_lock (&self->lock);
  if (n_bytes > 0)
    {
      C2gCudaBlock *added = add_memory (self, reservation, place, n_bytes);

      if (block != NULL)
        {
          c2g_cuda_block_join_next (block);
          g_hash_table_remove (self->blocks, added->address);
          g_free (added);
        }
      else
        block = added;
    }
  /* The rest is new, and stays with the stream, whose next block may need it to grow. Events of
   * foreign streams are recorded only when a block is given back. */
  if (n_bytes > 0)
    block->owner = shelf->is_eager ? &self->common : shelf;
  c2g_cuda_cache_add_rest (self, block, c2g_cuda_cache_round (n_requested));
  c2g_cuda_cache_hand_out (self, block, shelf, n_requested);
  g_mutex_unlock (&self->lock);

  return block;
}

/* After a reset the old memory is unmapped, when no block of it is left. */
static void
drop_gone (C2gCudaCache        *self,
           C2gCudaReservation **reservation)
{
  gboolean has_gone;

  if (*reservation == NULL || (*reservation)->epoch == c2g_cuda_epoch_get (self->device))
    return;

  g_mutex_lock (&self->lock);
  has_gone = self->has_gone || self->n_resets != c2g_cuda_epoch_total ();
  g_mutex_unlock (&self->lock);
  if (!has_gone && c2g_cuda_reservation_free (*reservation))
    *reservation = NULL;
}

static C2gCudaReservation *
ensure_reservation (C2gCudaCache  *self,
                    gboolean       is_small,
                    GError       **error)
{
  C2gCudaReservation **reservation = &self->reservations[is_small];
  guint epoch = c2g_cuda_epoch_find (self->device);

  if (!c2g_cuda_cache_check (self, error))
    return NULL;

  drop_gone (self, reservation);
  if (*reservation != NULL && (*reservation)->epoch != epoch)
    {
      c2g_cuda_check (cudaErrorContextIsDestroyed, "cuMemUnmap", self->device, error);
      return NULL;
    }
  if (*reservation == NULL)
    *reservation = c2g_cuda_reservation_new (self->device, epoch, ROOM * self->n_room, error);

  return *reservation;
}

static gboolean
map (C2gCudaCache        *self,
     C2gCudaReservation  *reservation,
     const Place         *place,
     gsize                n_bytes,
     GError             **error)
{
  if (n_bytes == 0)
    return TRUE;
  if (!c2g_cuda_cache_reserve (self, n_bytes, error))
    return FALSE;
  if (c2g_cuda_reservation_map (reservation, place->address, n_bytes, error))
    return TRUE;

  c2g_cuda_cache_unreserve (self, n_bytes);
  return FALSE;
}

static C2gCudaBlock *
expand (C2gCudaCache  *self,
        gsize          n_requested,
        C2gCudaShelf  *shelf,
        GError       **error)
{
  const gsize n_bytes = c2g_cuda_cache_round (n_requested);
  C2gCudaReservation *reservation =
    ensure_reservation (self, c2g_cuda_cache_is_small (n_bytes), error);
  gsize n_preferred;
  Place place;

  if (reservation == NULL)
    return NULL;
  if (!find_place (self, reservation, shelf, n_bytes, &place))
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY,
                          _("there is no gap of %zu bytes in the reserved addresses"), n_bytes);

  /* A little more than is missing spares calls for the next blocks, if it can be had. */
  n_preferred = MIN (c2g_cuda_cache_preferred_size (self, n_bytes, place.n_missing), place.n_gap_bytes);
  n_preferred = n_preferred / reservation->granularity * reservation->granularity;
  if (place.n_missing > 0 && n_preferred > place.n_missing &&
      map (self, reservation, &place, n_preferred, NULL))
    return hand_out (self, reservation, &place, n_preferred, shelf, n_requested);
  if (map (self, reservation, &place, place.n_missing, error))
    return hand_out (self, reservation, &place, place.n_missing, shelf, n_requested);

  leave_place (self, &place);
  return NULL;
}

C2gCudaBlock *
c2g_cuda_expandable_grow (C2gCudaCache  *self,
                          gsize          n_requested,
                          C2gCudaShelf  *shelf,
                          GError       **error)
{
  C2gCudaBlock *block = NULL;
  C2gCudaGuard guard;

  g_mutex_lock (&self->expanding);
  if (c2g_cuda_guard_enter (&guard, self->device, error))
    {
      block = expand (self, n_requested, shelf, error);
      c2g_cuda_guard_leave (&guard);
    }
  g_mutex_unlock (&self->expanding);

  return block;
}

static void
add_free (C2gCudaBins *bins,
          GPtrArray   *blocks)
{
  for (guint i = 0; i < C2G_CUDA_N_BINS; i++)
    for (C2gCudaBlock *block = bins->newest[i]; block != NULL; block = block->older)
      g_ptr_array_add (blocks, block);
}

/* The highest address comes first. */
static int
compare_from_end (gconstpointer a,
                  gconstpointer b)
{
  return c2g_cuda_block_compare (b, a);
}

/* Splits a block after n_bytes, and returns the rest; the block itself if there is none. */
static C2gCudaBlock *
cut (C2gCudaCache *self,
     C2gCudaBlock *block,
     gsize         n_bytes)
{
  C2gCudaBlock *rest;

  if (n_bytes == block->n_bytes)
    return block;

  rest = c2g_cuda_block_cut (block, n_bytes);
  g_hash_table_insert (self->blocks, rest->address, rest);

  return rest;
}

/* Takes out the last pieces of a free block that have no byte of another one, as many as n_bytes
 * need. Returns the block that has them; NULL if there are none. */
static C2gCudaBlock *
take_pieces (C2gCudaCache       *self,
             C2gCudaReservation *reservation,
             C2gCudaBlock       *block,
             gsize               n_bytes)
{
  C2gCudaBins *bins = bins_of (block);
  guint i = c2g_cuda_reservation_find (reservation, block->address + block->n_bytes);
  char *begin = NULL, *end = NULL;
  C2gCudaBlock *taken, *rest;

  while (i-- > 0 && c2g_cuda_reservation_get (reservation, i)->address >= block->address &&
         (end == NULL || (gsize) (end - begin) < n_bytes))
    {
      begin = c2g_cuda_reservation_get (reservation, i)->address;
      if (end == NULL)
        end = begin + c2g_cuda_reservation_get (reservation, i)->n_bytes;
    }
  if (end == NULL)
    return NULL;

  c2g_cuda_bins_remove (bins, block);
  taken = block;
  if (begin > block->address)
    {
      taken = cut (self, block, (gsize) (begin - block->address));
      c2g_cuda_bins_put (bins, block);
    }
  rest = cut (self, taken, (gsize) (end - begin));
  if (rest != taken)
    c2g_cuda_bins_put (bins, rest);

  return taken;
}

/* Takes free pieces of the common shelf, those with the highest addresses first. */
static GPtrArray *
steal_pieces (C2gCudaCache       *self,
              C2gCudaReservation *reservation,
              gsize               n_bytes)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  GPtrArray *stolen = g_ptr_array_new ();
  gsize n_stolen = 0;

  g_mutex_lock (&self->lock);
  c2g_cuda_shelf_join (self, &self->common);
  add_free (&self->common.bins[has_small_blocks (self, reservation)], blocks);
  g_ptr_array_sort (blocks, compare_from_end);
  for (guint i = 0; i < blocks->len && n_stolen < n_bytes; i++)
    {
      C2gCudaBlock *taken =
        take_pieces (self, reservation, g_ptr_array_index (blocks, i), n_bytes - n_stolen);

      if (taken == NULL)
        continue;
      n_stolen += taken->n_bytes;
      g_ptr_array_add (stolen, taken);
    }
  g_mutex_unlock (&self->lock);

  return stolen;
}

/* Forgets an unmapped block. The caller holds the lock. */
static void
remove_block (C2gCudaCache *self,
              C2gCudaBlock *block)
{
  c2g_cuda_cache_note_segment (self, C2G_CUDA_SEGMENT_UNMAP, block);
  if (block->previous != NULL)
    block->previous->next = NULL;
  if (block->next != NULL)
    block->next->previous = NULL;
  self->statistics.n_segments += (block->previous != NULL) + (block->next != NULL) - 1;
  self->statistics.reserved_bytes -= block->n_bytes;
  g_hash_table_remove (self->blocks, block->address);
  g_free (block);
}

/* Returns the number of bytes that were unmapped: fewer than all if CUDA refused the rest. */
static gsize
unmap (C2gCudaCache       *self,
       C2gCudaReservation *reservation,
       C2gCudaBlock       *block)
{
  gsize n_bytes = c2g_cuda_reservation_unmap (reservation, block->address, block->n_bytes);
  C2gCudaBlock *kept = NULL;

  g_mutex_lock (&self->lock);
  if (n_bytes == 0)
    kept = block;
  else if (n_bytes < block->n_bytes)
    kept = cut (self, block, n_bytes);
  if (kept != block)
    remove_block (self, block);
  if (kept != NULL)
    put_back (kept);
  g_mutex_unlock (&self->lock);

  return n_bytes;
}

gsize
c2g_cuda_expandable_give_back (C2gCudaCache *self,
                               gsize         n_bytes)
{
  gsize n_given = 0;

  g_mutex_lock (&self->expanding);
  for (guint kind = 0; kind < G_N_ELEMENTS (self->reservations); kind++)
    {
      C2gCudaReservation *reservation;
      g_autoptr (GPtrArray) blocks = NULL;

      drop_gone (self, &self->reservations[kind]);
      reservation = self->reservations[kind];
      if (reservation == NULL)
        continue;
      blocks = steal_pieces (self, reservation, n_bytes - MIN (n_given, n_bytes));
      for (guint i = 0; i < blocks->len; i++)
        n_given += unmap (self, reservation, g_ptr_array_index (blocks, i));
    }
  g_mutex_unlock (&self->expanding);

  return n_given;
}

gboolean
c2g_cuda_expandable_end (C2gCudaCache *self)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->reservations); kind++)
    {
      if (self->reservations[kind] != NULL && !c2g_cuda_reservation_free (self->reservations[kind]))
        return FALSE;
      self->reservations[kind] = NULL;
    }

  return TRUE;
}

void
c2g_cuda_expandable_open (C2gCudaCache *self,
                          int           device)
{
  if (device < 0 || device == self->device)
    return;

  g_mutex_lock (&self->expanding);
  for (guint kind = 0; kind < G_N_ELEMENTS (self->reservations); kind++)
    if (self->reservations[kind] != NULL)
      c2g_cuda_reservation_open (self->reservations[kind], device);
  g_mutex_unlock (&self->expanding);
}
