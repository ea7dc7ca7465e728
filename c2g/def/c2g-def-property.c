/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-property-private.h>

static GQuark
accessors_quark (void)
{
  return g_quark_from_static_string ("c2g-def-accessors");
}

static void
get_property (GObject    *object,
              guint       prop_id,
              GValue     *value,
              GParamSpec *pspec)
{
  const C2gDefAccessors *accessors = g_param_spec_get_qdata (pspec, accessors_quark ());

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      g_value_set_string (value, ((const char *(*) (GObject *)) accessors->get) (object));
      break;

    case G_TYPE_BOXED:
      g_value_set_boxed (value, ((gconstpointer (*) (GObject *)) accessors->get) (object));
      break;

    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, ((gboolean (*) (GObject *)) accessors->get) (object));
      break;

    case G_TYPE_INT:
      g_value_set_int (value, ((int (*) (GObject *)) accessors->get) (object));
      break;

    case G_TYPE_INT64:
      g_value_set_int64 (value, ((gint64 (*) (GObject *)) accessors->get) (object));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_property (GObject      *object,
              guint         prop_id,
              const GValue *value,
              GParamSpec   *pspec)
{
  const C2gDefAccessors *accessors = g_param_spec_get_qdata (pspec, accessors_quark ());

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_STRING:
      ((void (*) (GObject *, const char *)) accessors->set) (object, g_value_get_string (value));
      break;

    case G_TYPE_BOXED:
      ((void (*) (GObject *, gpointer)) accessors->set) (object, g_value_get_boxed (value));
      break;

    case G_TYPE_BOOLEAN:
      ((void (*) (GObject *, gboolean)) accessors->set) (object, g_value_get_boolean (value));
      break;

    case G_TYPE_INT:
      ((void (*) (GObject *, int)) accessors->set) (object, g_value_get_int (value));
      break;

    case G_TYPE_INT64:
      ((void (*) (GObject *, gint64)) accessors->set) (object, g_value_get_int64 (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

void
c2g_def_install_properties (GObjectClass           *klass,
                            guint                   n_props,
                            GParamSpec            **props,
                            const C2gDefAccessors  *accessors)
{
  klass->get_property = get_property;
  klass->set_property = set_property;

  /* The first is no property. */
  for (guint i = 1; i < n_props; i++)
    g_param_spec_set_qdata (props[i], accessors_quark (), (gpointer) &accessors[i]);
  g_object_class_install_properties (klass, n_props, props);
}
