/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-execution-step-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/def/c2g-def-io-private.h>
#include <c2g/def/c2g-def-list-private.h>
#include <c2g/def/c2g-def-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Adds and removes the steps inside a step, and compares and prints its message. Each step knows
 * its parents, so that a step cannot be put into itself or nested too deep. */

/* Protects the lists of parents of all steps. The last reference to a parent may be dropped in
 * another thread than the one that its substeps belong to. */
static GMutex parents_lock;

static void
remember_parent (C2gExecutionStep *substep,
                 C2gExecutionStep *parent)
{
  g_mutex_lock (&parents_lock);
  g_ptr_array_add (substep->parents, parent);
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
c2g_execution_step_filled (gpointer self)
{
  for (guint i = 0; i < c2g_execution_step_get_n_substeps (self); i++)
    remember_parent (c2g_execution_step_get_substep (self, i), self);
}

void
c2g_execution_step_leave (C2gExecutionStep *self)
{
  for (guint i = 0; i < self->message.n_substep; i++)
    forget_parent (c2g_def_of (self->message.substep[i]), self);
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
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  return c2g_def_copy (self);
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

  return self->message.n_substep;
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

  return c2g_def_list_get (self->message.substep, self->message.n_substep, position);
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

  for (gsize i = 0; i < self->message.n_substep; i++)
    if (contains (c2g_def_of (self->message.substep[i]), other, seen))
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
  gsize n_next = upwards ? self->parents->len : self->message.n_substep;
  guint n_levels = GPOINTER_TO_UINT (g_hash_table_lookup (seen, self));

  if (n_levels > 0)
    return n_levels;

  for (gsize i = 0; i < n_next; i++)
    {
      gpointer next = upwards ? self->parents->pdata[i] : c2g_def_of (self->message.substep[i]);

      n_levels = MAX (n_levels, count_levels (next, upwards, seen));
    }
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

  return c2g_fail (error, C2G_ERROR_RANGE, _("%u steps inside each other, at most %d are possible"),
                   n_levels, C2G_WIRE_MAX_DEPTH);
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
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("A step cannot be inside of itself"));
  if (!check_levels (self, substep, error))
    return FALSE;

  c2g_def_list_insert (&self->message.substep, &self->message.n_substep,
                       self->message.n_substep, substep);
  remember_parent (substep, self);
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
  if (position >= self->message.n_substep)
    return FALSE;

  forget_parent (c2g_def_of (self->message.substep[position]), self);
  return c2g_def_list_remove (&self->message.substep, &self->message.n_substep, position);
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
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), FALSE);
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (other), FALSE);

  return c2g_def_equal (self, other);
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
  g_return_val_if_fail (C2G_IS_EXECUTION_STEP (self), NULL);

  return c2g_def_io_to_text (self);
}
