/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/plan/c2g-plan-step-private.h>

#include <c2g/def/c2g-execution-step-private.h>
#include <c2g/net/plan/c2g-plan-check-private.h>
#include <c2g/net/run/c2g-net-private.h>
#include <c2g/net/run/c2g-workspace-net.h>

#include <c2g/io/stream/c2g-context-call-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* Makes the steps of a plan ready to run: their nets, blobs and workspaces. */

#define NODE_ID "NODE_ID"
#define GLOBAL_WORKSPACE_ID "GLOBAL_WORKSPACE_ID"

typedef struct
{
  C2gWorkspace *workspace;
  C2gNetDef    *def;
  C2gNet       *net;
} Making;

void
c2g_plan_step_free (C2gPlanStep *self)
{
  g_ptr_array_unref (self->reports);
  g_ptr_array_unref (self->substeps);
  g_ptr_array_unref (self->nets);
  g_clear_object (&self->report_net);
  g_clear_object (&self->criteria_net);
  g_clear_object (&self->criteria);
  g_clear_object (&self->should_stop);
  g_clear_object (&self->workspace);
  g_object_unref (self->def);
  g_free (self->path);
  g_free (self);
}

static C2gPlanStep *
step_alloc (C2gPlan          *plan,
            C2gExecutionStep *def,
            char             *path)
{
  C2gPlanStep *self = g_new0 (C2gPlanStep, 1);

  self->plan = plan;
  self->def = g_object_ref (def);
  self->path = path;
  self->nets = g_ptr_array_new_with_free_func (g_object_unref);
  self->substeps = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_plan_step_free);
  self->reports = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_plan_step_free);
  return self;
}

void
c2g_plan_step_prefix (C2gPlanStep  *self,
                      GError      **error)
{
  c2g_plan_prefix (self->plan, self->path, error);
}

/* Returns TRUE if the net has to be made. A net that the workspace had under this name before the
 * plan started is replaced, but only once. */
static gboolean
is_to_create (C2gPlanStep *self,
              const char  *name)
{
  g_autoptr (C2gNet) net = c2g_workspace_get_net (self->workspace, name, NULL);
  gboolean is_old;

  g_mutex_lock (&self->plan->lock);
  is_old = self->workspace == self->plan->workspace &&
           g_hash_table_remove (self->plan->old_nets, name);
  g_mutex_unlock (&self->plan->lock);

  return is_old || net == NULL;
}

static GBytes *
make_net_cb (gpointer   data,
             GError   **error)
{
  Making *making = data;

  making->net = c2g_workspace_create_net (making->workspace, making->def, TRUE, error);
  return making->net != NULL ? g_bytes_new (NULL, 0) : NULL;
}

/* Makes the net in the caller's thread: operators written in another language must be made there,
 * and signals are emitted there. */
static C2gNet *
make_net (C2gPlanStep  *self,
          C2gNetDef    *def,
          GError      **error)
{
  Making making = { .workspace = self->workspace, .def = def };
  gboolean is_home = self->plan->home_thread == g_thread_self ();
  GBytes *done;

  done = c2g_context_call (is_home ? NULL : self->plan->home, make_net_cb, &making, NULL, NULL, error);
  g_clear_pointer (&done, g_bytes_unref);
  return making.net;
}

/* The net exists in the plan: c2g_plan_check() made sure. */
static C2gNet *
find_net (C2gPlanStep  *self,
          const char   *name,
          GError      **error)
{
  C2gNetDef *def = c2g_plan_def_find_net (self->plan->def, name);
  C2gNet *net;

  net = is_to_create (self, name) ? make_net (self, def, error)
                                  : c2g_workspace_get_net (self->workspace, name, error);
  if (net == NULL)
    c2g_plan_step_prefix (self, error);
  return net;
}

static gboolean
add_nets (C2gPlanStep  *self,
          GError      **error)
{
  const char * const *names = c2g_execution_step_get_networks (self->def);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      C2gNet *net = find_net (self, names[i], error);

      if (net == NULL)
        return FALSE;
      g_ptr_array_add (self->nets, net);
    }

  return TRUE;
}

static gboolean
add_substeps (C2gPlanStep  *self,
              GError      **error)
{
  for (gsize i = 0; i < c2g_execution_step_get_n_substeps (self->def); i++)
    {
      C2gExecutionStep *def = c2g_execution_step_get_substep (self->def, i);
      C2gPlanStep *step = c2g_plan_step_new (self->plan, def, self->path, i, self->workspace,
                                             error);

      if (step == NULL)
        return FALSE;
      g_ptr_array_add (c2g_execution_step_get_run_every_ms (def) > 0 ? self->reports
                                                                     : self->substeps,
                       step);
    }

  return TRUE;
}

