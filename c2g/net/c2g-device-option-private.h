/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device.h>
#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-message-box-private.h>

G_BEGIN_DECLS

/* The device of an operator or a net, and what files say beside it; all zero is none. */
typedef struct
{
  gboolean             is_said;
  /* A copy of that in the box, with changes; its texts are those in the box. */
  Caffe2__DeviceOption message;
  C2gMessageBox       *box;
} C2gDeviceOption;

/* Takes the message, NULL for none. */
void       c2g_device_option_init_take       (C2gDeviceOption        *self,
                                              Caffe2__DeviceOption   *message);
void       c2g_device_option_init_copy       (C2gDeviceOption        *self,
                                              const C2gDeviceOption  *source);
void       c2g_device_option_clear           (C2gDeviceOption        *self);

/* True with NULL if none is said; C2G_ERROR_DEVICE for one that is not known here. */
gboolean   c2g_device_option_resolve         (const C2gDeviceOption  *self,
                                              C2gDevice             **device,
                                              GError                **error);
/* NULL also for one that is not known here. */
C2gDevice *c2g_device_option_get_device      (const C2gDeviceOption  *self);
/* Whether it is a change. */
gboolean   c2g_device_option_set_device      (C2gDeviceOption        *self,
                                              C2gDevice              *device);
/* -1 for none. */
gint64     c2g_device_option_get_random_seed (const C2gDeviceOption  *self);
gboolean   c2g_device_option_set_random_seed (C2gDeviceOption        *self,
                                              gint64                  random_seed);
gboolean   c2g_device_option_equal           (const C2gDeviceOption  *self,
                                              const C2gDeviceOption  *other);
/* For writing: NULL if there is nothing to be written. */
Caffe2__DeviceOption *c2g_device_option_get_message (C2gDeviceOption *self);

G_END_DECLS
