/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* The values of a fill operator, from its arguments: one for each element, or a constant. */
typedef struct
{
  C2gDataType             data_type;
  gboolean                is_constant;
  /* The values are the bytes of a single string. */
  gboolean                is_bytes;
  /* The argument with the values, or NULL. */
  const Caffe2__Argument *values;
} C2gFillValues;

/* Finds an argument of a definition of any kind; returns NULL if there is none. */
typedef const Caffe2__Argument *(*C2gFillFind) (gconstpointer  definition,
                                                const char    *name);

gboolean c2g_fill_values_is_known    (const char           *op_type);
/* Errors: C2G_ERROR_INVALID_ARGUMENT. */
gboolean c2g_fill_values_init        (C2gFillValues        *self,
                                      const char           *op_type,
                                      C2gFillFind           find,
                                      gconstpointer         definition,
                                      GError              **error);
/* Checks that there are n_items values. A constant fits any count. */
gboolean c2g_fill_values_check_count (const C2gFillValues  *self,
                                      gsize                 n_items,
                                      GError              **error);
/* Writes the values into n_items items. Writes nothing if a value is invalid. */
gboolean c2g_fill_values_put         (const C2gFillValues  *self,
                                      gpointer              items,
                                      gsize                 n_items,
                                      GError              **error);

G_END_DECLS
