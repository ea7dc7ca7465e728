/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-plan-def.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

/* Shared by all steps of a plan. */
typedef struct
{
  C2gPlanDef   *def;
  C2gWorkspace *workspace;

  GMutex        lock;
  /* Names of nets that existed before the plan and are not replaced yet. */
  GHashTable   *old_nets;
  /* Number of workspaces made so far. */
  guint         n_workspaces;

  /* Main context for callbacks, and the thread that iterates it when the plan made it. */
  GMainContext *home;
  GThread      *home_thread;
} C2gPlan;

/* A step and its nets, made in a workspace. */
typedef struct
{
  C2gPlan          *plan;
  C2gExecutionStep *def;
  /* Names of the parent steps and of this one, for messages. */
  char             *path;

  C2gWorkspace     *workspace;
  /* Array of C2gNet. */
  GPtrArray        *nets;
  C2gNet           *report_net;
  C2gNet           *criteria_net;
  C2gBlob          *criteria;
  C2gBlob          *should_stop;

  /* Arrays of C2gPlanStep. The substeps run in sequence or concurrently; the reports run at
   * intervals meanwhile (run-every-ms). */
  GPtrArray        *substeps;
  GPtrArray        *reports;
} C2gPlanStep;

/* A step with create-workspace has no nets until it runs: each run makes them in a new
 * workspace. */
C2gPlanStep *c2g_plan_step_new      (C2gPlan           *plan,
                                     C2gExecutionStep  *def,
                                     const char        *parent_path,
                                     gsize              number,
                                     C2gWorkspace      *workspace,
                                     GError           **error);
void         c2g_plan_step_free     (C2gPlanStep       *self);

/* Makes the nets of such a step in a new child workspace. */
C2gPlanStep *c2g_plan_step_new_run  (C2gPlanStep       *self,
                                     GError           **error);

/* Puts the names of plan and step before the message. */
void         c2g_plan_step_prefix   (C2gPlanStep       *self,
                                     GError           **error);

/* Reads a boolean from the blob; an empty blob is FALSE. */
gboolean     c2g_plan_step_read     (C2gBlob           *blob,
                                     gboolean          *value,
                                     GError           **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gPlanStep, c2g_plan_step_free)

G_END_DECLS
