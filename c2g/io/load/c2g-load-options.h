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
#include <c2g/io/stream/c2g-progress.h>

G_BEGIN_DECLS

#define C2G_TYPE_LOAD_OPTIONS (c2g_load_options_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gLoadOptions, c2g_load_options, C2G, LOAD_OPTIONS, GObject)

C2G_AVAILABLE_IN_ALL
C2gLoadOptions    *c2g_load_options_new                  (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char *const *c2g_load_options_get_names            (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_names            (C2gLoadOptions    *self,
                                                          const char *const *names);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_load_options_get_source_names     (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_source_names     (C2gLoadOptions    *self,
                                                          const char *const *source_names);
C2G_AVAILABLE_IN_ALL
const char        *c2g_load_options_get_strip_prefix     (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_strip_prefix     (C2gLoadOptions    *self,
                                                          const char        *strip_prefix);
C2G_AVAILABLE_IN_ALL
const char        *c2g_load_options_get_add_prefix       (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_add_prefix       (C2gLoadOptions    *self,
                                                          const char        *add_prefix);
C2G_AVAILABLE_IN_ALL
char              *c2g_load_options_dup_name             (C2gLoadOptions    *self,
                                                          const char        *name);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_load_all         (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_load_all         (C2gLoadOptions    *self,
                                                          gboolean           load_all);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_allow_incomplete (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_allow_incomplete (C2gLoadOptions    *self,
                                                          gboolean           allow_incomplete);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_skip_unsupported (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_skip_unsupported (C2gLoadOptions    *self,
                                                          gboolean           skip_unsupported);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_caffe2_names (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_caffe2_names (C2gLoadOptions    *self,
                                                      gboolean           caffe2_names);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_caffe_blobs      (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_caffe_blobs      (C2gLoadOptions    *self,
                                                          gboolean           caffe_blobs);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_keep_device      (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_keep_device      (C2gLoadOptions    *self,
                                                          gboolean           keep_device);
C2G_AVAILABLE_IN_ALL
C2gDevice         *c2g_load_options_get_device           (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_device           (C2gLoadOptions    *self,
                                                          C2gDevice         *device);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_load_options_get_memory_map       (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_memory_map       (C2gLoadOptions    *self,
                                                          gboolean           memory_map);
C2G_AVAILABLE_IN_ALL
const char        *c2g_load_options_get_db_type          (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_db_type          (C2gLoadOptions    *self,
                                                          const char        *db_type);
C2G_AVAILABLE_IN_ALL
GListModel        *c2g_load_options_get_files            (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_files            (C2gLoadOptions    *self,
                                                          GFile            **files,
                                                          guint              n_files);
C2G_AVAILABLE_IN_ALL
C2gProgress       *c2g_load_options_get_progress         (C2gLoadOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_load_options_set_progress         (C2gLoadOptions    *self,
                                                          C2gProgress       *progress);

G_END_DECLS
