/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-hold-private.h>

/* Keeps buffers while tensors use their memory, and counts them for each pool. */

/* Finds the pool of a buffer. A copy of a buffer that shares its memory keeps the original from its
 * pool, so the parents are searched too. */
static GstBufferPool *
find_pool (GstBuffer *buffer)
{
  GstParentBufferMeta *parent;

  while (buffer->pool == NULL && (parent = gst_buffer_get_parent_buffer_meta (buffer)) != NULL)
    buffer = parent->buffer;

  return buffer->pool;
}

/* Returns the counter of a pool with a reference: tensors may outlive the pool. */
static int *
acquire_counter (GstBufferPool *pool)
{
  const GQuark quark = g_quark_from_static_string ("c2g-gst-held");
  int *counter;

  GST_OBJECT_LOCK (pool);
  counter = g_object_get_qdata (G_OBJECT (pool), quark);
  if (counter == NULL)
    {
      counter = g_atomic_rc_box_new0 (int);
      g_object_set_qdata_full (G_OBJECT (pool), quark, counter, g_atomic_rc_box_release);
    }
  g_atomic_rc_box_acquire (counter);
  GST_OBJECT_UNLOCK (pool);

  return counter;
}

void
c2g_gst_hold_init (C2gGstHold *self,
                   GstBuffer  *buffer)
{
  GstBufferPool *pool = find_pool (buffer);

  self->buffer = gst_buffer_ref (buffer);
  self->n_held = pool != NULL ? acquire_counter (pool) : NULL;
  if (self->n_held != NULL)
    g_atomic_int_inc (self->n_held);
}

void
c2g_gst_hold_clear (C2gGstHold *self)
{
  if (self->n_held != NULL)
    {
      g_atomic_int_add (self->n_held, -1);
      g_clear_pointer (&self->n_held, g_atomic_rc_box_release);
    }
  gst_clear_buffer (&self->buffer);
}

/* Returns the limit on the buffers of the pool; 0 for no limit. */
static guint
get_max_buffers (GstBufferPool *pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint max = 0;

  gst_buffer_pool_config_get_params (config, NULL, NULL, NULL, &max);
  gst_structure_free (config);

  return max;
}

/* A sink keeps its last buffer, and a source needs one to continue. Half of the others are for
 * tensors. */
gboolean
c2g_gst_hold_starves (const C2gGstHold *self)
{
  guint max;

  if (self->n_held == NULL)
    return FALSE;
  max = get_max_buffers (find_pool (self->buffer));

  return max > 0 && (guint) g_atomic_int_get (self->n_held) > MIN (C2G_GST_MAX_HELD, (max - 1) / 2);
}
