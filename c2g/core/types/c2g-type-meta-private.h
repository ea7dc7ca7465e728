/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

/* Element types live as long as the process. Pointers to them are kept without a reference, and
 * equal pointers mean equal types. */
struct _C2gTypeMeta
{
  const char      *name;
  gsize            item_size;
  C2gDataType      data_type;
  GType            gtype;
  gboolean         is_plain;
  /* TRUE if an element is a pointer, which can be moved as it is. NULL is an empty element. */
  gboolean         is_pointer;
  /* TRUE if making, copying or releasing elements may run foreign code. */
  gboolean         runs_code;
  C2gElementFuncs  funcs;
};

/* Atomic. Set once there has been a type that runs code. */
extern int c2g_type_meta_has_code;

/* Returns a built-in type; the data type must be valid and not UNDEFINED. */
C2gTypeMeta *c2g_type_meta_builtin     (C2gDataType    data_type);

/* Constructs, copies or destroys elements of any type. For plain elements these do nothing, or
 * use memcpy(). Only types for which c2g_type_meta_can_copy() is true may be copied. */
void         c2g_type_meta_construct   (C2gTypeMeta   *self,
                                        gpointer       items,
                                        gsize          n_items);
gboolean     c2g_type_meta_copy_items  (C2gTypeMeta   *self,
                                        gconstpointer  source,
                                        gpointer       destination,
                                        gsize          n_items,
                                        GError       **error);
void         c2g_type_meta_destroy     (C2gTypeMeta   *self,
                                        gpointer       items,
                                        gsize          n_items);

/* Returns TRUE if the pointer is aligned for elements. The alignment is the largest power of two
 * that divides the item size, at most 16. */
static inline gboolean
c2g_type_meta_is_aligned (C2gTypeMeta   *self,
                          gconstpointer  pointer)
{
  gsize alignment = self->item_size & -self->item_size;

  return (guintptr) pointer % MIN (alignment, 16) == 0;
}

G_END_DECLS
