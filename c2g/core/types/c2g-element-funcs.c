/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-element-funcs-private.h>

#include <c2g/core/types/c2g-type-meta-private.h>

/* Copies and frees elements that are pointers: strings, boxed types and objects. c2g-type-meta.c
 * puts these functions into the element types. */

/* Strings: an element is a GBytes *, or NULL for the empty one. */

gboolean
c2g_string_elements_copy (C2gTypeMeta    *meta,
                          gconstpointer   source,
                          gpointer        destination,
                          gsize           n_items,
                          GError        **error)
{
  GBytes *const *from = source;
  GBytes **to = destination;

  for (gsize i = 0; i < n_items; i++)
    {
      GBytes *old = to[i];

      to[i] = from[i] != NULL ? g_bytes_ref (from[i]) : NULL;
      g_clear_pointer (&old, g_bytes_unref);
    }
  return TRUE;
}

void
c2g_string_elements_destroy (C2gTypeMeta *meta,
                             gpointer     items,
                             gsize        n_items)
{
  GBytes **strings = items;

  for (gsize i = 0; i < n_items; i++)
    g_clear_pointer (&strings[i], g_bytes_unref);
}

/* Boxed types: an element is a pointer to a copy, or NULL. */

static gboolean
copy_boxed (C2gTypeMeta    *meta,
            gconstpointer   source,
            gpointer        destination,
            gsize           n_items,
            GError        **error)
{
  const gpointer *from = source;
  gpointer *to = destination;

  for (gsize i = 0; i < n_items; i++)
    {
      gpointer copy = from[i] != NULL ? g_boxed_copy (meta->gtype, from[i]) : NULL;
      gpointer old = to[i];

      to[i] = copy;
      if (old != NULL)
        g_boxed_free (meta->gtype, old);
    }
  return TRUE;
}

static void
destroy_boxed (C2gTypeMeta *meta,
               gpointer     items,
               gsize        n_items)
{
  gpointer *boxed = items;

  for (gsize i = 0; i < n_items; i++)
    {
      gpointer old = g_steal_pointer (&boxed[i]);

      if (old != NULL)
        g_boxed_free (meta->gtype, old);
    }
}

/* PyGObject and gjs pass None and null as a NULL pointer. */
static gboolean
is_null_pointer (const GValue *value)
{
  return G_VALUE_HOLDS_POINTER (value) && g_value_get_pointer (value) == NULL;
}

static void
get_boxed (C2gTypeMeta   *meta,
           gconstpointer  item,
           GValue        *value)
{
  g_value_init (value, meta->gtype);
  g_value_set_boxed (value, *(const gpointer *) item);
}

static gboolean
set_boxed (C2gTypeMeta  *meta,
           gpointer      item,
           const GValue *value)
{
  gpointer *place = item;
  gpointer copy = NULL;
  gpointer old;

  if (G_VALUE_HOLDS (value, meta->gtype))
    copy = g_value_dup_boxed (value);
  else if (!is_null_pointer (value))
    return FALSE;

  /* Read the old element only now: the copier may have set this element. */
  old = *place;
  *place = copy;
  if (old != NULL)
    g_boxed_free (meta->gtype, old);

  return TRUE;
}

/* Objects and interfaces: an element is a reference, or NULL. */

static gboolean
copy_objects (C2gTypeMeta    *meta,
              gconstpointer   source,
              gpointer        destination,
              gsize           n_items,
              GError        **error)
{
  GObject *const *from = source;
  GObject **to = destination;

  for (gsize i = 0; i < n_items; i++)
    g_set_object (&to[i], from[i]);
  return TRUE;
}

static void
destroy_objects (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
  GObject **objects = items;

  for (gsize i = 0; i < n_items; i++)
    g_clear_object (&objects[i]);
}

static void
get_object (C2gTypeMeta   *meta,
            gconstpointer  item,
            GValue        *value)
{
  g_value_init (value, meta->gtype);
  g_value_set_object (value, *(GObject *const *) item);
}

static gboolean
set_object (C2gTypeMeta  *meta,
            gpointer      item,
            const GValue *value)
{
  GObject **place = item;
  GObject *object = NULL;

  if (G_VALUE_HOLDS_OBJECT (value))
    object = g_value_get_object (value);
  else if (!is_null_pointer (value))
    return FALSE;

  if (object != NULL && !g_type_is_a (G_OBJECT_TYPE (object), meta->gtype))
    return FALSE;

  g_set_object (place, object);
  return TRUE;
}

const C2gElementFuncs c2g_boxed_element_funcs = {
  .copy = copy_boxed,
  .destroy = destroy_boxed,
  .get = get_boxed,
  .set = set_boxed,
};

const C2gElementFuncs c2g_object_element_funcs = {
  .copy = copy_objects,
  .destroy = destroy_objects,
  .get = get_object,
  .set = set_object,
};
