/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Returns the name of the kind on the command line, such as "minidb". */
const char *c2g_kind_get_name  (C2gModelFileKind   kind);
/* Finds a kind that can be written by its name. */
gboolean    c2g_kind_from_name (const char        *name,
                                C2gModelFileKind  *kind,
                                GError           **error);

/* Describes the file, such as "a minidb checkpoint" or "net “x” of 3 operators". */
char *c2g_kind_describe (C2gModelFile *model_file);

char *c2g_kind_describe_plan (C2gPlanDef *plan);
/* List the names, or numbers for those without a name. */
char **c2g_plan_list_nets  (C2gPlanDef *plan);
char **c2g_plan_list_steps (C2gPlanDef *plan);

/* Returns TRUE if a file of this kind, or with this name if kind is NULL, is an archive that can be
 * compressed. */
gboolean c2g_kind_can_compress (const char *kind,
                                const char *file);
/* Returns TRUE if the values of such a file can be mapped into memory. */
gboolean c2g_kind_can_map      (C2gModelFileKind kind);

G_END_DECLS