/* The first external output of the criteria net is the condition to go on. */
static gboolean
find_criteria (C2gPlanStep  *self,
               GError      **error)
{
  const char *name = self->def->message.criteria_network;
  const char * const *outputs;

  if (name == NULL)
    return TRUE;

  self->criteria_net = find_net (self, name, error);
  if (self->criteria_net == NULL)
    return FALSE;
  outputs = c2g_net_def_get_external_outputs (c2g_net_get_private (self->criteria_net)->def);
  self->criteria = c2g_workspace_get_blob (self->workspace, outputs[0], error);
  if (self->criteria == NULL)
    c2g_plan_step_prefix (self, error);
  return self->criteria != NULL;
}

static gboolean
find_should_stop (C2gPlanStep  *self,
                  GError      **error)
{
  const char *name = self->def->message.should_stop_blob;

  if (name == NULL)
    return TRUE;

  self->should_stop = c2g_workspace_get_blob (self->workspace, name, error);
  if (self->should_stop == NULL)
    c2g_plan_step_prefix (self, error);
  return self->should_stop != NULL;
}

static gboolean
find_report_net (C2gPlanStep  *self,
                 GError      **error)
{
  const char *name = self->def->message.report_net;

  if (name != NULL)
    self->report_net = find_net (self, name, error);
  return name == NULL || self->report_net != NULL;
}

static gboolean
set_up (C2gPlanStep   *self,
        C2gWorkspace  *workspace,
        GError       **error)
{
  self->workspace = g_object_ref (workspace);
  return add_substeps (self, error) && add_nets (self, error) &&
         find_criteria (self, error) && find_should_stop (self, error) &&
         find_report_net (self, error);
}

C2gPlanStep *
c2g_plan_step_new (C2gPlan           *plan,
                   C2gExecutionStep  *def,
                   const char        *parent_path,
                   gsize              number,
                   C2gWorkspace      *workspace,
                   GError           **error)
{
  g_autoptr (C2gPlanStep) self = step_alloc (plan, def, c2g_plan_make_path (def, parent_path, number));

  if (c2g_execution_step_get_create_workspace (def))
    self->workspace = g_object_ref (workspace);
  else if (!set_up (self, workspace, error))
    return NULL;

  return g_steal_pointer (&self);
}

/* As in Caffe2, numbers the workspaces of a cluster node if it has a blob NODE_ID: the upper 16
 * bits are the node, the lower 16 bits a counter. */
static gboolean
number_workspace (C2gPlan       *plan,
                  C2gWorkspace  *workspace,
                  GError       **error)
{
  g_autoptr (C2gBlob) node = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;
  GError *local_error = NULL;
  gint64 number;

  if (!c2g_workspace_has_blob (workspace, NODE_ID))
    return TRUE;

  node = c2g_workspace_get_blob (workspace, NODE_ID, error);
  tensor = node != NULL ? c2g_blob_get_tensor (node, error) : NULL;
  if (tensor == NULL)
    return FALSE;
  number = c2g_tensor_get_int64 (tensor, 0, &local_error);
  if (local_error != NULL)
    {
      g_propagate_prefixed_error (error, local_error, _("Blob “%s”: "), NODE_ID);
      return FALSE;
    }

  g_mutex_lock (&plan->lock);
  number = (number & 0x7fff) << 16 | (plan->n_workspaces++ & 0xffff);
  g_mutex_unlock (&plan->lock);

  blob = c2g_workspace_create_local_blob (workspace, GLOBAL_WORKSPACE_ID, error);
  tensor = blob != NULL ? c2g_blob_ensure_tensor (blob, NULL, error) : NULL;
  return tensor != NULL && c2g_tensor_resize (tensor, NULL, 0, error) &&
         c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT32, error) &&
         c2g_tensor_set_int64 (tensor, 0, number, error);
}

C2gPlanStep *
c2g_plan_step_new_run (C2gPlanStep  *self,
                       GError      **error)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new_with_parent (self->workspace);
  g_autoptr (C2gPlanStep) step = step_alloc (self->plan, self->def, g_strdup (self->path));

  if (!number_workspace (self->plan, workspace, error))
    {
      c2g_plan_step_prefix (self, error);
      return NULL;
    }
  if (!set_up (step, workspace, error))
    return NULL;

  return g_steal_pointer (&step);
}

gboolean
c2g_plan_step_read (C2gBlob   *blob,
                    gboolean  *value,
                    GError   **error)
{
  g_autofree char *name = NULL;
  C2gTensor *tensor;
  GError *local_error = NULL;

  *value = FALSE;
  if (c2g_blob_is_empty (blob))
    return TRUE;

  name = c2g_blob_dup_name (blob);
  tensor = c2g_blob_get_tensor (blob, error);
  if (tensor == NULL)
    return FALSE;
  if (c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_BOOL ||
      c2g_tensor_get_n_elements (tensor) != 1)
    return c2g_fail (error, C2G_ERROR_TYPE, _("Blob “%s” is not one boolean value"), name);

  *value = c2g_tensor_get_int64 (tensor, 0, &local_error) != 0;
  if (local_error == NULL)
    return TRUE;
  g_propagate_prefixed_error (error, local_error, _("Blob “%s”: "), name);
  return FALSE;
}
