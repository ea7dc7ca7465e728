/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-context-call-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Calls a function in the thread of a main context and waits for it. Nets, plans, predictors and
 * saving that run in another thread use it for code of the program. */

/* Shared by the waiting thread and the source in the context; each has a reference. */
typedef struct
{
  gatomicrefcount     ref_count;

  C2gContextCallFunc  func;
  gpointer            data;
  GDestroyNotify      destroy;

  GMutex              lock;
  GCond               changed;
  gboolean            is_cancelled;
  gboolean            is_finished;
  /* Set when is_finished: one of the two. */
  GBytes             *result;
  GError             *error;
} Call;

static void
call_unref (Call *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->destroy != NULL)
    self->destroy (self->data);
  g_clear_pointer (&self->result, g_bytes_unref);
  g_clear_error (&self->error);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static void
finish (Call   *self,
        GBytes *result,
        GError *error)
{
  g_mutex_lock (&self->lock);
  self->result = result;
  self->error = error;
  self->is_finished = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
is_finished (Call *self)
{
  gboolean finished;

  g_mutex_lock (&self->lock);
  finished = self->is_finished;
  g_mutex_unlock (&self->lock);
  return finished;
}

static gboolean
is_wanted (Call *self)
{
  gboolean wanted;

  g_mutex_lock (&self->lock);
  wanted = !self->is_cancelled;
  g_mutex_unlock (&self->lock);
  return wanted;
}

static gboolean
call_cb (gpointer data)
{
  Call *self = data;

  if (is_wanted (self))
    {
      GError *error = NULL;
      GBytes *result = self->func (self->data, &error);

      finish (self, result, error);
    }

  return G_SOURCE_REMOVE;
}

/* Called when the source is removed: after the call, or because the context was freed. */
static void
lose_cb (gpointer data)
{
  Call *self = data;

  if (!is_finished (self))
    finish (self, NULL,
            g_error_new_literal (C2G_ERROR, C2G_ERROR_FAILED,
                                 _("The main context of the caller is gone")));
  call_unref (self);
}

static void
cancelled_cb (GCancellable *cancellable,
              gpointer      data)
{
  Call *self = data;

  g_mutex_lock (&self->lock);
  self->is_cancelled = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* Uses the default priority, like the results of asynchronous functions. */
static void
schedule (Call         *self,
          GMainContext *context)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_atomic_ref_count_inc (&self->ref_count);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "c2g_context_call");
  g_source_set_callback (source, call_cb, self, lose_cb);
  g_source_attach (source, context);
}

static GBytes *
wait_for (Call          *self,
          GCancellable  *cancellable,
          GError       **error)
{
  GBytes *result = NULL;
  gulong handler = 0;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self, NULL);

  g_mutex_lock (&self->lock);
  while (!self->is_finished && !self->is_cancelled)
    g_cond_wait (&self->changed, &self->lock);
  /* A cancelled wait reports the cancellation, not the error of the source. */
  if (self->result != NULL)
    result = g_steal_pointer (&self->result);
  else if (self->is_cancelled)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("The work was cancelled"));
  else
    g_propagate_error (error, g_steal_pointer (&self->error));
  g_mutex_unlock (&self->lock);

  g_cancellable_disconnect (cancellable, handler);
  return result;
}

GBytes *
c2g_context_call (GMainContext        *context,
                  C2gContextCallFunc   func,
                  gpointer             data,
                  GDestroyNotify       destroy,
                  GCancellable        *cancellable,
                  GError             **error)
{
  GBytes *result;
  Call *self;

  if (context == NULL)
    {
      result = func (data, error);
      if (destroy != NULL)
        destroy (data);
      return result;
    }

  self = g_new0 (Call, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->func = func;
  self->data = data;
  self->destroy = destroy;

  schedule (self, context);
  result = wait_for (self, cancellable, error);
  call_unref (self);
  return result;
}
