/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-bar.h"
#include "c2g-output.h"
#include "c2g-terminal.h"
#include "c2g-watch.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Shows the progress of long work, and cancels it at Ctrl-C. */

/* Milliseconds until the bar is shown, and between updates. */
#define DELAY    500
#define INTERVAL 100

struct _C2gWatch
{
  GCancellable *cancellable;
  GMainContext *context;
  GMainLoop    *loop;
  GThread      *thread;

  /* Number of the received signal; 0 if there was none. */
  int           signal_number;

  GMutex        lock;
  const char   *title;
  gint64        begin;
  /* If set, it counts the bytes instead of the members below. */
  C2gProgress  *progress;
  guint64       n_bytes_done;
  guint64       n_bytes_total;

  gboolean      is_drawn;
};

static C2gBar
get_bar (C2gWatch *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  C2gBar bar = { self->title, self->n_bytes_done, self->n_bytes_total, 0 };

  bar.elapsed = g_get_monotonic_time () - self->begin;
  if (self->progress != NULL)
    {
      bar.n_bytes_done = c2g_progress_get_n_bytes_done (self->progress);
      bar.n_bytes_total = c2g_progress_get_n_bytes_total (self->progress);
    }
  return bar;
}

static void
draw (C2gWatch *self)
{
  gsize width = c2g_terminal_get_width (STDERR_FILENO);
  C2gBar bar = get_bar (self);
  g_autofree char *text = NULL;

  if (width < 2 || bar.title == NULL)
    return;

  text = c2g_bar_to_string (&bar, width - 1, g_get_console_charset (NULL),
                            c2g_terminal_has_colour (STDERR_FILENO));
  g_printerr ("\r%s\033[K", text);
  self->is_drawn = TRUE;
}

static gboolean
draw_cb (gpointer data)
{
  draw (data);
  return G_SOURCE_CONTINUE;
}

static void
attach_timeout (C2gWatch    *self,
                guint        interval,
                GSourceFunc  function)
{
  g_autoptr (GSource) source = g_timeout_source_new (interval);

  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, self->context);
}

static gboolean
begin_drawing_cb (gpointer data)
{
  draw (data);
  attach_timeout (data, INTERVAL, draw_cb);
  return G_SOURCE_REMOVE;
}

static void
interrupt (C2gWatch *self,
           int       signal_number)
{
  self->signal_number = signal_number;
  g_cancellable_cancel (self->cancellable);
}

/* Removes the source, so that a second signal has its default effect and ends the program at
 * once. */
static gboolean
interrupt_cb (gpointer data)
{
  interrupt (data, SIGINT);
  return G_SOURCE_REMOVE;
}

static gboolean
terminate_cb (gpointer data)
{
  interrupt (data, SIGTERM);
  return G_SOURCE_REMOVE;
}

static gboolean
hang_up_cb (gpointer data)
{
  interrupt (data, SIGHUP);
  return G_SOURCE_REMOVE;
}

static void
attach_signal (C2gWatch    *self,
               int          signal_number,
               GSourceFunc  function)
{
  g_autoptr (GSource) source = NULL;
  struct sigaction action;

  /* Keep ignoring a signal that is ignored, as in background jobs and under nohup. */
  if (sigaction (signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
    return;

  source = g_unix_signal_source_new (signal_number);
  g_source_set_callback (source, function, self, NULL);
  g_source_attach (source, self->context);
}

static gpointer
run (gpointer data)
{
  C2gWatch *self = data;

  g_main_loop_run (self->loop);
  return NULL;
}

C2gWatch *
c2g_watch_new (void)
{
  C2gWatch *self = g_new0 (C2gWatch, 1);

  g_mutex_init (&self->lock);
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);

  attach_signal (self, SIGINT, interrupt_cb);
  attach_signal (self, SIGTERM, terminate_cb);
  attach_signal (self, SIGHUP, hang_up_cb);
  if (c2g_terminal_can_redraw (STDERR_FILENO))
    attach_timeout (self, DELAY, begin_drawing_cb);
  self->thread = g_thread_new ("c2g-watch", run, self);
  return self;
}

static gboolean
quit_cb (gpointer data)
{
  C2gWatch *self = data;

  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static void
stop (C2gWatch *self)
{
  if (self->thread == NULL)
    return;

  /* Quit from inside the loop: g_main_loop_quit() has no effect on a loop that does not run yet. */
  attach_timeout (self, 0, quit_cb);
  g_thread_join (g_steal_pointer (&self->thread));
  if (self->is_drawn)
    g_printerr ("\r\033[K");
}

void
c2g_watch_free (C2gWatch *self)
{
  stop (self);
  g_clear_object (&self->progress);
  g_clear_object (&self->cancellable);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_free (self);
}

GCancellable *
c2g_watch_get_cancellable (C2gWatch *self)
{
  return self->cancellable;
}

static void
begin (C2gWatch    *self,
       const char  *title,
       guint64      n_bytes,
       C2gProgress *progress)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  g_set_object (&self->progress, progress);
  self->title = title;
  self->begin = g_get_monotonic_time ();
  self->n_bytes_done = 0;
  self->n_bytes_total = n_bytes;
}

void
c2g_watch_begin (C2gWatch   *self,
                 const char *title,
                 guint64     n_bytes)
{
  begin (self, title, n_bytes, NULL);
}

C2gProgress *
c2g_watch_begin_progress (C2gWatch   *self,
                          const char *title)
{
  g_autoptr (C2gProgress) progress = c2g_progress_new ();

  begin (self, title, 0, progress);
  return progress;
}

void
c2g_watch_advance (C2gWatch *self,
                   guint64   n_bytes)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->n_bytes_done += n_bytes;
}

int
c2g_watch_end (C2gWatch     *self,
               const GError *error,
               int           failure)
{
  stop (self);
  if (error == NULL)
    return C2G_STATUS_SUCCESS;
  if (self->signal_number != 0 && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      c2g_output_error (_("Interrupted"));
      return C2G_STATUS_SIGNAL + self->signal_number;
    }
  c2g_output_error (error->message);
  return failure;
}
