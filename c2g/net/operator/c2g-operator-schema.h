/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-operator-def.h>

G_BEGIN_DECLS

/**
 * C2G_ANY_NUMBER:
 *
 * No limit on the number of inputs or outputs.
 */
#define C2G_ANY_NUMBER ((guint) 4294967295)

/**
 * C2gArgumentUse:
 * @C2G_ARGUMENT_USE_READ: the operator reads it
 * @C2G_ARGUMENT_USE_IGNORED: Caffe2 knows it, but it has no effect here
 * @C2G_ARGUMENT_USE_REFUSED: it changes results in Caffe2, and is not implemented: a definition
 *   that has it is refused
 *
 * The ways in which operators treat an argument.
 */
typedef enum
{
  C2G_ARGUMENT_USE_READ,
  C2G_ARGUMENT_USE_IGNORED,
  C2G_ARGUMENT_USE_REFUSED,
} C2gArgumentUse;

#define C2G_TYPE_ARGUMENT_USE    (c2g_argument_use_get_type ())
#define C2G_TYPE_OPERATOR_SCHEMA (c2g_operator_schema_get_type ())

/**
 * C2gOperatorSchema:
 *
 * The rules for operators of a type: how many inputs and outputs they have, which outputs can
 * be in place, and which arguments they need.
 */
typedef struct _C2gOperatorSchema C2gOperatorSchema;

C2G_AVAILABLE_IN_ALL
GType               c2g_argument_use_get_type                 (void);
C2G_AVAILABLE_IN_ALL
GType               c2g_operator_schema_get_type              (void);

C2G_AVAILABLE_IN_ALL
C2gOperatorSchema  *c2g_operator_schema_new                   (guint               min_inputs,
                                                               guint               max_inputs,
                                                               guint               min_outputs,
                                                               guint               max_outputs) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gOperatorSchema  *c2g_operator_schema_lookup                (const char         *op_type,
                                                               GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gOperatorSchema  *c2g_operator_schema_ref                   (C2gOperatorSchema  *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_unref                 (C2gOperatorSchema  *self);

C2G_AVAILABLE_IN_ALL
guint               c2g_operator_schema_get_min_inputs        (C2gOperatorSchema  *self);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_schema_get_max_inputs        (C2gOperatorSchema  *self);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_schema_get_min_outputs       (C2gOperatorSchema  *self);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_schema_get_max_outputs       (C2gOperatorSchema  *self);

C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_allow_in_place        (C2gOperatorSchema  *self,
                                                               guint               input,
                                                               guint               output);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_schema_is_in_place_allowed   (C2gOperatorSchema  *self,
                                                               guint               input,
                                                               guint               output);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_share_memory          (C2gOperatorSchema  *self,
                                                               guint               input,
                                                               guint               output);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_schema_is_memory_shared      (C2gOperatorSchema  *self,
                                                               guint               input,
                                                               guint               output);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_require_argument      (C2gOperatorSchema  *self,
                                                               const char         *name);
C2G_AVAILABLE_IN_ALL
const char * const *c2g_operator_schema_get_required_arguments (C2gOperatorSchema *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_accept_argument       (C2gOperatorSchema  *self,
                                                               const char         *name);
C2G_AVAILABLE_IN_ALL
char              **c2g_operator_schema_list_arguments        (C2gOperatorSchema  *self,
                                                               C2gArgumentUse      use);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_schema_can_infer             (C2gOperatorSchema  *self);

C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_schema_get_documentation     (C2gOperatorSchema  *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_schema_set_documentation     (C2gOperatorSchema  *self,
                                                               const char         *documentation);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_schema_check                 (C2gOperatorSchema  *self,
                                                               C2gOperatorDef     *definition,
                                                               GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gOperatorSchema, c2g_operator_schema_unref)

G_END_DECLS
