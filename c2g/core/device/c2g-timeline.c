/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-timeline-private.h>

#include <c2g/core/device/c2g-device-backend.h>

/* Counts the work recorded and finished on a context, so that events know when they are done.
 * C2gContext uses it for classes that do not override record(), such as the CPU's. The calls of
 * such a context return when their work is done. So waiting for an event returns at once;
 * c2g_event_query() tells it is scheduled until the event or the context is finished. */

struct _C2gTimeline
{
  gatomicrefcount ref_count;

  /* Number of the latest recording, and of the latest one that is finished. */
  guint64         recorded;
  guint64         finished;
};

/* The handle of a recorded event. */
typedef struct
{
  C2gTimeline *timeline;
  guint64      number;
} Mark;

C2gTimeline *
c2g_timeline_new (void)
{
  C2gTimeline *self = g_new0 (C2gTimeline, 1);

  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

void
c2g_timeline_unref (C2gTimeline *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    g_free (self);
}

static C2gEventStatus
query_mark (gpointer  handle,
            GError  **error)
{
  const Mark *mark = handle;

  return __atomic_load_n (&mark->timeline->finished, __ATOMIC_ACQUIRE) >= mark->number
             ? C2G_EVENT_SUCCESS
             : C2G_EVENT_SCHEDULED;
}

/* This work was done synchronously, so there is nothing to wait for. */
static gboolean
finish_mark (gpointer  handle,
             GError  **error)
{
  return TRUE;
}

static void
free_mark (gpointer handle)
{
  Mark *mark = handle;

  c2g_timeline_unref (mark->timeline);
  g_free (mark);
}

static const C2gEventFuncs mark_funcs = {
  .query = query_mark,
  .finish = finish_mark,
  .free = free_mark,
};

gboolean
c2g_timeline_record (C2gTimeline  *self,
                     C2gEvent     *event,
                     GError      **error)
{
  Mark *mark = g_new (Mark, 1);

  g_atomic_ref_count_inc (&self->ref_count);
  mark->timeline = self;
  mark->number = __atomic_add_fetch (&self->recorded, 1, __ATOMIC_ACQ_REL);

  return c2g_event_schedule (event, &mark_funcs, mark, error);
}

guint64
c2g_timeline_get_recorded (C2gTimeline *self)
{
  return __atomic_load_n (&self->recorded, __ATOMIC_ACQUIRE);
}

void
c2g_timeline_finish (C2gTimeline *self,
                     guint64      number)
{
  guint64 finished = __atomic_load_n (&self->finished, __ATOMIC_ACQUIRE);

  while (finished < number &&
         !__atomic_compare_exchange_n (&self->finished, &finished, number, FALSE,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    ;
}
