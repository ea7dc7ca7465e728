/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-property-private.h>

#include <string.h>

/* Installs, reads and writes the properties of classes by tables. The elements for pipelines
 * have a table of their own in gst/plugin/support/c2g-gst-properties.c: the plugin uses only
 * what this library exports. */

/* The key by which a GParamSpec knows its row. Only the first class sets it, under GObject's lock
 * for class_init(). */
static GQuark row_quark;

static const C2gProperty *
get_row (GParamSpec *pspec)
{
  return g_param_spec_get_qdata (pspec, row_quark);
}

/* The value of a property, from its getter or its field. */
#define READ(type)                                               \
  (row->get != NULL ? ((type (*) (GObject *)) row->get) (object) \
                    : G_STRUCT_MEMBER (type, object, row->offset))

static void
get_property (GObject    *object,
              guint       prop_id,
              GValue     *value,
              GParamSpec *pspec)
{
  const C2gProperty *row = get_row (pspec);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, READ (gboolean));
      break;
    case G_TYPE_INT:
      g_value_set_int (value, READ (int));
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, READ (int));
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, READ (guint));
      break;
    case G_TYPE_INT64:
      g_value_set_int64 (value, READ (gint64));
      break;
    case G_TYPE_UINT64:
      g_value_set_uint64 (value, READ (guint64));
      break;
    case G_TYPE_FLOAT:
      g_value_set_float (value, READ (float));
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, READ (double));
      break;
    case G_TYPE_STRING:
      if (row->is_dup)
        g_value_take_string (value, READ (char *));
      else
        g_value_set_string (value, READ (char *));
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, READ (gpointer));
      break;
    case G_TYPE_OBJECT:
    case G_TYPE_INTERFACE:
      g_value_set_object (value, READ (gpointer));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static gboolean
change_bytes (gpointer      field,
              gconstpointer value,
              gsize         n_bytes)
{
  if (memcmp (field, value, n_bytes) == 0)
    return FALSE;

  memcpy (field, value, n_bytes);
  return TRUE;
}

gboolean
c2g_set_string (char       **field,
                const char  *value)
{
  char *old = *field;

  if (g_strcmp0 (old, value) == 0)
    return FALSE;

  /* The new value may be a part of the old one. */
  *field = g_strdup (value);
  g_free (old);
  return TRUE;
}

static gboolean
change_boxed (gpointer *field,
              gpointer  value,
              GType     type)
{
  gpointer old = *field;

  if (old == value)
    return FALSE;
  if (type == G_TYPE_STRV && old != NULL && value != NULL && g_strv_equal (old, value))
    return FALSE;

  *field = value == NULL ? NULL : g_boxed_copy (type, value);
  if (old != NULL)
    g_boxed_free (type, old);
  return TRUE;
}

static gboolean
change_object (GObject **field,
               GObject  *value,
               GType     type)
{
  g_return_val_if_fail (value == NULL || G_TYPE_CHECK_INSTANCE_TYPE (value, type), FALSE);

  return g_set_object (field, value);
}

/* Like g_set_object() for properties of all types. */
static gboolean
change_field (gpointer       field,
              GParamSpec    *pspec,
              gconstpointer  value)
{
  gboolean truth;

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_BOOLEAN:
      truth = *(const gboolean *) value != FALSE;
      return change_bytes (field, &truth, sizeof truth);
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_DOUBLE:
      return change_bytes (field, value, 8);
    case G_TYPE_STRING:
      return c2g_set_string (field, *(char *const *) value);
    case G_TYPE_BOXED:
      return change_boxed (field, *(const gpointer *) value, pspec->value_type);
    case G_TYPE_OBJECT:
    case G_TYPE_INTERFACE:
      return change_object (field, *(GObject *const *) value, pspec->value_type);
    /* INT, UINT, ENUM and FLOAT. */
    default:
      return change_bytes (field, value, 4);
    }
}

/* GObject itself notifies of properties without EXPLICIT_NOTIFY, such as those of constructors. */
static void
store (GObject           *object,
       GParamSpec        *pspec,
       const C2gProperty *row,
       gconstpointer      value)
{
  if (change_field (G_STRUCT_MEMBER_P (object, row->offset), pspec, value) &&
      (pspec->flags & G_PARAM_EXPLICIT_NOTIFY) != 0)
    g_object_notify_by_pspec (object, pspec);
}

#define WRITE(type, get_value)                                     \
  G_STMT_START                                                     \
  {                                                                \
    type new_value = get_value (value);                            \
                                                                   \
    if (row->set != NULL)                                          \
      ((void (*) (GObject *, type)) row->set) (object, new_value); \
    else                                                           \
      store (object, pspec, row, &new_value);                      \
  }                                                                \
  G_STMT_END

static void
set_property (GObject      *object,
              guint         prop_id,
              const GValue *value,
              GParamSpec   *pspec)
{
  const C2gProperty *row = get_row (pspec);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_BOOLEAN:
      WRITE (gboolean, g_value_get_boolean);
      break;
    case G_TYPE_INT:
      WRITE (int, g_value_get_int);
      break;
    case G_TYPE_ENUM:
      WRITE (int, g_value_get_enum);
      break;
    case G_TYPE_UINT:
      WRITE (guint, g_value_get_uint);
      break;
    case G_TYPE_INT64:
      WRITE (gint64, g_value_get_int64);
      break;
    case G_TYPE_UINT64:
      WRITE (guint64, g_value_get_uint64);
      break;
    case G_TYPE_FLOAT:
      WRITE (float, g_value_get_float);
      break;
    case G_TYPE_DOUBLE:
      WRITE (double, g_value_get_double);
      break;
    case G_TYPE_STRING:
      WRITE (const char *, g_value_get_string);
      break;
    case G_TYPE_BOXED:
      WRITE (gpointer, g_value_get_boxed);
      break;
    case G_TYPE_OBJECT:
    case G_TYPE_INTERFACE:
      WRITE (gpointer, g_value_get_object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

void
c2g_properties_install (GObjectClass       *klass,
                        guint               n_props,
                        GParamSpec        **props,
                        const C2gProperty  *rows)
{
  klass->get_property = get_property;
  klass->set_property = set_property;

  if (row_quark == 0)
    row_quark = g_quark_from_static_string ("c2g-property-row");
  for (guint i = 1; i < n_props; i++)
    g_param_spec_set_qdata (props[i], row_quark, (gpointer) &rows[i]);
  g_object_class_install_properties (klass, n_props, props);
}

void
c2g_property_set_field (gpointer       object,
                        GParamSpec    *pspec,
                        gpointer       field,
                        gconstpointer  value)
{
  if (change_field (field, pspec, value))
    g_object_notify_by_pspec (object, pspec);
}

void
c2g_properties_copy (gpointer            to,
                     gpointer            from,
                     guint               n_props,
                     GParamSpec        **props,
                     const C2gProperty  *rows)
{
  for (guint i = 1; i < n_props; i++)
    if (rows[i].offset != 0)
      change_field (G_STRUCT_MEMBER_P (to, rows[i].offset), props[i], G_STRUCT_MEMBER_P (from, rows[i].offset));
}

void
c2g_properties_clear (gpointer            object,
                      guint               n_props,
                      GParamSpec        **props,
                      const C2gProperty  *rows)
{
  static const guint64 nothing = 0;

  for (guint i = 1; i < n_props; i++)
    if (rows[i].offset != 0)
      change_field (G_STRUCT_MEMBER_P (object, rows[i].offset), props[i], &nothing);
}
