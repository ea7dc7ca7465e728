/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/plan/c2g-plan-check-private.h>

#include <c2g/def/c2g-execution-step-private.h>
#include <c2g/net/run/c2g-net-check-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Checks a plan before it runs. c2g-workspace-plan.c calls it. */

/* Limit on threads that a plan may run at the same time. */
#define MAX_THREADS 1024

/* A plan, and the set of its nets that passed the check. */
typedef struct
{
  C2gPlan    *plan;
  GHashTable *checked;
} Check;

void
c2g_plan_prefix (C2gPlan     *self,
                 const char  *path,
                 GError     **error)
{
  const char *name = c2g_plan_def_get_name (self->def);

  g_prefix_error (error, _("Plan “%s”, step “%s”: "), name != NULL ? name : "", path);
}

char *
c2g_plan_make_path (C2gExecutionStep *def,
                    const char       *parent_path,
                    gsize             number)
{
  const char *name = c2g_execution_step_get_name (def);
  g_autofree char *text = NULL;

  text = name != NULL && *name != '\0' ? g_strdup (name)
                                       : g_strdup_printf ("%" G_GSIZE_FORMAT, number);
  return parent_path != NULL ? g_strconcat (parent_path, "/", text, NULL)
                             : g_steal_pointer (&text);
}

static gboolean
set_wrong (GError     **error,
           const char  *message)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

/* The setters refuse negative values, but a file may have them. */
static gboolean
check_not_negative (const char  *name,
                    gint64       value,
                    GError     **error)
{
  if (value >= 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("“%s” is %" PRId64 ", expected at least %d"), name, value, 0);
}

guint
c2g_plan_count_shared_instances (C2gExecutionStep *def)
{
  if (c2g_execution_step_get_create_workspace (def))
    return 1;
  return MAX (c2g_execution_step_get_n_concurrent_instances (def), 1);
}

static gboolean
set_shared_nets_error (C2gExecutionStep  *def,
                       GError           **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("%u concurrent instances (“num_concurrent_instances”) would run the same nets at "
                     "the same time, expected create-workspace (“create_workspace”), so that each has "
                     "its own"),
                   c2g_plan_count_shared_instances (def));
}

/* Returns TRUE if the step runs nets in the workspace of its parent step. */
static gboolean
has_shared_nets (C2gExecutionStep *def)
{
  if (c2g_execution_step_get_create_workspace (def))
    return FALSE;
  if (c2g_execution_step_get_networks (def)[0] != NULL || def->message.criteria_network != NULL ||
      def->message.report_net != NULL)
    return TRUE;
  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (def); i++)
    if (has_shared_nets (c2g_execution_step_get_substep (def, i)))
      return TRUE;
  return FALSE;
}

/* Instances of a step without workspaces of their own must not run the same net at the same
 * time. */
static gboolean
check_instances (C2gExecutionStep  *def,
                 GError           **error)
{
  if (c2g_plan_count_shared_instances (def) <= 1)
    return TRUE;
  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (def); i++)
    {
      C2gExecutionStep *substep = c2g_execution_step_get_substep (def, i);

      if (c2g_execution_step_get_run_every_ms (substep) == 0 && has_shared_nets (substep))
        return set_shared_nets_error (def, error);
    }
  return TRUE;
}

/* Checks that the fields of the step fit together. Messages give both names of a field: of the
 * property and of the file format. */
static gboolean
check_fields (C2gExecutionStep  *def,
              GError           **error)
{
  const Caffe2__ExecutionStep *message = &def->message;
  gboolean has_nets = c2g_execution_step_get_networks (def)[0] != NULL;

  if (c2g_execution_step_get_n_substeps (def) > 0 && has_nets)
    return set_wrong (error, _("There are both substeps and networks, expected only one of them"));
  if (message->should_stop_blob != NULL && message->has_num_iter)
    return set_wrong (error, _("There are both should-stop-blob (“should_stop_blob”) and "
                               "n-iterations (“num_iter”), expected only one of them"));
  if (message->should_stop_blob == NULL && message->has_only_once)
    return set_wrong (error, _("only-once (“only_once”) needs should-stop-blob "
                               "(“should_stop_blob”)"));
  if (message->report_net != NULL && !message->has_report_interval)
    return set_wrong (error, _("report-net (“report_net”) needs report-interval "
                               "(“report_interval”)"));
  if (has_nets && c2g_plan_count_shared_instances (def) > 1)
    return set_shared_nets_error (def, error);
  return check_not_negative ("report_interval", message->report_interval, error) &&
         check_not_negative ("run_every_ms", message->run_every_ms, error) &&
         check_not_negative ("num_concurrent_instances", message->num_concurrent_instances, error);
}

static C2gNetDef *
check_net (Check       *self,
           const char  *name,
           GError     **error)
{
  C2gNetDef *def = c2g_plan_def_find_net (self->plan->def, name);

  if (def == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("The plan has no net “%s”"), name);
  if (g_hash_table_contains (self->checked, def))
    return def;

  if (!c2g_net_check_alone (def, error))
    return NULL;
  g_hash_table_add (self->checked, def);
  return def;
}

static gboolean
check_criteria (Check       *self,
                const char  *name,
                GError     **error)
{
  C2gNetDef *def = check_net (self, name, error);

  if (def == NULL)
    return FALSE;
  if (c2g_net_def_get_external_outputs (def)[0] != NULL)
    return TRUE;
  return set_wrong (error, _("The net of criteria-network (“criteria_network”) has no external "
                             "output"));
}

