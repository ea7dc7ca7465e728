/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device.h>
#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-message-box-private.h>

G_BEGIN_DECLS

/* The device option of an operator or a net, with other fields of its message. All zero means
 * that there is none. */
typedef struct
{
  gboolean             is_said;
  /* A modified shallow copy of the message in the box; its strings belong to the box. */
  Caffe2__DeviceOption message;
  C2gMessageBox       *box;
} C2gDeviceOption;

/* Takes ownership of the message, which may be NULL. */
void       c2g_device_option_init_take       (C2gDeviceOption        *self,
                                              Caffe2__DeviceOption   *message);
void       c2g_device_option_init_copy       (C2gDeviceOption        *self,
                                              const C2gDeviceOption  *source);
void       c2g_device_option_clear           (C2gDeviceOption        *self);

/* Returns TRUE with NULL if there is no device option, FALSE with C2G_ERROR_DEVICE for an unknown
 * type of device. */
gboolean   c2g_device_option_resolve         (const C2gDeviceOption  *self,
                                              C2gDevice             **device,
                                              GError                **error);
/* Returns NULL also for an unknown type of device. */
C2gDevice *c2g_device_option_get_device      (const C2gDeviceOption  *self);
/* Returns TRUE if it was a change. */
gboolean   c2g_device_option_set_device      (C2gDeviceOption        *self,
                                              C2gDevice              *device);
/* -1 means no seed. */
gint64     c2g_device_option_get_random_seed (const C2gDeviceOption  *self);
gboolean   c2g_device_option_set_random_seed (C2gDeviceOption        *self,
                                              gint64                  random_seed);
gboolean   c2g_device_option_equal           (const C2gDeviceOption  *self,
                                              const C2gDeviceOption  *other);
/* Returns the message for writing, or NULL if there is no device option. */
Caffe2__DeviceOption *c2g_device_option_get_message (C2gDeviceOption *self);

G_END_DECLS
