/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-blob.h>
#include <c2g/core/workspace/c2g-file-access.h>

G_BEGIN_DECLS

#define C2G_TYPE_WORKSPACE (c2g_workspace_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gWorkspace, c2g_workspace, C2G, WORKSPACE, GObject)

C2G_AVAILABLE_IN_ALL
C2gWorkspace *c2g_workspace_new             (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gWorkspace *c2g_workspace_new_with_parent (C2gWorkspace *parent) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gWorkspace *c2g_workspace_get_parent      (C2gWorkspace *self);
C2G_AVAILABLE_IN_ALL
char         *c2g_workspace_dup_root_folder (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char         *c2g_workspace_get_root_folder (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void          c2g_workspace_set_root_folder (C2gWorkspace *self,
                                             const char   *root_folder);
C2G_AVAILABLE_IN_ALL
C2gFileAccess c2g_workspace_get_file_access (C2gWorkspace *self);
C2G_AVAILABLE_IN_ALL
void          c2g_workspace_set_file_access (C2gWorkspace  *self,
                                             C2gFileAccess  file_access);
C2G_AVAILABLE_IN_ALL
char         *c2g_workspace_dup_model_folder (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void          c2g_workspace_set_model_folder (C2gWorkspace *self,
                                              const char   *model_folder);

C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_has_blob         (C2gWorkspace *self,
                                         const char   *name);
C2G_AVAILABLE_IN_ALL
C2gBlob *c2g_workspace_lookup_blob      (C2gWorkspace *self,
                                         const char   *name) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gBlob *c2g_workspace_get_blob         (C2gWorkspace  *self,
                                         const char    *name,
                                         GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_workspace_get_tensor     (C2gWorkspace  *self,
                                         const char    *name,
                                         GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char   **c2g_workspace_list_blobs       (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char   **c2g_workspace_list_local_blobs (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char    *c2g_workspace_dup_report       (C2gWorkspace *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gBlob *c2g_workspace_create_blob       (C2gWorkspace  *self,
                                          const char    *name,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gBlob *c2g_workspace_create_local_blob (C2gWorkspace  *self,
                                          const char    *name,
                                          GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_workspace_create_tensor   (C2gWorkspace  *self,
                                          const char    *name,
                                          C2gDataType    data_type,
                                          const gint64  *dims,
                                          gsize          n_dims,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_set_tensor        (C2gWorkspace  *self,
                                          const char    *name,
                                          C2gTensor     *tensor,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_remove_blob       (C2gWorkspace *self,
                                          const char   *name);
C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_rename_blob       (C2gWorkspace  *self,
                                          const char    *old_name,
                                          const char    *new_name,
                                          GError       **error);
C2G_AVAILABLE_IN_ALL
void     c2g_workspace_clear             (C2gWorkspace *self);

C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_add_blob_mapping       (C2gWorkspace       *self,
                                               C2gWorkspace       *parent,
                                               const char *const  *names,
                                               const char *const  *parent_names,
                                               gboolean            skip_defined,
                                               GError            **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_workspace_copy_forwarded_tensors (C2gWorkspace       *self,
                                               const char *const  *names,
                                               GError            **error);

G_END_DECLS