static gboolean
check_nets (Check             *self,
            C2gExecutionStep  *def,
            GError           **error)
{
  const char * const *names = c2g_execution_step_get_networks (def);
  const Caffe2__ExecutionStep *message = &def->message;

  for (gsize i = 0; names[i] != NULL; i++)
    if (check_net (self, names[i], error) == NULL)
      return FALSE;

  if (message->report_net != NULL && check_net (self, message->report_net, error) == NULL)
    return FALSE;
  return message->criteria_network == NULL ||
         check_criteria (self, message->criteria_network, error);
}

static gboolean
is_in_place (C2gOperatorDef *def,
             const char     *output)
{
  return g_strv_contains (c2g_operator_def_get_inputs (def), output);
}

/* Adds outputs that get a new block. In-place outputs are left out: several nets may update them
 * at once. */
static void
add_written (C2gNetDef  *def,
             GHashTable *names)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);
      const char *const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL; j++)
        if (!is_in_place (op, outputs[j]))
          g_hash_table_add (names, (gpointer) outputs[j]);
    }
}

/* A step with its own workspace does not write the blobs of its parent. */
static void
find_written (Check            *self,
              C2gExecutionStep *def,
              GHashTable       *names)
{
  const char *const *nets = c2g_execution_step_get_networks (def);

  if (def->message.create_workspace)
    return;
  for (gsize i = 0; nets[i] != NULL; i++)
    {
      C2gNetDef *net = c2g_plan_def_find_net (self->plan->def, nets[i]);

      if (net != NULL)
        add_written (net, names);
    }
  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (def); i++)
    find_written (self, c2g_execution_step_get_substep (def, i), names);
}

static gboolean
check_apart (Check             *self,
             C2gExecutionStep  *def,
             GError           **error)
{
  g_autoptr (GHashTable) writers = g_hash_table_new (g_str_hash, g_str_equal);
  gsize n_substeps = c2g_execution_step_get_n_substeps (def);

  if (!c2g_execution_step_get_concurrent_substeps (def))
    return TRUE;
  for (gsize i = 0; i < n_substeps; i++)
    {
      g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
      GHashTableIter iter;
      gpointer name;

      find_written (self, c2g_execution_step_get_substep (def, i), names);
      g_hash_table_iter_init (&iter, names);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        {
          gsize writer = GPOINTER_TO_SIZE (g_hash_table_lookup (writers, name));

          if (writer > 0)
            return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                             _("Substeps %zu and %zu run concurrently, and both write “%s”"),
                             writer - 1, i, (const char *) name);
          g_hash_table_insert (writers, name, GSIZE_TO_POINTER (i + 1));
        }
    }

  return TRUE;
}

static gboolean
runs_at_once (C2gExecutionStep *def)
{
  return c2g_plan_count_shared_instances (def) > 1 ||
         (c2g_execution_step_get_concurrent_substeps (def) &&
          c2g_execution_step_get_n_substeps (def) > 1);
}

/* Returns the maximum number of threads at the same time, besides the one that runs the step. */
static guint64
count_threads (C2gExecutionStep *def)
{
  const gboolean is_at_once = runs_at_once (def);
  const guint64 n_instances = c2g_plan_count_shared_instances (def);
  const guint64 n_own = c2g_execution_step_get_n_concurrent_instances (def);
  guint64 n_reporting = def->message.report_net != NULL;
  guint64 n_running = 0;

  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (def); i++)
    {
      C2gExecutionStep *substep = c2g_execution_step_get_substep (def, i);
      const guint64 n = count_threads (substep);

      if (c2g_execution_step_get_run_every_ms (substep) > 0)
        n_reporting += 1 + n;
      else if (is_at_once)
        n_running = MIN (n_running + n_instances * (1 + n), G_MAXUINT32);
      else
        n_running = MAX (n_running, n);
    }
  n_running = MIN (n_reporting + n_running, G_MAXUINT32);
  /* If each instance has its own workspace, it takes a thread besides the threads of its
   * substeps. */
  if (n_own > n_instances)
    n_running = MIN (n_own * (1 + n_running), G_MAXUINT32);
  return n_running;
}

/* Threads of nested steps are counted together. */
static gboolean
check_threads (C2gExecutionStep  *def,
               GError           **error)
{
  const guint64 n_threads = count_threads (def);

  if (n_threads <= MAX_THREADS)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("%" PRIu64 " threads are too many, expected at most %d"), n_threads,
                   MAX_THREADS);
}

static gboolean
check_step (Check             *self,
            C2gExecutionStep  *def,
            const char        *parent_path,
            gsize              number,
            GError           **error)
{
  g_autofree char *path = c2g_plan_make_path (def, parent_path, number);

  if (!check_fields (def, error) || !check_nets (self, def, error) ||
      !check_instances (def, error) || !check_apart (self, def, error))
    {
      c2g_plan_prefix (self->plan, path, error);
      return FALSE;
    }

  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (def); i++)
    if (!check_step (self, c2g_execution_step_get_substep (def, i), path, i, error))
      return FALSE;
  if (check_threads (def, error))
    return TRUE;

  c2g_plan_prefix (self->plan, path, error);
  return FALSE;
}

gboolean
c2g_plan_check (C2gPlan  *self,
                GError  **error)
{
  g_autoptr (GHashTable) checked = g_hash_table_new (NULL, NULL);
  Check check = { self, checked };

  for (gsize i = 0; i < c2g_plan_def_get_n_steps (self->def); i++)
    if (!check_step (&check, c2g_plan_def_get_step (self->def, i), NULL, i, error))
      return FALSE;

  return TRUE;
}
