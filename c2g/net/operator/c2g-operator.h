/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-operator-def.h>
#include <c2g/net/operator/c2g-operator-schema.h>

G_BEGIN_DECLS

#define C2G_TYPE_OPERATOR (c2g_operator_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gOperator, c2g_operator, C2G, OPERATOR, GObject)

/**
 * C2gOperatorClass:
 * @set_up: reads arguments and prepares what all runs need; called once
 * @run: reads the inputs and makes the outputs
 * @infer: (nullable): gives the outputs their shapes and types, without data
 *
 * The class of operators.
 */
struct _C2gOperatorClass
{
  GObjectClass parent_class;

  gboolean (*set_up) (C2gOperator  *self,
                      GError      **error);
  gboolean (*run)    (C2gOperator  *self,
                      GError      **error);
  gboolean (*infer)  (C2gOperator  *self,
                      GError      **error);

  /*< private >*/
  gpointer _reserved[11];
};

C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_register               (const char         *op_type,
                                                         C2gDeviceType       device_type,
                                                         const char         *engine,
                                                         GType               operator_class,
                                                         C2gOperatorSchema  *schema,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
char              **c2g_operator_list_types             (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char              **c2g_operator_list_engines           (const char         *op_type,
                                                         C2gDeviceType       device_type) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void                c2g_operator_set_preferred_engines  (const char         *op_type,
                                                         C2gDeviceType       device_type,
                                                         const char * const *engines);

C2G_AVAILABLE_IN_ALL
C2gOperator        *c2g_operator_create                 (C2gOperatorDef     *definition,
                                                         C2gWorkspace       *workspace,
                                                         GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_run                    (C2gOperator        *self,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_infer                  (C2gOperator        *self,
                                                         GError            **error);

C2G_AVAILABLE_IN_ALL
C2gOperatorDef     *c2g_operator_get_definition         (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_get_op_type            (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_get_name               (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_get_engine             (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_get_implementation     (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
int                 c2g_operator_get_position           (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
C2gDevice          *c2g_operator_get_device             (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
C2gContext         *c2g_operator_get_context            (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
C2gWorkspace       *c2g_operator_ref_workspace          (C2gOperator        *self,
                                                         GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GCancellable       *c2g_operator_get_cancellable        (C2gOperator        *self);

C2G_AVAILABLE_IN_ALL
guint               c2g_operator_get_n_inputs           (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_get_n_outputs          (C2gOperator        *self);
C2G_AVAILABLE_IN_ALL
int                 c2g_operator_find_input             (C2gOperator        *self,
                                                         const char         *name);
C2G_AVAILABLE_IN_ALL
int                 c2g_operator_find_output            (C2gOperator        *self,
                                                         const char         *name);
C2G_AVAILABLE_IN_ALL
C2gBlob            *c2g_operator_get_input              (C2gOperator        *self,
                                                         guint               input);
C2G_AVAILABLE_IN_ALL
C2gBlob            *c2g_operator_get_output             (C2gOperator        *self,
                                                         guint               output);
C2G_AVAILABLE_IN_ALL
C2gTensor          *c2g_operator_get_input_tensor       (C2gOperator        *self,
                                                         guint               input,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
C2gTensor          *c2g_operator_get_output_tensor      (C2gOperator        *self,
                                                         guint               output,
                                                         GError            **error);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_has_argument           (C2gOperator        *self,
                                                         const char         *name);
C2G_AVAILABLE_IN_ALL
gint64              c2g_operator_get_int                (C2gOperator        *self,
                                                         const char         *name,
                                                         gint64              default_value,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_get_boolean            (C2gOperator        *self,
                                                         const char         *name,
                                                         gboolean            default_value,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
double              c2g_operator_get_float              (C2gOperator        *self,
                                                         const char         *name,
                                                         double              default_value,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_get_string             (C2gOperator        *self,
                                                         const char         *name,
                                                         const char         *default_value,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
const gint64       *c2g_operator_get_ints               (C2gOperator        *self,
                                                         const char         *name,
                                                         gsize              *n_values,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
const float        *c2g_operator_get_floats             (C2gOperator        *self,
                                                         const char         *name,
                                                         gsize              *n_values,
                                                         GError            **error);
C2G_AVAILABLE_IN_ALL
char              **c2g_operator_dup_strings            (C2gOperator        *self,
                                                         const char         *name,
                                                         GError            **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
