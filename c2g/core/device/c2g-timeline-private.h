/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-event.h>

G_BEGIN_DECLS

/* Tracks how much of the work of a context is done. The context and the events recorded on it
 * share a timeline, so that neither needs a list of the other. Thread-safe. */
typedef struct _C2gTimeline C2gTimeline;

C2gTimeline *c2g_timeline_new          (void);
void         c2g_timeline_unref        (C2gTimeline  *self);

/* Schedules the event: it is done when the work recorded so far is done. */
gboolean     c2g_timeline_record       (C2gTimeline  *self,
                                        C2gEvent     *event,
                                        GError      **error);
/* c2g_timeline_get_recorded() returns the number of the latest recorded event;
 * c2g_timeline_finish() marks all events up to such a number as done. */
guint64      c2g_timeline_get_recorded (C2gTimeline  *self);
void         c2g_timeline_finish       (C2gTimeline  *self,
                                        guint64       number);

/* Orders later work of the context behind the event: with the device's own function if there is
 * one, else by waiting here. */
gboolean c2g_event_wait_in_context (C2gEvent    *self,
                                    C2gContext  *context,
                                    GError     **error);

G_END_DECLS
