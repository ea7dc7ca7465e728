/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-progress-private.h>

#include <c2g/core/types/c2g-property-private.h>

/**
 * C2gProgress:
 *
 * The progress of long work, in bytes.
 *
 * Pass a progress to work such as [method@Workspace.save_checkpoint], in its options. It can
 * be read at any time, and emits [signal@Progress::changed] about a hundred times during the
 * work. It can be reused for other work, which starts at zero again.
 *
 * ```python
 * progress = C2g.Progress()
 * progress.connect('changed', lambda progress, done, total: print(done, total))
 * workspace.save_checkpoint('ckpt.minidb', C2g.SaveOptions(progress=progress))
 * ```
 *
 * ## Threads
 *
 * The numbers can be read in any thread. The signal is emitted in the thread that called the
 * function; for asynchronous work (`_async`) it is emitted in the main context that was the
 * thread's default at the call.
 */

/* The signal is emitted about this many times for the whole work. */
#define N_STEPS 128

struct _C2gProgress
{
  GObject       parent_instance;

  GMutex        lock;
  guint64       n_bytes_done;
  guint64       n_bytes_total;
  /* Value of n_bytes_done at the last emission. */
  guint64       n_bytes_told;

  /* Context or thread in which the signal is emitted. */
  GMainContext *context;
  GThread      *thread;
  gboolean      is_scheduled;
};

enum
{
  PROP_0,
  PROP_N_BYTES_DONE,
  PROP_N_BYTES_TOTAL,
  N_PROPS,
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (C2gProgress, c2g_progress, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_N_BYTES_DONE] = C2G_PROPERTY_READ_ONLY (c2g_progress, n_bytes_done),
  [PROP_N_BYTES_TOTAL] = C2G_PROPERTY_READ_ONLY (c2g_progress, n_bytes_total),
};

static void
c2g_progress_finalize (GObject *object)
{
  C2gProgress *self = C2G_PROGRESS (object);

  g_clear_pointer (&self->context, g_main_context_unref);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_progress_parent_class)->finalize (object);
}

static void
c2g_progress_class_init (C2gProgressClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_progress_finalize;

  /**
   * C2gProgress:n-bytes-done: (getter get_n_bytes_done)
   *
   * The number of bytes that are done.
   */
  props[PROP_N_BYTES_DONE] =
    g_param_spec_uint64 ("n-bytes-done", NULL, NULL,
                         0, G_MAXUINT64, 0,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  /**
   * C2gProgress:n-bytes-total: (getter get_n_bytes_total)
   *
   * The number of bytes to do.
   */
  props[PROP_N_BYTES_TOTAL] =
    g_param_spec_uint64 ("n-bytes-total", NULL, NULL,
                         0, G_MAXUINT64, 0,
                         G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  c2g_properties_install (object_class, N_PROPS, props, rows);

  /**
   * C2gProgress::changed:
   * @self: the progress
   * @n_bytes_done: how many bytes are done
   * @n_bytes_total: how many there are to do
   *
   * Emitted when the work has advanced.
   *
   * In the last emission both numbers are equal, if the work was completed.
   */
  signals[CHANGED] =
    g_signal_new ("changed", C2G_TYPE_PROGRESS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
}

static void
c2g_progress_init (C2gProgress *self)
{
  g_mutex_init (&self->lock);
}

/**
 * c2g_progress_new:
 *
 * Makes a progress for work that has not started.
 *
 * Returns: (transfer full): a progress at zero
 */
C2gProgress *
c2g_progress_new (void)
{
  return g_object_new (C2G_TYPE_PROGRESS, NULL);
}

/**
 * c2g_progress_get_n_bytes_done: (get-property n-bytes-done)
 * @self: a progress
 *
 * Gets how many bytes are done.
 *
 * Returns: the number of bytes
 */
guint64
c2g_progress_get_n_bytes_done (C2gProgress *self)
{
  guint64 n_bytes;

  g_return_val_if_fail (C2G_IS_PROGRESS (self), 0);

  g_mutex_lock (&self->lock);
  n_bytes = self->n_bytes_done;
  g_mutex_unlock (&self->lock);
  return n_bytes;
}

/**
 * c2g_progress_get_n_bytes_total: (get-property n-bytes-total)
 * @self: a progress
 *
 * Gets how many bytes there are to do.
 *
 * Returns: the number of bytes; it is 0 before the work has found out
 */
guint64
c2g_progress_get_n_bytes_total (C2gProgress *self)
{
  guint64 n_bytes;

  g_return_val_if_fail (C2G_IS_PROGRESS (self), 0);

  g_mutex_lock (&self->lock);
  n_bytes = self->n_bytes_total;
  g_mutex_unlock (&self->lock);
  return n_bytes;
}

static void
emit_changed (C2gProgress *self)
{
  guint64 n_bytes_done;
  guint64 n_bytes_total;

  g_mutex_lock (&self->lock);
  self->is_scheduled = FALSE;
  self->n_bytes_told = self->n_bytes_done;
  n_bytes_done = self->n_bytes_done;
  n_bytes_total = self->n_bytes_total;
  g_mutex_unlock (&self->lock);

  g_signal_emit (self, signals[CHANGED], 0, n_bytes_done, n_bytes_total);
}

static gboolean
emit_changed_cb (gpointer data)
{
  emit_changed (data);
  return G_SOURCE_REMOVE;
}

/* Uses the priority of asynchronous results, so that a notification arrives before the result of
 * the work. */
static void
schedule (C2gProgress  *self,
          GMainContext *context)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "c2g_progress");
  g_source_set_callback (source, emit_changed_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, context);
}

void
c2g_progress_begin (C2gProgress  *self,
                    GMainContext *context)
{
  g_mutex_lock (&self->lock);
  self->n_bytes_done = 0;
  self->n_bytes_total = 0;
  self->n_bytes_told = 0;
  /* The context of the previous work may be gone, with its scheduled emission. */
  self->is_scheduled = FALSE;
  self->thread = g_thread_self ();
  g_clear_pointer (&self->context, g_main_context_unref);
  if (context != NULL)
    self->context = g_main_context_ref (context);
  g_mutex_unlock (&self->lock);
}

void
c2g_progress_expect (C2gProgress *self,
                     guint64      n_bytes)
{
  g_mutex_lock (&self->lock);
  self->n_bytes_total += n_bytes;
  g_mutex_unlock (&self->lock);
}

void
c2g_progress_add (C2gProgress *self,
                  guint64      n_bytes)
{
  g_autoptr (GMainContext) context = NULL;
  gboolean is_due;

  g_mutex_lock (&self->lock);
  self->n_bytes_done += n_bytes;
  is_due = self->n_bytes_done == self->n_bytes_total ||
           self->n_bytes_done - self->n_bytes_told >= self->n_bytes_total / N_STEPS;
  if (self->context != NULL && is_due && !self->is_scheduled)
    {
      context = g_main_context_ref (self->context);
      self->is_scheduled = TRUE;
    }
  is_due &= self->context == NULL && self->thread == g_thread_self ();
  g_mutex_unlock (&self->lock);

  if (context != NULL)
    schedule (self, context);
  else if (is_due)
    emit_changed (self);
}
