/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/stream/c2g-progress.h>

G_BEGIN_DECLS

#define C2G_TYPE_SAVE_OPTIONS (c2g_save_options_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gSaveOptions, c2g_save_options, C2G, SAVE_OPTIONS, GObject)

C2G_AVAILABLE_IN_ALL
C2gSaveOptions    *c2g_save_options_new                  (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const char *const *c2g_save_options_get_names            (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_names            (C2gSaveOptions    *self,
                                                          const char *const *names);
C2G_AVAILABLE_IN_ALL
const char *const *c2g_save_options_get_new_names        (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_new_names        (C2gSaveOptions    *self,
                                                          const char *const *new_names);
C2G_AVAILABLE_IN_ALL
const char        *c2g_save_options_get_strip_prefix     (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_strip_prefix     (C2gSaveOptions    *self,
                                                          const char        *strip_prefix);
C2G_AVAILABLE_IN_ALL
C2gModelFileKind   c2g_save_options_get_kind             (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_kind             (C2gSaveOptions    *self,
                                                          C2gModelFileKind   kind);
C2G_AVAILABLE_IN_ALL
const char        *c2g_save_options_get_db_type          (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_db_type          (C2gSaveOptions    *self,
                                                          const char        *db_type);
C2G_AVAILABLE_IN_ALL
gint64             c2g_save_options_get_chunk_size       (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_chunk_size       (C2gSaveOptions    *self,
                                                          gint64             chunk_size);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_get_float16_as_bytes (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_float16_as_bytes (C2gSaveOptions    *self,
                                                          gboolean           float16_as_bytes);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_get_keep_device      (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_keep_device      (C2gSaveOptions    *self,
                                                          gboolean           keep_device);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_get_compress         (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_compress         (C2gSaveOptions    *self,
                                                          gboolean           compress);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_get_caffe_diff       (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_caffe_diff       (C2gSaveOptions    *self,
                                                          gboolean           caffe_diff);
C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_get_skip_unsupported (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_skip_unsupported (C2gSaveOptions    *self,
                                                          gboolean           skip_unsupported);
C2G_AVAILABLE_IN_ALL
guint              c2g_save_options_get_n_threads        (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_n_threads        (C2gSaveOptions    *self,
                                                          guint              n_threads);
C2G_AVAILABLE_IN_ALL
C2gProgress       *c2g_save_options_get_progress         (C2gSaveOptions    *self);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_progress         (C2gSaveOptions    *self,
                                                          C2gProgress       *progress);

C2G_AVAILABLE_IN_ALL
const char        *c2g_save_options_get_metadata         (C2gSaveOptions    *self,
                                                          const char        *key);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_metadata         (C2gSaveOptions    *self,
                                                          const char        *key,
                                                          const char        *value);
C2G_AVAILABLE_IN_ALL
C2gDevice         *c2g_save_options_get_device           (C2gSaveOptions    *self,
                                                          const char        *name);
C2G_AVAILABLE_IN_ALL
void               c2g_save_options_set_device           (C2gSaveOptions    *self,
                                                          const char        *name,
                                                          C2gDevice         *device);

C2G_AVAILABLE_IN_ALL
gboolean           c2g_save_options_check_file           (C2gSaveOptions    *self,
                                                          GFile             *file,
                                                          GError           **error);

G_END_DECLS
