/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-argument-private.h>
#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/net/operator/c2g-operator-schema.h>

G_BEGIN_DECLS

/* An input and an output that can be in place or that share memory. */
typedef struct
{
  guint input;
  guint output;
} C2gSchemaPair;

/* Returns the pairs whose output shares the memory of the input. */
const C2gSchemaPair *c2g_operator_schema_peek_shared (C2gOperatorSchema *self,
                                                      gsize             *n_pairs);

C2gOperatorSchema *c2g_operator_schema_new_for_kernel (const C2gKernel         *kernel);
/* Sets whether the classes of this type can infer shapes. */
void               c2g_operator_schema_set_can_infer  (C2gOperatorSchema       *self,
                                                       gboolean                 can_infer);
/* The rows of arguments of a built-in type, or NULL. */
const C2gKernelArgument *
                   c2g_operator_schema_peek_known     (C2gOperatorSchema       *self);
/* Returns text like "2" or "1 to 3". */
char              *c2g_operator_schema_describe_number (guint                    min,
                                                        guint                    max);
/* Returns a copy for the registry, which nobody changes. */
C2gOperatorSchema *c2g_operator_schema_copy           (const C2gOperatorSchema *self);

G_END_DECLS
