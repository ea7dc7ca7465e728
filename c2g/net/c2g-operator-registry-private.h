/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>
#include <c2g/net/c2g-known-arguments-private.h>

G_BEGIN_DECLS

/* What runs operators of a type on a kind of device: a class, or a kernel.  They live
 * forever. */
typedef struct
{
  C2gDeviceType    device_type;
  /* Interned; "" for the one that is taken by default. */
  const char      *engine;
  GType            gtype;
  const C2gKernel *kernel;
} C2gImplementation;

gboolean           c2g_operator_registry_has         (const char     *op_type);
/* Whether anything runs such operators on a kind of device. */
gboolean           c2g_operator_registry_has_on      (const char     *op_type,
                                                      C2gDeviceType   device_type);

/* NULL if the type is not known, or has none. */
C2gOperatorSchema *c2g_operator_registry_find_schema (const char     *op_type);

/* The row of arguments of such operators; NULL for operators that programs have registered. */
const C2gKnownArguments *
                   c2g_operator_registry_find_known  (const char     *op_type);

/* What may run such an operator, the best first; engines are what the definition asks for,
 * with commas between, or NULL.  Without any it is an error. */
GPtrArray         *c2g_operator_registry_find        (const char     *op_type,
                                                      C2gDeviceType   device_type,
                                                      const char     *engines,
                                                      GError        **error);

G_END_DECLS
