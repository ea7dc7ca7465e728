/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/device/c2g-device.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gDevice:
 *
 * A processor with its memory, such as the CPU or a GPU.
 *
 * A device is a type and an index, written as "cpu" or "cuda:0". Devices are interned: there
 * is one object for each device, which lives as long as the process. So devices can be
 * compared by their pointers, and a copy is the same object.
 *
 * A device object does not mean that the machine has such a device.
 *
 * ## Threads
 *
 * Devices are immutable; all functions may be called from any thread.
 */

static C2gDevice *
c2g_device_copy (C2gDevice *self)
{
  return self;
}

static void
c2g_device_free (C2gDevice *self)
{
}

G_DEFINE_BOXED_TYPE (C2gDevice, c2g_device, c2g_device_copy, c2g_device_free)

G_DEFINE_ENUM_TYPE (C2gDeviceType, c2g_device_type,
                    G_DEFINE_ENUM_VALUE (C2G_DEVICE_TYPE_CPU, "cpu"),
                    G_DEFINE_ENUM_VALUE (C2G_DEVICE_TYPE_CUDA, "cuda"))

static const char *const type_names[] = { "cpu", "cuda" };

G_STATIC_ASSERT (G_N_ELEMENTS (type_names) == C2G_N_DEVICE_TYPES);

static char cpu_name[] = "cpu";

C2gDevice c2g_device_the_cpu = {
  .type = C2G_DEVICE_TYPE_CPU,
  .index = 0,
  .name = cpu_name,
};

/* Each slot is filled with compare-and-swap when first needed. */
static C2gDevice *cuda_devices[C2G_N_DEVICE_INDICES];

static C2gDevice *
intern_cuda (int index)
{
  C2gDevice *device = g_atomic_pointer_get (&cuda_devices[index]);

  if (device != NULL)
    return device;

  device = g_new0 (C2gDevice, 1);
  device->type = C2G_DEVICE_TYPE_CUDA;
  device->index = index;
  device->name = g_strdup_printf ("cuda:%d", index);

  if (!g_atomic_pointer_compare_and_exchange (&cuda_devices[index], NULL, device))
    {
      g_free (device->name);
      g_free (device);
      device = g_atomic_pointer_get (&cuda_devices[index]);
    }

  return device;
}

void
c2g_device_foreach (void   (*func) (C2gDevice *device,
                                    gpointer   user_data),
                    gpointer user_data)
{
  func (c2g_device_cpu (), user_data);

  for (gsize i = 0; i < C2G_N_DEVICE_INDICES; i++)
    {
      C2gDevice *device = g_atomic_pointer_get (&cuda_devices[i]);

      if (device != NULL)
        func (device, user_data);
    }
}

/**
 * c2g_device_new:
 * @type: what kind of device
 * @index: which one of that kind
 * @error: return location for an error
 *
 * Gets the device of a type and an index.
 *
 * There is one CPU, of index 0; other devices have indices below 1024. Any other
 * index is `C2G_ERROR_RANGE`, an unknown type
 * `C2G_ERROR_INVALID_ARGUMENT`.
 *
 * Returns: (transfer full): the device; it is never freed, and C code need not free it
 */
C2gDevice *
c2g_device_new (C2gDeviceType   type,
                int             index,
                GError        **error)
{
  const int n_indices = type == C2G_DEVICE_TYPE_CPU ? 1 : C2G_N_DEVICE_INDICES;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if ((guint) type >= C2G_N_DEVICE_TYPES)
    return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT, _("There is no device type %d"),
                          (int) type);

  if (index < 0 || index >= n_indices)
    return c2g_fail_null (error, C2G_ERROR_RANGE,
                          _("The index of a %s device must be between 0 and %d, got %d"),
                          type_names[type], n_indices - 1, index);

  /* CUDA is the only other type; a third one needs devices of its own. */
  return type == C2G_DEVICE_TYPE_CPU ? c2g_device_cpu () : intern_cuda (index);
}

static gboolean
parse_index (const char  *text,
             const char  *digits,
             int         *index,
             GError     **error)
{
  g_autoptr (GError) local_error = NULL;
  guint64 number;

  if (g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT, &number, &local_error))
    {
      *index = number;
      return TRUE;
    }

  if (g_error_matches (local_error, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS))
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The index of device “%s” is too large"), text);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The index of device “%s” is not a number"), text);

  return FALSE;
}

/**
 * c2g_device_parse:
 * @text: text such as "cpu", "cuda" or "cuda:1"
 * @error: return location for an error
 *
 * Gets the device that a text names.
 *
 * A type without an index means index 0. Invalid text is `C2G_ERROR_INVALID_ARGUMENT`, an
 * index that no device can have `C2G_ERROR_RANGE`.
 *
 * Returns: (transfer full): the device; it is never freed, and C code need not free it
 */
C2gDevice *
c2g_device_parse (const char  *text,
                  GError     **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  for (int type = 0; type < C2G_N_DEVICE_TYPES; type++)
    {
      const gsize length = strlen (type_names[type]);
      int index = 0;

      if (strncmp (text, type_names[type], length) != 0)
        continue;
      if (text[length] != '\0' && text[length] != ':')
        continue;
      if (text[length] == ':' && !parse_index (text, text + length + 1, &index, error))
        return NULL;

      return c2g_device_new (type, index, error);
    }

  return c2g_fail_null (error, C2G_ERROR_INVALID_ARGUMENT,
                        _("Expected the device “cpu”, “cuda” or “cuda:INDEX”, got “%s”"), text);
}

#undef c2g_device_cpu

/**
 * c2g_device_cpu:
 *
 * Gets the CPU device.
 *
 * Returns: (transfer none): the CPU device
 */
C2gDevice *
c2g_device_cpu (void)
{
  return &c2g_device_the_cpu;
}

/**
 * c2g_device_count:
 * @type: a kind of device
 *
 * Counts the devices of a kind that can be used here.
 *
 * If there is none, the error of [ctor@DeviceInfo.new_for_device] for the first one tells why.
 *
 * Returns: how many; 0 too if their driver or library is absent
 */
int
c2g_device_count (C2gDeviceType type)
{
  return type == C2G_DEVICE_TYPE_CPU ? 1 : c2g_device_backend_count (type);
}

/**
 * c2g_device_get_device_type:
 * @self: a device
 *
 * Gets the kind of the device.
 *
 * Returns: the type
 */
C2gDeviceType
c2g_device_get_device_type (C2gDevice *self)
{
  g_return_val_if_fail (self != NULL, C2G_DEVICE_TYPE_CPU);

  return self->type;
}

/**
 * c2g_device_get_index:
 * @self: a device
 *
 * Gets the index of the device among those of its kind.
 *
 * Returns: the index
 */
int
c2g_device_get_index (C2gDevice *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->index;
}

/**
 * c2g_device_equal:
 * @self: a device
 * @other: a device
 *
 * Tells whether two devices are the same.
 *
 * Returns: true if they are
 */
gboolean
c2g_device_equal (C2gDevice *self,
                  C2gDevice *other)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (other != NULL, FALSE);

  return self == other;
}

/**
 * c2g_device_to_string:
 * @self: a device
 *
 * Gets the name of the device, which [func@Device.parse] accepts.
 *
 * Returns: (transfer none): "cpu", "cuda:0" and so on
 */
const char *
c2g_device_to_string (C2gDevice *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}
