/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-argument.h>
#include <c2g/def/c2g-net-types.h>

G_BEGIN_DECLS

#define C2G_TYPE_OPERATOR_DEF (c2g_operator_def_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gOperatorDef, c2g_operator_def, C2G, OPERATOR_DEF, GObject)

C2G_AVAILABLE_IN_ALL
C2gOperatorDef     *c2g_operator_def_new                  (const char         *op_type) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gOperatorDef     *c2g_operator_def_new_from_bytes       (GBytes             *bytes,
                                                           GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gOperatorDef     *c2g_operator_def_new_from_text        (const char         *text,
                                                           GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GBytes             *c2g_operator_def_to_bytes             (C2gOperatorDef     *self,
                                                           GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gOperatorDef     *c2g_operator_def_copy                 (C2gOperatorDef     *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_def_get_op_type          (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_op_type          (C2gOperatorDef     *self,
                                                           const char         *op_type);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_def_get_name             (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_name             (C2gOperatorDef     *self,
                                                           const char         *name);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_def_get_engine           (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_engine           (C2gOperatorDef     *self,
                                                           const char         *engine);
C2G_AVAILABLE_IN_ALL
const char         *c2g_operator_def_get_debug_info       (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_debug_info       (C2gOperatorDef     *self,
                                                           const char         *debug_info);
C2G_AVAILABLE_IN_ALL
C2gDevice          *c2g_operator_def_get_device           (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_device           (C2gOperatorDef     *self,
                                                           C2gDevice          *device);
C2G_AVAILABLE_IN_ALL
gint64              c2g_operator_def_get_random_seed      (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_random_seed      (C2gOperatorDef     *self,
                                                           gint64              random_seed);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_def_get_is_gradient_op   (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_is_gradient_op   (C2gOperatorDef     *self,
                                                           gboolean            is_gradient_op);

C2G_AVAILABLE_IN_ALL
const char *const *c2g_operator_def_get_inputs           (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_inputs           (C2gOperatorDef     *self,
                                                           const char *const *inputs);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_def_get_n_inputs         (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_add_input            (C2gOperatorDef     *self,
                                                           const char         *name);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_operator_def_get_outputs          (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_outputs          (C2gOperatorDef     *self,
                                                           const char *const *outputs);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_def_get_n_outputs        (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_add_output           (C2gOperatorDef     *self,
                                                           const char         *name);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_operator_def_get_control_inputs   (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_control_inputs   (C2gOperatorDef     *self,
                                                           const char *const *control_inputs);
C2G_AVAILABLE_IN_ALL
guint               c2g_operator_def_get_n_control_inputs (C2gOperatorDef     *self);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_add_control_input    (C2gOperatorDef     *self,
                                                           const char         *name);

C2G_AVAILABLE_IN_ALL
C2gArgument        *c2g_operator_def_get_argument         (C2gOperatorDef     *self,
                                                           const char         *name);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_argument         (C2gOperatorDef     *self,
                                                           C2gArgument        *argument);
C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_def_remove_argument      (C2gOperatorDef     *self,
                                                           const char         *name);
C2G_AVAILABLE_IN_ALL
C2gArgument       **c2g_operator_def_list_arguments       (C2gOperatorDef     *self,
                                                           guint              *n_arguments);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_int              (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           gint64              value);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_float            (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           double              value);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_boolean          (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           gboolean            value);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_string           (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           const char         *value);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_ints             (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           const gint64       *values,
                                                           gsize               n_values);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_floats           (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           const float        *values,
                                                           gsize               n_values);
C2G_AVAILABLE_IN_ALL
void                c2g_operator_def_set_strings          (C2gOperatorDef     *self,
                                                           const char         *name,
                                                           const char *const *values);

C2G_AVAILABLE_IN_ALL
gboolean            c2g_operator_def_equal                (C2gOperatorDef     *self,
                                                           C2gOperatorDef     *other);
C2G_AVAILABLE_IN_ALL
char               *c2g_operator_def_to_text              (C2gOperatorDef     *self);

G_END_DECLS
