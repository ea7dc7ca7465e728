/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/plan/c2g-plan-step-private.h>

G_BEGIN_DECLS

/* Checks the plan before the first step runs: the fields of each step fit together, its nets are
 * in the plan, and their operator types are known. */
gboolean  c2g_plan_check      (C2gPlan           *self,
                               GError           **error);

/* Returns the number of instances of the step that run at the same time in one workspace. It is 1
 * if each instance has its own workspace. */
guint     c2g_plan_count_shared_instances (C2gExecutionStep *def);

/* Returns the path of a step for messages: its name or number, after those of its parents. */
char     *c2g_plan_make_path  (C2gExecutionStep  *def,
                               const char        *parent_path,
                               gsize              number);

/* Puts the names of plan and step before the message. */
void      c2g_plan_prefix     (C2gPlan           *self,
                               const char        *path,
                               GError           **error);

G_END_DECLS
