/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/engines/c2g-xnnpack-private.h>

#include <c2g/ops/support/c2g-ops-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>

#include <string.h>

/* No machine has smaller pages: what is in one with memory that can be read can be read. */
#define PAGE_SIZE 4096

/* Floats that are read at once. */
#define N_VECTOR (XNN_EXTRA_BYTES / sizeof (float))

struct _C2gXnnpackThreads
{
  pthreadpool_t pool;
  guint         n;
  /* Under the lock: runs, and one as long as these are those that new runs get. */
  guint         n_refs;
};

static GMutex lock;
static C2gXnnpackThreads *current;

static void
unref_locked (C2gXnnpackThreads *self)
{
  if (--self->n_refs > 0)
    return;
  pthreadpool_destroy (self->pool);
  g_free (self);
}

static C2gXnnpackThreads *
new_threads (guint n)
{
  pthreadpool_t pool = pthreadpool_create (n);
  C2gXnnpackThreads *self;

  if (pool == NULL)
    return NULL;
  self = g_new (C2gXnnpackThreads, 1);
  *self = (C2gXnnpackThreads){ pool, n, 1 };
  return self;
}

C2gXnnpackThreads *
c2g_xnnpack_threads_acquire (void)
{
  const guint n = c2g_parallel_get_n_workers ();
  C2gXnnpackThreads *self;

  if (n < 2)
    return NULL;

  g_mutex_lock (&lock);
  if (current != NULL && current->n != n)
    {
      unref_locked (current);
      current = NULL;
    }
  if (current == NULL)
    current = new_threads (n);
  self = current;
  if (self != NULL)
    self->n_refs++;
  g_mutex_unlock (&lock);
  return self;
}

void
c2g_xnnpack_threads_release (C2gXnnpackThreads *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&lock);
  unref_locked (self);
  g_mutex_unlock (&lock);
}

pthreadpool_t
c2g_xnnpack_threads_get_pool (C2gXnnpackThreads *self)
{
  return self != NULL ? self->pool : NULL;
}

gint64
c2g_xnnpack_count_at_once (double work,
                           gint64 n)
{
  const double n_most = C2G_INTERRUPT_PRODUCTS * (double) c2g_parallel_get_n_workers () / MAX (work, 1);

  if (c2g_interrupt_cancellable == NULL || n_most >= (double) n)
    return n;
  return MAX ((gint64) n_most, 1);
}

gboolean
c2g_xnnpack_is_too_long (double work)
{
  return c2g_interrupt_cancellable != NULL &&
         work > 2 * C2G_INTERRUPT_PRODUCTS * (double) c2g_parallel_get_n_workers ();
}

gboolean
c2g_xnnpack_decline (GError **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("The engine “%s” does not run such operators"), C2G_XNNPACK);
  return FALSE;
}

gboolean
c2g_xnnpack_check (enum xnn_status   status,
                   GError          **error)
{
  if (status == xnn_status_success)
    return TRUE;
  if (status == xnn_status_out_of_memory)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("Not enough memory for the engine “%s”"), C2G_XNNPACK);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED, _("The engine “%s” failed with status %d"),
                 C2G_XNNPACK, (int) status);
  return FALSE;
}

gboolean
c2g_xnnpack_check_new (enum xnn_status   status,
                       xnn_operator_t   *op,
                       GError          **error)
{
  if (status != xnn_status_success)
    *op = NULL;
  return status != xnn_status_out_of_memory || c2g_xnnpack_check (status, error);
}

const float *
c2g_xnnpack_readable (const float  *data,
                      gsize         n,
                      gsize         n_row,
                      C2gScratch   *scratch,
                      GError      **error)
{
  const guintptr end = (guintptr) (data + n);

  /* Whole vectors end where the row does. */
  if (n_row % N_VECTOR == 0 || (end - 1) / PAGE_SIZE == (end - 1 + XNN_EXTRA_BYTES) / PAGE_SIZE)
    return data;
  if (!c2g_scratch_reserve (scratch, 1, n + N_VECTOR, error))
    return NULL;
  return memcpy (scratch->data, data, n * sizeof (float));
}

/* XNNPACK knows no pads that take away from the image.  At the tail only what is seen
 * matters. */
gboolean
c2g_xnnpack_window_place (C2gXnnpackWindow     *self,
                          const C2gWindowPlace *place)
{
  gboolean fits = place->n_dims <= 2;

  for (guint i = 0; i < 2; i++)
    {
      const guint at = C2G_WINDOW_MAX_DIMS - 2 + i;
      const gint64 reach = place->dilation[at] * (place->kernel[at] - 1) + 1;
      const gint64 least = place->in[at] + place->head[at] - reach;
      const gint64 wanted = (place->out[at] - 1) * place->stride[at];

      self->head[i] = place->head[at];
      self->tail[i] = MAX (wanted - least, 0);
      self->kernel[i] = place->kernel[at];
      self->stride[i] = place->stride[at];
      self->dilation[i] = place->dilation[at];
      fits &= self->head[i] >= 0 && least + self->tail[i] < wanted + self->stride[i];
    }
  return fits;
}

gboolean
c2g_xnnpack_weights_are_same (C2gXnnpackWeights *self,
                              const float       *filters,
                              gsize              n_filters,
                              const float       *biases,
                              gsize              n_biases)
{
  const float *copy = self->copy.data;

  if (self->is_constant)
    return TRUE;
  return memcmp (copy, filters, n_filters * sizeof (float)) == 0 &&
         (n_biases == 0 || memcmp (copy + n_filters, biases, n_biases * sizeof (float)) == 0);
}

gboolean
c2g_xnnpack_weights_keep (C2gXnnpackWeights  *self,
                          const float        *filters,
                          gsize               n_filters,
                          const float        *biases,
                          gsize               n_biases,
                          GError            **error)
{
  if (self->is_constant)
    return TRUE;
  if (!c2g_scratch_reserve (&self->copy, 1, n_filters + n_biases, error))
    return FALSE;
  memcpy (self->copy.data, filters, n_filters * sizeof (float));
  if (n_biases > 0)
    memcpy (self->copy.data + n_filters, biases, n_biases * sizeof (float));
  /* XNNPACK packs the weights next, which takes long, and nothing interrupts it there. */
  return !c2g_interrupt_is_wanted ();
}

void
c2g_xnnpack_weights_clear (C2gXnnpackWeights *self)
{
  c2g_scratch_clear (&self->copy);
}

void
c2g_ops_register_xnnpack (void)
{
  if (xnn_initialize (NULL) != xnn_status_success)
    return;
  c2g_xnnpack_register_conv ();
  c2g_xnnpack_register_fc ();
  c2g_xnnpack_register_pool ();
}
