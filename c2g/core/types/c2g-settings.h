/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_SETTINGS (c2g_settings_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gSettings, c2g_settings, C2G, SETTINGS, GObject)

C2G_AVAILABLE_IN_ALL
C2gSettings *c2g_settings_get_default            (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_get_keep_on_shrink     (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_keep_on_shrink     (C2gSettings  *self,
                                                  gboolean      keep_on_shrink);
C2G_AVAILABLE_IN_ALL
guint64      c2g_settings_get_max_keep_on_shrink (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_max_keep_on_shrink (C2gSettings  *self,
                                                  guint64       n_bytes);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_get_zero_fill          (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_zero_fill          (C2gSettings  *self,
                                                  gboolean      zero_fill);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_get_log_memory         (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_log_memory         (C2gSettings  *self,
                                                  gboolean      log_memory);
C2G_AVAILABLE_IN_ALL
guint        c2g_settings_get_n_threads          (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_n_threads          (C2gSettings  *self,
                                                  guint         n_threads);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_get_tune               (C2gSettings  *self);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_set_tune               (C2gSettings  *self,
                                                  gboolean      tune);

C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_load_tuning            (C2gSettings   *self,
                                                  GFile         *file,
                                                  GCancellable  *cancellable,
                                                  GError       **error);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_load_tuning_async      (C2gSettings         *self,
                                                  GFile               *file,
                                                  GCancellable        *cancellable,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_load_tuning_finish     (C2gSettings   *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_save_tuning            (C2gSettings   *self,
                                                  GFile         *file,
                                                  GCancellable  *cancellable,
                                                  GError       **error);
C2G_AVAILABLE_IN_ALL
void         c2g_settings_save_tuning_async      (C2gSettings         *self,
                                                  GFile               *file,
                                                  GCancellable        *cancellable,
                                                  GAsyncReadyCallback  callback,
                                                  gpointer             user_data);
C2G_AVAILABLE_IN_ALL
gboolean     c2g_settings_save_tuning_finish     (C2gSettings   *self,
                                                  GAsyncResult  *result,
                                                  GError       **error);

G_END_DECLS
