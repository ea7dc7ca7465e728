/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-type-meta.h>

G_BEGIN_DECLS

/* Reads and writes single elements as numbers and GValues, with the conversions that
 * c2g_tensor_get_value() and its siblings document. Fails with C2G_ERROR_TYPE if there is no such
 * conversion, and with C2G_ERROR_RANGE if the number does not fit. */
gboolean c2g_element_is_number  (C2gTypeMeta    *meta);
gboolean c2g_element_get_double (C2gTypeMeta    *meta,
                                 gconstpointer   item,
                                 double         *value,
                                 GError        **error);
gboolean c2g_element_set_double (C2gTypeMeta    *meta,
                                 gpointer        item,
                                 double          value,
                                 GError        **error);
/* Cannot fail: truncates to an integer type, and clamps to the largest finite value of a 16-bit
 * float. An integer must be in the range of the type. */
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
/* Initializes value with the number, a string or GBytes, or the result of the type's get()
 * function; with a NULL pointer if there is none. */
void     c2g_element_get_value  (C2gTypeMeta    *meta,
                                 gconstpointer   item,
                                 GValue         *value);
gboolean c2g_element_set_value  (C2gTypeMeta    *meta,
                                 gpointer        item,
                                 const GValue   *value,
                                 GError        **error);
/* Formats an element for printing: numbers with the fewest digits that are exact, strings quoted
 * and escaped. */
char    *c2g_element_to_string  (C2gTypeMeta    *meta,
                                 gconstpointer   item);

/* Sets all items to one value, for c2g_context_fill(). */
gboolean c2g_element_fill       (C2gTypeMeta    *meta,
                                 gpointer        items,
                                 gsize           n_items,
                                 double          value,
                                 GError        **error);
/* Sets all items to the bytes of one. */
void     c2g_element_repeat     (C2gTypeMeta    *meta,
                                 gpointer        items,
                                 gsize           n_items,
                                 gconstpointer   item);

G_END_DECLS
