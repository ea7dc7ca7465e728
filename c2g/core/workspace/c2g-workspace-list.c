/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/workspace/c2g-workspace-private.h>

/* A workspace as a GListModel of its blobs.
 *
 * The list model shows the state that its owner has been told, which may be older than the table.
 * It contains the blobs of the table in order of creation up to some point, and blobs that were
 * removed since. Two things remain to be told: the rest of the table, from first_untold on, and the
 * array of removed blobs. A blob that was added and removed in between is in neither, and is never
 * told.
 *
 * Signals are emitted only in the thread that iterates the main context, or in the thread that made
 * the workspace while no thread iterates it. They are emitted in steps: each step changes the list
 * just before its signal. Changes that handlers make meanwhile wait for a later step, because some
 * handlers would receive a nested signal before the outer one. */

typedef struct
{
  guint      position;
  guint      n_removed;
  guint      n_added;

  /* References to drop after the step, or NULL. */
  GPtrArray *dropped;
} Step;

typedef struct
{
  GSource  source;
  GWeakRef workspace;
} ListSource;

/* Takes the reference. It is dropped after the step, when the lock is free: that may run foreign
 * code. */
static void
drop (Step    *step,
      C2gBlob *blob)
{
  if (step->dropped == NULL)
    step->dropped = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (step->dropped, blob);
}

static gboolean
is_removed (GSequenceIter *iter)
{
  return !g_sequence_iter_is_end (iter) && ((C2gBlob *) g_sequence_get (iter))->is_removed;
}

/* Removes the blob and all adjacent removed blobs from the list. */
static void
remove_range (C2gBlob *blob,
              Step    *step)
{
  GSequenceIter *begin = blob->position;
  GSequenceIter *end = g_sequence_iter_next (begin);

  while (!g_sequence_iter_is_begin (begin) && is_removed (g_sequence_iter_prev (begin)))
    begin = g_sequence_iter_prev (begin);
  while (is_removed (end))
    end = g_sequence_iter_next (end);

  step->position = g_sequence_iter_get_position (begin);
  for (GSequenceIter *iter = begin; iter != end; iter = g_sequence_iter_next (iter))
    {
      C2gBlob *removed = g_sequence_get (iter);

      removed->position = NULL;
      drop (step, removed);
      step->n_removed++;
    }
  g_sequence_remove_range (begin, end);
}

static void
append_untold (C2gWorkspaceList *list)
{
  for (C2gBlob *blob = list->first_untold; blob != NULL; blob = blob->next)
    blob->position = g_sequence_append (list->told, g_object_ref (blob));
  list->first_untold = NULL;
}

/* Updates the list by one step; called with the lock held. Returns FALSE if nothing remains to be
 * told, or if there is no list any more. */
static gboolean
take_step (C2gWorkspaceList *list,
           Step             *step)
{
  *step = (Step) { .dropped = NULL };

  if (list->told == NULL)
    return FALSE;

  while (list->removed->len > 0)
    {
      C2gBlob *blob = g_ptr_array_steal_index_fast (list->removed, list->removed->len - 1);

      drop (step, blob);
      if (blob->position != NULL)
        {
          remove_range (blob, step);
          return TRUE;
        }
    }

  if (list->first_untold != NULL)
    {
      step->position = g_sequence_get_length (list->told);
      append_untold (list);
      step->n_added = g_sequence_get_length (list->told) - step->position;
      return TRUE;
    }

  return step->dropped != NULL;
}

/* Emits signals for all changes so far; called in the owner's thread. */
static void
tell (C2gWorkspace *self)
{
  C2gWorkspaceList *list = &self->list;
  Step step;

  g_object_ref (self);
  g_mutex_lock (&self->lock);

  if (!list->is_telling)
    {
      list->is_telling = TRUE;
      while (take_step (list, &step))
        {
          g_mutex_unlock (&self->lock);
          if (step.n_removed + step.n_added > 0)
            g_list_model_items_changed (G_LIST_MODEL (self),
                                        step.position, step.n_removed, step.n_added);
          g_clear_pointer (&step.dropped, g_ptr_array_unref);
          g_mutex_lock (&self->lock);
        }
      list->is_telling = FALSE;
    }

  g_mutex_unlock (&self->lock);
  g_object_unref (self);
}

static gboolean
list_source_dispatch (GSource     *source,
                      GSourceFunc  callback,
                      gpointer     user_data)
{
  ListSource *list_source = (ListSource *) source;
  g_autoptr (C2gWorkspace) workspace = NULL;

  /* Reset before telling: a later change makes the source ready again. */
  g_source_set_ready_time (source, -1);

  workspace = g_weak_ref_get (&list_source->workspace);
  if (workspace != NULL)
    tell (workspace);

  return G_SOURCE_CONTINUE;
}

static void
list_source_finalize (GSource *source)
{
  g_weak_ref_clear (&((ListSource *) source)->workspace);
}

static GSource *
list_source_new (C2gWorkspace *workspace)
{
  static GSourceFuncs funcs = {
    .dispatch = list_source_dispatch,
    .finalize = list_source_finalize,
  };
  GSource *source = g_source_new (&funcs, sizeof (ListSource));

  g_weak_ref_init (&((ListSource *) source)->workspace, workspace);
  g_source_set_static_name (source, "C2gWorkspace list");

  return source;
}

