/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-event.h>

G_BEGIN_DECLS

/* How much of the work of a context is done.  The events that were recorded on it
 * share this with it, so that neither needs a list of the other.  Any thread.
 */
typedef struct _C2gTimeline C2gTimeline;

C2gTimeline *c2g_timeline_new          (void);
void         c2g_timeline_unref        (C2gTimeline  *self);

/* Schedules event as done when the work recorded so far is. */
gboolean     c2g_timeline_record       (C2gTimeline  *self,
                                        C2gEvent     *event,
                                        GError      **error);
/* How many events were recorded; and that as many are done. */
guint64      c2g_timeline_get_recorded (C2gTimeline  *self);
void         c2g_timeline_finish       (C2gTimeline  *self,
                                        guint64       number);

G_END_DECLS
