/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-argument-list-private.h>

static C2gArgumentList *
list_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_argument_unref);
}

static gsize
get_length (C2gArgumentList *self)
{
  return self == NULL ? 0 : self->len;
}

static gboolean
is_called (C2gArgumentList *self,
           gsize            i,
           const char      *name)
{
  return g_str_equal (c2g_argument_get_name (self->pdata[i]), name);
}

C2gArgument *
c2g_argument_list_find (C2gArgumentList *self,
                        const char      *name)
{
  for (gsize i = 0; i < get_length (self); i++)
    if (is_called (self, i, name))
      return self->pdata[i];

  return NULL;
}

/* Removes the arguments of that name from the index BEGIN on. */
static gboolean
remove_all (C2gArgumentList *self,
            gsize            begin,
            const char      *name)
{
  gsize n = get_length (self);
  gsize n_kept = begin;

  for (gsize i = begin; i < n; i++)
    if (is_called (self, i, name))
      g_clear_pointer (&self->pdata[i], c2g_argument_unref);
    else
      self->pdata[n_kept++] = self->pdata[i];

  if (n_kept < n)
    {
      for (gsize i = n_kept; i < n; i++)
        self->pdata[i] = NULL;
      self->len = n_kept;
    }
  return n_kept < n;
}

void
c2g_argument_list_set (C2gArgumentList **self,
                       C2gArgument      *argument)
{
  const char *name = c2g_argument_get_name (argument);

  if (*self == NULL)
    *self = list_new ();

  c2g_argument_ref (argument);
  for (gsize i = 0; i < (*self)->len; i++)
    if (is_called (*self, i, name))
      {
        c2g_argument_unref ((*self)->pdata[i]);
        (*self)->pdata[i] = argument;
        remove_all (*self, i + 1, name);
        return;
      }

  g_ptr_array_add (*self, argument);
}

gboolean
c2g_argument_list_remove (C2gArgumentList *self,
                          const char      *name)
{
  g_autofree char *copy = g_strdup (name);

  /* NAME may point into an argument that is removed: keep a copy. */
  return remove_all (self, 0, copy);
}

C2gArgument **
c2g_argument_list_dup (C2gArgumentList *self,
                       guint           *n_arguments)
{
  guint n = get_length (self);
  C2gArgument **arguments = g_new0 (C2gArgument *, n + 1);

  for (guint i = 0; i < n; i++)
    arguments[i] = c2g_argument_ref (self->pdata[i]);
  *n_arguments = n;
  return arguments;
}

C2gArgumentList *
c2g_argument_list_copy (C2gArgumentList *self)
{
  C2gArgumentList *copy;

  if (get_length (self) == 0)
    return NULL;

  copy = list_new ();
  for (gsize i = 0; i < self->len; i++)
    g_ptr_array_add (copy, c2g_argument_ref (self->pdata[i]));
  return copy;
}

gboolean
c2g_argument_list_equal (C2gArgumentList *self,
                         C2gArgumentList *other)
{
  gsize n = get_length (self);

  if (n != get_length (other))
    return FALSE;

  for (gsize i = 0; i < n; i++)
    if (!c2g_argument_equal (self->pdata[i], other->pdata[i]))
      return FALSE;

  return TRUE;
}

C2gArgumentList *
c2g_argument_list_new_take (Caffe2__Argument **messages,
                            gsize              n_messages)
{
  C2gArgumentList *self;

  if (n_messages == 0)
    return NULL;

  self = list_new ();
  for (gsize i = 0; i < n_messages; i++)
    g_ptr_array_add (self, c2g_argument_new_take (messages[i]));
  return self;
}

Caffe2__Argument **
c2g_argument_list_get_messages (C2gArgumentList *self,
                                gsize           *n_messages)
{
  gsize n = get_length (self);
  Caffe2__Argument **messages = g_new (Caffe2__Argument *, n);

  for (gsize i = 0; i < n; i++)
    messages[i] = (Caffe2__Argument *) c2g_argument_peek (self->pdata[i]);
  *n_messages = n;
  return messages;
}
