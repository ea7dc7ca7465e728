/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/plan/c2g-workspace-plan.h>

#include <c2g/def/c2g-execution-step-private.h>
#include <c2g/net/plan/c2g-plan-check-private.h>
#include <c2g/net/plan/c2g-plan-step-private.h>
#include <c2g/net/run/c2g-net-private.h>
#include <c2g/net/run/c2g-workspace-net.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>

/* Runs plans: trees of steps, which run one after the other or each in a thread. */

/* The threads of one run of a step, for its concurrent substeps or for its reports. */
typedef struct
{
  C2gPlan      *plan;
  C2gPlanStep  *step;
  /* Cancelled when the run is cancelled or one of the threads fails. */
  GCancellable *cancellable;

  GMutex        lock;
  GCond         changed;
  guint         n_running;
  guint         n_begun;
  /* Set when the reporting threads must end. */
  gboolean      is_over;
  /* The first error of any thread. */
  GError       *error;
} Group;

/* Data of one reporting thread. */
typedef struct
{
  Group       *group;
  C2gPlanStep *step;
  C2gNet      *net;
  gint64       interval;
} Report;

static gboolean run_step    (C2gPlanStep   *step,
                             GCancellable  *cancellable,
                             GError       **error);
static gboolean run_content (C2gPlanStep   *step,
                             GCancellable  *cancellable,
                             GError       **error);

static gboolean
is_at_home (C2gPlan *plan)
{
  return plan->home_thread == g_thread_self ();
}

static gboolean
run_net (C2gPlanStep   *step,
         C2gNet        *net,
         GCancellable  *cancellable,
         GError       **error)
{
  gboolean is_home = is_at_home (step->plan);

  if (c2g_net_run_away (net, is_home ? NULL : step->plan->home, cancellable, error))
    {
      /* Run the calls that other threads have posted to this thread. */
      while (is_home && g_main_context_iteration (step->plan->home, FALSE))
        ;
      return TRUE;
    }

  c2g_plan_step_prefix (step, error);
  return FALSE;
}

static void
cancelled_cb (GCancellable *outer,
              GCancellable *inner)
{
  g_cancellable_cancel (inner);
}

static gulong
group_init (Group        *self,
            C2gPlanStep  *step,
            GCancellable *cancellable)
{
  self->plan = step->plan;
  self->step = step;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  if (cancellable == NULL)
    return 0;
  return g_cancellable_connect (cancellable, G_CALLBACK (cancelled_cb), self->cancellable, NULL);
}

static void
group_clear (Group        *self,
             GCancellable *cancellable,
             gulong        handler)
{
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

/* Keeps the first error and cancels the other threads. Takes ownership of ERROR. */
static void
group_fail (Group  *self,
            GError *error)
{
  g_mutex_lock (&self->lock);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->lock);

  g_clear_error (&error);
  g_cancellable_cancel (self->cancellable);
}

/* The last call of a thread: the group may be freed once the lock is released. So the context is
 * referenced before. */
static void
group_leave (Group *self)
{
  GMainContext *home = g_main_context_ref (self->plan->home);

  g_mutex_lock (&self->lock);
  self->n_running--;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);

  g_main_context_wakeup (home);
  g_main_context_unref (home);
}

static gboolean
group_is_running (Group *self)
{
  gboolean is_running;

  g_mutex_lock (&self->lock);
  is_running = self->n_running > 0;
  g_mutex_unlock (&self->lock);

  return is_running;
}

