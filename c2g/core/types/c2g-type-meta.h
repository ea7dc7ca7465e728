/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_TYPE_META (c2g_type_meta_get_type ())

typedef struct _C2gTypeMeta C2gTypeMeta;

/**
 * C2gElementConstructFunc: (skip)
 * @meta: the element type
 * @items: (not nullable): raw memory for @n_items elements
 * @n_items: how many elements
 *
 * Makes elements in raw memory.
 */
typedef void     (*C2gElementConstructFunc) (C2gTypeMeta   *meta,
                                             gpointer       items,
                                             gsize          n_items);
/**
 * C2gElementCopyFunc: (skip)
 * @meta: the element type
 * @source: constructed elements
 * @destination: constructed elements, none of them among those at @source
 * @n_items: how many elements
 * @error: return location for an error
 *
 * Assigns elements to others, releasing what those held.
 *
 * If it fails, no element of @destination has changed.
 *
 * Returns: whether all elements were assigned
 */
typedef gboolean (*C2gElementCopyFunc)      (C2gTypeMeta    *meta,
                                             gconstpointer   source,
                                             gpointer        destination,
                                             gsize           n_items,
                                             GError        **error);
/**
 * C2gElementDestroyFunc: (skip)
 * @meta: the element type
 * @items: constructed elements
 * @n_items: how many elements
 *
 * Destroys elements; the memory stays, raw.
 */
typedef void     (*C2gElementDestroyFunc)   (C2gTypeMeta   *meta,
                                             gpointer       items,
                                             gsize          n_items);
/**
 * C2gElementGetFunc: (skip)
 * @meta: the element type
 * @item: a constructed element
 * @value: (inout): a zero-filled value to initialize and set
 *
 * Puts a copy of an element into a value.
 */
typedef void     (*C2gElementGetFunc)       (C2gTypeMeta   *meta,
                                             gconstpointer  item,
                                             GValue        *value);
/**
 * C2gElementSetFunc: (skip)
 * @meta: the element type
 * @item: a constructed element
 * @value: the new content
 *
 * Assigns a value to an element.
 *
 * Returns: whether an element of this type can be made of @value; if not, the
 *   element is as it was
 */
typedef gboolean (*C2gElementSetFunc)       (C2gTypeMeta   *meta,
                                             gpointer       item,
                                             const GValue  *value);

/**
 * C2gElementFuncs: (skip)
 *
 * The functions of an element type; each may be `NULL`.
 *
 * - `construct` makes elements; without it new elements are zero-filled if there is a
 *   copier or a destructor, and undefined otherwise.
 * - `copy` assigns elements; without it an element type that has a constructor or a
 *   destructor cannot be copied.
 * - `destroy` destroys elements.
 * - `get` reads an element for [method@Tensor.get_element], and `set` writes one for
 *   [method@Tensor.set_element].
 */
typedef struct
{
  C2gElementConstructFunc construct;
  C2gElementCopyFunc      copy;
  C2gElementDestroyFunc   destroy;
  C2gElementGetFunc       get;
  C2gElementSetFunc       set;

  /*< private >*/
  gpointer _reserved[3];
} C2gElementFuncs;

C2G_AVAILABLE_IN_ALL
GType        c2g_type_meta_get_type       (void);

C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_type_meta_register_full  (const char             *name,
                                           gsize                   item_size,
                                           const C2gElementFuncs  *funcs,
                                           GError                **error);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_type_meta_register       (const char             *name,
                                           gsize                   item_size,
                                           GError                **error);

C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_type_meta_lookup         (const char             *name,
                                           GError                **error);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_type_meta_for_data_type  (C2gDataType             data_type,
                                           GError                **error);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_type_meta_for_gtype      (GType                   gtype,
                                           GError                **error);

C2G_AVAILABLE_IN_ALL
const char  *c2g_type_meta_get_name       (C2gTypeMeta            *self);
C2G_AVAILABLE_IN_ALL
gsize        c2g_type_meta_get_item_size  (C2gTypeMeta            *self);
C2G_AVAILABLE_IN_ALL
C2gDataType  c2g_type_meta_get_data_type  (C2gTypeMeta            *self);
C2G_AVAILABLE_IN_ALL
GType        c2g_type_meta_get_gtype      (C2gTypeMeta            *self);

C2G_AVAILABLE_IN_ALL
gboolean     c2g_type_meta_is_plain       (C2gTypeMeta            *self);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_type_meta_can_copy       (C2gTypeMeta            *self);

G_END_DECLS
