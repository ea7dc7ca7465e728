/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-label-private.h>

/* Labels: the names under which reports show memory. Blobs set them, tensors and storages refer to
 * them. */

struct _C2gLabel
{
  gatomicrefcount  ref_count;

  /* Protected by names_lock; read without it only to test for NULL. */
  char            *name;
  /* The whole that this is a part of, or else the owner; protected by names_lock. */
  C2gLabel        *parent;
  gboolean         is_part;
};

/* One lock for all names keeps a label small. Names are read for reports and written by renames,
 * which are both rare. */
static GMutex names_lock;

C2gLabel *
c2g_label_new (const char *name)
{
  C2gLabel *self = g_new0 (C2gLabel, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);

  return self;
}

C2gLabel *
c2g_label_new_part (C2gLabel   *whole,
                    const char *suffix)
{
  C2gLabel *self = c2g_label_new (suffix);

  self->parent = c2g_label_ref (whole);
  self->is_part = TRUE;

  return self;
}

C2gLabel *
c2g_label_ref (C2gLabel *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
c2g_label_unref (C2gLabel *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->parent != NULL)
    c2g_label_unref (self->parent);
  g_free (self->name);
  g_free (self);
}

void
c2g_label_set_name (C2gLabel   *self,
                    const char *name)
{
  char *copy = g_strdup (name);
  char *old;

  g_mutex_lock (&names_lock);
  old = self->name;
  g_atomic_pointer_set (&self->name, copy);
  g_mutex_unlock (&names_lock);

  g_free (old);
}

void
c2g_label_set_owner (C2gLabel *self,
                     C2gLabel *owner)
{
  C2gLabel *former;

  g_mutex_lock (&names_lock);
  former = self->parent;
  self->parent = c2g_label_ref (owner);
  g_mutex_unlock (&names_lock);

  if (former != NULL)
    c2g_label_unref (former);
}

gpointer
c2g_label_get_root (C2gLabel *self)
{
  g_mutex_lock (&names_lock);
  while (self->parent != NULL)
    self = self->parent;
  g_mutex_unlock (&names_lock);

  return self;
}

/* Called with the lock held. */
static char *
compose_name (const C2gLabel *self)
{
  g_autofree char *base = self->parent != NULL ? compose_name (self->parent) : NULL;

  if (!self->is_part)
    return base != NULL ? g_steal_pointer (&base) : g_strdup (self->name);
  if (base != NULL)
    return g_strconcat (base, self->name, NULL);

  return self->name[0] == '/' ? g_strdup (self->name + 1) : NULL;
}

char *
c2g_label_dup_name (C2gLabel *self)
{
  char *copy;

  g_mutex_lock (&names_lock);
  copy = compose_name (self);
  g_mutex_unlock (&names_lock);

  return copy;
}

C2G_HOT_THREAD C2gLabel *c2g_label_of_block;

char *
c2g_label_dup_name_of_block (void)
{
  return c2g_label_of_block != NULL ? c2g_label_dup_name (c2g_label_of_block) : NULL;
}

gboolean
c2g_label_has_name (C2gLabel *self)
{
  return g_atomic_pointer_get (&self->name) != NULL;
}

static GQuark
get_func_quark (void)
{
  return g_quark_from_static_string ("c2g-label-func");
}

void
c2g_label_set_func (GType        type,
                    C2gLabelFunc func)
{
  g_type_set_qdata (type, get_func_quark (), func);
}

C2gLabelFunc
c2g_label_get_func (GType type)
{
  C2gLabelFunc func = NULL;

  for (; func == NULL && type != G_TYPE_INVALID; type = g_type_parent (type))
    func = (C2gLabelFunc) g_type_get_qdata (type, get_func_quark ());

  return func;
}
