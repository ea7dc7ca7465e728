/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace-private.h>

#include <c2g/core/types/c2g-drop-private.h>

#include <string.h>

/* Forwards: names in a workspace that stand for blobs of another one. Workspaces keep them in a
 * table. */

C2gForward *
c2g_forward_new (const char   *name,
                 C2gWorkspace *parent,
                 const char   *parent_name)
{
  C2gForward *self = g_new0 (C2gForward, 1);

  self->name = g_strdup (name);
  self->parent = g_object_ref (parent);
  self->parent_name = g_strdup (parent_name);
  self->link.data = self;

  return self;
}

void
c2g_forward_free (C2gForward *self)
{
  g_free (self->name);
  c2g_drop_object (self->parent);
  g_free (self->parent_name);
  g_free (self);
}

void
c2g_forward_free_if_any (gpointer data)
{
  if (data != NULL)
    c2g_forward_free (data);
}

gboolean
c2g_forward_is_to (const C2gForward *self,
                   C2gWorkspace     *parent,
                   const char       *parent_name)
{
  return self->parent == parent && strcmp (self->parent_name, parent_name) == 0;
}

C2gForward *
c2g_forward_table_lookup (const C2gForwardTable *self,
                          const char            *name)
{
  return self->by_name != NULL ? g_hash_table_lookup (self->by_name, name) : NULL;
}

void
c2g_forward_table_insert (C2gForwardTable *self,
                          C2gForward      *forward)
{
  if (self->by_name == NULL)
    self->by_name = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (self->by_name, forward->name, forward);
  g_queue_push_tail_link (&self->order, &forward->link);
}

void
c2g_forward_table_steal (C2gForwardTable *self,
                         C2gForward      *forward)
{
  g_hash_table_remove (self->by_name, forward->name);
  g_queue_unlink (&self->order, &forward->link);
}

GList *
c2g_forward_table_steal_all (C2gForwardTable *self)
{
  GList *forwards = NULL;

  for (GList *l = self->order.tail; l != NULL; l = l->prev)
    forwards = g_list_prepend (forwards, l->data);

  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_queue_init (&self->order);

  return forwards;
}
