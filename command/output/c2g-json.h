/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Add members to an object. */
void c2g_json_add_string  (JsonBuilder   *builder,
                           const char    *name,
                           const char    *value);
void c2g_json_add_strings (JsonBuilder   *builder,
                           const char    *name,
                           char         **values);
void c2g_json_add_int     (JsonBuilder   *builder,
                           const char    *name,
                           gint64         value);
void c2g_json_add_ints    (JsonBuilder   *builder,
                           const char    *name,
                           const gint64  *values,
                           gsize          n_values);
/* Infinities and NaN are added as strings, because JSON has no such numbers. */
void c2g_json_add_double  (JsonBuilder   *builder,
                           const char    *name,
                           double         value);
void c2g_json_add_double_value (JsonBuilder *builder,
                                double       value);
/* Adds several members: the type, and for a tensor the data type, the dimensions and so on. */
void c2g_json_add_entry   (JsonBuilder   *builder,
                           C2gFileEntry  *entry);
/* Adds the member "offset". */
void c2g_json_add_offset  (JsonBuilder   *builder,
                           C2gFileEntry  *entry);
/* Adds the member "error". */
void c2g_json_add_error   (JsonBuilder   *builder,
                           const GError  *error);

/* Prints the JSON, always as UTF-8, whatever the locale is. */
void c2g_json_print (JsonBuilder *builder);

G_END_DECLS
