/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/device/c2g-types.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_EVENT_STATUS (c2g_event_status_get_type ())
#define C2G_TYPE_EVENT        (c2g_event_get_type ())

/**
 * C2gEventStatus:
 * @C2G_EVENT_INITIALIZED: not recorded yet
 * @C2G_EVENT_SCHEDULED: recorded; the work before it may still be going on
 * @C2G_EVENT_SUCCESS: the work before it is done
 * @C2G_EVENT_FAILED: the work before it failed
 *
 * The states of an event, in Caffe2's numbers.
 */
typedef enum
{
  C2G_EVENT_INITIALIZED = 0,
  C2G_EVENT_SCHEDULED = 1,
  C2G_EVENT_SUCCESS = 2,
  C2G_EVENT_FAILED = 3,
} C2gEventStatus;

C2G_AVAILABLE_IN_ALL
GType           c2g_event_status_get_type   (void);

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gEvent, c2g_event, C2G, EVENT, GObject)

C2G_AVAILABLE_IN_ALL
C2gEvent       *c2g_event_new               (C2gDevice       *device) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_event_get_device        (C2gEvent        *self);
C2G_AVAILABLE_IN_ALL
char           *c2g_event_dup_error_message (C2gEvent        *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char           *c2g_event_get_error_message (C2gEvent        *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gEventStatus  c2g_event_query             (C2gEvent        *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_event_is_scheduled      (C2gEvent        *self);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_event_is_finished       (C2gEvent        *self);

C2G_AVAILABLE_IN_ALL
gboolean        c2g_event_finish            (C2gEvent        *self,
                                             GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean        c2g_event_set_finished      (C2gEvent        *self,
                                             const char      *error_message,
                                             GError         **error);
C2G_AVAILABLE_IN_ALL
void            c2g_event_reset             (C2gEvent        *self);

G_END_DECLS
