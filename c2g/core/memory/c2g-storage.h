/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-types.h>
#include <c2g/core/memory/c2g-mapping.h>
#include <c2g/core/types/c2g-type-meta.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_STORAGE (c2g_storage_get_type ())

C2G_AVAILABLE_IN_ALL
GType         c2g_storage_get_type             (void);

C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_storage_new                  (C2gDevice       *device,
                                                gsize            n_bytes,
                                                C2gContext      *context,
                                                GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_storage_new_from_bytes       (GBytes          *bytes) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_storage_new_external         (C2gDevice       *device,
                                                gpointer         pointer,
                                                gsize            n_bytes,
                                                gboolean         read_only,
                                                GDestroyNotify   destroy,
                                                gpointer         user_data) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_storage_ref                  (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
void          c2g_storage_unref                (C2gStorage      *self);

C2G_AVAILABLE_IN_ALL
gsize         c2g_storage_get_n_bytes          (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
C2gDevice    *c2g_storage_get_device           (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
C2gAllocator *c2g_storage_get_allocator        (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_storage_get_address          (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta  *c2g_storage_get_constructed_type (C2gStorage      *self,
                                                gsize           *n_items);

C2G_AVAILABLE_IN_ALL
gboolean      c2g_storage_is_read_only         (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_storage_is_unique            (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
guint         c2g_storage_use_count            (C2gStorage      *self);
C2G_AVAILABLE_IN_ALL
guint         c2g_storage_get_n_views          (C2gStorage      *self);

C2G_AVAILABLE_IN_ALL
C2gMapping   *c2g_storage_map                  (C2gStorage      *self,
                                                C2gMapFlags      flags,
                                                GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void          c2g_storage_record_use           (C2gStorage      *self,
                                                C2gContext      *context);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_storage_reset                (C2gStorage      *self,
                                                GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_storage_share_external       (C2gStorage      *self,
                                                gpointer         pointer,
                                                gsize            n_bytes,
                                                GDestroyNotify   destroy,
                                                gpointer         user_data,
                                                GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gStorage, c2g_storage_unref)

G_END_DECLS
