/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-database-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Checks the path of a database in an operator's argument. Load, Save and similar operators use it. */

gboolean
c2g_database_check_argument (const char  *name,
                             const char  *value,
                             GError     **error)
{
  if (*value != '\0')
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The argument “%s” is missing or empty"),
                   name);
}

GFile *
c2g_database_find_file (C2gOperator  *op,
                        const char   *path,
                        gboolean      is_absolute,
                        C2gFileUse    use,
                        GError      **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_operator_ref_workspace (op, error);
  g_auto (C2gFileRules) rules = { 0 };

  if (workspace == NULL)
    return NULL;
  c2g_workspace_get_file_rules (workspace, &rules);
  return c2g_net_file_find (&rules, c2g_operator_get_op_type (op), path, is_absolute, use, error);
}
