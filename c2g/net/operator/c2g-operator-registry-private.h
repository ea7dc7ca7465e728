/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-argument-private.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* An implementation of an operator type on a type of device: a class or a kernel. It is never
 * freed. */
typedef struct
{
  C2gDeviceType    device_type;
  /* Interned; "" is the default engine. */
  const char      *engine;
  GType            gtype;
  const C2gKernel *kernel;
} C2gImplementation;

gboolean           c2g_operator_registry_has         (const char     *op_type);
/* Returns the type that was meant by an unknown one, as c2g_operator_similar_find() does, or NULL. */
const char        *c2g_operator_registry_find_similar (const char   *op_type);
/* Returns TRUE if the type has an implementation for that type of device. */
gboolean           c2g_operator_registry_has_on      (const char     *op_type,
                                                      C2gDeviceType   device_type);

/* Returns NULL if the type is unknown or has no schema. */
C2gOperatorSchema *c2g_operator_registry_find_schema (const char     *op_type);

/* Returns the rows of arguments of a built-in type; NULL for types that programs registered. */
const C2gKernelArgument *
                   c2g_operator_registry_find_known  (const char     *op_type);

/* Returns the kernel of a built-in type for the CPU and the default engine, or NULL. */
const C2gKernel   *c2g_operator_registry_find_kernel (const char     *op_type);
/* Returns the traits of a built-in operator with these arguments, on any device. */
C2gTraits          c2g_operator_registry_find_traits (C2gOperatorDef *def);
/* Returns the type that has the role. */
const char        *c2g_operator_registry_find_role   (C2gRole         role);

/* Returns the possible implementations, the best first. ENGINES are the engines of the
 * definition, separated by commas, or NULL. It is an error if there are none. */
GPtrArray         *c2g_operator_registry_find        (const char     *op_type,
                                                      C2gDeviceType   device_type,
                                                      const char     *engines,
                                                      GError        **error);

G_END_DECLS
