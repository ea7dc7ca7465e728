/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-execution-step-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/io/c2g-text-private.h>
#include <c2g/io/c2g-wire-private.h>

/* The content of a step: its nets and substeps, its message, and comparison. */

/* Protects the lists of parents of all steps. The last reference to a parent may be dropped in
 * another thread than the one that its substeps belong to. */
static GMutex parents_lock;

/* Adds the substep, and takes over the reference to it. */
static void
put_substep (C2gExecutionStep *self,
             C2gExecutionStep *substep)
{
  g_ptr_array_add (self->substeps, substep);
  g_mutex_lock (&parents_lock);
  g_ptr_array_add (substep->parents, self);
  g_mutex_unlock (&parents_lock);
}

static void
forget_parent (C2gExecutionStep *substep,
               C2gExecutionStep *parent)
{
  g_mutex_lock (&parents_lock);
  g_ptr_array_remove_fast (substep->parents, parent);
  g_mutex_unlock (&parents_lock);
}

void
c2g_execution_step_clear_substeps (C2gExecutionStep *self)
{
  for (guint i = 0; i < self->substeps->len; i++)
    forget_parent (self->substeps->pdata[i], self);
  g_ptr_array_unref (self->substeps);
  g_ptr_array_unref (self->parents);
}

/* Takes over the scalar and string members of MESSAGE, and not its lists. */
static void
take_over (C2gExecutionStep            *self,
           const Caffe2__ExecutionStep *message)
{
  const ProtobufCMessage base = self->message.base;

  self->message = *message;
  self->message.base = base;
  self->message.substep = NULL;
  self->message.n_substep = 0;
  self->message.network = NULL;
  self->message.n_network = 0;
  self->message.name = c2g_name_from_message (message->name);
  self->message.criteria_network = c2g_name_from_message (message->criteria_network);
  self->message.report_net = c2g_name_from_message (message->report_net);
  self->message.should_stop_blob = c2g_name_from_message (message->should_stop_blob);
}

C2gExecutionStep *
c2g_execution_step_new_take (Caffe2__ExecutionStep *message)
{
  C2gExecutionStep *self = g_object_new (C2G_TYPE_EXECUTION_STEP, NULL);

  take_over (self, message);
  c2g_name_list_add_all (&self->networks, message->network, message->n_network);
  for (gsize i = 0; i < message->n_substep; i++)
    put_substep (self, c2g_execution_step_new_take (message->substep[i]));
  message->n_substep = 0;

  if (message->base.n_unknown_fields > 0)
    self->rest = c2g_message_box_new (message);
  else
    c2g_wire_free (message);
  return self;
}

void
c2g_execution_step_get_message (C2gExecutionStep      *self,
                                Caffe2__ExecutionStep *message,
                                GPtrArray             *owned)
{
  const Caffe2__ExecutionStep *rest = c2g_message_box_peek (self->rest);
  gsize n = self->substeps->len;
  Caffe2__ExecutionStep *substeps = g_new (Caffe2__ExecutionStep, n);

  *message = self->message;
  if (rest != NULL)
    message->base = rest->base;
  message->network = self->networks.names;
  message->n_network = self->networks.n_names;

  message->substep = g_new (Caffe2__ExecutionStep *, n);
  message->n_substep = n;
  g_ptr_array_add (owned, substeps);
  g_ptr_array_add (owned, message->substep);
  for (gsize i = 0; i < n; i++)
    {
      message->substep[i] = &substeps[i];
      c2g_execution_step_get_message (self->substeps->pdata[i], &substeps[i], owned);
    }
}

/**
 * c2g_execution_step_copy:
 * @self: a step
 *
 * Makes a step with the same content, and copies of the steps in it.
 *
 * Returns: (transfer full): a new step
 */
C2gExecutionStep *
c2g_execution_step_copy (C2gExecutionStep *self)
{
  C2gExecutionStep *copy;

  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  copy = g_object_new (C2G_TYPE_EXECUTION_STEP, NULL);
  take_over (copy, &self->message);
  c2g_name_list_set (&copy->networks, c2g_name_list_get (&self->networks));
  for (guint i = 0; i < self->substeps->len; i++)
    put_substep (copy, c2g_execution_step_copy (self->substeps->pdata[i]));
  copy->rest = c2g_message_box_ref (self->rest);
  return copy;
}

