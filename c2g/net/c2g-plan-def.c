/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-plan-def-private.h>

#include <c2g/io/c2g-options-private.h>
#include <c2g/io/c2g-wire-private.h>
#include <c2g/net/c2g-execution-step-private.h>
#include <c2g/net/c2g-net-def-private.h>

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

struct _C2gPlanDef
{
  GObject        parent_instance;

  char          *name;
  /* Array of C2gNetDef. */
  GPtrArray     *nets;
  /* Array of C2gExecutionStep. */
  GPtrArray     *steps;

  /* Unknown fields of the file, or NULL. */
  C2gMessageBox *rest;
};

enum
{
  PROP_0,
  PROP_NAME,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gPlanDef, c2g_plan_def, G_TYPE_OBJECT)

static void
c2g_plan_def_get_property (GObject    *object,
                           guint       prop_id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  C2gPlanDef *self = C2G_PLAN_DEF (object);

  switch (prop_id)
    {
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_plan_def_set_property (GObject      *object,
                           guint         prop_id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  C2gPlanDef *self = C2G_PLAN_DEF (object);

  switch (prop_id)
    {
    case PROP_NAME:
      c2g_plan_def_set_name (self, g_value_get_string (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_plan_def_finalize (GObject *object)
{
  C2gPlanDef *self = C2G_PLAN_DEF (object);

  g_free (self->name);
  g_ptr_array_unref (self->nets);
  g_ptr_array_unref (self->steps);
  c2g_message_box_unref (self->rest);

  G_OBJECT_CLASS (c2g_plan_def_parent_class)->finalize (object);
}

static void
c2g_plan_def_class_init (C2gPlanDefClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = c2g_plan_def_get_property;
  object_class->set_property = c2g_plan_def_set_property;
  object_class->finalize = c2g_plan_def_finalize;

  /**
   * C2gPlanDef:name: (getter get_name) (setter set_name)
   *
   * The name of the plan.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
c2g_plan_def_init (C2gPlanDef *self)
{
  self->nets = g_ptr_array_new_with_free_func (g_object_unref);
  self->steps = g_ptr_array_new_with_free_func (g_object_unref);
}

C2gPlanDef *
c2g_plan_def_new_take (Caffe2__PlanDef *message)
{
  C2gPlanDef *self = g_object_new (C2G_TYPE_PLAN_DEF, NULL);

  self->name = c2g_name_from_message (message->name);
  for (gsize i = 0; i < message->n_network; i++)
    g_ptr_array_add (self->nets, c2g_net_def_new_take (message->network[i]));
  message->n_network = 0;
  for (gsize i = 0; i < message->n_execution_step; i++)
    g_ptr_array_add (self->steps, c2g_execution_step_new_take (message->execution_step[i]));
  message->n_execution_step = 0;

  if (message->base.n_unknown_fields > 0)
    self->rest = c2g_message_box_new (message);
  else
    c2g_wire_free (message);
  return self;
}

static void
lend_nets (C2gPlanDef      *self,
           Caffe2__PlanDef *message,
           GPtrArray       *owned)
{
  gsize n = self->nets->len;
  Caffe2__NetDef *nets = g_new (Caffe2__NetDef, n);

  message->network = g_new (Caffe2__NetDef *, n);
  message->n_network = n;
  g_ptr_array_add (owned, nets);
  g_ptr_array_add (owned, message->network);
  for (gsize i = 0; i < n; i++)
    {
      message->network[i] = &nets[i];
      c2g_net_def_get_message (self->nets->pdata[i], &nets[i], owned);
    }
}

static void
lend_steps (C2gPlanDef      *self,
            Caffe2__PlanDef *message,
            GPtrArray       *owned)
{
  gsize n = self->steps->len;
  Caffe2__ExecutionStep *steps = g_new (Caffe2__ExecutionStep, n);

  message->execution_step = g_new (Caffe2__ExecutionStep *, n);
  message->n_execution_step = n;
  g_ptr_array_add (owned, steps);
  g_ptr_array_add (owned, message->execution_step);
  for (gsize i = 0; i < n; i++)
    {
      message->execution_step[i] = &steps[i];
      c2g_execution_step_get_message (self->steps->pdata[i], &steps[i], owned);
    }
}

void
c2g_plan_def_get_message (C2gPlanDef      *self,
                          Caffe2__PlanDef *message,
                          GPtrArray       *owned)
{
  const Caffe2__PlanDef *rest = c2g_message_box_peek (self->rest);

  caffe2__plan_def__init (message);
  if (rest != NULL)
    message->base = rest->base;

  message->name = self->name;
  lend_nets (self, message, owned);
  lend_steps (self, message, owned);
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
  C2gPlanDef *copy;

  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  copy = c2g_plan_def_new (self->name);
  for (guint i = 0; i < self->nets->len; i++)
    g_ptr_array_add (copy->nets, c2g_net_def_copy (self->nets->pdata[i]));
  for (guint i = 0; i < self->steps->len; i++)
    g_ptr_array_add (copy->steps, c2g_execution_step_copy (self->steps->pdata[i]));
  copy->rest = c2g_message_box_ref (self->rest);
  return copy;
}

/**
 * c2g_plan_def_get_name: (get-property name)
 * @self: a plan
 *
 * Gets the name of the plan.
 *
 * Returns: (transfer none) (nullable): the name
 */
const char *
c2g_plan_def_get_name (C2gPlanDef *self)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), NULL);

  return self->name;
}

/**
 * c2g_plan_def_set_name: (set-property name)
 * @self: a plan
 * @name: (nullable): the name
 *
 * Sets the name of the plan.
 */
void
c2g_plan_def_set_name (C2gPlanDef *self,
                       const char *name)
{
  g_return_if_fail (C2G_IS_PLAN_DEF (self));

  if (c2g_set_string (&self->name, name))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}

/**
 * c2g_plan_def_get_n_nets:
 * @self: a plan
 *
 * Counts the nets.
 *
 * Returns: their number
 */
guint
c2g_plan_def_get_n_nets (C2gPlanDef *self)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), 0);

  return self->nets->len;
}

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

  return position < self->nets->len ? self->nets->pdata[position] : NULL;
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

  for (guint i = 0; i < self->nets->len; i++)
    if (g_strcmp0 (c2g_net_def_get_name (self->nets->pdata[i]), name) == 0)
      return self->nets->pdata[i];

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

  g_ptr_array_add (self->nets, g_object_ref (net));
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
  if (position >= self->nets->len)
    return FALSE;

  g_ptr_array_remove_index (self->nets, position);

  return TRUE;
}

