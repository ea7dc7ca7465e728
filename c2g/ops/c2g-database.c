/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-database-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/io/c2g-workspace-io.h>

gboolean
c2g_database_check_argument (const char  *name,
                             const char  *value,
                             GError     **error)
{
  if (*value != '\0')
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("The argument “%s” is missing or empty"), name);
  return FALSE;
}

GFile *
c2g_database_find_file (C2gWorkspace *workspace,
                        const char   *path,
                        gboolean      is_absolute)
{
  return is_absolute ? g_file_new_for_path (path) : c2g_workspace_resolve_path (workspace, path);
}