/* Starts the list with the present blobs, which count as told; called with the lock held. */
static void
use_list_locked (C2gWorkspace *self)
{
  C2gWorkspaceList *list = &self->list;

  if (g_atomic_int_get (&list->is_used) || self->is_closed)
    return;

  list->told = g_sequence_new (NULL);
  list->removed = g_ptr_array_new_with_free_func (g_object_unref);
  list->first_untold = self->first;
  append_untold (list);
  list->source = list_source_new (self);
  g_source_attach (list->source, list->context);
  g_atomic_int_set (&list->is_used, TRUE);
}

void
c2g_workspace_list_prepare (C2gWorkspace *self)
{
  static guint items_changed;

  if (g_atomic_int_get (&self->list.is_used))
    return;

  if (G_UNLIKELY (g_atomic_int_get (&items_changed) == 0))
    g_atomic_int_set (&items_changed, g_signal_lookup ("items-changed", G_TYPE_LIST_MODEL));

  if (g_signal_has_handler_pending (self, g_atomic_int_get (&items_changed), 0, TRUE))
    {
      g_mutex_lock (&self->lock);
      use_list_locked (self);
      g_mutex_unlock (&self->lock);
    }
}

void
c2g_workspace_list_add_locked (C2gWorkspace *self,
                               C2gBlob      *blob)
{
  if (g_atomic_int_get (&self->list.is_used) && self->list.first_untold == NULL)
    self->list.first_untold = blob;
}

void
c2g_workspace_list_remove_locked (C2gWorkspace *self,
                                  C2gBlob      *blob)
{
  if (self->list.first_untold == blob)
    self->list.first_untold = blob->next;

  if (blob->position != NULL)
    g_ptr_array_add (self->list.removed, g_object_ref (blob));
}

void
c2g_workspace_list_changed (C2gWorkspace *self)
{
  C2gWorkspaceList *list = &self->list;

  if (!g_atomic_int_get (&list->is_used))
    return;

  if (g_main_context_is_owner (list->context))
    {
      tell (self);
    }
  else if (g_thread_self () == list->thread && g_main_context_acquire (list->context))
    {
      g_autoptr (GMainContext) context = g_main_context_ref (list->context);

      tell (self);
      g_main_context_release (context);
    }
  else
    {
      g_mutex_lock (&self->lock);
      if (list->source != NULL)
        g_source_set_ready_time (list->source, 0);
      g_mutex_unlock (&self->lock);
    }
}

static GType
c2g_workspace_get_item_type (GListModel *model)
{
  return C2G_TYPE_BLOB;
}

static guint
c2g_workspace_get_n_items (GListModel *model)
{
  C2gWorkspace *self = C2G_WORKSPACE (model);
  guint n_items;

  g_mutex_lock (&self->lock);
  use_list_locked (self);
  n_items = self->list.told != NULL ? g_sequence_get_length (self->list.told) : 0;
  g_mutex_unlock (&self->lock);

  return n_items;
}

static gpointer
c2g_workspace_get_item (GListModel *model,
                        guint       position)
{
  C2gWorkspace *self = C2G_WORKSPACE (model);
  C2gBlob *blob = NULL;

  g_mutex_lock (&self->lock);
  use_list_locked (self);
  if (self->list.told != NULL && position < (guint) g_sequence_get_length (self->list.told))
    blob = g_object_ref (g_sequence_get (g_sequence_get_iter_at_pos (self->list.told, position)));
  g_mutex_unlock (&self->lock);

  return blob;
}

void
c2g_workspace_list_init_interface (GListModelInterface *iface)
{
  iface->get_item_type = c2g_workspace_get_item_type;
  iface->get_n_items = c2g_workspace_get_n_items;
  iface->get_item = c2g_workspace_get_item;
}

void
c2g_workspace_list_init (C2gWorkspace *self)
{
  self->list.context = g_main_context_ref_thread_default ();
  self->list.thread = g_thread_ref (g_thread_self ());
}

/* Frees the list without signals, when the workspace is closed and has no blobs. */
void
c2g_workspace_list_clear (C2gWorkspace *self)
{
  C2gWorkspaceList *list = &self->list;
  GSequence *told;
  GPtrArray *removed;
  GSource *source;

  g_mutex_lock (&self->lock);
  told = g_steal_pointer (&list->told);
  removed = g_steal_pointer (&list->removed);
  source = g_steal_pointer (&list->source);
  list->first_untold = NULL;
  g_atomic_int_set (&list->is_used, FALSE);
  g_mutex_unlock (&self->lock);

  if (told == NULL)
    return;

  g_source_destroy (source);
  g_source_unref (source);
  g_sequence_foreach (told, (GFunc) g_object_unref, NULL);
  g_sequence_free (told);
  g_ptr_array_unref (removed);
}

void
c2g_workspace_list_finalize (C2gWorkspace *self)
{
  g_main_context_unref (self->list.context);
  g_thread_unref (self->list.thread);
}
