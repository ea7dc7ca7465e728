/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-element-object.h>
#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

/* Functions of the built-in element types that are not plain memory. */

gboolean                      c2g_string_elements_copy    (C2gTypeMeta   *meta,
                                                           gconstpointer  source,
                                                           gpointer       destination,
                                                           gsize          n_items,
                                                           GError       **error);
void                          c2g_string_elements_destroy (C2gTypeMeta   *meta,
                                                           gpointer       items,
                                                           gsize          n_items);

extern const C2gElementFuncs  c2g_boxed_element_funcs;
extern const C2gElementFuncs  c2g_object_element_funcs;
extern const C2gElementFuncs  c2g_element_object_funcs;

G_END_DECLS