/**
 * c2g_plan_def_get_n_steps:
 * @self: a plan
 *
 * Counts the steps.
 *
 * Returns: their number
 */
guint
c2g_plan_def_get_n_steps (C2gPlanDef *self)
{
  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), 0);

  return self->steps->len;
}

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

  return position < self->steps->len ? self->steps->pdata[position] : NULL;
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

  g_ptr_array_add (self->steps, g_object_ref (step));
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
  if (position >= self->steps->len)
    return FALSE;

  g_ptr_array_remove_index (self->steps, position);

  return TRUE;
}

static gboolean
contents_equal (C2gPlanDef *self,
                C2gPlanDef *other)
{
  if (self->nets->len != other->nets->len || self->steps->len != other->steps->len)
    return FALSE;

  for (guint i = 0; i < self->nets->len; i++)
    if (!c2g_net_def_equal (self->nets->pdata[i], other->nets->pdata[i]))
      return FALSE;
  for (guint i = 0; i < self->steps->len; i++)
    if (!c2g_execution_step_equal (self->steps->pdata[i], other->steps->pdata[i]))
      return FALSE;

  return TRUE;
}

/* Returns a message with only the unknown fields of the file. */
static Caffe2__PlanDef
get_rest (C2gPlanDef *self)
{
  const Caffe2__PlanDef *rest = c2g_message_box_peek (self->rest);
  Caffe2__PlanDef message = CAFFE2__PLAN_DEF__INIT;

  if (rest != NULL)
    message.base = rest->base;
  return message;
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
  Caffe2__PlanDef rest;
  Caffe2__PlanDef other_rest;

  g_return_val_if_fail (C2G_IS_PLAN_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_PLAN_DEF (other), FALSE);

  rest = get_rest (self);
  other_rest = get_rest (other);
  return c2g_name_equal (self->name, other->name) &&
         contents_equal (self, other) &&
         c2g_message_equal (&rest.base, &other_rest.base);
}
