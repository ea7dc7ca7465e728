/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-argument.h>
#include <c2g/def/c2g-operator-def.h>

G_BEGIN_DECLS

#define C2G_TYPE_NET_DEF (c2g_net_def_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gNetDef, c2g_net_def, C2G, NET_DEF, GObject)

C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_new                  (const char        *name) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_new_from_bytes       (GBytes            *bytes,
                                                     GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_new_from_text        (const char        *text,
                                                     GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_load_file            (GFile             *file,
                                                     GCancellable      *cancellable,
                                                     GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_load_file_async      (GFile               *file,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_load_file_finish     (GAsyncResult        *result,
                                                     GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gNetDef         *c2g_net_def_copy                 (C2gNetDef         *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char        *c2g_net_def_get_name             (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_name             (C2gNetDef         *self,
                                                     const char        *name);
C2G_AVAILABLE_IN_ALL
const char        *c2g_net_def_get_net_type         (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_net_type         (C2gNetDef         *self,
                                                     const char        *net_type);
C2G_AVAILABLE_IN_ALL
int                c2g_net_def_get_n_workers        (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_n_workers        (C2gNetDef         *self,
                                                     int                n_workers);
C2G_AVAILABLE_IN_ALL
C2gDevice         *c2g_net_def_get_device           (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_device           (C2gNetDef         *self,
                                                     C2gDevice         *device);

C2G_AVAILABLE_IN_ALL
const char *const *c2g_net_def_get_external_inputs  (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_external_inputs  (C2gNetDef         *self,
                                                     const char *const *external_inputs);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_add_external_input   (C2gNetDef         *self,
                                                     const char        *name);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_net_def_get_external_outputs (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_external_outputs (C2gNetDef         *self,
                                                     const char *const *external_outputs);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_add_external_output  (C2gNetDef         *self,
                                                     const char        *name);

C2G_AVAILABLE_IN_ALL
guint              c2g_net_def_get_n_operators      (C2gNetDef         *self);
C2G_AVAILABLE_IN_ALL
C2gOperatorDef    *c2g_net_def_get_operator         (C2gNetDef         *self,
                                                     guint              position);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_add_operator         (C2gNetDef         *self,
                                                     C2gOperatorDef    *op);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_insert_operator      (C2gNetDef         *self,
                                                     guint              position,
                                                     C2gOperatorDef    *op);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_remove_operator      (C2gNetDef         *self,
                                                     guint              position);

C2G_AVAILABLE_IN_ALL
C2gArgument       *c2g_net_def_get_argument         (C2gNetDef         *self,
                                                     const char        *name);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_set_argument         (C2gNetDef         *self,
                                                     C2gArgument       *argument);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_remove_argument      (C2gNetDef         *self,
                                                     const char        *name);
C2G_AVAILABLE_IN_ALL
C2gArgument      **c2g_net_def_list_arguments       (C2gNetDef         *self,
                                                     guint             *n_arguments);

C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_equal                (C2gNetDef         *self,
                                                     C2gNetDef         *other);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_check_for_caffe2     (C2gNetDef         *self,
                                                     GError           **error);
C2G_AVAILABLE_IN_ALL
GBytes            *c2g_net_def_to_bytes             (C2gNetDef         *self,
                                                     GError           **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char              *c2g_net_def_to_text              (C2gNetDef         *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_save_file            (C2gNetDef         *self,
                                                     GFile             *file,
                                                     gboolean           is_text,
                                                     GCancellable      *cancellable,
                                                     GError           **error);
C2G_AVAILABLE_IN_ALL
void               c2g_net_def_save_file_async      (C2gNetDef           *self,
                                                     GFile               *file,
                                                     gboolean             is_text,
                                                     GCancellable        *cancellable,
                                                     GAsyncReadyCallback  callback,
                                                     gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_net_def_save_file_finish     (C2gNetDef     *self,
                                                     GAsyncResult  *result,
                                                     GError       **error);

G_END_DECLS
