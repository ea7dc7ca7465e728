/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-plan-def-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>
#include <c2g/def/c2g-execution-step-private.h>
#include <c2g/def/c2g-net-def-private.h>

/**
 * C2gPlanDef:
 *
 * Nets, and the steps in which they run.
 *
 * ```python
 * plan = C2g.PlanDef(name='train')
 * plan.add_net(init)
 * plan.add_net(net)
 * plan.add_step(C2g.ExecutionStep(name='begin', networks=['init']))
 * plan.add_step(C2g.ExecutionStep(name='train', networks=['net'], n_iterations=1000))
 * ```
 *
 * Nets and steps are held by reference. A plan that runs keeps a copy: later changes of the
 * definition do not affect it. Fields of a file that c2g does not know are kept and written
 * again.
 *
 * ## Threads
 *
 * A plan belongs to one thread at a time. As long as nobody changes it, several threads can
 * read it.
 */

enum
{
  PROP_0,
  PROP_NAME,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gPlanDef, c2g_plan_def, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gPlanDef, message.name),
};

#define GETTER(type, name, field)     C2G_DEFINE_GETTER (C2gPlanDef, c2g_plan_def, C2G_IS_PLAN_DEF, type, name, field)
#define SETTER(type, name, field, id) C2G_DEFINE_SETTER (C2gPlanDef, c2g_plan_def, C2G_IS_PLAN_DEF, type, name, field, props[PROP_##id])

static void
c2g_plan_def_class_init (C2gPlanDefClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = c2g_def_finalize;

  /**
   * C2gPlanDef:name: (getter get_name) (setter set_name)
   *
   * The name of the plan.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_plan_def_init (C2gPlanDef *self)
{
  caffe2__plan_def__init (&self->message);
}

/**
 * c2g_plan_def_new:
 * @name: (nullable): what the plan is called
 *
 * Makes a plan without nets and steps.
 *
 * Returns: (transfer full): a new plan
 */
C2gPlanDef *
c2g_plan_def_new (const char *name)
{
  return g_object_new (C2G_TYPE_PLAN_DEF, "name", name, NULL);
}

/**
 * c2g_plan_def_copy:
 * @self: a plan
 *
 * Makes a plan with the same content, and copies of the nets and steps.
 *
 * Returns: (transfer full): a new plan
 */
C2gPlanDef *
c2g_plan_def_copy (C2gPlanDef *self)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  return c2g_def_copy (self);
}

/**
 * c2g_plan_def_get_name: (get-property name)
 * @self: a plan
 *
 * Gets the name of the plan.
 *
 * Returns: (transfer none) (nullable): the name
 */
GETTER (const char *, name, message.name)

/**
 * c2g_plan_def_set_name: (set-property name)
 * @self: a plan
 * @name: (nullable): the name
 *
 * Sets the name of the plan.
 */
SETTER (const char *, name, message.name, NAME)

/**
 * c2g_plan_def_get_n_nets:
 * @self: a plan
 *
 * Counts the nets.
 *
 * Returns: their number
 */
GETTER (guint, n_nets, message.n_network)

/**
 * c2g_plan_def_get_net:
 * @self: a plan
 * @position: a position, from 0 on
 *
 * Gets a net.
 *
 * Returns: (transfer none) (nullable): the net, or `NULL` if there is none
 */
C2gNetDef *
c2g_plan_def_get_net (C2gPlanDef *self,
                      guint       position)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  return c2g_def_list_get (self->message.network, self->message.n_network, position);
}

/**
 * c2g_plan_def_find_net:
 * @self: a plan
 * @name: the name of a net
 *
 * Finds a net.
 *
 * If several have the same name, this is the first.
 *
 * Returns: (transfer none) (nullable): the net, or `NULL` if there is none of that name
 */
C2gNetDef *
c2g_plan_def_find_net (C2gPlanDef *self,
                       const char *name)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < self->message.n_network; i++)
    if (g_strcmp0 (self->message.network[i]->name, name) == 0)
      return c2g_def_of (self->message.network[i]);

  return NULL;
}

/**
 * c2g_plan_def_add_net:
 * @self: a plan
 * @net: a net
 *
 * Puts a net behind the others.
 *
 * The plan takes a reference: later changes of @net are changes of the plan.
 */
void
c2g_plan_def_add_net (C2gPlanDef *self,
                      C2gNetDef  *net)
{
  g_return_if_fail (C2G_IS_PLAN_DEF (self));
  g_return_if_fail (C2G_IS_NET_DEF (net));

  c2g_def_list_insert (&self->message.network, &self->message.n_network,
                       self->message.n_network, net);
}

/**
 * c2g_plan_def_remove_net:
 * @self: a plan
 * @position: a position, from 0 on
 *
 * Removes a net.
 *
 * Returns: whether there was one
 */
gboolean
c2g_plan_def_remove_net (C2gPlanDef *self,
                         guint       position)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);

  return c2g_def_list_remove (&self->message.network, &self->message.n_network, position);
}

/**
 * c2g_plan_def_get_n_steps:
 * @self: a plan
 *
 * Counts the steps.
 *
 * Returns: their number
 */
GETTER (guint, n_steps, message.n_execution_step)

/**
 * c2g_plan_def_get_step:
 * @self: a plan
 * @position: a position, from 0 on
 *
 * Gets a step.
 *
 * Returns: (transfer none) (nullable): the step, or `NULL` if there is none
 */
C2gExecutionStep *
c2g_plan_def_get_step (C2gPlanDef *self,
                       guint       position)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  return c2g_def_list_get (self->message.execution_step, self->message.n_execution_step, position);
}

/**
 * c2g_plan_def_add_step:
 * @self: a plan
 * @step: a step
 *
 * Puts a step behind the others.
 *
 * The plan takes a reference: later changes of @step are changes of the plan.
 */
void
c2g_plan_def_add_step (C2gPlanDef       *self,
                       C2gExecutionStep *step)
{
  g_return_if_fail (C2G_IS_PLAN_DEF (self));
  g_return_if_fail (C2G_IS_EXECUTION_STEP (step));

  c2g_def_list_insert (&self->message.execution_step, &self->message.n_execution_step,
                       self->message.n_execution_step, step);
}

/**
 * c2g_plan_def_remove_step:
 * @self: a plan
 * @position: a position, from 0 on
 *
 * Removes a step.
 *
 * Returns: whether there was one
 */
gboolean
c2g_plan_def_remove_step (C2gPlanDef *self,
                          guint       position)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);

  return c2g_def_list_remove (&self->message.execution_step, &self->message.n_execution_step, position);
}

/**
 * c2g_plan_def_equal:
 * @self: a plan
 * @other: another one
 *
 * Compares two plans.
 *
 * A text that is not set equals an empty one; the order of nets and steps counts.
 *
 * Returns: true if they are equal
 */
gboolean
c2g_plan_def_equal (C2gPlanDef *self,
                    C2gPlanDef *other)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_PLAN_DEF (other), FALSE);

  return c2g_def_equal (self, other);
}
