/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_DEVICE_INFO (c2g_device_info_get_type ())

typedef struct _C2gDeviceInfo C2gDeviceInfo;

C2G_AVAILABLE_IN_ALL
GType           c2g_device_info_get_type        (void);

C2G_AVAILABLE_IN_ALL
C2gDeviceInfo  *c2g_device_info_new             (C2gDevice       *device,
                                                 const char      *name,
                                                 guint64          total_bytes,
                                                 guint64          free_bytes) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gDeviceInfo  *c2g_device_info_new_for_device  (C2gDevice       *device,
                                                 GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDeviceInfo  *c2g_device_info_ref             (C2gDeviceInfo   *self);
C2G_AVAILABLE_IN_ALL
void            c2g_device_info_unref           (C2gDeviceInfo   *self);

C2G_AVAILABLE_IN_ALL
C2gDevice      *c2g_device_info_get_device      (C2gDeviceInfo   *self);
C2G_AVAILABLE_IN_ALL
const char     *c2g_device_info_get_name        (C2gDeviceInfo   *self);
C2G_AVAILABLE_IN_ALL
guint64         c2g_device_info_get_total_bytes (C2gDeviceInfo   *self);
C2G_AVAILABLE_IN_ALL
guint64         c2g_device_info_get_free_bytes  (C2gDeviceInfo   *self);

C2G_AVAILABLE_IN_ALL
char          **c2g_device_info_list_details    (C2gDeviceInfo   *self);
C2G_AVAILABLE_IN_ALL
const char     *c2g_device_info_get_detail      (C2gDeviceInfo   *self,
                                                 const char      *name);
C2G_AVAILABLE_IN_ALL
void            c2g_device_info_add_detail      (C2gDeviceInfo   *self,
                                                 const char      *name,
                                                 const char      *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gDeviceInfo, c2g_device_info_unref)

G_END_DECLS
