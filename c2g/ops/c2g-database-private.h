/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace.h>

G_BEGIN_DECLS

/* An argument that must not be empty. */
gboolean  c2g_database_check_argument (const char    *name,
                                       const char    *value,
                                       GError       **error);
/* From the workspace's root folder, unless the path is absolute or meant from where the
 * program runs. */
GFile    *c2g_database_find_file      (C2gWorkspace  *workspace,
                                       const char    *path,
                                       gboolean       is_absolute);

G_END_DECLS
