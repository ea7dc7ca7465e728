/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A property that is stored in a field of the element, protected by the object's lock. */
typedef struct
{
  const char  *name;
  const char  *blurb;
  gsize        offset;
  /* G_TYPE_STRING, BOOLEAN, UINT, UINT64, DOUBLE, ENUM or FLAGS. */
  GType        kind;
  /* The default; for a double, which is between 0 and 1, in hundredths. */
  guint64      initial;
  /* The type of an enum or of flags. */
  GType      (*get_type) (void);
  /* The states in which it may be set; GST_PARAM_MUTABLE_READY if this is 0. */
  GParamFlags  when;
  /* The range of a guint; G_MAXUINT if MOST is 0. */
  guint        least;
  guint        most;
} C2gGstProperty;

/* The last row of a table has no name. Property ids are the row numbers, from 1. */
void  c2g_gst_properties_install (GObjectClass         *object_class,
                                  const C2gGstProperty *rows);
/* Returns the number of properties, which is the id of the last one. */
guint c2g_gst_properties_count   (const C2gGstProperty *rows);

/* Initialize the fields of a new element to the defaults, and free its strings. */
void  c2g_gst_properties_init    (gpointer              element,
                                  const C2gGstProperty *rows);
void  c2g_gst_properties_clear   (gpointer              element,
                                  const C2gGstProperty *rows);

/* Implementations of get_property() and set_property() for a table. */
void  c2g_gst_properties_get_value (GObject          *element,
                                    guint             prop_id,
                                    GValue           *value,
                                    GParamSpec       *pspec);
void  c2g_gst_properties_set_value (GObject          *element,
                                    guint             prop_id,
                                    const GValue     *value,
                                    GParamSpec       *pspec);

G_END_DECLS
