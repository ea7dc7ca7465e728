/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-context.h>

G_BEGIN_DECLS

/* What a call without a context uses, one a device: a reference. */
C2gContext *c2g_context_shared (C2gDevice  *device,
                                GError    **error);
/* Whether there is one. */
gboolean    c2g_context_can_share (C2gDevice  *device,
                                   GError    **error);

G_END_DECLS
