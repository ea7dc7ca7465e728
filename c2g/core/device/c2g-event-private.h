/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-event.h>

G_BEGIN_DECLS

/* Orders later work of the context behind the event: with the device's own function if there is
 * one, else by waiting here. */
gboolean c2g_event_wait_in_context (C2gEvent    *self,
                                    C2gContext  *context,
                                    GError     **error);

G_END_DECLS