/**
 * c2g_execution_step_get_networks: (get-property networks)
 * @self: a step
 *
 * Gets the names of the nets that the step runs.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names, until they are changed
 */
const char *const *
c2g_execution_step_get_networks (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  return c2g_name_list_get (&self->networks);
}

/**
 * c2g_execution_step_set_networks: (set-property networks)
 * @self: a step
 * @networks: (nullable) (array zero-terminated=1): the names, or `NULL` for none
 *
 * Sets the names of the nets that the step runs.
 */
void
c2g_execution_step_set_networks (C2gExecutionStep  *self,
                                 const char *const *networks)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));

  if (c2g_name_list_set (&self->networks, networks))
    g_object_notify (G_OBJECT (self), "networks");
}

/**
 * c2g_execution_step_add_network:
 * @self: a step
 * @name: the name of a net
 *
 * Adds a name at the end of [property@ExecutionStep:networks].
 */
void
c2g_execution_step_add_network (C2gExecutionStep *self,
                                const char       *name)
{
  g_return_if_fail (C2G_IS_EXECUTION_STEP (self));
  g_return_if_fail (name != NULL);

  c2g_name_list_add (&self->networks, name);
  g_object_notify (G_OBJECT (self), "networks");
}

/**
 * c2g_execution_step_get_n_substeps:
 * @self: a step
 *
 * Counts the steps in this one.
 *
 * Returns: their number
 */
guint
c2g_execution_step_get_n_substeps (C2gExecutionStep *self)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), 0);

  return self->substeps->len;
}

/**
 * c2g_execution_step_get_substep:
 * @self: a step
 * @position: a position, from 0 on
 *
 * Gets one of the steps in this one.
 *
 * Returns: (transfer none) (nullable): the step, or `NULL` if there is none
 */
C2gExecutionStep *
c2g_execution_step_get_substep (C2gExecutionStep *self,
                                guint             position)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  return position < self->substeps->len ? self->substeps->pdata[position] : NULL;
}

/* Returns TRUE if OTHER is the step itself or inside it. SEEN holds steps that were searched
 * before. */
static gboolean
contains (C2gExecutionStep *self,
          C2gExecutionStep *other,
          GHashTable       *seen)
{
  if (self == other)
    return TRUE;
  if (!g_hash_table_add (seen, self))
    return FALSE;

  for (guint i = 0; i < self->substeps->len; i++)
    if (contains (self->substeps->pdata[i], other, seen))
      return TRUE;

  return FALSE;
}

/* Returns the number of levels from this step on, itself included: of its substeps or, with
 * UPWARDS, of its parents. SEEN caches the level of each step. */
static guint
count_levels (C2gExecutionStep *self,
              gboolean          upwards,
              GHashTable       *seen)
{
  const GPtrArray *next = upwards ? self->parents : self->substeps;
  guint n_levels = GPOINTER_TO_UINT (g_hash_table_lookup (seen, self));

  if (n_levels > 0)
    return n_levels;

  for (guint i = 0; i < next->len; i++)
    n_levels = MAX (n_levels, count_levels (next->pdata[i], upwards, seen));
  n_levels++;
  g_hash_table_insert (seen, self, GUINT_TO_POINTER (n_levels));
  return n_levels;
}

/* Limits the depth of nesting, because several functions walk through steps recursively. */
static gboolean
check_levels (C2gExecutionStep  *self,
              C2gExecutionStep  *substep,
              GError           **error)
{
  g_autoptr (GHashTable) above = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) below = g_hash_table_new (NULL, NULL);
  guint n_levels;

  g_mutex_lock (&parents_lock);
  n_levels = count_levels (self, TRUE, above);
  g_mutex_unlock (&parents_lock);
  n_levels += count_levels (substep, FALSE, below);
  if (n_levels <= C2G_WIRE_MAX_DEPTH)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("%u steps inside each other, at most %d are possible"), n_levels,
               C2G_WIRE_MAX_DEPTH);
  return FALSE;
}

