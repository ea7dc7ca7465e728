/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Tells how a property is read and written: with a getter and a setter, or in a field of the
 * instance. A class has a table with one row for each property, by its number.
 *
 * The type of the GParamSpec tells the C type of the getter, the setter and the field: gboolean,
 * int (also for enums), guint, gint64, guint64, float, double, or a pointer to a text, a boxed
 * value or an object. No property has the type gsize: it differs from guint64 on 32 bits. */
typedef struct
{
  GCallback get;
  GCallback set;
  /* TRUE if the getter returns a text that the caller must free. */
  gboolean  is_dup;
  /* The field, which is used where there is no getter or no setter. */
  gsize     offset;
} C2gProperty;

#define C2G_PROPERTY(prefix, name)                                                   \
  {                                                                                  \
    .get = G_CALLBACK (prefix##_get_##name), .set = G_CALLBACK (prefix##_set_##name) \
  }
#define C2G_PROPERTY_DUP(prefix, name)                                                               \
  {                                                                                                  \
    .get = G_CALLBACK (prefix##_dup_##name), .set = G_CALLBACK (prefix##_set_##name), .is_dup = TRUE \
  }
#define C2G_PROPERTY_READ_ONLY(prefix, name) \
  {                                          \
    .get = G_CALLBACK (prefix##_get_##name)  \
  }
#define C2G_PROPERTY_FIELD(Type, field)     \
  {                                         \
    .offset = G_STRUCT_OFFSET (Type, field) \
  }

/* Installs the properties of a class, and the functions that get and set them. The number 0 is
 * no property. The class keeps a pointer to the rows. */
void     c2g_properties_install (GObjectClass       *klass,
                                 guint               n_props,
                                 GParamSpec        **props,
                                 const C2gProperty  *rows);

/* Copies all properties that are fields to another object of the class, without notifying. */
void     c2g_properties_copy    (gpointer            to,
                                 gpointer            from,
                                 guint               n_props,
                                 GParamSpec        **props,
                                 const C2gProperty  *rows);
/* Frees the values of all properties that are fields, and sets them to 0. For finalize(). */
void     c2g_properties_clear   (gpointer            object,
                                 guint               n_props,
                                 GParamSpec        **props,
                                 const C2gProperty  *rows);

/* Like g_set_object() for a text: returns TRUE if the field changed. */
gboolean c2g_set_string         (char              **field,
                                 const char         *value);

/* Sets the field of a property to a copy of what value points to, which has the type of the
 * field. Notifies if that is a change. */
void     c2g_property_set_field (gpointer            object,
                                 GParamSpec         *pspec,
                                 gpointer            field,
                                 gconstpointer       value);

/* These define the public getter and setter of a property that is a field. Their documentation
 * stands above the macro, where g-ir-scanner finds it by the name of the function. */
#define C2G_DEFINE_GETTER(Type, prefix, IS_TYPE, type, name, field) \
  type                                                              \
  prefix##_get_##name (Type *self)                                  \
  {                                                                 \
    g_return_val_if_fail (IS_TYPE (self), (type) 0);                \
                                                                    \
    return (type) self->field;                                      \
  }

#define C2G_DEFINE_SETTER(Type, prefix, IS_TYPE, type, name, field, pspec) \
  void                                                                     \
  prefix##_set_##name (Type *self,                                         \
                       type  name)                                         \
  {                                                                        \
    g_return_if_fail (IS_TYPE (self));                                     \
                                                                           \
    c2g_property_set_field (self, pspec, &self->field, &name);             \
  }

G_END_DECLS