/* Waits for the worker threads. The owner runs the calls that they post to it while it waits. */
static void
group_wait (Group *self)
{
  if (is_at_home (self->plan))
    while (group_is_running (self))
      g_main_context_iteration (self->plan->home, TRUE);

  g_mutex_lock (&self->lock);
  while (self->n_running > 0)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

static gboolean
group_add_thread (Group        *self,
                  GThreadFunc   func,
                  gpointer      data,
                  GError      **error)
{
  GThread *thread;

  g_mutex_lock (&self->lock);
  self->n_running++;
  g_mutex_unlock (&self->lock);

  thread = g_thread_try_new ("c2g-plan", func, data, error);
  if (thread == NULL)
    {
      c2g_plan_step_prefix (self->step, error);
      group_leave (self);
      return FALSE;
    }
  g_thread_unref (thread);
  return TRUE;
}

/* Runs one substep. The threads of a group take the substeps in turn; with several instances of
 * the step, each substep is taken once for each instance. */
static gpointer
substep_cb (gpointer data)
{
  Group *group = data;
  GError *error = NULL;
  guint number;

  g_mutex_lock (&group->lock);
  number = group->n_begun++ % group->step->substeps->len;
  g_mutex_unlock (&group->lock);

  if (!run_step (g_ptr_array_index (group->step->substeps, number), group->cancellable, &error))
    group_fail (group, error);
  group_leave (group);

  return NULL;
}

/* Runs a step with create-workspace once, in a new workspace. */
static gboolean
run_instance (C2gPlanStep   *step,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (C2gPlanStep) instance = c2g_plan_step_new_run (step, error);

  return instance != NULL && run_content (instance, cancellable, error);
}

static gpointer
instance_cb (gpointer data)
{
  Group *group = data;
  GError *error = NULL;

  if (!run_instance (group->step, group->cancellable, &error))
    group_fail (group, error);
  group_leave (group);

  return NULL;
}

/* Runs FUNC in n_threads threads and waits for them. */
static gboolean
run_at_once (C2gPlanStep   *step,
             guint          n_threads,
             GThreadFunc    func,
             GCancellable  *cancellable,
             GError       **error)
{
  Group group = { 0 };
  GError *local_error = NULL;
  gulong handler;
  gboolean is_done;

  handler = group_init (&group, step, cancellable);
  for (guint i = 0; i < n_threads && local_error == NULL; i++)
    if (!group_add_thread (&group, func, &group, &local_error))
      group_fail (&group, g_error_copy (local_error));
  group_wait (&group);
  g_clear_error (&local_error);

  is_done = group.error == NULL;
  if (!is_done)
    g_propagate_error (error, g_steal_pointer (&group.error));
  group_clear (&group, cancellable, handler);
  return is_done;
}

/* Reads the blob that can end the step; FALSE without such a blob. */
static gboolean
check_should_stop (C2gPlanStep  *step,
                   gboolean     *should_stop,
                   GError      **error)
{
  *should_stop = FALSE;
  if (step->should_stop == NULL || c2g_plan_step_read (step->should_stop, should_stop, error))
    return TRUE;

  c2g_plan_step_prefix (step, error);
  return FALSE;
}

static gboolean
run_substeps (C2gPlanStep   *step,
              gboolean      *should_stop,
              GCancellable  *cancellable,
              GError       **error)
{
  gboolean is_concurrent = c2g_execution_step_get_concurrent_substeps (step->def) &&
                           c2g_execution_step_get_n_substeps (step->def) > 1;
  const guint n_instances = c2g_plan_count_shared_instances (step->def);

  if (step->substeps->len == 0)
    return check_should_stop (step, should_stop, error);
  if (is_concurrent || n_instances > 1)
    return run_at_once (step, n_instances * step->substeps->len, substep_cb, cancellable, error) &&
           check_should_stop (step, should_stop, error);

  for (guint i = 0; i < step->substeps->len && !*should_stop; i++)
    if (!run_step (g_ptr_array_index (step->substeps, i), cancellable, error) ||
        !check_should_stop (step, should_stop, error))
      return FALSE;

  return TRUE;
}

static gboolean
run_nets (C2gPlanStep   *step,
          gboolean      *should_stop,
          GCancellable  *cancellable,
          GError       **error)
{
  for (guint i = 0; i < step->nets->len && !*should_stop; i++)
    if (!run_net (step, g_ptr_array_index (step->nets, i), cancellable, error) ||
        !check_should_stop (step, should_stop, error))
      return FALSE;

  return TRUE;
}

/* Decides if there is another iteration: by num_iter, by only_once, or by the criteria net. */
static gboolean
check_goes_on (C2gPlanStep   *step,
               gint64         iteration,
               gboolean      *goes_on,
               GCancellable  *cancellable,
               GError       **error)
{
  const Caffe2__ExecutionStep *message = &step->def->message;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    {
      c2g_plan_step_prefix (step, error);
      return FALSE;
    }

  if (message->has_num_iter)
    *goes_on = iteration < message->num_iter;
  else if (message->should_stop_blob != NULL)
    *goes_on = !message->only_once || iteration == 0;
  else
    *goes_on = step->criteria_net != NULL || iteration == 0;
  if (!*goes_on || step->criteria_net == NULL)
    return TRUE;

  if (!run_net (step, step->criteria_net, cancellable, error))
    return FALSE;
  if (c2g_plan_step_read (step->criteria, goes_on, error))
    return TRUE;
  c2g_plan_step_prefix (step, error);
  return FALSE;
}

static gboolean
run_iterations (C2gPlanStep   *step,
                GCancellable  *cancellable,
                GError       **error)
{
  gboolean should_stop = FALSE;
  gboolean goes_on;

  for (gint64 i = 0; !should_stop; i++)
    {
      if (!check_goes_on (step, i, &goes_on, cancellable, error))
        return FALSE;
      if (!goes_on)
        break;
      if (!run_nets (step, &should_stop, cancellable, error) ||
          (!should_stop && !run_substeps (step, &should_stop, cancellable, error)))
        return FALSE;
    }

  return TRUE;
}

/* Waits until the next report is due (returns TRUE), or the step is over (returns FALSE; then one
 * last report follows). */
static gboolean
wait_for_report (Report *self)
{
  gint64 end = g_get_monotonic_time () + MAX (self->interval, 1000);
  gboolean is_over;

  g_mutex_lock (&self->group->lock);
  while (!self->group->is_over)
    if (!g_cond_wait_until (&self->group->changed, &self->group->lock, end))
      break;
  is_over = self->group->is_over;
  g_mutex_unlock (&self->group->lock);

  return !is_over;
}

static gboolean
report (Report  *self,
        GError **error)
{
  GCancellable *cancellable = self->group->cancellable;

  return self->net != NULL ? run_net (self->step, self->net, cancellable, error)
                           : run_step (self->step, cancellable, error);
}

static gpointer
report_cb (gpointer data)
{
  Report *self = data;
  Group *group = self->group;
  GError *error = NULL;
  gboolean goes_on;

  do
    {
      goes_on = wait_for_report (self);
      if (!report (self, &error))
        {
          group_fail (group, error);
          break;
        }
    }
  while (goes_on);
  g_free (self);
  group_leave (group);

  return NULL;
}

static gboolean
start_report (Group        *group,
              C2gPlanStep  *step,
              C2gNet       *net,
              gint64        interval,
              GError      **error)
{
  Report *self = g_new0 (Report, 1);

  self->group = group;
  self->step = step;
  self->net = net;
  self->interval = interval;
  if (group_add_thread (group, report_cb, self, error))
    return TRUE;

  g_free (self);
  return FALSE;
}

static gboolean
start_reports (Group        *group,
               GError      **error)
{
  C2gPlanStep *step = group->step;

  if (step->report_net != NULL &&
      !start_report (group, step, step->report_net,
                     step->def->message.report_interval * G_TIME_SPAN_SECOND, error))
    return FALSE;

  for (guint i = 0; i < step->reports->len; i++)
    {
      C2gPlanStep *substep = g_ptr_array_index (step->reports, i);
      gint64 interval = MIN (substep->def->message.run_every_ms, G_MAXINT32);

      if (!start_report (group, substep, NULL, interval * G_TIME_SPAN_MILLISECOND, error))
        return FALSE;
    }

  return TRUE;
}

static void
end_reports (Group *group)
{
  g_mutex_lock (&group->lock);
  group->is_over = TRUE;
  g_cond_broadcast (&group->changed);
  g_mutex_unlock (&group->lock);

  group_wait (group);
}

/* Runs the step and its reporting threads. A report that fails ends the step with its error. */
static gboolean
run_with_reports (C2gPlanStep   *step,
                  GCancellable  *cancellable,
                  GError       **error)
{
  Group group = { 0 };
  GError *local_error = NULL;
  gulong handler = group_init (&group, step, cancellable);

  if (start_reports (&group, &local_error))
    run_iterations (step, group.cancellable, &local_error);
  end_reports (&group);

  if (group.error != NULL)
    {
      g_clear_error (&local_error);
      local_error = g_steal_pointer (&group.error);
    }
  group_clear (&group, cancellable, handler);
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

/* Runs the content of the step once, in the workspace that the step was made in. */
static gboolean
run_content (C2gPlanStep   *step,
             GCancellable  *cancellable,
             GError       **error)
{
  if (step->report_net == NULL && step->reports->len == 0)
    return run_iterations (step, cancellable, error);
  return run_with_reports (step, cancellable, error);
}

static gboolean
run_step (C2gPlanStep   *step,
          GCancellable  *cancellable,
          GError       **error)
{
  const int n_instances = c2g_execution_step_get_n_concurrent_instances (step->def);

  if (!c2g_execution_step_get_create_workspace (step->def))
    return run_content (step, cancellable, error);
  if (n_instances > 1)
    return run_at_once (step, n_instances, instance_cb, cancellable, error);
  return run_instance (step, cancellable, error);
}

static gboolean
note_old_nets (C2gPlan  *self,
               GError  **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gsize n_nets = c2g_plan_def_get_n_nets (self->def);

  for (gsize i = 0; i < n_nets; i++)
    {
      const char *name = c2g_net_def_get_name (c2g_plan_def_get_net (self->def, i));
      g_autoptr (C2gNet) net = NULL;

      if (!g_hash_table_add (names, (gpointer) (name != NULL ? name : "")))
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                         _("Plan “%s”: There are two nets of the name “%s”"),
                         c2g_plan_def_get_name (self->def), name != NULL ? name : "");
      net = name != NULL ? c2g_workspace_get_net (self->workspace, name, NULL) : NULL;
      if (net != NULL)
        g_hash_table_add (self->old_nets, (gpointer) name);
    }

  return TRUE;
}

static gboolean
run_steps (C2gPlan       *plan,
           GCancellable  *cancellable,
           GError       **error)
{
  gsize n_steps = c2g_plan_def_get_n_steps (plan->def);

  if (n_steps == 0)
    return TRUE;
  if (!note_old_nets (plan, error) || !c2g_plan_check (plan, error))
    return FALSE;

  for (gsize i = 0; i < n_steps; i++)
    {
      g_autoptr (C2gPlanStep) step = NULL;

      step = c2g_plan_step_new (plan, c2g_plan_def_get_step (plan->def, i), NULL, i,
                                plan->workspace, error);
      if (step == NULL || !run_step (step, cancellable, error))
        return FALSE;
    }

  return TRUE;
}

/* Without HOME, calls that need the caller's thread run in this thread. */
static gboolean
run_plan (C2gWorkspace  *workspace,
          C2gPlanDef    *def,
          GMainContext  *home,
          GCancellable  *cancellable,
          GError       **error)
{
  C2gPlan plan = { .workspace = workspace };
  gboolean is_done;

  plan.def = c2g_plan_def_copy (def);
  plan.old_nets = g_hash_table_new (g_str_hash, g_str_equal);
  plan.home = home != NULL ? g_main_context_ref (home) : g_main_context_new ();
  plan.home_thread = home == NULL ? g_thread_self () : NULL;
  g_mutex_init (&plan.lock);

  is_done = run_steps (&plan, cancellable, error);
  is_done = c2g_interrupt_conclude (cancellable, is_done, error);

  g_mutex_clear (&plan.lock);
  g_main_context_unref (plan.home);
  g_hash_table_unref (plan.old_nets);
  g_object_unref (plan.def);
  return is_done;
}

/**
 * c2g_workspace_run_plan:
 * @self: a workspace
 * @plan: nets, and the steps to run them in
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the nets of a plan in its steps: a number of times or until a blob ends the step, one
 * after the other or at the same time.
 *
 * Nets are made in the workspace when their step starts. They replace nets of the same names
 * and stay there afterwards. A step with `create-workspace` gets a child workspace of this one
 * while it runs. A plan without steps does nothing.
 *
 * All steps are checked before the first one runs: their fields, the names of their nets, and
 * whether these nets could be made if their inputs were there.
 *
 * Signals of nets are emitted, and operators that are not written in C run, in the thread
 * that runs the plan.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` for invalid steps, `C2G_ERROR_NOT_FOUND` for a net or a
 * blob that is not there, and those of making and running nets, naming plan, step and net;
 * `G_IO_ERROR_CANCELLED`.
 *
 * Returns: `TRUE` if all steps succeeded
 */
gboolean
c2g_workspace_run_plan (C2gWorkspace  *self,
                        C2gPlanDef    *plan,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (C2G_IS_PLAN_DEF (plan), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return run_plan (self, plan, NULL, cancellable, error);
}

static void
run_in_thread (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  GError *error = NULL;

  if (run_plan (source_object, task_data, g_task_get_context (task), cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * c2g_workspace_run_plan_async:
 * @self: a workspace
 * @plan: nets, and the steps to run them in
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the run is over
 * @user_data: for @callback
 *
 * Runs a plan in another thread, see [method@Workspace.run_plan].
 *
 * Signals and operators that are not written in C run in the thread-default main context of
 * the caller, which has to be iterated.
 */
void
c2g_workspace_run_plan_async (C2gWorkspace         *self,
                              C2gPlanDef           *plan,
                              GCancellable         *cancellable,
                              GAsyncReadyCallback   callback,
                              gpointer              user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (C2G_IS_WORKSPACE (self));
  g_return_if_fail (C2G_IS_PLAN_DEF (plan));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_workspace_run_plan_async);
  g_task_set_task_data (task, c2g_plan_def_copy (plan), g_object_unref);
  g_task_run_in_thread (task, run_in_thread);
}

/**
 * c2g_workspace_run_plan_finish:
 * @self: a workspace
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes a run that was started with [method@Workspace.run_plan_async].
 *
 * Errors: those of [method@Workspace.run_plan].
 *
 * Returns: `TRUE` if all steps succeeded
 */
gboolean
c2g_workspace_run_plan_finish (C2gWorkspace  *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