/**
 * c2g_execution_step_add_substep:
 * @self: a step
 * @substep: another one, in which @self is not
 * @error: return location for an error
 *
 * Adds a step behind those that are in this one.
 *
 * The step takes a reference: later changes of @substep are changes of @self. No more than 100
 * steps can be inside each other, which is what a file can hold.
 *
 * Errors: `C2G_ERROR_INVALID_ARGUMENT` if @self is or is in @substep; `C2G_ERROR_RANGE` for more
 * steps inside each other.
 *
 * Returns: whether the step was added
 */
gboolean
c2g_execution_step_add_substep (C2gExecutionStep  *self,
                                C2gExecutionStep  *substep,
                                GError           **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (substep), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (contains (substep, self, seen))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                           _("A step cannot be inside of itself"));
      return FALSE;
    }
  if (!check_levels (self, substep, error))
    return FALSE;

  put_substep (self, g_object_ref (substep));
  return TRUE;
}

/**
 * c2g_execution_step_remove_substep:
 * @self: a step
 * @position: a position, from 0 on
 *
 * Takes a step out of this one.
 *
 * Returns: whether there was one
 */
gboolean
c2g_execution_step_remove_substep (C2gExecutionStep *self,
                                   guint             position)
{
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);
  if (position >= self->substeps->len)
    return FALSE;

  forget_parent (self->substeps->pdata[position], self);
  g_ptr_array_remove_index (self->substeps, position);

  return TRUE;
}

/* Returns a message with only the unknown fields of the file. */
static Caffe2__ExecutionStep
get_rest (C2gExecutionStep *self)
{
  const Caffe2__ExecutionStep *rest = c2g_message_box_peek (self->rest);
  Caffe2__ExecutionStep message = CAFFE2__EXECUTION_STEP__INIT;

  if (rest != NULL)
    message.base = rest->base;
  return message;
}

static gboolean
values_equal (C2gExecutionStep *self,
              C2gExecutionStep *other)
{
  const Caffe2__ExecutionStep *message = &self->message;
  const Caffe2__ExecutionStep *other_message = &other->message;

  return c2g_name_equal (message->name, other_message->name) &&
         c2g_name_equal (message->criteria_network, other_message->criteria_network) &&
         c2g_name_equal (message->report_net, other_message->report_net) &&
         c2g_name_equal (message->should_stop_blob, other_message->should_stop_blob) &&
         message->has_num_iter == other_message->has_num_iter &&
         message->num_iter == other_message->num_iter &&
         message->report_interval == other_message->report_interval &&
         message->run_every_ms == other_message->run_every_ms &&
         message->num_concurrent_instances == other_message->num_concurrent_instances &&
         message->concurrent_substeps == other_message->concurrent_substeps &&
         message->only_once == other_message->only_once &&
         message->create_workspace == other_message->create_workspace;
}

static gboolean
substeps_equal (GPtrArray *substeps,
                GPtrArray *others)
{
  if (substeps->len != others->len)
    return FALSE;

  for (guint i = 0; i < substeps->len; i++)
    if (!c2g_execution_step_equal (substeps->pdata[i], others->pdata[i]))
      return FALSE;

  return TRUE;
}

/**
 * c2g_execution_step_equal:
 * @self: a step
 * @other: another one
 *
 * Compares two steps with those in them.
 *
 * A text that is not set equals an empty one.
 *
 * Returns: true if they are equal
 */
gboolean
c2g_execution_step_equal (C2gExecutionStep *self,
                          C2gExecutionStep *other)
{
  Caffe2__ExecutionStep rest;
  Caffe2__ExecutionStep other_rest;

  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (other), FALSE);

  rest = get_rest (self);
  other_rest = get_rest (other);
  return values_equal (self, other) &&
         c2g_name_list_equal (&self->networks, &other->networks) &&
         substeps_equal (self->substeps, other->substeps) &&
         c2g_message_equal (&rest.base, &other_rest.base);
}

/**
 * c2g_execution_step_to_text:
 * @self: a step
 *
 * Writes the step in protobuf's text format.
 *
 * Returns: (transfer full): the text
 */
char *
c2g_execution_step_to_text (C2gExecutionStep *self)
{
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  Caffe2__ExecutionStep message;

  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  c2g_execution_step_get_message (self, &message, owned);
  return c2g_text_print (&message.base);
}
