/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-execution-step.h>
#include <c2g/def/c2g-net-def.h>

G_BEGIN_DECLS

#define C2G_TYPE_PLAN_DEF (c2g_plan_def_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gPlanDef, c2g_plan_def, C2G, PLAN_DEF, GObject)

C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_new            (const char       *name) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_new_from_bytes (GBytes           *bytes,
                                               GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_new_from_text  (const char       *text,
                                               GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_load_file      (GFile            *file,
                                               GCancellable     *cancellable,
                                               GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void              c2g_plan_def_load_file_async (GFile               *file,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_load_file_finish (GAsyncResult        *result,
                                                 GError             **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPlanDef       *c2g_plan_def_copy           (C2gPlanDef       *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char       *c2g_plan_def_get_name       (C2gPlanDef       *self);
C2G_AVAILABLE_IN_ALL
void              c2g_plan_def_set_name       (C2gPlanDef       *self,
                                               const char       *name);

C2G_AVAILABLE_IN_ALL
guint             c2g_plan_def_get_n_nets     (C2gPlanDef       *self);
C2G_AVAILABLE_IN_ALL
C2gNetDef        *c2g_plan_def_get_net        (C2gPlanDef       *self,
                                               guint             position);
C2G_AVAILABLE_IN_ALL
C2gNetDef        *c2g_plan_def_find_net       (C2gPlanDef       *self,
                                               const char       *name);
C2G_AVAILABLE_IN_ALL
void              c2g_plan_def_add_net        (C2gPlanDef       *self,
                                               C2gNetDef        *net);
C2G_AVAILABLE_IN_ALL
gboolean          c2g_plan_def_remove_net     (C2gPlanDef       *self,
                                               guint             position);
C2G_AVAILABLE_IN_ALL
guint             c2g_plan_def_get_n_steps    (C2gPlanDef       *self);
C2G_AVAILABLE_IN_ALL
C2gExecutionStep *c2g_plan_def_get_step       (C2gPlanDef       *self,
                                               guint             position);
C2G_AVAILABLE_IN_ALL
void              c2g_plan_def_add_step       (C2gPlanDef       *self,
                                               C2gExecutionStep *step);
C2G_AVAILABLE_IN_ALL
gboolean          c2g_plan_def_remove_step    (C2gPlanDef       *self,
                                               guint             position);

C2G_AVAILABLE_IN_ALL
gboolean          c2g_plan_def_equal          (C2gPlanDef       *self,
                                               C2gPlanDef       *other);
C2G_AVAILABLE_IN_ALL
GBytes           *c2g_plan_def_to_bytes       (C2gPlanDef       *self,
                                               GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char             *c2g_plan_def_to_text        (C2gPlanDef       *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean          c2g_plan_def_save_file      (C2gPlanDef       *self,
                                               GFile            *file,
                                               gboolean          is_text,
                                               GCancellable     *cancellable,
                                               GError          **error);
C2G_AVAILABLE_IN_ALL
void              c2g_plan_def_save_file_async (C2gPlanDef          *self,
                                                GFile               *file,
                                                gboolean             is_text,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean          c2g_plan_def_save_file_finish (C2gPlanDef    *self,
                                                 GAsyncResult  *result,
                                                 GError       **error);

G_END_DECLS
