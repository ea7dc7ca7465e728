/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Checks the result of a virtual function that programs can override: FALSE must have an error,
 * and TRUE must have none. */
gboolean c2g_vfunc_check_result         (gpointer     object,
                                         gboolean     is_done,
                                         const char  *vfunc,
                                         GError     **error);
gboolean c2g_vfunc_fail_not_implemented (gpointer     object,
                                         const char  *vfunc,
                                         GError     **error);

G_END_DECLS
