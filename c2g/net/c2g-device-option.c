/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-device-option-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

static const Caffe2__DeviceOption none = CAFFE2__DEVICE_OPTION__INIT;

void
c2g_device_option_init_take (C2gDeviceOption      *self,
                             Caffe2__DeviceOption *message)
{
  *self = (C2gDeviceOption) { 0 };
  if (message == NULL)
    return;

  self->is_said = TRUE;
  self->message = *message;
  self->box = c2g_message_box_new (message);
}

void
c2g_device_option_init_copy (C2gDeviceOption       *self,
                             const C2gDeviceOption *source)
{
  *self = *source;
  c2g_message_box_ref (self->box);
}

void
c2g_device_option_clear (C2gDeviceOption *self)
{
  g_clear_pointer (&self->box, c2g_message_box_unref);
  self->is_said = FALSE;
}

gboolean
c2g_device_option_resolve (const C2gDeviceOption  *self,
                           C2gDevice             **device,
                           GError                **error)
{
  *device = NULL;
  if (!self->is_said)
    return TRUE;

  switch ((int) self->message.device_type)
    {
    case C2G_DEVICE_TYPE_CPU:
      *device = c2g_device_cpu ();
      return TRUE;

    case C2G_DEVICE_TYPE_CUDA:
      *device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, self->message.device_id, error);
      return *device != NULL;

    default:
      g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
                   _("Devices of type %d are not known here"), (int) self->message.device_type);
      return FALSE;
    }
}

C2gDevice *
c2g_device_option_get_device (const C2gDeviceOption *self)
{
  C2gDevice *device;

  c2g_device_option_resolve (self, &device, NULL);
  return device;
}

static void
say (C2gDeviceOption *self)
{
  if (self->is_said)
    return;

  self->is_said = TRUE;
  self->message = none;
}

gboolean
c2g_device_option_set_device (C2gDeviceOption *self,
                              C2gDevice       *device)
{
  if (device == NULL && !self->is_said)
    return FALSE;
  if (device != NULL && device == c2g_device_option_get_device (self))
    return FALSE;

  if (device == NULL)
    {
      c2g_device_option_clear (self);
      return TRUE;
    }

  say (self);
  self->message.has_device_type = TRUE;
  self->message.device_type = (Caffe2__DeviceType) c2g_device_get_device_type (device);
  self->message.has_device_id = c2g_device_get_device_type (device) != C2G_DEVICE_TYPE_CPU;
  self->message.device_id = c2g_device_get_index (device);
  return TRUE;
}

gint64
c2g_device_option_get_random_seed (const C2gDeviceOption *self)
{
  if (!self->is_said || !self->message.has_random_seed)
    return -1;
  return self->message.random_seed;
}

gboolean
c2g_device_option_set_random_seed (C2gDeviceOption *self,
                                   gint64           random_seed)
{
  if (random_seed == c2g_device_option_get_random_seed (self))
    return FALSE;

  say (self);
  self->message.has_random_seed = random_seed >= 0;
  self->message.random_seed = MAX (random_seed, 0);
  return TRUE;
}

gboolean
c2g_device_option_equal (const C2gDeviceOption *self,
                         const C2gDeviceOption *other)
{
  if (!self->is_said || !other->is_said)
    return self->is_said == other->is_said;
  return c2g_message_equal (&self->message.base, &other->message.base);
}

Caffe2__DeviceOption *
c2g_device_option_get_message (C2gDeviceOption *self)
{
  return self->is_said ? &self->message : NULL;
}
