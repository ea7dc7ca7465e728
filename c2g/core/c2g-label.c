/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-label-private.h>

struct _C2gLabel
{
  gatomicrefcount  ref_count;

  /* Protected by names_lock. Whether it is NULL is also read without the lock. */
  char            *name;
};

/* One lock for all names keeps a label small. Names are read for reports and written by renames,
 * which are both rare. */
static GMutex names_lock;

C2gLabel *
c2g_label_new (const char *name)
{
  C2gLabel *self = g_new (C2gLabel, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_strdup (name);

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

char *
c2g_label_dup_name (C2gLabel *self)
{
  char *copy;

  g_mutex_lock (&names_lock);
  copy = g_strdup (self->name);
  g_mutex_unlock (&names_lock);

  return copy;
}

static __thread C2gLabel *allocating;

C2gLabel *
c2g_label_swap_allocating (C2gLabel *self)
{
  C2gLabel *former = allocating;

  allocating = self;
  return former;
}

char *
c2g_label_dup_allocating_name (void)
{
  return allocating != NULL ? c2g_label_dup_name (allocating) : NULL;
}

gboolean
c2g_label_has_name (C2gLabel *self)
{
  return g_atomic_pointer_get (&self->name) != NULL;
}
