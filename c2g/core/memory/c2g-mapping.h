/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-types.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_MAP_FLAGS (c2g_map_flags_get_type ())
#define C2G_TYPE_MAPPING   (c2g_mapping_get_type ())

/**
 * C2gMapFlags:
 * @C2G_MAP_READ: the bytes will be read
 * @C2G_MAP_WRITE: the bytes will be written
 * @C2G_MAP_READ_WRITE: both
 *
 * The purpose of a mapping.
 */
typedef enum
{
  C2G_MAP_READ = 1 << 0,
  C2G_MAP_WRITE = 1 << 1,
  C2G_MAP_READ_WRITE = C2G_MAP_READ | C2G_MAP_WRITE,
} C2gMapFlags;

C2G_AVAILABLE_IN_ALL
GType         c2g_map_flags_get_type  (void);
C2G_AVAILABLE_IN_ALL
GType         c2g_mapping_get_type    (void);

C2G_AVAILABLE_IN_ALL
C2gMapping   *c2g_mapping_ref         (C2gMapping   *self);
C2G_AVAILABLE_IN_ALL
void          c2g_mapping_unref       (C2gMapping   *self);

C2G_AVAILABLE_IN_ALL
guint64       c2g_mapping_get_address (C2gMapping   *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_mapping_get_n_bytes (C2gMapping   *self);
C2G_AVAILABLE_IN_ALL
C2gMapFlags   c2g_mapping_get_flags   (C2gMapping   *self);
C2G_AVAILABLE_IN_ALL
const guint8 *c2g_mapping_get_data    (C2gMapping   *self,
                                       gsize        *n_bytes);

C2G_AVAILABLE_IN_ALL
GBytes       *c2g_mapping_ref_bytes   (C2gMapping   *self,
                                       GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean      c2g_mapping_write       (C2gMapping   *self,
                                       gsize         offset,
                                       GBytes       *bytes,
                                       GError      **error);
C2G_AVAILABLE_IN_ALL
void          c2g_mapping_unmap       (C2gMapping   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gMapping, c2g_mapping_unref)

G_END_DECLS
