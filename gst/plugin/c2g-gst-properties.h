/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A property that is stored as it is set, in a field of the element under its lock. */
typedef struct
{
  const char  *name;
  const char  *blurb;
  gsize        offset;
  /* G_TYPE_STRING, BOOLEAN, UINT, UINT64, DOUBLE, ENUM or FLAGS. */
  GType        kind;
  /* The first value, in hundredths for a double, which lies between 0 and 1. */
  guint64      initial;
  /* The type of an enum or of flags. */
  GType      (*get_type) (void);
  /* In which states it may be set: GST_PARAM_MUTABLE_READY if this is 0. */
  GParamFlags  when;
  /* The least value of a guint. */
  guint        least;
} C2gGstProperty;

/* A table ends with a row without a name. Its rows have the numbers from 1. */
void  c2g_gst_properties_install (GObjectClass         *object_class,
                                  const C2gGstProperty *rows);
/* How many there are: the number of the last one. */
guint c2g_gst_properties_count   (const C2gGstProperty *rows);

/* Gives the fields of a new element their first values, and frees the strings of an old one. */
void  c2g_gst_properties_init    (gpointer              element,
                                  const C2gGstProperty *rows);
void  c2g_gst_properties_clear   (gpointer              element,
                                  const C2gGstProperty *rows);

/* The methods of the class, for properties of its table. */
void  c2g_gst_properties_get_value (GObject          *element,
                                    guint             prop_id,
                                    GValue           *value,
                                    GParamSpec       *pspec);
void  c2g_gst_properties_set_value (GObject          *element,
                                    guint             prop_id,
                                    const GValue     *value,
                                    GParamSpec       *pspec);

G_END_DECLS
