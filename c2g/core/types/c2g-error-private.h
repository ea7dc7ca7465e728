/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-error.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sets the GIOErrorEnum of a value of errno, with the name of the file. Returns FALSE. */
gboolean c2g_set_errno (GError     **error,
                        const char  *name,
                        int          code);

G_END_DECLS
