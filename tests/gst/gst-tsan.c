/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <gst/gst.h>

/* GStreamer is not compiled for ThreadSanitizer, as GLib is not: glib-tsan.c says what that means.
 * What it orders by the stream locks of pads, by the reference counts of buffers and events, and by the queues of
 * harnesses is told here. */

static gpointer
real_function (const char *name)
{
  gpointer function = dlsym (RTLD_NEXT, name);

  g_assert (function != NULL);
  return function;
}

#define CALL(name, ...) (((__typeof__ (&(name))) real_function (#name)) (__VA_ARGS__))

void
g_rec_mutex_lock (GRecMutex *mutex)
{
  CALL (g_rec_mutex_lock, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_rec_mutex_trylock (GRecMutex *mutex)
{
  gboolean is_locked = CALL (g_rec_mutex_trylock, mutex);

  if (is_locked)
    __tsan_acquire (mutex);
  return is_locked;
}

void
g_rec_mutex_unlock (GRecMutex *mutex)
{
  __tsan_release (mutex);
  CALL (g_rec_mutex_unlock, mutex);
}

/* Whoever drops the last reference sees what the others did before they dropped theirs. */
void
gst_mini_object_unref (GstMiniObject *object)
{
  int count = __atomic_load_n (&object->refcount, __ATOMIC_ACQUIRE);

  while (count > 1)
    {
      if (__atomic_compare_exchange_n (&object->refcount, &count, count - 1, FALSE,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    }
  CALL (gst_mini_object_unref, object);
}

/* The same holds for the records of tensors, which copies of a buffer share. Only the last one is
 * asked to clear the box. */

static __thread GDestroyNotify last_clear;

static void
clear_box (gpointer box)
{
  GDestroyNotify clear = last_clear;

  __tsan_acquire (box);
  if (clear != NULL)
    clear (box);
}

void
g_atomic_rc_box_release_full (gpointer        box,
                              GDestroyNotify  clear)
{
  __tsan_release (box);
  last_clear = clear;
  CALL (g_atomic_rc_box_release_full, box, clear_box);
}

void
g_async_queue_push (GAsyncQueue *queue,
                    gpointer     data)
{
  __tsan_release (queue);
  CALL (g_async_queue_push, queue, data);
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data = CALL (g_async_queue_try_pop, queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue,
                           guint64      timeout)
{
  gpointer data = CALL (g_async_queue_timeout_pop, queue, timeout);

  __tsan_acquire (queue);
  return data;
}
