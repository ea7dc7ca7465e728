/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-name-list-private.h>

#include <string.h>

void
c2g_name_list_clear (C2gNameList *self)
{
  for (gsize i = 0; i < self->n_names; i++)
    g_free (self->names[i]);
  g_clear_pointer (&self->names, g_free);
  self->n_names = 0;
  self->capacity = 0;
}

const char *const *
c2g_name_list_get (const C2gNameList *self)
{
  static const char *const none[] = { NULL };

  return self->names == NULL ? none : (const char *const *) self->names;
}

/* Makes room for n_names names and the NULL at the end. */
static void
reserve (C2gNameList *self,
         gsize        n_names)
{
  if (n_names < self->capacity)
    return;

  self->capacity = MAX (MAX (n_names + 1, 2 * self->capacity), 4);
  self->names = g_renew (char *, self->names, self->capacity);
}

/* Appends the name and takes ownership of it. */
static void
append (C2gNameList *self,
        char        *name)
{
  reserve (self, self->n_names + 1);
  self->names[self->n_names++] = name;
  self->names[self->n_names] = NULL;
}

void
c2g_name_list_add (C2gNameList *self,
                   const char  *name)
{
  append (self, g_strdup (name));
}

gboolean
c2g_name_list_set (C2gNameList       *self,
                   const char *const *names)
{
  static const char *const none[] = { NULL };
  C2gNameList old = *self;

  if (names == NULL)
    names = none;
  if (g_strv_equal (c2g_name_list_get (self), names))
    return FALSE;

  /* NAMES may point into this list: free the old names only after the copy. */
  *self = (C2gNameList) { NULL };
  for (gsize i = 0; names[i] != NULL; i++)
    c2g_name_list_add (self, names[i]);
  c2g_name_list_clear (&old);
  return TRUE;
}

gboolean
c2g_name_list_equal (const C2gNameList *self,
                     const C2gNameList *other)
{
  return g_strv_equal (c2g_name_list_get (self), c2g_name_list_get (other));
}

char *
c2g_name_from_message (const char *text)
{
  return text == NULL ? NULL : g_utf8_make_valid (text, -1);
}

gboolean
c2g_name_equal (const char *name,
                const char *other)
{
  return g_str_equal (name == NULL ? "" : name, other == NULL ? "" : other);
}

void
c2g_name_list_add_all (C2gNameList *self,
                       char *const *names,
                       gsize        n_names)
{
  if (n_names == 0)
    return;

  reserve (self, self->n_names + n_names);
  for (gsize i = 0; i < n_names; i++)
    append (self, c2g_name_from_message (names[i]));
}
