/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_EXECUTION_STEP (c2g_execution_step_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gExecutionStep, c2g_execution_step, C2G, EXECUTION_STEP, GObject)

C2G_AVAILABLE_IN_ALL
C2gExecutionStep  *c2g_execution_step_new                        (const char        *name) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gExecutionStep  *c2g_execution_step_copy                       (C2gExecutionStep  *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char        *c2g_execution_step_get_name                   (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_name                   (C2gExecutionStep  *self,
                                                                  const char        *name);
C2G_AVAILABLE_IN_ALL
const char        *c2g_execution_step_get_criteria_network       (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_criteria_network       (C2gExecutionStep  *self,
                                                                  const char        *criteria_network);
C2G_AVAILABLE_IN_ALL
const char        *c2g_execution_step_get_report_net             (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_report_net             (C2gExecutionStep  *self,
                                                                  const char        *report_net);
C2G_AVAILABLE_IN_ALL
const char        *c2g_execution_step_get_should_stop_blob       (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_should_stop_blob       (C2gExecutionStep  *self,
                                                                  const char        *should_stop_blob);
C2G_AVAILABLE_IN_ALL
gint64             c2g_execution_step_get_n_iterations           (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_n_iterations           (C2gExecutionStep  *self,
                                                                  gint64             n_iterations);
C2G_AVAILABLE_IN_ALL
int                c2g_execution_step_get_report_interval        (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_report_interval        (C2gExecutionStep  *self,
                                                                  int                report_interval);
C2G_AVAILABLE_IN_ALL
gint64             c2g_execution_step_get_run_every_ms           (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_run_every_ms           (C2gExecutionStep  *self,
                                                                  gint64             run_every_ms);
C2G_AVAILABLE_IN_ALL
int                c2g_execution_step_get_n_concurrent_instances (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_n_concurrent_instances (C2gExecutionStep  *self,
                                                                  int                n_concurrent_instances);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_get_concurrent_substeps    (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_concurrent_substeps    (C2gExecutionStep  *self,
                                                                  gboolean           concurrent_substeps);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_get_only_once              (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_only_once              (C2gExecutionStep  *self,
                                                                  gboolean           only_once);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_get_create_workspace       (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_create_workspace       (C2gExecutionStep  *self,
                                                                  gboolean           create_workspace);

C2G_AVAILABLE_IN_ALL
const char *const *c2g_execution_step_get_networks               (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_set_networks               (C2gExecutionStep  *self,
                                                                  const char *const *networks);
C2G_AVAILABLE_IN_ALL
void               c2g_execution_step_add_network                (C2gExecutionStep  *self,
                                                                  const char        *name);
C2G_AVAILABLE_IN_ALL
guint              c2g_execution_step_get_n_substeps             (C2gExecutionStep  *self);
C2G_AVAILABLE_IN_ALL
C2gExecutionStep  *c2g_execution_step_get_substep                (C2gExecutionStep  *self,
                                                                  guint              position);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_add_substep                (C2gExecutionStep  *self,
                                                                  C2gExecutionStep  *substep,
                                                                  GError           **error);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_remove_substep             (C2gExecutionStep  *self,
                                                                  guint              position);

C2G_AVAILABLE_IN_ALL
gboolean           c2g_execution_step_equal                      (C2gExecutionStep  *self,
                                                                  C2gExecutionStep  *other);
C2G_AVAILABLE_IN_ALL
char              *c2g_execution_step_to_text                    (C2gExecutionStep  *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
