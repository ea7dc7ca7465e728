/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_FILE_ENTRY (c2g_file_entry_get_type ())

typedef struct _C2gFileEntry C2gFileEntry;

C2G_AVAILABLE_IN_ALL
GType         c2g_file_entry_get_type       (void);

C2G_AVAILABLE_IN_ALL
C2gFileEntry *c2g_file_entry_ref            (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
void          c2g_file_entry_unref          (C2gFileEntry *self);

C2G_AVAILABLE_IN_ALL
const char   *c2g_file_entry_get_name       (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
const char   *c2g_file_entry_get_blob_type  (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
C2gDataType   c2g_file_entry_get_data_type  (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
const gint64 *c2g_file_entry_get_dims       (C2gFileEntry *self,
                                             gsize        *n_dims);
C2G_AVAILABLE_IN_ALL
gint64        c2g_file_entry_get_n_elements (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_file_entry_get_n_bytes    (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_file_entry_get_n_load_bytes (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
C2gDevice    *c2g_file_entry_get_device     (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
guint64       c2g_file_entry_get_offset     (C2gFileEntry *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_file_entry_get_segment    (C2gFileEntry *self,
                                             gint64       *begin,
                                             gint64       *end);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_file_entry_is_constant    (C2gFileEntry *self);

C2G_AVAILABLE_IN_ALL
C2gTensor    *c2g_file_entry_load_constant  (C2gFileEntry  *self,
                                             GError       **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gFileEntry, c2g_file_entry_unref)

G_END_DECLS
