/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

/* The device option in the message of an operator or a net; NULL if there is none. */

/* Returns TRUE with NULL if there is no device option, FALSE with C2G_ERROR_DEVICE for an
 * unknown type of device or C2G_ERROR_RANGE for an impossible index. */
gboolean   c2g_device_option_resolve         (const Caffe2__DeviceOption   *self,
                                              C2gDevice                   **device,
                                              GError                      **error);
/* Returns NULL also for a device that cannot be. */
C2gDevice *c2g_device_option_get_device      (const Caffe2__DeviceOption   *self);
/* Returns TRUE if it was a change. NULL removes the device option. */
gboolean   c2g_device_option_set_device      (Caffe2__DeviceOption        **self,
                                              C2gDevice                    *device);
/* -1 means no seed. */
gint64     c2g_device_option_get_random_seed (const Caffe2__DeviceOption   *self);
gboolean   c2g_device_option_set_random_seed (Caffe2__DeviceOption        **self,
                                              gint64                        random_seed);

G_END_DECLS
