/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-context.h>

G_BEGIN_DECLS

/* Returns a reference to the shared context of the device, for calls without a context. It is
 * made if there is none, or if the device has lost its state since. */
C2gContext *c2g_context_shared (C2gDevice  *device,
                                GError    **error);
/* Returns the first context of the device in the array, without a reference; NULL if there is
 * none. */
C2gContext *c2g_context_find      (GPtrArray  *contexts,
                                   C2gDevice  *device);
/* Returns TRUE if the device has a shared context, or one can be made. */
gboolean    c2g_context_can_share (C2gDevice  *device,
                                   GError    **error);

G_END_DECLS
