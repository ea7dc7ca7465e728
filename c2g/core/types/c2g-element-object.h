/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_ELEMENT_OBJECT (c2g_element_object_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_INTERFACE (C2gElementObject, c2g_element_object, C2G, ELEMENT_OBJECT, GObject)

/**
 * C2gElementObjectInterface:
 * @copy: makes another object for a copy of the tensor
 * @accept: takes over a value of another type
 *
 * The functions of an element; both may be left out.
 */
struct _C2gElementObjectInterface
{
  GTypeInterface parent_interface;

  C2gElementObject *(*copy)   (C2gElementObject *self);
  gboolean          (*accept) (C2gElementObject *self,
                               const GValue     *value);

  /*< private >*/
  gpointer _reserved[6];
};

G_END_DECLS
