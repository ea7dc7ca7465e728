/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Mends the error of a virtual function that programs can override: sets one if it returned
 * FALSE without an error, and clears one if it returned TRUE. Returns is_done. */
gboolean c2g_vfunc_check_result         (gpointer     object,
                                         gboolean     is_done,
                                         const char  *vfunc,
                                         GError     **error);
/* Fails because the class of the object does not override a function that has no default. */
gboolean c2g_vfunc_fail_not_implemented (gpointer     object,
                                         const char  *vfunc,
                                         GError     **error);

G_END_DECLS
