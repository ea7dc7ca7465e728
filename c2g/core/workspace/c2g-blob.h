/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_BLOB (c2g_blob_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gBlob, c2g_blob, C2G, BLOB, GObject)

C2G_AVAILABLE_IN_ALL
C2gBlob *c2g_blob_new (void) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
char      *c2g_blob_dup_name         (C2gBlob *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
char      *c2g_blob_get_name         (C2gBlob *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GType      c2g_blob_get_content_type (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
gsize      c2g_blob_get_n_bytes      (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_get_value        (C2gBlob *self,
                                      GValue  *value);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_copy_value       (C2gBlob *self,
                                      GValue  *value);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_set_value        (C2gBlob      *self,
                                      const GValue *value);
C2G_AVAILABLE_IN_ALL
GObject   *c2g_blob_get_object       (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_set_object       (C2gBlob *self,
                                      GObject *object);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_blob_get_tensor       (C2gBlob  *self,
                                      GError  **error);

C2G_AVAILABLE_IN_ALL
gboolean c2g_blob_is_empty  (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
gboolean c2g_blob_is_type   (C2gBlob *self,
                             GType    gtype);
C2G_AVAILABLE_IN_ALL
gboolean c2g_blob_is_tensor (C2gBlob   *self,
                             C2gDevice *device);

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_blob_ensure_tensor (C2gBlob    *self,
                                   C2gDevice  *device,
                                   GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_blob_ensure        (C2gBlob   *self,
                                   GType      gtype,
                                   gboolean  *is_new,
                                   GError   **error);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_reset         (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_swap          (C2gBlob *self,
                                   C2gBlob *other);
C2G_AVAILABLE_IN_ALL
void       c2g_blob_move_from     (C2gBlob *self,
                                   C2gBlob *other);
C2G_AVAILABLE_IN_ALL
GObject   *c2g_blob_steal_object  (C2gBlob *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
void         c2g_blob_take_pointer    (C2gBlob        *self,
                                       gpointer        pointer,
                                       C2gTypeMeta    *meta,
                                       GDestroyNotify  destroy);
C2G_AVAILABLE_IN_ALL
void         c2g_blob_share_pointer   (C2gBlob     *self,
                                       gpointer     pointer,
                                       C2gTypeMeta *meta);
C2G_AVAILABLE_IN_ALL
gpointer     c2g_blob_get_pointer     (C2gBlob      *self,
                                       C2gTypeMeta  *meta,
                                       GError      **error);
C2G_AVAILABLE_IN_ALL
gpointer     c2g_blob_get_raw         (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta *c2g_blob_get_type_meta   (C2gBlob *self);
C2G_AVAILABLE_IN_ALL
gpointer     c2g_blob_release_pointer (C2gBlob      *self,
                                       C2gTypeMeta  *meta,
                                       GError      **error);

G_END_DECLS
