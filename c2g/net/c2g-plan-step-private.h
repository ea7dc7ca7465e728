/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace.h>
#include <c2g/net/c2g-net.h>
#include <c2g/net/c2g-plan-def.h>

G_BEGIN_DECLS

/* What all steps of a plan share. */
typedef struct
{
  C2gPlanDef   *def;
  C2gWorkspace *workspace;

  GMutex        lock;
  /* Names of nets that the workspace had before, and that were not replaced yet. */
  GHashTable   *old_nets;
  /* How many workspaces there have been. */
  guint         n_workspaces;

  /* Main context for callbacks, and the thread that iterates it when the plan made it. */
  GMainContext *home;
  GThread      *home_thread;
} C2gPlan;

/* A step with its nets, made in a workspace. */
typedef struct
{
  C2gPlan          *plan;
  C2gExecutionStep *def;
  /* Its name and those of the steps it is in. */
  char             *path;

  C2gWorkspace     *workspace;
  /* Of C2gNet. */
  GPtrArray        *nets;
  C2gNet           *report_net;
  C2gNet           *criteria_net;
  C2gBlob          *criteria;
  C2gBlob          *should_stop;

  /* Of C2gPlanStep: those that are run one after the other, or at once, and those that are
   * run every now and then meanwhile. */
  GPtrArray        *substeps;
  GPtrArray        *reports;
} C2gPlanStep;

/* A step that has its own workspace is empty until it runs: each run is in a new one. */
C2gPlanStep *c2g_plan_step_new      (C2gPlan           *plan,
                                     C2gExecutionStep  *def,
                                     const char        *parent_path,
                                     gsize              number,
                                     C2gWorkspace      *workspace,
                                     GError           **error);
void         c2g_plan_step_free     (C2gPlanStep       *self);

/* One that has been made in a new workspace below that of an empty one. */
C2gPlanStep *c2g_plan_step_new_run  (C2gPlanStep       *self,
                                     GError           **error);

/* Puts the names of plan and step in front of a message. */
void         c2g_plan_step_prefix   (C2gPlanStep       *self,
                                     GError           **error);

/* Whether the blob holds a true value; what is empty is false. */
gboolean     c2g_plan_step_read     (C2gBlob           *blob,
                                     gboolean          *value,
                                     GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gPlanStep, c2g_plan_step_free)

G_END_DECLS
