/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-data-type.h>
#include <c2g/io/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* What the arguments of an operator say that puts given values, or one of them everywhere,
 * into its output: the GivenTensorFill family and ConstantFill. */
typedef struct
{
  C2gDataType             data_type;
  gboolean                is_constant;
  /* One string, the bytes of which are the values. */
  gboolean                is_bytes;
  /* The argument, or NULL. */
  const Caffe2__Argument *values;
} C2gFillValues;

/* An argument of a definition, whatever that is, or NULL. */
typedef const Caffe2__Argument *(*C2gFillFind) (gconstpointer  definition,
                                                const char    *name);

gboolean c2g_fill_values_is_known    (const char           *op_type);
/* Errors: C2G_ERROR_INVALID_ARGUMENT. */
gboolean c2g_fill_values_init        (C2gFillValues        *self,
                                      const char           *op_type,
                                      C2gFillFind           find,
                                      gconstpointer         definition,
                                      GError              **error);
/* Checks that there are n_items values.  A constant fits any count. */
gboolean c2g_fill_values_check_count (const C2gFillValues  *self,
                                      gsize                 n_items,
                                      GError              **error);
/* Puts them into so many items: nothing is written if one of them is wrong. */
gboolean c2g_fill_values_put         (const C2gFillValues  *self,
                                      gpointer              items,
                                      gsize                 n_items,
                                      GError              **error);

G_END_DECLS
