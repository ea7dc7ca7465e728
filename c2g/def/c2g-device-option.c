/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-device-option-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

/* Reads and changes the device option of an operator or a net: a C2gDevice and a random seed. */

gboolean
c2g_device_option_resolve (const Caffe2__DeviceOption  *self,
                           C2gDevice                  **device,
                           GError                     **error)
{
  *device = NULL;
  if (self == NULL)
    return TRUE;

  switch ((int) self->device_type)
    {
    case C2G_DEVICE_TYPE_CPU:
      *device = c2g_device_cpu ();
      return TRUE;

    case C2G_DEVICE_TYPE_CUDA:
      *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, self->device_id, error);
      return *device != NULL;

    default:
      return c2g_fail (error, C2G_ERROR_DEVICE, _("Devices of type %d are not known here"),
                       (int) self->device_type);
    }
}

C2gDevice *
c2g_device_option_get_device (const Caffe2__DeviceOption *self)
{
  C2gDevice *device;

  c2g_device_option_resolve (self, &device, NULL);
  return device;
}

/* Makes a device option if there is none. */
static Caffe2__DeviceOption *
ensure (Caffe2__DeviceOption **self)
{
  if (*self == NULL)
    {
      *self = g_new (Caffe2__DeviceOption, 1);
      caffe2__device_option__init (*self);
    }
  return *self;
}

gboolean
c2g_device_option_set_device (Caffe2__DeviceOption **self,
                              C2gDevice             *device)
{
  Caffe2__DeviceOption *message;

  if (device == NULL && *self == NULL)
    return FALSE;
  if (device != NULL && device == c2g_device_option_get_device (*self))
    return FALSE;

  if (device == NULL)
    {
      g_clear_pointer (self, c2g_wire_free);
      return TRUE;
    }

  message = ensure (self);
  message->has_device_type = TRUE;
  message->device_type = (Caffe2__DeviceType) c2g_device_get_device_type (device);
  message->has_device_id = c2g_device_get_device_type (device) != C2G_DEVICE_TYPE_CPU;
  message->device_id = c2g_device_get_index (device);
  return TRUE;
}

gint64
c2g_device_option_get_random_seed (const Caffe2__DeviceOption *self)
{
  if (self == NULL || !self->has_random_seed)
    return -1;
  return self->random_seed;
}

gboolean
c2g_device_option_set_random_seed (Caffe2__DeviceOption **self,
                                   gint64                 random_seed)
{
  Caffe2__DeviceOption *message;

  if (random_seed == c2g_device_option_get_random_seed (*self))
    return FALSE;

  message = ensure (self);
  message->has_random_seed = random_seed >= 0;
  message->random_seed = MAX (random_seed, 0);
  return TRUE;
}
