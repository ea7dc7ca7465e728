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

#define C2G_TYPE_DEVICE_TYPE (c2g_device_type_get_type ())
#define C2G_TYPE_DEVICE      (c2g_device_get_type ())

/**
 * C2gDeviceType:
 * @C2G_DEVICE_TYPE_CPU: the CPU and its memory
 * @C2G_DEVICE_TYPE_CUDA: an NVIDIA graphics processor
 *
 * The kinds of devices, with the numbers of Caffe2's `DeviceType`.
 */
typedef enum
{
  C2G_DEVICE_TYPE_CPU = 0,
  C2G_DEVICE_TYPE_CUDA = 1,
} C2gDeviceType;

typedef struct _C2gDevice C2gDevice;

C2G_AVAILABLE_IN_ALL
GType          c2g_device_type_get_type   (void);
C2G_AVAILABLE_IN_ALL
GType          c2g_device_get_type        (void);

C2G_AVAILABLE_IN_ALL
C2gDevice     *c2g_device_new             (C2gDeviceType   type,
                                           int             index,
                                           GError        **error);
C2G_AVAILABLE_IN_ALL
C2gDevice     *c2g_device_parse           (const char     *text,
                                           GError        **error);
C2G_AVAILABLE_IN_ALL
C2gDevice     *c2g_device_cpu             (void);
C2G_AVAILABLE_IN_ALL
int            c2g_device_count           (C2gDeviceType   type);

C2G_AVAILABLE_IN_ALL
C2gDeviceType  c2g_device_get_device_type (C2gDevice      *self);
C2G_AVAILABLE_IN_ALL
int            c2g_device_get_index       (C2gDevice      *self);

C2G_AVAILABLE_IN_ALL
gboolean       c2g_device_equal           (C2gDevice      *self,
                                           C2gDevice      *other);
C2G_AVAILABLE_IN_ALL
const char    *c2g_device_to_string       (C2gDevice      *self);

G_END_DECLS
