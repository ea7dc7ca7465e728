/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-properties.h"

/* Properties of elements as tables: installs, gets and sets them. The table of
 * c2g/core/types/c2g-property.c is for the classes of the library, which have getters and setters.
 * The plugin uses only what the library exports, and elements have fields alone, so it has its
 * own. */

static GParamSpec *
make_spec (const C2gGstProperty *row)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                            (row->when != 0 ? row->when : GST_PARAM_MUTABLE_READY);

  switch (row->kind)
    {
    case G_TYPE_STRING:
      return g_param_spec_string (row->name, NULL, row->blurb, NULL, flags);
    case G_TYPE_BOOLEAN:
      return g_param_spec_boolean (row->name, NULL, row->blurb, row->initial, flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (row->name, NULL, row->blurb, row->least, row->most > 0 ? row->most : G_MAXUINT,
                                row->initial, flags);
    case G_TYPE_UINT64:
      return g_param_spec_uint64 (row->name, NULL, row->blurb, 0, G_MAXUINT64, row->initial, flags);
    case G_TYPE_DOUBLE:
      return g_param_spec_double (row->name, NULL, row->blurb, 0, 1, row->initial / 100.0, flags);
    case G_TYPE_ENUM:
      return g_param_spec_enum (row->name, NULL, row->blurb, row->get_type (), row->initial, flags);
    default:
      return g_param_spec_flags (row->name, NULL, row->blurb, row->get_type (), row->initial, flags);
    }
}

/* Key of the qdata that links a property to its row. */
static GQuark
get_row_quark (void)
{
  return g_quark_from_static_string ("c2g-gst-property");
}

void
c2g_gst_properties_install (GObjectClass         *object_class,
                            const C2gGstProperty *rows)
{
  for (guint i = 0; rows[i].name != NULL; i++)
    {
      GParamSpec *spec = make_spec (&rows[i]);

      g_param_spec_set_qdata (spec, get_row_quark (), (gpointer) &rows[i]);
      g_object_class_install_property (object_class, i + 1, spec);
    }
}

guint
c2g_gst_properties_count (const C2gGstProperty *rows)
{
  guint n = 0;

  while (rows[n].name != NULL)
    n++;

  return n;
}

void
c2g_gst_properties_clear (gpointer              element,
                          const C2gGstProperty *rows)
{
  for (guint i = 0; rows[i].name != NULL; i++)
    if (rows[i].kind == G_TYPE_STRING)
      g_clear_pointer ((char **) G_STRUCT_MEMBER_P (element, rows[i].offset), g_free);
}

void
c2g_gst_properties_get_value (GObject    *element,
                              guint       prop_id G_GNUC_UNUSED,
                              GValue     *value,
                              GParamSpec *pspec)
{
  const C2gGstProperty *row = g_param_spec_get_qdata (pspec, get_row_quark ());
  gpointer field = G_STRUCT_MEMBER_P (element, row->offset);

  GST_OBJECT_LOCK (element);
  if (row->kind == G_TYPE_STRING)
    g_value_set_string (value, *(char **) field);
  else if (row->kind == G_TYPE_BOOLEAN)
    g_value_set_boolean (value, *(gboolean *) field);
  else if (row->kind == G_TYPE_UINT)
    g_value_set_uint (value, *(guint *) field);
  else if (row->kind == G_TYPE_UINT64)
    g_value_set_uint64 (value, *(guint64 *) field);
  else if (row->kind == G_TYPE_DOUBLE)
    g_value_set_double (value, *(double *) field);
  else if (row->kind == G_TYPE_ENUM)
    g_value_set_enum (value, *(int *) field);
  else
    g_value_set_flags (value, *(guint *) field);
  GST_OBJECT_UNLOCK (element);
}

/* Returns TRUE if the element is in a state where it uses the property without a lock, so that it
 * must not change. */
static gboolean
is_in_use (GstElement           *element,
           const C2gGstProperty *row)
{
  return row->when == 0 && (GST_STATE (element) > GST_STATE_READY || GST_STATE_PENDING (element) > GST_STATE_READY);
}

static void
write_field (gpointer              element,
             const C2gGstProperty *row,
             const GValue         *value)
{
  gpointer field = G_STRUCT_MEMBER_P (element, row->offset);

  if (row->kind == G_TYPE_STRING)
    {
      g_free (*(char **) field);
      *(char **) field = g_value_dup_string (value);
    }
  else if (row->kind == G_TYPE_BOOLEAN)
    *(gboolean *) field = g_value_get_boolean (value);
  else if (row->kind == G_TYPE_UINT)
    *(guint *) field = g_value_get_uint (value);
  else if (row->kind == G_TYPE_UINT64)
    *(guint64 *) field = g_value_get_uint64 (value);
  else if (row->kind == G_TYPE_DOUBLE)
    *(double *) field = g_value_get_double (value);
  else if (row->kind == G_TYPE_ENUM)
    *(int *) field = g_value_get_enum (value);
  else
    *(guint *) field = g_value_get_flags (value);
}

/* The warning comes without the lock, because a handler of logs may ask for the name. */
static void
set_field (gpointer              element,
           const C2gGstProperty *row,
           const GValue         *value)
{
  gboolean is_refused;

  GST_OBJECT_LOCK (element);
  is_refused = is_in_use (element, row);
  if (!is_refused)
    write_field (element, row, value);
  GST_OBJECT_UNLOCK (element);
  if (is_refused)
    g_warning ("%s: The property “%s” is not changed: this needs the state NULL or READY",
               GST_OBJECT_NAME (element), row->name);
}

void
c2g_gst_properties_set_value (GObject      *element,
                              guint         prop_id G_GNUC_UNUSED,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  set_field (element, g_param_spec_get_qdata (pspec, get_row_quark ()), value);
}

void
c2g_gst_properties_init (gpointer              element,
                         const C2gGstProperty *rows)
{
  for (guint i = 0; rows[i].name != NULL; i++)
    if (rows[i].initial != 0)
      {
        g_autoptr (GParamSpec) spec = g_param_spec_ref_sink (make_spec (&rows[i]));

        set_field (element, &rows[i], g_param_spec_get_default_value (spec));
      }
}
