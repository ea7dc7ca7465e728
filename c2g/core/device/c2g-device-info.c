/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-device-info.h>

#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>
#include <unistd.h>

/**
 * C2gDeviceInfo:
 *
 * Information about a device.
 *
 * ```python
 * for index in range(C2g.Device.count(C2g.DeviceType.CUDA)):
 *     device = C2g.Device.new(C2g.DeviceType.CUDA, index)
 *     info = C2g.DeviceInfo.new_for_device(device)
 *     print(device.to_string(), info.get_name(), info.get_free_bytes())
 * ```
 *
 * Besides its name and memory a device has details: texts with names such as `driver` or
 * `compute-capability`, which depend on the device.
 *
 * ## Threads
 *
 * All functions may be called from any thread, except [method@DeviceInfo.add_detail], which is
 * for the creator.
 */
struct _C2gDeviceInfo
{
  int        ref_count;
  C2gDevice *device;
  char      *name;
  guint64    total_bytes;
  guint64    free_bytes;
  /* Names and values alternate. */
  GPtrArray *details;
};

G_DEFINE_BOXED_TYPE (C2gDeviceInfo, c2g_device_info, c2g_device_info_ref, c2g_device_info_unref)

/**
 * c2g_device_info_new: (skip)
 * @device: a device
 * @name: the manufacturer's name
 * @total_bytes: how much memory it has
 * @free_bytes: how much of it is free
 *
 * Makes a description of a device; for implementations of device backends.
 *
 * Returns: (transfer full): a description without details
 */
C2gDeviceInfo *
c2g_device_info_new (C2gDevice  *device,
                     const char *name,
                     guint64     total_bytes,
                     guint64     free_bytes)
{
  C2gDeviceInfo *self;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  self = g_new (C2gDeviceInfo, 1);
  self->ref_count = 1;
  self->device = device;
  self->name = g_strdup (name);
  self->total_bytes = total_bytes;
  self->free_bytes = free_bytes;
  self->details = g_ptr_array_new_with_free_func (g_free);

  return self;
}

/* Returns the name of the CPU in /proc/cpuinfo, or "cpu". */
static char *
dup_cpu_name (void)
{
  g_autofree char *text = NULL;
  char *start, *end;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    return g_strdup ("cpu");

  start = strstr (text, "model name");
  start = start != NULL ? strchr (start, ':') : NULL;
  end = start != NULL ? strchr (start, '\n') : NULL;

  return end != NULL ? g_strstrip (g_strndup (start + 1, end - start - 1)) : g_strdup ("cpu");
}

static C2gDeviceInfo *
describe_cpu (void)
{
  g_autofree char *name = dup_cpu_name ();
  g_autofree char *n_processors = g_strdup_printf ("%u", g_get_num_processors ());
  guint64 page_size = sysconf (_SC_PAGESIZE);
  C2gDeviceInfo *self = c2g_device_info_new (c2g_device_cpu (), name,
                                             page_size * sysconf (_SC_PHYS_PAGES),
                                             page_size * sysconf (_SC_AVPHYS_PAGES));

  c2g_device_info_add_detail (self, N_("processors"), n_processors);

  return self;
}

/**
 * c2g_device_info_new_for_device:
 * @device: a device
 * @error: return location for an error
 *
 * Gets information about a device.
 *
 * A device that does not exist, or whose libraries are missing, gives `C2G_ERROR_DEVICE` with
 * the reason. On the CPU, memory used as file cache does not count as free.
 *
 * Returns: (transfer full): a description at this moment
 */
C2gDeviceInfo *
c2g_device_info_new_for_device (C2gDevice  *device,
                                GError    **error)
{
  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (device->type == C2G_DEVICE_TYPE_CPU)
    return describe_cpu ();

  return c2g_device_backend_describe (device, error);
}

/**
 * c2g_device_info_ref:
 * @self: a description
 *
 * Takes a reference.
 *
 * Returns: (transfer full): the same description
 */
C2gDeviceInfo *
c2g_device_info_ref (C2gDeviceInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->ref_count);

  return self;
}

/**
 * c2g_device_info_unref:
 * @self: (transfer full): a description
 *
 * Drops a reference.
 */
void
c2g_device_info_unref (C2gDeviceInfo *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;

  g_ptr_array_unref (self->details);
  g_free (self->name);
  g_free (self);
}

/**
 * c2g_device_info_get_device:
 * @self: a description
 *
 * Gets the device that is described.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_device_info_get_device (C2gDeviceInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->device;
}

/**
 * c2g_device_info_get_name:
 * @self: a description
 *
 * Gets the manufacturer's name of the device.
 *
 * Returns: a name such as "NVIDIA H100 80GB HBM3"
 */
const char *
c2g_device_info_get_name (C2gDeviceInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * c2g_device_info_get_total_bytes:
 * @self: a description
 *
 * Gets how much memory the device has.
 *
 * Returns: bytes, used ones included
 */
guint64
c2g_device_info_get_total_bytes (C2gDeviceInfo *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->total_bytes;
}

/**
 * c2g_device_info_get_free_bytes:
 * @self: a description
 *
 * Gets how much memory was free when this description was made.
 *
 * Returns: bytes
 */
guint64
c2g_device_info_get_free_bytes (C2gDeviceInfo *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->free_bytes;
}

/**
 * c2g_device_info_list_details:
 * @self: a description
 *
 * Lists the names of the details.
 *
 * Returns: (transfer full) (array zero-terminated=1): names, in the order in which
 *   they are best shown
 */
char **
c2g_device_info_list_details (C2gDeviceInfo *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->details->len; i += 2)
    g_strv_builder_add (names, g_ptr_array_index (self->details, i));

  return g_strv_builder_end (names);
}

/**
 * c2g_device_info_get_detail:
 * @self: a description
 * @name: a name of [method@DeviceInfo.list_details]
 *
 * Gets a detail of the device.
 *
 * Returns: (nullable): a text, `NULL` if there is nothing of that name
 */
const char *
c2g_device_info_get_detail (C2gDeviceInfo *self,
                            const char    *name)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < self->details->len; i += 2)
    if (g_str_equal (g_ptr_array_index (self->details, i), name))
      return g_ptr_array_index (self->details, i + 1);

  return NULL;
}

/**
 * c2g_device_info_add_detail: (skip)
 * @self: a description that is not shared yet
 * @name: the name of the detail, such as "compute-capability"
 * @value: its value
 *
 * Adds a detail; for implementations of device backends.
 */
void
c2g_device_info_add_detail (C2gDeviceInfo *self,
                            const char    *name,
                            const char    *value)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (value != NULL);

  g_ptr_array_add (self->details, g_strdup (name));
  g_ptr_array_add (self->details, g_strdup (value));
}
