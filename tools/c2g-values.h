/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The number of values that are looked at at a time. */
#define C2G_VALUES_BLOCK 1024

/* Numbers of a tensor as doubles, from one of them on; all are exact but for integers of
 * 64 bits.  data is all of the tensor's, which has numbers and is on the CPU. */
void c2g_values_to_doubles (C2gDataType    data_type,
                            gconstpointer  data,
                            gint64         begin,
                            gsize          n_values,
                            double        *values);

/* One element as text, from which the very same element can be read again, whatever the
 * locale.  Strings are escaped. */
void c2g_value_append      (GString       *string,
                            C2gDataType    data_type,
                            gconstpointer  data,
                            gint64         index);
/* A number of so many significant digits, or as many more as it takes. */
void c2g_value_append_real (GString       *string,
                            double         value,
                            C2gDataType    data_type);

G_END_DECLS
