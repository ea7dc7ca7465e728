/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Number of values that are converted at a time. */
#define C2G_VALUES_BLOCK 1024

/* Converts numbers of a tensor to doubles, from `begin` on; exact except for 64-bit integers. data
 * is the first element of a tensor of numbers on the CPU. */
void c2g_values_to_doubles (C2gDataType    data_type,
                            gconstpointer  data,
                            gint64         begin,
                            gsize          n_values,
                            double        *values);

/* Appends one element as text that reads back as the same element, in any locale. Strings are
 * escaped. */
void c2g_value_append      (GString       *string,
                            C2gDataType    data_type,
                            gconstpointer  data,
                            gint64         index);
/* Appends a number with the fewest digits that read back as the same number. */
void c2g_value_append_real (GString       *string,
                            double         value,
                            C2gDataType    data_type);

G_END_DECLS
