/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-tracking-allocator.h>

/**
 * C2gTrackingAllocator:
 *
 * An allocator that counts allocations.
 *
 * The process-wide [class@MemoryReporter] knows all memory; this allocator counts only the
 * part of the program that uses it. The requested sizes count, not the rounded ones of the
 * upstream.
 *
 * ```c
 * g_autoptr (C2gAllocator) allocator = c2g_tracking_allocator_new (NULL);
 * g_autoptr (C2gStorage) storage =
 *   c2g_allocator_allocate (allocator, 4096, NULL, &error);
 * C2gTrackingAllocator *tracking = C2G_TRACKING_ALLOCATOR (allocator);
 *
 * g_print ("%" G_GUINT64_FORMAT " bytes at most\n",
 *          c2g_tracking_allocator_get_peak_bytes (tracking));
 * ```
 *
 * ## Threads
 *
 * All functions can be called from any thread. Each number is right at the moment
 * it is read; two numbers read one after the other may belong to different moments.
 */

struct _C2gTrackingAllocator
{
  C2gAdaptorAllocator parent_instance;

  GMutex              lock;
  guint64             current_bytes;
  guint64             peak_bytes;
  guint64             total_bytes;
  guint64             n_blocks;
  guint64             n_allocations;
  guint64             n_failures;
};

G_DEFINE_FINAL_TYPE (C2gTrackingAllocator, c2g_tracking_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

static guint64
read_counter (C2gTrackingAllocator *self,
              const guint64        *counter)
{
  guint64 value;

  g_mutex_lock (&self->lock);
  value = *counter;
  g_mutex_unlock (&self->lock);

  return value;
}

static void
count_allocation (C2gTrackingAllocator *self,
                  gsize                 n_bytes)
{
  g_mutex_lock (&self->lock);
  self->current_bytes += n_bytes;
  self->peak_bytes = MAX (self->peak_bytes, self->current_bytes);
  self->total_bytes += n_bytes;
  self->n_blocks++;
  self->n_allocations++;
  g_mutex_unlock (&self->lock);
}

static void
count_failure (C2gTrackingAllocator *self)
{
  g_mutex_lock (&self->lock);
  self->n_failures++;
  g_mutex_unlock (&self->lock);
}

static C2gStorage *
c2g_tracking_allocator_allocate (C2gAllocator *allocator,
                                 gsize         n_bytes,
                                 C2gContext   *context,
                                 GError      **error)
{
  C2gTrackingAllocator *self = C2G_TRACKING_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (c2g_tracking_allocator_parent_class);
  C2gStorage *storage;

  storage = parent_class->allocate (allocator, n_bytes, context, error);
  if (storage != NULL)
    count_allocation (self, n_bytes);
  else
    count_failure (self);

  return storage;
}

static void
c2g_tracking_allocator_released (C2gAllocator *allocator,
                                 guint64       address,
                                 gsize         n_bytes)
{
  C2gTrackingAllocator *self = C2G_TRACKING_ALLOCATOR (allocator);

  g_mutex_lock (&self->lock);
  /* A language binding may call `released` for a block that was never allocated. */
  self->current_bytes -= MIN (n_bytes, self->current_bytes);
  self->n_blocks -= MIN (1, self->n_blocks);
  g_mutex_unlock (&self->lock);
}

static void
c2g_tracking_allocator_finalize (GObject *object)
{
  C2gTrackingAllocator *self = C2G_TRACKING_ALLOCATOR (object);

  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_tracking_allocator_parent_class)->finalize (object);
}

static void
c2g_tracking_allocator_class_init (C2gTrackingAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);

  object_class->finalize = c2g_tracking_allocator_finalize;

  allocator_class->allocate = c2g_tracking_allocator_allocate;
  allocator_class->released = c2g_tracking_allocator_released;
}

static void
c2g_tracking_allocator_init (C2gTrackingAllocator *self)
{
  g_mutex_init (&self->lock);
}

/**
 * c2g_tracking_allocator_new:
 * @upstream: (nullable): where the memory comes from, or `NULL` for the built-in
 *   allocator of the CPU
 *
 * Makes an allocator that counts.
 *
 * Returns: (transfer full): a new tracking allocator
 */
C2gAllocator *
c2g_tracking_allocator_new (C2gAllocator *upstream)
{
  g_return_val_if_fail (upstream == NULL || C2G_IS_ALLOCATOR (upstream), NULL);

  return g_object_new (C2G_TYPE_TRACKING_ALLOCATOR,
                       "upstream", upstream,
                       NULL);
}

/**
 * c2g_tracking_allocator_get_current_bytes:
 * @self: a tracking allocator
 *
 * Gets the number of bytes in use.
 *
 * Returns: the requested bytes that are not freed yet
 */
guint64
c2g_tracking_allocator_get_current_bytes (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->current_bytes);
}

/**
 * c2g_tracking_allocator_get_peak_bytes:
 * @self: a tracking allocator
 *
 * Gets the maximum number of bytes in use.
 *
 * Returns: the largest number of bytes at a time, since the start or since
 *   [method@TrackingAllocator.reset_peak]
 */
guint64
c2g_tracking_allocator_get_peak_bytes (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->peak_bytes);
}

/**
 * c2g_tracking_allocator_get_total_bytes:
 * @self: a tracking allocator
 *
 * Gets how many bytes were ever allocated, freed or not.
 *
 * Returns: the sum of all successful requests
 */
guint64
c2g_tracking_allocator_get_total_bytes (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->total_bytes);
}

/**
 * c2g_tracking_allocator_get_n_blocks:
 * @self: a tracking allocator
 *
 * Gets the number of live blocks.
 *
 * Returns: the number of blocks that are not freed yet
 */
guint64
c2g_tracking_allocator_get_n_blocks (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->n_blocks);
}

/**
 * c2g_tracking_allocator_get_n_allocations:
 * @self: a tracking allocator
 *
 * Gets how many allocations succeeded.
 *
 * Returns: the number of blocks ever allocated
 */
guint64
c2g_tracking_allocator_get_n_allocations (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->n_allocations);
}

/**
 * c2g_tracking_allocator_get_n_failures:
 * @self: a tracking allocator
 *
 * Gets how many allocations failed, for whatever reason.
 *
 * Returns: the number of failures of the upstream
 */
guint64
c2g_tracking_allocator_get_n_failures (C2gTrackingAllocator *self)
{
  g_return_val_if_fail (C2G_IS_TRACKING_ALLOCATOR (self), 0);

  return read_counter (self, &self->n_failures);
}

/**
 * c2g_tracking_allocator_reset_peak:
 * @self: a tracking allocator
 *
 * Resets the peak to the bytes in use now.
 */
void
c2g_tracking_allocator_reset_peak (C2gTrackingAllocator *self)
{
  g_return_if_fail (C2G_IS_TRACKING_ALLOCATOR (self));

  g_mutex_lock (&self->lock);
  self->peak_bytes = self->current_bytes;
  g_mutex_unlock (&self->lock);
}
