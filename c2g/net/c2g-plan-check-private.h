/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-plan-step-private.h>

G_BEGIN_DECLS

/* What can be told before the first step runs: whether the fields of all steps go together,
 * their nets are in the plan, and the operators of these are known. */
gboolean  c2g_plan_check      (C2gPlan           *self,
                               GError           **error);

/* How many instances of a step run at the same time in one workspace: 1 where each has its own. */
guint     c2g_plan_count_shared_instances (C2gExecutionStep *def);

/* What a step is called in messages: its name, or its number, after those it is in. */
char     *c2g_plan_make_path  (C2gExecutionStep  *def,
                               const char        *parent_path,
                               gsize              number);

/* Puts the names of plan and step in front of a message. */
void      c2g_plan_prefix     (C2gPlan           *self,
                               const char        *path,
                               GError           **error);

G_END_DECLS
