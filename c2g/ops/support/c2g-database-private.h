/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/net/operator/c2g-operator.h>

G_BEGIN_DECLS

/* Checks that a string argument is not empty. */
gboolean  c2g_database_check_argument (const char    *name,
                                       const char    *value,
                                       GError       **error);
/* Returns the file for a path, or NULL with an error if the workspace does not allow this use of
 * it. */
GFile    *c2g_database_find_file      (C2gOperator   *op,
                                       const char    *path,
                                       gboolean       is_absolute,
                                       C2gFileUse     use,
                                       GError       **error);

G_END_DECLS
