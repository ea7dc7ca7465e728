/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-element-object.h>

#include <c2g/core/types/c2g-element-funcs-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

/**
 * C2gElementObject:
 *
 * An interface of objects that are elements of tensors, and are copied with them.
 *
 * With it an element type can be written in any language. [func@TypeMeta.for_gtype] returns the
 * element type of a class that implements it. In a tensor of that type
 *
 * - each new element is a new object, made without any properties (elements of an
 *   abstract class or of an interface are `NULL`);
 * - copying a tensor copies its elements, by the virtual function `copy`; a tensor that only moves
 *   to another block, as by [method@Tensor.reserve], takes its elements along;
 * - an element is released when its memory goes back, or another one takes its place;
 * - [method@Tensor.get_element] gives the object, and [method@Tensor.set_element] takes
 *   another one, or any value that a new object accepts by the virtual function `accept`.
 *
 * Elements of other classes are `NULL` at first, and copies of a tensor share them.
 *
 * The virtual functions, constructors and finalizers may use any tensor. If one of them frees,
 * resizes or retypes a tensor whose elements are just being made or copied, that operation
 * fails with `C2G_ERROR_BUSY`.
 *
 * ```python
 * class Point(GObject.Object, C2g.ElementObject):
 *     x = GObject.Property(type=float)
 *
 *     def do_copy(self):
 *         return Point(x=self.x)
 *
 *     def do_accept(self, value):
 *         self.x = value
 *         return True
 *
 * tensor.allocate_meta(C2g.TypeMeta.for_gtype(Point))
 * tensor.set_element(0, 2.5)
 * ```
 *
 * ## Threads
 *
 * The virtual functions run in the thread that uses the tensor. gjs cannot run them in another
 * thread than its own, so such tensors must stay in that thread.
 */

G_DEFINE_INTERFACE (C2gElementObject, c2g_element_object, G_TYPE_OBJECT)

static void
c2g_element_object_default_init (C2gElementObjectInterface *iface)
{
  /**
   * C2gElementObjectInterface::copy:
   * @self: an element
   *
   * Makes another object of the same class with the same content.
   *
   * Without this function copies of a tensor refer to the same objects.
   *
   * `NULL`, or an object of another class, makes the copy of the tensor fail with
   * `C2G_ERROR_FAILED`.
   *
   * Returns: (transfer full) (nullable): the other object
   */

  /**
   * C2gElementObjectInterface::accept:
   * @self: a new element
   * @value: what [method@Tensor.set_element] was given
   *
   * Takes over a value that is no object of the class.
   *
   * Returns: whether an element can be made of it
   */
}

static void
construct (C2gTypeMeta *meta,
           gpointer     items,
           gsize        n_items)
{
  gboolean can_make = G_TYPE_IS_OBJECT (meta->gtype) && !G_TYPE_IS_ABSTRACT (meta->gtype);
  GObject **objects = items;

  for (gsize i = 0; i < n_items; i++)
    objects[i] = can_make ? g_object_new (meta->gtype, NULL) : NULL;
}

/* Checks the result: an override in another language may return NULL after an exception, or an
 * object of the wrong class. */
static gboolean
copy_one (C2gTypeMeta  *meta,
          GObject      *object,
          GObject     **copy,
          GError      **error)
{
  /* Keep a reference: the copier may remove the element from the tensor. */
  g_autoptr (GObject) held = object != NULL ? g_object_ref (object) : NULL;
  C2gElementObjectInterface *iface;

  *copy = NULL;
  if (held == NULL)
    return TRUE;

  iface = C2G_ELEMENT_OBJECT_GET_IFACE (held);
  if (iface->copy == NULL)
    {
      *copy = g_steal_pointer (&held);
      return TRUE;
    }

  *copy = (GObject *) iface->copy ((C2gElementObject *) held);
  if (*copy != NULL && g_type_is_a (G_OBJECT_TYPE (*copy), meta->gtype))
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
               _("copy of %s gave %s, expected an object of the class %s"),
               G_OBJECT_TYPE_NAME (held), *copy != NULL ? G_OBJECT_TYPE_NAME (*copy) : _("nothing"),
               meta->name);
  g_clear_object (copy);
  return FALSE;
}

/* Makes all copies before it assigns any, so that nothing changes if one fails. */
static gboolean
copy (C2gTypeMeta    *meta,
      gconstpointer   source,
      gpointer        destination,
      gsize           n_items,
      GError        **error)
{
  g_autofree GObject **copies = g_try_new (GObject *, n_items);
  GObject *const *from = source;
  GObject **to = destination;
  gboolean done;
  gsize n = 0;

  if (copies == NULL && n_items > 0)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory for a copy of %zu bytes"),
                     n_items * sizeof *copies);

  while (n < n_items && copy_one (meta, from[n], &copies[n], error))
    n++;

  done = n == n_items;
  for (gsize i = 0; done && i < n; i++)
    {
      GObject *old = to[i];

      to[i] = copies[i];
      copies[i] = old;
    }
  c2g_object_element_funcs.destroy (meta, copies, n);
  return done;
}

/* Calls accept() of a new object, because other tensors may refer to the present one. */
static gboolean
accept_value (C2gTypeMeta  *meta,
              GObject     **place,
              const GValue *value)
{
  g_autoptr (GObject) object = NULL;
  C2gElementObjectInterface *iface;

  construct (meta, &object, 1);
  if (object == NULL)
    return FALSE;

  iface = C2G_ELEMENT_OBJECT_GET_IFACE (object);
  if (iface->accept == NULL || !iface->accept ((C2gElementObject *) object, value))
    return FALSE;

  g_set_object (place, object);
  return TRUE;
}

static gboolean
set (C2gTypeMeta  *meta,
     gpointer      item,
     const GValue *value)
{
  return c2g_object_element_funcs.set (meta, item, value) || accept_value (meta, item, value);
}

static void
get (C2gTypeMeta   *meta,
     gconstpointer  item,
     GValue        *value)
{
  c2g_object_element_funcs.get (meta, item, value);
}

static void
destroy (C2gTypeMeta *meta,
         gpointer     items,
         gsize        n_items)
{
  c2g_object_element_funcs.destroy (meta, items, n_items);
}

const C2gElementFuncs c2g_element_object_funcs = {
  .construct = construct,
  .copy = copy,
  .destroy = destroy,
  .get = get,
  .set = set,
};
