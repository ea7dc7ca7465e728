/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* "minidb" and so on, as programs and the command line say it. */
const char *c2g_kind_get_name  (C2gModelFileKind   kind);
/* Finds a kind that can be written by its name. */
gboolean    c2g_kind_from_name (const char        *name,
                                C2gModelFileKind  *kind,
                                GError           **error);

/* "a minidb checkpoint", "net “x” of 3 operators". */
char *c2g_kind_describe (C2gModelFile *model_file);

char *c2g_kind_describe_plan (C2gPlanDef *plan);
/* By name, or by number where there is none. */
char **c2g_plan_list_nets  (C2gPlanDef *plan);
char **c2g_plan_list_steps (C2gPlanDef *plan);

/* Whether a file of that name, or of the kind if there is one, is an archive that can be
 * compressed. */
gboolean c2g_kind_can_compress (const char *kind,
                                const char *file);
/* Tells whether a file's values can stay where they are, mapped into memory. */
gboolean c2g_kind_can_map      (C2gModelFileKind kind);

G_END_DECLS
