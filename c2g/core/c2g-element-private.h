/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-type-meta.h>

G_BEGIN_DECLS

/* Single elements as numbers and values, with the conversions that
 * c2g_tensor_get_value() and its siblings promise.  Errors: C2G_ERROR_TYPE where
 * there is no such conversion, C2G_ERROR_RANGE where the number does not fit.
 */
gboolean c2g_element_is_number  (C2gTypeMeta    *meta);
gboolean c2g_element_get_double (C2gTypeMeta    *meta,
                                 gconstpointer   item,
                                 double         *value,
                                 GError        **error);
gboolean c2g_element_set_double (C2gTypeMeta    *meta,
                                 gpointer        item,
                                 double          value,
                                 GError        **error);
/* Without an error: integers drop what is behind the point, 16-bit floats do not exceed their
 * largest finite value.  An integer must be in the range of the type. */
void     c2g_element_set_nearest (C2gTypeMeta   *meta,
                                  gpointer       item,
                                  double         value);
gboolean c2g_element_get_int64  (C2gTypeMeta    *meta,
                                 gconstpointer   item,
                                 gint64         *value,
                                 GError        **error);
gboolean c2g_element_set_int64  (C2gTypeMeta    *meta,
                                 gpointer        item,
                                 gint64          value,
                                 GError        **error);
/* value is initialized: with the number, a string or GBytes, or what the type's
 * own function gives; a NULL pointer where there is none. */
void     c2g_element_get_value  (C2gTypeMeta    *meta,
                                 gconstpointer   item,
                                 GValue         *value);
gboolean c2g_element_set_value  (C2gTypeMeta    *meta,
                                 gpointer        item,
                                 const GValue   *value,
                                 GError        **error);
/* For printing: numbers shortest-exact, strings quoted and escaped. */
char    *c2g_element_to_string  (C2gTypeMeta    *meta,
                                 gconstpointer   item);

/* Sets all items at once; for c2g_context_fill(). */
gboolean c2g_element_fill       (C2gTypeMeta    *meta,
                                 gpointer        items,
                                 gsize           n_items,
                                 double          value,
                                 GError        **error);

G_END_DECLS
